//! What hides the cards in the commitment: sixteen bytes beside each, which nobody can guess.

use std::fmt;

use zeroize::Zeroizing;

use crate::engine::Card;
use crate::shuffle::order::Seed;
use crate::shuffle::stream::{Stream, key};

/// How long a salt is.
pub const SALT_BYTES: usize = 16;

/// What hides one card in its leaf, until both are revealed together.
pub type Salt = [u8; SALT_BYTES];

/// What the salts' key is derived for.
const SALTS_LABEL: &[u8] = b"razz.salts.v1";

/// What all salts of one hand follow from. Wiped when dropped, never printed.
#[derive(Clone)]
pub struct SaltsKey(Zeroizing<[u8; 32]>);

impl SaltsKey {
    /// The key of these bytes, for a deck without a seed. They are to be unguessable and used for one hand only.
    pub fn new(bytes: [u8; 32]) -> SaltsKey {
        SaltsKey(Zeroizing::new(bytes))
    }

    /// The key of a hand whose order follows from a seed, with nonces or without: the nonces are known to others.
    pub fn of(seed: &Seed) -> SaltsKey {
        SaltsKey(key(seed.bytes(), SALTS_LABEL))
    }

    /// Its bytes, to be sealed or opened for an audit and for nothing else.
    pub fn bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// The salts of all positions: the `ChaCha20` stream under the key, from its start, sixteen bytes each. Those that
    /// are revealed tell nothing about the others.
    pub(in crate::shuffle) fn salts(&self) -> Zeroizing<[Salt; Card::COUNT]> {
        let mut salts = Zeroizing::new([Salt::default(); Card::COUNT]);
        let mut stream = Stream::new(&self.0);
        for byte in salts.iter_mut().flatten() {
            *byte = stream.byte();
        }
        salts
    }
}

impl fmt::Debug for SaltsKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SaltsKey(hidden)")
    }
}
