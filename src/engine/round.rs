//! What a round of betting has come to (R17, R19).

use super::chips::Chips;
use super::event::{Action, Street};

/// What a round has come to. The names in capitals are the rulebook's (R19).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Round {
    /// F: the last full level; the bring-in does not move it.
    pub(super) full_level: Chips,
    /// H: the highest wager, and so the price.
    pub(super) highest: Chips,
    /// S: the level of the last increase, full or not; the bring-in is none.
    pub(super) last_increase: Chips,
    /// The bet and the raises so far that count toward the cap.
    pub(super) levels: u32,
    /// No cap in this round (R17).
    pub(super) uncapped: bool,
    /// Third street: somebody has posted the bring-in or completed. Later streets are always open.
    pub(super) opened: bool,
    /// What was posted, where the opener could not cover the bring-in (R14); until the first increase.
    pub(super) short_post: Option<Chips>,
}

impl Round {
    /// The cap is reached (R17).
    pub(super) fn is_capped(&self, max_raises: u8) -> bool {
        !self.uncapped && self.levels > u32::from(max_raises)
    }

    /// Whether an increase to `to` reaches the next full level or at least half of the way there (R19).
    pub(super) fn is_full(&self, to: Chips, bet: Chips) -> bool {
        to.less(self.full_level).double() >= bet
    }

    /// The name of an increase to `to` (rulebook, section 9).
    pub(super) fn name(&self, to: Chips, bet: Chips, street: Street) -> Action {
        if street > Street::Third && self.highest.is_zero() {
            Action::Bet
        } else if self.is_full(to, bet) && self.highest > self.full_level {
            Action::Complete
        } else {
            Action::Raise
        }
    }
}
