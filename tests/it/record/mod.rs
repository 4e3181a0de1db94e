//! Promise 5 in bytes: what is written is read back as it was, nothing else is taken for a record, and each record is
//! bound to all before it.

mod lives;
mod refusals;

use std::collections::BTreeSet;

use prost::Message;
use razz_dealer::engine::{Deck, DeckBond, DeckOrigin, Event, Settings, Table, TableCommand, TableEvent};
use razz_dealer::ledger::{Account, Transfer, WalletEvent};
use razz_dealer::pb;
use razz_dealer::record::{
    Hash, Micros, OpenDeck, Proof, Record, Seq, StreamEvent, StreamId, chain, decode, encode, seal,
};

use lives::{Dice, TABLE, chips, life_of_a_table, player, recorded, seat, settings, wallet_records};

/// No wildcard: a new event does not compile until it is named here, and does not pass until a record holds it.
fn name(event: &StreamEvent) -> &'static str {
    match event {
        StreamEvent::Wallet(WalletEvent::Deposited { .. }) => "Deposited",
        StreamEvent::Wallet(WalletEvent::Withdrawn { .. }) => "Withdrawn",
        StreamEvent::Wallet(WalletEvent::BoughtIn { .. }) => "BoughtIn",
        StreamEvent::Wallet(WalletEvent::CashedOut { .. }) => "CashedOut",
        StreamEvent::Table(TableEvent::TableCreated(_)) => "TableCreated",
        StreamEvent::Table(TableEvent::RulesChanged(_)) => "RulesChanged",
        StreamEvent::Table(TableEvent::SeatTaken { .. }) => "SeatTaken",
        StreamEvent::Table(TableEvent::ChipsAdded { .. }) => "ChipsAdded",
        StreamEvent::Table(TableEvent::SeatLeft { .. }) => "SeatLeft",
        StreamEvent::Table(TableEvent::SatOut { .. }) => "SatOut",
        StreamEvent::Table(TableEvent::HandPrepared { .. }) => "HandPrepared",
        StreamEvent::Table(TableEvent::NonceGiven { .. }) => "NonceGiven",
        StreamEvent::Table(TableEvent::CardsRead { .. }) => "CardsRead",
        StreamEvent::Table(TableEvent::DeckOpened { .. }) => "DeckOpened",
        StreamEvent::Table(TableEvent::TableClosed) => "TableClosed",
        StreamEvent::Table(TableEvent::Hand(event)) => event.name(),
    }
}

const EVENTS: usize = 34;

#[test]
fn every_event_is_read_back_as_it_was_written() {
    let lives = (0..200).flat_map(life_of_a_table);
    let mut seen = BTreeSet::new();
    for record in lives.chain(wallet_records()) {
        let bytes = encode(&record);
        assert_eq!(decode(&bytes).as_ref(), Ok(&record));
        let message = pb::Record::decode(bytes.as_slice()).expect("a record");
        for (event, written) in record.events.iter().zip(message.events) {
            // Under its own name too: a swap in both directions would be read back unnoticed.
            let kind = format!("{:?}", written.kind.expect("a kind"));
            assert!(kind.starts_with(&format!("{}(", name(event))), "{kind} for {event:?}");
            seen.insert(name(event));
        }
    }
    assert_eq!(seen.len(), EVENTS, "only these came: {seen:?}");
}

#[test]
fn a_down_card_leaves_no_trace_in_the_bytes() {
    let mut tables = [0, 0].map(|_| Table::new(Settings { nonces: false, ..settings(&mut Dice(1)) }));
    let deck = Dice(9).deck();
    // Two decks that differ in nothing but which of two players has which card down.
    let mut order = *deck.order();
    order.swap(0, 3);
    let decks = [deck, Deck::new(order).expect("each card once")];
    let bytes = [0, 1].map(|index| {
        let table = &mut tables[index];
        for number in [2, 6] {
            let take = TableCommand::TakeSeat {
                seat: seat(number),
                player: player(&number.to_string()),
                chips: chips(50),
                card_key: None,
            };
            let events = table.decide(&take).expect("accepted");
            recorded(table, events);
        }
        let events = table.deal(&decks[index], DeckBond::new(DeckOrigin::Scripted, [0; 32])).expect("two stacks");
        encode(&recorded(table, events))
    });
    assert_eq!(bytes[0], bytes[1]);
}

/// Written by hand from the proto, not by this crate.
const GOLDEN: &str = "0801108080f9c0c1c482031a0a706c6174666f726d2d312203722d312a10000102030405060708090a0b0c0d0e\
                      0f3807408087a0cfc1c482034a080a060803101118314a04120208014a08220608021064180152120a020a0012\
                      0912070a05616c69636518f4035a105a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a6240010101010101010101010101\
                      010101010101010101010101010101010101010102020202020202020202020202020202020202020202020202\
                      020202020202026a220a200303030303030303030303030303030303030303030303030303030303030303";

