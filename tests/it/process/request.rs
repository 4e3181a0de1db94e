//! Requests that can be sent again as they were, and a table of six to send them to.

use razz_dealer::engine::{Action, PlayerId, Seat, View};
use razz_dealer::grpc::client::{Client, view_of};
use razz_dealer::ledger::TableId;
use razz_dealer::pb;
use razz_dealer::record::{Coded, StreamId};
use tonic::Status;

pub const PLAYERS: u8 = 6;
pub const SMALL_BET: i64 = 10;

/// A changing call.
#[derive(Clone, PartialEq, Debug)]
pub enum Request {
    Create(pb::CreateTableRequest),
    Deposit(pb::DepositRequest),
    Sit(pb::TakeSeatRequest),
    AddChips(pb::AddChipsRequest),
    Leave(pb::LeaveSeatRequest),
    Deal(pb::DealRequest),
    Act(pb::ActRequest),
    Settle(pb::SettleRequest),
    Change(pb::ChangeRulesRequest),
}

/// What the service answered.
#[derive(Clone, PartialEq, Debug)]
pub struct Done {
    /// The record that the request made.
    pub seq: u64,
    /// The hand, where the call is about one.
    pub hand: Option<pb::HandView>,
    /// The table, where it is about that.
    pub table: Option<pb::TableView>,
    /// What a wallet then held.
    pub balance: Option<i64>,
}

impl Request {
    pub async fn send(&self, client: &mut Client) -> Result<Done, Status> {
        let (table, hand) = match self.clone() {
            Request::Create(asked) => (client.tables.create_table(asked).await?.into_inner().table, None),
            Request::Sit(asked) => (client.tables.take_seat(asked).await?.into_inner().table, None),
            Request::AddChips(asked) => (client.tables.add_chips(asked).await?.into_inner().table, None),
            Request::Leave(asked) => (client.tables.leave_seat(asked).await?.into_inner().table, None),
            Request::Change(asked) => (client.tables.change_rules(asked).await?.into_inner().table, None),
            Request::Deal(asked) => (None, client.dealer.deal(asked).await?.into_inner().hand),
            Request::Act(asked) => (None, client.dealer.act(asked).await?.into_inner().hand),
            Request::Settle(asked) => (None, client.dealer.settle(asked).await?.into_inner().hand),
            Request::Deposit(asked) => {
                let pb::DepositResponse { balance, seq } = client.ledger.deposit(asked).await?.into_inner();
                return Ok(Done { seq, hand: None, table: None, balance: Some(balance) });
            }
        };
        let seq = hand.as_ref().map(|hand| hand.seq).or(table.as_ref().map(|table| table.seq)).expect("an answer");
        Ok(Done { seq, hand, table, balance: None })
    }

    pub fn id(&self) -> &str {
        match self {
            Request::Create(asked) => &asked.request_id,
            Request::Deposit(asked) => &asked.request_id,
            Request::Sit(asked) => &asked.request_id,
            Request::AddChips(asked) => &asked.request_id,
            Request::Leave(asked) => &asked.request_id,
            Request::Deal(asked) => &asked.request_id,
            Request::Act(asked) => &asked.request_id,
            Request::Settle(asked) => &asked.request_id,
            Request::Change(asked) => &asked.request_id,
        }
    }

    /// The stream that the request's record stands in.
    pub fn stream(&self) -> StreamId {
        let table = match self {
            Request::Deposit(asked) => return StreamId::of_wallet(&player_id(&asked.player_id)),
            Request::Create(asked) => &asked.table_id,
            Request::Sit(asked) => &asked.table_id,
            Request::AddChips(asked) => &asked.table_id,
            Request::Leave(asked) => &asked.table_id,
            Request::Deal(asked) => &asked.table_id,
            Request::Act(asked) => &asked.table_id,
            Request::Settle(asked) => &asked.table_id,
            Request::Change(asked) => &asked.table_id,
        };
        StreamId(uuid::Uuid::try_parse(table).expect("a table's id").into_bytes())
    }
}

pub fn player_id(text: &str) -> PlayerId {
    PlayerId::new(text).expect("a player's id")
}

pub fn read(hand: &pb::HandView) -> View {
    view_of(hand).expect("a hand as this version sends it")
}

/// A table of six with as many names for requests as it needs.
#[derive(Clone)]
pub struct Sixes {
    pub id: String,
    /// Each player's buy-in; as much stays in the wallet.
    pub chips: i64,
    pub auto_settle: bool,
    asked: u64,
}

