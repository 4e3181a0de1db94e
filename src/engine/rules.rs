//! House rules: every point in which the sources disagree is a field, every source a preset (rulebook, section 9).

use super::card::Suit;
use super::chips::Chips;

/// The revision of the rules that this engine plays. It stands in every hand's opening, so that a later correction
/// never condemns a hand that was right when it was played.
pub const RULES_REVISION: u32 = 1;

/// Which suit ranks highest for the bring-in (R11).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SuitOrder {
    /// Spades, hearts, diamonds, clubs.
    SpadesHighest,
    /// Clubs, diamonds, hearts, spades.
    ClubsHighest,
}

impl SuitOrder {
    /// The standing of a suit, 3 for the highest to 0 for the lowest.
    pub const fn standing(self, suit: Suit) -> u8 {
        match self {
            SuitOrder::SpadesHighest => suit as u8,
            SuitOrder::ClubsHighest => 3 - suit as u8,
        }
    }
}

/// Whether the cap holds in a round that begins with two players (R17).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum HeadsUpCap {
    /// The cap always holds.
    Capped,
    /// No cap in a round that begins with exactly two players who are in and not all-in.
    UncappedHeadsUp,
}

/// Who shows first (R29).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FirstToShow {
    /// The last to bet or raise, looked for back through the streets; at last the opener (Full Tilt).
    LastAggressor,
    /// The last to bet or raise on seventh street, else the lowest-numbered seat (`PokerStars`).
    LastAggressorOfSeventhElseLowestSeat,
    /// Seat order (Romanian).
    SeatOrder,
    /// The last to bet or raise on seventh street, else the lowest board (WSOP).
    LastAggressorOfSeventhElseLowestBoard,
}

/// What becomes of a losing hand at showdown (R30).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LosingHands {
    /// Its player may show or muck it.
    MayMuck,
    /// Every hand is shown.
    AllShown,
}

/// Who may see a mucked hand afterwards (R32).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MuckedHands {
    /// The players who were dealt into the hand.
    PlayersOfTheHand,
    /// Its owner, and auditors.
    OwnerAndAuditors,
}

/// Who gets the odd units of a split pot (R36).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OddChip {
    /// The winners nearest the left of the button.
    LeftOfButton,
    /// The winners with the highest card, by suit.
    HighCardBySuit,
}

/// The house's share of the called chips (R37).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rake {
    amount: Chips,
    step: Chips,
    caps: [Option<Chips>; 7],
    none_on_third: bool,
}

/// Why a rake or a cap on raises is refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum RulesError {
    /// The rake's step is nothing.
    #[error("rake.step is 0; it must be at least 1")]
    RakeStep,
    /// More would be taken from a step than it holds.
    #[error("rake.amount is {amount}; it must be from 1 to rake.step, {step}")]
    RakeAmount {
        /// As given.
        amount: Chips,
        /// As given.
        step: Chips,
    },
    /// A cap for a number of players that no hand has, or twice for one.
    #[error("a rake cap names {0} players; each number from 2 to 8 may be named once")]
    RakeCapPlayers(u32),
    /// `max_raises` outside 1 to 20.
    #[error("max_raises is {0}; it must be from 1 to 20")]
    MaxRaises(u32),
}

impl Rake {
    /// `amount` for each full `step` of the called chips, at most `caps[n - 2]` where `n` are dealt in.
    ///
    /// # Errors
    /// Where `step` is nothing or `amount` is not between 1 and `step`.
    pub fn new(amount: Chips, step: Chips, caps: [Option<Chips>; 7], none_on_third: bool) -> Result<Rake, RulesError> {
        if step.is_zero() {
            return Err(RulesError::RakeStep);
        }
        if amount.is_zero() || amount > step {
            return Err(RulesError::RakeAmount { amount, step });
        }
        Ok(Rake { amount, step, caps, none_on_third })
    }

    /// Taken for each full step.
    pub const fn amount(&self) -> Chips {
        self.amount
    }

    /// How many called chips make a step.
    pub const fn step(&self) -> Chips {
        self.step
    }

    /// The cap for each number of players dealt in, from two to eight; `None` is no cap.
    pub const fn caps(&self) -> &[Option<Chips>; 7] {
        &self.caps
    }

    /// No rake on a hand that ends by folds on third street.
    pub const fn none_on_third(&self) -> bool {
        self.none_on_third
    }

    /// The rake on this many called chips.
    pub(super) fn on(&self, called: Chips, dealt_in: usize, ended_on_third: bool) -> Chips {
        if ended_on_third && self.none_on_third {
            return Chips::ZERO;
        }
        let rake = self.amount.times(called.count_of(self.step));
        let cap = dealt_in.checked_sub(2).and_then(|index| *self.caps.get(index)?);
        cap.map_or(rake, |cap| rake.min(cap))
    }
}

