//! The commitment to a hand's deck: a root that is published before the first card and binds all 52, and the proofs
//! that lead to it. Every byte is laid down in `tests/clients/proof-spec.md`.
//!
//! The root tells nothing about a card that is not revealed: each is hidden by a salt that nobody can guess.

mod error;
mod multiproof;
mod opened;
mod proof;
mod salts;
mod tree;

use std::fmt;

use zeroize::Zeroizing;

use super::order::Seed;
use crate::engine::{Card, Deck};
pub use error::ProofError;
pub(super) use error::ascending;
pub use multiproof::Multiproof;
pub use opened::{OpenedDeck, OpenedFrom};
pub use proof::CardProof;
pub use salts::{SALT_BYTES, Salt, SaltsKey};
use tree::{Tree, digest, frontier};

/// How many nodes lead from a card to the root.
pub const PATH_NODES: usize = 6;

/// The hash at a leaf, or above one.
pub type Node = [u8; 32];

/// What the hash of a seed begins with, and nothing else.
const SEED_TAG: &[u8] = b"razz.seed.v1";

/// Which hand a commitment is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct HandId {
    /// The table's id.
    pub table: [u8; 16],
    /// The hand's number at the table.
    pub hand: u64,
}

fn hex(bytes: &[u8], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    bytes.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
}

/// What binds a deck, and may be known to all.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Root(pub [u8; 32]);

impl Root {
    fn must_be(self, computed: Node) -> Result<(), ProofError> {
        let computed = Root(computed);
        if computed == self { Ok(()) } else { Err(ProofError::RootMismatch { computed, root: self }) }
    }
}

impl fmt::Display for Root {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        hex(&self.0, f)
    }
}

/// What binds the house's seed before the players give their nonces, and may be known to all.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SeedHash(pub [u8; 32]);

impl SeedHash {
    /// The hash of a seed.
    pub fn of(seed: &Seed) -> SeedHash {
        SeedHash(digest(&[SEED_TAG, seed.bytes()]))
    }
}

impl fmt::Display for SeedHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        hex(&self.0, f)
    }
}

/// A card, where it stands in the deck, and what hid it in the commitment. Printed without card and salt, as not
/// everybody may know them.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Revealed {
    /// The position in the deck, 0 for the first to be dealt.
    pub position: u8,
    /// The card.
    pub card: Card,
    /// Its salt.
    pub salt: Salt,
}

impl fmt::Debug for Revealed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Revealed(position {}, hidden)", self.position)
    }
}

/// A deck that is bound, with all that its proofs are made of. The salts are wiped when it is dropped; nothing but the
/// root is printed.
#[derive(Clone)]
pub struct Commitment {
    deck: Deck,
    salts: Zeroizing<[Salt; Card::COUNT]>,
    tree: Tree,
}

impl Commitment {
    /// Binds the deck of a hand.
    pub fn new(of: HandId, deck: &Deck, key: &SaltsKey) -> Commitment {
        let salts = key.salts();
        let tree = Tree::new(of, deck.order(), &salts);
        Commitment { deck: deck.clone(), salts, tree }
    }

    /// What is published before the first card.
    pub fn root(&self) -> Root {
        self.tree.root()
    }

    /// All 64 leaves, which tell nothing about their cards.
    pub fn leaves(&self) -> &[Node] {
        self.tree.leaves()
    }

    /// A card with its salt: what is told with a reveal.
    ///
    /// # Errors
    /// [`ProofError::PositionBeyond`].
    pub fn reveal(&self, position: u8) -> Result<Revealed, ProofError> {
        let card = self.deck.card(position).ok_or(ProofError::PositionBeyond { position })?;
        Ok(Revealed { position, card, salt: self.salts[usize::from(position)] })
    }

    /// The proof of one card.
    ///
    /// # Errors
    /// [`ProofError::PositionBeyond`].
    pub fn card_proof(&self, position: u8) -> Result<CardProof, ProofError> {
        Ok(CardProof { revealed: self.reveal(position)?, path: self.tree.path(position) })
    }

    /// The proof of all cards at these positions.
    ///
    /// # Errors
    /// Unless they are positions of cards, at least one, ascending: as [`Multiproof::verify`] names it.
    pub fn multiproof(&self, positions: &[u8]) -> Result<Multiproof, ProofError> {
        let known = multiproof::known(positions)?;
        let cards: Result<Vec<Revealed>, ProofError> =
            positions.iter().map(|&position| self.reveal(position)).collect();
        let nodes = frontier(known).into_iter().map(|node| self.tree.node(node)).collect();
        Ok(Multiproof { cards: cards?, nodes })
    }
}

impl fmt::Debug for Commitment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Commitment(root {}, hidden)", self.root())
    }
}
