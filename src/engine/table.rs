//! A table between and around its hands: who sits where with how much, at which stakes and rules (R1, R2, R4).

use std::sync::Arc;

use super::apply::Impossible;
use super::card::Deck;
use super::chips::Chips;
use super::decide::{Refused, Rejection, decide, decide_without_deck};
use super::event::{Command, Event, PlayerId};
use super::hand::Hand;
use super::opening::{Bystander, CardKey, DealtIn, DeckBond, Opening, Settings};
use super::prepared::Prepared;
use super::rules::RULES_REVISION;
use super::seat::{PerSeat, Seat};
use super::table_event::TableEvent;

/// Who sits in a seat.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Occupant {
    /// The player.
    pub player: PlayerId,
    /// Chips in front that are not in the pot account: all of them between hands; during a hand of this seat only what
    /// was added since (R4).
    pub chips: Chips,
    /// Asked not to be dealt in.
    pub sitting_out: bool,
    /// The key that the player wants cards sealed to, from the next hand on.
    pub card_key: Option<CardKey>,
}

impl Occupant {
    /// Dealt into the next hand (R1).
    pub(super) const fn is_ready(&self) -> bool {
        !self.sitting_out && !self.chips.is_zero()
    }
}

/// A table: its settings, seats, and latest hand.
#[derive(Clone, Debug)]
pub struct Table {
    pub(super) settings: Settings,
    pub(super) seats: PerSeat<Option<Occupant>>,
    pub(super) hand: Hand,
    /// How many hands it has opened.
    pub(super) last_number: u64,
    /// What is recorded of the next hand's deck, once it is prepared.
    pub(super) prepared: Option<Box<Prepared>>,
    pub(super) closed: bool,
}

impl Table {
    /// A new table.
    pub fn new(settings: Settings) -> Table {
        Table {
            settings,
            seats: PerSeat::default(),
            hand: Hand::default(),
            last_number: 0,
            prepared: None,
            closed: false,
        }
    }

    /// The table as the opening of a hand leaves it, so that it can be loaded from its latest hand alone.
    ///
    /// # Errors
    /// Where the opening breaks R1.
    pub fn at_opening(opening: &Arc<Opening>) -> Result<Table, Impossible> {
        let mut table = Table::new(opening.settings);
        for Bystander { seat, player, chips, sitting_out, card_key } in opening.bystanders.iter().cloned() {
            table.seats[seat] = Some(Occupant { player, chips, sitting_out, card_key });
        }
        for DealtIn { seat, player, stack, card_key } in opening.dealt_in.iter().cloned() {
            table.seats[seat] = Some(Occupant { player, chips: stack, sitting_out: false, card_key });
        }
        table.last_number = opening.number.checked_sub(1).ok_or(Impossible::Table { event: "HandOpened" })?;
        table.prepared = opening.bond.prepared.clone().map(Box::new);
        table.apply(&TableEvent::Hand(Event::HandOpened(Arc::clone(opening))))?;
        Ok(table)
    }

    /// What the next hand is played at and by.
    pub const fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The latest hand; one that was never opened where there was none.
    pub const fn hand(&self) -> &Hand {
        &self.hand
    }

    /// What is recorded of the next hand's deck, once it is prepared.
    pub fn prepared(&self) -> Option<&Prepared> {
        self.prepared.as_deref()
    }

    /// The number of the next hand.
    pub const fn next_number(&self) -> u64 {
        self.last_number + 1
    }

    /// No more hands and players.
    pub const fn is_closed(&self) -> bool {
        self.closed
    }

    /// Occupied seats, in seat order.
    pub fn occupants(&self) -> impl Iterator<Item = (Seat, &Occupant)> {
        self.seats.iter().filter_map(|(seat, occupant)| Some((seat, occupant.as_ref()?)))
    }

    /// Where a player sits.
    pub fn seat_of(&self, player: &PlayerId) -> Option<Seat> {
        self.occupants().find(|(_, occupant)| occupant.player == *player).map(|(seat, _)| seat)
    }

    /// Whether the seat's stack is in the pot account: it cannot leave.
    pub fn is_dealt_in(&self, seat: Seat) -> bool {
        self.hand.is_open() && self.hand.player(seat).is_some()
    }

