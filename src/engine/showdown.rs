//! The showdown (R29 to R32, R41) and the awards (R34 to R37).

use super::card::{Card, CardSet, Deck};
use super::event::{Award, Street};
use super::hand::{Due, Hand};
use super::low::Low;
use super::player::Showing;
use super::pots::{self, Pot, Winner};
use super::rules::{FirstToShow, LosingHands};
use super::seat::{Seat, SeatSet};

impl Hand {
    /// The order in which live hands show (R29): clockwise from the first to show.
    pub fn show_order(&self) -> impl Iterator<Item = Seat> {
        let live = self.live();
        self.first_to_show().into_iter().flat_map(move |first| live.clockwise_from(first))
    }

    fn first_to_show(&self) -> Option<Seat> {
        let live = self.live();
        match self.rules().first_to_show {
            FirstToShow::SeatOrder => live.first(),
            FirstToShow::LastAggressor => {
                self.last_aggressor(None).or(self.opener.filter(|&seat| live.contains(seat))).or(live.first())
            }
            FirstToShow::LastAggressorOfSeventhElseLowestSeat => {
                self.last_aggressor(Some(Street::Seventh)).or(live.first())
            }
            FirstToShow::LastAggressorOfSeventhElseLowestBoard => {
                self.last_aggressor(Some(Street::Seventh)).or(self.lowest_board())
            }
        }
    }

    /// The live player who bet or raised last, on any street or on this one. A player's own latest aggression is
    /// enough to know: an earlier one can only matter beside it.
    fn last_aggressor(&self, on: Option<Street>) -> Option<Seat> {
        let live = self.players().filter(|(_, player)| !player.folded);
        let marks = live.filter_map(|(seat, player)| Some((player.aggression?, seat)));
        let on_street = marks.filter(|((street, _), _)| on.is_none_or(|wanted| *street == wanted));
        on_street.max_by_key(|((_, number), _)| *number).map(|(_, seat)| seat)
    }

    /// The next live hand in order that has neither been shown nor mucked.
    pub(super) fn next_to_show(&self) -> Option<Seat> {
        self.show_order().find(|&seat| {
            self.player(seat).is_some_and(|player| matches!(player.showing, Showing::Waiting | Showing::Offered))
        })
    }

    pub(super) fn next_reveal(&self) -> Option<Due> {
        let seat = self.next_to_show()?;
        let offered = self.player(seat).is_some_and(|player| player.showing == Showing::Offered);
        Some(if offered {
            Due::Choice(seat)
        } else if self.rules().losing_hands == LosingHands::AllShown || self.tables_all_in_hands() {
            Due::Table(seat)
        } else {
            Due::Reveal(seat)
        })
    }

    /// The value of a hand that is wholly open.
    pub fn shown_low(&self, seat: Seat) -> Option<Low> {
        let player = self.player(seat)?;
        (player.showing == Showing::Shown).then(|| Low::of(self.open_cards(seat)))
    }

    /// Whether the rules show this hand whatever its player wants (R30): in some pot that it can win and for which more
    /// than one hand is live, it beats or ties the best hand shown, or none was shown yet.
    pub(super) fn must_show(&self, seat: Seat, low: Low) -> bool {
        self.pots().iter().filter(|pot| pot.seats.contains(seat) && pot.seats.len() > 1).any(|pot| {
            let others = pot.seats.iter().filter(|&other| other != seat);
            let best = others.filter_map(|other| self.shown_low(other)).min();
            best.is_none_or(|best| low <= best)
        })
    }

    /// The seat's whole hand, its down cards read from the deck.
    pub(super) fn cards_from(&self, seat: Seat, deck: &Deck) -> CardSet {
        let Some(player) = self.player(seat) else { return CardSet::EMPTY };
        let down = player.down.iter().filter_map(|position| deck.card(position));
        player.up.iter().chain(down).chain(self.common).collect()
    }

    /// Place and card of each of the seat's down cards.
    pub fn down_cards(&self, seat: Seat, deck: &Deck) -> Vec<(u8, Card)> {
        let Some(player) = self.player(seat) else { return Vec::new() };
        player.down.iter().filter_map(|position| Some((position, deck.card(position)?))).collect()
    }

    /// The pots from the last side pot to the main pot (R35).
    pub(super) fn next_award(&self) -> Option<Due> {
        let left = self.pots().len().checked_sub(self.awards.len() + 1)?;
        u8::try_from(left).ok().map(Due::Award)
    }

    /// The award of a pot, from what lies open: the winners are always shown (R31), or alone.
    pub(super) fn award(&self, number: u8) -> Option<Award> {
        let pots = self.pots();
        let pot = pots.get(usize::from(number))?;
        let rake = *pots::share_rake(&pots, self.rake()).get(usize::from(number))?;
        let winners: Vec<Winner> =
            self.winners(pot).iter().map(|seat| Winner { seat, cards: self.open_cards(seat) }).collect();
        let rules = self.rules();
        let shares = pots::split(pot.amount - rake, &winners, rules.odd_chip, rules.bring_in_suit_order);
        Some(Award { pot: number, amount: pot.amount, rake, shares })
    }

    fn winners(&self, pot: &Pot) -> SeatSet {
        if pot.seats.len() == 1 {
            return pot.seats;
        }
        pots::lowest(pot.seats.iter().filter_map(|seat| Some((seat, self.shown_low(seat)?))))
    }
}
