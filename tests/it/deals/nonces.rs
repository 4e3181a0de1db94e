//! Players' nonces: the seed is bound before any of them, once for each number of a hand, and the order follows from
//! all.

use std::sync::Arc;

use razz_dealer::audit::verify_table;
use razz_dealer::dealer::{Dealer, DealerError, Decks, Order};
use razz_dealer::engine::{Event, Prepared, Rejection, Settings, TableCommand, TableEvent, Viewer};
use razz_dealer::shuffle::{DeckSecret, HandId, Nonces, OpenedDeck, OpenedFrom, Root, SeedHash};
use razz_dealer::world::World;

use crate::house::{DEAL, Ground, House, TABLE, ask, ask_as, key, nonce, player, seat, settings};
use crate::on_both;

on_both!(
    the_order_follows_from_seed_and_nonces,
    one_seed_for_each_number,
    a_hand_that_is_prepared_survives_a_restart,
    a_player_who_leaves_takes_the_nonce_along,
    a_prepared_hand_needs_its_key,
);

fn with_nonces() -> Settings {
    Settings { nonces: true, ..settings() }
}

fn give(hand: u64, number: u8, text: &str) -> TableCommand {
    TableCommand::GiveNonce { hand, player: player(number), nonce: nonce(text) }
}

async fn opened(house: &House, hand: u64) -> OpenedDeck {
    let ask = ask();
    let opened = house.dealer.open_deck(TABLE, hand, "board".into(), "a test".into(), &ask).await.expect("opened");
    let DeckSecret::Seed(seed) = opened.secret else { panic!("it has a seed") };
    let prepared = opened.bond.prepared.as_ref();
    OpenedDeck {
        order: opened.deck.order().to_vec(),
        from: OpenedFrom::Seed {
            seed,
            nonces: Nonces::of(prepared),
            seed_hash: prepared.map(|prepared| SeedHash(prepared.seed_hash)),
        },
    }
}

async fn the_order_follows_from_seed_and_nonces(ground: &Ground) {
    let mut house = House::seated(ground, with_nonces(), 3).await;
    let table = house.dealer.prepare_hand(TABLE, &ask()).await.expect("prepared");
    let prepared = table.prepared.expect("prepared");
    assert_eq!((table.next_hand, &prepared.nonces[..]), (1, &[][..]));
    let table = house.change(give(1, 2, "seven")).await.expect("given");
    assert_eq!(table.prepared.expect("prepared").nonces, [(seat(2), nonce("seven"))]);
    let deal = Order::Deal { nonces: vec![(seat(1), nonce("lucky")), (seat(3), nonce("x"))] };
    let hand = house.play(deal).await.expect("dealt");
    let all = vec![(seat(1), nonce("lucky")), (seat(2), nonce("seven")), (seat(3), nonce("x"))];
    let expected = Prepared { seed_hash: prepared.seed_hash, nonces: all };
    assert_eq!(hand.view.bond.prepared.as_ref(), Some(&expected));
    house.play_out(hand.clone()).await;
    house.play(Order::Settle { hand: 1 }).await.expect("settled");
    let (deck, of, root) = (opened(&house, 1).await, HandId { table: TABLE.0, hand: 1 }, Root(hand.view.bond.root));
    assert_eq!(deck.verify(of, root), Ok(()));
    // Without a nonce, or with another, it is another order.
    for changed in
        [vec![(1, b"lucky".to_vec())], vec![(1, b"lucky".to_vec()), (2, b"eight".to_vec()), (3, b"x".to_vec())]]
    {
        let OpenedFrom::Seed { seed, seed_hash, .. } = deck.from.clone() else { panic!("it has a seed") };
        let nonces = Nonces::new(changed).expect("nonces");
        let other = OpenedDeck { from: OpenedFrom::Seed { seed, nonces, seed_hash }, ..deck.clone() };
        assert_eq!(other.verify(of, root).expect_err("another order").name(), "ORDER_MISMATCH");
    }
    // In the record the hash stands before the nonces, and both before the hand.
    let kinds: Vec<&str> = house.events().await.iter().filter_map(|(_, event)| kind(event)).collect();
    assert_eq!(kinds, ["prepared", "nonce", "opened"]);
    verify_table(&*house.store, TABLE).await.expect("whole");
    house.close().await;
}

fn kind(event: &TableEvent) -> Option<&'static str> {
    match event {
        TableEvent::HandPrepared { .. } => Some("prepared"),
        TableEvent::NonceGiven { .. } => Some("nonce"),
        TableEvent::Hand(Event::HandOpened(_)) => Some("opened"),
        TableEvent::Hand(Event::HandVoided { .. }) => Some("voided"),
        _ => None,
    }
}

fn rejection<T: std::fmt::Debug>(answer: Result<T, DealerError>) -> Rejection {
    match answer {
        Err(DealerError::Rejected(rejection)) => rejection,
        other => panic!("{other:?}"),
    }
}

