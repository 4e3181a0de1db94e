//! What a crash or a forgetful caller leaves behind: open hands. Those that wait for a player go on waiting; those that
//! are played out are paid by Settle, or without being asked once their table's `settle_after` is over.

use super::live::Live;
use super::order::Order;
use super::request::{Ask, RequestId};
use super::{Dealer, DealerError};
use crate::engine::Seat;
use crate::ledger::TableId;
use crate::record::Micros;
use crate::store::HandState;

/// How many hands are looked at in one go.
const PAGE: u32 = 100;

/// A hand whose chips are in its table's pot account.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OpenHand {
    /// Its table.
    pub table: TableId,
    /// Its number.
    pub hand: u64,
    /// What it waits for.
    pub waits: Waits,
}

/// What an open hand waits for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Waits {
    /// For a player's action.
    Player(Seat),
    /// For Settle, and for nothing else: its table never settles without being asked.
    Settle,
    /// For Settle, or for this moment.
    SettleOr(Micros),
}

impl Dealer {
    /// Settles the hands whose time for that has come, each once, whoever else does the same. Gives how many it has
    /// settled itself.
    ///
    /// # Errors
    /// Where the store fails. A table that cannot be read is passed over, and logged.
    pub async fn settle_due(&self) -> Result<u32, DealerError> {
        let due = self.store.due(HandState::PlayedOut, Micros(self.world.now()), PAGE).await?;
        let mut settled = 0;
        for head in due {
            let (table, hand) = (TableId(head.stream.0), head.hand);
            let request_id = RequestId::of_settlement(hand);
            let ask = Ask { request_id, actor: "dealer".to_owned(), trace: String::new() };
            match self.carry_out_here(table, &ask, &Order::Settle { hand }).await {
                Ok((_, true)) => {
                    settled += 1;
                    tracing::info!(%table, hand, "settled: nobody asked for it in time");
                }
                // Somebody was faster; where more has happened since, it is refused.
                Ok((_, false)) | Err(DealerError::Rejected(_)) => {}
                Err(DealerError::Store(error)) => return Err(error.into()),
                Err(error) => tracing::error!(%table, hand, %error, "a hand that is played out cannot be settled"),
            }
        }
        Ok(settled)
    }

    /// Open hands by table, after `after`, at most 100, each as a replay of its records leaves it; and the table to go
    /// on from, `None` after the last.
    ///
    /// # Errors
    /// Where a table cannot be read.
    pub async fn open_hands(&self, after: Option<TableId>) -> Result<(Vec<OpenHand>, Option<TableId>), DealerError> {
        let heads = self.store.open_hands(after, PAGE).await?;
        let next = heads.last().map(|head| TableId(head.stream.0));
        let mut open = Vec::new();
        for head in heads {
            let live = self.load_hand(TableId(head.stream.0), head.hand, head.seq).await?;
            open.extend(open_hand(&live));
        }
        Ok((open, next))
    }
}

fn open_hand(live: &Live) -> Option<OpenHand> {
    let hand = live.table.hand();
    let waits = match (live.state(), hand.waits_for(), live.deadline) {
        (HandState::Idle, ..) => return None,
        (HandState::Betting, Some(seat), _) => Waits::Player(seat),
        (_, _, Some(moment)) => Waits::SettleOr(moment),
        _ => Waits::Settle,
    };
    Some(OpenHand { table: live.id, hand: hand.number(), waits })
}
