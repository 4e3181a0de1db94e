//! What is kept of a hand's cards, and the deck that follows from it.

use super::commit::{Commitment, HandId, Revealed, Salt, SaltsKey};
use super::nonces::{Nonces, order_with_nonces};
use super::order::Seed;
use crate::engine::Deck;

/// What is kept of a hand's cards until nothing needs it any more: all else follows.
#[derive(Clone, Debug)]
pub enum DeckSecret {
    /// The house's seed, from which with the players' nonces the order follows, and alone the salts.
    Seed(Seed),
    /// A scripted deck, which follows from nothing.
    Script {
        /// The order.
        deck: Deck,
        /// What the salts follow from.
        salts: SaltsKey,
    },
}

impl DeckSecret {
    /// The deck. A scripted one has no part for nonces.
    pub fn dealt(&self, nonces: &Nonces) -> SaltedDeck {
        match self {
            DeckSecret::Seed(seed) => SaltedDeck { deck: order_with_nonces(seed, nonces), salts: SaltsKey::of(seed) },
            DeckSecret::Script { deck, salts } => SaltedDeck { deck: deck.clone(), salts: salts.clone() },
        }
    }
}

/// A deck and what hides it in its commitment: as much as a hand in play needs, in as few bytes as can be.
#[derive(Clone, Debug)]
pub struct SaltedDeck {
    /// The order.
    pub deck: Deck,
    salts: SaltsKey,
}

impl SaltedDeck {
    /// All hashes of the commitment for this hand.
    pub fn commit(&self, of: HandId) -> Commitment {
        Commitment::new(of, &self.deck, &self.salts)
    }

    /// The cards at these positions, each with its salt; at one that is none, none.
    pub fn reveal(&self, positions: &[u8]) -> Vec<Revealed> {
        let cards = positions.iter().filter_map(|&position| Some((position, self.deck.card(position)?)));
        cards.zip(self.salts(positions)).map(|((position, card), salt)| Revealed { position, card, salt }).collect()
    }

    /// The salts of these positions; of one that is none, none.
    pub fn salts(&self, positions: &[u8]) -> Vec<Salt> {
        let all = self.salts.salts();
        positions.iter().filter_map(|&position| all.get(usize::from(position)).copied()).collect()
    }
}
