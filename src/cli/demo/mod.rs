//! `razz-dealer demo`: one hand through the real service over a socket, told street by street.

mod story;

use std::sync::Arc;

use anyhow::{Context, anyhow};

use super::embedded::Embedded;
use super::{CLEAN, FINDING};
use crate::audit;
use crate::dealer::Decks;
use crate::engine::View;
use crate::grpc::client::{Client, view_of};
use crate::ledger::TableId;
use crate::pb;
use crate::record::Coded;
use crate::sim::{self, Bots};
use crate::world::World;

/// Options of `demo`.
#[derive(Clone, Copy, Debug, clap::Args)]
pub struct DemoArgs {
    /// Cards and decisions follow from this number; without it the deck is the operating system's randomness.
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
}

/// Who plays, and with how much: two short stacks, so that there may be side pots.
const PLAYERS: [(&str, i64); 6] =
    [("Ada", 400), ("Bela", 400), ("Chen", 130), ("Dora", 400), ("Emil", 70), ("Fay", 400)];
const SMALL_BET: i64 = 20;
const TABLE: &str = "0198c0de-0000-7000-8000-000000000001";
/// A story's clock begins here and goes on by a millisecond at each look.
const STORY_BEGINS: i64 = 1_750_000_000_000_000;

/// Plays and tells the hand.
///
/// # Errors
/// Where the service cannot be started or fails.
pub async fn run(args: DemoArgs) -> anyhow::Result<u8> {
    let (world, decks, players_seed) = if let Some(seed) = args.seed {
        let decks = Decks::Scripted(Arc::new(move |_, hand| Some(sim::deck(seed, hand))));
        (World::scripted(STORY_BEGINS, 1000, seed), decks, seed)
    } else {
        let world = World::system();
        let seed = u64::from_be_bytes(world.random()?);
        (world, Decks::OsEntropy, seed)
    };
    let service = Embedded::start(world, decks).await?;
    let mut demo = Demo { client: Client::connect(service.addr()).await?, bots: Bots::new(players_seed), asked: 0 };
    demo.seat_players().await?;
    demo.play().await?;
    let balanced = demo.tell_balances().await?;
    let table = TableId(uuid::Uuid::try_parse(TABLE)?.into_bytes());
    let whole = audit::verify_table(service.store(), table).await;
    service.shut_down().await?;
    Ok(story::verdict(&whole, balanced))
}

struct Demo {
    client: Client,
    bots: Bots,
    asked: u32,
}

impl Demo {
    fn request_id(&mut self) -> String {
        self.asked += 1;
        format!("demo-{}", self.asked)
    }

    async fn seat_players(&mut self) -> anyhow::Result<()> {
        let create = pb::CreateTableRequest {
            request_id: self.request_id(),
            table_id: TABLE.to_owned(),
            stakes: Some(pb::Stakes { small_bet: SMALL_BET, ante: None, bring_in: None }),
            rules: Some(pb::HouseRules {
                preset: pb::Preset::FullTilt.into(),
                rake: Some(pb::Rake { amount: 1, step: 20, caps: Vec::new(), none_on_third: true }),
                ..pb::HouseRules::default()
            }),
            ..pb::CreateTableRequest::default()
        };
        let table = self.client.tables.create_table(create).await?.into_inner().table.context("no table")?;
        story::open(&table);
        for (seat, (name, chips)) in (1..).zip(PLAYERS) {
            let (player_id, request_id) = (name.to_lowercase(), self.request_id());
            let deposit = pb::DepositRequest { player_id: player_id.clone(), chips: 1000, request_id };
            self.client.ledger.deposit(deposit).await?;
            let request_id = self.request_id();
            let sit = pb::TakeSeatRequest {
                table_id: TABLE.to_owned(),
                seat,
                player_id,
                chips,
                request_id,
                card_key: Vec::new(),
            };
            self.client.tables.take_seat(sit).await?;
            say!("  Seat {seat}: {name} sits down with {chips}.");
        }
        Ok(())
    }

