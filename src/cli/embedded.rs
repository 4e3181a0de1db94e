//! The whole service inside this process, on a free port with a temporary database: for `demo`, `replay` and tests.

use std::net::SocketAddr;
use std::sync::Arc;

use tempfile::TempDir;
use tokio::net::TcpListener;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use crate::dealer::{Dealer, Decks};
use crate::store::Store;
use crate::store::sqlite::SqliteStore;
use crate::world::World;
use crate::{grpc, keyfile};

/// A running service. Nothing of it is left once it is shut down.
pub struct Embedded {
    addr: SocketAddr,
    store: Arc<SqliteStore>,
    stop: oneshot::Sender<()>,
    server: JoinHandle<anyhow::Result<()>>,
    folder: TempDir,
}

impl Embedded {
    /// Starts a service whose decks come from `decks`.
    ///
    /// # Errors
    /// Where there is no room for a database, or no port.
    pub async fn start(world: World, decks: Decks) -> anyhow::Result<Embedded> {
        let folder = tempfile::Builder::new().prefix("razz-dealer-").tempdir()?;
        let store = Arc::new(SqliteStore::open(&folder.path().join("razz-dealer.db")).await?);
        let key = keyfile::load_or_create(&folder.path().join("razz-dealer.db.key"), &world)?;
        let dealer = Arc::new(Dealer::new(Arc::clone(&store) as Arc<dyn Store>, world, key, decks));
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
        Ok(Embedded { addr, store, stop, server, folder })
    }

    /// Where it listens.
    pub const fn addr(&self) -> SocketAddr {
        self.addr
    }

    /// Its store, for checks of the record.
    pub fn store(&self) -> &dyn Store {
        &*self.store
    }

    /// Stops it and takes its database away.
    ///
    /// # Errors
    /// Where the service had failed.
    pub async fn shut_down(self) -> anyhow::Result<()> {
        // A receiver that is gone means that the server has ended by itself; its result tells.
        let _ = self.stop.send(());
        self.server.await??;
        self.store.close().await;
        Ok(self.folder.close()?)
    }
}
