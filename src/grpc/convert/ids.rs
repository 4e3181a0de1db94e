//! Ids, amounts, viewers and pages.

use std::sync::Arc;

use tonic::metadata::MetadataMap;

use super::{BadRequest, invalid};
use crate::dealer::{Ask, OWN_IDS, REQUEST_ID_MAX_BYTES, RequestId};
use crate::engine::{Action, CardKey, Chips, Nonce, PlayerId, Seat, Viewer};
use crate::ledger::{Account, TableId};
use crate::pb;
use crate::record::{Coded, Micros, Seq, StreamId};
use crate::shuffle::usable;
use crate::store::TransferCursor;

/// Who asks, until callers are told apart.
const ACTOR: &str = "platform";
/// The longest reason, in characters.
const REASON_MAX: usize = 200;
/// The longest name of a reader or an auditor.
const NAME_MAX_BYTES: usize = 64;
/// How many items a page has where nothing is asked, and at most.
const PAGE: (u32, u32) = (100, 1000);

pub fn ask(request_id: &str, metadata: &MetadataMap) -> Result<Ask, BadRequest> {
    if request_id.is_empty() {
        return Err(BadRequest::NoRequestId);
    }
    let expected =
        format!("1 to {REQUEST_ID_MAX_BYTES} bytes of UTF-8 without control characters, not beginning {OWN_IDS}");
    let request_id = RequestId::new(request_id).ok_or_else(|| invalid("request_id", expected))?;
    // Only a trace context of the form that W3C gives it goes into the record.
    let trace = metadata.get("traceparent").and_then(|value| value.to_str().ok());
    let trace = trace.filter(|value| value.len() == 55).unwrap_or_default().to_owned();
    Ok(Ask { request_id, actor: ACTOR.to_owned(), trace })
}

pub fn table_id(text: &str) -> Result<TableId, BadRequest> {
    // One id, one text: so that callers who compare texts compare ids.
    let id = uuid::Uuid::try_parse(text).ok().filter(|id| !id.is_nil() && id.to_string() == text);
    let expected = "a UUID in lower case with hyphens, and not the nil one,";
    id.map(|id| TableId(id.into_bytes())).ok_or_else(|| invalid("table_id", expected))
}

pub fn player_id(field: &'static str, text: &str) -> Result<PlayerId, BadRequest> {
    let expected = format!("1 to {} bytes of UTF-8 without control characters", PlayerId::MAX_BYTES);
    PlayerId::new(text).ok_or_else(|| invalid(field, expected))
}

pub fn seat(field: &'static str, number: i32) -> Result<Seat, BadRequest> {
    u8::try_from(number).ok().and_then(Seat::new).ok_or_else(|| invalid(field, "a seat from 1 to 8"))
}

/// At least `least`, at most 10^15.
pub fn chips(field: &'static str, units: i64, least: i64) -> Result<Chips, BadRequest> {
    let chips = Chips::new(units).filter(|chips| chips.units() >= least);
    chips.ok_or(BadRequest::Chips { field, given: units, least })
}

pub fn hand_number(number: u64) -> Result<u64, BadRequest> {
    // Above this, SQL's integers end.
    let fits = number >= 1 && i64::try_from(number).is_ok();
    if fits { Ok(number) } else { Err(invalid("hand_number", "the number of a hand, from 1 to 9223372036854775807")) }
}

pub fn action(code: i32) -> Result<Action, BadRequest> {
    let expected = "ACTION_FOLD, ACTION_CHECK, ACTION_CALL, ACTION_BRING_IN, ACTION_COMPLETE, ACTION_BET, \
                    ACTION_RAISE, ACTION_SHOW or ACTION_MUCK";
    Action::of_code(code).ok_or_else(|| invalid("action", expected))
}

/// A name that the platform has for somebody of its own.
pub fn name(field: &'static str, text: &str) -> Result<Arc<str>, BadRequest> {
    let fits = (1..=NAME_MAX_BYTES).contains(&text.len()) && !text.chars().any(char::is_control);
    let expected = format!("1 to {NAME_MAX_BYTES} bytes of UTF-8 without control characters");
    if fits { Ok(text.into()) } else { Err(invalid(field, expected)) }
}

/// Empty for none.
pub fn card_key(field: &'static str, bytes: &[u8]) -> Result<Option<CardKey>, BadRequest> {
    if bytes.is_empty() {
        return Ok(None);
    }
    let key =
        bytes.try_into().map(CardKey::new).map_err(|_| invalid(field, "a public X25519 key of 32 bytes, or none"))?;
    usable(&key).map_err(|why| invalid(field, format!("another key ({why})")))?;
    Ok(Some(key))
}

pub fn nonce(field: &'static str, bytes: &[u8]) -> Result<Nonce, BadRequest> {
    Nonce::new(bytes).ok_or_else(|| invalid(field, format!("1 to {} bytes", Nonce::MAX_BYTES)))
}

/// The nonces of a deal, in seat order.
pub fn nonces(given: &[pb::Nonce]) -> Result<Vec<(Seat, Nonce)>, BadRequest> {
    let mut nonces = Vec::with_capacity(Seat::COUNT);
    for one in given {
        let (seat, nonce) = (seat("nonces.seat", one.seat)?, nonce("nonces.nonce", &one.nonce)?);
        let Err(place) = nonces.binary_search_by_key(&seat, |(given, _)| *given) else {
            return Err(invalid("nonces.seat", "at most one nonce for a seat"));
        };
        nonces.insert(place, (seat, nonce));
    }
    Ok(nonces)
}

