//! Every card is as likely at every position.

use super::family::{Cards, Family, Outcome};
use super::table::{CELLS, cell, evenness, interplay};
use crate::engine::Card;

pub(super) const FAMILY: Family = Family { cells: CELLS, count, outcomes };

fn count(counts: &mut [u64], block: &[Cards]) {
    for cards in block {
        for (position, &card) in (0..).zip(cards) {
            counts[cell(position, card)] += 1;
        }
    }
}

fn outcomes(counts: &[u64]) -> Vec<Outcome> {
    // A hand has each position and each card once, so that its 52 counts are a little further apart than 52 that know
    // nothing of each other: by 52 in 51.
    let all = Outcome::chi_square("position by card", interplay(counts) * 51.0 / 52.0, 51 * 51);
    let position = |(number, cards): (u32, &[u64])| {
        Outcome::chi_square(&format!("cards at position {number}"), evenness(cards), 51)
    };
    [all].into_iter().chain((1..).zip(counts.chunks(Card::COUNT)).map(position)).collect()
}
