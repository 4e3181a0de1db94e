//! One table's caller: it seats six players and plays hand after hand, one call after the other.

use std::collections::VecDeque;
use std::sync::Arc;

use anyhow::{Context, anyhow};
use tokio::sync::Semaphore;

use super::journal::Journal;
use super::lines::Lines;
use super::report::Tally;
use crate::engine::{Action, Chips, Status, View};
use crate::grpc::client::{Done, Request, view_of};
use crate::pb;
use crate::record::Coded;
use crate::sim::{Bots, Dice};
use crate::world::World;

const PLAYERS: i32 = 6;
const SMALL_BET: i64 = 20;
/// What a player sits down with, and gets again when broke: a hundred big bets.
const BUY_IN: i64 = 200 * SMALL_BET;
/// A caller that was refused so often without an answer between gives up.
const REFUSALS: u32 = 20;
/// How many callers make their tables at once: money from wallets moves one command after the other, and who waits too
/// long for it misses the deadline.
const AT_ONCE: usize = 64;

/// What all callers of a run share.
pub(super) struct Scene {
    pub tally: Tally,
    pub journal: Option<Journal>,
    pub clock: World,
    /// What this run's ids have that no other's have.
    run: [u8; 8],
    /// When it began, in milliseconds since 1970.
    begun: u64,
    setting_up: Semaphore,
}

impl Scene {
    pub fn new(clock: World, journal: Option<Journal>) -> anyhow::Result<Scene> {
        let begun = u64::try_from(clock.now() / 1000).unwrap_or_default();
        let (tally, run) = (Tally::new()?, clock.random()?);
        Ok(Scene { tally, journal, clock, run, begun, setting_up: Semaphore::new(AT_ONCE) })
    }
}

/// How long callers play.
#[derive(Clone, Copy)]
pub(super) enum Goal {
    /// Until everybody sits.
    Seated,
    /// Until this moment in microseconds; a hand may stay open.
    Time(i64),
    /// Until so many more hands have ended.
    Hands(u64),
}

/// The caller of one table.
pub(super) struct Caller {
    pub number: u32,
    scene: Arc<Scene>,
    lines: Lines,
    bots: Bots,
    table_id: String,
    asked: u64,
    /// To be sent before anything else.
    waiting: VecDeque<Request>,
    hand: Option<View>,
    ended: u64,
    /// Refusals since the last answer.
    refused: u32,
    /// The answers to Act, where somebody wants them.
    pub kept: Option<Vec<pb::HandView>>,
}

impl Caller {
    pub fn new(scene: &Arc<Scene>, number: u32, seed: u64, lines: Lines) -> Caller {
        // A UUID of version 7: the time, six random bytes of the run, and the number.
        let mut random = [0; 10];
        random[..6].copy_from_slice(&scene.run[..6]);
        random[6..].copy_from_slice(&number.to_be_bytes());
        let table_id = uuid::Builder::from_unix_timestamp_millis(scene.begun, &random).into_uuid().to_string();
        let bots = Bots::cautious(Dice::new(seed, u64::from(number)).below(u64::MAX));
        let mut caller = Caller {
            number,
            scene: Arc::clone(scene),
            lines,
            bots,
            table_id,
            asked: 0,
            waiting: VecDeque::new(),
            hand: None,
            ended: 0,
            refused: 0,
            kept: None,
        };
        caller.sit_down();
        caller
    }

    /// Plays on to the goal, and gives the caller back.
    ///
    /// # Errors
    /// Where the services are gone, or what they answer cannot be read.
    pub async fn play(mut self, goal: Goal) -> anyhow::Result<Caller> {
        let scene = Arc::clone(&self.scene);
        let _turn = match goal {
            Goal::Seated => Some(scene.setting_up.acquire().await?),
            Goal::Time(_) | Goal::Hands(_) => None,
        };
        let begun = self.ended;
        while self.refused < REFUSALS {
            let reached = match goal {
                Goal::Seated => self.waiting.is_empty(),
                Goal::Time(until) => scene.clock.now() >= until,
                Goal::Hands(hands) => self.ended - begun >= hands,
            };
            if reached {
                break;
            }
            let request = self.next();
            let asked = scene.clock.now();
            match self.lines.deliver(&request, &scene.tally).await? {
                Ok(done) => self.answered(&request, done, asked)?,
                Err(refusal) => {
                    scene.tally.refused(&refusal.reason);
                    self.refused += 1;
                    self.look_again(&refusal.reason).await?;
                }
            }
        }
        Ok(self)
    }

    fn answered(&mut self, request: &Request, done: Done, asked: i64) -> anyhow::Result<()> {
        if matches!(request, Request::Act(_)) {
            self.scene.tally.acted(self.scene.clock.now() - asked);
        }
        if let Some(journal) = &self.scene.journal {
            journal.acknowledge(request, done.seq)?;
        }
        self.refused = 0;
        if let Some(hand) = done.hand {
            self.see(&hand)?;
            if let (Some(kept), Request::Act(_)) = (&mut self.kept, request) {
                kept.push(hand);
            }
        }
        Ok(())
    }

