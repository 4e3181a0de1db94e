//! Ids that are none, ids of nothing, and viewers, accounts and pages that cannot be.

use razz_dealer::pb;
use tonic::Code;

use super::calls::{Call, ask, change, check_all, refusal};
use super::refusals::OTHER;
use super::scene::{STAKES, Scene, TABLE, act, deal, player, preset, take_seat};

/// Every changing call of one table.
pub fn changing_table(id: &str) -> Vec<Call> {
    let (table_id, player_id, request_id) = (|| id.to_owned(), || player(1), String::new);
    let (stakes, rules) = (STAKES, Some(preset(pb::Preset::Club)));
    let rules = pb::ChangeRulesRequest { table_id: table_id(), stakes, rules, ..Default::default() };
    let settle = pb::SettleRequest { table_id: table_id(), hand_number: 1, ..Default::default() };
    let void =
        pb::VoidHandRequest { table_id: table_id(), hand_number: 1, reason: "x".to_owned(), ..Default::default() };
    let add = pb::AddChipsRequest { table_id: table_id(), player_id: player_id(), chips: 1, request_id: request_id() };
    let leave = pb::LeaveSeatRequest { table_id: table_id(), player_id: player_id(), request_id: request_id() };
    let sitting_out = true;
    let out = pb::SetSittingOutRequest {
        table_id: table_id(),
        player_id: player_id(),
        sitting_out,
        request_id: request_id(),
    };
    let prepare = pb::PrepareHandRequest { table_id: table_id(), request_id: request_id() };
    let give = pb::GiveNonceRequest {
        table_id: table_id(),
        hand_number: 1,
        player_id: player_id(),
        nonce: vec![1],
        request_id: request_id(),
    };
    let open = pb::OpenDeckRequest {
        table_id: table_id(),
        hand_number: 1,
        auditor_id: "board".to_owned(),
        reason: "x".to_owned(),
        request_id: request_id(),
    };
    let fold = pb::ActRequest { table_id: table_id(), ..act(1, 1, razz_dealer::engine::Action::Fold) };
    vec![
        change!(dealer.deal(pb::DealRequest { table_id: table_id(), ..deal() })),
        change!(dealer.act(fold)),
        change!(dealer.settle(settle)),
        change!(dealer.void_hand(void)),
        change!(dealer.prepare_hand(prepare)),
        change!(dealer.give_nonce(give)),
        change!(audits.open_deck(open)),
        change!(tables.change_rules(rules)),
        change!(tables.take_seat(pb::TakeSeatRequest { table_id: table_id(), ..take_seat(4, 1) })),
        change!(tables.add_chips(add)),
        change!(tables.leave_seat(leave)),
        change!(tables.set_sitting_out(out)),
        change!(tables.close_table(pb::CloseTableRequest { table_id: table_id(), request_id: request_id() })),
    ]
}

fn asking_table(id: &str) -> Vec<Call> {
    let get = pb::GetHandRequest { table_id: id.to_owned(), ..Default::default() };
    let proofs = pb::GetCardProofsRequest { table_id: id.to_owned(), ..Default::default() };
    vec![
        ask!(dealer.get_hand(get)),
        ask!(dealer.get_card_proofs(proofs)),
        ask!(tables.get_table(pb::GetTableRequest { table_id: id.to_owned() })),
    ]
}

#[tokio::test]
async fn tables_that_are_none() {
    let mut s = Scene::seated(pb::Preset::Pokerstars, false).await;
    let nil = "00000000-0000-0000-0000-000000000000";
    for id in ["", "7", nil, "0198c0de-0000-7000-8000-0000000000a", "' or 1=1 --", "\u{0}"] {
        let wrong = || refusal!(InvalidArgument, "FIELD_INVALID", { "field": "table_id" }, "UUID");
        let rows = changing_table(id).into_iter().chain(asking_table(id)).map(|call| (call, wrong())).collect();
        check_all(&mut s, rows).await;
    }
    let unknown = || refusal!(NotFound, "TABLE_UNKNOWN", { "table_id": OTHER }, OTHER);
    let rows = changing_table(OTHER).into_iter().chain(asking_table(OTHER)).map(|call| (call, unknown())).collect();
    check_all(&mut s, rows).await;
    let stakes = STAKES;
    let nowhere = pb::CreateTableRequest {
        table_id: nil.to_owned(),
        stakes,
        rules: Some(preset(pb::Preset::Club)),
        ..Default::default()
    };
    let rows = vec![(
        change!(tables.create_table(nowhere.clone())),
        refusal!(InvalidArgument, "FIELD_INVALID", { "field": "table_id" }, "UUID"),
    )];
    check_all(&mut s, rows).await;
    let twice = pb::CreateTableRequest { table_id: TABLE.to_owned(), ..nowhere };
    let rows = vec![(
        change!(tables.create_table(twice)),
        refusal!(AlreadyExists, "TABLE_EXISTS", { "table_id": TABLE }, TABLE),
    )];
    check_all(&mut s, rows).await;
    s.stop().await;
}

