//! From bytes to a record: strict, and without a panic on any bytes.

mod hand;
mod proof;
mod settings;
mod table;

use std::fmt;

use prost::Message;

use super::enums::Coded;
use super::{FORMAT, Micros, Record, StreamEvent};
use crate::engine::{CardKey, Chips, Nonce, PlayerId, Seat};
use crate::ledger::{Account, TableId, Transfer, WalletEvent};
use crate::pb;
use crate::pb::event::Kind;

/// Why bytes are no record.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum RecordError {
    /// Not the protobuf of a record.
    #[error("the bytes are no razz.dealer.v1.Record: {0}")]
    Malformed(prost::DecodeError),
    /// Written by a newer version, which may mean other things by the same fields.
    #[error("the record has format {0}; this version knows formats up to {FORMAT}")]
    NewerFormat(u32),
    /// A field is absent or out of its range.
    #[error(transparent)]
    Field(#[from] Fault),
    /// The fields are right, but these are not the bytes that they are written as: a field that this format does not
    /// have, one that comes twice or out of order, a number longer than it must be.
    #[error("the bytes are not those that such a record is written as")]
    NotCanonical,
}

/// A field of a record that is absent or out of its range.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    /// Its path, as in `events[3].card_dealt.seat`.
    pub field: String,
    /// What would be right.
    pub expected: &'static str,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} must be {}", self.field, self.expected)
    }
}

impl std::error::Error for Fault {}

type Read<T> = Result<T, Fault>;

/// The record that [`super::encode`] gave these bytes for.
///
/// # Errors
/// [`RecordError`] for all other bytes.
pub fn decode(bytes: &[u8]) -> Result<Record, RecordError> {
    let message = pb::Record::decode(bytes).map_err(RecordError::Malformed)?;
    if message.format > FORMAT {
        return Err(RecordError::NewerFormat(message.format));
    }
    // Nothing may hide beside what is read, so that no two stored forms mean the same.
    let canonical = message.encode_to_vec() == bytes;
    let record = record(message)?;
    if canonical { Ok(record) } else { Err(RecordError::NotCanonical) }
}

fn record(message: pb::Record) -> Read<Record> {
    if message.format == 0 {
        return Err(fault("format", "at least 1"));
    }
    let request_hash = message.request_hash.as_slice().try_into().map_err(|_| fault("request_hash", "16 bytes"))?;
    let events = each("events", &message.events, stream_event)?;
    let proof = proof::proof(&message, events.iter().map(|event| event.revealed().len()).sum())?;
    Ok(Record {
        at: Micros(message.at_us),
        actor: message.actor,
        request_id: message.request_id,
        request_hash,
        trace: message.trace,
        hand_number: message.hand_number,
        deadline: message.deadline_us.map(Micros),
        events,
        transfers: each("transfers", &message.transfers, transfer)?,
        proof,
    })
}

/// Reads each item of a list; a fault names its place.
fn each<T, U>(list: &str, items: &[T], read: impl Fn(&T) -> Read<U>) -> Read<Vec<U>> {
    let at = |place: usize, inner: Fault| Fault { field: format!("{list}[{place}].{}", inner.field), ..inner };
    items.iter().enumerate().map(|(place, item)| read(item).map_err(|inner| at(place, inner))).collect()
}

fn stream_event(event: &pb::Event) -> Read<StreamEvent> {
    let kind = given("kind", event.kind.as_ref())?;
    Ok(match kind {
        Kind::Deposited(_) | Kind::Withdrawn(_) | Kind::BoughtIn(_) | Kind::CashedOut(_) => {
            StreamEvent::Wallet(wallet_event(kind)?)
        }
        _ => StreamEvent::Table(table::event(kind)?),
    })
}

