//! What is asked of a hand ([`Command`], [`Action`]) and what happens in it ([`Event`]).

use std::fmt;
use std::sync::Arc;

use super::card::Card;
use super::chips::Chips;
use super::opening::Opening;
use super::seat::Seat;

/// A platform's name for a player: opaque, 1 to 64 bytes of UTF-8 without control characters.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PlayerId(Arc<str>);

impl PlayerId {
    /// The longest allowed, in bytes.
    pub const MAX_BYTES: usize = 64;

    /// `None` for a text that is no player id.
    pub fn new(text: &str) -> Option<PlayerId> {
        let fits = (1..=Self::MAX_BYTES).contains(&text.len()) && !text.chars().any(char::is_control);
        fits.then(|| PlayerId(text.into()))
    }

    /// As given.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for PlayerId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for PlayerId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Third to seventh street.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Street {
    /// Two cards down, one up.
    #[default]
    Third,
    /// One up.
    Fourth,
    /// One up; the big bet begins.
    Fifth,
    /// One up.
    Sixth,
    /// One down.
    Seventh,
}

impl Street {
    /// The street after this one.
    pub const fn next(self) -> Option<Street> {
        match self {
            Street::Third => Some(Street::Fourth),
            Street::Fourth => Some(Street::Fifth),
            Street::Fifth => Some(Street::Sixth),
            Street::Sixth => Some(Street::Seventh),
            Street::Seventh => None,
        }
    }

    /// In words: `third street`.
    pub const fn words(self) -> &'static str {
        match self {
            Street::Third => "third street",
            Street::Fourth => "fourth street",
            Street::Fifth => "fifth street",
            Street::Sixth => "sixth street",
            Street::Seventh => "seventh street",
        }
    }
}

/// What a player may do. In fixed limit each has exactly one right amount, so none is carried here.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Action {
    /// Give the hand up.
    Fold,
    /// Stay in without a bet to face (R16).
    Check,
    /// Match the price, or go all-in below it.
    Call,
    /// Open third street with the bring-in (R12).
    BringIn,
    /// Increase to a full level over a bare bring-in or a short all-in (R15, R19).
    Complete,
    /// The first wager of a later street (R16).
    Bet,
    /// Any other increase.
    Raise,
    /// Show a hand that may be mucked (R30).
    Show,
    /// Muck a hand that may be mucked (R30).
    Muck,
}

impl Action {
    /// The word in scripts, messages and PHH files' `_legal`: `bring_in`.
    pub const fn word(self) -> &'static str {
        match self {
            Action::Fold => "fold",
            Action::Check => "check",
            Action::Call => "call",
            Action::BringIn => "bring_in",
            Action::Complete => "complete",
            Action::Bet => "bet",
            Action::Raise => "raise",
            Action::Show => "show",
            Action::Muck => "muck",
        }
    }

    /// The action of this word.
    pub fn from_word(word: &str) -> Option<Action> {
        use Action::{Bet, BringIn, Call, Check, Complete, Fold, Muck, Raise, Show};
        [Fold, Check, Call, BringIn, Complete, Bet, Raise, Show, Muck].into_iter().find(|action| action.word() == word)
    }
}

/// What is asked of a hand.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Command {
    /// Open it, take the antes and deal third street.
    Deal(Arc<Opening>),
    /// A player's action. `to` is the player's total of the round; in fixed limit it is known, but a caller who
    /// names it is told when it is wrong.
    Act {
        /// Who acts.
        seat: Seat,
        /// What they do.
        action: Action,
        /// The total that the caller believes it comes to.
        to: Option<Chips>,
    },
    /// The player to act ran out of time (R38).
    TimeOut,
    /// Pay the awards.
    Settle,
    /// Give every chip back (R39).
    Void {
        /// Why, for the record.
        reason: Arc<str>,
    },
}

/// One pot's award (R34 to R37).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Award {
    /// 0 for the main pot, then the side pots in order.
    pub pot: u8,
    /// What the pot held, rake included.
    pub amount: Chips,
    /// The house's part of it.
    pub rake: Chips,
    /// Who gets how much, in seat order; adds up to `amount - rake`.
    pub shares: Vec<(Seat, Chips)>,
}

