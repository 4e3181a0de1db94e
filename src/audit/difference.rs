//! What a reconciliation can find, each with its place, what it found and what it expected.

use std::fmt;

use crate::ledger::{Account, TableId, Transfer};
use crate::record::{Micros, Seq, StreamId};
use crate::store::{StoredTransfer, Stray, StreamKind, WrongCopy};

/// A stream, as it is named to people.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Source {
    /// A table or a wallet.
    pub kind: StreamKind,
    /// Its id.
    pub stream: StreamId,
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = match self.kind {
            StreamKind::Table => "table",
            StreamKind::Wallet => "wallet stream",
        };
        // A table's stream bears the table's id, and every stream's id reads like one.
        write!(f, "{kind} {}", TableId(self.stream.0))
    }
}

/// A transfer where it stands, or must stand.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Posting {
    /// In which stream.
    pub stream: StreamId,
    /// When.
    pub at: Micros,
    /// What.
    pub transfer: Transfer,
}

impl From<StoredTransfer> for Posting {
    fn from(row: StoredTransfer) -> Posting {
        Posting { stream: row.cursor.stream, at: row.cursor.at, transfer: row.transfer }
    }
}

impl fmt::Display for Posting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (amount, from, to) = (self.transfer.amount(), self.transfer.from(), self.transfer.to());
        write!(f, "{amount} from {from} to {to} at {}", self.at.0)?;
        write!(f, " in stream {}", TableId(self.stream.0))
    }
}

/// Something that is not as the records demand.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Difference {
    /// Chips were made or lost.
    #[error("all balances together are {found}, and must be 0")]
    Total {
        /// What they add up to.
        found: i128,
    },
    /// The table that was asked for is not there.
    #[error("there is no table {0}")]
    NoTable(TableId),
    /// A record is not what it must be. What comes after it in its stream cannot be checked.
    #[error("{source}, record {seq}: {what}", source = .stream, seq = .seq.0)]
    Record {
        /// In which stream.
        stream: Source,
        /// Which.
        seq: Seq,
        /// What is wrong with it.
        what: String,
    },
    /// A head does not say where its records end.
    #[error("{source}: the {fact} of its head is {found}, and by its records {expected}", source = .stream)]
    Head {
        /// Whose.
        stream: Source,
        /// Which of the head's facts.
        fact: &'static str,
        /// As the records have it.
        expected: String,
        /// As the head has it.
        found: String,
    },
    /// A transfer in the store is not the one in its record.
    #[error("{source}, record {seq}, transfer {index}: {found}, and by its record {expected}", source = .stream,
        seq = .seq.0, found = or_none(.found.as_ref()), expected = or_none(.expected.as_ref()))]
    Transfer {
        /// In which stream.
        stream: Source,
        /// Of which record.
        seq: Seq,
        /// Its place there.
        index: u32,
        /// By the record.
        expected: Option<Posting>,
        /// In the store.
        found: Option<Posting>,
    },
    /// A wallet's event and the transfers of the wallet do not agree: one half of a buy-in or cash-out lacks the other.
    #[error("{source}, record {seq}: {found}, and by its event {expected}", source = .stream, seq = .seq.0,
        found = or_none(.found.as_ref()), expected = or_none(.expected.as_ref()))]
    Half {
        /// The wallet's stream.
        stream: Source,
        /// The record of the event, or the last one before a transfer without.
        seq: Seq,
        /// By the wallet's event.
        expected: Option<Posting>,
        /// Among the transfers of the wallet.
        found: Option<Posting>,
    },
    /// What the store keeps beside a record, to find it by, is not what its bytes say.
    #[error("{source}, record {seq}: beside it {fact} is {found}, and by its bytes {expected}",
        source = .stream, seq = .copy.seq.0, fact = .copy.fact, found = .copy.found, expected = .copy.expected)]
    Copy {
        /// In which stream.
        stream: Source,
        /// Of which record, and what it is.
        copy: WrongCopy,
    },
    /// A hand has no deck, or a deck has no hand that any record opens or prepares.
    #[error("{source}, record {seq}: hand {hand} has {found}, and by its records {expected}", source = .stream,
        seq = .seq.0, found = deck(!.is_due), expected = deck(*.is_due))]
    Deck {
        /// The table's stream.
        stream: Source,
        /// The record that begins the hand, or the last one that began a hand before a deck without.
        seq: Seq,
        /// Which hand.
        hand: u64,
        /// By the records it has a deck, and there is none; else the other way about.
        is_due: bool,
    },
    /// An account does not hold what a replay of its stream leaves in it.
    #[error("{source}, record {seq}: the {account} holds {found}, and by a replay {expected}", source = .stream,
        seq = .seq.0)]
    Balance {
        /// The account's stream.
        stream: Source,
        /// The record after which it was compared.
        seq: Seq,
        /// Which account.
        account: Account,
        /// By the replay.
        expected: i128,
        /// In the store.
        found: i64,
    },
    /// An account does not hold what its transfers come to.
    #[error("the {account} holds {found}, and by its transfers {expected}")]
    Tally {
        /// Which account.
        account: Account,
        /// What came in less what went out.
        expected: i128,
        /// In the store.
        found: i64,
    },
    /// An account that belongs to no table and no wallet that the store knows.
    #[error("the {account} holds {found}, and there is no stream that it belongs to")]
    Orphan {
        /// Which account.
        account: Account,
        /// What it holds.
        found: i64,
    },
    /// Something of a stream that is not there.
    #[error("there are {} of {}, which has no head", .0.what, TableId(.0.stream.0))]
    Stray(Stray),
    /// Something stored that cannot even be read.
    #[error("{place} cannot be read: {what}")]
    Unreadable {
        /// What was read.
        place: String,
        /// Why it cannot be.
        what: String,
    },
}

