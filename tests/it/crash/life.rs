//! One life of the service: it is never closed, its tasks are dropped where they stand.

use std::path::PathBuf;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use razz_dealer::dealer::{Dealer, Decks};
use razz_dealer::grpc;
use razz_dealer::grpc::client::Client;
use razz_dealer::shuffle::SealingKey;
use razz_dealer::store::postgres::{PostgresSettings, PostgresStore};
use razz_dealer::store::sqlite::SqliteStore;
use razz_dealer::store::{Store, StoreError};
use razz_dealer::world::World;
use tokio::net::TcpListener;
use tokio::runtime::Runtime;

use crate::faults::{Fault, Faulty};

/// Where the record is kept from life to life.
#[derive(Clone)]
pub enum Place {
    File(PathBuf),
    Server(String),
}

pub struct Life {
    pub runtime: Runtime,
    pub client: Client,
    pub store: Arc<Faulty>,
}

impl Life {
    /// A life that meets this fault at its `nth` commit; 0 for none.
    pub fn begin(place: &Place, decks: Decks, fault: Fault, nth: u64) -> Life {
        let runtime = Runtime::new().expect("a runtime");
        let (store, client) = runtime.block_on(async {
            let store = Arc::new(Faulty::new(open(place).await, fault, nth));
            let key = SealingKey::new([6; 32]);
            let dealer = Dealer::new(Arc::clone(&store) as Arc<dyn Store>, World::system(), key, decks);
            let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
            let addr = listener.local_addr().expect("a port");
            tokio::spawn(grpc::serve(listener, Arc::new(dealer), std::future::pending()));
            (store, Client::connect(addr).await.expect("it listens"))
        });
        Life { runtime, client, store }
    }

    pub fn end(self) {
        drop((self.client, self.store));
        self.runtime.shutdown_timeout(Duration::from_secs(5));
    }
}

/// The last life's connection to a file is closed by a thread of its own, which may still be at it.
async fn open(place: &Place) -> Arc<dyn Store> {
    let path = match place {
        Place::Server(url) => return Arc::new(PostgresStore::open(PostgresSettings::new(url)).await.expect("a store")),
        Place::File(path) => path,
    };
    for _ in 0..100 {
        match SqliteStore::open(path).await {
            Err(StoreError::Held) => thread::sleep(Duration::from_millis(5)),
            opened => return Arc::new(opened.expect("a store")),
        }
    }
    panic!("{} is held for ever", path.display());
}
