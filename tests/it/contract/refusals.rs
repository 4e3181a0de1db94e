//! Bad input: each gets its typed answer, names what was wrong and what is right, and changes nothing.

use razz_dealer::engine::Action;
use razz_dealer::grpc::client::reason;
use razz_dealer::pb;
use tonic::{Code, Status};

use super::scene::{STAKES, Scene, TABLE, act, deal, fresh, player, preset, take_seat};

const OTHER: &str = "0198c0de-0000-7000-8000-0000000000bb";

/// The refusal is of this code and reason, says all these words, and has left everything as it was.
macro_rules! refused {
    ($scene:expr, $call:expr, $code:ident, $reason:literal, $($words:expr),* $(,)?) => {{
        let before = $scene.state().await;
        let answer = $call.await.map(|answer| answer.into_inner());
        let status: Status = answer.expect_err($reason);
        assert_eq!((status.code(), reason(&status).as_str()), (Code::$code, $reason), "{}", status.message());
        $(assert!(status.message().contains($words), "{}: {:?} is not said", status.message(), $words);)*
        assert_eq!($scene.state().await, before, $reason);
    }};
}

fn settle(hand_number: u64) -> pb::SettleRequest {
    pb::SettleRequest { table_id: TABLE.to_owned(), hand_number, request_id: fresh(), viewer: None }
}

fn create(stakes: Option<pb::Stakes>, rules: Option<pb::HouseRules>) -> pb::CreateTableRequest {
    let (request_id, table_id) = (fresh(), OTHER.to_owned());
    pb::CreateTableRequest { request_id, table_id, stakes, rules, ..pb::CreateTableRequest::default() }
}

#[tokio::test]
async fn actions_out_of_place() {
    let mut s = Scene::seated(pb::Preset::Wsop, false).await;
    let mut dealer = s.client.dealer.clone();
    refused!(s, dealer.act(act(1, 1, Action::Fold)), NotFound, "HAND_UNKNOWN", "hand 1", "latest", "0");
    let hand = s.deal().await;
    let (turn, other) = (hand.to_act, hand.to_act % 3 + 1);
    refused!(s, dealer.act(act(1, other, Action::Fold)), FailedPrecondition, "OUT_OF_TURN", &format!("seat {turn}"));
    refused!(s, dealer.act(act(1, 8, Action::Fold)), FailedPrecondition, "NOT_DEALT_IN", "seat 8");
    refused!(s, dealer.act(act(2, turn, Action::Fold)), NotFound, "HAND_UNKNOWN", "hand 2", "1");
    refused!(
        s,
        dealer.act(act(1, turn, Action::Bet)),
        FailedPrecondition,
        "ACTION_NOT_LEGAL",
        "bring_in 2, complete 10"
    );
    let wrong = pb::ActRequest { to: Some(11), ..act(1, turn, Action::Complete) };
    refused!(s, dealer.act(wrong), InvalidArgument, "WRONG_AMOUNT", "10", "11", "bring_in 2, complete 10");
    let above = pb::ActRequest { to: Some(1_000_000_000_000_001), ..act(1, turn, Action::Complete) };
    refused!(s, dealer.act(above), InvalidArgument, "CHIPS_OUT_OF_RANGE", "to is 1000000000000001", "1000000000000000");
    let stale = pb::ActRequest { expected_seq: Some(3), ..act(1, turn, Action::BringIn) };
    refused!(s, dealer.act(stale), Aborted, "STALE_SEQ", "expected_seq is 3", &hand.seq.to_string());
    let unset = pb::ActRequest { action: 0, ..act(1, turn, Action::BringIn) };
    refused!(s, dealer.act(unset), InvalidArgument, "FIELD_INVALID", "action", "ACTION_FOLD");
    let unknown = pb::ActRequest { action: 99, ..act(1, turn, Action::BringIn) };
    refused!(s, dealer.act(unknown), InvalidArgument, "FIELD_INVALID", "action", "ACTION_FOLD");
    for seat in [0, 9, -1] {
        let nowhere = pb::ActRequest { seat, ..act(1, turn, Action::BringIn) };
        refused!(s, dealer.act(nowhere), InvalidArgument, "FIELD_INVALID", "seat", "1 to 8");
    }
    let zero = pb::ActRequest { hand_number: 0, ..act(1, turn, Action::BringIn) };
    refused!(s, dealer.act(zero), InvalidArgument, "FIELD_INVALID", "hand_number");
    refused!(s, dealer.settle(settle(1)), FailedPrecondition, "STILL_PLAYING", &format!("seat {turn}"));
    refused!(s, dealer.deal(deal()), FailedPrecondition, "HAND_OPEN", "hand 1");
    s.stop().await;
}

