//! A dealer over a store of either kind, with the operating system's decks, and short ways to ask it.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use razz_dealer::dealer::{Ask, Dealer, DealerError, Decks, HandAnswer, Order, RequestId};
use razz_dealer::engine::{
    Chips, HouseRules, Nonce, PlayerId, Preset, Seat, Settings, Stakes, TableCommand, TableEvent, Viewer,
};
use razz_dealer::ledger::TableId;
use razz_dealer::record::{Record, Seq, StreamEvent, StreamId};
use razz_dealer::shuffle::{SealingKey, SealingKeys};
use razz_dealer::sim::Bots;
use razz_dealer::store::Store;
use razz_dealer::store::postgres::{PostgresSettings, PostgresStore};
use razz_dealer::store::sqlite::SqliteStore;
use razz_dealer::world::World;
use tempfile::TempDir;

use crate::database::Database;

pub const TABLE: TableId = TableId([3; 16]);
pub const DEAL: Order = Order::Deal { nonces: Vec::new() };

static ASKED: AtomicU32 = AtomicU32::new(0);

/// What a test's store stands on, kept until the test ends.
pub enum Ground {
    File(TempDir),
    Server(Database),
}

impl Ground {
    pub fn file() -> Ground {
        Ground::File(tempfile::tempdir().expect("a folder"))
    }

    pub async fn server() -> Ground {
        Ground::Server(Database::fresh().await)
    }

    /// A store over it, as a dealer opens it.
    pub async fn store(&self) -> Arc<dyn Store> {
        match self {
            Ground::File(folder) => Arc::new(SqliteStore::open(&folder.path().join("x.db")).await.expect("a store")),
            Ground::Server(database) => database.store().await,
        }
    }

    /// A store over it, as the schema's owner opens it.
    pub async fn owner_store(&self) -> Arc<dyn Store> {
        match self {
            Ground::File(_) => self.store().await,
            Ground::Server(database) => {
                let settings = PostgresSettings::new(&database.owner());
                Arc::new(PostgresStore::open(settings).await.expect("a store"))
            }
        }
    }

    /// The URL for a command, as the schema's owner.
    pub fn url(&self) -> String {
        match self {
            Ground::File(folder) => folder.path().join("x.db").display().to_string(),
            Ground::Server(database) => database.owner(),
        }
    }
}

/// A test over both kinds of store.
#[macro_export]
macro_rules! on_both {
    ($($promise:ident),+ $(,)?) => {
        mod over_sqlite {
            $(#[tokio::test(flavor = "multi_thread")]
            async fn $promise() {
                super::$promise(&$crate::house::Ground::file()).await;
            })+
        }
        mod over_postgres {
            $(#[tokio::test(flavor = "multi_thread")]
            async fn $promise() {
                super::$promise(&$crate::house::Ground::server().await).await;
            })+
        }
    };
}

pub fn ask() -> Ask {
    ask_as(&format!("h{}", ASKED.fetch_add(1, Ordering::Relaxed)))
}

pub fn ask_as(id: &str) -> Ask {
    Ask { request_id: RequestId::new(id).expect("an id"), actor: "test".to_owned(), trace: String::new() }
}

pub fn key(byte: u8) -> SealingKey {
    SealingKey::new([byte; 32])
}

pub fn chips(units: i64) -> Chips {
    Chips::new(units).expect("chips")
}

pub fn seat(number: u8) -> Seat {
    Seat::new(number).expect("a seat")
}

pub fn player(number: u8) -> PlayerId {
    PlayerId::new(&format!("p{number}")).expect("an id")
}

pub fn nonce(text: &str) -> Nonce {
    Nonce::new(text.as_bytes()).expect("a nonce")
}

pub fn viewer(number: u8) -> Viewer {
    Viewer::Player(player(number))
}

pub fn settings() -> Settings {
    Settings {
        stakes: Stakes::new(chips(1), chips(2), chips(10)).expect("stakes"),
        rules: Preset::PokerStars.rules(),
        auto_settle: false,
        act_allowance_ms: 0,
        settle_after_ms: 0,
        nonces: false,
        reveal_deck: false,
    }
}

