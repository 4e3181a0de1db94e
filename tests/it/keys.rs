//! Promise 3 at rest: decks under several keys, from the first to the last day of each. A key that is missing is named
//! and never stands for a wrong card.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::sync::Arc;

use razz_dealer::dealer::{DealerError, Decks, Order};
use razz_dealer::shuffle::SealingKeys;
use razz_dealer::store::StoreError;
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{Connection, SqliteConnection};

use crate::house::{DEAL, Ground, House, TABLE, ask, key, settings, viewer};
use crate::on_both;
use crate::process::command::{Ended, Serve, command, run};

on_both!(
    a_hand_needs_its_own_key,
    rewrapped_decks_need_the_old_key_no_more,
    a_needed_key_is_not_retired,
    a_retired_key_seals_nothing,
    many_rewraps_at_once_end_well,
    the_list_says_what_rests_where
);

/// A file with these keys, as `keys new` would make it.
pub fn key_file(folder: &tempfile::TempDir, name: &str, bytes: &[u8]) -> String {
    let path = folder.path().join(name);
    let line = |byte: &u8| format!("razz-dealer-key v1 {} {}\n", key(*byte).id(), format!("{byte:02x}").repeat(32));
    fs::write(&path, bytes.iter().map(line).collect::<String>()).expect("written");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).expect("set");
    path.display().to_string()
}

fn keys(args: &[&str]) -> Ended {
    run(&[&["keys"], args].concat())
}

fn ended(args: &[&str], code: i32, says: &str) -> String {
    let ended = keys(args);
    assert_eq!(ended.code, Some(code), "{args:?}: {}{}", ended.out, ended.err);
    assert!((ended.out.clone() + &ended.err).contains(says), "{says:?} is not in: {}{}", ended.out, ended.err);
    ended.out
}

fn unreadable(answer: Result<razz_dealer::dealer::HandAnswer, DealerError>) -> String {
    match answer {
        Err(DealerError::DeckUnreadable { hand: 1, why }) => why,
        other => panic!("{other:?}"),
    }
}

async fn a_hand_needs_its_own_key(ground: &Ground) {
    let house = House::seated(ground, settings(), 3).await;
    let dealt = house.dealer.play(TABLE, &ask(), &DEAL, &viewer(1)).await.expect("dealt");
    house.close().await;

    // Without it: named, at that hand, for all that needs a card; what needs none goes on.
    let house = House::over(ground, SealingKeys::new(key(2), [key(3)])).await;
    let why = unreadable(house.dealer.hand(TABLE, None, &viewer(1)).await);
    assert!(why.contains(&key(1).id().to_string()) && why.contains("not at hand"), "{why}");
    let (seat, action) = razz_dealer::sim::Bots::new(1).choose(&dealt.view).expect("somebody must open");
    let act = Order::Act { hand: 1, seat, action, to: None, expected_seq: None };
    unreadable(house.play(act.clone()).await);
    house.dealer.hand(TABLE, None, &razz_dealer::engine::Viewer::Public).await.expect("a public look needs none");
    house.close().await;

    // With it, be it first or last, the hand goes on with the same cards.
    for keys in [SealingKeys::from(key(1)), SealingKeys::new(key(2), [key(3), key(1)])] {
        let house = House::over(ground, keys).await;
        let again = house.dealer.hand(TABLE, None, &viewer(1)).await.expect("readable");
        assert_eq!(again.view.seats, dealt.view.seats);
        house.close().await;
    }
    let house = House::over(ground, key(9)).await;
    house.play(Order::Void { hand: 1, reason: "the key is lost".into() }).await.expect("every chip goes back");
    house.close().await;
}

async fn rewrapped_decks_need_the_old_key_no_more(ground: &Ground) {
    let mut house = House::seated(ground, settings(), 3).await;
    for _ in 0..3 {
        house.whole_hand().await;
    }
    let dealt = house.dealer.play(TABLE, &ask(), &DEAL, &viewer(2)).await.expect("dealt");
    house.close().await;
    let folder = tempfile::tempdir().expect("a folder");
    let (old, new) = (key_file(&folder, "old", &[1]), key_file(&folder, "new", &[2]));
    let url = ground.url();
    // Without the old key nothing can be done, and that is a finding.
    ended(
        &["rewrap", "--database", &url, "--key-file", &new],
        1,
        &format!("4 decks are left as they were, such as that of table {TABLE} hand "),
    );
    let both = format!("{new}:{old}");
    if let Ground::Server(database) = ground {
        // Whoever may add a deck decides which one is looked for.
        ended(&["rewrap", "--database", &database.dealer(), "--key-file", &both], 2, "only the owner of the schema");
    }
    ended(&["rewrap", "--database", &url, "--key-file", &both], 0, "4 decks were sealed");
    ended(&["rewrap", "--database", &url, "--key-file", &new], 0, "0 decks were sealed");
    let house = House::over(ground, key(2)).await;
    let again = house.dealer.hand(TABLE, None, &viewer(2)).await.expect("readable under the new key alone");
    assert_eq!(again.view.seats, dealt.view.seats);
    house.close().await;
}

