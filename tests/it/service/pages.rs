//! Lists: everything once, whatever the size of the pages, and every account's transfers make its balance.

use std::collections::BTreeSet;

use razz_dealer::pb;

use super::scene::{STAKES, Scene, TABLE, as_player, fresh, player, preset};

#[tokio::test]
async fn every_table_is_listed_once() {
    let mut s = Scene::seated(pb::Preset::Pokerstars, false).await;
    for _ in 0..6 {
        let (stakes, rules) = (STAKES, Some(preset(pb::Preset::Club)));
        let create = pb::CreateTableRequest { stakes, rules, request_id: fresh(), ..Default::default() };
        s.client.tables.create_table(create).await.expect("a table");
    }
    for page_size in [0, 1, 2, 3, 7, 8, i32::MAX] {
        let (mut page_token, mut ids) = (String::new(), Vec::new());
        loop {
            let list = pb::ListTablesRequest { page_size, page_token };
            let page = s.client.tables.list_tables(list).await.expect("a page").into_inner();
            assert!(page_size == 0 || page.tables.len() <= usize::try_from(page_size).expect("positive"));
            ids.extend(page.tables.into_iter().map(|table| table.table_id));
            page_token = page.next_page_token;
            if page_token.is_empty() {
                break;
            }
        }
        assert_eq!(ids.len(), 7, "pages of {page_size}");
        assert!(ids.is_sorted() && ids.iter().collect::<BTreeSet<_>>().len() == 7, "{ids:?}");
        assert!(ids.contains(&TABLE.to_owned()));
    }
    s.stop().await;
}

fn accounts() -> Vec<pb::account::Kind> {
    use pb::account::{House, Kind, Pot, Rake, Seat, Wallet};
    let table_id = || TABLE.to_owned();
    let mut all =
        vec![Kind::House(House {}), Kind::Pot(Pot { table_id: table_id() }), Kind::Rake(Rake { table_id: table_id() })];
    for seat in 1..=3 {
        all.push(Kind::Wallet(Wallet { player_id: player(seat) }));
        all.push(Kind::Seat(Seat { table_id: table_id(), seat }));
    }
    all
}

/// What came in less what went out, over pages of this size; each transfer once, in order of time.
async fn sum_of(s: &mut Scene, kind: &pb::account::Kind, page_size: i32) -> (i64, usize) {
    let account = Some(pb::Account { kind: Some(kind.clone()) });
    let (mut page_token, mut sum, mut seen, mut at) = (String::new(), 0, BTreeSet::new(), 0);
    loop {
        let list = pb::ListTransfersRequest { account: account.clone(), page_size, page_token };
        let page = s.client.ledger.list_transfers(list).await.expect("a page").into_inner();
        for posted in page.transfers {
            let transfer = posted.transfer.expect("a transfer");
            assert!(transfer.amount > 0 && posted.at_us >= at);
            at = posted.at_us;
            assert!(seen.insert((posted.stream_id, posted.seq, posted.index)), "a transfer came twice");
            assert!(transfer.from_account != transfer.to_account);
            assert!(transfer.from_account == account || transfer.to_account == account, "{transfer:?} of {kind:?}");
            sum += if transfer.to_account == account { transfer.amount } else { -transfer.amount };
        }
        page_token = page.next_page_token;
        if page_token.is_empty() {
            return (sum, seen.len());
        }
    }
}

#[tokio::test]
async fn transfers_make_the_balances() {
    let mut s = Scene::seated(pb::Preset::Pokerstars, true).await;
    let rake = Some(pb::Rake { amount: 1, step: 20, caps: Vec::new(), none_on_third: false });
    let rules = Some(pb::HouseRules { rake, ..preset(pb::Preset::Pokerstars) });
    let (table_id, request_id) = (TABLE.to_owned(), fresh());
    let raked = pb::ChangeRulesRequest {
        table_id,
        request_id,
        stakes: STAKES,
        rules,
        auto_settle: true,
        act_allowance_ms: 0,
        settle_after_ms: 0,
        nonces: false,
        reveal_deck: false,
    };
    s.client.tables.change_rules(raked).await.expect("changed");
    for _ in 0..4 {
        let hand = s.deal().await;
        s.play_out(hand).await;
    }
    let open = s.deal().await;
    assert!(s.hand(0, Some(as_player(1))).await.is_some());
    let mut total = 0;
    let mut raked = 0;
    for kind in accounts() {
        let balance = s.balance(kind.clone()).await;
        let whole = sum_of(&mut s, &kind, 0).await;
        for page_size in [1, 2, 5, 1000] {
            assert_eq!(sum_of(&mut s, &kind, page_size).await, whole, "{kind:?} in pages of {page_size}");
        }
        assert_eq!(whole.0, balance, "{kind:?}");
        assert!(balance >= 0 || matches!(kind, pb::account::Kind::House(_)), "{kind:?} is below zero");
        if matches!(kind, pb::account::Kind::Pot(_)) {
            assert_eq!(balance, open.seats.iter().map(|seat| seat.brought).sum::<i64>());
        }
        if matches!(kind, pb::account::Kind::Rake(_)) {
            raked = balance;
        }
        total += balance;
    }
    assert_eq!(total, 0);
    assert!(raked > 0, "no hand was raked");
    // Accounts that never had a transfer hold nothing, of tables that are none too.
    let table_id = super::refusals::OTHER.to_owned();
    assert_eq!(s.balance(pb::account::Kind::Pot(pb::account::Pot { table_id })).await, 0);
    s.stop().await;
}
