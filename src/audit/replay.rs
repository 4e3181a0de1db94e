//! A stream replayed record by record: the chain, and that each event and each transfer is what the rules make of the
//! records before.

use super::cards::HandCards;
use crate::engine::{Event, Outcome, PlayerId, Seat, Table, TableEvent};
use crate::ledger::{Account, TableId, Transfer, WalletEvent, table_transfers, wallet_transfers};
use crate::record::{self, Hash, Micros, Record, Sealed, Seq, StreamEvent, StreamId};
use crate::store::{HandState, StreamKind};

/// What is wrong with a record.
#[derive(Debug)]
pub(super) struct Wrong {
    /// Which.
    pub seq: Seq,
    /// In words.
    pub what: String,
}

/// A stream as the records taken so far leave it.
pub(super) struct Replay {
    stream: StreamId,
    content: Content,
    /// The last record taken, its hash, moment, hand number and deadline.
    pub seq: Seq,
    pub hash: Hash,
    pub at: Micros,
    pub hand: u64,
    pub deadline: Option<Micros>,
}

enum Content {
    /// A table, all rake that it paid, and the cards of its latest hand.
    Table { id: TableId, table: Option<Box<Table>>, rake: i128, cards: Box<Option<HandCards>> },
    /// A wallet: whose, and what it holds.
    Wallet { player: Option<PlayerId>, balance: i128 },
}

impl Replay {
    /// A stream before its first record.
    pub fn of(kind: StreamKind, stream: StreamId) -> Replay {
        let content = match kind {
            StreamKind::Table => Content::Table { id: TableId(stream.0), table: None, rake: 0, cards: Box::default() },
            StreamKind::Wallet => Content::Wallet { player: None, balance: 0 },
        };
        let (seq, hash, at) = (Seq(0), Hash::default(), Micros::default());
        Replay { stream, content, seq, hash, at, hand: 0, deadline: None }
    }

    /// The next record; after one that is wrong none can be taken any more.
    pub fn take(&mut self, sealed: &Sealed) -> Result<Record, Wrong> {
        let wrong = |what: &str| Wrong { seq: sealed.seq, what: what.to_owned() };
        if sealed.seq != self.seq.next() {
            return Err(wrong("the records before it are missing"));
        }
        if record::chain(self.hash, sealed.stream, sealed.seq, &sealed.bytes) != sealed.hash {
            return Err(wrong("its hash does not follow from its bytes and the record before"));
        }
        let record = sealed.record().map_err(|why| wrong(&why.to_string()))?;
        if record.at < self.at {
            return Err(wrong("it is older than the record before"));
        }
        let before = self.content.play_state();
        let due = self.content.play(self.stream, &record.events).map_err(|what| wrong(&what))?;
        if due != record.transfers {
            return Err(wrong("its transfers are not what its events move"));
        }
        self.content.prove(&record, before).map_err(|what| wrong(&what))?;
        if record.hand_number != self.content.hand() {
            return Err(wrong("it bears another hand's number"));
        }
        (self.seq, self.hash, self.at) = (sealed.seq, sealed.hash, record.at);
        (self.hand, self.deadline) = (record.hand_number, record.deadline);
        Ok(record)
    }

    /// What its latest hand waits for after the last record taken.
    pub fn state(&self) -> HandState {
        match &self.content {
            Content::Table { table: Some(table), .. } => HandState::of(table.hand()),
            Content::Table { table: None, .. } | Content::Wallet { .. } => HandState::Idle,
        }
    }

    /// The accounts of this stream, and what each must hold after the last record taken.
    pub fn balances(&self) -> Vec<(Account, i128)> {
        match &self.content {
            Content::Table { id, table, rake, .. } => table_balances(*id, table.as_deref(), *rake),
            Content::Wallet { player, balance } => {
                player.iter().map(|player| (Account::Wallet(player.clone()), *balance)).collect()
            }
        }
    }
}

/// Every account of a table, and what it must hold.
fn table_balances(id: TableId, table: Option<&Table>, rake: i128) -> Vec<(Account, i128)> {
    let chips_of = |seat: Seat| {
        let occupant = table.and_then(|table| table.occupants().find(|(at, _)| *at == seat));
        occupant.map_or(0, |(_, occupant)| i128::from(occupant.chips.units()))
    };
    let open = table.map(Table::hand).filter(|hand| hand.is_open());
    let brought = open.iter().flat_map(|hand| hand.players());
    let pot = brought.map(|(_, player)| i128::from(player.brought.units())).sum();
    let seats = Seat::all().map(|seat| (Account::Seat(id, seat), chips_of(seat)));
    seats.chain([(Account::Pot(id), pot), (Account::Rake(id), rake)]).collect()
}

