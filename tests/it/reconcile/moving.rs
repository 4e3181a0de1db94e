//! Reconciliation beside a table that plays and wallets that pay: nothing is taken for damage that only moved.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use razz_dealer::audit::reconcile;
use razz_dealer::engine::TableCommand;
use razz_dealer::store::Store;

use super::scene::{DEAL, Scene, TABLE, chips, player};

#[tokio::test(flavor = "multi_thread")]
async fn what_moves_is_not_damaged() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut scene = Scene::over(&folder.path().join("moving.db")).await;
    scene.create(TABLE, true).await;
    for number in 1..=4 {
        scene.deposit(number, 1_000_000).await;
        scene.sit(number, 300).await;
    }
    let (store, ended) = (Arc::clone(&scene.store), Arc::new(AtomicBool::new(false)));
    let end = Arc::clone(&ended);
    let playing = tokio::spawn(async move {
        let mut hands = 0;
        while !end.load(Ordering::Relaxed) {
            for number in 1..=4 {
                scene.change(TableCommand::AddChips { player: player(number), chips: chips(50) }).await;
                scene.deposit(number, 1).await;
            }
            let hand = scene.play(DEAL).await;
            scene.play_out(hand, false).await;
            hands += 1;
        }
        hands
    });
    let (mut records, mut rounds) = (Vec::new(), 0);
    while rounds < 20 || records.last().is_some_and(|last| *last < 1_000) {
        let only = (rounds % 2 == 0).then_some(TABLE);
        let reconciled = reconcile(&*store as &dyn Store, only, &mut |_| {}).await.expect("reconciled");
        assert_eq!(reconciled.differences, [], "round {rounds}");
        records.push(reconciled.progress.records);
        rounds += 1;
    }
    ended.store(true, Ordering::Relaxed);
    let hands = playing.await.expect("played");
    assert!(hands > 5, "it must move meanwhile: {hands} hands");
}
