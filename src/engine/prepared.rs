//! A hand that is prepared before it is dealt, so that its players have a part in its deck.

use std::fmt;

use super::seat::Seat;

/// What a player adds to the house's seed: 1 to 32 bytes, known to all.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Nonce {
    bytes: [u8; Nonce::MAX_BYTES],
    length: u8,
}

impl Nonce {
    /// The longest allowed, in bytes; the shortest has one.
    pub const MAX_BYTES: usize = 32;

    /// `None` for no bytes, or too many.
    pub fn new(given: &[u8]) -> Option<Nonce> {
        let length = u8::try_from(given.len()).ok().filter(|&length| length > 0)?;
        let mut bytes = [0; Nonce::MAX_BYTES];
        bytes.get_mut(..given.len())?.copy_from_slice(given);
        Some(Nonce { bytes, length })
    }

    /// As given.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes[..usize::from(self.length)]
    }
}

impl fmt::Debug for Nonce {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.bytes().iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

/// What is recorded of a hand's deck before the deck is known: first the house's seed is bound, then nonces are taken.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Prepared {
    /// The hash of the house's seed.
    pub seed_hash: [u8; 32],
    /// The nonces given so far, in seat order, at most one a seat.
    pub nonces: Vec<(Seat, Nonce)>,
}

impl Prepared {
    /// Before any nonce.
    pub const fn new(seed_hash: [u8; 32]) -> Prepared {
        Prepared { seed_hash, nonces: Vec::new() }
    }

    /// Whether the seat has given one.
    pub fn has(&self, seat: Seat) -> bool {
        self.nonces.iter().any(|(given, _)| *given == seat)
    }

    /// Takes a nonce; false where the seat has given one.
    pub(super) fn take(&mut self, seat: Seat, nonce: Nonce) -> bool {
        let Err(place) = self.nonces.binary_search_by_key(&seat, |(given, _)| *given) else { return false };
        self.nonces.insert(place, (seat, nonce));
        true
    }

    /// What a seat's player gave goes with them.
    pub(super) fn forget(&mut self, seat: Seat) {
        self.nonces.retain(|(given, _)| *given != seat);
    }
}
