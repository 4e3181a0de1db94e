//! Promise 4: the deal can be proved. The commitment is the one that `tests/clients/proof-spec.md` lays down, every
//! proof of it holds, a changed one is refused by name, and an independent verifier in Python says the same of each.

mod both;
mod file;
mod tamper;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use razz_dealer::cli::verify::{Verdict, judge};
use razz_dealer::engine::{Card, Deck};
use razz_dealer::shuffle::{
    Commitment, HandId, Nonces, ProofError, Root, SaltsKey, Seed, SeedHash, order, order_with_nonces,
};
use serde_json::{Value, json};
use uuid::Uuid;

use file::{Bound, bytes, exactly, hex};

const OF: HandId = HandId { table: [7; 16], hand: 3 };

fn clients() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/clients")
}

fn vectors() -> Value {
    let text = fs::read_to_string(clients().join("vectors.json")).expect("the vectors");
    serde_json::from_str(&text).expect("JSON")
}

fn list<'a>(value: &'a Value, name: &str) -> &'a [Value] {
    value[name].as_array().expect("a list")
}

fn text<'a>(value: &'a Value, name: &str) -> &'a str {
    value[name].as_str().expect("a text")
}

fn some_bytes(length: u8) -> Vec<u8> {
    (0..length).collect()
}

/// The verdict in one word.
fn word(proof: &Value) -> &'static str {
    match judge(&proof.to_string(), None) {
        Ok(Verdict::Proved(_)) => "PROVED",
        Ok(Verdict::Refused(error)) => error.name(),
        Err(_) => "UNREADABLE",
    }
}

fn bound(hand: &Value) -> Bound {
    let table = Uuid::parse_str(text(hand, "table_id")).expect("an id").into_bytes();
    let of = HandId { table, hand: hand["hand_number"].as_u64().expect("a number") };
    if hand.get("seed").is_none() {
        let cards: Vec<Card> =
            list(hand, "order").iter().map(|card| card.as_str().expect("a text").parse().expect("a card")).collect();
        let deck = Deck::new(cards.try_into().expect("52 cards")).expect("a deck");
        return Bound::scripted(of, deck, SaltsKey::new(exactly(text(hand, "salts_key"))));
    }
    let seat = |nonce: &Value| u8::try_from(nonce["seat"].as_u64().expect("a seat")).expect("a seat");
    let nonces = list(hand, "nonces").iter().map(|nonce| (seat(nonce), bytes(text(nonce, "nonce")))).collect();
    Bound::drawn(of, Seed::new(exactly(text(hand, "seed"))), Nonces::new(nonces).expect("nonces"))
}

/// The vectors were computed by a program in Python that shares nothing with this crate.
#[test]
fn every_value_of_the_vectors_is_frozen() {
    let vectors = vectors();
    let hands = list(&vectors, "hands");
    for hand in hands {
        let (name, made) = (text(hand, "name"), bound(hand));
        let order = made.deck.order().map(|card| card.to_string());
        assert_eq!(json!(order.to_vec()), hand["order"], "{name}");
        assert_eq!(hex(made.key.bytes()), text(hand, "salts_key"), "{name}");
        let salt = |position| hex(&made.commitment.reveal(position).expect("a position").salt);
        assert_eq!(json!((0..52).map(salt).collect::<Vec<_>>()), hand["salts"], "{name}");
        let leaves: Vec<String> = made.commitment.leaves().iter().map(|leaf| hex(leaf)).collect();
        assert_eq!(json!(leaves), hand["leaves"], "{name}");
        assert_eq!(made.commitment.root().to_string(), text(hand, "root"), "{name}");
        if let Some((seed, _)) = &made.from {
            assert_eq!(SeedHash::of(seed).to_string(), text(hand, "seed_hash"), "{name}");
        }
    }
    let nonces = hands.iter().filter(|hand| hand.get("nonces").is_some_and(|nonces| nonces != &json!([])));
    let scripted = hands.iter().filter(|hand| hand.get("seed").is_none());
    assert_eq!((hands.len(), nonces.count(), scripted.count()), (4, 1, 1), "each kind is among them");
}

#[test]
fn every_proof_of_the_vectors_is_made_here_too() {
    let vectors = vectors();
    let hands: Vec<Bound> = list(&vectors, "hands").iter().map(bound).collect();
    let mut made = 0;
    for vector in list(&vectors, "proofs").iter().filter(|vector| vector["expect"] == "PROVED") {
        let proof = &vector["proof"];
        let of_root = |hand: &&Bound| hand.commitment.root().to_string() == text(proof, "root");
        // A deck that has a card twice cannot be bound here.
        let Some(hand) = hands.iter().find(of_root) else { continue };
        let position = |value: &Value| u8::try_from(value["position"].as_u64().expect("a position")).expect("small");
        let same = match text(proof, "kind") {
            "card" => hand.card(position(proof)),
            "hand" => hand.hand(&list(proof, "cards").iter().map(position).collect::<Vec<_>>()),
            _ => {
                let mut opened = hand.opened();
                if proof.get("seed_hash").is_none() {
                    opened.as_object_mut().expect("an object").remove("seed_hash");
                }
                opened
            }
        };
        assert_eq!(&same, proof, "{}", vector["name"]);
        made += 1;
    }
    assert_eq!(made, 24);
}

