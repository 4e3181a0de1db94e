//! The command itself: its exit codes, its messages, its options, and how it stops.

pub mod command;
pub mod request;

use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use razz_dealer::grpc::client::{Client, reason};
use razz_dealer::pb;
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions, Connection};

use command::{Ended, Serve, command, run};
use request::{Sixes, read};

fn ends_with(args: &[&str], code: i32) -> Ended {
    let ended = run(args);
    assert_eq!(ended.code, Some(code), "{args:?}: {}{}", ended.out, ended.err);
    ended
}

fn says(text: &str, parts: &[&str]) {
    for part in parts {
        assert!(text.contains(part), "{part:?} is not in: {text}");
    }
}

fn url(path: &Path) -> String {
    format!("sqlite:{}", path.display())
}

#[test]
fn help_teaches_and_the_version_is_told() {
    let help = ends_with(&["--help"], 0).out;
    says(&help, &["Exit codes: 0 clean, 1 a finding, 2 usage or unreadable input, 3 unavailable"]);
    says(&help, &["serve", "demo", "replay", "reconcile", "load", "verify", "razz-dealer demo", "reflection"]);
    let help = ends_with(&["serve", "--help"], 0).out;
    says(&help, &["RAZZ_LISTEN", "RAZZ_DATABASE", "RAZZ_KEY_FILE", "127.0.0.1:50051", "razz-dealer.db"]);
    let version = ends_with(&["--version"], 0).out;
    assert_eq!(version, format!("razz-dealer {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn usage_errors_end_with_2() {
    says(&ends_with(&["serve", "--deck", "x"], 2).err, &["--deck", "Usage"]);
    says(&ends_with(&["serve", "--listen", "nowhere"], 2).err, &["--listen", "nowhere"]);
    says(&ends_with(&["serve", "--log", "loud=shouting"], 2).err, &["loud=shouting", "is expected"]);
    says(&ends_with(&["serve", "--log", "bogus"], 2).err, &["bogus", "is expected"]);
    ends_with(&["shuffle"], 2);
    ends_with(&[], 2);
    let postgres = ends_with(&["serve", "--listen", "127.0.0.1:0", "--database", "postgres://127.0.0.1/razz"], 2).err;
    says(&postgres, &["--key-file"]);
    let mysql = ends_with(&["serve", "--listen", "127.0.0.1:0", "--database", "mysql://127.0.0.1/razz"], 2).err;
    says(&mysql, &["mysql://127.0.0.1/razz", "sqlite:PATH", "postgres://"]);
}

#[test]
fn what_is_not_to_be_had_ends_with_3() {
    let folder = tempfile::tempdir().expect("a folder");
    let held = folder.path().join("held.db");
    let serve = Serve::start(&held);
    let second = ends_with(&["serve", "--listen", "127.0.0.1:0", "--database", &url(&held)], 3).err;
    says(&second, &["another process holds it", "held.db"]);
    let taken = serve.addr().to_string();
    let other = url(&folder.path().join("other.db"));
    says(&ends_with(&["serve", "--listen", &taken, "--database", &other], 3).err, &["address", &taken]);
    assert!(!folder.path().join("other.db").exists(), "what could not start has left nothing");
    // A full disk, where the system has one to try on.
    if let Ok(full) = std::fs::File::options().write(true).open("/dev/full") {
        let told = command(&["demo", "--seed", "7"]).stdout(full).output().expect("the demo");
        assert_eq!(told.status.code(), Some(3), "a story that cannot be written is not told");
    }
    let nowhere = url(&folder.path().join("no/such/folder/x.db"));
    says(&ends_with(&["serve", "--listen", "127.0.0.1:0", "--database", &nowhere], 3).err, &["no/such/folder/x.db"]);
    assert_eq!(serve.terminate(), Some(0));
}

#[test]
fn what_is_no_database_of_ours_ends_with_2() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = folder.path().join("text.db");
    std::fs::write(&text, "no database at all, but long enough to be looked at\n".repeat(100)).expect("written");
    says(&ends_with(&["serve", "--listen", "127.0.0.1:0", "--database", &url(&text)], 2).err, &["text.db"]);
    assert!(std::fs::read_to_string(&text).expect("the file").starts_with("no database"), "the file was touched");
}

#[tokio::test]
async fn a_database_of_a_newer_format_ends_with_2() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("newer.db");
    assert_eq!(Serve::start(&path).terminate(), Some(0));
    let mut file = SqliteConnectOptions::new().filename(&path).connect().await.expect("the file");
    let raise = "UPDATE _sqlx_migrations SET version = 900 WHERE version = (SELECT max(version) FROM _sqlx_migrations)";
    sqlx::raw_sql(raise).execute(&mut file).await.expect("raised");
    file.close().await.expect("closed");
    let before = std::fs::read(&path).expect("the file");
    let newer = ends_with(&["serve", "--listen", "127.0.0.1:0", "--database", &url(&path)], 2).err;
    says(&newer, &["newer.db", "format 900"]);
    assert!(before == std::fs::read(&path).expect("the file"), "the file was touched");
}

