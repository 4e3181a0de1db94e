//! One player of a hand.

use super::card::Card;
use super::chips::Chips;
use super::event::Street;
use super::held::Held;
use super::opening::DealtIn;

/// A player who was dealt in.
#[expect(clippy::struct_excessive_bools, reason = "four independent facts, each with its rule")]
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Player {
    /// Brought into the hand.
    pub brought: Chips,
    /// In front of the player, not wagered.
    pub stack: Chips,
    /// In the middle from all rounds, this one included; what was returned is not.
    pub put_in: Chips,
    /// In the middle from this round (the antes are a round of their own).
    pub wager: Chips,
    /// Whether the ante was posted, if only as an all-in or as nothing.
    pub(super) anted: bool,
    /// Gave the hand up.
    pub folded: bool,
    /// Acted in this round.
    pub(super) acted: bool,
    /// Acted, and nobody has made an increase since that was full by itself (R19).
    pub(super) closed: bool,
    /// Deck positions of the down cards, in the order dealt.
    pub(super) down: Held<u8, 3>,
    /// Up cards, the door card first.
    pub(super) up: Held<Card, 4>,
    /// The down cards, once they lie open.
    pub(super) shown: Held<Card, 3>,
    /// Where this player stands at the showdown.
    pub(super) showing: Showing,
    /// The street of this player's last bet or raise, and its number in the hand.
    pub(super) aggression: Option<(Street, u16)>,
}

/// A player's part in the showdown.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Showing {
    /// Nothing yet.
    #[default]
    Waiting,
    /// Asked to show or muck.
    Offered,
    /// Shown.
    Shown,
    /// Mucked.
    Mucked,
}

impl Player {
    pub(super) fn dealt_in(dealt: &DealtIn) -> Player {
        Player { brought: dealt.stack, stack: dealt.stack, ..Player::default() }
    }

    /// Still in with chips in front.
    pub fn is_able(&self) -> bool {
        !self.folded && !self.stack.is_zero()
    }

    /// Still in without chips in front.
    pub fn is_all_in(&self) -> bool {
        !self.folded && self.stack.is_zero()
    }

    /// The up cards, the door card first.
    pub fn board(&self) -> impl Iterator<Item = Card> + '_ {
        self.up.iter()
    }

    /// Deck positions of the down cards, in the order dealt.
    pub fn down(&self) -> impl Iterator<Item = u8> + '_ {
        self.down.iter()
    }

    /// The down cards that lie open.
    pub fn shown(&self) -> impl Iterator<Item = Card> + '_ {
        self.shown.iter()
    }

    /// Where the player stands at the showdown.
    pub const fn showing(&self) -> Showing {
        self.showing
    }

    /// Moves chips from the stack into the middle, so that the round's wager becomes `to`.
    pub(super) fn wager_to(&mut self, to: Chips) {
        let more = to - self.wager;
        self.stack -= more;
        self.wager = to;
        self.put_in += more;
    }

    /// Takes chips back that nobody matched.
    pub(super) fn take_back(&mut self, amount: Chips) {
        self.stack += amount;
        self.wager -= amount;
        self.put_in -= amount;
    }
}
