//! Shuffles in blocks, on all cores, counted.

use std::num::NonZero;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use super::family::{Cards, FAMILIES};
use super::report::Report;

/// So many hands are shuffled and counted together. What looks from hand to hand looks within a block and not beyond
/// it: so the counts are the same however many cores there are, and memory does not grow with the hands.
pub const BLOCK: u64 = 1 << 16;

/// Each family's counts.
struct Counts(Vec<Vec<u64>>);

impl Counts {
    fn new() -> Counts {
        Counts(FAMILIES.iter().map(|family| vec![0; family.cells]).collect())
    }

    fn count(&mut self, block: &[Cards]) {
        for (family, counts) in FAMILIES.iter().zip(&mut self.0) {
            (family.count)(counts, block);
        }
    }

    fn join(&mut self, other: &Counts) {
        for (count, more) in self.0.iter_mut().flatten().zip(other.0.iter().flatten()) {
            *count += more;
        }
    }
}

/// Puts a shuffle to every test: `deal` gives the cards of the hand of a number, from 0, and `done` is told how many
/// more have been counted.
///
/// # Errors
/// The first that `deal` gives.
pub fn examine<E: Send>(
    shuffles: u64,
    deal: impl Fn(u64) -> Result<Cards, E> + Sync,
    done: impl Fn(u64) + Sync,
) -> Result<Report, E> {
    let next = AtomicU64::new(0);
    let work = || {
        let (mut counts, mut block) = (Counts::new(), Vec::new());
        loop {
            let from = next.fetch_add(BLOCK, Ordering::Relaxed);
            if from >= shuffles {
                return Ok(counts);
            }
            block.clear();
            for hand in from..shuffles.min(from + BLOCK) {
                // Nobody begins another block once one has failed.
                block.push(deal(hand).inspect_err(|_| next.store(shuffles, Ordering::Relaxed))?);
            }
            counts.count(&block);
            done(block.len() as u64);
        }
    };
    let mut all = Counts::new();
    thread::scope(|scope| {
        let cores = thread::available_parallelism().map_or(1, NonZero::get);
        let workers: Vec<_> = (0..cores).map(|_| scope.spawn(work)).collect();
        for worker in workers {
            all.join(&worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))?);
        }
        Ok(())
    })?;
    let outcomes = FAMILIES.iter().zip(&all.0).flat_map(|(family, counts)| (family.outcomes)(counts)).collect();
    Ok(Report::new(shuffles, outcomes, all.0.swap_remove(0)))
}
