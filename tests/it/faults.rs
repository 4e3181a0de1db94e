//! A store that fails at the very commit that it is told: it stands before a real one, which does everything else.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use async_trait::async_trait;
use razz_dealer::ledger::{Account, TableId};
use razz_dealer::record::{Micros, Sealed, Seq, StreamId};
use razz_dealer::store::{
    Books, Commit, DeckRow, Facts, HandState, Head, Listed, RestingDeck, Store, StoreError, StoredTransfer, Stray,
    Tally, TransferCursor, Vault, WrongCopy,
};
use tokio::sync::Notify;

/// What happens at a commit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fault {
    /// It never reaches the store, and whoever waits for it waits for ever.
    DeathBefore,
    /// It is committed, and whoever waits for it waits for ever.
    DeathAfter,
    /// It is committed, and whoever waits for it is told that nobody knows.
    AnswerLost,
}

/// The real store behind a fault.
pub struct Faulty {
    store: Arc<dyn Store>,
    fault: Fault,
    /// Commits until the fault and with it; 0 for none.
    until: AtomicU64,
    struck: Notify,
}

impl Faulty {
    /// The `nth` commit from now meets the fault; 0 for none.
    pub fn new(store: Arc<dyn Store>, fault: Fault, nth: u64) -> Faulty {
        Faulty { store, fault, until: AtomicU64::new(nth), struck: Notify::new() }
    }

    /// The next commit meets the fault.
    pub fn next(&self) {
        self.until.store(1, Ordering::Relaxed);
    }

    /// Whether the fault is still to come.
    pub fn is_pending(&self) -> bool {
        self.until.load(Ordering::Relaxed) > 0
    }

    /// Waits for a death.
    pub async fn dies(&self) {
        self.struck.notified().await;
    }
}

#[async_trait]
impl Store for Faulty {
    fn is_shared(&self) -> bool {
        self.store.is_shared()
    }

    async fn commit(&self, commit: Commit) -> Result<(), StoreError> {
        let less = |until: u64| until.checked_sub(1);
        if self.until.fetch_update(Ordering::Relaxed, Ordering::Relaxed, less) != Ok(1) {
            return self.store.commit(commit).await;
        }
        if self.fault != Fault::DeathBefore {
            self.store.commit(commit).await?;
        }
        if self.fault == Fault::AnswerLost {
            return Err(StoreError::OutcomeUnknown);
        }
        self.struck.notify_one();
        std::future::pending().await
    }

    async fn head(&self, stream: StreamId) -> Result<Option<Head>, StoreError> {
        self.store.head(stream).await
    }

    async fn hand_records(&self, stream: StreamId, hand: u64) -> Result<Vec<Sealed>, StoreError> {
        self.store.hand_records(stream, hand).await
    }

    async fn records(&self, stream: StreamId, after: Seq, limit: u32) -> Result<Vec<Sealed>, StoreError> {
        self.store.records(stream, after, limit).await
    }

    async fn find_request(&self, stream: StreamId, request_id: &str) -> Result<Option<Sealed>, StoreError> {
        self.store.find_request(stream, request_id).await
    }

    async fn balance(&self, account: &Account) -> Result<i64, StoreError> {
        self.store.balance(account).await
    }

    async fn transfers(
        &self,
        account: &Account,
        after: Option<TransferCursor>,
        limit: u32,
    ) -> Result<Vec<StoredTransfer>, StoreError> {
        self.store.transfers(account, after, limit).await
    }

    async fn tables(&self, after: Option<TableId>, limit: u32) -> Result<Vec<Head>, StoreError> {
        self.store.tables(after, limit).await
    }

    async fn due(
        &self,
        state: HandState,
        until: Micros,
        after: Option<(Micros, StreamId)>,
        limit: u32,
    ) -> Result<Vec<Head>, StoreError> {
        self.store.due(state, until, after, limit).await
    }

    async fn open_hands(&self, after: Option<TableId>, limit: u32) -> Result<Vec<Head>, StoreError> {
        self.store.open_hands(after, limit).await
    }

    async fn deck(&self, table: TableId, hand: u64) -> Result<Option<DeckRow>, StoreError> {
        self.store.deck(table, hand).await
    }

    async fn close(&self) {
        self.store.close().await;
    }
}

#[async_trait]
impl Vault for Faulty {
    async fn decks(&self, after: Option<(TableId, u64)>, limit: u32) -> Result<Vec<RestingDeck>, StoreError> {
        self.store.decks(after, limit).await
    }

    async fn add_deck(&self, row: &DeckRow) -> Result<(), StoreError> {
        self.store.add_deck(row).await
    }

    async fn keys_in_use(&self) -> Result<Vec<(Vec<u8>, u64)>, StoreError> {
        self.store.keys_in_use().await
    }

    async fn retired_keys(&self) -> Result<Vec<Vec<u8>>, StoreError> {
        self.store.retired_keys().await
    }

    async fn retire_key(&self, key_id: &[u8]) -> Result<(), StoreError> {
        self.store.retire_key(key_id).await
    }
}

#[async_trait]
impl Books for Faulty {
    async fn streams(&self, after: &[u8], limit: u32) -> Result<Vec<Listed<Head>>, StoreError> {
        self.store.streams(after, limit).await
    }

    async fn record_transfers(&self, stream: StreamId, from: Seq, to: Seq) -> Result<Vec<StoredTransfer>, StoreError> {
        self.store.record_transfers(stream, from, to).await
    }

    async fn standing(&self, stream: StreamId, accounts: &[Account]) -> Result<Option<(Head, Vec<i64>)>, StoreError> {
        self.store.standing(stream, accounts).await
    }

    async fn balances(&self, after: &[u8], limit: u32) -> Result<Vec<Listed<(Account, i64)>>, StoreError> {
        self.store.balances(after, limit).await
    }

    async fn strays(&self, after: &[u8], to: &[u8]) -> Result<Vec<Stray>, StoreError> {
        self.store.strays(after, to).await
    }

    async fn wrong_copies(&self, stream: StreamId, facts: &[Facts]) -> Result<Vec<WrongCopy>, StoreError> {
        self.store.wrong_copies(stream, facts).await
    }

    async fn hands_with_decks(&self, table: TableId, after: u64, limit: u32) -> Result<Vec<u64>, StoreError> {
        self.store.hands_with_decks(table, after, limit).await
    }

    async fn tally(&self, account: &Account) -> Result<Tally, StoreError> {
        self.store.tally(account).await
    }

    async fn total(&self) -> Result<i128, StoreError> {
        self.store.total().await
    }
}
