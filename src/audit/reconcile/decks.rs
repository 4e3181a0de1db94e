//! The decks of a table beside the hands that its records open or prepare: one each, and none without a hand. What is
//! in them only a key tells; a wrong one is refused when its hand needs it, as the record binds the right one.

use super::along::Along;
use super::{Audit, PAGE};
use crate::audit::difference::{Difference, Source};
use crate::engine::{Event, TableEvent};
use crate::ledger::TableId;
use crate::record::{Record, Seq, StreamEvent};
use crate::store::{Head, StoreError};

/// The hands that have decks, read along with the table's records.
pub(super) struct Decks {
    source: Source,
    table: TableId,
    /// The last record that was compared, and the last hand that was begun.
    seq: Seq,
    begun: u64,
    /// The hands, and where the next page begins.
    read: Along<u64>,
    after: u64,
}

impl Decks {
    pub const fn new(source: Source, table: TableId) -> Decks {
        Decks { source, table, seq: Seq(0), begun: 0, read: Along::new(), after: 0 }
    }
}

impl Audit<'_> {
    /// The hands up to the one that the record begins have decks: that one, and before it none that was not begun.
    pub(super) async fn compare_decks(
        &mut self,
        decks: &mut Decks,
        seq: Seq,
        record: &Record,
    ) -> Result<(), StoreError> {
        for hand in record.events.iter().filter_map(begun) {
            // A prepared hand is opened later, with the same deck.
            if hand == decks.begun {
                continue;
            }
            decks.begun = hand;
            while let Some(stray) = self.next_deck(decks, |number| number < hand).await? {
                self.deck_differs(decks, stray, false);
            }
            decks.seq = seq;
            if self.next_deck(decks, |number| number == hand).await?.is_none() {
                self.deck_differs(decks, hand, true);
            }
        }
        Ok(())
    }

    /// After the last record no deck is left, unless the table has moved on since.
    pub(super) async fn no_deck_left(&mut self, mut decks: Decks, head: &Head) -> Result<(), StoreError> {
        let mut left = Vec::new();
        while let Some(stray) = self.next_deck(&mut decks, |_| true).await? {
            left.push(stray);
        }
        if !left.is_empty() && self.has_stayed(decks.source, head).await? {
            for stray in left {
                self.deck_differs(&decks, stray, false);
            }
        }
        Ok(())
    }

    /// The next hand with a deck, if it is such a one.
    async fn next_deck(&mut self, decks: &mut Decks, which: impl Fn(u64) -> bool) -> Result<Option<u64>, StoreError> {
        if decks.read.is_out() {
            let page = self.store.hands_with_decks(decks.table, decks.after, PAGE).await;
            decks.read.take_in(self.readable(&format!("the decks of {}", decks.source), page)?);
            decks.after = decks.read.last().copied().unwrap_or(decks.after);
        }
        Ok(decks.read.next_if(|next| which(*next)))
    }

    fn deck_differs(&mut self, decks: &Decks, hand: u64, is_due: bool) {
        if !decks.read.lost {
            self.find(Difference::Deck { stream: decks.source, seq: decks.seq, hand, is_due });
        }
    }
}

/// The hand whose deck enters with this event.
pub(super) fn begun(event: &StreamEvent) -> Option<u64> {
    match event {
        StreamEvent::Table(TableEvent::HandPrepared { hand, .. }) => Some(*hand),
        StreamEvent::Table(TableEvent::Hand(Event::HandOpened(opening))) => Some(opening.number),
        _ => None,
    }
}
