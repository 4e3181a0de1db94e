//! Many commands at once: each as if it were alone.

use std::sync::Arc;

use razz_dealer::ledger::Account;
use razz_dealer::record::chain;
use razz_dealer::store::StoreError;
use razz_dealer::world::World;
use tokio::task::JoinSet;

use super::{Shared, Tip, both, ends_at, one, seat, stands_at, transfer, wallet};

pub(super) async fn one_of_many_wins_a_head(store: Shared) {
    let mut tip = Tip::of_table(1);
    for round in 0..10 {
        let mut racers = JoinSet::new();
        for racer in 0..16 {
            let (store, step) = (Arc::clone(&store), tip.step(&format!("{round}/{racer}"), vec![]));
            let after = tip.after(&step);
            racers.spawn(async move { (store.commit(one(step)).await, after) });
        }
        let outcomes = racers.join_all().await;
        let winners: Vec<&Tip> = outcomes.iter().filter(|(outcome, _)| outcome.is_ok()).map(|(_, tip)| tip).collect();
        let lost = outcomes.iter().filter(|(outcome, _)| *outcome == Err(StoreError::Conflict));
        assert_eq!((winners.len(), lost.count()), (1, 15));
        tip = winners[0].clone();
        ends_at(&*store, &tip).await;
    }
}

/// One request decided twice at the same time, in the same place or in the next, alone or with a wallet: one of the
/// two counts, and the other is known, or lost to it.
pub(super) async fn a_request_sent_twice_at_once_counts_once(store: Shared) {
    one_of_two_counts(&[store]).await;
}

/// The two of each pair go to the first and to the last of these stores, in either order.
pub(super) async fn one_of_two_counts(stores: &[Shared]) {
    let (mut table, mut purse) = (Tip::of_table(1), Tip::of_wallet("ann"));
    for round in 0..80 {
        let id = format!("r{round}");
        let first = table.step(&id, vec![transfer(&Account::House, &seat(1, 1), 1)]);
        let mut second = if round % 2 == 0 { table.clone() } else { table.after(&first) }.step(&id, vec![]);
        second.sealed.bytes.push(b'2');
        second.sealed.hash = chain(table.hash, second.sealed.stream, second.sealed.seq, &second.sealed.bytes);
        let half = purse.step("", vec![]);
        let with_wallet = round % 4 > 1;
        let pair = [(first, true), (second, false)]
            .map(|(step, with)| if with && with_wallet { both(step, half.clone()) } else { one(step) });
        let [first, second] = pair.clone();
        let (here, there) = (&stores[round / 4 % stores.len()], &stores[(round / 4 + 1) % stores.len()]);
        let outcomes = tokio::join!(here.commit(first), there.commit(second));
        let (winner, other) = match &outcomes {
            (Ok(()), other) => (&pair[0], other),
            (other, Ok(())) => (&pair[1], other),
            neither => panic!("round {round}: {neither:?}"),
        };
        let is_told = matches!(other, Err(StoreError::DuplicateRequest | StoreError::Conflict));
        assert!(is_told, "round {round}: {other:?}");
        table = table.after(&winner.moves[0]);
        if winner.moves.len() > 1 {
            purse = purse.after(&half);
        }
        assert_eq!(here.find_request(table.stream, &id).await, Ok(Some(winner.moves[0].sealed.clone())));
        ends_at(&**there, &table).await;
        ends_at(&**there, &purse).await;
    }
    let counted = stores[0].balance(&seat(1, 1)).await.expect("a balance");
    assert!(counted > 40, "the first of a pair counted {counted} times");
}

