//! Benches of the pure rooms: the value of seven cards, whole hands through decide and apply, and a deck with its
//! commitment.
//!
//! `cargo bench --bench engine`. Aims, on one core: a hundred million values a second, a million actions a second, the
//! state of a table in 2 KiB, and a deck with its commitment in 60 microseconds.

use std::hint::black_box;
use std::mem::size_of;
use std::sync::Arc;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use razz_dealer::engine::{
    CardSet, Chips, Command, DealtIn, Deck, DeckBond, DeckOrigin, Hand, Low, Opening, PlayerId, Preset, RULES_REVISION,
    Seat, Settings, Stakes, Table, decide,
};
use razz_dealer::shuffle::{Commitment, HandId, SaltsKey, Seed, order};
use razz_dealer::sim::{self, Bots};

const PLAYERS: u8 = 6;
const HANDS: u64 = 500;

fn chips(units: i64) -> Chips {
    Chips::new(units).expect("an amount")
}

fn opening() -> Arc<Opening> {
    let dealt_in = |seat: Seat| DealtIn {
        seat,
        player: PlayerId::new(&format!("player-{seat}")).expect("an id"),
        stack: chips(2000),
        card_key: None,
    };
    let stakes = Stakes::new(chips(2), chips(3), chips(10)).expect("as R7 has it");
    Arc::new(Opening {
        number: 1,
        rules_revision: RULES_REVISION,
        settings: Settings {
            stakes,
            rules: Preset::PokerStars.rules(),
            auto_settle: true,
            act_allowance_ms: 0,
            settle_after_ms: 0,
            nonces: false,
            reveal_deck: false,
        },
        dealt_in: Seat::all().filter(|seat| seat.number() <= PLAYERS).map(dealt_in).collect(),
        bystanders: Vec::new(),
        bond: DeckBond::new(DeckOrigin::Scripted, [0; 32]),
    })
}

/// Plays a hand by random legal actions; how many there were.
fn play(opening: &Arc<Opening>, deck: &Deck, bots: &mut Bots) -> u64 {
    let mut hand = Hand::default();
    let mut command = Command::Deal(Arc::clone(opening));
    let mut actions = 0;
    loop {
        for event in decide(&hand, deck, &command).expect("what is offered is accepted") {
            hand.apply(&event).expect("what was decided");
        }
        let legal = hand.legal();
        let (Some(seat), Some(offer)) = (legal.seat, bots.random(&legal)) else { return actions };
        command = Command::Act { seat, action: offer.action, to: Some(offer.to) };
        actions += 1;
    }
}

fn hands(criterion: &mut Criterion) {
    println!("a hand is {} bytes, a table {} bytes, without what they share", size_of::<Hand>(), size_of::<Table>());
    let opening = opening();
    let decks: Vec<Deck> = (0..HANDS).map(|number| sim::deck(1, number)).collect();
    let all = || {
        let mut bots = Bots::new(1);
        decks.iter().map(|deck| play(&opening, deck, &mut bots)).sum::<u64>()
    };
    let actions = all();
    println!("{HANDS} hands of {PLAYERS} players take {actions} actions");
    let mut group = criterion.benchmark_group("random hands");
    group.throughput(Throughput::Elements(HANDS)).bench_function("hands", |bench| bench.iter(all));
    group.throughput(Throughput::Elements(actions)).bench_function("actions", |bench| bench.iter(all));
    group.finish();
}

fn low(criterion: &mut Criterion) {
    let sevens: Vec<CardSet> =
        (0..4096).map(|number| sim::deck(2, number).order()[..7].iter().copied().collect()).collect();
    let mut group = criterion.benchmark_group("low");
    group.throughput(Throughput::Elements(sevens.len() as u64));
    group.bench_function("seven cards", |bench| {
        bench.iter(|| {
            for &cards in &sevens {
                black_box(Low::of(black_box(cards)));
            }
        });
    });
    group.finish();
}

fn deck(criterion: &mut Criterion) {
    let seed = Seed::new([7; 32]);
    let of = HandId { table: [7; 16], hand: 7 };
    let bound = || Commitment::new(of, &order(black_box(&seed)), &SaltsKey::of(black_box(&seed)));
    let commitment = bound();
    let positions: Vec<u8> = (0..52).step_by(2).collect();
    let multiproof = commitment.multiproof(&positions).expect("positions");
    let mut group = criterion.benchmark_group("deck");
    group.bench_function("order from the seed", |bench| bench.iter(|| order(black_box(&seed))));
    group.bench_function("order, salts, leaves and root", |bench| bench.iter(|| bound().root()));
    group.bench_function("proof of one card", |bench| bench.iter(|| commitment.card_proof(black_box(20))));
    group.bench_function("proof of every other card", |bench| {
        bench.iter(|| commitment.multiproof(black_box(&positions)));
    });
    group.bench_function("its verification", |bench| bench.iter(|| multiproof.verify(of, commitment.root())));
    group.finish();
}

criterion_group!(benches, low, hands, deck);
criterion_main!(benches);
