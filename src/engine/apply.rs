//! How an event changes a hand. An event that is not due is refused: it is the log's fault, never a player's.

use std::sync::Arc;

use super::betting::Offer;
use super::card::Card;
use super::chips::Chips;
use super::event::{Action, Event, Street};
use super::hand::{Due, Hand, Outcome, Stage};
use super::opening::Opening;
use super::player::{Player, Showing};
use super::seat::Seat;

/// An event that cannot have happened to this hand: the log is wrong.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Impossible {
    /// The event does not come now.
    #[error("{event} does not come where the hand waits for {due:?}")]
    NotDue {
        /// What was claimed.
        event: &'static str,
        /// What was due.
        due: Due,
    },
    /// The event comes now, but not with these amounts or cards.
    #[error("{event} is not as the rules have it where the hand waits for {due:?}")]
    Wrong {
        /// What was claimed.
        event: &'static str,
        /// What was due.
        due: Due,
    },
    /// A card that was dealt before (R3).
    #[error("a card comes twice")]
    CardTwice,
    /// Not what can happen at this table.
    #[error("{event} does not fit who sits where at the table")]
    Table {
        /// What was claimed.
        event: &'static str,
    },
    /// The opening breaks R1.
    #[error("a hand is opened with {0} players, or with a seat or player twice, or without chips")]
    Opening(usize),
}

impl Hand {
    /// Changes the hand by an event.
    ///
    /// # Errors
    /// Where the event could not have happened now, or not so; the hand is then half changed and must be dropped.
    pub fn apply(&mut self, event: &Event) -> Result<(), Impossible> {
        let not_due = Impossible::NotDue { event: event.name(), due: self.due };
        let wrong = Impossible::Wrong { event: event.name(), due: self.due };
        match event {
            Event::HandOpened(opening) if self.due == Due::Opening => self.open(opening)?,
            Event::AntePosted { seat, amount } if self.due == Due::Ante(*seat) => {
                self.post_ante(*seat, *amount).ok_or(wrong)?;
            }
            Event::ExcessReturned { seat, amount } => {
                let due = self.due == Due::Return(*seat, *amount);
                self.player_mut(*seat).filter(|_| due).ok_or(not_due)?.take_back(*amount);
            }
            Event::CardDealt { seat, position, card } if self.due == Due::Card(*seat) => {
                self.take_card(*seat, *position, *card, wrong)?;
            }
            Event::CommonCardDealt { position, card } if self.due == Due::CommonCard => {
                self.next_position(*position, wrong)?;
                self.see(*card)?;
                self.common = Some(*card);
            }
            Event::TimedOut { seat } => {
                // What the dealer did for the player follows as an event of its own.
                return if self.waits_for() == Some(*seat) { Ok(()) } else { Err(not_due) };
            }
            Event::Folded { seat }
            | Event::Checked { seat }
            | Event::Called { seat, .. }
            | Event::BroughtIn { seat, .. }
            | Event::Completed { seat, .. }
            | Event::BetMade { seat, .. }
            | Event::Raised { seat, .. }
                if self.due == Due::Bet(*seat) =>
            {
                self.act(*seat, event).ok_or(wrong)?;
            }
            Event::ShowOffered { seat } if self.due == Due::Reveal(*seat) => {
                self.player_mut(*seat).ok_or(not_due)?.showing = Showing::Offered;
            }
            Event::HandShown { seat, cards } if self.due.shows() == Some(*seat) => {
                self.show(*seat, cards, wrong)?;
            }
            Event::HandMucked { seat } if self.due == Due::Choice(*seat) => {
                self.player_mut(*seat).ok_or(not_due)?.showing = Showing::Mucked;
            }
            Event::PotAwarded(award) if self.due == Due::Award(award.pot) => {
                if self.award(award.pot).as_ref() != Some(award) {
                    return Err(wrong);
                }
                self.awards.push(award.clone());
            }
            Event::HandSettled { stacks, rake } if self.due == Due::Settlement => {
                if *stacks != self.stacks() || *rake != self.rake_taken() {
                    return Err(wrong);
                }
                self.outcome = Some(Outcome::Settled);
            }
            Event::HandVoided { reason } if self.is_open() => {
                self.stage = Stage::Closed;
                self.outcome = Some(Outcome::Voided(Arc::clone(reason)));
            }
            _ => return Err(not_due),
        }
        for (position, _) in event.revealed() {
            self.revealed |= 1 << position;
        }
        self.due = self.go_on();
        Ok(())
    }

    fn open(&mut self, opening: &Arc<Opening>) -> Result<(), Impossible> {
        let count = opening.dealt_in.len();
        for dealt in &opening.dealt_in {
            let again = opening.dealt_in.iter().filter(|other| other.player == dealt.player).count() > 1;
            if again || dealt.stack.is_zero() || self.players[dealt.seat].is_some() {
                return Err(Impossible::Opening(count));
            }
            self.players[dealt.seat] = Some(Player::dealt_in(dealt));
        }
        if !(2..=Seat::COUNT).contains(&count) {
            return Err(Impossible::Opening(count));
        }
        self.opening = Some(Arc::clone(opening));
        self.stage = Stage::Antes;
        Ok(())
    }

