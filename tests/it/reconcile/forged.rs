//! Damage by somebody who makes every hash right again: only a replay tells.

use razz_dealer::engine::{Event, TableEvent};
use razz_dealer::ledger::WalletEvent;
use razz_dealer::record::{Record, StreamEvent, StreamId};

use super::scene::{TABLE, chips, forge, found, played, player};

type Change = fn(&mut Record) -> bool;

/// One chip from the first stack to the second.
fn settles_otherwise(record: &mut Record) -> bool {
    record.events.iter_mut().any(|event| match event {
        StreamEvent::Table(TableEvent::Hand(Event::HandSettled { stacks, .. })) => {
            let other = stacks.iter().position(|(_, stack)| stack.units() > 1).expect("a winner");
            stacks[other].1 -= chips(1);
            let next = (other + 1) % stacks.len();
            stacks[next].1 += chips(1);
            true
        }
        _ => false,
    })
}

fn moves_otherwise(record: &mut Record) -> bool {
    record.transfers.pop().is_some()
}

fn leaves_otherwise(record: &mut Record) -> bool {
    record.events.iter_mut().any(|event| match event {
        StreamEvent::Wallet(WalletEvent::BoughtIn { balance, .. }) => {
            *balance += chips(1);
            true
        }
        _ => false,
    })
}

fn sits_otherwise(record: &mut Record) -> bool {
    record.events.iter_mut().any(|event| match event {
        StreamEvent::Wallet(WalletEvent::BoughtIn { seat, .. }) => {
            *seat = razz_dealer::engine::Seat::new(8).expect("a seat");
            true
        }
        _ => false,
    })
}

#[tokio::test]
async fn what_only_a_replay_tells_is_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = played(folder.path()).await;
    let (table, wallet) = (StreamId::of_table(TABLE), StreamId::of_wallet(&player(1)));
    let cases: [(&str, StreamId, Change, &[&str]); 4] = [
        ("a settlement", table, settles_otherwise, &["HandSettled is not as the rules have it"]),
        ("transfers", table, moves_otherwise, &["its transfers are not what its events move"]),
        ("a wallet's balance", wallet, leaves_otherwise, &["it leaves 986 in the wallet, and must 985"]),
        (
            "a buy-in's seat",
            wallet,
            sits_otherwise,
            &["15 from wallet of p1 to seat 1", "by its event 15", "to seat 8"],
        ),
    ];
    for (name, stream, change, words) in cases {
        let copy = folder.path().join("copy.db");
        std::fs::copy(&path, &copy).expect("a copy");
        let seq = forge(&copy, stream, change).await;
        let differences = found(&copy, None).await;
        let [difference] = differences.as_slice() else { panic!("{name}: {differences:?}") };
        assert_eq!((difference.stream(), difference.seq()), (Some(stream), Some(seq)), "{name}: {difference}");
        let text = difference.to_string();
        assert!(words.iter().all(|word| text.contains(word)), "{name}: {text}");
    }
}
