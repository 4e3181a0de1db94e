//! What a command does to a table, beside its hands.

use std::sync::Arc;

use super::chips::Chips;
use super::decide::Rejection;
use super::event::PlayerId;
use super::prepared::{Nonce, Prepared};
use super::seat::Seat;
use super::table::{Occupant, Table};
use super::table_event::{TableCommand, TableEvent};

impl Table {
    /// What the next hand's order is to follow from beside the house's seed: all nonces given before, and these.
    /// `None` where the hand is not prepared, and need not be.
    ///
    /// # Errors
    /// As [`Table::ready_to_deal`]; [`Rejection`] where the hand is not prepared, a seat has given a nonce before, or
    /// is not dealt in.
    pub fn prepared_with(&self, nonces: &[(Seat, Nonce)]) -> Result<Option<Prepared>, Rejection> {
        self.ready_to_deal()?;
        let Some(prepared) = &self.prepared else {
            return match (self.settings.nonces, nonces) {
                (true, _) => Err(Rejection::NotPrepared { hand: self.next_number() }),
                (false, []) => Ok(None),
                (false, _) => Err(Rejection::NoncesNotTaken),
            };
        };
        let mut prepared = Prepared::clone(prepared);
        for &(seat, nonce) in nonces {
            if !self.seats[seat].as_ref().is_some_and(Occupant::is_ready) {
                return Err(Rejection::NotDealtIn { seat });
            }
            if !prepared.take(seat, nonce) {
                return Err(Rejection::NonceGiven { seat });
            }
        }
        Ok(Some(prepared))
    }

    /// What a command does to the table itself. What may be undone later is an event even where it is so already: its
    /// request is then remembered, and a late repeat cannot undo what came after. Only a close that is done is nothing.
    ///
    /// # Errors
    /// [`Rejection`] where it does not fit who sits where, or a hand in play.
    pub fn decide(&self, command: &TableCommand) -> Result<Vec<TableEvent>, Rejection> {
        if self.closed && command.begins_something() {
            return Err(Rejection::TableClosed);
        }
        let seat_of = |player: &PlayerId| self.seat_of(player).ok_or(Rejection::NotSeated);
        Ok(match command {
            TableCommand::ChangeRules(settings) => vec![TableEvent::RulesChanged(*settings)],
            TableCommand::TakeSeat { seat, player, chips, card_key } => {
                if self.seats[*seat].is_some() {
                    return Err(Rejection::SeatTaken { seat: *seat });
                }
                if let Some(seat) = self.seat_of(player) {
                    return Err(Rejection::AlreadySeated { seat });
                }
                let (seat, chips, card_key) = (*seat, *chips, card_key.clone());
                vec![TableEvent::SeatTaken { seat, player: player.clone(), chips, card_key }]
            }
            TableCommand::AddChips { player, chips } => {
                vec![TableEvent::ChipsAdded { seat: seat_of(player)?, player: player.clone(), chips: *chips }]
            }
            TableCommand::LeaveSeat { player } => vec![self.leave(seat_of(player)?, player)?],
            TableCommand::SetSittingOut { player, sitting_out } => {
                let seat = seat_of(player)?;
                vec![TableEvent::SatOut { seat, sitting_out: *sitting_out }]
            }
            TableCommand::Prepare { .. } if !self.settings.nonces => return Err(Rejection::NoncesNotTaken),
            // One seed a hand: what is bound stays bound.
            TableCommand::Prepare { .. } if self.prepared.is_some() => Vec::new(),
            TableCommand::Prepare { seed_hash } => {
                vec![TableEvent::HandPrepared { hand: self.next_number(), seed_hash: *seed_hash }]
            }
            TableCommand::GiveNonce { hand, player, nonce } => vec![self.give_nonce(*hand, player, *nonce)?],
            TableCommand::ReadCards { hand, seat, reader } => {
                self.check_known(*hand)?;
                vec![TableEvent::CardsRead { hand: *hand, seat: *seat, reader: Arc::clone(reader) }]
            }
            TableCommand::OpenDeck { hand, auditor, reason } => {
                self.check_known(*hand)?;
                if *hand == self.last_number && self.hand.is_open() {
                    return Err(Rejection::HandOpen { hand: *hand });
                }
                let (auditor, reason) = (Arc::clone(auditor), Arc::clone(reason));
                vec![TableEvent::DeckOpened { hand: *hand, auditor, reason }]
            }
            TableCommand::Close if self.hand.is_open() => {
                return Err(Rejection::HandOpen { hand: self.hand.number() });
            }
            TableCommand::Close if self.closed => Vec::new(),
            TableCommand::Close => vec![TableEvent::TableClosed],
        })
    }

    fn give_nonce(&self, hand: u64, player: &PlayerId, nonce: Nonce) -> Result<TableEvent, Rejection> {
        let seat = self.seat_of(player).ok_or(Rejection::NotSeated)?;
        let prepared = self.prepared.as_ref().filter(|_| hand == self.next_number());
        match prepared {
            None if !self.settings.nonces => Err(Rejection::NoncesNotTaken),
            None => Err(Rejection::NotPrepared { hand }),
            Some(prepared) if prepared.has(seat) => Err(Rejection::NonceGiven { seat }),
            Some(_) => Ok(TableEvent::NonceGiven { hand, seat, nonce }),
        }
    }

    /// Whether the table has had this hand.
    pub(super) fn check_known(&self, hand: u64) -> Result<(), Rejection> {
        let latest = self.last_number;
        if (1..=latest).contains(&hand) { Ok(()) } else { Err(Rejection::HandUnknown { hand, latest }) }
    }

    fn leave(&self, seat: Seat, player: &PlayerId) -> Result<TableEvent, Rejection> {
        if self.is_dealt_in(seat) {
            return Err(Rejection::StillDealtIn { seat, hand: self.hand.number() });
        }
        let chips = self.seats[seat].as_ref().map_or(Chips::ZERO, |occupant| occupant.chips);
        Ok(TableEvent::SeatLeft { seat, player: player.clone(), chips })
    }
}
