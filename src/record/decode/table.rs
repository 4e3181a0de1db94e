//! The events of a table, beside its hands.

use super::settings::settings;
use super::{Read, chips, exactly, key, nonce, player, seat};
use crate::engine::TableEvent;
use crate::pb;
use crate::pb::event::Kind;

pub(super) fn event(kind: &Kind) -> Read<TableEvent> {
    Ok(match kind {
        Kind::TableCreated(made) => {
            TableEvent::TableCreated(settings("table_created.settings", made.settings.as_ref())?)
        }
        Kind::RulesChanged(new) => TableEvent::RulesChanged(settings("rules_changed.settings", new.settings.as_ref())?),
        Kind::SeatTaken(taken) => TableEvent::SeatTaken {
            seat: seat("seat_taken.seat", taken.seat)?,
            player: player("seat_taken.player_id", &taken.player_id)?,
            chips: chips("seat_taken.chips", taken.chips)?,
            card_key: key("seat_taken.card_key", &taken.card_key)?,
        },
        Kind::ChipsAdded(added) => TableEvent::ChipsAdded {
            seat: seat("chips_added.seat", added.seat)?,
            player: player("chips_added.player_id", &added.player_id)?,
            chips: chips("chips_added.chips", added.chips)?,
        },
        Kind::SeatLeft(left) => TableEvent::SeatLeft {
            seat: seat("seat_left.seat", left.seat)?,
            player: player("seat_left.player_id", &left.player_id)?,
            chips: chips("seat_left.chips", left.chips)?,
        },
        Kind::SatOut(sat) => TableEvent::SatOut { seat: seat("sat_out.seat", sat.seat)?, sitting_out: sat.sitting_out },
        Kind::HandPrepared(prepared) => TableEvent::HandPrepared {
            hand: prepared.hand_number,
            seed_hash: exactly("hand_prepared.seed_hash", &prepared.seed_hash)?,
        },
        Kind::NonceGiven(given) => TableEvent::NonceGiven {
            hand: given.hand_number,
            seat: seat("nonce_given.seat", given.seat)?,
            nonce: nonce("nonce_given.nonce", &given.nonce)?,
        },
        Kind::CardsRead(read) => TableEvent::CardsRead {
            hand: read.hand_number,
            seat: seat("cards_read.seat", read.seat)?,
            reader: read.reader.as_str().into(),
        },
        Kind::DeckOpened(opened) => TableEvent::DeckOpened {
            hand: opened.hand_number,
            auditor: opened.auditor.as_str().into(),
            reason: opened.reason.as_str().into(),
        },
        Kind::TableClosed(pb::TableClosed {}) => TableEvent::TableClosed,
        of_hand => TableEvent::Hand(super::hand::event(of_hand)?),
    })
}
