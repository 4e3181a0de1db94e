//! No hand without entropy: where the operating system gives no randomness, nothing is dealt and no seed is bound, and
//! nothing takes its place.

use std::sync::Arc;

use razz_dealer::dealer::{Ask, Dealer, DealerError, Decks, Order, RequestId};
use razz_dealer::engine::{Chips, DeckOrigin, PlayerId, Preset, Seat, Settings, Stakes, TableCommand, Viewer};
use razz_dealer::ledger::TableId;
use razz_dealer::shuffle::SealingKey;
use razz_dealer::store::Store;
use razz_dealer::store::sqlite::SqliteStore;
use razz_dealer::world::World;

const TABLE: TableId = TableId([3; 16]);

fn ask(id: &str) -> Ask {
    Ask { request_id: RequestId::new(id).expect("an id"), actor: "test".to_owned(), trace: String::new() }
}

#[tokio::test]
async fn no_hand_without_entropy() {
    let folder = tempfile::tempdir().expect("a folder");
    let store: Arc<dyn Store> = Arc::new(SqliteStore::open(&folder.path().join("x.db")).await.expect("a store"));
    let over = |world| Dealer::new(Arc::clone(&store), world, SealingKey::new([1; 32]), Decks::OsEntropy);
    let dealer = over(World::without_entropy());
    let chips = |units| Chips::new(units).expect("chips");
    let stakes = Stakes::new(chips(1), chips(2), chips(10)).expect("stakes");
    let settings = Settings {
        stakes,
        rules: Preset::PokerStars.rules(),
        auto_settle: false,
        act_allowance_ms: 0,
        settle_after_ms: 0,
        nonces: false,
        reveal_deck: false,
    };
    dealer.create_table(Some(TABLE), settings, &ask("t")).await.expect("a table needs none");
    for number in 1..=2 {
        let (seat, player) = (Seat::new(number).expect("a seat"), PlayerId::new(&format!("p{number}")).expect("an id"));
        dealer.deposit(player.clone(), chips(50), &ask(&format!("d{number}"))).await.expect("a deposit");
        let sit = TableCommand::TakeSeat { seat, player, chips: chips(50), card_key: None };
        dealer.change_table(TABLE, sit, &ask(&format!("s{number}"))).await.expect("a seat");
    }
    let before = dealer.table(TABLE).await.expect("a table").seq;
    let refused = dealer
        .play(TABLE, &ask("h"), &Order::Deal { nonces: Vec::new() }, &Viewer::Public)
        .await
        .expect_err("nothing to shuffle with");
    assert!(matches!(refused, DealerError::NoEntropy), "{refused}");
    assert_eq!(dealer.table(TABLE).await.expect("a table").seq, before);
    // Nor is a seed bound; what needs none is not refused for it.
    let change = |nonces| TableCommand::ChangeRules(Settings { nonces, ..settings });
    let unasked = dealer.prepare_hand(TABLE, &ask("p")).await.expect_err("no nonces are taken");
    assert!(matches!(unasked, DealerError::Rejected(_)), "{unasked}");
    dealer.change_table(TABLE, change(true), &ask("c")).await.expect("a change needs none");
    let refused = dealer.prepare_hand(TABLE, &ask("p")).await.expect_err("no seed to bind");
    assert!(matches!(refused, DealerError::NoEntropy), "{refused}");
    let table = dealer.table(TABLE).await.expect("a table");
    assert_eq!((table.seq, table.prepared), (before + 1, None));
    dealer.change_table(TABLE, change(false), &ask("back")).await.expect("a change needs none");
    // The same request, once there is entropy: it was not remembered, and the record says where the deck is from.
    let dealer = over(World::system());
    let hand =
        dealer.play(TABLE, &ask("h"), &Order::Deal { nonces: Vec::new() }, &Viewer::Public).await.expect("a deal");
    assert_eq!((hand.view.number, hand.view.bond.origin), (1, DeckOrigin::OsEntropy));
}