impl Content {
    /// Lets the events happen, and gives what they move.
    fn play(&mut self, stream: StreamId, events: &[StreamEvent]) -> Result<Vec<Transfer>, String> {
        match self {
            Content::Table { id, table, rake, .. } => play_table(*id, table, rake, events),
            Content::Wallet { player, balance } => match events {
                [StreamEvent::Wallet(event)] => play_wallet(stream, player, balance, event),
                _ => Err("it is not one event of a wallet".to_owned()),
            },
        }
    }

    /// The number of the latest hand, and whether its play is over.
    fn play_state(&self) -> (u64, bool) {
        let Content::Table { table: Some(table), .. } = self else { return (0, false) };
        let hand = table.hand();
        (hand.number(), hand.number() > 0 && (hand.is_played_out() || !hand.is_open()))
    }

    /// Checks what the record says to prove its cards, and that it says nothing where nothing is to be proved.
    fn prove(&mut self, record: &Record, before: (u64, bool)) -> Result<(), String> {
        let after = self.play_state();
        let ends = after.1 && after != before;
        if !record.proof.nodes.is_empty() && !ends {
            return Err("it has the proof of a hand's cards, and no play ends in it".to_owned());
        }
        if record.proof.deck.is_some() && !self.opens(record) {
            return Err("it opens a deck that its hand does not open".to_owned());
        }
        let Content::Table { id, table, cards, .. } = self else { return Ok(()) };
        HandCards::take(cards, *id, record);
        let Some(cards) = &**cards else { return Ok(()) };
        cards.verify(record).map_err(|why| format!("the proof of its cards does not hold: {why}"))?;
        // A hand that is voided may be without one: its key may be lost.
        let voided = table.as_ref().is_some_and(|table| matches!(table.hand().outcome(), Some(Outcome::Voided(_))));
        if ends && !voided && cards.proof().is_none() {
            return Err("its hand is played out without the proof of its cards".to_owned());
        }
        Ok(())
    }

    /// Whether the record settles a hand whose settlement opens the deck.
    fn opens(&self, record: &Record) -> bool {
        let Content::Table { table: Some(table), .. } = self else { return false };
        let settles =
            |event: &StreamEvent| matches!(event, StreamEvent::Table(TableEvent::Hand(Event::HandSettled { .. })));
        table.hand().opening().settings.reveal_deck && record.events.iter().any(settles)
    }

    fn hand(&self) -> u64 {
        match self {
            Content::Table { table, .. } => table.as_ref().map_or(0, |table| table.hand().number()),
            Content::Wallet { .. } => 0,
        }
    }
}

fn play_table(
    id: TableId,
    table: &mut Option<Box<Table>>,
    rake: &mut i128,
    events: &[StreamEvent],
) -> Result<Vec<Transfer>, String> {
    let mut due = Vec::new();
    for event in events {
        let StreamEvent::Table(event) = event else { return Err("a wallet's event in a table's stream".into()) };
        match (table.as_mut(), event) {
            (None, TableEvent::TableCreated(settings)) => *table = Some(Box::new(Table::new(*settings))),
            (None, _) => return Err("it comes before the table was created".into()),
            (Some(table), event) => {
                due.extend(table_transfers(id, table.hand(), event));
                table.apply(event).map_err(|why| why.to_string())?;
                if let TableEvent::Hand(Event::HandSettled { rake: taken, .. }) = event {
                    *rake += i128::from(taken.units());
                }
            }
        }
    }
    Ok(due)
}

fn play_wallet(
    stream: StreamId,
    player: &mut Option<PlayerId>,
    balance: &mut i128,
    event: &WalletEvent,
) -> Result<Vec<Transfer>, String> {
    if StreamId::of_wallet(event.player()) != stream {
        return Err(format!("it is of the wallet of {}, which is another", event.player()));
    }
    *player = Some(event.player().clone());
    *balance += match event {
        WalletEvent::Deposited { amount, .. } | WalletEvent::CashedOut { amount, .. } => i128::from(amount.units()),
        WalletEvent::Withdrawn { amount, .. } | WalletEvent::BoughtIn { amount, .. } => -i128::from(amount.units()),
    };
    let told = i128::from(event.balance().units());
    if told != *balance {
        return Err(format!("it leaves {told} in the wallet, and must {balance}"));
    }
    Ok(wallet_transfers(event))
}
