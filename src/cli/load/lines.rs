//! The way to the services: every call to any of them, and again to another where one does not answer.

use std::net::SocketAddr;
use std::time::Duration;

use anyhow::Context;

use super::report::Tally;
use crate::grpc::client::{Client, Done, Failed, Request};
use crate::sim::Dice;
use crate::world::World;

/// How many callers share a connection to each address. With 64 callers, load and echo alike do most over one: each
/// connection more costs both sides work.
pub(super) const CALLERS_PER_LINE: u32 = 64;

/// How long one call may take.
const CALL: Duration = Duration::from_secs(10);
/// How long a request is repeated, in microseconds, before the services count as gone.
const PATIENCE: i64 = 60_000_000;
/// The pause before the first repeat; each next one is twice as long, up to the longest.
const PAUSES: (Duration, Duration) = (Duration::from_millis(20), Duration::from_millis(500));

/// One caller's connections, one for each address, and the dice that choose among them.
pub(super) struct Lines {
    clients: Vec<Client>,
    dice: Dice,
    clock: World,
}

impl Lines {
    /// The lines of so many callers, in order.
    pub fn all(addrs: &[SocketAddr], callers: u32, seed: u64, clock: &World) -> Vec<Lines> {
        let mut clients = Vec::new();
        let mut lines = |number: u32| {
            if number.is_multiple_of(CALLERS_PER_LINE) {
                clients = addrs.iter().map(|&addr| Client::lazy(addr)).collect();
            }
            Lines { clients: clients.clone(), dice: Dice::new(seed, u64::from(number)), clock: clock.clone() }
        };
        (0..callers).map(&mut lines).collect()
    }

    /// Sends a request until it is answered, or refused: then the refusal is the inner error.
    ///
    /// # Errors
    /// Where no answer comes for a minute.
    pub async fn deliver(&mut self, request: &Request, tally: &Tally) -> anyhow::Result<Result<Done, Failed>> {
        let begun = self.clock.now();
        let (mut last, mut pause) = (None, PAUSES.0);
        loop {
            let index = self.any_but(last);
            let failed = match request.send(&mut self.clients[index], CALL).await {
                Err(failed) if failed.again => failed,
                answer => return Ok(answer),
            };
            tally.retried(&failed.reason);
            if self.clock.now() - begun > PATIENCE {
                return Err(failed).context("the service has not answered for a minute");
            }
            tokio::time::sleep(pause).await;
            last = Some(index);
            pause = PAUSES.1.min(pause * 2);
        }
    }

    /// Any line, but another than this one if there is another.
    fn any_but(&mut self, last: Option<usize>) -> usize {
        let others = self.clients.len() - usize::from(last.is_some());
        if others == 0 {
            return 0;
        }
        // Fits: it is below a number of lines.
        let drawn = usize::try_from(self.dice.below(others as u64)).unwrap_or_default();
        drawn + usize::from(last.is_some_and(|last| drawn >= last))
    }
}
