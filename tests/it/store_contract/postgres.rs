//! What only the Postgres store promises: the database defends itself against the very role that serves, and against
//! its owner's mistakes.

use razz_dealer::ledger::Account;
use razz_dealer::store::postgres::{PostgresSettings, PostgresStore, migrate};
use razz_dealer::store::{Commit, DeckRow, HandState, Store, StoreError};
use sqlx::{AssertSqlSafe, Connection, PgConnection};

use super::breaches::{BREACHES, MISTAKES, step};
use super::{Shared, Tip, ends_at, one, seat, table, transfer, wallet};
use crate::database::{Database, run};

pub(super) async fn fresh() -> (Shared, Database) {
    let database = Database::fresh().await;
    (database.store().await, database)
}

/// A table with an open hand's deck, 40 of 100 chips at a seat and 10 of those in the pot.
async fn filled(store: &dyn Store) -> (Tip, Tip) {
    let (mut purse, mut tip) = (Tip::of_wallet("ann"), Tip::of_table(1));
    purse.write(store, "in", vec![transfer(&Account::House, &wallet("ann"), 100)]).await.expect("deposit");
    tip.write(store, "sit", vec![transfer(&wallet("ann"), &seat(1, 1), 40)]).await.expect("seated");
    let mut deal = tip.step("deal", vec![transfer(&seat(1, 1), &Account::Pot(table(1)), 10)]);
    (deal.hand, deal.state) = (1, HandState::Betting);
    tip = tip.after(&deal);
    let deck = DeckRow { table: table(1), hand: 1, key_id: vec![1], sealed: vec![2; 80] };
    store.commit(Commit { moves: vec![deal], deck: Some(deck) }).await.expect("dealt");
    (tip, purse)
}

