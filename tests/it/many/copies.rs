//! One request, however often and wherever it arrives, has one effect and one answer; of two requests for one thing,
//! one is done.

use razz_dealer::grpc::client::{Client, reason};
use razz_dealer::pb;
use razz_dealer::record::{Seq, StreamId};
use razz_dealer::sim::Bots;
use razz_dealer::store::Store;
use razz_dealer::store::postgres::PostgresStore;

use super::{next, seated, sent};
use crate::fleet::{Fleet, clients, shut_down};
use crate::process::request::{Done, Request, Sixes, player_id};

const COPIES: usize = 50;

async fn ids(store: &PostgresStore, stream: StreamId) -> Vec<String> {
    let records = store.records(stream, Seq(0), u32::MAX).await.expect("the records");
    records.iter().map(|sealed| sealed.record().expect("a record").request_id).collect()
}

/// Sends the request fifty times at once, by turns to each dealer. It moves its stream by one record, the last one,
/// and every copy gets the same answer.
async fn copied(clients: &[Client], store: &PostgresStore, request: &Request) -> Done {
    let before = ids(store, request.stream()).await;
    let copies = (0..COPIES).map(|number| {
        let (mut client, request) = (clients[number % clients.len()].clone(), request.clone());
        tokio::spawn(async move { request.send(&mut client).await })
    });
    let copies: Vec<_> = copies.collect();
    let mut answers = Vec::new();
    for copy in copies {
        let answer = copy.await.expect("joined").unwrap_or_else(|status| panic!("{request:?}: {status:?}"));
        answers.push(answer);
    }
    for answer in &answers {
        assert_eq!(answer, &answers[0], "{request:?}");
    }
    let after = ids(store, request.stream()).await;
    assert_eq!(after.len(), before.len() + 1, "{request:?} has one effect");
    assert_eq!((after.last().map(String::as_str), answers[0].seq), (Some(request.id()), after.len() as u64));
    answers.remove(0)
}

#[tokio::test(flavor = "multi_thread")]
async fn fifty_copies_over_two_processes_have_one_effect_and_one_answer() {
    let fleet = Fleet::fresh().await;
    let (one, other) = (fleet.serve(), fleet.serve());
    let (clients, store) = ([one.client().await, other.client().await], fleet.database.store().await);
    let (mut table, mut bots) = (Sixes::new(9, 20_000, false), Bots::new(4));
    let mut journal = Vec::new();
    for request in table.set_up() {
        let done = copied(&clients, &store, &request).await;
        journal.push((request, done));
    }
    for _ in 0..2 {
        let deal = table.deal();
        let mut done = copied(&clients, &store, &deal).await;
        journal.push((deal, done.clone()));
        loop {
            let request = next(&mut table, &mut bots, &done);
            if matches!(request, Request::Deal(_)) {
                break;
            }
            done = copied(&clients, &store, &request).await;
            journal.push((request, done.clone()));
        }
    }
    let kinds = |wanted: fn(&Request) -> bool| journal.iter().filter(|(request, _)| wanted(request)).count();
    assert!(kinds(|it| matches!(it, Request::Act(_))) > 4);
    assert_eq!(kinds(|it| matches!(it, Request::Settle(_))), 2);
    // Hands later, each is answered as of its record, by either process and by one that has seen nothing of it.
    let third = fleet.serve();
    let late = [clients[0].clone(), clients[1].clone(), third.client().await];
    let stands = ids(&store, StreamId::of_table(table.table())).await;
    for (number, (request, done)) in journal.iter().rev().enumerate() {
        let mut client = late[number % late.len()].clone();
        assert_eq!(&sent(&mut client, request).await, done, "{request:?} is answered as of its record");
    }
    assert_eq!(ids(&store, StreamId::of_table(table.table())).await, stands, "and changes nothing");
    let wallet = StreamId::of_wallet(&player_id(&table.player(1)));
    assert_eq!(ids(&store, wallet).await.len(), 2, "a deposit and a buy-in");
    for serve in [one, other, third] {
        assert_eq!(serve.terminate(), Some(0));
    }
    fleet.reconcile().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn two_deals_at_once_through_two_dealers_open_one_hand() {
    let fleet = Fleet::fresh().await;
    let members = fleet.members(2, 5).await;
    let clients = clients(&members);
    let (mut one, mut other) = (clients[0].clone(), clients[1].clone());
    let mut table = Sixes::new(3, 200, false);
    seated(&mut one, &mut table).await;
    for number in 1..=10 {
        let (first, second) = (table.deal(), table.deal());
        let answers = tokio::join!(first.send(&mut one), second.send(&mut other));
        let (dealt, refused) = match answers {
            (Ok(dealt), Err(refused)) | (Err(refused), Ok(dealt)) => (dealt, refused),
            both => panic!("one hand opens: {both:?}"),
        };
        assert_eq!(reason(&refused), "HAND_OPEN", "{refused:?}");
        let hand = dealt.hand.expect("a hand");
        assert_eq!(hand.hand_number, number);
        let void = pb::VoidHandRequest {
            table_id: table.id.clone(),
            hand_number: number,
            reason: "a test".to_owned(),
            request_id: format!("void-{number}"),
            viewer: None,
        };
        let voided = other.dealer.void_hand(void).await.expect("voided").into_inner().hand.expect("a hand");
        assert_eq!(voided.seq, hand.seq + 1, "nothing stands between");
    }
    shut_down(members).await;
    fleet.reconcile().await;
}
