//! The store behind a database URL.

use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;

use super::CLEAN;
use crate::config::{DatabaseUrl, PostgresConfig};
use crate::store::postgres::{Migrated, PostgresSettings, PostgresStore, migrate as migrate_schema};
use crate::store::sqlite::SqliteStore;
use crate::store::{Store, StoreError};

/// Opens a database. A file that is not there is made if `make`.
pub(super) async fn open(url: &DatabaseUrl, config: &PostgresConfig, make: bool) -> anyhow::Result<Arc<dyn Store>> {
    let place = || format!("database {url}");
    Ok(match url {
        DatabaseUrl::Sqlite(path) if !make && !path.is_file() => {
            return Err(StoreError::Away("there is no such file".to_owned())).with_context(place);
        }
        DatabaseUrl::Sqlite(path) if !make => Arc::new(SqliteStore::open_old(path).await.with_context(place)?),
        DatabaseUrl::Sqlite(path) => Arc::new(SqliteStore::open(path).await.with_context(place)?),
        DatabaseUrl::Postgres(url) => Arc::new(PostgresStore::open(settings(url, config)).await.with_context(place)?),
    })
}

/// The settings of a Postgres database.
pub(super) fn settings(url: &str, config: &PostgresConfig) -> PostgresSettings {
    PostgresSettings {
        connections: config.database_connections,
        writers: config.database_writers,
        acquire_timeout: Duration::from_millis(config.database_wait_ms.into()),
        statement_timeout: Duration::from_millis(config.database_timeout_ms.into()),
        pooler: config.database_pooler,
        ..PostgresSettings::new(url)
    }
}

/// Options of `migrate`.
#[derive(Clone, Debug, clap::Args)]
pub struct MigrateArgs {
    /// The Postgres database, and the role that owns its schema or will: `postgres://OWNER@HOST:PORT/NAME`.
    #[arg(long, env = "RAZZ_OWNER_DATABASE", value_name = "URL", hide_env_values = true)]
    pub database: String,
}

/// `razz-dealer migrate`.
pub(super) async fn migrate(args: &MigrateArgs) -> anyhow::Result<u8> {
    let url = DatabaseUrl::parse(&args.database)?;
    let Migrated { from, to } = bring_up_to_date(&url).await?;
    if from == to {
        say!("{url}: the schema has version {to} already");
    } else {
        say!("{url}: the schema went from version {from} to {to}");
    }
    Ok(CLEAN)
}

/// Brings the schema up to date, as its owner.
pub(super) async fn bring_up_to_date(url: &DatabaseUrl) -> anyhow::Result<Migrated> {
    let DatabaseUrl::Postgres(owner) = url else {
        anyhow::bail!("{url}: an SQLite database is brought up to date by whoever opens it; give postgres://...");
    };
    migrate_schema(&PostgresSettings::new(owner)).await.with_context(|| format!("database {url}"))
}
