//! What an audit reads, while others may write: what never changes, page by page; what moves, each in one statement and
//! so of one moment.

use async_trait::async_trait;

use super::{Head, StoreError, StoredTransfer};
use crate::ledger::{Account, TableId};
use crate::record::{Micros, Seq, StreamId};

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

/// What a record says of itself, as far as a store keeps copies of it beside the bytes: it finds records by them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Facts {
    /// Which record.
    pub seq: Seq,
    /// When it was made.
    pub at: Micros,
    /// As in the record; empty for none.
    pub request_id: String,
    /// The latest hand after it.
    pub hand: u64,
    /// It opens that hand.
    pub opens: bool,
    /// The hand that it opens or prepares, whose deck may have come with it.
    pub begins: Option<u64>,
    /// How many transfers it has.
    pub transfers: usize,
}

/// A copy beside a record's bytes that does not say what they say.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WrongCopy {
    /// Which record.
    pub seq: Seq,
    /// Of what.
    pub fact: &'static str,
    /// As the bytes have it.
    pub expected: String,
    /// As the copy has it.
    pub found: String,
}

/// One row of copies: of which record, and each by its name; nothing where an older version kept none.
pub(in crate::store) type Copies = (u64, Vec<(&'static str, Option<String>)>);

/// Where rows of copies differ from the records. `expected` gives what they must be, in their order.
pub(in crate::store) fn compare(
    facts: &[Facts],
    rows: impl Iterator<Item = Copies>,
    expected: impl Fn(&Facts) -> Vec<String>,
) -> Vec<WrongCopy> {
    let (mut wrong, mut last) = (Vec::new(), None);
    for (seq, copies) in rows {
        let seq = Seq(seq);
        if last.replace(seq) == Some(seq) {
            wrong.push(WrongCopy { seq, fact: "row", expected: "one".to_owned(), found: "one more".to_owned() });
        }
        let place = facts.binary_search_by_key(&seq, |facts| facts.seq);
        let Some(facts) = place.ok().and_then(|place| facts.get(place)) else { continue };
        for ((fact, found), expected) in copies.into_iter().zip(expected(facts)) {
            if let Some(found) = found.filter(|found| *found != expected) {
                wrong.push(WrongCopy { seq, fact, expected, found });
            }
        }
    }
    wrong
}

/// Something stored of a stream that has no head.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stray {
    /// What: records, transfers or decks.
    pub what: &'static str,
    /// Of which stream.
    pub stream: StreamId,
}

/// The books of a store: read only.
#[async_trait]
pub trait Books: Send + Sync + 'static {
    /// The heads of all streams, tables and wallets, by id, behind the key `after`, at most `limit`. Before every key
    /// stands the empty one.
    async fn streams(&self, after: &[u8], limit: u32) -> Result<Vec<Listed<Head>>, StoreError>;

    /// What is stored of streams without a head, behind the key `after` up to the key `to`.
    async fn strays(&self, after: &[u8], to: &[u8]) -> Result<Vec<Stray>, StoreError>;

    /// The transfers of the stream's records `from` to `to`, both included, by record and place.
    async fn record_transfers(&self, stream: StreamId, from: Seq, to: Seq) -> Result<Vec<StoredTransfer>, StoreError>;

    /// Where the stream stands and what these accounts hold, at one moment; `None` where there is no such stream. An
    /// account that never had a transfer holds 0.
    async fn standing(&self, stream: StreamId, accounts: &[Account]) -> Result<Option<(Head, Vec<i64>)>, StoreError>;

    /// Where the copies that the store keeps beside these records, which follow each other, differ from them.
    async fn wrong_copies(&self, stream: StreamId, facts: &[Facts]) -> Result<Vec<WrongCopy>, StoreError>;

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
