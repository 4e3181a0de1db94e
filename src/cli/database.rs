//! The store behind a database URL, for commands that only read.

use anyhow::Context;

use crate::config::sqlite_path;
use crate::store::sqlite::SqliteStore;
use crate::store::{Store, StoreError};

/// An open store, to be closed when all is read.
pub(super) enum Database {
    /// A file, which this process holds alone.
    Sqlite(SqliteStore),
}

impl Database {
    /// Opens a database that is there; none is made.
    pub async fn open(url: &str) -> anyhow::Result<Database> {
        let path = sqlite_path(url)?;
        let place = || format!("database {}", path.display());
        if !path.is_file() {
            return Err(StoreError::Away("there is no such file".to_owned())).with_context(place);
        }
        Ok(Database::Sqlite(SqliteStore::open(&path).await.with_context(place)?))
    }

    pub fn store(&self) -> &dyn Store {
        let Database::Sqlite(store) = self;
        store
    }

    pub async fn close(&self) {
        let Database::Sqlite(store) = self;
        store.close().await;
    }
}
