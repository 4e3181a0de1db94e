//! What one run left behind, and in what two of them differ beyond what is named.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use prost::Message;
use razz_dealer::pb;
use razz_dealer::pb::event::Kind;
use razz_dealer::shuffle::{DeckSecret, SealingKey};
use razz_dealer::store::Store;
use razz_dealer::store::postgres::{PostgresSettings, PostgresStore};
use razz_dealer::store::sqlite::SqliteStore;

use super::worlds::{Played, by_hand};
use super::{Twins, dump, play, scan};

/// An answer of the service.
#[derive(Clone, PartialEq)]
pub struct Answer {
    pub viewer: String,
    pub what: String,
    pub code: String,
    pub bytes: Vec<u8>,
}

/// All that a run left behind.
#[derive(Clone)]
pub struct Run {
    pub answers: Vec<Answer>,
    pub dump: dump::Dump,
    pub log: PathBuf,
    /// Files and folders that the database keeps.
    pub files: Vec<PathBuf>,
    /// Keys that nobody may find: by name.
    pub secrets: Vec<(String, Vec<u8>)>,
    records: Vec<razz_dealer::record::Record>,
}

pub fn bytes(text: &str) -> Vec<u8> {
    (0..text.len()).step_by(2).map(|at| u8::from_str_radix(&text[at..at + 2], 16).expect("digits")).collect()
}

impl Run {
    pub async fn read(folder: &Path, url: &str, files: Vec<PathBuf>) -> Run {
        // What a reader would bring home, the scan still wants to see where it is.
        let url = if url.starts_with("postgres") {
            url.to_owned()
        } else {
            let copy = folder.join("copy");
            std::fs::create_dir_all(&copy).expect("a folder");
            for suffix in ["", "-wal"] {
                let from = PathBuf::from(format!("{url}{suffix}"));
                if from.exists() {
                    std::fs::copy(&from, copy.join(from.file_name().expect("a name"))).expect("copied");
                }
            }
            copy.join("x.db").display().to_string()
        };
        let dump = dump::of(&url).await;
        let store: Arc<dyn Store> = if url.starts_with("postgres") {
            Arc::new(PostgresStore::open(PostgresSettings::new(&url)).await.expect("a store"))
        } else {
            Arc::new(SqliteStore::open(Path::new(&url)).await.expect("a store"))
        };
        let stream = razz_dealer::record::StreamId(uuid::Uuid::parse_str(play::TABLE).expect("an id").into_bytes());
        let records = store.records(stream, razz_dealer::record::Seq(0), u32::MAX).await.expect("the records");
        let records = records.iter().map(|sealed| sealed.record().expect("a record")).collect();
        let seed = serde_json::from_str::<serde_json::Value>(
            &std::fs::read_to_string(folder.join("plan.json")).expect("a plan"),
        );
        let seed = seed.expect("JSON")["seed"].as_u64().expect("a number");
        let key: [u8; 32] = play::world(seed).random().expect("scripted");
        let mut secrets = vec![("the sealing key".to_owned(), key.to_vec())];
        for deck in store.decks(None, u32::MAX).await.expect("decks") {
            let secret =
                razz_dealer::shuffle::open(&SealingKey::new(key), deck.row.table.0, deck.row.hand, &deck.row.sealed);
            let DeckSecret::Script { salts, .. } = secret.expect("it opens") else { panic!("it is scripted") };
            secrets.push((format!("the salts key of hand {}", deck.row.hand), salts.bytes().to_vec()));
        }
        store.close().await;
        let answers = std::fs::read_to_string(folder.join("answers")).expect("the answers");
        let answer = |line: &str| {
            let line: serde_json::Value = serde_json::from_str(line).expect("JSON");
            let text = |name: &str| line[name].as_str().expect("a text").to_owned();
            Answer { viewer: text("viewer"), what: text("what"), code: text("code"), bytes: bytes(&text("bytes")) }
        };
        let answers = answers.lines().map(answer).collect();
        Run { answers, dump, log: folder.join("log"), files, secrets, records }
    }

