//! The store in one `SQLite` file, held by one process: what runs where nothing else is installed.
//!
//! All goes over one connection, which holds the file's exclusive lock. Whoever uses it has it alone, so a read never
//! sees a batch that is not committed. A commit is acknowledged once it is on the disk (WAL, `synchronous=FULL`).

mod books;
mod commit;
mod line;
mod read;
mod vault;
mod write;

use std::path::Path;
use std::sync::Arc;

use async_trait::async_trait;
use tokio::sync::{Mutex, mpsc};

use crate::ledger::{Account, TableId};
use crate::record::{Micros, Sealed, Seq, StreamId};
use crate::store::batch::{Waiting, check, through};
use crate::store::books::compare;
use crate::store::{
    Books, Commit, DeckRow, Facts, HandState, Head, Listed, RestingDeck, Store, StoreError, StoredTransfer, Stray,
    Tally, TransferCursor, Vault, WrongCopy,
};
use line::Line;

/// Commands that may wait for the next batch; more wait at the door.
const QUEUE: usize = 1_024;

/// A store in an `SQLite` file.
pub struct SqliteStore {
    line: Arc<Mutex<Line>>,
    queue: mpsc::Sender<Waiting>,
}

impl SqliteStore {
    /// Opens the database at this path and holds it alone; makes it, for its owner only, where there is none; brings it
    /// to the newest format. Must be called within a runtime.
    ///
    /// # Errors
    /// `Held` where another process has it, `NewerFormat` where a newer version wrote it, `Corrupt` where the file is
    /// no database of this service, `Away` where it cannot be read or made.
    pub async fn open(path: &Path) -> Result<SqliteStore, StoreError> {
        Ok(SqliteStore::over(Line::open(path).await?))
    }

    /// As [`SqliteStore::open`], where there is one: no other file is touched.
    ///
    /// # Errors
    /// As above, and `Corrupt` for an empty file too.
    pub async fn open_old(path: &Path) -> Result<SqliteStore, StoreError> {
        if !line::is_ours(path)? {
            return Err(StoreError::Corrupt("it is no database of this service".to_owned()));
        }
        SqliteStore::open(path).await
    }

    fn over(line: Line) -> SqliteStore {
        let line = Arc::new(Mutex::new(line));
        let (queue, received) = mpsc::channel(QUEUE);
        tokio::spawn(commit::run(Arc::clone(&line), received));
        SqliteStore { line, queue }
    }
}

#[async_trait]
impl Store for SqliteStore {
    fn is_shared(&self) -> bool {
        false
    }

    async fn head(&self, stream: StreamId) -> Result<Option<Head>, StoreError> {
        let mut line = self.line.lock().await;
        let answer = read::head(line.conn().await?, stream).await;
        line.checked(answer).await
    }

    async fn hand_records(&self, stream: StreamId, hand: u64) -> Result<Vec<Sealed>, StoreError> {
        let mut line = self.line.lock().await;
        let answer = read::hand_records(line.conn().await?, stream, hand).await;
        line.checked(answer).await
    }

    async fn records(&self, stream: StreamId, after: Seq, limit: u32) -> Result<Vec<Sealed>, StoreError> {
        let mut line = self.line.lock().await;
        let answer = read::records(line.conn().await?, stream, after, limit).await;
        line.checked(answer).await
    }

    async fn find_request(&self, stream: StreamId, request_id: &str) -> Result<Option<Sealed>, StoreError> {
        let mut line = self.line.lock().await;
        let answer = read::find_request(line.conn().await?, stream, request_id).await;
        line.checked(answer).await
    }

    async fn commit(&self, commit: Commit) -> Result<(), StoreError> {
        check(&commit)?;
        through(&self.queue, commit).await
    }

    async fn balance(&self, account: &Account) -> Result<i64, StoreError> {
        let mut line = self.line.lock().await;
        let answer = read::balance(line.conn().await?, account).await;
        line.checked(answer).await
    }

