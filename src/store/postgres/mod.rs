//! The store in a Postgres database (15 or newer) that many dealers share.
//!
//! Commands that move one table alone go through a few writers in batches, a statement each; those that also move a
//! wallet have a transaction of their own. Reads and those go over a few connections more. Who connects is a member of
//! `razz_dealer`, which can add and not change; the schema belongs to another role, which migrates.

mod books;
mod commit;
mod line;
mod lines;
mod migrate;
mod read;
mod vault;
mod write;

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use sqlx::postgres::PgRow;
use sqlx::{AssertSqlSafe, Connection, FromRow};
use tokio::sync::{Mutex, mpsc};

pub use migrate::{Migrated, migrate};

use crate::ledger::{Account, TableId};
use crate::record::{Micros, Sealed, Seq, StreamId};
use crate::store::account;
use crate::store::batch::{Waiting, check, through};
use crate::store::books::compare;
use crate::store::{
    Books, Commit, DeckRow, Facts, HandState, Head, Listed, RestingDeck, Store, StoreError, StoredTransfer, Stray,
    Tally, TransferCursor, Vault, WrongCopy,
};
use line::{Failure, Line, begin, in_time};
use lines::Lines;
use read::Rows;

/// Commands that may wait for the next batch; more wait at the door.
const QUEUE: usize = 1_024;

/// How to use a database.
#[derive(Clone, PartialEq, Eq)]
pub struct PostgresSettings {
    /// `postgres://role@host:port/database?sslmode=verify-full&sslrootcert=...`, as libpq takes it.
    pub url: String,
    /// Connections for reads and for commands that move wallets, beside those of the writers.
    pub connections: u32,
    /// Batches under way at one time, each over a connection of its own.
    pub writers: u32,
    /// How long a caller waits for a connection.
    pub acquire_timeout: Duration,
    /// How long the server may take over a statement.
    pub statement_timeout: Duration,
    /// The URL leads to a pooler that keeps no more than a transaction together, such as pgbouncer.
    pub pooler: bool,
    /// Commands share statements. Without it each has a transaction of its own: to measure what sharing gains.
    pub batches: bool,
}

impl PostgresSettings {
    /// What suits most: the settings of this URL with all else as `serve` has it by default.
    pub fn new(url: &str) -> PostgresSettings {
        PostgresSettings {
            url: url.to_owned(),
            connections: 8,
            writers: 2,
            acquire_timeout: Duration::from_secs(2),
            statement_timeout: Duration::from_secs(5),
            pooler: false,
            batches: true,
        }
    }
}

impl std::fmt::Debug for PostgresSettings {
    /// Without the URL: it may hold a password.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PostgresSettings").field("pooler", &self.pooler).finish_non_exhaustive()
    }
}

/// A store in a Postgres database.
pub struct PostgresStore {
    lines: Lines,
    queue: mpsc::Sender<Waiting>,
    settings: PostgresSettings,
}

impl PostgresStore {
    /// Connects to a database whose schema is the one that this version needs. Must be called within a runtime.
    ///
    /// # Errors
    /// `NotMigrated` or `NewerFormat` where the schema is another one, `Away` where there is no database to be had.
    pub async fn open(settings: PostgresSettings) -> Result<PostgresStore, StoreError> {
        let options = line::options(&settings)?;
        let lines = Lines::new(options.clone(), settings.clone());
        let (queue, received) = mpsc::channel(QUEUE);
        let store = PostgresStore { lines, queue, settings: settings.clone() };
        store.check_schema().await?;
        let received = Arc::new(Mutex::new(received));
        let (lost, others) = (Arc::default(), Arc::default());
        for _ in 0..settings.writers.max(1) {
            let line = Line::new(options.clone(), settings.clone(), Arc::clone(&lost));
            tokio::spawn(commit::run(line, Arc::clone(&received), Arc::clone(&others)));
        }
        Ok(store)
    }

    /// Reads something: once more, on another connection, where one turns out to be dead.
    async fn read<T>(&self, query: impl Fn() -> Rows<T> + Send + Sync) -> Result<Vec<T>, StoreError>
    where
        T: for<'r> FromRow<'r, PgRow> + Send + Unpin,
    {
        let first = self.ask(&query).await;
        let answer = if matches!(first, Err(Failure::Lost(_))) { self.ask(&query).await } else { first };
        answer.map_err(Failure::of_read)
    }

