//! What an audit reads, while others may write: what never changes, page by page; what moves, each in one statement and
//! so of one moment.

use async_trait::async_trait;

use super::{Head, StoreError, StoredTransfer};
use crate::ledger::{Account, TableId};
use crate::record::{Seq, StreamId};

/// What an account holds, and what its transfers come to, at one moment.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    /// The balance that the database keeps; 0 where it keeps none.
    pub balance: i64,
    /// All transfers to the account.
    pub credited: i128,
    /// All transfers from it.
    pub debited: i128,
}

/// One row of a page, which may be unreadable and then hides no other.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Listed<T> {
    /// Its key as it is stored: where the next page goes on from.
    pub key: Vec<u8>,
    /// What it says; `Corrupt` where it says nothing that can be true.
    pub row: Result<T, StoreError>,
}

/// The books of a store: read only.
#[async_trait]
pub trait Books: Send + Sync + 'static {
    /// The heads of all streams, tables and wallets, by id, behind the key `after`, at most `limit`. Before every key
    /// stands the empty one.
    async fn streams(&self, after: &[u8], limit: u32) -> Result<Vec<Listed<Head>>, StoreError>;

    /// The transfers of the stream's records `from` to `to`, both included, by record and place.
    async fn record_transfers(&self, stream: StreamId, from: Seq, to: Seq) -> Result<Vec<StoredTransfer>, StoreError>;

    /// Where the stream stands and what these accounts hold, at one moment; `None` where there is no such stream. An
    /// account that never had a transfer holds 0.
    async fn standing(&self, stream: StreamId, accounts: &[Account]) -> Result<Option<(Head, Vec<i64>)>, StoreError>;

    /// What every account holds, by its key, behind the key `after`, at most `limit`. Before every key stands the empty
    /// one.
    async fn balances(&self, after: &[u8], limit: u32) -> Result<Vec<Listed<(Account, i64)>>, StoreError>;

    /// The hands of the table that have a deck, by number, after `after`, at most `limit`.
    async fn hands_with_decks(&self, table: TableId, after: u64, limit: u32) -> Result<Vec<u64>, StoreError>;

    /// The account's balance and its transfers.
    async fn tally(&self, account: &Account) -> Result<Tally, StoreError>;

    /// The sum of all balances: zero, as every transfer gives what it takes.
    async fn total(&self) -> Result<i128, StoreError>;
}
