//! Opening a whole deck for an audit: who, when and why stands in the record before it is told.

use razz_dealer::dealer::{Ask, DealerError, OpenedHand, Order};
use razz_dealer::engine::{Rejection, TableEvent};

use crate::house::{Ground, House, TABLE, ask, ask_as, key, settings};
use crate::on_both;

on_both!(a_deck_is_opened_on_the_record, a_deck_that_cannot_be_opened_is_not_recorded_as_opened);

async fn openings(house: &House) -> Vec<(u64, String, String)> {
    let events = house.events().await;
    let opened = events.iter().filter_map(|(_, event)| match event {
        TableEvent::DeckOpened { hand, auditor, reason } => Some((*hand, auditor.to_string(), reason.to_string())),
        _ => None,
    });
    opened.collect()
}

async fn open(house: &House, hand: u64, ask: Ask) -> Result<OpenedHand, DealerError> {
    house.dealer.open_deck(TABLE, hand, "board".into(), "complaint 17".into(), &ask).await
}

async fn refused(house: &House, hand: u64) -> Rejection {
    match open(house, hand, ask()).await {
        Err(DealerError::Rejected(rejection)) => rejection,
        Err(other) => panic!("{other}"),
        Ok(_) => panic!("it is open"),
    }
}

async fn a_deck_is_opened_on_the_record(ground: &Ground) {
    let mut house = House::seated(ground, settings(), 3).await;
    assert_eq!(refused(&house, 1).await, Rejection::HandUnknown { hand: 1, latest: 0 });
    let hand = house.deal().await;
    assert_eq!(refused(&house, 1).await, Rejection::HandOpen { hand: 1 });
    let played = house.play_out(hand).await;
    // Played out and not paid: it may still be voided, so it stays shut.
    assert_eq!(refused(&house, 1).await, Rejection::HandOpen { hand: 1 });
    house.play(Order::Settle { hand: 1 }).await.expect("settled");
    assert_eq!(openings(&house).await, []);
    let one = open(&house, 1, ask_as("open-1")).await.expect("opened");
    let again = open(&house, 1, ask_as("open-1")).await.expect("the same request");
    assert_eq!((one.deck.order(), one.bond.root), (again.deck.order(), played.view.bond.root));
    open(&house, 1, ask()).await.expect("another request");
    let expected = (1, "board".to_owned(), "complaint 17".to_owned());
    assert_eq!(openings(&house).await, [expected.clone(), expected]);
    for seat in &played.view.seats {
        assert!(seat.board.iter().all(|card| one.deck.order().contains(card)));
    }
    house.whole_hand().await;
    open(&house, 1, ask()).await.expect("an earlier hand");
    assert_eq!(refused(&house, 3).await, Rejection::HandUnknown { hand: 3, latest: 2 });
    razz_dealer::audit::verify_table(&*house.store, TABLE).await.expect("whole");
    house.close().await;
}

async fn a_deck_that_cannot_be_opened_is_not_recorded_as_opened(ground: &Ground) {
    let mut house = House::seated(ground, settings(), 3).await;
    house.whole_hand().await;
    house.close().await;
    let house = House::over(ground, key(2)).await;
    let refused = house.dealer.open_deck(TABLE, 1, "board".into(), "a test".into(), &ask()).await;
    assert!(matches!(refused, Err(DealerError::DeckUnreadable { hand: 1, .. })));
    assert_eq!(openings(&house).await, []);
    house.close().await;
    // Nor one that opens, and is not the one that was bound.
    let house = House::over(ground, key(1)).await;
    let other = razz_dealer::shuffle::DeckSecret::Seed(razz_dealer::shuffle::Seed::new([7; 32]));
    let sealed = razz_dealer::shuffle::seal(&key(1), [3; 24], TABLE.0, 1, &other);
    let own = house.store.deck(TABLE, 1).await.expect("a deck").expect("a deck");
    house.close().await;
    let store = ground.owner_store().await;
    store.add_deck(&razz_dealer::store::DeckRow { sealed, ..own }).await.expect("added");
    store.close().await;
    let house = House::over(ground, key(1)).await;
    let refused = house.dealer.open_deck(TABLE, 1, "board".into(), "a test".into(), &ask()).await;
    assert!(matches!(refused, Err(DealerError::DeckUnreadable { hand: 1, .. })));
    assert_eq!(openings(&house).await, []);
    house.close().await;
}
