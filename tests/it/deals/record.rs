//! The record alone, without a key: the root before the first card, each card that was laid open, and nothing more.

use razz_dealer::audit::{HandCards, verify_table};
use razz_dealer::dealer::{Decks, Order};
use razz_dealer::engine::{Event, HouseRules, Preset, Settings, TableEvent, Viewer};
use razz_dealer::record::{OpenDeck, Record, StreamEvent, StreamId};
use razz_dealer::shuffle::{Nonces, OpenedDeck, OpenedFrom, Root, Seed, order};

use crate::house::{Ground, House, TABLE, key, settings, viewer, with_mucked};
use crate::on_both;

on_both!(
    every_hand_proves_what_it_showed,
    a_hand_ends_without_its_key_and_then_proves_less,
    a_deck_is_opened_to_all_where_the_table_says_so,
    every_viewer_is_given_the_proofs_of_what_they_see,
);

fn hand_events(record: &Record) -> impl Iterator<Item = &Event> {
    record.events.iter().filter_map(|event| match event {
        StreamEvent::Table(TableEvent::Hand(event)) => Some(event),
        _ => None,
    })
}

async fn cards(house: &House, hand: u64) -> HandCards {
    let records = house.store.hand_records(StreamId::of_table(TABLE), hand).await.expect("the records");
    HandCards::of(TABLE, &records).expect("readable").expect("opened")
}

async fn every_hand_proves_what_it_showed(ground: &Ground) {
    let mut house = House::seated(ground, Settings { auto_settle: true, ..settings() }, 5).await;
    for number in 1..=12 {
        let hand = house.deal().await;
        let mid = cards(&house, number).await;
        assert!(mid.proof().is_none(), "no closing proof before the end");
        let over = house.play_out(hand).await;
        let found = cards(&house, number).await;
        let proof = found.proof().expect("a proof");
        assert_eq!(proof.verify(found.of, Root(found.bond.root)), Ok(()));
        assert_eq!(found.bond, over.view.bond);
        // It is of all that lies open, and of nothing else.
        let records = house.store.hand_records(StreamId::of_table(TABLE), number).await.expect("the records");
        let records: Vec<Record> = records.iter().map(|sealed| sealed.record().expect("a record")).collect();
        let mut open: Vec<_> = records.iter().flat_map(hand_events).flat_map(Event::revealed).collect();
        open.sort_unstable();
        let proved: Vec<_> = proof.cards.iter().map(|shown| (shown.position, shown.card)).collect();
        assert_eq!(proved, open);
        // The root comes first, the nodes with the end, and none of both twice.
        assert!(matches!(hand_events(&records[0]).next(), Some(Event::HandOpened(_))));
        let with_nodes = records.iter().filter(|record| !record.proof.nodes.is_empty());
        let with_nodes: Vec<&Record> = with_nodes.collect();
        assert_eq!(with_nodes.len(), 1);
        assert!(hand_events(with_nodes[0]).any(|event| matches!(event, Event::PotAwarded(_))));
        house.top_up().await;
    }
    verify_table(&*house.store, TABLE).await.expect("whole");
    house.close().await;
}

async fn a_hand_ends_without_its_key_and_then_proves_less(ground: &Ground) {
    let mut house = House::seated(ground, settings(), 3).await;
    // Voided in the middle, with the key: what was open until then is proved.
    house.deal().await;
    house.play(Order::Void { hand: 1, reason: "a misdeal".into() }).await.expect("voided");
    let voided = cards(&house, 1).await;
    let proof = voided.proof().expect("a proof");
    assert_eq!((proof.cards.len(), proof.verify(voided.of, Root(voided.bond.root))), (3, Ok(())));
    // Played out, then voided: the proof of the end stands.
    let hand = house.deal().await;
    house.play_out(hand).await;
    let before = cards(&house, 2).await.proof();
    house.play(Order::Void { hand: 2, reason: "a complaint".into() }).await.expect("voided");
    assert!(before.is_some() && cards(&house, 2).await.proof() == before);
    // Played out with the key, settled without it; and voided without it.
    let hand = house.deal().await;
    house.play_out(hand).await;
    house.close().await;
    let house = House::over(ground, key(9)).await;
    house.play(Order::Settle { hand: 3 }).await.expect("no chip hangs on a key");
    assert!(cards(&house, 3).await.proof().is_some());
    house.close().await;
    let house = House::over(ground, key(1)).await;
    house.deal().await;
    house.close().await;
    let house = House::over(ground, key(9)).await;
    house.play(Order::Void { hand: 4, reason: "the key is lost".into() }).await.expect("voided");
    assert!(cards(&house, 4).await.proof().is_none());
    verify_table(&*house.store, TABLE).await.expect("that is no damage");
    house.close().await;
}

