//! Every card is as likely to follow every other. The first card counts as following the last: so each card has one
//! before it and one after it in every hand, and what the counts follow is known exactly.

use super::chance::real;
use super::family::{Cards, Family, Outcome};
use super::table::{CELLS, cell};

pub(super) const FAMILY: Family = Family { cells: CELLS, count, outcomes };

fn count(counts: &mut [u64], block: &[Cards]) {
    for cards in block {
        let mut before = cards[cards.len() - 1];
        for &card in cards {
            counts[cell(before, card)] += 1;
            before = card;
        }
    }
}

/// A random ring of 52 cards has 52 neighbours of 52 times 51, and each card exactly one on either side: so the counts
/// have 1274 degrees of freedom in which a pair is counted both ways round, in each of which they spread as if
/// independent; and 1275 in the difference of the two ways, in each of which they spread by 52 in 50 more.
fn outcomes(counts: &[u64]) -> Vec<Outcome> {
    let even = real(counts.iter().sum()) / (52.0 * 51.0);
    let mut statistic = 0.0;
    for low in 0..52 {
        for high in low + 1..52 {
            let (up, down) = (real(counts[cell(low, high)]), real(counts[cell(high, low)]));
            let (middle, half) = (f64::midpoint(up, down) - even, (up - down) / 2.0);
            statistic += 2.0 * (middle * middle + half * half * 50.0 / 52.0) / even;
        }
    }
    vec![Outcome::chi_square("adjacent pairs", statistic, 1274 + 1275)]
}
