//! Wallets and balances. A wallet's stream says after each event what the wallet holds; the database's own balance
//! must agree, and refuses an overdraft in any case.

use tokio::sync::{Mutex, MutexGuard};

use super::request::{Ask, request_hash};
use super::seal::{Tip, asked, seal};
use super::{ATTEMPTS, Dealer, DealerError, TURN, WalletAnswer};
use crate::engine::{Chips, PlayerId, Seat};
use crate::ledger::{Account, TableId, WalletEvent, wallet_transfers};
use crate::record::{Micros, Record, RequestHash, Sealed, Seq, StreamEvent, StreamId};
use crate::store::{Commit, HandState, StoreError, StoredTransfer, StreamKind, TransferCursor};

/// Where the chips of a wallet go to or come from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Way {
    /// From outside.
    Deposit,
    /// To the outside.
    Withdrawal,
    /// To a seat.
    BuyIn(TableId, Seat),
    /// From a seat.
    CashOut(TableId, Seat),
}

/// What is asked of a wallet.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct WalletOrder {
    pub player: PlayerId,
    pub amount: Chips,
    pub way: Way,
}

/// A wallet as its last record leaves it.
pub(super) struct Wallet {
    pub tip: Tip,
    balance: Chips,
}

impl Wallet {
    /// Later than its last record, so that its transfers read in the order in which they were made.
    pub const fn next_at(&self) -> Micros {
        Micros(self.tip.at.0 + 1)
    }

    /// What the order comes to.
    pub fn after(&self, order: &WalletOrder) -> Result<WalletEvent, DealerError> {
        let WalletOrder { player, amount, way } = order.clone();
        let gains = matches!(way, Way::Deposit | Way::CashOut(..));
        if !gains && self.balance < amount {
            let balance = self.balance.units();
            return Err(DealerError::BalanceTooLow { player, balance, needed: amount });
        }
        let balance = if gains {
            self.balance.checked_add(amount).ok_or(DealerError::ChipsLimit)?
        } else {
            self.balance - amount
        };
        Ok(match way {
            Way::Deposit => WalletEvent::Deposited { player, amount, balance },
            Way::Withdrawal => WalletEvent::Withdrawn { player, amount, balance },
            Way::BuyIn(table, seat) => WalletEvent::BoughtIn { player, table, seat, amount, balance },
            Way::CashOut(table, seat) => WalletEvent::CashedOut { player, table, seat, amount, balance },
        })
    }
}

/// One command a wallet is in flight in this process, as one a table is: so that callers of one wallet queue here and
/// do not lose races against each other. Wallets share locks; a table's lock is taken before a wallet's, never after.
pub(super) struct WalletLocks([Mutex<()>; 64]);

impl Default for WalletLocks {
    fn default() -> WalletLocks {
        WalletLocks(std::array::from_fn(|_| Mutex::new(())))
    }
}

impl WalletLocks {
    /// Waits for the wallet's turn.
    pub async fn turn(&self, player: &PlayerId) -> Result<MutexGuard<'_, ()>, DealerError> {
        // The id is a hash already.
        let StreamId([first, ..]) = StreamId::of_wallet(player);
        let turn = self.0[usize::from(first) % self.0.len()].lock();
        tokio::time::timeout(TURN, turn).await.map_err(|_| DealerError::Busy)
    }
}

impl Dealer {
    /// Brings chips from outside into a player's wallet.
    ///
    /// # Errors
    /// [`DealerError::ChipsLimit`] where all chips together would pass the ceiling.
    pub async fn deposit(&self, player: PlayerId, amount: Chips, ask: &Ask) -> Result<WalletAnswer, DealerError> {
        let hash = request_hash("Deposit", &[player.as_str().as_bytes(), &amount.units().to_be_bytes()]);
        self.move_wallet(WalletOrder { player, amount, way: Way::Deposit }, ask, hash).await
    }

