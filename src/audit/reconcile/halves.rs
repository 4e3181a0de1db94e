//! A wallet's events beside the transfers of the wallet, one by one. The transfers of a buy-in or cash-out stand in the
//! table's record, and the wallet's record only tells of them: here both halves must agree.

use super::along::Along;
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
    /// The transfers, and where the next page begins.
    read: Along<StoredTransfer>,
    after: Option<TransferCursor>,
}

impl Halves {
    pub const fn new(source: Source, wallet: Account) -> Halves {
        Halves { source, wallet, seq: Seq(0), read: Along::new(), after: None }
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
        if !left.is_empty() && self.has_stayed(halves.source, head).await? {
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
        if halves.read.is_out() {
            let page = self.store.transfers(&halves.wallet, halves.after, PAGE).await;
            halves.read.take_in(self.readable(&format!("the transfers of the {}", halves.wallet), page)?);
            halves.after = halves.read.last().map(|last| last.cursor);
        }
        Ok(halves.read.next_if(|next| when(next.cursor.at)).map(Posting::from))
    }

    fn half_differs(&mut self, halves: &Halves, expected: Option<Posting>, found: Option<Posting>) {
        if expected != found && !halves.read.lost {
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
