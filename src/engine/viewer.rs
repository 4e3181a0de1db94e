//! The viewer rule: who may see which down cards, and when (promise 3, R32). It reads no card.

use std::sync::Arc;

use super::event::PlayerId;
use super::hand::Hand;
use super::player::Showing;
use super::rules::MuckedHands;
use super::seat::Seat;
use super::view::{Status, status};

/// Who looks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Viewer {
    /// Anybody.
    Public,
    /// A player, by id: their own down cards too, if they were dealt into the hand.
    Player(PlayerId),
    /// The platform: as the public, down cards are not its business.
    Platform,
    /// Somebody of the platform who names a seat: its down cards too, and that stands in the record.
    Reader {
        /// Whose down cards.
        seat: Seat,
        /// Who, as the platform names them.
        reader: Arc<str>,
    },
    /// An auditor: once the hand is over the mucked hands too, and that stands in the record.
    Auditor(Arc<str>),
}

/// What a viewer sees of a seat's down cards.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sight {
    /// Nothing.
    Nothing,
    /// What everybody sees.
    Open,
    /// What is told to this viewer.
    Clear,
}

impl Hand {
    /// What this viewer sees of the seat's down cards: open ones everybody, one's own their player always, and mucked
    /// ones afterwards the auditors, and the players of the hand where the house has it so (R32). Folded hands nobody
    /// else ever.
    pub fn sight(&self, viewer: &Viewer, seat: Seat) -> Sight {
        let Some(player) = self.player(seat) else { return Sight::Nothing };
        if player.showing() == Showing::Shown {
            return Sight::Open;
        }
        let afterwards = matches!(status(self), Status::PlayedOut | Status::Settled);
        let mucked = afterwards && player.showing() == Showing::Mucked;
        let told = match viewer {
            Viewer::Public | Viewer::Platform => false,
            Viewer::Player(id) => match self.seat_of(id) {
                None => false,
                Some(own) if own == seat => true,
                Some(_) => mucked && self.rules().mucked_hands_in_history == MuckedHands::PlayersOfTheHand,
            },
            Viewer::Reader { seat: named, .. } => *named == seat,
            Viewer::Auditor(_) => mucked,
        };
        if told { Sight::Clear } else { Sight::Nothing }
    }

    /// The deck positions of all cards that this viewer may see, ascending.
    pub fn visible(&self, viewer: &Viewer) -> Vec<u8> {
        let told = self.players().filter(|(seat, _)| self.sight(viewer, *seat) == Sight::Clear);
        let mut positions: Vec<u8> = self.revealed().chain(told.flat_map(|(_, player)| player.down())).collect();
        positions.sort_unstable();
        positions.dedup();
        positions
    }

    /// The seats whose down cards this viewer is told although they are somebody else's and not open to the players of
    /// the hand, and to whom: this is to be recorded.
    pub fn readings<'a>(&'a self, viewer: &'a Viewer) -> impl Iterator<Item = (Seat, &'a Arc<str>)> + 'a {
        let reader = match viewer {
            Viewer::Reader { reader, .. } | Viewer::Auditor(reader) => Some(reader),
            Viewer::Public | Viewer::Player(_) | Viewer::Platform => None,
        };
        let told = self.players().filter(|(seat, _)| self.sight(viewer, *seat) == Sight::Clear);
        reader.into_iter().flat_map(move |reader| told.clone().map(move |(seat, _)| (seat, reader)))
    }
}
