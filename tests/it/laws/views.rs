//! Nobody sees a card too early (promise 3), and no hidden card decides anything before it is revealed.

use razz_dealer::engine::{Card, Deck, Event, Hand, MuckedHands, PlayerId, Seat, View, Viewer, decide};
use razz_dealer::sim::Dice;

use super::reference::Chair;
use super::walk::Play;
use super::world::player;

/// Every viewer's view shows exactly the cards that viewer may see. A thorough look also searches its text.
pub fn show_what_they_may(hand: &Hand, play: &Play, thorough: bool) {
    let stranger = PlayerId::new("stranger").expect("an id");
    let mut viewers = vec![(Viewer::Public, None), (Viewer::Platform, None), (Viewer::Player(stranger), None)];
    viewers.extend(hand.players().map(|(seat, _)| (Viewer::Player(player(seat)), Some(seat))));
    for (viewer, own) in viewers {
        let view = View::of(hand, &viewer, Some(&play.deck));
        let mut hidden: Vec<Card> = play.deck.order().to_vec();
        for (seen, chair) in view.seats.iter().zip(&play.reference.chairs) {
            let down = down_cards(chair, &play.deck);
            let wanted = if may_see(chair, own, hand, play) { down } else { Vec::new() };
            assert_eq!(seen.down, wanted, "seat {} before {viewer:?} after {:?}", chair.seat, play.log);
            assert_eq!(seen.down_count, chair.down.len());
            assert_eq!((seen.seat, &seen.board), (chair.seat, &chair.up));
            hidden.retain(|card| !seen.down.contains(card) && !seen.board.contains(card) && view.common != Some(*card));
        }
        if thorough {
            let text = format!("{view:?}");
            let words: Vec<&str> = text.split(|letter: char| !letter.is_alphanumeric()).collect();
            let slipped = hidden.iter().find(|card| words.contains(&card.to_string().as_str()));
            assert_eq!(slipped, None, "before {viewer:?}: {text}");
        }
        // Who has no deck at hand cannot let a card slip.
        let without = View::of(hand, &viewer, None);
        let open = |seat: Seat| play.reference.chair(seat).shown;
        assert!(without.seats.iter().all(|seen| seen.down.is_empty() || open(seen.seat)));
    }
}

fn down_cards(chair: &Chair, deck: &Deck) -> Vec<Card> {
    chair.down.iter().map(|&position| deck.card(position).expect("dealt")).collect()
}

/// Shown hands are open to all; one's own cards always; mucked ones to the players once the hand is played out (R32).
fn may_see(chair: &Chair, own: Option<Seat>, hand: &Hand, play: &Play) -> bool {
    let voided = matches!(play.log.last(), Some(Event::HandVoided { .. }));
    let history = play.reference.rules.mucked_hands_in_history == MuckedHands::PlayersOfTheHand;
    let afterwards = hand.is_played_out() && !voided && chair.mucked && history;
    chair.shown || own == Some(chair.seat) || own.is_some() && afterwards
}

/// The same commands with other cards wherever no event of the log lays one open, up to the first reveal: every event,
/// and so every offer, is the same.
pub fn hidden_cards_decide_nothing(play: &Play, dice: &mut Dice) {
    let mut hidden: Vec<usize> = (0..Card::COUNT).filter(|&place| !is_open(&play.log, place)).collect();
    let mut order = *play.deck.order();
    let before: Vec<Card> = hidden.iter().map(|&place| order[place]).collect();
    dice.shuffle(&mut hidden);
    hidden.iter().zip(before).for_each(|(&place, card)| order[place] = card);
    let other = Deck::new(order).expect("the same cards");
    let reveals = |event: &Event| matches!(event, Event::ShowOffered { .. } | Event::HandShown { .. });
    let until = play.log.iter().position(reveals).unwrap_or(play.log.len());
    let mut hand = Hand::default();
    for (command, begin) in play.commands.iter().take_while(|(_, begin)| *begin < until) {
        let events = decide(&hand, &other, command).expect("it was accepted with the cards as they are");
        for (offset, event) in events.iter().enumerate() {
            if begin + offset >= until {
                // The reveal itself comes at the same point, and there the cards may tell.
                assert!(reveals(event), "{event:?}");
                return;
            }
            assert_eq!(*event, play.log[begin + offset]);
            hand.apply(event).expect("what was decided");
        }
    }
}

fn is_open(log: &[Event], place: usize) -> bool {
    log.iter().any(|event| match event {
        Event::CardDealt { position, card: Some(_), .. } | Event::CommonCardDealt { position, .. } => {
            usize::from(*position) == place
        }
        _ => false,
    })
}
