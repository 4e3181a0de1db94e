//! Reads: one statement each.

use sqlx::SqliteConnection;

use super::line::trouble;
use crate::engine::Chips;
use crate::ledger::{Account, TableId, Transfer};
use crate::record::{Hash, Micros, Sealed, Seq, StreamId};
use crate::store::account;
use crate::store::{DeckRow, HandState, Head, StoreError, StoredTransfer, StreamKind, TransferCursor};

pub(super) type HeadRow = (Vec<u8>, String, i64, Vec<u8>, i64, u32, Option<i64>, String);
type RecordRow = (Vec<u8>, i64, Vec<u8>, Vec<u8>);
type TransferRow = (i64, Vec<u8>, i64, u32, Vec<u8>, Vec<u8>, i64);

pub(super) async fn head(conn: &mut SqliteConnection, stream: StreamId) -> Result<Option<Head>, StoreError> {
    let sql = "SELECT stream, kind, seq, hash, hand, format, deadline, state FROM heads WHERE stream = ?";
    let row: Option<HeadRow> = sqlx::query_as(sql).bind(&stream.0[..]).fetch_optional(conn).await.map_err(trouble)?;
    row.map(head_of).transpose()
}

pub(super) async fn hand_records(
    conn: &mut SqliteConnection,
    stream: StreamId,
    hand: u64,
) -> Result<Vec<Sealed>, StoreError> {
    let sql = "SELECT stream, seq, hash, bytes FROM records WHERE stream = ? AND hand = ? ORDER BY seq";
    let query = sqlx::query_as(sql).bind(&stream.0[..]).bind(in_sql(hand));
    sealed(query.fetch_all(conn).await)
}

pub(super) async fn records(
    conn: &mut SqliteConnection,
    stream: StreamId,
    after: Seq,
    limit: u32,
) -> Result<Vec<Sealed>, StoreError> {
    let sql = "SELECT stream, seq, hash, bytes FROM records WHERE stream = ? AND seq > ? ORDER BY seq LIMIT ?";
    let query = sqlx::query_as(sql).bind(&stream.0[..]).bind(in_sql(after.0)).bind(limit);
    sealed(query.fetch_all(conn).await)
}

pub(super) async fn find_request(
    conn: &mut SqliteConnection,
    stream: StreamId,
    request_id: &str,
) -> Result<Option<Sealed>, StoreError> {
    let sql = "SELECT stream, seq, hash, bytes FROM records WHERE stream = ? AND request_id = ?";
    let query = sqlx::query_as(sql).bind(&stream.0[..]).bind(request_id);
    Ok(sealed(query.fetch_all(conn).await)?.pop())
}

pub(super) async fn balance(conn: &mut SqliteConnection, account: &Account) -> Result<i64, StoreError> {
    let query = sqlx::query_scalar("SELECT balance FROM accounts WHERE account = ?").bind(account::key(account));
    Ok(query.fetch_optional(conn).await.map_err(trouble)?.unwrap_or(0))
}

pub(super) async fn transfers(
    conn: &mut SqliteConnection,
    account: &Account,
    after: Option<TransferCursor>,
    limit: u32,
) -> Result<Vec<StoredTransfer>, StoreError> {
    // No transfer has one account on both sides, so none comes twice. Each half follows its index.
    let sql = "SELECT at, stream, seq, idx, debit, credit, amount FROM transfers \
               WHERE debit = ?1 AND (at, stream, seq, idx) > (?2, ?3, ?4, ?5) \
               UNION ALL \
               SELECT at, stream, seq, idx, debit, credit, amount FROM transfers \
               WHERE credit = ?1 AND (at, stream, seq, idx) > (?2, ?3, ?4, ?5) \
               ORDER BY at, stream, seq, idx LIMIT ?6";
    let query = sqlx::query_as(sql).bind(account::key(account));
    let query = match &after {
        Some(after) => {
            let query = query.bind(after.at.0).bind(&after.stream.0[..]);
            query.bind(in_sql(after.seq.0)).bind(i64::from(after.index))
        }
        None => query.bind(i64::MIN).bind(&[][..]).bind(0_i64).bind(0_i64),
    };
    let rows: Vec<TransferRow> = query.bind(limit).fetch_all(conn).await.map_err(trouble)?;
    rows.into_iter().map(transfer_of).collect()
}

pub(super) async fn tables(
    conn: &mut SqliteConnection,
    after: Option<TableId>,
    limit: u32,
) -> Result<Vec<Head>, StoreError> {
    let sql = "SELECT stream, kind, seq, hash, hand, format, deadline, state FROM heads \
               WHERE kind = 'table' AND stream > ? ORDER BY stream LIMIT ?";
    // Before every id stands the empty one.
    let after = after.as_ref().map_or(&[][..], |table| &table.0[..]);
    let rows: Vec<HeadRow> = sqlx::query_as(sql).bind(after).bind(limit).fetch_all(conn).await.map_err(trouble)?;
    rows.into_iter().map(head_of).collect()
}

