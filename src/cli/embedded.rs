//! The whole service inside this process, on a free port: for `demo`, `replay`, `load` and tests.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context;
use tempfile::TempDir;
use tokio::net::TcpListener;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use crate::config::sqlite_path;
use crate::dealer::{Dealer, Decks};
use crate::store::Store;
use crate::store::sqlite::SqliteStore;
use crate::world::World;
use crate::{grpc, keyfile};

/// The store of a database URL.
///
/// # Errors
/// Where there is no such database, or it is not to be had.
pub async fn open(url: &str) -> anyhow::Result<Arc<dyn Store>> {
    let path = sqlite_path(url)?;
    let store = SqliteStore::open(&path).await.with_context(|| format!("database {}", path.display()))?;
    Ok(Arc::new(store))
}

/// The key file of a database that has one beside it, as `serve` has it.
fn key_path(url: &str) -> anyhow::Result<PathBuf> {
    let mut path = sqlite_path(url)?.into_os_string();
    path.push(".key");
    Ok(path.into())
}

/// A running service. Of one with a temporary database nothing is left once it is shut down.
pub struct Embedded {
    addr: SocketAddr,
    store: Arc<dyn Store>,
    stop: oneshot::Sender<()>,
    server: JoinHandle<anyhow::Result<()>>,
    folder: Option<TempDir>,
}

impl Embedded {
    /// Starts a service with a temporary database, whose decks come from `decks`.
    ///
    /// # Errors
    /// Where there is no room for a database, or no port.
    pub async fn start(world: World, decks: Decks) -> anyhow::Result<Embedded> {
        let folder = tempfile::Builder::new().prefix("razz-dealer-").tempdir()?;
        let path = folder.path().join("razz-dealer.db");
        let store = Arc::new(SqliteStore::open(&path).await?);
        let key = folder.path().join("razz-dealer.db.key");
        Ok(Embedded { folder: Some(folder), ..Embedded::over(store, &key, world, decks).await? })
    }

    /// Starts a service over this database, which stays.
    ///
    /// # Errors
    /// As [`open`], and where there is no key or no port.
    pub async fn start_on(url: &str, world: World, decks: Decks) -> anyhow::Result<Embedded> {
        Embedded::over(open(url).await?, &key_path(url)?, world, decks).await
    }

    async fn over(store: Arc<dyn Store>, key: &Path, world: World, decks: Decks) -> anyhow::Result<Embedded> {
        let key = keyfile::load_or_create(key, &world)?;
        let dealer = Arc::new(Dealer::new(Arc::clone(&store), world, key, decks));
        let listener = TcpListener::bind((std::net::Ipv4Addr::LOCALHOST, 0)).await?;
        let addr = listener.local_addr()?;
        let (stop, stopped) = oneshot::channel();
        let server = tokio::spawn(async move {
            let until = async move {
                // Stopped, or its owner is gone: either way it is over.
                let _ = stopped.await;
            };
            grpc::serve(listener, dealer, until).await
        });
        Ok(Embedded { addr, store, stop, server, folder: None })
    }

    /// Where it listens.
    pub const fn addr(&self) -> SocketAddr {
        self.addr
    }

    /// Its store, for checks of the record.
    pub fn store(&self) -> &dyn Store {
        &*self.store
    }

    /// Stops it, and takes a temporary database away.
    ///
    /// # Errors
    /// Where the service had failed.
    pub async fn shut_down(self) -> anyhow::Result<()> {
        // A receiver that is gone means that the server has ended by itself; its result tells.
        let _ = self.stop.send(());
        self.server.await??;
        self.store.close().await;
        self.folder.map_or(Ok(()), |folder| Ok(folder.close()?))
    }
}
