//! Promise 2 against `kill -9`: what was acknowledged is there, once, and a hand goes on to the end that it would have
//! had.

mod boundary;
mod every_act;
mod life;
mod load;
mod processes;

use std::path::Path;
use std::sync::Arc;

use razz_dealer::cli::embedded::Embedded;
use razz_dealer::dealer::Decks;
use razz_dealer::engine::{Action, Deck, DeckBond, DeckOrigin, Event, Seat, Street, TableEvent, View};
use razz_dealer::grpc::client::Client;
use razz_dealer::ledger::{TableId, Transfer};
use razz_dealer::record::{Seq, StreamEvent, StreamId};
use razz_dealer::shuffle::Nonces;
use razz_dealer::sim::Bots;
use razz_dealer::store::Store;
use razz_dealer::store::sqlite::SqliteStore;
use razz_dealer::world::World;
use razz_dealer::{audit, keyfile, pb};

use crate::process::command::Serve;
use crate::process::request::{Done, PLAYERS, Request, Sixes, read};

/// A request and its answer.
type Journal = Vec<(Request, Done)>;

async fn send(client: &mut Client, journal: &mut Journal, request: Request) -> Done {
    let done = request.send(client).await.unwrap_or_else(|status| panic!("{request:?}: {status:?}"));
    journal.push((request, done.clone()));
    done
}

/// The hand as everybody and as each player sees it.
async fn all_views(client: &mut Client, table: &Sixes) -> Vec<pb::HandView> {
    let mut views = vec![table.hand(client, None).await.expect("the public view")];
    for seat in 1..=PLAYERS {
        let own = table.hand(client, Some(table.viewer(seat))).await.expect("a player's view");
        let down = own.seats.iter().find(|view| view.seat == i32::from(seat)).expect("dealt in");
        assert!(down.down_cards.len() >= 2, "a player sees the own down cards");
        views.push(own);
    }
    views
}

/// What the player to act does next, from what that player sees.
async fn choose(client: &mut Client, table: &Sixes, bots: &mut Bots, seat: Seat) -> (View, Action) {
    let own = read(&table.hand(client, Some(table.viewer(seat.number()))).await.expect("a player's view"));
    let (_, action) = bots.choose(&own).expect("it is this player's turn");
    (own, action)
}

/// As the bot would, but it stays in: so the hand is sure to reach a later street.
fn stay(view: &View, action: Action) -> Action {
    let stays = [Action::Check, Action::Call, Action::BringIn];
    let instead = stays.into_iter().find(|&stays| view.legal.offer(stays).is_some());
    if action == Action::Fold { instead.unwrap_or(action) } else { action }
}

async fn play_one(
    client: &mut Client,
    table: &mut Sixes,
    bots: &mut Bots,
    journal: &mut Journal,
    may_fold: bool,
) -> bool {
    let view = read(&table.hand(client, None).await.expect("the public view"));
    let Some(seat) = view.legal.seat else { return false };
    let (own, action) = choose(client, table, bots, seat).await;
    let action = if may_fold { action } else { stay(&own, action) };
    let act = table.act(&view, seat, action, Some(table.viewer(seat.number())));
    send(client, journal, act).await;
    true
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hand_goes_on_after_kill_9_to_the_same_end() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("hand.db");
    let (mut table, mut bots, mut journal) = (Sixes::new(1, 300, false), Bots::new(9), Vec::new());

    let serve = Serve::start(&path);
    let mut client = serve.client().await;
    for request in table.set_up() {
        send(&mut client, &mut journal, request).await;
    }
    let deal = table.deal();
    send(&mut client, &mut journal, deal).await;
    while read(&table.hand(&mut client, None).await.expect("a hand")).street < Street::Fifth {
        assert!(play_one(&mut client, &mut table, &mut bots, &mut journal, false).await, "the hand ended early");
    }
    play_one(&mut client, &mut table, &mut bots, &mut journal, false).await;
    let before = all_views(&mut client, &table).await;
    let seq = table.seq(&mut client).await;
    serve.kill();

    let serve = Serve::start(&path);
    let mut client = serve.client().await;
    assert_eq!(all_views(&mut client, &table).await, before, "the hand stands as it stood");
    // The last act first: it is the one that a caller would repeat.
    for (request, done) in journal.iter().rev() {
        let again = request.send(&mut client).await.unwrap_or_else(|status| panic!("{request:?}: {status:?}"));
        assert_eq!(&again, done, "{request:?}: a repeat is answered as of its record");
    }
    assert_eq!(table.seq(&mut client).await, seq, "and changes nothing");
    assert_eq!(all_views(&mut client, &table).await, before);

    while play_one(&mut client, &mut table, &mut bots, &mut journal, true).await {}
    let over = read(&table.hand(&mut client, None).await.expect("a hand"));
    let settle = table.settle(&over);
    send(&mut client, &mut journal, settle).await;
    let ended = all_views(&mut client, &table).await;
    assert_eq!(serve.terminate(), Some(0));

    let (deck, killed) = what_was_played(&path, table.table()).await;
    let (undisturbed_views, undisturbed) = undisturbed(deck, &table, &journal).await;
    assert_eq!(ended.iter().map(unscripted).collect::<Vec<_>>(), undisturbed_views);
    assert_eq!(killed, undisturbed);
}

