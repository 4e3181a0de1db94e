//! Connections, and what their errors mean.

use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use sqlx::postgres::{PgConnectOptions, PgDatabaseError, PgSeverity};
use sqlx::{Connection, PgConnection};

use super::PostgresSettings;
use crate::store::StoreError;

/// What to do about a pooler that nobody was told of.
const POOLER: &str = "behind a pooler that keeps no more than a transaction together, give --database-pooler";

/// What the driver waits for beyond what the server allows a statement: only a line that has gone silent takes longer.
const BEYOND: Duration = Duration::from_secs(2);

/// How every transaction is planned and run. Each lookup is by key, so that no statement reads a table from end to
/// end because its numbers were not counted yet.
const MANNERS: [(&str, &str); 6] = [
    ("default_transaction_isolation", "read committed"),
    ("search_path", "public"),
    ("enable_seqscan", "off"),
    ("enable_hashjoin", "off"),
    ("enable_mergejoin", "off"),
    // The few statements are planned once a connection; to plan the large one takes longer than to run it.
    ("plan_cache_mode", "force_generic_plan"),
];

/// What went wrong with a statement.
pub(super) enum Failure {
    /// A constraint refused it; nothing was done.
    Refused(StoreError),
    /// Another session came first, in a way that only the database could see; nothing was done.
    Raced,
    /// The server gave it up and said so; nothing was done.
    Undone(StoreError),
    /// The line was lost: what was under way may have been done or not.
    Lost(String),
    /// The line says nothing any more: what was under way may have been done or not.
    Silent,
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Failure::Refused(error) | Failure::Undone(error) => error.fmt(f),
            Failure::Raced => f.write_str("another session came first"),
            Failure::Lost(why) => f.write_str(why),
            Failure::Silent => f.write_str("the database did not answer in time"),
        }
    }
}

impl From<sqlx::Error> for Failure {
    fn from(error: sqlx::Error) -> Failure {
        match &error {
            sqlx::Error::Database(database) => of_server(database.downcast_ref()),
            sqlx::Error::ColumnDecode { .. } | sqlx::Error::Decode(_) => {
                Failure::Undone(StoreError::Corrupt(error.to_string()))
            }
            _ => Failure::Lost(error.to_string()),
        }
    }
}

fn of_server(database: &PgDatabaseError) -> Failure {
    // A server that takes itself away may have committed before it said so.
    if matches!(database.severity(), PgSeverity::Fatal | PgSeverity::Panic) {
        return Failure::Lost(database.message().to_owned());
    }
    match (database.code(), database.constraint()) {
        ("RZ001", _) => Failure::Refused(StoreError::DuplicateRequest),
        ("RZ002", _) => Failure::Refused(StoreError::KeyRetired),
        ("RZ003", _) => Failure::Refused(StoreError::KeyNeeded),
        ("RZ004", _) => Failure::Refused(StoreError::KeyUnknown),
        ("RZ005", _) => Failure::Refused(StoreError::DeckRefused),
        ("23514", Some("balance_in_bounds")) => Failure::Refused(StoreError::BalanceOutOfBounds),
        // Two sessions made one row, or waited for each other: it may be tried again.
        ("23505" | "40001" | "40P01" | "55P03", _) => Failure::Raced,
        // A constraint, a value that cannot be computed with, something too large, or a damaged page: of this one, and
        // of nobody beside it.
        (code, _) if ["23", "RZ", "22", "54", "XX00"].iter().any(|class| code.starts_with(class)) => {
            Failure::Refused(StoreError::Corrupt(database.message().to_owned()))
        }
        (code, _) => Failure::Undone(kept_by(code, database.message())),
    }
}

/// What a server's refusal means that is about nothing in particular: it will be over soon, or somebody must see to it.
fn kept_by(code: &str, message: &str) -> StoreError {
    match code {
        "57014" => StoreError::Away(format!("{message} (--database-timeout-ms)")),
        // The prepared statements of another client's transaction, or a setting that a pooler does not know.
        "42P05" | "26000" => StoreError::Unusable(format!("{message}: {POOLER}")),
        "08P01" if message.contains("startup parameter") => StoreError::Unusable(format!("{message}: {POOLER}")),
        // No such role, password, database, schema or table, no right to it, or only to read.
        "3D000" | "3F000" | "25006" => StoreError::Unusable(message.to_owned()),
        _ if code.starts_with("28") || code.starts_with("42") => StoreError::Unusable(message.to_owned()),
        _ => StoreError::Away(message.to_owned()),
    }
}

/// Why no connection was made; nothing was under way.
pub(super) fn no_connection(error: &sqlx::Error) -> StoreError {
    match error {
        sqlx::Error::Database(database) => {
            let database: &PgDatabaseError = database.downcast_ref();
            kept_by(database.code(), database.message())
        }
        sqlx::Error::Tls(_) | sqlx::Error::Configuration(_) => StoreError::Unusable(error.to_string()),
        // A certificate that is not the right one.
        sqlx::Error::Io(io) if io.kind() == std::io::ErrorKind::InvalidData => StoreError::Unusable(io.to_string()),
        _ => StoreError::Away(error.to_string()),
    }
}