    /// Adds something that is no record, in a transaction of its own.
    async fn write(&self, query: Rows<(i64,)>) -> Result<(), StoreError> {
        let mut line = self.lines.borrow_sound().await.map_err(Failure::of_read)?;
        let done = in_time(&self.settings, async {
            let mut tx = line.conn.begin_with(AssertSqlSafe(begin(&self.settings))).await?;
            query.persistent(!self.settings.pooler).fetch_all(&mut *tx).await?;
            tx.commit().await
        })
        .await;
        self.lines.after(line, &done);
        match done {
            Err(Failure::Silent | Failure::Lost(_)) => Err(StoreError::OutcomeUnknown),
            done => done.map_err(Failure::of_read),
        }
    }

    async fn ask<T>(&self, query: &(impl Fn() -> Rows<T> + Send + Sync)) -> Result<Vec<T>, Failure>
    where
        T: for<'r> FromRow<'r, PgRow> + Send + Unpin,
    {
        let mut line = self.lines.borrow().await?;
        let answer = in_time(&self.settings, async {
            if !self.settings.pooler {
                return query().fetch_all(&mut line.conn).await;
            }
            let mut tx = line.conn.begin_with(AssertSqlSafe(begin(&self.settings))).await?;
            let answer = query().persistent(false).fetch_all(&mut *tx).await?;
            tx.rollback().await?;
            Ok(answer)
        })
        .await;
        self.lines.after(line, &answer);
        answer
    }
}

#[async_trait]
impl Store for PostgresStore {
    fn is_shared(&self) -> bool {
        true
    }

    async fn head(&self, stream: StreamId) -> Result<Option<Head>, StoreError> {
        Ok(read::heads(self.read(|| read::head(stream)).await?)?.pop())
    }

    async fn hand_records(&self, stream: StreamId, hand: u64) -> Result<Vec<Sealed>, StoreError> {
        read::sealed(self.read(|| read::hand_records(stream, hand)).await?)
    }

    async fn records(&self, stream: StreamId, after: Seq, limit: u32) -> Result<Vec<Sealed>, StoreError> {
        read::sealed(self.read(|| read::records(stream, after, limit)).await?)
    }

    async fn find_request(&self, stream: StreamId, request_id: &str) -> Result<Option<Sealed>, StoreError> {
        let rows = self.read(|| read::find_request(stream, request_id)).await?;
        Ok(read::sealed(rows)?.pop())
    }

    async fn commit(&self, commit: Commit) -> Result<(), StoreError> {
        check(&commit)?;
        if self.settings.batches && commit::can_share(&commit) {
            through(&self.queue, commit).await
        } else {
            commit::alone(self, &commit).await
        }
    }

    async fn balance(&self, account: &Account) -> Result<i64, StoreError> {
        Ok(self.read(|| read::balance(account)).await?.pop().map_or(0, |(balance,)| balance))
    }

    async fn transfers(
        &self,
        account: &Account,
        after: Option<TransferCursor>,
        limit: u32,
    ) -> Result<Vec<StoredTransfer>, StoreError> {
        read::stored(self.read(|| read::transfers(account, after, limit)).await?)
    }

    async fn tables(&self, after: Option<TableId>, limit: u32) -> Result<Vec<Head>, StoreError> {
        read::heads(self.read(|| read::tables(after, limit)).await?)
    }

    async fn due(
        &self,
        state: HandState,
        until: Micros,
        after: Option<(Micros, StreamId)>,
        limit: u32,
    ) -> Result<Vec<Head>, StoreError> {
        read::heads(self.read(|| read::due(state, until, after, limit)).await?)
    }

    async fn open_hands(&self, after: Option<TableId>, limit: u32) -> Result<Vec<Head>, StoreError> {
        read::heads(self.read(|| read::open_hands(after, limit)).await?)
    }

    async fn deck(&self, table: TableId, hand: u64) -> Result<Option<DeckRow>, StoreError> {
        let mut row = self.read(|| read::deck(table, hand)).await?;
        Ok(row.pop().map(|(key_id, sealed)| DeckRow { table, hand, key_id, sealed }))
    }

    async fn tend(&self) -> Result<(), StoreError> {
        self.make_periods().await
    }

    async fn close(&self) {
        self.lines.close().await;
    }
}

