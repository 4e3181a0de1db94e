//! The viewer rule: who may see which down cards, and when (promise 3, R32). It reads no card.

use std::sync::Arc;

use super::event::PlayerId;
use super::hand::Hand;
use super::opening::CardKey;
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
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Sight {
    /// Nothing.
    Nothing,
    /// What everybody sees.
    Open,
    /// What is told to this viewer.
    Clear,
    /// What is told to this viewer, sealed to this key of theirs.
    Sealed(CardKey),
}

impl Hand {
    /// What this viewer sees of the seat's down cards: open ones everybody, one's own their player always, and mucked
    /// ones afterwards the auditors, and the players of the hand where the house has it so (R32). Folded hands are
    /// told to no other player ever, only to who names the seat.
    ///
    /// A viewer with a key is told cards sealed to it. What is not open of a player with a key nobody is told in clear.
    pub fn sight(&self, viewer: &Viewer, seat: Seat) -> Sight {
        let Some(player) = self.player(seat) else { return Sight::Nothing };
        if player.showing() == Showing::Shown {
            return Sight::Open;
        }
        let afterwards = matches!(status(self), Status::PlayedOut | Status::Settled);
        let mucked = afterwards && player.showing() == Showing::Mucked;
        let own = if let Viewer::Player(id) = viewer { self.seat_of(id) } else { None };
        let told = match viewer {
            Viewer::Public | Viewer::Platform => false,
            Viewer::Player(_) => match own {
                None => false,
                Some(own) if own == seat => true,
                Some(_) => mucked && self.rules().mucked_hands_in_history == MuckedHands::PlayersOfTheHand,
            },
            Viewer::Reader { seat: named, .. } => *named == seat,
            Viewer::Auditor(_) => mucked,
        };
        match (told, own.and_then(|own| self.card_key(own)), self.card_key(seat)) {
            (false, ..) | (true, None, Some(_)) => Sight::Nothing,
            (true, Some(key), _) => Sight::Sealed(key),
            (true, None, None) => Sight::Clear,
        }
    }

    /// The key that this seat's player wants cards sealed to.
    fn card_key(&self, seat: Seat) -> Option<CardKey> {
        self.opening().dealt_in.iter().find(|dealt| dealt.seat == seat)?.card_key.clone()
    }

    /// The deck positions of all cards that this viewer may see, ascending.
    pub fn visible(&self, viewer: &Viewer) -> Vec<u8> {
        let told = self.players().filter(|(seat, _)| self.sight(viewer, *seat) != Sight::Nothing);
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
