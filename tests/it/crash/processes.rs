//! `load` with a journal over real processes that are killed with SIGKILL, and over a database that is crashed. How
//! often, `RAZZ_CRASH_KILLS` and `RAZZ_CRASH_DATABASE_KILLS` may tell.

use std::net::{SocketAddr, TcpListener};
use std::path::PathBuf;
use std::time::Duration;

use razz_dealer::audit;
use razz_dealer::ledger::TableId;
use razz_dealer::sim::Dice;
use razz_dealer::store::Store;
use razz_dealer::store::sqlite::SqliteStore;
use razz_dealer::world::World;
use tempfile::TempDir;

use crate::database::{Cluster, Database};
use crate::journal::{self, Records};
use crate::process::command::{Ended, Running, Serve, command, run};

const TABLES: u64 = 8;
/// What each table plays in a round.
const HANDS: u64 = 30;
/// How long a round may take.
const ROUND: Duration = Duration::from_mins(5);

/// How many blows there are to be.
fn told(name: &str, usual: u64) -> u64 {
    std::env::var(name).map_or(usual, |text| text.parse().unwrap_or_else(|_| panic!("{name} is {text:?}")))
}

/// What is killed.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Victim {
    Dealer,
    Database,
}

/// Where the record is kept.
enum Base {
    File(PathBuf),
    // In this order they are dropped.
    Server(Database, Cluster),
}

/// Dealers over one database, each at an address that stays its own.
struct House {
    base: Base,
    addrs: Vec<SocketAddr>,
    dealers: Vec<Serve>,
    dice: Dice,
    folder: TempDir,
}

impl House {
    fn over(base: Base, folder: TempDir, dealers: usize) -> House {
        let house = House { base, addrs: free(dealers), dealers: Vec::new(), dice: Dice::new(31, 0), folder };
        let key = run(&["keys", "new", &house.path("key")]);
        assert_eq!(key.code, Some(0), "{}", key.err);
        house
    }

    fn path(&self, name: &str) -> String {
        self.folder.path().join(name).display().to_string()
    }

    fn url(&self) -> String {
        match &self.base {
            Base::File(path) => format!("sqlite:{}", path.display()),
            Base::Server(database, _) => database.dealer(),
        }
    }

    fn serve(&self, addr: SocketAddr) -> Serve {
        let (addr, url, key) = (addr.to_string(), self.url(), self.path("key"));
        Serve::spawn(command(&["serve", "--listen", &addr, "--database", &url, "--key-file", &key, "--log-json"]))
    }

    async fn pause(&mut self, least: u64, more: u64) {
        tokio::time::sleep(Duration::from_millis(least + self.dice.below(more))).await;
    }

    /// One blow, and what stood before stands again.
    async fn strike(&mut self, victim: Victim) {
        match (victim, &self.base) {
            (Victim::Dealer, _) => {
                let drawn = self.dice.below(self.addrs.len() as u64);
                let dealer = self.dealers.remove(usize::try_from(drawn).expect("a dealer"));
                let addr = dealer.addr();
                dealer.kill();
                self.dealers.push(self.serve(addr));
                self.pause(100, 300).await;
            }
            (Victim::Database, Base::Server(_, cluster)) => {
                let begun = World::system().now();
                cluster.crash();
                cluster.start_again();
                println!("the database was away for {} ms", (World::system().now() - begun) / 1_000);
                self.pause(500, 1_000).await;
            }
            (Victim::Database, Base::File(_)) => panic!("a file is no server"),
        }
    }

