//! What is fixed for a hand when it opens: who plays, at what and by which rules, and what binds the deck.

use std::sync::Arc;

use super::chips::Chips;
use super::event::PlayerId;
use super::prepared::Prepared;
use super::rules::HouseRules;
use super::seat::Seat;
use super::stakes::Stakes;

/// Where a hand's deck came from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DeckOrigin {
    /// The operating system's randomness. Under `serve` there is no other.
    OsEntropy,
    /// Chosen in-process by `replay`, `demo --seed` or a test.
    Scripted,
}

/// Where a hand's deck came from, and what binds it before its first card. Bytes here: what they mean is no rule of the
/// game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DeckBond {
    /// Where it came from.
    pub origin: DeckOrigin,
    /// The root of the commitment.
    pub root: [u8; 32],
    /// What was recorded of it before it was known, at tables that take nonces.
    pub prepared: Option<Prepared>,
}

impl DeckBond {
    /// A deck that nobody but the house has a part in.
    pub const fn new(origin: DeckOrigin, root: [u8; 32]) -> DeckBond {
        DeckBond { origin, root, prepared: None }
    }
}

/// The public X25519 key that a player wants cards sealed to: then nobody between the dealer and the player can read
/// them. Bytes here, as everything that is no rule of the game; shared, as few players have one and every seat has room
/// for one.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct CardKey(Arc<[u8; 32]>);

impl CardKey {
    /// The key of these bytes.
    pub fn new(bytes: [u8; 32]) -> CardKey {
        CardKey(Arc::new(bytes))
    }

    /// Its bytes.
    pub fn bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl std::fmt::Debug for CardKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

/// A seat that is dealt into a hand.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DealtIn {
    /// Where.
    pub seat: Seat,
    /// Who: decides later who may see this seat's cards.
    pub player: PlayerId,
    /// The stack that it brings, at least 1.
    pub stack: Chips,
    /// The key that its player wants cards sealed to.
    pub card_key: Option<CardKey>,
}

/// An occupied seat that is not dealt in. It stands in the opening so that a table can be rebuilt from its latest
/// opening, without the hands before.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Bystander {
    /// Where.
    pub seat: Seat,
    /// Who.
    pub player: PlayerId,
    /// Chips in front, maybe none.
    pub chips: Chips,
    /// Asked not to be dealt in.
    pub sitting_out: bool,
    /// The key that its player wants cards sealed to.
    pub card_key: Option<CardKey>,
}

/// What a table agrees with its players; changes apply from the next hand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Settings {
    /// The price list.
    pub stakes: Stakes,
    /// The house rules.
    pub rules: HouseRules,
    /// The last action pays in its own transaction.
    pub auto_settle: bool,
    /// Time to act in milliseconds; 0 for no limit (R38).
    pub act_allowance_ms: u32,
    /// When a hand that is played out is settled without being asked, in milliseconds after its last action; 0 for
    /// never.
    pub settle_after_ms: u32,
    /// Each hand is prepared first, and takes the players' nonces.
    pub nonces: bool,
    /// The settlement of a hand opens its whole deck to everybody.
    pub reveal_deck: bool,
}

/// Everything that is fixed for a hand when it opens.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Opening {
    /// Counts the table's hands from 1.
    pub number: u64,
    /// [`super::rules::RULES_REVISION`] of the engine that opened it.
    pub rules_revision: u32,
    /// In full, so that the record needs no preset to be read.
    pub settings: Settings,
    /// In seat order, 2 to 8 of them (R1).
    pub dealt_in: Vec<DealtIn>,
    /// In seat order.
    pub bystanders: Vec<Bystander>,
    /// Where the deck came from, and what binds it.
    pub bond: DeckBond,
}
