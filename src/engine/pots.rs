//! Pots (R34 to R37): how the chips of a hand fall into a main pot and side pots, what of them is raked, and how a pot
//! is split.

use super::card::{Card, CardSet, Rank, Suit};
use super::chips::Chips;
use super::low::Low;
use super::rules::{OddChip, SuitOrder};
use super::seat::{PerSeat, Seat, SeatSet};

/// A pot: what it holds, and the live seats that can win it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pot {
    /// Chips of all who reached it, folded players' too.
    pub amount: Chips,
    /// The live seats that paid for it in full.
    pub seats: SeatSet,
}

/// The main pot first, then the side pots (R34).
///
/// Each different amount that a *live* player put in closes a layer; what a folded player put in falls into the layers
/// that it reached. So a layer all of whose contributors have folded is part of the pot below it. What one player put
/// in alone must have been returned before (R21).
pub fn layers(put_in: &PerSeat<Chips>, live: SeatSet) -> Vec<Pot> {
    let mut pots: Vec<Pot> = Vec::with_capacity(2);
    let mut floor = Chips::ZERO;
    while let Some(ceiling) = live.iter().map(|seat| put_in[seat]).filter(|&amount| amount > floor).min() {
        let amount = put_in.iter().map(|(_, &amount)| amount.min(ceiling).less(floor)).sum();
        let seats = live.iter().filter(|&seat| put_in[seat] >= ceiling).collect();
        pots.push(Pot { amount, seats });
        floor = ceiling;
    }
    if let Some(last) = pots.last_mut() {
        // What folded players put in above the highest live player.
        last.amount += put_in.iter().map(|(_, &amount)| amount.less(floor)).sum();
    }
    pots
}

/// The highest amount's part above the second highest: nobody matched it, so it goes back (R21).
pub fn unmatched(wagers: &PerSeat<Chips>) -> Option<(Seat, Chips)> {
    let (seat, &highest) = wagers.iter().max_by_key(|&(_, &amount)| amount)?;
    let matched = wagers.iter().filter(|&(other, _)| other != seat).map(|(_, &amount)| amount).max()?;
    let excess = highest.less(matched);
    (!excess.is_zero()).then_some((seat, excess))
}

/// Each pot's part of the rake: in proportion, rounded down, the units left over one each from the main pot up (R37).
pub fn share_rake(pots: &[Pot], rake: Chips) -> Vec<Chips> {
    let called: Chips = pots.iter().map(|pot| pot.amount).sum();
    let mut parts: Vec<Chips> = pots.iter().map(|pot| pot.amount.share(rake, called)).collect();
    let mut left = rake - parts.iter().copied().sum();
    // Fewer units are left than there are pots: each rounding lost less than one.
    for part in &mut parts {
        if !left.is_zero() {
            *part += Chips::ONE;
            left -= Chips::ONE;
        }
    }
    parts
}

/// The seats with the lowest hand (R31, R35).
pub fn lowest(hands: impl Iterator<Item = (Seat, Low)> + Clone) -> SeatSet {
    let Some(best) = hands.clone().map(|(_, low)| low).min() else { return SeatSet::EMPTY };
    hands.filter(|&(_, low)| low == best).map(|(seat, _)| seat).collect()
}

/// A winner's cards as the odd-unit rule needs them.
pub struct Winner {
    /// Where.
    pub seat: Seat,
    /// All its cards, the common card among them.
    pub cards: CardSet,
}

/// Splits an amount evenly over the winners, given in seat order; odd units one each in the order of R36. The shares
/// come in seat order.
pub fn split(amount: Chips, winners: &[Winner], odd_chip: OddChip, suits: SuitOrder) -> Vec<(Seat, Chips)> {
    let Some(count) = i64::try_from(winners.len()).ok().and_then(Chips::new) else { return Vec::new() };
    let each = amount.share(Chips::ONE, count);
    let mut odd = amount - each.times(count.units());
    let mut order: Vec<&Winner> = winners.iter().collect();
    if odd_chip == OddChip::HighCardBySuit && !odd.is_zero() {
        order.sort_by_cached_key(|winner| std::cmp::Reverse(standing(winner.cards, suits)));
    }
    let mut shares: Vec<(Seat, Chips)> = Vec::with_capacity(winners.len());
    for winner in order {
        let extra = odd.min(Chips::ONE);
        odd -= extra;
        shares.push((winner.seat, each + extra));
    }
    shares.sort_by_key(|&(seat, _)| seat);
    shares
}

/// How a winner stands for odd units (R36): for each rank of the five that win, from the highest down, the best suit
/// that the player holds of it. Tied winners have the same five ranks. Two of them can only be level at a rank where
/// both mean the common card, and then the next rank decides.
fn standing(cards: CardSet, suits: SuitOrder) -> Vec<u8> {
    let mut ranks: Vec<Rank> = Low::of(cards).ranks().collect();
    ranks.sort_unstable_by(|a, b| b.cmp(a));
    let best_suit = |rank: Rank| {
        let held = Suit::ALL.into_iter().map(|suit| Card::new(rank, suit)).filter(|&card| cards.contains(card));
        held.map(|card| suits.standing(card.suit())).max().unwrap_or_default()
    };
    ranks.into_iter().map(best_suit).collect()
}
