//! Proof files of real hands: written by the command, and the same to both verifiers.

use std::fs;
use std::path::Path;
use std::process::Command;

use razz_dealer::grpc::client::Client;
use razz_dealer::pb;
use tonic::Code;
use uuid::Uuid;

use crate::contract::scene::{STAKES, TABLE, fresh, player, preset, take_seat};
use crate::process::command::{Serve, run};

/// What both verifiers say of every file in a folder: the first word.
fn verdicts(folder: &Path, root: Option<&str>) -> Vec<(String, String)> {
    let verifier = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/clients/python/verify_proof.py");
    let mut names: Vec<_> = fs::read_dir(folder).expect("lists").map(|entry| entry.expect("a file").path()).collect();
    names.sort();
    let mut found = Vec::new();
    for path in names {
        let text = path.display().to_string();
        let root = root.map(|root| vec!["--root", root]).unwrap_or_default();
        let ours = run(&[&["verify", "--proof", &text], &root[..]].concat());
        let python = Command::new("python3").arg(&verifier).args(["--proof", &text]).args(&root).output();
        let python = String::from_utf8(python.expect("python3 is needed for this test").stdout).expect("UTF-8");
        let word = |text: &str| text.split([':', '\n']).next().unwrap_or_default().to_owned();
        assert_eq!(word(&ours.out), word(&python), "{text}: {} {} and {python}", ours.out, ours.err);
        found.push((path.file_name().expect("a name").to_string_lossy().into_owned(), word(&ours.out)));
    }
    found
}

fn id() -> pb::CreateTableRequest {
    pb::CreateTableRequest {
        request_id: fresh(),
        table_id: TABLE.to_owned(),
        stakes: STAKES,
        rules: Some(preset(pb::Preset::Pokerstars)),
        auto_settle: true,
        nonces: true,
        ..pb::CreateTableRequest::default()
    }
}