    /// `load` to its end, which must be clean, with so many blows at most. Gives how many there were.
    async fn round(&mut self, victim: Victim, most: u64) -> u64 {
        self.dealers = self.addrs.iter().map(|&addr| self.serve(addr)).collect();
        let addrs = self.addrs.iter().map(ToString::to_string).collect::<Vec<_>>().join(",");
        let (tables, hands, journal) = (TABLES.to_string(), HANDS.to_string(), self.path("journal"));
        let args = ["--connect", &addrs, "--tables", &tables, "--hands", &hands, "--journal", &journal, "--json"];
        let mut load = Running::start(&[&["load"], &args[..]].concat());
        let mut struck = 0;
        self.pause(50, 200).await;
        while struck < most && load.is_running() {
            self.strike(victim).await;
            struck += 1;
        }
        let Ended { code, out, err } = load.ended(ROUND);
        assert_eq!(code, Some(0), "{victim:?}, after {struck}: {out}{err}");
        let report: serde_json::Value = serde_json::from_str(&out).unwrap_or_else(|why| panic!("{why}: {out}"));
        assert_eq!(report["hands"].as_u64(), Some(TABLES * HANDS), "{report}");
        assert!(report["retries"].as_u64() > Some(0), "no blow was felt: {report}");
        println!("{struck} blows to a {victim:?} in a round: {report}");
        for dealer in self.dealers.drain(..) {
            assert_eq!(dealer.terminate(), Some(0), "it can still stop well");
        }
        struck
    }

    /// What is kept, compared with what was told, outside the service; then as the service itself checks it.
    async fn compare(&self) {
        let url = self.url();
        let (records, store): (Records, Box<dyn Store>) = match &self.base {
            Base::File(path) => {
                let records = Records::in_file(path).await;
                (records, Box::new(SqliteStore::open(path).await.expect("a store")))
            }
            Base::Server(database, _) => {
                (Records::on_server(&database.owner()).await, Box::new(database.connect().await))
            }
        };
        let journal = journal::read(&self.folder.path().join("journal"));
        records.are_all_in(&journal);
        println!("{} lines of the journal are in the record, in {} streams", journal.len(), records.streams());
        let (mut after, mut tables) = (None, 0);
        loop {
            let page = store.tables(after, 100).await.expect("tables");
            let Some(last) = page.last() else { break };
            after = Some(TableId(last.stream.0));
            for head in &page {
                let whole = audit::verify_table(&*store, TableId(head.stream.0)).await;
                let whole = whole.unwrap_or_else(|finding| panic!("{finding}"));
                assert_eq!(whole.hands, HANDS, "each hand once");
                tables += 1;
            }
        }
        assert_eq!(tables % TABLES, 0, "{tables} tables");
        store.close().await;
        let reconciled = run(&["reconcile", "--database", &url]);
        assert_eq!(reconciled.code, Some(0), "{}{}", reconciled.out, reconciled.err);
        let open = run(&["recover", "--dry-run", "--database", &url]);
        let none = "0 wait for a player, 0 are played out and wait for Settle, 0 are to be settled now";
        assert_eq!((open.code, open.out.contains(none)), (Some(0), true), "{}{}", open.out, open.err);
    }

    /// Rounds until there were so many blows.
    async fn withstands(&mut self, victim: Victim, blows: u64) {
        let mut left = blows;
        while left > 0 {
            let struck = self.round(victim, left).await;
            assert!(struck > 0, "load is over before anything was killed");
            left -= struck;
            self.compare().await;
        }
    }
}

/// Addresses below those that the system gives to outgoing connections: none of them takes one whose dealer is down.
fn free(count: usize) -> Vec<SocketAddr> {
    let mut addrs: Vec<SocketAddr> = Vec::new();
    while addrs.len() < count {
        let random = u16::from_be_bytes(World::system().random().expect("randomness"));
        let addr = SocketAddr::from(([127, 0, 0, 1], 20_000 + random % 12_000));
        if !addrs.contains(&addr) && TcpListener::bind(addr).is_ok() {
            addrs.push(addr);
        }
    }
    addrs
}

#[tokio::test(flavor = "multi_thread")]
async fn load_over_a_file_whose_dealer_is_killed() {
    let folder = tempfile::tempdir().expect("a folder");
    let base = Base::File(folder.path().join("crash.db"));
    House::over(base, folder, 1).withstands(Victim::Dealer, told("RAZZ_CRASH_KILLS", 20)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn load_over_two_dealers_and_a_server_that_are_killed() {
    let cluster = Cluster::start();
    let base = Base::Server(cluster.database().await, cluster);
    let mut house = House::over(base, tempfile::tempdir().expect("a folder"), 2);
    house.withstands(Victim::Dealer, told("RAZZ_CRASH_KILLS", 20)).await;
    house.withstands(Victim::Database, told("RAZZ_CRASH_DATABASE_KILLS", 3)).await;
}