/// All house rules of a table, fixed for a hand when it is opened.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct HouseRules {
    /// Which suit opens when the highest up cards tie (R11); also the order of suits for odd units (R36).
    pub bring_in_suit_order: SuitOrder,
    /// The opener may fold instead of opening (R12).
    pub bring_in_may_fold: bool,
    /// A player may fold without a bet to face (R16).
    pub fold_without_bet: bool,
    /// How many raises may follow the bet of a round, 1 to 20 (R17).
    pub max_raises: u8,
    /// Whether heads-up rounds are capped (R17).
    pub heads_up_cap: HeadsUpCap,
    /// Who shows first (R29).
    pub first_to_show: FirstToShow,
    /// Whether losing hands may be mucked (R30).
    pub losing_hands: LosingHands,
    /// Whether all hands are tabled once the betting is over beside an all-in (R41).
    pub table_all_in_hands: bool,
    /// Who sees mucked hands afterwards (R32).
    pub mucked_hands_in_history: MuckedHands,
    /// Who gets odd units (R36).
    pub odd_chip: OddChip,
    /// The rake, where there is one (R37).
    pub rake: Option<Rake>,
}

/// A source's rules under a name (rulebook, section 9). A table stores the fields, never just the name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Preset {
    /// `full_tilt`
    FullTilt,
    /// `pokerstars`
    PokerStars,
    /// `club`
    Club,
    /// `romanian`
    Romanian,
    /// `wsop`
    Wsop,
}

impl Preset {
    /// All of them.
    pub const ALL: [Preset; 5] = [Preset::FullTilt, Preset::PokerStars, Preset::Club, Preset::Romanian, Preset::Wsop];

    /// The name in options and files.
    pub const fn name(self) -> &'static str {
        match self {
            Preset::FullTilt => "full_tilt",
            Preset::PokerStars => "pokerstars",
            Preset::Club => "club",
            Preset::Romanian => "romanian",
            Preset::Wsop => "wsop",
        }
    }

    /// The preset of this name.
    pub fn named(name: &str) -> Option<Preset> {
        Preset::ALL.into_iter().find(|preset| preset.name() == name)
    }

    /// The usual ante is the small bet divided by this (R6); `None` where it must be given.
    pub const fn ante_divisor(self) -> Option<i64> {
        match self {
            Preset::FullTilt => Some(5),
            Preset::PokerStars => Some(10),
            Preset::Romanian => Some(3),
            Preset::Club | Preset::Wsop => None,
        }
    }

    /// The usual bring-in is the small bet divided by this (R7); `None` where it must be given.
    pub const fn bring_in_divisor(self) -> Option<i64> {
        match self {
            Preset::FullTilt => Some(4),
            Preset::Romanian => Some(3),
            Preset::PokerStars | Preset::Club | Preset::Wsop => None,
        }
    }

    /// Every field. The base is `PokerStars`; each other source names what it does otherwise.
    pub const fn rules(self) -> HouseRules {
        let pokerstars = HouseRules {
            bring_in_suit_order: SuitOrder::SpadesHighest,
            bring_in_may_fold: false,
            fold_without_bet: true,
            max_raises: 3,
            heads_up_cap: HeadsUpCap::Capped,
            first_to_show: FirstToShow::LastAggressorOfSeventhElseLowestSeat,
            losing_hands: LosingHands::MayMuck,
            table_all_in_hands: false,
            mucked_hands_in_history: MuckedHands::PlayersOfTheHand,
            odd_chip: OddChip::LeftOfButton,
            rake: None,
        };
        match self {
            Preset::PokerStars => pokerstars,
            Preset::FullTilt => HouseRules {
                fold_without_bet: false,
                first_to_show: FirstToShow::LastAggressor,
                table_all_in_hands: true,
                ..pokerstars
            },
            Preset::Club => HouseRules {
                bring_in_may_fold: true,
                mucked_hands_in_history: MuckedHands::OwnerAndAuditors,
                ..pokerstars
            },
            Preset::Romanian => HouseRules {
                bring_in_suit_order: SuitOrder::ClubsHighest,
                first_to_show: FirstToShow::SeatOrder,
                losing_hands: LosingHands::AllShown,
                table_all_in_hands: true,
                ..pokerstars
            },
            Preset::Wsop => HouseRules {
                max_raises: 4,
                heads_up_cap: HeadsUpCap::UncappedHeadsUp,
                first_to_show: FirstToShow::LastAggressorOfSeventhElseLowestBoard,
                table_all_in_hands: true,
                mucked_hands_in_history: MuckedHands::OwnerAndAuditors,
                odd_chip: OddChip::HighCardBySuit,
                ..pokerstars
            },
        }
    }
}
