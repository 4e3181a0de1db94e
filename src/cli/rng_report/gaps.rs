//! How many hands pass from one that begins with a club to the next that does.

use super::family::{Cards, Family, Outcome};
use super::table::{chi_square, surely};
use crate::engine::{Card, Suit};

/// Gaps of so many hands and more are counted together.
const LONG: usize = 20;

pub(super) const FAMILY: Family = Family { cells: LONG + 1, count, outcomes };

/// One hand in four: a gap and its end take 4 hands in the middle, and the root of 12 more or less.
const LIKELY: f64 = 0.25;
const MEAN: f64 = 4.0;
const DEVIATION: f64 = 3.465;

fn count(counts: &mut [u64], block: &[Cards]) {
    let due = surely(block.len(), MEAN, DEVIATION);
    let (mut found, mut gap) = (0, 0);
    for cards in block {
        if found == due {
            break;
        }
        if Card::from_index(cards[0]).is_some_and(|card| card.suit() == Suit::Clubs) {
            counts[gap.min(LONG)] += 1;
            found += 1;
            gap = 0;
        } else {
            gap += 1;
        }
    }
    // What is missing never ended.
    counts[LONG] += (due - found) as u64;
}

fn outcomes(counts: &[u64]) -> Vec<Outcome> {
    let mut likely = Vec::new();
    let mut left = 1.0;
    for _ in 0..LONG {
        likely.push(left * LIKELY);
        left *= 1.0 - LIKELY;
    }
    likely.push(left);
    vec![Outcome::chi_square("first card, gaps between clubs", chi_square(counts, &likely), 20)]
}
