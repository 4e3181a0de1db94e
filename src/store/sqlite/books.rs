//! What an audit reads: one statement each.

use sqlx::{QueryBuilder, SqliteConnection};

use super::line::trouble;
use super::read::{HeadRow, fixed, from_sql, head_of, in_sql, transfer_of};
use crate::ledger::{Account, TableId};
use crate::record::{Seq, StreamId};
use crate::store::account;
use crate::store::books::Copies;
use crate::store::{Facts, Head, Listed, StoreError, StoredTransfer, Stray, Tally};

/// Sums are made of two parts, as `SQLite` refuses one above 2^63, which 10,000 of the largest amounts pass.
const PART: i128 = 1_000_000_000;

pub(super) async fn streams(
    conn: &mut SqliteConnection,
    after: &[u8],
    limit: u32,
) -> Result<Vec<Listed<Head>>, StoreError> {
    let sql = "SELECT stream, kind, seq, hash, hand, format, deadline, state FROM heads \
               WHERE stream > ? ORDER BY stream LIMIT ?";
    let rows: Vec<HeadRow> = sqlx::query_as(sql).bind(after).bind(limit).fetch_all(conn).await.map_err(trouble)?;
    Ok(rows.into_iter().map(|row| Listed { key: row.0.clone(), row: head_of(row) }).collect())
}

/// From stream to stream by the index, whatever lies in each.
macro_rules! strays {
    ($of:literal) => {
        concat!(
            "WITH RECURSIVE walk (stream) AS (SELECT (SELECT held.stream FROM ",
            $of,
            " AS held WHERE held.stream > ?1 AND held.stream <= ?2 ORDER BY held.stream LIMIT 1) \
             UNION ALL SELECT (SELECT held.stream FROM ",
            $of,
            " AS held WHERE held.stream > walk.stream AND held.stream <= ?2 ORDER BY held.stream LIMIT 1) \
                  FROM walk WHERE walk.stream IS NOT NULL) \
             SELECT stream FROM walk WHERE stream IS NOT NULL \
                 AND NOT EXISTS (SELECT 1 FROM heads WHERE heads.stream = walk.stream)"
        )
    };
}

/// What there can be of a stream, and how streams without a head are found.
const STRAYS: [(&str, &str); 3] = [
    ("records", strays!("records")),
    ("transfers", strays!("transfers")),
    ("decks", strays!("(SELECT table_id AS stream FROM decks)")),
];

pub(super) async fn strays(conn: &mut SqliteConnection, after: &[u8], to: &[u8]) -> Result<Vec<Stray>, StoreError> {
    let mut found = Vec::new();
    for (what, sql) in STRAYS {
        let query = sqlx::query_scalar(sql).bind(after).bind(to);
        let streams: Vec<Vec<u8>> = query.fetch_all(&mut *conn).await.map_err(trouble)?;
        for stream in streams {
            found.push(Stray { what, stream: StreamId(fixed(stream)?) });
        }
    }
    Ok(found)
}

pub(super) async fn record_transfers(
    conn: &mut SqliteConnection,
    stream: StreamId,
    from: Seq,
    to: Seq,
) -> Result<Vec<StoredTransfer>, StoreError> {
    let sql = "SELECT at, stream, seq, idx, debit, credit, amount FROM transfers \
               WHERE stream = ? AND seq BETWEEN ? AND ? ORDER BY seq, idx";
    let query = sqlx::query_as(sql).bind(&stream.0[..]).bind(in_sql(from.0)).bind(in_sql(to.0));
    let rows = query.fetch_all(conn).await.map_err(trouble)?;
    rows.into_iter().map(transfer_of).collect()
}

/// A head's columns, and a balance beside it.
type StandingRow = (Vec<u8>, String, i64, Vec<u8>, i64, u32, Option<i64>, String, i64);

pub(super) async fn standing(
    conn: &mut SqliteConnection,
    stream: StreamId,
    accounts: &[Account],
) -> Result<Option<(Head, Vec<i64>)>, StoreError> {
    // The row before the first account is there for the head alone.
    let mut sql = QueryBuilder::new(
        "SELECT h.stream, h.kind, h.seq, h.hash, h.hand, h.format, h.deadline, h.state, coalesce(a.balance, 0) \
         FROM heads AS h CROSS JOIN (VALUES (-1, x'')",
    );
    for (place, account) in (0_i64..).zip(accounts) {
        sql.push(", (").push_bind(place).push(", ").push_bind(account::key(account)).push(")");
    }
    sql.push(") AS v LEFT JOIN accounts AS a ON a.account = v.column2 WHERE h.stream = ");
    sql.push_bind(&stream.0[..]).push(" ORDER BY v.column1");
    let rows: Vec<StandingRow> = sql.build_query_as().fetch_all(conn).await.map_err(trouble)?;
    let balances = rows.iter().skip(1).map(|row| row.8).collect();
    let head = rows.into_iter().next().map(|(stream, kind, seq, hash, hand, format, deadline, state, _)| {
        head_of((stream, kind, seq, hash, hand, format, deadline, state))
    });
    Ok(head.transpose()?.map(|head| (head, balances)))
}

