//! What only the Postgres store promises: the database defends itself against the very role that serves, and against
//! its owner's mistakes.

use razz_dealer::ledger::Account;
use razz_dealer::store::postgres::{PostgresSettings, PostgresStore, migrate};
use razz_dealer::store::{Commit, DeckRow, HandState, Store, StoreError};
use sqlx::{AssertSqlSafe, Connection, PgConnection};

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

/// A statement that moves the table's head by one with its record. `$head` and `$record` are what it sets beyond that,
/// `$more` what else it does; `it` is the table's stream.
macro_rules! step {
    ($head:literal, $record:literal, $more:literal) => {
        concat!(
            "WITH it AS (SELECT stream, seq + 1 AS seq, at, hand FROM heads WHERE kind = 'table'), moved AS (\
             UPDATE heads SET seq = heads.seq + 1, hash = decode(repeat('ab', 32), 'hex')",
            $head,
            " WHERE kind = 'table'), recorded AS (INSERT INTO records (stream, seq, at, hash, bytes, request, opens, \
             transfers) SELECT stream, seq, at, decode(repeat('ab', 32), 'hex'), '\\x00', ",
            $record,
            " FROM it)",
            $more,
            " SELECT 1"
        )
    };
}

/// A statement that moves the table's head by one with a record that says that a hand's deck comes with it.
macro_rules! deals {
    ($hand:literal, $deck:literal) => {
        concat!(
            "WITH it AS (SELECT stream, seq + 1 AS seq, at, hand FROM heads WHERE kind = 'table'), moved AS (\
             UPDATE heads SET seq = heads.seq + 1, hash = decode(repeat('ab', 32), 'hex') WHERE kind = 'table'), \
             recorded AS (INSERT INTO records (stream, seq, at, hash, bytes, transfers, deals) \
             SELECT stream, seq, at, decode(repeat('ab', 32), 'hex'), '\\x00', 0, ",
            $hand,
            " FROM it)",
            $deck,
            " SELECT 1"
        )
    };
}

