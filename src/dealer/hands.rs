//! Hands as callers see them.

use std::sync::Arc;

use zeroize::Zeroizing;

use super::decks::hand_id;
use super::live::Live;
use super::order::Order;
use super::request::{Ask, RequestId};
use super::{Dealer, DealerError, HandAnswer};
use crate::engine::{Outcome, Player, Rejection, Seat, Showing, Sight, TableCommand, Viewer};
use crate::ledger::TableId;
use crate::record::Seq;
use crate::shuffle::{SaltedDeck, hand_over};

impl Dealer {
    /// A hand as it stands, or as it ended; `None` for the latest.
    ///
    /// # Errors
    /// Where there is no such hand.
    pub async fn hand(&self, table: TableId, number: Option<u64>, viewer: &Viewer) -> Result<HandAnswer, DealerError> {
        let mut guard = self.turn(table).await?;
        let live = self.current(table, &mut guard).await?;
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
        if live.table.hand().readings(viewer).next().is_none() {
            return self.show(live, viewer).await;
        }
        // A reading is recorded at its turn.
        let mut then = Box::new(live.clone());
        drop(guard);
        self.show(&mut then, viewer).await
    }

    /// Carries out an order to a table's hand: a deal, an action and all that the dealer does until the next one, a
    /// settlement, a voiding. What is done already changes nothing, and the view says so.
    ///
    /// # Errors
    /// Where the rules refuse it, the caller's picture of the hand is stale, or there is no entropy.
    pub async fn play(
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
    async fn ended(&self, table: TableId, hand: u64, order: &Order) -> Result<Box<Live>, DealerError> {
        let mut then = self.load_hand(table, hand, Seq(u64::MAX)).await?;
        let asks_for_end = matches!(order, Order::Settle { .. } | Order::Void { .. });
        if !asks_for_end {
            return Err(Rejection::HandOver { hand }.into());
        }
        self.decide(&mut then, order).await?;
        Ok(then)
    }

    /// The hand as this viewer may know it. The deck is asked only for cards that are told to this viewer.
    async fn show(&self, live: &mut Live, viewer: &Viewer) -> Result<HandAnswer, DealerError> {
        let hidden = self.hidden_since(live, viewer).await?;
        if hidden {
            // As the public sees it, and one's own: what was mucked is nobody else's business any more.
            return self.show_own(live, viewer).await;
        }
        self.record_readings(live, viewer).await?;
        let hand = live.table.hand();
        let told = hand.players().any(|(seat, _)| matches!(hand.sight(viewer, seat), Sight::Clear | Sight::Sealed(_)));
        let deck = if told { Some(self.deck_of(live).await?) } else { None };
        let sealed = match &deck {
            Some(deck) => self.handed_over(live, viewer, deck)?,
            None => Vec::new(),
        };
        Ok(HandAnswer::of(live, viewer, deck.as_ref().map(|deck| &deck.deck), sealed))
    }

    /// Whether mucked hands that this viewer was told then are told no more: a repeated request is answered from then,
    /// and the hand was voided since.
    async fn hidden_since(&self, live: &Live, viewer: &Viewer) -> Result<bool, DealerError> {
        let hand = live.table.hand();
        let told = |(seat, player): (Seat, &Player)| {
            player.showing() == Showing::Mucked && !matches!(hand.sight(viewer, seat), Sight::Nothing | Sight::Open)
        };
        if !hand.players().any(told) {
            return Ok(false);
        }
        let now = self.load_hand(live.id, hand.number(), Seq(u64::MAX)).await?;
        Ok(matches!(now.table.hand().outcome(), Some(Outcome::Voided(_))))
    }

    /// The hand as of then, with no more than the viewer's own down cards.
    async fn show_own(&self, live: &mut Live, viewer: &Viewer) -> Result<HandAnswer, DealerError> {
        let own = if let Viewer::Player(player) = viewer { live.table.hand().seat_of(player) } else { None };
        let Some(own) = own else { return Ok(HandAnswer::of(live, &Viewer::Public, None, Vec::new())) };
        let deck = self.deck_of(live).await?;
        let mut sealed = self.handed_over(live, viewer, &deck)?;
        sealed.retain(|(seat, _)| *seat == own);
        let mut answer = HandAnswer::of(live, viewer, Some(&deck.deck), sealed);
        for seat in answer.view.seats.iter_mut().filter(|seat| seat.seat != own && seat.showing != Showing::Shown) {
            seat.down.clear();
        }
        Ok(answer)
    }

    /// The down cards that are told to this viewer sealed, by seat.
    pub(super) fn handed_over(
        &self,
        live: &Live,
        viewer: &Viewer,
        deck: &SaltedDeck,
    ) -> Result<Vec<(Seat, Vec<u8>)>, DealerError> {
        let hand = live.table.hand();
        let mut sealed = Vec::new();
        for (seat, player) in hand.players() {
            let Sight::Sealed(key) = hand.sight(viewer, seat) else { continue };
            let entropy = Zeroizing::new(self.world.random::<32>()?);
            let cards = deck.reveal(&player.down().collect::<Vec<_>>());
            let text = hand_over(&key, &entropy, hand_id(live.id, hand.number()), seat, &cards);
            // A key that nothing can be sealed to is refused with the seat.
            sealed.push((seat, text.map_err(|why| DealerError::Corrupt(format!("seat {seat}: {why}")))?));
        }
        Ok(sealed)
    }

    /// Records that somebody is told cards that are not theirs, before they are: the first time for each seat and
    /// reader. No turn at the table may be held.
    pub(super) async fn record_readings(&self, live: &Live, viewer: &Viewer) -> Result<(), DealerError> {
        let number = live.table.hand().number();
        for (seat, reader) in live.table.hand().readings(viewer) {
            let ask = Ask {
                request_id: RequestId::of_reading(number, seat, reader),
                actor: reader.to_string(),
                trace: String::new(),
            };
            let command = TableCommand::ReadCards { hand: number, seat, reader: Arc::clone(reader) };
            let order = Order::Table(command);
            if self.repeated(live.stream(), &ask, order.hash()).await?.is_none() {
                self.carry_out(live.id, &ask, &order).await?;
            }
        }
        Ok(())
    }
}
