//! A repeated request is done once, and answered as it was.

use razz_dealer::grpc::client::reason;
use razz_dealer::pb;

use super::scene::{Scene, TABLE, deal, fresh, player, take_seat};

#[tokio::test]
async fn a_repeat_is_answered_from_then() {
    let mut s = Scene::seated(pb::Preset::Pokerstars, false).await;
    let (mut dealer, mut tables, mut ledger) =
        (s.client.dealer.clone(), s.client.tables.clone(), s.client.ledger.clone());
    let add = pb::AddChipsRequest { table_id: TABLE.to_owned(), player_id: player(1), chips: 7, request_id: fresh() };
    let added = tables.add_chips(add.clone()).await.expect("added").into_inner();
    let deposit = pb::DepositRequest { player_id: player(1), chips: 9, request_id: fresh() };
    let deposited = ledger.deposit(deposit.clone()).await.expect("deposited").into_inner();
    let deal = deal();
    let dealt = dealer.deal(deal.clone()).await.expect("dealt").into_inner();
    let act = s.choose(dealt.hand.as_ref().expect("a hand")).expect("an act");
    let acted = dealer.act(act.clone()).await.expect("acted").into_inner();
    let over = s.play_out(acted.hand.clone().expect("a hand")).await;
    let settled = s.settle(over.hand_number).await;
    s.deposit(1, 100).await;
    let before = s.state().await;
    assert_eq!(tables.add_chips(add).await.expect("again").into_inner(), added);
    assert_eq!(ledger.deposit(deposit).await.expect("again").into_inner(), deposited);
    assert_eq!(dealer.deal(deal).await.expect("again").into_inner(), dealt);
    assert_eq!(dealer.act(act).await.expect("again").into_inner(), acted);
    // Settling what is settled is no error, under a new id too, and after the next hand has opened.
    assert_eq!(s.settle(over.hand_number).await, settled);
    assert_eq!(s.state().await, before);
    s.deal().await;
    assert_eq!(s.settle(over.hand_number).await, settled);
    s.stop().await;
}

#[tokio::test]
async fn fifty_copies_of_one_act_have_one_effect_and_equal_answers() {
    let mut s = Scene::seated(pb::Preset::Pokerstars, false).await;
    let dealt = s.deal().await;
    let act = s.choose(&dealt).expect("an act");
    let copies = (0..50).map(|_| {
        let (mut dealer, act) = (s.client.dealer.clone(), act.clone());
        tokio::spawn(async move { dealer.act(act).await.expect("done once").into_inner() })
    });
    let copies: Vec<_> = copies.collect();
    let mut answers = Vec::new();
    for copy in copies {
        answers.push(copy.await.expect("an answer"));
    }
    assert!(answers.iter().all(|answer| *answer == answers[0]));
    assert_eq!(answers[0].hand.as_ref().expect("a hand").seq, dealt.seq + 1);
    s.stop().await;
}

#[tokio::test]
async fn two_deals_at_once_open_one_hand() {
    let mut s = Scene::seated(pb::Preset::Pokerstars, false).await;
    let (mut one, mut other) = (s.client.dealer.clone(), s.client.dealer.clone());
    let answers = tokio::join!(one.deal(deal()), other.deal(deal()));
    let refused = [answers.0.err(), answers.1.err()].into_iter().flatten().collect::<Vec<_>>();
    assert_eq!(refused.len(), 1);
    assert_eq!(reason(&refused[0]), "HAND_OPEN");
    assert_eq!(s.state().await.table.expect("a table").hand_number, 1);
    s.stop().await;
}

#[tokio::test]
async fn every_page_is_read_once() {
    let mut s = Scene::seated(pb::Preset::Pokerstars, true).await;
    for number in 4..=8 {
        s.deposit(number, 500).await;
        s.client.tables.take_seat(take_seat(number, 50)).await.expect("a seat");
    }
    let hand = s.deal().await;
    s.play_out(hand).await;
    let house = pb::Account { kind: Some(pb::account::Kind::House(pb::account::House {})) };
    let mut sizes = Vec::new();
    for page_size in [1, 3, 1000] {
        let (mut page_token, mut seen) = (String::new(), Vec::new());
        loop {
            let list = pb::ListTransfersRequest { account: Some(house.clone()), page_size, page_token };
            let page = s.client.ledger.list_transfers(list).await.expect("a page").into_inner();
            assert!(page.transfers.len() <= usize::try_from(page_size).expect("small"));
            seen.extend(page.transfers);
            page_token = page.next_page_token;
            if page_token.is_empty() {
                break;
            }
        }
        sizes.push(seen);
    }
    assert_eq!(sizes[0].len(), 8, "one deposit a player");
    assert!(sizes.iter().all(|seen| *seen == sizes[0]));
    let tables = s.client.tables.list_tables(pb::ListTablesRequest::default()).await.expect("tables").into_inner();
    assert_eq!(tables.tables.len(), 1);
    s.stop().await;
}

/// A request that found everything as it asked is done all the same: its late copy does not undo what came after.
#[tokio::test]
async fn a_late_copy_of_a_request_that_changed_nothing_changes_nothing() {
    let mut s = Scene::seated(pb::Preset::Pokerstars, false).await;
    let sit = |sitting_out| pb::SetSittingOutRequest {
        table_id: TABLE.to_owned(),
        player_id: player(1),
        sitting_out,
        request_id: fresh(),
    };
    let (out, again, back) = (sit(true), sit(true), sit(false));
    let mut tables = s.client.tables.clone();
    tables.set_sitting_out(out).await.expect("out");
    let first = tables.set_sitting_out(again.clone()).await.expect("out already").into_inner();
    tables.set_sitting_out(back).await.expect("back");
    let table = s.state().await.table.expect("a table");
    let change = pb::ChangeRulesRequest {
        table_id: TABLE.to_owned(),
        request_id: fresh(),
        stakes: table.stakes,
        rules: table.rules.clone(),
        auto_settle: table.auto_settle,
        act_allowance_ms: table.act_allowance_ms,
        settle_after_ms: table.settle_after_ms,
        nonces: false,
        reveal_deck: false,
    };
    let same = tables.change_rules(change.clone()).await.expect("as they are").into_inner();
    let close = pb::CloseTableRequest { table_id: TABLE.to_owned(), request_id: fresh() };
    tables.close_table(close).await.expect("closed");
    let before = s.state().await;
    assert_eq!(tables.set_sitting_out(again).await.expect("again").into_inner(), first);
    assert_eq!(tables.change_rules(change).await.expect("again").into_inner(), same);
    assert_eq!(s.state().await, before);
    s.stop().await;
}
