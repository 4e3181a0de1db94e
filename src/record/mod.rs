//! Records: what one command did, as bytes that are never written again, each chained to the one before (promise 5).
//!
//! This is the only place that turns events into stored bytes and back.

mod decode;
mod encode;
mod enums;

use sha2::{Digest, Sha256};

use crate::engine::{Card, PlayerId, TableEvent};
use crate::ledger::{TableId, Transfer, WalletEvent};

pub use decode::{Fault, RecordError, decode};
pub use encode::{account, encode, house_rules, nonces, stakes, transfer};
pub use enums::Coded;

/// The record format that this build writes, and the newest that it reads.
pub const FORMAT: u32 = 1;

/// A stream's id: one table, or one player's wallet. One head and one chain each.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct StreamId(pub [u8; 16]);

impl StreamId {
    /// A table's stream bears the table's id.
    pub const fn of_table(table: TableId) -> StreamId {
        StreamId(table.0)
    }

    /// A wallet's stream bears the start of a hash of the player's id, which may be longer than 16 bytes.
    pub fn of_wallet(player: &PlayerId) -> StreamId {
        let digest = Sha256::new().chain_update(b"razz.wallet.v1").chain_update(player.as_str()).finalize();
        let mut id = [0; 16];
        id.copy_from_slice(&digest[..16]);
        StreamId(id)
    }
}

/// The place of a record in its stream: 1 for the first, without gaps.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Seq(pub u64);

impl Seq {
    /// The next place.
    #[must_use]
    pub const fn next(self) -> Seq {
        Seq(self.0 + 1)
    }
}

/// A record's hash; before the first record, zeros.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Hash(pub [u8; 32]);

impl std::fmt::Display for Hash {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

/// A moment in microseconds since 1970, never before that of the stream's previous record.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Micros(pub i64);

/// The start of a hash of what was asked: as much as tells a repeat from another request under its id.
pub type RequestHash = [u8; 16];

/// What can stand in a record.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum StreamEvent {
    /// In a table's stream.
    Table(TableEvent),
    /// In a wallet's stream.
    Wallet(WalletEvent),
}

/// One command's whole effect on one stream.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Record {
    /// When.
    pub at: Micros,
    /// Who asked, as the platform names itself; `dealer` where nobody did.
    pub actor: String,
    /// The caller's id of the request; empty in the wallet's half of a command whose table half bears it.
    pub request_id: String,
    /// A hash of what was asked, so that the id cannot be used again for something else.
    pub request_hash: RequestHash,
    /// The W3C trace context of the request, or empty.
    pub trace: String,
    /// The table's latest hand after this record, 0 before its first.
    pub hand_number: u64,
    /// When the player to act runs out of time; `None` where nobody does.
    pub deadline: Option<Micros>,
    /// In order.
    pub events: Vec<StreamEvent>,
    /// What the events move.
    pub transfers: Vec<Transfer>,
    /// What proves the cards that the events lay open.
    pub proof: Proof,
}

/// What proves cards against the root of their hand's commitment.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Proof {
    /// The salt of each card that the record's events lay open, in the order in which they do.
    pub salts: Vec<[u8; 16]>,
    /// Where the play of a hand ends: what else the root is made of, beside the leaves of all that it has laid open,
    /// from left to right.
    pub nodes: Vec<[u8; 32]>,
    /// Where a settlement opens the whole deck: what the deck follows from.
    pub deck: Option<OpenDeck>,
}

/// What a deck that is open to everybody follows from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OpenDeck {
    /// The house's seed.
    Seed([u8; 32]),
    /// Nothing: it was scripted.
    Script {
        /// The order.
        order: Vec<Card>,
        /// What the salts follow from.
        salts_key: [u8; 32],
    },
}

impl StreamEvent {
    /// The cards that it lays open, each with its place in the deck, in its order.
    pub fn revealed(&self) -> Vec<(u8, Card)> {
        match self {
            StreamEvent::Table(TableEvent::Hand(event)) => event.revealed(),
            _ => Vec::new(),
        }
    }
}

impl Record {
    /// The cards that its events lay open, each with its place in the deck, in their order; a salt of the proof each.
    pub fn revealed(&self) -> Vec<(u8, Card)> {
        self.events.iter().flat_map(StreamEvent::revealed).collect()
    }

    /// A record in which nothing happened, asked by nobody: for a maker to fill in.
    pub const fn empty() -> Record {
        Record {
            at: Micros(0),
            actor: String::new(),
            request_id: String::new(),
            request_hash: [0; 16],
            trace: String::new(),
            hand_number: 0,
            deadline: None,
            events: Vec::new(),
            transfers: Vec::new(),
            proof: Proof { salts: Vec::new(), nodes: Vec::new(), deck: None },
        }
    }

    /// As [`encode`].
    pub fn encode(&self) -> Vec<u8> {
        encode(self)
    }
}

/// A record as it is stored: its bytes, and what follows from them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sealed {
    /// Its stream.
    pub stream: StreamId,
    /// Its place there.
    pub seq: Seq,
    /// The hash of the place, the bytes, and all records before.
    pub hash: Hash,
    /// The protobuf of `razz.dealer.v1.Record`.
    pub bytes: Vec<u8>,
}

impl Sealed {
    /// What the bytes say. Whether they are the bytes that were written, only their chain tells: see [`chain`].
    ///
    /// # Errors
    /// As [`decode`].
    pub fn record(&self) -> Result<Record, RecordError> {
        decode(&self.bytes)
    }
}

/// The record as it is stored at this place, after the record whose hash is `previous`.
pub fn seal(previous: Hash, stream: StreamId, seq: Seq, record: &Record) -> Sealed {
    let bytes = encode(record);
    Sealed { stream, seq, hash: chain(previous, stream, seq, &bytes), bytes }
}

/// `SHA-256("razz.record.v1" || previous hash || stream id || seq, 8 bytes big-endian || bytes)`, over the very bytes
/// that are stored.
pub fn chain(previous: Hash, stream: StreamId, seq: Seq, bytes: &[u8]) -> Hash {
    let mut sha = Sha256::new();
    sha.update(b"razz.record.v1");
    sha.update(previous.0);
    sha.update(stream.0);
    sha.update(seq.0.to_be_bytes());
    sha.update(bytes);
    Hash(sha.finalize().into())
}
