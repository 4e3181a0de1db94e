//! The service that the hands are played on: each at a table of its own, with the deck that was made for it.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::anyhow;
use uuid::Uuid;

use super::super::embedded::Embedded;
use super::super::phh::{Recorded, RecordedRake};
use crate::dealer::Decks;
use crate::engine::{Action, Deck, Preset, Seat, View};
use crate::grpc::client::{Client, reason, view_of};
use crate::pb;
use crate::record::Coded;
use crate::world::World;

/// Why a call was not done.
#[derive(Debug)]
pub enum Failed {
    /// The service refuses what was asked for, in its words.
    Refused(String),
    /// The service itself fails.
    Broken(anyhow::Error),
}

/// What the service says of itself, not of the request.
const ITS_OWN: [&str; 10] = [
    "",
    "STORE_AWAY",
    "OUTCOME_UNKNOWN",
    "LOG_CORRUPT",
    "DECK_UNREADABLE",
    "NO_ENTROPY",
    "BUSY",
    "INTERNAL",
    "FORMAT_TOO_NEW",
    "TOO_MANY_COMMANDS",
];

fn failed(reason: &str, message: String, status: impl Into<anyhow::Error>) -> Failed {
    if ITS_OWN.contains(&reason) { Failed::Broken(status.into()) } else { Failed::Refused(message) }
}

macro_rules! ask {
    ($call:expr) => {
        $call
            .await
            .map_err(|status| {
                let why = reason(&status);
                failed(&why, status.message().to_owned(), status)
            })?
            .into_inner()
    };
}

/// A running service, and the decks of its tables.
pub struct Service {
    embedded: Embedded,
    client: Client,
    decks: Arc<Mutex<BTreeMap<[u8; 16], Deck>>>,
    rules: Preset,
    tables: u32,
}

/// A table with one hand in play.
pub struct Table<'a> {
    client: &'a mut Client,
    id: String,
    asked: u32,
}

impl Service {
    /// Starts it; `rules` are those of hands that name none.
    pub async fn start(rules: Preset) -> anyhow::Result<Service> {
        let decks: Arc<Mutex<BTreeMap<[u8; 16], Deck>>> = Arc::default();
        let shared = Arc::clone(&decks);
        let scripted = Decks::Scripted(Arc::new(move |table, _| {
            shared.lock().unwrap_or_else(PoisonError::into_inner).get(&table.0).cloned()
        }));
        let embedded = Embedded::start(World::system(), scripted).await?;
        let client = Client::connect(embedded.addr()).await?;
        Ok(Service { embedded, client, decks, rules, tables: 0 })
    }

    /// Stops it.
    pub async fn shut_down(self) -> anyhow::Result<()> {
        // Its connection would keep the server waiting.
        drop(self.client);
        self.embedded.shut_down().await
    }

    /// Makes a table, seats the players and deals.
    pub async fn deal(&mut self, hand: &Recorded) -> Result<(Table<'_>, View), Failed> {
        self.tables += 1;
        let id = Uuid::from_u128(u128::from(self.tables));
        self.decks.lock().unwrap_or_else(PoisonError::into_inner).insert(id.into_bytes(), hand.deck.clone());
        let mut table = Table { client: &mut self.client, id: id.to_string(), asked: 0 };
        let rules = pb::HouseRules {
            preset: preset(hand.rules.unwrap_or(self.rules)).into(),
            rake: hand.rake.map(rake),
            ..pb::HouseRules::default()
        };
        let (ante, bring_in) = (Some(hand.ante), Some(hand.bring_in));
        let create = pb::CreateTableRequest {
            request_id: table.request_id(),
            table_id: table.id.clone(),
            stakes: Some(pb::Stakes { small_bet: hand.small_bet, ante, bring_in }),
            rules: Some(rules),
            ..pb::CreateTableRequest::default()
        };
        ask!(table.client.tables.create_table(create));
        for (number, player) in (1..).zip(&hand.players) {
            table.sit(&format!("table-{}-p{number}", self.tables), player.seat, player.stack).await?;
        }
        let deal = pb::DealRequest {
            table_id: table.id.clone(),
            request_id: table.request_id(),
            viewer: None,
            nonces: Vec::new(),
        };
        let view = read(ask!(table.client.dealer.deal(deal)).hand.as_ref())?;
        Ok((table, view))
    }
}

impl Table<'_> {
    fn request_id(&mut self) -> String {
        self.asked += 1;
        format!("replay-{}", self.asked)
    }

    async fn sit(&mut self, name: &str, seat: Seat, chips: i64) -> Result<(), Failed> {
        let (player_id, request_id) = (name.to_owned(), self.request_id());
        let deposit = pb::DepositRequest { player_id: player_id.clone(), chips, request_id };
        ask!(self.client.ledger.deposit(deposit));
        let (table_id, seat, request_id) = (self.id.clone(), i32::from(seat.number()), self.request_id());
        ask!(self.client.tables.take_seat(pb::TakeSeatRequest {
            table_id,
            seat,
            player_id,
            chips,
            request_id,
            card_key: Vec::new()
        }));
        Ok(())
    }

    /// A player acts; `to` is named for wagers.
    pub async fn act(&mut self, hand: &View, seat: Seat, action: Action, to: Option<i64>) -> Result<View, Failed> {
        let act = pb::ActRequest {
            table_id: self.id.clone(),
            hand_number: hand.number,
            seat: i32::from(seat.number()),
            action: action.code(),
            to,
            request_id: self.request_id(),
            expected_seq: None,
            viewer: None,
        };
        read(ask!(self.client.dealer.act(act)).hand.as_ref())
    }

    /// Pays the hand.
    pub async fn settle(&mut self, hand: &View) -> Result<View, Failed> {
        let (table_id, request_id) = (self.id.clone(), self.request_id());
        let settle = pb::SettleRequest { table_id, hand_number: hand.number, request_id, viewer: None };
        read(ask!(self.client.dealer.settle(settle)).hand.as_ref())
    }

    /// What each seat holds between hands, in seat order.
    pub async fn stacks(&mut self) -> Result<Vec<(u8, i64)>, Failed> {
        let get = pb::GetTableRequest { table_id: self.id.clone() };
        let seats = ask!(self.client.tables.get_table(get)).table.unwrap_or_default().seats;
        Ok(seats.iter().filter_map(|seat| Some((u8::try_from(seat.seat).ok()?, seat.chips))).collect())
    }
}

fn read(hand: Option<&pb::HandView>) -> Result<View, Failed> {
    let unread = || Failed::Broken(anyhow!("the service sent a hand that cannot be read"));
    hand.and_then(view_of).ok_or_else(unread)
}

const fn preset(preset: Preset) -> pb::Preset {
    match preset {
        Preset::FullTilt => pb::Preset::FullTilt,
        Preset::PokerStars => pb::Preset::Pokerstars,
        Preset::Club => pb::Preset::Club,
        Preset::Romanian => pb::Preset::Romanian,
        Preset::Wsop => pb::Preset::Wsop,
    }
}

fn rake(rake: RecordedRake) -> pb::Rake {
    let caps = rake.cap.map(|cap| (2..=8).map(|players| pb::RakeCap { players, cap }).collect());
    let RecordedRake { amount, step, none_on_third, .. } = rake;
    pb::Rake { amount, step, caps: caps.unwrap_or_default(), none_on_third }
}
