//! Promise 3 over the wire: every answer of a hand is kept, and judged once the hand is over and all cards are known
//! from their owners.

use razz_dealer::pb;
use razz_dealer::sim::deck;

use super::scene::{Scene, TABLE, as_player, deal, fresh, player, take_seat};

/// Viewers: the public, the platform, three players, and one who is not in the hand.
const VIEWERS: [Option<i32>; 6] = [None, Some(0), Some(1), Some(2), Some(3), Some(4)];

fn viewer(who: Option<i32>) -> Option<pb::Viewer> {
    match who {
        None => None,
        Some(0) => Some(pb::Viewer { who: Some(pb::viewer::Who::Platform(pb::viewer::Platform::default())) }),
        Some(number) => Some(as_player(number)),
    }
}

/// An answer and whose it was.
type Answer = (Option<i32>, pb::HandView);

/// Plays the hand of this number, and keeps every answer.
async fn play(s: &mut Scene, number: usize) -> Vec<Answer> {
    let who = VIEWERS[number % VIEWERS.len()];
    let deal = pb::DealRequest { viewer: viewer(who), ..deal() };
    let mut hand = s.client.dealer.deal(deal).await.expect("dealt").into_inner().hand.expect("a hand");
    let mut answers = vec![(who, hand.clone())];
    let mut turn = 0;
    loop {
        for who in VIEWERS {
            answers.push((who, s.hand(hand.hand_number, viewer(who)).await.expect("a hand")));
        }
        // The one to act decides from its own view, as a player would.
        let own = s.hand(hand.hand_number, viewer(Some(hand.to_act.max(1)))).await.expect("a hand");
        let Some(act) = s.choose(&own) else { break };
        turn += 1;
        let who = VIEWERS[turn % VIEWERS.len()];
        hand = s.act(pb::ActRequest { viewer: viewer(who), ..act }).await;
        answers.push((who, hand.clone()));
    }
    for who in VIEWERS {
        let (table_id, hand_number, request_id) = (TABLE.to_owned(), hand.hand_number, fresh());
        let settle = pb::SettleRequest { table_id, hand_number, request_id, viewer: viewer(who) };
        let settled = s.client.dealer.settle(settle).await.expect("settled").into_inner().hand.expect("a hand");
        answers.push((who, settled));
    }
    answers
}

fn owned(answers: &[Answer], number: i32) -> Vec<String> {
    let own = answers.iter().rfind(|(who, _)| *who == Some(number)).expect("the owner looked");
    own.1.seats.iter().find(|seat| seat.seat == number).expect("dealt in").down_cards.clone()
}

/// What the tests have come upon: so that none of it can be missing unseen.
#[derive(Default)]
struct Seen {
    folded: u32,
    shown: u32,
    mucked: u32,
}

/// R32: whether the house lets the players of the hand see what was mucked.
fn judge(answers: &[Answer], mucked_are_seen: bool, seen: &mut Seen) {
    let number = answers[0].1.hand_number;
    for owner in 1..=3 {
        let cards = owned(answers, owner);
        let place = u8::try_from(owner).expect("a seat");
        let dealt = [place - 1, place + 2].map(|place| deck(11, number).card(place).expect("a card").to_string());
        assert_eq!(cards[..2], dealt, "R9: the owner sees the cards that were dealt to the seat");
        for (who, hand) in answers {
            let seat = hand.seats.iter().find(|seat| seat.seat == owner).expect("dealt in");
            let over = hand.status() != pb::HandStatus::Playing;
            let in_hand = matches!(who, Some(1..=3));
            let shown = seat.showing() == pb::Showing::Shown;
            let mucked = seat.showing() == pb::Showing::Mucked && over && in_hand && mucked_are_seen;
            let count = usize::try_from(seat.down_count).expect("small");
            if *who == Some(owner) || shown || mucked {
                assert_eq!(seat.down_cards, cards[..count], "{who:?} at seat {owner}");
                seen.shown += u32::from(shown);
                seen.mucked += u32::from(mucked);
                continue;
            }
            seen.folded += u32::from(over && seat.standing() == pb::Standing::Folded);
            assert!(!hand.shown_order.contains(&owner));
            assert!(seat.down_cards.is_empty() && seat.hand_in_words.is_empty(), "{who:?} sees {seat:?}");
            let text = format!("{hand:?}");
            for card in &cards {
                assert!(!text.contains(&format!("\"{card}\"")), "{who:?} sees {card} of seat {owner}: {text}");
            }
        }
    }
}

#[tokio::test]
async fn no_answer_holds_a_card_too_early() {
    let houses = [
        (pb::Preset::Pokerstars, true),
        (pb::Preset::FullTilt, true),
        (pb::Preset::Club, false),
        (pb::Preset::Wsop, false),
        (pb::Preset::Romanian, false),
    ];
    for (rules, mucked_are_seen) in houses {
        let mut s = Scene::seated(rules, false).await;
        let mut seen = Seen::default();
        let mut hands = 0;
        while hands < 12 && s.state().await.table.expect("a table").seats.iter().all(|seat| seat.chips > 0) {
            hands += 1;
            judge(&play(&mut s, hands).await, mucked_are_seen, &mut seen);
        }
        assert!(hands >= 4, "{rules:?}: {hands} hands");
        assert!(seen.folded > 0 && seen.shown > 0, "{rules:?}: nobody folded or showed");
        assert_eq!(seen.mucked > 0, mucked_are_seen, "{rules:?}: {} mucked hands seen", seen.mucked);
        s.stop().await;
    }
}

/// Who was dealt in may see, never who sits there today.
#[tokio::test]
async fn a_seat_of_another_day_sees_nothing() {
    let mut s = Scene::seated(pb::Preset::Pokerstars, true).await;
    // Whoever opens brings it in, the others fold: nothing is ever shown.
    let mut hand = s.deal().await;
    hand = s.act(super::scene::act(1, hand.to_act, razz_dealer::engine::Action::BringIn)).await;
    while hand.to_act != 0 {
        hand = s.act(super::scene::act(1, hand.to_act, razz_dealer::engine::Action::Fold)).await;
    }
    let (table_id, player_id, request_id) = (TABLE.to_owned(), player(1), fresh());
    s.client.tables.leave_seat(pb::LeaveSeatRequest { table_id, player_id, request_id }).await.expect("left");
    s.deposit(4, 100).await;
    let sit = pb::TakeSeatRequest { player_id: player(4), ..take_seat(1, 100) };
    s.client.tables.take_seat(sit).await.expect("seated");
    s.deal().await;
    let cards = |hand: &pb::HandView| hand.seats.iter().map(|seat| seat.down_cards.len()).collect::<Vec<_>>();
    for (number, viewer, expected) in [(1, 4, [0, 0, 0]), (1, 1, [2, 0, 0]), (2, 1, [0, 0, 0]), (2, 4, [2, 0, 0])] {
        let hand = s.hand(number, Some(as_player(viewer))).await.expect("a hand");
        assert_eq!(cards(&hand), expected, "hand {number} for player {viewer}");
    }
    s.stop().await;
}
