//! A dealer whose memory is behind: what is legal now is accepted, and every refusal rests on what is stored now.

use razz_dealer::engine::Action;
use razz_dealer::grpc::client::{Client, fact, reason};
use razz_dealer::pb;
use razz_dealer::record::Coded;
use razz_dealer::sim::Bots;
use tonic::Status;

use super::{next, seated, sent};
use crate::fleet::{Fleet, clients, shut_down};
use crate::process::request::{Request, Sixes, read};

fn refused<T: std::fmt::Debug>(answer: Result<T, Status>, expected: &str) -> Status {
    let status = answer.expect_err(expected);
    assert_eq!(reason(&status), expected, "{status:?}");
    status
}

async fn out(client: &mut Client, table: &Sixes, seat: u8, sitting_out: bool, id: &str) -> bool {
    let (table_id, player_id, request_id) = (table.id.clone(), table.player(seat), id.to_owned());
    let ask = pb::SetSittingOutRequest { table_id, player_id, sitting_out, request_id };
    let shown = client.tables.set_sitting_out(ask).await.expect("done").into_inner().table.expect("a table");
    shown.seats.iter().find(|it| it.seat == i32::from(seat)).expect("seated").sitting_out
}

fn leave(table: &Sixes, seat: u8, id: &str) -> pb::LeaveSeatRequest {
    pb::LeaveSeatRequest { table_id: table.id.clone(), player_id: table.player(seat), request_id: id.to_owned() }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_legal_act_is_accepted_by_a_dealer_that_is_behind() {
    let fleet = Fleet::fresh().await;
    let members = fleet.members(2, 6).await;
    let clients = clients(&members);
    let (mut ahead, mut behind) = (clients[0].clone(), clients[1].clone());
    let (mut table, mut bots) = (Sixes::new(4, 20_000, false), Bots::new(6));
    seated(&mut ahead, &mut table).await;
    let (mut late, mut hands) = (0, 0);
    // The one that is behind does every fourth thing, and hears of nothing between.
    let mut done = sent(&mut behind, &table.deal()).await;
    for step in 1..120 {
        let mut request = next(&mut table, &mut bots, &done);
        hands += u32::from(matches!(request, Request::Deal(_)));
        if step % 4 == 0 {
            if let Request::Act(act) = &mut request {
                // What the caller knows through the other dealer is no stale picture.
                act.expected_seq = Some(done.seq);
                late += 1;
            }
            done = sent(&mut behind, &request).await;
        } else {
            done = sent(&mut ahead, &request).await;
        }
    }
    assert!(late > 10 && hands >= 2, "{late} late acts, {hands} hands");
    shut_down(members).await;
    fleet.reconcile().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn no_refusal_comes_from_old_memory() {
    let fleet = Fleet::fresh().await;
    let members = fleet.members(2, 6).await;
    let clients = clients(&members);
    let (mut ahead, mut behind) = (clients[0].clone(), clients[1].clone());
    let (mut table, mut bots) = (Sixes::new(4, 20_000, false), Bots::new(6));
    seated(&mut ahead, &mut table).await;

    // It remembers an open hand, which has ended since.
    let first = sent(&mut behind, &table.deal()).await;
    let old = read(first.hand.as_ref().expect("a hand"));
    let id = table.id.clone();
    let void = |number: u64| pb::VoidHandRequest {
        table_id: id.clone(),
        hand_number: number,
        reason: "a test".to_owned(),
        request_id: format!("void-{number}"),
        viewer: None,
    };
    ahead.dealer.void_hand(void(1)).await.expect("voided");
    let second = sent(&mut behind, &table.deal()).await;
    assert_eq!(second.hand.as_ref().map(|hand| hand.hand_number), Some(2));

    // It remembers whose turn it was.
    let opening = next(&mut table, &mut bots, &second);
    let opened = sent(&mut ahead, &opening).await;
    let view = read(opened.hand.as_ref().expect("a hand"));
    let expected = view.legal.seat.expect("somebody's turn");
    let was = read(second.hand.as_ref().expect("a hand")).legal.seat.expect("somebody's turn");
    let mut again = pb::ActRequest {
        table_id: table.id.clone(),
        hand_number: 2,
        seat: i32::from(was.number()),
        action: Action::Fold.code(),
        request_id: "out-of-turn".to_owned(),
        ..pb::ActRequest::default()
    };
    let status = refused(behind.dealer.act(again.clone()).await, "OUT_OF_TURN");
    assert_eq!(fact(&status, "expected"), Some(expected.to_string()), "{status:?}");
    // A caller who knows less than is stored is told so, though the dealer knew no more.
    sent(&mut ahead, &next(&mut table, &mut bots, &opened)).await;
    again.expected_seq = Some(opened.seq);
    let status = refused(behind.dealer.act(again.clone()).await, "STALE_SEQ");
    assert_eq!(fact(&status, "latest"), Some((opened.seq + 1).to_string()), "{status:?}");
    again.hand_number = old.number;
    again.expected_seq = None;
    refused(behind.dealer.act(again).await, "HAND_OVER");

    // It remembers a hand that a seat was dealt into, and then who sat where.
    refused(behind.tables.leave_seat(leave(&table, 5, "leave-5")).await, "STILL_DEALT_IN");
    ahead.dealer.void_hand(void(2)).await.expect("voided");
    behind.tables.leave_seat(leave(&table, 5, "leave-5")).await.expect("the hand is over");
    ahead.tables.leave_seat(leave(&table, 6, "leave-6")).await.expect("left");
    let sit = |seat: i32, player: u8, id: &str| pb::TakeSeatRequest {
        table_id: table.id.clone(),
        seat,
        player_id: table.player(player),
        chips: 5,
        request_id: id.to_owned(),
        card_key: Vec::new(),
    };
    behind.tables.take_seat(sit(6, 5, "sit-5")).await.expect("the seat is free");
    refused(ahead.tables.take_seat(sit(6, 6, "sit-6")).await, "SEAT_TAKEN");
    // What is asked for already is nothing to do only if it is so now.
    assert!(out(&mut behind, &table, 1, true, "out").await);
    assert!(!out(&mut ahead, &table, 1, false, "back").await);
    assert!(out(&mut behind, &table, 1, true, "out again").await);
    let shown = ahead.tables.get_table(pb::GetTableRequest { table_id: table.id.clone() }).await.expect("a table");
    assert!(shown.into_inner().table.expect("a table").seats.iter().any(|seat| seat.sitting_out), "it is written");
    shut_down(members).await;
    fleet.reconcile().await;
}
