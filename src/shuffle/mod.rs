//! The cards' order from a seed, and a deck's rest under a key. Pure: seeds, keys and nonces are given, never drawn.
//!
//! Every use of a secret has a label of its own, so that no two of them can ever yield the same bytes. A seed, a key
//! and what is unsealed are wiped when they are dropped, and none of them can be printed.

mod order;
mod seal;

pub use order::{SEED_BYTES, Seed, bounded, order};
pub use seal::{DeckSecret, KEY_BYTES, KeyId, NONCE_BYTES, SealError, SealingKey, open, seal};
