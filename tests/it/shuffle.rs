//! Promises 3 and 4: the order is the one that the seed says and exactly uniform, a sealed deck opens to itself or not
//! at all, and nothing secret can be printed.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use chacha20::ChaCha20Rng;
use chacha20::rand_core::{Rng, SeedableRng};
use razz_dealer::engine::{Card, Deck};
use razz_dealer::keyfile::{KeyFileError, load_or_create};
use razz_dealer::shuffle::{
    DeckSecret, KeyId, Nonces, SaltsKey, SealError, SealingKey, Seed, bounded, open, order, seal,
};
use razz_dealer::world::World;

const TABLE: [u8; 16] = counting(0x10);
const HAND: u64 = 7;

const fn counting<const N: usize>(from: u8) -> [u8; N] {
    let mut bytes = [from; N];
    let mut index = 1;
    while index < N {
        bytes[index] = bytes[index - 1] + 1;
        index += 1;
    }
    bytes
}

fn in_words(deck: &Deck) -> String {
    deck.order().map(|card| card.to_string()).join(" ")
}

/// The vectors were computed once by a program in Python that shares nothing with this crate: HKDF and `ChaCha20`
/// written out from RFC 5869 and RFC 8439, and compared there with the `cryptography` package.
#[test]
fn the_order_of_a_seed_is_frozen() {
    let vectors = [
        (
            counting(0),
            "Qc 2c 7d 8d 3c 3d Js 6s Ks Th 8s 9h 9c Jh 3h Kd 2d 5h Qh 3s As Qd 6h 4s 8c 4h Ac Kc Jd Qs 2h Ah Ad 8h 9s \
             2s Jc 5c 5s 7c 6c 6d 9d Td Tc Kh 5d 7s 7h 4d 4c Ts",
        ),
        (
            [0xff; 32],
            "Kc 5c 3s 5d 6s Kh 9h 9c Jh 8h Th Ad Jd 8d 7h 7d 3d Js 2s 2c Qs 4s 4d Qc Ac 6d Td Ah 3c Ts 2d Tc 7s 6h As \
             Qh 8s 9s Kd 2h 8c 3h 7c Qd 4h 5s Jc Ks 5h 9d 6c 4c",
        ),
        // Eleven bytes of this one's stream are drawn in vain.
        (
            [112; 32],
            "Js Qc 5h Kc 9h 6c 2d 7c 9d Qh Tc 6s 2c Jc Ac 7s 4s Ts Ah Kh 9s 6h 3d Ad 8h 9c Qs 7h 3s Ks 4c As 6d 7d 3c \
             Jh 2s 2h 8d 8c 8s 5c Th 3h Kd Td 5d Qd 4d Jd 5s 4h",
        ),
    ];
    for (seed, expected) in vectors {
        assert_eq!(in_words(&order(&Seed::new(seed))), expected);
    }
}

/// Every byte for every number of choices: each choice is met equally often, and what is thrown away is drawn again.
#[test]
fn a_bounded_draw_is_exactly_uniform() {
    for choices in 1..=u8::MAX {
        let mut met = vec![0u32; usize::from(choices)];
        let mut in_vain = 0u32;
        for byte in 0..=u8::MAX {
            let mut drawn = 0;
            let choice = bounded(choices, || {
                drawn += 1;
                // Zero is never thrown away.
                if drawn == 1 { byte } else { 0 }
            });
            if drawn <= 1 {
                met[usize::from(choice)] += 1;
            } else {
                assert_eq!((drawn, choice), (2, 0), "{choices} choices, byte {byte}");
                in_vain += 1;
            }
        }
        assert!(met.iter().all(|&times| times == met[0] && times > 0), "{choices} choices: {met:?}");
        assert!(in_vain < u32::from(choices), "{choices} choices: {in_vain} of 256 are thrown away");
    }
}

/// How far the cards are from being spread evenly over each position: chi-square with 51 degrees of freedom.
fn spread(shuffles: u32, mut deal: impl FnMut(u32) -> [u8; 52]) -> Vec<f64> {
    let mut counts = vec![[0u32; 52]; 52];
    for number in 0..shuffles {
        for (position, card) in deal(number).into_iter().enumerate() {
            counts[position][usize::from(card)] += 1;
        }
    }
    let expected = f64::from(shuffles) / 52.0;
    let square = |&count: &u32| (f64::from(count) - expected).powi(2) / expected;
    counts.iter().map(|cards| cards.iter().map(square).sum()).collect()
}

