//! A file in which much has happened, and ways to change it.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use razz_dealer::audit::{Difference, reconcile};
use razz_dealer::dealer::{Ask, Dealer, Decks, HandAnswer, Order, RequestId};
use razz_dealer::engine::{
    Action, Card, Chips, Deck, PlayerId, Preset, Rake, Seat, Settings, Stakes, TableCommand, Viewer,
};
use razz_dealer::ledger::TableId;
use razz_dealer::record::{Hash, Record, Seq, StreamId, seal};
use razz_dealer::shuffle::SealingKey;
use razz_dealer::sim::{Bots, deck};
use razz_dealer::store::Store;
use razz_dealer::store::sqlite::SqliteStore;
use razz_dealer::world::World;

use crate::audit::tamper;

/// Where the hands are played.
pub const TABLE: TableId = TableId([7; 16]);
/// A table at which nobody ever sat.
pub const EMPTY: TableId = TableId([8; 16]);
/// The hand that two players split.
const SPLIT: u64 = 3;

pub fn chips(units: i64) -> Chips {
    Chips::new(units).expect("chips")
}

pub fn player(number: u8) -> PlayerId {
    PlayerId::new(&format!("p{number}")).expect("a player id")
}

fn seat(number: u8) -> Seat {
    Seat::new(number).expect("a seat")
}

/// A dealer over a file, and what is asked of it under ids that count up.
pub struct Scene {
    pub store: Arc<SqliteStore>,
    pub dealer: Dealer,
    asked: u32,
    bots: Bots,
}

impl Scene {
    /// Over a new file.
    pub async fn over(path: &Path) -> Scene {
        let store = Arc::new(SqliteStore::open(path).await.expect("a store"));
        let decks = Decks::Scripted(Arc::new(|_, hand| Some(if hand == SPLIT { pairs() } else { deck(5, hand) })));
        let world = World::scripted(1_750_000_000_000_000, 1000, 5);
        let dealer = Dealer::new(Arc::clone(&store) as Arc<dyn Store>, world, SealingKey::new([9; 32]), decks);
        Scene { store, dealer, asked: 0, bots: Bots::new(5) }
    }

    pub fn ask(&mut self) -> Ask {
        self.asked += 1;
        let request_id = RequestId::new(&format!("r{}", self.asked)).expect("an id");
        Ask { request_id, actor: "test".to_owned(), trace: String::new() }
    }

    pub async fn create(&mut self, table: TableId, auto_settle: bool) {
        let stakes = Stakes::new(chips(1), chips(2), chips(10)).expect("stakes");
        let rake = Rake::new(chips(1), chips(10), [None; 7], false).expect("a rake");
        let mut rules = Preset::PokerStars.rules();
        rules.rake = Some(rake);
        let settings = Settings {
            stakes,
            rules,
            auto_settle,
            act_allowance_ms: 30_000,
            settle_after_ms: 0,
            nonces: false,
            reveal_deck: false,
        };
        let ask = self.ask();
        self.dealer.create_table(Some(table), settings, &ask).await.expect("a table");
    }

    pub async fn change(&mut self, command: TableCommand) {
        let ask = self.ask();
        self.dealer.change_table(TABLE, command, &ask).await.expect("a change");
    }

    pub async fn deposit(&mut self, number: u8, amount: i64) {
        let ask = self.ask();
        self.dealer.deposit(player(number), chips(amount), &ask).await.expect("a deposit");
    }

    pub async fn sit(&mut self, number: u8, amount: i64) {
        self.change(TableCommand::TakeSeat {
            seat: seat(number),
            player: player(number),
            chips: chips(amount),
            card_key: None,
        })
        .await;
    }

    pub async fn play(&mut self, order: Order) -> HandAnswer {
        let ask = self.ask();
        self.dealer.play(TABLE, &ask, &order, &Viewer::Public).await.expect("an order")
    }

    /// Plays until all play is over: as the bots do, or ever higher.
    pub async fn play_out(&mut self, mut hand: HandAnswer, high: bool) -> HandAnswer {
        const HIGH: [Action; 8] = [
            Action::Raise,
            Action::Complete,
            Action::Bet,
            Action::Call,
            Action::Check,
            Action::BringIn,
            Action::Show,
            Action::Muck,
        ];
        loop {
            let legal = &hand.view.legal;
            let highest = || Some((legal.seat?, HIGH.into_iter().find(|action| legal.offer(*action).is_some())?));
            let Some((seat, action)) = (if high { highest() } else { self.bots.choose(&hand.view) }) else {
                return hand;
            };
            let order = Order::Act { hand: hand.view.number, seat, action, to: None, expected_seq: Some(hand.seq) };
            hand = self.play(order).await;
        }
    }

    async fn settle(&mut self, hand: &HandAnswer) {
        self.play(Order::Settle { hand: hand.view.number }).await;
    }