/// Every changing call, with every request id that is none.
#[tokio::test]
async fn request_ids_that_are_none() {
    let mut s = Scene::seated(pb::Preset::Pokerstars, false).await;
    let before = s.state().await;
    let mut calls = changing_table(TABLE);
    let (stakes, rules) = (STAKES, Some(preset(pb::Preset::Club)));
    calls.push(change!(tables.create_table(pb::CreateTableRequest { stakes, rules, ..Default::default() })));
    let (player_id, chips, request_id) = (player(1), 1, String::new());
    let request = pb::DepositRequest { player_id: player_id.clone(), chips, request_id: request_id.clone() };
    calls.push(change!(ledger.deposit(request)));
    calls.push(change!(ledger.withdraw(pb::WithdrawRequest { player_id, chips, request_id })));
    assert_eq!(calls.len(), 16, "the changing calls of the contract");
    for call in calls {
        let missing = refusal!(InvalidArgument, "REQUEST_ID_MISSING", { "field": "request_id" }, "1 to 64 bytes");
        missing.check(call.name, call.send(&s, "").await);
        for id in ["x".repeat(65), "é".repeat(33), "a\tb".to_owned()] {
            let wrong = refusal!(InvalidArgument, "FIELD_INVALID", { "field": "request_id" }, "1 to 64 bytes");
            wrong.check(call.name, call.send(&s, &id).await);
        }
    }
    assert_eq!(s.state().await, before);
    let tables = s.client.tables.list_tables(pb::ListTablesRequest::default()).await.expect("tables").into_inner();
    assert_eq!(tables.tables.len(), 1);
    // Sixty-four bytes are one.
    let request = pb::DepositRequest { player_id: player(1), chips: 1, request_id: "é".repeat(32) };
    s.client.ledger.deposit(request).await.expect("a deposit");
    s.stop().await;
}

