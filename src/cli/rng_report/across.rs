//! The ends of a hand know nothing of each other, nor of the next hand.

use super::chance::real;
use super::family::{Cards, Family, Outcome};
use super::table::{CELLS, cell, evenness, interplay};
use crate::engine::Card;

pub(super) const FAMILY: Family = Family { cells: 3 * CELLS, count, outcomes };

fn count(counts: &mut [u64], block: &[Cards]) {
    let (firsts, rest) = counts.split_at_mut(CELLS);
    let (joints, ends) = rest.split_at_mut(CELLS);
    let last = |cards: &Cards| cards[Card::COUNT - 1];
    for cards in block {
        ends[cell(cards[0], last(cards))] += 1;
    }
    for (cards, next) in block.iter().zip(block.iter().skip(1)) {
        firsts[cell(cards[0], next[0])] += 1;
        joints[cell(last(cards), next[0])] += 1;
    }
}

fn outcomes(counts: &[u64]) -> Vec<Outcome> {
    let (firsts, rest) = counts.split_at(CELLS);
    let (joints, ends) = rest.split_at(CELLS);
    // No card is first and last.
    let unlike = |&(at, _): &(usize, &u64)| at / Card::COUNT != at % Card::COUNT;
    let pairs: Vec<u64> = ends.iter().enumerate().filter(unlike).map(|(_, &count)| count).collect();
    vec![
        Outcome::normal("first card, serial correlation", correlation(firsts)),
        Outcome::chi_square("first card against the next hand's first", interplay(firsts), 51 * 51),
        Outcome::chi_square("last card against the next hand's first", interplay(joints), 51 * 51),
        Outcome::chi_square("first card against the same hand's last", evenness(&pairs), 52 * 51 - 1),
    ]
}

/// The correlation of indices times the root of how many they are. Mean and variance of an index are known, 51 / 2 and
/// (52 * 52 - 1) / 12, so that products of neighbours have no correlation, and the deviation is exactly 1.
fn correlation(table: &[u64]) -> f64 {
    let mut sum = 0.0;
    for row in 0..52 {
        for column in 0..52 {
            sum += real(table[cell(row, column)]) * (f64::from(row) - 25.5) * (f64::from(column) - 25.5);
        }
    }
    sum / (2703.0 / 12.0) / real(table.iter().sum()).sqrt()
}