    async fn transfers(
        &self,
        account: &Account,
        after: Option<TransferCursor>,
        limit: u32,
    ) -> Result<Vec<StoredTransfer>, StoreError> {
        let mut line = self.line.lock().await;
        let answer = read::transfers(line.conn().await?, account, after, limit).await;
        line.checked(answer).await
    }

    async fn tables(&self, after: Option<TableId>, limit: u32) -> Result<Vec<Head>, StoreError> {
        let mut line = self.line.lock().await;
        let answer = read::tables(line.conn().await?, after, limit).await;
        line.checked(answer).await
    }

    async fn due(
        &self,
        state: HandState,
        until: Micros,
        after: Option<(Micros, StreamId)>,
        limit: u32,
    ) -> Result<Vec<Head>, StoreError> {
        let mut line = self.line.lock().await;
        let answer = read::due(line.conn().await?, state, until, after, limit).await;
        line.checked(answer).await
    }

    async fn open_hands(&self, after: Option<TableId>, limit: u32) -> Result<Vec<Head>, StoreError> {
        let mut line = self.line.lock().await;
        let answer = read::open_hands(line.conn().await?, after, limit).await;
        line.checked(answer).await
    }

    async fn deck(&self, table: TableId, hand: u64) -> Result<Option<DeckRow>, StoreError> {
        let mut line = self.line.lock().await;
        let answer = read::deck(line.conn().await?, table, hand).await;
        line.checked(answer).await
    }

    /// Brings the write-ahead log home too.
    async fn close(&self) {
        self.line.lock().await.close().await;
    }
}

#[async_trait]
impl Vault for SqliteStore {
    async fn decks(&self, after: Option<(TableId, u64)>, limit: u32) -> Result<Vec<RestingDeck>, StoreError> {
        let mut line = self.line.lock().await;
        let answer = vault::decks(line.conn().await?, after, limit).await;
        line.checked(answer).await
    }

    async fn add_deck(&self, row: &DeckRow) -> Result<(), StoreError> {
        let mut line = self.line.lock().await;
        let answer = vault::add_deck(line.conn().await?, row).await;
        line.checked(answer).await
    }

    async fn keys_in_use(&self) -> Result<Vec<(Vec<u8>, u64)>, StoreError> {
        let mut line = self.line.lock().await;
        let answer = vault::keys_in_use(line.conn().await?).await;
        line.checked(answer).await
    }

    async fn retired_keys(&self) -> Result<Vec<Vec<u8>>, StoreError> {
        let mut line = self.line.lock().await;
        let answer = vault::retired_keys(line.conn().await?).await;
        line.checked(answer).await
    }

    async fn retire_key(&self, key_id: &[u8]) -> Result<(), StoreError> {
        let mut line = self.line.lock().await;
        let answer = vault::retire_key(line.conn().await?, key_id).await;
        line.checked(answer).await
    }
}

#[async_trait]
impl Books for SqliteStore {
    async fn streams(&self, after: &[u8], limit: u32) -> Result<Vec<Listed<Head>>, StoreError> {
        let mut line = self.line.lock().await;
        let answer = books::streams(line.conn().await?, after, limit).await;
        line.checked(answer).await
    }

    async fn strays(&self, after: &[u8], to: &[u8]) -> Result<Vec<Stray>, StoreError> {
        let mut line = self.line.lock().await;
        let answer = books::strays(line.conn().await?, after, to).await;
        line.checked(answer).await
    }

    async fn record_transfers(&self, stream: StreamId, from: Seq, to: Seq) -> Result<Vec<StoredTransfer>, StoreError> {
        let mut line = self.line.lock().await;
        let answer = books::record_transfers(line.conn().await?, stream, from, to).await;
        line.checked(answer).await
    }

    async fn standing(&self, stream: StreamId, accounts: &[Account]) -> Result<Option<(Head, Vec<i64>)>, StoreError> {
        let mut line = self.line.lock().await;
        let answer = books::standing(line.conn().await?, stream, accounts).await;
        line.checked(answer).await
    }