impl Failure {
    /// What it means where nothing was to be changed.
    pub fn of_read(self) -> StoreError {
        match self {
            Failure::Refused(error) | Failure::Undone(error) => error,
            Failure::Raced => StoreError::Away("the read was given up by the server".to_owned()),
            Failure::Lost(_) | Failure::Silent => StoreError::Away(self.to_string()),
        }
    }
}

/// Runs what talks to the server, for as long as the server may take over it and a little more.
pub(super) async fn in_time<T>(
    settings: &PostgresSettings,
    work: impl Future<Output = Result<T, sqlx::Error>>,
) -> Result<T, Failure> {
    match tokio::time::timeout(settings.statement_timeout + BEYOND, work).await {
        Ok(done) => Ok(done?),
        Err(_) => Err(Failure::Silent),
    }
}

/// How to connect. Behind a pooler nothing can be settled for a whole connection: each transaction does it.
pub(super) fn options(settings: &PostgresSettings) -> Result<PgConnectOptions, StoreError> {
    let url = settings.url.parse::<PgConnectOptions>();
    let url = url.map_err(|error| StoreError::Unusable(error.to_string()))?;
    let options = url.application_name("razz-dealer");
    if settings.pooler {
        return Ok(options.extra_float_digits(None).statement_cache_capacity(0));
    }
    let patience = settings.statement_timeout.as_millis().to_string();
    Ok(options.options(MANNERS).options([("statement_timeout", patience.clone()), ("lock_timeout", patience)]))
}

/// Begins a transaction in which the manners hold.
pub(super) fn begin(settings: &PostgresSettings) -> String {
    if !settings.pooler {
        return "BEGIN".to_owned();
    }
    let patience = settings.statement_timeout.as_millis();
    let sql = format!(
        "BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL statement_timeout = {patience}; \
         SET LOCAL lock_timeout = {patience}"
    );
    let manners = MANNERS.iter().skip(1).map(|(name, value)| format!("; SET LOCAL {name} = {value}"));
    std::iter::once(sql).chain(manners).collect()
}

/// The writer's own connection, made when it is needed and given up after trouble.
pub(super) struct Line {
    options: PgConnectOptions,
    settings: PostgresSettings,
    conn: Option<PgConnection>,
    /// How many lines were lost, of all that share the count, and of how many this one has heard.
    lost: Arc<AtomicU64>,
    heard: u64,
}

impl Line {
    /// A line that knows of those that share the count of the lost ones.
    pub const fn new(options: PgConnectOptions, settings: PostgresSettings, lost: Arc<AtomicU64>) -> Line {
        Line { options, settings, conn: None, lost, heard: 0 }
    }

    pub const fn settings(&self) -> &PostgresSettings {
        &self.settings
    }

    /// The connection; `Undone` where there is none to be had.
    pub async fn conn(&mut self) -> Result<&mut PgConnection, Failure> {
        let lost = self.lost.load(Ordering::Relaxed);
        if lost != self.heard {
            // What happened to another may have happened to this one: better found out before anything is under way.
            self.heard = lost;
            self.look_after().await;
        }
        let conn = if let Some(conn) = self.conn.take() {
            conn
        } else {
            let made = PgConnection::connect_with(&self.options);
            let Ok(made) = tokio::time::timeout(self.settings.acquire_timeout, made).await else {
                let why = "the database does not take a connection".to_owned();
                return Err(Failure::Undone(StoreError::Away(why)));
            };
            made.map_err(|error| Failure::Undone(no_connection(&error)))?
        };
        Ok(self.conn.insert(conn))
    }

    /// Finds out whether the connection is still one, while nothing is under way.
    pub async fn look_after(&mut self) {
        let Some(conn) = &mut self.conn else { return };
        let alive = tokio::time::timeout(self.settings.acquire_timeout, conn.ping()).await;
        if !matches!(alive, Ok(Ok(()))) {
            tracing::warn!("the connection that writes was lost while nothing was written");
            self.hang_up();
        }
    }

    /// Gives the connection up without a word: the other end may not hear any more.
    pub fn hang_up(&mut self) {
        self.conn = None;
        self.lost.fetch_add(1, Ordering::Relaxed);
    }

    /// Gives the connection up, which tells nothing about others.
    pub fn put_down(&mut self) {
        self.conn = None;
    }

    /// Says goodbye.
    pub async fn close(&mut self) {
        if let Some(conn) = self.conn.take()
            && let Err(error) = conn.close().await
        {
            tracing::debug!(%error, "the database connection did not close well");
        }
    }
}
