//! Bad input, a row a refusal: the code, the reason, the facts beside it, and the words for a person.

use razz_dealer::engine::Action;
use razz_dealer::pb;
use razz_dealer::record::Coded;

use super::calls::{Refusal, ask, change, check_all, refusal};
use super::scene::{STAKES, Scene, TABLE, act, deal, fresh, player, preset, take_seat};

pub const OTHER: &str = "0198c0de-0000-7000-8000-0000000000bb";

fn settle(hand_number: u64) -> pb::SettleRequest {
    pb::SettleRequest { table_id: TABLE.to_owned(), hand_number, ..pb::SettleRequest::default() }
}

fn void(hand_number: u64, reason: &str) -> pb::VoidHandRequest {
    let (table_id, reason) = (TABLE.to_owned(), reason.to_owned());
    pb::VoidHandRequest { table_id, hand_number, reason, ..pb::VoidHandRequest::default() }
}

fn get(hand_number: u64) -> pb::GetHandRequest {
    pb::GetHandRequest { table_id: TABLE.to_owned(), hand_number, viewer: None }
}

fn leave(number: i32) -> pb::LeaveSeatRequest {
    let request_id = String::new();
    pb::LeaveSeatRequest { table_id: TABLE.to_owned(), player_id: player(number), request_id }
}

fn sit_out(number: i32) -> pb::SetSittingOutRequest {
    let (table_id, player_id) = (TABLE.to_owned(), player(number));
    pb::SetSittingOutRequest { table_id, player_id, sitting_out: true, request_id: String::new() }
}

fn add(number: i32, chips: i64) -> pb::AddChipsRequest {
    let (table_id, player_id) = (TABLE.to_owned(), player(number));
    pb::AddChipsRequest { table_id, player_id, chips, request_id: String::new() }
}

fn withdraw(number: i32, chips: i64) -> pb::WithdrawRequest {
    pb::WithdrawRequest { player_id: player(number), chips, request_id: String::new() }
}

fn close() -> pb::CloseTableRequest {
    pb::CloseTableRequest { table_id: TABLE.to_owned(), request_id: String::new() }
}

#[tokio::test]
async fn the_facts_of_a_hand() {
    let mut s = Scene::seated(pb::Preset::Wsop, false).await;
    let none = vec![
        (ask!(dealer.get_hand(get(0))), refusal!(NotFound, "HAND_UNKNOWN", { "latest": 0 })),
        (change!(dealer.settle(settle(1))), refusal!(NotFound, "HAND_UNKNOWN", { "hand": 1, "latest": 0 }, "hand 1")),
        (change!(dealer.void_hand(void(1, "x"))), refusal!(NotFound, "HAND_UNKNOWN", { "hand": 1, "latest": 0 })),
    ];
    check_all(&mut s, none).await;
    let hand = s.deal().await;
    let (turn, next, seq) = (hand.to_act, hand.to_act % 3 + 1, hand.seq);
    let offers = "bring_in 2, complete 10";
    let to = |to, action| pb::ActRequest { to: Some(to), ..act(1, turn, action) };
    let stale = |seq| pb::ActRequest { expected_seq: Some(seq), ..act(1, turn, Action::BringIn) };
    let rows = vec![
        (
            change!(dealer.act(act(1, next, Action::Call))),
            refusal!(FailedPrecondition, "OUT_OF_TURN", { "expected": turn }, format!("the turn of seat {turn}")),
        ),
        (change!(dealer.act(act(1, 7, Action::Fold))), refusal!(FailedPrecondition, "NOT_DEALT_IN", { "seat": 7 })),
        (
            change!(dealer.act(to(9, Action::Complete))),
            refusal!(InvalidArgument, "WRONG_AMOUNT", { "given": 9, "right": 10, "legal": offers }, "9", "10"),
        ),
        (
            change!(dealer.act(to(0, Action::BringIn))),
            refusal!(InvalidArgument, "WRONG_AMOUNT", { "given": 0, "right": 2 }, "bring_in goes to 2"),
        ),
        (
            change!(dealer.act(to(-1, Action::BringIn))),
            refusal!(InvalidArgument, "CHIPS_OUT_OF_RANGE", { "field": "to", "given": -1 }, "from 0 to"),
        ),
        (
            change!(dealer.act(act(1, turn, Action::Check))),
            refusal!(FailedPrecondition, "ACTION_NOT_LEGAL", { "action": "check", "legal": offers }, "check", offers),
        ),
        (
            change!(dealer.act(act(1, turn, Action::Muck))),
            refusal!(FailedPrecondition, "ACTION_NOT_LEGAL", { "action": "muck", "legal": offers }),
        ),
        (
            change!(dealer.act(stale(seq - 1))),
            refusal!(Aborted, "STALE_SEQ", { "expected": seq - 1, "latest": seq }, "look again"),
        ),
        (change!(dealer.act(stale(u64::MAX))), refusal!(Aborted, "STALE_SEQ", { "expected": u64::MAX, "latest": seq })),
        (
            change!(dealer.act(act(3, turn, Action::Fold))),
            refusal!(NotFound, "HAND_UNKNOWN", { "hand": 3, "latest": 1 }),
        ),
        (
            change!(dealer.act(act(u64::MAX, turn, Action::Fold))),
            refusal!(InvalidArgument, "FIELD_INVALID", { "field": "hand_number" }, "from 1"),
        ),
    ];
    check_all(&mut s, rows).await;
    s.stop().await;
}

