//! What is no record, and how the refusal names it.

use prost::Message;
use razz_dealer::pb;
use razz_dealer::pb::event::Kind;
use razz_dealer::record::{FORMAT, RecordError, decode, encode};

use super::golden;
use super::lives::{TABLE, life_of_a_table};

/// The fault of the golden record after this edit.
fn refused(edit: impl FnOnce(&mut pb::Record)) -> String {
    let mut message = pb::Record::decode(encode(&golden()).as_slice()).expect("a record");
    edit(&mut message);
    match decode(&message.encode_to_vec()) {
        Err(RecordError::Field(fault)) => fault.to_string(),
        other => panic!("not refused for a field: {other:?}"),
    }
}

fn refused_event(kind: Kind) -> String {
    refused(|message| message.events[1].kind = Some(kind))
}

#[test]
fn a_field_out_of_its_range_is_named() {
    let dealt = |seat, position, card| refused_event(Kind::CardDealt(pb::CardDealt { seat, position, card }));
    let raised = |to| refused_event(Kind::Raised(pb::Wager { seat: 2, to, all_in: false }));
    let moved = |edit: fn(&mut pb::Transfer)| refused(|message| edit(&mut message.transfers[0]));
    let seat_of = |table_id: &str| {
        let seat = pb::account::Seat { table_id: table_id.to_owned(), seat: 1 };
        pb::Account { kind: Some(pb::account::Kind::Seat(seat)) }
    };
    let shown = pb::HandShown { seat: 2, cards: vec![pb::ShownCard { position: 0, card: None }] };
    let voided = pb::DealtIn { seat: 1, player_id: "a\nb".to_owned(), stack: 1, card_key: Vec::new() };
    let cases = [
        (refused(|message| message.request_hash.truncate(15)), "request_hash must be 16 bytes"),
        (refused(|message| message.events[2].kind = None), "events[2].kind must be given"),
        (refused(|message| message.salts.truncate(15)), "salts must be whole: 16 bytes a salt"),
        (refused(|message| message.salts.clear()), "salts must be 16 bytes for each card"),
        (refused(|message| message.salts.extend([0; 16])), "salts must be 16 bytes for each card"),
        (refused(|message| message.proof_nodes.truncate(33)), "proof_nodes must be whole"),
        (dealt(0, 0, None), "events[1].card_dealt.seat must be from 1 to 8"),
        (dealt(9, 0, None), "events[1].card_dealt.seat must be from 1 to 8"),
        (dealt(257, 0, None), "events[1].card_dealt.seat must be from 1 to 8"),
        (dealt(-1, 0, None), "events[1].card_dealt.seat must be from 1 to 8"),
        (dealt(1, 52, None), "events[1].card_dealt.position must be from 0 to 51"),
        (dealt(1, 0, Some(52)), "events[1].card_dealt.card must be from 0 to 51"),
        (dealt(1, 0, Some(256)), "events[1].card_dealt.card must be from 0 to 51"),
        (refused_event(Kind::HandShown(shown)), "events[1].hand_shown.cards[0].card must be given"),
        (raised(-1), "events[1].raised.to must be from 0 to 10^15"),
        (raised(1_000_000_000_000_001), "events[1].raised.to must be from 0 to 10^15"),
        (
            refused_event(Kind::PotAwarded(pb::PotAwarded { pot: 8, ..Default::default() })),
            "events[1].pot_awarded.pot must be from 0 to 7",
        ),
        (
            refused_event(Kind::Deposited(pb::Deposited::default())),
            "events[1].deposited.player_id must be 1 to 64 bytes",
        ),
        (
            refused_opening(|opening| opening.deck_origin = 0),
            "hand_opened.deck_origin must be a value that this format has",
        ),
        (
            refused_opening(|opening| opening.deck_origin = 3),
            "hand_opened.deck_origin must be a value that this format has",
        ),
        (refused_opening(|opening| opening.settings = None), "hand_opened.settings must be given"),
        (refused_opening(|opening| opening.dealt_in.push(voided)), "hand_opened.dealt_in[2].player_id must be 1 to 64"),
        (moved(|transfer| transfer.amount = 0), "transfers[0].amount must be at least 1"),
        (moved(|transfer| transfer.from_account = None), "transfers[0].from_account must be given"),
        (
            moved(|transfer| transfer.to_account = transfer.from_account.clone()),
            "transfers[0].to_account must be another",
        ),
        (
            refused(|message| message.transfers[0].to_account = Some(seat_of(&TABLE.to_string().to_uppercase()))),
            "transfers[0].to_account must be a UUID in lower case",
        ),
        (
            refused(|message| message.transfers[0].to_account = Some(seat_of(""))),
            "transfers[0].to_account must be a UUID in lower case",
        ),
    ];
    for (said, expected) in cases {
        assert!(said.contains(expected), "said {said:?}, not {expected:?}");
    }
}

