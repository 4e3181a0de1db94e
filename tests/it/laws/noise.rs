//! What is asked of a table while a hand is on: none of it touches the hand (R4).

use razz_dealer::engine::{Rejection, Seat, TableCommand, View, Viewer};

use super::reference::units;
use super::walk::{Game, Play};
use super::world::{self, chips, player};

/// One random thing beside the hand.
pub fn around_the_hand(game: &mut Game, play: &mut Play) {
    let seats: Vec<Seat> = Seat::all().collect();
    let seat = game.dice.pick(&seats).expect("eight");
    let amount = 1 + game.dice.below(60);
    let who = player(seat);
    let (command, change) = match game.dice.below(5) {
        0 => (TableCommand::AddChips { player: who, chips: chips(amount) }, amount),
        1 => (TableCommand::TakeSeat { seat, player: who, chips: chips(amount), card_key: None }, amount),
        2 => (TableCommand::LeaveSeat { player: who }, 0),
        3 => (TableCommand::ChangeRules(world::settings(&mut game.dice)), 0),
        _ => (TableCommand::SetSittingOut { player: who, sitting_out: game.dice.chance(30) }, 0),
    };
    let before = View::of(game.table.hand(), &Viewer::Public, None);
    let occupant = game.table.occupants().find(|(taken, _)| *taken == seat).map(|(_, occupant)| occupant.clone());
    match game.table.decide(&command) {
        Ok(events) => {
            game.money += i64::try_from(change).expect("small");
            if let (TableCommand::LeaveSeat { .. }, Some(occupant)) = (&command, &occupant) {
                assert!(!game.table.is_dealt_in(seat), "left while dealt in");
                game.money -= units(occupant.chips);
            }
            for event in events {
                game.table.apply(&event).expect("what was decided");
                play.at_the_table.push(event);
            }
        }
        Err(Rejection::SeatTaken { .. } | Rejection::AlreadySeated { .. }) => assert!(occupant.is_some()),
        Err(Rejection::StillDealtIn { .. }) => assert!(game.table.is_dealt_in(seat)),
        Err(rejection) => assert!(rejection == Rejection::NotSeated && occupant.is_none(), "{rejection:?}"),
    }
    assert_eq!(before, View::of(game.table.hand(), &Viewer::Public, None));
}
