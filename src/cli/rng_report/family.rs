//! What a family of tests is, and all of them.

use super::chance::{chi_square_tail, normal_tail};
use super::{across, coupons, gaps, neighbours, patterns, poker, positions, repeats, runs};
use crate::engine::Card;

/// The cards of a hand by index, in the order in which they lie.
pub type Cards = [u8; Card::COUNT];

/// Some tests over the same counts. Counts of different blocks of hands are added up.
pub(super) struct Family {
    /// How many counts.
    pub cells: usize,
    /// Counts what is in a block of hands that follow each other.
    pub count: fn(&mut [u64], &[Cards]),
    /// What the counts come to.
    pub outcomes: fn(&[u64]) -> Vec<Outcome>,
}

/// Every family. The first one's counts are the picture.
pub(super) const FAMILIES: [Family; 9] = [
    positions::FAMILY,
    neighbours::FAMILY,
    across::FAMILY,
    repeats::FAMILY,
    runs::FAMILY,
    gaps::FAMILY,
    patterns::FAMILY,
    coupons::FAMILY,
    poker::FAMILY,
];

/// What the statistic of a test follows where all is chance.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Law {
    /// Chi-square with so many degrees of freedom.
    ChiSquare(u32),
    /// The standard normal distribution.
    Normal,
    /// It is practically always 0.
    Never,
}

/// What a test came to.
#[derive(Clone, PartialEq, Debug)]
pub struct Outcome {
    /// What was tested.
    pub name: String,
    /// The statistic.
    pub statistic: f64,
    /// What it follows.
    pub law: Law,
    /// How likely a statistic at least as great is by chance.
    pub p: f64,
}

impl Outcome {
    pub(super) fn chi_square(name: &str, statistic: f64, degrees: u32) -> Outcome {
        let p = chi_square_tail(statistic, degrees);
        Outcome { name: name.to_owned(), statistic, law: Law::ChiSquare(degrees), p }
    }

    pub(super) fn normal(name: &str, statistic: f64) -> Outcome {
        Outcome { name: name.to_owned(), statistic, law: Law::Normal, p: normal_tail(statistic) }
    }

    /// Of a count that is to be 0, where one or more is as likely as this.
    pub(super) fn never(name: &str, statistic: f64, likely: f64) -> Outcome {
        let p = if statistic > 0.0 { likely } else { 1.0 };
        Outcome { name: name.to_owned(), statistic, law: Law::Never, p }
    }

    /// How likely it is to be so far from the middle, to either side: what is too even is no chance either.
    pub fn either_side(&self) -> f64 {
        match self.law {
            Law::ChiSquare(_) | Law::Normal => 2.0 * self.p.min(1.0 - self.p),
            Law::Never => self.p,
        }
    }
}