    /// The opening of the next hand: every seat with chips that is not sitting out is dealt in (R1).
    fn next_opening(&self, bond: DeckBond) -> Opening {
        let mut dealt_in = Vec::new();
        let mut bystanders = Vec::new();
        for (seat, occupant) in self.occupants() {
            let ready = occupant.is_ready();
            let Occupant { player, chips, sitting_out, card_key } = occupant.clone();
            if ready {
                dealt_in.push(DealtIn { seat, player, stack: chips, card_key });
            } else {
                bystanders.push(Bystander { seat, player, chips, sitting_out, card_key });
            }
        }
        Opening {
            number: self.next_number(),
            rules_revision: RULES_REVISION,
            settings: self.settings,
            dealt_in,
            bystanders,
            bond,
        }
    }

    /// Whether a hand can be dealt now.
    ///
    /// # Errors
    /// [`Rejection`] where the table is closed, has a hand open, or fewer than two stacks are ready (R1).
    pub fn ready_to_deal(&self) -> Result<(), Rejection> {
        if self.closed {
            return Err(Rejection::TableClosed);
        }
        if self.hand.is_open() {
            return Err(Rejection::HandOpen { hand: self.hand.number() });
        }
        let ready = self.occupants().filter(|(_, occupant)| occupant.is_ready()).count();
        if ready < 2 { Err(Rejection::TooFewStacks { ready: u32::from(ready == 1) }) } else { Ok(()) }
    }

    /// Opens the next hand and deals third street.
    ///
    /// # Errors
    /// As [`Table::ready_to_deal`].
    pub fn deal(&self, deck: &Deck, bond: DeckBond) -> Result<Vec<TableEvent>, Refused> {
        self.ready_to_deal()?;
        let opening = self.next_opening(bond);
        in_hand(decide(&Hand::default(), deck, &Command::Deal(Arc::new(opening))))
    }

    /// A command to the hand of this number, which must be the latest.
    ///
    /// # Errors
    /// [`Rejection`] where the rules refuse it, or the hand is unknown or an earlier one.
    pub fn play(&self, deck: &Deck, number: u64, command: &Command) -> Result<Vec<TableEvent>, Refused> {
        self.check_number(number)?;
        in_hand(decide(&self.hand, deck, command))
    }

    /// Settles or voids the hand of this number: no card is needed for that, so no key either.
    ///
    /// # Errors
    /// As [`Table::play`].
    pub fn end(&self, number: u64, command: &Command) -> Result<Vec<TableEvent>, Refused> {
        self.check_number(number)?;
        in_hand(decide_without_deck(&self.hand, command))
    }

    /// Whether this is the latest hand.
    ///
    /// # Errors
    /// [`Rejection::HandUnknown`] for one that was never dealt, [`Rejection::HandOver`] for an earlier one.
    pub fn check_number(&self, number: u64) -> Result<(), Rejection> {
        self.check_known(number)?;
        if number < self.last_number { Err(Rejection::HandOver { hand: number }) } else { Ok(()) }
    }

    /// Changes the table by an event.
    ///
    /// # Errors
    /// Where the event could not have happened; the table is then half changed and must be dropped.
    pub fn apply(&mut self, event: &TableEvent) -> Result<(), Impossible> {
        let off = |event| Impossible::Table { event };
        match event {
            // A table begins with its creation: Table::new, or a load that starts there.
            TableEvent::TableCreated(_) => return Err(off("TableCreated")),
            TableEvent::RulesChanged(settings) => self.settings = *settings,
            TableEvent::SeatTaken { seat, player, chips, card_key } => {
                if self.seats[*seat].is_some() || self.seat_of(player).is_some() {
                    return Err(off("SeatTaken"));
                }
                let occupant =
                    Occupant { player: player.clone(), chips: *chips, sitting_out: false, card_key: card_key.clone() };
                self.seats[*seat] = Some(occupant);
            }
            TableEvent::ChipsAdded { seat, player, chips } => {
                let occupant = self.seats[*seat].as_mut().filter(|occupant| occupant.player == *player);
                occupant.ok_or(off("ChipsAdded"))?.chips += *chips;
            }
            TableEvent::SeatLeft { seat, player, chips } => {
                let fits = !self.is_dealt_in(*seat);
                let occupant = self.seats[*seat].take().filter(|occupant| fits && occupant.player == *player);
                if occupant.ok_or(off("SeatLeft"))?.chips != *chips {
                    return Err(off("SeatLeft"));
                }
                if let Some(prepared) = &mut self.prepared {
                    prepared.forget(*seat);
                }
            }
            TableEvent::SatOut { seat, sitting_out } => {
                self.seats[*seat].as_mut().ok_or(off("SatOut"))?.sitting_out = *sitting_out;
            }
            TableEvent::HandPrepared { hand, seed_hash } => {
                if *hand != self.next_number() || self.prepared.is_some() {
                    return Err(off("HandPrepared"));
                }
                self.prepared = Some(Box::new(Prepared::new(*seed_hash)));
            }
            TableEvent::NonceGiven { hand, seat, nonce } => {
                let fits = *hand == self.next_number() && self.seats[*seat].is_some();
                let prepared = self.prepared.as_mut().filter(|_| fits).ok_or(off("NonceGiven"))?;
                if !prepared.take(*seat, *nonce) {
                    return Err(off("NonceGiven"));
                }
            }
            TableEvent::CardsRead { hand, .. } if self.check_known(*hand).is_ok() => {}
            TableEvent::CardsRead { .. } => return Err(off("CardsRead")),
            TableEvent::DeckOpened { hand, .. } => {
                let over = *hand < self.last_number || !self.hand.is_open();
                if !over || self.check_known(*hand).is_err() {
                    return Err(off("DeckOpened"));
                }
            }
            TableEvent::TableClosed => self.closed = true,
            TableEvent::Hand(event) => self.apply_to_hand(event)?,
        }
        Ok(())
    }