#[tokio::test]
async fn viewers_accounts_and_pages_that_are_none() {
    use pb::account::{Kind, Pot, Rake, Seat, Wallet};
    let mut s = Scene::seated(pb::Preset::Pokerstars, false).await;
    s.deal().await;
    let field = |field: &str, words: &str| refusal!(InvalidArgument, "FIELD_INVALID", { "field": field }, words);
    let mut rows = Vec::new();
    let nameless = pb::viewer::Player { player_id: String::new() };
    let nobody = (pb::Viewer { who: None }, "viewer", "public, player, platform or auditor");
    let nameless =
        (pb::Viewer { who: Some(pb::viewer::Who::Player(nameless)) }, "viewer.player.player_id", "1 to 64 bytes");
    let platform = |seat, reader: &str| {
        let platform = pb::viewer::Platform { seat, reader: reader.to_owned() };
        pb::Viewer { who: Some(pb::viewer::Who::Platform(platform)) }
    };
    let unnamed = pb::viewer::Auditor { auditor_id: String::new() };
    let unnamed = (pb::Viewer { who: Some(pb::viewer::Who::Auditor(unnamed)) }, "viewer.auditor.auditor_id", "1 to 64");
    let seatless = (platform(0, "floor"), "viewer.platform.seat", "a seat from 1 to 8 where a reader is named");
    let beyond = (platform(9, "floor"), "viewer.platform.seat", "1 to 8");
    let readerless = (platform(1, ""), "viewer.platform.reader", "1 to 64 bytes");
    let too_long = (platform(1, &"x".repeat(65)), "viewer.platform.reader", "1 to 64 bytes");
    for (viewer, name, words) in [nobody, nameless, unnamed, seatless, beyond, readerless, too_long] {
        let viewer = || Some(viewer.clone());
        let fold = act(1, 1, razz_dealer::engine::Action::Fold);
        let get = pb::GetHandRequest { table_id: TABLE.to_owned(), hand_number: 0, viewer: viewer() };
        let (table_id, hand_number) = (|| TABLE.to_owned(), 1);
        let settle = pb::SettleRequest { table_id: table_id(), hand_number, viewer: viewer(), ..Default::default() };
        let reason = "x".to_owned();
        let void =
            pb::VoidHandRequest { table_id: table_id(), hand_number, reason, viewer: viewer(), ..Default::default() };
        rows.push((change!(dealer.deal(pb::DealRequest { viewer: viewer(), ..deal() })), field(name, words)));
        rows.push((change!(dealer.act(pb::ActRequest { viewer: viewer(), ..fold })), field(name, words)));
        rows.push((change!(dealer.settle(settle)), field(name, words)));
        rows.push((change!(dealer.void_hand(void)), field(name, words)));
        rows.push((ask!(dealer.get_hand(get)), field(name, words)));
        let proofs = pb::GetCardProofsRequest { table_id: table_id(), hand_number: 0, viewer: viewer() };
        rows.push((ask!(dealer.get_card_proofs(proofs)), field(name, words)));
    }
    let seat = |seat| Some(Kind::Seat(Seat { table_id: TABLE.to_owned(), seat }));
    let accounts = [
        (None, "account", "house, wallet, seat, pot or rake"),
        (Some(Kind::Wallet(Wallet { player_id: "x".repeat(65) })), "account.wallet.player_id", "1 to 64 bytes"),
        (seat(0), "account.seat.seat", "1 to 8"),
        (seat(9), "account.seat.seat", "1 to 8"),
        (seat(i32::MIN), "account.seat.seat", "1 to 8"),
        (Some(Kind::Pot(Pot { table_id: "x".to_owned() })), "table_id", "UUID"),
        (Some(Kind::Rake(Rake { table_id: String::new() })), "table_id", "UUID"),
    ];
    for (kind, name, words) in accounts {
        let account = || Some(pb::Account { kind: kind.clone() });
        rows.push((ask!(ledger.get_balance(pb::GetBalanceRequest { account: account() })), field(name, words)));
        let list = pb::ListTransfersRequest { account: account(), ..Default::default() };
        rows.push((ask!(ledger.list_transfers(list)), field(name, words)));
    }
    let house = Some(pb::Account { kind: Some(Kind::House(pb::account::House {})) });
    let tokens = ["x", "t", "zz", &"t0".repeat(20), &format!("t{}", "0g".repeat(16)), &format!("x{}", "é".repeat(36))];
    for token in tokens {
        let page_token = || token.to_owned();
        let list = pb::ListTransfersRequest { account: house.clone(), page_size: 1, page_token: page_token() };
        rows.push((ask!(ledger.list_transfers(list)), field("page_token", "next_page_token")));
        let list = pb::ListTablesRequest { page_size: 1, page_token: page_token() };
        rows.push((ask!(tables.list_tables(list)), field("page_token", "next_page_token")));
    }
    for page_size in [-1, i32::MIN] {
        let list = pb::ListTransfersRequest { account: house.clone(), page_size, page_token: String::new() };
        rows.push((ask!(ledger.list_transfers(list)), field("page_size", "0 to 1000")));
        let list = pb::ListTablesRequest { page_size, page_token: String::new() };
        rows.push((ask!(tables.list_tables(list)), field("page_size", "0 to 1000")));
    }
    check_all(&mut s, rows).await;
    s.stop().await;
}

/// A method that is none is no trouble either.
#[tokio::test]
async fn a_method_that_is_none() {
    let s = Scene::start().await;
    let mut raw = tonic::client::Grpc::new(s.channel().await);
    raw.ready().await.expect("ready");
    let path = tonic::codegen::http::uri::PathAndQuery::from_static("/razz.dealer.v1.DealerService/ChooseCards");
    let codec = tonic_prost::ProstCodec::<pb::DealRequest, pb::DealResponse>::default();
    let status = raw.unary(tonic::Request::new(deal()), path, codec).await.map(|_| ()).expect_err("no such method");
    assert_eq!(status.code(), Code::Unimplemented);
    drop(raw);
    s.stop().await;
}
