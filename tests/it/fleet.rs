//! Several dealers over one Postgres database: inside the test, whose decks can be scripted, and as processes of their
//! own. All of them share the key that seals decks.

use std::sync::Arc;

use razz_dealer::audit;
use razz_dealer::dealer::{Dealer, Decks};
use razz_dealer::grpc;
use razz_dealer::grpc::client::Client;
use razz_dealer::keyfile;
use razz_dealer::sim;
use razz_dealer::store::Store;
use razz_dealer::store::postgres::{PostgresSettings, PostgresStore};
use razz_dealer::world::World;
use tempfile::TempDir;
use tokio::net::TcpListener;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use crate::database::Database;
use crate::process::command::{Serve, command, run};

/// A database, and the key of the dealers over it.
pub struct Fleet {
    pub database: Database,
    folder: TempDir,
}

impl Fleet {
    pub async fn fresh() -> Fleet {
        let (database, folder) = (Database::fresh().await, tempfile::tempdir().expect("a folder"));
        let fleet = Fleet { database, folder };
        let made = run(&["keys", "new", &fleet.key_file()]);
        assert_eq!(made.code, Some(0), "{}", made.err);
        fleet
    }

    pub fn key_file(&self) -> String {
        self.folder.path().join("razz.key").display().to_string()
    }

    /// A process that serves the database.
    pub fn serve(&self) -> Serve {
        self.serve_at(&self.database.dealer(), &[])
    }

    /// A process that reaches the database by this URL, with more options.
    pub fn serve_at(&self, url: &str, more: &[&str]) -> Serve {
        let key = self.key_file();
        let args = ["serve", "--listen", "127.0.0.1:0", "--database", url, "--key-file", &key, "--log-json"];
        Serve::spawn(command(&[&args[..], more].concat()))
    }

    /// A dealer in the test, whose decks are those of the seed.
    pub async fn member(&self, seed: u64) -> Member {
        self.member_by(PostgresSettings::new(&self.database.dealer()), seed).await
    }

    /// As [`Fleet::member`], over a store of these settings.
    pub async fn member_by(&self, settings: PostgresSettings, seed: u64) -> Member {
        let store = Arc::new(PostgresStore::open(settings).await.expect("a store"));
        let key = keyfile::load(self.folder.path().join("razz.key").as_path()).expect("a key file").expect("a key");
        let decks = Decks::Scripted(Arc::new(move |_, hand| Some(sim::deck(seed, hand))));
        let dealer = Arc::new(Dealer::new(Arc::clone(&store) as Arc<dyn Store>, World::system(), key, decks));
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let addr = listener.local_addr().expect("a port");
        let (stop, stopped) = oneshot::channel::<()>();
        let until = async move { drop(stopped.await) };
        let server = tokio::spawn(grpc::serve(listener, Arc::clone(&dealer), until));
        let client = Client::connect(addr).await.expect("it listens");
        Member { store, dealer, client, stop, server }
    }

    pub async fn members(&self, count: usize, seed: u64) -> Vec<Member> {
        let mut members = Vec::new();
        for _ in 0..count {
            members.push(self.member(seed).await);
        }
        members
    }

    /// All books agree.
    pub async fn reconcile(&self) {
        let store = self.database.store().await;
        let reconciled = audit::reconcile(&*store as &dyn Store, None, &mut |_| {}).await.expect("reconciled");
        assert_eq!(reconciled.differences, []);
        assert!(reconciled.progress.records > 0, "there is something to reconcile");
        store.close().await;
    }
}

/// A dealer with its own store and its own server.
pub struct Member {
    pub store: Arc<PostgresStore>,
    pub dealer: Arc<Dealer>,
    pub client: Client,
    stop: oneshot::Sender<()>,
    server: JoinHandle<anyhow::Result<()>>,
}

impl Member {
    pub async fn shut_down(self) {
        drop(self.client);
        // A server that has ended by itself tells by its result.
        let _ = self.stop.send(());
        self.server.await.expect("joined").expect("a clean end");
        self.store.close().await;
    }
}

pub fn clients(members: &[Member]) -> Vec<Client> {
    members.iter().map(|member| member.client.clone()).collect()
}

pub async fn shut_down(members: Vec<Member>) {
    for member in members {
        member.shut_down().await;
    }
}
