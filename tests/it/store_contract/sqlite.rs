//! What only the file store has: a file that one process holds, and its triggers.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use razz_dealer::ledger::Account;
use razz_dealer::record::Seq;
use razz_dealer::store::sqlite::SqliteStore;
use razz_dealer::store::{Commit, DeckRow, Store, StoreError};
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};
use sqlx::{AssertSqlSafe, ConnectOptions, Connection};
use tempfile::TempDir;

use super::{Shared, Tip, ends_at, one, seat, table, transfer, wallet};

/// A new store, and the folder that it is in.
pub(super) async fn fresh() -> (Shared, TempDir) {
    let (folder, path) = place();
    (Arc::new(open(&path).await), folder)
}

fn place() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("razz.db");
    (folder, path)
}

async fn open(path: &Path) -> SqliteStore {
    SqliteStore::open(path).await.expect("a store")
}

async fn refusal(path: &Path) -> StoreError {
    SqliteStore::open(path).await.err().expect("a database that must be refused")
}

/// The file as anybody with a database tool has it.
async fn plain(path: &Path) -> SqliteConnection {
    SqliteConnectOptions::new().filename(path).connect().await.expect("a connection")
}

/// All of it, or nothing.
async fn run(conn: &mut SqliteConnection, sql: &str) -> Result<(), String> {
    let mut tx = conn.begin().await.expect("a transaction");
    sqlx::raw_sql(AssertSqlSafe(sql)).execute(&mut *tx).await.map_err(|error| error.to_string())?;
    tx.commit().await.map_err(|error| error.to_string())
}

/// A table with a hand's deck and a seat with 40 of 100 chips that came in.
async fn filled(path: &Path) -> (Tip, Tip) {
    let store = open(path).await;
    let (mut purse, mut tip) = (Tip::of_wallet("ann"), Tip::of_table(1));
    purse.write(&store, "in", vec![transfer(&Account::House, &wallet("ann"), 100)]).await.expect("deposit");
    let sit = tip.step("sit", vec![transfer(&wallet("ann"), &seat(1, 1), 40)]);
    tip = tip.after(&sit);
    let deck = DeckRow { table: table(1), hand: 1, key_id: vec![1], sealed: vec![2; 80] };
    store.commit(Commit { moves: vec![sit], deck: Some(deck) }).await.expect("seated, and prepared");
    let mut deal = tip.step("deal", vec![]);
    deal.hand = 1;
    tip = tip.after(&deal);
    store.commit(one(deal)).await.expect("dealt");
    store.close().await;
    (tip, purse)
}

#[tokio::test]
async fn reopening_finds_everything() {
    let (_folder, path) = place();
    let (tip, purse) = filled(&path).await;
    let store = open(&path).await;
    ends_at(&store, &tip).await;
    ends_at(&store, &purse).await;
    assert_eq!(store.balance(&Account::House).await, Ok(-100));
    assert_eq!(store.balance(&wallet("ann")).await, Ok(60));
    assert_eq!(store.balance(&seat(1, 1)).await, Ok(40));
    assert_eq!(store.transfers(&seat(1, 1), None, 9).await.expect("transfers").len(), 1);
    assert_eq!(store.deck(table(1), 1).await.expect("a deck").expect("the hand's").sealed, [2; 80]);
    let mut next = tip.step("act", vec![]);
    next.hand = 1;
    store.commit(one(next)).await.expect("and it goes on");
}

#[tokio::test]
async fn a_new_file_is_its_owners_only() {
    let (folder, path) = place();
    let store = open(&path).await;
    Tip::of_table(1).write(&store, "make", vec![]).await.expect("made");
    for file in std::fs::read_dir(folder.path()).expect("the folder") {
        let file = file.expect("a file");
        let mode = file.metadata().expect("its rights").permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "{:?}", file.path());
    }
}

#[tokio::test]
async fn one_opener_holds_the_file() {
    let (_folder, path) = place();
    let store = open(&path).await;
    assert_eq!(refusal(&path).await, StoreError::Held);
    let reader = SqliteConnectOptions::new().filename(&path).busy_timeout(std::time::Duration::ZERO);
    let mut reader = reader.connect().await;
    if let Ok(reader) = &mut reader {
        let read = run(reader, "SELECT * FROM heads").await;
        assert!(read.clone().is_err_and(|error| error.contains("locked")), "read beside the holder: {read:?}");
    }
    Tip::of_table(1).write(&store, "make", vec![]).await.expect("the holder is not disturbed");
    store.close().await;
    open(&path).await;
}

#[tokio::test]
async fn a_closed_store_is_away() {
    let (_folder, path) = place();
    let store = open(&path).await;
    store.close().await;
    let tip = Tip::of_table(1);
    let away = |error: Option<StoreError>| assert!(matches!(error, Some(StoreError::Away(_))), "{error:?}");
    away(store.commit(one(tip.step("a", vec![]))).await.err());
    away(store.head(tip.stream).await.err());
    away(store.records(tip.stream, Seq(0), 1).await.err());
    away(store.balance(&Account::House).await.err());
    store.close().await;
}

