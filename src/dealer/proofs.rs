//! Proofs of cards, and decks that are opened for an audit.

use std::sync::Arc;

use super::decks::hand_id;
use super::live::Live;
use super::order::Order;
use super::request::Ask;
use super::{Dealer, DealerError};
use crate::engine::{Deck, DeckBond, Rejection, Seat, TableCommand, Viewer};
use crate::ledger::TableId;
use crate::record::Seq;
use crate::shuffle::{CardProof, DeckSecret, SaltedDeck};

/// The proofs of the cards that a viewer may see.
#[derive(Clone, Debug)]
pub struct CardProofs {
    /// At which table.
    pub table: TableId,
    /// Of which hand.
    pub hand: u64,
    /// What binds the deck.
    pub bond: DeckBond,
    /// By position. Those of `sealed` seats are not to be told but sealed.
    pub cards: Vec<CardProof>,
    /// The down cards that are told to this viewer sealed, by seat.
    pub sealed: Vec<(Seat, Vec<u8>)>,
}

/// A hand's whole deck, opened.
#[derive(Clone, Debug)]
pub struct OpenedHand {
    /// At which table.
    pub table: TableId,
    /// Of which hand.
    pub hand: u64,
    /// What binds the deck.
    pub bond: DeckBond,
    /// The order.
    pub deck: Deck,
    /// What it follows from.
    pub secret: DeckSecret,
}

impl Dealer {
    /// The proofs of all cards of a hand that this viewer may see; `None` for the latest hand.
    ///
    /// # Errors
    /// Where there is no such hand, or its deck cannot be read.
    pub async fn card_proofs(
        &self,
        table: TableId,
        number: Option<u64>,
        viewer: &Viewer,
    ) -> Result<CardProofs, DealerError> {
        let latest = self.table_head(table).await?.ok_or(DealerError::TableUnknown(table))?;
        let number = number.unwrap_or(latest.hand);
        if number == 0 || number > latest.hand {
            return Err(Rejection::HandUnknown { hand: number, latest: latest.hand }.into());
        }
        let mut live = self.load_hand(table, number, Seq(u64::MAX)).await?;
        self.record_readings(&live, viewer).await?;
        let deck = self.deck_of(&mut live).await?;
        let (sealed, commitment) = (self.handed_over(&live, viewer, &deck)?, deck.commit(hand_id(table, number)));
        let hand = live.table.hand();
        let proofs = hand.visible(viewer).into_iter().filter_map(|position| commitment.card_proof(position).ok());
        Ok(CardProofs { table, hand: number, bond: hand.opening().bond.clone(), cards: proofs.collect(), sealed })
    }

    /// The whole deck of a hand that is over. Who opens it and why is recorded before it is told.
    ///
    /// # Errors
    /// Where there is no such hand, it is not over, or its deck cannot be read: then nothing is recorded.
    pub async fn open_deck(
        &self,
        table: TableId,
        hand: u64,
        auditor: Arc<str>,
        reason: Arc<str>,
        ask: &Ask,
    ) -> Result<OpenedHand, DealerError> {
        let command = TableCommand::OpenDeck { hand, auditor, reason };
        self.carry_out(table, ask, &Order::Table(command)).await?;
        let live = self.load_hand(table, hand, Seq(u64::MAX)).await?;
        let bond = live.table.hand().opening().bond.clone();
        let (secret, SaltedDeck { deck, .. }) = self.bound_deck(table, hand, &bond).await?;
        Ok(OpenedHand { table, hand, bond, deck, secret })
    }

    /// That the deck of a hand that the table has had can be opened, and is the one that its record binds.
    pub(super) async fn ended_deck(&self, live: &Live, hand: u64) -> Result<(), DealerError> {
        let latest = live.table.hand();
        let bond = if hand == latest.number() {
            latest.opening().bond.clone()
        } else {
            self.load_hand(live.id, hand, Seq(u64::MAX)).await?.table.hand().opening().bond.clone()
        };
        self.bound_deck(live.id, hand, &bond).await.map(|_| ())
    }
}
