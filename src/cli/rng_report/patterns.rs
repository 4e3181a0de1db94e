//! Five cards at neighbouring places lie in each of their 120 orders equally often. Ten such fives of a hand share no
//! card's place, so their orders know nothing of each other.

use super::family::{Cards, Family, Outcome};
use super::table::evenness;

const FIVE: usize = 5;

pub(super) const FAMILY: Family = Family { cells: 120, count, outcomes };

fn count(counts: &mut [u64], block: &[Cards]) {
    for five in block.iter().flat_map(|cards| cards.chunks_exact(FIVE)) {
        counts[pattern(five)] += 1;
    }
}

/// The number of the order in which they lie: how many behind each are lower, as a number of mixed base.
fn pattern(five: &[u8]) -> usize {
    let mut number = 0;
    for (at, card) in five.iter().enumerate() {
        let lower = five[at + 1..].iter().filter(|behind| *behind < card).count();
        number = number * (FIVE - at) + lower;
    }
    number
}

fn outcomes(counts: &[u64]) -> Vec<Outcome> {
    vec![Outcome::chi_square("permutations of five", evenness(counts), 119)]
}