#[tokio::test]
async fn the_facts_of_an_open_hand() {
    let mut s = Scene::seated(pb::Preset::Pokerstars, false).await;
    let turn = s.deal().await.to_act;
    let open = || refusal!(FailedPrecondition, "HAND_OPEN", { "hand": 1 }, "not settled or voided");
    let rows = vec![
        (change!(dealer.deal(deal())), open()),
        (change!(dealer.settle(settle(1))), refusal!(FailedPrecondition, "STILL_PLAYING", { "waits_for": turn })),
        (change!(dealer.settle(settle(2))), refusal!(NotFound, "HAND_UNKNOWN", { "hand": 2, "latest": 1 })),
        (change!(dealer.void_hand(void(2, "x"))), refusal!(NotFound, "HAND_UNKNOWN", { "hand": 2, "latest": 1 })),
        (
            change!(dealer.void_hand(void(1, ""))),
            refusal!(InvalidArgument, "FIELD_INVALID", { "field": "reason" }, "1 to 200"),
        ),
        (
            change!(dealer.void_hand(void(1, &"é".repeat(201)))),
            refusal!(InvalidArgument, "FIELD_INVALID", { "field": "reason" }, "1 to 200 characters"),
        ),
        (ask!(dealer.get_hand(get(2))), refusal!(NotFound, "HAND_UNKNOWN", { "hand": 2, "latest": 1 })),
        (
            change!(tables.leave_seat(leave(1))),
            refusal!(FailedPrecondition, "STILL_DEALT_IN", { "seat": 1, "hand": 1 }),
        ),
        (change!(tables.close_table(close())), open()),
    ];
    check_all(&mut s, rows).await;
    // Two hundred characters are enough for a reason, however many bytes they have.
    let long = pb::VoidHandRequest { request_id: fresh(), ..void(1, &"é".repeat(200)) };
    s.client.dealer.void_hand(long).await.expect("voided");
    s.stop().await;
}