#[tokio::test]
async fn a_hand_that_is_capped_or_over() {
    let mut s = Scene::seated(pb::Preset::Wsop, false).await;
    let (mut dealer, mut tables) = (s.client.dealer.clone(), s.client.tables.clone());
    let turn = s.deal().await.to_act;
    // R17: the completion and four raises (WSOP), then exactly fold and call.
    let mut hand = s.act(act(1, turn, Action::Complete)).await;
    for _ in 0..4 {
        hand = s.act(act(1, hand.to_act, Action::Raise)).await;
    }
    refused!(
        s,
        dealer.act(act(1, hand.to_act, Action::Raise)),
        FailedPrecondition,
        "CAP_REACHED",
        "4 raises",
        "fold, call 50"
    );
    let leave = pb::LeaveSeatRequest { table_id: TABLE.to_owned(), player_id: player(1), request_id: fresh() };
    refused!(s, tables.leave_seat(leave), FailedPrecondition, "STILL_DEALT_IN", "seat 1", "hand 1");
    let close = pb::CloseTableRequest { table_id: TABLE.to_owned(), request_id: fresh() };
    refused!(s, tables.close_table(close), FailedPrecondition, "HAND_OPEN", "hand 1");

    let hand = s.play_out(hand).await;
    assert_eq!(hand.status(), pb::HandStatus::PlayedOut);
    refused!(s, dealer.act(act(1, turn, Action::Fold)), FailedPrecondition, "HAND_OVER", "hand 1");
    refused!(s, dealer.deal(deal()), FailedPrecondition, "HAND_OPEN", "hand 1");
    s.settle(1).await;
    refused!(s, dealer.act(act(1, turn, Action::Fold)), FailedPrecondition, "HAND_SETTLED", "hand 1");
    let void = |reason: &str| pb::VoidHandRequest {
        table_id: TABLE.to_owned(),
        hand_number: 1,
        reason: reason.to_owned(),
        request_id: fresh(),
        viewer: None,
    };
    refused!(s, dealer.void_hand(void("late")), FailedPrecondition, "HAND_SETTLED", "hand 1");
    for reason in [String::new(), "x".repeat(201), "a\nb".to_owned()] {
        refused!(s, dealer.void_hand(void(&reason)), InvalidArgument, "FIELD_INVALID", "reason", "1 to 200");
    }
    let hand = s.deal().await;
    dealer.void_hand(pb::VoidHandRequest { hand_number: 2, ..void("misdeal") }).await.expect("voided");
    refused!(s, dealer.settle(settle(2)), FailedPrecondition, "HAND_VOIDED", "hand 2");
    refused!(s, dealer.act(act(2, hand.to_act, Action::Fold)), FailedPrecondition, "HAND_VOIDED", "hand 2");
    s.stop().await;
}

