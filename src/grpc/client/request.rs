//! Requests that can be sent again as they were, each within a deadline.

use std::time::Duration;

use tonic::{Code, Status};

use super::{Client, reason};
use crate::engine::PlayerId;
use crate::pb;
use crate::record::StreamId;

/// A call that can be repeated: one that changes something bears its `request_id`.
#[derive(Clone, PartialEq, Debug)]
pub enum Request {
    /// Makes a table; it must have an id of the caller's.
    CreateTable(pb::CreateTableRequest),
    /// Brings chips into a wallet.
    Deposit(pb::DepositRequest),
    /// Seats a player.
    TakeSeat(pb::TakeSeatRequest),
    /// Brings chips to a seat.
    AddChips(pb::AddChipsRequest),
    /// Opens a hand.
    Deal(pb::DealRequest),
    /// Plays it.
    Act(pb::ActRequest),
    /// Pays it.
    Settle(pb::SettleRequest),
    /// Looks at it: changes nothing.
    GetHand(pb::GetHandRequest),
}

/// What the service answered.
#[derive(Clone, PartialEq, Debug)]
pub struct Done {
    /// The record that the request made. (For `GetHand`, the hand's last.)
    pub seq: u64,
    /// The hand, where the call is about one.
    pub hand: Option<pb::HandView>,
}

/// A call that was not answered, or refused.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{reason}: {message}")]
pub struct Failed {
    /// A name of `razz.dealer.v1.ErrorReason` without its prefix; without one `NO_ANSWER`, `DEADLINE_EXCEEDED`, or the
    /// name of the gRPC code.
    pub reason: String,
    /// Whether the service, its database or its answer is away, or there is too much to do: then the same request may
    /// be sent again, there or elsewhere, and is done once. Else it is refused.
    pub again: bool,
    /// As the service, or the transport, says it.
    pub message: String,
}

impl Request {
    /// Sends it, and waits for the answer so long at most.
    ///
    /// # Errors
    /// Where it was refused, or no answer came.
    pub async fn send(&self, client: &mut Client, within: Duration) -> Result<Done, Failed> {
        // The deadline in the request is the service's; the one here holds whatever the service and the line do.
        match tokio::time::timeout(within, self.call(client, within)).await {
            Ok(answer) => answer?.ok_or_else(|| Failed {
                reason: "INTERNAL".to_owned(),
                again: false,
                message: "the answer is empty".to_owned(),
            }),
            Err(_) => Err(Failed::overdue(format!("no answer within {within:?}"))),
        }
    }

    async fn call(&self, client: &mut Client, within: Duration) -> Result<Option<Done>, Status> {
        let (table, hand) = match self {
            Request::CreateTable(asked) => {
                (client.tables.create_table(timed(asked, within)).await?.into_inner().table, None)
            }
            Request::TakeSeat(asked) => (client.tables.take_seat(timed(asked, within)).await?.into_inner().table, None),
            Request::AddChips(asked) => (client.tables.add_chips(timed(asked, within)).await?.into_inner().table, None),
            Request::Deal(asked) => (None, client.dealer.deal(timed(asked, within)).await?.into_inner().hand),
            Request::Act(asked) => (None, client.dealer.act(timed(asked, within)).await?.into_inner().hand),
            Request::Settle(asked) => (None, client.dealer.settle(timed(asked, within)).await?.into_inner().hand),
            Request::GetHand(asked) => (None, client.dealer.get_hand(timed(asked, within)).await?.into_inner().hand),
            Request::Deposit(asked) => {
                let seq = client.ledger.deposit(timed(asked, within)).await?.into_inner().seq;
                return Ok(Some(Done { seq, hand: None }));
            }
        };
        let seq = hand.as_ref().map(|hand| hand.seq).or(table.map(|table| table.seq));
        Ok(seq.map(|seq| Done { seq, hand }))
    }

    /// Its `request_id`; empty for a call that changes nothing.
    pub fn id(&self) -> &str {
        match self {
            Request::CreateTable(asked) => &asked.request_id,
            Request::Deposit(asked) => &asked.request_id,
            Request::TakeSeat(asked) => &asked.request_id,
            Request::AddChips(asked) => &asked.request_id,
            Request::Deal(asked) => &asked.request_id,
            Request::Act(asked) => &asked.request_id,
            Request::Settle(asked) => &asked.request_id,
            Request::GetHand(_) => "",
        }
    }

    /// The stream that its record stands in; `None` where it names none that can be, and for a call that changes
    /// nothing.
    pub fn stream(&self) -> Option<StreamId> {
        let table = match self {
            Request::Deposit(asked) => return PlayerId::new(&asked.player_id).as_ref().map(StreamId::of_wallet),
            Request::GetHand(_) => return None,
            Request::CreateTable(asked) => &asked.table_id,
            Request::TakeSeat(asked) => &asked.table_id,
            Request::AddChips(asked) => &asked.table_id,
            Request::Deal(asked) => &asked.table_id,
            Request::Act(asked) => &asked.table_id,
            Request::Settle(asked) => &asked.table_id,
        };
        uuid::Uuid::try_parse(table).ok().map(|id| StreamId(id.into_bytes()))
    }
}

fn timed<T: Clone>(asked: &T, within: Duration) -> tonic::Request<T> {
    let mut request = tonic::Request::new(asked.clone());
    request.set_timeout(within);
    request
}

impl Failed {
    fn overdue(message: String) -> Failed {
        Failed { reason: "DEADLINE_EXCEEDED".to_owned(), again: true, message }
    }
}

impl From<Status> for Failed {
    fn from(status: Status) -> Failed {
        let message = status.message().to_owned();
        match (reason(&status), status.code()) {
            (_, Code::DeadlineExceeded) => Failed::overdue(message),
            // The service itself has spoken.
            (reason, code) if !reason.is_empty() => {
                Failed { reason, again: matches!(code, Code::Unavailable | Code::ResourceExhausted), message }
            }
            // What tonic makes of a line that is dead, or goes dead under a call, and of its own timeout.
            (_, Code::Unavailable | Code::Unknown | Code::Internal | Code::Cancelled) => {
                Failed { reason: "NO_ANSWER".to_owned(), again: true, message }
            }
            (_, code) => Failed { reason: format!("{code:?}"), again: false, message },
        }
    }
}