pub(super) async fn due(
    conn: &mut SqliteConnection,
    state: HandState,
    until: Micros,
    after: Option<(Micros, StreamId)>,
    limit: u32,
) -> Result<Vec<Head>, StoreError> {
    let sql = "SELECT stream, kind, seq, hash, hand, format, deadline, state FROM heads \
               WHERE state = ?1 AND deadline IS NOT NULL AND deadline BETWEEN ?3 AND ?2 \
                   AND (deadline, stream) > (?3, ?4) \
               ORDER BY deadline, stream LIMIT ?5";
    // Before every id stands the empty one.
    let (moment, stream) = after.as_ref().map_or((i64::MIN, &[][..]), |(moment, stream)| (moment.0, &stream.0[..]));
    let query = sqlx::query_as(sql).bind(state.word()).bind(until.0).bind(moment).bind(stream).bind(limit);
    let rows: Vec<HeadRow> = query.fetch_all(conn).await.map_err(trouble)?;
    rows.into_iter().map(head_of).collect()
}

pub(super) async fn open_hands(
    conn: &mut SqliteConnection,
    after: Option<TableId>,
    limit: u32,
) -> Result<Vec<Head>, StoreError> {
    let sql = "SELECT stream, kind, seq, hash, hand, format, deadline, state FROM heads \
               WHERE state <> 'idle' AND stream > ? ORDER BY stream LIMIT ?";
    let after = after.as_ref().map_or(&[][..], |table| &table.0[..]);
    let rows: Vec<HeadRow> = sqlx::query_as(sql).bind(after).bind(limit).fetch_all(conn).await.map_err(trouble)?;
    rows.into_iter().map(head_of).collect()
}

pub(super) async fn deck(
    conn: &mut SqliteConnection,
    table: TableId,
    hand: u64,
) -> Result<Option<DeckRow>, StoreError> {
    let sql = "SELECT key_id, sealed FROM decks WHERE table_id = ? AND hand = ? ORDER BY n DESC LIMIT 1";
    let query = sqlx::query_as(sql).bind(&table.0[..]).bind(in_sql(hand));
    let row: Option<(Vec<u8>, Vec<u8>)> = query.fetch_optional(conn).await.map_err(trouble)?;
    Ok(row.map(|(key_id, sealed)| DeckRow { table, hand, key_id, sealed }))
}

pub(super) fn head_of((stream, kind, seq, hash, hand, format, deadline, state): HeadRow) -> Result<Head, StoreError> {
    Ok(Head {
        stream: StreamId(fixed(stream)?),
        kind: StreamKind::of_word(&kind)?,
        seq: Seq(from_sql(seq)?),
        hash: Hash(fixed(hash)?),
        hand: from_sql(hand)?,
        format,
        state: HandState::of_word(&state)?,
        deadline: deadline.map(Micros),
    })
}

fn sealed(rows: Result<Vec<RecordRow>, sqlx::Error>) -> Result<Vec<Sealed>, StoreError> {
    let one = |(stream, seq, hash, bytes): RecordRow| {
        Ok(Sealed { stream: StreamId(fixed(stream)?), seq: Seq(from_sql(seq)?), hash: Hash(fixed(hash)?), bytes })
    };
    rows.map_err(trouble)?.into_iter().map(one).collect()
}

pub(super) fn transfer_of(
    (at, stream, seq, index, debit, credit, amount): TransferRow,
) -> Result<StoredTransfer, StoreError> {
    let cursor = TransferCursor { at: Micros(at), stream: StreamId(fixed(stream)?), seq: Seq(from_sql(seq)?), index };
    let transfer = || Transfer::new(account::account(&debit)?, account::account(&credit)?, Chips::new(amount)?);
    match transfer() {
        Some(transfer) => Ok(StoredTransfer { cursor, transfer }),
        None => Err(StoreError::Corrupt(format!("transfer {index} of record {seq} is none"))),
    }
}

/// A number as a bound of a search. No stored one is above `i64::MAX`, so that stands for all that are.
pub(super) fn in_sql(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

pub(super) fn from_sql(number: i64) -> Result<u64, StoreError> {
    u64::try_from(number).map_err(|_| StoreError::Corrupt(format!("{number} where no number is below zero")))
}

pub(super) fn fixed<const N: usize>(bytes: Vec<u8>) -> Result<[u8; N], StoreError> {
    let found = bytes.len();
    bytes.try_into().map_err(|_| StoreError::Corrupt(format!("{found} bytes where there must be {N}")))
}
