//! Five cards of a hand have pairs, triplets and more as often as five cards have. Which five goes around with the
//! hands: fives of the same hand would know of each other.

use super::family::{Cards, Family, Outcome};
use super::table::chi_square;

const FIVE: usize = 5;
const FIVES: usize = 10;

/// By how many of the ten pairs of cards are of the same rank: none, a pair, two pairs, a triplet, a full house, no
/// hand at all, a quadruplet; and how many of the 2,598,960 fives are so.
const FIVES_OF: [(usize, u32); 6] = [(0, 1_317_888), (1, 1_098_240), (2, 123_552), (3, 54_912), (4, 3744), (6, 624)];

pub(super) const FAMILY: Family = Family { cells: 7, count, outcomes };

fn count(counts: &mut [u64], block: &[Cards]) {
    for (cards, at) in block.iter().zip((0..FIVES).cycle()) {
        let five = &cards[at * FIVE..][..FIVE];
        let rank = |card: &u8| card / 4;
        let behind = |(at, card): (usize, &u8)| five[at + 1..].iter().filter(|other| rank(other) == rank(card)).count();
        counts[five.iter().enumerate().map(behind).sum::<usize>()] += 1;
    }
}

fn outcomes(counts: &[u64]) -> Vec<Outcome> {
    let observed = FIVES_OF.map(|(pairs, _)| counts[pairs]);
    let likely = FIVES_OF.map(|(_, fives)| f64::from(fives) / 2_598_960.0);
    vec![Outcome::chi_square("pairs and triplets in five", chi_square(&observed, &likely), 5)]
}
