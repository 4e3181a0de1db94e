//! Who waits for whom: nobody in a circle, and nobody for what is none of theirs.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use razz_dealer::dealer::{Ask, Dealer, DealerError, HandAnswer, Order, RequestId};
use razz_dealer::engine::{Action, Chips, PlayerId, Preset, Seat, Settings, Stakes, TableCommand, Viewer};
use razz_dealer::ledger::TableId;
use razz_dealer::sim::Dice;
use razz_dealer::world::World;
use sqlx::{AssertSqlSafe, Connection, PgConnection};
use tokio::task::JoinSet;

use super::{next, seated, sent};
use crate::fleet::{Fleet, clients, shut_down};
use crate::process::request::Sixes;

const DEALERS: usize = 4;
const WORKERS: u64 = 24;
const TABLES: u8 = 5;
const PLAYERS: u64 = 9;
const MICROS: i64 = 6_000_000;

fn table(number: u64) -> TableId {
    TableId([u8::try_from(number).expect("a small number") + 1; 16])
}

fn chips(units: u64) -> Chips {
    Chips::new(i64::try_from(units).expect("a small number")).expect("chips")
}

/// One caller of one dealer, who asks for anything at any table.
struct Worker {
    dealer: Arc<Dealer>,
    dice: Dice,
    number: u64,
    asked: u64,
}

impl Worker {
    fn ask(&mut self) -> Ask {
        self.asked += 1;
        let request_id = RequestId::new(&format!("{}-{}", self.number, self.asked)).expect("an id");
        Ask { request_id, actor: "test".to_owned(), trace: String::new() }
    }

    fn player(&mut self) -> PlayerId {
        PlayerId::new(&format!("p{}", self.dice.below(PLAYERS))).expect("a player id")
    }

    async fn play(&mut self, table: TableId, order: Order) -> Result<HandAnswer, DealerError> {
        let ask = self.ask();
        self.dealer.play(table, &ask, &order, &Viewer::Public).await
    }

    /// Deals, or does whatever comes next in the hand that is open.
    async fn go_on(&mut self, table: TableId) -> Result<(), DealerError> {
        let hand = match self.dealer.hand(table, None, &Viewer::Public).await {
            Ok(hand) if hand.view.legal.seat.is_some() => hand.view,
            Ok(hand) => {
                self.play(table, Order::Settle { hand: hand.view.number }).await.map(drop).or_else(refused)?;
                return self.play(table, Order::Deal { nonces: Vec::new() }).await.map(drop);
            }
            Err(_) => return self.play(table, Order::Deal { nonces: Vec::new() }).await.map(drop),
        };
        let offers: Vec<Action> = hand.legal.offers().map(|offer| offer.action).collect();
        let (Some(seat), Some(action)) = (hand.legal.seat, self.dice.pick(&offers)) else { return Ok(()) };
        let act = Order::Act { hand: hand.number, seat, action, to: None, expected_seq: None };
        self.play(table, act).await.map(drop)
    }

    async fn step(&mut self) -> Result<(), DealerError> {
        let (table, player) = (table(self.dice.below(TABLES.into())), self.player());
        let (amount, ask) = (chips(1 + self.dice.below(60)), self.ask());
        let dealer = Arc::clone(&self.dealer);
        let command = match self.dice.below(20) {
            0 => return dealer.deposit(player, amount, &ask).await.map(drop),
            1 => return dealer.withdraw(player, amount, &ask).await.map(drop),
            2..5 => {
                let seat = Seat::new(u8::try_from(1 + self.dice.below(8)).expect("small")).expect("a seat");
                TableCommand::TakeSeat { seat, player, chips: amount, card_key: None }
            }
            5..7 => TableCommand::AddChips { player, chips: amount },
            7..9 => TableCommand::LeaveSeat { player },
            9 => {
                // A wallet and a table that nobody has heard of, perhaps made by two at once.
                let fresh = self.asked / 8;
                let player = PlayerId::new(&format!("new-{fresh}")).expect("a player id");
                dealer.deposit(player, amount, &ask).await?;
                let id = TableId([&[9; 8][..], &fresh.to_be_bytes()].concat().try_into().expect("16 bytes"));
                let ask = self.ask();
                return dealer.create_table(Some(id), settings(), &ask).await.map(drop);
            }
            _ => return self.go_on(table).await,
        };
        dealer.change_table(table, command, &ask).await.map(drop)
    }
}

