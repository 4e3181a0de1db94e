//! The store: records, heads, decks and balances, moved by whole commands only. SQL lives in this room alone, and a
//! transaction never leaves it.

mod account;
mod batch;
mod books;
pub mod postgres;
pub mod sqlite;
mod vault;

use async_trait::async_trait;

use crate::engine::Hand;
use crate::ledger::{Account, TableId, Transfer};
use crate::record::{Hash, Micros, Sealed, Seq, StreamId};

pub use books::{Books, Facts, Listed, Stray, Tally, WrongCopy};
pub use vault::{RestingDeck, Vault};

/// Whether a stream is a table or a wallet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StreamKind {
    /// A table.
    Table,
    /// A player's wallet.
    Wallet,
}

impl StreamKind {
    /// Its word in SQL.
    const fn word(self) -> &'static str {
        match self {
            StreamKind::Table => "table",
            StreamKind::Wallet => "wallet",
        }
    }

    fn of_word(word: &str) -> Result<StreamKind, StoreError> {
        let found = [StreamKind::Table, StreamKind::Wallet].into_iter().find(|kind| kind.word() == word);
        found.ok_or_else(|| StoreError::Corrupt(format!("a head is of kind {word:?}")))
    }
}

/// Where a stream stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Head {
    /// The stream.
    pub stream: StreamId,
    /// What it is.
    pub kind: StreamKind,
    /// Its last record.
    pub seq: Seq,
    /// That record's hash.
    pub hash: Hash,
    /// The latest hand, 0 before the first.
    pub hand: u64,
    /// The newest record format in the stream.
    pub format: u32,
    /// What the latest hand waits for.
    pub state: HandState,
    /// When the player to act runs out of time, or a hand that is played out is settled without being asked.
    pub deadline: Option<Micros>,
}

/// What a table's latest hand waits for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum HandState {
    /// Nothing: there is none, or it was settled or voided. The table's pot account is zero.
    #[default]
    Idle,
    /// A player.
    Betting,
    /// To be paid: all pots are awarded.
    PlayedOut,
}

impl HandState {
    /// What the hand waits for.
    pub const fn of(hand: &Hand) -> HandState {
        match hand {
            hand if !hand.is_open() => HandState::Idle,
            hand if hand.is_played_out() => HandState::PlayedOut,
            _ => HandState::Betting,
        }
    }

    /// Its word in SQL.
    pub const fn word(self) -> &'static str {
        match self {
            HandState::Idle => "idle",
            HandState::Betting => "betting",
            HandState::PlayedOut => "played_out",
        }
    }

    fn of_word(word: &str) -> Result<HandState, StoreError> {
        let all = [HandState::Idle, HandState::Betting, HandState::PlayedOut];
        let found = all.into_iter().find(|state| state.word() == word);
        found.ok_or_else(|| StoreError::Corrupt(format!("a head is in state {word:?}")))
    }
}

/// One stream's part of a command: its head moves by one record, if it still stands where the command found it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Move {
    /// What the stream is.
    pub kind: StreamKind,
    /// The record; its `seq` is one more than the head's must be. Seq 1 makes the stream.
    pub sealed: Sealed,
    /// Copied from the record, for the index and the head.
    pub at: Micros,
    /// As in the record; empty for none.
    pub request_id: String,
    /// As in the record.
    pub hand: u64,
    /// What the latest hand then waits for.
    pub state: HandState,
    /// As in the record.
    pub deadline: Option<Micros>,
    /// As in the record.
    pub transfers: Vec<Transfer>,
}

/// A hand's deck as it may rest in a database: under a key that is not there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DeckRow {
    /// Whose deck.
    pub table: TableId,
    /// Of which hand.
    pub hand: u64,
    /// The key that opens it.
    pub key_id: Vec<u8>,
    /// Nonce and ciphertext.
    pub sealed: Vec<u8>,
}

/// A command's whole effect: all of it is committed, or nothing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Commit {
    /// One stream, or a table and a wallet.
    pub moves: Vec<Move>,
    /// The deck of a hand that opens.
    pub deck: Option<DeckRow>,
}

/// A transfer as it stands in the store.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StoredTransfer {
    /// Its place; also the cursor to go on from.
    pub cursor: TransferCursor,
    /// What moved.
    pub transfer: Transfer,
}

/// The place of a transfer among those of one account.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct TransferCursor {
    /// When its record was made.
    pub at: Micros,
    /// In which stream it stands.
    pub stream: StreamId,
    /// In which record.
    pub seq: Seq,
    /// Its place in the record, from 0.
    pub index: u32,
}

