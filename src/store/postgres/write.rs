//! The one statement of a batch, whatever its size.
//!
//! It locks the heads in the order of their streams and passes over those that another session holds; it moves the
//! heads that stand where their command expects them; and every insert takes only what belongs to a head that moves,
//! which the triggers hold it to. So no member can hurt another, and nothing can come between the first change and the
//! last: the statement is done, or it is not.

use std::collections::BTreeSet;

use sha2::{Digest, Sha256};
use sqlx::postgres::PgArguments;
use sqlx::query::QueryAs;
use sqlx::types::Uuid;
use sqlx::{PgConnection, Postgres};

use crate::record::{FORMAT, StreamId};
use crate::store::{Commit, DeckRow, Move, account};

/// Locks the heads, looks at them, and moves those that stand where their command expects them. `$lock` says what
/// becomes of a head that another session holds.
macro_rules! moving {
    ($lock:literal) => {
        concat!(
            "WITH asked AS (\
                 SELECT * FROM unnest($1::uuid[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::text[], \
                     $7::text[], $8::bytea[], $9::bigint[], $10::smallint[], $11::bytea[]) \
                 WITH ORDINALITY AS asked (stream, seq, at, hand, deadline, state, kind, hash, request, transfers, \
                     bytes, member) \
             ), found AS MATERIALIZED (\
                 SELECT asked.*, held.seq AS head_seq, held.hand AS head_hand FROM asked LEFT JOIN LATERAL (\
                     SELECT heads.seq, heads.hand FROM heads WHERE heads.stream = asked.stream LIMIT 1 FOR UPDATE ",
            $lock,
            ") AS held ON true \
             ), moved AS (\
                 UPDATE heads SET seq = found.seq, at = found.at, hand = found.hand, deadline = found.deadline, \
                     state = found.state, hash = found.hash, format = greatest(heads.format, $12) \
                 FROM found WHERE heads.stream = found.stream AND found.head_seq = found.seq - 1\
             )"
        )
    };
}

/// Which commands are done, where no stream begins.
macro_rules! moved {
    () => {
        ", done AS MATERIALIZED (\
             SELECT found.*, seq > 1 AND coalesce(head_seq = seq - 1, false) AS done FROM found\
         )"
    };
}

/// Which commands are done, where streams begin too.
macro_rules! moved_or_begun {
    () => {
        ", made AS (\
             INSERT INTO heads (stream, seq, at, hand, deadline, state, format, kind, hash) \
             SELECT stream, seq, at, hand, deadline, state, $12, kind, hash FROM found \
             WHERE seq = 1 AND head_seq IS NULL \
             ON CONFLICT DO NOTHING RETURNING stream\
         ), done AS MATERIALIZED (\
             SELECT found.*, \
                 CASE WHEN seq = 1 THEN stream IN (SELECT stream FROM made) \
                      ELSE coalesce(head_seq = seq - 1, false) END AS done \
             FROM found\
         )"
    };
}

/// The records of the commands that are done; `$deals` is the hand whose deck enters with each.
macro_rules! recording {
    ($deals:literal) => {
        concat!(
            ", recorded AS (\
                 INSERT INTO records (stream, seq, at, request, opens, transfers, hash, bytes, deals) \
                 SELECT stream, seq, at, request, CASE WHEN hand > coalesce(head_hand, 0) THEN hand END, transfers, \
                     hash, bytes, ",
            $deals,
            " FROM done WHERE done\
             )"
        )
    };
}

/// No deck.
macro_rules! without_decks {
    () => {
        recording!("NULL")
    };
}

/// With the decks of [`posting`].
macro_rules! with_decks {
    () => {
        recording!(
            "(SELECT min(asked.hand) FROM unnest($21::bigint[], $23::bigint[]) AS asked (member, hand) \
              WHERE asked.member = done.member)"
        )
    };
}

/// Their transfers and decks.
macro_rules! posting {
    () => {
        ", marks AS MATERIALIZED (\
             SELECT array_agg(done ORDER BY member) AS done FROM done\
         ), posted AS (\
             INSERT INTO transfers (stream, seq, at, amount, idx, debit, credit) \
             SELECT stream, seq, at, amount, idx, debit, credit \
             FROM unnest($13::bigint[], $14::uuid[], $15::bigint[], $16::bigint[], $17::bigint[], $18::smallint[], \
                 $19::bytea[], $20::bytea[]) AS asked (member, stream, seq, at, amount, idx, debit, credit) \
             WHERE (SELECT done FROM marks)[asked.member]\
         ), wrapped AS (\
             INSERT INTO decks (table_id, hand, at, key_id, sealed) \
             SELECT table_id, hand, at, key_id, sealed \
             FROM unnest($21::bigint[], $22::uuid[], $23::bigint[], $24::bigint[], $25::bytea[], $26::bytea[]) \
                 AS asked (member, table_id, hand, at, key_id, sealed) \
             WHERE (SELECT done FROM marks)[asked.member]\
         )"
    };
}

