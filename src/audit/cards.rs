//! What the record alone says of a hand's cards: where each was dealt, and the proof of all that were laid open.

use crate::engine::{DeckBond, Event, Opening, Seat, TableEvent};
use crate::ledger::TableId;
use crate::record::{OpenDeck, Record, RecordError, Sealed, StreamEvent};
use crate::shuffle::{
    HandId, Multiproof, Node, Nonces, OpenedDeck, OpenedFrom, ProofError, Revealed, Root, SaltsKey, Seed, SeedHash,
    order_with_nonces,
};

/// The cards of a hand, as its records tell them.
#[derive(Clone, Debug)]
pub struct HandCards {
    /// Whose commitment it is.
    pub of: HandId,
    /// What binds the deck.
    pub bond: DeckBond,
    /// Which seat each position was dealt to, in the order dealt.
    dealt: Vec<(u8, Seat)>,
    shown: Vec<Revealed>,
    nodes: Vec<Node>,
    deck: Option<OpenDeck>,
}

impl HandCards {
    /// From the records of one hand, its opening first; `None` where the hand is not opened in them.
    ///
    /// # Errors
    /// [`RecordError`] where one cannot be read.
    pub fn of(table: TableId, records: &[Sealed]) -> Result<Option<HandCards>, RecordError> {
        let mut cards = None;
        for sealed in records {
            HandCards::take(&mut cards, table, &sealed.record()?);
        }
        Ok(cards)
    }

    /// The latest hand's cards after one record more.
    pub(super) fn take(cards: &mut Option<HandCards>, table: TableId, record: &Record) {
        for event in &record.events {
            let StreamEvent::Table(TableEvent::Hand(event)) = event else { continue };
            match (event, cards.as_mut()) {
                (Event::HandOpened(opening), _) => *cards = Some(HandCards::before_the_first(table, opening)),
                (Event::CardDealt { seat, position, .. }, Some(cards)) => cards.dealt.push((*position, *seat)),
                _ => {}
            }
        }
        if let Some(cards) = cards {
            let shown = record.revealed().into_iter().zip(&record.proof.salts);
            cards.shown.extend(shown.map(|((position, card), &salt)| Revealed { position, card, salt }));
            cards.nodes.extend(&record.proof.nodes);
            if let Some(deck) = &record.proof.deck {
                cards.deck = Some(deck.clone());
            }
        }
    }

    fn before_the_first(table: TableId, opening: &Opening) -> HandCards {
        HandCards {
            of: HandId { table: table.0, hand: opening.number },
            bond: opening.bond.clone(),
            dealt: Vec::new(),
            shown: Vec::new(),
            nodes: Vec::new(),
            deck: None,
        }
    }

    /// The seat that a position was dealt to; `None` for the common card and for what was never dealt.
    pub fn seat_of(&self, position: u8) -> Option<Seat> {
        self.dealt.iter().find(|(dealt, _)| *dealt == position).map(|(_, seat)| *seat)
    }

    /// Whether the card at a position was laid open.
    pub fn is_open(&self, position: u8) -> bool {
        self.shown.iter().any(|shown| shown.position == position)
    }

    /// The proof of all cards that were laid open; `None` until the play is over, and where a hand was voided without
    /// its key.
    pub fn proof(&self) -> Option<Multiproof> {
        let mut cards = self.shown.clone();
        cards.sort_unstable_by_key(|shown| shown.position);
        (!self.nodes.is_empty()).then(|| Multiproof { cards, nodes: self.nodes.clone() })
    }

    /// The whole deck, where the settlement has opened it to everybody.
    pub fn opened_deck(&self) -> Option<OpenedDeck> {
        self.deck.as_ref().map(|deck| self.opened(deck))
    }

    /// What the record claims to prove of the hand's cards, checked: the closing proof, and a deck that was opened to
    /// everybody.
    ///
    /// # Errors
    /// [`ProofError`] where it does not hold against the root that was recorded before the first card.
    pub(super) fn verify(&self, record: &Record) -> Result<(), ProofError> {
        let root = Root(self.bond.root);
        if let Some(proof) = self.proof().filter(|_| !record.proof.nodes.is_empty()) {
            proof.verify(self.of, root)?;
        }
        match &record.proof.deck {
            Some(deck) => self.opened(deck).verify(self.of, root),
            None => Ok(()),
        }
    }

    fn opened(&self, deck: &OpenDeck) -> OpenedDeck {
        match deck {
            OpenDeck::Seed(seed) => {
                let (seed, nonces) = (Seed::new(*seed), Nonces::of(self.bond.prepared.as_ref()));
                let order = order_with_nonces(&seed, &nonces).order().to_vec();
                let seed_hash = self.bond.prepared.as_ref().map(|prepared| SeedHash(prepared.seed_hash));
                OpenedDeck { order, from: OpenedFrom::Seed { seed, nonces, seed_hash } }
            }
            OpenDeck::Script { order, salts_key } => {
                OpenedDeck { order: order.clone(), from: OpenedFrom::Script { salts: SaltsKey::new(*salts_key) } }
            }
        }
    }
}
