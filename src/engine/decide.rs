//! What a command does to a hand: the events that follow from it, up to the next thing that a player must decide.

use std::fmt;
use std::sync::Arc;

use super::apply::{Impossible, taken};
use super::betting::{Barred, Legal, Offer};
use super::card::Deck;
use super::chips::Chips;
use super::event::{Action, Command, Event};
use super::hand::{Due, Hand, Outcome};
use super::low::Low;
use super::seat::Seat;

/// Why a request is refused: the caller's fault, and nothing has changed. In order of precedence: where several apply,
/// the first is named. No variant holds anything that hangs on a down card.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Rejection {
    /// The table takes no more hands and players.
    #[error("the table is closed")]
    TableClosed,
    /// The seat is somebody's.
    #[error("seat {seat} is taken")]
    SeatTaken {
        /// The seat asked for.
        seat: Seat,
    },
    /// The player has a seat at this table already.
    #[error("the player sits in seat {seat} already")]
    AlreadySeated {
        /// Where.
        seat: Seat,
    },
    /// The player has no seat at this table.
    #[error("the player has no seat at this table")]
    NotSeated,
    /// Only a player who is not dealt in may leave.
    #[error("seat {seat} is dealt into hand {hand}, which is not settled or voided")]
    StillDealtIn {
        /// The player's seat.
        seat: Seat,
        /// The open hand.
        hand: u64,
    },
    /// The table's hand is neither settled nor voided.
    #[error("hand {hand} is not settled or voided")]
    HandOpen {
        /// The open hand.
        hand: u64,
    },
    /// Fewer than two seats have chips and are not sitting out (R1).
    #[error("{ready} seats have chips and are not sitting out; a hand needs at least 2")]
    TooFewStacks {
        /// How many are ready.
        ready: u32,
    },
    /// The table takes no nonces.
    #[error("the table takes no nonces")]
    NoncesNotTaken,
    /// The seed of the hand is not bound yet, or the hand is not the next one.
    #[error("hand {hand} is not prepared: no nonce is taken and no card dealt before its seed is bound")]
    NotPrepared {
        /// The hand.
        hand: u64,
    },
    /// One nonce a seat and hand.
    #[error("seat {seat} has given a nonce for the coming hand")]
    NonceGiven {
        /// The seat.
        seat: Seat,
    },
    /// The table has had no hand of this number.
    #[error("hand {hand} is not known; the latest hand of the table is {latest}")]
    HandUnknown {
        /// As asked.
        hand: u64,
        /// The latest, 0 if there was none.
        latest: u64,
    },
    /// The hand was voided (R39).
    #[error("hand {hand} was voided")]
    HandVoided {
        /// The hand.
        hand: u64,
    },
    /// The hand is settled: what was paid stays paid (R39).
    #[error("hand {hand} is settled")]
    HandSettled {
        /// The hand.
        hand: u64,
    },
    /// All play of the hand is over.
    #[error("hand {hand} is played out; it waits for its settlement")]
    HandOver {
        /// The hand.
        hand: u64,
    },
    /// There is nothing to settle yet.
    #[error("the hand is not played out: it is the turn of seat {waits_for}")]
    StillPlaying {
        /// Whose turn it is.
        waits_for: Seat,
    },
    /// The seat is not in this hand (R1).
    #[error("seat {seat} is not dealt into this hand")]
    NotDealtIn {
        /// As asked.
        seat: Seat,
    },
    /// It is another player's turn.
    #[error("it is the turn of seat {expected}")]
    OutOfTurn {
        /// Whose turn it is.
        expected: Seat,
    },
    /// The cap is reached (R17).
    #[error("the bet and {max_raises} raises of this round are made: the cap is reached; legal: {legal}")]
    CapReached {
        /// The cap of the house rules.
        max_raises: u8,
        /// What is legal.
        legal: Legal,
    },
    /// All opponents are all-in, so there is nobody to raise (R22).
    #[error("all opponents are all-in; legal: {legal}")]
    OpponentsAllIn {
        /// What is legal.
        legal: Legal,
    },
    /// The player has acted, and no increase since was full by itself (R19).
    #[error("an all-in of less than half a bet does not reopen the betting; legal: {legal}")]
    NotReopened {
        /// What is legal.
        legal: Legal,
    },
    /// The action does not come now.
    #[error("{action} is not legal now; legal: {legal}")]
    ActionNotLegal {
        /// As asked.
        action: Action,
        /// What is legal.
        legal: Legal,
    },
    /// The action comes now, but to another total.
    #[error("{action} goes to {right}, not to {given}; legal: {legal}")]
    WrongAmount {
        /// As asked.
        action: Action,
        /// As asked.
        given: Chips,
        /// The one right total of the round.
        right: Chips,
        /// What is legal.
        legal: Legal,
    },
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