#[test]
fn every_vector_is_judged_by_its_name() {
    let (vectors, mut met) = (vectors(), BTreeSet::new());
    for vector in list(&vectors, "proofs") {
        assert_eq!(word(&vector["proof"]), text(vector, "expect"), "{}", vector["name"]);
        met.insert(text(vector, "expect"));
    }
    let spec = fs::read_to_string(clients().join("proof-spec.md")).expect("the specification");
    // The sealed cards have names and vectors of their own.
    let (begin, rest) = spec.split_once("## Cards sealed to a player").expect("the section");
    let spec = begin.to_owned() + rest.split_once("\n## ").map_or("", |(_, rest)| rest);
    let told = spec.split('`').filter(|word| word.contains('_') && *word == word.to_uppercase());
    let mut told: BTreeSet<&str> = told.filter(|word| *word != "SCRIPTED").collect();
    told.insert("PROVED");
    told.insert("UNREADABLE");
    assert_eq!(met, told, "each name of the specification is in a vector, and no other");
    // As many as there are kinds of error, and the two that are none.
    assert_eq!(met.len(), 17 + 2);
}

#[test]
fn every_bit_of_a_proof_counts() {
    let hand = Bound::drawn(OF, Seed::new([4; 32]), Nonces::default());
    let root = hand.commitment.root();
    for position in 0..52 {
        let proof = hand.commitment.card_proof(position).expect("a position");
        assert_eq!(proof.verify(OF, root), Ok(()));
        assert_eq!(Some(proof.revealed.card), hand.deck.card(position));
    }
    let proof = hand.commitment.card_proof(37).expect("a position");
    let flipped = |bytes: &[u8], bit: usize| {
        let mut bytes = bytes.to_vec();
        bytes[bit / 8] ^= 1 << (bit % 8);
        bytes
    };
    let is_refused = |outcome| matches!(outcome, Err(ProofError::RootMismatch { .. }));
    for bit in 0..256 {
        let other = Root(flipped(&root.0, bit).try_into().expect("32 bytes"));
        assert_eq!(proof.verify(OF, other), Err(ProofError::RootMismatch { computed: root, root: other }));
        for level in 0..proof.path.len() {
            let mut changed = proof;
            changed.path[level] = flipped(&proof.path[level], bit).try_into().expect("32 bytes");
            assert!(is_refused(changed.verify(OF, root)), "bit {bit} of node {level}");
        }
    }
    for bit in 0..128 {
        let mut changed = proof;
        changed.revealed.salt = flipped(&proof.revealed.salt, bit).try_into().expect("16 bytes");
        assert!(is_refused(changed.verify(OF, root)), "bit {bit} of the salt");
        let of = HandId { table: flipped(&OF.table, bit).try_into().expect("16 bytes"), ..OF };
        assert!(is_refused(proof.verify(of, root)), "bit {bit} of the table");
    }
    for bit in 0..64 {
        let of = HandId { hand: OF.hand ^ 1 << bit, ..OF };
        assert!(is_refused(proof.verify(of, root)), "bit {bit} of the hand");
    }
    for other in (0..52).filter(|&other| other != 37) {
        let mut changed = proof;
        changed.revealed.position = other;
        assert!(is_refused(changed.verify(OF, root)), "position {other}");
        let mut changed = proof;
        changed.revealed.card = hand.deck.card(other).expect("a card");
        assert!(is_refused(changed.verify(OF, root)), "the card of {other}");
    }
}

#[test]
fn what_cannot_be_proved_is_not_made() {
    let commitment = Bound::drawn(OF, Seed::new([6; 32]), Nonces::default()).commitment;
    assert_eq!(commitment.card_proof(52), Err(ProofError::PositionBeyond { position: 52 }));
    let refused: [(&[u8], ProofError); 4] = [
        (&[], ProofError::NoCards),
        (&[3, 52], ProofError::PositionBeyond { position: 52 }),
        (&[3, 5, 3], ProofError::RepeatedPosition { position: 3 }),
        (&[3, 5, 4], ProofError::UnorderedPositions { before: 5, position: 4 }),
    ];
    for (positions, error) in refused {
        assert_eq!(commitment.multiproof(positions), Err(error));
    }
    // What everybody can compute is in no proof: with these four cards the padding gives their side of the tree.
    let nodes = |positions: &[u8]| commitment.multiproof(positions).expect("positions").nodes.len();
    assert_eq!((nodes(&[48, 49, 50, 51]), nodes(&[0])), (2, 7));
}