async fn a_deck_is_opened_to_all_where_the_table_says_so(ground: &Ground) {
    let mut house = House::seated(ground, Settings { reveal_deck: true, ..settings() }, 3).await;
    house.whole_hand().await;
    let records = house.records().await;
    let opened: Vec<&Record> = records.iter().filter(|record| record.proof.deck.is_some()).collect();
    let [record] = &opened[..] else { panic!("{opened:?}") };
    assert!(hand_events(record).any(|event| matches!(event, Event::HandSettled { .. })));
    let Some(OpenDeck::Seed(seed)) = &record.proof.deck else { panic!("{record:?}") };
    let (cards, seed) = (cards(&house, 1).await, Seed::new(*seed));
    let deck = OpenedDeck {
        order: order(&seed).order().to_vec(),
        from: OpenedFrom::Seed { seed, nonces: Nonces::default(), seed_hash: None },
    };
    assert_eq!(deck.verify(cards.of, Root(cards.bond.root)), Ok(()));
    verify_table(&*house.store, TABLE).await.expect("whole");
    house.close().await;
    // Without its key the hand is settled all the same, and stays shut.
    let mut house = House::over(ground, key(1)).await;
    let hand = house.deal().await;
    house.play_out(hand).await;
    house.close().await;
    let house = House::over(ground, key(9)).await;
    house.play(Order::Settle { hand: 2 }).await.expect("settled");
    assert_eq!(house.records().await.iter().filter(|record| record.proof.deck.is_some()).count(), 1);
    house.close().await;
    // The command that settles what is due opens it too, if it is given the key.
    let mut house = House::over(ground, key(1)).await;
    let due = Settings { settle_after_ms: 1, reveal_deck: true, ..settings() };
    house.change(razz_dealer::engine::TableCommand::ChangeRules(due)).await.expect("changed");
    let hand = house.deal().await;
    house.play_out(hand).await;
    house.close().await;
    tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    let folder = tempfile::tempdir().expect("a folder");
    let file = crate::keys::key_file(&folder, "key", &[1]);
    let told = crate::process::command::run(&["recover", "--database", &ground.url(), "--key-file", &file]);
    assert_eq!(told.code, Some(0), "{}{}", told.out, told.err);
    let house = House::over(ground, key(9)).await;
    assert_eq!(house.records().await.iter().filter(|record| record.proof.deck.is_some()).count(), 2);
    house
        .change(razz_dealer::engine::TableCommand::ChangeRules(Settings { reveal_deck: true, ..settings() }))
        .await
        .expect("changed");
    house.close().await;
    let store = ground.store().await;
    let script = std::sync::Arc::new(|_, hand| Some(razz_dealer::sim::deck(1, hand)));
    let mut house = House::with(store, key(1), Decks::Scripted(script));
    house.whole_hand().await;
    let records = house.records().await;
    assert!(records.iter().any(|record| matches!(record.proof.deck, Some(OpenDeck::Script { .. }))));
    verify_table(&*house.store, TABLE).await.expect("whole");
    house.close().await;
}

/// During the hand and after it, under both values of R32.
async fn every_viewer_is_given_the_proofs_of_what_they_see(ground: &Ground) {
    use razz_dealer::engine::MuckedHands::{OwnerAndAuditors, PlayersOfTheHand};
    let mut house = House::seated(ground, settings(), 4).await;
    let mut mucked = 0;
    for (number, history) in (1..=14).zip([PlayersOfTheHand, OwnerAndAuditors].into_iter().cycle()) {
        let rules = with_mucked(HouseRules { table_all_in_hands: number % 3 == 0, ..Preset::Wsop.rules() }, history);
        let change = razz_dealer::engine::TableCommand::ChangeRules(Settings { rules, ..settings() });
        house.change(change).await.expect("changed");
        let hand = house.deal().await;
        check_all(&house, number).await;
        let over = house.play_out(hand).await;
        mucked += over.view.seats.iter().filter(|seat| seat.showing == razz_dealer::engine::Showing::Mucked).count();
        check_all(&house, number).await;
        house.play(Order::Settle { hand: number }).await.expect("settled");
        check_all(&house, number).await;
        house.top_up().await;
    }
    assert!(mucked > 0, "no hand was mucked");
    house.close().await;
}

async fn check_all(house: &House, number: u64) {
    let mut viewers = vec![Viewer::Public, Viewer::Platform, Viewer::Auditor("auditor".into())];
    viewers.extend((1..=5).map(viewer));
    viewers.extend((1..=4).map(|seat| Viewer::Reader { seat: crate::house::seat(seat), reader: "floor".into() }));
    for viewer in viewers {
        let seen = house.seen(number, &viewer).await.view;
        let proofs = house.dealer.card_proofs(TABLE, Some(number), &viewer).await.expect("proofs");
        let (of, root) = (razz_dealer::shuffle::HandId { table: TABLE.0, hand: number }, Root(seen.bond.root));
        assert_eq!(proofs.bond, seen.bond);
        for proof in &proofs.cards {
            assert_eq!(proof.verify(of, root), Ok(()));
        }
        let mut proved: Vec<_> = proofs.cards.iter().map(|proof| proof.revealed.card).collect();
        let shown = seen.seats.iter().flat_map(|seat| seat.board.iter().chain(&seat.down)).copied();
        let mut shown: Vec<_> = shown.chain(seen.common).collect();
        proved.sort_unstable();
        shown.sort_unstable();
        assert_eq!(proved, shown, "before {viewer:?}");
    }
}
