//! Promise 3, end to end: the down cards of a player with a key leave the service only sealed to it, and a verifier in
//! Python that shares nothing with this crate opens the same texts.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use razz_dealer::engine::{Card, CardKey, Seat};
use razz_dealer::pb;
use razz_dealer::pb::viewer::Who;
use razz_dealer::shuffle::{
    CardProof, CardSecret, HandId, HandoverError, Revealed, Root, hand_over, take_over, usable,
};
use razz_dealer::sim::deck;
use serde_json::{Value, json};
use tonic::Code;
use uuid::Uuid;
use zeroize::Zeroizing;

use crate::contract::scene::{Scene, TABLE, as_player, deal, fresh, player, seat, take_seat, view};
use crate::process::command::run;

const OF: HandId = HandId { table: [7; 16], hand: 3 };

fn clients() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/clients")
}

fn python(args: &[&str]) -> (Option<i32>, String) {
    let mut command = Command::new("python3");
    command.arg(clients().join("python/open_cards.py")).args(args);
    let ended = command.output().expect("python3 is needed for this test");
    (ended.status.code(), String::from_utf8(ended.stdout).expect("UTF-8"))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().concat()
}

fn bytes(text: &str) -> Vec<u8> {
    (0..text.len()).step_by(2).map(|at| u8::from_str_radix(&text[at..at + 2], 16).expect("digits")).collect()
}

fn third() -> Seat {
    Seat::new(3).expect("a seat")
}

fn some_cards() -> Vec<Revealed> {
    [(4, "Td"), (10, "Ac"), (38, "7h")]
        .map(|(position, card)| Revealed { position, card: card.parse().expect("a card"), salt: [position; 16] })
        .to_vec()
}

/// The texts were sealed by a program in Python that shares nothing with this crate.
#[test]
fn the_vectors_come_out_as_they_say_in_both() {
    let path = clients().join("sealed-cards.json");
    let vectors: Value = serde_json::from_str(&fs::read_to_string(&path).expect("the vectors")).expect("JSON");
    let vectors = vectors["vectors"].as_array().expect("a list");
    for vector in vectors {
        let text = |name: &str| vector[name].as_str().expect("a text");
        let secret = CardSecret::new(bytes(text("secret_key")).try_into().expect("32 bytes"));
        assert_eq!(format!("{:?}", secret.card_key()), text("card_key"));
        let table = Uuid::parse_str(text("table_id")).expect("an id").into_bytes();
        let of = HandId { table, hand: vector["hand_number"].as_u64().expect("a number") };
        let seat = u8::try_from(vector["seat"].as_u64().expect("a seat")).ok().and_then(Seat::new).expect("a seat");
        let parts = vector["sealed"].as_array().expect("a list").iter();
        let sealed = bytes(&parts.map(|part| part.as_str().expect("a text")).collect::<String>());
        let found = match take_over(&secret, of, seat, &sealed) {
            Ok(cards) => {
                json!(
                    cards
                        .iter()
                        .map(|shown| json!([shown.position, shown.card.to_string(), hex(&shown.salt)]))
                        .collect::<Vec<_>>()
                )
            }
            Err(why) => json!(why.name()),
        };
        assert_eq!(found, vector["expect"], "{}", text("name"));
    }
    let (code, printed) = python(&["--vectors", &path.display().to_string()]);
    assert_eq!((code, printed), (Some(0), format!("{} sealed texts tried, 0 wrong\n", vectors.len())));
}

#[test]
fn every_bit_of_a_sealed_text_counts() {
    let secret = CardSecret::new([9; 32]);
    let sealed = hand_over(&secret.card_key(), &Zeroizing::new([1; 32]), OF, third(), &some_cards()).expect("sealed");
    assert_eq!(take_over(&secret, OF, third(), &sealed).as_deref(), Ok(&some_cards()[..]));
    for at in 0..8 * sealed.len() {
        let mut changed = sealed.clone();
        changed[at / 8] ^= 1 << (at % 8);
        // RFC 7748 has the highest bit of a point ignored; the key schedule takes it in all the same.
        assert_eq!(take_over(&secret, OF, third(), &changed), Err(HandoverError::NotOpened), "bit {at}");
    }
    // Other entropy, another text of the same length; nothing of it is the same.
    let other = hand_over(&secret.card_key(), &Zeroizing::new([2; 32]), OF, third(), &some_cards()).expect("sealed");
    assert_eq!(other.len(), sealed.len());
    let same = sealed.iter().zip(&other).filter(|(one, other)| one == other).count();
    assert!(same < 8, "{same} bytes of {} are the same", sealed.len());
    assert_eq!(format!("{secret:?}"), "CardSecret(hidden)");
}