pub(super) async fn balances(
    conn: &mut SqliteConnection,
    after: &[u8],
    limit: u32,
) -> Result<Vec<Listed<(Account, i64)>>, StoreError> {
    let query = sqlx::query_as("SELECT account, balance FROM accounts WHERE account > ? ORDER BY account LIMIT ?");
    let rows: Vec<(Vec<u8>, i64)> = query.bind(after).bind(limit).fetch_all(conn).await.map_err(trouble)?;
    Ok(rows.into_iter().map(|(key, balance)| account::listed(key, balance)).collect())
}

pub(super) async fn hands_with_decks(
    conn: &mut SqliteConnection,
    table: TableId,
    after: u64,
    limit: u32,
) -> Result<Vec<u64>, StoreError> {
    let sql = "SELECT DISTINCT hand FROM decks WHERE table_id = ? AND hand > ? ORDER BY hand LIMIT ?";
    let query = sqlx::query_scalar(sql).bind(&table.0[..]).bind(in_sql(after)).bind(limit);
    let rows: Vec<i64> = query.fetch_all(conn).await.map_err(trouble)?;
    rows.into_iter().map(from_sql).collect()
}

pub(super) async fn tally(conn: &mut SqliteConnection, account: &Account) -> Result<Tally, StoreError> {
    let sql = "SELECT coalesce((SELECT balance FROM accounts WHERE account = ?1), 0), \
                      credits.high, credits.low, debits.high, debits.low \
               FROM (SELECT coalesce(sum(amount / 1000000000), 0) AS high, \
                            coalesce(sum(amount % 1000000000), 0) AS low \
                     FROM transfers WHERE credit = ?1) AS credits \
               CROSS JOIN \
                    (SELECT coalesce(sum(amount / 1000000000), 0) AS high, \
                            coalesce(sum(amount % 1000000000), 0) AS low \
                     FROM transfers WHERE debit = ?1) AS debits";
    let query = sqlx::query_as(sql).bind(account::key(account));
    let row: (i64, i64, i64, i64, i64) = query.fetch_one(conn).await.map_err(trouble)?;
    let (balance, credits_high, credits_low, debits_high, debits_low) = row;
    Ok(Tally { balance, credited: whole(credits_high, credits_low), debited: whole(debits_high, debits_low) })
}

pub(super) async fn total(conn: &mut SqliteConnection) -> Result<i128, StoreError> {
    let sql = "SELECT coalesce(sum(balance / 1000000000), 0), coalesce(sum(balance % 1000000000), 0) FROM accounts";
    let (high, low) = sqlx::query_as(sql).fetch_one(conn).await.map_err(trouble)?;
    Ok(whole(high, low))
}

/// A record's copies: its seq, moment, hand and request id.
type CopiesRow = (i64, i64, i64, Option<String>);

pub(super) async fn copies(
    conn: &mut SqliteConnection,
    stream: StreamId,
    from: Seq,
    to: Seq,
) -> Result<Vec<Copies>, StoreError> {
    let sql = "SELECT seq, at, hand, request_id FROM records WHERE stream = ? AND seq BETWEEN ? AND ? ORDER BY seq";
    let query = sqlx::query_as(sql).bind(&stream.0[..]).bind(in_sql(from.0)).bind(in_sql(to.0));
    let rows: Vec<CopiesRow> = query.fetch_all(conn).await.map_err(trouble)?;
    let told = |(seq, at, hand, request): CopiesRow| {
        let request = request.unwrap_or_default();
        let copies = [("at", at.to_string()), ("hand", hand.to_string()), ("request", request)];
        Ok((from_sql(seq)?, copies.map(|(fact, found)| (fact, Some(found))).into()))
    };
    rows.into_iter().map(told).collect()
}

/// What they must be.
pub(super) fn expected(facts: &Facts) -> Vec<String> {
    vec![facts.at.0.to_string(), facts.hand.to_string(), facts.request_id.clone()]
}

/// A sum from that of its amounts' quotients and that of their remainders, which bear the same sign.
fn whole(high: i64, low: i64) -> i128 {
    i128::from(high) * PART + i128::from(low)
}