impl fmt::Display for Offer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.action.word())?;
        if !self.to.is_zero() {
            write!(f, " {}", self.to)?;
        }
        if self.all_in { f.write_str(" all-in") } else { Ok(()) }
    }
}

impl fmt::Display for Legal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, offer) in self.offers().enumerate() {
            write!(f, "{}{offer}", if index == 0 { "" } else { ", " })?;
        }
        Ok(())
    }
}

/// Why [`decide`] gave no events.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Refused {
    /// The caller's fault.
    #[error(transparent)]
    Rejected(#[from] Rejection),
    /// The engine's own: it made an event that it does not take. A defect; nothing has changed.
    #[error("the engine contradicts itself: {0}")]
    Broken(#[from] Impossible),
}

/// The events that a command brings about, none where it asks for what is done already.
///
/// The deck is read only for what the events tell anyway: up cards, shown hands, and whether a hand may be mucked.
///
/// # Errors
/// [`Rejection`] where the rules refuse it.
pub fn decide(hand: &Hand, deck: &Deck, command: &Command) -> Result<Vec<Event>, Refused> {
    run(hand, Some(deck), command)
}

/// [`decide`] for settling and voiding, which read no card: a hand can be ended although its deck is lost.
///
/// # Errors
/// As [`decide`]; and [`Impossible`] where a card is needed after all.
pub fn decide_without_deck(hand: &Hand, command: &Command) -> Result<Vec<Event>, Refused> {
    run(hand, None, command)
}

fn run(hand: &Hand, deck: Option<&Deck>, command: &Command) -> Result<Vec<Event>, Refused> {
    let mut play = Play { hand: hand.clone(), deck, events: Vec::new() };
    match command {
        Command::Deal(opening) => play.emit(Event::HandOpened(Arc::clone(opening)))?,
        Command::Act { seat, action, to } => play.act(*seat, *action, *to)?,
        Command::TimeOut => play.time_out()?,
        Command::Settle => play.settle()?,
        Command::Void { reason } => play.void(reason)?,
    }
    play.deal_on()?;
    Ok(play.events)
}

/// A scratch hand that moves by [`Hand::apply`] only, so that replay cannot differ from play.
struct Play<'a> {
    hand: Hand,
    deck: Option<&'a Deck>,
    events: Vec<Event>,
}

