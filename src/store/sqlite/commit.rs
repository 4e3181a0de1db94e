//! Group commit: the commands that queued while the last batch was written share the next one, each as if it were
//! alone.

use std::collections::VecDeque;
use std::sync::Arc;

use sqlx::Connection;
use tokio::sync::{Mutex, mpsc};

use super::line::{Line, refused_by, trouble};
use super::vault::RETIRED;
use super::write;
use crate::store::batch::{Outcome, Waiting, fill, next_batch};
use crate::store::{Commit, DeckRow, Move, StoreError};

/// How the trigger on records calls a request id that its stream has already.
const ANSWERED: &str = "the stream has a record of this request id already";

/// How `SQLite` calls a balance out of its bounds.
const OUT_OF_BOUNDS: &str = "CHECK constraint failed: balance_in_bounds";

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
            Some(RETIRED) => Failure::Refused(StoreError::KeyRetired),
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
        fill(&mut waiting, &mut queue);
        let batch = next_batch(&mut waiting);
        let commits: Vec<&Commit> = batch.iter().map(|member| &member.commit).collect();
        let outcomes = write_batch(&mut line, &commits).await;
        for (member, outcome) in batch.into_iter().zip(outcomes) {
            // Who does not wait any longer finds the outcome in the store.
            let _ = member.answer.send(outcome);
        }
    }
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