/// What the role that serves must not be able to do, and how it is refused.
const BREACHES: &[(&str, &str)] = &[
    ("UPDATE records SET bytes = '\\x00'", "permission denied"),
    ("DELETE FROM records", "permission denied"),
    ("TRUNCATE records", "permission denied"),
    ("UPDATE transfers SET amount = 1", "permission denied"),
    ("DELETE FROM transfers", "permission denied"),
    ("TRUNCATE transfers", "permission denied"),
    ("UPDATE decks SET sealed = '\\x00'", "permission denied"),
    ("DELETE FROM decks", "permission denied"),
    ("TRUNCATE decks", "permission denied"),
    ("UPDATE accounts SET balance = balance + 1", "permission denied"),
    ("INSERT INTO accounts VALUES ('\\x5762', 5)", "permission denied"),
    ("DELETE FROM accounts", "permission denied"),
    ("TRUNCATE accounts", "permission denied"),
    ("DELETE FROM heads", "permission denied"),
    ("TRUNCATE heads", "permission denied"),
    ("UPDATE heads SET stream = gen_random_uuid()", "permission denied"),
    ("UPDATE heads SET kind = 'wallet'", "permission denied"),
    ("INSERT INTO records_other SELECT * FROM records", "permission denied"),
    ("DROP TABLE decks", "must be owner"),
    ("ALTER TABLE transfers DISABLE TRIGGER ALL", "must be owner"),
    ("CREATE TABLE public.mine (x int)", "permission denied"),
    ("SET session_replication_role = replica", "permission denied"),
    // Heads and records move together, forward, one by one.
    ("UPDATE heads SET seq = seq + 1", "a head moves together with its record"),
    ("UPDATE heads SET seq = seq - 1 WHERE seq = 2", "a head moves forward by one record"),
    ("UPDATE heads SET seq = seq + 2", "a head moves forward by one record"),
    ("UPDATE heads SET hash = hash", "a head moves forward by one record"),
    (step!(", hand = 0", "NULL, NULL, 0", ""), "a head moves forward by one record"),
    (step!(", at = 0", "NULL, NULL, 0", ""), "a head moves forward by one record"),
    (step!(", format = 0", "NULL, NULL, 0", ""), "a head moves forward by one record"),
    (step!("", "NULL, 7, 0", ""), "to which its head has moved"),
    (
        "INSERT INTO heads SELECT gen_random_uuid(), 2, 0, 0, NULL, 1, 'table', hash FROM heads LIMIT 1",
        "with its first record",
    ),
    (
        "INSERT INTO heads SELECT gen_random_uuid(), 1, 0, 0, NULL, 1, 'table', hash FROM heads LIMIT 1",
        "a head moves together with its record",
    ),
    (
        "INSERT INTO records SELECT stream, seq + 1, at, NULL, NULL, 0, hash, '\\x00' FROM heads",
        "to which its head has moved",
    ),
    (
        "INSERT INTO records SELECT stream, seq, at + 40000000000000, NULL, NULL, 0, hash, '\\x00' FROM heads",
        "to which its head has moved",
    ),
    ("INSERT INTO records SELECT stream, seq, at, NULL, NULL, 0, hash, '\\x00' FROM heads", "duplicate key"),
    // A request id counts once in its stream, in another month too.
    (
        step!("", "(SELECT request FROM records JOIN it USING (stream) WHERE opens = 1), NULL, 0", ""),
        "request id already",
    ),
    (
        "WITH it AS (SELECT stream, seq + 1 AS seq, 1796083200000001 AS at FROM heads WHERE kind = 'table'), moved AS (\
         UPDATE heads SET seq = heads.seq + 1, at = 1796083200000001 WHERE kind = 'table' RETURNING hash) \
         INSERT INTO records (stream, seq, at, hash, bytes, request, transfers) SELECT stream, seq, at, \
         (SELECT hash FROM moved), '\\x00', (SELECT request FROM records JOIN it USING (stream) WHERE opens = 1), 0 \
         FROM it",
        "request id already",
    ),
    // Chips move with a record that says so, in one debit and one credit, and within bounds.
    (
        "INSERT INTO transfers SELECT stream, seq, at, 5, 1, '\\x48', '\\x5761' FROM heads WHERE kind = 'table'",
        "with their record",
    ),
    (
        "INSERT INTO transfers SELECT stream, seq + 1, at, 5, 0, '\\x48', '\\x5761' FROM heads WHERE kind = 'table'",
        "with their record",
    ),
    (step!("", "NULL, NULL, 1", ""), "with its transfers"),
    (
        step!(
            "",
            "NULL, NULL, 0",
            ", posted AS (INSERT INTO transfers SELECT stream, seq, at, 5, 0, '\\x48', '\\x5761' \
        FROM it)"
        ),
        "with their record",
    ),
    (
        step!(
            "",
            "NULL, NULL, 1",
            ", posted AS (INSERT INTO transfers SELECT stream, seq, at, 0, 0, '\\x48', '\\x5761' \
        FROM it)"
        ),
        "transfers_amount_check",
    ),
    (
        step!(
            "",
            "NULL, NULL, 1",
            ", posted AS (INSERT INTO transfers SELECT stream, seq, at, -5, 0, '\\x48', '\\x5761' \
        FROM it)"
        ),
        "transfers_amount_check",
    ),
    (
        step!(
            "",
            "NULL, NULL, 1",
            ", posted AS (INSERT INTO transfers SELECT stream, seq, at, 5, 0, '\\x48', '\\x48' \
        FROM it)"
        ),
        "transfers_check",
    ),
    (
        step!(
            "",
            "NULL, NULL, 1",
            ", posted AS (INSERT INTO transfers SELECT stream, seq, at, 5, 0, '\\x5762', '\\x48' \
        FROM it)"
        ),
        "balance_in_bounds",
    ),
    (
        step!(
            "",
            "NULL, NULL, 1",
            ", posted AS (INSERT INTO transfers SELECT stream, seq, at, 5, 0, '\\x48', '\\x58' \
        FROM it)"
        ),
        "credit_is_account",
    ),
    (
        step!(
            "",
            "NULL, NULL, 1",
            ", posted AS (INSERT INTO transfers SELECT stream, seq, at, 5, 0, '\\x48', \
        '\\x52' || uuid_send(gen_random_uuid()) FROM it)"
        ),
        "credit_is_account",
    ),
    // A transfer is between accounts that have a name.
    (
        step!(
            "",
            "NULL, NULL, 1",
            ", posted AS (INSERT INTO transfers SELECT stream, seq, at, 5, 0, '\\x48', '\\x57ffff' FROM it)"
        ),
        "credit_is_account",
    ),
    (
        step!(
            "",
            "NULL, NULL, 1",
            ", posted AS (INSERT INTO transfers SELECT stream, seq, at, 5, 0, '\\x48', '\\x570a' FROM it)"
        ),
        "credit_is_account",
    ),
    (
        step!(
            "",
            "NULL, NULL, 1",
            ", posted AS (INSERT INTO transfers SELECT stream, seq, at, 5, 0, '\\x48', '\\x57c285' FROM it)"
        ),
        "credit_is_account",
    ),
    (
        step!(
            "",
            "NULL, NULL, 1",
            ", posted AS (INSERT INTO transfers SELECT stream, seq, at, 5, 0, '\\x4800', '\\x5761' FROM it)"
        ),
        "debit_is_account",
    ),
    (
        step!(
            "",
            "NULL, NULL, 1",
            ", posted AS (INSERT INTO transfers SELECT stream, seq, at, 5, 0, '\\x48', '\\x7309' FROM it)"
        ),
        "credit_is_account",
    ),
    (
        step!(
            "",
            "NULL, NULL, 1",
            ", posted AS (INSERT INTO transfers SELECT stream, seq, at, 5, 0, '\\x48', decode('57' || repeat('61', 65), 'hex') FROM it)"
        ),
        "credit_is_account",
    ),
    // A deck enters once, with the record that begins its hand: one that came later would count instead.
    (
        "INSERT INTO decks SELECT stream, hand, at + 1, '\\x01', '\\x02' FROM heads WHERE kind = 'table'",
        "a deck enters once",
    ),
    (
        "INSERT INTO decks SELECT stream, hand + 1, at, '\\x01', '\\x02' FROM heads WHERE kind = 'table'",
        "a deck enters once",
    ),
    ("INSERT INTO decks SELECT stream, 1, at, '\\x01', '\\x02' FROM heads WHERE kind = 'wallet'", "a deck enters once"),
    (deals!("2", ""), "a record enters together with its deck"),
    (
        deals!("2", ", dealt AS (INSERT INTO decks SELECT stream, 3, at, '\\x01', '\\x02' FROM it)"),
        "a deck enters once",
    ),
    (
        deals!("1", ", dealt AS (INSERT INTO decks SELECT stream, 1, at + 1, '\\x01', '\\x02' FROM it)"),
        "a deck enters once",
    ),
    (
        step!("", "NULL, NULL, 0", ", dealt AS (INSERT INTO decks SELECT stream, 2, at, '\\x01', '\\x02' FROM it)"),
        "a deck enters once",
    ),
    ("INSERT INTO decks SELECT gen_random_uuid(), 1, at, '\\x01', '\\x02' FROM heads", "a deck enters once"),
    // A pot account with no open hand is zero.
    (step!(", state = 'idle'", "NULL, NULL, 0", ""), "a pot account with no open hand is zero"),
    (
        step!(
            ", state = 'idle'",
            "NULL, NULL, 1",
            ", posted AS (INSERT INTO transfers SELECT stream, seq, at, 5, 0, \
        'p', '\\x5761' FROM it)"
        ),
        "a pot account with no open hand is zero",
    ),
];

/// What the owner's own mistake must not be able to do.
const MISTAKES: &[(&str, &str)] = &[
    ("UPDATE records SET bytes = '\\x00'", "never changed or deleted"),
    ("DELETE FROM records", "never changed or deleted"),
    ("TRUNCATE records", "never truncated"),
    ("TRUNCATE records_other", "never truncated"),
    ("UPDATE transfers SET amount = 1", "never changed or deleted"),
    ("DELETE FROM transfers", "never changed or deleted"),
    ("TRUNCATE transfers", "never truncated"),
    ("TRUNCATE transfers_other", "never truncated"),
    ("UPDATE decks SET sealed = '\\x00'", "never changed or deleted"),
    ("DELETE FROM decks", "never changed or deleted"),
    ("TRUNCATE decks", "never truncated"),
    ("DELETE FROM heads", "never deleted"),
    ("TRUNCATE heads", "never truncated"),
    ("DELETE FROM accounts", "never deleted"),
    ("TRUNCATE accounts", "never truncated"),
];

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
