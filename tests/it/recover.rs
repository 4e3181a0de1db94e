//! What a crash or a forgetful caller leaves behind: open hands wait for their players, hands that are played out for
//! Settle or for their time; and what is done without being asked is done once. Promise 2.

mod damaged;
mod own;
mod scene;

use std::time::Duration;

use razz_dealer::engine::Status;
use razz_dealer::pb;

use crate::many::{next, sent};
use crate::process::command::Ended;
use crate::process::request::read;
use scene::{Place, Table, settlements};

fn says(ended: &Ended, parts: &[&str]) {
    assert_eq!(ended.code, Some(0), "{}{}", ended.out, ended.err);
    for part in parts {
        assert!(ended.out.contains(part), "{part:?} is not in: {}", ended.out);
    }
}

/// A killed service leaves a hand that waits for a player, one that waits for Settle, one that is settled in an hour,
/// and a table without a hand.
async fn open_hands_wait(place: Place) {
    let serve = place.serve();
    let mut client = serve.client().await;
    let mut tables = [Table::new(1, 0), Table::new(2, 0), Table::new(3, 3_600_000), Table::new(4, 0)];
    let mut waits_for = 0;
    for (number, table) in tables.iter_mut().enumerate() {
        table.seat(&mut client).await;
        match number {
            0 => {
                let dealt = sent(&mut client, &table.sixes.deal()).await;
                let opened = sent(&mut client, &next(&mut table.sixes, &mut table.bots, &dealt)).await;
                waits_for = opened.hand.as_ref().expect("a hand").to_act;
                table.last = Some(opened);
            }
            3 => {}
            _ => table.play_out(&mut client).await,
        }
    }
    let mut shown = Vec::new();
    for table in &tables[..3] {
        shown.push(table.sixes.hand(&mut client, None).await.expect("a hand"));
    }
    serve.kill();

    let before = place.heads(&tables).await;
    let told = |number: usize, words: &str| format!("table {} hand 1: {words}\n", tables[number].sixes.id);
    let waits = told(0, &format!("waits for seat {waits_for}"));
    let asked = told(1, "played out: waits for Settle");
    let counts = "1 wait for a player, 2 are played out and wait for Settle, 0 are to be settled now\n0 settled";
    let later = format!("table {} hand 1: played out: settled without being asked in 35", tables[2].sixes.id);
    let dry = place.recover(&["--dry-run"]);
    says(&dry, &[&waits, &asked, &later, counts, "0 settled (a dry run)\n"]);
    assert!(!dry.out.contains(&tables[3].sixes.id), "a table without a hand waits for nobody: {}", dry.out);
    says(&place.recover(&[]), &[&waits, &asked, &later, counts]);
    assert_eq!(place.heads(&tables).await, before, "nothing is settled that nobody asked for");

    let serve = place.serve();
    let mut client = serve.client().await;
    tokio::time::sleep(Duration::from_millis(1_500)).await;
    for (table, shown) in tables.iter().zip(&shown) {
        assert_eq!(&table.sixes.hand(&mut client, None).await.expect("a hand"), shown, "it stands as it stood");
    }
    tables[0].play_out(&mut client).await;
    for table in &mut tables[..3] {
        table.settle(&mut client).await;
    }
    assert_eq!(serve.terminate(), Some(0));
    says(&place.recover(&["--dry-run"]), &["0 wait for a player, 0 are played out", "0 are to be settled now"]);
    for table in &tables[..3] {
        assert_eq!(
            settlements(&*place.store().await, table.id()).await,
            [("platform".to_owned(), table.settled.clone())]
        );
    }
    place.reconcile().await;
}