/// What became of each move: done, and held by another session.
macro_rules! telling {
    () => {
        " SELECT done, \
              seq > 1 AND head_seq IS NULL AND EXISTS (SELECT FROM heads WHERE heads.stream = done.stream) \
          FROM done ORDER BY member"
    };
}

/// Actions and the like: no stream begins, no chips move between accounts. Heads that another session holds are passed
/// over.
const ACTS: &str = concat!(moving!("SKIP LOCKED"), moved!(), without_decks!(), telling!());
/// Deals and settlements too: chips move.
const HANDS: &str = concat!(moving!("SKIP LOCKED"), moved!(), with_decks!(), posting!(), telling!());
/// New tables too: streams begin.
const BATCH: &str = concat!(moving!("SKIP LOCKED"), moved_or_begun!(), with_decks!(), posting!(), telling!());
/// One command with its wallet. Heads that another session holds are waited for.
const ALONE: &str = concat!(moving!(""), moved_or_begun!(), with_decks!(), posting!(), telling!());

/// What became of one move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Fate {
    /// Its head has moved.
    Moved,
    /// Its head is held by another session at this moment.
    Held,
    /// Its stream has a record of its request id.
    Known,
    /// Its head stands elsewhere.
    Behind,
}

/// Carries out commands of one move each, those that can be; the fates are in the order of the commands.
pub(super) async fn batch(conn: &mut PgConnection, commits: &[&Commit], named: bool) -> Result<Vec<Fate>, sqlx::Error> {
    let moves = || commits.iter().flat_map(|commit| &commit.moves);
    let begins = moves().any(|one| one.sealed.seq.0 == 1);
    let posts = moves().any(|one| !one.transfers.is_empty()) || commits.iter().any(|commit| commit.deck.is_some());
    let sql = match (begins, posts) {
        (true, _) => BATCH,
        (_, true) => HANDS,
        _ => ACTS,
    };
    write(conn, sql, commits, named).await
}

/// Carries out the moves of one command; the caller takes it back where not all have moved.
pub(super) async fn alone(conn: &mut PgConnection, commit: &Commit, named: bool) -> Result<Vec<Fate>, sqlx::Error> {
    write(conn, ALONE, &[commit], named).await
}

async fn write(
    conn: &mut PgConnection,
    sql: &'static str,
    commits: &[&Commit],
    named: bool,
) -> Result<Vec<Fate>, sqlx::Error> {
    let mut moves: Vec<&Move> = commits.iter().flat_map(|commit| &commit.moves).collect();
    // In the order of their streams: who locks in one order never waits in a circle.
    let mut order: Vec<usize> = (0..moves.len()).collect();
    order.sort_by_key(|&place| moves[place].sealed.stream);
    moves = order.iter().map(|&place| moves[place]).collect();
    let query = sqlx::query_as(sql)
        .bind(column(&moves, |one| uuid(one.sealed.stream.0)))
        .bind(column(&moves, |one| in_sql(one.sealed.seq.0)))
        .bind(column(&moves, |one| one.at.0))
        .bind(column(&moves, |one| in_sql(one.hand)))
        .bind(column(&moves, |one| one.deadline.map(|deadline| deadline.0)))
        .bind(column(&moves, |one| one.state.word()))
        .bind(column(&moves, |one| one.kind.word()))
        .bind(column(&moves, |one| &one.sealed.hash.0[..]))
        .bind(column(&moves, |one| request_key(&one.request_id)))
        .bind(column(&moves, |one| i16::try_from(one.transfers.len()).unwrap_or(i16::MAX)))
        .bind(column(&moves, |one| &one.sealed.bytes[..]))
        .bind(i32::try_from(FORMAT).unwrap_or(i32::MAX));
    let query = if sql == ACTS { query } else { post(query, &moves, commits) };
    // To the end of the answer: the commit comes after the last row.
    let rows: Vec<(bool, bool)> = query.persistent(named).fetch_all(&mut *conn).await?;
    let mut fates = vec![Fate::Behind; moves.len()];
    for (&place, row) in order.iter().zip(rows) {
        fates[place] = match row {
            (true, _) => Fate::Moved,
            (_, true) => Fate::Held,
            _ => Fate::Behind,
        };
    }
    if fates.contains(&Fate::Behind) {
        let known = known(conn, &moves, named).await?;
        for (place, one) in order.iter().zip(&moves) {
            if fates[*place] == Fate::Behind && known.contains(&one.sealed.stream) {
                fates[*place] = Fate::Known;
            }
        }
    }
    Ok(fates)
}

