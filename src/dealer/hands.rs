//! Hands as callers see them.

use std::sync::Arc;

use super::live::Live;
use super::order::Order;
use super::request::Ask;
use super::{Dealer, DealerError, HandAnswer};
use crate::engine::{Action, Chips, Rejection, Seat, Viewer};
use crate::ledger::TableId;
use crate::record::Seq;

impl Dealer {
    /// Opens the table's next hand: stacks into the pot account, antes, third street.
    ///
    /// # Errors
    /// Where the rules refuse it, or there is no entropy.
    pub async fn deal(&self, table: TableId, ask: &Ask, viewer: &Viewer) -> Result<HandAnswer, DealerError> {
        self.play(table, ask, &Order::Deal, viewer).await
    }

    /// A player's action, and all that the dealer does until the next one.
    ///
    /// # Errors
    /// Where the rules refuse it, or the caller's picture of the hand is stale.
    #[expect(clippy::too_many_arguments, reason = "an action is these things")]
    pub async fn act(
        &self,
        table: TableId,
        hand: u64,
        seat: Seat,
        action: Action,
        to: Option<Chips>,
        expected_seq: Option<u64>,
        ask: &Ask,
        viewer: &Viewer,
    ) -> Result<HandAnswer, DealerError> {
        let order = Order::Act { hand, seat, action, to, expected_seq };
        self.play(table, ask, &order, viewer).await
    }

    /// Pays the awards; done already, it changes nothing and says so by its view.
    ///
    /// # Errors
    /// Where the hand is still in play or was voided.
    pub async fn settle(
        &self,
        table: TableId,
        hand: u64,
        ask: &Ask,
        viewer: &Viewer,
    ) -> Result<HandAnswer, DealerError> {
        self.play(table, ask, &Order::Settle { hand }, viewer).await
    }

    /// Gives every chip back (R39); done already, it changes nothing.
    ///
    /// # Errors
    /// Where the hand is settled.
    pub async fn void_hand(
        &self,
        table: TableId,
        hand: u64,
        reason: Arc<str>,
        ask: &Ask,
        viewer: &Viewer,
    ) -> Result<HandAnswer, DealerError> {
        self.play(table, ask, &Order::Void { hand, reason }, viewer).await
    }

    /// A hand as it stands, or as it ended; `None` for the latest.
    ///
    /// # Errors
    /// Where there is no such hand.
    pub async fn hand(
        &self,
        table: TableId,
        number: Option<u64>,
        viewer: &Viewer,
    ) -> Result<HandAnswer, DealerError> {
        let slot = self.live.slot(table);
        let mut guard = slot.lock().await;
        let live = self.loaded(table, &mut guard).await?;
        let latest = live.table.hand().number();
        let number = number.unwrap_or(latest);
        if number == 0 || number > latest {
            return Err(Rejection::HandUnknown { hand: number, latest }.into());
        }
        if number < latest {
            drop(guard);
            let mut then = self.load_hand(table, number, Seq(u64::MAX)).await?;
            return self.show(&mut then, viewer).await;
        }
        self.show(live, viewer).await
    }

    async fn play(
        &self,
        table: TableId,
        ask: &Ask,
        order: &Order,
        viewer: &Viewer,
    ) -> Result<HandAnswer, DealerError> {
        let done = self.carry_out(table, ask, order).await;
        let mut live = match done {
            // A hand that was ended before the next one opened: paying or voiding it again is no error.
            Err(DealerError::Rejected(Rejection::HandOver { hand })) => self.ended(table, hand, order).await?,
            done => done?,
        };
        self.show(&mut live, viewer).await
    }

    /// An earlier hand, if the order asks for what was done to it.
    async fn ended(&self, table: TableId, hand: u64, order: &Order) -> Result<Live, DealerError> {
        let mut then = self.load_hand(table, hand, Seq(u64::MAX)).await?;
        let asks_for_end = matches!(order, Order::Settle { .. } | Order::Void { .. });
        if !asks_for_end {
            return Err(Rejection::HandOver { hand }.into());
        }
        self.decide(&mut then, order).await?;
        Ok(then)
    }

    /// The hand as this viewer may know it. Only a player of the hand has a use for the deck.
    async fn show(&self, live: &mut Live, viewer: &Viewer) -> Result<HandAnswer, DealerError> {
        let deck = match viewer {
            Viewer::Player(player) if live.table.hand().seat_of(player).is_some() => Some(self.deck_of(live).await?),
            _ => None,
        };
        Ok(HandAnswer::of(live, viewer, deck.as_ref()))
    }
}
