//! What one viewer may know of a hand (promise 3). A card that a viewer may not see is absent here, so no later step
//! can let it slip.

use super::betting::Legal;
use super::card::{Card, Deck};
use super::chips::Chips;
use super::event::{Award, PlayerId, Street};
use super::hand::{Due, Hand, Outcome};
use super::opening::{DeckBond, Settings};
use super::player::{Player, Showing};
use super::pots::Pot;
use super::seat::Seat;
use super::viewer::{Sight, Viewer};
use super::words::low_in_words;

/// How far a hand is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Status {
    /// In play.
    Playing,
    /// Played out: the awards are recorded and not yet paid.
    PlayedOut,
    /// Paid.
    Settled,
    /// Every chip went back, for this reason.
    Voided(String),
}

/// A player's standing in the hand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Standing {
    /// In, with chips in front.
    In,
    /// In, without.
    AllIn,
    /// Out.
    Folded,
}

/// One seat of a hand.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SeatView {
    /// Where.
    pub seat: Seat,
    /// Who.
    pub player: PlayerId,
    /// Brought into the hand.
    pub brought: Chips,
    /// In front now; once the hand is played out, what it ends with; of a voided hand, what it brought.
    pub stack: Chips,
    /// In the middle from this round.
    pub wager: Chips,
    /// In the middle from all rounds.
    pub put_in: Chips,
    /// In, all-in or out.
    pub standing: Standing,
    /// Up cards, the door card first; of a folded seat they are dead.
    pub board: Vec<Card>,
    /// How many down cards it holds.
    pub down_count: usize,
    /// Those down cards that the viewer may see: all of them or none.
    pub down: Vec<Card>,
    /// Where it stands at the showdown.
    pub showing: Showing,
    /// Its hand in words, once it is wholly open (R33).
    pub words: Option<String>,
}

/// What a viewer may know of a hand.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct View {
    /// The hand's number at its table.
    pub number: u64,
    /// What it is played at and by.
    pub settings: Settings,
    /// How far it is.
    pub status: Status,
    /// The street it has reached.
    pub street: Street,
    /// Every seat that was dealt in, in seat order.
    pub seats: Vec<SeatView>,
    /// The common card of seventh street (R27).
    pub common: Option<Card>,
    /// The pots without open wagers, the main pot first.
    pub pots: Vec<Pot>,
    /// All that is in the middle, open wagers included.
    pub total_pot: Chips,
    /// Whose turn it is and what they may do.
    pub legal: Legal,
    /// The seats that have shown, in the order in which they did.
    pub shown_order: Vec<Seat>,
    /// Where the deck came from, and what binds it.
    pub bond: DeckBond,
    /// The awards, the last side pot first; once the hand is played out.
    pub awards: Vec<Award>,
}

impl View {
    /// The hand as this viewer may know it. Without the deck, down cards that are not open are hidden from all.
    pub fn of(hand: &Hand, viewer: &Viewer, deck: Option<&Deck>) -> View {
        let voided = matches!(hand.outcome(), Some(Outcome::Voided(_)));
        let stacks = hand.stacks();
        let stack = |seat: Seat, player: &Player| {
            stacks.iter().find(|stack| stack.0 == seat).map_or(player.stack, |stack| stack.1)
        };
        let seat_view = |seat: Seat, id: &PlayerId, player: &Player| SeatView {
            seat,
            player: id.clone(),
            brought: player.brought,
            stack: stack(seat, player),
            wager: player.wager,
            put_in: player.put_in,
            standing: standing(player),
            board: player.board().collect(),
            down_count: player.down().count(),
            down: visible_down(hand, seat, player, viewer, deck),
            showing: player.showing(),
            words: hand.shown_low(seat).map(low_in_words),
        };
        let dealt_in = hand.opening().dealt_in.iter();
        View {
            number: hand.number(),
            settings: hand.opening().settings,
            status: status(hand),
            street: hand.street(),
            seats: dealt_in
                .filter_map(|dealt| Some(seat_view(dealt.seat, &dealt.player, hand.player(dealt.seat)?)))
                .collect(),
            common: hand.common(),
            pots: hand.pots(),
            total_pot: hand.total_pot(),
            legal: hand.legal(),
            shown_order: hand.shown().collect(),
            bond: hand.opening().bond.clone(),
            // A voided hand pays nothing, whatever was recorded before (R39).
            awards: if voided { Vec::new() } else { hand.awards().to_vec() },
        }
    }

    /// A pot's award in words: `main pot 84: seat 1 wins 80 with 7-4-3-2-A (seven-four low)`.
    pub fn award_in_words(&self, award: &Award) -> String {
        let pot = if award.pot == 0 { "main pot".to_owned() } else { format!("side pot {}", award.pot) };
        let words = |seat| self.seats.iter().find(|view| view.seat == seat).and_then(|view| view.words.as_deref());
        let winners = award.shares.iter().map(|&(seat, chips)| match words(seat) {
            Some(words) => format!("seat {seat} wins {chips} with {words}"),
            None => format!("seat {seat} wins {chips}"),
        });
        let rake = if award.rake.is_zero() { String::new() } else { format!("; rake {}", award.rake) };
        format!("{pot} {}: {}{rake}", award.amount, winners.collect::<Vec<_>>().join("; "))
    }
}

pub(super) fn status(hand: &Hand) -> Status {
    match hand.outcome() {
        Some(Outcome::Settled) => Status::Settled,
        Some(Outcome::Voided(reason)) => Status::Voided(reason.to_string()),
        None if hand.due() == Due::Settlement => Status::PlayedOut,
        None => Status::Playing,
    }
}

fn standing(player: &Player) -> Standing {
    if player.folded {
        Standing::Folded
    } else if player.is_all_in() {
        Standing::AllIn
    } else {
        Standing::In
    }
}

/// The down cards of a seat that this viewer may see: all of them or none.
fn visible_down(hand: &Hand, seat: Seat, player: &Player, viewer: &Viewer, deck: Option<&Deck>) -> Vec<Card> {
    match (hand.sight(viewer, seat), deck) {
        (Sight::Open, _) => player.shown().collect(),
        (Sight::Clear, Some(deck)) => hand.down_cards(seat, deck).into_iter().map(|(_, card)| card).collect(),
        (Sight::Clear, None) | (Sight::Nothing | Sight::Sealed(_), _) => Vec::new(),
    }
}
