//! Where decks come from, and how they rest.

use std::sync::Arc;

use super::{Dealer, DealerError};
use crate::engine::{Deck, DeckOrigin};
use crate::ledger::TableId;
use crate::shuffle::{self, DeckSecret, Seed};
use crate::store::DeckRow;

/// A deck for a table's hand of this number, chosen in-process; `None` where the script has none.
pub type ScriptedDecks = Arc<dyn Fn(TableId, u64) -> Option<Deck> + Send + Sync>;

/// Where decks come from. No request can choose.
#[derive(Clone)]
pub enum Decks {
    /// The operating system's randomness: the only source that `serve` has.
    OsEntropy,
    /// Chosen by `replay`, `demo --seed` or a test; the record says SCRIPTED.
    Scripted(ScriptedDecks),
}

impl Dealer {
    /// A deck for the table's next hand, and the same deck sealed.
    pub(super) fn new_deck(&self, table: TableId, hand: u64) -> Result<(Deck, DeckOrigin, DeckRow), DealerError> {
        let (deck, seed, origin) = match &self.decks {
            Decks::OsEntropy => {
                let seed = Seed::new(self.world.random::<32>()?);
                (shuffle::order(&seed), Some(seed), DeckOrigin::OsEntropy)
            }
            Decks::Scripted(decks) => {
                let unscripted = || DealerError::DeckUnreadable { hand, why: "the script has none".to_owned() };
                (decks(table, hand).ok_or_else(unscripted)?, None, DeckOrigin::Scripted)
            }
        };
        let nonce = self.world.random::<24>()?;
        let secret = DeckSecret { deck: deck.clone(), seed };
        let sealed = shuffle::seal(&self.key, nonce, table.0, hand, &secret);
        Ok((deck, origin, DeckRow { table, hand, key_id: self.key.id().to_vec(), sealed }))
    }

    /// The deck of a hand that was dealt before.
    pub(super) async fn stored_deck(&self, table: TableId, hand: u64) -> Result<Deck, DealerError> {
        let unreadable = |why: String| DealerError::DeckUnreadable { hand, why };
        let row = self.store.deck(table, hand).await?.ok_or_else(|| unreadable("none is stored".to_owned()))?;
        let secret = shuffle::open(&self.key, table.0, hand, &row.sealed).map_err(|why| unreadable(why.to_string()))?;
        Ok(secret.deck.clone())
    }
}
