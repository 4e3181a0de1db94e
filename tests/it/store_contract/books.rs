//! What an audit reads. What moves is of one moment: head and balances, balance and transfers.

use std::collections::BTreeMap;
use std::sync::Arc;

use razz_dealer::engine::Chips;
use razz_dealer::ledger::Account;
use razz_dealer::record::{Micros, Seq};
use razz_dealer::store::{Facts, HandState, Head, Listed, StoredTransfer, Tally};

use super::{Shared, Tip, both, one, seat, table, transfer, wallet};

pub(super) async fn an_empty_store_has_empty_books(store: Shared) {
    let stream = Tip::of_table(1).stream;
    assert_eq!(store.streams(&[], 10).await, Ok(vec![]));
    assert_eq!(store.record_transfers(stream, Seq(0), Seq(u64::MAX)).await, Ok(vec![]));
    assert_eq!(store.standing(stream, &[Account::House]).await, Ok(None));
    let balances = store.balances(&[], 10).await.expect("balances");
    assert!(balances.iter().all(|one| one.row == Ok((Account::House, 0))), "{balances:?}");
    assert_eq!(store.tally(&Account::House).await, Ok(Tally::default()));
    assert_eq!(store.total().await, Ok(0));
}

pub(super) async fn all_streams_are_listed_by_id(store: Shared) {
    let mut expected = BTreeMap::new();
    for number in 0..7 {
        for mut tip in [Tip::of_table(number * 1_000), Tip::of_wallet(&format!("w{number}"))] {
            tip.write(&*store, "make", vec![]).await.expect("made");
            expected.insert(tip.stream, store.head(tip.stream).await.expect("a head").expect("the stream's"));
        }
    }
    let listed = |head: Head| Listed { key: head.stream.0.to_vec(), row: Ok(head) };
    let expected: Vec<Listed<Head>> = expected.into_values().map(listed).collect();
    assert_eq!(store.streams(&[], 100).await, Ok(expected.clone()));
    for limit in 1..=5 {
        let mut pages: Vec<Listed<Head>> = Vec::new();
        loop {
            let page = store.streams(pages.last().map_or(&[], |last| &last.key), limit).await.expect("a page");
            assert!(page.len() <= usize::try_from(limit).expect("small"));
            if page.is_empty() {
                break;
            }
            pages.extend(page);
        }
        assert_eq!(pages, expected, "in pages of {limit}");
    }
    assert_eq!(store.streams(&[255; 16], 10).await, Ok(vec![]));
}

pub(super) async fn transfers_are_found_by_their_records(store: Shared) {
    let (house, ann, bob) = (Account::House, wallet("ann"), wallet("bob"));
    let (mut purse, mut tip) = (Tip::of_wallet("ann"), Tip::of_table(1));
    purse.write(&*store, "in", vec![transfer(&house, &ann, 100)]).await.expect("deposit");
    let seats = [transfer(&ann, &seat(1, 1), 40), transfer(&ann, &seat(1, 2), 7)];
    tip.write(&*store, "sit", seats.to_vec()).await.expect("seated");
    tip.write(&*store, "nothing", vec![]).await.expect("nothing moved");
    tip.write(&*store, "out", vec![transfer(&seat(1, 1), &bob, 1)]).await.expect("left");
    let found = async |from: u64, to: u64| {
        let found: Vec<StoredTransfer> = store.record_transfers(tip.stream, Seq(from), Seq(to)).await.expect("found");
        found
            .into_iter()
            .map(|stored| {
                assert_eq!(stored.cursor.stream, tip.stream);
                assert_eq!(stored.cursor.at, Micros(1_000 * i64::try_from(stored.cursor.seq.0).expect("small")));
                (stored.cursor.seq.0, stored.cursor.index, stored.transfer)
            })
            .collect::<Vec<_>>()
    };
    let [first, second] = seats;
    let all = vec![(1, 0, first), (1, 1, second), (3, 0, transfer(&seat(1, 1), &bob, 1))];
    assert_eq!(found(0, u64::MAX).await, all);
    assert_eq!(found(1, 2).await, all[..2]);
    assert_eq!(found(2, 2).await, []);
    assert_eq!(found(2, 3).await, all[2..]);
    assert_eq!(found(4, 9).await, []);
}

pub(super) async fn a_head_and_its_balances_are_of_one_moment(store: Shared) {
    const STEPS: u64 = 60;
    let (ann, house) = (wallet("ann"), Account::House);
    let accounts = [ann.clone(), wallet("nobody"), house.clone(), ann.clone()];
    let mut purse = Tip::of_wallet("ann");
    purse.write(&*store, "1", vec![transfer(&house, &ann, 10)]).await.expect("deposit");
    let stream = purse.stream;
    let (head, none) = store.standing(stream, &[]).await.expect("an answer").expect("the stream");
    assert_eq!((Some(head), none), (store.head(stream).await.expect("a head"), vec![]));
    let writing = Arc::clone(&store);
    let writer = tokio::spawn(async move {
        for step in 2..=STEPS {
            let more = vec![transfer(&Account::House, &wallet("ann"), 10)];
            purse.write(&*writing, &step.to_string(), more).await.expect("deposit");
        }
    });
    let mut seen = Vec::new();
    while seen.last() != Some(&STEPS) {
        let (head, balances) = store.standing(stream, &accounts).await.expect("an answer").expect("the stream");
        let holds = 10 * i64::try_from(head.seq.0).expect("small");
        assert_eq!(balances, [holds, 0, -holds, holds], "at record {}", head.seq.0);
        let tally = store.tally(&ann).await.expect("a tally");
        assert_eq!((i128::from(tally.balance), tally.debited), (tally.credited, 0));
        assert_eq!(store.total().await, Ok(0));
        seen.push(head.seq.0);
    }
    writer.await.expect("written");
}