    /// Takes chips out of a player's wallet.
    ///
    /// # Errors
    /// [`DealerError::BalanceTooLow`] where it holds less.
    pub async fn withdraw(&self, player: PlayerId, amount: Chips, ask: &Ask) -> Result<WalletAnswer, DealerError> {
        let hash = request_hash("Withdraw", &[player.as_str().as_bytes(), &amount.units().to_be_bytes()]);
        self.move_wallet(WalletOrder { player, amount, way: Way::Withdrawal }, ask, hash).await
    }

    async fn move_wallet(&self, order: WalletOrder, ask: &Ask, hash: RequestHash) -> Result<WalletAnswer, DealerError> {
        let _place = self.enter()?;
        let stream = StreamId::of_wallet(&order.player);
        let _turn = self.wallets.turn(&order.player).await?;
        for _ in 0..ATTEMPTS {
            // An earlier effect of this request comes first: what it left may well refuse a second one.
            if let Some(before) = self.repeated(stream, ask, hash).await? {
                return answer(&before);
            }
            let wallet = self.wallet(&order.player).await?;
            let event = wallet.after(&order)?;
            let at = Micros(self.world.now()).max(wallet.next_at());
            let transfers = wallet_transfers(&event);
            let record = Record { events: vec![StreamEvent::Wallet(event)], transfers, ..asked(ask, hash, at) };
            let only = seal(StreamKind::Wallet, stream, wallet.tip, HandState::Idle, record);
            let sealed = only.sealed.clone();
            match self.store.commit(Commit { moves: vec![only], deck: None }).await {
                Ok(()) => return answer(&sealed),
                // More chips than there may be at all; a wallet that pays can only be contradicted by damage.
                Err(StoreError::BalanceOutOfBounds) if order.way == Way::Deposit => {
                    return Err(DealerError::ChipsLimit);
                }
                Err(StoreError::BalanceOutOfBounds) => {
                    return Err(DealerError::Corrupt(format!(
                        "the balance of {} contradicts its record",
                        order.player
                    )));
                }
                Err(StoreError::Conflict | StoreError::DuplicateRequest) => {}
                Err(error) => return Err(error.into()),
            }
        }
        Err(DealerError::Busy)
    }

    /// A wallet as its last record leaves it; empty where there is none.
    pub(super) async fn wallet(&self, player: &PlayerId) -> Result<Wallet, DealerError> {
        let stream = StreamId::of_wallet(player);
        let Some(head) = self.store.head(stream).await? else {
            return Ok(Wallet { tip: Tip::default(), balance: Chips::ZERO });
        };
        let last = self.store.records(stream, Seq(head.seq.0.saturating_sub(1)), 1).await?;
        let last = last.first().ok_or_else(|| DealerError::Corrupt(format!("the wallet of {player} has no record")))?;
        let record = last.record()?;
        let tip = Tip { seq: head.seq, hash: head.hash, at: record.at };
        Ok(Wallet { tip, balance: balance_after(&record, last)? })
    }

    /// An account's balance in minor units; below zero for the house alone.
    ///
    /// # Errors
    /// Where the store fails.
    pub async fn balance(&self, account: &Account) -> Result<i64, DealerError> {
        Ok(self.store.balance(account).await?)
    }

    /// An account's transfers after `after`, oldest first, at most `limit`.
    ///
    /// # Errors
    /// Where the store fails.
    pub async fn transfers(
        &self,
        account: &Account,
        after: Option<TransferCursor>,
        limit: u32,
    ) -> Result<Vec<StoredTransfer>, DealerError> {
        Ok(self.store.transfers(account, after, limit).await?)
    }
}

/// What a wallet held after a record: a repeated request is answered from then, not from now.
fn answer(sealed: &Sealed) -> Result<WalletAnswer, DealerError> {
    let balance = balance_after(&sealed.record()?, sealed)?;
    Ok(WalletAnswer { balance: balance.units(), seq: sealed.seq.0 })
}

fn balance_after(record: &Record, sealed: &Sealed) -> Result<Chips, DealerError> {
    match record.events.as_slice() {
        [StreamEvent::Wallet(event)] => Ok(event.balance()),
        _ => Err(DealerError::Corrupt(format!("record {} of a wallet is not one event of it", sealed.seq.0))),
    }
}