impl Play<'_> {
    fn emit(&mut self, event: Event) -> Result<(), Impossible> {
        self.hand.apply(&event)?;
        self.events.push(event);
        Ok(())
    }

    fn act(&mut self, seat: Seat, action: Action, to: Option<Chips>) -> Result<(), Refused> {
        let expected = self.waits_for()?;
        if self.hand.player(seat).is_none() {
            return Err(Rejection::NotDealtIn { seat }.into());
        }
        if seat != expected {
            return Err(Rejection::OutOfTurn { expected }.into());
        }
        let legal = self.hand.legal();
        let offer = legal.offer(action).ok_or_else(|| self.not_legal(seat, action, legal))?;
        if let Some(given) = to.filter(|&given| given != offer.to) {
            return Err(Rejection::WrongAmount { action, given, right: offer.to, legal }.into());
        }
        self.take(seat, offer)
    }

    /// The player whose decision is awaited.
    fn waits_for(&self) -> Result<Seat, Rejection> {
        let hand = self.hand.number();
        match self.hand.outcome() {
            Some(Outcome::Settled) => Err(Rejection::HandSettled { hand }),
            Some(Outcome::Voided(_)) => Err(Rejection::HandVoided { hand }),
            None => self.hand.waits_for().ok_or(Rejection::HandOver { hand }),
        }
    }

    fn not_legal(&self, seat: Seat, action: Action, legal: Legal) -> Rejection {
        let increase = matches!(action, Action::Complete | Action::Bet | Action::Raise);
        let bets = matches!(self.hand.due(), Due::Bet(_)) && self.hand.round.opened;
        match self.hand.increase_barred(seat).filter(|_| increase && bets) {
            Some(Barred::OpponentsAllIn) => Rejection::OpponentsAllIn { legal },
            Some(Barred::Cap) => Rejection::CapReached { max_raises: self.hand.rules().max_raises, legal },
            Some(Barred::NotReopened) => Rejection::NotReopened { legal },
            Some(Barred::Stack) | None => Rejection::ActionNotLegal { action, legal },
        }
    }

    fn take(&mut self, seat: Seat, offer: Offer) -> Result<(), Refused> {
        let event = match offer.action {
            Action::Show => self.shown(seat)?,
            Action::Muck => Event::HandMucked { seat },
            _ => match taken(seat, offer) {
                Some(event) => event,
                None => return Ok(()),
            },
        };
        Ok(self.emit(event)?)
    }

    /// R38: checks if the player may, else posts the bring-in, else folds; a hand that may be mucked is mucked.
    fn time_out(&mut self) -> Result<(), Refused> {
        let seat = self.waits_for()?;
        let legal = self.hand.legal();
        self.emit(Event::TimedOut { seat })?;
        let mild = [Action::Check, Action::BringIn, Action::Muck, Action::Fold];
        match mild.into_iter().find_map(|action| legal.offer(action)) {
            Some(offer) => self.take(seat, offer),
            None => Ok(()),
        }
    }

    fn settle(&mut self) -> Result<(), Refused> {
        let hand = self.hand.number();
        match (self.hand.outcome(), self.hand.waits_for()) {
            (Some(Outcome::Settled), _) => Ok(()),
            (Some(Outcome::Voided(_)), _) => Err(Rejection::HandVoided { hand }.into()),
            (None, Some(waits_for)) => Err(Rejection::StillPlaying { waits_for }.into()),
            (None, None) => self.pay(),
        }
    }

    fn pay(&mut self) -> Result<(), Refused> {
        let (stacks, rake) = (self.hand.stacks(), self.hand.rake_taken());
        Ok(self.emit(Event::HandSettled { stacks, rake })?)
    }

    fn void(&mut self, reason: &Arc<str>) -> Result<(), Refused> {
        let hand = self.hand.number();
        match self.hand.outcome() {
            Some(Outcome::Settled) => Err(Rejection::HandSettled { hand }.into()),
            Some(Outcome::Voided(_)) => Ok(()),
            None => Ok(self.emit(Event::HandVoided { reason: Arc::clone(reason) })?),
        }
    }

    /// Everything that follows without a player: the dealer's own part.
    fn deal_on(&mut self) -> Result<(), Refused> {
        while let Some(event) = self.dealers_next()? {
            self.emit(event)?;
        }
        Ok(())
    }

    fn shown(&self, seat: Seat) -> Result<Event, Impossible> {
        let deck = self.deck.ok_or(Impossible::Wrong { event: "HandShown", due: self.hand.due() })?;
        Ok(Event::HandShown { seat, cards: self.hand.down_cards(seat, deck) })
    }

    fn dealers_next(&self) -> Result<Option<Event>, Impossible> {
        let hand = &self.hand;
        let broken = |event| Impossible::Wrong { event, due: hand.due() };
        let position = hand.dealt;
        let card = || self.deck.and_then(|deck| deck.card(position)).ok_or(broken("CardDealt"));
        Ok(Some(match hand.due() {
            Due::Ante(seat) => Event::AntePosted { seat, amount: hand.ante_of(seat).ok_or(broken("AntePosted"))? },
            Due::Return(seat, amount) => Event::ExcessReturned { seat, amount },
            Due::Card(seat) => {
                let card = if hand.next_is_open(seat) { Some(card()?) } else { None };
                Event::CardDealt { seat, position, card }
            }
            Due::CommonCard => Event::CommonCardDealt { position, card: card()? },
            Due::Table(seat) => self.shown(seat)?,
            Due::Reveal(seat) => {
                let cards = hand.cards_from(seat, self.deck.ok_or(broken("HandShown"))?);
                if hand.must_show(seat, Low::of(cards)) { self.shown(seat)? } else { Event::ShowOffered { seat } }
            }
            Due::Award(pot) => Event::PotAwarded(hand.award(pot).ok_or(broken("PotAwarded"))?),
            Due::Settlement if hand.opening().settings.auto_settle => {
                Event::HandSettled { stacks: hand.stacks(), rake: hand.rake_taken() }
            }
            Due::Opening | Due::Bet(_) | Due::Choice(_) | Due::Settlement | Due::Nothing => return Ok(None),
        }))
    }
}