#[async_trait]
impl Vault for PostgresStore {
    async fn decks(&self, after: Option<(TableId, u64)>, limit: u32) -> Result<Vec<RestingDeck>, StoreError> {
        self.read(|| vault::decks(after, limit)).await?.into_iter().map(vault::resting).collect()
    }

    async fn add_deck(&self, row: &DeckRow) -> Result<(), StoreError> {
        self.write(vault::add_deck(row)).await
    }

    async fn keys_in_use(&self) -> Result<Vec<(Vec<u8>, u64)>, StoreError> {
        self.read(vault::keys_in_use).await?.into_iter().map(vault::in_use).collect()
    }

    async fn retired_keys(&self) -> Result<Vec<Vec<u8>>, StoreError> {
        Ok(self.read(vault::retired_keys).await?.into_iter().map(|(key,)| key).collect())
    }

    async fn retire_key(&self, key_id: &[u8]) -> Result<(), StoreError> {
        self.write(vault::retire_key(key_id)).await
    }
}

#[async_trait]
impl Books for PostgresStore {
    async fn streams(&self, after: &[u8], limit: u32) -> Result<Vec<Listed<Head>>, StoreError> {
        let rows = self.read(|| books::streams(after, limit)).await?.into_iter();
        Ok(rows.map(|row| Listed { key: row.0.into_bytes().to_vec(), row: read::head_of(row) }).collect())
    }

    async fn strays(&self, after: &[u8], to: &[u8]) -> Result<Vec<Stray>, StoreError> {
        let mut found = Vec::new();
        for (what, sql) in books::STRAYS {
            let rows = self.read(|| books::strays(sql, after, to)).await?.into_iter();
            found.extend(rows.map(|(stream,)| Stray { what, stream: StreamId(stream.into_bytes()) }));
        }
        Ok(found)
    }

    async fn record_transfers(&self, stream: StreamId, from: Seq, to: Seq) -> Result<Vec<StoredTransfer>, StoreError> {
        read::stored(self.read(|| books::record_transfers(stream, from, to)).await?)
    }

    async fn standing(&self, stream: StreamId, accounts: &[Account]) -> Result<Option<(Head, Vec<i64>)>, StoreError> {
        let row = self.read(|| books::standing(stream, accounts)).await?.pop();
        let Some((stream, kind, seq, hash, hand, format, deadline, state, balances)) = row else { return Ok(None) };
        let head = read::heads(vec![(stream, kind, seq, hash, hand, format, deadline, state)])?.pop();
        Ok(head.map(|head| (head, balances)))
    }

    async fn wrong_copies(&self, stream: StreamId, facts: &[Facts]) -> Result<Vec<WrongCopy>, StoreError> {
        let (Some(first), Some(last)) = (facts.first(), facts.last()) else { return Ok(Vec::new()) };
        let rows = self.read(|| books::copies(stream, first.seq, last.seq)).await?;
        let rows: Result<Vec<_>, StoreError> = rows.into_iter().map(books::told).collect();
        Ok(compare(facts, rows?.into_iter(), books::expected))
    }

    async fn balances(&self, after: &[u8], limit: u32) -> Result<Vec<Listed<(Account, i64)>>, StoreError> {
        let rows = self.read(|| books::balances(after, limit)).await?.into_iter();
        Ok(rows.map(|(key, balance)| account::listed(key, balance)).collect())
    }

    async fn hands_with_decks(&self, table: TableId, after: u64, limit: u32) -> Result<Vec<u64>, StoreError> {
        let rows = self.read(|| books::hands_with_decks(table, after, limit)).await?.into_iter();
        rows.map(|(hand,)| read::from_sql(hand)).collect()
    }

    async fn tally(&self, account: &Account) -> Result<Tally, StoreError> {
        let Some((balance, credited, debited)) = self.read(|| books::tally(account)).await?.pop() else {
            return Ok(Tally::default());
        };
        Ok(Tally { balance, credited: sum(&credited)?, debited: sum(&debited)? })
    }

    async fn total(&self) -> Result<i128, StoreError> {
        self.read(books::total).await?.pop().map_or(Ok(0), |(total,)| sum(&total))
    }
}

fn sum(text: &str) -> Result<i128, StoreError> {
    text.parse().map_err(|_| StoreError::Corrupt(format!("a sum of {text}")))
}