#[tokio::test]
async fn seats_and_chips() {
    let mut s = Scene::seated(pb::Preset::Pokerstars, false).await;
    let mut tables = s.client.tables.clone();
    let mut ledger = s.client.ledger.clone();
    let taken = pb::TakeSeatRequest { player_id: player(4), ..take_seat(2, 100) };
    refused!(s, tables.take_seat(taken), FailedPrecondition, "SEAT_TAKEN", "seat 2");
    let again = pb::TakeSeatRequest { player_id: player(1), ..take_seat(5, 100) };
    refused!(s, tables.take_seat(again), FailedPrecondition, "ALREADY_SEATED", "seat 1");
    refused!(s, tables.take_seat(take_seat(4, 1)), FailedPrecondition, "BALANCE_TOO_LOW", "player-4", "holds 0", "1");
    for seat in [0, 9] {
        refused!(s, tables.take_seat(take_seat(seat, 100)), InvalidArgument, "FIELD_INVALID", "seat", "1 to 8");
    }
    for chips in [0, -1, 1_000_000_000_000_001, i64::MAX, i64::MIN] {
        let given = format!("chips is {chips}");
        refused!(s, tables.take_seat(take_seat(4, chips)), InvalidArgument, "CHIPS_OUT_OF_RANGE", &given, "1 to");
        let deposit = pb::DepositRequest { player_id: player(1), chips, request_id: fresh() };
        refused!(s, ledger.deposit(deposit), InvalidArgument, "CHIPS_OUT_OF_RANGE", &given, "1 to");
    }
    let add =
        |chips| pb::AddChipsRequest { table_id: TABLE.to_owned(), player_id: player(1), chips, request_id: fresh() };
    refused!(s, tables.add_chips(add(301)), FailedPrecondition, "BALANCE_TOO_LOW", "holds 300", "301");
    let stranger = pb::AddChipsRequest { player_id: player(7), ..add(1) };
    refused!(s, tables.add_chips(stranger), FailedPrecondition, "NOT_SEATED", "no seat");
    let withdraw = pb::WithdrawRequest { player_id: player(1), chips: 301, request_id: fresh() };
    refused!(s, ledger.withdraw(withdraw), FailedPrecondition, "BALANCE_TOO_LOW", "holds 300", "301");
    // 1500 are in play: together with these they would pass the ceiling of all chips.
    let ceiling = pb::DepositRequest { player_id: player(9), chips: 1_000_000_000_000_000, request_id: fresh() };
    refused!(s, ledger.deposit(ceiling), FailedPrecondition, "CHIPS_LIMIT", "1000000000000000");
    for id in ["", &"x".repeat(65), "a\u{7}b"] {
        let deposit = pb::DepositRequest { player_id: id.to_owned(), chips: 1, request_id: fresh() };
        refused!(s, ledger.deposit(deposit), InvalidArgument, "FIELD_INVALID", "player_id", "1 to 64 bytes");
    }
    let nobody = pb::GetBalanceRequest { account: None };
    refused!(s, ledger.get_balance(nobody), InvalidArgument, "FIELD_INVALID", "account", "wallet");
    for (token, size) in [("nonsense", 0), ("t00", 0), ("x", 0)] {
        let list = pb::ListTablesRequest { page_size: size, page_token: token.to_owned() };
        refused!(s, tables.list_tables(list), InvalidArgument, "FIELD_INVALID", "page_token", "next_page_token");
    }
    let negative = pb::ListTablesRequest { page_size: -1, page_token: String::new() };
    refused!(s, tables.list_tables(negative), InvalidArgument, "FIELD_INVALID", "page_size");
    for (number, seat) in [(2, 2), (3, 3)] {
        let leave = pb::LeaveSeatRequest { table_id: TABLE.to_owned(), player_id: player(seat), request_id: fresh() };
        tables.leave_seat(leave).await.unwrap_or_else(|status| panic!("{number}: {status}"));
    }
    let mut dealer = s.client.dealer.clone();
    refused!(s, dealer.deal(deal()), FailedPrecondition, "TOO_FEW_STACKS", "1 seats", "at least 2");
    let close = pb::CloseTableRequest { table_id: TABLE.to_owned(), request_id: fresh() };
    tables.close_table(close).await.expect("closed");
    refused!(s, dealer.deal(deal()), FailedPrecondition, "TABLE_CLOSED", "closed");
    refused!(s, tables.take_seat(take_seat(2, 100)), FailedPrecondition, "TABLE_CLOSED", "closed");
    s.stop().await;
}

