//! What a record holds to prove the cards that its events lay open.

use super::decks::hand_id;
use super::live::Live;
use super::{Dealer, DealerError};
use crate::engine::{Event, Hand, TableEvent};
use crate::record::{OpenDeck, Proof};
use crate::shuffle::{DeckSecret, Node};

impl Dealer {
    /// The proof that goes with these events, which have led from `before` to `next`.
    ///
    /// A hand can be settled and voided without its key, as no chip may hang on one; only what proves its cards is then
    /// absent. An action cannot, as it needs the deck itself.
    pub(super) async fn proof(
        &self,
        before: &Live,
        next: &mut Live,
        events: &[TableEvent],
    ) -> Result<Proof, DealerError> {
        let of_hand =
            || events.iter().filter_map(|event| if let TableEvent::Hand(event) = event { Some(event) } else { None });
        let revealed: Vec<u8> = of_hand().flat_map(Event::revealed).map(|(position, _)| position).collect();
        let salts = if revealed.is_empty() { Vec::new() } else { self.deck_of(next).await?.salts(&revealed) };
        let nodes = if ends(before.table.hand(), next.table.hand()) { self.closing(next).await? } else { Vec::new() };
        let opens = next.table.hand().opening().settings.reveal_deck
            && of_hand().any(|event| matches!(event, Event::HandSettled { .. }));
        let deck = if opens { self.opened(next).await? } else { None };
        Ok(Proof { salts, nodes, deck })
    }

    /// What else the root is made of, beside the leaves of all cards that the hand has laid open.
    async fn closing(&self, live: &mut Live) -> Result<Vec<Node>, DealerError> {
        let Some(deck) = keyless(self.deck_of(live).await)? else { return Ok(Vec::new()) };
        let hand = live.table.hand();
        let positions: Vec<u8> = hand.revealed().collect();
        let proof = deck.commit(hand_id(live.id, hand.number())).multiproof(&positions);
        // Only a hand that has laid no card open has none.
        Ok(proof.map(|proof| proof.nodes).unwrap_or_default())
    }

    async fn opened(&self, live: &Live) -> Result<Option<OpenDeck>, DealerError> {
        let hand = live.table.hand();
        let bound = keyless(self.bound_deck(live.id, hand.number(), &hand.opening().bond).await)?;
        Ok(bound.map(|(secret, _)| match secret {
            DeckSecret::Seed(seed) => OpenDeck::Seed(*seed.bytes()),
            DeckSecret::Script { deck, salts } => {
                OpenDeck::Script { order: deck.order().to_vec(), salts_key: *salts.bytes() }
            }
        }))
    }
}

/// Whether the play of a hand ends between these two.
fn ends(before: &Hand, next: &Hand) -> bool {
    let over = |hand: &Hand| hand.number() > 0 && (hand.is_played_out() || !hand.is_open());
    over(next) && (before.number() != next.number() || !over(before))
}

/// `None` where the deck cannot be opened: what hangs on it is then left out.
fn keyless<T>(read: Result<T, DealerError>) -> Result<Option<T>, DealerError> {
    match read {
        Ok(read) => Ok(Some(read)),
        Err(error @ DealerError::DeckUnreadable { .. }) => {
            tracing::warn!(%error, "a hand ends without what proves or opens its cards");
            Ok(None)
        }
        Err(error) => Err(error),
    }
}