async fn many_rewraps_at_once_end_well(ground: &Ground) {
    let mut house = House::seated(ground, settings(), 3).await;
    for _ in 0..8 {
        house.whole_hand().await;
    }
    house.close().await;
    let store = ground.owner_store().await;
    let rewrap = |byte: u8| {
        let store = Arc::clone(&store);
        async move {
            for deck in store.decks(None, 100).await.expect("decks") {
                let secret = SealingKeys::new(key(1), [key(2), key(3)]).open(TABLE.0, deck.row.hand, &deck.row.sealed);
                let sealed = razz_dealer::shuffle::seal(
                    &key(byte),
                    [byte; 24],
                    TABLE.0,
                    deck.row.hand,
                    &secret.expect("it opens"),
                );
                let row = razz_dealer::store::DeckRow { key_id: key(byte).id().to_vec(), sealed, ..deck.row };
                store.add_deck(&row).await.expect("added");
            }
        }
    };
    tokio::join!(rewrap(2), rewrap(3), rewrap(2), rewrap(3));
    for deck in store.decks(None, 100).await.expect("decks") {
        assert_ne!(deck.row.key_id, key(1).id().0, "the old one does not count any more");
        assert_eq!(
            Some(deck.row.clone()),
            store.deck(TABLE, deck.row.hand).await.expect("a deck"),
            "one counts for all"
        );
    }
    store.close().await;
}

async fn a_needed_key_is_not_retired(ground: &Ground) {
    let mut house = House::seated(ground, settings(), 3).await;
    house.whole_hand().await;
    house.close().await;
    let (url, id) = (ground.url(), key(1).id().to_string());
    ended(&["retire", "--database", &url, &id], 1, "1 decks rest under it");
    plainly(ground, &format!("INSERT INTO retired_keys (key_id) VALUES ({})", literal(ground, &id)), "rest under")
        .await;
    // What is no id may be a key: it is not repeated. And an id that nothing ever rested under is a slip of the pen.
    let slip = "ab".repeat(32);
    let refused = keys(&["retire", "--database", &url, &slip]);
    assert!(refused.code == Some(2) && refused.err.contains("32 hexadecimal digits"), "{}", refused.err);
    assert!(!refused.err.contains("abab"), "{}", refused.err);
    let (unknown, slip) = (key(8).id().to_string(), literal(ground, &key(8).id().to_string()));
    ended(&["retire", "--database", &url, &unknown], 1, "no deck ever rested under it");
    plainly(ground, &format!("INSERT INTO retired_keys (key_id) VALUES ({slip})"), "no deck ever rested").await;
}

/// A value of bytes, in the SQL of the store.
fn literal(ground: &Ground, hex: &str) -> String {
    match ground {
        Ground::File(_) => format!("x'{hex}'"),
        Ground::Server(_) => format!("'\\x{hex}'"),
    }
}

/// What the schema's owner tries in plain SQL is refused with these words.
async fn plainly(ground: &Ground, sql: &str, refused: &str) {
    let error = match ground {
        Ground::File(folder) => {
            let options = SqliteConnectOptions::new().filename(folder.path().join("x.db"));
            let mut conn = SqliteConnection::connect_with(&options).await.expect("the file");
            let error = sqlx::raw_sql(sqlx::AssertSqlSafe(sql)).execute(&mut conn).await.expect_err("it is refused");
            conn.close().await.expect("closed");
            error
        }
        Ground::Server(_) => {
            let mut conn = sqlx::PgConnection::connect(&ground.url()).await.expect("the server");
            sqlx::raw_sql(sqlx::AssertSqlSafe(sql)).execute(&mut conn).await.expect_err("it is refused")
        }
    };
    assert!(error.to_string().contains(refused), "{sql}: {error}");
}