/// What is no deck that a settlement opens, and no part in a hand that is prepared.
#[test]
fn a_deck_or_nonce_that_is_none_is_named() {
    use pb::deck_secret::{From, Script};
    let deck = |from| refused(|message| message.deck = Some(pb::DeckSecret { from }));
    let script = |order: Vec<u8>, key: usize| deck(Some(From::Script(Script { order, salts_key: vec![1; key] })));
    let (prepared, given) = (pb::HandPrepared::default(), pb::NonceGiven::default());
    let nonce = |length: usize| {
        refused_event(Kind::NonceGiven(pb::NonceGiven { seat: 1, nonce: vec![1; length], ..given.clone() }))
    };
    let opening = |seed_hash: usize, seat: i32, nonce: usize| {
        refused_opening(|opening| {
            let nonces = vec![pb::Nonce { seat, nonce: vec![1; nonce] }];
            opening.prepared = Some(pb::Prepared { seed_hash: vec![1; seed_hash], nonces });
        })
    };
    let cases = [
        (deck(None), "deck.from must be given"),
        (deck(Some(From::Seed(vec![1; 31]))), "deck.seed must be 32 bytes"),
        (deck(Some(From::Seed(vec![1; 33]))), "deck.seed must be 32 bytes"),
        (script(vec![0; 51], 32), "deck.script.order must be 52 cards"),
        (script(vec![0; 53], 32), "deck.script.order must be 52 cards"),
        (script(vec![52; 52], 32), "deck.script.order must be 52 cards"),
        (script(vec![0; 52], 31), "deck.script.salts_key must be 32 bytes"),
        (refused_event(Kind::HandPrepared(prepared)), "events[1].hand_prepared.seed_hash must be 32 bytes"),
        (refused_event(Kind::NonceGiven(given.clone())), "events[1].nonce_given.seat must be from 1 to 8"),
        (nonce(0), "events[1].nonce_given.nonce must be 1 to 32 bytes"),
        (nonce(33), "events[1].nonce_given.nonce must be 1 to 32 bytes"),
        (refused_event(Kind::CardsRead(pb::CardsRead::default())), "events[1].cards_read.seat must be from 1 to 8"),
        (opening(31, 1, 1), "hand_opened.prepared.seed_hash must be 32 bytes"),
        (opening(32, 0, 1), "hand_opened.prepared.nonces[0].seat must be from 1 to 8"),
        (opening(32, 9, 1), "hand_opened.prepared.nonces[0].seat must be from 1 to 8"),
        (opening(32, 1, 0), "hand_opened.prepared.nonces[0].nonce must be 1 to 32 bytes"),
        (opening(32, 1, 33), "hand_opened.prepared.nonces[0].nonce must be 1 to 32 bytes"),
        (refused_opening(|opening| opening.root.truncate(31)), "hand_opened.root must be 32 bytes"),
    ];
    for (said, expected) in cases {
        assert!(said.contains(expected), "said {said:?}, not {expected:?}");
    }
}

fn refused_opening(edit: impl FnOnce(&mut pb::HandOpened)) -> String {
    let records = life_of_a_table(0);
    let opening = records.iter().find(|record| record.hand_number == 1).expect("a hand was dealt");
    let message = pb::Record::decode(encode(opening).as_slice()).expect("a record");
    let Some(Kind::HandOpened(mut opened)) = message.events[0].kind.clone() else { panic!("no opening") };
    opened.dealt_in.truncate(2);
    edit(&mut opened);
    refused_event(Kind::HandOpened(opened))
}