/// The streams among those of these moves that have a record of the move's request id.
async fn known(conn: &mut PgConnection, moves: &[&Move], named: bool) -> Result<BTreeSet<StreamId>, sqlx::Error> {
    let sql = "SELECT stream FROM unnest($1::uuid[], $2::bigint[]) AS asked (stream, request) WHERE EXISTS (\
                   SELECT FROM records WHERE records.stream = asked.stream AND records.request = asked.request\
               )";
    let query = sqlx::query_as(sql)
        .bind(column(moves, |one| uuid(one.sealed.stream.0)))
        .bind(column(moves, |one| request_key(&one.request_id)));
    let rows: Vec<(Uuid,)> = query.persistent(named).fetch_all(conn).await?;
    Ok(rows.into_iter().map(|(stream,)| StreamId(stream.into_bytes())).collect())
}

type Query<'q> = QueryAs<'q, Postgres, (bool, bool), PgArguments>;

/// Binds the transfers and decks of the commands.
fn post<'q>(query: Query<'q>, moves: &[&'q Move], commits: &[&'q Commit]) -> Query<'q> {
    let decks: Vec<(i64, &Move, &DeckRow)> = commits
        .iter()
        .filter_map(|commit| {
            let deck = commit.deck.as_ref()?;
            let member = (1..).zip(moves).find(|(_, one)| one.sealed.stream.0 == deck.table.0)?;
            Some((member.0, *member.1, deck))
        })
        .collect();
    let posted: Vec<_> = (1_i64..)
        .zip(moves)
        .flat_map(|(member, one)| {
            (0_i16..).zip(&one.transfers).map(move |(idx, transfer)| (member, *one, idx, transfer))
        })
        .collect();
    query
        .bind(column(&posted, |(member, ..)| *member))
        .bind(column(&posted, |(_, one, ..)| uuid(one.sealed.stream.0)))
        .bind(column(&posted, |(_, one, ..)| in_sql(one.sealed.seq.0)))
        .bind(column(&posted, |(_, one, ..)| one.at.0))
        .bind(column(&posted, |(.., transfer)| transfer.amount().units()))
        .bind(column(&posted, |(_, _, idx, _)| *idx))
        .bind(column(&posted, |(_, one, _, transfer)| account::short_key(one.sealed.stream, transfer.from())))
        .bind(column(&posted, |(_, one, _, transfer)| account::short_key(one.sealed.stream, transfer.to())))
        .bind(column(&decks, |(member, ..)| *member))
        .bind(column(&decks, |(.., deck)| uuid(deck.table.0)))
        .bind(column(&decks, |(.., deck)| in_sql(deck.hand)))
        .bind(column(&decks, |(_, one, _)| one.at.0))
        .bind(column(&decks, |(.., deck)| &deck.key_id[..]))
        .bind(column(&decks, |(.., deck)| &deck.sealed[..]))
}

fn column<'a, T, U>(rows: &'a [T], value: impl Fn(&'a T) -> U) -> Vec<U> {
    rows.iter().map(value).collect()
}

/// A request id as its stream's index holds it, the start of a hash; `None` where there is none.
pub(super) fn request_key(id: &str) -> Option<i64> {
    if id.is_empty() {
        return None;
    }
    let digest = Sha256::new().chain_update(b"razz.request-id.v1").chain_update(id).finalize();
    let mut key = [0; 8];
    key.copy_from_slice(&digest[..8]);
    Some(i64::from_be_bytes(key))
}

pub(super) const fn uuid(bytes: [u8; 16]) -> Uuid {
    Uuid::from_bytes(bytes)
}

/// A number that the store's door has found to fit; as the bound of a search, `i64::MAX` stands for all above.
pub(super) fn in_sql(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}
