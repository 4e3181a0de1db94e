//! Checks of the record, read only. What is claimed is replayed: nothing is believed because it is stored.

use crate::engine::{Table, TableEvent};
use crate::ledger::{TableId, table_transfers};
use crate::record::{self, Hash, Micros, Record, Sealed, Seq, StreamEvent, StreamId};
use crate::store::{Store, StoreError};

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
    let mut replay = Replay { id, table: None, seq: Seq(0), hash: Hash::default(), at: Micros::default() };
    loop {
        let page = store.records(stream, replay.seq, PAGE).await?;
        for sealed in &page {
            replay.take(sealed)?;
        }
        if page.is_empty() {
            break;
        }
    }
    if (replay.seq, replay.hash) != (head.seq, head.hash) {
        return Err(replay.finding(head.seq, "the head is not the last record"));
    }
    let hands = replay.table.map_or(0, |table| table.hand().number());
    Ok(Whole { records: replay.seq.0, hands, hash: replay.hash })
}

struct Replay {
    id: TableId,
    table: Option<Table>,
    seq: Seq,
    hash: Hash,
    at: Micros,
}

impl Replay {
    fn finding(&self, seq: Seq, what: &str) -> Finding {
        Finding::Record { table: self.id, seq: seq.0, what: what.to_owned() }
    }

    fn take(&mut self, sealed: &Sealed) -> Result<(), Finding> {
        let table = self.id;
        let finding = |what: &str| Finding::Record { table, seq: sealed.seq.0, what: what.to_owned() };
        if sealed.seq != self.seq.next() {
            return Err(finding("the records before it are missing"));
        }
        if record::chain(self.hash, sealed.stream, sealed.seq, &sealed.bytes) != sealed.hash {
            return Err(finding("its hash does not follow from its bytes and the record before"));
        }
        let record = sealed.record().map_err(|why| finding(&why.to_string()))?;
        if record.at < self.at {
            return Err(finding("it is older than the record before"));
        }
        self.replay(&record).map_err(|what| finding(&what))?;
        (self.seq, self.hash, self.at) = (sealed.seq, sealed.hash, record.at);
        Ok(())
    }

    fn replay(&mut self, record: &Record) -> Result<(), String> {
        let mut due = Vec::new();
        for event in &record.events {
            let StreamEvent::Table(event) = event else { return Err("a wallet's event in a table's stream".into()) };
            match (&mut self.table, event) {
                (None, TableEvent::TableCreated(settings)) => self.table = Some(Table::new(*settings)),
                (None, _) => return Err("it comes before the table was created".into()),
                (Some(table), event) => {
                    due.extend(table_transfers(self.id, table.hand(), event));
                    table.apply(event).map_err(|why| why.to_string())?;
                }
            }
        }
        if due != record.transfers {
            return Err("its transfers are not what its events move".into());
        }
        let hand = self.table.as_ref().map_or(0, |table| table.hand().number());
        if record.hand_number != hand {
            return Err("it bears another hand's number".into());
        }
        Ok(())
    }
}