/// Sends, in each round, one command to each of many tables at the same time, most of them bad in some way.
pub(super) async fn bad_neighbours_hurt_nobody(store: Shared) {
    let mut tips: Vec<(Tip, Tip)> = Vec::new();
    for number in 0..42 {
        let (mut table, mut purse) = (Tip::of_table(number), Tip::of_wallet(&format!("p{number}")));
        table.write(&*store, "make", vec![]).await.expect("made");
        let chips = transfer(&Account::House, &wallet(&format!("p{number}")), 10);
        purse.write(&*store, "in", vec![chips]).await.expect("deposit");
        tips.push((table, purse));
    }
    for round in 0..6 {
        let mut sent = JoinSet::new();
        for (number, (table, purse)) in (0_u16..).zip(&tips) {
            let (fresh, id) = (|transfers| table.step(&format!("r{round}"), transfers), format!("p{number}"));
            let to_seat = |amount| vec![transfer(&wallet(&id), &seat(number, 1), amount)];
            let behind = |tip: &Tip| Tip::new(tip.kind, tip.stream);
            let (commit, expected) = match (number + round) % 6 {
                0 => (both(fresh(to_seat(1)), purse.step("", vec![])), Ok(())),
                1 => (both(fresh(to_seat(11)), purse.step("", vec![])), Err(StoreError::BalanceOutOfBounds)),
                2 => (one(table.step("make", vec![])), Err(StoreError::DuplicateRequest)),
                3 => (one(behind(table).step("late", vec![])), Err(StoreError::Conflict)),
                4 => (both(fresh(to_seat(1)), behind(purse).step("", vec![])), Err(StoreError::Conflict)),
                _ => (one(behind(table).step("make", vec![])), Err(StoreError::DuplicateRequest)),
            };
            let store = Arc::clone(&store);
            sent.spawn(async move {
                assert_eq!(store.commit(commit.clone()).await, expected, "table {number} in round {round}");
                (usize::from(number), commit, expected.is_ok())
            });
        }
        for (number, commit, is_in) in sent.join_all().await {
            if is_in {
                let (table, purse) = &mut tips[number];
                (*table, *purse) = (table.after(&commit.moves[0]), purse.after(&commit.moves[1]));
            }
        }
    }
    for (number, (table, purse)) in (0..).zip(&tips) {
        ends_at(&*store, table).await;
        ends_at(&*store, purse).await;
        assert_eq!((table.seq.0, purse.seq.0), (2, 2), "one round of six was good");
        assert_eq!(store.balance(&seat(number, 1)).await, Ok(1));
        assert_eq!(store.balance(&wallet(&format!("p{number}"))).await, Ok(9));
    }
}

/// Commands whose second half is stale move the first head for a moment; nobody must see that.
pub(super) async fn a_read_sees_only_what_is_committed(store: Shared) {
    let (mut table, mut purse) = (Tip::of_table(1), Tip::of_wallet("ann"));
    table.write(&*store, "make", vec![]).await.expect("made");
    let stale = purse.clone();
    purse.write(&*store, "in", vec![]).await.expect("made");
    let writer = {
        let (store, table) = (Arc::clone(&store), table.clone());
        tokio::spawn(async move {
            for round in 0..100 {
                let half = both(table.step(&format!("r{round}"), vec![]), stale.step("", vec![]));
                assert_eq!(store.commit(half).await, Err(StoreError::Conflict));
            }
        })
    };
    let mut reads = 0;
    while !writer.is_finished() || reads < 100 {
        assert_eq!(stands_at(&*store, &table).await, Some((table.seq, table.hash)));
        reads += 1;
    }
    writer.await.expect("the writer's own checks");
}

/// 64 callers, each on its own table; says how fast that was, for the record.
pub(super) async fn many_streams_write_at_once(store: Shared) {
    const COMMANDS: i64 = 20;
    let (world, mut callers) = (World::system(), JoinSet::new());
    let start = world.now();
    for number in 0..64 {
        let (store, mut tip) = (Arc::clone(&store), Tip::of_table(number));
        callers.spawn(async move {
            for command in 0..COMMANDS {
                let chips = transfer(&Account::House, &seat(number, 1), 1);
                tip.write(&*store, &format!("c{command}"), vec![chips]).await.expect("written");
            }
            tip
        });
    }
    let tips = callers.join_all().await;
    let micros = (world.now() - start).max(1);
    println!("{} commands of one transfer a second, 64 callers", 64 * COMMANDS * 1_000_000 / micros);
    for tip in &tips {
        ends_at(&*store, tip).await;
    }
    assert_eq!(store.balance(&Account::House).await, Ok(-64 * COMMANDS));
}
