//! The world outside: the only file that reads a clock or draws a random byte. All else is given both.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::time::{Duration, SystemTime};

use chacha20::ChaCha20Rng;
use chacha20::rand_core::{Rng, SeedableRng};

/// A clock and a source of randomness. Clones share both.
#[derive(Clone)]
pub struct World(Arc<Inner>);

struct Inner {
    clock: Clock,
    entropy: Entropy,
}

enum Clock {
    System,
    Scripted { next: AtomicI64, step: i64 },
}

enum Entropy {
    System,
    Scripted { seed: u64, draws: AtomicU64 },
    Failing,
}

/// The operating system gave no randomness.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the operating system gives no randomness: {why}")]
pub struct NoEntropy {
    /// As the operating system says it.
    pub why: String,
}

impl World {
    /// The operating system's clock and randomness.
    pub fn system() -> World {
        World(Arc::new(Inner { clock: Clock::System, entropy: Entropy::System }))
    }

    /// The same times and bytes every time, for demonstrations and tests: a clock that says `start` when it is first
    /// asked and `step` more at each further time, in microseconds, and bytes that follow from the seed and from how
    /// many draws were made before. Nothing of it is unguessable.
    pub fn scripted(start: i64, step: i64, seed: u64) -> World {
        let clock = Clock::Scripted { next: AtomicI64::new(start), step };
        World(Arc::new(Inner { clock, entropy: Entropy::Scripted { seed, draws: AtomicU64::new(0) } }))
    }

    /// The operating system's clock, and randomness that always fails: to see what is done without.
    pub fn without_entropy() -> World {
        World(Arc::new(Inner { clock: Clock::System, entropy: Entropy::Failing }))
    }

    /// Microseconds since 1970. A clock that is set back goes back here too.
    pub fn now(&self) -> i64 {
        match &self.0.clock {
            Clock::System => system_now(),
            // Wraps after 292,000 years.
            Clock::Scripted { next, step } => next.fetch_add(*step, Ordering::Relaxed),
        }
    }

    /// Bytes that nobody can guess (but see [`World::scripted`]).
    ///
    /// # Errors
    /// Where there is no randomness. Nothing takes its place.
    pub fn random<const N: usize>(&self) -> Result<[u8; N], NoEntropy> {
        let mut bytes = [0; N];
        match &self.0.entropy {
            Entropy::System => fill_from_system(&mut bytes)?,
            Entropy::Scripted { seed, draws } => {
                let mut stream = ChaCha20Rng::seed_from_u64(*seed);
                // Each draw has a stream of its own, so how much one takes does not move the next.
                stream.set_stream(draws.fetch_add(1, Ordering::Relaxed));
                stream.fill_bytes(&mut bytes);
            }
            Entropy::Failing => return Err(NoEntropy { why: "it is made to fail".to_owned() }),
        }
        Ok(bytes)
    }

    /// The bytes of a new UUID, version 7: ids made later sort later, to the millisecond.
    ///
    /// # Errors
    /// Where there is no randomness.
    pub fn uuid_v7(&self) -> Result<[u8; 16], NoEntropy> {
        let millis = u64::try_from(self.now() / 1000).unwrap_or(0);
        Ok(uuid::Builder::from_unix_timestamp_millis(millis, &self.random()?).into_uuid().into_bytes())
    }
}

impl fmt::Debug for World {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0.entropy {
            Entropy::System => "World(system)",
            Entropy::Scripted { .. } => "World(scripted)",
            Entropy::Failing => "World(without entropy)",
        })
    }
}

#[expect(clippy::disallowed_methods, reason = "this is the one place that reads the clock")]
fn system_now() -> i64 {
    let micros = |distance: Duration| i64::try_from(distance.as_micros()).unwrap_or(i64::MAX);
    match SystemTime::now().duration_since(SystemTime::UNIX_EPOCH) {
        Ok(after) => micros(after),
        Err(before) => -micros(before.duration()),
    }
}

#[expect(clippy::disallowed_methods, reason = "this is the one place that draws random bytes")]
fn fill_from_system(bytes: &mut [u8]) -> Result<(), NoEntropy> {
    getrandom::fill(bytes).map_err(|error| NoEntropy { why: error.to_string() })
}