/// The deck that was dealt, with the key that sealed it, and what the record says.
async fn what_was_played(path: &Path, table: TableId) -> (Deck, Vec<Told>) {
    let store = SqliteStore::open(path).await.expect("let go of");
    audit::verify_table(&store, table).await.expect("the record is whole");
    let mut key = path.to_owned().into_os_string();
    key.push(".key");
    let key = keyfile::load_or_create(Path::new(&key), &World::without_entropy()).expect("the key");
    let row = store.deck(table, 1).await.expect("read").expect("the sealed deck");
    let secret = key.open(table.0, 1, &row.sealed).expect("the deck");
    let told = told(&store, StreamId::of_table(table)).await;
    store.close().await;
    (secret.dealt(&Nonces::default()).deck, told)
}

/// The same requests to a service that nobody kills, with the same deck: its last views and its record.
async fn undisturbed(deck: Deck, table: &Sixes, journal: &Journal) -> (Vec<pb::HandView>, Vec<Told>) {
    let decks = Decks::Scripted(Arc::new(move |_, _| Some(deck.clone())));
    let service = Embedded::start(World::system(), decks).await.expect("a service");
    let mut client = Client::connect(service.addr()).await.expect("it listens");
    for (request, done) in journal {
        let answer = request.send(&mut client).await.unwrap_or_else(|status| panic!("{request:?}: {status:?}"));
        assert_eq!(answer.seq, done.seq);
        assert_eq!(answer.hand.as_ref().map(unscripted), done.hand.as_ref().map(unscripted), "{request:?}");
    }
    let views = all_views(&mut client, table).await;
    let told = told(service.store(), StreamId::of_table(table.table())).await;
    service.shut_down().await.expect("a clean end");
    (views.iter().map(unscripted).collect(), told)
}

/// A view without where its deck came from and what hides it: the things in which the two must differ.
pub fn unscripted(hand: &pb::HandView) -> pb::HandView {
    pb::HandView { deck_origin: pb::DeckOrigin::OsEntropy.into(), deck_root: Vec::new(), ..hand.clone() }
}

/// A record without its time: under which request, what happened, and what moved.
type Told = (String, Vec<StreamEvent>, Vec<Transfer>);

async fn told(store: &dyn Store, stream: StreamId) -> Vec<Told> {
    let records = store.records(stream, Seq(0), u32::MAX).await.expect("the records");
    let told = records.iter().map(|sealed| {
        let mut record = sealed.record().expect("a record");
        record.events.iter_mut().for_each(forget_bond);
        (record.request_id, record.events, record.transfers)
    });
    told.collect()
}

pub fn forget_bond(event: &mut StreamEvent) {
    if let StreamEvent::Table(TableEvent::Hand(Event::HandOpened(opening))) = event {
        Arc::make_mut(opening).bond = DeckBond::new(DeckOrigin::OsEntropy, [0; 32]);
    }
}