#[tokio::test]
async fn stakes_and_rules() {
    let mut s = Scene::seated(pb::Preset::Pokerstars, false).await;
    let mut tables = s.client.tables.clone();
    let stakes_of = |small_bet, ante, bring_in| Some(pb::Stakes { small_bet, ante, bring_in });
    // R7, an amount a row.
    let rows = [
        (stakes_of(1, Some(0), Some(1)), "STAKES_INVALID", "small_bet is 1"),
        (stakes_of(10, Some(10), Some(2)), "STAKES_INVALID", "ante is 10"),
        (stakes_of(10, Some(1), Some(10)), "STAKES_INVALID", "bring_in is 10"),
        (stakes_of(10, Some(1), Some(0)), "STAKES_INVALID", "bring_in is 0"),
        (stakes_of(10, Some(1), None), "STAKES_INVALID", "bring_in is missing"),
        (stakes_of(10, Some(-1), Some(2)), "CHIPS_OUT_OF_RANGE", "stakes.ante is -1"),
        (stakes_of(1_000_000_000_000_000, Some(1), Some(2)), "STAKES_INVALID", "small_bet is 1000000000000000"),
        (None, "FIELD_INVALID", "stakes"),
    ];
    for (stakes, reason_is, words) in rows {
        let status = tables.create_table(create(stakes, Some(preset(pb::Preset::Pokerstars)))).await.expect_err(words);
        assert_eq!((status.code(), reason(&status).as_str()), (Code::InvalidArgument, reason_is), "{status}");
        assert!(status.message().contains(words), "{status}");
    }
    let whole = s.state().await.table.expect("a table").rules.expect("rules");
    let without = |change: fn(&mut pb::HouseRules)| {
        let mut rules = whole.clone();
        change(&mut rules);
        Some(rules)
    };
    let rake = |amount, step, caps: &[(i32, i64)]| {
        let caps = caps.iter().map(|&(players, cap)| pb::RakeCap { players, cap }).collect();
        Some(pb::HouseRules { rake: Some(pb::Rake { amount, step, caps, none_on_third: false }), ..whole.clone() })
    };
    // Without a preset every field must be there; with wrong ones, each is named.
    let rows = [
        (without(|rules| rules.bring_in_suit_order = 0), "rules.bring_in_suit_order"),
        (without(|rules| rules.bring_in_may_fold = None), "rules.bring_in_may_fold"),
        (without(|rules| rules.fold_without_bet = None), "rules.fold_without_bet"),
        (without(|rules| rules.max_raises = None), "rules.max_raises"),
        (without(|rules| rules.max_raises = Some(0)), "max_raises is 0"),
        (without(|rules| rules.max_raises = Some(21)), "max_raises is 21"),
        (without(|rules| rules.heads_up_cap = 0), "rules.heads_up_cap"),
        (without(|rules| rules.first_to_show = 0), "rules.first_to_show"),
        (without(|rules| rules.losing_hands = 77), "rules.losing_hands"),
        (without(|rules| rules.table_all_in_hands = None), "rules.table_all_in_hands"),
        (without(|rules| rules.mucked_hands_in_history = 0), "rules.mucked_hands_in_history"),
        (without(|rules| rules.odd_chip = 0), "rules.odd_chip"),
        (rake(1, 0, &[]), "rake.step is 0"),
        (rake(0, 20, &[]), "rake.amount is 0"),
        (rake(21, 20, &[]), "rake.amount is 21"),
        (rake(1, 20, &[(1, 5)]), "1 players"),
        (rake(1, 20, &[(9, 5)]), "9 players"),
        (rake(1, 20, &[(3, 5), (3, 6)]), "3 players"),
    ];
    for (rules, words) in rows {
        let status = tables.create_table(create(STAKES, rules)).await.expect_err(words);
        assert_eq!((status.code(), reason(&status).as_str()), (Code::InvalidArgument, "RULES_INVALID"), "{status}");
        assert!(status.message().contains(words), "{words}: {status}");
    }
    let get = pb::GetTableRequest { table_id: OTHER.to_owned() };
    refused!(s, tables.get_table(get), NotFound, "TABLE_UNKNOWN", OTHER);
    tables.create_table(create(STAKES, Some(whole))).await.expect("every field by itself makes rules");
    let elsewise = create(stakes_of(12, Some(1), Some(2)), Some(preset(pb::Preset::Club)));
    refused!(s, tables.create_table(elsewise), AlreadyExists, "TABLE_EXISTS", OTHER);
    s.stop().await;
}