fn wallet_event(kind: &Kind) -> Read<WalletEvent> {
    Ok(match kind {
        Kind::Deposited(moved) => WalletEvent::Deposited {
            player: player("deposited.player_id", &moved.player_id)?,
            amount: chips("deposited.amount", moved.amount)?,
            balance: chips("deposited.balance", moved.balance)?,
        },
        Kind::Withdrawn(moved) => WalletEvent::Withdrawn {
            player: player("withdrawn.player_id", &moved.player_id)?,
            amount: chips("withdrawn.amount", moved.amount)?,
            balance: chips("withdrawn.balance", moved.balance)?,
        },
        Kind::BoughtIn(moved) => WalletEvent::BoughtIn {
            player: player("bought_in.player_id", &moved.player_id)?,
            table: table_id("bought_in.table_id", &moved.table_id)?,
            seat: seat("bought_in.seat", moved.seat)?,
            amount: chips("bought_in.amount", moved.amount)?,
            balance: chips("bought_in.balance", moved.balance)?,
        },
        Kind::CashedOut(moved) => WalletEvent::CashedOut {
            player: player("cashed_out.player_id", &moved.player_id)?,
            table: table_id("cashed_out.table_id", &moved.table_id)?,
            seat: seat("cashed_out.seat", moved.seat)?,
            amount: chips("cashed_out.amount", moved.amount)?,
            balance: chips("cashed_out.balance", moved.balance)?,
        },
        _ => return Err(fault("kind", "an event of a wallet")),
    })
}

fn transfer(moved: &pb::Transfer) -> Read<Transfer> {
    let from = account("from_account", moved.from_account.as_ref())?;
    let to = account("to_account", moved.to_account.as_ref())?;
    if from == to {
        return Err(fault("to_account", "another account than from_account"));
    }
    Transfer::new(from, to, chips("amount", moved.amount)?).ok_or_else(|| fault("amount", "at least 1"))
}

fn account(field: &'static str, account: Option<&pb::Account>) -> Read<Account> {
    use pb::account::{self, Kind};
    let kind = account.and_then(|account| account.kind.as_ref());
    Ok(match given(field, kind)? {
        Kind::House(account::House {}) => Account::House,
        Kind::Wallet(wallet) => Account::Wallet(player(field, &wallet.player_id)?),
        Kind::Seat(at) => Account::Seat(table_id(field, &at.table_id)?, seat(field, at.seat)?),
        Kind::Pot(pot) => Account::Pot(table_id(field, &pot.table_id)?),
        Kind::Rake(rake) => Account::Rake(table_id(field, &rake.table_id)?),
    })
}

fn fault(field: &str, expected: &'static str) -> Fault {
    Fault { field: field.to_owned(), expected }
}

fn given<T>(field: &'static str, value: Option<T>) -> Read<T> {
    value.ok_or_else(|| fault(field, "given, as a kind that this format has"))
}

/// A hash, a seed or a key.
fn exactly(field: &'static str, bytes: &[u8]) -> Read<[u8; 32]> {
    bytes.try_into().map_err(|_| fault(field, "32 bytes"))
}

/// Empty for none.
fn key(field: &'static str, bytes: &[u8]) -> Read<Option<CardKey>> {
    if bytes.is_empty() { Ok(None) } else { exactly(field, bytes).map(|bytes| Some(CardKey::new(bytes))) }
}

fn nonce(field: &'static str, bytes: &[u8]) -> Read<Nonce> {
    Nonce::new(bytes).ok_or_else(|| fault(field, "1 to 32 bytes"))
}

fn coded<T: Coded>(field: &'static str, code: i32) -> Read<T> {
    T::of_code(code).ok_or_else(|| fault(field, "a value that this format has"))
}

fn chips(field: &'static str, units: i64) -> Read<Chips> {
    Chips::new(units).ok_or_else(|| fault(field, "from 0 to 10^15"))
}

fn seat(field: &'static str, number: i32) -> Read<Seat> {
    u8::try_from(number).ok().and_then(Seat::new).ok_or_else(|| fault(field, "from 1 to 8"))
}

fn player(field: &'static str, text: &str) -> Read<PlayerId> {
    PlayerId::new(text).ok_or_else(|| fault(field, "1 to 64 bytes of UTF-8 without control characters"))
}

/// Only in the form that it is written in: no two texts may mean one table.
fn table_id(field: &'static str, text: &str) -> Read<TableId> {
    let id = uuid::Uuid::try_parse(text).ok().map(|id| TableId(id.into_bytes()));
    id.filter(|id| id.to_string() == text).ok_or_else(|| fault(field, "a UUID in lower case with hyphens"))
}