    /// R6, R8: the ante, or all that the player has of it.
    fn post_ante(&mut self, seat: Seat, amount: Chips) -> Option<()> {
        let due = self.ante_of(seat)?;
        let player = self.player_mut(seat).filter(|_| amount == due)?;
        player.anted = true;
        player.wager_to(amount);
        Some(())
    }

    pub(super) fn ante_of(&self, seat: Seat) -> Option<Chips> {
        Some(self.stakes().ante().min(self.player(seat)?.stack))
    }

    /// Cards come in the order of the deck, none left out (R3).
    fn next_position(&mut self, position: u8, wrong: Impossible) -> Result<(), Impossible> {
        if position != self.dealt || usize::from(position) >= Card::COUNT {
            return Err(wrong);
        }
        self.dealt += 1;
        Ok(())
    }

    fn see(&mut self, card: Card) -> Result<(), Impossible> {
        if self.seen.insert(card) { Ok(()) } else { Err(Impossible::CardTwice) }
    }

    /// Whether the seat's next card lies open: an up card, or any card of a hand that is tabled (R9, R24, R41).
    pub(super) fn next_is_open(&self, seat: Seat) -> bool {
        let Some(player) = self.player(seat) else { return false };
        match self.street {
            Street::Third => player.down.len() == 2,
            Street::Seventh => player.showing == Showing::Shown,
            _ => true,
        }
    }

    fn take_card(&mut self, seat: Seat, position: u8, card: Option<Card>, wrong: Impossible) -> Result<(), Impossible> {
        if self.next_is_open(seat) != card.is_some() {
            return Err(wrong);
        }
        self.next_position(position, wrong)?;
        if let Some(card) = card {
            self.see(card)?;
        }
        let street = self.street;
        let player = self.player_mut(seat).ok_or(wrong)?;
        let fits = match card {
            Some(card) if street < Street::Seventh => player.up.push(card),
            Some(card) => player.down.push(position) && player.shown.push(card),
            None => player.down.push(position),
        };
        if fits { Ok(()) } else { Err(wrong) }
    }

    /// An action counts only as one of the legal offers has it.
    fn act(&mut self, seat: Seat, event: &Event) -> Option<()> {
        let (action, to, all_in) = claimed(event)?;
        self.legal().offer(action).filter(|offer| offer.to == to && offer.all_in == all_in)?;
        self.first_to_bet = None;
        self.last_to_bet = Some(seat);
        match action {
            Action::Fold => self.player_mut(seat)?.folded = true,
            Action::Check => self.mark_acted(seat),
            _ => self.enter_wager(seat, action, to),
        }
        Some(())
    }

    fn show(&mut self, seat: Seat, cards: &[(u8, Card)], wrong: Impossible) -> Result<(), Impossible> {
        let due = self.due;
        let player = self.player(seat).ok_or(wrong)?;
        if !player.down.iter().eq(cards.iter().map(|&(position, _)| position)) {
            return Err(wrong);
        }
        for &(_, card) in cards {
            self.see(card)?;
        }
        let player = self.player_mut(seat).ok_or(wrong)?;
        player.showing = Showing::Shown;
        if !cards.iter().all(|&(_, card)| player.shown.push(card)) {
            return Err(wrong);
        }
        self.shown.push(seat);
        // What a record claims of R30 is checked from what now lies open.
        let forced = self.shown_low(seat).is_some_and(|low| self.must_show(seat, low));
        match due {
            Due::Reveal(_) if !forced => Err(wrong),
            Due::Choice(_) if forced => Err(wrong),
            _ => Ok(()),
        }
    }
}

/// An action's event as action, total and all-in.
fn claimed(event: &Event) -> Option<(Action, Chips, bool)> {
    match *event {
        Event::Folded { .. } => Some((Action::Fold, Chips::ZERO, false)),
        Event::Checked { .. } => Some((Action::Check, Chips::ZERO, false)),
        Event::Called { to, all_in, .. } => Some((Action::Call, to, all_in)),
        Event::BroughtIn { to, all_in, .. } => Some((Action::BringIn, to, all_in)),
        Event::Completed { to, all_in, .. } => Some((Action::Complete, to, all_in)),
        Event::BetMade { to, all_in, .. } => Some((Action::Bet, to, all_in)),
        Event::Raised { to, all_in, .. } => Some((Action::Raise, to, all_in)),
        _ => None,
    }
}

/// The event of an offer that was taken; `None` for a choice at showdown, which hangs on the deck.
pub(super) fn taken(seat: Seat, offer: Offer) -> Option<Event> {
    let Offer { action, to, all_in } = offer;
    match action {
        Action::Fold => Some(Event::Folded { seat }),
        Action::Check => Some(Event::Checked { seat }),
        Action::Call => Some(Event::Called { seat, to, all_in }),
        Action::BringIn => Some(Event::BroughtIn { seat, to, all_in }),
        Action::Complete => Some(Event::Completed { seat, to, all_in }),
        Action::Bet => Some(Event::BetMade { seat, to, all_in }),
        Action::Raise => Some(Event::Raised { seat, to, all_in }),
        Action::Show | Action::Muck => None,
    }
}
