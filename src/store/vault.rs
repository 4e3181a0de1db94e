//! Where sealed decks rest, and under which keys: for those who look after the keys.

use async_trait::async_trait;

use super::{DeckRow, StoreError};
use crate::ledger::TableId;

/// The latest deck of a hand; an older one under another key does not count any more.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RestingDeck {
    /// The deck.
    pub row: DeckRow,
    /// Of a hand that is open, or prepared: play cannot go on without it.
    pub in_use: bool,
}

/// Decks by their keys. A deck is never changed: one under a new key is one row more, which then counts.
#[async_trait]
pub trait Vault: Send + Sync + 'static {
    /// The latest deck of each hand, in an order of the store's own by table and hand, after `after`, at most `limit`.
    async fn decks(&self, after: Option<(TableId, u64)>, limit: u32) -> Result<Vec<RestingDeck>, StoreError>;

    /// Adds a hand's deck under another key. If somebody else does the same at this moment, one of the two counts.
    async fn add_deck(&self, row: &DeckRow) -> Result<(), StoreError>;

    /// The keys that open hands need, and how many of them do.
    async fn keys_in_use(&self) -> Result<Vec<(Vec<u8>, u64)>, StoreError>;

    /// The keys that are retired.
    async fn retired_keys(&self) -> Result<Vec<Vec<u8>>, StoreError>;

    /// Retires a key: no deck is taken under it any more. `KeyNeeded` where one rests under it, `KeyUnknown`
    /// where none ever did. For the owner of the schema.
    async fn retire_key(&self, key_id: &[u8]) -> Result<(), StoreError>;
}
