//! Refusals about hands that are prepared, decks that are opened and proofs, a row each.

use razz_dealer::pb;

use super::calls::{Call, Refusal, ask, change, check_all, refusal};
use super::refusals::OTHER;
use super::scene::{STAKES, Scene, TABLE, as_player, deal, fresh, player, preset};

fn prepare() -> pb::PrepareHandRequest {
    pb::PrepareHandRequest { table_id: TABLE.to_owned(), request_id: fresh() }
}

fn give(hand_number: u64, number: i32, nonce: &[u8]) -> pb::GiveNonceRequest {
    let (table_id, player_id, nonce) = (TABLE.to_owned(), player(number), nonce.to_vec());
    pb::GiveNonceRequest { table_id, hand_number, player_id, nonce, request_id: fresh() }
}

fn deal_with(nonces: &[(i32, &[u8])]) -> pb::DealRequest {
    let nonces = nonces.iter().map(|&(seat, nonce)| pb::Nonce { seat, nonce: nonce.to_vec() }).collect();
    pb::DealRequest { nonces, ..deal() }
}

fn open(hand_number: u64, auditor_id: &str, reason: &str) -> pb::OpenDeckRequest {
    pb::OpenDeckRequest {
        table_id: TABLE.to_owned(),
        hand_number,
        auditor_id: auditor_id.to_owned(),
        reason: reason.to_owned(),
        request_id: fresh(),
    }
}

fn proofs(hand_number: u64) -> pb::GetCardProofsRequest {
    pb::GetCardProofsRequest { table_id: TABLE.to_owned(), hand_number, viewer: Some(as_player(1)) }
}

async fn take_nonces(s: &mut Scene, nonces: bool) {
    let (stakes, rules) = (STAKES, Some(preset(pb::Preset::Pokerstars)));
    let (table_id, request_id) = (TABLE.to_owned(), fresh());
    let change = pb::ChangeRulesRequest { table_id, stakes, rules, nonces, request_id, ..Default::default() };
    s.client.tables.change_rules(change).await.expect("changed");
}

fn field(name: &str, words: &str) -> Refusal {
    refusal!(InvalidArgument, "FIELD_INVALID", { "field": name }, words)
}

fn not_taken() -> Refusal {
    refusal!(FailedPrecondition, "NONCES_NOT_TAKEN", {}, "nonces")
}

fn not_prepared(hand: u64) -> Refusal {
    refusal!(FailedPrecondition, "NOT_PREPARED", { "hand": hand }, &format!("hand {hand}"))
}

fn given(seat: i32) -> Refusal {
    refusal!(FailedPrecondition, "NONCE_GIVEN", { "seat": seat }, &format!("seat {seat}"))
}

fn unknown(hand: u64, latest: u64) -> Refusal {
    refusal!(NotFound, "HAND_UNKNOWN", { "hand": hand, "latest": latest }, &format!("hand {hand}"))
}

fn malformed() -> Vec<(Call, Refusal)> {
    let long = [1; 33];
    let mut rows = vec![
        (change!(dealer.give_nonce(give(0, 1, &[1]))), field("hand_number", "from 1")),
        (change!(dealer.give_nonce(give(1, 1, &[]))), field("nonce", "1 to 32 bytes")),
        (change!(dealer.give_nonce(give(1, 1, &long))), field("nonce", "1 to 32 bytes")),
        (change!(dealer.deal(deal_with(&[(1, &[])]))), field("nonces.nonce", "1 to 32 bytes")),
        (change!(dealer.deal(deal_with(&[(1, &long)]))), field("nonces.nonce", "1 to 32 bytes")),
        (change!(dealer.deal(deal_with(&[(0, &[1])]))), field("nonces.seat", "1 to 8")),
        (change!(dealer.deal(deal_with(&[(9, &[1])]))), field("nonces.seat", "1 to 8")),
        (change!(dealer.deal(deal_with(&[(1, &[1]), (1, &[2])]))), field("nonces.seat", "at most one nonce")),
        (change!(audits.open_deck(open(0, "board", "x"))), field("hand_number", "from 1")),
    ];
    for name in ["", "a\nb", &"x".repeat(65)] {
        rows.push((change!(audits.open_deck(open(1, name, "x"))), field("auditor_id", "1 to 64 bytes")));
    }
    for reason in ["", "a\nb", &"x".repeat(201)] {
        rows.push((change!(audits.open_deck(open(1, "board", reason))), field("reason", "1 to 200")));
    }
    rows
}