/// R22: against opponents who are all all-in a raise is refused by a reason of its own.
#[tokio::test]
async fn a_raise_against_all_in_opponents() {
    let mut s = Scene::start().await;
    let table_id = TABLE.to_owned();
    let (stakes, rules) = (STAKES, Some(preset(pb::Preset::Pokerstars)));
    let create = pb::CreateTableRequest { table_id, stakes, rules, request_id: fresh(), ..Default::default() };
    s.client.tables.create_table(create).await.expect("a table");
    for (seat, chips) in [(1, 9), (2, 200)] {
        s.deposit(seat, 500).await;
        s.client.tables.take_seat(take_seat(seat, chips)).await.expect("a seat");
    }
    let mut hand = s.deal().await;
    if hand.to_act == 2 {
        s.act(act(1, 2, Action::BringIn)).await;
    }
    // 8 after the ante: more than half of the small bet, so the price is 8 and the betting is open (R19).
    hand = s.act(act(1, 1, Action::Complete)).await;
    assert_eq!((hand.to_act, hand.seats[0].standing()), (2, pb::Standing::AllIn));
    let offers: Vec<i32> = hand.legal_actions.iter().map(|legal| legal.action).collect();
    assert_eq!(offers, [Action::Fold.code(), Action::Call.code()]);
    let legal = "fold, call 8";
    let said = || refusal!(FailedPrecondition, "OPPONENTS_ALL_IN", { "legal": legal }, "all-in", legal);
    let rows = vec![(change!(dealer.act(act(1, 2, Action::Raise))), said())];
    check_all(&mut s, rows).await;
    s.stop().await;
}

#[tokio::test]
async fn the_facts_of_seats_and_wallets() {
    let mut s = Scene::seated(pb::Preset::Pokerstars, false).await;
    let low = |number: i32, holds: i64, needed: i64| {
        let (player_id, words) = (player(number), format!("holds {holds}, which is less than {needed}"));
        let facts = vec![("player_id", player_id), ("balance", holds.to_string()), ("needed", needed.to_string())];
        Refusal { facts, ..refusal!(FailedPrecondition, "BALANCE_TOO_LOW", {}, words) }
    };
    let range = "from 1 to 1000000000000000";
    let out_of_range =
        |given: i64| refusal!(InvalidArgument, "CHIPS_OUT_OF_RANGE", { "field": "chips", "given": given }, range);
    let player_field = || refusal!(InvalidArgument, "FIELD_INVALID", { "field": "player_id" }, "1 to 64 bytes");
    let mut rows = vec![
        (
            change!(tables.take_seat(pb::TakeSeatRequest { player_id: player(4), ..take_seat(2, 1) })),
            refusal!(FailedPrecondition, "SEAT_TAKEN", { "seat": 2 }, "seat 2 is taken"),
        ),
        (
            change!(tables.take_seat(pb::TakeSeatRequest { player_id: player(2), ..take_seat(4, 1) })),
            refusal!(FailedPrecondition, "ALREADY_SEATED", { "seat": 2 }, "sits in seat 2"),
        ),
        (change!(tables.take_seat(take_seat(4, 1))), low(4, 0, 1)),
        (change!(tables.add_chips(add(1, 301))), low(1, 300, 301)),
        (change!(ledger.withdraw(withdraw(1, 301))), low(1, 300, 301)),
        (change!(ledger.withdraw(withdraw(8, 1))), low(8, 0, 1)),
        (change!(tables.add_chips(add(4, 1))), refusal!(FailedPrecondition, "NOT_SEATED", {}, "no seat")),
        (change!(tables.leave_seat(leave(4))), refusal!(FailedPrecondition, "NOT_SEATED", {}, "no seat")),
        (change!(tables.set_sitting_out(sit_out(4))), refusal!(FailedPrecondition, "NOT_SEATED", {}, "no seat")),
    ];
    for chips in [0, -1, 1_000_000_000_000_001, i64::MAX, i64::MIN] {
        rows.push((change!(tables.take_seat(take_seat(4, chips))), out_of_range(chips)));
        rows.push((change!(tables.add_chips(add(1, chips))), out_of_range(chips)));
        rows.push((change!(ledger.withdraw(withdraw(1, chips))), out_of_range(chips)));
    }
    for id in [String::new(), "x".repeat(65), "é".repeat(33), "a\u{7}b".to_owned(), "\n".to_owned()] {
        let player_id = || id.clone();
        let seat = pb::TakeSeatRequest { player_id: player_id(), ..take_seat(4, 1) };
        rows.push((change!(tables.take_seat(seat)), player_field()));
        rows.push((
            change!(tables.add_chips(pb::AddChipsRequest { player_id: player_id(), ..add(1, 1) })),
            player_field(),
        ));
        rows.push((
            change!(tables.leave_seat(pb::LeaveSeatRequest { player_id: player_id(), ..leave(1) })),
            player_field(),
        ));
        let out = pb::SetSittingOutRequest { player_id: player_id(), ..sit_out(1) };
        rows.push((change!(tables.set_sitting_out(out)), player_field()));
        let out = pb::WithdrawRequest { player_id: player_id(), ..withdraw(1, 1) };
        rows.push((change!(ledger.withdraw(out)), player_field()));
    }
    check_all(&mut s, rows).await;
    s.stop().await;
}

