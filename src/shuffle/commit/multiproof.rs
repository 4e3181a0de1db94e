//! The proof of any number of cards at once: what a closed hand keeps of all that it revealed.

use super::error::{ascending, each_card_once};
use super::tree::{PADDING, frontier, inner, leaf, leaves_below, padding};
use super::{HandId, Node, ProofError, Revealed, Root};
use crate::engine::Card;

/// That cards stand at positions of the deck that a root binds. There is exactly one for a set of positions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Multiproof {
    /// The cards with their salts, by ascending position.
    pub cards: Vec<Revealed>,
    /// What else the root is made of: the fewest nodes that will do, from left to right. Nodes that these cards and
    /// the padding give are not among them.
    pub nodes: Vec<Node>,
}

impl Multiproof {
    /// That it holds for this hand and its root.
    ///
    /// # Errors
    /// In this order: [`ProofError::NoCards`], [`ProofError::PositionBeyond`], [`ProofError::RepeatedPosition`],
    /// [`ProofError::UnorderedPositions`], [`ProofError::MissingNodes`], [`ProofError::ExtraNodes`],
    /// [`ProofError::RootMismatch`], [`ProofError::RepeatedCard`].
    pub fn verify(&self, of: HandId, root: Root) -> Result<(), ProofError> {
        let positions: Vec<u8> = self.cards.iter().map(|shown| shown.position).collect();
        let known = known(&positions)?;
        let (needed, found) = (frontier(known).len(), self.nodes.len());
        if found < needed {
            return Err(ProofError::MissingNodes { needed, found });
        }
        if found > needed {
            return Err(ProofError::ExtraNodes { needed, found });
        }
        root.must_be(Climb { of, known, cards: self.cards.iter(), nodes: self.nodes.iter() }.node(1))?;
        each_card_once(self.cards.iter().map(|shown| (shown.position, shown.card)))
    }
}

/// The leaves that who has these positions knows.
pub(super) fn known(positions: &[u8]) -> Result<u64, ProofError> {
    if positions.is_empty() {
        return Err(ProofError::NoCards);
    }
    if let Some(&position) = positions.iter().find(|&&position| usize::from(position) >= Card::COUNT) {
        return Err(ProofError::PositionBeyond { position });
    }
    let unordered = |before, position| ProofError::UnorderedPositions { before, position };
    ascending(positions, |position| ProofError::RepeatedPosition { position }, unordered)?;
    Ok(positions.iter().fold(PADDING, |known, position| known | 1 << position))
}

/// The way from what is known to the root, which takes cards and nodes in the order in which they stand.
struct Climb<'a> {
    of: HandId,
    known: u64,
    cards: std::slice::Iter<'a, Revealed>,
    nodes: std::slice::Iter<'a, Node>,
}

impl Climb<'_> {
    fn node(&mut self, node: usize) -> Node {
        let below = leaves_below(node);
        if below & self.known == 0 {
            let Some(given) = self.nodes.next() else { unreachable!("they were counted") };
            *given
        } else if below & PADDING == below && below.is_power_of_two() {
            padding()
        } else if below.is_power_of_two() {
            let Some(shown) = self.cards.next() else { unreachable!("each known leaf has its card") };
            leaf(self.of, shown.position, &shown.salt, shown.card)
        } else {
            let (left, right) = (self.node(2 * node), self.node(2 * node + 1));
            inner(&left, &right)
        }
    }
}
