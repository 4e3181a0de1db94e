//! Callers who hang up in the middle of a command: it may be done all the same, and the dealer knows whether it was.

use std::sync::Arc;
use std::time::Duration;

use razz_dealer::dealer::{Ask, Dealer, Decks, HandAnswer, Order, RequestId};
use razz_dealer::engine::{Chips, PlayerId, Preset, Seat, Settings, Stakes, TableCommand, Viewer};
use razz_dealer::ledger::TableId;
use razz_dealer::record::StreamId;
use razz_dealer::shuffle::SealingKey;
use razz_dealer::sim::{Bots, Dice, deck};
use razz_dealer::store::Store;
use razz_dealer::store::sqlite::SqliteStore;
use razz_dealer::world::World;

use crate::database::Database;

const TABLE: TableId = TableId([7; 16]);
const ACTS: u32 = 250;

fn ask(number: u32) -> Ask {
    let request_id = RequestId::new(&format!("r{number}")).expect("an id");
    Ask { request_id, actor: "test".to_owned(), trace: String::new() }
}

fn chips(units: i64) -> Chips {
    Chips::new(units).expect("chips")
}

/// What comes next, by what was shown.
fn next(bots: &mut Bots, hand: &HandAnswer) -> Order {
    match bots.choose(&hand.view) {
        Some((seat, action)) => {
            Order::Act { hand: hand.view.number, seat, action, to: None, expected_seq: Some(hand.seq) }
        }
        None => Order::Deal { nonces: Vec::new() },
    }
}

async fn callers_hang_up(store: Arc<dyn Store>) {
    let decks = Decks::Scripted(Arc::new(|_, hand| Some(deck(5, hand))));
    let dealer = Arc::new(Dealer::new(Arc::clone(&store), World::system(), SealingKey::new([9; 32]), decks));
    let stakes = Stakes::new(chips(1), chips(2), chips(10)).expect("stakes");
    let rules = Preset::PokerStars.rules();
    let settings = Settings {
        stakes,
        rules,
        auto_settle: true,
        act_allowance_ms: 0,
        settle_after_ms: 0,
        nonces: false,
        reveal_deck: false,
    };
    dealer.create_table(Some(TABLE), settings, &ask(0)).await.expect("a table");
    for number in 1..=4_u8 {
        let player = PlayerId::new(&format!("p{number}")).expect("a player id");
        dealer.deposit(player.clone(), chips(100_000), &ask(1)).await.expect("a deposit");
        let seat = Seat::new(number).expect("a seat");
        let sit = TableCommand::TakeSeat { seat, player, chips: chips(100_000), card_key: None };
        dealer.change_table(TABLE, sit, &ask(u32::from(number))).await.expect("a seat");
    }
    let (mut bots, mut dice) = (Bots::new(5), Dice::new(5, 5));
    let mut order = Order::Deal { nonces: Vec::new() };
    let (mut hung_up, mut done_all_the_same) = (0, 0);
    for number in 100..100 + ACTS {
        let before = store.head(StreamId::of_table(TABLE)).await.expect("a head").expect("a head").seq;
        let (caller, sent, id) = (Arc::clone(&dealer), order.clone(), ask(number));
        let call = tokio::spawn(async move { caller.play(TABLE, &id, &sent, &Viewer::Public).await.map(drop) });
        let spins = dice.below(200);
        if dice.chance(50) {
            tokio::time::sleep(Duration::from_micros(dice.below(2_000))).await;
        }
        for _ in 0..spins {
            tokio::task::yield_now().await;
        }
        call.abort();
        let was_cut = call.await.is_err();
        // Asked while the command may still be under way, and again after everything: memory is never behind.
        let mut shown = dealer.hand(TABLE, None, &Viewer::Public).await;
        tokio::time::sleep(Duration::from_millis(dice.below(3))).await;
        let after = store.head(StreamId::of_table(TABLE)).await.expect("a head").expect("a head").seq;
        let again = dealer.hand(TABLE, None, &Viewer::Public).await;
        if let Ok(hand) = &again {
            // It may be ahead: a command whose caller is gone can come to its end at any moment.
            assert!(hand.seq >= after.0, "the dealer is behind what is stored: {} of {}", hand.seq, after.0);
            shown = again;
        }
        hung_up += u32::from(was_cut);
        done_all_the_same += u32::from(was_cut && after > before);
        let Ok(hand) = shown else { continue };
        order = next(&mut bots, &hand);
        // What is legal by what was shown is accepted.
        if dice.chance(50) {
            let done = dealer.play(TABLE, &ask(number + 10_000), &order, &Viewer::Public).await;
            // Refused only where the command of the caller who is gone came to its end in between.
            let done = match done {
                Ok(done) => done,
                Err(refused) => {
                    let now = store.head(StreamId::of_table(TABLE)).await.expect("a head").expect("a head").seq;
                    assert!(now.0 > hand.seq, "it is legal: {refused:?}");
                    dealer.hand(TABLE, None, &Viewer::Public).await.expect("a hand")
                }
            };
            order = next(&mut bots, &done);
        }
    }
    println!("{hung_up} callers hung up, {done_all_the_same} commands were done all the same");
    assert!(hung_up > 20 && done_all_the_same > 0, "{hung_up} hung up, {done_all_the_same} done all the same");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_table_in_memory_is_not_behind_over_sqlite() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = Arc::new(SqliteStore::open(&folder.path().join("gone.db")).await.expect("a store"));
    callers_hang_up(Arc::clone(&store) as Arc<dyn Store>).await;
    store.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_table_in_memory_is_not_behind_over_postgres() {
    let database = Database::fresh().await;
    let store = database.store().await;
    callers_hang_up(Arc::clone(&store) as Arc<dyn Store>).await;
    store.close().await;
}
