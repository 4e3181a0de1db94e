//! Reconciliation: that records, transfers and balances say the same. It may run beside a working service, and other
//! processes may write meanwhile: each stream is asked once where it stands and what its accounts hold, at one moment,
//! and is then replayed to that very record. What lies before it never changes.

mod accounts;
mod along;
mod decks;
mod halves;
mod streams;

use super::difference::Difference;
use crate::ledger::TableId;
use crate::record::StreamId;
use crate::store::{Listed, Store, StoreError};

/// How many things are read at a time.
const PAGE: u32 = 500;

/// How far a reconciliation is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Progress {
    /// Streams that were replayed.
    pub streams_done: u64,
    /// Streams that there are, as counted when it began.
    pub streams: u64,
    /// Records that were replayed.
    pub records: u64,
    /// Transfers in them.
    pub transfers: u64,
    /// Accounts that were compared with their transfers: this comes last.
    pub accounts: u64,
}

/// What a reconciliation comes to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reconciled {
    /// What was looked at.
    pub progress: Progress,
    /// Everything that is not as it must be; nothing where all is well.
    pub differences: Vec<Difference>,
}

/// A reconciliation that the store did not let come to its end, and what it had found by then.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("not finished, {} streams of {}", .so_far.progress.streams_done, .so_far.progress.streams)]
pub struct Unfinished {
    /// What it had come to.
    pub so_far: Reconciled,
    /// Why it ended.
    pub source: StoreError,
}

/// Proves that all accounts add up to zero, that each balance is what its transfers and a replay of its stream come to,
/// that each transfer is what the events of its record demand, that every hand has its deck and no other hand one, that
/// what stands beside a record to find it by is what the record says, and that every stream is whole and nothing is
/// stored of any other; of one table, where `only` names it. It goes on after a difference, and `tell` hears how far it
/// is.
///
/// # Errors
/// Where the store fails; what was found by then is told. What is damaged in the store is a difference.
pub async fn reconcile(
    store: &dyn Store,
    only: Option<TableId>,
    tell: &mut (dyn FnMut(Progress) + Send),
) -> Result<Reconciled, Unfinished> {
    let mut audit = Audit { store, tell, untold: 0, progress: Progress::default(), differences: Vec::new() };
    let ended = match only {
        Some(table) => audit.one_table(table).await,
        None => audit.everything().await,
    };
    (audit.tell)(audit.progress);
    let so_far = Reconciled { progress: audit.progress, differences: audit.differences };
    match ended {
        Ok(()) => Ok(so_far),
        Err(source) => Err(Unfinished { so_far, source }),
    }
}

/// A reconciliation under way.
struct Audit<'a> {
    store: &'a dyn Store,
    tell: &'a mut (dyn FnMut(Progress) + Send),
    /// What was done since the last word about it.
    untold: u64,
    progress: Progress,
    differences: Vec<Difference>,
}

impl Audit<'_> {
    async fn one_table(&mut self, table: TableId) -> Result<(), StoreError> {
        self.progress.streams = 1;
        let place = format!("the head of table {table}");
        let head = self.store.head(StreamId::of_table(table)).await;
        match self.readable(&place, head)? {
            Some(Some(head)) => self.stream(&head).await?,
            Some(None) => self.find(Difference::NoTable(table)),
            None => {}
        }
        self.accounts_of(table).await
    }

    async fn everything(&mut self) -> Result<(), StoreError> {
        let mut after = Vec::new();
        self.progress.streams = count(self.store).await?;
        loop {
            let page = self.store.streams(&after, PAGE).await;
            let page = self.readable("a page of heads", page)?.unwrap_or_default();
            // Behind the last head too, up to the last key that there can be.
            let to = page.last().map_or(vec![0xff; 16], |last| last.key.clone());
            let strays = self.store.strays(&after, &to).await;
            for stray in self.readable("what is of no stream", strays)?.unwrap_or_default() {
                self.find(Difference::Stray(stray));
            }
            if page.is_empty() {
                break;
            }
            after = to;
            for Listed { key, row } in page {
                if let Some(head) = self.readable(&format!("the head with the key {}", digits(&key)), row)? {
                    self.stream(&head).await?;
                }
            }
        }
        let total = self.store.total().await;
        if let Some(found) = self.readable("the balances", total)?.filter(|total| *total != 0) {
            self.find(Difference::Total { found });
        }
        self.all_accounts().await
    }

    fn find(&mut self, difference: Difference) {
        self.differences.push(difference);
    }

    /// What was read; what is stored and cannot be is a difference, and then there is nothing.
    fn readable<T>(&mut self, place: &str, answer: Result<T, StoreError>) -> Result<Option<T>, StoreError> {
        match answer {
            Ok(answer) => Ok(Some(answer)),
            Err(StoreError::Corrupt(what)) => {
                self.find(Difference::Unreadable { place: place.to_owned(), what });
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }

    /// Some work was done: now and then it is told.
    fn step(&mut self, work: u64) {
        self.untold += work;
        if self.untold >= u64::from(PAGE) {
            self.untold = 0;
            (self.tell)(self.progress);
        }
    }
}

/// How many streams there are.
async fn count(store: &dyn Store) -> Result<u64, StoreError> {
    let (mut count, mut after) = (0, Vec::new());
    loop {
        let page = match store.streams(&after, PAGE).await {
            // The walk over the streams will come to it too, and name it.
            Err(StoreError::Corrupt(_)) => return Ok(count),
            page => page?,
        };
        count += page.len() as u64;
        let Some(last) = page.last() else { return Ok(count) };
        after.clone_from(&last.key);
    }
}

/// A key in hexadecimal digits.
fn digits(key: &[u8]) -> String {
    let digits = key.iter().flat_map(|byte| [byte >> 4, byte & 15]);
    digits.filter_map(|digit| char::from_digit(digit.into(), 16)).collect()
}
