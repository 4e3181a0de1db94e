//! The whole service inside this process, on a free port: for `demo`, `replay`, `load` and tests.

use std::net::SocketAddr;
use std::sync::Arc;

use tempfile::TempDir;
use tokio::net::TcpListener;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use crate::dealer::{Dealer, Decks};
use crate::grpc;
use crate::shuffle::SealingKey;
use crate::store::Store;
use crate::store::sqlite::SqliteStore;
use crate::world::World;

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
        Ok(Embedded { folder: Some(folder), ..Embedded::start_over(store, world, decks).await? })
    }

    /// Starts a service over this database, which stays. Its decks are sealed under a key that goes with it.
    ///
    /// # Errors
    /// Where there is no randomness or no port.
    pub async fn start_over(store: Arc<dyn Store>, world: World, decks: Decks) -> anyhow::Result<Embedded> {
        let key = SealingKey::new(world.random()?);
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