    /// Takes a hand as it is now for the one that is played.
    fn see(&mut self, hand: &pb::HandView) -> anyhow::Result<()> {
        let view = view_of(hand).ok_or_else(|| anyhow!("table {}: a hand that cannot be read", self.table_id))?;
        let known = |known: &View| known.number == view.number && is_over(known);
        if is_over(&view) && !self.hand.as_ref().is_some_and(known) {
            self.scene.tally.hand_ended();
            self.ended += 1;
            let broke = view.seats.iter().filter(|seat| seat.stack == Chips::ZERO);
            for seat in broke.map(|seat| seat.seat) {
                self.top_up(seat.number().into());
            }
        }
        self.hand = Some(view);
        Ok(())
    }

    /// After a refusal: where does the hand stand?
    async fn look_again(&mut self, reason: &str) -> anyhow::Result<()> {
        if reason == "TOO_FEW_STACKS" {
            (1..=PLAYERS).for_each(|seat| self.top_up(seat));
        }
        let look = Request::GetHand(pb::GetHandRequest { table_id: self.table_id.clone(), ..Default::default() });
        match self.lines.deliver(&look, &self.scene.tally).await? {
            Ok(done) => self.see(&done.hand.context("a hand was asked for")?),
            // None was dealt yet.
            Err(refusal) if ["HAND_UNKNOWN", "TABLE_UNKNOWN"].contains(&refusal.reason.as_str()) => Ok(()),
            Err(refusal) => {
                self.scene.tally.refused(&refusal.reason);
                Ok(())
            }
        }
    }

    fn next(&mut self) -> Request {
        if let Some(request) = self.waiting.pop_front() {
            return request;
        }
        let (table_id, request_id) = (self.table_id.clone(), self.request_id());
        match &self.hand {
            Some(hand) if hand.status == Status::PlayedOut => {
                let hand_number = hand.number;
                Request::Settle(pb::SettleRequest { table_id, hand_number, request_id, viewer: None })
            }
            Some(hand) if hand.status == Status::Playing => {
                // It is always somebody's turn; else the service refuses the nonsense, and that is told.
                let (seat, action) =
                    self.bots.choose(hand).map_or((0, Action::Fold), |(seat, action)| (seat.number(), action));
                Request::Act(pb::ActRequest {
                    table_id,
                    hand_number: hand.number,
                    seat: seat.into(),
                    action: action.code(),
                    request_id,
                    ..pb::ActRequest::default()
                })
            }
            _ => Request::Deal(pb::DealRequest { table_id, request_id, viewer: None, nonces: Vec::new() }),
        }
    }

    fn request_id(&mut self) -> String {
        self.asked += 1;
        format!("{:016x}-{}-{}", u64::from_be_bytes(self.scene.run), self.number, self.asked)
    }

    fn player(&self, seat: i32) -> String {
        format!("{:016x}-{}-{seat}", u64::from_be_bytes(self.scene.run), self.number)
    }

    fn sit_down(&mut self) {
        let create = pb::CreateTableRequest {
            request_id: self.request_id(),
            table_id: self.table_id.clone(),
            stakes: Some(pb::Stakes { small_bet: SMALL_BET, ante: Some(2), bring_in: Some(5) }),
            rules: Some(pb::HouseRules { preset: pb::Preset::Pokerstars.into(), ..pb::HouseRules::default() }),
            auto_settle: true,
            act_allowance_ms: 0,
            settle_after_ms: 0,
            nonces: false,
            reveal_deck: false,
        };
        self.waiting.push_back(Request::CreateTable(create));
        for seat in 1..=PLAYERS {
            self.deposit(seat);
            let (table_id, player_id, request_id) = (self.table_id.clone(), self.player(seat), self.request_id());
            let sit =
                pb::TakeSeatRequest { table_id, seat, player_id, chips: BUY_IN, request_id, card_key: Vec::new() };
            self.waiting.push_back(Request::TakeSeat(sit));
        }
    }

    fn top_up(&mut self, seat: i32) {
        self.deposit(seat);
        let (table_id, player_id, request_id) = (self.table_id.clone(), self.player(seat), self.request_id());
        self.waiting.push_back(Request::AddChips(pb::AddChipsRequest {
            table_id,
            player_id,
            chips: BUY_IN,
            request_id,
        }));
    }

    fn deposit(&mut self, seat: i32) {
        let (player_id, request_id) = (self.player(seat), self.request_id());
        self.waiting.push_back(Request::Deposit(pb::DepositRequest { player_id, chips: BUY_IN, request_id }));
    }
}

fn is_over(hand: &View) -> bool {
    matches!(hand.status, Status::Settled | Status::Voided(_))
}
