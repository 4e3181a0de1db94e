//! Nothing that is published before a reveal determines a card: whatever an outsider may guess a salt to be, no leaf
//! comes out of public data alone; and no two hashes share a label.

use std::collections::BTreeSet;
use std::path::Path;

use hkdf::Hkdf;
use razz_dealer::engine::Card;
use razz_dealer::shuffle::{Commitment, HandId, Nonces, SaltsKey, Seed, SeedHash, order_with_nonces};
use sha2::{Digest, Sha256};

const OF: HandId = HandId { table: [5; 16], hand: 9 };
const REVEALED: [u8; 12] = [10, 11, 12, 13, 14, 20, 21, 22, 23, 24, 30, 31];

fn leaf(position: u8, salt: &[u8], card: Card) -> [u8; 32] {
    let hash = Sha256::new().chain_update(b"razz.card.v1").chain_update(OF.table).chain_update(OF.hand.to_be_bytes());
    hash.chain_update([position]).chain_update(salt).chain_update([card.index()]).finalize().into()
}

/// Every label and tag in the source of the shuffle.
fn labels() -> Vec<String> {
    let mut found = Vec::new();
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("src/shuffle")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("lists") {
            let path = entry.expect("a file").path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let text = std::fs::read_to_string(&path).expect("text");
            found.extend(
                text.split("b\"razz.")
                    .skip(1)
                    .map(|rest| format!("razz.{}", &rest[..rest.find('"').expect("it ends")])),
            );
        }
    }
    found
}

#[test]
fn no_two_hashes_share_a_label() {
    let labels = labels();
    assert!(labels.len() >= 9, "{labels:?}");
    let different: BTreeSet<&String> = labels.iter().collect();
    assert_eq!(different.len(), labels.len(), "{labels:?}");
    for one in &labels {
        assert!(labels.iter().all(|other| one == other || !other.starts_with(one.as_str())), "{one} begins another");
    }
}

#[test]
fn no_leaf_can_be_made_from_what_is_published() {
    for seed in 0..8_u8 {
        let (seed, nonces) =
            (Seed::new([seed; 32]), Nonces::new(vec![(2, vec![7; 16]), (5, vec![8; 32])]).expect("nonces"));
        let deck = order_with_nonces(&seed, &nonces);
        let commitment = Commitment::new(OF, &deck, &SaltsKey::of(&seed));
        let leaves: Vec<[u8; 32]> = commitment.leaves().to_vec();
        let hidden: Vec<u8> = (0..52).filter(|position| !REVEALED.contains(position)).collect();
        // Everything that stands in the record or in an answer before the rest is revealed.
        let proof = commitment.multiproof(&REVEALED).expect("a proof");
        let mut public: Vec<Vec<u8>> = vec![vec![], vec![0; 16], vec![0xff; 16], OF.table.to_vec()];
        public.extend([commitment.root().0.to_vec(), SeedHash::of(&seed).0.to_vec(), OF.hand.to_be_bytes().to_vec()]);
        public.extend(nonces.iter().map(|(_, nonce)| nonce.to_vec()));
        public.extend(proof.cards.iter().map(|shown| shown.salt.to_vec()));
        public.extend(proof.nodes.iter().map(|node| node.to_vec()));
        // And what can be made of each by the hashes and labels that are in use.
        let mut guesses: BTreeSet<[u8; 16]> = BTreeSet::new();
        for one in &public {
            for label in labels().iter().map(String::as_bytes).chain([&b""[..]]) {
                let mut derived = [0; 32];
                Hkdf::<Sha256>::new(None, one).expand(label, &mut derived).expect("short");
                let hashes: [[u8; 32]; 2] =
                    [Sha256::digest([label, one].concat()).into(), Sha256::digest([one, label].concat()).into()];
                for bytes in [derived, hashes[0], hashes[1]] {
                    guesses.insert(bytes[..16].try_into().expect("16 bytes"));
                    guesses.insert(bytes[16..].try_into().expect("16 bytes"));
                }
            }
            let mut padded = one.clone();
            padded.resize(16, 0);
            guesses.insert(padded.try_into().expect("16 bytes"));
        }
        for position in hidden {
            for salt in &guesses {
                let made = Card::all().any(|card| leaves.contains(&leaf(position, salt, card)));
                assert!(!made, "position {position} is known from what is published");
            }
        }
        // Nor is any of it the key that all salts follow from.
        for one in public.iter().filter(|one| one.len() == 32) {
            for label in labels().iter().map(String::as_bytes).chain([&b""[..]]) {
                let mut derived = [0; 32];
                Hkdf::<Sha256>::new(None, one).expand(label, &mut derived).expect("short");
                let plain: [u8; 32] = one[..].try_into().expect("32 bytes");
                for key in [plain, derived, Sha256::digest([label, one].concat()).into()] {
                    assert_ne!(Commitment::new(OF, &deck, &SaltsKey::new(key)).root(), commitment.root());
                }
            }
        }
        // The test can fail: with the true salt the leaf does come out.
        let shown = commitment.reveal(0).expect("a card");
        assert_eq!(leaf(0, &shown.salt, shown.card), leaves[0]);
    }
}

/// The same cards under other salts have nothing in common but the padding.
#[test]
fn the_same_deck_twice_looks_like_two() {
    let deck = order_with_nonces(&Seed::new([1; 32]), &Nonces::default());
    let [one, other] = [[1; 32], [2; 32]].map(|key| Commitment::new(OF, &deck, &SaltsKey::new(key)));
    let leaves: BTreeSet<&[u8; 32]> = one.leaves()[..52].iter().collect();
    assert!(other.leaves()[..52].iter().all(|leaf| !leaves.contains(leaf)));
    assert_ne!(one.root(), other.root());
}
