//! Through pgbouncer in transaction mode, where no two transactions need meet the same server session.

use std::path::Path;
use std::process::Command;

use razz_dealer::sim::Bots;
use razz_dealer::store::Store;
use razz_dealer::store::postgres::{PostgresSettings, PostgresStore};
use sqlx::{Connection, PgConnection};
use tempfile::TempDir;

use crate::database::{Database, run, url};
use crate::fleet::{Fleet, clients, shut_down};
use crate::many::{next, seated, sent};
use crate::process::request::{Request, Sixes};

/// A pgbouncer of a test's own, before the tests' server.
pub struct Pooler {
    folder: TempDir,
    url: String,
}

/// `tests/postgres` with these arguments; its answer.
pub fn script(args: &[&str]) -> String {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/postgres");
    let ended = Command::new(script).args(args).output().expect("the script");
    assert!(ended.status.success(), "{args:?}: {}", String::from_utf8_lossy(&ended.stderr));
    String::from_utf8(ended.stdout).expect("text").trim().to_owned()
}

impl Pooler {
    pub fn start() -> Pooler {
        let folder = tempfile::tempdir().expect("a folder");
        let url = script(&["pooler", &folder.path().display().to_string(), &Database::server()]);
        Pooler { folder, url }
    }

    /// How a dealer reaches the database through it.
    pub fn settings(&self, database: &Database) -> PostgresSettings {
        let url = url(&self.url, Some("dealer"), database.name());
        PostgresSettings { pooler: true, ..PostgresSettings::new(&url) }
    }
}

impl Drop for Pooler {
    fn drop(&mut self) {
        script(&["stop", &self.folder.path().display().to_string()]);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn two_dealers_play_through_a_pooler() {
    let (fleet, pooler) = (Fleet::fresh().await, Pooler::start());
    let settings = pooler.settings(&fleet.database);
    let mut members = Vec::new();
    for _ in 0..2 {
        members.push(fleet.member_by(settings.clone(), 41).await);
    }
    let clients = clients(&members);
    let mut playing = tokio::task::JoinSet::new();
    for number in 1..=8 {
        let mut clients = clients.clone();
        playing.spawn(async move {
            let (mut table, mut bots) = (Sixes::new(number, 20_000, number % 2 == 0), Bots::new(u64::from(number)));
            seated(&mut clients[0], &mut table).await;
            let (mut hands, mut calls) = (0, 0);
            let mut done = sent(&mut clients[1], &table.deal()).await;
            while hands < 3 {
                let request = next(&mut table, &mut bots, &done);
                hands += u32::from(matches!(request, Request::Deal(_)));
                done = sent(&mut clients[calls % 2], &request).await;
                let shown = table.hand(&mut clients[(calls + 1) % 2], None).await.expect("a hand");
                assert_eq!(shown.seq, done.seq, "the other dealer is behind");
                calls += 1;
            }
            calls
        });
    }
    assert!(playing.join_all().await.into_iter().sum::<usize>() > 200);
    shut_down(members).await;
    fleet.reconcile().await;
}

/// The command takes it by an option.
#[tokio::test(flavor = "multi_thread")]
async fn a_service_works_through_a_pooler() {
    let (fleet, pooler) = (Fleet::fresh().await, Pooler::start());
    let through = pooler.settings(&fleet.database).url;
    let serve = fleet.serve_at(&through, &["--database-pooler"]);
    let mut client = serve.client().await;
    let (mut table, mut bots) = (Sixes::new(1, 20_000, true), Bots::new(5));
    seated(&mut client, &mut table).await;
    let mut done = sent(&mut client, &table.deal()).await;
    for _ in 0..60 {
        done = sent(&mut client, &next(&mut table, &mut bots, &done)).await;
    }
    assert_eq!(serve.terminate(), Some(0));
    let store = PostgresStore::open(pooler.settings(&fleet.database)).await.expect("a store");
    let reconciled = razz_dealer::audit::reconcile(&store, None, &mut |_| {}).await.expect("reconciled");
    assert_eq!(reconciled.differences, []);
    razz_dealer::store::Store::close(&store).await;
    fleet.reconcile().await;
}

/// What is done now and then is done through a pooler too.
#[tokio::test(flavor = "multi_thread")]
async fn the_months_to_come_are_made_through_a_pooler() {
    let (database, pooler) = (Database::fresh().await, Pooler::start());
    let months = "SELECT relname FROM pg_class WHERE relispartition AND relkind = 'r' ORDER BY relname";
    let mut owner = PgConnection::connect(&database.owner()).await.expect("a connection");
    let made: Vec<String> = sqlx::query_scalar(months).fetch_all(&mut owner).await.expect("the months");
    let next = made.iter().filter(|month| month.starts_with("records_2")).max().expect("a month");
    run(&database.owner(), &format!("DROP TABLE {next}")).await;
    let store = PostgresStore::open(pooler.settings(&database)).await.expect("a store");
    store.tend().await.expect("tended");
    store.close().await;
    let again: Vec<String> = sqlx::query_scalar(months).fetch_all(&mut owner).await.expect("the months");
    assert_eq!(again, made);
    owner.close().await.expect("closed");
}
