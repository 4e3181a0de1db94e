//! Group commit, as far as no database is needed for it: who waits, and who may go together.

use std::collections::{BTreeSet, VecDeque};

use tokio::sync::{mpsc, oneshot};

use crate::record::StreamId;
use crate::store::{Commit, StoreError};

/// Commands in one batch, at most.
const MAX_BATCH: usize = 256;

/// The longest record, as the schema has it too: four times what the longest request could fill.
const MAX_RECORD_BYTES: usize = 256 * 1024;

/// How a command went.
pub(super) type Outcome = Result<(), StoreError>;

/// A command and who waits for its outcome.
pub(super) struct Waiting {
    pub commit: Commit,
    pub answer: oneshot::Sender<Outcome>,
    /// How often it was passed over, because another session held its stream.
    pub passed: u32,
}

/// Takes what has queued meanwhile, up to a batch.
pub(super) fn fill(waiting: &mut VecDeque<Waiting>, queue: &mut mpsc::Receiver<Waiting>) {
    while waiting.len() < MAX_BATCH
        && let Ok(next) = queue.try_recv()
    {
        waiting.push_back(next);
    }
}

/// Sends a command to the writer, and waits for its outcome.
pub(super) async fn through(queue: &mpsc::Sender<Waiting>, commit: Commit) -> Outcome {
    let (answer, outcome) = oneshot::channel();
    let waiting = Waiting { commit, answer, passed: 0 };
    queue.send(waiting).await.map_err(|_| StoreError::Away("no command is written any more".to_owned()))?;
    // A writer that is gone has taken the outcome with it.
    outcome.await.unwrap_or(Err(StoreError::OutcomeUnknown))
}

/// A command that no state of a store could take is the caller's mistake.
pub(super) fn check(commit: &Commit) -> Outcome {
    let streams: BTreeSet<StreamId> = commit.moves.iter().map(|one| one.sealed.stream).collect();
    if streams.is_empty() || streams.len() < commit.moves.len() {
        return Err(StoreError::Corrupt("a command moves one stream or more, each once".to_owned()));
    }
    if let Some(deck) = &commit.deck {
        let mut table = commit.moves.iter().filter(|one| one.sealed.stream.0 == deck.table.0);
        if !table.any(|one| deck.hand > 0 && (deck.hand == one.hand || deck.hand == one.hand.saturating_add(1))) {
            return Err(StoreError::Corrupt("a deck is of the hand that its record opens or prepares".to_owned()));
        }
    }
    if commit.moves.iter().any(|one| one.sealed.bytes.len() > MAX_RECORD_BYTES) {
        return Err(StoreError::Corrupt(format!("a record is longer than {MAX_RECORD_BYTES} bytes")));
    }
    let numbers = commit.moves.iter().flat_map(|one| [one.sealed.seq.0, one.hand]);
    let fits = numbers.chain(commit.deck.iter().map(|deck| deck.hand)).all(|number| i64::try_from(number).is_ok());
    if fits { Ok(()) } else { Err(StoreError::Corrupt("a number is above 2^63".to_owned())) }
}

/// Takes the commands that can go together: one of each stream, the oldest. The others keep their order. Those whose
/// callers have gone away are dropped: who looks at the store next must not be overtaken by them.
pub(super) fn next_batch(waiting: &mut VecDeque<Waiting>) -> Vec<Waiting> {
    let mut streams: BTreeSet<StreamId> = BTreeSet::new();
    let mut batch = Vec::new();
    for member in std::mem::take(waiting).into_iter().filter(|member| !member.answer.is_closed()) {
        let own = || member.commit.moves.iter().map(|one| one.sealed.stream);
        let free = own().all(|stream| !streams.contains(&stream));
        // A stream of one that must wait is taken too: nobody behind it goes first.
        streams.extend(own());
        if free { batch.push(member) } else { waiting.push_back(member) }
    }
    batch
}

#[cfg(test)]
mod tests {
    use std::collections::VecDeque;

    use tokio::sync::oneshot;

    use super::{Outcome, Waiting, next_batch};
    use crate::record::{Hash, Micros, Sealed, Seq, StreamId};
    use crate::store::{Commit, HandState, Move, StreamKind};

    /// A command that moves the streams of these numbers; it bears a name by which to know it.
    fn waiting(name: &str, streams: &[u8]) -> (Waiting, oneshot::Receiver<Outcome>) {
        let one = |&number: &u8| Move {
            kind: StreamKind::Table,
            sealed: Sealed { stream: StreamId([number; 16]), seq: Seq(1), hash: Hash([0; 32]), bytes: Vec::new() },
            at: Micros(0),
            request_id: name.to_owned(),
            hand: 0,
            state: HandState::Idle,
            deadline: None,
            transfers: Vec::new(),
        };
        let commit = Commit { moves: streams.iter().map(one).collect(), deck: None };
        let (answer, outcome) = oneshot::channel();
        (Waiting { commit, answer, passed: 0 }, outcome)
    }

    fn names(batch: &[Waiting]) -> String {
        batch.iter().map(|one| one.commit.moves[0].request_id.as_str()).collect()
    }

    #[test]
    fn a_batch_has_one_command_of_a_stream_and_keeps_their_order() {
        let commands = [("a", &[1][..]), ("b", &[2]), ("c", &[1]), ("d", &[1, 3]), ("e", &[3]), ("f", &[4])];
        let (mut queue, _callers): (VecDeque<_>, Vec<_>) =
            commands.iter().map(|(name, streams)| waiting(name, streams)).unzip();
        let mut batches = Vec::new();
        while !queue.is_empty() {
            batches.push(names(&next_batch(&mut queue)));
        }
        // `e` could go with the first by its own stream, but `d` asked for that one before it.
        assert_eq!(batches, ["abf", "c", "d", "e"]);
    }

    #[test]
    fn who_has_gone_away_is_not_written_and_holds_nobody_up() {
        let ((gone, caller), (next, _caller)) = (waiting("a", &[1]), waiting("b", &[1]));
        drop(caller);
        let mut queue = VecDeque::from([gone, next]);
        assert_eq!(names(&next_batch(&mut queue)), "b");
        assert!(queue.is_empty());
    }
}
