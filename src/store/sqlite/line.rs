//! The one connection to the file, and what its errors mean.

use std::fs::{File, OpenOptions};
use std::io::Read;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::time::Duration;

use sqlx::migrate::{MigrateError, Migrator};
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqliteLockingMode, SqliteSynchronous};
use sqlx::{ConnectOptions, Connection, SqliteConnection};

use crate::store::StoreError;

static MIGRATIONS: Migrator = sqlx::migrate!("migrations/sqlite");

/// "Razz", as the first migration writes it into the file's header.
const APPLICATION_ID: i64 = 0x5261_7A7A;

/// How long to wait for a process that is about to let go of the file.
const PATIENCE: Duration = Duration::from_millis(250);

/// `SQLite`'s primary result codes, the low byte of what it reports.
mod code {
    pub const BUSY: i64 = 5;
    pub const CORRUPT: i64 = 11;
    pub const CONSTRAINT: i64 = 19;
    pub const NOT_A_DATABASE: i64 = 26;
}

/// The connection. It holds the file's exclusive lock, so there is no second one, in this process or another. After
/// trouble it is closed, and made again when it is next needed: what is true then is what the file says.
pub(super) struct Line {
    options: SqliteConnectOptions,
    path: String,
    conn: Option<SqliteConnection>,
    closed: bool,
}

impl Line {
    /// Opens the database, or makes it with owner-only rights, and brings it to the newest format.
    pub async fn open(path: &Path) -> Result<Line, StoreError> {
        let shown = path.display().to_string();
        let away = |error: std::io::Error| StoreError::Away(format!("{shown}: {error}"));
        // An absolute path is never one of the names that SQLite takes for something else than a file.
        let path = std::path::absolute(path).map_err(away)?;
        match OpenOptions::new().write(true).create_new(true).mode(0o600).open(&path) {
            Ok(_) => {}
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(away(error)),
        }
        let options = SqliteConnectOptions::new()
            .filename(&path)
            // Before the first use of WAL: then no other process can so much as read, and no shared memory is used.
            .locking_mode(SqliteLockingMode::Exclusive)
            .journal_mode(SqliteJournalMode::Wal)
            .synchronous(SqliteSynchronous::Full)
            .foreign_keys(true)
            // Where a plain fsync does not reach the disk (macOS), ask for the one that does.
            .pragma("fullfsync", "ON")
            .pragma("checkpoint_fullfsync", "ON")
            .pragma("cache_size", "-65536")
            // The log is brought home every 64 MiB, not every 4: a batch touches hundreds of pages, most of them again
            // and again.
            .pragma("wal_autocheckpoint", "16384")
            // What a statement would have to take back is kept in memory: a file for it costs more than the log.
            .pragma("temp_store", "MEMORY")
            .busy_timeout(PATIENCE)
            // A statement for each size that a batch's parts come in: to prepare one takes longer than to run it.
            .statement_cache_capacity(512)
            .disable_statement_logging();
        let mut line = Line { options, path: shown, conn: None, closed: false };
        migrate(line.conn().await?).await?;
        Ok(line)
    }

    /// The connection, made again where it was lost.
    pub async fn conn(&mut self) -> Result<&mut SqliteConnection, StoreError> {
        if self.closed {
            return Err(StoreError::Away(format!("{} is closed", self.path)));
        }
        let conn = match self.conn.take() {
            Some(conn) => conn,
            None => self.options.connect().await.map_err(Line::no_line)?,
        };
        Ok(self.conn.insert(conn))
    }

    fn no_line(error: sqlx::Error) -> StoreError {
        match primary_code(&error) {
            Some(code::BUSY) => StoreError::Held,
            _ => trouble(error),
        }
    }

    /// An answer as it is; where it tells of trouble, the connection is not used again.
    pub async fn checked<T>(&mut self, answer: Result<T, StoreError>) -> Result<T, StoreError> {
        if matches!(answer, Err(StoreError::Away(_))) {
            self.hang_up().await;
        }
        answer
    }

