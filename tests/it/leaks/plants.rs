//! A leak of each kind, planted in what one run left behind: the hunt must find it, at its place.

use std::fs::OpenOptions;
use std::io::Write;
use std::path::Path;

use prost::Message;
use razz_dealer::engine::Deck;
use razz_dealer::pb;

use super::Twins;
use super::compare::{Run, leaks};
use super::scan::hex;

/// What a leak is called, what it does to a run, and how it is found.
type Plant = (&'static str, fn(&mut Run, &Deck), &'static str);

const PLANTS: [Plant; 11] = [
    ("a hidden card in a public answer", card_in_answer, "(public, hand): it differs"),
    ("a root that is longer", longer_root, "bytes"),
    ("a card in an error text", card_in_error, "(public, refusal): it differs"),
    ("a card among a stranger's proofs", card_in_proofs, "(stranger, proofs): it differs"),
    ("a folded card among another player's proofs", folded_for_player, "(player 1, proofs)"),
    ("a folded card among an auditor's proofs", folded_for_auditor, "(auditor, proofs)"),
    ("a record whose length hangs on a card", longer_record, "database records"),
    ("a sealed deck whose length hangs on its cards", longer_sealed, "database decks"),
    ("a column that hangs on a card", other_column, "database decks"),
    ("a row that is there in one world only", another_row, "database transfers"),
    ("an account that nobody may see", another_table, "database: other tables"),
];

/// What is written to a file, and how it is found.
type Spill = (&'static str, fn(&Deck, &Run) -> Vec<u8>, &'static str);

const SPILLS: [Spill; 7] = [
    (
        "a log line of ours with a card",
        |deck, _| line(" razz_dealer::dealer: dealt ", &deck.order()[50].to_string()),
        "log, ",
    ),
    (
        "a log line of the driver with a parameter",
        |deck, _| line(" sqlx::query: ", &deck.order()[51].to_string()),
        "log, ",
    ),
    ("a log line of any crate with the deck in words", |deck, _| line(" h2: ", &words(deck)), "the deck of hand 3"),
    ("the deck as hexadecimal digits", |deck, _| line(" tonic: ", &hex(&raw(deck))), "the deck of hand 3"),
    ("the deck as a list of numbers", |deck, _| line(" x: ", &format!("{:?}", raw(deck))), "the deck of hand 3"),
    ("the deck as it is in memory", |deck, _| raw(deck), "the deck of hand 3"),
    ("the sealing key", |_, run| run.secrets[0].1.clone(), "the sealing key"),
];

fn line(from: &str, what: &str) -> Vec<u8> {
    format!("2026-01-01T00:00:00Z TRACE{from}{what}\n").into_bytes()
}

fn raw(deck: &Deck) -> Vec<u8> {
    deck.order().iter().map(|card| card.index()).collect()
}