/// All chips together stay at or below 10^15, to the unit.
#[tokio::test]
async fn the_ceiling_of_all_chips() {
    let mut s = Scene::seated(pb::Preset::Pokerstars, false).await;
    let deposit = |number, chips| pb::DepositRequest { player_id: player(number), chips, request_id: String::new() };
    let limit = || refusal!(FailedPrecondition, "CHIPS_LIMIT", {}, "1000000000000000");
    let rows = vec![
        (change!(ledger.deposit(deposit(1, 1_000_000_000_000_000))), limit()),
        (change!(ledger.deposit(deposit(9, 1_000_000_000_000_000 - 1499))), limit()),
    ];
    check_all(&mut s, rows).await;
    s.deposit(9, 1_000_000_000_000_000 - 1500).await;
    let rows =
        vec![(change!(ledger.deposit(deposit(9, 1))), limit()), (change!(ledger.deposit(deposit(2, 1))), limit())];
    check_all(&mut s, rows).await;
    s.stop().await;
}

#[tokio::test]
async fn a_closed_table_takes_nothing() {
    let mut s = Scene::seated(pb::Preset::Pokerstars, false).await;
    s.client.tables.close_table(pb::CloseTableRequest { request_id: fresh(), ..close() }).await.expect("closed");
    let closed = || refusal!(FailedPrecondition, "TABLE_CLOSED", {}, "closed");
    let (stakes, rules) = (STAKES, Some(preset(pb::Preset::Club)));
    let rules = pb::ChangeRulesRequest { table_id: TABLE.to_owned(), stakes, rules, ..Default::default() };
    let rows = vec![
        (change!(dealer.deal(deal())), closed()),
        (change!(tables.take_seat(take_seat(4, 1))), closed()),
        (change!(tables.add_chips(add(1, 1))), closed()),
        (change!(tables.change_rules(rules)), closed()),
    ];
    check_all(&mut s, rows).await;
    // Who sits there still gets the chips back.
    s.client.tables.leave_seat(pb::LeaveSeatRequest { request_id: fresh(), ..leave(1) }).await.expect("left");
    let wallet = pb::account::Kind::Wallet(pb::account::Wallet { player_id: player(1) });
    assert_eq!(s.balance(wallet).await, 500);
    s.stop().await;
}