    /// Gives the connection up.
    pub async fn hang_up(&mut self) {
        if let Some(conn) = self.conn.take()
            && let Err(error) = conn.close().await
        {
            tracing::warn!(%error, "the database connection did not close well");
        }
    }

    /// Brings the write-ahead log home and lets go of the file, for good.
    pub async fn close(&mut self) {
        self.closed = true;
        if let Some(conn) = self.conn.as_mut()
            && let Err(error) = sqlx::query("PRAGMA wal_checkpoint(TRUNCATE)").execute(conn).await
        {
            // Nothing is lost: the log is read when the file is next opened.
            tracing::warn!(%error, "the write-ahead log was not brought home");
        }
        self.hang_up().await;
    }
}

/// Whether the file bears the mark of the first migration, there or in the write-ahead log that a crash has left.
pub(super) fn is_ours(path: &Path) -> Result<bool, StoreError> {
    let away = |error: std::io::Error| StoreError::Away(format!("{}: {error}", path.display()));
    let mut header = Vec::new();
    File::open(path).and_then(|file| file.take(72).read_to_end(&mut header)).map_err(away)?;
    let mut log = path.as_os_str().to_owned();
    log.push("-wal");
    let has_log = std::fs::metadata(log).is_ok_and(|log| log.len() > 0);
    let mark = header.get(68..72).and_then(|mark| mark.try_into().ok()).map(i32::from_be_bytes);
    Ok(has_log || mark.map(i64::from) == Some(APPLICATION_ID))
}

async fn migrate(conn: &mut SqliteConnection) -> Result<(), StoreError> {
    let id: i64 = sqlx::query_scalar("PRAGMA application_id").fetch_one(&mut *conn).await.map_err(trouble)?;
    let foreign = "SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name <> '_sqlx_migrations')";
    let foreign: bool = sqlx::query_scalar(foreign).fetch_one(&mut *conn).await.map_err(trouble)?;
    if foreign && id != APPLICATION_ID {
        return Err(StoreError::Corrupt("it is a database of another program".to_owned()));
    }
    match MIGRATIONS.run_direct(None, conn, false).await {
        Ok(()) => Ok(()),
        Err(MigrateError::VersionMissing(_)) => {
            let newest = sqlx::query_scalar("SELECT max(version) FROM _sqlx_migrations");
            let found = newest.fetch_one(conn).await.map_err(trouble)?;
            let known = MIGRATIONS.iter().map(|migration| migration.version).max().unwrap_or_default();
            Err(StoreError::NewerFormat { found, known })
        }
        Err(MigrateError::Execute(error) | MigrateError::ExecuteMigration(error, _)) => Err(trouble(error)),
        Err(error) => Err(StoreError::Corrupt(error.to_string())),
    }
}

/// The words of the constraint that refused a statement; `None` where something else went wrong.
pub(super) fn refused_by(error: &sqlx::Error) -> Option<&str> {
    match error {
        sqlx::Error::Database(database) if primary_code(error) == Some(code::CONSTRAINT) => Some(database.message()),
        _ => None,
    }
}

/// What an error means that is no refusal: the file cannot be true, or it cannot be reached.
#[expect(clippy::needless_pass_by_value, reason = "what `map_err` takes")]
pub(super) fn trouble(error: sqlx::Error) -> StoreError {
    match (primary_code(&error), &error) {
        (Some(code::CORRUPT | code::NOT_A_DATABASE), _)
        | (_, sqlx::Error::ColumnDecode { .. } | sqlx::Error::Decode(_)) => StoreError::Corrupt(error.to_string()),
        _ => StoreError::Away(error.to_string()),
    }
}

fn primary_code(error: &sqlx::Error) -> Option<i64> {
    let code: i64 = error.as_database_error()?.code()?.parse().ok()?;
    Some(code & 0xff)
}
