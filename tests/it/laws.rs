//! The laws, over seeded random hands: 100,000 of them, or as many as `RAZZ_LAW_HANDS` says.
//!
//! Each hand is played through a table against a second reading of the rulebook ([`reference`]), which names every
//! next event before it comes. For every hand: chips are conserved after every event, legal is what the reference
//! offers, accepted is legal, the hand ends within a bound, pots, rake, awards and winners are the reference's, every
//! prefix of the log replays to what play had there and decides the same, and hidden cards decide nothing. In every
//! tenth world also: every seat, action and amount is tried at every decision, the table loads from the hand's opening,
//! forged events are refused, the same hand is played at the highest amounts, and every view is searched.

mod grid;
mod noise;
mod players;
mod referee;
mod reference;
mod replay;
mod scale;
mod showdown;
mod tally;
mod views;
mod walk;
mod world;

use std::sync::atomic::{AtomicU64, Ordering};

use tally::Tally;
use walk::Game;

/// Every how many worlds are looked at from every side.
const THOROUGH: u64 = 10;

#[test]
fn laws_hold_over_random_hands() {
    let wanted = std::env::var("RAZZ_LAW_HANDS").map_or(100_000, |hands| hands.parse().expect("a number of hands"));
    let (world, hands) = (AtomicU64::new(0), AtomicU64::new(0));
    let work = || {
        let mut tally = Tally::default();
        while hands.load(Ordering::Relaxed) < wanted {
            let index = world.fetch_add(1, Ordering::Relaxed);
            let mut game = Game::new(index);
            for _ in 0..3 {
                let Some(hand) = game.hand(index.is_multiple_of(THOROUGH)) else { break };
                hands.fetch_add(1, Ordering::Relaxed);
                tally = tally.and(hand);
            }
        }
        tally
    };
    let threads = std::thread::available_parallelism().map_or(2, usize::from);
    let tally = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        workers.into_iter().map(|worker| worker.join().expect("the laws hold")).fold(Tally::default(), Tally::and)
    });
    println!("{tally:?}");
    assert!(tally.hands >= wanted);
    assert!(wanted < 100_000 || tally.rarest() >= 100, "what hardly occurs is not proved: {tally:?}");
}