/// Mean 51, deviation 10 by chance: 130 is beyond all chance, at 52 positions too.
const SPREAD_LIMIT: f64 = 130.0;
const SHUFFLES: u32 = 100_000;

#[test]
fn every_card_is_as_likely_at_every_position() {
    let spreads = spread(SHUFFLES, |number| {
        let mut seed = [0; 32];
        seed[..4].copy_from_slice(&number.to_be_bytes());
        order(&Seed::new(seed)).order().map(Card::index)
    });
    for (position, spread) in spreads.iter().enumerate() {
        assert!((10.0..SPREAD_LIMIT).contains(spread), "position {position}: chi-square {spread}");
    }
}

#[test]
fn a_biased_shuffle_is_found() {
    let mut rng = ChaCha20Rng::seed_from_u64(1);
    // The well-known slip: each place is swapped with any other, instead of one that is not settled yet.
    let spreads = spread(SHUFFLES, |_| {
        let mut cards = counting::<52>(0);
        for place in 0..52 {
            let other = bounded(52, || rng.next_u32().to_le_bytes()[0]);
            cards.swap(place, usize::from(other));
        }
        cards
    });
    assert!(spreads.iter().any(|&spread| spread > SPREAD_LIMIT), "{spreads:?}");
}

fn key() -> SealingKey {
    SealingKey::new(counting(0x80))
}

fn secret() -> DeckSecret {
    DeckSecret::Seed(Seed::new(counting(0)))
}

fn dealt(secret: &DeckSecret) -> Deck {
    secret.dealt(&Nonces::default()).deck
}

fn sealed() -> Vec<u8> {
    seal(&key(), counting(0x40), TABLE, HAND, &secret())
}

fn why_not(key: &SealingKey, table: [u8; 16], hand: u64, sealed: &[u8]) -> SealError {
    open(key, table, hand, sealed).expect_err("it must not open")
}

#[test]
fn a_sealed_deck_opens_to_itself() {
    let opened = open(&key(), TABLE, HAND, &sealed()).expect("opens");
    assert!(matches!(&opened, DeckSecret::Seed(seed) if seed.bytes() == &counting(0)), "{opened:?}");
    assert_eq!(dealt(&opened), order(&Seed::new(counting(0))));

    let scripted = DeckSecret::Script { deck: dealt(&secret()), salts: SaltsKey::new(counting(0x20)) };
    let scripted_sealed = seal(&key(), counting(0x40), TABLE, HAND, &scripted);
    let opened = open(&key(), TABLE, HAND, &scripted_sealed).expect("opens");
    let DeckSecret::Script { deck, salts } = &opened else { panic!("{opened:?}") };
    assert_eq!((deck, salts.bytes()), (&dealt(&scripted), &counting(0x20)));
    assert_eq!(scripted_sealed.len(), sealed().len(), "length tells nothing");
}

/// Computed once in Python, as the orders above: `HChaCha20` written out from draft-irtf-cfrg-xchacha and checked by
/// its vector, ChaCha20-Poly1305 likewise from RFC 8439.
#[test]
fn the_sealed_bytes_are_frozen() {
    let hex = sealed().iter().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().concat();
    let expected = "02028fd79cc503162a3f0f61d0747a19d0404142434445464748494a4b4c4d4e4f5051525354555657\
                    f00c72f658f4f15cfc1a7ed9fda2905b3d57637c165089fadda2ec16594910d61f3c107d2b6d9f7d31\
                    d3e1496e935e5ac111aa14ac3ba470aee497577d66943d41e0e28462dbbc65c5721999e4aec9be4b57\
                    c90ba5ac24838c1871e33b4318d9f725c57962";
    assert_eq!(hex, expected);
    assert_eq!(key().id().to_string(), "028fd79cc503162a3f0f61d0747a19d0");
}

