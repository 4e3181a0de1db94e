//! What makes a call repeatable: its id, and a hash of what it asked.

use sha2::{Digest, Sha256};

use crate::engine::Seat;
use crate::record::RequestHash;

/// The longest request id, in bytes.
pub const REQUEST_ID_MAX_BYTES: usize = 64;

/// How the ids begin under which the dealer itself acts; no caller's id does.
pub const OWN_IDS: &str = "razz-dealer/";

/// A caller's name for one request: 1 to 64 bytes without control characters, used once in a stream. `razz-dealer/` is
/// not for callers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RequestId(String);

impl RequestId {
    /// `None` for a text that is no request id.
    pub fn new(text: &str) -> Option<RequestId> {
        let fits = (1..=REQUEST_ID_MAX_BYTES).contains(&text.len()) && !text.chars().any(char::is_control);
        (fits && !text.starts_with(OWN_IDS)).then(|| RequestId(text.to_owned()))
    }

    /// The dealer's own settlement of a hand, whichever process does it.
    pub(super) fn of_settlement(hand: u64) -> RequestId {
        RequestId(format!("{OWN_IDS}settle/{hand}"))
    }

    /// The first reading of a seat's cards by somebody who is not its player, whichever process tells them.
    pub(super) fn of_reading(hand: u64, seat: Seat, reader: &str) -> RequestId {
        let digest = Sha256::new().chain_update(b"razz.reader.v1").chain_update(reader).finalize();
        // As much of it as an id has room for: nobody finds two names of one id.
        let mut name = [0; 16];
        name[4..].copy_from_slice(&digest[..12]);
        RequestId(format!("{OWN_IDS}read/{hand}/{seat}/{:024x}", u128::from_be_bytes(name)))
    }

    /// As given.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Who asks, and under which id.
#[derive(Clone, Debug)]
pub struct Ask {
    /// The id that makes a repeat safe.
    pub request_id: RequestId,
    /// Who asks, for the record.
    pub actor: String,
    /// The W3C trace context, or empty.
    pub trace: String,
}

/// A hash over a request in canonical form: the verb and its fields, each with its length before it. Who looks at the
/// answer and what the caller last saw are no part of what is asked.
pub(super) fn request_hash(verb: &str, fields: &[&[u8]]) -> RequestHash {
    let mut sha = Sha256::new();
    sha.update(b"razz.request.v1");
    for field in std::iter::once(verb.as_bytes()).chain(fields.iter().copied()) {
        sha.update((field.len() as u64).to_be_bytes());
        sha.update(field);
    }
    let mut hash = RequestHash::default();
    hash.copy_from_slice(&sha.finalize()[..size_of::<RequestHash>()]);
    hash
}
