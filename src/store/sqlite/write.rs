//! The statements of a batch: a few, however many commands share it. A statement costs more than its rows.

use std::collections::BTreeSet;

use sqlx::{QueryBuilder, Sqlite, SqliteConnection};

use crate::ledger::Transfer;
use crate::record::{FORMAT, StreamId};
use crate::store::account;
use crate::store::{DeckRow, Move};

/// Rows in one statement, at most: with 8 values each they stay below the 32,766 variables that `SQLite` allows.
const MAX_ROWS: usize = 4_000;

type Done = Result<(), sqlx::Error>;

/// Moves the heads that stand where their move expects them, and names them. A stream occurs once at most.
pub(super) async fn move_heads(
    conn: &mut SqliteConnection,
    moves: &[&Move],
) -> Result<BTreeSet<StreamId>, sqlx::Error> {
    let (first, later): (Vec<&Move>, Vec<&Move>) = moves.iter().partition(|one| one.sealed.seq.0 == 1);
    let mut streams = Vec::new();
    for rows in later.chunks(MAX_ROWS) {
        let mut sql = QueryBuilder::new(
            "UPDATE heads SET seq = v.column3, hash = v.column4, hand = v.column5, \
             format = max(heads.format, v.column6), deadline = v.column7, state = v.column8 FROM (",
        );
        push_heads(&mut sql, rows);
        sql.push(") AS v WHERE heads.stream = v.column1 AND heads.seq = v.column3 - 1 RETURNING stream");
        streams.extend(sql.build_query_scalar::<Vec<u8>>().fetch_all(&mut *conn).await?);
    }
    for rows in first.chunks(MAX_ROWS) {
        let mut sql = QueryBuilder::new(
            "INSERT INTO heads (stream, kind, seq, hash, hand, format, deadline, state) SELECT * FROM (",
        );
        push_heads(&mut sql, rows);
        sql.push(") AS v WHERE NOT EXISTS (SELECT 1 FROM heads WHERE stream = v.column1) RETURNING stream");
        streams.extend(sql.build_query_scalar::<Vec<u8>>().fetch_all(&mut *conn).await?);
    }
    Ok(streams.into_iter().filter_map(|stream| stream.try_into().ok().map(StreamId)).collect())
}

fn push_heads(sql: &mut QueryBuilder<Sqlite>, moves: &[&Move]) {
    sql.push_values(moves, |mut row, one| {
        row.push_bind(&one.sealed.stream.0[..])
            .push_bind(one.kind.word())
            .push_bind(in_sql(one.sealed.seq.0))
            .push_bind(&one.sealed.hash.0[..])
            .push_bind(in_sql(one.hand))
            .push_bind(FORMAT)
            .push_bind(one.deadline.map(|deadline| deadline.0))
            .push_bind(one.state.word());
    });
}

/// The streams among those of these moves that have a record of the move's request id already.
pub(super) async fn known_requests(
    conn: &mut SqliteConnection,
    moves: &[&Move],
) -> Result<BTreeSet<StreamId>, sqlx::Error> {
    let asked: Vec<&&Move> = moves.iter().filter(|one| !one.request_id.is_empty()).collect();
    let mut known = Vec::new();
    for rows in asked.chunks(MAX_ROWS) {
        // Row by row through the index: an `IN` over pairs would read every record.
        let mut sql = QueryBuilder::new("SELECT v.column1 FROM (");
        sql.push_values(rows, |mut row, one| {
            row.push_bind(&one.sealed.stream.0[..]).push_bind(one.request_id.as_str());
        });
        sql.push(") AS v WHERE EXISTS (SELECT 1 FROM records WHERE stream = v.column1 AND request_id = v.column2)");
        known.extend(sql.build_query_scalar::<Vec<u8>>().fetch_all(&mut *conn).await?);
    }
    Ok(known.into_iter().filter_map(|stream| stream.try_into().ok().map(StreamId)).collect())
}

/// Writes the records of moves whose heads have moved, and their transfers; the balances follow by trigger.
pub(super) async fn insert_records(conn: &mut SqliteConnection, moves: &[&Move]) -> Done {
    for rows in moves.chunks(MAX_ROWS) {
        let mut sql = QueryBuilder::new("INSERT INTO records (stream, seq, at, hand, request_id, hash, bytes) ");
        sql.push_values(rows, |mut row, one| {
            row.push_bind(&one.sealed.stream.0[..])
                .push_bind(in_sql(one.sealed.seq.0))
                .push_bind(one.at.0)
                .push_bind(in_sql(one.hand))
                .push_bind((!one.request_id.is_empty()).then_some(one.request_id.as_str()))
                .push_bind(&one.sealed.hash.0[..])
                .push_bind(&one.sealed.bytes[..]);
        });
        sql.build().execute(&mut *conn).await?;
    }
    let transfers = moves.iter().flat_map(|one| (0_i64..).zip(&one.transfers).map(move |(idx, it)| (*one, idx, it)));
    let transfers: Vec<(&Move, i64, &Transfer)> = transfers.collect();
    for rows in transfers.chunks(MAX_ROWS) {
        let mut sql = QueryBuilder::new("INSERT INTO transfers (stream, seq, idx, at, debit, credit, amount) ");
        sql.push_values(rows, |mut row, (one, idx, transfer)| {
            row.push_bind(&one.sealed.stream.0[..])
                .push_bind(in_sql(one.sealed.seq.0))
                .push_bind(*idx)
                .push_bind(one.at.0)
                .push_bind(account::key(transfer.from()))
                .push_bind(account::key(transfer.to()))
                .push_bind(transfer.amount().units());
        });
        sql.build().execute(&mut *conn).await?;
    }
    Ok(())
}

/// Adds sealed decks.
pub(super) async fn insert_decks(conn: &mut SqliteConnection, decks: &[&DeckRow]) -> Done {
    for rows in decks.chunks(MAX_ROWS) {
        let mut sql = QueryBuilder::new("INSERT INTO decks (table_id, hand, key_id, sealed) ");
        sql.push_values(rows, |mut row, deck| {
            row.push_bind(&deck.table.0[..])
                .push_bind(in_sql(deck.hand))
                .push_bind(&deck.key_id[..])
                .push_bind(&deck.sealed[..]);
        });
        sql.build().execute(&mut *conn).await?;
    }
    Ok(())
}

/// A number that the store's door has found to fit.
fn in_sql(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}
