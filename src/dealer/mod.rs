//! The only write path: load a table, decide on it, commit what follows, and only then let it be known.
//!
//! One command a table is in flight in this process; whatever another process or a lost connection may do to the
//! table, the head's move in the database decides, and a command that lost is decided again on what is true now.

mod answer;
mod commit;
mod decks;
mod error;
mod hands;
mod live;
mod order;
mod proof;
mod proofs;
mod recover;
mod request;
mod seal;
mod tables;
mod wallets;

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{Semaphore, SemaphorePermit};

pub use answer::{HandAnswer, TableAnswer, TableSeat, WalletAnswer};
pub use decks::{Decks, ScriptedDecks};
pub use error::DealerError;
pub use order::Order;
pub use proofs::{CardProofs, OpenedHand};
pub use recover::{OpenHand, Round, Troubled, Waits};
pub use request::{Ask, OWN_IDS, REQUEST_ID_MAX_BYTES, RequestId};

use crate::shuffle::SealingKeys;
use crate::store::Store;
use crate::world::World;

/// How often a command is decided again after it lost a race for its table, before the caller is told to come again.
const ATTEMPTS: u32 = 16;

/// How long a caller waits for those who came to the same table or wallet before. Where the database is silent, each of
/// them waits for it in vain, one after the other.
const TURN: Duration = Duration::from_secs(10);

/// What a dealer may use of its machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// For tables in memory, in bytes.
    pub live_bytes: usize,
    /// Commands under way at one time.
    pub commands: u32,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { live_bytes: 256 * 1024 * 1024, commands: 4_096 }
    }
}

/// The dealer of all tables. Cheap to share behind an [`Arc`].
pub struct Dealer {
    store: Arc<dyn Store>,
    world: World,
    keys: SealingKeys,
    decks: Decks,
    live: live::LiveTables,
    wallets: wallets::WalletLocks,
    places: Semaphore,
    limits: Limits,
}

impl Dealer {
    /// A dealer over this store. The keys seal and open the decks of hands, here and after a restart.
    pub fn new(store: Arc<dyn Store>, world: World, keys: impl Into<SealingKeys>, decks: Decks) -> Dealer {
        Dealer::with_limits(store, world, keys, decks, Limits::default())
    }

    /// As [`Dealer::new`], within these limits.
    pub fn with_limits(
        store: Arc<dyn Store>,
        world: World,
        keys: impl Into<SealingKeys>,
        decks: Decks,
        limits: Limits,
    ) -> Dealer {
        let keys = keys.into();
        let live = live::LiveTables::new(limits.live_bytes);
        let places = Semaphore::new(limits.commands as usize);
        Dealer { store, world, keys, decks, live, wallets: wallets::WalletLocks::default(), places, limits }
    }

    /// A place among the commands under way. Who finds none is told at once: a queue without end helps nobody.
    fn enter(&self) -> Result<SemaphorePermit<'_>, DealerError> {
        self.places.try_acquire().map_err(|_| DealerError::Crowded { limit: self.limits.commands })
    }

    /// Whether it has the key of this id.
    pub fn has_key(&self, id: &[u8]) -> bool {
        self.keys.ids().any(|key| key.0 == id)
    }

    /// The store that it writes to, for those who only read.
    pub fn store(&self) -> &dyn Store {
        &*self.store
    }
}
