//! Tables whose records are damaged stand in nobody's way: they are named, and every other hand is settled in its time.

use std::sync::Arc;

use razz_dealer::dealer::{Decks, Order, Troubled};
use razz_dealer::engine::{Action, Settings, TableCommand, Viewer};
use razz_dealer::ledger::TableId;
use razz_dealer::record::StreamId;
use razz_dealer::store::HandState;
use razz_dealer::store::sqlite::SqliteStore;

use crate::audit::tamper;
use crate::house::{DEAL, House, ask, chips, key, player, seat, settings};
use crate::process::command::run;

/// More than are looked at in one go.
const DAMAGED: u8 = 101;

fn table(number: u8) -> TableId {
    TableId([number; 16])
}

/// A hand of two that is over with the first fold, and is to be settled a millisecond later.
async fn played_out(house: &House, table: TableId) {
    let settings = Settings { settle_after_ms: 1, ..settings() };
    house.dealer.create_table(Some(table), settings, &ask()).await.expect("a table");
    for number in 1..=2 {
        let (seat, player) = (seat(number), player(number));
        let sit = TableCommand::TakeSeat { seat, player, chips: chips(20), card_key: None };
        house.dealer.change_table(table, sit, &ask()).await.expect("a seat");
    }
    let mut hand = house.dealer.play(table, &ask(), &DEAL, &Viewer::Public).await.expect("a deal");
    for action in [Action::BringIn, Action::Fold] {
        let seat = hand.view.legal.seat.expect("somebody is to act");
        let act = Order::Act { hand: 1, seat, action, to: None, expected_seq: None };
        hand = house.dealer.play(table, &ask(), &act, &Viewer::Public).await.expect("a legal action");
    }
}

async fn house_over(path: &std::path::Path) -> House {
    House::with(Arc::new(SqliteStore::open(path).await.expect("a store")), key(1), Decks::OsEntropy)
}

#[tokio::test(flavor = "multi_thread")]
async fn damaged_tables_stand_in_nobodys_way() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("x.db");
    let house = house_over(&path).await;
    for number in 1..=2 {
        house.dealer.deposit(player(number), chips(10_000), &ask()).await.expect("a deposit");
    }
    // The sound one is the last to be due, and the last by its id.
    for number in 1..=DAMAGED + 1 {
        played_out(&house, table(number)).await;
    }
    house.close().await;
    let sound = table(DAMAGED + 1);
    let sql = format!(
        "UPDATE records SET bytes = x'00' WHERE stream IN (SELECT stream FROM heads WHERE kind = 'table') \
         AND stream <> x'{}'",
        format!("{:02x}", DAMAGED + 1).repeat(16)
    );
    tamper(&path, &sql).await;

    let address = path.display().to_string();
    let told = run(&["recover", "--dry-run", "--database", &address]);
    assert_eq!(told.code, Some(1), "{}{}", told.out, told.err);
    for part in [
        format!("table {} hand 1: cannot be read: ", table(1)),
        format!("table {sound} hand 1: played out: to be settled now\n"),
        format!("1 are to be settled now\n{DAMAGED} cannot be read"),
    ] {
        assert!(told.out.contains(&part), "{part:?} is not in: {}", told.out);
    }

    let house = house_over(&path).await;
    let mut troubled = Troubled::default();
    let round = house.dealer.settle_due(&mut troubled).await.expect("looked at");
    let failed: Vec<TableId> = round.failed.iter().map(|(table, ..)| *table).collect();
    assert_eq!(failed, (1..=DAMAGED).map(table).collect::<Vec<_>>(), "each is named");
    assert_eq!(round.settled, 1);
    let state = house.store.head(StreamId::of_table(sound)).await.expect("read").expect("a head");
    assert_eq!(state.state, HandState::Idle);
    // What was in vain a moment ago is not tried, and not told, every second.
    let again = house.dealer.settle_due(&mut troubled).await.expect("looked at");
    assert_eq!((again.settled, again.failed.len()), (0, 0));
    house.close().await;
    let told = run(&["recover", "--database", &address]);
    assert_eq!(told.code, Some(1), "{}{}", told.out, told.err);
    assert!(told.out.contains(&format!("table {} hand 1: cannot be settled: ", table(1))), "{}", told.out);
}