pub(super) async fn every_account_is_listed_once(store: Shared) {
    let mut accounts = vec![Account::Pot(table(1)), Account::Rake(table(1)), wallet("a"), wallet("Żółw")];
    accounts.push(wallet(&"x".repeat(64)));
    accounts.extend((1..=8).map(|number| seat(1, number)));
    let mut expected: BTreeMap<Account, i64> = BTreeMap::from([(Account::House, -91)]);
    let mut transfers = Vec::new();
    for (amount, account) in (1..).zip(&accounts) {
        transfers.push(transfer(&Account::House, account, amount));
        expected.insert(account.clone(), amount);
    }
    let mut all = Tip::of_table(1).step("all", transfers);
    all.state = HandState::Betting;
    store.commit(one(all)).await.expect("moved");
    for limit in [1, 3, 100] {
        let mut pages: Vec<Listed<(Account, i64)>> = Vec::new();
        loop {
            let page = store.balances(pages.last().map_or(&[], |last| &last.key), limit).await.expect("a page");
            assert!(page.len() <= usize::try_from(limit).expect("small"));
            if page.is_empty() {
                break;
            }
            pages.extend(page);
        }
        assert_eq!(pages.len(), expected.len(), "in pages of {limit}");
        let found = pages.into_iter().map(|one| one.row.expect("an account"));
        assert_eq!(found.collect::<BTreeMap<_, _>>(), expected, "in pages of {limit}");
    }
    assert_eq!(store.total().await, Ok(0));
}

/// The sums of an account that had the most there can be ten thousand times are above 2^63.
pub(super) async fn a_tally_is_exact_however_much_moved(store: Shared) {
    const TIMES: i64 = 10_000;
    let (mut ann, house, max) = (Tip::of_wallet("ann"), Account::House, Chips::MAX.units());
    let there = transfer(&house, &wallet("ann"), max);
    let back = transfer(&wallet("ann"), &house, max - 1);
    let again = transfer(&wallet("ann"), &house, 1);
    let steps = (0..TIMES).flat_map(|_| [there.clone(), back.clone(), again.clone()]).chain([there.clone()]);
    ann.write(&*store, "much", steps.collect()).await.expect("moved");
    let (max, times) = (i128::from(max), i128::from(TIMES));
    let expected = Tally { balance: Chips::MAX.units(), credited: max * (times + 1), debited: max * times };
    assert_eq!(store.tally(&wallet("ann")).await, Ok(expected));
    let expected = Tally { balance: -Chips::MAX.units(), credited: max * times, debited: max * (times + 1) };
    assert_eq!(store.tally(&house).await, Ok(expected));
    let (mut one, other) = (Tip::of_table(1), ann.step("sit", vec![]));
    let sit = one.step("sit", vec![transfer(&wallet("ann"), &seat(1, 1), 5)]);
    one = one.after(&sit);
    store.commit(both(sit, other)).await.expect("seated");
    let (head, balances) = store.standing(one.stream, &[seat(1, 1)]).await.expect("an answer").expect("the table");
    assert_eq!((head.seq, balances), (one.seq, vec![5]));
}

pub(super) async fn copies_beside_records_are_those_of_the_records(store: Shared) {
    let mut tip = Tip::of_table(1);
    tip.write(&*store, "make", vec![]).await.expect("made");
    let mut deal = tip.step("deal", vec![transfer(&wallet("ann"), &seat(1, 1), 5)]);
    (deal.hand, deal.state) = (1, HandState::Betting);
    let mut purse = Tip::of_wallet("ann");
    purse.write(&*store, "in", vec![transfer(&Account::House, &wallet("ann"), 5)]).await.expect("deposit");
    store.commit(one(deal)).await.expect("dealt");
    let facts = |seq: u64, request_id: &str, hand: u64, transfers| Facts {
        seq: Seq(seq),
        at: Micros(1_000 * i64::try_from(seq).expect("small")),
        request_id: request_id.to_owned(),
        hand,
        opens: hand > 0,
        begins: (hand > 0).then_some(hand),
        transfers,
    };
    let (made, dealt) = (facts(1, "make", 0, 0), facts(2, "deal", 1, 1));
    let wrong = async |facts: &[Facts]| {
        let wrong = store.wrong_copies(tip.stream, facts).await.expect("compared");
        wrong.into_iter().map(|copy| (copy.seq.0, copy.fact)).collect::<Vec<_>>()
    };
    assert_eq!(wrong(&[]).await, []);
    assert_eq!(wrong(&[made.clone(), dealt.clone()]).await, []);
    assert_eq!(wrong(std::slice::from_ref(&dealt)).await, []);
    let other = Facts { request_id: "other".into(), ..dealt.clone() };
    assert_eq!(wrong(&[made.clone(), other]).await, [(2, "request")]);
    let later = wrong(&[made, Facts { at: Micros(7), ..dealt }]).await;
    assert!(later.contains(&(2, "at")), "{later:?}");
    assert_eq!(store.strays(&[], &[255; 16]).await, Ok(vec![]));
    assert_eq!(store.strays(&tip.stream.0, &[255; 16]).await, Ok(vec![]));
}
