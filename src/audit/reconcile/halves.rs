//! A wallet's events beside the transfers of the wallet, one by one. The transfers of a buy-in or cash-out stand in the
//! table's record, and the wallet's record only tells of them: here both halves must agree.

use std::collections::VecDeque;

use super::streams::posting;
use super::{Audit, PAGE};
use crate::audit::difference::{Difference, Posting, Source};
use crate::ledger::{Account, Transfer, WalletEvent};
use crate::record::{Micros, Record, Seq, StreamEvent, StreamId};
use crate::store::{Head, StoreError, StoredTransfer, TransferCursor};

/// The transfers of a wallet, read along with its records. Each record of a wallet is later than the one before, and
/// both halves of a command are of one moment: so the moment says which transfer belongs to which record.
pub(super) struct Halves {
    source: Source,
    wallet: Account,
    /// The last record that was compared.
    seq: Seq,
    /// Transfers that were read and not yet compared.
    read: VecDeque<StoredTransfer>,
    /// Where the next page begins.
    after: Option<TransferCursor>,
    /// There is no next page.
    ended: bool,
    /// The transfers cannot be read, which was found.
    lost: bool,
}

impl Halves {
    pub const fn new(source: Source, wallet: Account) -> Halves {
        let read = VecDeque::new();
        Halves { source, wallet, seq: Seq(0), read, after: None, ended: false, lost: false }
    }
}

impl Audit<'_> {
    /// The transfers up to the record's moment: its own, and before it none.
    pub(super) async fn compare_half(
        &mut self,
        halves: &mut Halves,
        seq: Seq,
        record: &Record,
    ) -> Result<(), StoreError> {
        while let Some(stray) = self.next_half(halves, |at| at < record.at).await? {
            self.half_differs(halves, None, Some(stray));
        }
        halves.seq = seq;
        if let [StreamEvent::Wallet(event)] = record.events.as_slice() {
            let expected = due(halves.source.stream, record.at, event);
            let found = self.next_half(halves, |at| at == record.at).await?;
            self.half_differs(halves, expected, found);
        }
        Ok(())
    }

    /// After the last record nothing is left, unless the wallet has moved on since.
    pub(super) async fn no_half_left(&mut self, mut halves: Halves, head: &Head) -> Result<(), StoreError> {
        let mut left = Vec::new();
        while let Some(stray) = self.next_half(&mut halves, |_| true).await? {
            left.push(stray);
        }
        if left.is_empty() {
            return Ok(());
        }
        let now = self.store.head(head.stream).await;
        let now = self.readable(&format!("the head of {}", halves.source), now)?;
        if now.flatten().is_some_and(|now| now.seq == head.seq) {
            for stray in left {
                self.half_differs(&halves, None, Some(stray));
            }
        }
        Ok(())
    }

    /// The next transfer, if it is of such a moment.
    async fn next_half(
        &mut self,
        halves: &mut Halves,
        when: impl Fn(Micros) -> bool,
    ) -> Result<Option<Posting>, StoreError> {
        if halves.read.is_empty() && !halves.ended {
            let page = self.store.transfers(&halves.wallet, halves.after, PAGE).await;
            let page = self.readable(&format!("the transfers of the {}", halves.wallet), page)?;
            halves.lost = page.is_none();
            halves.read = page.unwrap_or_default().into();
            halves.ended = halves.read.len() < PAGE as usize;
            halves.after = halves.read.back().map(|last| last.cursor);
        }
        let is_next = halves.read.front().is_some_and(|next| when(next.cursor.at));
        Ok(if is_next { halves.read.pop_front().map(posting) } else { None })
    }

    fn half_differs(&mut self, halves: &Halves, expected: Option<Posting>, found: Option<Posting>) {
        if expected != found && !halves.lost {
            self.find(Difference::Half { stream: halves.source, seq: halves.seq, expected, found });
        }
    }
}

/// The transfer that a wallet's event tells of: of chips from or to outside in its own record, else in the table's.
fn due(stream: StreamId, at: Micros, event: &WalletEvent) -> Option<Posting> {
    let wallet = Account::Wallet(event.player().clone());
    let (stream, from, to, amount) = match event {
        WalletEvent::Deposited { amount, .. } => (stream, Account::House, wallet, amount),
        WalletEvent::Withdrawn { amount, .. } => (stream, wallet, Account::House, amount),
        WalletEvent::BoughtIn { table, seat, amount, .. } => {
            (StreamId::of_table(*table), wallet, Account::Seat(*table, *seat), amount)
        }
        WalletEvent::CashedOut { table, seat, amount, .. } => {
            (StreamId::of_table(*table), Account::Seat(*table, *seat), wallet, amount)
        }
    };
    Transfer::new(from, to, *amount).map(|transfer| Posting { stream, at, transfer })
}
