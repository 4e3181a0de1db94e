//! The words of the demo.

use super::{PLAYERS, code};
use crate::audit::{Finding, Whole};
use crate::engine::{Action, Card, Chips, Offer, Seat, SeatView, Showing, Standing, View};
use crate::pb;

fn name(seat: Seat) -> &'static str {
    PLAYERS.get(usize::from(seat.number()) - 1).map_or("somebody", |player| player.0)
}

fn cards(cards: &[Card]) -> String {
    cards.iter().map(Card::to_string).collect::<Vec<_>>().join(" ")
}

pub(super) fn open(table: &pb::TableView) {
    let stakes = table.stakes.unwrap_or_default();
    say!(
        "A table of Razz, {} and {} limit, ante {}, bring-in {}; Full Tilt's rules, rake 1 of each full 20.",
        stakes.small_bet,
        stakes.small_bet * 2,
        stakes.ante.unwrap_or_default(),
        stakes.bring_in.unwrap_or_default()
    );
}

pub(super) fn dealt(hand: &View) {
    say!("\nHand {}: everybody antes, {} in the middle.", hand.number, hand.total_pot);
    street(hand);
    if let Some(seat) = hand.legal.seat {
        say!("  {} has the highest card and must open.", name(seat));
    }
}

fn street(hand: &View) {
    let words = hand.street.words();
    say!("\n{}{}", words[..1].to_uppercase(), &words[1..]);
    for seat in hand.seats.iter().filter(|seat| seat.standing != Standing::Folded) {
        let all_in = if seat.standing == Standing::AllIn { ", all-in" } else { "" };
        let down = if seat.down.is_empty() { "?? ".repeat(seat.down_count) } else { cards(&seat.down) + " " };
        say!("  {:<5} {down}/ {} ({} behind{all_in})", name(seat.seat), cards(&seat.board), seat.stack);
    }
    if let Some(card) = hand.common {
        say!("  The common card, everybody's seventh: {card}.");
    }
}

/// What a player did, and what followed from it.
pub(super) fn acted(before: &View, seat: Seat, offer: Offer, after: &View) {
    let all_in = if offer.all_in { ", all-in" } else { "" };
    let to = offer.to;
    let did = match offer.action {
        Action::Fold => "folds".to_owned(),
        Action::Check => "checks".to_owned(),
        Action::Call => format!("calls {to}"),
        Action::BringIn => format!("brings it in for {to}"),
        Action::Complete => format!("completes to {to}"),
        Action::Bet => format!("bets {to}"),
        Action::Raise => format!("raises to {to}"),
        Action::Show => "shows".to_owned(),
        Action::Muck => "mucks".to_owned(),
    };
    say!("  {} {did}{all_in}.", name(seat));
    returned(before, seat, offer, after);
    if after.street != before.street {
        street(after);
    }
    let newly = after.shown_order.iter().skip(before.shown_order.len());
    for view in newly.filter_map(|&shown| after.seats.iter().find(|view| view.seat == shown)) {
        shows(view);
    }
}

/// Chips that nobody matched are no longer in the middle after the round.
fn returned(before: &View, seat: Seat, offer: Offer, after: &View) {
    for (was, is) in before.seats.iter().zip(&after.seats) {
        let more = if was.seat == seat { offer.to.less(was.wager) } else { Chips::ZERO };
        let back = (was.put_in + more).less(is.put_in);
        if !back.is_zero() {
            say!("  {} takes back {back} that nobody matched.", name(is.seat));
        }
    }
}

fn shows(view: &SeatView) {
    if view.showing == Showing::Shown {
        let words = view.words.as_deref().unwrap_or_default();
        say!("  {} shows {} / {}: {words}.", name(view.seat), cards(&view.down), cards(&view.board));
    }
}

pub(super) fn settled(hand: &View) {
    say!("\nThe pots");
    for award in &hand.awards {
        say!("  The {}.", hand.award_in_words(award));
    }
    say!("\nStacks");
    for seat in &hand.seats {
        let change = seat.stack.units() - seat.brought.units();
        say!("  {:<5} {:>5} ({change:+})", name(seat.seat), seat.stack);
    }
}

/// Tells what the check of the record found, and gives the exit code.
pub(super) fn verdict(whole: &Result<Whole, Finding>, balanced: bool) -> u8 {
    say!("\nThe record");
    match whole {
        Ok(Whole { records, hands, hash }) => {
            say!("  {records} records, {hands} hand: the chain is whole, every event and transfer replays.");
            say!("  Its last hash, which binds all of it: {hash}");
        }
        Err(finding) => say!("  NOT whole: {finding}"),
    }
    if !balanced {
        say!("  The accounts do NOT add up to nothing.");
    }
    code(whole.is_ok() && balanced)
}
