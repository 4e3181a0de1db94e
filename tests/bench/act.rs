//! `Act` over gRPC on `SQLite`, durable: what callers of a running service see. Client, service and database share the
//! machine. `cargo bench --bench act`.

use std::sync::Arc;

use razz_dealer::cli::embedded::Embedded;
use razz_dealer::dealer::Decks;
use razz_dealer::grpc::client::{Client, view_of};
use razz_dealer::pb;
use razz_dealer::record::Coded;
use razz_dealer::sim::{Bots, deck};
use razz_dealer::world::World;

/// How long each number of callers is measured, in microseconds.
const SPAN: i64 = 8_000_000;

/// What one caller has seen.
#[derive(Default)]
struct Seen {
    hands: u64,
    /// In microseconds.
    latencies: Vec<i64>,
}

fn main() {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    for callers in [1, 64] {
        runtime.block_on(measure(callers));
    }
}

async fn measure(callers: u16) {
    let decks = Decks::Scripted(Arc::new(|table, hand| Some(deck(u64::from(table.0[15]), hand))));
    let service = Embedded::start(World::system(), decks).await.expect("a service");
    let client = Client::connect(service.addr()).await.expect("a client");
    let clock = World::system();
    let start = clock.now();
    let play = |number| play(client.clone(), number, clock.clone(), start + SPAN);
    let tables = (1..=callers).map(|number| tokio::spawn(play(number)));
    let tables: Vec<_> = tables.collect();
    let mut all = Seen::default();
    for table in tables {
        let seen = table.await.expect("a caller");
        all.hands += seen.hands;
        all.latencies.extend(seen.latencies);
    }
    let span = clock.now() - start;
    all.latencies.sort_unstable();
    #[expect(clippy::cast_precision_loss, reason = "counts of a few seconds")]
    let rate = |count: usize| count as f64 * 1e6 / span as f64;
    #[expect(clippy::cast_precision_loss, reason = "microseconds of a few seconds")]
    let at = |permille: usize| all.latencies[(all.latencies.len() - 1) * permille / 1000] as f64 / 1e3;
    println!(
        "{callers:>3} callers: {:>7.0} acts/s, {:>5.0} hands/s; ms: p50 {:.2}, p90 {:.2}, p99 {:.2}, p99.9 {:.2}",
        rate(all.latencies.len()),
        rate(usize::try_from(all.hands).unwrap_or_default()),
        at(500),
        at(900),
        at(990),
        at(999)
    );
    drop(client);
    service.shut_down().await.expect("stopped");
}

/// One caller: a table of six seats, hand after hand, until the time is over.
async fn play(mut client: Client, number: u16, clock: World, until: i64) -> Seen {
    let table_id = format!("0198c0de-0000-7000-8000-{number:012x}");
    let mut asked = 0;
    let mut request_id = || {
        asked += 1;
        format!("r{asked}")
    };
    let create = pb::CreateTableRequest {
        request_id: request_id(),
        table_id: table_id.clone(),
        stakes: Some(pb::Stakes { small_bet: 20, ante: Some(2), bring_in: Some(5) }),
        rules: Some(pb::HouseRules { preset: pb::Preset::Pokerstars.into(), ..pb::HouseRules::default() }),
        auto_settle: true,
        act_allowance_ms: 0,
        settle_after_ms: 0,
    };
    client.tables.create_table(create).await.expect("a table");
    for seat in 1..=6 {
        let player_id = format!("t{number}-p{seat}");
        let deposit = pb::DepositRequest { player_id: player_id.clone(), chips: 1_000_000, request_id: request_id() };
        client.ledger.deposit(deposit).await.expect("a deposit");
        let table_id = table_id.clone();
        let sit = pb::TakeSeatRequest { table_id, seat, player_id, chips: 1_000_000, request_id: request_id() };
        client.tables.take_seat(sit).await.expect("a seat");
    }
    let (mut bots, mut seen) = (Bots::new(number.into()), Seen::default());
    loop {
        let deal = pb::DealRequest { table_id: table_id.clone(), request_id: request_id(), viewer: None };
        let mut hand = client.dealer.deal(deal).await.expect("a deal").into_inner().hand.expect("a hand");
        while let Some((seat, action)) = bots.choose(&view_of(&hand).expect("a readable hand")) {
            let act = pb::ActRequest {
                table_id: table_id.clone(),
                hand_number: hand.hand_number,
                seat: seat.number().into(),
                action: action.code(),
                request_id: request_id(),
                ..pb::ActRequest::default()
            };
            let asked = clock.now();
            if asked > until {
                return seen;
            }
            hand = client.dealer.act(act).await.expect("an act").into_inner().hand.expect("a hand");
            seen.latencies.push(clock.now() - asked);
        }
        seen.hands += 1;
    }
}
