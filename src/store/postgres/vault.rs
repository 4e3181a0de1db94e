//! Decks by their keys: one statement each.

use super::read::{Rows, from_sql, in_sql, uuid};
use crate::ledger::TableId;
use crate::store::{DeckRow, RestingDeck, StoreError};

pub(super) type Row = (sqlx::types::Uuid, i64, Vec<u8>, Vec<u8>, bool);

/// Downwards, as the key of the table can be read in that order: the latest of each hand comes first, and a page costs
/// what it holds.
pub(super) fn decks(after: Option<(TableId, u64)>, limit: u32) -> Rows<Row> {
    let sql = "SELECT latest.table_id, latest.hand, latest.key_id, latest.sealed, \
                      latest.hand > heads.hand OR (latest.hand = heads.hand AND heads.state <> 'idle') \
               FROM (SELECT DISTINCT ON (table_id, hand) table_id, hand, key_id, sealed FROM decks \
                     WHERE (table_id, hand) < ($1, $2) ORDER BY table_id DESC, hand DESC, at DESC LIMIT $3) AS latest \
               JOIN heads ON heads.stream = latest.table_id ORDER BY latest.table_id DESC, latest.hand DESC";
    // Behind every hand stands the last number of the last id.
    let (table, hand) = after.map_or((uuid([0xff; 16]), i64::MAX), |(table, hand)| (uuid(table.0), in_sql(hand)));
    sqlx::query_as(sql).bind(table).bind(hand).bind(i64::from(limit))
}

pub(super) fn resting((table, hand, key_id, sealed, in_use): Row) -> Result<RestingDeck, StoreError> {
    let row = DeckRow { table: TableId(table.into_bytes()), hand: from_sql(hand)?, key_id, sealed };
    Ok(RestingDeck { row, in_use })
}

/// After all that are there, by the server's clock or by the next moment. Who comes at the same moment is as good.
pub(super) fn add_deck(row: &DeckRow) -> Rows<(i64,)> {
    let sql = "INSERT INTO decks (table_id, hand, at, key_id, sealed) \
               SELECT $1, $2, greatest(max(at) + 1, (extract(epoch FROM clock_timestamp()) * 1000000)::bigint), $3, $4 \
               FROM decks WHERE table_id = $1 AND hand = $2 \
               ON CONFLICT DO NOTHING RETURNING at";
    sqlx::query_as(sql).bind(uuid(row.table.0)).bind(in_sql(row.hand)).bind(row.key_id.clone()).bind(row.sealed.clone())
}

pub(super) fn keys_in_use() -> Rows<(Vec<u8>, i64)> {
    let sql = "SELECT latest.key_id, count(*) FROM heads CROSS JOIN LATERAL (\
                   SELECT key_id FROM decks WHERE table_id = heads.stream AND decks.hand = heads.hand \
                   ORDER BY at DESC LIMIT 1) AS latest \
               WHERE heads.state <> 'idle' GROUP BY latest.key_id ORDER BY latest.key_id";
    sqlx::query_as(sql)
}

pub(super) fn in_use((key, count): (Vec<u8>, i64)) -> Result<(Vec<u8>, u64), StoreError> {
    Ok((key, from_sql(count)?))
}

pub(super) fn retired_keys() -> Rows<(Vec<u8>,)> {
    sqlx::query_as("SELECT key_id FROM retired_keys ORDER BY key_id")
}

pub(super) fn retire_key(key_id: &[u8]) -> Rows<(i64,)> {
    let sql = "INSERT INTO retired_keys (key_id) SELECT $1 \
               WHERE NOT EXISTS (SELECT FROM retired_keys WHERE key_id = $1) RETURNING at";
    sqlx::query_as(sql).bind(key_id.to_vec())
}
