//! Promise 3, hunted: the same hands played twice, in two worlds that differ only in cards which stay hidden to the
//! end. Whatever leaves the service or rests under it must be the same in both, but for what is named here:
//! ciphertext, roots, salts, paths and hashes, and those must be equally long. Each kind of leak is planted once, and
//! must be found.

mod compare;
mod dump;
mod plants;
mod play;
mod published;
mod scan;
mod worlds;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::database::Cluster;
use play::{CHILD, Plan};
use worlds::Worlds;

/// All that any crate logs: thousands of lines a hand, most of them about frames of the transport.
const ALL: &str = "trace";
/// The same without the transport, for many hands.
const OWN: &str = "trace,h2=off,hyper=off,hyper_util=off,tower=off,tonic=off,mio=off,tokio=off,want=off";

/// Hands of a pair of worlds, unless `RAZZ_LEAK_HANDS` says otherwise; and what they log.
fn pairs(usual: [u64; 2]) -> [(u64, &'static str); 2] {
    let many = std::env::var("RAZZ_LEAK_HANDS").ok().and_then(|text| text.parse().ok()).unwrap_or(usual[1]);
    [(usual[0], ALL), (many, OWN)]
}

/// Both runs of a pair: a process each, whose log is that of the real thing at its most talkative.
pub struct Twins {
    _folder: tempfile::TempDir,
    pub worlds: Worlds,
    pub runs: [compare::Run; 2],
}

fn child(folder: &Path, plan: &Plan) -> PathBuf {
    std::fs::create_dir_all(folder).expect("a folder");
    std::fs::write(folder.join("plan.json"), plan.text()).expect("written");
    let log = std::fs::File::create(folder.join("log")).expect("a file");
    let mut command = Command::new(std::env::current_exe().expect("this test"));
    command.args(["--exact", "leaks::play::one_run", "--ignored", "--nocapture"]).env(CHILD, folder);
    let status = command.stdout(Stdio::null()).stderr(log).status().expect("it starts");
    assert!(folder.join("done").exists(), "{status}: see {}", folder.join("log").display());
    folder.to_owned()
}

impl Twins {
    async fn played(url: impl AsyncFn(&Path) -> (String, Vec<PathBuf>), (hands, log): (u64, &str), seed: u64) -> Twins {
        let folder = tempfile::tempdir().expect("a folder");
        let mut runs = Vec::new();
        let mut worlds = Worlds::first(seed, hands);
        for name in ["one", "other"] {
            let place = folder.path().join(name);
            std::fs::create_dir_all(&place).expect("a folder");
            let (url, files) = url(&place).await;
            child(&place, &Plan { url: url.clone(), seed, hands, decks: worlds.decks().to_vec(), log: log.into() });
            let run = compare::Run::read(&place, &url, files).await;
            if name == "one" {
                worlds.make_other(&run);
            }
            runs.push(run);
        }
        Twins { _folder: folder, worlds, runs: runs.try_into().ok().expect("two") }
    }

    async fn over_sqlite(what: (u64, &str), seed: u64) -> Twins {
        let url = async |place: &Path| {
            let folder = place.join("db");
            std::fs::create_dir_all(&folder).expect("a folder");
            (folder.join("x.db").display().to_string(), vec![folder])
        };
        Twins::played(url, what, seed).await
    }
}

fn nothing_leaks(twins: &Twins, (hands, log): (u64, &str)) {
    // A log that says nothing tells nothing; without the transport's lines it may well be silent over SQLite.
    let logged = std::fs::metadata(&twins.runs[0].log).expect("a log").len();
    assert!(log == OWN || logged > 100_000, "{logged} bytes are logged");
    assert!(twins.worlds.differing() as u64 > hands * 3 / 4, "{} hands differ", twins.worlds.differing());
    assert_eq!(compare::leaks(twins), Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_hidden_shows_over_sqlite() {
    for (what, seed) in pairs([20, 150]).into_iter().zip(5..) {
        nothing_leaks(&Twins::over_sqlite(what, seed).await, what);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn each_planted_leak_is_found() {
    plants::each_is_found(Twins::over_sqlite((8, ALL), 7).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_hidden_shows_over_postgres() {
    for (what, seed) in pairs([10, 100]).into_iter().zip(8..) {
        let cluster = Cluster::start();
        let databases = tokio::sync::Mutex::new(Vec::new());
        let url = async |_: &Path| {
            let database = cluster.database().await;
            let url = database.dealer();
            databases.lock().await.push(database);
            (url, vec![cluster.folder().join("data/pg_wal"), cluster.folder().join("data/base")])
        };
        nothing_leaks(&Twins::played(url, what, seed).await, what);
    }
}