pub struct House {
    pub store: Arc<dyn Store>,
    pub dealer: Dealer,
    pub bots: Bots,
}

impl House {
    pub async fn over(ground: &Ground, keys: impl Into<SealingKeys>) -> House {
        House::with(ground.store().await, keys, Decks::OsEntropy)
    }

    pub fn with(store: Arc<dyn Store>, keys: impl Into<SealingKeys>, decks: Decks) -> House {
        let dealer = Dealer::new(Arc::clone(&store), World::system(), keys, decks);
        House { store, dealer, bots: Bots::new(7) }
    }

    /// The table, with players in seats 1 to `players`, 500 each.
    pub async fn seated(ground: &Ground, settings: Settings, players: u8) -> House {
        let house = House::over(ground, key(1)).await;
        house.sit(settings, players).await;
        house
    }

    pub async fn sit(&self, settings: Settings, players: u8) {
        self.dealer.create_table(Some(TABLE), settings, &ask()).await.expect("a table");
        for number in 1..=players {
            self.dealer.deposit(player(number), chips(10_000), &ask()).await.expect("a deposit");
            let (seat, player) = (seat(number), player(number));
            let sit = TableCommand::TakeSeat { seat, player, chips: chips(500), card_key: None };
            self.change(sit).await.expect("a seat");
        }
    }

    pub async fn change(&self, command: TableCommand) -> Result<razz_dealer::dealer::TableAnswer, DealerError> {
        self.dealer.change_table(TABLE, command, &ask()).await
    }

    pub async fn play(&self, order: Order) -> Result<HandAnswer, DealerError> {
        self.dealer.play(TABLE, &ask(), &order, &Viewer::Public).await
    }

    pub async fn deal(&self) -> HandAnswer {
        self.play(DEAL).await.expect("a deal")
    }

    /// Plays the hand until nobody is to act any more.
    pub async fn play_out(&mut self, mut hand: HandAnswer) -> HandAnswer {
        while let Some((seat, action)) = self.bots.choose(&hand.view) {
            let act = Order::Act { hand: hand.view.number, seat, action, to: None, expected_seq: Some(hand.seq) };
            hand = self.play(act).await.expect("a legal action");
        }
        hand
    }

    /// Deals, plays out and settles; the seats are then as at the beginning, or better off.
    pub async fn whole_hand(&mut self) -> HandAnswer {
        let hand = self.deal().await;
        let number = self.play_out(hand).await.view.number;
        let settled = self.play(Order::Settle { hand: number }).await.expect("a settlement");
        self.top_up().await;
        settled
    }

    /// Brings every seat to 500 again, so that nobody is ever out of chips.
    pub async fn top_up(&self) {
        for at in self.dealer.table(TABLE).await.expect("a table").seats {
            let missing = 500 - at.chips.units();
            if missing > 0 {
                self.change(TableCommand::AddChips { player: at.player, chips: chips(missing) }).await.expect("chips");
            }
        }
    }

    /// The hand as this viewer sees it.
    pub async fn seen(&self, hand: u64, viewer: &Viewer) -> HandAnswer {
        self.dealer.hand(TABLE, Some(hand), viewer).await.expect("a hand")
    }

    /// All records of the table.
    pub async fn records(&self) -> Vec<Record> {
        let records = self.store.records(StreamId::of_table(TABLE), Seq(0), u32::MAX).await.expect("the records");
        records.iter().map(|sealed| sealed.record().expect("a record")).collect()
    }

    /// All events of the table, each with the actor of its record.
    pub async fn events(&self) -> Vec<(String, TableEvent)> {
        let mut events = Vec::new();
        for record in self.records().await {
            for event in record.events {
                let StreamEvent::Table(event) = event else { continue };
                events.push((record.actor.clone(), event));
            }
        }
        events
    }

    pub async fn close(self) {
        drop(self.dealer);
        self.store.close().await;
    }
}

/// Rules under which mucked hands are seen by these alone.
pub fn with_mucked(rules: HouseRules, mucked_hands_in_history: razz_dealer::engine::MuckedHands) -> HouseRules {
    HouseRules { mucked_hands_in_history, ..rules }
}
