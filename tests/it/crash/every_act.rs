//! A service that is dropped after every single call, wherever its tasks are, and made anew on the same file.

use std::sync::Arc;

use razz_dealer::cli::embedded::Embedded;
use razz_dealer::dealer::Decks;
use razz_dealer::engine::{Chips, Status, View};
use razz_dealer::grpc::client::Client;
use razz_dealer::record::StreamId;
use razz_dealer::sim::{self, Bots};
use razz_dealer::world::World;
use tokio::runtime::Runtime;

use super::life::{Life, Place};
use super::{Told, choose, told};
use crate::faults::Fault;
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

fn end(mut view: View, record: Vec<Told>) -> End {
    // The salts of a scripted deck are drawn anew.
    view.bond.root = [0; 32];
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
    let record = told(service.store(), StreamId::of_table(table.table())).await;
    service.shut_down().await.expect("a clean end");
    end(view, record)
}

fn restarted(place: &Place, seed: u64) -> (End, u32) {
    let (mut table, mut bots) = (Sixes::new(2, 200, false), Bots::new(seed));
    let begin = || Life::begin(place, decks(seed), Fault::DeathAfter, 0);
    let mut life = begin();
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
        life = begin();
        lives += 1;
    }
    let ended = async {
        let view = read(&table.hand(&mut life.client, None).await.expect("a hand"));
        end(view, told(&*life.store, StreamId::of_table(table.table())).await)
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
        let (ended, lives) = restarted(&Place::File(folder.path().join(format!("{seed}.db"))), seed);
        assert_eq!(ended, expected, "seed {seed}");
        assert_eq!(ended.view.status, Status::Settled);
        assert!(lives > 20, "seed {seed}: only {lives} lives");
    }
}
