//! A hand with three levels of all-in, and all that comes before and after it, killed at every commit: once before it
//! reaches the store, once after. Whoever was not answered asks again, and all ends as if nothing had happened.

use std::collections::BTreeSet;
use std::sync::Arc;

use razz_dealer::audit;
use razz_dealer::dealer::Decks;
use razz_dealer::engine::{Action, Award, Chips, Seat, Status, View};
use razz_dealer::grpc::client::Client;
use razz_dealer::ledger::Account;
use razz_dealer::record::StreamId;
use razz_dealer::sim;
use razz_dealer::store::Store;
use tokio::runtime::Runtime;

use super::life::{Life, Place};
use super::told;
use crate::database::Database;
use crate::faults::Fault;
use crate::process::request::{Request, Sixes, player_id, read};

/// What the players of the first seats sit down with; nobody else does.
const STACKS: [i64; 4] = [15, 40, 90, 300];
/// Each has as much in the wallet again.
const BROUGHT: i64 = 400;
const SEED: u64 = 1;

fn decks() -> Decks {
    Decks::Scripted(Arc::new(|_, hand| Some(sim::deck(SEED, hand))))
}

fn seats() -> impl Iterator<Item = Seat> {
    Seat::all().take(STACKS.len())
}

/// What is asked, one call after the other: of the hand, what follows from how the service shows it.
struct Story {
    table: Sixes,
    /// The next one last.
    waiting: Vec<Request>,
    has_left: bool,
}

impl Story {
    fn new(number: u8) -> Story {
        let mut table = Sixes::new(number, BROUGHT / 2, false);
        let mut waiting = table.set_up();
        waiting.truncate(1 + 2 * STACKS.len());
        for (request, stack) in waiting.iter_mut().skip(2).step_by(2).zip(STACKS) {
            let Request::Sit(sit) = request else { panic!("{request:?} seats nobody") };
            sit.chips = stack;
        }
        waiting.reverse();
        Story { table, waiting, has_left: false }
    }

    async fn next(&mut self, client: &mut Client) -> Option<Request> {
        if let Some(request) = self.waiting.pop() {
            return Some(request);
        }
        let Ok(hand) = self.table.hand(client, None).await else { return Some(self.table.deal()) };
        let view = read(&hand);
        match (&view.status, view.legal.seat) {
            (Status::Playing, Some(seat)) => Some(self.table.act(&view, seat, highest(&view), None)),
            (Status::PlayedOut, _) => Some(self.table.settle(&view)),
            _ if self.has_left => None,
            _ => {
                self.has_left = true;
                Some(self.table.leave(4))
            }
        }
    }
}

/// As many chips as can be go in.
fn highest(view: &View) -> Action {
    use Action::{Bet, BringIn, Call, Check, Complete, Muck, Raise, Show};
    let order = [Raise, Complete, Bet, Call, Check, BringIn, Show, Muck];
    order.into_iter().find(|&action| view.legal.offer(action).is_some()).expect("something is offered")
}

/// How it ended.
#[derive(PartialEq, Debug)]
struct End {
    stacks: Vec<Chips>,
    awards: Vec<Award>,
    /// Of wallets, seats, pot and rake.
    balances: Vec<i64>,
    /// How many requests there were; each made a record of the table or of a wallet.
    asked: u64,
}

/// The story at the `number`th table, by a service that meets this fault at its `nth` commit; 0 for none.
fn lived(place: &Place, number: u8, fault: Fault, nth: u64) -> End {
    let (mut story, mut asked) = (Story::new(number), 0);
    let mut life = Life::begin(place, decks(), fault, nth);
    while let Some(request) = life.runtime.block_on(story.next(&mut life.client)) {
        asked += 1;
        let sent = async {
            tokio::select! {
                answer = request.send(&mut life.client) => Some(answer),
                () = life.store.dies() => None,
            }
        };
        let answer = if let Some(answer) = life.runtime.block_on(sent) {
            answer
        } else {
            assert_eq!(asked, nth, "each request is one commit");
            life.end();
            life = Life::begin(place, decks(), fault, 0);
            life.runtime.block_on(request.send(&mut life.client))
        };
        answer.unwrap_or_else(|status| panic!("{fault:?} at {nth}, {request:?}: {status:?}"));
    }
    assert!(!life.store.is_pending(), "there is no commit {nth}");
    let end = life.runtime.block_on(end(&mut life.client, &*life.store, &story.table, asked));
    life.end();
    end
}

async fn end(client: &mut Client, store: &dyn Store, table: &Sixes, asked: u64) -> End {
    let (view, id) = (read(&table.hand(client, None).await.expect("a hand")), table.table());
    assert_eq!(view.status, Status::Settled);
    let mut ids = BTreeSet::new();
    let mut streams = vec![StreamId::of_table(id)];
    let mut accounts = vec![Account::Pot(id), Account::Rake(id)];
    for seat in seats() {
        let player = player_id(&table.player(seat.number()));
        streams.push(StreamId::of_wallet(&player));
        accounts.extend([Account::Wallet(player), Account::Seat(id, seat)]);
    }
    for stream in streams {
        for (request, ..) in told(store, stream).await {
            assert!(request.is_empty() || ids.insert(request.clone()), "{request} was done twice");
        }
    }
    assert_eq!(ids.len() as u64, asked, "each request was done");
    let mut balances = Vec::new();
    for account in &accounts {
        balances.push(store.balance(account).await.expect("a balance"));
    }
    let stacks = view.seats.iter().map(|seat| seat.stack).collect();
    End { stacks, awards: view.awards, balances, asked }
}

fn every_commit(place: &Place) {
    let undisturbed = lived(place, 0, Fault::DeathBefore, 0);
    println!("{undisturbed:?}");
    assert!(undisturbed.awards.len() >= 3, "three levels of all-in: {:?}", undisturbed.awards);
    assert!(undisturbed.asked > 20, "{undisturbed:?}");
    let mut number = 0;
    for nth in 1..=undisturbed.asked {
        for fault in [Fault::DeathBefore, Fault::DeathAfter] {
            number += 1;
            assert_eq!(lived(place, number, fault, nth), undisturbed, "{fault:?} at {nth}");
        }
    }
    let life = Life::begin(place, decks(), Fault::DeathBefore, 0);
    let reconciled = life.runtime.block_on(audit::reconcile(&*life.store, None, &mut |_| {})).expect("reconciled");
    assert_eq!(reconciled.differences, []);
    life.end();
}

#[test]
fn a_kill_at_any_commit_of_a_file_changes_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    every_commit(&Place::File(folder.path().join("boundary.db")));
}

#[test]
fn a_kill_at_any_commit_of_a_server_changes_nothing() {
    let database = Runtime::new().expect("a runtime").block_on(Database::fresh());
    every_commit(&Place::Server(database.dealer()));
}
