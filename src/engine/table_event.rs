//! What is asked of a table ([`TableCommand`]) and what happens at it ([`TableEvent`]), beside its hands.

use std::sync::Arc;

use super::chips::Chips;
use super::event::{Event, PlayerId};
use super::opening::{CardKey, Settings};
use super::prepared::Nonce;
use super::seat::Seat;

/// What is asked of a table, beside its hands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TableCommand {
    /// Play by these from the next hand on.
    ChangeRules(Settings),
    /// Sit down with chips from the player's wallet.
    TakeSeat {
        /// Where.
        seat: Seat,
        /// Who.
        player: PlayerId,
        /// How much, at least 1.
        chips: Chips,
        /// The key that cards are to be sealed to.
        card_key: Option<CardKey>,
    },
    /// Bring more chips; they play from the next hand on (R4).
    AddChips {
        /// Who.
        player: PlayerId,
        /// How much, at least 1.
        chips: Chips,
    },
    /// Leave with all chips in front.
    LeaveSeat {
        /// Who.
        player: PlayerId,
    },
    /// Be dealt in from the next hand on, or not.
    SetSittingOut {
        /// Who.
        player: PlayerId,
        /// Not to be dealt in.
        sitting_out: bool,
    },
    /// Bind the next hand's seed, before its players give their nonces.
    Prepare {
        /// The hash of the seed.
        seed_hash: [u8; 32],
    },
    /// Have a part in the order of a hand that is prepared.
    GiveNonce {
        /// Which hand.
        hand: u64,
        /// Who.
        player: PlayerId,
        /// What.
        nonce: Nonce,
    },
    /// Tell the cards of a seat to somebody else than its player.
    ReadCards {
        /// Of which hand.
        hand: u64,
        /// Whose.
        seat: Seat,
        /// To whom, as the platform names them.
        reader: Arc<str>,
    },
    /// Open the whole deck of a hand that is over.
    OpenDeck {
        /// Of which hand.
        hand: u64,
        /// To whom, as the platform names them.
        auditor: Arc<str>,
        /// Why.
        reason: Arc<str>,
    },
    /// No more hands and players.
    Close,
}

impl TableCommand {
    /// Whether it is for a table that goes on. Where it is closed one can still leave and look back.
    pub(super) const fn begins_something(&self) -> bool {
        use TableCommand::{Close, LeaveSeat, OpenDeck, ReadCards};
        !matches!(self, LeaveSeat { .. } | ReadCards { .. } | OpenDeck { .. } | Close)
    }
}

/// What happens at a table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TableEvent {
    /// The table begins.
    TableCreated(Settings),
    /// New settings, from the next hand on.
    RulesChanged(Settings),
    /// A player sat down.
    SeatTaken {
        /// Where.
        seat: Seat,
        /// Who.
        player: PlayerId,
        /// With how much, from the wallet.
        chips: Chips,
        /// The key that cards are to be sealed to.
        card_key: Option<CardKey>,
    },
    /// A player brought more chips.
    ChipsAdded {
        /// Where.
        seat: Seat,
        /// Who.
        player: PlayerId,
        /// How much, from the wallet.
        chips: Chips,
    },
    /// A player left.
    SeatLeft {
        /// Where.
        seat: Seat,
        /// Who.
        player: PlayerId,
        /// With how much, to the wallet; maybe nothing.
        chips: Chips,
    },
    /// A player asked not to be dealt in, or to be dealt in again.
    SatOut {
        /// Where.
        seat: Seat,
        /// Not to be dealt in.
        sitting_out: bool,
    },
    /// The seed of the next hand was bound.
    HandPrepared {
        /// The hand's number.
        hand: u64,
        /// The hash of the seed.
        seed_hash: [u8; 32],
    },
    /// A player had a part in the order of the hand that is prepared.
    NonceGiven {
        /// The hand's number.
        hand: u64,
        /// Whose seat.
        seat: Seat,
        /// What.
        nonce: Nonce,
    },
    /// The down cards of a seat were told to somebody else than its player.
    CardsRead {
        /// Of which hand.
        hand: u64,
        /// Whose.
        seat: Seat,
        /// To whom, as the platform names them.
        reader: Arc<str>,
    },
    /// The whole deck of a hand was opened for an audit.
    DeckOpened {
        /// Of which hand.
        hand: u64,
        /// To whom, as the platform names them.
        auditor: Arc<str>,
        /// Why.
        reason: Arc<str>,
    },
    /// No more hands and players.
    TableClosed,
    /// An event of the table's hand.
    Hand(Event),
}
