//! A running service with a table of three, and short ways to ask it.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use razz_dealer::cli::embedded::Embedded;
use razz_dealer::dealer::Decks;
use razz_dealer::engine::{Action, View};
use razz_dealer::grpc::client::{Client, view_of};
use razz_dealer::pb;
use razz_dealer::record::Coded;
use razz_dealer::sim::{Bots, deck};
use razz_dealer::store::Store;
use razz_dealer::world::World;
use tonic::transport::Channel;

use super::State;

pub const TABLE: &str = "0198c0de-0000-7000-8000-0000000000aa";

static ASKED: AtomicU32 = AtomicU32::new(0);

/// A request id that no other call bears.
pub fn fresh() -> String {
    format!("r{}", ASKED.fetch_add(1, Ordering::Relaxed))
}

pub fn player(number: i32) -> String {
    format!("player-{number}")
}

pub const STAKES: Option<pb::Stakes> = Some(pb::Stakes { small_bet: 10, ante: Some(1), bring_in: Some(2) });

pub fn preset(preset: pb::Preset) -> pb::HouseRules {
    pb::HouseRules { preset: preset.into(), ..pb::HouseRules::default() }
}

pub fn as_player(number: i32) -> pb::Viewer {
    let player = pb::viewer::Player { player_id: player(number) };
    pb::Viewer { who: Some(pb::viewer::Who::Player(player)) }
}

fn world() -> World {
    World::scripted(1_750_000_000_000_000, 1000, 11)
}

fn decks() -> Decks {
    Decks::Scripted(Arc::new(|_, hand| Some(deck(11, hand))))
}

pub struct Scene {
    service: Embedded,
    pub client: Client,
    pub bots: Bots,
}

impl Scene {
    /// A service without tables, whose decks are those of seed 11.
    pub async fn start() -> Scene {
        Scene::of(Embedded::start(world(), decks()).await.expect("a service")).await
    }

    /// The same over this store.
    pub async fn over(store: Arc<dyn Store>) -> Scene {
        Scene::of(Embedded::start_over(store, world(), decks()).await.expect("a service")).await
    }

    async fn of(service: Embedded) -> Scene {
        let client = Client::connect(service.addr()).await.expect("a client");
        Scene { service, client, bots: Bots::new(11) }
    }

    /// With a table of three, 200 each, 300 left in each wallet.
    pub async fn seated(rules: pb::Preset, auto_settle: bool) -> Scene {
        let mut scene = Scene::start().await;
        scene.seat_three(rules, auto_settle).await;
        scene
    }

    /// Makes that table.
    pub async fn seat_three(&mut self, rules: pb::Preset, auto_settle: bool) {
        let create = pb::CreateTableRequest {
            request_id: fresh(),
            table_id: TABLE.to_owned(),
            stakes: STAKES,
            rules: Some(preset(rules)),
            auto_settle,
            act_allowance_ms: 0,
            settle_after_ms: 0,
            nonces: false,
            reveal_deck: false,
        };
        self.client.tables.create_table(create).await.expect("a table");
        for seat in 1..=3 {
            self.deposit(seat, 500).await;
            self.client.tables.take_seat(take_seat(seat, 200)).await.expect("a seat");
        }
    }

    /// A connection of its own, for calls that the client does not make.
    pub async fn channel(&self) -> Channel {
        let channel = Channel::from_shared(format!("http://{}", self.service.addr())).expect("an address");
        channel.connect().await.expect("connected")
    }

    pub async fn deposit(&mut self, number: i32, chips: i64) {
        let deposit = pb::DepositRequest { player_id: player(number), chips, request_id: fresh() };
        self.client.ledger.deposit(deposit).await.expect("a deposit");
    }

    pub async fn deal(&mut self) -> pb::HandView {
        let answer = self.client.dealer.deal(deal()).await.expect("a deal");
        answer.into_inner().hand.expect("a hand")
    }

    pub async fn act(&mut self, act: pb::ActRequest) -> pb::HandView {
        self.client.dealer.act(act).await.expect("an act").into_inner().hand.expect("a hand")
    }

    pub async fn settle(&mut self, number: u64) -> pb::HandView {
        let settle =
            pb::SettleRequest { table_id: TABLE.to_owned(), hand_number: number, request_id: fresh(), viewer: None };
        self.client.dealer.settle(settle).await.expect("a settlement").into_inner().hand.expect("a hand")
    }

