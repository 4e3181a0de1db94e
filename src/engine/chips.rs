//! Chips: whole minor units, so that nothing is ever rounded away.

use std::fmt;
use std::iter::Sum;
use std::ops::{Add, AddAssign, Sub, SubAssign};

/// An amount of chips in minor units, 0 to 10^15.
///
/// The ceiling keeps every amount exact in a JavaScript number, and is the ceiling of all the chips there are: the
/// ledger lets no more into play, so no sum of amounts in one hand can pass it and the operators below cannot overflow.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Chips(i64);

impl Chips {
    /// Nothing.
    pub const ZERO: Chips = Chips(0);
    /// One minor unit.
    pub const ONE: Chips = Chips(1);
    /// The most there can be.
    pub const MAX: Chips = Chips(1_000_000_000_000_000);

    /// This many units; `None` below zero or above [`Chips::MAX`].
    pub const fn new(units: i64) -> Option<Chips> {
        if units >= 0 && units <= Self::MAX.0 { Some(Chips(units)) } else { None }
    }

    /// The number of units.
    pub const fn units(self) -> i64 {
        self.0
    }

    /// Whether there is nothing.
    pub const fn is_zero(self) -> bool {
        self.0 == 0
    }

    /// The difference, or nothing where there is none.
    #[must_use]
    pub const fn less(self, other: Chips) -> Chips {
        if self.0 > other.0 { Chips(self.0 - other.0) } else { Chips::ZERO }
    }

    /// The sum, `None` above [`Chips::MAX`]: for amounts that come from outside.
    pub const fn checked_add(self, other: Chips) -> Option<Chips> {
        Chips::new(self.0 + other.0)
    }

    /// Twice as much. Only compared or offered, never moved, so it may pass [`Chips::MAX`].
    #[must_use]
    pub const fn double(self) -> Chips {
        Chips(self.0 * 2)
    }

    /// `self * numerator / denominator`, rounded down; nothing where the denominator is zero.
    #[must_use]
    pub fn share(self, numerator: Chips, denominator: Chips) -> Chips {
        if denominator.0 == 0 {
            return Chips::ZERO;
        }
        let exact = i128::from(self.0) * i128::from(numerator.0) / i128::from(denominator.0);
        // A share of at most the whole fits wherever the whole did.
        Chips(i64::try_from(exact).unwrap_or(self.0))
    }

    /// How often `other` goes into this, rounded down; 0 where `other` is nothing.
    pub const fn count_of(self, other: Chips) -> i64 {
        if other.0 == 0 { 0 } else { self.0 / other.0 }
    }

    /// This much `count` times over, at most [`Chips::MAX`].
    #[must_use]
    pub const fn times(self, count: i64) -> Chips {
        let product = self.0.saturating_mul(count);
        if product > Self::MAX.0 { Self::MAX } else { Chips(product) }
    }
}

impl Add for Chips {
    type Output = Chips;
    fn add(self, other: Chips) -> Chips {
        Chips(self.0 + other.0)
    }
}

impl AddAssign for Chips {
    fn add_assign(&mut self, other: Chips) {
        *self = *self + other;
    }
}

impl Sub for Chips {
    type Output = Chips;
    /// Callers take away only what is there; [`Chips::less`] is for the rest.
    fn sub(self, other: Chips) -> Chips {
        debug_assert!(self.0 >= other.0, "took {other} from {self}");
        Chips(self.0 - other.0)
    }
}

impl SubAssign for Chips {
    fn sub_assign(&mut self, other: Chips) {
        *self = *self - other;
    }
}

impl Sum for Chips {
    fn sum<I: Iterator<Item = Chips>>(amounts: I) -> Chips {
        amounts.fold(Chips::ZERO, Add::add)
    }
}

impl fmt::Display for Chips {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

impl fmt::Debug for Chips {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}
