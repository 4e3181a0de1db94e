//! One run, in a process of its own: a service with fixed time and ids plays its hands, and every answer to those who
//! may not see is written down.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use prost::Message;
use razz_dealer::cli::embedded::Embedded;
use razz_dealer::dealer::Decks;
use razz_dealer::engine::{Card, Deck};
use razz_dealer::grpc::client::{Client, view_of};
use razz_dealer::pb;
use razz_dealer::pb::viewer::{Auditor, Platform, Player, Public, Who};
use razz_dealer::record::Coded;
use razz_dealer::sim::Bots;
use razz_dealer::store::Store;
use razz_dealer::store::postgres::{PostgresSettings, PostgresStore};
use razz_dealer::store::sqlite::SqliteStore;
use razz_dealer::telemetry;
use razz_dealer::world::World;
use serde_json::{Value, json};
use tonic_types::StatusExt;

/// Tells a run where its plan is.
pub const CHILD: &str = "RAZZ_LEAK_RUN";
pub const TABLE: &str = "0198c0de-0000-7000-8000-0000000000ee";
const PLAYERS: i32 = 5;
const CHIPS: i64 = 300;

/// What a run is to play.
pub struct Plan {
    pub url: String,
    pub seed: u64,
    pub hands: u64,
    pub decks: Vec<Deck>,
    /// What is logged.
    pub log: String,
}

impl Plan {
    pub fn text(&self) -> String {
        let decks: Vec<Vec<u8>> =
            self.decks.iter().map(|deck| deck.order().iter().map(|card| card.index()).collect()).collect();
        json!({ "url": self.url, "seed": self.seed, "hands": self.hands, "decks": decks, "log": self.log }).to_string()
    }

    fn read(folder: &Path) -> Plan {
        let text = std::fs::read_to_string(folder.join("plan.json")).expect("a plan");
        let plan: Value = serde_json::from_str(&text).expect("JSON");
        let deck = |deck: &Value| {
            let card =
                |index: &Value| Card::from_index(u8::try_from(index.as_u64().expect("a number")).expect("small"));
            let cards = deck.as_array().expect("a list").iter().map(|index| card(index).expect("a card"));
            Deck::new(cards.collect::<Vec<_>>().try_into().expect("52 cards")).expect("a deck")
        };
        Plan {
            url: plan["url"].as_str().expect("a text").to_owned(),
            seed: plan["seed"].as_u64().expect("a number"),
            hands: plan["hands"].as_u64().expect("a number"),
            log: plan["log"].as_str().expect("a text").to_owned(),
            decks: plan["decks"].as_array().expect("a list").iter().map(deck).collect(),
        }
    }
}

/// The world of both runs: every clock and every draw is the same.
pub fn world(seed: u64) -> World {
    World::scripted(1_750_000_000_000_000, 1_000, seed)
}

struct Playing {
    client: Client,
    bots: Bots,
    asked: u64,
    /// Each answer: how it is called, and its bytes.
    answers: Vec<Value>,
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().concat()
}

/// All that an error tells. Its facts are a map, whose order on the wire means nothing.
fn told(status: &tonic::Status) -> String {
    let info = status.get_details_error_info().expect("each error has it");
    let facts: BTreeMap<&String, &String> = info.metadata.iter().collect();
    let (code, words, length) = (status.code(), status.message(), status.details().len());
    format!("{code:?} {words} {} {} {facts:?} {length} bytes", info.reason, info.domain)
}

fn player(number: i32) -> String {
    format!("twin-{number}")
}

/// Everybody who may look: the name says whose down cards the viewer may see.
pub fn viewers() -> Vec<(String, pb::Viewer)> {
    let who = |name: &str, who| (name.to_owned(), pb::Viewer { who: Some(who) });
    let mut viewers = vec![
        who("public", Who::Public(Public {})),
        who("platform", Who::Platform(Platform::default())),
        who("auditor", Who::Auditor(Auditor { auditor_id: "board".into() })),
        who("stranger", Who::Player(Player { player_id: "stranger".into() })),
    ];
    for seat in 1..=PLAYERS {
        viewers.push(who(&format!("player {seat}"), Who::Player(Player { player_id: player(seat) })));
    }
    viewers.push(who("reader 2", Who::Platform(Platform { seat: 2, reader: "floor".into() })));
    viewers
}

impl Playing {
    fn id(&mut self) -> String {
        self.asked += 1;
        format!("t{}", self.asked)
    }

    fn keep(&mut self, name: &str, what: &str, answer: Result<Vec<u8>, tonic::Status>) {
        let (code, bytes) = match answer {
            Ok(bytes) => ("ok", bytes),
            Err(status) => ("error", told(&status).into_bytes()),
        };
        self.answers.push(json!({ "viewer": name, "what": what, "code": code, "bytes": hex(&bytes) }));
    }

