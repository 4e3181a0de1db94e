//! Bytes from a secret: a key for each purpose, and the stream under a key.

use chacha20::ChaCha20Rng;
use chacha20::rand_core::{Rng, SeedableRng};
use hkdf::Hkdf;
use sha2::Sha256;
use zeroize::Zeroizing;

/// A key for one purpose: HKDF-SHA-256 without salt, the label as info. Nothing can be said about the key of one
/// label from the key of another.
pub(super) fn key(secret: &[u8], label: &[u8]) -> Zeroizing<[u8; 32]> {
    let mut key = Zeroizing::new([0; 32]);
    let expanded = Hkdf::<Sha256>::new(None, secret).expand(label, &mut *key);
    debug_assert!(expanded.is_ok(), "HKDF-SHA-256 gives up to 8160 bytes");
    key
}

/// The bytes of a `ChaCha20` stream: 64-bit block counter from 0, nonce 0.
pub(super) struct Stream {
    cipher: ChaCha20Rng,
    word: Zeroizing<[u8; 4]>,
    used: usize,
}

impl Stream {
    pub(super) fn new(key: &[u8; 32]) -> Stream {
        Stream { cipher: ChaCha20Rng::from_seed(*key), word: Zeroizing::new([0; 4]), used: 4 }
    }

    pub(super) fn byte(&mut self) -> u8 {
        if self.used == self.word.len() {
            // A whole word: what the generator does with the rest of a word of which only a part is asked is its own
            // affair, and may change.
            self.cipher.fill_bytes(&mut *self.word);
            self.used = 0;
        }
        let byte = self.word[self.used];
        self.used += 1;
        byte
    }
}
