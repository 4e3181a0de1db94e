//! An answer that is lost after the commit: the caller is told that nobody knows, or does not wait for it; a repeat
//! gets what was lost.

use std::sync::Arc;
use std::time::Duration;

use razz_dealer::pb;
use razz_dealer::store::Store;
use razz_dealer::store::sqlite::SqliteStore;

use super::calls::change;
use super::repeats::{Done, all_calls};
use super::scene::{Scene, fresh};
use crate::database::Database;
use crate::faults::{Fault, Faulty};

/// Every answer to every changing call is lost once, over this store; what repeats are told is what a service tells
/// that loses nothing.
async fn every_answer_is_had_by_a_repeat(store: Arc<dyn Store>) {
    let faulty = Arc::new(Faulty::new(store, Fault::AnswerLost, 0));
    let mut s = Scene::over(Arc::clone(&faulty) as Arc<dyn Store>).await;
    let mut done = Done { lost_to: Some(faulty), ..Done::default() };
    all_calls(&mut s, &mut done).await;
    let (mut twin, mut expected) = (Scene::start().await, Done::default());
    all_calls(&mut twin, &mut expected).await;
    assert_eq!(done.calls.len(), expected.calls.len());
    for ((call, _, answer), (_, _, expected)) in done.calls.iter().zip(&expected.calls) {
        assert_eq!(answer, expected, "{}", call.name);
    }
    assert_eq!(s.state().await, twin.state().await);
    s.stop().await;
    twin.stop().await;
}

#[tokio::test]
async fn an_answer_lost_over_a_file_is_had_by_a_repeat() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = SqliteStore::open(&folder.path().join("lost.db")).await.expect("a store");
    every_answer_is_had_by_a_repeat(Arc::new(store)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_lost_over_a_server_is_had_by_a_repeat() {
    let database = Database::fresh().await;
    every_answer_is_had_by_a_repeat(database.store().await).await;
}

/// A caller goes away while its action is committed. Everybody else sees the hand as it then is, and plays on.
async fn a_caller_that_goes_away_leaves_no_old_picture(store: Arc<dyn Store>) {
    let faulty = Arc::new(Faulty::new(store, Fault::DeathAfter, 0));
    let mut s = Scene::over(Arc::clone(&faulty) as Arc<dyn Store>).await;
    s.seat_three(pb::Preset::Pokerstars, false).await;
    let dealt = s.deal().await;
    let act = s.choose(&dealt).expect("an act");
    let (call, id) = (change!(dealer.act(act)), fresh());
    faulty.next();
    tokio::select! {
        answer = call.send(&s, &id) => panic!("{answer:?}"),
        () = faulty.dies() => {}
    }
    let look = tokio::time::timeout(Duration::from_secs(10), s.hand(0, None));
    let hand = look.await.expect("the table waits for nobody who is gone").expect("a hand");
    assert_eq!(hand.seq, dealt.seq + 1, "what is committed is seen");
    let second = s.choose(&hand).expect("an act");
    let second = s.act(second).await;
    assert_eq!(second.seq, dealt.seq + 2);
    assert_eq!(call.send(&s, &id).await.expect("a repeat"), format!("{:?}", pb::ActResponse { hand: Some(hand) }));
    s.stop().await;
}

#[tokio::test]
async fn a_caller_goes_away_over_a_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = SqliteStore::open(&folder.path().join("gone.db")).await.expect("a store");
    a_caller_that_goes_away_leaves_no_old_picture(Arc::new(store)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_caller_goes_away_over_a_server() {
    let database = Database::fresh().await;
    a_caller_that_goes_away_leaves_no_old_picture(database.store().await).await;
}