#[tokio::test]
async fn options_come_from_the_environment_too() {
    let folder = tempfile::tempdir().expect("a folder");
    let (database, key) = (folder.path().join("env.db"), folder.path().join("env.key"));
    // A port that was free a moment ago.
    let addr = TcpListener::bind("127.0.0.1:0").and_then(|free| free.local_addr()).expect("a free port");
    let mut told = command(&["serve"]);
    told.env("RAZZ_LISTEN", addr.to_string()).env("RAZZ_DATABASE", url(&database)).env("RAZZ_KEY_FILE", &key);
    told.env("RAZZ_LOG", "info").env("RAZZ_LOG_JSON", "on");
    let serve = Serve::spawn(told);
    assert_eq!(serve.addr(), addr);
    let mut client = serve.client().await;
    client.tables.list_tables(pb::ListTablesRequest::default()).await.expect("it answers");
    assert!(database.is_file(), "the database is where it was told");
    assert!(!folder.path().join("env.db.key").exists(), "and no second key beside it");
    let mode = std::fs::metadata(&key).expect("the key file").permissions().mode();
    assert_eq!(mode & 0o7777, 0o600, "the key is its owner's");
    let mode = std::fs::metadata(&database).expect("the database").permissions().mode();
    assert_eq!(mode & 0o7777, 0o600, "and the database too");
    let mut unsure = command(&["serve", "--listen", "127.0.0.1:0"]);
    let unsure = unsure.env("RAZZ_MIGRATE", "maybe").output().expect("an end");
    assert_eq!(unsure.status.code(), Some(2));
    says(&String::from_utf8_lossy(&unsure.stderr), &["maybe", "--migrate", "expected 1 or 0"]);
    // A connection that is open and idle does not keep it.
    assert_eq!(serve.terminate(), Some(0));
    std::fs::set_permissions(&key, PermissionsExt::from_mode(0o644)).expect("its mode");
    let path = key.display().to_string();
    let args = ["serve", "--listen", "127.0.0.1:0", "--database", &url(&database), "--key-file", &path];
    says(&ends_with(&args, 2).err, &[&path, "0644", "chmod 600"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn told_to_stop_it_answers_first() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("stop.db");
    let mut acknowledged = 0;
    for signal in ["TERM", "INT"] {
        let serve = Serve::start(&path);
        let client = serve.client().await;
        let deposit = |number: u32| {
            let mut client = client.clone();
            let request_id = format!("{signal}-{number}");
            let asked = pb::DepositRequest { player_id: format!("p{}", number % 8), chips: 1, request_id };
            tokio::spawn(async move { client.ledger.deposit(asked).await })
        };
        let mut calls: Vec<_> = (0..400).map(deposit).collect();
        calls.remove(0).await.expect("a call").expect("answered before the signal");
        serve.signal(signal);
        acknowledged += 1;
        for call in calls {
            match call.await.expect("a call") {
                Ok(_) => acknowledged += 1,
                // It came too late to be heard; what was heard is answered otherwise.
                Err(status) => assert_eq!(reason(&status), "", "{status:?}"),
            }
        }
        assert_eq!(serve.ended(), Some(0));
        let serve = Serve::start(&path);
        let recorded = deposited(&mut serve.client().await).await;
        assert_eq!(recorded, acknowledged, "what is recorded was answered, and what was answered is recorded");
        assert_eq!(serve.terminate(), Some(0));
    }
}

/// All chips that ever came in.
async fn deposited(client: &mut Client) -> i64 {
    let kind = Some(pb::account::Kind::House(pb::account::House {}));
    let asked = pb::GetBalanceRequest { account: Some(pb::Account { kind }) };
    -client.ledger.get_balance(asked).await.expect("a balance").into_inner().balance
}

#[tokio::test]
async fn without_its_key_an_open_hand_can_only_be_voided() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("lost.db");
    let serve = Serve::start(&path);
    let mut client = serve.client().await;
    let mut table = Sixes::new(1, 500, false);
    for request in table.set_up() {
        request.send(&mut client).await.expect("seated");
    }
    let dealt = table.deal().send(&mut client).await.expect("dealt").hand.expect("a hand");
    serve.kill();
    std::fs::remove_file(folder.path().join("lost.db.key")).expect("the key is lost");
    let serve = Serve::start(&path);
    let mut client = serve.client().await;
    assert_eq!(table.hand(&mut client, None).await.expect("what is open needs no key"), dealt);
    let view = read(&dealt);
    let offer = view.legal.offers().next().expect("somebody must open");
    let act = table.act(&view, view.legal.seat.expect("somebody must open"), offer.action, None);
    let refused = act.send(&mut client).await.expect_err("no deck, no play");
    assert_eq!((reason(&refused).as_str(), refused.code()), ("DECK_UNREADABLE", tonic::Code::DataLoss));
    let own = table.hand(&mut client, Some(table.viewer(1))).await.expect_err("no deck, no down cards");
    assert_eq!(reason(&own), "DECK_UNREADABLE");
    let (table_id, request_id) = (table.id.clone(), "void".to_owned());
    let void = pb::VoidHandRequest { table_id, hand_number: 1, reason: "key lost".into(), request_id, viewer: None };
    let voided = client.dealer.void_hand(void).await.expect("voided").into_inner().hand.expect("a hand");
    assert_eq!(voided.status(), pb::HandStatus::Voided);
    assert!(voided.seats.iter().all(|seat| seat.stack == 500), "every chip went back: {voided:?}");
    // The next hand has a deck under the new key.
    let next = table.deal().send(&mut client).await.expect("dealt").hand.expect("a hand");
    assert_eq!(next.hand_number, 2);
    table.hand(&mut client, Some(table.viewer(1))).await.expect("with down cards");
    assert_eq!(serve.terminate(), Some(0));
}

#[test]
fn the_demo_ends_well_and_a_seed_tells_one_story() {
    ends_with(&["demo"], 0);
    let told = ends_with(&["demo", "--seed", "7"], 0).out;
    assert_eq!(told, ends_with(&["demo", "--seed", "7"], 0).out);
    assert_ne!(told, ends_with(&["demo", "--seed", "8"], 0).out);
}