async fn one_seed_for_each_number(ground: &Ground) {
    let house = House::seated(ground, with_nonces(), 3).await;
    assert_eq!(rejection(house.play(DEAL).await), Rejection::NotPrepared { hand: 1 });
    assert_eq!(rejection(house.change(give(1, 1, "a")).await), Rejection::NotPrepared { hand: 1 });
    // Many at once, through two dealers where there may be two: one seed.
    let store = Arc::clone(&house.store);
    let other = Dealer::new(store, World::system(), key(1), Decks::OsEntropy);
    let mut hashes = Vec::new();
    for _ in 0..4 {
        let (one, two) = (ask(), ask());
        let (one, two) = tokio::join!(house.dealer.prepare_hand(TABLE, &one), other.prepare_hand(TABLE, &two));
        hashes.extend([one, two].map(|table| table.expect("prepared").prepared.expect("prepared").seed_hash));
    }
    assert!(hashes.iter().all(|hash| *hash == hashes[0]), "{hashes:?}");
    // A repeat is answered as of then.
    let first = ask_as("nonce-of-1");
    let given = house.dealer.change_table(TABLE, give(1, 1, "a"), &first).await.expect("given");
    house.change(give(1, 2, "b")).await.expect("given");
    let again = house.dealer.change_table(TABLE, give(1, 1, "a"), &first).await.expect("again");
    assert_eq!((again.seq, again.prepared), (given.seq, given.prepared));
    let hand = house.deal().await;
    assert_eq!(rejection(house.change(give(1, 3, "late")).await), Rejection::NotPrepared { hand: 1 });
    // While it is played the next one may be prepared; a hand that is voided has used its number up.
    let next = house.dealer.prepare_hand(TABLE, &ask()).await.expect("prepared");
    assert_eq!((next.next_hand, next.hand_open), (2, true));
    house.play(Order::Void { hand: 1, reason: "a test".into() }).await.expect("voided");
    let second = house.deal().await;
    assert_eq!(second.view.number, 2);
    let bound = |view: &razz_dealer::engine::View| view.bond.prepared.clone().expect("prepared").seed_hash;
    assert_ne!(bound(&second.view), bound(&hand.view));
    assert_eq!(bound(&second.view), next.prepared.expect("prepared").seed_hash);
    drop(other);
    house.close().await;
}

async fn a_hand_that_is_prepared_survives_a_restart(ground: &Ground) {
    let house = House::seated(ground, with_nonces(), 2).await;
    let prepared = house.dealer.prepare_hand(TABLE, &ask()).await.expect("prepared").prepared.expect("prepared");
    house.change(give(1, 1, "mine")).await.expect("given");
    house.close().await;
    let house = House::over(ground, key(1)).await;
    let hand = house.deal().await;
    let bond = hand.view.bond.prepared.expect("prepared");
    assert_eq!((bond.seed_hash, bond.nonces), (prepared.seed_hash, vec![(seat(1), nonce("mine"))]));
    // What is loaded from the hand on knows what the hand after it needs.
    house.dealer.prepare_hand(TABLE, &ask()).await.expect("prepared");
    house.close().await;
    let house = House::over(ground, key(1)).await;
    house.play(Order::Void { hand: 1, reason: "a test".into() }).await.expect("voided");
    house.deal().await;
    house.close().await;
}

async fn a_player_who_leaves_takes_the_nonce_along(ground: &Ground) {
    let house = House::seated(ground, with_nonces(), 3).await;
    house.dealer.prepare_hand(TABLE, &ask()).await.expect("prepared");
    house.change(give(1, 3, "gone")).await.expect("given");
    let left = house.change(TableCommand::LeaveSeat { player: player(3) }).await.expect("left");
    assert_eq!(left.prepared.expect("still").nonces, []);
    let hand = house.deal().await;
    assert_eq!(hand.view.bond.prepared.expect("prepared").nonces, []);
    verify_table(&*house.store, TABLE).await.expect("whole");
    house.close().await;
}

async fn a_prepared_hand_needs_its_key(ground: &Ground) {
    let house = House::seated(ground, with_nonces(), 2).await;
    house.dealer.prepare_hand(TABLE, &ask()).await.expect("prepared");
    house.close().await;
    let house = House::over(ground, key(2)).await;
    let seq = house.dealer.table(TABLE).await.expect("a table").seq;
    let refused = house.dealer.play(TABLE, &ask(), &DEAL, &Viewer::Public).await.expect_err("the seed is sealed");
    assert!(matches!(refused, DealerError::DeckUnreadable { hand: 1, .. }), "{refused}");
    assert_eq!(house.dealer.table(TABLE).await.expect("a table").seq, seq);
    house.close().await;
}

/// Neither a seed nor a hand without entropy.
#[tokio::test]
async fn nothing_is_prepared_without_entropy() {
    let ground = Ground::file();
    let house = House::seated(&ground, with_nonces(), 2).await;
    let mute = Dealer::new(Arc::clone(&house.store), World::without_entropy(), key(1), Decks::OsEntropy);
    let refused = mute.prepare_hand(TABLE, &ask()).await.expect_err("no seed");
    assert!(matches!(refused, DealerError::NoEntropy), "{refused}");
    assert_eq!(mute.table(TABLE).await.expect("a table").prepared, None);
    house.close().await;
}
