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
mod request;
mod seal;
mod tables;
mod wallets;

use std::sync::Arc;

pub use answer::{HandAnswer, TableAnswer, TableSeat, WalletAnswer};
pub use decks::{Decks, ScriptedDecks};
pub use error::DealerError;
pub use order::Order;
pub use request::{Ask, REQUEST_ID_MAX_BYTES, RequestId};

use crate::shuffle::SealingKey;
use crate::store::Store;
use crate::world::World;

/// How often a command is decided again after it lost a race for its table, before the caller is told to come again.
const ATTEMPTS: u32 = 8;

/// The dealer of all tables. Cheap to share behind an [`Arc`].
pub struct Dealer {
    store: Arc<dyn Store>,
    world: World,
    key: SealingKey,
    decks: Decks,
    live: live::LiveTables,
    wallets: wallets::WalletLocks,
}

impl Dealer {
    /// A dealer over this store. The key seals the decks of hands, here and after a restart.
    pub fn new(store: Arc<dyn Store>, world: World, key: SealingKey, decks: Decks) -> Dealer {
        Dealer { store, world, key, decks, live: live::LiveTables::default(), wallets: wallets::WalletLocks::default() }
    }

    /// The store that it writes to, for those who only read.
    pub fn store(&self) -> &dyn Store {
        &*self.store
    }
}