    async fn wrong_copies(&self, stream: StreamId, facts: &[Facts]) -> Result<Vec<WrongCopy>, StoreError> {
        let (Some(first), Some(last)) = (facts.first(), facts.last()) else { return Ok(Vec::new()) };
        let mut line = self.line.lock().await;
        let rows = books::copies(line.conn().await?, stream, first.seq, last.seq).await;
        Ok(compare(facts, line.checked(rows).await?.into_iter(), books::expected))
    }

    async fn balances(&self, after: &[u8], limit: u32) -> Result<Vec<Listed<(Account, i64)>>, StoreError> {
        let mut line = self.line.lock().await;
        let answer = books::balances(line.conn().await?, after, limit).await;
        line.checked(answer).await
    }

    async fn hands_with_decks(&self, table: TableId, after: u64, limit: u32) -> Result<Vec<u64>, StoreError> {
        let mut line = self.line.lock().await;
        let answer = books::hands_with_decks(line.conn().await?, table, after, limit).await;
        line.checked(answer).await
    }

    async fn tally(&self, account: &Account) -> Result<Tally, StoreError> {
        let mut line = self.line.lock().await;
        let answer = books::tally(line.conn().await?, account).await;
        line.checked(answer).await
    }

    async fn total(&self) -> Result<i128, StoreError> {
        let mut line = self.line.lock().await;
        let answer = books::total(line.conn().await?).await;
        line.checked(answer).await
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering};

    use super::SqliteStore;
    use crate::record::{Hash, Micros, Sealed, Seq, StreamId};
    use crate::store::{Commit, HandState, Move, Store, StoreError, StreamKind};

    const STREAM: StreamId = StreamId([1; 16]);

    fn step(seq: u64, bytes: usize) -> Commit {
        let sealed = Sealed { stream: STREAM, seq: Seq(seq), hash: Hash([9; 32]), bytes: vec![7; bytes] };
        let one = Move {
            kind: StreamKind::Table,
            sealed,
            at: Micros(0),
            request_id: format!("r{seq}"),
            hand: 0,
            state: HandState::Idle,
            deadline: None,
            transfers: Vec::new(),
        };
        Commit { moves: vec![one], deck: None }
    }

    async fn fresh() -> (SqliteStore, tempfile::TempDir) {
        let folder = tempfile::tempdir().expect("a folder");
        let store = SqliteStore::open(&folder.path().join("razz.db")).await.expect("a store");
        store.commit(step(1, 10)).await.expect("the first record");
        (store, folder)
    }

    async fn seq(store: &SqliteStore) -> Seq {
        store.head(STREAM).await.expect("a head").expect("the stream's").seq
    }

    #[tokio::test]
    async fn a_lost_commit_is_in_doubt_and_the_store_goes_on() {
        static LOST: AtomicBool = AtomicBool::new(false);
        let (store, _folder) = fresh().await;
        {
            let mut line = store.line.lock().await;
            let conn = line.conn().await.expect("a connection");
            conn.lock_handle().await.expect("its handle").set_commit_hook(|| !LOST.load(Ordering::Relaxed));
        }
        store.commit(step(2, 10)).await.expect("the hook lets it pass");
        LOST.store(true, Ordering::Relaxed);
        assert_eq!(store.commit(step(3, 10)).await, Err(StoreError::OutcomeUnknown));
        // The hook went with the connection.
        assert_eq!(seq(&store).await, Seq(2), "this one did not happen");
        store.commit(step(3, 10)).await.expect("and may come again");
        assert_eq!(seq(&store).await, Seq(3));
    }

    #[tokio::test]
    async fn a_full_disk_is_away_and_the_store_goes_on() {
        let (store, _folder) = fresh().await;
        {
            let mut line = store.line.lock().await;
            let conn = line.conn().await.expect("a connection");
            sqlx::query("PRAGMA max_page_count = 1").fetch_all(conn).await.expect("no page more");
        }
        let full = store.commit(step(2, 200_000)).await;
        assert!(matches!(full, Err(StoreError::Away(_))), "{full:?}");
        // The limit went with the connection.
        assert_eq!(seq(&store).await, Seq(1), "nothing was done");
        store.commit(step(2, 200_000)).await.expect("there is room again");
        assert_eq!(seq(&store).await, Seq(2));
    }
}
