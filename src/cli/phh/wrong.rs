//! Why a recorded hand cannot be played, in words that say where and what was expected.

use crate::engine::Card;

/// A file or hand that cannot be read or played as it stands.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{file}: line {line}: {wrong}")]
pub struct Unreadable {
    /// The file, as it was named.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// What is wrong there.
    pub wrong: Wrong,
}

/// What is wrong, and what was expected.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Wrong {
    /// The operating system does not give its text.
    #[error("cannot be read: {0}; expected a text file")]
    NotOpened(String),
    /// No TOML.
    #[error("not TOML: {0}")]
    NotToml(String),
    /// A `.phhs` file without a table.
    #[error("no hands; expected a table for each, as in [1]")]
    NoHands,
    /// Something beside the tables of a `.phhs` file.
    #[error("{0} is no hand; expected a table for each, as in [1]")]
    NoHand(String),
    /// Another game.
    #[error("variant is {0}; expected 'FR' (fixed-limit Razz)")]
    Variant(String),
    /// A field that a replay needs.
    #[error("{field} is missing; expected {expected}")]
    Missing {
        /// Its name.
        field: &'static str,
        /// What should stand there.
        expected: &'static str,
    },
    /// A field that holds something else.
    #[error("{field} has {found}; expected {expected}")]
    Field {
        /// Its name.
        field: &'static str,
        /// What stands there.
        found: String,
        /// What should stand there.
        expected: String,
    },
    /// No action of this game.
    #[error("'{text}' is no action of fixed-limit Razz; expected {expected}")]
    Action {
        /// As it stands there.
        text: String,
        /// What should stand there.
        expected: &'static str,
    },
    /// No card.
    #[error("'{text}' has {card}; expected cards, each a rank of A23456789TJQK and a suit of cdhs, as in Td, or ??")]
    Card {
        /// The action.
        text: String,
        /// What stands where a card should.
        card: String,
    },
    /// A player whom the hand does not have.
    #[error("'{text}' names {named}; expected p1 to p{players}")]
    Player {
        /// The action.
        text: String,
        /// As named there.
        named: String,
        /// How many there are.
        players: usize,
    },
    /// A card is there twice (R3).
    #[error("{card} was already dealt on line {first}; expected each card once")]
    DoubleCard {
        /// Which.
        card: Card,
        /// Where it stands first.
        first: usize,
    },
    /// A card that the dealer would deal otherwise, or not, or that is missing.
    #[error("'{text}': {why}; expected {expected}")]
    Deal {
        /// The action, or what follows the last one.
        text: String,
        /// What is wrong.
        why: String,
        /// What the dealer would do.
        expected: String,
    },
    /// A card that nobody saw, where it decides something.
    #[error("'{text}' has an unknown card where it matters: {why}; expected a known card instead of ??")]
    Unknown {
        /// The action.
        text: String,
        /// Why it matters.
        why: &'static str,
    },
    /// An action that the service does not take.
    #[error("'{text}' is not legal: {says}")]
    Illegal {
        /// The action.
        text: String,
        /// What the service says.
        says: String,
    },
    /// Stakes, rules or stacks that the service does not take.
    #[error("the service refuses this hand: {0}")]
    Refused(String),
}
