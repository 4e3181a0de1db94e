//! Answers as messages. All that a viewer may not see is absent from the view already.

use super::ids::transfer_token;
use crate::dealer::{HandAnswer, TableAnswer, TableSeat};
use crate::engine::{Award, Card, Chips, Legal, Prepared, Seat, SeatView, Standing, Status, View};
use crate::pb;
use crate::record::{Coded, house_rules, nonces, stakes, transfer};
use crate::store::StoredTransfer;

fn number(seat: Seat) -> i32 {
    i32::from(seat.number())
}

fn cards(cards: &[Card]) -> Vec<String> {
    cards.iter().map(Card::to_string).collect()
}

/// At most seven cards, eight seats, eight pots.
fn small(count: usize) -> i32 {
    i32::try_from(count).unwrap_or(i32::MAX)
}

pub fn hand_view(answer: &HandAnswer) -> pb::HandView {
    let view = &answer.view;
    let (status, void_reason) = status(&view.status);
    let ended = matches!(view.status, Status::PlayedOut | Status::Settled);
    pb::HandView {
        table_id: answer.table.to_string(),
        hand_number: view.number,
        seq: answer.seq,
        status: status.into(),
        street: view.street.code(),
        stakes: Some(stakes(&view.settings.stakes)),
        rules: Some(house_rules(&view.settings.rules)),
        seats: view.seats.iter().map(|seat| seat_view(seat, &answer.sealed)).collect(),
        common_card: view.common.map(|card| card.to_string()).unwrap_or_default(),
        pots: view.pots.iter().map(pot).collect(),
        total_pot: view.total_pot.units(),
        to_act: view.legal.seat.map_or(0, number),
        legal_actions: legal(&view.legal),
        deadline_us: answer.deadline.map_or(0, |deadline| deadline.0),
        shown_order: view.shown_order.iter().copied().map(number).collect(),
        void_reason,
        deck_origin: view.bond.origin.code(),
        result: ended.then(|| result(view)),
        deck_root: view.bond.root.to_vec(),
        prepared: view.bond.prepared.as_ref().map(|prepared| prepared_hand(view.number, prepared)),
        reveal_deck: view.settings.reveal_deck,
    }
}

fn status(status: &Status) -> (pb::HandStatus, String) {
    match status {
        Status::Playing => (pb::HandStatus::Playing, String::new()),
        Status::PlayedOut => (pb::HandStatus::PlayedOut, String::new()),
        Status::Settled => (pb::HandStatus::Settled, String::new()),
        Status::Voided(reason) => (pb::HandStatus::Voided, reason.clone()),
    }
}

fn seat_view(seat: &SeatView, sealed: &[(Seat, Vec<u8>)]) -> pb::SeatView {
    let (board, dead_board) = match seat.standing {
        Standing::Folded => (Vec::new(), cards(&seat.board)),
        Standing::In | Standing::AllIn => (cards(&seat.board), Vec::new()),
    };
    pb::SeatView {
        seat: number(seat.seat),
        player_id: seat.player.to_string(),
        brought: seat.brought.units(),
        stack: seat.stack.units(),
        wager: seat.wager.units(),
        put_in: seat.put_in.units(),
        standing: seat.standing.code(),
        board,
        dead_board,
        down_count: small(seat.down_count),
        down_cards: cards(&seat.down),
        showing: seat.showing.code(),
        hand_in_words: seat.words.clone().unwrap_or_default(),
        sealed_cards: sealed.iter().find(|(at, _)| *at == seat.seat).map(|(_, text)| text.clone()).unwrap_or_default(),
    }
}

fn pot(pot: &crate::engine::pots::Pot) -> pb::Pot {
    pb::Pot { amount: pot.amount.units(), seats: pot.seats.iter().map(number).collect() }
}

fn legal(legal: &Legal) -> Vec<pb::LegalAction> {
    let offers = legal.offers();
    offers
        .map(|offer| pb::LegalAction { action: offer.action.code(), to: offer.to.units(), all_in: offer.all_in })
        .collect()
}

fn result(view: &View) -> pb::HandResult {
    let pots: Vec<pb::PotResult> = view.awards.iter().map(|award| pot_result(view, award)).collect();
    pb::HandResult {
        rake: view.awards.iter().map(|award| award.rake).sum::<Chips>().units(),
        words: pots.iter().map(|pot| pot.words.clone()).collect(),
        pots,
    }
}

fn pot_result(view: &View, award: &Award) -> pb::PotResult {
    let shares = award.shares.iter();
    pb::PotResult {
        pot: i32::from(award.pot),
        amount: award.amount.units(),
        rake: award.rake.units(),
        shares: shares.map(|&(seat, chips)| pb::Share { seat: number(seat), chips: chips.units() }).collect(),
        words: view.award_in_words(award),
    }
}

pub fn table_view(answer: &TableAnswer) -> pb::TableView {
    pb::TableView {
        table_id: answer.table.to_string(),
        seq: answer.seq,
        stakes: Some(stakes(&answer.settings.stakes)),
        rules: Some(house_rules(&answer.settings.rules)),
        auto_settle: answer.settings.auto_settle,
        act_allowance_ms: answer.settings.act_allowance_ms,
        settle_after_ms: answer.settings.settle_after_ms,
        seats: answer.seats.iter().map(table_seat).collect(),
        hand_number: answer.hand,
        hand_open: answer.hand_open,
        closed: answer.closed,
        nonces: answer.settings.nonces,
        reveal_deck: answer.settings.reveal_deck,
        prepared: answer.prepared.as_ref().map(|prepared| prepared_hand(answer.next_hand, prepared)),
    }
}

/// What was recorded of a hand's deck before its order was known.
pub fn prepared_hand(hand_number: u64, prepared: &Prepared) -> pb::PreparedHand {
    pb::PreparedHand { hand_number, seed_hash: prepared.seed_hash.to_vec(), nonces: nonces(prepared) }
}

fn table_seat(seat: &TableSeat) -> pb::TableSeat {
    pb::TableSeat {
        seat: number(seat.seat),
        player_id: seat.player.to_string(),
        chips: seat.chips.units(),
        sitting_out: seat.sitting_out,
        dealt_in: seat.dealt_in,
        card_key: seat.card_key.as_ref().map(|key| key.bytes().to_vec()).unwrap_or_default(),
    }
}

pub fn posted_transfer(stored: &StoredTransfer) -> pb::PostedTransfer {
    pb::PostedTransfer {
        transfer: Some(transfer(&stored.transfer)),
        at_us: stored.cursor.at.0,
        stream_id: uuid::Uuid::from_bytes(stored.cursor.stream.0).to_string(),
        seq: stored.cursor.seq.0,
        index: stored.cursor.index,
    }
}

/// The token of the page after these transfers; empty where they do not fill one.
pub fn next_transfers(transfers: &[StoredTransfer], size: u32) -> String {
    let full = transfers.len() >= size as usize;
    transfers.last().filter(|_| full).map(|last| transfer_token(&last.cursor)).unwrap_or_default()
}
