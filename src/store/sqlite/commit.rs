//! Group commit: the commands that queued while the last batch was written share the next one, each as if it were
//! alone.

use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;

use sqlx::Connection;
use tokio::sync::{Mutex, mpsc, oneshot};

use super::line::{Line, refused_by, trouble};
use super::write;
use crate::record::StreamId;
use crate::store::{Commit, DeckRow, Move, StoreError};

/// Commands in one transaction, at most.
const MAX_BATCH: usize = 256;

/// How the trigger on records calls a request id that its stream has already.
const ANSWERED: &str = "the stream has a record of this request id already";

/// How `SQLite` calls a balance out of its bounds.
const OUT_OF_BOUNDS: &str = "CHECK constraint failed: balance_in_bounds";

/// How a command went.
type Outcome = Result<(), StoreError>;

/// A command and who waits for its outcome.
pub(super) struct Waiting {
    pub commit: Commit,
    pub answer: oneshot::Sender<Outcome>,
}

/// Why a transaction was rolled back.
enum Failure {
    /// A member broke a constraint.
    Refused(StoreError),
    /// The file or the line to it.
    Trouble(StoreError),
}

impl From<sqlx::Error> for Failure {
    fn from(error: sqlx::Error) -> Failure {
        match refused_by(&error) {
            Some(ANSWERED) => Failure::Refused(StoreError::DuplicateRequest),
            Some(OUT_OF_BOUNDS) => Failure::Refused(StoreError::BalanceOutOfBounds),
            Some(words) => Failure::Refused(StoreError::Corrupt(words.to_owned())),
            None => Failure::Trouble(trouble(error)),
        }
    }
}

/// Writes what comes through the queue until nobody can send any more.
pub(super) async fn run(line: Arc<Mutex<Line>>, mut queue: mpsc::Receiver<Waiting>) {
    let mut waiting = VecDeque::new();
    loop {
        if waiting.is_empty() {
            let Some(next) = queue.recv().await else { return };
            waiting.push_back(next);
        }
        // Those who were just answered, and those who are read to first, may have more for this batch.
        tokio::task::yield_now().await;
        let mut line = line.lock().await;
        while waiting.len() < MAX_BATCH
            && let Ok(next) = queue.try_recv()
        {
            waiting.push_back(next);
        }
        let batch = next_batch(&mut waiting);
        let commits: Vec<&Commit> = batch.iter().map(|member| &member.commit).collect();
        let outcomes = write_batch(&mut line, &commits).await;
        for (member, outcome) in batch.into_iter().zip(outcomes) {
            // Who does not wait any longer finds the outcome in the store.
            let _ = member.answer.send(outcome);
        }
    }
}

/// Takes the commands that can go together: one of each stream, the oldest. The others keep their order.
fn next_batch(waiting: &mut VecDeque<Waiting>) -> Vec<Waiting> {
    let mut streams: BTreeSet<StreamId> = BTreeSet::new();
    let mut batch = Vec::new();
    for member in std::mem::take(waiting) {
        let own = || member.commit.moves.iter().map(|one| one.sealed.stream);
        let free = own().all(|stream| !streams.contains(&stream));
        // A stream of one that must wait is taken too: nobody behind it goes first.
        streams.extend(own());
        if free { batch.push(member) } else { waiting.push_back(member) }
    }
    batch
}

/// Writes a batch. A member that the database refuses takes nobody with it: the others are written again, one by one.
async fn write_batch(line: &mut Line, commits: &[&Commit]) -> Vec<Outcome> {
    match attempt(line, commits).await {
        Ok(outcomes) => return outcomes,
        Err(Failure::Trouble(error)) => return vec![Err(given_up(line, error).await); commits.len()],
        Err(Failure::Refused(error)) if commits.len() == 1 => return vec![Err(error)],
        Err(Failure::Refused(_)) => {}
    }
    let mut outcomes = Vec::with_capacity(commits.len());
    for commit in commits {
        outcomes.push(match attempt(line, &[commit]).await {
            Ok(outcomes) => outcomes.into_iter().collect(),
            Err(Failure::Refused(error)) => Err(error),
            Err(Failure::Trouble(error)) => Err(given_up(line, error).await),
        });
    }
    outcomes
}