fn words(deck: &Deck) -> String {
    deck.order().iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

pub fn each_is_found(mut twins: Twins) {
    let deck = twins.worlds.each().nth(2).expect("a hand").0[1].clone();
    for (name, plant, expected) in PLANTS {
        let sound = twins.runs[1].clone();
        plant(&mut twins.runs[1], &deck);
        let found = leaks(&twins);
        assert!(found.iter().any(|leak| leak.contains(expected)), "{name} is not found: {found:?}");
        twins.runs[1] = sound;
    }
    let (log, files) = (twins.runs[1].log.clone(), twins.runs[1].files[0].clone());
    for (name, spill, expected) in SPILLS {
        let spilt = spill(&deck, &twins.runs[1]);
        let text = spilt.is_ascii() && spilt.ends_with(b"\n");
        for place in [log.clone(), files.join("x.db-wal"), files.join("x.db")] {
            // A file is not compared, only searched; and what is no text is no line.
            if (expected == "log, ") != (place == log) && (expected == "log, " || !text) {
                continue;
            }
            let before = std::fs::metadata(&place).expect("it is there").len();
            append(&place, &spilt);
            let found = leaks(&twins);
            assert!(found.iter().any(|leak| leak.contains(expected)), "{name} in {}: {found:?}", place.display());
            OpenOptions::new().write(true).open(&place).expect("opens").set_len(before).expect("as it was");
        }
    }
    assert_eq!(leaks(&twins), Vec::<String>::new(), "all is as it was");
}

fn append(place: &Path, bytes: &[u8]) {
    OpenOptions::new().append(true).open(place).expect("opens").write_all(bytes).expect("written");
}

fn change_answer(run: &mut Run, viewer: &str, what: &str, change: impl Fn(&[u8]) -> Vec<u8>) {
    let answer = run.answers.iter_mut().rev().find(|answer| answer.viewer == viewer && answer.what == what);
    let answer = answer.expect("such an answer");
    answer.bytes = change(&answer.bytes);
}

fn change_hand(run: &mut Run, change: impl Fn(&mut pb::HandView)) {
    change_answer(run, "public", "hand", |bytes| {
        let mut hand = pb::GetHandResponse::decode(bytes).expect("an answer");
        change(hand.hand.as_mut().expect("a hand"));
        hand.encode_to_vec()
    });
}

fn card_in_answer(run: &mut Run, deck: &Deck) {
    let card = deck.order()[0].to_string();
    change_hand(run, |hand| hand.seats[0].hand_in_words.clone_from(&card));
}

fn longer_root(run: &mut Run, _: &Deck) {
    change_hand(run, |hand| hand.deck_root.push(0));
}

fn card_in_error(run: &mut Run, deck: &Deck) {
    let card = deck.order()[0].to_string();
    change_answer(run, "public", "refusal", |bytes| [bytes, card.as_bytes()].concat());
}

fn card_in_proofs(run: &mut Run, deck: &Deck) {
    let card = deck.order()[0].to_string();
    change_answer(run, "stranger", "proofs", |bytes| {
        let mut proofs = pb::GetCardProofsResponse::decode(bytes).expect("an answer");
        proofs.cards[0].card.clone_from(&card);
        proofs.encode_to_vec()
    });
}

fn folded_for_player(run: &mut Run, deck: &Deck) {
    folded_for(run, deck, "player 1");
}

fn folded_for_auditor(run: &mut Run, deck: &Deck) {
    folded_for(run, deck, "auditor");
}

/// A down card of a seat that folded, in the place of another one's among the proofs of somebody else.
fn folded_for(run: &mut Run, deck: &Deck, viewer: &str) {
    let place = run.answers.iter().position(|answer| {
        let hand = pb::GetHandResponse::decode(&answer.bytes[..]).ok().and_then(|answer| answer.hand);
        let folded = hand.is_some_and(|hand| hand.seats[1].standing() == pb::Standing::Folded);
        (answer.viewer.as_str(), answer.what.as_str()) == (viewer, "hand") && folded
    });
    let place = place.expect("seat 2 folds some time");
    let mut after = run.answers[place..].iter_mut();
    let answer = after.find(|answer| answer.viewer == viewer && answer.what == "proofs").expect("its proofs");
    let mut proofs = pb::GetCardProofsResponse::decode(&answer.bytes[..]).expect("an answer");
    let (position, seat, card) = (1, 2, deck.order()[1].to_string());
    let last = proofs.cards.last_mut().expect("a card");
    *last = pb::ProvedCard { position, seat, card, ..last.clone() };
    answer.bytes = proofs.encode_to_vec();
}

/// Changes the first row of a table that has this text.
fn change_row(run: &mut Run, table: &str, from: &str, to: &str) {
    let rows = run.dump.get_mut(table).expect("the table");
    let row = rows.iter_mut().find(|row| row.contains(from)).expect("such a row");
    *row = row.replacen(from, to, 1);
}

fn longer_record(run: &mut Run, _: &Deck) {
    // One more byte of a field that is there already: a salt too many.
    let rows = run.dump.get_mut("records").expect("records");
    let row = rows.iter_mut().find(|row| row.contains("bytes=X'")).expect("a record");
    let start = row.find("bytes=X'").expect("it was found") + "bytes=X'".len();
    let stop = start + row[start..].find('\'').expect("it ends");
    let mut record = pb::Record::decode(&super::compare::bytes(&row[start..stop])[..]).expect("a record");
    record.salts.push(1);
    row.replace_range(start..stop, &hex(&record.encode_to_vec()));
}

fn longer_sealed(run: &mut Run, _: &Deck) {
    change_row(run, "decks", "sealed=X'", "sealed=X'00");
}

fn other_column(run: &mut Run, deck: &Deck) {
    change_row(run, "decks", "hand=", &format!("hand={}", deck.order()[0].index()));
}

fn another_row(run: &mut Run, _: &Deck) {
    run.dump.get_mut("transfers").expect("transfers").push("seq=1".to_owned());
}

fn another_table(run: &mut Run, _: &Deck) {
    run.dump.insert("cards".to_owned(), Vec::new());
}
