//! The schema: made and brought up to date by its owner alone, looked at by everybody who serves.

use sqlx::migrate::{MigrateError, Migrator};
use sqlx::{Connection, PgConnection};

use super::line::{Failure, no_connection, options};
use super::read::Rows;
use super::{PostgresSettings, PostgresStore};
use crate::store::StoreError;

static MIGRATIONS: Migrator = sqlx::migrate!("migrations/postgres");

/// How many months a dealer keeps made ahead.
const MONTHS: i32 = 1;

/// A function that answers nothing: a number is read beside it.
const MAKE: &str = "SELECT 1::bigint FROM razz_make_periods($1)";

/// What a migration did.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Migrated {
    /// The schema's version before, 0 for none.
    pub from: i64,
    /// The schema's version now.
    pub to: i64,
}

/// Brings the schema to the version that this build needs. The URL's role will own it.
///
/// # Errors
/// `NewerFormat` where a newer version made it, `Away` where the database cannot be reached or refuses.
pub async fn migrate(settings: &PostgresSettings) -> Result<Migrated, StoreError> {
    let away = |error: sqlx::Error| Failure::from(error).of_read();
    // What a migration does may take its time.
    let unhurried = options(&PostgresSettings { pooler: true, ..settings.clone() })?;
    let mut conn = PgConnection::connect_with(&unhurried).await.map_err(|error| no_connection(&error))?;
    let (is_old,) = has_versions().fetch_one(&mut conn).await.map_err(away)?;
    let (from,) = if is_old { version().fetch_one(&mut conn).await.map_err(away)? } else { (0,) };
    let to = newest();
    match MIGRATIONS.run_direct(None, &mut conn, false).await {
        Ok(()) => {}
        Err(MigrateError::VersionMissing(_)) => return Err(StoreError::NewerFormat { found: from, known: to }),
        Err(MigrateError::Execute(error) | MigrateError::ExecuteMigration(error, _)) => return Err(away(error)),
        Err(error) => return Err(StoreError::Corrupt(error.to_string())),
    }
    conn.close().await.map_err(away)?;
    Ok(Migrated { from, to })
}

fn newest() -> i64 {
    MIGRATIONS.iter().map(|migration| migration.version).max().unwrap_or_default()
}

/// Whether there is a table of migrations.
fn has_versions() -> Rows<(bool,)> {
    sqlx::query_as("SELECT to_regclass('_sqlx_migrations') IS NOT NULL")
}

/// The schema's version.
fn version() -> Rows<(i64,)> {
    sqlx::query_as("SELECT coalesce(max(version), 0) FROM _sqlx_migrations WHERE success")
}

impl PostgresStore {
    /// Whether the schema is the one that this version needs, and whether the database keeps what it says it keeps.
    pub(super) async fn check_schema(&self) -> Result<(), StoreError> {
        let is_old = self.read(has_versions).await? == [(true,)];
        let found = if is_old { self.read(version).await?.pop().map_or(0, |(version,)| version) } else { 0 };
        let needed = newest();
        if found > needed {
            return Err(StoreError::NewerFormat { found, known: needed });
        }
        if found < needed {
            return Err(StoreError::NotMigrated { found, needed });
        }
        let sql = "SELECT current_setting('server_version_num')::bigint, current_setting('fsync') = 'on' \
                   AND current_setting('synchronous_commit') <> 'off', \
                   current_setting('transaction_read_only') = 'off' AND has_table_privilege('records', 'INSERT'), \
                   pg_has_role(current_user, (SELECT relowner FROM pg_class WHERE oid = 'records'::regclass), 'USAGE')";
        let told: Vec<(i64, bool, bool, bool)> = self.read(|| sqlx::query_as(sql)).await?;
        let &[(version, is_durable, writes, owns)] = told.as_slice() else { return Ok(()) };
        if version < 150_000 {
            let found = version / 10_000;
            return Err(StoreError::Unusable(format!("the server is version {found}; 15 is the oldest")));
        }
        if !is_durable {
            tracing::warn!("fsync or synchronous_commit is off: a power cut can take acknowledged commands");
        }
        if !writes {
            tracing::warn!("the database is read-only, or the role may not add records: only what reads will work");
            return Ok(());
        }
        if owns {
            tracing::warn!("the role that serves owns the schema: give it one that is only a member of razz_dealer");
        }
        self.make_periods().await
    }

    /// Makes the periods of the months to come, where they are missing. Records of a month without one are kept all
    /// the same, so a failure is told and no more.
    ///
    /// # Errors
    /// Where the database cannot be reached.
    pub(super) async fn make_periods(&self) -> Result<(), StoreError> {
        let made = self.write(sqlx::query_as(MAKE).bind(MONTHS)).await;
        if let Err(error) = made {
            tracing::warn!(%error, "the periods of the months to come were not made");
        }
        Ok(())
    }
}