async fn a_retired_key_seals_nothing(ground: &Ground) {
    let mut house = House::seated(ground, settings(), 3).await;
    house.whole_hand().await;
    let folder = tempfile::tempdir().expect("a folder");
    let both = format!("{}:{}", key_file(&folder, "new", &[2]), key_file(&folder, "old", &[1]));
    let (url, id) = (ground.url(), key(1).id().to_string());
    let seq = house.dealer.table(TABLE).await.expect("a table").seq;
    // On Postgres the dealer goes on meanwhile; a file is held by one.
    let house = if matches!(ground, Ground::Server(_)) {
        Some(house)
    } else {
        house.close().await;
        None
    };
    ended(&["rewrap", "--database", &url, "--key-file", &both], 0, "1 decks were sealed");
    ended(&["retire", "--database", &url, &id], 0, "is retired");
    ended(&["retire", "--database", &url, &id], 0, "is retired");
    let house = match house {
        Some(house) => house,
        None => House::over(ground, key(1)).await,
    };
    match house.play(DEAL).await {
        Err(DealerError::Store(StoreError::KeyRetired)) => {}
        other => panic!("{other:?}"),
    }
    assert_eq!(house.dealer.table(TABLE).await.expect("a table").seq, seq, "nothing was dealt");
    house.close().await;
    let house = House::with(ground.store().await, SealingKeys::new(key(2), [key(1)]), Decks::OsEntropy);
    house.deal().await;
    house.close().await;
    let gone = format!("DELETE FROM retired_keys WHERE key_id = {}", literal(ground, &id));
    plainly(ground, &gone, "stays retired").await;
    plainly(ground, "UPDATE retired_keys SET at = 0", "stays retired").await;

    // A service whose first key is retired does not begin.
    let url = if let Ground::Server(database) = ground { database.dealer() } else { url };
    let old = key_file(&folder, "only", &[1]);
    let refused = run(&["serve", "--listen", "127.0.0.1:0", "--database", &url, "--key-file", &old]);
    assert_eq!(refused.code, Some(2), "{}", refused.err);
    assert!(refused.err.contains(&id) && refused.err.contains("was retired"), "{}", refused.err);
}

async fn the_list_says_what_rests_where(ground: &Ground) {
    let mut house = House::seated(ground, settings(), 3).await;
    house.whole_hand().await;
    house.deal().await;
    house.close().await;
    let folder = tempfile::tempdir().expect("a folder");
    let (files, url) = (key_file(&folder, "several", &[2, 1]), ground.url());
    let args = ["list", "--database", &url, "--key-file", &files];
    ended(&args, 0, &format!("key {}: 2 decks, 1 of open hands; at hand\n", key(1).id()));
    ended(&args, 0, &format!("key {}: 0 decks, 0 of open hands; seals\n", key(2).id()));
    let told = ended(&[&args[..], &["--json"]].concat(), 0, "");
    let told: serde_json::Value = serde_json::from_str(&told).expect("JSON");
    let one = told["keys"].as_array().expect("a list").iter().find(|one| one["decks"] == 2).expect("the old key");
    assert_eq!((&one["key_id"], &one["in_use"]), (&serde_json::json!(key(1).id().to_string()), &serde_json::json!(1)));
}

/// A key that an open hand needs is named at the start, and it is no reason not to serve.
#[tokio::test]
async fn a_service_tells_which_key_is_missing() {
    let ground = Ground::file();
    let house = House::seated(&ground, settings(), 3).await;
    house.deal().await;
    house.close().await;
    let folder = tempfile::tempdir().expect("a folder");
    let (other, log) = (key_file(&folder, "other", &[2]), folder.path().join("log"));
    let mut serve = command(&["serve", "--listen", "127.0.0.1:0", "--database", &ground.url(), "--key-file", &other]);
    let mut serve = serve.stderr(fs::File::create(&log).expect("a file")).spawn().expect("it starts");
    let mut told = String::new();
    for _ in 0..200 {
        told = fs::read_to_string(&log).expect("the log");
        if told.contains("need a key") {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    assert!(serve.try_wait().expect("asked").is_none(), "it serves: {told}");
    serve.kill().expect("killed");
    serve.wait().expect("gone");
    let line = told.lines().find(|line| line.contains("open hands need a key that is not here")).expect("told");
    assert!(line.contains(&key(1).id().to_string()) && line.contains("hands=1"), "{line}");
}

/// Keys of the environment serve as those of files do.
#[test]
fn keys_come_from_the_environment_too() {
    let folder = tempfile::tempdir().expect("a folder");
    let url = folder.path().join("x.db").display().to_string();
    let line = |byte: u8| format!("razz-dealer-key v1 {} {}", key(byte).id(), format!("{byte:02x}").repeat(32));
    let serve = |keys: &str| {
        let mut command =
            command(&["serve", "--listen", "127.0.0.1:0", "--database", &url, "--log-json", "--log", "trace"]);
        command.env("RAZZ_KEYS", keys);
        Serve::spawn(command)
    };
    assert_eq!(serve(&format!("{}; {}", line(5), line(6))).terminate(), Some(0));
    assert!(!folder.path().join("x.db.key").exists(), "none is made where some are given");
    // Without content it is none: the key beside the file serves.
    assert_eq!(serve("").terminate(), Some(0));
    assert!(folder.path().join("x.db.key").exists());
    let mut bad = command(&["serve", "--listen", "127.0.0.1:0", "--database", &url]);
    bad.env("RAZZ_KEYS", line(5).replace("05", "07"));
    let ended = bad.output().expect("it ends");
    let err = String::from_utf8_lossy(&ended.stderr);
    assert_eq!(ended.status.code(), Some(2), "{err}");
    assert!(err.contains("RAZZ_KEYS") && !err.contains("0707"), "{err}");
}
