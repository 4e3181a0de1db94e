//! An answer that is lost after the commit: the caller is told that nobody knows, and a repeat gets what was lost.

use std::sync::Arc;

use razz_dealer::store::Store;
use razz_dealer::store::sqlite::SqliteStore;

use super::repeats::{Done, all_calls};
use super::scene::Scene;
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
