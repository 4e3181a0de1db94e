//! From what was asked and what follows to a sealed record and a move of its stream.

use super::request::Ask;
use crate::record::{self, Micros, Record, RequestHash, Seq, StreamId};
use crate::store::{HandState, Move, StreamKind};

/// Where a stream stands, as far as its next record needs it.
#[derive(Clone, Copy, Default)]
pub(super) struct Tip {
    pub seq: Seq,
    pub hash: record::Hash,
    pub at: Micros,
}

/// A record with what the request says of itself, and no events yet.
pub(super) fn asked(ask: &Ask, hash: RequestHash, at: Micros) -> Record {
    Record {
        at,
        actor: ask.actor.clone(),
        request_id: ask.request_id.as_str().to_owned(),
        request_hash: hash,
        trace: ask.trace.clone(),
        ..Record::empty()
    }
}

pub(super) fn seal(kind: StreamKind, stream: StreamId, tip: Tip, state: HandState, record: Record) -> Move {
    let sealed = record::seal(tip.hash, stream, tip.seq.next(), &record);
    Move {
        kind,
        sealed,
        at: record.at,
        request_id: record.request_id,
        hand: record.hand_number,
        state,
        deadline: record.deadline,
        transfers: record.transfers,
    }
}
