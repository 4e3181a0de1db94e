//! Checks of the record, read only. What is claimed is replayed: nothing is believed because it is stored.

mod cards;
mod difference;
mod reconcile;
mod replay;

pub use cards::HandCards;
pub use difference::{Difference, Posting, Source};
pub use reconcile::{Progress, Reconciled, Unfinished, reconcile};

use crate::ledger::TableId;
use crate::record::{Hash, StreamId};
use crate::store::{Store, StoreError, StreamKind};
use replay::{Replay, Wrong};

/// How many records are read at a time.
const PAGE: u32 = 500;

/// A table's record that was found whole.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Whole {
    /// How many records it has.
    pub records: u64,
    /// How many hands.
    pub hands: u64,
    /// The hash of the last record, which binds all.
    pub hash: Hash,
}

/// Why a table's record is not whole, or could not be read.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Finding {
    /// There is no such table.
    #[error("there is no table {0}")]
    NoTable(TableId),
    /// A record is not what it must be.
    #[error("table {table}, record {seq}: {what}")]
    Record {
        /// The table.
        table: TableId,
        /// The record's place.
        seq: u64,
        /// What is wrong with it.
        what: String,
    },
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Checks a table's whole record: the chain from the first record to the head, and that every event and every transfer
/// in it is what the rules make of the records before.
///
/// # Errors
/// The first [`Finding`].
pub async fn verify_table(store: &dyn Store, id: TableId) -> Result<Whole, Finding> {
    let stream = StreamId::of_table(id);
    let head = store.head(stream).await?.ok_or(Finding::NoTable(id))?;
    let finding = |Wrong { seq, what }: Wrong| Finding::Record { table: id, seq: seq.0, what };
    let mut replay = Replay::of(StreamKind::Table, stream);
    loop {
        let page = store.records(stream, replay.seq, PAGE).await?;
        for sealed in &page {
            replay.take(sealed).map_err(finding)?;
        }
        if page.is_empty() {
            break;
        }
    }
    if (replay.seq, replay.hash) != (head.seq, head.hash) {
        return Err(finding(Wrong { seq: head.seq, what: "the head is not the last record".to_owned() }));
    }
    Ok(Whole { records: replay.seq.0, hands: replay.hand, hash: replay.hash })
}
