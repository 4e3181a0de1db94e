//! What a crash or a forgetful caller leaves behind: open hands. Those that wait for a player go on waiting; those that
//! are played out are paid by Settle, or without being asked once their table's `settle_after` is over.

use std::collections::BTreeMap;

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

/// How long a table that could not be settled is left alone: at first, and at most. The time doubles.
const PAUSE: [i64; 2] = [10_000_000, 3_600_000_000];

/// A hand whose chips are in its table's pot account.
#[derive(Debug)]
pub struct OpenHand {
    /// Its table.
    pub table: TableId,
    /// Its number.
    pub hand: u64,
    /// What it waits for, or why that cannot be told: its records are damaged.
    pub waits: Result<Waits, DealerError>,
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

/// Tables that could not be settled when their time had come, and when each is tried again. They stand in nobody's way,
/// and are not told of every second.
#[derive(Debug, Default)]
pub struct Troubled(BTreeMap<TableId, Trouble>);

#[derive(Clone, Copy, Debug)]
struct Trouble {
    hand: u64,
    again: i64,
    pause: i64,
}

impl Troubled {
    /// Whether the hand was tried in vain just now.
    fn rests(&self, table: TableId, hand: u64, now: i64) -> bool {
        self.0.get(&table).is_some_and(|trouble| trouble.hand == hand && trouble.again > now)
    }

    fn note(&mut self, table: TableId, hand: u64, now: i64) {
        let before = self.0.get(&table).filter(|trouble| trouble.hand == hand);
        let pause = before.map_or(PAUSE[0], |trouble| (2 * trouble.pause).min(PAUSE[1]));
        self.0.insert(table, Trouble { hand, again: now.saturating_add(pause), pause });
    }
}

/// What came of looking for hands that are due.
#[derive(Debug, Default)]
pub struct Round {
    /// Hands that it has settled itself.
    pub settled: u32,
    /// Hands that it could not settle, and why.
    pub failed: Vec<(TableId, u64, DealerError)>,
}

impl Dealer {
    /// Settles the hands whose time for that has come, each once, whoever else does the same. A table that cannot be
    /// settled is passed over, and by the next rounds too for a while that grows, up to an hour.
    ///
    /// # Errors
    /// Where the store fails.
    pub async fn settle_due(&self, troubled: &mut Troubled) -> Result<Round, DealerError> {
        let (now, mut after, mut round) = (self.world.now(), None, Round::default());
        loop {
            let due = self.store.due(HandState::PlayedOut, Micros(now), after, PAGE).await?;
            after = due.last().and_then(|last| Some((last.deadline?, last.stream)));
            if after.is_none() {
                break;
            }
            for head in &due {
                let (table, hand) = (TableId(head.stream.0), head.hand);
                if troubled.rests(table, hand, now) {
                    continue;
                }
                match self.settle_for_nobody(table, hand).await {
                    Ok(is_new) => round.settled += u32::from(is_new),
                    Err(DealerError::Store(error)) if error.is_of_all() => return Err(error.into()),
                    // It is busy: next time.
                    Err(DealerError::Busy | DealerError::Crowded { .. }) => {}
                    Err(error) => {
                        troubled.note(table, hand, now);
                        round.failed.push((table, hand, error));
                    }
                }
            }
        }
        // Who came in order again, or was settled by others, is forgotten.
        troubled.0.retain(|_, trouble| trouble.again.saturating_add(trouble.pause) > now);
        Ok(round)
    }

    /// Settles the hand without being asked; whether it was not settled before.
    async fn settle_for_nobody(&self, table: TableId, hand: u64) -> Result<bool, DealerError> {
        let request_id = RequestId::of_settlement(hand);
        let ask = Ask { request_id, actor: "dealer".to_owned(), trace: String::new() };
        match self.carry_out_here(table, &ask, &Order::Settle { hand }).await {
            Ok((_, true)) => {
                tracing::info!(%table, hand, "settled: nobody asked for it in time");
                Ok(true)
            }
            // Somebody was faster; where more has happened since, it is refused.
            Ok((_, false)) | Err(DealerError::Rejected(_)) => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Open hands by table, after `after`, at most 100, each as a replay of its records leaves it; and the table to go
    /// on from, `None` after the last.
    ///
    /// # Errors
    /// Where the store fails. A table whose records are damaged is told as such, and keeps nobody from the next.
    pub async fn open_hands(&self, after: Option<TableId>) -> Result<(Vec<OpenHand>, Option<TableId>), DealerError> {
        let heads = self.store.open_hands(after, PAGE).await?;
        let next = heads.last().map(|head| TableId(head.stream.0));
        let mut open = Vec::new();
        for head in heads {
            let (table, hand) = (TableId(head.stream.0), head.hand);
            match self.load_hand(table, hand, head.seq).await {
                Ok(live) => open.extend(open_hand(&live)),
                Err(DealerError::Store(error)) if error.is_of_all() => return Err(error.into()),
                Err(error) => open.push(OpenHand { table, hand, waits: Err(error) }),
            }
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
    Some(OpenHand { table: live.id, hand: hand.number(), waits: Ok(waits) })
}
