//! What proves the cards of a record.

use super::{Read, exactly, fault, given};
use crate::engine::Card;
use crate::pb;
use crate::pb::deck_secret::From;
use crate::record::{OpenDeck, Proof};

/// `revealed`: how many cards the record's events lay open.
pub(super) fn proof(message: &pb::Record, revealed: usize) -> Read<Proof> {
    let salts = chunks("salts", &message.salts)?;
    if salts.len() != revealed {
        return Err(fault("salts", "16 bytes for each card that the events lay open"));
    }
    let nodes = chunks("proof_nodes", &message.proof_nodes)?;
    Ok(Proof { salts, nodes, deck: message.deck.as_ref().map(open_deck).transpose()? })
}

fn chunks<const N: usize>(field: &'static str, bytes: &[u8]) -> Read<Vec<[u8; N]>> {
    let (chunks, rest) = bytes.as_chunks();
    if rest.is_empty() { Ok(chunks.to_vec()) } else { Err(fault(field, "whole: 16 bytes a salt, 32 bytes a node")) }
}

fn open_deck(deck: &pb::DeckSecret) -> Read<OpenDeck> {
    Ok(match given("deck.from", deck.from.as_ref())? {
        From::Seed(seed) => OpenDeck::Seed(exactly("deck.seed", seed)?),
        From::Script(script) => OpenDeck::Script {
            order: order(&script.order)?,
            salts_key: exactly("deck.script.salts_key", &script.salts_key)?,
        },
    })
}

fn order(bytes: &[u8]) -> Read<Vec<Card>> {
    let cards: Option<Vec<Card>> = bytes.iter().map(|&index| Card::from_index(index)).collect();
    let whole = cards.filter(|cards| cards.len() == Card::COUNT);
    whole.ok_or_else(|| fault("deck.script.order", "52 cards, each from 0 to 51"))
}
