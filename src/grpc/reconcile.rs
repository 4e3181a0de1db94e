//! The answer to Reconcile, word by word.

use std::sync::Arc;

use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;
use tonic::Status;

use super::convert;
use crate::audit::{self, Progress, Reconciled};
use crate::dealer::{Dealer, DealerError};
use crate::ledger::TableId;
use crate::pb;
use crate::pb::reconcile_response::Word;

pub(super) type Words = ReceiverStream<Result<pb::ReconcileResponse, Status>>;

/// Words that wait for a slow caller. Progress that finds no room is left out; the rest waits.
const WAITING: usize = 16;

type Speaker = mpsc::Sender<Result<pb::ReconcileResponse, Status>>;

/// Starts a reconciliation, which ends early where its caller is gone.
pub(super) fn start(dealer: Arc<Dealer>, only: Option<TableId>) -> Words {
    let (speaker, words) = mpsc::channel(WAITING);
    tokio::spawn(async move {
        tokio::select! {
            () = run(&dealer, only, &speaker) => {}
            () = speaker.closed() => {}
        }
    });
    ReceiverStream::new(words)
}

async fn run(dealer: &Dealer, only: Option<TableId>, speaker: &Speaker) {
    let mut tell = |progress: Progress| {
        let _ = speaker.try_send(Ok(response(Word::Progress(convert::reconciling(&progress)))));
    };
    let words = match audit::reconcile(dealer.store(), only, &mut tell).await {
        Ok(reconciled) => last_words(&reconciled),
        Err(unfinished) => {
            let found = differences(&unfinished.so_far);
            found.chain([Err(Status::from(DealerError::from(unfinished.source.clone())))]).collect()
        }
    };
    for word in words {
        if speaker.send(word).await.is_err() {
            return;
        }
    }
}

fn last_words(reconciled: &Reconciled) -> Vec<Result<pb::ReconcileResponse, Status>> {
    let totals = pb::Reconciled {
        done: Some(convert::reconciling(&reconciled.progress)),
        differences: reconciled.differences.len() as u64,
    };
    differences(reconciled).chain([Ok(response(Word::Reconciled(totals)))]).collect()
}

fn differences(reconciled: &Reconciled) -> impl Iterator<Item = Result<pb::ReconcileResponse, Status>> + '_ {
    reconciled.differences.iter().map(convert::difference).map(Word::Difference).map(response).map(Ok)
}

const fn response(word: Word) -> pb::ReconcileResponse {
    pb::ReconcileResponse { word: Some(word) }
}
