//! Reconciliation as it is asked for: by the command, and over the wire.

use std::path::Path;

use razz_dealer::pb;
use razz_dealer::pb::reconcile_response::Word;
use tonic::{Code, Status};

use super::scene::{EMPTY, TABLE, played};
use crate::audit::tamper;
use crate::process::command::{Ended, Serve, run};

const DAMAGE: &str = "UPDATE accounts SET balance = balance - 5 WHERE account = CAST('Wp5' AS BLOB)";

fn reconcile(path: &Path, more: &[&str]) -> Ended {
    let url = format!("sqlite:{}", path.display());
    run(&[&["reconcile", "--database", &url], more].concat())
}

fn ends(ended: &Ended, code: i32, words: &[&str]) {
    assert_eq!(ended.code, Some(code), "{}{}", ended.out, ended.err);
    for word in words {
        assert!(ended.out.contains(word) || ended.err.contains(word), "{word:?} in {}{}", ended.out, ended.err);
    }
}

#[tokio::test]
async fn the_command_tells_by_its_exit_code() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = played(folder.path()).await;
    ends(&reconcile(&path, &[]), 0, &["7 streams, ", " accounts: 0 differences"]);
    ends(&reconcile(&path, &["--table", &TABLE.to_string()]), 0, &["1 stream, ", "10 accounts: 0 differences"]);
    ends(&reconcile(&path, &["--table", "nine"]), 2, &["expected the id of a table"]);
    let nobody = "99999999-9999-9999-9999-999999999999";
    ends(&reconcile(&path, &["--table", nobody]), 1, &["there is no table 99999999-", "1 difference\n"]);
    ends(&run(&["reconcile", "--database", "mysql://127.0.0.1/razz"]), 2, &["sqlite:PATH"]);
    let missing = folder.path().join("missing.db");
    ends(&reconcile(&missing, &[]), 3, &["missing.db", "there is no such file"]);
    assert!(!missing.exists(), "no database is made");
    for (name, content) in [("empty.db", &b""[..]), ("letter.txt", b"Dear auditor"), ("short.db", b"SQLite format 3\0")]
    {
        let other = folder.path().join(name);
        std::fs::write(&other, content).expect("a file");
        for command in [&["reconcile"][..], &["recover"], &["keys", "list"]] {
            let url = format!("sqlite:{}", other.display());
            ends(&run(&[command, &["--database", &url]].concat()), 2, &[name, "it is no database of this service"]);
            assert_eq!(std::fs::read(&other).expect("the file"), content, "{name} is left alone by {command:?}");
        }
    }

    tamper(&path, DAMAGE).await;
    ends(&reconcile(&path, &[]), 1, &["wallet of p5 holds 95, and by a replay 100\n", ": 3 differences\n"]);
    let told = reconcile(&path, &["--json"]);
    assert_eq!(told.code, Some(1));
    let lines: Vec<serde_json::Value> = told.out.lines().map(|line| line.parse().expect("JSON")).collect();
    let kinds: Vec<&str> = lines.iter().filter_map(|line| line["kind"].as_str()).collect();
    assert_eq!(kinds, ["balance", "total", "tally"]);
    assert_eq!((&lines[0]["expected"], &lines[0]["found"], &lines[0]["seq"]), (&"100".into(), &"95".into(), &2.into()));
    assert_eq!((&lines[0]["account"], &lines[3]["differences"]), (&"wallet of p5".into(), &3.into()));
}

#[tokio::test]
async fn a_service_is_asked_over_the_wire() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = played(folder.path()).await;
    let serve = Serve::start(&path);
    ends(&reconcile(&path, &[]), 3, &["another process holds it", "LedgerService/Reconcile"]);
    let (differences, done) = ask(&serve, String::new()).await.expect("an answer");
    assert_eq!(differences, []);
    assert_eq!((done.streams_done, done.streams), (7, 7));
    assert!(done.records > 50 && done.transfers > 20 && done.accounts > 10, "{done:?}");
    let (differences, done) = ask(&serve, TABLE.to_string()).await.expect("an answer");
    assert_eq!((differences, done.streams, done.accounts), (vec![], 1, 10));
    assert_eq!(ask(&serve, "nine".to_owned()).await.expect_err("no id").code(), Code::InvalidArgument);
    assert_eq!(serve.terminate(), Some(0));

    tamper(&path, DAMAGE).await;
    let serve = Serve::start(&path);
    let (differences, _) = ask(&serve, String::new()).await.expect("an answer");
    let kinds: Vec<pb::DifferenceKind> = differences.iter().map(pb::Difference::kind).collect();
    assert_eq!(kinds, [pb::DifferenceKind::Balance, pb::DifferenceKind::Total, pb::DifferenceKind::Tally]);
    let [balance, ..] = differences.as_slice() else { panic!("no difference") };
    assert_eq!((balance.expected.as_str(), balance.found.as_str(), balance.seq), ("100", "95", 2));
    let wallet = pb::account::Wallet { player_id: "p5".to_owned() };
    assert_eq!(balance.account, Some(pb::Account { kind: Some(pb::account::Kind::Wallet(wallet)) }));
    assert!(balance.text.contains("wallet of p5 holds 95, and by a replay 100"), "{}", balance.text);
    let (differences, _) = ask(&serve, EMPTY.to_string()).await.expect("an answer");
    assert_eq!(differences, [], "the damage is elsewhere");
    assert_eq!(serve.terminate(), Some(0));
}

/// Each difference, and the totals, which come last.
async fn ask(serve: &Serve, table_id: String) -> Result<(Vec<pb::Difference>, pb::Reconciling), Status> {
    let mut client = serve.client().await;
    let mut words = client.ledger.reconcile(pb::ReconcileRequest { table_id }).await?.into_inner();
    let (mut differences, mut last) = (Vec::new(), None);
    while let Some(response) = words.message().await? {
        assert_eq!(last, None, "something comes after the totals");
        match response.word.expect("a word") {
            Word::Progress(_) => assert!(differences.is_empty(), "progress comes first"),
            Word::Difference(difference) => differences.push(difference),
            Word::Reconciled(totals) => last = Some(totals),
        }
    }
    let last = last.expect("totals");
    assert_eq!(last.differences, differences.len() as u64);
    Ok((differences, last.done.expect("what was looked at")))
}
