//! Where decks come from, and how they rest.

use std::sync::Arc;

use super::live::Live;
use super::{Dealer, DealerError};
use crate::engine::{Deck, DeckBond, DeckOrigin, Prepared};
use crate::ledger::TableId;
use crate::shuffle::{self, DeckSecret, HandId, Nonces, SaltedDeck, SaltsKey, Seed, SeedHash};
use crate::store::DeckRow;

/// A deck for a table's hand of this number, chosen in-process; `None` where the script has none.
pub type ScriptedDecks = Arc<dyn Fn(TableId, u64) -> Option<Deck> + Send + Sync>;

/// Where decks come from. No request can choose.
#[derive(Clone)]
pub enum Decks {
    /// The operating system's randomness: the only source that `serve` has.
    OsEntropy,
    /// Chosen by `replay`, `demo --seed` or a test; the record says SCRIPTED. A hand that is prepared is not scripted:
    /// its order follows from its seed and nonces everywhere.
    Scripted(ScriptedDecks),
}

/// The deck of a hand that is about to open.
pub(super) struct NextDeck {
    pub deck: SaltedDeck,
    pub bond: DeckBond,
    /// The same, sealed, where it is not stored already.
    pub row: Option<DeckRow>,
}

/// The hand that a commitment is for.
pub(super) const fn hand_id(table: TableId, hand: u64) -> HandId {
    HandId { table: table.0, hand }
}

impl Dealer {
    /// The deck of the table's next hand: from the seed that was bound if the hand is prepared, else a new one.
    pub(super) async fn next_deck(&self, live: &Live, prepared: Option<Prepared>) -> Result<NextDeck, DealerError> {
        let hand = live.table.next_number();
        let (secret, origin, row) = if let Some(prepared) = &prepared {
            (self.bound_seed(live.id, hand, prepared).await?, DeckOrigin::OsEntropy, None)
        } else {
            let (secret, origin) = self.new_secret(live.id, hand)?;
            let row = self.seal_deck(live.id, hand, &secret)?;
            (secret, origin, Some(row))
        };
        let deck = secret.dealt(&Nonces::of(prepared.as_ref()));
        let root = deck.commit(hand_id(live.id, hand)).root().0;
        Ok(NextDeck { deck, bond: DeckBond { origin, root, prepared }, row })
    }

    fn new_secret(&self, table: TableId, hand: u64) -> Result<(DeckSecret, DeckOrigin), DealerError> {
        Ok(match &self.decks {
            Decks::OsEntropy => (DeckSecret::Seed(self.new_seed()?), DeckOrigin::OsEntropy),
            Decks::Scripted(decks) => {
                let unscripted = || DealerError::DeckUnreadable { hand, why: "the script has none".to_owned() };
                let deck = decks(table, hand).ok_or_else(unscripted)?;
                let salts = SaltsKey::new(self.world.random::<32>()?);
                (DeckSecret::Script { deck, salts }, DeckOrigin::Scripted)
            }
        })
    }

    /// A seed of the operating system's randomness.
    pub(super) fn new_seed(&self) -> Result<Seed, DealerError> {
        Ok(Seed::new(self.world.random::<32>()?))
    }

    /// A hand's secret as it rests.
    pub(super) fn seal_deck(&self, table: TableId, hand: u64, secret: &DeckSecret) -> Result<DeckRow, DealerError> {
        let nonce = self.world.random::<24>()?;
        let key = self.keys.current();
        let sealed = shuffle::seal(key, nonce, table.0, hand, secret);
        Ok(DeckRow { table, hand, key_id: key.id().to_vec(), sealed })
    }

    /// The seed that was bound before the nonces were given.
    async fn bound_seed(&self, table: TableId, hand: u64, prepared: &Prepared) -> Result<DeckSecret, DealerError> {
        let secret = self.stored_secret(table, hand).await?;
        match &secret {
            DeckSecret::Seed(seed) if SeedHash::of(seed).0 == prepared.seed_hash => Ok(secret),
            _ => Err(unreadable(hand, "it is not the one whose seed was bound")),
        }
    }

    /// What is kept of the cards of a hand that was dealt or prepared before.
    pub(super) async fn stored_secret(&self, table: TableId, hand: u64) -> Result<DeckSecret, DealerError> {
        let row = self.store.deck(table, hand).await?.ok_or_else(|| unreadable(hand, "none is stored"))?;
        self.keys.open(table.0, hand, &row.sealed).map_err(|why| unreadable(hand, &why.to_string()))
    }

    /// What is kept of the cards of a hand that was dealt before, and its deck: those that its record binds, or none.
    pub(super) async fn bound_deck(
        &self,
        table: TableId,
        hand: u64,
        bond: &DeckBond,
    ) -> Result<(DeckSecret, SaltedDeck), DealerError> {
        let secret = self.stored_secret(table, hand).await?;
        let deck = secret.dealt(&Nonces::of(bond.prepared.as_ref()));
        if deck.commit(hand_id(table, hand)).root().0 != bond.root {
            return Err(unreadable(hand, "it is not the one that the record binds"));
        }
        Ok((secret, deck))
    }
}

fn unreadable(hand: u64, why: &str) -> DealerError {
    DealerError::DeckUnreadable { hand, why: why.to_owned() }
}