    async fn set_up(&mut self) {
        let create = pb::CreateTableRequest {
            request_id: self.id(),
            table_id: TABLE.to_owned(),
            stakes: Some(pb::Stakes { small_bet: 10, ante: Some(1), bring_in: Some(2) }),
            rules: Some(pb::HouseRules { preset: pb::Preset::Pokerstars.into(), ..pb::HouseRules::default() }),
            auto_settle: true,
            ..pb::CreateTableRequest::default()
        };
        self.client.tables.create_table(create).await.expect("a table");
        for seat in 1..=PLAYERS {
            let deposit = pb::DepositRequest { player_id: player(seat), chips: 1_000_000, request_id: self.id() };
            self.client.ledger.deposit(deposit).await.expect("a deposit");
            let sit = pb::TakeSeatRequest {
                table_id: TABLE.to_owned(),
                seat,
                player_id: player(seat),
                chips: CHIPS,
                request_id: self.id(),
                card_key: Vec::new(),
            };
            self.client.tables.take_seat(sit).await.expect("a seat");
        }
    }

    async fn look(&mut self, turn: usize) {
        let viewers = viewers();
        let (name, viewer) = &viewers[turn % viewers.len()];
        let get = pb::GetHandRequest { table_id: TABLE.to_owned(), hand_number: 0, viewer: Some(viewer.clone()) };
        let seen = self.client.dealer.get_hand(get).await;
        self.keep(name, "hand", seen.map(|seen| seen.into_inner().encode_to_vec()));
    }

    async fn prove(&mut self) {
        for (name, viewer) in viewers() {
            let (table_id, viewer) = (TABLE.to_owned(), Some(viewer));
            let get = pb::GetHandRequest { table_id: table_id.clone(), hand_number: 0, viewer: viewer.clone() };
            let seen = self.client.dealer.get_hand(get).await;
            self.keep(&name, "hand", seen.map(|seen| seen.into_inner().encode_to_vec()));
            let ask = pb::GetCardProofsRequest { table_id, hand_number: 0, viewer };
            let proofs = self.client.dealer.get_card_proofs(ask).await;
            self.keep(&name, "proofs", proofs.map(|proofs| proofs.into_inner().encode_to_vec()));
        }
    }

    async fn play(&mut self, number: u64) {
        let deal = pb::DealRequest { table_id: TABLE.to_owned(), request_id: self.id(), ..pb::DealRequest::default() };
        let mut hand = self.client.dealer.deal(deal).await.expect("dealt").into_inner().hand.expect("a hand");
        self.keep("public", "hand", Ok(pb::GetHandResponse { hand: Some(hand.clone()) }.encode_to_vec()));
        let mut turn = usize::try_from(number).expect("small");
        while let Some((seat, action)) = self.bots.choose(&view_of(&hand).expect("a view")) {
            turn += 1;
            self.look(turn).await;
            let act = |seat: i32, to, request_id| pb::ActRequest {
                table_id: TABLE.to_owned(),
                hand_number: number,
                seat,
                action: action.code(),
                to,
                request_id,
                ..pb::ActRequest::default()
            };
            let at = i32::from(seat.number());
            if turn % 5 == 0 {
                // Refused, by somebody else and by an amount: the error text is an answer too.
                for (seat, to) in [(at % PLAYERS + 1, None), (at, Some(999_999))] {
                    let id = self.id();
                    let refused = self.client.dealer.act(act(seat, to, id)).await;
                    self.keep("public", "refusal", refused.map(|acted| acted.into_inner().encode_to_vec()));
                }
            }
            let id = self.id();
            hand = self.client.dealer.act(act(at, None, id)).await.expect("acted").into_inner().hand.expect("a hand");
            self.keep("public", "hand", Ok(pb::GetHandResponse { hand: Some(hand.clone()) }.encode_to_vec()));
        }
        self.prove().await;
        for seat in hand.seats.iter().filter(|seat| seat.stack < CHIPS / 2) {
            let add = pb::AddChipsRequest {
                table_id: TABLE.to_owned(),
                player_id: seat.player_id.clone(),
                chips: CHIPS,
                request_id: self.id(),
            };
            self.client.tables.add_chips(add).await.expect("chips");
        }
    }
}

/// One run of a pair; the twin tests start it, with its plan.
#[test]
#[ignore = "a part of the twin tests, which run it in a process of its own"]
fn one_run() {
    let folder = PathBuf::from(std::env::var(CHILD).expect("the twin tests start this one"));
    let plan = Plan::read(&folder);
    telemetry::init(false, &plan.log).expect("a log");
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(async {
        let store: Arc<dyn Store> = if plan.url.starts_with("postgres") {
            Arc::new(PostgresStore::open(PostgresSettings::new(&plan.url)).await.expect("a store"))
        } else {
            Arc::new(SqliteStore::open(Path::new(&plan.url)).await.expect("a store"))
        };
        let decks = plan.decks;
        let scripted = move |_, hand: u64| decks.get(usize::try_from(hand).ok()? - 1).cloned();
        let service = Embedded::start_over(store, world(plan.seed), Decks::Scripted(Arc::new(scripted))).await;
        let service = service.expect("a service");
        let client = Client::connect(service.addr()).await.expect("a client");
        let mut playing = Playing { client, bots: Bots::new(plan.seed), asked: 0, answers: Vec::new() };
        playing.set_up().await;
        for number in 1..=plan.hands {
            playing.play(number).await;
        }
        let lines: Vec<String> = playing.answers.iter().map(Value::to_string).collect();
        std::fs::write(folder.join("answers"), lines.join("\n")).expect("written");
        std::fs::write(folder.join("done"), "").expect("written");
        // Without a goodbye, so that the write-ahead log stays as it is.
        std::process::exit(0);
    });
}