/// The points whose multiples are few: everybody could open what is sealed to them (RFC 7748, section 6.1).
#[test]
fn keys_of_low_order_are_refused() {
    let low = [
        "0000000000000000000000000000000000000000000000000000000000000000",
        "0100000000000000000000000000000000000000000000000000000000000000",
        "e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800",
        "5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157",
        "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    ];
    for key in low {
        let key = CardKey::new(bytes(key).try_into().expect("32 bytes"));
        assert_eq!(usable(&key), Err(HandoverError::LowOrderKey), "{key:?}");
    }
    let sound = CardSecret::new([1; 32]).card_key();
    assert_eq!(usable(&sound), Ok(()));
    // Another form of a sound key: its bearer could never open what is sealed to it.
    let mut high = *sound.bytes();
    high[31] |= 0x80;
    let beyond = |low: u8| {
        let mut bytes = [0xff; 32];
        (bytes[0], bytes[31]) = (low, 0x7f);
        CardKey::new(bytes)
    };
    for key in [CardKey::new(high), beyond(0xed), beyond(0xee), beyond(0xff)] {
        assert_eq!(usable(&key), Err(HandoverError::KeyNotCanonical), "{key:?}");
    }
    assert_ne!(usable(&beyond(0xeb)), Err(HandoverError::KeyNotCanonical));
}

/// The scene's table, whose seat 1 has a key.
async fn keyed(secret: &CardSecret) -> Scene {
    let mut s = Scene::seated(pb::Preset::Pokerstars, true).await;
    let leave = pb::LeaveSeatRequest { table_id: TABLE.to_owned(), player_id: player(1), request_id: fresh() };
    s.client.tables.leave_seat(leave).await.expect("left");
    let sit = pb::TakeSeatRequest { card_key: secret.card_key().bytes().to_vec(), ..take_seat(1, 200) };
    let table = s.client.tables.take_seat(sit).await.expect("a seat").into_inner().table.expect("a table");
    assert_eq!(table.seats[0].card_key, secret.card_key().bytes());
    s
}

/// What the scripted deck deals to a seat of three, down, on third street.
fn first_down(number: usize) -> Vec<(u8, Card)> {
    let dealt = [number - 1, number + 2].map(|position| u8::try_from(position).expect("small"));
    dealt.map(|position| (position, deck(11, 1).card(position).expect("a card"))).to_vec()
}

fn of_hand(number: u64) -> HandId {
    HandId { table: Uuid::parse_str(TABLE).expect("an id").into_bytes(), hand: number }
}

#[tokio::test]
async fn a_keyed_players_cards_leave_only_sealed() {
    let secret = CardSecret::new([0x42; 32]);
    let mut s = keyed(&secret).await;
    let dealt = pb::DealRequest { viewer: Some(as_player(1)), ..deal() };
    let dealt = s.client.dealer.deal(dealt).await.expect("dealt").into_inner().hand.expect("a hand");
    let own = seat(&dealt, 1);
    assert!(own.down_cards.is_empty() && own.down_count == 2);
    let opened = take_over(&secret, of_hand(1), Seat::new(1).expect("a seat"), &own.sealed_cards).expect("opened");
    assert_eq!(opened.iter().map(|shown| (shown.position, shown.card)).collect::<Vec<_>>(), first_down(1));

    // Both programs open it.
    let folder = tempfile::tempdir().expect("a folder");
    let key = folder.path().join("key").display().to_string();
    fs::write(&key, hex(&[0x42; 32])).expect("written");
    let sealed = hex(&own.sealed_cards);
    let args = ["--key", &key, "--table", TABLE, "--hand", "1", "--seat", "1", "--sealed", &sealed];
    let ours = run(&[&["cards", "open"], &args[..]].concat());
    let lines =
        opened.iter().map(|shown| format!("position {}: {} salt {}\n", shown.position, shown.card, hex(&shown.salt)));
    assert_eq!((ours.code, &ours.out), (Some(0), &lines.collect::<String>()));
    assert_eq!(python(&args), (Some(0), ours.out));

    // Sealed anew each time, and no text or other field holds the cards.
    let again = s.hand(0, Some(as_player(1))).await.expect("a hand");
    assert_ne!(seat(&again, 1).sealed_cards, own.sealed_cards);
    let text = format!("{again:?}");
    assert!(first_down(1).iter().all(|(_, card)| !text.contains(&format!("\"{card}\""))), "{text}");

    // Not even somebody of the platform who names the seat; so nothing was read, and nothing is recorded.
    let before = s.table().await.seq;
    let reader = pb::viewer::Platform { seat: 1, reader: "floor".into() };
    let read = s.hand(0, Some(pb::Viewer { who: Some(Who::Platform(reader)) })).await.expect("a hand");
    assert!(read.seats.iter().all(|seat| seat.down_cards.is_empty() && seat.sealed_cards.is_empty()));
    assert_eq!(s.table().await.seq, before);

    // The others are as they were.
    let other = s.hand(0, Some(as_player(2))).await.expect("a hand");
    assert_eq!(seat(&other, 2).down_cards.len(), 2);
    assert!(other.seats.iter().all(|seat| seat.sealed_cards.is_empty()));
    s.stop().await;
}

#[tokio::test]
async fn a_keyed_players_cards_are_proved_without_being_told() {
    let secret = CardSecret::new([0x43; 32]);
    let mut s = keyed(&secret).await;
    s.deal().await;
    let ask = pb::GetCardProofsRequest { table_id: TABLE.to_owned(), hand_number: 1, viewer: Some(as_player(1)) };
    let proofs = s.client.dealer.get_card_proofs(ask).await.expect("proofs").into_inner();
    let root = Root(proofs.deck_root.as_slice().try_into().expect("a root"));
    let [sealed] = &proofs.sealed_cards[..] else { panic!("one seat: {proofs:?}") };
    let opened = take_over(&secret, of_hand(1), Seat::new(1).expect("a seat"), &sealed.sealed).expect("opened");
    let told = proofs.cards.iter().filter(|card| card.card.is_empty());
    let told: Vec<&pb::ProvedCard> = told.collect();
    assert_eq!(told.iter().map(|card| card.position).collect::<Vec<_>>(), [0, 3]);
    for (path, shown) in told.iter().zip(opened) {
        assert!(path.salt.is_empty() && path.seat == 1);
        let nodes: Vec<[u8; 32]> = path.path.iter().map(|node| node[..].try_into().expect("a node")).collect();
        let proof = CardProof { revealed: shown, path: nodes.try_into().expect("six") };
        assert_eq!(proof.verify(of_hand(1), root), Ok(()));
    }
    s.stop().await;
}

/// R32 with keys: who has one is told mucked hands sealed; of who has one, the others are told nothing.
#[tokio::test]
async fn mucked_hands_of_and_for_keyed_players() {
    let secret = CardSecret::new([0x44; 32]);
    let mut s = keyed(&secret).await;
    let (mut of_keyed, mut for_keyed) = (0, 0);
    for number in 1..=40 {
        let mut hand = s.deal().await;
        while view(&hand).legal.seat.is_some() {
            let act = s.choose(&hand).expect("an act");
            hand = s.act(act).await;
        }
        for seat in hand.seats.iter().filter(|seat| seat.showing() == pb::Showing::Mucked) {
            let keyed = s.hand(number, Some(as_player(1))).await.expect("a hand");
            let plain = s.hand(number, Some(as_player(2))).await.expect("a hand");
            let at =
                |hand: &pb::HandView| hand.seats.iter().find(|one| one.seat == seat.seat).cloned().expect("a seat");
            assert!(at(&keyed).down_cards.is_empty());
            let place = Seat::new(u8::try_from(seat.seat).expect("small")).expect("a seat");
            let opened = take_over(&secret, of_hand(number), place, &at(&keyed).sealed_cards).expect("opened");
            assert_eq!(opened.len(), 3);
            if seat.seat == 1 {
                assert!(at(&plain).down_cards.is_empty() && at(&plain).sealed_cards.is_empty());
                of_keyed += 1;
            } else {
                assert_eq!(at(&plain).down_cards.len(), 3);
                for_keyed += 1;
            }
        }
        s.top_up().await;
    }
    assert!(of_keyed > 0 && for_keyed > 0, "{of_keyed} and {for_keyed}");
    s.stop().await;
}

#[tokio::test]
async fn a_key_that_is_none_is_refused_by_name() {
    let mut s = Scene::seated(pb::Preset::Pokerstars, true).await;
    s.deposit(5, 100).await;
    for (key, expected) in [(vec![1; 31], "32 bytes"), (vec![1; 33], "32 bytes"), (vec![0; 32], "low order")] {
        let sit = pb::TakeSeatRequest { card_key: key, ..take_seat(5, 50) };
        let refused = s.client.tables.take_seat(sit).await.expect_err("no key");
        assert_eq!(refused.code(), Code::InvalidArgument);
        assert!(refused.message().contains("card_key") && refused.message().contains(expected), "{refused}");
    }
    s.stop().await;
}
