//! The hashes of the commitment: a binary tree over 64 leaves, of which the first 52 hold a card each.
//!
//! Every hash is SHA-256 over a tag that no other hash begins with and parts of fixed length, so no two different
//! things are ever hashed as the same bytes. Nodes are numbered as in a heap: 1 is the root, `2n` and `2n + 1` are
//! below `n`, and leaf `i` is `64 + i`.

use sha2::{Digest, Sha256};

use super::{HandId, Node, PATH_NODES, Root, Salt};
use crate::engine::Card;

/// A leaf that holds a card; with all that follows it fits one block of SHA-256.
const CARD_TAG: &[u8] = b"razz.card.v1";
/// The leaves from the 53rd on, which hold nothing and are the same in every hand.
const PADDING_TAG: &[u8] = b"razz.padding.v1";
/// All that is above the leaves.
const NODE_TAG: &[u8] = b"razz.node.v1";

const LEAVES: usize = 1 << PATH_NODES;

/// The leaves that everybody knows.
pub(super) const PADDING: u64 = u64::MAX << Card::COUNT;

pub(super) fn digest(parts: &[&[u8]]) -> Node {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update(part);
    }
    hash.finalize().into()
}

pub(super) fn leaf(of: HandId, position: u8, salt: &Salt, card: Card) -> Node {
    digest(&[CARD_TAG, &of.table, &of.hand.to_be_bytes(), &[position], salt, &[card.index()]])
}

pub(super) fn padding() -> Node {
    digest(&[PADDING_TAG])
}

pub(super) fn inner(left: &Node, right: &Node) -> Node {
    digest(&[NODE_TAG, left, right])
}

/// The leaves below a node, a bit each.
pub(super) const fn leaves_below(node: usize) -> u64 {
    let width = LEAVES >> node.ilog2();
    let first = node * width - LEAVES;
    (u64::MAX >> (64 - width)) << first
}

/// The smallest set of nodes that, with the leaves that are known, gives the root: each node that has no known leaf
/// below it, while the node beside it has. From left to right.
pub(super) fn frontier(known: u64) -> Vec<usize> {
    let (mut found, mut below) = (Vec::new(), vec![1]);
    while let Some(node) = below.pop() {
        if leaves_below(node) & known == 0 {
            found.push(node);
        } else if node < LEAVES {
            // What is pushed last is looked at first.
            below.extend([2 * node + 1, 2 * node]);
        }
    }
    found
}

/// All nodes of one hand's tree.
#[derive(Clone)]
pub(super) struct Tree(Box<[Node; 2 * LEAVES]>);

impl Tree {
    pub(super) fn new(of: HandId, cards: &[Card; Card::COUNT], salts: &[Salt; Card::COUNT]) -> Tree {
        let mut nodes = Box::new([padding(); 2 * LEAVES]);
        for (position, (card, salt)) in (0..).zip(cards.iter().zip(salts)) {
            nodes[LEAVES + usize::from(position)] = leaf(of, position, salt, *card);
        }
        for node in (1..LEAVES).rev() {
            nodes[node] = inner(&nodes[2 * node], &nodes[2 * node + 1]);
        }
        Tree(nodes)
    }

    pub(super) fn root(&self) -> Root {
        Root(self.0[1])
    }

    pub(super) fn node(&self, node: usize) -> Node {
        self.0[node]
    }

    pub(super) fn leaves(&self) -> &[Node] {
        &self.0[LEAVES..]
    }

    /// What stands beside the way from a leaf to the root, from the bottom up.
    pub(super) fn path(&self, position: u8) -> [Node; PATH_NODES] {
        let mut node = LEAVES + usize::from(position);
        [(); PATH_NODES].map(|()| {
            let beside = self.0[node ^ 1];
            node /= 2;
            beside
        })
    }
}
