//! `razz-dealer load`: what it reports, and what it writes down. That it goes on where a service dies, the crash tests
//! show.

use std::path::Path;

use crate::journal::{self, Records};
use crate::process::command::{Serve, run};

/// Runs `load` to its end, which must be clean, and reads its report.
fn report(args: &[&str]) -> serde_json::Value {
    let ended = run(&[&["load", "--json"], args].concat());
    assert_eq!(ended.code, Some(0), "{args:?}: {}{}", ended.out, ended.err);
    read(&ended.out)
}

fn read(out: &str) -> serde_json::Value {
    serde_json::from_str(out).unwrap_or_else(|why| panic!("{why}: {out}"))
}

fn count(report: &serde_json::Value, name: &str) -> u64 {
    report[name].as_u64().unwrap_or_else(|| panic!("{name} is no count in {report}"))
}

/// Each line is in the record once, at its place, and all that bears a request's id is in the journal. Gives how many.
async fn check(database: &Path, written: &Path) -> u64 {
    let lines = journal::read(written);
    Records::in_file(database).await.are_all_in(&lines);
    lines.len() as u64
}

#[tokio::test]
async fn it_counts_what_it_plays_and_its_journal_is_the_record() {
    let folder = tempfile::tempdir().expect("a folder");
    let (database, written) = (folder.path().join("load.db"), folder.path().join("journal"));
    let (url, path) = (format!("sqlite:{}", database.display()), written.display().to_string());
    let args = ["--tables", "4", "--hands", "3", "--database", &url, "--journal", &path];
    let first = report(&args);
    assert_eq!((count(&first, "hands"), count(&first, "retries")), (12, 0), "{first}");
    assert_eq!(first["errors"], serde_json::json!({}));
    assert!(first["acts_per_hand"].as_f64() >= Some(10.0), "{first}");
    let latency = |name: &str| first["latency_ms"][name].as_f64().expect("a latency");
    let rising = ["p50", "p90", "p99", "p99.9", "max"].map(latency);
    assert!(rising[0] > 0.0 && rising.is_sorted(), "{first}");
    // Four tables, each with six wallets and seats, three deals, and its acts; nobody is broke so soon.
    let made = |report| 4 * (1 + 6 + 6 + 3) + count(report, "acts");
    assert_eq!(check(&database, &written).await, made(&first));
    // Again on the same database: other tables and players, and the journal goes on.
    let second = report(&args);
    assert_eq!(check(&database, &written).await, made(&first) + made(&second));
}

#[tokio::test]
async fn it_plays_through_several_addresses() {
    let folder = tempfile::tempdir().expect("a folder");
    let (database, written) = (folder.path().join("load.db"), folder.path().join("journal"));
    let serve = Serve::start(&database);
    let (addrs, path) = (format!("{0},{0}", serve.addr()), written.display().to_string());
    let report = report(&["--tables", "4", "--hands", "3", "--connect", &addrs, "--journal", &path]);
    assert_eq!((count(&report, "hands"), count(&report, "retries")), (12, 0), "{report}");
    assert_eq!(serve.terminate(), Some(0));
    assert!(check(&database, &written).await > 12 * 10, "{report}");
}

#[test]
fn the_echo_gives_a_ratio() {
    let report = report(&["--tables", "2", "--seconds", "2", "--warm-up", "0", "--echo"]);
    let echo = |name: &str| report["echo"][name].as_f64().unwrap_or_default();
    let (ratio, echoes) = (echo("ratio"), echo("calls_per_second"));
    let acts = report["acts_per_second"].as_f64().expect("acts");
    assert!(ratio > 0.0 && (ratio - acts / echoes).abs() < 1e-9, "{report}");
    assert!(echo("answer_bytes") > 200.0, "{report}");
}

#[test]
fn it_takes_one_length_and_one_service() {
    for args in [
        &["--tables", "1"][..],
        &["--tables", "1", "--seconds", "1", "--hands", "1"],
        &["--tables", "0", "--hands", "1"],
        &["--tables", "1", "--hands", "1", "--echo"],
        &["--tables", "1", "--hands", "1", "--connect", "127.0.0.1:1", "--database", "sqlite:x.db"],
        &["--tables", "1", "--hands", "1", "--database", "mysql://x"],
    ] {
        assert_eq!(run(&[&["load"], args].concat()).code, Some(2), "{args:?}");
    }
}
