//! Rising and falling runs from hand to hand. A hand's number is its first ten cards, read as digits: two hands are
//! never equal in it by chance, as two first cards often are.

use super::chance::real;
use super::family::{Cards, Family, Outcome};
use super::table::{chi_square, surely};

/// Runs of so many hands and more are counted together.
const LONG: usize = 6;
/// Places of the counts: runs up by length, runs down, and how often the way changed, in how many blocks and hands.
const DOWN: usize = LONG;
const TURNS: usize = 2 * LONG;

pub(super) const FAMILY: Family = Family { cells: TURNS + 3, count, outcomes };

/// A run and the hand after it take e hands in the middle, and the root of e (3 - e) more or less.
const MEAN: f64 = std::f64::consts::E;
const DEVIATION: f64 = 0.876;

/// What the number of runs follows is known of three hands and more.
const FEWEST: usize = 3;

fn count(counts: &mut [u64], block: &[Cards]) {
    let numbers: Vec<u64> = block.iter().map(number).collect();
    let rises: Vec<bool> = numbers.windows(2).map(|pair| pair[0] < pair[1]).collect();
    lengths(&mut counts[..DOWN], &rises, true);
    lengths(&mut counts[DOWN..TURNS], &rises, false);
    if block.len() >= FEWEST {
        counts[TURNS] += rises.windows(2).filter(|pair| pair[0] != pair[1]).count() as u64;
        counts[TURNS + 1] += 1;
        counts[TURNS + 2] += block.len() as u64;
    }
}

fn number(cards: &Cards) -> u64 {
    cards.iter().take(10).fold(0, |all, &card| all << 6 | u64::from(card))
}

/// The runs one way by length. The hand that ends a run is in no other, for it would know of the run before: so the
/// lengths are independent.
fn lengths(counts: &mut [u64], rises: &[bool], way: bool) {
    let due = surely(rises.len() + 1, MEAN, DEVIATION);
    let (mut found, mut length) = (0, 1);
    let mut steps = rises.iter();
    while let (Some(&rises), true) = (steps.next(), found < due) {
        if rises == way {
            length += 1;
        } else {
            counts[length.min(LONG) - 1] += 1;
            found += 1;
            length = 1;
            // Past the hand that ended it: the next run begins behind that one.
            steps.next();
        }
    }
    // What is missing never ended.
    counts[LONG - 1] += (due - found) as u64;
}

/// A run is of length r with likelihood 1 / r! - 1 / (r + 1)!. Of n hands the way changes 2 (n - 2) / 3 times, with
/// variance (16 n - 29) / 90.
fn outcomes(counts: &[u64]) -> Vec<Outcome> {
    let mut likely: Vec<f64> = [1.0, 2.0, 6.0, 24.0, 120.0]
        .iter()
        .zip([2.0, 6.0, 24.0, 120.0, 720.0])
        .map(|(one, next)| 1.0 / one - 1.0 / next)
        .collect();
    likely.push(1.0 / 720.0);
    let (turns, blocks, hands) = (real(counts[TURNS]), real(counts[TURNS + 1]), real(counts[TURNS + 2]));
    let mean = 2.0 * (hands - 2.0 * blocks) / 3.0;
    let deviation = ((16.0 * hands - 29.0 * blocks) / 90.0).sqrt();
    vec![
        Outcome::normal("runs, how many", (turns - mean) / deviation),
        Outcome::chi_square("runs up, lengths", chi_square(&counts[..DOWN], &likely), 5),
        Outcome::chi_square("runs down, lengths", chi_square(&counts[DOWN..TURNS], &likely), 5),
    ]
}