    fn apply_to_hand(&mut self, event: &Event) -> Result<(), Impossible> {
        if let Event::HandOpened(opening) = event {
            // The revision is that of the engine that played it; all else is what this table would open now.
            let next = self.next_opening(opening.bond.clone());
            let due = Opening { rules_revision: opening.rules_revision, ..next };
            if self.hand.is_open() || due != **opening || !self.keeps_what_was_prepared(opening) {
                return Err(Impossible::Table { event: "HandOpened" });
            }
            self.last_number = opening.number;
            self.prepared = None;
            self.hand = Hand::default();
        }
        self.hand.apply(event)?;
        match event {
            Event::HandOpened(opening) => {
                for dealt in &opening.dealt_in {
                    if let Some(occupant) = &mut self.seats[dealt.seat] {
                        occupant.chips = Chips::ZERO;
                    }
                }
            }
            Event::HandSettled { stacks, .. } => self.pay_back(stacks),
            Event::HandVoided { .. } => self.pay_back(&self.brought()),
            _ => {}
        }
        Ok(())
    }

    /// The seed is the one that was bound, no nonce that was given is missing or another, and any more are of seats
    /// that are dealt in.
    fn keeps_what_was_prepared(&self, opening: &Opening) -> bool {
        match (&self.prepared, &opening.bond.prepared) {
            (None, None) => !self.settings.nonces,
            (Some(before), Some(now)) => {
                let dealt_in = |seat| opening.dealt_in.iter().any(|dealt| dealt.seat == seat);
                let kept = before.nonces.iter().all(|given| now.nonces.contains(given));
                let added = now.nonces.iter().all(|&(seat, _)| before.has(seat) || dealt_in(seat));
                let ordered = now.nonces.is_sorted_by(|one, other| one.0 < other.0);
                kept && added && ordered && before.seed_hash == now.seed_hash
            }
            _ => false,
        }
    }

    fn brought(&self) -> Vec<(Seat, Chips)> {
        self.hand.players().map(|(seat, player)| (seat, player.brought)).collect()
    }

    fn pay_back(&mut self, stacks: &[(Seat, Chips)]) {
        for &(seat, stack) in stacks {
            if let Some(occupant) = &mut self.seats[seat] {
                occupant.chips += stack;
            }
        }
    }
}

/// How a seat's chips read to others: in front of the player, be they in the pot account or not.
pub fn chips_in_front(table: &Table, seat: Seat) -> Chips {
    let waiting = table.seats[seat].as_ref().map_or(Chips::ZERO, |occupant| occupant.chips);
    let playing = table.hand.player(seat).filter(|_| table.hand.is_open()).map_or(Chips::ZERO, |player| player.stack);
    waiting + playing
}

fn in_hand(events: Result<Vec<Event>, Refused>) -> Result<Vec<TableEvent>, Refused> {
    Ok(events?.into_iter().map(TableEvent::Hand).collect())
}
