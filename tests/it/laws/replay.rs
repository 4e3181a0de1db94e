//! A hand is what its events say: its table can be loaded from them, and an event that could not have come is refused.

use razz_dealer::engine::{Chips, Event, Hand, Table, TableEvent};
use razz_dealer::sim::Dice;

use super::reference::{Next, Reference};
use super::walk::{Play, event_of};

/// The table as it was can be had from the opening of its latest hand and what came after, without the hands before.
pub fn the_opening_is_enough(play: &Play, table: &Table) {
    let Some(TableEvent::Hand(Event::HandOpened(opening))) = play.at_the_table.first() else {
        panic!("a log without an opening")
    };
    let mut loaded = Table::at_opening(opening).expect("what was opened");
    for event in &play.at_the_table[1..] {
        loaded.apply(event).expect("what happened");
    }
    assert_eq!(format!("{loaded:?}"), format!("{table:?}"));
}

/// At every point of the log, events from elsewhere in it, as they are and changed by a little, are taken only where
/// they could have come.
pub fn forgeries_are_refused(play: &Play, dice: &mut Dice) {
    let Some(Event::HandOpened(opening)) = play.log.first() else { panic!("a log without an opening") };
    let mut hand = Hand::default();
    let mut reference = Reference::new(opening);
    for (index, event) in play.log.iter().enumerate() {
        hand.apply(event).expect("what was played");
        let next = reference.next(&play.deck);
        if index > 0 {
            reference.take(event);
        }
        let next = if index > 0 { reference.next(&play.deck) } else { next };
        for _ in 0..6 {
            let place = usize::try_from(dice.below(play.log.len() as u64)).expect("an index");
            let forged = changed(&play.log[place], dice);
            let taken = hand.clone().apply(&forged).is_ok();
            assert!(!taken || may_come(&forged, &next, &reference, play), "{forged:?} was taken where {next:?} is due");
        }
    }
}

/// Often the event itself, else with another amount or all-in.
fn changed(event: &Event, dice: &mut Dice) -> Event {
    let mut event = event.clone();
    let other = dice.below(3);
    let off = |amount: &mut Chips| match other {
        1 => *amount += Chips::ONE,
        2 => *amount = amount.less(Chips::ONE),
        _ => {}
    };
    match &mut event {
        Event::AntePosted { amount, .. } | Event::ExcessReturned { amount, .. } => off(amount),
        Event::Called { to, all_in, .. }
        | Event::BroughtIn { to, all_in, .. }
        | Event::Completed { to, all_in, .. }
        | Event::BetMade { to, all_in, .. }
        | Event::Raised { to, all_in, .. } => {
            off(to);
            *all_in ^= dice.chance(20);
        }
        Event::PotAwarded(award) => {
            off(&mut award.rake);
            if let Some(share) = award.shares.first_mut() {
                off(&mut share.1);
            }
        }
        Event::HandSettled { rake, .. } => off(rake),
        _ => {}
    }
    event
}

/// Whether this is one of the things that can come, as far as it can be known without the deck.
fn may_come(event: &Event, next: &Next, reference: &Reference, play: &Play) -> bool {
    match (event, next) {
        (_, Next::Over) => false,
        (Event::HandVoided { .. }, _) => true,
        // That a hand need not be shown is a claim about its down cards.
        (Event::ShowOffered { seat }, Next::Dealer(Event::HandShown { seat: due, .. }))
        | (Event::TimedOut { seat }, Next::Player(due, _)) => seat == due,
        (_, Next::Dealer(due)) => event == due,
        (_, Next::Player(seat, offers)) => {
            offers.iter().any(|&offer| event_of(*seat, offer, reference, &play.deck) == *event)
        }
        (_, Next::PlayedOut) => reference.settlement() == *event,
    }
}