/// Why the store did not do what was asked.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum StoreError {
    /// A head had moved: load again and decide again.
    #[error("the stream has moved on since it was read")]
    Conflict,
    /// The stream has a record of this request id.
    #[error("the stream has a record of this request id already")]
    DuplicateRequest,
    /// A balance would have gone below zero, or all chips together above the ceiling. Nothing moved.
    #[error("a balance would leave its bounds")]
    BalanceOutOfBounds,
    /// The deck is sealed under a key that was retired.
    #[error("the key that decks are sealed under was retired: serve with the new one")]
    KeyRetired,
    /// A deck comes without the record of its hand.
    #[error("a deck enters with the record of its hand; under another key only the owner of the schema adds one")]
    DeckRefused,
    /// A key cannot be retired: a hand's latest deck rests under it.
    #[error("decks rest under this key: `razz-dealer keys rewrap` seals them under another")]
    KeyNeeded,
    /// A key cannot be retired: no deck ever rested under it.
    #[error("no deck ever rested under this key")]
    KeyUnknown,
    /// The database is there and cannot be used as it is set up, until somebody sees to it; nothing was done.
    #[error("the database cannot be used: {0}")]
    Unusable(String),
    /// The database cannot be reached; nothing was done.
    #[error("the database is away: {0}")]
    Away(String),
    /// The connection was lost during the commit: it may have happened or not.
    #[error("the database was lost during the commit; its outcome is not known")]
    OutcomeUnknown,
    /// What is stored cannot be true.
    #[error("the stored data is damaged: {0}")]
    Corrupt(String),
    /// Another process holds the database.
    #[error("another process holds it")]
    Held,
    /// The schema is not the one that this version needs.
    #[error("the schema has version {found}, this version needs {needed}: run `razz-dealer migrate` as the owner")]
    NotMigrated {
        /// As found, 0 for none.
        found: i64,
        /// The one needed.
        needed: i64,
    },
    /// The database was written by a newer version.
    #[error("the database has format {found}; this version knows formats up to {known}")]
    NewerFormat {
        /// As found.
        found: i64,
        /// The newest known.
        known: i64,
    },
}

impl StoreError {
    /// Whether the store itself fails, whatever is asked of it: no fault of one stream.
    pub const fn is_of_all(&self) -> bool {
        use StoreError::{Away, Held, NotMigrated, OutcomeUnknown, Unusable};
        matches!(self, Away(_) | Held | NotMigrated { .. } | OutcomeUnknown | Unusable(_))
    }
}

/// The few verbs of a store. All of them are whole: what an answer says is committed.
#[async_trait]
pub trait Store: Books + Vault {
    /// Whether other processes may write meanwhile: then what is in memory may be behind what is stored.
    fn is_shared(&self) -> bool;

    /// Where the stream stands; `None` where there is none.
    async fn head(&self, stream: StreamId) -> Result<Option<Head>, StoreError>;

    /// The stream's records of one hand number, in order: for 0 those before the first hand.
    async fn hand_records(&self, stream: StreamId, hand: u64) -> Result<Vec<Sealed>, StoreError>;

    /// The stream's records after `after`, in order, at most `limit`.
    async fn records(&self, stream: StreamId, after: Seq, limit: u32) -> Result<Vec<Sealed>, StoreError>;

    /// The record of this request id.
    async fn find_request(&self, stream: StreamId, request_id: &str) -> Result<Option<Sealed>, StoreError>;

    /// Commits a command; it is durable when this returns. Commands of other streams may share its transaction, and
    /// none of them can hurt it. A command cancelled while it waits may still be committed.
    async fn commit(&self, commit: Commit) -> Result<(), StoreError>;

    /// The account's balance in minor units; 0 for one that never had a transfer.
    async fn balance(&self, account: &Account) -> Result<i64, StoreError>;

    /// The account's transfers after `after`, oldest first, at most `limit`.
    async fn transfers(
        &self,
        account: &Account,
        after: Option<TransferCursor>,
        limit: u32,
    ) -> Result<Vec<StoredTransfer>, StoreError>;

    /// The heads of tables by id, after `after`, at most `limit`.
    async fn tables(&self, after: Option<TableId>, limit: u32) -> Result<Vec<Head>, StoreError>;

    /// The heads of tables whose hand waits for this since before `until` by their deadline, the longest due first and
    /// then by id, after that of `after`, at most `limit`.
    async fn due(
        &self,
        state: HandState,
        until: Micros,
        after: Option<(Micros, StreamId)>,
        limit: u32,
    ) -> Result<Vec<Head>, StoreError>;

    /// The heads of tables with an open hand by id, after `after`, at most `limit`.
    async fn open_hands(&self, after: Option<TableId>, limit: u32) -> Result<Vec<Head>, StoreError>;

    /// The sealed deck of a hand.
    async fn deck(&self, table: TableId, hand: u64) -> Result<Option<DeckRow>, StoreError>;

    /// Does what the store wants done now and then, such as making room for the next month.
    async fn tend(&self) -> Result<(), StoreError> {
        Ok(())
    }

    /// Finishes what is being written and lets go of the database. Whatever is asked later is answered with `Away`.
    async fn close(&self);
}
