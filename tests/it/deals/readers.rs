//! Who is told cards that are not theirs stands in the record, before they are told.

use std::sync::Arc;

use razz_dealer::dealer::{Dealer, Decks, Order};
use razz_dealer::engine::{Showing, TableEvent, Viewer};
use razz_dealer::world::World;
use tokio::task::JoinSet;

use crate::house::{Ground, House, TABLE, ask, key, seat, settings, viewer};
use crate::on_both;

on_both!(
    a_reading_is_recorded_once,
    many_readings_at_once_are_one,
    an_auditor_reads_what_was_mucked,
    a_repeat_does_not_bring_back_what_was_voided,
);

fn reader(number: u8, name: &str) -> Viewer {
    Viewer::Reader { seat: seat(number), reader: name.into() }
}

async fn readings(house: &House) -> Vec<(u64, u8, String)> {
    let events = house.events().await;
    let read = events.iter().filter_map(|(actor, event)| match event {
        TableEvent::CardsRead { hand, seat, reader } => {
            assert_eq!(*actor, **reader, "who reads is who asks");
            Some((*hand, seat.number(), reader.to_string()))
        }
        _ => None,
    });
    read.collect()
}

async fn a_reading_is_recorded_once(ground: &Ground) {
    let mut house = House::seated(ground, settings(), 3).await;
    let dealt = house.deal().await;
    let own = house.seen(1, &viewer(2)).await.view.seats;
    let read = house.seen(1, &reader(2, "floor")).await;
    assert_eq!(read.view.seats[1].down, own[1].down);
    assert!(read.view.seats[0].down.is_empty() && read.view.seats[2].down.is_empty());
    house.seen(1, &reader(2, "floor")).await;
    house.dealer.card_proofs(TABLE, Some(1), &reader(2, "floor")).await.expect("proofs");
    assert_eq!(readings(&house).await, [(1, 2, "floor".to_owned())]);
    house.seen(1, &reader(2, "boss")).await;
    house.seen(1, &reader(3, "floor")).await;
    house.seen(1, &reader(8, "floor")).await;
    assert_eq!(readings(&house).await.len(), 3, "a seat that is not dealt in has nothing to read");
    // It is nothing of the hand: whoever decided before may act.
    let (at, action) = house.bots.choose(&dealt.view).expect("somebody must open");
    let act = Order::Act { hand: 1, seat: at, action, to: None, expected_seq: Some(dealt.seq) };
    let asked = ask();
    let acted = house.dealer.play(TABLE, &asked, &act, &reader(1, "floor")).await.expect("acted");
    assert!(!acted.view.seats[0].down.is_empty());
    house.dealer.play(TABLE, &asked, &act, &reader(1, "floor")).await.expect("again");
    assert_eq!(readings(&house).await.len(), 4);
    let acted = house.seen(1, &Viewer::Public).await;
    house.play_out(acted).await;
    house.play(Order::Settle { hand: 1 }).await.expect("settled");
    house.deal().await;
    // An earlier hand too, and folded hands, for whom it is told.
    house.seen(1, &reader(1, "later")).await;
    house.seen(1, &reader(1, "later")).await;
    let all = readings(&house).await;
    let open = house.seen(1, &Viewer::Public).await.view.seats[0].down.len();
    assert_eq!(all.len(), if open > 0 { 4 } else { 5 }, "{all:?}");
    razz_dealer::audit::verify_table(&*house.store, TABLE).await.expect("whole");
    house.close().await;
}

async fn many_readings_at_once_are_one(ground: &Ground) {
    let house = House::seated(ground, settings(), 3).await;
    house.deal().await;
    let dealer = || Arc::new(Dealer::new(Arc::clone(&house.store), World::system(), key(1), Decks::OsEntropy));
    let (dealers, mut reads) = ([dealer(), dealer()], JoinSet::new());
    for turn in 0..50 {
        let dealer = Arc::clone(&dealers[turn % 2]);
        reads.spawn(async move { dealer.hand(TABLE, None, &reader(2, "floor")).await });
    }
    for answer in reads.join_all().await {
        assert_eq!(answer.expect("a hand").view.seats[1].down.len(), 2);
    }
    assert_eq!(readings(&house).await.len(), 1);
    drop(dealers);
    house.close().await;
}

/// R32: auditors see mucked hands once the hand is over, whatever its players see.
async fn an_auditor_reads_what_was_mucked(ground: &Ground) {
    let rules = razz_dealer::engine::Preset::Club.rules();
    let mut house = House::seated(ground, razz_dealer::engine::Settings { rules, ..settings() }, 4).await;
    let auditor = Viewer::Auditor("board".into());
    let mut read = 0;
    for number in 1..=16 {
        let hand = house.deal().await;
        let before = house.seen(number, &auditor).await.view.seats;
        assert!(before.iter().all(|seat| seat.down.is_empty()), "nothing while it is played");
        let over = house.play_out(hand).await;
        let mucked = |seat: &&razz_dealer::engine::SeatView| seat.showing == razz_dealer::engine::Showing::Mucked;
        let seen = house.seen(number, &auditor).await.view.seats;
        assert!(seen.iter().filter(mucked).all(|seat| seat.down.len() == 3));
        let folded = seen.iter().filter(|seat| seat.standing == razz_dealer::engine::Standing::Folded);
        assert!(folded.into_iter().all(|seat| seat.down.is_empty()), "folded hands never");
        read += over.view.seats.iter().filter(mucked).count();
        house.seen(number, &auditor).await;
        assert_eq!(readings(&house).await.len(), read);
        house.play(Order::Settle { hand: number }).await.expect("settled");
        house.top_up().await;
    }
    assert!(read > 0, "nothing was mucked");
    house.close().await;
}

/// A repeated request is answered from then; but what a void has taken from view stays out of it.
async fn a_repeat_does_not_bring_back_what_was_voided(ground: &Ground) {
    let mut house = House::seated(ground, settings(), 4).await;
    for number in 1..=30 {
        let mut hand = house.deal().await;
        let mut last = None;
        while let Some((seat, action)) = house.bots.choose(&hand.view) {
            let act = Order::Act { hand: number, seat, action, to: None, expected_seq: None };
            let asked = ask();
            hand = house.dealer.play(TABLE, &asked, &act, &Viewer::Public).await.expect("legal");
            last = Some((asked, act));
        }
        let mucked = hand.view.seats.iter().find(|seat| seat.showing == Showing::Mucked).map(|seat| seat.seat);
        house.play(Order::Void { hand: number, reason: "a test".into() }).await.expect("voided");
        let (Some(mucked), Some((asked, act))) = (mucked, last) else { continue };
        let other = hand.view.seats.iter().find(|seat| seat.seat != mucked).expect("two seats");
        for viewer in [Viewer::Player(other.player.clone()), Viewer::Auditor("board".into())] {
            let again = house.dealer.play(TABLE, &asked, &act, &viewer).await.expect("the same request");
            assert_eq!(again.seq, hand.seq);
            let seen = again.view.seats.iter().find(|seat| seat.seat == mucked).expect("the seat");
            assert!(seen.down.is_empty(), "{viewer:?} is told a mucked hand of a voided one");
            let own = again.view.seats.iter().find(|seat| seat.seat == other.seat).expect("the seat");
            assert!(matches!(viewer, Viewer::Auditor(_)) || own.down.len() == own.down_count, "one's own stays");
        }
        assert_eq!(readings(&house).await, []);
        house.close().await;
        return;
    }
    panic!("no hand was mucked");
}