#[test]
fn a_sealed_deck_that_was_changed_does_not_open() {
    let whole = sealed();
    for at in 0..whole.len() {
        let mut changed = whole.clone();
        changed[at] ^= 1;
        let why = why_not(&key(), TABLE, HAND, &changed);
        match at {
            0 => assert_eq!(why, SealError::UnknownVersion(3)),
            1..17 => {
                let id = KeyId(changed[1..17].try_into().expect("16 bytes"));
                assert_eq!(why, SealError::WrongKey { id, given: key().id() });
            }
            _ => assert_eq!(why, SealError::Damaged, "byte {at}"),
        }
    }
    for length in 0..whole.len() {
        assert_eq!(why_not(&key(), TABLE, HAND, &whole[..length]), SealError::WrongLength(length));
    }
    let longer = [&whole[..], &[0]].concat();
    assert_eq!(why_not(&key(), TABLE, HAND, &longer), SealError::WrongLength(longer.len()));
}

#[test]
fn a_sealed_deck_opens_for_its_own_hand_and_key_only() {
    let mut other_table = TABLE;
    other_table[15] ^= 1;
    assert_eq!(why_not(&key(), other_table, HAND, &sealed()), SealError::Damaged);
    assert_eq!(why_not(&key(), TABLE, HAND + 1, &sealed()), SealError::Damaged);

    let other_key = SealingKey::new([9; 32]);
    let why = why_not(&other_key, TABLE, HAND, &sealed());
    assert_eq!(why, SealError::WrongKey { id: key().id(), given: other_key.id() });
    // Under a forged key id the other key still opens nothing.
    let mut forged = sealed();
    forged[1..17].copy_from_slice(&other_key.id().0);
    assert_eq!(why_not(&other_key, TABLE, HAND, &forged), SealError::Damaged);
}

#[test]
fn nothing_secret_can_be_printed() {
    assert_eq!(format!("{:?}", Seed::new(counting(0))), "Seed(hidden)");
    assert_eq!(format!("{:?}", key()), "SealingKey(028fd79cc503162a3f0f61d0747a19d0, hidden)");
    assert_eq!(format!("{:?}", secret()), "Seed(Seed(hidden))");
    let scripted = DeckSecret::Script { deck: dealt(&secret()), salts: SaltsKey::new(counting(0)) };
    assert_eq!(format!("{scripted:?}"), "Script { deck: Deck(hidden), salts: SaltsKey(hidden) }");
}

fn key_path(folder: &tempfile::TempDir) -> PathBuf {
    folder.path().join("dealer.key")
}

fn write_key_file(path: &Path, text: &str) {
    fs::write(path, text).expect("writes");
    fs::set_permissions(path, fs::Permissions::from_mode(0o600)).expect("sets the mode");
}

#[test]
fn a_key_file_is_made_once_for_its_owner_only() {
    let folder = tempfile::tempdir().expect("a folder");
    let (path, world) = (key_path(&folder), World::scripted(0, 1, 1));
    let made = load_or_create(&path, &world).expect("makes");
    let text = fs::read_to_string(&path).expect("reads");
    assert_eq!(fs::metadata(&path).expect("is there").permissions().mode() & 0o7777, 0o600);
    assert!(
        text.starts_with(&format!("razz-dealer-key v1 {} ", made.current().id())) && text.ends_with('\n'),
        "one line"
    );

    let read = load_or_create(&path, &world).expect("reads");
    let sealed = seal(made.current(), [1; 24], TABLE, HAND, &secret());
    assert_eq!(dealt(&read.open(TABLE, HAND, &sealed).expect("is the same key")), dealt(&secret()));
    assert_eq!(fs::read_to_string(&path).expect("reads"), text, "never written again");
    assert_eq!(fs::read_dir(folder.path()).expect("lists").count(), 1, "nothing else is left");
}

#[test]
fn a_key_file_that_others_may_use_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let (path, world) = (key_path(&folder), World::scripted(0, 1, 1));
    load_or_create(&path, &world).expect("makes");
    for mode in [0o640, 0o604, 0o620, 0o601] {
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).expect("sets the mode");
        let why = load_or_create(&path, &world).expect_err("is refused").to_string();
        assert!(why.contains(&format!("{mode:04o}")) && why.contains("0600"), "{why}");
    }
    fs::set_permissions(&path, fs::Permissions::from_mode(0o400)).expect("sets the mode");
    load_or_create(&path, &world).expect("its owner may be kept from writing");
}

