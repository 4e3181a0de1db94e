//! The seeded players and decks: the same on every machine, lively, and no card twice.

use std::sync::Arc;

use razz_dealer::engine::{
    Card, CardSet, Command, Deck, DeckBond, DeckOrigin, Event, Hand, Opening, Preset, RULES_REVISION, Seat, Settings,
    Stakes, View, Viewer, decide,
};
use razz_dealer::sim::{self, Bots, Dice};

use super::world::{chips, player};

fn opening(count: u64, stack: u64, rules: Preset) -> Arc<Opening> {
    let dealt_in =
        |seat: Seat| razz_dealer::engine::DealtIn { seat, player: player(seat), stack: chips(stack), card_key: None };
    let stakes = Stakes::new(chips(1), chips(2), chips(10)).expect("as R7 has it");
    Arc::new(Opening {
        number: 1,
        rules_revision: RULES_REVISION,
        settings: Settings {
            stakes,
            rules: rules.rules(),
            auto_settle: true,
            act_allowance_ms: 0,
            settle_after_ms: 0,
            nonces: false,
            reveal_deck: false,
        },
        dealt_in: Seat::all().filter(|seat| u64::from(seat.number()) <= count).map(dealt_in).collect(),
        bystanders: Vec::new(),
        bond: DeckBond::new(DeckOrigin::Scripted, [0; 32]),
    })
}

/// R3, in a million hands of eight who are all-in from the ante, so that each is dealt and laid open to the last card.
#[test]
fn r3_no_card_comes_twice_in_a_million_hands_of_eight() {
    const HANDS: u64 = 1_000_000;
    let threads = std::thread::available_parallelism().map_or(2, usize::from) as u64;
    let deal = Command::Deal(opening(8, 1, Preset::Wsop));
    let some =
        |from: u64| (from..HANDS).step_by(usize::try_from(threads).expect("few")).for_each(|n| dealt_once(&deal, n));
    std::thread::scope(|scope| {
        (0..threads).for_each(|from| {
            scope.spawn(move || some(from));
        });
    });
}

/// 48 cards of sixth street and the common card (R27), each from its own place, none of them twice.
fn dealt_once(deal: &Command, number: u64) {
    let deck = sim::deck(3, number);
    let (mut places, mut cards) = (0u64, CardSet::EMPTY);
    let mut place = |position: u8| {
        assert_eq!(places & 1 << position, 0, "place {position} comes twice in hand {number}");
        places |= 1 << position;
    };
    let mut see = |position: u8, card: Card| {
        assert_eq!(deck.card(position), Some(card));
        assert!(cards.insert(card), "{card} comes twice in hand {number}");
    };
    for event in decide(&Hand::default(), &deck, deal).expect("a hand") {
        match event {
            Event::CardDealt { position, card, .. } => {
                place(position);
                if let Some(card) = card {
                    see(position, card);
                }
            }
            Event::CommonCardDealt { position, card } => {
                place(position);
                see(position, card);
            }
            Event::HandShown { cards, .. } => {
                for (position, card) in cards {
                    see(position, card);
                }
            }
            _ => {}
        }
    }
    assert_eq!((places.count_ones(), cards.len()), (49, 49));
}

/// Plays a hand among the seeded players, each with its own view; how often they acted.
fn played(bots: &mut Bots, deck: &Deck) -> (u32, Vec<Event>) {
    let mut hand = Hand::default();
    let mut command = Command::Deal(opening(6, 2000, Preset::PokerStars));
    let (mut acts, mut log) = (0, Vec::new());
    loop {
        for event in decide(&hand, deck, &command).expect("what the players do is legal") {
            hand.apply(&event).expect("what was decided");
            log.push(event);
        }
        let viewer = hand.waits_for().map_or(Viewer::Public, |seat| Viewer::Player(player(seat)));
        let Some((seat, action)) = bots.choose(&View::of(&hand, &viewer, Some(deck))) else { return (acts, log) };
        command = Command::Act { seat, action, to: None };
        acts += 1;
        assert!(acts < 500, "a hand without end");
    }
}

#[test]
fn seeded_players_play_lively_and_the_same_for_the_same_seed() {
    let (mut bots, mut twins) = (Bots::new(7), Bots::new(7));
    let (mut acts, mut shown, mut raises, mut folds) = (0, 0, 0, 0);
    for number in 0..500 {
        let deck = sim::deck(7, number);
        let (more, log) = played(&mut bots, &deck);
        assert_eq!(log, played(&mut twins, &deck).1);
        acts += more;
        shown += u32::from(log.iter().any(|event| matches!(event, Event::HandShown { .. })));
        raises += u32::from(log.iter().any(|event| matches!(event, Event::Raised { .. })));
        folds += u32::from(log.iter().any(|event| matches!(event, Event::Folded { .. })));
    }
    println!("{acts} acts, {shown} hands shown, {raises} raised, {folds} folded in 500 hands");
    assert!(acts >= 15 * 500, "{acts} acts in 500 hands");
    assert!(shown > 250 && raises > 250 && folds > 250, "{shown} shown, {raises} raised, {folds} folded");
}

/// What a seed means is for ever: a story told with it is told again.
#[test]
fn a_seed_gives_these_cards_and_these_draws() {
    let first: Vec<String> = sim::deck(1, 1).order()[..8].iter().map(Card::to_string).collect();
    assert_eq!(first.join(" "), "Td 6h 9c 2s 5c 9s 6d Ac");
    assert_ne!(sim::deck(1, 1), sim::deck(1, 2));
    assert_ne!(sim::deck(1, 1), sim::deck(2, 1));
    let mut dice = Dice::new(1, 1);
    let draws: Vec<u64> = (0..8).map(|_| dice.below(100)).collect();
    assert_eq!(draws, [5, 29, 50, 26, 92, 55, 30, 16]);
    assert_eq!((dice.below(1), dice.below(0)), (0, 0));
}

/// Each card is on top of as many decks as any other.
#[test]
fn decks_are_even() {
    let mut tops = [0u32; Card::COUNT];
    (0..52_000).for_each(|number| tops[usize::from(sim::deck(5, number).order()[0].index())] += 1);
    // A thousand each, give or take six standard deviations of 31.
    assert!(tops.iter().all(|count| count.abs_diff(1000) < 190), "{tops:?}");
}