#[tokio::test]
async fn ids_and_request_ids() {
    let mut s = Scene::seated(pb::Preset::Pokerstars, false).await;
    let (mut dealer, mut tables, mut ledger) =
        (s.client.dealer.clone(), s.client.tables.clone(), s.client.ledger.clone());
    let upper = TABLE.to_uppercase();
    for table_id in ["", "7", "00000000-0000-0000-0000-000000000000", upper.as_str()] {
        let deal = pb::DealRequest { table_id: table_id.to_owned(), ..deal() };
        refused!(s, dealer.deal(deal), InvalidArgument, "FIELD_INVALID", "table_id", "UUID");
    }
    let unknown = pb::DealRequest { table_id: OTHER.to_owned(), ..deal() };
    refused!(s, dealer.deal(unknown), NotFound, "TABLE_UNKNOWN", OTHER);
    let too_long = pb::DealRequest { request_id: "x".repeat(65), ..deal() };
    refused!(s, dealer.deal(too_long), InvalidArgument, "FIELD_INVALID", "request_id", "1 to 64 bytes");
    let table_id = || TABLE.to_owned();
    let club = Some(preset(pb::Preset::Club));
    // Every changing call wants its id.
    macro_rules! wants_id {
        ($($client:ident.$rpc:ident($request:ident { $($field:ident: $value:expr),* $(,)? });)*) => {$(
            let mut request = pb::$request::default();
            $(request.$field = $value;)*
            refused!(s, $client.$rpc(request), InvalidArgument, "REQUEST_ID_MISSING", "request_id");
        )*};
    }
    wants_id! {
        dealer.deal(DealRequest { table_id: table_id() });
        dealer.act(ActRequest { table_id: table_id(), hand_number: 1, seat: 1, action: 1 });
        dealer.settle(SettleRequest { table_id: table_id(), hand_number: 1 });
        dealer.void_hand(VoidHandRequest { table_id: table_id(), hand_number: 1, reason: "x".to_owned() });
        tables.create_table(CreateTableRequest { stakes: STAKES, rules: club.clone() });
        tables.change_rules(ChangeRulesRequest { table_id: table_id(), stakes: STAKES, rules: club.clone() });
        tables.take_seat(TakeSeatRequest { table_id: table_id(), seat: 4, player_id: player(4), chips: 1 });
        tables.add_chips(AddChipsRequest { table_id: table_id(), player_id: player(1), chips: 1 });
        tables.leave_seat(LeaveSeatRequest { table_id: table_id(), player_id: player(1) });
        tables.set_sitting_out(SetSittingOutRequest { table_id: table_id(), player_id: player(1), sitting_out: true });
        tables.close_table(CloseTableRequest { table_id: table_id() });
        ledger.deposit(DepositRequest { player_id: player(1), chips: 1 });
        ledger.withdraw(WithdrawRequest { player_id: player(1), chips: 1 });
    }
    // The same id with other content.
    let once = pb::DepositRequest { player_id: player(1), chips: 5, request_id: fresh() };
    ledger.deposit(once.clone()).await.expect("a deposit");
    let other = pb::DepositRequest { chips: 6, ..once };
    refused!(s, ledger.deposit(other), AlreadyExists, "REQUEST_ID_REUSED", "request_id");
    let sit =
        pb::SetSittingOutRequest { table_id: table_id(), player_id: player(1), sitting_out: true, request_id: fresh() };
    tables.set_sitting_out(sit.clone()).await.expect("sitting out");
    let deal_again = pb::DealRequest { request_id: sit.request_id.clone(), ..deal() };
    refused!(s, dealer.deal(deal_again), AlreadyExists, "REQUEST_ID_REUSED", "request_id");
    let back = pb::SetSittingOutRequest { sitting_out: false, ..sit };
    refused!(s, tables.set_sitting_out(back), AlreadyExists, "REQUEST_ID_REUSED", "request_id");
    s.stop().await;
}

#[tokio::test]
async fn messages_that_are_none() {
    let mut s = Scene::seated(pb::Preset::Pokerstars, false).await;
    let mut dealer = s.client.dealer.clone();
    let huge = pb::DealRequest { request_id: "x".repeat(100_000), ..deal() };
    let before = s.state().await;
    let status = dealer.deal(huge).await.expect_err("too large");
    assert_eq!((status.code(), reason(&status).as_str()), (Code::InvalidArgument, "REQUEST_TOO_LONG"), "{status}");
    assert!(status.message().contains("65536"), "{status}");
    // A GetHandRequest read as a DealRequest: its number stands where the request id's text should.
    let mut raw = tonic::client::Grpc::new(s.channel().await);
    raw.ready().await.expect("ready");
    let path = tonic::codegen::http::uri::PathAndQuery::from_static("/razz.dealer.v1.DealerService/Deal");
    let codec = tonic_prost::ProstCodec::<pb::GetHandRequest, pb::DealResponse>::default();
    let wrong = pb::GetHandRequest { table_id: TABLE.to_owned(), hand_number: 1, viewer: None };
    let status = raw.unary(tonic::Request::new(wrong), path, codec).await.map(|_| ()).expect_err("no DealRequest");
    assert_eq!((status.code(), reason(&status).as_str()), (Code::InvalidArgument, "REQUEST_UNREADABLE"), "{status}");
    assert_eq!(s.state().await, before);
    s.deal().await;
    s.stop().await;
}