#[tokio::test]
async fn a_newer_format_is_refused_and_left_alone() {
    let (_folder, path) = place();
    filled(&path).await;
    let mut conn = plain(&path).await;
    let newer = "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time) \
                 VALUES (8000, 'later', TRUE, x'00', 0), (9000, 'later still', TRUE, x'00', 0)";
    run(&mut conn, newer).await.expect("written by a later version");
    conn.close().await.expect("closed");
    let before = std::fs::read(&path).expect("the file");
    assert_eq!(refusal(&path).await, StoreError::NewerFormat { found: 9000, known: 6 });
    assert!(before == std::fs::read(&path).expect("the file"), "the file was changed");
}

#[tokio::test]
async fn what_is_no_database_of_ours_is_refused() {
    let (folder, path) = place();
    let is_corrupt = |error: StoreError| assert!(matches!(error, StoreError::Corrupt(_)), "{error:?}");
    std::fs::write(&path, "Dear diary, today I was dealt the wheel.".repeat(100)).expect("written");
    is_corrupt(refusal(&path).await);

    let foreign = folder.path().join("foreign.db");
    std::fs::write(&foreign, "").expect("written");
    let mut conn = plain(&foreign).await;
    run(&mut conn, "CREATE TABLE recipes (name TEXT)").await.expect("somebody's table");
    conn.close().await.expect("closed");
    is_corrupt(refusal(&foreign).await);

    let changed = folder.path().join("changed.db");
    filled(&changed).await;
    let mut conn = plain(&changed).await;
    run(&mut conn, "UPDATE _sqlx_migrations SET checksum = x'00' WHERE version = 2").await.expect("changed");
    conn.close().await.expect("closed");
    is_corrupt(refusal(&changed).await);

    let nowhere = refusal(&folder.path().join("no/such/folder/razz.db")).await;
    assert!(matches!(nowhere, StoreError::Away(_)), "{nowhere:?}");
}

