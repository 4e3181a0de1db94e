//! Promise 5: any changed, missing, added or reordered record is found and named. The database's own guards are taken
//! away first, as somebody with the file and time could do.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use razz_dealer::audit::{Finding, Whole, verify_table};
use razz_dealer::dealer::{Ask, Dealer, DealerError, Decks, Order, RequestId};
use razz_dealer::engine::{Chips, PlayerId, Preset, Seat, Settings, Stakes, TableCommand, Viewer};
use razz_dealer::ledger::TableId;
use razz_dealer::shuffle::SealingKey;
use razz_dealer::sim::{Bots, deck};
use razz_dealer::store::Store;
use razz_dealer::store::sqlite::SqliteStore;
use razz_dealer::world::World;
use sqlx::{Connection, Executor, SqliteConnection};

const TABLE: TableId = TableId([7; 16]);

fn chips(units: i64) -> Chips {
    Chips::new(units).expect("chips")
}

/// Asks under ids that count up.
#[derive(Default)]
struct Asking(u32);

impl Asking {
    fn next(&mut self) -> Ask {
        self.0 += 1;
        let request_id = RequestId::new(&format!("r{}", self.0)).expect("an id");
        Ask { request_id, actor: "test".to_owned(), trace: String::new() }
    }
}

async fn dealer_over(path: &Path) -> (Arc<SqliteStore>, Dealer) {
    let store = Arc::new(SqliteStore::open(path).await.expect("a store"));
    let decks = Decks::Scripted(Arc::new(|_, hand| Some(deck(5, hand))));
    let world = World::scripted(1_750_000_000_000_000, 1000, 5);
    let dealer = Dealer::new(Arc::clone(&store) as Arc<dyn Store>, world, SealingKey::new([9; 32]), decks);
    (store, dealer)
}

/// A file with two hands of a table of three.
async fn played(folder: &Path) -> PathBuf {
    let path = folder.join("razz-dealer.db");
    let (store, dealer) = dealer_over(&path).await;
    let (mut ask, mut bots) = (Asking::default(), Bots::new(5));
    let stakes = Stakes::new(chips(1), chips(2), chips(10)).expect("stakes");
    let settings = Settings {
        stakes,
        rules: Preset::PokerStars.rules(),
        auto_settle: true,
        act_allowance_ms: 0,
        settle_after_ms: 0,
        nonces: false,
        reveal_deck: false,
    };
    dealer.create_table(Some(TABLE), settings, &ask.next()).await.expect("a table");
    for number in 1..=3 {
        let (seat, player) = (Seat::new(number).expect("a seat"), PlayerId::new(&format!("p{number}")).expect("an id"));
        dealer.deposit(player.clone(), chips(500), &ask.next()).await.expect("a deposit");
        let sit = TableCommand::TakeSeat { seat, player, chips: chips(200), card_key: None };
        dealer.change_table(TABLE, sit, &ask.next()).await.expect("a seat");
    }
    for _ in 0..2 {
        let mut hand = dealer
            .play(TABLE, &ask.next(), &Order::Deal { nonces: Vec::new() }, &Viewer::Public)
            .await
            .expect("a deal");
        while let Some((seat, action)) = bots.choose(&hand.view) {
            let order = Order::Act { hand: hand.view.number, seat, action, to: None, expected_seq: Some(hand.seq) };
            hand = dealer.play(TABLE, &ask.next(), &order, &Viewer::Public).await.expect("an act");
        }
    }
    store.close().await;
    path
}

/// Changes the file in plain SQL, without the triggers that would refuse it.
pub async fn tamper(path: &Path, changes: &str) {
    let options = sqlx::sqlite::SqliteConnectOptions::new().filename(path).foreign_keys(false);
    let mut connection = SqliteConnection::connect_with(&options).await.expect("the file");
    let guards: Vec<(String, String)> = sqlx::query_as("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'")
        .fetch_all(&mut connection)
        .await
        .expect("names");
    for (guard, _) in &guards {
        let drop = format!("DROP TRIGGER {guard}");
        connection.execute(sqlx::AssertSqlSafe(drop)).await.expect("no guard");
    }
    connection.execute(sqlx::AssertSqlSafe(changes.to_owned())).await.expect("the change");
    for (_, guard) in guards {
        connection.execute(sqlx::AssertSqlSafe(guard)).await.expect("the guard again");
    }
    connection.close().await.expect("closed");
}

