//! Reads: one statement each.

use sqlx::Postgres;
use sqlx::postgres::PgArguments;
use sqlx::query::QueryAs;
use sqlx::types::Uuid;

use super::write::request_key;
pub(super) use super::write::{in_sql, uuid};
use crate::engine::Chips;
use crate::ledger::{Account, TableId, Transfer};
use crate::record::{Hash, Micros, Sealed, Seq, StreamId};
use crate::store::account;
use crate::store::{HandState, Head, StoreError, StoredTransfer, StreamKind, TransferCursor};

pub(super) type HeadRow = (Uuid, String, i64, Vec<u8>, i64, i32, Option<i64>, String);
pub(super) type RecordRow = (Uuid, i64, Vec<u8>, Vec<u8>);
pub(super) type TransferRow = (i64, Uuid, i64, i16, Vec<u8>, Vec<u8>, i64);

/// A statement with its values, and the rows that it answers with.
pub(super) type Rows<T> = QueryAs<'static, Postgres, T, PgArguments>;

pub(super) fn head(stream: StreamId) -> Rows<HeadRow> {
    let sql = "SELECT stream, kind, seq, hash, hand, format, deadline, state FROM heads WHERE stream = $1";
    sqlx::query_as(sql).bind(uuid(stream.0))
}

/// From the record that opens the hand to the one before the next opening.
pub(super) fn hand_records(stream: StreamId, hand: u64) -> Rows<RecordRow> {
    let sql = "SELECT stream, seq, hash, bytes FROM records \
               WHERE stream = $1 \
                   AND seq >= CASE WHEN $2 = 0 THEN 1 \
                       ELSE (SELECT seq FROM records WHERE stream = $1 AND opens = $2) END \
                   AND seq < coalesce((SELECT min(seq) FROM records WHERE stream = $1 AND opens = $4), $3) \
               ORDER BY seq";
    let next = in_sql(hand.saturating_add(1));
    sqlx::query_as(sql).bind(uuid(stream.0)).bind(in_sql(hand)).bind(i64::MAX).bind(next)
}

pub(super) fn records(stream: StreamId, after: Seq, limit: u32) -> Rows<RecordRow> {
    let sql = "SELECT stream, seq, hash, bytes FROM records WHERE stream = $1 AND seq > $2 ORDER BY seq LIMIT $3";
    sqlx::query_as(sql).bind(uuid(stream.0)).bind(in_sql(after.0)).bind(i64::from(limit))
}

pub(super) fn find_request(stream: StreamId, request_id: &str) -> Rows<RecordRow> {
    let sql = "SELECT stream, seq, hash, bytes FROM records WHERE stream = $1 AND request = $2";
    sqlx::query_as(sql).bind(uuid(stream.0)).bind(request_key(request_id))
}

pub(super) fn balance(account: &Account) -> Rows<(i64,)> {
    let sql = "SELECT balance FROM accounts WHERE account = $1";
    sqlx::query_as(sql).bind(account::key(account))
}

/// The transfers of the house or a wallet, over all streams by their indexes.
const WIDE: &str = "SELECT at, stream, seq, idx, debit, credit, amount FROM (\
                        (SELECT * FROM transfers \
                         WHERE debit = $1 AND get_byte(debit, 0) IN (72, 87) \
                             AND at >= $2 AND (at, stream, seq, idx) > ($2, $3, $4, $5) \
                         ORDER BY debit, at, stream, seq, idx LIMIT $6) \
                        UNION ALL \
                        (SELECT * FROM transfers \
                         WHERE credit = $1 AND get_byte(credit, 0) IN (72, 87) \
                             AND at >= $2 AND (at, stream, seq, idx) > ($2, $3, $4, $5) \
                         ORDER BY credit, at, stream, seq, idx LIMIT $6)\
                    ) AS both_sides ORDER BY at, stream, seq, idx LIMIT $6";

/// The transfers of a table's account: they stand in the table's stream, in which time goes forward with the records.
const OWN: &str = "SELECT at, stream, seq, idx, debit, credit, amount FROM transfers \
                   WHERE stream = $3 AND (debit = $1 OR credit = $1) AND (at, stream, seq, idx) > ($2, $3, $4, $5) \
                       AND seq >= $4 \
                   ORDER BY seq, idx LIMIT $6";

pub(super) fn transfers(account: &Account, after: Option<TransferCursor>, limit: u32) -> Rows<TransferRow> {
    let (at, seq, index) = match after {
        Some(after) => (after.at.0, in_sql(after.seq.0), after.index),
        None => (i64::MIN, 0, 0),
    };
    let (sql, stream) = match account {
        Account::House | Account::Wallet(_) => (WIDE, after.map_or(StreamId([0; 16]), |after| after.stream)),
        Account::Seat(table, _) | Account::Pot(table) | Account::Rake(table) => (OWN, StreamId::of_table(*table)),
    };
    let query = sqlx::query_as(sql).bind(account::short_key(stream, account)).bind(at).bind(uuid(stream.0)).bind(seq);
    query.bind(i16::try_from(index).unwrap_or(i16::MAX)).bind(i64::from(limit))
}

