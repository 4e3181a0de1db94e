//! A forger who can write to the database: what they can change is found by its name, in record and deck alike.

use razz_dealer::audit::{Finding, verify_table};
use razz_dealer::dealer::DealerError;
use razz_dealer::engine::{Event, TableEvent};
use razz_dealer::record::{Hash, OpenDeck, Record, Seq, StreamEvent, StreamId, seal};
use razz_dealer::shuffle::{DeckSecret, SealingKeys, Seed};
use razz_dealer::store::DeckRow;

use crate::house::{Ground, House, TABLE, key, settings, viewer};
use crate::on_both;

on_both!(a_deck_that_was_exchanged_is_never_a_wrong_card);

/// The sealed deck in the database replaced in every way that the one who holds its key, or does not, can think of.
async fn a_deck_that_was_exchanged_is_never_a_wrong_card(ground: &Ground) {
    let mut house = House::seated(ground, settings(), 3).await;
    house.whole_hand().await;
    house.deal().await;
    let own = house.store.deck(TABLE, 2).await.expect("a deck").expect("a deck");
    let earlier = house.store.deck(TABLE, 1).await.expect("a deck").expect("a deck");
    house.close().await;
    let other_seed = DeckSecret::Seed(Seed::new([7; 32]));
    let under = |byte: u8| razz_dealer::shuffle::seal(&key(byte), [3; 24], TABLE.0, 2, &other_seed);
    let mut bit = own.sealed.clone();
    bit[60] ^= 1;
    let mut id = own.sealed.clone();
    id[1..17].copy_from_slice(&key(2).id().0);
    let mut version = own.sealed.clone();
    version[0] = 9;
    let cases: Vec<(Vec<u8>, &str)> = vec![
        (bit, "it was changed"),
        (id, "it was changed"),
        (version, "layout 9"),
        (earlier.sealed, "the deck of another table or hand"),
        (own.sealed[..100].to_vec(), "it has 100 bytes"),
        (under(9), "which is not at hand"),
        // Sealed with the right key for the right hand, and still another deck than the one that was bound.
        (under(1), "not the one that the record binds"),
    ];
    for (sealed, expected) in cases {
        add(ground, DeckRow { sealed, ..own.clone() }).await;
        let house = House::over(ground, SealingKeys::new(key(1), [key(2)])).await;
        match house.dealer.hand(TABLE, None, &viewer(1)).await {
            Err(DealerError::DeckUnreadable { hand: 2, why }) => assert!(why.contains(expected), "{expected}: {why}"),
            other => panic!("{expected}: {other:?}"),
        }
        house.close().await;
    }
    add(ground, own).await;
    let house = House::over(ground, key(1)).await;
    house.dealer.hand(TABLE, None, &viewer(1)).await.expect("the true one counts again");
    house.close().await;
}

/// What the owner of the schema can do: who serves can add no deck to a hand that has one.
async fn add(ground: &Ground, deck: DeckRow) {
    let store = ground.owner_store().await;
    store.add_deck(&deck).await.expect("added");
    store.close().await;
}

/// A change to one record of a copy of the file, all hashes made anew: what a forger with the file can do.
async fn forged(change: &dyn Fn(&mut Record) -> bool) -> String {
    let ground = Ground::file();
    let mut house = House::seated(&ground, razz_dealer::engine::Settings { reveal_deck: true, ..settings() }, 3).await;
    house.whole_hand().await;
    let mut records = house.records().await;
    house.close().await;
    let changed = records.iter_mut().filter_map(|record| change(record).then_some(())).count();
    assert!(changed > 0, "nothing was changed");
    let Ground::File(folder) = &ground else { unreachable!("it is a file") };
    let options = sqlx::sqlite::SqliteConnectOptions::new().filename(folder.path().join("x.db"));
    let mut conn = <sqlx::SqliteConnection as sqlx::Connection>::connect_with(&options).await.expect("the file");
    let triggers: Vec<String> = sqlx::query_scalar("SELECT name FROM sqlite_schema WHERE type = 'trigger'")
        .fetch_all(&mut conn)
        .await
        .expect("the triggers");
    for trigger in triggers {
        sqlx::raw_sql(sqlx::AssertSqlSafe(format!("DROP TRIGGER {trigger}")))
            .execute(&mut conn)
            .await
            .expect("dropped");
    }
    let stream = StreamId::of_table(TABLE);
    let mut before = Hash::default();
    for (seq, record) in (1..).zip(&records) {
        let sealed = seal(before, stream, Seq(seq), record);
        let update = sqlx::query("UPDATE records SET bytes = ?, hash = ? WHERE stream = ? AND seq = ?");
        let update = update.bind(&sealed.bytes).bind(&sealed.hash.0[..]).bind(&stream.0[..]);
        update.bind(i64::try_from(seq).expect("small")).execute(&mut conn).await.expect("written");
        before = sealed.hash;
    }
    let update = sqlx::query("UPDATE heads SET hash = ? WHERE stream = ?").bind(&before.0[..]).bind(&stream.0[..]);
    update.execute(&mut conn).await.expect("written");
    sqlx::Connection::close(conn).await.expect("closed");
    let store = ground.store().await;
    let found = verify_table(&*store, TABLE).await;
    store.close().await;
    match found {
        Err(Finding::Record { what, .. }) => what,
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn a_record_whose_proof_was_exchanged_is_found() {
    let root = |record: &mut Record| {
        let Some(StreamEvent::Table(TableEvent::Hand(Event::HandOpened(opening)))) = record.events.first_mut() else {
            return false;
        };
        std::sync::Arc::make_mut(opening).bond.root[5] ^= 1;
        true
    };
    let salt = |record: &mut Record| record.proof.salts.first_mut().map(|salt| salt[0] ^= 1).is_some();
    let node = |record: &mut Record| record.proof.nodes.first_mut().map(|node| node[0] ^= 1).is_some();
    let fewer = |record: &mut Record| record.proof.nodes.pop().is_some();
    let all_gone = |record: &mut Record| !std::mem::take(&mut record.proof.nodes).is_empty();
    let seed = |record: &mut Record| match &mut record.proof.deck {
        Some(OpenDeck::Seed(seed)) => {
            seed[0] ^= 1;
            true
        }
        _ => false,
    };
    for change in [&root as &dyn Fn(&mut Record) -> bool, &salt, &node, &fewer, &seed] {
        let what = forged(change).await;
        assert!(what.contains("the proof of its cards does not hold"), "{what}");
    }
    // A proof where none is due, and a deck that its hand does not open.
    let early = |record: &mut Record| {
        let opens = record
            .events
            .iter()
            .any(|event| matches!(event, StreamEvent::Table(TableEvent::Hand(Event::HandOpened(_)))));
        if opens {
            record.proof.nodes.push([1; 32]);
        }
        opens
    };
    let what = forged(&early).await;
    assert!(what.contains("no play ends in it"), "{what}");
    let opened = |record: &mut Record| {
        let seats = record.events.iter().any(|event| matches!(event, StreamEvent::Table(TableEvent::SeatTaken { .. })));
        if seats {
            record.proof.deck = Some(OpenDeck::Seed([1; 32]));
        }
        seats
    };
    let what = forged(&opened).await;
    assert!(what.contains("opens a deck that its hand does not open"), "{what}");
    let what = forged(&all_gone).await;
    assert!(what.contains("played out without the proof of its cards"), "{what}");
}
