//! Decks by their keys: one statement each.

use sqlx::SqliteConnection;

use super::line::{refused_by, trouble};
use super::read::{fixed, from_sql, in_sql};
use crate::ledger::TableId;
use crate::store::{DeckRow, RestingDeck, StoreError};

/// How the trigger on decks calls a key that was retired.
pub(super) const RETIRED: &str = "the key was retired";
/// How the trigger on retired keys calls one that is needed.
const NEEDED: &str = "decks rest under this key";

/// How the trigger on retired keys calls one that was never used.
const UNKNOWN: &str = "no deck ever rested under this key";

type Row = (Vec<u8>, i64, Vec<u8>, Vec<u8>, bool);

pub(super) async fn decks(
    conn: &mut SqliteConnection,
    after: Option<(TableId, u64)>,
    limit: u32,
) -> Result<Vec<RestingDeck>, StoreError> {
    let sql = "SELECT table_id, decks.hand, key_id, sealed, \
                      decks.hand > heads.hand OR (decks.hand = heads.hand AND heads.state <> 'idle') \
               FROM decks JOIN heads ON heads.stream = table_id \
               WHERE (table_id, decks.hand) > (?, ?) AND n = (SELECT max(n) FROM decks AS all_of_it \
                   WHERE all_of_it.table_id = decks.table_id AND all_of_it.hand = decks.hand) \
               ORDER BY table_id, decks.hand LIMIT ?";
    // Before every id stands the empty one.
    let (table, hand) = after.as_ref().map_or((&[][..], 0), |(table, hand)| (&table.0[..], in_sql(*hand)));
    let query = sqlx::query_as(sql).bind(table).bind(hand).bind(limit);
    let rows: Vec<Row> = query.fetch_all(conn).await.map_err(trouble)?;
    let resting = |(table, hand, key_id, sealed, in_use)| {
        let row = DeckRow { table: TableId(fixed(table)?), hand: from_sql(hand)?, key_id, sealed };
        Ok(RestingDeck { row, in_use })
    };
    rows.into_iter().map(resting).collect()
}

pub(super) async fn add_deck(conn: &mut SqliteConnection, row: &DeckRow) -> Result<(), StoreError> {
    let sql = "INSERT INTO decks (table_id, hand, key_id, sealed) VALUES (?, ?, ?, ?)";
    let query = sqlx::query(sql).bind(&row.table.0[..]).bind(in_sql(row.hand)).bind(&row.key_id[..]);
    query.bind(&row.sealed[..]).execute(conn).await.map(|_| ()).map_err(refusal)
}

pub(super) async fn keys_in_use(conn: &mut SqliteConnection) -> Result<Vec<(Vec<u8>, u64)>, StoreError> {
    let sql = "SELECT key_id, count(*) FROM heads JOIN decks \
                   ON decks.n = (SELECT max(n) FROM decks WHERE table_id = heads.stream AND hand = heads.hand) \
               WHERE heads.state <> 'idle' GROUP BY key_id ORDER BY key_id";
    let rows: Vec<(Vec<u8>, i64)> = sqlx::query_as(sql).fetch_all(conn).await.map_err(trouble)?;
    rows.into_iter().map(|(key, count)| Ok((key, from_sql(count)?))).collect()
}

pub(super) async fn retired_keys(conn: &mut SqliteConnection) -> Result<Vec<Vec<u8>>, StoreError> {
    sqlx::query_scalar("SELECT key_id FROM retired_keys ORDER BY key_id").fetch_all(conn).await.map_err(trouble)
}

pub(super) async fn retire_key(conn: &mut SqliteConnection, key_id: &[u8]) -> Result<(), StoreError> {
    let sql =
        "INSERT INTO retired_keys (key_id) SELECT ?1 WHERE NOT EXISTS (SELECT 1 FROM retired_keys WHERE key_id = ?1)";
    sqlx::query(sql).bind(key_id).execute(conn).await.map(|_| ()).map_err(refusal)
}

fn refusal(error: sqlx::Error) -> StoreError {
    match refused_by(&error) {
        Some(RETIRED) => StoreError::KeyRetired,
        Some(NEEDED) => StoreError::KeyNeeded,
        Some(UNKNOWN) => StoreError::KeyUnknown,
        Some(words) => StoreError::Corrupt(words.to_owned()),
        None => trouble(error),
    }
}