/// Why something was done, for the record.
pub fn reason(text: &str) -> Result<Arc<str>, BadRequest> {
    let fits = (1..=REASON_MAX).contains(&text.chars().count()) && !text.chars().any(char::is_control);
    if fits { Ok(text.into()) } else { Err(invalid("reason", "1 to 200 characters without control characters")) }
}

/// No viewer is the public.
pub fn viewer(viewer: Option<&pb::Viewer>) -> Result<Viewer, BadRequest> {
    use pb::viewer::Who;
    match viewer.map(|viewer| viewer.who.as_ref()) {
        None | Some(Some(Who::Public(_))) => Ok(Viewer::Public),
        Some(Some(Who::Platform(platform))) => match (platform.seat, platform.reader.as_str()) {
            (0, "") => Ok(Viewer::Platform),
            (0, _) => Err(invalid("viewer.platform.seat", "a seat from 1 to 8 where a reader is named")),
            (number, reader) => {
                let seat = seat("viewer.platform.seat", number)?;
                Ok(Viewer::Reader { seat, reader: name("viewer.platform.reader", reader)? })
            }
        },
        Some(Some(Who::Auditor(auditor))) => {
            Ok(Viewer::Auditor(name("viewer.auditor.auditor_id", &auditor.auditor_id)?))
        }
        Some(Some(Who::Player(player))) => Ok(Viewer::Player(player_id("viewer.player.player_id", &player.player_id)?)),
        Some(None) => Err(invalid("viewer", "public, player, platform or auditor, or no viewer at all")),
    }
}

pub fn account(account: Option<&pb::Account>) -> Result<Account, BadRequest> {
    use pb::account::Kind;
    let kind = account.and_then(|account| account.kind.as_ref());
    match kind.ok_or_else(|| invalid("account", "house, wallet, seat, pot or rake"))? {
        Kind::House(_) => Ok(Account::House),
        Kind::Wallet(wallet) => Ok(Account::Wallet(player_id("account.wallet.player_id", &wallet.player_id)?)),
        Kind::Seat(at) => Ok(Account::Seat(table_id(&at.table_id)?, seat("account.seat.seat", at.seat)?)),
        Kind::Pot(pot) => Ok(Account::Pot(table_id(&pot.table_id)?)),
        Kind::Rake(rake) => Ok(Account::Rake(table_id(&rake.table_id)?)),
    }
}

pub fn page_size(size: i32) -> Result<u32, BadRequest> {
    let (usual, most) = PAGE;
    match u32::try_from(size) {
        Ok(0) => Ok(usual),
        Ok(size) => Ok(size.min(most)),
        Err(_) => Err(invalid("page_size", "a number from 0 to 1000")),
    }
}

/// A page of tables begins after this one.
pub fn table_page(token: &str) -> Result<Option<TableId>, BadRequest> {
    if token.is_empty() {
        return Ok(None);
    }
    token_bytes::<16>(token, 't').map(|bytes| Some(TableId(bytes)))
}

/// A page of transfers begins after this one.
pub fn transfer_page(token: &str) -> Result<Option<TransferCursor>, BadRequest> {
    if token.is_empty() {
        return Ok(None);
    }
    let bytes = token_bytes::<36>(token, 'x')?;
    let mut parts = [[0; 8]; 2];
    parts[0].copy_from_slice(&bytes[..8]);
    parts[1].copy_from_slice(&bytes[24..32]);
    let (mut stream, mut index) = ([0; 16], [0; 4]);
    stream.copy_from_slice(&bytes[8..24]);
    index.copy_from_slice(&bytes[32..]);
    Ok(Some(TransferCursor {
        at: Micros(i64::from_be_bytes(parts[0])),
        stream: StreamId(stream),
        seq: Seq(u64::from_be_bytes(parts[1])),
        index: u32::from_be_bytes(index),
    }))
}

/// The token of a page that begins after this table.
pub fn table_token(table: TableId) -> String {
    token('t', &table.0)
}

/// The token of a page that begins after this transfer.
pub fn transfer_token(cursor: &TransferCursor) -> String {
    let at = cursor.at.0.to_be_bytes();
    let seq = cursor.seq.0.to_be_bytes();
    token('x', &[&at[..], &cursor.stream.0[..], &seq[..], &cursor.index.to_be_bytes()[..]].concat())
}

fn token(kind: char, bytes: &[u8]) -> String {
    use std::fmt::Write;
    let mut text = String::from(kind);
    for byte in bytes {
        // Writing to a String cannot fail.
        let _ = write!(text, "{byte:02x}");
    }
    text
}

fn token_bytes<const N: usize>(token: &str, kind: char) -> Result<[u8; N], BadRequest> {
    let wrong = || invalid("page_token", "empty, or a next_page_token as the service gave it");
    let hex = token.strip_prefix(kind).filter(|hex| hex.len() == 2 * N && hex.is_ascii()).ok_or_else(wrong)?;
    let mut bytes = [0; N];
    for (byte, pair) in bytes.iter_mut().zip(hex.as_bytes().chunks(2)) {
        let pair = std::str::from_utf8(pair).map_err(|_| wrong())?;
        *byte = u8::from_str_radix(pair, 16).map_err(|_| wrong())?;
    }
    Ok(bytes)
}
