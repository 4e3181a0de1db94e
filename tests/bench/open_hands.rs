//! What an open hand costs in memory, and whether the last costs what the first did: 100,000 tables with a hand in
//! play, all in one process over `SQLite`. `cargo bench --bench open_hands [-- TABLES]`.

use std::sync::Arc;

use razz_dealer::dealer::{Ask, Dealer, Decks, Limits, Order, RequestId};
use razz_dealer::engine::{Chips, PlayerId, Preset, Seat, Settings, Stakes, TableCommand, Viewer};
use razz_dealer::ledger::TableId;
use razz_dealer::shuffle::SealingKey;
use razz_dealer::store::Store;
use razz_dealer::store::sqlite::SqliteStore;
use razz_dealer::world::World;

/// Callers at one time.
const CALLERS: u32 = 128;
/// At how many tables in a row latencies are taken.
const SAMPLE: u32 = 2_000;

fn main() {
    let tables = std::env::args().filter_map(|arg| arg.parse().ok()).next_back().unwrap_or(100_000);
    tokio::runtime::Runtime::new().expect("a runtime").block_on(measure(tables));
}

async fn measure(tables: u32) {
    let folder = tempfile::tempdir().expect("a folder");
    let store = Arc::new(SqliteStore::open(&folder.path().join("open.db")).await.expect("a store"));
    let limits = Limits { live_bytes: 1024 * 1024 * 1024, ..Limits::default() };
    let (world, key) = (World::system(), SealingKey::new([7; 32]));
    let dealer = Dealer::with_limits(Arc::clone(&store) as Arc<dyn Store>, world, key, Decks::OsEntropy, limits);
    let dealer = Arc::new(dealer);
    for seat in 1..=6 {
        for caller in 0..CALLERS {
            let chips = Chips::new(1_000_000_000).expect("chips");
            dealer.deposit(player(caller, seat), chips, &ask("in")).await.expect("a deposit");
        }
    }
    let before = resident();
    println!("{before:.1} MiB resident before the first table");
    let mut made = 0;
    for step in [SAMPLE.min(tables / 2), tables / 2, tables] {
        open(&dealer, made, step).await;
        made = step;
        let mib = resident() - before;
        println!("{made} open hands: {mib:.1} MiB more, {:.0} bytes each", mib * 1024.0 * 1024.0 / f64::from(made));
    }
    let sample = SAMPLE.min(tables / 2);
    for round in 0..3 {
        let first = acts(&dealer, 0, sample, round).await;
        let last = acts(&dealer, tables - sample, tables, round).await;
        println!("a look and an act at the first {sample} tables: {first:.1} us, at the last: {last:.1} us");
    }
    store.close().await;
}

/// Makes tables `from` to `to`, each with six players and a hand in play.
async fn open(dealer: &Arc<Dealer>, from: u32, to: u32) {
    let mut callers = tokio::task::JoinSet::new();
    for caller in 0..CALLERS {
        let dealer = Arc::clone(dealer);
        callers.spawn(async move {
            for number in (from..to).filter(|number| number % CALLERS == caller) {
                let table = Some(table(number));
                dealer.create_table(table, settings(), &ask("make")).await.expect("a table");
                for seat in 1..=6 {
                    let chips = Chips::new(1_000).expect("chips");
                    let sit = TableCommand::TakeSeat {
                        seat: Seat::new(seat).expect("a seat"),
                        player: player(caller, seat),
                        chips,
                        card_key: None,
                    };
                    dealer.change_table(self::table(number), sit, &ask(&format!("sit{seat}"))).await.expect("a seat");
                }
                play(&dealer, number, "deal", &Order::Deal { nonces: Vec::new() }).await;
            }
        });
    }
    callers.join_all().await;
}

/// Microseconds that a look at the hand and an action took on average, one caller.
async fn acts(dealer: &Dealer, from: u32, to: u32, round: u32) -> f64 {
    let clock = World::system();
    let start = clock.now();
    for number in from..to {
        let hand = dealer.hand(table(number), None, &Viewer::Public).await.expect("a hand");
        let seat = hand.view.legal.seat.expect("somebody must act");
        let action = hand.view.legal.offers().last().expect("something is legal").action;
        let order = Order::Act { hand: 1, seat, action, to: None, expected_seq: None };
        play(dealer, number, &format!("act{round}"), &order).await;
    }
    #[expect(clippy::cast_precision_loss, reason = "microseconds of a few seconds")]
    let micros = (clock.now() - start) as f64;
    micros / f64::from(to - from)
}

async fn play(dealer: &Dealer, number: u32, id: &str, order: &Order) {
    dealer.play(table(number), &ask(id), order, &Viewer::Public).await.expect("played");
}

fn ask(id: &str) -> Ask {
    let request_id = RequestId::new(id).expect("an id");
    Ask { request_id, actor: "bench".to_owned(), trace: String::new() }
}

fn table(number: u32) -> TableId {
    let mut id = [0; 16];
    id[..4].copy_from_slice(&number.to_be_bytes());
    TableId(id)
}

fn player(caller: u32, seat: u8) -> PlayerId {
    PlayerId::new(&format!("0198c0de-0000-7000-8000-{caller:08x}{seat:04x}")).expect("a player id")
}

fn settings() -> Settings {
    let chips = |units| Chips::new(units).expect("chips");
    let stakes = Stakes::new(chips(2), chips(5), chips(20)).expect("stakes");
    let rules = Preset::PokerStars.rules();
    Settings {
        stakes,
        rules,
        auto_settle: true,
        act_allowance_ms: 30_000,
        settle_after_ms: 0,
        nonces: false,
        reveal_deck: false,
    }
}

/// Resident memory of this process in MiB, as Linux tells it.
fn resident() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kib: f64 = line.and_then(|line| line.split_whitespace().next()?.parse().ok()).unwrap_or_default();
    kib / 1024.0
}
