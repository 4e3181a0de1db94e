//! How a hand ends.

use razz_dealer::engine::{Card, Chips, Hand, Seat, Showing, Viewer, chips_in_front};

use super::scene::Scene;

/// What a hand leaves behind, for all that its players can tell.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ending {
    /// In front of each seat.
    stacks: Vec<(Seat, Chips)>,
    /// Who showed, in that order.
    shown: Vec<Seat>,
    mucked: Vec<Seat>,
    /// Which down cards of which seat each player of the hand sees afterwards.
    seen: Vec<(Seat, Seat, Vec<Card>)>,
}

impl Scene {
    pub fn ending(&self) -> Ending {
        let hand = self.hand();
        let players: Vec<Seat> = hand.players().map(|(seat, _)| seat).collect();
        let views = players.iter().filter_map(|&viewer| {
            let player = hand.player_id(viewer)?.clone();
            Some((viewer, self.view(&Viewer::Player(player))))
        });
        Ending {
            stacks: self.table.occupants().map(|(seat, _)| (seat, chips_in_front(&self.table, seat))).collect(),
            shown: hand.shown().collect(),
            mucked: mucked(hand),
            seen: views
                .flat_map(|(viewer, view)| view.seats.into_iter().map(move |seat| (viewer, seat.seat, seat.down)))
                .collect(),
        }
    }
}

/// The seats that mucked, in seat order.
pub fn mucked(hand: &Hand) -> Vec<Seat> {
    hand.players().filter(|(_, player)| player.showing() == Showing::Mucked).map(|(seat, _)| seat).collect()
}