fn settings() -> Settings {
    let stakes = Stakes::new(chips(1), chips(2), chips(10)).expect("stakes");
    let rules = Preset::PokerStars.rules();
    Settings {
        stakes,
        rules,
        auto_settle: true,
        act_allowance_ms: 0,
        settle_after_ms: 0,
        nonces: false,
        reveal_deck: false,
    }
}

/// A refusal by the rules is no trouble.
fn refused(error: DealerError) -> Result<(), DealerError> {
    match error {
        DealerError::Rejected(_) | DealerError::BalanceTooLow { .. } | DealerError::TableExists(_) => Ok(()),
        error => Err(error),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn overlapping_tables_and_wallets_never_deadlock() {
    let fleet = Fleet::fresh().await;
    let members = fleet.members(DEALERS, 12).await;
    let mut first = Worker { dealer: Arc::clone(&members[0].dealer), dice: Dice::new(12, 0), number: 999, asked: 0 };
    for number in 0..PLAYERS {
        let (ask, player) = (first.ask(), PlayerId::new(&format!("p{number}")).expect("a player id"));
        first.dealer.deposit(player, chips(5_000), &ask).await.expect("a deposit");
    }
    for number in 0..u64::from(TABLES) {
        let ask = first.ask();
        first.dealer.create_table(Some(table(number)), settings(), &ask).await.expect("a table");
    }
    let world = World::system();
    let until = world.now() + MICROS;
    let (done, busy) = (Arc::new(AtomicU64::new(0)), Arc::new(AtomicU64::new(0)));
    let mut workers = JoinSet::new();
    for number in 0..WORKERS {
        let dealer = Arc::clone(&members[usize::try_from(number).expect("small") % DEALERS].dealer);
        let mut worker = Worker { dealer, dice: Dice::new(12, 1 + number), number, asked: 0 };
        let (world, done, busy) = (world.clone(), Arc::clone(&done), Arc::clone(&busy));
        workers.spawn(async move {
            while world.now() < until {
                match worker.step().await {
                    Ok(()) => _ = done.fetch_add(1, Ordering::Relaxed),
                    // Told to come again: nothing was done.
                    Err(DealerError::Busy) => _ = busy.fetch_add(1, Ordering::Relaxed),
                    Err(error) => refused(error).expect("nothing but refusals"),
                }
            }
        });
    }
    workers.join_all().await;
    let (done, busy) = (done.load(Ordering::Relaxed), busy.load(Ordering::Relaxed));
    println!("{done} commands done, {busy} told to come again");
    assert!(done > 300 && busy * 20 < done, "{done} commands done, {busy} told to come again");
    drop(first);
    // A session tells its counts when it ends.
    shut_down(members).await;
    let mut conn = PgConnection::connect(&fleet.database.owner()).await.expect("the server");
    let sql = "SELECT deadlocks, xact_commit FROM pg_stat_database WHERE datname = current_database()";
    let mut counts = (0, 0);
    for _ in 0..100 {
        counts = sqlx::query_as::<_, (i64, i64)>(sql).fetch_one(&mut conn).await.expect("the counts");
        if counts.1 > 300 {
            break;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    assert!(counts.1 > 300, "the server has counted {counts:?}");
    assert_eq!(counts.0, 0, "deadlocks");
    conn.close().await.expect("closed");
    fleet.reconcile().await;
}

/// A session of somebody else that holds a stream's head.
async fn hold(fleet: &Fleet, table: &Sixes) -> PgConnection {
    let mut conn = PgConnection::connect(&fleet.database.owner()).await.expect("the server");
    sqlx::raw_sql("BEGIN").execute(&mut conn).await.expect("begun");
    let sql = format!("SELECT FROM heads WHERE stream = '{}' FOR UPDATE", table.id);
    sqlx::raw_sql(AssertSqlSafe(sql)).execute(&mut conn).await.expect("held");
    conn
}

#[tokio::test(flavor = "multi_thread")]
async fn a_held_head_holds_up_its_own_table_alone() {
    let fleet = Fleet::fresh().await;
    let members = fleet.members(1, 8).await;
    let mut client = clients(&members).remove(0);
    let mut tables: Vec<Sixes> = (1..=6).map(|number| Sixes::new(number, 20_000, false)).collect();
    let mut acts = Vec::new();
    for table in &mut tables {
        seated(&mut client, table).await;
        let dealt = sent(&mut client, &table.deal()).await;
        let mut bots = razz_dealer::sim::Bots::new(8);
        acts.push((next(table, &mut bots, &dealt), dealt.seq));
    }
    let held = hold(&fleet, &tables[0]).await;
    let let_go = Arc::new(AtomicBool::new(false));
    let mut callers = JoinSet::new();
    for (number, (act, seq)) in acts.into_iter().enumerate() {
        let (mut client, let_go) = (client.clone(), Arc::clone(&let_go));
        callers.spawn(async move {
            let done = sent(&mut client, &act).await;
            assert_eq!(done.seq, seq + 1);
            (number, let_go.load(Ordering::SeqCst))
        });
    }
    tokio::time::sleep(Duration::from_millis(300)).await;
    // Meanwhile all the others go on, one command after another.
    for table in &mut tables[1..] {
        for seat in 1..=3 {
            sent(&mut client, &table.add_chips(seat, 1)).await;
        }
    }
    let_go.store(true, Ordering::SeqCst);
    held.close().await.expect("let go");
    let mut after: Vec<(usize, bool)> = callers.join_all().await;
    after.sort_unstable();
    assert_eq!(after, [(0, true), (1, false), (2, false), (3, false), (4, false), (5, false)]);
    shut_down(members).await;
    fleet.reconcile().await;
}

/// However long somebody holds a head, and however busy the neighbours are, the caller is told.
#[tokio::test(flavor = "multi_thread")]
async fn a_head_that_is_never_let_go_is_told_beside_busy_neighbours() {
    let fleet = Fleet::fresh().await;
    let members = fleet.members(1, 8).await;
    let mut client = clients(&members).remove(0);
    let (mut stuck, mut busy) = (Sixes::new(1, 20_000, false), Sixes::new(2, 20_000, false));
    for table in [&mut stuck, &mut busy] {
        seated(&mut client, table).await;
    }
    let held = hold(&fleet, &stuck).await;
    let ended = Arc::new(AtomicBool::new(false));
    let neighbour = {
        let (mut client, ended) = (client.clone(), Arc::clone(&ended));
        tokio::spawn(async move {
            let mut bots = razz_dealer::sim::Bots::new(8);
            let mut done = sent(&mut client, &busy.deal()).await;
            let mut count = 0;
            while !ended.load(Ordering::SeqCst) {
                done = sent(&mut client, &next(&mut busy, &mut bots, &done)).await;
                count += 1;
            }
            count
        })
    };
    let deal = stuck.deal();
    let answer = tokio::time::timeout(Duration::from_mins(1), deal.send(&mut client)).await;
    let status = answer.expect("told in time").expect_err("nothing can be done");
    assert_eq!(razz_dealer::grpc::client::reason(&status), "BUSY", "{status:?}");
    ended.store(true, Ordering::SeqCst);
    assert!(neighbour.await.expect("joined") > 100, "the neighbours go on");
    held.close().await.expect("let go");
    sent(&mut client, &deal).await;
    shut_down(members).await;
    fleet.reconcile().await;
}
