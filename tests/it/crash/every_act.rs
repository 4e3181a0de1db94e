//! A service that is dropped after every single call, wherever its tasks are, and made anew on the same file.

use std::path::Path;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use razz_dealer::cli::embedded::Embedded;
use razz_dealer::dealer::{Dealer, Decks};
use razz_dealer::engine::{Chips, Status, View};
use razz_dealer::grpc;
use razz_dealer::grpc::client::Client;
use razz_dealer::keyfile;
use razz_dealer::sim::{self, Bots};
use razz_dealer::store::sqlite::SqliteStore;
use razz_dealer::store::{Store, StoreError};
use razz_dealer::world::World;
use tokio::net::TcpListener;
use tokio::runtime::Runtime;

use super::{Told, choose, told};
use crate::process::request::{Request, Sixes, read};

const SEEDS: [u64; 3] = [3, 4, 8];
const HANDS: u64 = 2;

fn decks(seed: u64) -> Decks {
    Decks::Scripted(Arc::new(move |_, hand| Some(sim::deck(seed, hand))))
}

/// The next call of the hands: decided from what the service shows, so that a picture that is wrong after a restart
/// leads to another story.
async fn next(client: &mut Client, table: &mut Sixes, bots: &mut Bots) -> Option<Request> {
    let Ok(hand) = table.hand(client, None).await else { return Some(table.deal()) };
    let view = read(&hand);
    match (&view.status, view.legal.seat) {
        (Status::Playing, Some(seat)) => {
            let (_, action) = choose(client, table, bots, seat).await;
            Some(table.act(&view, seat, action, None))
        }
        (Status::PlayedOut, _) => Some(table.settle(&view)),
        _ if view.number < HANDS => Some(table.deal()),
        _ => None,
    }
}

/// How a story ended: the last view, and all that was recorded.
#[derive(PartialEq, Debug)]
struct End {
    view: View,
    record: Vec<Told>,
    in_front: Vec<Chips>,
}

fn end(view: View, record: Vec<Told>) -> End {
    let in_front = view.seats.iter().map(|seat| seat.stack).collect();
    End { view, record, in_front }
}

async fn undisturbed(seed: u64) -> End {
    let service = Embedded::start(World::system(), decks(seed)).await.expect("a service");
    let mut client = Client::connect(service.addr()).await.expect("it listens");
    let (mut table, mut bots) = (Sixes::new(2, 200, false), Bots::new(seed));
    for request in table.set_up() {
        request.send(&mut client).await.expect("seated");
    }
    while let Some(request) = next(&mut client, &mut table, &mut bots).await {
        request.send(&mut client).await.unwrap_or_else(|status| panic!("{request:?}: {status:?}"));
    }
    let view = read(&table.hand(&mut client, None).await.expect("a hand"));
    let record = told(service.store(), table.table()).await;
    service.shut_down().await.expect("a clean end");
    end(view, record)
}

/// One life of the service: it is not closed, its tasks are dropped where they stand.
struct Life {
    runtime: Runtime,
    client: Client,
    store: Arc<SqliteStore>,
}

impl Life {
    fn begin(path: &Path, seed: u64) -> Life {
        let runtime = Runtime::new().expect("a runtime");
        let (store, client) = runtime.block_on(async {
            let store = Arc::new(reopen(path).await);
            let world = World::system();
            let key = keyfile::load_or_create(&path.with_extension("key"), &world).expect("a key");
            let dealer = Dealer::new(Arc::clone(&store) as Arc<dyn Store>, world, key, decks(seed));
            let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
            let addr = listener.local_addr().expect("a port");
            tokio::spawn(grpc::serve(listener, Arc::new(dealer), std::future::pending()));
            (store, Client::connect(addr).await.expect("it listens"))
        });
        Life { runtime, client, store }
    }

    fn end(self) {
        drop((self.client, self.store));
        self.runtime.shutdown_timeout(Duration::from_secs(5));
    }
}

/// The last life's connection is closed by a thread of its own, which may still be at it.
async fn reopen(path: &Path) -> SqliteStore {
    for _ in 0..100 {
        match SqliteStore::open(path).await {
            Err(StoreError::Held(_)) => thread::sleep(Duration::from_millis(5)),
            opened => return opened.expect("a store"),
        }
    }
    panic!("{} is held for ever", path.display());
}

fn restarted(path: &Path, seed: u64) -> (End, u32) {
    let (mut table, mut bots) = (Sixes::new(2, 200, false), Bots::new(seed));
    let mut life = Life::begin(path, seed);
    for request in table.set_up() {
        life.runtime.block_on(request.send(&mut life.client)).expect("seated");
    }
    let mut lives = 1;
    loop {
        let step = async {
            let request = next(&mut life.client, &mut table, &mut bots).await?;
            request.send(&mut life.client).await.unwrap_or_else(|status| panic!("{request:?}: {status:?}"));
            Some(())
        };
        if life.runtime.block_on(step).is_none() {
            break;
        }
        life.end();
        life = Life::begin(path, seed);
        lives += 1;
    }
    let ended = async {
        let view = read(&table.hand(&mut life.client, None).await.expect("a hand"));
        end(view, told(&*life.store, table.table()).await)
    };
    let ended = life.runtime.block_on(ended);
    life.end();
    (ended, lives)
}

#[test]
fn a_restart_after_every_act_ends_as_none() {
    let folder = tempfile::tempdir().expect("a folder");
    for seed in SEEDS {
        let expected = Runtime::new().expect("a runtime").block_on(undisturbed(seed));
        let (ended, lives) = restarted(&folder.path().join(format!("{seed}.db")), seed);
        assert_eq!(ended, expected, "seed {seed}");
        assert_eq!(ended.view.status, Status::Settled);
        assert!(lives > 20, "seed {seed}: only {lives} lives");
    }
}