async fn given_up(line: &mut Line, error: StoreError) -> StoreError {
    line.hang_up().await;
    error
}

/// One transaction over those of the commands whose heads all stand where they expect them. The others learn why not.
async fn attempt(line: &mut Line, commits: &[&Commit]) -> Result<Vec<Outcome>, Failure> {
    let mut outcomes = vec![Ok(()); commits.len()];
    loop {
        let standing = || commits.iter().zip(&outcomes).filter(|(_, outcome)| outcome.is_ok()).map(|(one, _)| *one);
        if standing().next().is_none() {
            return Ok(outcomes);
        }
        let mut tx = line.conn().await.map_err(Failure::Trouble)?.begin().await?;
        let moves: Vec<&Move> = standing().flat_map(|commit| &commit.moves).collect();
        let ahead = write::move_heads(&mut tx, &moves).await?;
        let has_moved = |one: &Move| ahead.contains(&one.sealed.stream);
        if ahead.len() < moves.len() {
            let is_behind = |commit: &Commit| !commit.moves.iter().all(has_moved);
            let behind: Vec<&Commit> = standing().filter(|commit| is_behind(commit)).collect();
            let half_moved = behind.iter().any(|commit| commit.moves.iter().any(has_moved));
            let asked: Vec<&Move> = behind.iter().flat_map(|commit| &commit.moves).collect();
            let known = write::known_requests(&mut tx, &asked).await?;
            for (commit, outcome) in commits.iter().zip(&mut outcomes) {
                if outcome.is_ok() && is_behind(commit) {
                    let repeated = commit.moves.iter().any(|one| known.contains(&one.sealed.stream));
                    *outcome = Err(if repeated { StoreError::DuplicateRequest } else { StoreError::Conflict });
                }
            }
            if half_moved || ahead.is_empty() {
                tx.rollback().await?;
                continue;
            }
        }
        let whole = || commits.iter().zip(&outcomes).filter(|(_, outcome)| outcome.is_ok()).map(|(one, _)| *one);
        let moves: Vec<&Move> = whole().flat_map(|commit| &commit.moves).collect();
        let decks: Vec<&DeckRow> = whole().filter_map(|commit| commit.deck.as_ref()).collect();
        write::insert_records(&mut tx, &moves).await?;
        write::insert_decks(&mut tx, &decks).await?;
        if let Err(error) = tx.commit().await {
            tracing::error!(%error, "a commit failed; whether it happened is not known");
            line.hang_up().await;
            outcomes.iter_mut().filter(|it| it.is_ok()).for_each(|it| *it = Err(StoreError::OutcomeUnknown));
        }
        return Ok(outcomes);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::VecDeque;

    use tokio::sync::oneshot;

    use super::{Waiting, next_batch};
    use crate::record::{Hash, Micros, Sealed, Seq, StreamId};
    use crate::store::{Commit, Move, StreamKind};

    /// A command that moves the streams of these numbers; it bears a name by which to know it.
    fn waiting(name: &str, streams: &[u8]) -> Waiting {
        let one = |&number: &u8| Move {
            kind: StreamKind::Table,
            sealed: Sealed { stream: StreamId([number; 16]), seq: Seq(1), hash: Hash([0; 32]), bytes: Vec::new() },
            at: Micros(0),
            request_id: name.to_owned(),
            hand: 0,
            deadline: None,
            transfers: Vec::new(),
        };
        let commit = Commit { moves: streams.iter().map(one).collect(), deck: None };
        Waiting { commit, answer: oneshot::channel().0 }
    }

    #[test]
    fn a_batch_has_one_command_of_a_stream_and_keeps_their_order() {
        let commands = [("a", &[1][..]), ("b", &[2]), ("c", &[1]), ("d", &[1, 3]), ("e", &[3]), ("f", &[4])];
        let mut queue: VecDeque<Waiting> = commands.iter().map(|(name, streams)| waiting(name, streams)).collect();
        let mut batches = Vec::new();
        while !queue.is_empty() {
            let batch = next_batch(&mut queue);
            batches.push(batch.iter().map(|one| one.commit.moves[0].request_id.clone()).collect::<String>());
        }
        // `e` could go with the first by its own stream, but `d` asked for that one before it.
        assert_eq!(batches, ["abf", "c", "d", "e"]);
    }
}