impl Sixes {
    /// The `number`th table.
    pub fn new(number: u8, chips: i64, auto_settle: bool) -> Sixes {
        Sixes { id: format!("0198c0de-0000-7000-8000-0000000000{number:02x}"), chips, auto_settle, asked: 0 }
    }

    pub fn table(&self) -> TableId {
        TableId(uuid::Uuid::try_parse(&self.id).expect("a table's id").into_bytes())
    }

    pub fn player(&self, seat: u8) -> String {
        format!("{}-{seat}", &self.id[34..])
    }

    fn request_id(&mut self) -> String {
        self.asked += 1;
        format!("{}-{}", &self.id[34..], self.asked)
    }

    /// Makes the table and seats everybody.
    pub fn set_up(&mut self) -> Vec<Request> {
        let rake = pb::Rake { amount: 1, step: 20, caps: Vec::new(), none_on_third: true };
        let (preset, rake) = (pb::Preset::FullTilt.into(), Some(rake));
        let mut requests = vec![Request::Create(pb::CreateTableRequest {
            request_id: self.request_id(),
            table_id: self.id.clone(),
            stakes: Some(pb::Stakes { small_bet: SMALL_BET, ante: None, bring_in: None }),
            rules: Some(pb::HouseRules { preset, rake, ..pb::HouseRules::default() }),
            auto_settle: self.auto_settle,
            act_allowance_ms: 0,
            settle_after_ms: 0,
            nonces: false,
            reveal_deck: false,
        })];
        for seat in 1..=PLAYERS {
            let (player_id, chips) = (self.player(seat), self.chips);
            let request_id = self.request_id();
            let deposit = pb::DepositRequest { player_id: player_id.clone(), chips: 2 * chips, request_id };
            let (table_id, seat, request_id) = (self.id.clone(), i32::from(seat), self.request_id());
            let sit = pb::TakeSeatRequest { table_id, seat, player_id, chips, request_id, card_key: Vec::new() };
            requests.extend([Request::Deposit(deposit), Request::Sit(sit)]);
        }
        requests
    }

    pub fn deal(&mut self) -> Request {
        Request::Deal(pb::DealRequest {
            table_id: self.id.clone(),
            request_id: self.request_id(),
            ..pb::DealRequest::default()
        })
    }

    pub fn act(&mut self, hand: &View, seat: Seat, action: Action, viewer: Option<pb::Viewer>) -> Request {
        let to = hand.legal.offer(action).expect("only what is offered is done").to.units();
        Request::Act(pb::ActRequest {
            table_id: self.id.clone(),
            hand_number: hand.number,
            seat: i32::from(seat.number()),
            action: action.code(),
            to: Some(to).filter(|&to| to > 0),
            request_id: self.request_id(),
            expected_seq: None,
            viewer,
        })
    }

    pub fn settle(&mut self, hand: &View) -> Request {
        let (table_id, hand_number, request_id) = (self.id.clone(), hand.number, self.request_id());
        Request::Settle(pb::SettleRequest { table_id, hand_number, request_id, viewer: None })
    }

    pub fn add_chips(&mut self, seat: u8, chips: i64) -> Request {
        let (table_id, player_id, request_id) = (self.id.clone(), self.player(seat), self.request_id());
        Request::AddChips(pb::AddChipsRequest { table_id, player_id, chips, request_id })
    }

    pub fn leave(&mut self, seat: u8) -> Request {
        let (table_id, player_id, request_id) = (self.id.clone(), self.player(seat), self.request_id());
        Request::Leave(pb::LeaveSeatRequest { table_id, player_id, request_id })
    }

    /// The latest hand, for a player or for everybody.
    pub async fn hand(&self, client: &mut Client, viewer: Option<pb::Viewer>) -> Result<pb::HandView, Status> {
        let get = pb::GetHandRequest { table_id: self.id.clone(), hand_number: 0, viewer };
        Ok(client.dealer.get_hand(get).await?.into_inner().hand.expect("a hand"))
    }

    /// The table's last record.
    pub async fn seq(&self, client: &mut Client) -> u64 {
        let get = pb::GetTableRequest { table_id: self.id.clone() };
        client.tables.get_table(get).await.expect("a table").into_inner().table.expect("a table").seq
    }

    /// The player in this seat as a viewer.
    pub fn viewer(&self, seat: u8) -> pb::Viewer {
        let who = pb::viewer::Who::Player(pb::viewer::Player { player_id: self.player(seat) });
        pb::Viewer { who: Some(who) }
    }
}
