//! Group commit: the commands that queued while the last batch was written share the next statement, each as if it
//! were alone.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use sqlx::{AssertSqlSafe, Connection};
use tokio::sync::{Mutex, Notify, mpsc};

use super::PostgresStore;
use super::line::{Failure, Line, begin, in_time};
use super::write::{self, Fate};
use crate::store::batch::{Outcome, Waiting, fill, next_batch};
use crate::store::{Commit, StoreError, StreamKind};

/// How often a command whose head another session holds comes again, before the caller is to look anew.
const PATIENCE: u32 = 100;

/// How long the line may be unused before it is looked after: one that dies meanwhile leaves no doubt about anything.
const UNUSED: Duration = Duration::from_secs(1);

/// How long a batch waits in which every head was held by others.
const PAUSE: Duration = Duration::from_millis(1);

/// How many commands are worth a batch of their own while another is under way.
const WORTH: usize = 24;

/// What the writers know of each other.
#[derive(Default)]
pub(super) struct Others {
    /// Batches under way.
    busy: AtomicUsize,
    /// One of them has ended.
    done: Notify,
}

/// A command that may share a statement: it moves its own table alone.
pub(super) fn can_share(commit: &Commit) -> bool {
    matches!(commit.moves.as_slice(), [only] if only.kind == StreamKind::Table)
}

/// Writes what comes through the queue until nobody can send any more. Several of these share it: while one's batch is
/// written, the next one gathers.
pub(super) async fn run(mut line: Line, queue: Arc<Mutex<mpsc::Receiver<Waiting>>>, others: Arc<Others>) {
    let mut waiting = VecDeque::new();
    loop {
        if waiting.is_empty() {
            let came = tokio::time::timeout(UNUSED, async {
                let mut queue = queue.lock().await;
                waiting.push_back(queue.recv().await?);
                // Those who were just answered, and those who are read to first, may have more for this batch.
                tokio::task::yield_now().await;
                fill(&mut waiting, &mut queue);
                // A batch costs much whatever its size: a small one waits until no other is under way.
                while others.busy.load(Ordering::Relaxed) > 0 && waiting.len() < WORTH {
                    tokio::select! {
                        () = others.done.notified() => {}
                        next = queue.recv() => {
                            waiting.push_back(next?);
                            fill(&mut waiting, &mut queue);
                        }
                    }
                }
                Some(())
            });
            match came.await {
                Ok(None) => break,
                Err(_) if waiting.is_empty() => {
                    line.look_after().await;
                    continue;
                }
                Ok(Some(())) | Err(_) => {}
            }
        } else if let Ok(mut queue) = queue.try_lock() {
            fill(&mut waiting, &mut queue);
        }
        let batch = next_batch(&mut waiting);
        if batch.is_empty() {
            continue;
        }
        let commits: Vec<&Commit> = batch.iter().map(|member| &member.commit).collect();
        others.busy.fetch_add(1, Ordering::Relaxed);
        let outcomes = write_batch(&mut line, &commits).await;
        others.busy.fetch_sub(1, Ordering::Relaxed);
        others.done.notify_one();
        let is_stuck = outcomes.iter().all(Option::is_none);
        // Backwards and to the front: who was passed over keeps their place.
        for (mut member, outcome) in batch.into_iter().zip(outcomes).rev() {
            member.passed += 1;
            match outcome {
                // Who does not wait any longer finds the outcome in the store.
                Some(outcome) => drop(member.answer.send(outcome)),
                None if member.passed > PATIENCE => drop(member.answer.send(Err(StoreError::Conflict))),
                None => waiting.push_front(member),
            }
        }
        if is_stuck {
            tokio::time::sleep(PAUSE).await;
        }
    }
    line.close().await;
}