/// Statements of somebody who is not the dealer, and the words that refuse each.
const REWRITES: &[(&str, &str)] = &[
    ("UPDATE records SET bytes = x'00'", "a record is never changed"),
    ("UPDATE records SET request_id = 'other' WHERE seq = 1", "a record is never changed"),
    ("DELETE FROM records WHERE seq = 2", "a record is never deleted"),
    ("INSERT OR REPLACE INTO records SELECT * FROM records WHERE request_id = 'deal'", "a record enters once"),
    (
        "UPDATE heads SET seq = 3, hash = zeroblob(32) WHERE kind = 'table'; INSERT OR REPLACE INTO records \
         SELECT stream, 3, at, 1, request_id, zeroblob(32), x'00' FROM records WHERE request_id = 'sit'",
        "request id already",
    ),
    (
        "INSERT OR REPLACE INTO records SELECT stream, seq, at, hand, NULL, hash, x'00' FROM records WHERE seq = 2",
        "a record enters once",
    ),
    ("INSERT INTO records SELECT stream, 3, at, hand, NULL, hash, x'00' FROM records WHERE seq = 2", "has moved"),
    (
        "UPDATE heads SET seq = 3 WHERE kind = 'table'; INSERT INTO records \
         SELECT stream, 3, at, hand, NULL, zeroblob(32), bytes FROM records WHERE request_id = 'deal'",
        "has moved",
    ),
    (
        "UPDATE heads SET seq = 3 WHERE kind = 'table'; INSERT INTO records \
         SELECT stream, 3, at, 0, NULL, hash, bytes FROM records WHERE request_id = 'deal'",
        "has moved",
    ),
    ("UPDATE transfers SET amount = 1", "a transfer is never changed"),
    ("DELETE FROM transfers", "a transfer is never deleted"),
    ("INSERT OR REPLACE INTO transfers SELECT n, stream, seq, 5, at, debit, credit, 1 FROM transfers", "enters once"),
    (
        "INSERT OR REPLACE INTO transfers SELECT n + 9, stream, seq, idx, at, debit, credit, 1 FROM transfers",
        "enters once",
    ),
    ("INSERT INTO transfers SELECT 9, stream, 9, 0, 0, x'48', x'5761', 1 FROM heads WHERE seq = 2", "FOREIGN KEY"),
    ("INSERT INTO transfers SELECT 9, stream, seq, 9, 0, x'48', x'5761', 0 FROM heads WHERE seq = 2", "CHECK"),
    ("INSERT INTO transfers SELECT 9, stream, seq, 9, 0, x'48', x'5761', -5 FROM heads WHERE seq = 2", "CHECK"),
    ("INSERT INTO transfers SELECT 9, stream, seq, 9, 0, x'48', x'48', 5 FROM heads WHERE seq = 2", "CHECK"),
    (
        "INSERT INTO transfers SELECT 9, stream, seq, 9, 0, x'5761', x'48', 5 FROM heads WHERE seq = 2",
        "balance_in_bounds",
    ),
    ("UPDATE accounts SET balance = balance + 1", "by a transfer only"),
    // A transfer counted twice, and one of other accounts.
    ("UPDATE accounts SET balance = balance + 40, counted = 2 WHERE balance = 40", "by a transfer only"),
    ("UPDATE accounts SET balance = balance - 40, counted = 2 WHERE account = x'48'", "by a transfer only"),
    ("UPDATE accounts SET account = x'5761' WHERE balance = 40", "by a transfer only"),
    ("DELETE FROM accounts", "an account is never deleted"),
    ("INSERT INTO accounts VALUES (x'5761', 5, 0)", "begins empty"),
    ("INSERT OR REPLACE INTO accounts SELECT account, 0, 0 FROM accounts", "begins empty, and once"),
    ("UPDATE decks SET sealed = x'00'", "a sealed deck is never changed"),
    ("DELETE FROM decks", "a sealed deck is never deleted"),
    ("INSERT OR REPLACE INTO decks SELECT n, table_id, hand, key_id, x'00' FROM decks", "no other's place"),
    ("INSERT INTO decks SELECT 999, table_id, 9, key_id, sealed FROM decks", "with the record of its hand"),
    ("INSERT INTO decks SELECT 999, table_id, 0, key_id, sealed FROM decks", "with the record of its hand"),
    ("INSERT INTO decks SELECT 999, stream, 1, x'01', x'02' FROM heads WHERE kind = 'wallet'", "record of its hand"),
    ("INSERT INTO transfers SELECT 9, stream, seq, 9, 0, x'48', x'57', 5 FROM heads WHERE seq = 2", "to an account"),
    (
        "INSERT INTO transfers SELECT 9, stream, seq, 9, 0, x'4800', x'5761', 5 FROM heads WHERE seq = 2",
        "to an account",
    ),
    (
        "INSERT INTO transfers SELECT 9, stream, seq, 9, 0, x'48', CAST(x'53' || stream || x'09' AS BLOB), 5 \
         FROM heads WHERE seq = 2 AND kind = 'table'",
        "to an account",
    ),
    ("UPDATE heads SET seq = seq - 1 WHERE seq = 2", "a head moves forward by one record"),
    ("UPDATE heads SET hash = zeroblob(32)", "a head moves forward by one record"),
    ("UPDATE heads SET seq = seq + 2", "a head moves forward by one record"),
    ("UPDATE heads SET seq = seq + 1, kind = 'wallet' WHERE kind = 'table'", "stays what it is"),
    ("UPDATE heads SET seq = seq + 1, stream = zeroblob(16) WHERE kind = 'table'", "stays what it is"),
    ("UPDATE heads SET seq = seq + 1, hand = 0 WHERE hand = 1", "stays what it is"),
    ("UPDATE heads SET seq = seq + 1, format = 0", "stays what it is"),
    (
        "INSERT INTO transfers SELECT 9, stream, seq, 9, 0, x'48', CAST(x'50' || stream AS BLOB), 5 FROM heads \
         WHERE seq = 2 AND kind = 'table'",
        "a pot account with no open hand is zero",
    ),
    (
        "INSERT INTO transfers SELECT 9, stream, seq, 9, 0, x'48', CAST(x'52' || zeroblob(16) AS BLOB), 5 FROM heads \
         WHERE seq = 2 AND kind = 'table'",
        "its own stream alone",
    ),
    ("DELETE FROM heads", "a head is never deleted"),
    (
        "INSERT OR REPLACE INTO heads SELECT stream, kind, 1, hash, 0, 1, NULL, 'idle' FROM heads",
        "a stream begins once",
    ),
    ("INSERT INTO heads VALUES (zeroblob(16), 'table', 2, zeroblob(32), 0, 1, NULL, 'idle')", "with its first record"),
    ("INSERT INTO heads VALUES (x'00', 'table', 1, zeroblob(32), 0, 1, NULL, 'idle')", "CHECK"),
];

#[tokio::test]
async fn plain_sql_cannot_rewrite_history() {
    let (_folder, path) = place();
    let (tip, purse) = filled(&path).await;
    let mut conn = plain(&path).await;
    for &(sql, words) in REWRITES {
        match run(&mut conn, sql).await {
            Ok(()) => panic!("accepted: {sql}"),
            Err(error) => assert!(error.contains(words), "{sql}\n{error}"),
        }
    }
    conn.close().await.expect("closed");
    // Nothing of it has stayed.
    let store = open(&path).await;
    ends_at(&store, &tip).await;
    ends_at(&store, &purse).await;
    assert_eq!(store.balance(&wallet("ann")).await, Ok(60));
    assert_eq!(store.balance(&seat(1, 1)).await, Ok(40));
}
