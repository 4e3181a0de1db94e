//! The cards' order from a seed, and a deck's rest under a key. Pure: seeds, keys and nonces are given, never drawn.
//!
//! Every use of a secret has a label of its own, so that no two of them can ever yield the same bytes. Seeds, keys and
//! the bytes between sealing and unsealing are wiped when they are dropped. The deck itself is not: it is in use for as
//! long as its hand. None of them can be printed.

mod order;
mod seal;

pub use order::{SEED_BYTES, Seed, bounded, order};
pub use seal::{DeckSecret, KEY_BYTES, KeyId, NONCE_BYTES, SealError, SealingKey, open, seal};