/// What happens in a hand. Down cards are positions here; what hangs on them is an event with its outcome.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Event {
    /// The hand opens; the stacks of the dealt-in go into the pot account.
    HandOpened(Arc<Opening>),
    /// An ante, or what the player has of it (R6, R8).
    AntePosted {
        /// Who.
        seat: Seat,
        /// How much.
        amount: Chips,
    },
    /// A card for one seat (R9, R24).
    CardDealt {
        /// Whose.
        seat: Seat,
        /// Its place in the deck, 0 for the first.
        position: u8,
        /// The card if it lies open: an up card, or seventh street to a hand that is tabled (R41).
        card: Option<Card>,
    },
    /// The common card of seventh street (R27).
    CommonCardDealt {
        /// Its place in the deck.
        position: u8,
        /// The card.
        card: Card,
    },
    /// The time of the player to act was up; what the dealer then did for them follows (R38).
    TimedOut {
        /// Whose.
        seat: Seat,
    },
    /// Gave the hand up.
    Folded {
        /// Who.
        seat: Seat,
    },
    /// Stayed in without a bet to face.
    Checked {
        /// Who.
        seat: Seat,
    },
    /// Matched the price, or went all-in below it.
    Called {
        /// Who.
        seat: Seat,
        /// Their total of the round.
        to: Chips,
        /// With their last chip.
        all_in: bool,
    },
    /// Posted the bring-in, or what they had of it (R12, R14).
    BroughtIn {
        /// Who.
        seat: Seat,
        /// Their total of the round.
        to: Chips,
        /// With their last chip.
        all_in: bool,
    },
    /// Completed (R15, R19).
    Completed {
        /// Who.
        seat: Seat,
        /// Their total of the round.
        to: Chips,
        /// With their last chip.
        all_in: bool,
    },
    /// Made the first wager of a later street.
    BetMade {
        /// Who.
        seat: Seat,
        /// Their total of the round.
        to: Chips,
        /// With their last chip.
        all_in: bool,
    },
    /// Raised (R17, R19).
    Raised {
        /// Who.
        seat: Seat,
        /// Their total of the round.
        to: Chips,
        /// With their last chip.
        all_in: bool,
    },
    /// The part of the highest wager that nobody matched comes back (R8, R21).
    ExcessReturned {
        /// To whom.
        seat: Seat,
        /// How much.
        amount: Chips,
    },
    /// A hand that may be mucked: its player is asked (R30).
    ShowOffered {
        /// Who.
        seat: Seat,
    },
    /// A hand is shown: its down cards, by place in the deck (R30, R41).
    HandShown {
        /// Whose.
        seat: Seat,
        /// Place and card of each of its down cards, in the order dealt.
        cards: Vec<(u8, Card)>,
    },
    /// A hand is mucked (R30).
    HandMucked {
        /// Whose.
        seat: Seat,
    },
    /// A pot goes to its winners; paid at settlement (R35).
    PotAwarded(Award),
    /// The pot account pays every seat its stack, and the rake.
    HandSettled {
        /// What each dealt-in seat ends with, in seat order.
        stacks: Vec<(Seat, Chips)>,
        /// To the house.
        rake: Chips,
    },
    /// Every chip goes back to the stack that it came from (R39).
    HandVoided {
        /// Why.
        reason: Arc<str>,
    },
}

impl Event {
    /// The cards that it lays open, each with its place in the deck, in its order.
    pub fn revealed(&self) -> Vec<(u8, Card)> {
        match self {
            Event::CardDealt { position, card: Some(card), .. } | Event::CommonCardDealt { position, card } => {
                vec![(*position, *card)]
            }
            Event::HandShown { cards, .. } => cards.clone(),
            _ => Vec::new(),
        }
    }

    /// Its name, as in the record's proto.
    pub const fn name(&self) -> &'static str {
        match self {
            Event::HandOpened(_) => "HandOpened",
            Event::AntePosted { .. } => "AntePosted",
            Event::CardDealt { .. } => "CardDealt",
            Event::CommonCardDealt { .. } => "CommonCardDealt",
            Event::TimedOut { .. } => "TimedOut",
            Event::Folded { .. } => "Folded",
            Event::Checked { .. } => "Checked",
            Event::Called { .. } => "Called",
            Event::BroughtIn { .. } => "BroughtIn",
            Event::Completed { .. } => "Completed",
            Event::BetMade { .. } => "BetMade",
            Event::Raised { .. } => "Raised",
            Event::ExcessReturned { .. } => "ExcessReturned",
            Event::ShowOffered { .. } => "ShowOffered",
            Event::HandShown { .. } => "HandShown",
            Event::HandMucked { .. } => "HandMucked",
            Event::PotAwarded(_) => "PotAwarded",
            Event::HandSettled { .. } => "HandSettled",
            Event::HandVoided { .. } => "HandVoided",
        }
    }
}
