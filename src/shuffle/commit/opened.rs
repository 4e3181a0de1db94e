//! A whole deck, opened for an audit: that the order is the one that was bound, and whence it came.

use super::error::each_card_once;
use super::tree::Tree;
use super::{HandId, ProofError, Root, SaltsKey, SeedHash};
use crate::engine::Card;
use crate::shuffle::nonces::{Nonces, order_with_nonces};
use crate::shuffle::order::Seed;

/// All that is to be known of a hand's cards. Never printed, as it may be opened to one auditor only.
#[derive(Clone)]
pub struct OpenedDeck {
    /// The order that is claimed, first to be dealt first.
    pub order: Vec<Card>,
    /// What it follows from.
    pub from: OpenedFrom,
}

/// What an opened deck follows from.
#[derive(Clone)]
pub enum OpenedFrom {
    /// A seed, and the nonces of the players, where they gave any.
    Seed {
        /// The house's seed.
        seed: Seed,
        /// The players' nonces.
        nonces: Nonces,
        /// The hash of the seed that was recorded before any nonce was given; needed where there are nonces.
        seed_hash: Option<SeedHash>,
    },
    /// Nothing: it was scripted. Only that it is unchanged can be shown.
    Script {
        /// What its salts follow from.
        salts: SaltsKey,
    },
}

impl OpenedDeck {
    /// That the seed is the one that was bound, that it gives the order, and that the order is the one that the root
    /// binds.
    ///
    /// # Errors
    /// In this order: [`ProofError::NoSeedHash`], [`ProofError::OrderLength`], [`ProofError::SeedHashMismatch`],
    /// [`ProofError::OrderMismatch`], [`ProofError::RootMismatch`], [`ProofError::RepeatedCard`].
    pub fn verify(&self, of: HandId, root: Root) -> Result<(), ProofError> {
        if matches!(&self.from, OpenedFrom::Seed { nonces, seed_hash: None, .. } if !nonces.is_empty()) {
            return Err(ProofError::NoSeedHash);
        }
        let Ok(cards) = <&[Card; Card::COUNT]>::try_from(self.order.as_slice()) else {
            return Err(ProofError::OrderLength { found: self.order.len() });
        };
        let salts = match &self.from {
            OpenedFrom::Seed { seed, nonces, seed_hash } => {
                let computed = SeedHash::of(seed);
                if let Some(recorded) = seed_hash.filter(|recorded| *recorded != computed) {
                    return Err(ProofError::SeedHashMismatch { computed, recorded });
                }
                let order = order_with_nonces(seed, nonces);
                let both = (0..).zip(order.order().iter().zip(cards));
                if let Some((position, _)) = both.into_iter().find(|(_, (drawn, claimed))| drawn != claimed) {
                    return Err(ProofError::OrderMismatch { position });
                }
                SaltsKey::of(seed)
            }
            OpenedFrom::Script { salts } => salts.clone(),
        };
        let Root(computed) = Tree::new(of, cards, &salts.salts()).root();
        root.must_be(computed)?;
        each_card_once((0..).zip(cards.iter().copied()))
    }
}