#[tokio::test]
async fn nonces_out_of_place() {
    let mut s = Scene::seated(pb::Preset::Pokerstars, false).await;
    let mut rows = malformed();
    rows.extend([
        (change!(dealer.prepare_hand(prepare())), not_taken()),
        (change!(dealer.give_nonce(give(1, 1, &[1]))), not_taken()),
        (change!(dealer.give_nonce(give(1, 7, &[1]))), refusal!(FailedPrecondition, "NOT_SEATED", {}, "no seat")),
        (change!(dealer.deal(deal_with(&[(1, &[1])]))), not_taken()),
    ]);
    check_all(&mut s, rows).await;
    take_nonces(&mut s, true).await;
    let rows = vec![
        (change!(dealer.deal(deal())), not_prepared(1)),
        (change!(dealer.deal(deal_with(&[(1, &[1])]))), not_prepared(1)),
        (change!(dealer.give_nonce(give(1, 1, &[1]))), not_prepared(1)),
    ];
    check_all(&mut s, rows).await;
    s.client.dealer.prepare_hand(prepare()).await.expect("prepared");
    s.client.dealer.give_nonce(give(1, 1, &[1])).await.expect("given");
    let not_dealt_in = || refusal!(FailedPrecondition, "NOT_DEALT_IN", { "seat": 5 }, "seat 5");
    let rows = vec![
        (change!(dealer.give_nonce(give(2, 2, &[1]))), not_prepared(2)),
        (change!(dealer.give_nonce(give(1, 1, &[1]))), given(1)),
        (change!(dealer.give_nonce(give(1, 7, &[1]))), refusal!(FailedPrecondition, "NOT_SEATED", {})),
        (change!(dealer.deal(deal_with(&[(1, &[2])]))), given(1)),
        (change!(dealer.deal(deal_with(&[(2, &[2]), (5, &[2])]))), not_dealt_in()),
    ];
    check_all(&mut s, rows).await;
    // What is prepared is dealt as it was announced, whatever the settings say since.
    take_nonces(&mut s, false).await;
    let hand = s.deal().await;
    assert_eq!(hand.prepared.map(|prepared| prepared.nonces.len()), Some(1));
    check_all(&mut s, vec![(change!(dealer.give_nonce(give(1, 2, &[1]))), not_taken())]).await;
    s.stop().await;
}

#[tokio::test]
async fn decks_and_proofs_out_of_place() {
    let mut s = Scene::seated(pb::Preset::Pokerstars, false).await;
    let rows = vec![
        (change!(audits.open_deck(open(1, "board", "x"))), unknown(1, 0)),
        (ask!(dealer.get_card_proofs(proofs(0))), unknown(0, 0)),
        (ask!(dealer.get_card_proofs(proofs(1))), unknown(1, 0)),
        (ask!(dealer.get_card_proofs(proofs(u64::MAX))), field("hand_number", "from 1")),
    ];
    check_all(&mut s, rows).await;
    let dealt = s.deal().await;
    let is_open = || refusal!(FailedPrecondition, "HAND_OPEN", { "hand": 1 }, "hand 1");
    let rows = vec![
        (change!(audits.open_deck(open(1, "board", "x"))), is_open()),
        (change!(audits.open_deck(open(2, "board", "x"))), unknown(2, 1)),
        (ask!(dealer.get_card_proofs(proofs(2))), unknown(2, 1)),
    ];
    check_all(&mut s, rows).await;
    s.play_out(dealt).await;
    check_all(&mut s, vec![(change!(audits.open_deck(open(1, "board", "x"))), is_open())]).await;
    s.settle(1).await;
    // Where a table is closed one can still look back, and prepare nothing more.
    take_nonces(&mut s, true).await;
    let close = pb::CloseTableRequest { table_id: TABLE.to_owned(), request_id: fresh() };
    s.client.tables.close_table(close).await.expect("closed");
    let closed = || refusal!(FailedPrecondition, "TABLE_CLOSED", {}, "closed");
    let rows = vec![
        (change!(dealer.prepare_hand(prepare())), closed()),
        (change!(dealer.give_nonce(give(2, 1, &[1]))), closed()),
    ];
    check_all(&mut s, rows).await;
    s.client.audits.open_deck(open(1, "board", "x")).await.expect("opened");
    s.client.dealer.get_card_proofs(proofs(1)).await.expect("proofs");
    let elsewhere = pb::GetCardProofsRequest { table_id: OTHER.to_owned(), ..proofs(1) };
    s.client.dealer.get_card_proofs(elsewhere).await.expect_err("no such table");
    s.stop().await;
}
