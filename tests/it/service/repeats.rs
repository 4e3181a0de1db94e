//! Each changing call has one effect and one answer, however often and however late it is repeated.

use std::collections::BTreeSet;
use std::sync::Arc;

use razz_dealer::pb;

use super::calls::{Call, change, refusal};
use super::scene::{STAKES, Scene, TABLE, as_player, deal, fresh, player, preset, take_seat};
use crate::faults::Faulty;

/// How many copies of each call are sent at once.
const COPIES: usize = 8;

/// What was done: the call, its id, its answer.
#[derive(Default)]
pub struct Done {
    pub calls: Vec<(Call, String, String)>,
    /// Each call loses its first answer to this store; without one, copies of it are sent at once.
    pub lost_to: Option<Arc<Faulty>>,
}

/// Sends the call more than once: equal answers, one effect.
async fn once(s: &mut Scene, done: &mut Done, call: Call) {
    let id = fresh();
    let answers = match &done.lost_to {
        Some(store) => {
            store.next();
            refusal!(Unavailable, "OUTCOME_UNKNOWN", {}).check(call.name, call.send(s, &id).await);
            assert!(!store.is_pending(), "{} was not committed", call.name);
            Vec::new()
        }
        None => copies(s, &call, &id).await,
    };
    let before = s.state().await;
    let again = call.send(s, &id).await.expect(call.name);
    assert!(answers.iter().all(|answer| *answer == again), "{}: {again} {answers:#?}", call.name);
    assert_eq!(s.state().await, before, "{} had a second effect", call.name);
    done.calls.push((call, id, again));
}

/// The answers to copies that are sent at once.
async fn copies(s: &Scene, call: &Call, id: &str) -> Vec<String> {
    let copies: Vec<_> = (0..COPIES).map(|_| tokio::spawn((call.send)(s.client.clone(), id.to_owned()))).collect();
    let mut answers = Vec::new();
    for copy in copies {
        answers.push(copy.await.expect("an answer").unwrap_or_else(|status| panic!("{}: {status}", call.name)));
    }
    answers
}

/// All changing calls of the contract.
pub async fn all_calls(s: &mut Scene, done: &mut Done) {
    open(s, done).await;
    play(s, done).await;
    leave(s, done).await;
    let names: BTreeSet<&str> = done.calls.iter().map(|(call, ..)| call.name).collect();
    assert_eq!(names.len(), 16, "the changing calls of the contract: {names:?}");
}

fn table_id() -> String {
    TABLE.to_owned()
}

fn add(number: i32, chips: i64) -> pb::AddChipsRequest {
    pb::AddChipsRequest { table_id: table_id(), player_id: player(number), chips, request_id: String::new() }
}

fn deposit(number: i32, chips: i64) -> pb::DepositRequest {
    pb::DepositRequest { player_id: player(number), chips, request_id: String::new() }
}

fn withdraw(number: i32, chips: i64) -> pb::WithdrawRequest {
    pb::WithdrawRequest { player_id: player(number), chips, request_id: String::new() }
}

fn sit_out(number: i32, sitting_out: bool) -> pb::SetSittingOutRequest {
    let (table_id, player_id) = (table_id(), player(number));
    pb::SetSittingOutRequest { table_id, player_id, sitting_out, request_id: String::new() }
}

async fn open(s: &mut Scene, done: &mut Done) {
    let (stakes, rules) = (STAKES, Some(preset(pb::Preset::Club)));
    let create = pb::CreateTableRequest { table_id: table_id(), stakes, rules, ..Default::default() };
    once(s, done, change!(tables.create_table(create))).await;
    for number in 1..=3 {
        once(s, done, change!(ledger.deposit(deposit(number, 300)))).await;
        once(s, done, change!(tables.take_seat(take_seat(number, 200)))).await;
    }
    // All that the wallet holds: a second effect would not be paid for, and is not asked for.
    once(s, done, change!(tables.add_chips(add(1, 100)))).await;
    once(s, done, change!(tables.set_sitting_out(sit_out(3, true)))).await;
    once(s, done, change!(tables.set_sitting_out(sit_out(3, false)))).await;
    let rules = Some(preset(pb::Preset::Pokerstars));
    let nonces = true;
    let change = pb::ChangeRulesRequest { table_id: table_id(), stakes, rules, nonces, ..Default::default() };
    once(s, done, change!(tables.change_rules(change))).await;
}

fn give(number: i32) -> pb::GiveNonceRequest {
    let (table_id, player_id, request_id) = (table_id(), player(number), String::new());
    pb::GiveNonceRequest { table_id, hand_number: 1, player_id, nonce: vec![7; 32], request_id }
}

