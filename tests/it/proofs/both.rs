//! The independent verifier in Python and `razz-dealer verify`: the same verdicts, names and exit codes.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use chacha20::ChaCha20Rng;
use chacha20::rand_core::{Rng, SeedableRng};
use razz_dealer::shuffle::{HandId, Nonces, SaltsKey, Seed, order};
use razz_dealer::world::World;
use serde_json::json;

use super::file::{Bound, hex};
use super::tamper::{below, tamper};
use super::{OF, clients, text, vectors, word};
use crate::process::command::run;

/// Runs the verifier in Python: its exit code, and all that it prints.
fn python(args: &[&str]) -> (Option<i32>, String) {
    let mut command = Command::new("python3");
    command.arg("-B").arg(clients().join("python/verify_proof.py")).args(args);
    let ended = command.output().expect("python3 is needed for this test");
    let printed = [ended.stdout, ended.stderr].concat();
    (ended.status.code(), String::from_utf8(printed).expect("text"))
}

fn python_agrees(vectors: &Path) {
    let (code, printed) = python(&["--vectors", &vectors.display().to_string()]);
    assert_eq!(code, Some(0), "{printed}");
    assert!(printed.ends_with(" 0 wrong\n"), "{printed}");
}

#[test]
fn the_verifier_in_python_agrees_on_the_vectors() {
    python_agrees(&clients().join("vectors.json"));
    // And it would say so if it did not: one digit of a leaf, and one verdict.
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("wrong.json");
    let mut wrong = vectors();
    wrong["hands"][0]["leaves"][9] = json!("00".repeat(32));
    wrong["proofs"][0]["expect"] = json!("ROOT_MISMATCH");
    fs::write(&path, wrong.to_string()).expect("written");
    let (code, printed) = python(&["--vectors", &path.display().to_string()]);
    assert_eq!(code, Some(1), "{printed}");
    assert!(printed.contains("another value of leaves") && printed.ends_with(" 2 wrong\n"), "{printed}");
}

fn random_hand(rng: &mut ChaCha20Rng, scripted: bool) -> Bound {
    let mut table = [0; 16];
    rng.fill_bytes(&mut table);
    let of = HandId { table, hand: 1 + u64::from(rng.next_u32()) };
    let (mut seed, mut nonces) = ([0; 32], Vec::new());
    rng.fill_bytes(&mut seed);
    if scripted {
        return Bound::scripted(of, order(&Seed::new(seed)), SaltsKey::new([seed[0]; 32]));
    }
    for seat in 1..=8 {
        let mut nonce = vec![0; below(rng, 33)];
        rng.fill_bytes(&mut nonce);
        // Half of the hands without any.
        if seed[0] >= 128 && !nonce.is_empty() {
            nonces.push((seat, nonce));
        }
    }
    Bound::drawn(of, Seed::new(seed), Nonces::new(nonces).expect("nonces"))
}

/// Fresh decks at every run: what both verifiers say of their proofs and of tampered ones is the same.
#[test]
fn the_verifier_in_python_agrees_on_fresh_decks() {
    let seed = World::system().random::<32>().expect("entropy");
    let mut rng = ChaCha20Rng::from_seed(seed);
    let (mut tried, mut met) = (Vec::new(), BTreeSet::new());
    for number in 0..30 {
        let hand = random_hand(&mut rng, number % 5 == 0);
        let position = u8::try_from(below(&mut rng, 52)).expect("small");
        let share = 1 + below(&mut rng, 6);
        let mut positions: Vec<u8> = (0..52).filter(|_| below(&mut rng, share) == 0).collect();
        if positions.is_empty() {
            positions.push(position);
        }
        for proof in [hand.card(position), hand.hand(&positions), hand.opened()] {
            assert_eq!(word(&proof), "PROVED", "{} of {}", proof["kind"], hex(&seed));
            for _ in 0..6 {
                let mut changed = proof.clone();
                let place = tamper(&mut rng, &mut changed);
                let expect = word(&changed);
                assert_ne!(expect, "PROVED", "{place} of {changed}");
                met.insert(expect);
                tried.push(json!({ "name": format!("{number}{place}"), "expect": expect, "proof": changed }));
            }
            tried.push(json!({ "name": format!("{number}"), "expect": "PROVED", "proof": proof }));
        }
    }
    assert!(met.contains("ROOT_MISMATCH") && met.len() >= 5, "it tampers in many ways: {met:?}");
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("fresh.json");
    let fresh = json!({ "format": "razz.proof-vectors.v1", "hands": [], "proofs": tried });
    fs::write(&path, fresh.to_string()).expect("written");
    python_agrees(&path);
}

/// The exit code and the first word of both commands, which must be the same.
fn both(args: &[&str]) -> (Option<i32>, String) {
    let ours = run(&[&["verify"], args].concat());
    let (code, printed) = python(args);
    assert_eq!(ours.code, code, "{args:?}: {}{} and {printed}", ours.out, ours.err);
    let first = |text: &str| text.split([':', '\n']).next().expect("a word").to_owned();
    if ours.code != Some(2) {
        assert_eq!(first(&ours.out), first(&printed), "{args:?}");
    }
    (code, ours.out + &ours.err)
}

#[test]
fn both_commands_end_alike() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("proof.json").display().to_string();
    let hand = Bound::drawn(OF, Seed::new([5; 32]), Nonces::default());
    let ends = |proof: &str, more: &[&str], code: i32, says: &str| {
        fs::write(&path, proof).expect("written");
        let (ended, told) = both(&[&["--proof", &path], more].concat());
        assert_eq!(ended, Some(code), "{told}");
        assert!(told.contains(says), "{says:?} is not in: {told}");
    };
    let (card, root) = (hand.card(4), hand.commitment.root().to_string());
    ends(&card.to_string(), &[], 0, &format!("position 4: {}", text(&card, "card")));
    ends(&hand.hand(&[1, 4, 51]).to_string(), &[], 0, &format!("position 4: {}", text(&card, "card")));
    ends(&hand.opened().to_string(), &[], 0, "which the house alone chose");
    ends(&card.to_string(), &["--root", &root], 0, &root);
    // A file is not believed against a root that is known.
    let mut foreign = card.clone();
    foreign["root"] = json!("00".repeat(32));
    ends(&foreign.to_string(), &[], 1, "ROOT_MISMATCH");
    ends(&foreign.to_string(), &["--root", &root], 0, "PROVED");
    ends(&card.to_string(), &["--root", &"00".repeat(32)], 1, &root);
    ends("{}", &[], 2, "");
    ends("", &[], 2, "");
    ends(&format!("\u{feff}{card}"), &[], 2, "");
    ends(&card.to_string(), &["--root", "00"], 2, "64 lower-case hexadecimal digits");
    fs::write(&path, [0xff, 0xfe]).expect("written");
    assert_eq!(both(&["--proof", &path]).0, Some(2));
    assert_eq!(both(&["--proof", &folder.path().join("none").display().to_string()]).0, Some(2));
}
