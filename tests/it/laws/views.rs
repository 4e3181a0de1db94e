//! Nobody sees a card too early (promise 3), and no hidden card decides anything before it is revealed.

use razz_dealer::engine::{Card, Deck, Event, Hand, MuckedHands, PlayerId, Seat, View, Viewer, decide};
use razz_dealer::sim::Dice;

use super::reference::Chair;
use super::walk::Play;
use super::world::player;

/// Every viewer's view shows exactly the cards that viewer may see. A thorough look also searches its text.
pub fn show_what_they_may(hand: &Hand, play: &Play, thorough: bool) {
    let stranger = PlayerId::new("stranger").expect("an id");
    let mut viewers = vec![
        (Viewer::Public, Eyes::Outside),
        (Viewer::Platform, Eyes::Outside),
        (Viewer::Player(stranger), Eyes::Outside),
    ];
    viewers.extend(hand.players().map(|(seat, _)| (Viewer::Player(player(seat)), Eyes::At(seat))));
    if thorough {
        viewers.push((Viewer::Auditor("board".into()), Eyes::Auditor));
        viewers.extend(Seat::all().map(|seat| (Viewer::Reader { seat, reader: "floor".into() }, Eyes::On(seat))));
    }
    for (viewer, eyes) in viewers {
        let view = View::of(hand, &viewer, Some(&play.deck));
        let mut hidden: Vec<Card> = play.deck.order().to_vec();
        for (seen, chair) in view.seats.iter().zip(&play.reference.chairs) {
            let down = down_cards(chair, &play.deck);
            let wanted = if may_see(chair, eyes, hand, play) { down } else { Vec::new() };
            assert_eq!(seen.down, wanted, "seat {} before {viewer:?} after {:?}", chair.seat, play.log);
            assert_eq!(seen.down_count, chair.down.len());
            assert_eq!((seen.seat, &seen.board), (chair.seat, &chair.up));
            hidden.retain(|card| !seen.down.contains(card) && !seen.board.contains(card) && view.common != Some(*card));
        }
        if thorough {
            what_is_told_is_known(hand, play, &viewer, eyes, &view);
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

/// The positions that a viewer may have proofs of are those of the cards that the view shows; what is told to somebody
/// else than its player, and not by the rules of the showdown, is to be recorded.
fn what_is_told_is_known(hand: &Hand, play: &Play, viewer: &Viewer, eyes: Eyes, view: &View) {
    let shown = view.seats.iter().map(|seat| seat.down.len() + seat.board.len()).sum::<usize>();
    assert_eq!(hand.visible(viewer).len(), shown + usize::from(view.common.is_some()), "before {viewer:?}");
    let read: Vec<Seat> = hand.readings(viewer).map(|(seat, _)| seat).collect();
    let told = view.seats.iter().filter(|seen| !seen.down.is_empty() && !play.reference.chair(seen.seat).shown);
    let told: Vec<Seat> = told.map(|seen| seen.seat).collect();
    let is_recorded = matches!(eyes, Eyes::On(_) | Eyes::Auditor);
    assert_eq!(read, if is_recorded { told } else { Vec::new() }, "before {viewer:?}");
}

fn down_cards(chair: &Chair, deck: &Deck) -> Vec<Card> {
    chair.down.iter().map(|&position| deck.card(position).expect("dealt")).collect()
}

/// From where somebody looks.
#[derive(Clone, Copy, PartialEq)]
enum Eyes {
    Outside,
    /// A player's own.
    At(Seat),
    /// On a seat that is named.
    On(Seat),
    Auditor,
}

/// Shown hands are open to all; one's own cards always, and those of a seat that is named; mucked ones to auditors and,
/// where the house has it so, to the players once the hand is played out (R32).
fn may_see(chair: &Chair, eyes: Eyes, hand: &Hand, play: &Play) -> bool {
    let voided = matches!(play.log.last(), Some(Event::HandVoided { .. }));
    let history = play.reference.rules.mucked_hands_in_history == MuckedHands::PlayersOfTheHand;
    let mucked = hand.is_played_out() && !voided && chair.mucked;
    let told = match eyes {
        Eyes::Outside => false,
        Eyes::At(own) => own == chair.seat || mucked && history,
        Eyes::On(named) => named == chair.seat,
        Eyes::Auditor => mucked,
    };
    chair.shown || told
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
    // Nor do they show, in either world, to anybody but their player and whoever names the seat.
    let shows = |viewer: &Viewer| View::of(&hand, viewer, Some(&other)) == View::of(&hand, viewer, Some(&play.deck));
    assert!([Viewer::Public, Viewer::Platform, Viewer::Auditor("board".into())].iter().all(shows));
}

fn is_open(log: &[Event], place: usize) -> bool {
    log.iter().any(|event| match event {
        Event::CardDealt { position, card: Some(_), .. } | Event::CommonCardDealt { position, .. } => {
            usize::from(*position) == place
        }
        _ => false,
    })
}
