//! The deck that deals what was recorded (R9, R24, R27).

use super::actions::Log;
use super::{At, Player, Wrong};
use crate::engine::{Card, CardSet, Deck};

/// One card at a time in seat order on third street, then one for each player still in, then the common card. What
/// nobody saw, and all that was never dealt, is filled from the other cards in a fixed order.
pub fn build(players: &[Player], log: &Log) -> At<Deck> {
    let mut by_seat: Vec<usize> = (0..players.len()).collect();
    by_seat.sort_by_key(|&player| players[player].seat);
    let everybody: Vec<usize> = (0..players.len()).collect();
    let third = std::iter::repeat_n(&everybody, 3);
    let mut order = Vec::with_capacity(Card::COUNT);
    for (at, street) in third.chain(&log.streets).enumerate() {
        let dealt = by_seat.iter().filter(|player| street.contains(player));
        order.extend(dealt.filter_map(|&player| log.hands[player].get(at)).map(|dealt| dealt.card));
    }
    order.extend(log.common.as_ref().map(|dealt| dealt.card));
    let known: CardSet = order.iter().copied().flatten().collect();
    let mut others = Card::all().filter(|&card| !known.contains(card));
    let mut cards: Vec<Card> = order.into_iter().filter_map(|card| card.or_else(|| others.next())).collect();
    cards.extend(others);
    let deck = cards.try_into().ok().and_then(Deck::new);
    // Each card was seen once and no street was dealt without enough of them, so there are 52.
    deck.ok_or_else(|| (1, Wrong::Refused("the cards make no deck".to_owned())))
}
