//! The cards' order from a seed and the players' nonces, the commitment to it with its proofs, and a deck's rest under
//! a key. Pure: seeds, keys and nonces are given, never drawn.
//!
//! Every use of a secret has a label of its own, so that no two of them can ever yield the same bytes. Seeds, keys and
//! the bytes between sealing and unsealing are wiped when they are dropped, decks too. None of them can be printed.

mod commit;
mod handover;
mod nonces;
mod order;
mod seal;
mod secret;
mod stream;

pub use commit::{
    CardProof, Commitment, HandId, Multiproof, Node, OpenedDeck, OpenedFrom, PATH_NODES, ProofError, Revealed, Root,
    SALT_BYTES, Salt, SaltsKey, SeedHash,
};
pub use handover::{CardSecret, HandoverError, hand_over, take_over, usable};
pub use nonces::{NONCE_MAX_BYTES, Nonces, order_with_nonces};
pub use order::{SEED_BYTES, Seed, bounded, order};
pub use seal::{KEY_BYTES, KeyId, NONCE_BYTES, SealError, SealingKey, SealingKeys, open, seal};
pub use secret::{DeckSecret, SaltedDeck};
