//! Databases of a Postgres server for the tests: each test has its own, made from one template that the owner has
//! migrated. The service connects as `dealer`, which can only do what `razz_dealer` can.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;

use razz_dealer::store::postgres::{PostgresSettings, PostgresStore, migrate};
use razz_dealer::world::World;
use sqlx::{AssertSqlSafe, Connection, PgConnection};
use tokio::sync::OnceCell;

/// The server's superuser, as `tests/run` tells it.
const SERVER: &str = "RAZZ_TEST_POSTGRES_URL";

static TEMPLATE: OnceCell<String> = OnceCell::const_new();

/// A database of a test's own. It is dropped at the end.
pub struct Database {
    server: String,
    name: String,
}

fn server() -> String {
    std::env::var(SERVER)
        .unwrap_or_else(|_| panic!("{SERVER} is not set: run the tests by tests/run, which starts a Postgres server"))
}

/// A URL to a database of the server, for this role; `None` for its superuser.
pub fn url(server: &str, role: Option<&str>, database: &str) -> String {
    let (scheme, rest) = server.split_once("://").expect("a URL");
    let (authority, path) = rest.split_once('/').expect("a URL with a database");
    let (user, host) = authority.rsplit_once('@').expect("a URL with a role");
    let query = path.split_once('?').map(|(_, query)| format!("?{query}")).unwrap_or_default();
    // The roles of the tests have no password of their own: the server trusts them, or they share the superuser's.
    let role = role.map_or_else(
        || user.to_owned(),
        |role| user.split_once(':').map_or(role.to_owned(), |(_, password)| format!("{role}:{password}")),
    );
    format!("{scheme}://{role}@{host}/{database}{query}")
}

/// Runs statements at this URL.
pub async fn run(url: &str, sql: &str) {
    let mut conn = PgConnection::connect(url).await.expect("the server");
    sqlx::raw_sql(AssertSqlSafe(sql)).execute(&mut conn).await.unwrap_or_else(|error| panic!("{sql}: {error}"));
    conn.close().await.expect("closed");
}

fn fresh_name() -> String {
    let random: [u8; 8] = World::system().random().expect("randomness");
    format!("razz_test_{:016x}", u64::from_be_bytes(random))
}

/// Makes the roles, and a database that the owner has migrated, to copy from.
async fn template(server: &str) -> String {
    let password = server.split_once("://").and_then(|(_, rest)| rest.split_once('@')).map(|(user, _)| user);
    let password = password.and_then(|user| user.split_once(':')).map(|(_, password)| password);
    let password = password.map(|password| format!("PASSWORD '{password}'")).unwrap_or_default();
    for role in ["owner", "dealer"] {
        run(
            server,
            &format!(
                "DO $$ BEGIN CREATE ROLE {role} LOGIN CREATEROLE {password}; \
                 EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; END $$"
            ),
        )
        .await;
    }
    run(server, "ALTER ROLE dealer NOCREATEROLE").await;
    let name = format!("{}_template", fresh_name());
    run(server, &format!("CREATE DATABASE {name} OWNER owner")).await;
    run(&url(server, None, &name), "ALTER SCHEMA public OWNER TO owner").await;
    migrate(&PostgresSettings::new(&url(server, Some("owner"), &name))).await.expect("migrated");
    run(server, "GRANT razz_dealer TO dealer").await;
    name
}

impl Database {
    /// A new database on the tests' server.
    pub async fn fresh() -> Database {
        let server = server();
        let template = TEMPLATE.get_or_init(async || template(&server).await).await;
        let name = fresh_name();
        run(&server, &format!("CREATE DATABASE {name} TEMPLATE {template} OWNER owner")).await;
        Database { server, name }
    }

    /// One more with the same content. Nobody may be connected to this one.
    pub async fn copy(&self) -> Database {
        let name = fresh_name();
        run(&self.server, &format!("CREATE DATABASE {name} TEMPLATE {} OWNER owner", self.name)).await;
        Database { server: self.server.clone(), name }
    }

    /// The tests' server, as its superuser connects.
    pub fn server() -> String {
        server()
    }

    /// Its name there.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Where the service connects.
    pub fn dealer(&self) -> String {
        url(&self.server, Some("dealer"), &self.name)
    }

    /// Where its owner connects.
    pub fn owner(&self) -> String {
        url(&self.server, Some("owner"), &self.name)
    }

    /// A store over it.
    pub async fn store(&self) -> Arc<PostgresStore> {
        Arc::new(self.connect().await)
    }

    /// As [`Database::store`], for one owner.
    pub async fn connect(&self) -> PostgresStore {
        PostgresStore::open(PostgresSettings::new(&self.dealer())).await.expect("a store")
    }
}

impl Drop for Database {
    fn drop(&mut self) {
        let sql = format!("DROP DATABASE IF EXISTS {} WITH (FORCE)", self.name);
        let server = self.server.clone();
        // On a thread of its own: a test's runtime may be on its way out.
        let dropped = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
            runtime.block_on(run(&server, &sql));
        });
        assert!(dropped.join().is_ok() || std::thread::panicking(), "the test's database was not dropped");
    }
}

/// A server of a test's own, on this machine, to be crashed. Nothing of it is left, however the test ends.
pub struct Cluster {
    folder: PathBuf,
    url: String,
    keeper: Child,
}

impl Cluster {
    /// Starts one; where no server is installed, one is.
    pub fn start() -> Cluster {
        script("install", Path::new("."));
        let folder = tempfile::Builder::new().prefix("razz-cluster-").tempdir().expect("a folder").keep();
        let keeper = tests_postgres("keep", &folder).stdin(Stdio::piped()).spawn().expect("the keeper starts");
        let mut cluster = Cluster { folder, url: String::new(), keeper };
        cluster.url = cluster.start_again();
        cluster
    }

    /// A database that the owner has migrated.
    pub async fn database(&self) -> Database {
        Database { server: self.url.clone(), name: template(&self.url).await }
    }

    /// Where it keeps its files.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// As by a power cut.
    pub fn crash(&self) {
        script("crash", &self.folder);
    }

    /// After a crash, where it was before.
    pub fn start_again(&self) -> String {
        script("start", &self.folder).trim().to_owned()
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        drop(self.keeper.stdin.take());
        // The folder is looked for below.
        let _ = self.keeper.wait();
        let is_gone = !self.folder.exists();
        assert!(is_gone || std::thread::panicking(), "{} is left", self.folder.display());
    }
}

fn tests_postgres(verb: &str, folder: &Path) -> Command {
    let mut command = Command::new(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/postgres"));
    command.arg(verb).arg(folder);
    command
}

fn script(verb: &str, folder: &Path) -> String {
    let ended = tests_postgres(verb, folder).output().expect("tests/postgres starts");
    assert!(ended.status.success(), "tests/postgres {verb}: {}", String::from_utf8_lossy(&ended.stderr));
    String::from_utf8(ended.stdout).expect("text")
}
