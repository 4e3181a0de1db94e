//! What was recorded beside what the service did: the first difference, in words.

use super::super::phh::{Recorded, Show};
use crate::engine::{Card, CardSet, Legal, Seat, SeatView, View};

/// How the file calls the player in a seat: `p3`.
pub fn player_at(hand: &Recorded, seat: Seat) -> String {
    let player = hand.players.iter().position(|player| player.seat == seat);
    player.map_or_else(|| format!("seat {seat}"), |player| format!("p{}", player + 1))
}

/// The offers of a decision beside `_legal`; `decisions` were made before.
pub fn offers(hand: &Recorded, seat: Seat, legal: &Legal, decisions: usize) -> Option<String> {
    let lines = hand.expected.legal.as_ref()?;
    let offered = format!("{}: {legal}", player_at(hand, seat));
    match lines.get(decisions) {
        None => Some(format!("the service offers '{offered}', _legal says nothing more after {decisions} decisions")),
        Some((_, text)) if *text == offered => None,
        Some((line, text)) => Some(format!("the service offers '{offered}', the file says '{text}' (line {line})")),
    }
}

/// A settled hand beside all that the file says of its end; the seats of `showdown` have shown or mucked, in order.
pub fn ending(hand: &Recorded, view: &View, decisions: usize, showdown: &[Seat], paid: &[(u8, i64)]) -> Option<String> {
    unused_offers(hand, decisions)
        .or_else(|| show_order(hand, showdown))
        .or_else(|| hand.shows.iter().find_map(|show| shown(hand, view, show)))
        .or_else(|| stacks(hand, paid))
        .or_else(|| rake(hand, view))
}

fn unused_offers(hand: &Recorded, decisions: usize) -> Option<String> {
    let (line, text) = hand.expected.legal.as_ref()?.get(decisions)?;
    Some(format!("the service asks nobody after {decisions} decisions, the file says '{text}' (line {line})"))
}

fn show_order(hand: &Recorded, showdown: &[Seat]) -> Option<String> {
    let expected = hand.expected.show_order.as_ref()?.split_whitespace().collect::<Vec<_>>().join(" ");
    let order: Vec<String> = showdown.iter().map(|&seat| player_at(hand, seat)).collect();
    let order = order.join(" ");
    let words = |order: &str| if order.is_empty() { "nobody".to_owned() } else { order.to_owned() };
    (order != expected)
        .then(|| format!("the order of showing and mucking is {}, the file says {}", words(&order), words(&expected)))
}

fn shown(hand: &Recorded, view: &View, show: &Show) -> Option<String> {
    let seat = hand.players[show.player].seat;
    let is_shown = view.shown_order.contains(&seat);
    let Some(cards) = &show.cards else {
        return is_shown.then(|| format!("seat {seat} is shown, the file says mucked (line {})", show.line));
    };
    if !is_shown {
        return Some(format!("seat {seat} is not shown, the file says shown (line {})", show.line));
    }
    let held = held(view.seats.iter().find(|view| view.seat == seat)?);
    // A hand that was tabled early shows what was held then.
    let held = held.get(..show.held).unwrap_or(&held);
    let all = |cards: &[Card]| cards.iter().copied().collect::<CardSet>();
    if held.len() == cards.len() && all(held) == all(cards) {
        return None;
    }
    let words = |cards: &[Card]| cards.iter().map(Card::to_string).collect::<String>();
    Some(format!("seat {seat} shows {}, the file says {} (line {})", words(held), words(cards), show.line))
}

/// A hand's own cards in the order dealt: two down, up to four up, one down.
fn held(seat: &SeatView) -> Vec<Card> {
    let (first, last) = seat.down.split_at(seat.down.len().min(2));
    [first, &seat.board, last].concat()
}

fn stacks(hand: &Recorded, paid: &[(u8, i64)]) -> Option<String> {
    let expected = hand.expected.stacks.as_ref()?;
    hand.players.iter().zip(expected).find_map(|(player, &expected)| {
        let seat = player.seat;
        let stack = paid.iter().find(|paid| paid.0 == seat.number()).map_or(0, |paid| paid.1);
        (stack != expected).then(|| format!("seat {seat} ends with {}", amounts(stack, expected)))
    })
}

fn rake(hand: &Recorded, view: &View) -> Option<String> {
    let expected = hand.expected.rake?;
    let rake = view.awards.iter().map(|award| award.rake.units()).sum();
    (rake != expected).then(|| format!("the rake is {}", amounts(rake, expected)))
}

fn amounts(is: i64, expected: i64) -> String {
    let (by, more) = (is.abs_diff(expected), if is > expected { "more" } else { "less" });
    format!("{is}, the file says {expected} ({by} {more})")
}
