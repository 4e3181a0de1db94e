//! Everything that can keep the dealer from doing what was asked.

use crate::engine::{Chips, Impossible, PlayerId, Refused, Rejection};
use crate::ledger::TableId;
use crate::record::RecordError;
use crate::store::StoreError;
use crate::world::NoEntropy;

/// Why a call was refused or could not be done. Unless it says otherwise, nothing has changed.
#[derive(Debug, thiserror::Error)]
pub enum DealerError {
    /// The id stands in the stream already, with another request.
    #[error("this request_id was used before for another request; take a new one")]
    RequestIdReused,
    /// No such table.
    #[error("there is no table {0}")]
    TableUnknown(TableId),
    /// A table of this id was created by another request.
    #[error("there is a table {0} already")]
    TableExists(TableId),
    /// The caller decided on an older picture of the hand.
    #[error("expected_seq is {expected}, but the hand has moved on to {latest}: look again")]
    StaleSeq {
        /// As given.
        expected: u64,
        /// The hand's last record.
        latest: u64,
    },
    /// The rules refuse it.
    #[error(transparent)]
    Rejected(#[from] Rejection),
    /// The wallet does not hold so much.
    #[error("the wallet of {player} holds {balance}, which is less than {needed}")]
    BalanceTooLow {
        /// Whose wallet.
        player: PlayerId,
        /// What it holds.
        balance: i64,
        /// What was asked for.
        needed: Chips,
    },
    /// All chips together would pass the ceiling.
    #[error("all chips together would pass {max}", max = Chips::MAX)]
    ChipsLimit,
    /// The table was moved by others again and again.
    #[error("the table is moved by other callers at this moment: come again")]
    Busy,
    /// As many commands as there may be are under way.
    #[error("{limit} commands are under way, as many as there may be: come again")]
    Crowded {
        /// How many there may be.
        limit: u32,
    },
    /// The operating system gave no randomness; no hand is dealt without it.
    #[error("there is no randomness to shuffle with: no hand is dealt")]
    NoEntropy,
    /// The hand's deck cannot be opened.
    #[error("the deck of hand {hand} cannot be read: {why}")]
    DeckUnreadable {
        /// The hand.
        hand: u64,
        /// What was wrong; never a card.
        why: String,
    },
    /// The table's records were written by a newer version.
    #[error("the records of this table have format {0}, which this version does not know")]
    FormatTooNew(u32),
    /// The stored records cannot be true.
    #[error("the records are damaged: {0}")]
    Corrupt(String),
    /// The engine contradicted itself: a defect.
    #[error("the engine contradicts itself: {0}")]
    Broken(Impossible),
    /// The store failed.
    #[error(transparent)]
    Store(StoreError),
}

impl From<Refused> for DealerError {
    fn from(refused: Refused) -> DealerError {
        match refused {
            Refused::Rejected(rejection) => DealerError::Rejected(rejection),
            Refused::Broken(impossible) => DealerError::Broken(impossible),
        }
    }
}

impl From<StoreError> for DealerError {
    fn from(error: StoreError) -> DealerError {
        DealerError::Store(error)
    }
}

impl From<NoEntropy> for DealerError {
    fn from(_: NoEntropy) -> DealerError {
        DealerError::NoEntropy
    }
}

impl From<RecordError> for DealerError {
    fn from(error: RecordError) -> DealerError {
        match error {
            RecordError::NewerFormat(format) => DealerError::FormatTooNew(format),
            other => DealerError::Corrupt(other.to_string()),
        }
    }
}