/// All of it, or nothing.
async fn attempt(conn: &mut PgConnection, sql: &str) -> Result<(), String> {
    let mut tx = conn.begin().await.expect("a transaction");
    let done = sqlx::raw_sql(AssertSqlSafe(sql)).execute(&mut *tx).await.map_err(|error| error.to_string());
    match done {
        Ok(_) => tx.commit().await.map_err(|error| error.to_string()),
        Err(error) => {
            tx.rollback().await.expect("taken back");
            Err(error)
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn plain_sql_cannot_rewrite_history_or_money() {
    let database = Database::fresh().await;
    let store = database.store().await;
    let (tip, purse) = filled(&*store).await;
    for (url, refused) in [(database.dealer(), BREACHES), (database.owner(), MISTAKES)] {
        let mut conn = PgConnection::connect(&url).await.expect("a connection");
        for &(sql, words) in refused {
            match attempt(&mut conn, sql).await {
                Ok(()) => panic!("accepted: {sql}"),
                Err(error) => assert!(error.contains(words), "{sql}\n{error}"),
            }
        }
        // The months that were made ahead are kept like the rest.
        let parts = "SELECT relname FROM pg_class WHERE relispartition AND relkind = 'r'";
        let parts: Vec<String> = sqlx::query_scalar(parts).fetch_all(&mut conn).await.expect("the periods");
        assert!(parts.len() >= 9, "{parts:?}");
        for part in parts {
            let error = attempt(&mut conn, &format!("TRUNCATE {part}")).await.expect_err("kept");
            assert!(error.contains("permission denied") || error.contains("never truncated"), "{part}: {error}");
        }
        conn.close().await.expect("closed");
    }
    ends_at(&*store, &tip).await;
    ends_at(&*store, &purse).await;
    assert_eq!(store.balance(&wallet("ann")).await, Ok(60));
    assert_eq!(store.balance(&seat(1, 1)).await, Ok(30));
    assert_eq!(store.balance(&Account::Pot(table(1))).await, Ok(10));
    // The same statement without the breach is taken: it was refused for that and nothing else.
    let mut conn = PgConnection::connect(&database.dealer()).await.expect("a connection");
    let good = step!(
        ", state = 'idle'",
        "NULL, NULL, 1",
        ", posted AS (INSERT INTO transfers SELECT stream, seq, at, 10, 0, 'p', '\\x5761' \
         FROM it)"
    );
    attempt(&mut conn, good).await.expect("taken");
    assert_eq!(store.balance(&wallet("a")).await, Ok(10));
    conn.close().await.expect("closed");
    store.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_schema_that_is_not_ours_is_refused() {
    let database = Database::fresh().await;
    let open = async || PostgresStore::open(PostgresSettings::new(&database.dealer())).await.err();
    assert_eq!(open().await, None);
    let newest = 6;
    let forget = format!("DELETE FROM _sqlx_migrations WHERE version = {newest}");
    run(&database.owner(), &forget).await;
    assert_eq!(open().await, Some(StoreError::NotMigrated { found: 5, needed: newest }));
    let later = "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time) \
                 VALUES (9000, 'later', true, '', 0)";
    run(&database.owner(), later).await;
    assert_eq!(open().await, Some(StoreError::NewerFormat { found: 9000, known: newest }));
    let again = migrate(&PostgresSettings::new(&database.owner())).await;
    assert_eq!(again, Err(StoreError::NewerFormat { found: 9000, known: newest }));
    run(&database.owner(), "DROP TABLE _sqlx_migrations").await;
    assert_eq!(open().await, Some(StoreError::NotMigrated { found: 0, needed: newest }));
}

#[tokio::test(flavor = "multi_thread")]
async fn periods_are_made_as_months_pass_and_none_is_needed() {
    let database = Database::fresh().await;
    let store = database.store().await;
    let parts = async || {
        let mut conn = PgConnection::connect(&database.owner()).await.expect("a connection");
        let sql = "SELECT count(*) FROM pg_class WHERE relispartition AND relkind = 'r' AND relname LIKE 'records_%'";
        sqlx::query_scalar::<_, i64>(sql).fetch_one(&mut conn).await.expect("counted")
    };
    assert_eq!(parts().await, 3, "this month, the next, and the rest");
    let mut tip = Tip::of_table(1);
    let mut far = tip.step("far", vec![]);
    far.at.0 = 4_000_000_000_000_000;
    tip = tip.after(&far);
    store.commit(one(far)).await.expect("a month that nobody made");
    ends_at(&*store, &tip).await;
    let conn = &mut PgConnection::connect(&database.dealer()).await.expect("a connection");
    sqlx::query("SELECT razz_make_periods(5)").execute(conn).await.expect("the role that serves may");
    assert_eq!(parts().await, 7);
    store.tend().await.expect("made already");
    assert_eq!(parts().await, 7);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_request_sent_to_two_stores_counts_once() {
    let database = Database::fresh().await;
    super::concurrency::one_of_two_counts(&[database.store().await, database.store().await]).await;
}

/// What keeps a session from writing ends with the session at the latest.
#[tokio::test(flavor = "multi_thread")]
async fn a_session_that_cannot_write_is_not_kept() {
    let database = Database::fresh().await;
    let settings = PostgresSettings { writers: 1, ..PostgresSettings::new(&database.dealer()) };
    let read_only = |to: &str| format!("ALTER DATABASE {} {to}", database.name());
    run(&database.owner(), &read_only("SET default_transaction_read_only = on")).await;
    let store = PostgresStore::open(settings).await.expect("it can be read");
    let refused = store.commit(one(Tip::of_table(1).step("make", vec![]))).await;
    assert!(matches!(&refused, Err(StoreError::Unusable(why)) if why.contains("read-only")), "{refused:?}");
    run(&url_of_writer(&database), &read_only("RESET default_transaction_read_only")).await;
    store.commit(one(Tip::of_table(1).step("make", vec![]))).await.expect("the next session can");
    store.close().await;
}

/// The owner's, for statements that change something although the database is read-only.
fn url_of_writer(database: &Database) -> String {
    let owner = database.owner();
    let (sign, option) =
        (if owner.contains('?') { '&' } else { '?' }, "options=-c%20default_transaction_read_only%3Doff");
    format!("{owner}{sign}{option}")
}