    /// The hand as a viewer sees it; 0 for the latest.
    pub async fn hand(&mut self, number: u64, viewer: Option<pb::Viewer>) -> Option<pb::HandView> {
        let get = pb::GetHandRequest { table_id: TABLE.to_owned(), hand_number: number, viewer };
        self.client.dealer.get_hand(get).await.ok().and_then(|answer| answer.into_inner().hand)
    }

    /// What the player to act does.
    pub fn choose(&mut self, hand: &pb::HandView) -> Option<pb::ActRequest> {
        let (seat, action) = self.bots.choose(&view(hand))?;
        Some(act(hand.hand_number, i32::from(seat.number()), action))
    }

    /// Plays until all play is over.
    pub async fn play_out(&mut self, mut hand: pb::HandView) -> pb::HandView {
        while let Some(act) = self.choose(&hand) {
            hand = self.act(act).await;
        }
        hand
    }

    pub async fn balance(&mut self, kind: pb::account::Kind) -> i64 {
        let account = Some(pb::Account { kind: Some(kind) });
        self.client.ledger.get_balance(pb::GetBalanceRequest { account }).await.expect("a balance").into_inner().balance
    }

    /// The balances of house, wallets, seats, pot and rake.
    pub async fn balances(&mut self) -> Vec<i64> {
        use pb::account::{House, Kind, Pot, Rake, Seat, Wallet};
        let table_id = || TABLE.to_owned();
        let mut kinds = vec![Kind::House(House {}), Kind::Pot(Pot { table_id: table_id() })];
        kinds.push(Kind::Rake(Rake { table_id: table_id() }));
        for seat in 1..=8 {
            kinds.push(Kind::Wallet(Wallet { player_id: player(seat) }));
            kinds.push(Kind::Seat(Seat { table_id: table_id(), seat }));
        }
        let mut balances = Vec::new();
        for kind in kinds {
            balances.push(self.balance(kind).await);
        }
        balances
    }

    pub async fn state(&mut self) -> State {
        let get = pb::GetTableRequest { table_id: TABLE.to_owned() };
        let table = self.client.tables.get_table(get).await.ok().and_then(|answer| answer.into_inner().table);
        State { table, hand: self.hand(0, None).await, balances: self.balances().await }
    }

    pub async fn table(&mut self) -> pb::TableView {
        let get = pb::GetTableRequest { table_id: TABLE.to_owned() };
        self.client.tables.get_table(get).await.expect("a table").into_inner().table.expect("a table")
    }

    /// Brings every seat of the three to 200 again.
    pub async fn top_up(&mut self) {
        for seat in self.table().await.seats {
            let missing = 200 - seat.chips;
            if missing > 0 {
                self.deposit(seat.seat, missing).await;
                let add = pb::AddChipsRequest {
                    table_id: TABLE.to_owned(),
                    player_id: seat.player_id,
                    chips: missing,
                    request_id: fresh(),
                };
                self.client.tables.add_chips(add).await.expect("chips");
            }
        }
    }

    pub async fn stop(self) {
        drop(self.client);
        self.service.shut_down().await.expect("stopped");
    }
}

pub fn view(hand: &pb::HandView) -> View {
    view_of(hand).expect("a readable hand")
}

pub fn seat(hand: &pb::HandView, number: i32) -> &pb::SeatView {
    hand.seats.iter().find(|seat| seat.seat == number).expect("a seat")
}

pub fn deal() -> pb::DealRequest {
    pb::DealRequest { table_id: TABLE.to_owned(), request_id: fresh(), viewer: None, nonces: Vec::new() }
}

pub fn act(hand_number: u64, seat: i32, action: Action) -> pb::ActRequest {
    pb::ActRequest {
        table_id: TABLE.to_owned(),
        hand_number,
        seat,
        action: action.code(),
        request_id: fresh(),
        ..pb::ActRequest::default()
    }
}

pub fn take_seat(seat: i32, chips: i64) -> pb::TakeSeatRequest {
    pb::TakeSeatRequest {
        table_id: TABLE.to_owned(),
        seat,
        player_id: player(seat),
        chips,
        request_id: fresh(),
        card_key: Vec::new(),
    }
}
