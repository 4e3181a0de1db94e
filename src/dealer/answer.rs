//! What the dealer answers: a hand or a table as one viewer may know it.

use super::live::Live;
use crate::engine::{self, Deck, Prepared, Seat, Settings, View, Viewer};
use crate::ledger::TableId;
use crate::record::Micros;

/// A hand as one viewer may know it.
#[derive(Clone, Debug)]
pub struct HandAnswer {
    /// Its table.
    pub table: TableId,
    /// The hand's last record.
    pub seq: u64,
    /// When the player to act runs out of time.
    pub deadline: Option<Micros>,
    /// The hand.
    pub view: View,
    /// The down cards that are told to this viewer sealed, by seat.
    pub sealed: Vec<(Seat, Vec<u8>)>,
}

/// A table as everybody may know it.
#[derive(Clone, Debug)]
pub struct TableAnswer {
    /// Its id.
    pub table: TableId,
    /// Its last record.
    pub seq: u64,
    /// For the next hand.
    pub settings: Settings,
    /// In seat order.
    pub seats: Vec<TableSeat>,
    /// The latest hand, 0 before the first.
    pub hand: u64,
    /// The latest hand is neither settled nor voided.
    pub hand_open: bool,
    /// The number of the next hand.
    pub next_hand: u64,
    /// What is recorded of the next hand's deck, once it is prepared.
    pub prepared: Option<Prepared>,
    /// No more hands and players.
    pub closed: bool,
}

/// An occupied seat.
#[derive(Clone, Debug)]
pub struct TableSeat {
    /// Where.
    pub seat: Seat,
    /// Who.
    pub player: engine::PlayerId,
    /// In front of the player, in play or not.
    pub chips: engine::Chips,
    /// Not to be dealt in.
    pub sitting_out: bool,
    /// Dealt into the open hand.
    pub dealt_in: bool,
    /// The key that the player's cards are sealed to.
    pub card_key: Option<engine::CardKey>,
}

/// A wallet after a deposit or withdrawal.
#[derive(Clone, Copy, Debug)]
pub struct WalletAnswer {
    /// What it holds.
    pub balance: i64,
    /// Its last record.
    pub seq: u64,
}

impl HandAnswer {
    pub(super) fn of(live: &Live, viewer: &Viewer, deck: Option<&Deck>, sealed: Vec<(Seat, Vec<u8>)>) -> HandAnswer {
        let view = View::of(live.table.hand(), viewer, deck);
        HandAnswer { table: live.id, seq: live.hand_seq.0, deadline: live.deadline, view, sealed }
    }
}

impl TableAnswer {
    pub(super) fn of(live: &Live) -> TableAnswer {
        let table = &live.table;
        let seat = |(seat, occupant): (Seat, &engine::Occupant)| TableSeat {
            seat,
            player: occupant.player.clone(),
            chips: engine::chips_in_front(table, seat),
            sitting_out: occupant.sitting_out,
            dealt_in: table.is_dealt_in(seat),
            card_key: occupant.card_key.clone(),
        };
        TableAnswer {
            table: live.id,
            seq: live.seq.0,
            settings: *table.settings(),
            seats: table.occupants().map(seat).collect(),
            hand: table.hand().number(),
            hand_open: table.hand().is_open(),
            next_hand: table.next_number(),
            prepared: table.prepared().cloned(),
            closed: table.is_closed(),
        }
    }
}