    /// Hands with three all-in levels, a split and a void, chips brought and taken away, and at the end an open hand.
    async fn play_all(&mut self) {
        self.create(TABLE, false).await;
        self.create(EMPTY, false).await;
        for (number, stack) in [(1, 15), (2, 40), (3, 90), (4, 500)] {
            self.deposit(number, 1_000).await;
            self.sit(number, stack).await;
        }
        self.deposit(5, 70).await;
        self.deposit(5, 30).await;

        let hand = self.play(DEAL).await;
        let hand = self.play_out(hand, true).await;
        assert!(hand.view.awards.len() >= 3, "three all-in levels: {:?}", hand.view.awards);
        self.settle(&hand).await;
        for number in 1..=4 {
            self.change(TableCommand::AddChips { player: player(number), chips: chips(200) }).await;
        }
        let hand = self.play(DEAL).await;
        let hand = self.play_out(hand, false).await;
        self.settle(&hand).await;

        for number in [3, 4] {
            self.change(TableCommand::SetSittingOut { player: player(number), sitting_out: true }).await;
        }
        let hand = self.play(DEAL).await;
        assert_eq!(hand.view.number, SPLIT);
        let hand = self.play_out(hand, true).await;
        assert!(hand.view.awards.iter().any(|award| award.shares.len() == 2), "a split: {:?}", hand.view.awards);
        self.settle(&hand).await;

        let hand = self.play(DEAL).await;
        self.play(Order::Void { hand: hand.view.number, reason: "a test".into() }).await;
        self.change(TableCommand::LeaveSeat { player: player(3) }).await;
        let ask = self.ask();
        self.dealer.withdraw(player(3), chips(50), &ask).await.expect("a withdrawal");
        let hand = self.play(DEAL).await;
        let (seat, action) = self.bots.choose(&hand.view).expect("somebody must open");
        let act = Order::Act { hand: hand.view.number, seat, action, to: None, expected_seq: None };
        let hand = self.play(act).await;
        assert!(hand.deadline.is_some(), "it waits for somebody");
        self.change(TableCommand::AddChips { player: player(1), chips: chips(25) }).await;
    }
}

/// A deal without nonces.
pub const DEAL: Order = Order::Deal { nonces: Vec::new() };

/// Two players who are dealt from this deck hold the same ranks.
fn pairs() -> Deck {
    let mut cards: Vec<Card> = Card::all().collect();
    cards.sort_by_key(|card| card.rank());
    Deck::new(cards.try_into().expect("52 cards")).expect("a deck")
}

/// A file in which all of that has happened.
pub async fn played(folder: &Path) -> PathBuf {
    let path = folder.join("played.db");
    let mut scene = Scene::over(&path).await;
    Box::pin(scene.play_all()).await;
    scene.store.close().await;
    path
}

/// What a reconciliation of the file finds.
pub async fn found(path: &Path, only: Option<TableId>) -> Vec<Difference> {
    let store = SqliteStore::open(path).await.expect("a store");
    let reconciled = reconcile(&store, only, &mut |_| {}).await.expect("reconciled");
    store.close().await;
    reconciled.differences
}

/// Writes the stream's history anew with one record changed: whoever may write the file can make every hash right
/// again, but not the events.
pub async fn forge(path: &Path, stream: StreamId, change: impl Fn(&mut Record) -> bool) -> Seq {
    let store = SqliteStore::open(path).await.expect("a store");
    let (head, records) = (store.head(stream).await, store.records(stream, Seq(0), u32::MAX).await);
    store.close().await;
    let head = head.expect("a head").expect("the stream's");
    let (mut hash, mut sql, mut changed) = (Hash::default(), String::new(), None);
    for sealed in records.expect("the records") {
        let mut record = sealed.record().expect("a record");
        if changed.is_none() && change(&mut record) {
            changed = Some(sealed.seq);
        }
        let again = seal(hash, stream, sealed.seq, &record);
        hash = again.hash;
        let (at, bytes) = (place(stream, sealed.seq), hex(&again.bytes));
        sql += &["UPDATE records SET bytes = ", &bytes, ", hash = ", &hex(&hash.0), " WHERE ", &at, ";"].concat();
    }
    sql += &["UPDATE heads SET hash = ", &hex(&hash.0), " WHERE stream = ", &hex(&head.stream.0)].concat();
    tamper(path, &sql).await;
    changed.expect("a record to change")
}

pub fn place(stream: StreamId, seq: Seq) -> String {
    format!("stream = {} AND seq = {}", hex(&stream.0), seq.0)
}

/// Bytes as SQL reads them.
pub fn hex(bytes: &[u8]) -> String {
    let digits =
        bytes.iter().flat_map(|byte| [byte >> 4, byte & 15]).filter_map(|digit| char::from_digit(digit.into(), 16));
    format!("x'{}'", digits.collect::<String>())
}