#[test]
fn a_damaged_key_file_is_refused_and_kept() {
    let folder = tempfile::tempdir().expect("a folder");
    let (path, world) = (key_path(&folder), World::scripted(0, 1, 1));
    let made = load_or_create(&path, &world).expect("makes");
    let whole = fs::read_to_string(&path).expect("reads");
    let hex = whole.split_whitespace().last().expect("a key").to_owned();
    let other_digit = if hex.starts_with('0') { "1" } else { "0" };
    let damaged = [
        String::new(),
        "razz-dealer-key".to_owned(),
        format!("razz-dealer-key v1 {}", made.current().id()),
        whole.replace(&hex, &hex[1..]),
        whole.replace(&hex, &format!("x{}", &hex[1..])),
        whole.replace(&hex, &format!("{other_digit}{}", &hex[1..])),
        whole.replace("razz-dealer-key", "other-key"),
        format!("{whole} more"),
        format!("razz-dealer-key {hex}"),
        whole.repeat(600),
    ];
    for text in damaged {
        write_key_file(&path, &text);
        let why = load_or_create(&path, &world).expect_err("is refused");
        assert!(matches!(why, KeyFileError::Damaged { .. }), "{text}: {why}");
        assert!(!why.to_string().contains(&hex[2..10]), "the key is in no error text");
        assert_eq!(fs::read_to_string(&path).expect("reads"), text, "never overwritten");
    }
    write_key_file(&path, &whole.replace("v1", "v2"));
    let why = load_or_create(&path, &world).expect_err("is refused");
    assert!(matches!(why, KeyFileError::UnknownVersion { found, .. } if found == "v2"));
}

#[test]
fn no_key_file_without_entropy_or_folder() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = key_path(&folder);
    let why = load_or_create(&path, &World::without_entropy()).expect_err("is refused");
    assert!(matches!(why, KeyFileError::NoEntropy(_)));
    assert!(!path.exists());
    let nowhere = folder.path().join("no-such-folder").join("dealer.key");
    let why = load_or_create(&nowhere, &World::system()).expect_err("is refused");
    assert!(matches!(why, KeyFileError::Unwritable { .. }), "{why}");
}

#[test]
fn a_scripted_world_is_the_same_every_time() {
    let told = |seed| {
        let world = World::scripted(1_000, 10, seed);
        let shared = world.clone();
        let random = [world.random::<32>(), shared.random::<32>()].map(|bytes| bytes.expect("draws"));
        (world.now(), shared.now(), random, world.uuid_v7().expect("makes"))
    };
    assert_eq!(told(1), told(1));
    let (first, second, random, _) = told(1);
    assert_eq!((first, second), (1_000, 1_010));
    assert_ne!(random[0], random[1]);
    assert_ne!(random, told(2).2);
    // How much one draw takes does not move the next.
    let world = World::scripted(0, 1, 1);
    world.random::<1000>().expect("draws");
    assert_eq!(world.random::<32>().expect("draws"), random[1]);
}

#[test]
fn the_system_world_is_now_and_does_not_repeat() {
    let world = World::system();
    let year = 31_556_952_000_000;
    assert!((55 * year..500 * year).contains(&world.now()), "{}", world.now());
    assert_ne!(world.random::<32>().expect("draws"), world.random::<32>().expect("draws"));
    assert!(World::without_entropy().random::<1>().is_err() && World::without_entropy().uuid_v7().is_err());
}

#[test]
fn a_made_id_is_a_uuid_of_version_7_and_sorts_by_time() {
    let world = World::scripted(1_700_000_000_000_000, 1_000, 5);
    let ids: Vec<[u8; 16]> = (0..100).map(|_| world.uuid_v7().expect("makes")).collect();
    assert!(ids.is_sorted_by(|earlier, later| earlier < later));
    assert_eq!(ids[0][..6], 1_700_000_000_000u64.to_be_bytes()[2..]);
    assert!(ids.iter().all(|id| id[6] >> 4 == 7 && id[8] >> 6 == 0b10));
}