/// Writes a batch; `None` for a member that must come again. A member that the database refuses takes nobody with it:
/// the others are written again, one by one.
async fn write_batch(line: &mut Line, commits: &[&Commit]) -> Vec<Option<Outcome>> {
    match attempt(line, commits).await {
        Ok(outcomes) => return outcomes,
        Err(Failure::Refused(error)) if commits.len() == 1 => return vec![Some(Err(error))],
        Err(Failure::Refused(_)) => {}
        Err(failure) => {
            let error = given_up(line, failure);
            return vec![error.map(Err); commits.len()];
        }
    }
    let mut outcomes = Vec::with_capacity(commits.len());
    for commit in commits {
        outcomes.push(match attempt(line, &[commit]).await {
            Ok(mut outcomes) => outcomes.pop().flatten(),
            Err(Failure::Refused(error)) => Some(Err(error)),
            Err(failure) => given_up(line, failure).map(Err),
        });
    }
    outcomes
}

/// What a failure means to each member of its batch; `None` where they may come again.
fn given_up(line: &mut Line, failure: Failure) -> Option<StoreError> {
    match failure {
        Failure::Refused(error) => Some(error),
        // What keeps a session from writing, such as being read-only, may be over in the next one.
        Failure::Undone(error) => {
            line.put_down();
            Some(error)
        }
        Failure::Raced => None,
        Failure::Silent | Failure::Lost(_) => {
            let why = failure.to_string();
            tracing::error!(why, "the database was lost during a commit; whether it happened is not known");
            line.hang_up();
            Some(StoreError::OutcomeUnknown)
        }
    }
}

/// One statement over the commands.
async fn attempt(line: &mut Line, commits: &[&Commit]) -> Result<Vec<Option<Outcome>>, Failure> {
    let settings = line.settings().clone();
    let conn = line.conn().await?;
    let fates = if settings.pooler {
        // Behind a pooler a transaction has one server to itself, and nothing less has.
        in_time(&settings, async {
            let mut tx = conn.begin_with(AssertSqlSafe(begin(&settings))).await?;
            let fates = write::batch(&mut tx, commits, false).await?;
            tx.commit().await?;
            Ok(fates)
        })
        .await?
    } else {
        in_time(&settings, write::batch(conn, commits, true)).await?
    };
    Ok(fates.into_iter().map(outcome).collect())
}

const fn outcome(fate: Fate) -> Option<Outcome> {
    match fate {
        Fate::Moved => Some(Ok(())),
        Fate::Known => Some(Err(StoreError::DuplicateRequest)),
        Fate::Behind => Some(Err(StoreError::Conflict)),
        Fate::Held => None,
    }
}

/// One command in a transaction of its own: it moves chips between streams, or was told not to share.
pub(super) async fn alone(store: &PostgresStore, commit: &Commit) -> Outcome {
    for _ in 0..8 {
        match transaction(store, commit).await {
            Ok(fates) => {
                let all = |fate: Fate| fates.iter().all(|it| *it == fate);
                let any = |fate: Fate| fates.contains(&fate);
                return match () {
                    () if all(Fate::Moved) => Ok(()),
                    () if any(Fate::Known) => Err(StoreError::DuplicateRequest),
                    () => Err(StoreError::Conflict),
                };
            }
            Err(Failure::Raced) => {}
            Err(Failure::Refused(error) | Failure::Undone(error)) => return Err(error),
            Err(failure @ (Failure::Silent | Failure::Lost(_))) => {
                let why = failure.to_string();
                tracing::error!(why, "the database was lost during a commit; whether it happened is not known");
                return Err(StoreError::OutcomeUnknown);
            }
        }
    }
    Err(StoreError::Conflict)
}

async fn transaction(store: &PostgresStore, commit: &Commit) -> Result<Vec<Fate>, Failure> {
    let settings = &store.settings;
    let mut line = store.lines.borrow_sound().await?;
    let done = in_time(settings, async {
        let mut tx = line.conn.begin_with(AssertSqlSafe(begin(settings))).await?;
        let fates = write::alone(&mut tx, commit, !settings.pooler).await?;
        if fates.iter().all(|fate| *fate == Fate::Moved) {
            tx.commit().await?;
        } else {
            tx.rollback().await?;
        }
        Ok(fates)
    })
    .await;
    store.lines.after(line, &done);
    done
}
