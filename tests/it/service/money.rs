//! Promise 2 over the wire: which chips play, under which rules, and when they are paid.

use razz_dealer::pb;

use super::calls::{change, check_all, refusal};
use super::scene::{STAKES, Scene, TABLE, deal, fresh, player, preset};

fn seats(hand: &pb::HandView) -> Vec<i32> {
    hand.seats.iter().map(|seat| seat.seat).collect()
}

async fn sit_out(s: &mut Scene, number: i32, sitting_out: bool) {
    let (table_id, player_id, request_id) = (TABLE.to_owned(), player(number), fresh());
    let out = pb::SetSittingOutRequest { table_id, player_id, sitting_out, request_id };
    s.client.tables.set_sitting_out(out).await.expect("done");
}

/// R1: who sits out keeps seat and chips, and is dealt in again from the hand after the return.
#[tokio::test]
async fn sitting_out() {
    let mut s = Scene::seated(pb::Preset::Pokerstars, true).await;
    sit_out(&mut s, 2, true).await;
    let hand = s.deal().await;
    assert_eq!(seats(&hand), [1, 3]);
    // In the middle of a hand it tells for the next one.
    sit_out(&mut s, 3, true).await;
    sit_out(&mut s, 2, false).await;
    assert_eq!(seats(&s.hand(0, None).await.expect("a hand")), [1, 3]);
    s.play_out(hand).await;
    let seat = pb::account::Kind::Seat(pb::account::Seat { table_id: TABLE.to_owned(), seat: 2 });
    assert_eq!(s.balance(seat).await, 200);
    let hand = s.deal().await;
    assert_eq!(seats(&hand), [1, 2]);
    s.play_out(hand).await;
    sit_out(&mut s, 1, true).await;
    let few = refusal!(FailedPrecondition, "TOO_FEW_STACKS", { "ready": 1 }, "at least 2");
    check_all(&mut s, vec![(change!(dealer.deal(deal())), few)]).await;
    s.stop().await;
}

/// A hand ends under the settings that it began with; changed ones hold from the next.
#[tokio::test]
async fn rules_change_between_hands() {
    let mut s = Scene::seated(pb::Preset::Pokerstars, false).await;
    let first = s.deal().await;
    let stakes = Some(pb::Stakes { small_bet: 20, ante: Some(3), bring_in: Some(5) });
    let rules = Some(preset(pb::Preset::Romanian));
    let (table_id, request_id) = (TABLE.to_owned(), fresh());
    let change = pb::ChangeRulesRequest {
        table_id,
        request_id,
        stakes,
        rules,
        auto_settle: true,
        act_allowance_ms: 0,
        settle_after_ms: 0,
        nonces: false,
        reveal_deck: false,
    };
    let table = s.client.tables.change_rules(change).await.expect("changed").into_inner().table.expect("a table");
    assert_eq!((table.stakes, table.auto_settle), (stakes, true));
    let over = s.play_out(first.clone()).await;
    assert_eq!(over.status(), pb::HandStatus::PlayedOut, "it began without auto_settle");
    assert_eq!((over.stakes, &over.rules), (STAKES, &first.rules));
    s.settle(1).await;
    let second = s.deal().await;
    assert_eq!((second.stakes, second.total_pot), (stakes, 9));
    assert_eq!(second.rules, table.rules);
    let over = s.play_out(second).await;
    assert_eq!(over.status(), pb::HandStatus::Settled);
    assert_eq!(s.hand(1, None).await.expect("a hand").stakes, STAKES);
    s.stop().await;
}

/// With `auto_settle` the last action's own record pays; without, it records the awards and Settle pays them.
#[tokio::test]
async fn who_pays() {
    for auto_settle in [true, false] {
        let mut s = Scene::seated(pb::Preset::Pokerstars, auto_settle).await;
        let hand = s.deal().await;
        let over = s.play_out(hand).await;
        let table = s.state().await.table.expect("a table");
        assert_eq!((table.seq, table.hand_open), (over.seq, !auto_settle));
        let paid = if auto_settle { over.clone() } else { s.settle(1).await };
        assert_eq!(paid.seq, over.seq + u64::from(!auto_settle));
        assert_eq!(paid.result, over.result, "the awards stand from the last action on");
        let pot = pb::account::Kind::Pot(pb::account::Pot { table_id: TABLE.to_owned() });
        let account = Some(pb::Account { kind: Some(pot) });
        let list = pb::ListTransfersRequest { account: account.clone(), ..Default::default() };
        let transfers = s.client.ledger.list_transfers(list).await.expect("transfers").into_inner().transfers;
        let (into, out): (Vec<_>, Vec<_>) = transfers
            .iter()
            .partition(|posted| posted.transfer.as_ref().is_some_and(|transfer| transfer.to_account == account));
        let sum = |posted: &[&pb::PostedTransfer]| {
            posted.iter().filter_map(|posted| posted.transfer.as_ref()).map(|transfer| transfer.amount).sum::<i64>()
        };
        assert_eq!((sum(&into), sum(&out)), (600, 600));
        assert!(out.iter().all(|posted| posted.seq == paid.seq), "all in one record");
        s.stop().await;
    }
}
