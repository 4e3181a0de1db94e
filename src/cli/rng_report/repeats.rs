//! No hand lies like the one before it, more than by chance, nor ever wholly like one of its block.

use super::chance::real;
use super::family::{Cards, Family, Outcome};
use super::table::chi_square;

/// So many cards at their places and more are counted together.
const MANY: usize = 6;
/// As many cards tell an order from all others: two agree in them in one of 10^32 pairs.
const TELLING: usize = 20;
/// 32! / 52!, the likelihood of that.
const ALIKE: f64 = 3.262_295_934e-33;

pub(super) const FAMILY: Family = Family { cells: MANY + 3, count, outcomes };

fn count(counts: &mut [u64], block: &[Cards]) {
    for (cards, next) in block.iter().zip(block.iter().skip(1)) {
        let same = cards.iter().zip(next).filter(|(card, other)| card == other).count();
        counts[same.min(MANY)] += 1;
    }
    let mut orders: Vec<u128> = block.iter().map(telling).collect();
    orders.sort_unstable();
    counts[MANY + 1] += orders.windows(2).filter(|pair| pair[0] == pair[1]).count() as u64;
    let hands = block.len() as u64;
    counts[MANY + 2] += hands * hands.saturating_sub(1) / 2;
}

fn telling(cards: &Cards) -> u128 {
    cards.iter().take(TELLING).fold(0, |all, &card| all << 6 | u128::from(card))
}

/// How many cards lie where they lay in the hand before follows Poisson's law with mean 1, but for less than 10^-60.
fn outcomes(counts: &[u64]) -> Vec<Outcome> {
    let mut likely = vec![(-1.0f64).exp()];
    for cards in 1..6 {
        likely.push(likely[likely.len() - 1] / f64::from(cards));
    }
    likely.push(1.0 - likely.iter().sum::<f64>());
    let pairs = real(counts[MANY + 2]);
    vec![
        Outcome::chi_square("cards at the places of the hand before", chi_square(&counts[..=MANY], &likely), 6),
        Outcome::never("whole orders met again", real(counts[MANY + 1]), pairs * ALIKE),
    ]
}