async fn play(s: &mut Scene, done: &mut Done) {
    let prepare = || pb::PrepareHandRequest { table_id: table_id(), request_id: String::new() };
    once(s, done, change!(dealer.prepare_hand(prepare()))).await;
    once(s, done, change!(dealer.give_nonce(give(2)))).await;
    let nonces = vec![pb::Nonce { seat: 1, nonce: vec![1] }];
    once(s, done, change!(dealer.deal(pb::DealRequest { viewer: Some(as_player(1)), nonces, ..deal() }))).await;
    let hand = s.hand(0, None).await.expect("a hand");
    let act = s.choose(&hand).expect("an act");
    once(s, done, change!(dealer.act(act))).await;
    let reason = "misdeal".to_owned();
    let void = pb::VoidHandRequest { table_id: table_id(), hand_number: 1, reason, ..Default::default() };
    once(s, done, change!(dealer.void_hand(void))).await;
    once(s, done, change!(dealer.prepare_hand(prepare()))).await;
    once(s, done, change!(dealer.deal(deal()))).await;
    while let Some(act) = {
        let hand = s.hand(0, None).await.expect("a hand");
        s.choose(&hand)
    } {
        once(s, done, change!(dealer.act(pb::ActRequest { viewer: Some(as_player(2)), ..act }))).await;
    }
    let settle = pb::SettleRequest { table_id: table_id(), hand_number: 2, ..Default::default() };
    once(s, done, change!(dealer.settle(settle))).await;
    let (auditor_id, reason) = ("board".to_owned(), "a complaint".to_owned());
    let open = pb::OpenDeckRequest { table_id: table_id(), hand_number: 2, auditor_id, reason, ..Default::default() };
    once(s, done, change!(audits.open_deck(open))).await;
}

async fn leave(s: &mut Scene, done: &mut Done) {
    for number in 1..=3 {
        let (table_id, player_id) = (table_id(), player(number));
        let leave = pb::LeaveSeatRequest { table_id, player_id, request_id: String::new() };
        once(s, done, change!(tables.leave_seat(leave))).await;
        let wallet = pb::account::Kind::Wallet(pb::account::Wallet { player_id: player(number) });
        let all = s.balance(wallet).await;
        if all > 0 {
            once(s, done, change!(ledger.withdraw(withdraw(number, all)))).await;
        }
    }
    let close = pb::CloseTableRequest { table_id: table_id(), request_id: String::new() };
    once(s, done, change!(tables.close_table(close))).await;
}

#[tokio::test]
async fn every_changing_call_is_done_once() {
    let mut s = Scene::start().await;
    let mut done = Done::default();
    all_calls(&mut s, &mut done).await;
    let before = s.state().await;
    assert!(before.balances.iter().all(|&balance| balance == 0), "everybody has gone with all chips: {before:?}");
    // The table has moved on, is closed even: each answer is still the one of its moment.
    for (call, id, answer) in &done.calls {
        assert_eq!(&call.send(&s, id).await.expect(call.name), answer, "{}", call.name);
        // And none of these ids can mean anything else.
        let reused = refusal!(AlreadyExists, "REQUEST_ID_REUSED", {}, "request_id");
        let of_wallet = ["deposit", "withdraw"].contains(&call.name);
        for number in 1..=3 {
            if of_wallet && !answer_is_of(&s, call, id, number).await {
                continue;
            }
            let other = if of_wallet {
                change!(ledger.withdraw(withdraw(number, 7)))
            } else {
                change!(tables.set_sitting_out(sit_out(number + 5, true)))
            };
            reused.check(call.name, other.send(&s, id).await);
        }
    }
    assert_eq!(s.state().await, before);
    s.stop().await;
}

/// Whether the request of this id is in this player's wallet: a withdrawal under it is refused for its reuse there, and
/// for want of chips elsewhere.
async fn answer_is_of(s: &Scene, call: &Call, id: &str, number: i32) -> bool {
    let status = change!(ledger.withdraw(withdraw(number, 8))).send(s, id).await.expect_err(call.name);
    match razz_dealer::grpc::client::reason(&status).as_str() {
        "REQUEST_ID_REUSED" => true,
        "BALANCE_TOO_LOW" => false,
        other => panic!("{}: {other}", call.name),
    }
}

