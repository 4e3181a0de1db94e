//! Why a proof does not hold.

use super::{PATH_NODES, Root, SeedHash};
use crate::engine::{Card, Seat};
use crate::shuffle::NONCE_MAX_BYTES;

/// Why a proof does not hold, in order of precedence: first what is wrong with its shape, then what it fails to show,
/// and last what it shows against the dealer. No text holds a card, a salt or a seed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ProofError {
    /// A card's path has not one node for each level.
    #[error("the path has {found} nodes, and {PATH_NODES} lead from a card to the root")]
    PathLength {
        /// How many it has.
        found: usize,
    },
    /// A hand's proof shows no card.
    #[error("it shows no card, and a hand's proof shows at least one")]
    NoCards,
    /// A position is none of a card.
    #[error("position {position} is none of a card: they go from 0 to {}", Card::COUNT - 1)]
    PositionBeyond {
        /// The position.
        position: u8,
    },
    /// A position is there twice.
    #[error("position {position} is there more than once, and each is proved once")]
    RepeatedPosition {
        /// The position.
        position: u8,
    },
    /// Positions do not ascend.
    #[error("position {position} comes after {before}, and positions ascend")]
    UnorderedPositions {
        /// What stands before it.
        before: u8,
        /// The position.
        position: u8,
    },
    /// There are fewer nodes than the positions need.
    #[error("it has {found} nodes, and these positions need {needed}: some are missing")]
    MissingNodes {
        /// How many there must be.
        needed: usize,
        /// How many there are.
        found: usize,
    },
    /// There are more nodes than the positions need.
    #[error("it has {found} nodes, and these positions need {needed}: some are too many")]
    ExtraNodes {
        /// How many there must be.
        needed: usize,
        /// How many there are.
        found: usize,
    },
    /// A nonce is of no seat.
    #[error("there is no seat {seat} to give a nonce: they go from 1 to {}", Seat::COUNT)]
    SeatBeyond {
        /// The seat's number.
        seat: u8,
    },
    /// A seat gave two nonces.
    #[error("seat {seat} has more than one nonce, and each seat gives at most one")]
    RepeatedSeat {
        /// The seat's number.
        seat: u8,
    },
    /// Nonces are not in seat order.
    #[error("the nonce of seat {seat} comes after that of seat {before}, and seats ascend")]
    UnorderedSeats {
        /// What stands before it.
        before: u8,
        /// The seat's number.
        seat: u8,
    },
    /// A nonce is too short or too long.
    #[error("the nonce of seat {seat} has {found} bytes, and a nonce has 1 to {NONCE_MAX_BYTES}")]
    NonceLength {
        /// The seat's number.
        seat: u8,
        /// How many bytes it has.
        found: usize,
    },
    /// There are nonces, and nothing says that the seed stood before them.
    #[error("there are nonces, and no hash of the seed that was recorded before they were given")]
    NoSeedHash,
    /// An order has not 52 cards.
    #[error("the order has {found} cards, and a deck has {}", Card::COUNT)]
    OrderLength {
        /// How many it has.
        found: usize,
    },
    /// The seed is not the one that was bound.
    #[error("the hash of the seed is {computed}, and the recorded one is {recorded}")]
    SeedHashMismatch {
        /// The hash of the seed that is given.
        computed: SeedHash,
        /// The hash that was recorded.
        recorded: SeedHash,
    },
    /// The seed and the nonces give another order.
    #[error("seed and nonces give another order: position {position} is the first that differs")]
    OrderMismatch {
        /// The first position with another card.
        position: u8,
    },
    /// The proof leads to another root.
    #[error("it leads to root {computed}, and the root of the hand is {root}")]
    RootMismatch {
        /// Where it leads.
        computed: Root,
        /// The hand's root.
        root: Root,
    },
    /// All holds, and yet a card is in the deck twice: the dealer bound a deck that is none.
    #[error("positions {first} and {second} are proved to hold the same card, and a deck has each card once")]
    RepeatedCard {
        /// One position.
        first: u8,
        /// The other one.
        second: u8,
    },
}

impl ProofError {
    /// Its name, the same in every verifier.
    pub const fn name(&self) -> &'static str {
        match self {
            ProofError::PathLength { .. } => "PATH_LENGTH",
            ProofError::NoCards => "NO_CARDS",
            ProofError::PositionBeyond { .. } => "POSITION_BEYOND",
            ProofError::RepeatedPosition { .. } => "REPEATED_POSITION",
            ProofError::UnorderedPositions { .. } => "UNORDERED_POSITIONS",
            ProofError::MissingNodes { .. } => "MISSING_NODES",
            ProofError::ExtraNodes { .. } => "EXTRA_NODES",
            ProofError::SeatBeyond { .. } => "SEAT_BEYOND",
            ProofError::RepeatedSeat { .. } => "REPEATED_SEAT",
            ProofError::UnorderedSeats { .. } => "UNORDERED_SEATS",
            ProofError::NonceLength { .. } => "NONCE_LENGTH",
            ProofError::NoSeedHash => "NO_SEED_HASH",
            ProofError::OrderLength { .. } => "ORDER_LENGTH",
            ProofError::SeedHashMismatch { .. } => "SEED_HASH_MISMATCH",
            ProofError::OrderMismatch { .. } => "ORDER_MISMATCH",
            ProofError::RootMismatch { .. } => "ROOT_MISMATCH",
            ProofError::RepeatedCard { .. } => "REPEATED_CARD",
        }
    }
}

/// That numbers ascend: first none may be there twice, then each must be above the one before.
pub(in crate::shuffle) fn ascending(
    numbers: &[u8],
    repeated: impl Fn(u8) -> ProofError,
    unordered: impl Fn(u8, u8) -> ProofError,
) -> Result<(), ProofError> {
    let mut met = [false; 256];
    for &number in numbers {
        if std::mem::replace(&mut met[usize::from(number)], true) {
            return Err(repeated(number));
        }
    }
    match numbers.windows(2).find(|pair| pair[0] > pair[1]) {
        Some(pair) => Err(unordered(pair[0], pair[1])),
        None => Ok(()),
    }
}

/// That no card is there twice among cards with their positions.
pub(super) fn each_card_once(cards: impl Iterator<Item = (u8, Card)>) -> Result<(), ProofError> {
    let mut met = [None; Card::COUNT];
    for (second, card) in cards {
        if let Some(first) = met[usize::from(card.index())].replace(second) {
            return Err(ProofError::RepeatedCard { first, second });
        }
    }
    Ok(())
}