/// A leaf is another one in another hand, at another table and under other salts: who has not the salt cannot try the
/// cards, and nothing of one hand can be shown for another.
#[test]
fn no_leaf_is_met_twice() {
    let deck = order(&Seed::new([1; 32]));
    let other_table = HandId { table: [8; 16], ..OF };
    let other_hand = HandId { hand: 4, ..OF };
    let (key, other_key) = (SaltsKey::new([1; 32]), SaltsKey::new([2; 32]));
    let (mut met, mut salts) = (BTreeSet::new(), BTreeSet::new());
    for (of, key) in [(OF, &key), (other_table, &key), (other_hand, &key), (OF, &other_key)] {
        let commitment = Commitment::new(of, &deck, key);
        met.extend(commitment.leaves()[..52].to_vec());
        salts.extend((0..52).map(|position| commitment.reveal(position).expect("a position").salt));
    }
    assert_eq!((met.len(), salts.len()), (4 * 52, 2 * 52));
}

/// Nonces move the order and nothing else: what they might tell about the salts everybody knows.
#[test]
fn each_nonce_moves_the_order() {
    let seed = Seed::new([9; 32]);
    let with = |nonces: &[(u8, &[u8])]| {
        let nonces = nonces.iter().map(|(seat, nonce)| (*seat, nonce.to_vec())).collect();
        order_with_nonces(&seed, &Nonces::new(nonces).expect("nonces")).order().map(Card::index)
    };
    assert_eq!(with(&[]), order(&seed).order().map(Card::index));
    let long = some_bytes(32);
    // Also where seat, length and nonce would run into each other if they were not told apart.
    let different: [&[(u8, &[u8])]; 9] = [
        &[],
        &[(1, &[0])],
        &[(2, &[0])],
        &[(1, &[0, 0])],
        &[(1, &[1])],
        &[(1, &[0, 2, 1, 0])],
        &[(1, &[0]), (2, &[0])],
        &[(1, &long)],
        &[(8, &long)],
    ];
    let orders: BTreeSet<[u8; 52]> = different.into_iter().map(with).collect();
    assert_eq!(orders.len(), different.len());
}

/// No two hashes or keys of the house begin alike: each tag and label is used once, and none is the start of another.
#[test]
fn every_tag_has_one_use() {
    let mut tags = Vec::new();
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("src")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let source = fs::read_to_string(&path).expect("a source");
            let texts =
                source.split("b\"razz.").skip(1).map(|rest| rest.split('"').next().expect("its end").to_owned());
            tags.extend(texts);
        }
    }
    tags.sort();
    assert!(tags.len() >= 10, "{tags:?}");
    for pair in tags.windows(2) {
        assert!(!pair[1].starts_with(&pair[0]), "{pair:?}");
    }
    let spec = fs::read_to_string(clients().join("proof-spec.md")).expect("the specification");
    for tag in ["card", "padding", "node", "seed", "order", "order-with-nonces", "salts"] {
        let tag = format!("{tag}.v1");
        assert!(tags.contains(&tag) && spec.contains(&format!("\"razz.{tag}\"")), "{tag}");
    }
}

#[test]
fn nothing_hidden_is_printed() {
    let hand = Bound::drawn(OF, Seed::new([3; 32]), Nonces::default());
    let root = hand.commitment.root();
    assert_eq!(format!("{:?}", hand.key), "SaltsKey(hidden)");
    assert_eq!(format!("{:?}", hand.commitment), format!("Commitment(root {root}, hidden)"));
    let proof = hand.commitment.card_proof(9).expect("a position");
    assert_eq!(format!("{proof:?}"), "CardProof(position 9, hidden)");
    assert_eq!(format!("{:?}", proof.revealed), "Revealed(position 9, hidden)");
    let all: Vec<u8> = (0..52).collect();
    let printed = format!("{:?}", hand.commitment.multiproof(&all).expect("positions"));
    assert_eq!(printed.matches("hidden").count(), 52);
    assert!(!printed.contains("salt") && !printed.contains("card:"), "{printed}");
    // Nor is a card in what a refusal says.
    let mut changed = hand.opened();
    changed["order"].as_array_mut().expect("a list").swap(0, 51);
    let Ok(Verdict::Refused(error)) = judge(&changed.to_string(), None) else { panic!("it must be refused") };
    assert_eq!(error.to_string(), "seed and nonces give another order: position 0 is the first that differs");
}