async fn verified(path: &Path) -> Result<Whole, Finding> {
    let store = SqliteStore::open(path).await.expect("a store");
    let whole = verify_table(&store, TABLE).await;
    store.close().await;
    whole
}

#[tokio::test]
async fn a_tampered_record_is_found_and_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = played(folder.path()).await;
    let whole = verified(&path).await.expect("untouched, it is whole");
    assert_eq!(whole.hands, 2);
    let last = whole.records;
    let (broken, headless) = ("its hash does not follow", "the head is not the last record");
    // A change, the record that is named, and what is said of it.
    let changes = [
        (
            "one byte of a record",
            "UPDATE records SET bytes = CAST(substr(bytes, 1, 20) || x'07' || substr(bytes, 22) AS BLOB) WHERE seq = 6",
            6,
            broken,
        ),
        ("a record's hash", "UPDATE records SET hash = zeroblob(32) WHERE seq = 6", 6, broken),
        ("a record taken out", "DELETE FROM records WHERE seq = 7", 8, "missing"),
        (
            "two records in each other's place",
            "UPDATE records SET bytes = (SELECT b.bytes FROM records AS b WHERE b.seq = 13 - records.seq
                AND b.stream = records.stream) WHERE seq IN (6, 7)",
            6,
            broken,
        ),
        (
            "the last record taken out",
            "DELETE FROM records WHERE seq = (SELECT max(b.seq) FROM records AS b WHERE b.stream = records.stream)",
            last,
            headless,
        ),
        (
            "a record added",
            "INSERT INTO records SELECT stream, seq + 1, at, hand, 'more', hash, bytes FROM records
                WHERE seq = (SELECT max(b.seq) FROM records AS b WHERE b.stream = records.stream)",
            last + 1,
            broken,
        ),
        ("the head's hash", "UPDATE heads SET hash = zeroblob(32)", last, headless),
    ];
    for (name, change, seq, words) in changes {
        let copy = folder.path().join("copy.db");
        std::fs::copy(&path, &copy).expect("a copy");
        let of_the_table = if change.contains("WHERE") { " AND" } else { " WHERE" };
        tamper(&copy, &format!("{change}{of_the_table} stream = x'{}'", "07".repeat(16))).await;
        match verified(&copy).await {
            Err(Finding::Record { table, seq: found, what }) => {
                assert_eq!((table, found), (TABLE, seq), "{name}: {what}");
                assert!(what.contains(words), "{name}: {what}");
            }
            other => panic!("{name}: {other:?}"),
        }
    }
}

#[tokio::test]
async fn a_table_that_is_not_there_is_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let found = verified(&folder.path().join("empty.db")).await;
    assert_eq!(found, Err(Finding::NoTable(TABLE)));
}

/// What a table goes on from must be whole too, its first loaded record not less than the others; and a balance that
/// contradicts the record is damage, not a race.
#[tokio::test]
async fn the_dealer_does_not_go_on_from_damage() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = played(folder.path()).await;
    let changes = [
        "UPDATE records SET bytes = CAST(substr(bytes, 1, 20) || x'07' || substr(bytes, 22) AS BLOB)
            WHERE hand = 2 AND seq = (SELECT min(b.seq) FROM records AS b WHERE b.hand = 2)",
        "UPDATE accounts SET balance = balance - 1 WHERE balance > 0",
    ];
    for change in changes {
        let copy = folder.path().join("copy.db");
        std::fs::copy(&path, &copy).expect("a copy");
        tamper(&copy, change).await;
        let (store, dealer) = dealer_over(&copy).await;
        let ask = Ask { request_id: RequestId::new("after").expect("an id"), ..Asking::default().next() };
        let error =
            dealer.play(TABLE, &ask, &Order::Deal { nonces: Vec::new() }, &Viewer::Public).await.expect_err(change);
        assert!(matches!(error, DealerError::Corrupt(_)), "{change}: {error:?}");
        store.close().await;
    }
}
