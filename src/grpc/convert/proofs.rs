//! Proofs as messages.

use super::answer::prepared_hand;
use crate::audit::HandCards;
use crate::dealer::{CardProofs, OpenedHand};
use crate::engine::{Card, Seat};
use crate::pb;
use crate::record::Coded;
use crate::shuffle::{CardProof, DeckSecret, Node, Revealed};

/// The proofs of a viewer's cards; `cards` tells whose they are.
pub fn card_proofs(proofs: &CardProofs, cards: &HandCards) -> pb::GetCardProofsResponse {
    let prepared = proofs.bond.prepared.as_ref();
    pb::GetCardProofsResponse {
        table_id: proofs.table.to_string(),
        hand_number: proofs.hand,
        deck_root: proofs.bond.root.to_vec(),
        prepared: prepared.map(|prepared| prepared_hand(proofs.hand, prepared)),
        cards: proofs.cards.iter().map(|proof| card_proof(proofs, cards, proof)).collect(),
        hand: hand_proof(cards),
        sealed_cards: proofs.sealed.iter().map(sealed_cards).collect(),
    }
}

/// A down card that is told sealed leaves with its path only: that tells nothing of it.
fn card_proof(proofs: &CardProofs, cards: &HandCards, proof: &CardProof) -> pb::ProvedCard {
    let shown = proved(cards, &proof.revealed, &proof.path);
    let seat = cards.seat_of(proof.revealed.position);
    let sealed = proofs.sealed.iter().any(|(at, _)| Some(*at) == seat);
    if sealed && !cards.is_open(proof.revealed.position) {
        pb::ProvedCard { card: String::new(), salt: Vec::new(), ..shown }
    } else {
        shown
    }
}

fn sealed_cards((seat, sealed): &(Seat, Vec<u8>)) -> pb::SealedCards {
    pb::SealedCards { seat: i32::from(seat.number()), sealed: sealed.clone() }
}

/// The proof of all cards that a hand laid open, if there is one yet.
fn hand_proof(cards: &HandCards) -> Option<pb::HandProof> {
    let proof = cards.proof()?;
    Some(pb::HandProof {
        cards: proof.cards.iter().map(|shown| proved(cards, shown, &[])).collect(),
        nodes: proof.nodes.iter().map(|node| node.to_vec()).collect(),
    })
}

fn proved(cards: &HandCards, shown: &Revealed, path: &[Node]) -> pb::ProvedCard {
    pb::ProvedCard {
        position: u32::from(shown.position),
        seat: cards.seat_of(shown.position).map_or(0, |seat| i32::from(seat.number())),
        card: shown.card.to_string(),
        salt: shown.salt.to_vec(),
        path: path.iter().map(|node| node.to_vec()).collect(),
    }
}

/// A whole deck.
pub fn opened_deck(opened: &OpenedHand) -> pb::OpenDeckResponse {
    let (seed, salts_key) = match &opened.secret {
        DeckSecret::Seed(seed) => (seed.bytes().to_vec(), Vec::new()),
        DeckSecret::Script { salts, .. } => (Vec::new(), salts.bytes().to_vec()),
    };
    let prepared = opened.bond.prepared.as_ref();
    pb::OpenDeckResponse {
        table_id: opened.table.to_string(),
        hand_number: opened.hand,
        deck_root: opened.bond.root.to_vec(),
        order: opened.deck.order().iter().map(Card::to_string).collect(),
        deck_origin: opened.bond.origin.code(),
        seed,
        prepared: prepared.map(|prepared| prepared_hand(opened.hand, prepared)),
        salts_key,
    }
}
