//! How many hands it takes until every card has been the first one.

use super::chance::real;
use super::family::{Cards, Family, Outcome};
use super::table::{chi_square, surely};
use crate::engine::Card;

/// Collections that take longer than this are counted together: one in 10^11.
const LONGEST: usize = 1500;
/// Into how many parts, about as likely, the lengths are divided.
const PARTS: u32 = 10;

pub(super) const FAMILY: Family = Family { cells: LONGEST + 1, count, outcomes };

/// 52 (1 + 1/2 + ... + 1/52) hands in the middle, 64.5 more or less.
const MEAN: f64 = 235.978;
const DEVIATION: f64 = 64.5;

fn count(counts: &mut [u64], block: &[Cards]) {
    let due = surely(block.len(), MEAN, DEVIATION);
    let (mut found, mut hands, mut seen) = (0, 0, 0u64);
    for cards in block {
        if found == due {
            break;
        }
        hands += 1;
        seen |= 1 << cards[0];
        if seen.count_ones() as usize == Card::COUNT {
            counts[hands.min(LONGEST)] += 1;
            (found, hands, seen) = (found + 1, 0, 0);
        }
    }
    // What is missing never ended.
    counts[LONGEST] += (due - found) as u64;
}

/// How likely a collection takes exactly so many hands, and at the last place `LONGEST` or more.
fn lengths() -> Vec<f64> {
    // How likely so many of the cards have been met.
    let mut met = [0.0; Card::COUNT];
    met[0] = 1.0;
    let all = real(Card::COUNT as u64);
    let mut likely = Vec::with_capacity(LONGEST + 1);
    likely.push(0.0);
    while likely.len() < LONGEST {
        likely.push(met[Card::COUNT - 1] / all);
        for cards in (1..Card::COUNT).rev() {
            let known = real(cards as u64) / all;
            met[cards] = met[cards] * known + met[cards - 1] * (1.0 - (known - 1.0 / all));
        }
        met[0] = 0.0;
    }
    likely.push(met.iter().sum());
    likely
}

fn outcomes(counts: &[u64]) -> Vec<Outcome> {
    let (mut observed, mut likely) = (vec![0], vec![0.0]);
    let mut below = 0.0;
    for (&count, chance) in counts.iter().zip(lengths()) {
        if below * f64::from(PARTS) >= real(likely.len() as u64) {
            observed.push(0);
            likely.push(0.0);
        }
        let part = likely.len() - 1;
        observed[part] += count;
        likely[part] += chance;
        below += chance;
    }
    vec![Outcome::chi_square("first card, coupon collector", chi_square(&observed, &likely), PARTS - 1)]
}