/// Settings that are refused leave the table's own as they are.
#[tokio::test]
async fn rules_that_cannot_be() {
    let mut s = Scene::seated(pb::Preset::Pokerstars, false).await;
    let stakes = |small_bet, ante, bring_in| Some(pb::Stakes { small_bet, ante: Some(ante), bring_in: Some(bring_in) });
    let change =
        |stakes, rules| pb::ChangeRulesRequest { table_id: TABLE.to_owned(), stakes, rules, ..Default::default() };
    let club = || Some(preset(pb::Preset::Club));
    let bad_stakes = |field: &str, words: &str| {
        let field = format!("stakes.{field}");
        refusal!(InvalidArgument, "STAKES_INVALID", { "field": field }, words)
    };
    let rule = |field: &str, words: &str| refusal!(InvalidArgument, "RULES_INVALID", { "field": field }, words);
    let field = |field: &str, words: &str| refusal!(InvalidArgument, "FIELD_INVALID", { "field": field }, words);
    let chips =
        |field: &str, given: i64| refusal!(InvalidArgument, "CHIPS_OUT_OF_RANGE", { "field": field, "given": given });
    let raises = |max_raises| Some(pb::HouseRules { max_raises: Some(max_raises), ..preset(pb::Preset::Club) });
    let raked = |amount, step, caps| {
        let rake = Some(pb::Rake { amount, step, caps, none_on_third: false });
        Some(pb::HouseRules { rake, ..preset(pb::Preset::Club) })
    };
    let cap = |players, cap| vec![pb::RakeCap { players, cap }];
    let slow = pb::ChangeRulesRequest { act_allowance_ms: 86_400_001, ..change(STAKES, club()) };
    let unknown = pb::HouseRules { preset: 99, ..pb::HouseRules::default() };
    let odd = pb::HouseRules { odd_chip: 3, ..preset(pb::Preset::Club) };
    let rows = vec![
        (change!(tables.change_rules(change(stakes(1, 0, 1), club()))), bad_stakes("small_bet", "from 2")),
        (change!(tables.change_rules(change(stakes(10, 10, 2), club()))), bad_stakes("ante", "ante is 10")),
        (change!(tables.change_rules(change(stakes(10, 1, 0), club()))), bad_stakes("bring_in", "bring_in is 0")),
        (change!(tables.change_rules(change(stakes(10, 1, 10), club()))), bad_stakes("bring_in", "bring_in is 10")),
        (change!(tables.change_rules(change(stakes(-2, 1, 1), club()))), chips("stakes.small_bet", -2)),
        (change!(tables.change_rules(change(stakes(10, -1, 1), club()))), chips("stakes.ante", -1)),
        (change!(tables.change_rules(change(None, club()))), field("stakes", "small_bet")),
        (change!(tables.change_rules(change(STAKES, None))), field("rules", "preset")),
        (change!(tables.change_rules(change(STAKES, Some(unknown)))), field("rules.preset", "this version knows")),
        (change!(tables.change_rules(change(STAKES, Some(odd)))), rule("rules.odd_chip", "3 is no value")),
        (change!(tables.change_rules(change(STAKES, raises(0)))), rule("rules.max_raises", "from 1 to 20")),
        (change!(tables.change_rules(change(STAKES, raises(21)))), rule("rules.max_raises", "from 1 to 20")),
        (change!(tables.change_rules(change(STAKES, raises(u32::MAX)))), rule("rules.max_raises", "from 1 to 20")),
        (change!(tables.change_rules(change(STAKES, raked(1, 0, vec![])))), rule("rules.rake", "step is 0")),
        (change!(tables.change_rules(change(STAKES, raked(21, 20, vec![])))), rule("rules.rake", "amount is 21")),
        (change!(tables.change_rules(change(STAKES, raked(-1, 20, vec![])))), chips("rules.rake.amount", -1)),
        (change!(tables.change_rules(change(STAKES, raked(1, 20, cap(1, 5))))), rule("rules.rake.caps", "from 2 to 8")),
        (
            change!(tables.change_rules(change(STAKES, raked(1, 20, cap(i32::MIN, 5))))),
            rule("rules.rake.caps", "2 to 8"),
        ),
        (change!(tables.change_rules(change(STAKES, raked(1, 20, cap(2, -5))))), chips("rules.rake.caps.cap", -5)),
        (change!(tables.change_rules(slow)), field("act_allowance_ms", "86400000")),
    ];
    check_all(&mut s, rows).await;
    s.stop().await;
}
