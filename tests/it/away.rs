//! The database away, slow, silent, or behind a pooler: what a caller is told, that it is told in time, and that the
//! service goes on by itself afterwards.

pub mod pooler;
mod relay;
mod set_up;
mod tls;

use std::time::Duration;

use razz_dealer::grpc::client::{Client, reason};
use razz_dealer::pb;
use razz_dealer::record::StreamId;
use razz_dealer::sim::Bots;
use razz_dealer::store::Store;
use razz_dealer::world::World;
use sqlx::{AssertSqlSafe, Connection, PgConnection};
use tonic::{Code, Status};

use crate::fleet::Fleet;
use crate::many::{next, seated, sent};
use crate::process::command::Serve;
use crate::process::request::{Done, Request, Sixes, player_id};
use relay::{Relay, server_of};

/// Short, so that a test need not wait long; `wait` for a connection, `timeout` for a statement.
const PATIENCE: [&str; 4] = ["--database-timeout-ms", "400", "--database-wait-ms", "500"];
/// What the driver waits beyond the server's own limit for a line that has gone silent, and the limits themselves,
/// and something for a machine that is busy.
const AT_MOST_MS: i64 = 2_000 + 400 + 500 + 1_500;

/// A process whose database is behind a relay, and a table with an open hand.
struct Scene {
    fleet: Fleet,
    relay: Relay,
    serve: Serve,
    client: Client,
    table: Sixes,
    bots: Bots,
    last: Done,
}

impl Scene {
    async fn start(more: &[&str]) -> Scene {
        let fleet = Fleet::fresh().await;
        let relay = Relay::start(server_of(&fleet.database.dealer())).await;
        let serve = fleet.serve_at(&relay.before(&fleet.database.dealer()), &[&PATIENCE, more].concat());
        let mut client = serve.client().await;
        let mut table = Sixes::new(1, 20_000, false);
        seated(&mut client, &mut table).await;
        let last = sent(&mut client, &table.deal()).await;
        Scene { fleet, relay, serve, client, table, bots: Bots::new(3), last }
    }

    fn next(&mut self) -> Request {
        next(&mut self.table, &mut self.bots, &self.last)
    }

    /// Plays on, over the end of the hand.
    async fn go_on(&mut self) {
        for _ in 0..30 {
            let request = self.next();
            self.last = sent(&mut self.client, &request).await;
        }
    }

    fn deposit(&self, id: &str) -> Request {
        let (player_id, request_id) = (self.table.player(1), id.to_owned());
        Request::Deposit(pb::DepositRequest { player_id, chips: 7, request_id })
    }

    /// How many records there are of the table and of the first player's wallet, asked of the database itself.
    async fn records(&self) -> [u64; 2] {
        let store = self.fleet.database.store().await;
        let wallet = StreamId::of_wallet(&player_id(&self.table.player(1)));
        let mut seqs = [0; 2];
        for (seq, stream) in seqs.iter_mut().zip([StreamId::of_table(self.table.table()), wallet]) {
            *seq = store.head(stream).await.expect("a head").expect("a head").seq.0;
        }
        store.close().await;
        seqs
    }

    /// Sends it to a service that cannot do it; in time, and with this reason.
    async fn fails(&mut self, request: &Request, expected: &str) {
        let start = World::system().now();
        let status = request.send(&mut self.client).await.expect_err("the database is away");
        let millis = (World::system().now() - start) / 1000;
        assert_eq!((status.code(), reason(&status).as_str()), (Code::Unavailable, expected), "{request:?}: {status:?}");
        assert!(millis <= AT_MOST_MS, "{request:?} took {millis} ms");
    }

    async fn look(&mut self) -> Result<pb::HandView, Status> {
        self.table.hand(&mut self.client, None).await
    }