/// A rule that is missing or wrong, as the name of its field.
fn refused_rules(edit: impl FnOnce(&mut pb::HouseRules)) -> String {
    refused_opening(|opening| {
        let rules = opening.settings.as_mut().and_then(|settings| settings.rules.as_mut()).expect("rules");
        edit(rules);
    })
}

#[test]
fn rules_are_stored_in_full_and_refused_otherwise() {
    let caps = |players: &[i32]| {
        let caps = players.iter().map(|&players| pb::RakeCap { players, cap: 5 }).collect();
        refused_rules(|rules| rules.rake = Some(pb::Rake { amount: 1, step: 20, caps, none_on_third: false }))
    };
    let stakes = |stakes: pb::Stakes| {
        refused_opening(|opening| opening.settings.as_mut().expect("settings").stakes = Some(stakes))
    };
    let cases = [
        (refused_rules(|rules| rules.preset = 2), "rules.preset"),
        (refused_rules(|rules| rules.bring_in_suit_order = 0), "rules.bring_in_suit_order"),
        (refused_rules(|rules| rules.bring_in_may_fold = None), "rules.bring_in_may_fold"),
        (refused_rules(|rules| rules.fold_without_bet = None), "rules.fold_without_bet"),
        (refused_rules(|rules| rules.max_raises = None), "rules.max_raises"),
        (refused_rules(|rules| rules.max_raises = Some(0)), "rules.max_raises"),
        (refused_rules(|rules| rules.max_raises = Some(21)), "rules.max_raises"),
        (refused_rules(|rules| rules.heads_up_cap = 3), "rules.heads_up_cap"),
        (refused_rules(|rules| rules.first_to_show = 5), "rules.first_to_show"),
        (refused_rules(|rules| rules.losing_hands = 0), "rules.losing_hands"),
        (refused_rules(|rules| rules.table_all_in_hands = None), "rules.table_all_in_hands"),
        (refused_rules(|rules| rules.mucked_hands_in_history = -1), "rules.mucked_hands_in_history"),
        (refused_rules(|rules| rules.odd_chip = 0), "rules.odd_chip"),
        (refused_rules(|rules| rules.rake = Some(pb::Rake::default())), "rules.rake.amount"),
        (caps(&[1]), "rules.rake.caps"),
        (caps(&[9]), "rules.rake.caps"),
        (caps(&[4, 4]), "rules.rake.caps"),
        (caps(&[4, 3]), "rules.rake.caps"),
        (stakes(pb::Stakes { small_bet: 10, ante: None, bring_in: Some(3) }), "stakes.ante"),
        (stakes(pb::Stakes { small_bet: 10, ante: Some(1), bring_in: None }), "stakes.bring_in"),
        (stakes(pb::Stakes { small_bet: 3, ante: Some(1), bring_in: Some(3) }), "stakes"),
    ];
    for (said, field) in cases {
        let field = format!("events[1].hand_opened.settings.{field} must be ");
        assert!(said.starts_with(&field), "said {said:?}, not {field:?}");
    }
}

#[test]
fn a_newer_format_is_named_before_anything_else() {
    let newer = pb::Record { format: FORMAT + 1, ..pb::Record::default() };
    assert_eq!(decode(&newer.encode_to_vec()), Err(RecordError::NewerFormat(FORMAT + 1)));
    assert_eq!(refused(|message| message.format = 0), "format must be at least 1");
}

#[test]
fn bytes_that_are_written_otherwise_are_refused() {
    let bytes = encode(&golden());
    let unknown_field = [bytes.as_slice(), &[0xf8, 0x06, 1]].concat();
    let said_twice = [bytes.as_slice(), &bytes[..2]].concat();
    let out_of_order = [&bytes[2..], &bytes[..2]].concat();
    let longer_number = [&[8, 0x81, 0], &bytes[2..]].concat();
    for changed in [unknown_field, said_twice, out_of_order, longer_number] {
        assert_eq!(decode(&changed), Err(RecordError::NotCanonical));
    }
    assert!(matches!(decode(b"\x08"), Err(RecordError::Malformed(_))));
}