/// A real process, whose decks come from the operating system alone: a whole hand with nonces, its proofs as files, and
/// the same hand from the record alone.
#[tokio::test(flavor = "multi_thread")]
async fn a_served_hand_is_proved_in_both_languages() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("x.db");
    let serve = Serve::start(&path);
    let mut client = serve.client().await;
    client.tables.create_table(id()).await.expect("a table");
    for number in 1..=3 {
        let deposit = pb::DepositRequest { player_id: player(number), chips: 500, request_id: fresh() };
        client.ledger.deposit(deposit).await.expect("a deposit");
        client.tables.take_seat(take_seat(number, 200)).await.expect("a seat");
    }
    let prepare = pb::PrepareHandRequest { table_id: TABLE.to_owned(), request_id: fresh() };
    let prepared = client.dealer.prepare_hand(prepare).await.expect("prepared").into_inner().prepared.expect("it");
    assert_eq!((prepared.hand_number, prepared.seed_hash.len()), (1, 32));
    let give = pb::GiveNonceRequest {
        table_id: TABLE.to_owned(),
        hand_number: 1,
        player_id: player(2),
        nonce: b"my own nonce".to_vec(),
        request_id: fresh(),
    };
    client.dealer.give_nonce(give).await.expect("given");
    let nonces = vec![pb::Nonce { seat: 3, nonce: vec![9; 32] }];
    let deal = pb::DealRequest { table_id: TABLE.to_owned(), request_id: fresh(), viewer: None, nonces };
    let hand = client.dealer.deal(deal).await.expect("dealt").into_inner().hand.expect("a hand");
    assert_eq!(hand.deck_origin(), pb::DeckOrigin::OsEntropy);
    assert_eq!(hand.prepared.as_ref().map(|it| (it.nonces.len(), &it.seed_hash)), Some((2, &prepared.seed_hash)));
    let root: String = hand.deck_root.iter().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().concat();
    play_out(&mut client, hand).await;
    let help = run(&["serve", "--help"]).out;
    assert!(["--seed", "--deck", "--script", "--entropy"].iter().all(|option| !help.contains(option)), "{help}");
    let (addr, out) = (serve.addr().to_string(), folder.path().join("proofs"));
    let place = out.display().to_string();
    let own = player(1);
    let told = run(&["proof", "--connect", &addr, "--table", TABLE, "--hand", "1", "--player", &own, "--out", &place]);
    assert_eq!(told.code, Some(0), "{}{}", told.out, told.err);
    assert!(told.out.starts_with(&format!("root {root}\n")), "{}", told.out);
    let opening = ["--deck", "--auditor", "board", "--reason", "a test"];
    let told =
        run(&[&["proof", "--connect", &addr, "--table", TABLE, "--hand", "1", "--out", &place], &opening[..]].concat());
    assert_eq!(told.code, Some(0), "{}{}", told.out, told.err);
    // Not opened again where its file is there.
    let again =
        [&["proof", "--connect", &addr, "--table", TABLE, "--hand", "1", "--out", &place], &opening[..]].concat();
    assert_eq!(run(&again).code, Some(2));
    let found = verdicts(&out, Some(&root));
    assert!(found.len() > 8 && found.iter().all(|(_, word)| word == "PROVED"), "{found:?}");
    assert!(found.iter().any(|(name, _)| name == "deck.json") && found.iter().any(|(name, _)| name == "hand.json"));
    // What is there is left alone, and a service refuses by name.
    let again = run(&["proof", "--connect", &addr, "--table", TABLE, "--hand", "1", "--player", &own, "--out", &place]);
    assert_eq!(again.code, Some(3), "{}", again.err);
    let none = run(&["proof", "--connect", &addr, "--table", TABLE, "--hand", "9", "--out", &place]);
    assert_eq!(none.code, Some(2), "{}", none.err);
    let open = pb::OpenDeckRequest { auditor_id: String::new(), ..open_deck("x") };
    assert_eq!(client.audits.open_deck(open).await.expect_err("nobody").code(), Code::InvalidArgument);
    let open = pb::OpenDeckRequest { reason: String::new(), ..open_deck("x") };
    assert_eq!(client.audits.open_deck(open).await.expect_err("no reason").code(), Code::InvalidArgument);
    assert_eq!(serve.terminate(), Some(0));

    // The record alone says the same of the cards that lay open.
    let alone = folder.path().join("alone");
    let (url, place) = (path.display().to_string(), alone.display().to_string());
    fs::remove_file(format!("{url}.key")).expect("no key is needed");
    let told = run(&["proof", "--database", &url, "--table", TABLE, "--hand", "1", "--out", &place]);
    assert_eq!(told.code, Some(0), "{}{}", told.out, told.err);
    let read = |folder: &Path| fs::read_to_string(folder.join("hand.json")).expect("a proof");
    assert_eq!(read(&alone), read(&out));
    let (unknown, place) = (Uuid::from_bytes([9; 16]).to_string(), folder.path().join("none").display().to_string());
    assert_eq!(run(&["proof", "--database", &url, "--table", &unknown, "--hand", "1", "--out", &place]).code, Some(2));

    tampered(&out, &root);
}

async fn play_out(client: &mut Client, mut hand: pb::HandView) {
    while hand.to_act > 0 {
        let action = hand.legal_actions.iter().map(pb::LegalAction::action);
        let mild = action.into_iter().find(|it| *it != pb::Action::Fold).expect("more than to fold");
        let act = pb::ActRequest {
            table_id: TABLE.to_owned(),
            hand_number: 1,
            seat: hand.to_act,
            action: mild.into(),
            request_id: fresh(),
            ..pb::ActRequest::default()
        };
        hand = client.dealer.act(act).await.expect("acted").into_inner().hand.expect("a hand");
    }
}

fn open_deck(id: &str) -> pb::OpenDeckRequest {
    pb::OpenDeckRequest {
        table_id: TABLE.to_owned(),
        hand_number: 1,
        auditor_id: "board".into(),
        reason: "a test".into(),
        request_id: id.into(),
    }
}

type Change<'a> = Box<dyn Fn(&mut serde_json::Value) + 'a>;