    pub fn hands(&self) -> Vec<Played> {
        by_hand(self.records.iter().flat_map(|record| record.events.clone()))
    }
}

/// Everything in which the runs differ beyond what is named, and every secret that lies about.
pub fn leaks(twins: &Twins) -> Vec<String> {
    let [one, other] = &twins.runs;
    // What is empty tells nothing.
    assert!(one.answers.len() > 100 && one.dump["records"].len() > 50, "too little was played");
    let mut found = answers(&one.answers, &other.answers);
    found.extend(databases(&one.dump, &other.dump));
    found.extend(logs(&one.log, &other.log));
    let secrets = scan::Secrets::of(&twins.worlds, &twins.runs);
    for run in &twins.runs {
        found.extend(secrets.search(&run.log));
        run.files.iter().for_each(|place| found.extend(secrets.search(place)));
    }
    found
}

fn answers(one: &[Answer], other: &[Answer]) -> Vec<String> {
    let mut found = Vec::new();
    let mut known = [Known::new(), Known::new()];
    if one.len() != other.len() {
        found.push(format!("answers: {} and {}", one.len(), other.len()));
    }
    for (place, (one, other)) in one.iter().zip(other).enumerate() {
        let name = format!("answer {place} ({}, {})", one.viewer, one.what);
        if one.bytes.len() != other.bytes.len() {
            found.push(format!("{name}: {} and {} bytes", one.bytes.len(), other.bytes.len()));
        }
        let blanked = [blank(one, &mut known[0]), blank(other, &mut known[1])];
        let named = |answer: &Answer| (answer.viewer.clone(), answer.what.clone(), answer.code.clone());
        if named(one) != named(other) || blanked[0] != blanked[1] {
            found.push(format!("{name}: it differs"));
        }
    }
    found
}

/// The seats whose hands were mucked, by who was told so last.
type Known = BTreeMap<String, Vec<i32>>;

/// The answer without what is named, and without what this viewer may see although it is hidden from others.
fn blank(answer: &Answer, known: &mut Known) -> String {
    match (answer.code.as_str(), answer.what.as_str()) {
        ("ok", "hand") => {
            let mut hand = pb::GetHandResponse::decode(&answer.bytes[..]).expect("an answer").hand.expect("a hand");
            erase(&mut hand.deck_root);
            let over = matches!(hand.status(), pb::HandStatus::PlayedOut | pb::HandStatus::Settled);
            let mucked = hand.seats.iter().filter(|seat| over && seat.showing() == pb::Showing::Mucked);
            known.insert(answer.viewer.clone(), mucked.map(|seat| seat.seat).collect());
            for seat in &mut hand.seats {
                let mucked = known[&answer.viewer].contains(&seat.seat);
                if seat.showing() != pb::Showing::Shown && may_see(&answer.viewer, seat.seat, mucked) {
                    seat.down_cards.iter_mut().for_each(|card| "??".clone_into(card));
                }
            }
            format!("{hand:?}")
        }
        ("ok", "proofs") => {
            let mut proofs = pb::GetCardProofsResponse::decode(&answer.bytes[..]).expect("an answer");
            erase(&mut proofs.deck_root);
            let open = proofs.hand.get_or_insert_default();
            open.nodes.iter_mut().for_each(|node| erase(node));
            let positions: Vec<u32> = open.cards.iter().map(|card| card.position).collect();
            open.cards.iter_mut().for_each(|card| erase(&mut card.salt));
            for card in &mut proofs.cards {
                erase(&mut card.salt);
                card.path.iter_mut().for_each(|node| erase(node));
                // Whether it was mucked, the view that the same viewer had before says.
                let mucked = known.get(&answer.viewer).is_some_and(|mucked| mucked.contains(&card.seat));
                if !positions.contains(&card.position) && may_see(&answer.viewer, card.seat, mucked) {
                    "??".clone_into(&mut card.card);
                }
            }
            format!("{proofs:?}")
        }
        _ => String::from_utf8_lossy(&answer.bytes).into_owned(),
    }
}