/// A posting in words, or that there is none.
fn or_none(posting: Option<&Posting>) -> String {
    posting.map_or_else(|| "nothing".to_owned(), Posting::to_string)
}

const fn deck(is_there: bool) -> &'static str {
    if is_there { "a deck" } else { "no deck" }
}

impl Difference {
    /// The kind, as a word.
    pub const fn kind(&self) -> &'static str {
        match self {
            Difference::Total { .. } => "total",
            Difference::NoTable(_) => "no_table",
            Difference::Record { .. } => "record",
            Difference::Head { .. } => "head",
            Difference::Transfer { .. } => "transfer",
            Difference::Half { .. } => "half",
            Difference::Copy { .. } => "copy",
            Difference::Deck { .. } => "deck",
            Difference::Balance { .. } => "balance",
            Difference::Tally { .. } => "tally",
            Difference::Orphan { .. } => "orphan",
            Difference::Stray(_) => "stray",
            Difference::Unreadable { .. } => "unreadable",
        }
    }

    /// The stream where it was found.
    pub const fn stream(&self) -> Option<StreamId> {
        match self {
            Difference::Record { stream, .. }
            | Difference::Head { stream, .. }
            | Difference::Transfer { stream, .. }
            | Difference::Half { stream, .. }
            | Difference::Copy { stream, .. }
            | Difference::Deck { stream, .. }
            | Difference::Balance { stream, .. } => Some(stream.stream),
            Difference::NoTable(table) => Some(StreamId::of_table(*table)),
            Difference::Stray(stray) => Some(stray.stream),
            Difference::Total { .. }
            | Difference::Tally { .. }
            | Difference::Orphan { .. }
            | Difference::Unreadable { .. } => None,
        }
    }

    /// The record where it was found.
    pub const fn seq(&self) -> Option<Seq> {
        match self {
            Difference::Record { seq, .. }
            | Difference::Transfer { seq, .. }
            | Difference::Half { seq, .. }
            | Difference::Deck { seq, .. }
            | Difference::Balance { seq, .. } => Some(*seq),
            Difference::Copy { copy, .. } => Some(copy.seq),
            _ => None,
        }
    }

    /// The account that it is about.
    pub const fn account(&self) -> Option<&Account> {
        match self {
            Difference::Balance { account, .. }
            | Difference::Tally { account, .. }
            | Difference::Orphan { account, .. } => Some(account),
            _ => None,
        }
    }

    /// What was expected; empty where only the text tells.
    pub fn expected(&self) -> String {
        match self {
            Difference::Total { .. } | Difference::Orphan { .. } => "0".to_owned(),
            Difference::Head { expected, .. } => expected.clone(),
            Difference::Transfer { expected, .. } | Difference::Half { expected, .. } => or_none(expected.as_ref()),
            Difference::Copy { copy, .. } => copy.expected.clone(),
            Difference::Deck { is_due, .. } => deck(*is_due).to_owned(),
            Difference::Balance { expected, .. } | Difference::Tally { expected, .. } => expected.to_string(),
            Difference::NoTable(_)
            | Difference::Record { .. }
            | Difference::Stray(_)
            | Difference::Unreadable { .. } => String::new(),
        }
    }

    /// What was found; empty where only the text tells.
    pub fn found(&self) -> String {
        match self {
            Difference::Total { found } => found.to_string(),
            Difference::Head { found, .. } => found.clone(),
            Difference::Transfer { found, .. } | Difference::Half { found, .. } => or_none(found.as_ref()),
            Difference::Copy { copy, .. } => copy.found.clone(),
            Difference::Deck { is_due, .. } => deck(!*is_due).to_owned(),
            Difference::Balance { found, .. } | Difference::Tally { found, .. } | Difference::Orphan { found, .. } => {
                found.to_string()
            }
            Difference::NoTable(_)
            | Difference::Record { .. }
            | Difference::Stray(_)
            | Difference::Unreadable { .. } => String::new(),
        }
    }
}