fn golden() -> Record {
    let mut request_hash = [0; 16];
    (0..).zip(&mut request_hash).for_each(|(value, byte)| *byte = value);
    let alice = Account::Wallet(player("alice"));
    let events = [
        Event::CardDealt { seat: seat(3), position: 17, card: Some("Kd".parse().expect("a card")) },
        Event::Folded { seat: seat(1) },
        Event::Called { seat: seat(2), to: chips(100), all_in: true },
    ];
    Record {
        at: Micros(1_700_000_000_000_000),
        actor: "platform-1".into(),
        request_id: "r-1".into(),
        request_hash,
        trace: String::new(),
        hand_number: 7,
        deadline: Some(Micros(1_700_000_030_000_000)),
        events: events.into_iter().map(|event| StreamEvent::Table(TableEvent::Hand(event))).collect(),
        transfers: vec![Transfer::new(Account::House, alice, chips(500)).expect("a transfer")],
        proof: Proof { salts: vec![[0x5a; 16]], nodes: vec![[1; 32], [2; 32]], deck: Some(OpenDeck::Seed([3; 32])) },
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().concat()
}

#[test]
fn stored_bytes_and_hashes_never_change() {
    let stream = StreamId(std::array::from_fn(|index| u8::try_from(index).expect("small")));
    let sealed = seal(Hash::default(), stream, Seq(1), &golden());
    assert_eq!(hex(&sealed.bytes), GOLDEN);
    assert_eq!(hex(&sealed.hash.0), "87fefd4d3ebb663a92ae76ee1109435a9a2f3d3f15a15048cccb3e033d04575d");
    assert_eq!(sealed.record(), Ok(golden()));
    let later = chain(Hash([0x11; 32]), stream, Seq(258), b"the very bytes");
    assert_eq!(hex(&later.0), "893477f77b0d046d46ab74b1e1d399e8abdf91a2fe8dcfa7e32756d236642c44");
    assert_eq!(hex(&StreamId::of_wallet(&player("alice")).0), "98be0d3ee27ec80664a2bf91867e1b82");
    assert_eq!(hex(&StreamId::of_wallet(&player("Łucja-7")).0), "2fd46051f614ee5597bfa325d196d071");
    assert_eq!(StreamId::of_table(TABLE).0, TABLE.0);
}

#[test]
fn the_hash_hangs_on_every_byte_and_on_the_place() {
    let (previous, stream, seq) = (Hash([7; 32]), StreamId::of_table(TABLE), Seq(300));
    let bytes = encode(&golden());
    let mut hashes = vec![chain(previous, stream, seq, &bytes)];
    for place in 0..bytes.len() {
        let mut changed = bytes.clone();
        changed[place] ^= 1;
        hashes.push(chain(previous, stream, seq, &changed));
        hashes.push(chain(previous, stream, seq, &bytes[..place]));
    }
    for place in 0..32 {
        let mut changed = previous;
        changed.0[place] ^= 0x80;
        hashes.push(chain(changed, stream, seq, &bytes));
    }
    for place in 0..16 {
        let mut changed = stream;
        changed.0[place] ^= 1;
        hashes.push(chain(previous, changed, seq, &bytes));
    }
    hashes.extend((0..64).map(|bit| chain(previous, stream, Seq(seq.0 ^ (1 << bit)), &bytes)));
    let different: BTreeSet<[u8; 32]> = hashes.iter().map(|hash| hash.0).collect();
    assert_eq!(different.len(), hashes.len());
}

#[test]
fn changed_bytes_are_never_taken_for_the_same_record() {
    let opening = life_of_a_table(3).into_iter().find(|record| record.hand_number == 1).expect("a hand was dealt");
    for record in [golden(), opening].into_iter().chain(wallet_records()) {
        let bytes = encode(&record);
        for place in 0..bytes.len() {
            assert_ne!(decode(&bytes[..place]).as_ref(), Ok(&record), "cut at {place}");
            for bit in 0..8 {
                let mut changed = bytes.clone();
                changed[place] ^= 1 << bit;
                assert_ne!(decode(&changed).as_ref(), Ok(&record), "bit {bit} of byte {place}");
            }
        }
    }
}

/// Bytes changed, taken out, put in and cut off anywhere in real records: read as what they say or refused, never more.
#[test]
fn records_with_changed_bytes_are_read_without_a_panic() {
    let script = OpenDeck::Script { order: Dice(3).deck().order().to_vec(), salts_key: [4; 32] };
    let scripted = Record { proof: Proof { deck: Some(script), ..golden().proof }, ..golden() };
    let lives = (0..12).flat_map(life_of_a_table).chain(wallet_records()).chain([golden(), scripted]);
    let (dice, mut read) = (&mut Dice(7), 0);
    for bytes in lives.map(|record| encode(&record)) {
        for _ in 0..300 {
            let mut changed = bytes.clone();
            for _ in 0..=dice.below(3) {
                let (at, byte) = (dice.below(changed.len()), dice.roll().to_le_bytes()[0]);
                match dice.below(4) {
                    0 => changed[at] ^= 1 << (byte % 8),
                    1 => changed[at] = byte,
                    2 => changed.insert(at, byte),
                    _ => changed.truncate(changed.len().max(at + 2) - 1),
                }
            }
            if let Ok(record) = decode(&changed) {
                assert_eq!(encode(&record), changed);
                read += 1;
            }
        }
    }
    assert!(read > 1_000, "changes that are no damage are met too: {read}");
}

#[test]
fn random_bytes_are_refused_without_a_panic() {
    let dice = &mut Dice(42);
    let bytes = encode(&golden());
    for _ in 0..100_000 {
        let length = dice.below(80);
        let noise: Vec<u8> = (0..length).map(|_| dice.roll().to_le_bytes()[0]).collect();
        // The format number before it, so that some of the noise gets past the first check.
        assert!(decode(&[&[8, 1], noise.as_slice()].concat()).is_err());
        let from = dice.below(bytes.len());
        let mixed = [&bytes[..from], noise.as_slice()].concat();
        if let Ok(record) = decode(&mixed) {
            assert_eq!(encode(&record), mixed);
        }
    }
}