    async fn end(mut self) {
        self.go_on().await;
        assert_eq!(self.serve.terminate(), Some(0));
        self.fleet.reconcile().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn away_before_the_call_nothing_is_done() {
    let mut scene = Scene::start(&[]).await;
    let before = scene.records().await;
    scene.relay.take_away();
    let (act, deposit) = (scene.next(), scene.deposit("away"));
    // The line that writes may not have heard of it yet: then it cannot know, but nothing is done all the same.
    let told = reason(&act.send(&mut scene.client).await.expect_err("the database is away"));
    assert!(["STORE_AWAY", "OUTCOME_UNKNOWN"].contains(&told.as_str()), "{told}");
    for _ in 0..3 {
        scene.fails(&act, "STORE_AWAY").await;
        scene.fails(&deposit, "STORE_AWAY").await;
        let add = scene.table.add_chips(2, 5);
        scene.fails(&add, "STORE_AWAY").await;
        let status = scene.look().await.expect_err("a read asks the database");
        assert_eq!((status.code(), reason(&status).as_str()), (Code::Unavailable, "STORE_AWAY"), "{status:?}");
    }
    assert_eq!(scene.records().await, before);
    scene.relay.restore();
    scene.last = sent(&mut scene.client, &act).await;
    assert_eq!(scene.look().await.expect("a hand").seq, scene.last.seq);
    sent(&mut scene.client, &deposit).await;
    assert_eq!(scene.records().await, before.map(|seq| seq + 1));
    scene.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_line_that_died_while_nobody_used_it_leaves_no_doubt() {
    let mut scene = Scene::start(&[]).await;
    let before = scene.records().await;
    scene.relay.take_away();
    tokio::time::sleep(Duration::from_millis(2_500)).await;
    let act = scene.next();
    scene.fails(&act, "STORE_AWAY").await;
    scene.relay.restore();
    // Cut again, and back before anybody asks: nobody learns of it.
    tokio::time::sleep(Duration::from_millis(100)).await;
    scene.relay.take_away();
    scene.relay.restore();
    tokio::time::sleep(Duration::from_millis(2_500)).await;
    assert_eq!(scene.records().await, before);
    scene.last = sent(&mut scene.client, &act).await;
    scene.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_lost_on_the_way_leaves_a_doubt_that_a_repeat_removes() {
    let mut scene = Scene::start(&[]).await;
    for kind in 0..3 {
        let before = scene.records().await;
        // A batch has no COMMIT of its own: the record in it, which names the request, comes with the statement.
        let (request, bytes, moved) = match kind {
            0 => (scene.next(), &b""[..], [1, 0]),
            1 => (scene.deposit("lost"), &b"COMMIT"[..], [0, 1]),
            _ => (scene.table.add_chips(1, 5), &b"COMMIT"[..], [1, 1]),
        };
        let bytes = if bytes.is_empty() { request.id().as_bytes() } else { bytes };
        scene.relay.keep_answer_to(bytes);
        scene.fails(&request, "OUTCOME_UNKNOWN").await;
        scene.relay.restore();
        let after = [before[0] + moved[0], before[1] + moved[1]];
        assert_eq!(scene.records().await, after, "{request:?} was done");
        let done = sent(&mut scene.client, &request).await;
        assert_eq!(done.seq, if kind == 1 { after[1] } else { after[0] });
        assert_eq!(scene.records().await, after, "{request:?} was done once");
        if kind == 0 {
            scene.last = done;
        }
    }
    scene.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn no_call_hangs_on_a_silent_database() {
    let mut scene = Scene::start(&[]).await;
    for lines_go_on in [true, false, true] {
        scene.relay.stall();
        let (act, deposit) = (scene.next(), scene.deposit(&format!("silent-{lines_go_on}")));
        // Within its deadline, where it has one.
        let Request::Act(asked) = &act else { panic!("the hand has just begun: {act:?}") };
        let mut with_deadline = tonic::Request::new(asked.clone());
        with_deadline.set_timeout(Duration::from_secs(1));
        let start = World::system().now();
        scene.client.dealer.act(with_deadline).await.expect_err("the database is silent");
        let millis = (World::system().now() - start) / 1000;
        assert!(millis < 1_500, "a deadline of one second took {millis} ms");
        // Within what the settings allow, where it has none; also when many ask for one table at once.
        let start = World::system().now();
        let calls = (0..12).map(|number| {
            let (mut client, table) = (scene.client.clone(), scene.table.clone());
            let (act, deposit) = (act.clone(), deposit.clone());
            tokio::spawn(async move {
                match number % 3 {
                    0 => act.send(&mut client).await.map(drop),
                    1 => deposit.send(&mut client).await.map(drop),
                    _ => table.hand(&mut client, None).await.map(drop),
                }
            })
        });
        let calls: Vec<_> = calls.collect();
        for call in calls {
            let status = call.await.expect("joined").expect_err("the database is silent");
            assert_eq!(status.code(), Code::Unavailable, "{status:?}");
            let told = reason(&status);
            assert!(["STORE_AWAY", "OUTCOME_UNKNOWN", "BUSY"].contains(&told.as_str()), "{status:?}");
        }
        let millis = (World::system().now() - start) / 1000;
        assert!(millis <= 2 * AT_MOST_MS, "twelve calls took {millis} ms");
        if lines_go_on {
            scene.relay.restore();
        } else {
            scene.relay.restore_without_lines();
        }
        scene.last = sent(&mut scene.client, &act).await;
        sent(&mut scene.client, &deposit).await;
        assert_eq!(scene.look().await.expect("a hand").seq, scene.last.seq);
    }
    scene.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn more_commands_than_there_may_be_are_refused_at_once() {
    let mut scene = Scene::start(&["--max-commands", "1"]).await;
    scene.relay.stall();
    let (act, mut client) = (scene.next(), scene.client.clone());
    let first = {
        let act = act.clone();
        tokio::spawn(async move { act.send(&mut client).await })
    };
    tokio::time::sleep(Duration::from_millis(200)).await;
    let start = World::system().now();
    let status = scene.deposit("crowded").send(&mut scene.client).await.expect_err("one is under way");
    let millis = (World::system().now() - start) / 1000;
    assert_eq!((status.code(), reason(&status).as_str()), (Code::ResourceExhausted, "TOO_MANY_COMMANDS"));
    assert!(millis < 300, "told after {millis} ms");
    scene.relay.restore();
    scene.last = match first.await.expect("joined") {
        Ok(done) => done,
        Err(_) => sent(&mut scene.client, &act).await,
    };
    scene.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_statement_that_takes_too_long_does_nothing() {
    let mut scene = Scene::start(&[]).await;
    let leave = pb::LeaveSeatRequest {
        table_id: scene.table.id.clone(),
        player_id: scene.table.player(1),
        request_id: "leave".to_owned(),
    };
    let view = scene.look().await.expect("a hand");
    let void = pb::VoidHandRequest {
        table_id: scene.table.id.clone(),
        hand_number: view.hand_number,
        reason: "a test".to_owned(),
        request_id: "void".to_owned(),
        viewer: None,
    };
    scene.client.dealer.void_hand(void).await.expect("voided");
    scene.client.tables.leave_seat(leave).await.expect("left");
    let mut holder = PgConnection::connect(&scene.fleet.database.owner()).await.expect("the server");
    sqlx::raw_sql("BEGIN").execute(&mut holder).await.expect("begun");
    let wallet = uuid::Uuid::from_bytes(StreamId::of_wallet(&player_id(&scene.table.player(1))).0);
    let sql = format!("SELECT FROM heads WHERE stream = '{wallet}' FOR UPDATE");
    sqlx::raw_sql(AssertSqlSafe(sql)).execute(&mut holder).await.expect("held");
    let before = scene.records().await;
    let sit = Request::Sit(pb::TakeSeatRequest {
        table_id: scene.table.id.clone(),
        seat: 1,
        player_id: scene.table.player(1),
        chips: 50,
        request_id: "sit".to_owned(),
        card_key: Vec::new(),
    });
    scene.fails(&sit, "STORE_AWAY").await;
    assert_eq!(scene.records().await, before);
    // Nothing of it holds anybody up: the table goes on, and so does the wallet once it is let go.
    scene.last = sent(&mut scene.client, &scene.table.deal()).await;
    holder.close().await.expect("let go");
    sent(&mut scene.client, &sit).await;
    assert_eq!(scene.records().await, [before[0] + 2, before[1] + 1]);
    scene.end().await;
}
