//! The connections for reads and for commands that move wallets.

use std::sync::{Mutex, PoisonError};

use sqlx::postgres::PgConnectOptions;
use sqlx::{Connection, PgConnection};
use tokio::sync::{Semaphore, SemaphorePermit};

use super::PostgresSettings;
use super::line::{Failure, no_connection};
use crate::store::StoreError;

/// As many connections as there may be, made when they are needed.
///
/// No pool of the driver: that one asks a connection after each use whether it is still there, and waits for the answer
/// of one that has gone silent for as long as the system does, which is for ever.
pub(super) struct Lines {
    options: PgConnectOptions,
    settings: PostgresSettings,
    unused: Mutex<Vec<PgConnection>>,
    places: Semaphore,
}

/// A connection in use. One that is let go of in the middle of its use is closed, and nobody else waits with it.
pub(super) struct Borrowed<'a> {
    pub conn: PgConnection,
    _place: SemaphorePermit<'a>,
}

impl Lines {
    pub fn new(options: PgConnectOptions, settings: PostgresSettings) -> Lines {
        let places = Semaphore::new(settings.connections.max(1) as usize);
        Lines { options, settings, unused: Mutex::default(), places }
    }

    /// One that may have died while nobody used it.
    pub async fn borrow(&self) -> Result<Borrowed<'_>, Failure> {
        self.in_time(self.find(false)).await
    }

    /// One that was there just now, so that losing it later means that something was under way.
    pub async fn borrow_sound(&self) -> Result<Borrowed<'_>, Failure> {
        self.in_time(self.find(true)).await
    }

    async fn in_time<T>(&self, found: impl Future<Output = Result<T, Failure>>) -> Result<T, Failure> {
        if let Ok(found) = tokio::time::timeout(self.settings.acquire_timeout, found).await {
            return found;
        }
        self.forget();
        Err(away("there was no connection to be had in time".to_owned()))
    }

    async fn find(&self, sound: bool) -> Result<Borrowed<'_>, Failure> {
        let place = self.places.acquire().await.map_err(|_| away("it is closed".to_owned()))?;
        while let Some(mut conn) = self.pop() {
            if !sound || conn.ping().await.is_ok() {
                return Ok(Borrowed { conn, _place: place });
            }
            self.forget();
        }
        let conn = PgConnection::connect_with(&self.options).await;
        let conn = conn.map_err(|error| Failure::Undone(no_connection(&error)))?;
        Ok(Borrowed { conn, _place: place })
    }

    fn pop(&self) -> Option<PgConnection> {
        self.unused.lock().unwrap_or_else(PoisonError::into_inner).pop()
    }

    /// Takes a connection back after a use that came to this, if it can be used again.
    pub fn after<T>(&self, line: Borrowed<'_>, came_to: &Result<T, Failure>) {
        match came_to {
            Ok(_) if !self.places.is_closed() => {
                self.unused.lock().unwrap_or_else(PoisonError::into_inner).push(line.conn);
            }
            // What happened to it has happened to the others.
            Err(Failure::Lost(_) | Failure::Silent) => self.forget(),
            // It stands in a transaction that has failed.
            _ => {}
        }
    }

    /// Closes what nobody uses, without a word.
    fn forget(&self) {
        self.unused.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    /// Says goodbye. Whoever asks later gets none.
    pub async fn close(&self) {
        self.places.close();
        while let Some(conn) = self.pop() {
            if let Ok(Err(error)) = tokio::time::timeout(self.settings.acquire_timeout, conn.close()).await {
                tracing::debug!(%error, "a database connection did not close well");
            }
        }
    }
}

fn away(why: String) -> Failure {
    Failure::Undone(StoreError::Away(why))
}