/// With `settle_after_ms` a killed service's hand is settled by the command, once, and not before its time.
async fn the_command_settles_what_is_due(place: Place) {
    const AFTER: u32 = 4_000;
    let serve = place.serve();
    let mut client = serve.client().await;
    let mut tables = [Table::new(1, AFTER), Table::new(2, 0)];
    for table in &mut tables {
        table.seat(&mut client).await;
        table.play_out(&mut client).await;
    }
    serve.kill();
    let before = place.heads(&tables).await;
    says(&place.recover(&[]), &["played out: settled without being asked in", "0 settled\n"]);
    assert_eq!(place.heads(&tables).await, before, "nothing is settled before its time");
    tokio::time::sleep(Duration::from_millis(u64::from(AFTER))).await;
    says(&place.recover(&["--dry-run"]), &["played out: to be settled now", "1 are to be settled now", "a dry run"]);
    assert_eq!(place.heads(&tables).await, before, "a dry run changes nothing");
    says(&place.recover(&[]), &["1 are to be settled now", "1 settled\n"]);
    says(&place.recover(&[]), &["0 are to be settled now", "0 settled\n"]);
    let store = place.store().await;
    let own = ("dealer".to_owned(), "razz-dealer/settle/1".to_owned());
    assert_eq!(settlements(&*store, tables[0].id()).await, [own]);
    assert_eq!(settlements(&*store, tables[1].id()).await, [], "a table that never said so");
    store.close().await;
    place.reconcile().await;
    // What is settled can be asked for all the same, and the table goes on.
    let serve = place.serve();
    let mut client = serve.client().await;
    let [table, _] = &mut tables;
    table.settle(&mut client).await;
    table.play_out(&mut client).await;
    assert_eq!(table.last.as_ref().and_then(|done| done.hand.as_ref()).map(|hand| hand.hand_number), Some(2));
    assert_eq!(serve.terminate(), Some(0));
    place.reconcile().await;
}

/// A hand in the middle of which the service was killed, and one that is played out, give every chip back.
async fn a_voided_hand_gives_every_chip_back(place: Place) {
    let serve = place.serve();
    let mut client = serve.client().await;
    let mut tables = [Table::new(1, 0), Table::new(2, 0)];
    let mut fronts = Vec::new();
    for table in &mut tables {
        table.seat(&mut client).await;
        fronts.push(table.chips(&mut client).await);
        let mut done = sent(&mut client, &table.sixes.deal()).await;
        for _ in 0..5 {
            done = sent(&mut client, &next(&mut table.sixes, &mut table.bots, &done)).await;
        }
        table.last = Some(done);
    }
    tables[1].play_out(&mut client).await;
    serve.kill();
    let serve = place.serve();
    let mut client = serve.client().await;
    for (table, front) in tables.iter_mut().zip(&fronts) {
        let table_id = table.sixes.id.clone();
        let (reason, request_id) = ("a crash".to_owned(), "void".to_owned());
        let void = pb::VoidHandRequest { table_id, hand_number: 1, reason, request_id, viewer: None };
        let voided = client.dealer.void_hand(void.clone()).await.expect("voided").into_inner();
        assert_eq!(client.dealer.void_hand(void).await.expect("again").into_inner(), voided);
        assert!(matches!(read(voided.hand.as_ref().expect("a hand")).status, Status::Voided(_)));
        assert_eq!(&table.chips(&mut client).await, front, "every chip is back");
        table.play_out(&mut client).await;
    }
    assert_eq!(serve.terminate(), Some(0));
    place.reconcile().await;
}

/// Makes a test of each over both kinds of database.
macro_rules! over_both {
    ($($promise:ident),+ $(,)?) => {
        mod over_sqlite {
            $(
                #[tokio::test(flavor = "multi_thread")]
                async fn $promise() {
                    super::$promise(super::Place::file()).await;
                }
            )+
        }
        mod over_postgres {
            $(
                #[tokio::test(flavor = "multi_thread")]
                async fn $promise() {
                    super::$promise(super::Place::server().await).await;
                }
            )+
        }
    };
}

over_both! { open_hands_wait, the_command_settles_what_is_due, a_voided_hand_gives_every_chip_back }
