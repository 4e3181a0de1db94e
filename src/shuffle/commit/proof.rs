//! The proof of one card, for whoever may see it.

use std::fmt;

use super::tree::{inner, leaf};
use super::{HandId, Node, PATH_NODES, ProofError, Revealed, Root};
use crate::engine::Card;

/// That a card stands at a position of the deck that a root binds.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct CardProof {
    /// The position, the card and its salt.
    pub revealed: Revealed,
    /// What stands beside the way from the card's leaf to the root, from the bottom up.
    pub path: [Node; PATH_NODES],
}

impl CardProof {
    /// That it holds for this hand and its root.
    ///
    /// # Errors
    /// [`ProofError::PositionBeyond`], else [`ProofError::RootMismatch`].
    pub fn verify(&self, of: HandId, root: Root) -> Result<(), ProofError> {
        let Revealed { position, card, salt } = self.revealed;
        if usize::from(position) >= Card::COUNT {
            return Err(ProofError::PositionBeyond { position });
        }
        let mut here = leaf(of, position, &salt, card);
        for (level, beside) in self.path.iter().enumerate() {
            let is_right = position >> level & 1 == 1;
            here = if is_right { inner(beside, &here) } else { inner(&here, beside) };
        }
        root.must_be(here)
    }
}

impl fmt::Debug for CardProof {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "CardProof(position {}, hidden)", self.revealed.position)
    }
}