/// Where the wallet could not pay a second time, a repeat is still the answer of the first, and other content under its
/// id is still named so.
#[tokio::test]
async fn a_repeat_does_not_ask_the_wallet() {
    let mut s = Scene::seated(pb::Preset::Pokerstars, false).await;
    let added = change!(tables.add_chips(add(1, 300)));
    let id = fresh();
    let answer = added.send(&s, &id).await.expect("added");
    let before = s.state().await;
    assert_eq!(added.send(&s, &id).await.expect("the same"), answer);
    let reused = refusal!(AlreadyExists, "REQUEST_ID_REUSED", {}, "request_id");
    reused.check("add_chips", change!(tables.add_chips(add(1, 301))).send(&s, &id).await);
    assert_eq!(s.state().await, before);
    // The same of a seat that was taken, left, and whose wallet is empty now.
    s.deposit(4, 50).await;
    let (seated, id) = (change!(tables.take_seat(take_seat(4, 50))), fresh());
    let answer = seated.send(&s, &id).await.expect("seated");
    let leave = pb::LeaveSeatRequest { table_id: table_id(), player_id: player(4), request_id: String::new() };
    change!(tables.leave_seat(leave)).send(&s, &fresh()).await.expect("left");
    change!(ledger.withdraw(withdraw(4, 50))).send(&s, &fresh()).await.expect("withdrawn");
    let before = s.state().await;
    assert_eq!(seated.send(&s, &id).await.expect("the same"), answer);
    assert_eq!(s.state().await, before);
    s.stop().await;
}

/// Who looks at the answer, and what the caller last saw, are no part of what is asked.
#[tokio::test]
async fn a_repeat_may_have_another_viewer() {
    let mut s = Scene::seated(pb::Preset::Pokerstars, false).await;
    let dealt = s.deal().await;
    let act = pb::ActRequest { expected_seq: Some(dealt.seq), ..s.choose(&dealt).expect("an act") };
    let first = s.act(act.clone()).await;
    let own = s.act(pb::ActRequest { viewer: Some(as_player(1)), expected_seq: None, ..act.clone() }).await;
    assert_eq!((own.seq, own.to_act), (first.seq, first.to_act));
    assert_eq!(own.seats[0].down_cards.len(), 2);
    let again = s.act(pb::ActRequest { expected_seq: Some(1), ..act }).await;
    assert_eq!(again, first);
    s.stop().await;
}

/// Settling under new ids pays nothing again, at once or one after the other; so does voiding.
#[tokio::test]
async fn an_end_is_made_once() {
    let mut s = Scene::seated(pb::Preset::Pokerstars, false).await;
    let hand = s.deal().await;
    s.play_out(hand).await;
    let settle = || pb::SettleRequest { table_id: table_id(), hand_number: 1, ..Default::default() };
    let calls: Vec<_> =
        (0..20).map(|_| tokio::spawn((change!(dealer.settle(settle())).send)(s.client.clone(), fresh()))).collect();
    let mut answers = Vec::new();
    for call in calls {
        answers.push(call.await.expect("an answer").expect("settled"));
    }
    assert!(answers.iter().all(|answer| *answer == answers[0]));
    let before = s.state().await;
    assert_eq!(s.settle(1).await, before.hand.clone().expect("a hand"));
    assert_eq!(s.state().await, before);
    s.deal().await;
    let void = || pb::VoidHandRequest {
        table_id: table_id(),
        hand_number: 2,
        reason: "misdeal".to_owned(),
        ..Default::default()
    };
    let first = change!(dealer.void_hand(void())).send(&s, &fresh()).await.expect("voided");
    let before = s.state().await;
    assert_eq!(change!(dealer.void_hand(void())).send(&s, &fresh()).await.expect("voided already"), first);
    assert_eq!(s.state().await, before);
    s.stop().await;
}

/// One wallet, many callers: each withdrawal that it can pay is paid, and no other.
#[tokio::test]
async fn many_callers_of_one_wallet() {
    let mut s = Scene::start().await;
    let sent: Vec<_> = (0..40)
        .map(|_| tokio::spawn((change!(ledger.deposit(deposit(1, 3))).send)(s.client.clone(), fresh())))
        .collect();
    for call in sent {
        call.await.expect("an answer").expect("deposited");
    }
    let sent: Vec<_> = (0..40)
        .map(|_| tokio::spawn((change!(ledger.withdraw(withdraw(1, 5))).send)(s.client.clone(), fresh())))
        .collect();
    let mut paid = 0;
    for call in sent {
        match call.await.expect("an answer") {
            Ok(_) => paid += 1,
            refused => refusal!(FailedPrecondition, "BALANCE_TOO_LOW", { "needed": 5 }).check("withdraw", refused),
        }
    }
    assert_eq!(paid, 24, "120 chips, 5 at a time");
    let balances = s.balances().await;
    assert!(balances.iter().all(|&balance| balance == 0), "{balances:?}");
    s.stop().await;
}
