//! One row changed in plain SQL, the database's guards taken away first.

use razz_dealer::audit::Difference;
use razz_dealer::ledger::TableId;
use razz_dealer::record::StreamId;

use super::scene::{EMPTY, TABLE, found, hex, played, player};
use crate::audit::tamper;

/// A change, and words of every difference that it makes, in the order found.
struct Case {
    name: &'static str,
    sql: String,
    found: Vec<&'static [&'static str]>,
}

fn case(name: &'static str, sql: impl Into<String>, found: &[&'static [&'static str]]) -> Case {
    Case { name, sql: sql.into(), found: found.to_vec() }
}

/// The key of an account of the table.
fn key(letter: u8, table: [u8; 16], seat: Option<u8>) -> String {
    hex(&[&[letter], &table[..], seat.as_slice()].concat())
}

const HASHLESS: &[&str] = &["record 6", "its hash does not follow"];

fn balances() -> Vec<Case> {
    let (seat, rake) = (key(b'S', TABLE.0, Some(4)), key(b'R', TABLE.0, None));
    let (pot, other_pot) = (key(b'P', TABLE.0, None), key(b'P', EMPTY.0, None));
    vec![
        case(
            "a seat's balance",
            format!("UPDATE accounts SET balance = balance + 1 WHERE account = {seat}"),
            &[
                &["balance", "seat 4 of", "by a replay"],
                &["total", "are 1,"],
                &["tally", "seat 4 of", "by its transfers"],
            ],
        ),
        case(
            "chips from the rake to a seat",
            format!(
                "UPDATE accounts SET balance = balance + 1 WHERE account = {seat}; \
                 UPDATE accounts SET balance = balance - 1 WHERE account = {rake}"
            ),
            &[&["balance", "seat 4"], &["balance", "rake of"], &["tally", "rake of"], &["tally", "seat 4"]],
        ),
        case(
            "a wallet's balance",
            "UPDATE accounts SET balance = balance - 5 WHERE account = CAST('Wp5' AS BLOB)",
            &[
                &["balance", "record 2", "wallet of p5 holds 95", "by a replay 100"],
                &["total", "are -5,"],
                &["tally", "wallet of p5 holds 95", "by its transfers 100"],
            ],
        ),
        case(
            "the house's balance",
            "UPDATE accounts SET balance = balance - 9 WHERE account = x'48'",
            &[&["total", "are -9,"], &["tally", "house"]],
        ),
        case(
            "a pot with a hand open",
            format!("UPDATE accounts SET balance = balance - 1 WHERE account = {pot}"),
            &[&["balance", "pot of"], &["total"], &["tally", "pot of"]],
        ),
        case(
            "a pot without a hand",
            format!("INSERT INTO accounts VALUES ({other_pot}, 7, 0)"),
            &[&["balance", "pot of", "holds 7", "by a replay 0"], &["total", "are 7,"], &["tally", "pot of"]],
        ),
    ]
}

/// Accounts that come or go.
fn accounts() -> Vec<Case> {
    let (seat, rake) = (key(b'S', TABLE.0, Some(4)), key(b'R', TABLE.0, None));
    vec![
        case(
            "an account of nobody's",
            "INSERT INTO accounts VALUES (CAST('Wghost' AS BLOB), 0, 0)",
            &[&["orphan", "wallet of ghost holds 0"]],
        ),
        case(
            "an account that is none",
            "INSERT INTO accounts VALUES (x'57ff', 0, 0)",
            &[&["unreadable", "the account 57ff", "is no account, and holds 0"]],
        ),
        case(
            "an account that is none, which hides no other",
            format!(
                "INSERT INTO accounts VALUES (x'57fe', 0, 0); \
                 UPDATE accounts SET balance = balance + 1 WHERE account = {seat}; \
                 UPDATE accounts SET balance = balance - 1 WHERE account = {rake}"
            ),
            &[
                &["balance", "seat 4"],
                &["balance", "rake of"],
                &["unreadable", "the account 57fe"],
                &["tally", "rake of"],
                &["tally", "seat 4"],
            ],
        ),
        case(
            "a balance taken out",
            "DELETE FROM accounts WHERE account = CAST('Wp5' AS BLOB)",
            &[&["balance", "wallet of p5 holds 0", "by a replay 100"], &["total", "are -100,"]],
        ),
    ]
}

/// The place of the first transfer between such accounts at the table.
fn first(debit: char, credit: char) -> String {
    format!(
        "n = (SELECT min(n) FROM transfers WHERE stream = {} AND substr(debit, 1, 1) = CAST('{debit}' AS BLOB) \
         AND substr(credit, 1, 1) = CAST('{credit}' AS BLOB))",
        hex(&TABLE.0)
    )
}

fn transfers() -> Vec<Case> {
    vec![
        case(
            "the amount of a transfer into the pot",
            format!("UPDATE transfers SET amount = amount + 2 WHERE {}", first('S', 'P')),
            &[
                &["transfer", "transfer 0: 17 from seat 1", "by its record 15 from seat 1"],
                &["tally", "pot of"],
                &["tally", "seat 1"],
            ],
        ),
        case(
            "a buy-in's transfer taken out",
            format!("DELETE FROM transfers WHERE {}", first('W', 'S')),
            &[
                &["transfer", "record 2, transfer 0: nothing", "15 from wallet of p1"],
                &["half", "wallet stream", "record 2: nothing", "15 from wallet of p1"],
                &["tally", "seat 1"],
                &["tally", "wallet of p1"],
            ],
        ),
        case(
            "a cash-out to another wallet",
            format!("UPDATE transfers SET credit = CAST('Wp5' AS BLOB) WHERE {}", first('S', 'W')),
            &[
                &["transfer", "to wallet of p5", "to wallet of p3"],
                &["half", "nothing", "to wallet of p3"],
                &["half", "to wallet of p5", "by its event nothing"],
                &["tally", "wallet of p3"],
                &["tally", "wallet of p5"],
            ],
        ),
        case(
            "the moment of a transfer",
            format!("UPDATE transfers SET at = at + 1 WHERE {}", first('S', 'P')),
            &[&["transfer", "transfer 0: 15 from seat 1"]],
        ),
        case(
            "a transfer of no account",
            format!("UPDATE transfers SET credit = x'58' WHERE {}", first('S', 'P')),
            &[&["unreadable", "the transfers of table"], &["tally", "pot of"]],
        ),
    ]
}

/// Transfers that no record has.
fn strays() -> Vec<Case> {
    let table = hex(&TABLE.0);
    let (seat, rake) = (key(b'S', TABLE.0, Some(1)), key(b'R', TABLE.0, None));
    let extra = |seq: &str| format!("INSERT INTO transfers VALUES (9999, {table}, {seq}, 9, 0, {seat}, {rake}, 3)");
    vec![
        case(
            "a transfer more in a record",
            extra("4"),
            &[
                &["transfer", "record 4, transfer 9: 3 from seat 1", "by its record nothing"],
                &["tally", "rake"],
                &["tally", "seat 1"],
            ],
        ),
        case(
            "a transfer of no record, which moved chips",
            format!(
                "{}; UPDATE accounts SET balance = balance - 3 WHERE account = {seat}; \
                 UPDATE accounts SET balance = balance + 3 WHERE account = {rake}",
                extra("7777")
            ),
            &[
                &["balance", "seat 1"],
                &["balance", "rake of"],
                &["transfer", "record 7777, transfer 9: 3 from seat 1", "by its record nothing"],
            ],
        ),
        case(
            "a transfer before the first record",
            extra("0"),
            &[&["transfer", "record 0, transfer 9"], &["tally", "rake"], &["tally", "seat 1"]],
        ),
    ]
}

fn records() -> Vec<Case> {
    let of_table = format!("stream = {}", hex(&TABLE.0));
    let of_wallet = format!("stream = {}", hex(&StreamId::of_wallet(&player(5)).0));
    let last = |stream: &str| format!("{stream} AND seq = (SELECT max(b.seq) FROM records AS b WHERE b.{stream})");
    vec![
        case(
            "one byte of a record",
            format!(
                "UPDATE records SET bytes = CAST(substr(bytes, 1, 20) || x'07' || substr(bytes, 22) AS BLOB) \
                 WHERE {of_table} AND seq = 6"
            ),
            &[HASHLESS],
        ),
        case(
            "a record's hash",
            format!("UPDATE records SET hash = zeroblob(32) WHERE {of_table} AND seq = 6"),
            &[HASHLESS],
        ),
        case(
            "a record's request id beside it",
            format!("UPDATE records SET request_id = NULL WHERE {of_table} AND seq = 6"),
            &[&["copy", "record 6: beside it request is , and by its bytes r"]],
        ),
        case(
            "a record's moment and hand beside it",
            format!("UPDATE records SET at = at + 7, hand = 0 WHERE {of_table} AND seq = 6"),
            &[&["copy", "record 6: beside it at is"], &["copy", "record 6: beside it hand is 0, and by its bytes 1"]],
        ),
        case(
            "a record taken out",
            format!("DELETE FROM records WHERE {of_table} AND seq = 7"),
            &[&["record 8", "missing"]],
        ),
        case(
            "the last record taken out",
            format!("DELETE FROM records WHERE {}", last(&of_wallet)),
            &[&["head", "wallet stream", "the record of its head is 2, and by its records 1"]],
        ),
    ]
}

fn heads() -> Vec<Case> {
    let of_table = format!("stream = {}", hex(&TABLE.0));
    let of_wallet = format!("stream = {}", hex(&StreamId::of_wallet(&player(5)).0));
    vec![
        case(
            "a head behind its records",
            format!(
                "UPDATE heads SET seq = 1, hash = (SELECT hash FROM records WHERE {of_wallet} AND seq = 1) \
                 WHERE {of_wallet}"
            ),
            &[
                &["balance", "record 1", "wallet of p5 holds 100", "by a replay 70"],
                &["head", "the record of its head is 1, and by its records 2 or later"],
                &["transfer", "record 2, transfer 0: 30 from house", "by its record nothing"],
                &["half", "30 from house", "by its event nothing"],
            ],
        ),
        case(
            "a head's hash",
            format!("UPDATE heads SET hash = zeroblob(32) WHERE {of_table}"),
            &[&["head", "the hash of its head is 0000"]],
        ),
        case(
            "a head's hand",
            format!("UPDATE heads SET hand = 4 WHERE {of_table}"),
            &[&["head", "the hand of its head is 4, and by its records 5"]],
        ),
        case(
            "a head's format",
            format!("UPDATE heads SET format = 99 WHERE {of_table}"),
            &[&["head", "the format of its head is 99, and by its records 1 or older"]],
        ),
        case(
            "a head's deadline",
            format!("UPDATE heads SET deadline = NULL WHERE {of_table}"),
            &[&["head", "the deadline of its head is none"]],
        ),
        case(
            "a head's state",
            format!("UPDATE heads SET state = 'played_out' WHERE {of_table}"),
            &[&["head", "the state of its head is played_out, and by its records betting"]],
        ),
        case(
            "a head that cannot be read",
            format!("PRAGMA ignore_check_constraints = ON; UPDATE heads SET state = 'asleep' WHERE {of_wallet}"),
            &[&["unreadable", "the head with the key"], &["unreadable", "the head of the wallet of p5"]],
        ),
        case(
            "a wallet that is forgotten",
            format!("DELETE FROM heads WHERE {of_wallet}"),
            &[
                &["stray", "there are records of", "no head"],
                &["stray", "there are transfers of"],
                &["orphan", "wallet of p5 holds 100"],
            ],
        ),
        case(
            "records of a stream without a head",
            format!(
                "INSERT INTO records SELECT {}, 1, at, 0, NULL, hash, bytes FROM records LIMIT 1",
                hex(&[0xff; 16])
            ),
            &[&["stray", "there are records of ffffffff-ffff", "no head"]],
        ),
        case(
            "a head of another kind",
            format!("UPDATE heads SET kind = 'table' WHERE {of_wallet}"),
            &[&["record", "record 1: a wallet's event in a table's stream"], &["orphan", "wallet of p5 holds 100"]],
        ),
    ]
}

fn decks() -> Vec<Case> {
    let table = hex(&TABLE.0);
    let extra = |table: &str, hand: u8| format!("INSERT INTO decks VALUES (9999, {table}, {hand}, x'01', x'02')");
    vec![
        case(
            "a deck taken out",
            format!("DELETE FROM decks WHERE table_id = {table} AND hand = 2"),
            &[&["deck", "hand 2 has no deck, and by its records a deck"]],
        ),
        case(
            "a deck of a hand to come",
            extra(&table, 6),
            &[&["deck", "hand 6 has a deck, and by its records no deck"]],
        ),
        case("a deck of an empty table", extra(&hex(&EMPTY.0), 1), &[&["deck", "record 0: hand 1 has a deck"]]),
        case(
            "a deck of no table",
            "INSERT INTO decks VALUES (9999, zeroblob(16), 1, x'01', x'02')",
            &[&["stray", "there are decks of 00000000-0000"]],
        ),
        case(
            "the deck of another hand",
            format!("UPDATE decks SET hand = 4 WHERE table_id = {table} AND hand = 3"),
            &[&["deck", "hand 3 has no deck"]],
        ),
    ]
}

#[tokio::test]
async fn every_damage_is_named_and_nothing_else_is() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = played(folder.path()).await;
    assert_eq!(found(&path, None).await, []);
    assert_eq!(found(&path, Some(TABLE)).await, []);
    let all = [balances(), accounts(), transfers(), strays(), records(), heads(), decks()];
    for case in all.into_iter().flatten() {
        let copy = folder.path().join("copy.db");
        std::fs::copy(&path, &copy).expect("a copy");
        tamper(&copy, &case.sql).await;
        let differences = found(&copy, None).await;
        let told: Vec<String> =
            differences.iter().map(|difference| format!("{}: {difference}", difference.kind())).collect();
        let name = case.name;
        assert_eq!(told.len(), case.found.len(), "{name}: {told:#?}");
        for words in &case.found {
            let named = |told: &&String| words.iter().all(|word| told.contains(word));
            assert_eq!(told.iter().filter(named).count(), 1, "{name}: {words:?} in {told:#?}");
        }
    }
}

#[tokio::test]
async fn one_table_is_reconciled_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = played(folder.path()).await;
    let pot = key(b'P', EMPTY.0, None);
    tamper(&path, &format!("INSERT INTO accounts VALUES ({pot}, 7, 0)")).await;
    assert_eq!(found(&path, Some(TABLE)).await, []);
    let kinds: Vec<&str> = found(&path, Some(EMPTY)).await.iter().map(Difference::kind).collect();
    assert_eq!(kinds, ["balance", "tally"]);
    let unknown = found(&path, Some(TableId([9; 16]))).await;
    assert_eq!(unknown, [Difference::NoTable(TableId([9; 16]))]);
}
