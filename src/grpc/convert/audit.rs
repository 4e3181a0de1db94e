//! What an audit finds, as messages.

use crate::audit::{Difference, Progress};
use crate::pb;
use crate::record::account;

pub fn reconciling(progress: &Progress) -> pb::Reconciling {
    let Progress { streams_done, streams, records, transfers, accounts } = *progress;
    pb::Reconciling { streams_done, streams, records, transfers, accounts }
}

pub fn difference(difference: &Difference) -> pb::Difference {
    let stream = difference.stream().map(|stream| uuid::Uuid::from_bytes(stream.0).to_string());
    pb::Difference {
        kind: kind(difference).into(),
        stream_id: stream.unwrap_or_default(),
        seq: difference.seq().map_or(0, |seq| seq.0),
        account: difference.account().map(account),
        expected: difference.expected(),
        found: difference.found(),
        text: difference.to_string(),
    }
}

const fn kind(difference: &Difference) -> pb::DifferenceKind {
    match difference {
        Difference::Total { .. } => pb::DifferenceKind::Total,
        Difference::NoTable(_) => pb::DifferenceKind::NoTable,
        Difference::Record { .. } => pb::DifferenceKind::Record,
        Difference::Head { .. } => pb::DifferenceKind::Head,
        Difference::Transfer { .. } => pb::DifferenceKind::Transfer,
        Difference::Half { .. } => pb::DifferenceKind::Half,
        Difference::Copy { .. } => pb::DifferenceKind::Copy,
        Difference::Deck { .. } => pb::DifferenceKind::Deck,
        Difference::Balance { .. } => pb::DifferenceKind::Balance,
        Difference::Tally { .. } => pb::DifferenceKind::Tally,
        Difference::Orphan { .. } => pb::DifferenceKind::Orphan,
        Difference::Stray(_) => pb::DifferenceKind::Stray,
        Difference::Unreadable { .. } => pb::DifferenceKind::Unreadable,
    }
}
