//! Promise 3: a down card is in an answer only for its owner, or once the rules have revealed it. And promise 2 at the
//! table: where the chips are before, during and after a hand.

use razz_dealer::engine::Card;
use razz_dealer::pb;
use razz_dealer::sim::deck;

use super::scene::{Scene, TABLE, as_player, deal, fresh, player, view};

/// The down cards of a seat, from the deck that the scene deals (R9): three are dealt in, so the first two rounds give
/// positions seat - 1 and seat + 2; seventh street is known from the view of its owner alone.
fn first_down(seat: i32) -> Vec<String> {
    let deck = deck(11, 1);
    let place = u8::try_from(seat).expect("a seat");
    [place - 1, place + 2].iter().map(|&place| deck.card(place).expect("a card").to_string()).collect()
}

fn seat(hand: &pb::HandView, number: i32) -> &pb::SeatView {
    hand.seats.iter().find(|seat| seat.seat == number).expect("a seat")
}

fn check(hand: &pb::HandView, viewer: Option<i32>, afterwards: bool) {
    for seat in &hand.seats {
        let own = viewer == Some(seat.seat);
        let mucked = afterwards && viewer.is_some() && seat.showing() == pb::Showing::Mucked;
        let may = own || mucked || seat.showing() == pb::Showing::Shown;
        let expected = if may { usize::try_from(seat.down_count).expect("small") } else { 0 };
        assert_eq!(seat.down_cards.len(), expected, "{viewer:?} at seat {}", seat.seat);
        if seat.standing() == pb::Standing::Folded {
            assert!(seat.board.is_empty() && !seat.dead_board.is_empty(), "dead boards stand apart");
        } else {
            assert!(seat.dead_board.is_empty());
        }
        let text = format!("{hand:?}");
        for card in first_down(seat.seat).iter().filter(|_| !may) {
            assert!(card.parse::<Card>().is_ok() && !text.contains(&format!("\"{card}\"")), "{card} in {text}");
        }
    }
}

#[tokio::test]
async fn down_cards_are_absent_for_all_but_their_owner() {
    let mut s = Scene::seated(pb::Preset::Pokerstars, false).await;
    let platform = Some(pb::Viewer { who: Some(pb::viewer::Who::Platform(pb::viewer::Platform::default())) });
    let request = pb::DealRequest { viewer: Some(as_player(2)), ..deal() };
    let dealt = s.client.dealer.deal(request).await.expect("dealt").into_inner().hand.expect("a hand");
    check(&dealt, Some(2), false);
    assert_eq!(seat(&dealt, 2).down_cards, first_down(2));
    let mut hand = dealt;
    while view(&hand).legal.seat.is_some() {
        for viewer in 0..=4 {
            // Nobody, the three players, and a player who is not in the hand.
            let seen = s.hand(0, (viewer > 0).then(|| as_player(viewer))).await.expect("a hand");
            check(&seen, (1..=3).contains(&viewer).then_some(viewer), false);
        }
        check(&s.hand(0, platform.clone()).await.expect("a hand"), None, false);
        let mut act = s.choose(&hand).expect("an act");
        act.viewer = Some(as_player(1));
        hand = s.act(act).await;
        let over = hand.status() == pb::HandStatus::PlayedOut;
        check(&hand, Some(1), over);
    }
    let settled = s.settle(1).await;
    check(&settled, None, true);
    assert_eq!(settled.deck_origin(), pb::DeckOrigin::Scripted);
    s.stop().await;
}

/// R32, both values: afterwards the hand's players see what was mucked under pokerstars, and do not under club.
#[tokio::test]
async fn mucked_hands_are_seen_where_the_house_has_it_so() {
    for (rules, seen) in [(pb::Preset::Pokerstars, true), (pb::Preset::Club, false)] {
        let mut s = Scene::seated(rules, true).await;
        let mut found = 0;
        for number in 1..=12 {
            let hand = s.deal().await;
            s.play_out(hand).await;
            for viewer in [1, 2, 3] {
                let own = s.hand(number, Some(as_player(viewer))).await.expect("a hand");
                for seat in own.seats.iter().filter(|seat| seat.seat != viewer) {
                    let cards = usize::try_from(seat.down_count).expect("small");
                    match seat.showing() {
                        pb::Showing::Mucked => {
                            found += 1;
                            assert_eq!(seat.down_cards.len(), if seen { cards } else { 0 });
                        }
                        pb::Showing::Shown => assert_eq!(seat.down_cards.len(), cards),
                        _ => assert!(seat.down_cards.is_empty(), "folded hands never"),
                    }
                }
            }
        }
        assert!(found > 0, "no hand was mucked");
        s.stop().await;
    }
}

#[tokio::test]
async fn chips_are_in_the_pot_account_until_they_are_paid() {
    for auto_settle in [false, true] {
        let mut s = Scene::seated(pb::Preset::Pokerstars, auto_settle).await;
        let hand = s.deal().await;
        // R4: chips that come during a hand are in front, and play from the next one.
        let (table_id, player_id, request_id) = (TABLE.to_owned(), player(1), fresh());
        let add = pb::AddChipsRequest { table_id, player_id, chips: 50, request_id };
        s.client.tables.add_chips(add).await.expect("added");
        let balances = s.balances().await;
        assert_eq!((balances[1], balances[4], balances[6], balances[8]), (600, 50, 0, 0), "pot, and seats 1 to 3");
        let over = s.play_out(hand).await;
        if !auto_settle {
            assert_eq!(over.status(), pb::HandStatus::PlayedOut);
            assert_eq!(s.balances().await[1], 600);
            s.settle(1).await;
        }
        let over = s.hand(1, None).await.expect("a hand");
        assert_eq!(over.status(), pb::HandStatus::Settled);
        let balances = s.balances().await;
        let stack = |number| seat(&over, number).stack;
        assert_eq!(
            (balances[1], balances[4], balances[6], balances[8]),
            (0, stack(1) + 50, stack(2), stack(3)),
            "the pot account is empty, the seats are paid"
        );
        assert_eq!(balances.iter().sum::<i64>(), 0, "all accounts add up to nothing");
        s.stop().await;
    }
}

/// R39 over the wire: every chip goes back, also after the awards are recorded.
#[tokio::test]
async fn a_voided_hand_gives_every_chip_back() {
    for played in [false, true] {
        let mut s = Scene::seated(pb::Preset::Pokerstars, false).await;
        let before = s.balances().await;
        let hand = s.deal().await;
        if played {
            s.play_out(hand).await;
        }
        let void = pb::VoidHandRequest {
            table_id: TABLE.to_owned(),
            hand_number: 1,
            reason: "misdeal".to_owned(),
            request_id: fresh(),
            viewer: None,
        };
        let voided = s.client.dealer.void_hand(void).await.expect("voided").into_inner().hand.expect("a hand");
        assert_eq!((voided.status(), voided.void_reason.as_str()), (pb::HandStatus::Voided, "misdeal"));
        assert!(voided.result.is_none() && voided.seats.iter().all(|seat| seat.stack == seat.brought));
        assert_eq!(s.balances().await, before);
        assert_eq!(s.deal().await.hand_number, 2, "voiding consumes the number");
        s.stop().await;
    }
}
