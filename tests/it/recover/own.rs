//! What dealers do of their own accord: in time, once between all of them, and under a name that is theirs alone.

use std::time::Duration;

use razz_dealer::dealer::Troubled;
use razz_dealer::grpc::client::{fact, reason};
use razz_dealer::pb;
use razz_dealer::record::StreamId;
use razz_dealer::store::{HandState, Head, Store};
use tonic::Code;

use super::scene::{Table, settlements};
use crate::fleet::{Fleet, Member, clients, shut_down};
use crate::process::request::Request;

async fn head(members: &[Member], table: &Table) -> Head {
    members[0].store.head(StreamId::of_table(table.id())).await.expect("a head").expect("a head")
}

#[tokio::test(flavor = "multi_thread")]
async fn three_dealers_and_a_caller_settle_a_hand_once() {
    let fleet = Fleet::fresh().await;
    let members = fleet.members(3, 31).await;
    let mut client = clients(&members).remove(1);
    let mut tables: Vec<Table> = (1..=12).map(|number| Table::new(number, 1)).collect();
    for table in &mut tables {
        table.seat(&mut client).await;
        table.play_out(&mut client).await;
    }
    tokio::time::sleep(Duration::from_millis(10)).await;
    let before = head(&members, &tables[11]).await;
    let requests: Vec<Request> = tables.iter_mut().map(Table::settlement).collect();
    let callers = requests.iter().cloned().map(|request| {
        let mut client = client.clone();
        tokio::spawn(async move { request.send(&mut client).await.expect("settled, whoever was faster") })
    });
    let callers: Vec<_> = callers.collect();
    let [one, two, three] = &members[..] else { panic!("three members") };
    let [mut first, mut second, mut third] = [(); 3].map(|()| Troubled::default());
    let counts = tokio::join!(
        one.dealer.settle_due(&mut first),
        two.dealer.settle_due(&mut second),
        three.dealer.settle_due(&mut third)
    );
    let counts = [counts.0, counts.1, counts.2].map(|round| round.expect("settled").settled);
    let mut answers = Vec::new();
    for caller in callers {
        answers.push(caller.await.expect("an answer"));
    }
    let mut own = 0;
    for ((table, request), answer) in tables.iter().zip(&requests).zip(&answers) {
        let settled = settlements(&*members[0].store, table.id()).await;
        let by_dealer = ("dealer".to_owned(), "razz-dealer/settle/1".to_owned());
        assert_eq!(settled.len(), 1, "{settled:?}");
        own += u32::from(settled[0] == by_dealer);
        assert!([by_dealer, ("platform".to_owned(), request.id().to_owned())].contains(&settled[0]), "{settled:?}");
        let head = head(&members, table).await;
        assert_eq!((head.state, head.deadline, head.seq.0), (HandState::Idle, None, answer.seq));
    }
    assert_eq!(head(&members, &tables[11]).await.seq, before.seq.next(), "one record, and no more");
    assert_eq!(counts.iter().sum::<u32>(), own, "each says what it has done itself: {counts:?}");
    assert_eq!(
        members[2].dealer.settle_due(&mut Troubled::default()).await.expect("looked at").settled,
        0,
        "nothing is left"
    );
    shut_down(members).await;
    fleet.reconcile().await;
}

/// Running services do it by themselves, in their own time, and as one.
#[tokio::test(flavor = "multi_thread")]
async fn running_services_settle_what_is_due() {
    let fleet = Fleet::fresh().await;
    let serves = [fleet.serve(), fleet.serve(), fleet.serve()];
    let mut client = serves[0].client().await;
    let (mut soon, mut never) = (Table::new(1, 300), Table::new(2, 0));
    for table in [&mut soon, &mut never] {
        table.seat(&mut client).await;
        table.play_out(&mut client).await;
    }
    let store = fleet.database.store().await;
    let mut waited = 0;
    while settlements(&*store, soon.id()).await.is_empty() {
        tokio::time::sleep(Duration::from_millis(100)).await;
        waited += 1;
        assert!(waited < 100, "a hand that is due is settled");
    }
    tokio::time::sleep(Duration::from_millis(2_500)).await;
    assert_eq!(settlements(&*store, soon.id()).await.len(), 1);
    assert!(settlements(&*store, never.id()).await.is_empty());
    store.close().await;
    for serve in serves {
        assert_eq!(serve.terminate(), Some(0));
    }
    fleet.reconcile().await;
}

fn change(table: &Table, settle_after_ms: u32, id: &str) -> Request {
    let mut set_up = table.sixes.clone().set_up();
    let Request::Create(create) = set_up.remove(0) else { panic!("a table is made first") };
    Request::Change(pb::ChangeRulesRequest {
        table_id: create.table_id,
        request_id: id.to_owned(),
        stakes: create.stakes,
        rules: create.rules,
        auto_settle: create.auto_settle,
        act_allowance_ms: create.act_allowance_ms,
        settle_after_ms,
        nonces: false,
        reveal_deck: false,
    })
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hand_is_settled_after_the_time_that_it_began_with() {
    let fleet = Fleet::fresh().await;
    let members = fleet.members(2, 32).await;
    let mut client = clients(&members).remove(0);
    let mut table = Table::new(1, 3_600_000);
    table.seat(&mut client).await;
    table.play_out(&mut client).await;
    let due = head(&members, &table).await.deadline.expect("it is settled some time");
    change(&table, 1, "sooner").send(&mut client).await.expect("changed");
    tokio::time::sleep(Duration::from_millis(50)).await;
    assert_eq!(head(&members, &table).await.deadline, Some(due), "other settings do not move it");
    for member in &members {
        assert_eq!(
            member.dealer.settle_due(&mut Troubled::default()).await.expect("looked at").settled,
            0,
            "nothing is settled before its time"
        );
    }
    table.settle(&mut client).await;
    // The next hand begins with the new time; a change in its middle comes too late for it.
    let deal = table.sixes.deal();
    table.last = Some(deal.send(&mut client).await.expect("dealt"));
    change(&table, 0, "never").send(&mut client).await.expect("changed");
    table.play_out(&mut client).await;
    tokio::time::sleep(Duration::from_millis(50)).await;
    assert_eq!(members[1].dealer.settle_due(&mut Troubled::default()).await.expect("looked at").settled, 1);
    table.play_out(&mut client).await;
    assert_eq!(head(&members, &table).await.deadline, None, "from the third hand on, never");
    shut_down(members).await;
    fleet.reconcile().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn no_caller_can_take_the_name_of_a_dealers_own_request() {
    let fleet = Fleet::fresh().await;
    let members = fleet.members(1, 33).await;
    let mut client = clients(&members).remove(0);
    let mut table = Table::new(1, 1);
    table.seat(&mut client).await;
    table.play_out(&mut client).await;
    for id in ["razz-dealer/settle/1", "razz-dealer/"] {
        let Request::Settle(mut settle) = table.settlement() else { panic!("a settlement") };
        id.clone_into(&mut settle.request_id);
        let status = client.dealer.settle(settle).await.expect_err("the dealer's own");
        assert_eq!((status.code(), reason(&status).as_str()), (Code::InvalidArgument, "FIELD_INVALID"));
        assert_eq!(fact(&status, "field").as_deref(), Some("request_id"));
        assert!(fact(&status, "expected").is_some_and(|text| text.contains("razz-dealer/")), "{status:?}");
    }
    tokio::time::sleep(Duration::from_millis(10)).await;
    assert_eq!(members[0].dealer.settle_due(&mut Troubled::default()).await.expect("looked at").settled, 1);
    shut_down(members).await;
}
