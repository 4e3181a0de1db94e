//! Money: chips move from one account to another and in no other way (promise 2).

use std::fmt;

use crate::engine::{Chips, Event, Hand, PlayerId, Seat, TableEvent};

/// A table's id: a UUID, version 7 where the dealer makes it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TableId(pub [u8; 16]);

impl fmt::Display for TableId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&uuid::Uuid::from_bytes(self.0), f)
    }
}

impl fmt::Debug for TableId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Where chips can be.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Account {
    /// The world outside: what all others hold together, below zero. The only account that may be.
    House,
    /// A player's chips that are at no table.
    Wallet(PlayerId),
    /// The chips of a seat; zero while its stack is in play.
    Seat(TableId, Seat),
    /// The stacks in play at a table; zero while no hand is open.
    Pot(TableId),
    /// What the house has earned at a table.
    Rake(TableId),
}

impl fmt::Display for Account {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Account::House => f.write_str("house"),
            Account::Wallet(player) => write!(f, "wallet of {player}"),
            Account::Seat(table, seat) => write!(f, "seat {seat} of table {table}"),
            Account::Pot(table) => write!(f, "pot of table {table}"),
            Account::Rake(table) => write!(f, "rake of table {table}"),
        }
    }
}

/// Chips on their way from one account to another. One debit and one credit of one amount: it cannot be unbalanced.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Transfer {
    from: Account,
    to: Account,
    amount: Chips,
}

impl Transfer {
    /// `None` where nothing would move: no chips, or to the same account.
    pub fn new(from: Account, to: Account, amount: Chips) -> Option<Transfer> {
        (!amount.is_zero() && from != to).then_some(Transfer { from, to, amount })
    }

    /// Debited.
    pub const fn from(&self) -> &Account {
        &self.from
    }

    /// Credited.
    pub const fn to(&self) -> &Account {
        &self.to
    }

    /// How much, at least 1.
    pub const fn amount(&self) -> Chips {
        self.amount
    }
}

/// What happens to a player's wallet. The transfers of a buy-in or cash-out stand in the table's record.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum WalletEvent {
    /// Chips came in from outside.
    Deposited {
        /// Whose wallet.
        player: PlayerId,
        /// How much.
        amount: Chips,
        /// What the wallet holds after it.
        balance: Chips,
    },
    /// Chips went out.
    Withdrawn {
        /// Whose wallet.
        player: PlayerId,
        /// How much.
        amount: Chips,
        /// What the wallet holds after it.
        balance: Chips,
    },
    /// Chips went to a seat: a seat taken, or chips added.
    BoughtIn {
        /// Whose wallet.
        player: PlayerId,
        /// To which table.
        table: TableId,
        /// To which seat.
        seat: Seat,
        /// How much.
        amount: Chips,
        /// What the wallet holds after it.
        balance: Chips,
    },
    /// Chips came back from a seat that was left.
    CashedOut {
        /// Whose wallet.
        player: PlayerId,
        /// From which table.
        table: TableId,
        /// From which seat.
        seat: Seat,
        /// How much.
        amount: Chips,
        /// What the wallet holds after it.
        balance: Chips,
    },
}

impl WalletEvent {
    /// Whose wallet.
    pub const fn player(&self) -> &PlayerId {
        let (WalletEvent::Deposited { player, .. }
        | WalletEvent::Withdrawn { player, .. }
        | WalletEvent::BoughtIn { player, .. }
        | WalletEvent::CashedOut { player, .. }) = self;
        player
    }

    /// What the wallet holds after it.
    pub const fn balance(&self) -> Chips {
        let (WalletEvent::Deposited { balance, .. }
        | WalletEvent::Withdrawn { balance, .. }
        | WalletEvent::BoughtIn { balance, .. }
        | WalletEvent::CashedOut { balance, .. }) = self;
        *balance
    }
}

/// What an event of a wallet moves.
pub fn wallet_transfers(event: &WalletEvent) -> Vec<Transfer> {
    let transfer = match event {
        WalletEvent::Deposited { player, amount, .. } => {
            Transfer::new(Account::House, Account::Wallet(player.clone()), *amount)
        }
        WalletEvent::Withdrawn { player, amount, .. } => {
            Transfer::new(Account::Wallet(player.clone()), Account::House, *amount)
        }
        WalletEvent::BoughtIn { .. } | WalletEvent::CashedOut { .. } => None,
    };
    transfer.into_iter().collect()
}

/// What an event of a table moves; `hand` is the table's hand as the event finds it.
///
/// Of a hand only its opening, settlement and voiding move chips between accounts: the stacks go into the pot account
/// and come out of it again. Awards and rake in between are facts of the log.
pub fn table_transfers(table: TableId, hand: &Hand, event: &TableEvent) -> Vec<Transfer> {
    let seat_account = |seat: Seat| Account::Seat(table, seat);
    let wallet = |player: &PlayerId| Account::Wallet(player.clone());
    let one = |transfer: Option<Transfer>| transfer.into_iter().collect();
    match event {
        TableEvent::SeatTaken { seat, player, chips, .. } | TableEvent::ChipsAdded { seat, player, chips } => {
            one(Transfer::new(wallet(player), seat_account(*seat), *chips))
        }
        TableEvent::SeatLeft { seat, player, chips } => one(Transfer::new(seat_account(*seat), wallet(player), *chips)),
        TableEvent::Hand(event) => hand_transfers(table, hand, event),
        TableEvent::TableCreated(_)
        | TableEvent::RulesChanged(_)
        | TableEvent::SatOut { .. }
        | TableEvent::HandPrepared { .. }
        | TableEvent::NonceGiven { .. }
        | TableEvent::CardsRead { .. }
        | TableEvent::DeckOpened { .. }
        | TableEvent::TableClosed => Vec::new(),
    }
}

fn hand_transfers(table: TableId, hand: &Hand, event: &Event) -> Vec<Transfer> {
    let from_pot = |seat: Seat, stack: Chips| Transfer::new(Account::Pot(table), Account::Seat(table, seat), stack);
    match event {
        Event::HandOpened(opening) => {
            let into_pot = opening.dealt_in.iter();
            into_pot
                .filter_map(|dealt| Transfer::new(Account::Seat(table, dealt.seat), Account::Pot(table), dealt.stack))
                .collect()
        }
        Event::HandSettled { stacks, rake } => {
            let to_seats = stacks.iter().filter_map(|&(seat, stack)| from_pot(seat, stack));
            to_seats.chain(Transfer::new(Account::Pot(table), Account::Rake(table), *rake)).collect()
        }
        Event::HandVoided { .. } => {
            hand.players().filter_map(|(seat, player)| from_pot(seat, player.brought)).collect()
        }
        _ => Vec::new(),
    }
}