/// Each part of a real hand's proofs, changed: refused by name in both.
fn tampered(folder: &Path, root: &str) {
    let out = tempfile::tempdir().expect("a folder");
    let load = |name: &str| -> serde_json::Value {
        serde_json::from_str(&fs::read_to_string(folder.join(name)).expect("a proof")).expect("JSON")
    };
    let card = fs::read_dir(folder).expect("lists").map(|entry| entry.expect("a file").file_name());
    let card = card.map(|name| name.to_string_lossy().into_owned()).find(|name| name.starts_with("card-"));
    let (card, hand, deck) = (load(&card.expect("a card")), load("hand.json"), load("deck.json"));
    let flip = |text: &serde_json::Value| {
        let text = text.as_str().expect("a text");
        let first = if text.starts_with('0') { "1" } else { "0" };
        serde_json::json!(format!("{first}{}", &text[1..]))
    };
    let other_card = |text: &serde_json::Value| serde_json::json!(if *text == "Ac" { "Ad" } else { "Ac" });
    let cases: Vec<(&str, &serde_json::Value, Change<'_>, &str)> = vec![
        ("root", &card, Box::new(|it| it["root"] = flip(&it["root"])), "ROOT_MISMATCH"),
        ("salt", &card, Box::new(|it| it["salt"] = flip(&it["salt"])), "ROOT_MISMATCH"),
        ("card", &card, Box::new(|it| it["card"] = other_card(&it["card"])), "ROOT_MISMATCH"),
        ("path", &card, Box::new(|it| it["path"][3] = flip(&it["path"][3])), "ROOT_MISMATCH"),
        (
            "position",
            &card,
            Box::new(|it| it["position"] = serde_json::json!(it["position"].as_u64().expect("a number") ^ 1)),
            "ROOT_MISMATCH",
        ),
        ("position beyond", &card, Box::new(|it| it["position"] = serde_json::json!(52)), "POSITION_BEYOND"),
        ("hand", &card, Box::new(|it| it["hand_number"] = serde_json::json!(2)), "ROOT_MISMATCH"),
        ("multiproof node", &hand, Box::new(|it| it["nodes"][0] = flip(&it["nodes"][0])), "ROOT_MISMATCH"),
        (
            "multiproof salt",
            &hand,
            Box::new(|it| it["cards"][1]["salt"] = flip(&it["cards"][1]["salt"])),
            "ROOT_MISMATCH",
        ),
        (
            "multiproof short",
            &hand,
            Box::new(|it| drop(it["nodes"].as_array_mut().expect("a list").pop())),
            "MISSING_NODES",
        ),
        ("nonce", &deck, Box::new(|it| it["nonces"][0]["nonce"] = flip(&it["nonces"][0]["nonce"])), "ORDER_MISMATCH"),
        ("no nonce", &deck, Box::new(|it| it["nonces"] = serde_json::json!([])), "ORDER_MISMATCH"),
        ("seed", &deck, Box::new(|it| it["seed"] = flip(&it["seed"])), "SEED_HASH_MISMATCH"),
        ("seed hash", &deck, Box::new(|it| it["seed_hash"] = flip(&it["seed_hash"])), "SEED_HASH_MISMATCH"),
        ("order", &deck, Box::new(|it| it["order"].as_array_mut().expect("a list").swap(3, 4)), "ORDER_MISMATCH"),
        ("deck root", &deck, Box::new(|it| it["root"] = flip(&it["root"])), "ROOT_MISMATCH"),
    ];
    for (name, proof, change, _) in &cases {
        let mut changed = (*proof).clone();
        change(&mut changed);
        fs::write(out.path().join(name), changed.to_string()).expect("written");
    }
    let found = verdicts(out.path(), None);
    for (name, .., expected) in &cases {
        let word = found.iter().find(|(found, _)| found == name).map(|(_, word)| word.as_str());
        assert_eq!(word, Some(*expected), "{name}");
    }
    // The root that is known is believed, not the one in the file.
    let foreign = found.iter().filter(|(name, _)| name.contains("root")).count();
    let held = verdicts(out.path(), Some(root));
    assert_eq!(held.iter().filter(|(name, word)| name.contains("root") && word == "PROVED").count(), foreign);
}