    async fn play(&mut self) -> anyhow::Result<()> {
        let deal = pb::DealRequest {
            table_id: TABLE.to_owned(),
            request_id: self.request_id(),
            viewer: None,
            nonces: Vec::new(),
        };
        let dealt = self.client.dealer.deal(deal).await?.into_inner().hand;
        let mut hand = read(dealt.as_ref())?;
        story::dealt(&hand);
        while let Some(seat) = hand.legal.seat {
            let player = hand.seats.iter().find(|view| view.seat == seat).context("nobody to act")?;
            let own = self.hand_as(&player.player.to_string()).await?;
            let (seat, action) = self.bots.choose(&own).context("the player does not know what to do")?;
            let offer = hand.legal.offer(action).context("the player does what is not offered")?;
            let act = pb::ActRequest {
                table_id: TABLE.to_owned(),
                hand_number: hand.number,
                seat: i32::from(seat.number()),
                action: action.code(),
                to: Some(offer.to.units()).filter(|&to| to > 0),
                request_id: self.request_id(),
                expected_seq: None,
                viewer: None,
            };
            let next = read(self.client.dealer.act(act).await?.into_inner().hand.as_ref())?;
            story::acted(&hand, seat, offer, &next);
            hand = next;
        }
        let request_id = self.request_id();
        let (table_id, hand_number) = (TABLE.to_owned(), hand.number);
        let settle = pb::SettleRequest { table_id, hand_number, request_id, viewer: None };
        story::settled(&read(self.client.dealer.settle(settle).await?.into_inner().hand.as_ref())?);
        Ok(())
    }

    /// The hand as one of its players may see it.
    async fn hand_as(&mut self, player: &str) -> anyhow::Result<View> {
        let who = pb::viewer::Who::Player(pb::viewer::Player { player_id: player.to_owned() });
        let viewer = Some(pb::Viewer { who: Some(who) });
        let get = pb::GetHandRequest { table_id: TABLE.to_owned(), hand_number: 0, viewer };
        read(self.client.dealer.get_hand(get).await?.into_inner().hand.as_ref())
    }

    /// Tells every account, and whether all of them add up to nothing.
    async fn tell_balances(&mut self) -> anyhow::Result<bool> {
        use pb::account::{House, Kind, Pot, Rake, Seat, Wallet};
        let table_id = || TABLE.to_owned();
        say!("\nBalances");
        let mut sum = self.tell("house", Kind::House(House {})).await?;
        for (seat, (name, _)) in (1..).zip(PLAYERS) {
            let wallet = Wallet { player_id: name.to_lowercase() };
            sum += self.tell(&format!("{name}'s wallet"), Kind::Wallet(wallet)).await?;
            sum += self.tell(&format!("{name}'s seat"), Kind::Seat(Seat { table_id: table_id(), seat })).await?;
        }
        sum += self.tell("pot", Kind::Pot(Pot { table_id: table_id() })).await?;
        sum += self.tell("rake", Kind::Rake(Rake { table_id: table_id() })).await?;
        say!("  {:<14}{sum:>8}", "together");
        Ok(sum == 0)
    }

    async fn tell(&mut self, name: &str, kind: pb::account::Kind) -> anyhow::Result<i64> {
        let account = Some(pb::Account { kind: Some(kind) });
        let balance = self.client.ledger.get_balance(pb::GetBalanceRequest { account }).await?.into_inner().balance;
        say!("  {name:<14}{balance:>8}");
        Ok(balance)
    }
}

fn read(hand: Option<&pb::HandView>) -> anyhow::Result<View> {
    hand.and_then(view_of).ok_or_else(|| anyhow!("the service sent a hand that cannot be read"))
}

/// The exit code of a demo.
const fn code(clean: bool) -> u8 {
    if clean { CLEAN } else { FINDING }
}