fn may_see(viewer: &str, seat: i32, mucked: bool) -> bool {
    let own = |kind: &str| viewer.strip_prefix(kind).is_some_and(|number| number == seat.to_string());
    own("player ") || own("reader ") || mucked && (viewer.starts_with("player ") || viewer == "auditor")
}

/// Only its length stays.
fn erase(bytes: &mut [u8]) {
    bytes.fill(0);
}

fn databases(one: &dump::Dump, other: &dump::Dump) -> Vec<String> {
    let mut found = Vec::new();
    if !one.keys().eq(other.keys()) {
        found.push("database: other tables".to_owned());
    }
    for (table, rows) in one {
        let others = other.get(table).map_or(&[][..], Vec::as_slice);
        // Rows whose named bytes order them otherwise are still the same rows.
        let mut blanked: Vec<String> = rows.iter().map(|row| blank_row(row)).collect();
        let mut others: Vec<String> = others.iter().map(|row| blank_row(row)).collect();
        blanked.sort();
        others.sort();
        if let Some(row) = blanked.iter().zip(&others).position(|(one, other)| one != other) {
            found.push(format!("database {table}, row {row}: {} and {}", blanked[row], others[row]));
        } else if blanked.len() != others.len() {
            found.push(format!("database {table}: {} and {} rows", blanked.len(), others.len()));
        }
    }
    found
}

/// A row without named bytes: hashes, ciphertext, and in records roots, salts and nodes.
fn blank_row(row: &str) -> String {
    let mut out = row.to_owned();
    for name in ["hash", "sealed", "bytes"] {
        for (begin, end) in [(format!("{name}=X'"), '\''), (format!("\"{name}\":\"\\\\x"), '"')] {
            let Some(start) = out.find(&begin).map(|at| at + begin.len()) else { continue };
            let stop = start + out[start..].find(end).expect("it ends");
            let value = bytes(&out[start..stop]);
            let told = if name == "bytes" { blank_record(&value) } else { format!("{} bytes", value.len()) };
            out.replace_range(start..stop, &told);
        }
    }
    out
}

fn blank_record(value: &[u8]) -> String {
    let mut record = pb::Record::decode(value).expect("a record");
    erase(&mut record.salts);
    erase(&mut record.proof_nodes);
    for event in &mut record.events {
        if let Some(Kind::HandOpened(opened)) = &mut event.kind {
            erase(&mut opened.root);
        }
    }
    format!("{} bytes {record:?}", value.len())
}

/// Whose lines tell the same in both runs: our own and the database driver's. Those of the transport tell of frames as
/// they come and go; they are scanned only.
const OURS: [&str; 2] = [" razz_dealer", " sqlx"];

fn logs(one: &Path, other: &Path) -> Vec<String> {
    let (mut one, other) = (lines(one), lines(other));
    for (line, count) in other {
        let left = one.entry(line.clone()).or_default();
        *left -= count;
        if *left == 0 {
            one.remove(&line);
        }
    }
    let differing = one.into_iter().filter(|(_, count)| *count != 0);
    differing.map(|(line, count)| format!("log, {count} times more: {line}")).take(5).collect()
}

fn lines(log: &Path) -> BTreeMap<String, i64> {
    let mut found = BTreeMap::new();
    for line in BufReader::new(std::fs::File::open(log).expect("a log")).lines() {
        let line = line.expect("a line");
        if OURS.iter().any(|ours| line.contains(ours)) {
            *found.entry(timeless(&line)).or_default() += 1;
        }
    }
    found
}

/// A line without when it was and how long it took.
fn timeless(line: &str) -> String {
    let words = line.split(' ').skip(1);
    let kept = words.filter(|word| !word.starts_with("elapsed") && !word.contains("127.0.0.1:"));
    kept.collect::<Vec<_>>().join(" ")
}
