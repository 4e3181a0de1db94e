//! What Postgres keeps beside a record, to find it by: changed by somebody who may do everything.

use razz_dealer::audit::reconcile;
use razz_dealer::store::Store;
use sqlx::{AssertSqlSafe, Connection, PgConnection};

use crate::database::{Database, url};
use crate::house::{Ground, House, TABLE, settings};
use crate::process::command;

/// As superuser, with no trigger.
async fn damage(database: &Database, sql: &str) -> PgConnection {
    let mut conn = PgConnection::connect(&url(&Database::server(), None, database.name())).await.expect("a connection");
    let sql = format!("SET session_replication_role = replica; {sql}");
    sqlx::raw_sql(AssertSqlSafe(sql)).execute(&mut conn).await.expect("done");
    conn
}

#[tokio::test(flavor = "multi_thread")]
async fn every_copy_beside_a_record_is_compared() {
    let ground = Ground::server().await;
    let Ground::Server(database) = &ground else { panic!("a server") };
    let mut house = House::seated(&ground, settings(), 2).await;
    house.whole_hand().await;
    house.close().await;
    let table = format!("stream = '{TABLE}'");
    let opening = format!("{table} AND opens = 1");
    let last = format!("{table} AND seq = (SELECT seq FROM heads WHERE {table})");
    let cases = [
        (format!("UPDATE records SET request = NULL WHERE {opening}"), "request is none"),
        (format!("UPDATE records SET request = 42 WHERE {opening}"), "request is 42"),
        (format!("UPDATE records SET opens = NULL WHERE {opening}"), "opens is none, and by its bytes 1"),
        (format!("UPDATE records SET opens = 1 WHERE {last}"), "opens is 1, and by its bytes none"),
        (format!("UPDATE records SET deals = 7 WHERE {opening}"), "deals is 7, and by its bytes 1"),
        (format!("UPDATE records SET transfers = 7 WHERE {opening}"), "transfers is 7, and by its bytes 2"),
        (format!("UPDATE records SET at = at + 3456000000000 WHERE {opening}"), "at is"),
        (format!("UPDATE heads SET at = at + 1 WHERE {table}"), "at of its head is"),
        (
            format!(
                "INSERT INTO records SELECT stream, seq, at + 1, request, opens, transfers, hash, bytes, deals \
                  FROM records WHERE {last}"
            ),
            "row is one more",
        ),
    ];
    for (sql, words) in cases {
        let broken = database.copy().await;
        damage(&broken, &sql).await.close().await.expect("closed");
        let store = broken.store().await;
        let found = reconcile(&*store, None, &mut |_| {}).await.expect("reconciled").differences;
        let copies: Vec<String> = found.iter().filter(|one| one.kind() == "copy").map(ToString::to_string).collect();
        assert!(copies.iter().any(|told| told.contains(words)), "{sql}: {words:?} in {found:#?}");
        store.close().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_of_no_stream_is_named() {
    let ground = Ground::server().await;
    let Ground::Server(database) = &ground else { panic!("a server") };
    let mut house = House::seated(&ground, settings(), 2).await;
    house.whole_hand().await;
    house.close().await;
    damage(database, &format!("DELETE FROM heads WHERE stream = '{TABLE}'")).await.close().await.expect("closed");
    let store = database.store().await;
    let found = reconcile(&*store, None, &mut |_| {}).await.expect("reconciled").differences;
    let strays: Vec<String> = found.iter().filter(|one| one.kind() == "stray").map(ToString::to_string).collect();
    let expected =
        ["records", "transfers", "decks"].map(|what| format!("there are {what} of {TABLE}, which has no head"));
    assert_eq!(strays, expected);
    store.close().await;
}

/// What was found is told although the store lets nobody look for more.
#[tokio::test(flavor = "multi_thread")]
async fn what_was_found_is_told_at_an_early_end() {
    let ground = Ground::server().await;
    let Ground::Server(database) = &ground else { panic!("a server") };
    let mut house = House::seated(&ground, settings(), 2).await;
    house.whole_hand().await;
    house.close().await;
    let sql = format!("UPDATE transfers SET amount = amount + 1 WHERE stream = '{TABLE}' AND seq = 2");
    let mut conn = damage(database, &sql).await;
    sqlx::raw_sql("BEGIN; LOCK TABLE decks IN ACCESS EXCLUSIVE MODE").execute(&mut conn).await.expect("locked");
    let (url, table) = (database.dealer(), TABLE.to_string());
    let args = ["reconcile", "--database", &url, "--table", &table, "--database-timeout-ms", "300"];
    let ended = command::run(&args);
    assert_eq!(ended.code, Some(3), "{}{}", ended.out, ended.err);
    assert!(ended.out.contains("record 2, transfer 0: 501 from wallet of p1"), "{}{}", ended.out, ended.err);
    assert!(ended.err.contains("not finished"), "{}", ended.err);
    conn.close().await.expect("closed");
}
