//! Stakes (R5 to R7).

use super::chips::Chips;
use super::rules::Preset;

/// The price list of a fixed-limit table: valid by construction (R7).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stakes {
    ante: Chips,
    bring_in: Chips,
    small_bet: Chips,
}

/// Why stakes are refused (R7).
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum StakesError {
    /// `small_bet` below 2, or so large that the big bet passes the ceiling of chips.
    #[error("small_bet is {0}; it must be from 2 to {max}", max = Chips::MAX.units() / 2)]
    SmallBet(Chips),
    /// The bring-in is not below the small bet, or nothing.
    #[error("bring_in is {bring_in}; it must be from 1 to below small_bet, {small_bet}")]
    BringIn {
        /// As given.
        bring_in: Chips,
        /// As given.
        small_bet: Chips,
    },
    /// The ante is not below the small bet.
    #[error("ante is {ante}; it must be from 0 to below small_bet, {small_bet}")]
    Ante {
        /// As given.
        ante: Chips,
        /// As given.
        small_bet: Chips,
    },
    /// No ante was given, and the rules name no usual share.
    #[error("ante is missing, and these rules name no usual share of the small bet: give it, 0 for none")]
    AnteMissing,
    /// No bring-in was given, and the rules name no usual share.
    #[error("bring_in is missing, and these rules name no usual share of the small bet: give it")]
    BringInMissing,
}

impl Stakes {
    /// The lowest that R7 allows.
    pub(super) const LOWEST: Stakes =
        Stakes { ante: Chips::ZERO, bring_in: Chips::ONE, small_bet: Chips::ONE.double() };

    /// Stakes of these amounts.
    ///
    /// # Errors
    /// Names the first amount that R7 refuses.
    pub fn new(ante: Chips, bring_in: Chips, small_bet: Chips) -> Result<Stakes, StakesError> {
        if small_bet.units() < 2 || small_bet.units() > Chips::MAX.units() / 2 {
            return Err(StakesError::SmallBet(small_bet));
        }
        if bring_in.is_zero() || bring_in >= small_bet {
            return Err(StakesError::BringIn { bring_in, small_bet });
        }
        if ante >= small_bet {
            return Err(StakesError::Ante { ante, small_bet });
        }
        Ok(Stakes { ante, bring_in, small_bet })
    }

    /// Stakes whose omitted amounts are the preset's share of the small bet, rounded down but at least 1 (R7).
    ///
    /// # Errors
    /// As [`Stakes::new`], and where an amount is omitted for which the preset names no share, or there is no preset.
    pub fn with_shares(
        preset: Option<Preset>,
        ante: Option<Chips>,
        bring_in: Option<Chips>,
        small_bet: Chips,
    ) -> Result<Stakes, StakesError> {
        let of_small_bet = |parts: Option<i64>| {
            let parts = Chips::new(parts?)?;
            Some(Ord::max(small_bet.share(Chips::ONE, parts), Chips::ONE))
        };
        let ante = ante.or_else(|| of_small_bet(preset?.ante_divisor())).ok_or(StakesError::AnteMissing)?;
        let bring_in =
            bring_in.or_else(|| of_small_bet(preset?.bring_in_divisor())).ok_or(StakesError::BringInMissing)?;
        Stakes::new(ante, bring_in, small_bet)
    }

    /// Posted by every dealt-in player before any card (R6); may be nothing.
    pub const fn ante(&self) -> Chips {
        self.ante
    }

    /// Posted by the opener of third street (R7).
    pub const fn bring_in(&self) -> Chips {
        self.bring_in
    }

    /// The bet of third and fourth street (R5).
    pub const fn small_bet(&self) -> Chips {
        self.small_bet
    }

    /// The bet of fifth, sixth and seventh street: twice the small bet (R5).
    pub const fn big_bet(&self) -> Chips {
        self.small_bet.double()
    }
}
