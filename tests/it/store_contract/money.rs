//! Transfers and balances: promise 2, as the database keeps it.

use std::collections::BTreeMap;

use razz_dealer::engine::Chips;
use razz_dealer::ledger::Account;
use razz_dealer::store::{HandState, Store, StoreError, StoredTransfer};

use super::{Shared, Tip, ends_at, one, seat, table, transfer, wallet};

pub(super) async fn an_overdraft_is_refused_whole(store: Shared) {
    let (house, ann, bob) = (Account::House, wallet("ann"), wallet("bob"));
    let mut tip = Tip::of_wallet("ann");
    tip.write(&*store, "in", vec![transfer(&house, &ann, 100)]).await.expect("deposit");
    let overdrafts = [
        vec![transfer(&ann, &house, 101)],
        vec![transfer(&ann, &house, 60), transfer(&ann, &bob, 41)],
        vec![transfer(&bob, &ann, 1)],
    ];
    for overdraft in overdrafts {
        assert_eq!(tip.clone().write(&*store, "out", overdraft).await, Err(StoreError::BalanceOutOfBounds));
    }
    assert_eq!(store.balance(&ann).await, Ok(100));
    assert_eq!(store.balance(&bob).await, Ok(0));
    assert_eq!(store.balance(&house).await, Ok(-100));
    ends_at(&*store, &tip).await;
    tip.write(&*store, "out", vec![transfer(&ann, &house, 100)]).await.expect("all of it, and the id is still free");
    assert_eq!(store.balance(&ann).await, Ok(0));
    ends_at(&*store, &tip).await;
}

fn table_pot() -> Account {
    Account::Pot(table(1))
}

pub(super) async fn all_chips_fit_below_the_ceiling(store: Shared) {
    let (mut ann, mut bob) = (Tip::of_wallet("ann"), Tip::of_wallet("bob"));
    let max = Chips::MAX.units();
    ann.write(&*store, "in", vec![transfer(&Account::House, &wallet("ann"), max)]).await.expect("all there can be");
    let one_more = vec![transfer(&Account::House, &wallet("bob"), 1)];
    assert_eq!(bob.write(&*store, "in", one_more.clone()).await, Err(StoreError::BalanceOutOfBounds));
    assert_eq!(store.balance(&Account::House).await, Ok(-max));
    ann.write(&*store, "out", vec![transfer(&wallet("ann"), &Account::House, 1)]).await.expect("room is made");
    bob.write(&*store, "in", one_more).await.expect("and used");
    assert_eq!(store.balance(&wallet("bob")).await, Ok(1));
}

pub(super) async fn transfers_are_listed_in_order_page_by_page(store: Shared) {
    // Records of three streams share their moments, and each record moves chips of the wallet in both directions.
    let mut tips = [Tip::of_wallet("ann"), Tip::of_table(2), Tip::of_table(1)];
    let (ann, rake) = (wallet("ann"), Account::Rake(table(2)));
    let mut amount = 0;
    for round in 0..3 {
        for tip in &mut tips {
            amount += 10;
            let back = if tip.stream == Tip::of_table(2).stream { &rake } else { &Account::House };
            let there = vec![transfer(&Account::House, &ann, amount), transfer(&ann, back, amount - 1)];
            tip.write(&*store, &format!("r{round}"), there).await.expect("moved");
        }
    }
    let all = store.transfers(&ann, None, 100).await.expect("transfers");
    assert_eq!(all.len(), 18);
    assert!(all.is_sorted_by(|one, next| one.cursor < next.cursor), "by moment, stream, record, place");
    for limit in 1..=5 {
        let mut pages: Vec<StoredTransfer> = Vec::new();
        loop {
            let after = pages.last().map(|last| last.cursor);
            let page = store.transfers(&ann, after, limit).await.expect("a page");
            if page.is_empty() {
                break;
            }
            assert!(page.len() <= usize::try_from(limit).expect("small"));
            pages.extend(page);
        }
        assert_eq!(pages, all, "in pages of {limit}");
    }
    let raked = store.transfers(&rake, None, 100).await.expect("transfers");
    assert!(raked.iter().all(|stored| *stored.transfer.to() == rake) && raked.len() == 3);
}

pub(super) async fn balances_are_the_sums_of_transfers(store: Shared) {
    let mut accounts = vec![Account::House, table_pot(), Account::Rake(table(1))];
    accounts.extend(["a", "Żółw", &"x".repeat(64)].map(wallet));
    accounts.extend((1..=8).map(|number| seat(1, number)));
    let mut tip = Tip::of_table(1);
    let mut refused = 0;
    // A fixed walk over the accounts: each step is some transfer between two of them, some of them too large.
    for step in 0_usize..200 {
        let from = if step % 3 == 0 { &Account::House } else { &accounts[step * 7 % accounts.len()] };
        let to = &accounts[(step * 5 + 1) % accounts.len()];
        if from == to {
            continue;
        }
        let amount = i64::try_from(step * 31 % 97 + 1).expect("small");
        let mut step = tip.step(&format!("s{step}"), vec![transfer(from, to, amount)]);
        // There may be chips in the pot.
        step.state = HandState::Betting;
        let after = tip.after(&step);
        match store.commit(one(step)).await {
            Err(StoreError::BalanceOutOfBounds) => refused += 1,
            outcome => {
                outcome.expect("moved");
                tip = after;
            }
        }
    }
    assert!(refused > 20, "the walk must also try what cannot be: {refused}");
    let mut total = 0;
    for account in &accounts {
        let balance = store.balance(account).await.expect("a balance");
        assert_eq!(balance, sum_of(&*store, account).await, "{account}");
        assert!(balance >= 0 || *account == Account::House);
        total += balance;
    }
    assert_eq!(total, 0, "chips were made or lost");
}

/// What the account's transfers come to.
async fn sum_of(store: &dyn Store, account: &Account) -> i64 {
    let mut sums: BTreeMap<Account, i64> = BTreeMap::new();
    for stored in store.transfers(account, None, u32::MAX).await.expect("transfers") {
        *sums.entry(stored.transfer.from().clone()).or_default() -= stored.transfer.amount().units();
        *sums.entry(stored.transfer.to().clone()).or_default() += stored.transfer.amount().units();
    }
    sums.get(account).copied().unwrap_or(0)
}
