//! What an audit reads: one statement each.

use sqlx::types::Uuid;

use super::read::{HeadRow, Rows, TransferRow, from_sql};
use super::write::{in_sql, request_key, uuid};
use crate::ledger::{Account, TableId};
use crate::record::{Seq, StreamId};
use crate::store::books::Copies;
use crate::store::{Facts, StoreError, account};

pub(super) fn streams(after: &[u8], limit: u32) -> Rows<HeadRow> {
    let sql = "SELECT stream, kind, seq, hash, hand, format, deadline, state FROM heads \
               WHERE $1::uuid IS NULL OR stream > $1 ORDER BY stream LIMIT $2";
    sqlx::query_as(sql).bind(Uuid::from_slice(after).ok()).bind(i64::from(limit))
}

/// From stream to stream by the index, whatever lies in each.
macro_rules! strays {
    ($of:literal) => {
        concat!(
            "WITH RECURSIVE walk AS (SELECT (SELECT held.stream FROM ",
            $of,
            " AS held WHERE ($1::uuid IS NULL OR held.stream > $1) AND held.stream <= $2 \
                  ORDER BY held.stream LIMIT 1) AS stream \
             UNION ALL SELECT (SELECT held.stream FROM ",
            $of,
            " AS held WHERE held.stream > walk.stream AND held.stream <= $2 ORDER BY held.stream LIMIT 1) \
                  FROM walk WHERE walk.stream IS NOT NULL) \
             SELECT stream FROM walk WHERE stream IS NOT NULL \
                 AND NOT EXISTS (SELECT FROM heads WHERE heads.stream = walk.stream)"
        )
    };
}

/// What there can be of a stream, and how streams without a head are found.
pub(super) const STRAYS: [(&str, &str); 3] = [
    ("records", strays!("records")),
    ("transfers", strays!("transfers")),
    ("decks", strays!("(SELECT table_id AS stream FROM decks)")),
];

pub(super) fn strays(sql: &'static str, after: &[u8], to: &[u8]) -> Rows<(Uuid,)> {
    sqlx::query_as(sql).bind(Uuid::from_slice(after).ok()).bind(Uuid::from_slice(to).unwrap_or(Uuid::max()))
}

pub(super) fn record_transfers(stream: StreamId, from: Seq, to: Seq) -> Rows<TransferRow> {
    let sql = "SELECT at, stream, seq, idx, debit, credit, amount FROM transfers \
               WHERE stream = $1 AND seq BETWEEN $2 AND $3 ORDER BY seq, idx";
    sqlx::query_as(sql).bind(uuid(stream.0)).bind(in_sql(from.0)).bind(in_sql(to.0))
}

/// A head's columns, and the balances beside it.
pub(super) type StandingRow = (Uuid, String, i64, Vec<u8>, i64, i32, Option<i64>, String, Vec<i64>);

pub(super) fn standing(stream: StreamId, accounts: &[Account]) -> Rows<StandingRow> {
    let sql = "SELECT stream, kind, seq, hash, hand, format, deadline, state, ARRAY(\
                   SELECT coalesce(accounts.balance, 0) FROM unnest($2::bytea[]) WITH ORDINALITY AS asked (account, n) \
                   LEFT JOIN accounts USING (account) ORDER BY n\
               ) FROM heads WHERE stream = $1";
    sqlx::query_as(sql).bind(uuid(stream.0)).bind(accounts.iter().map(account::key).collect::<Vec<_>>())
}

pub(super) fn balances(after: &[u8], limit: u32) -> Rows<(Vec<u8>, i64)> {
    let sql = "SELECT account, balance FROM accounts WHERE account > $1 ORDER BY account LIMIT $2";
    sqlx::query_as(sql).bind(after.to_vec()).bind(i64::from(limit))
}

pub(super) fn hands_with_decks(table: TableId, after: u64, limit: u32) -> Rows<(i64,)> {
    let sql = "SELECT DISTINCT hand FROM decks WHERE table_id = $1 AND hand > $2 ORDER BY hand LIMIT $3";
    sqlx::query_as(sql).bind(uuid(table.0)).bind(in_sql(after)).bind(i64::from(limit))
}

/// Sums come as text: they may be longer than any number that the driver knows.
pub(super) fn tally(of: &Account) -> Rows<(i64, String, String)> {
    let wide = "SELECT coalesce((SELECT balance FROM accounts WHERE account = $1), 0), \
                    (SELECT coalesce(sum(amount), 0)::text FROM transfers \
                     WHERE credit = $1 AND get_byte(credit, 0) IN (72, 87)), \
                    (SELECT coalesce(sum(amount), 0)::text FROM transfers \
                     WHERE debit = $1 AND get_byte(debit, 0) IN (72, 87))";
    let own = "SELECT coalesce((SELECT balance FROM accounts WHERE account = $1), 0), \
                   (SELECT coalesce(sum(amount), 0)::text FROM transfers WHERE stream = $2 AND credit = $3), \
                   (SELECT coalesce(sum(amount), 0)::text FROM transfers WHERE stream = $2 AND debit = $3)";
    match of {
        Account::House | Account::Wallet(_) => sqlx::query_as(wide).bind(account::key(of)),
        Account::Seat(table, _) | Account::Pot(table) | Account::Rake(table) => {
            let short = account::short_key(StreamId::of_table(*table), of);
            sqlx::query_as(own).bind(account::key(of)).bind(uuid(table.0)).bind(short)
        }
    }
}

pub(super) fn total() -> Rows<(String,)> {
    sqlx::query_as("SELECT coalesce(sum(balance), 0)::text FROM accounts")
}

/// A record's copies, and the moment of the head that stands at it.
pub(super) type CopiesRow = (i64, i64, Option<i64>, Option<i64>, Option<i64>, i16, Option<i64>);

pub(super) fn copies(stream: StreamId, from: Seq, to: Seq) -> Rows<CopiesRow> {
    let sql = "SELECT records.seq, records.at, request, opens, deals, transfers, heads.at FROM records \
               LEFT JOIN heads ON heads.stream = records.stream AND heads.seq = records.seq \
               WHERE records.stream = $1 AND records.seq BETWEEN $2 AND $3 ORDER BY records.seq, records.at";
    sqlx::query_as(sql).bind(uuid(stream.0)).bind(in_sql(from.0)).bind(in_sql(to.0))
}

pub(super) fn told((seq, at, request, opens, deals, transfers, head_at): CopiesRow) -> Result<Copies, StoreError> {
    let copies = vec![
        ("at", Some(at.to_string())),
        ("request", Some(number(request))),
        ("opens", Some(number(opens))),
        ("transfers", Some(transfers.to_string())),
        // Records from before that column was there have none.
        ("deals", deals.map(|hand| hand.to_string())),
        ("at of its head", head_at.map(|at| at.to_string())),
    ];
    Ok((from_sql(seq)?, copies))
}

/// What [`told`] must tell.
pub(super) fn expected(facts: &Facts) -> Vec<String> {
    vec![
        facts.at.0.to_string(),
        number(request_key(&facts.request_id)),
        number(facts.opens.then(|| in_sql(facts.hand))),
        facts.transfers.to_string(),
        number(facts.begins.map(in_sql)),
        facts.at.0.to_string(),
    ]
}

fn number(number: Option<i64>) -> String {
    number.map_or_else(|| "none".to_owned(), |number| number.to_string())
}
