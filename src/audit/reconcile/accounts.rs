//! Every account against its transfers, and that a stream answers for it.

use super::{Audit, PAGE, digits};
use crate::audit::difference::Difference;
use crate::engine::Seat;
use crate::ledger::{Account, TableId};
use crate::record::StreamId;
use crate::store::{Listed, StoreError, StreamKind};

impl Audit<'_> {
    pub(super) async fn all_accounts(&mut self) -> Result<(), StoreError> {
        let mut after = Vec::new();
        loop {
            let page = self.store.balances(&after, PAGE).await;
            let page = self.readable("a page of accounts", page)?.unwrap_or_default();
            let Some(last) = page.last() else { return Ok(()) };
            after.clone_from(&last.key);
            for Listed { key, row } in page {
                if let Some((account, balance)) = self.readable(&format!("the account {}", digits(&key)), row)? {
                    self.has_a_stream(&account, balance).await?;
                    self.tally(&account).await?;
                }
            }
        }
    }

    pub(super) async fn accounts_of(&mut self, table: TableId) -> Result<(), StoreError> {
        let seats = Seat::all().map(|seat| Account::Seat(table, seat));
        for account in seats.chain([Account::Pot(table), Account::Rake(table)]) {
            self.tally(&account).await?;
        }
        Ok(())
    }

    /// The balance is what came in less what went out.
    async fn tally(&mut self, account: &Account) -> Result<(), StoreError> {
        let tally = self.store.tally(account).await;
        let place = format!("the {account}");
        if let Some(tally) = self.readable(&place, tally)? {
            let expected = tally.credited - tally.debited;
            if i128::from(tally.balance) != expected {
                self.find(Difference::Tally { account: account.clone(), expected, found: tally.balance });
            }
        }
        self.progress.accounts += 1;
        self.step(1);
        Ok(())
    }

    /// An account comes into being with a record of its stream, so the stream is there by now.
    async fn has_a_stream(&mut self, account: &Account, balance: i64) -> Result<(), StoreError> {
        let (kind, stream) = match account {
            Account::House => return Ok(()),
            Account::Wallet(player) => (StreamKind::Wallet, StreamId::of_wallet(player)),
            Account::Seat(table, _) | Account::Pot(table) | Account::Rake(table) => {
                (StreamKind::Table, StreamId::of_table(*table))
            }
        };
        let head = self.store.head(stream).await;
        let place = format!("the head of the {account}");
        if let Some(head) = self.readable(&place, head)?
            && head.is_none_or(|head| head.kind != kind)
        {
            self.find(Difference::Orphan { account: account.clone(), found: balance });
        }
        Ok(())
    }
}