pub(super) fn tables(after: Option<TableId>, limit: u32) -> Rows<HeadRow> {
    let sql = "SELECT stream, kind, seq, hash, hand, format, deadline, state FROM heads \
               WHERE kind = 'table' AND ($1::uuid IS NULL OR stream > $1) ORDER BY stream LIMIT $2";
    sqlx::query_as(sql).bind(after.map(|table| uuid(table.0))).bind(i64::from(limit))
}

pub(super) fn due(state: HandState, until: Micros, after: Option<(Micros, StreamId)>, limit: u32) -> Rows<HeadRow> {
    let sql = "SELECT stream, kind, seq, hash, hand, format, deadline, state FROM heads \
               WHERE state = $1 AND deadline IS NOT NULL AND deadline BETWEEN $3 AND $2 \
                   AND (deadline, stream) > ($3, $4) \
               ORDER BY deadline, stream LIMIT $5";
    let (moment, stream) = after.unwrap_or((Micros(i64::MIN), StreamId([0; 16])));
    sqlx::query_as(sql).bind(state.word()).bind(until.0).bind(moment.0).bind(uuid(stream.0)).bind(i64::from(limit))
}

pub(super) fn open_hands(after: Option<TableId>, limit: u32) -> Rows<HeadRow> {
    let sql = "SELECT stream, kind, seq, hash, hand, format, deadline, state FROM heads \
               WHERE state <> 'idle' AND ($1::uuid IS NULL OR stream > $1) ORDER BY stream LIMIT $2";
    sqlx::query_as(sql).bind(after.map(|table| uuid(table.0))).bind(i64::from(limit))
}

pub(super) fn deck(table: TableId, hand: u64) -> Rows<(Vec<u8>, Vec<u8>)> {
    let sql = "SELECT key_id, sealed FROM decks WHERE table_id = $1 AND hand = $2 ORDER BY at DESC LIMIT 1";
    sqlx::query_as(sql).bind(uuid(table.0)).bind(in_sql(hand))
}

pub(super) fn heads(rows: Vec<HeadRow>) -> Result<Vec<Head>, StoreError> {
    rows.into_iter().map(head_of).collect()
}

pub(super) fn head_of((stream, kind, seq, hash, hand, format, deadline, state): HeadRow) -> Result<Head, StoreError> {
    Ok(Head {
        stream: StreamId(stream.into_bytes()),
        kind: StreamKind::of_word(&kind)?,
        seq: Seq(from_sql(seq)?),
        hash: Hash(fixed(hash)?),
        hand: from_sql(hand)?,
        format: u32::try_from(format).unwrap_or(u32::MAX),
        state: HandState::of_word(&state)?,
        deadline: deadline.map(Micros),
    })
}

pub(super) fn sealed(rows: Vec<RecordRow>) -> Result<Vec<Sealed>, StoreError> {
    let one = |(stream, seq, hash, bytes): RecordRow| {
        Ok(Sealed { stream: StreamId(stream.into_bytes()), seq: Seq(from_sql(seq)?), hash: Hash(fixed(hash)?), bytes })
    };
    rows.into_iter().map(one).collect()
}

pub(super) fn stored(rows: Vec<TransferRow>) -> Result<Vec<StoredTransfer>, StoreError> {
    let one = |(at, stream, seq, index, debit, credit, amount): TransferRow| {
        let (at, stream) = (Micros(at), StreamId(stream.into_bytes()));
        let account = |key: &[u8]| account::of_short_key(stream, key);
        let transfer = || Transfer::new(account(&debit)?, account(&credit)?, Chips::new(amount)?);
        let transfer = transfer();
        let index = u32::try_from(index).unwrap_or_default();
        let cursor = TransferCursor { at, stream, seq: Seq(from_sql(seq)?), index };
        let none = || StoreError::Corrupt(format!("transfer {index} of record {seq} is none"));
        Ok(StoredTransfer { cursor, transfer: transfer.ok_or_else(none)? })
    };
    rows.into_iter().map(one).collect()
}

pub(super) fn from_sql(number: i64) -> Result<u64, StoreError> {
    u64::try_from(number).map_err(|_| StoreError::Corrupt(format!("{number} where no number is below zero")))
}

fn fixed<const N: usize>(bytes: Vec<u8>) -> Result<[u8; N], StoreError> {
    let found = bytes.len();
    bytes.try_into().map_err(|_| StoreError::Corrupt(format!("{found} bytes where there must be {N}")))
}
