//! Tables in memory: loaded at first touch from their latest hand, dropped whenever in doubt.

use std::sync::{Arc, Mutex, PoisonError};

use lru::LruCache;
use tokio::sync::OwnedMutexGuard;

use super::{Dealer, DealerError, TURN};
use crate::engine::{
    Award, Bystander, Chips, DealtIn, Event, Nonce, Occupant, Opening, Prepared, Seat, Table, TableEvent,
};
use crate::ledger::{self, TableId, Transfer};
use crate::record::{self, FORMAT, Hash, Micros, Record, Sealed, Seq, StreamEvent, StreamId};
use crate::shuffle::SaltedDeck;
use crate::store::{HandState, Head, StreamKind};

/// A table as its records leave it.
#[derive(Clone)]
pub(super) struct Live {
    pub id: TableId,
    pub table: Table,
    pub seq: Seq,
    pub hash: Hash,
    pub at: Micros,
    pub deadline: Option<Micros>,
    /// The last record that has an event of the latest hand.
    pub hand_seq: Seq,
    /// The latest hand's deck, once it was needed.
    pub deck: Option<SaltedDeck>,
}

/// A table's place in memory. Its lock is held while a command on the table is decided and committed.
pub(super) type Slot = Arc<tokio::sync::Mutex<Option<Box<Live>>>>;

/// What a slot and its place in the map take beside the table in it: the lock, two counters, the links of the list.
const SLOT_BYTES: usize = 192;

/// The tables that are kept, up to a number of bytes: beyond it, those that were asked for longest ago are dropped.
/// What is dropped while somebody uses it is only loaded once more: that a table moves once is the database's affair.
pub(super) struct LiveTables {
    budget: usize,
    kept: Mutex<Kept>,
}

struct Kept {
    slots: LruCache<TableId, (Slot, usize)>,
    bytes: usize,
}

impl LiveTables {
    pub fn new(budget: usize) -> LiveTables {
        LiveTables { budget, kept: Mutex::new(Kept { slots: LruCache::unbounded(), bytes: 0 }) }
    }

    pub fn slot(&self, table: TableId) -> Slot {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((slot, _)) = kept.slots.get(&table) {
            return Arc::clone(slot);
        }
        let slot = Slot::default();
        let bytes = SLOT_BYTES + size_of::<Live>();
        kept.slots.put(table, (Arc::clone(&slot), bytes));
        kept.bytes += bytes;
        kept.shrink(self.budget);
        slot
    }

    /// Counts what a table has come to.
    pub fn weigh(&self, live: &Live) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let bytes = SLOT_BYTES + live.bytes();
        let Some((_, counted)) = kept.slots.peek_mut(&live.id) else { return };
        let before = std::mem::replace(counted, bytes);
        kept.bytes = kept.bytes - before + bytes;
        kept.shrink(self.budget);
    }

    /// Forgets a table that turned out not to exist.
    pub fn forget(&self, table: TableId) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, bytes)) = kept.slots.pop(&table) {
            kept.bytes -= bytes;
        }
    }
}

impl Kept {
    fn shrink(&mut self, budget: usize) {
        while self.bytes > budget
            && self.slots.len() > 1
            && let Some((_, (_, bytes))) = self.slots.pop_lru()
        {
            self.bytes -= bytes;
        }
    }
}

impl Live {
    pub const fn stream(&self) -> StreamId {
        StreamId::of_table(self.id)
    }

    /// Applies a table's events, and says what they move.
    pub fn play(&mut self, events: &[TableEvent], seq: Seq) -> Result<Vec<Transfer>, crate::engine::Impossible> {
        let mut transfers = Vec::new();
        for event in events {
            transfers.extend(ledger::table_transfers(self.id, self.table.hand(), event));
            if let TableEvent::Hand(hand_event) = event {
                self.hand_seq = seq;
                if matches!(hand_event, Event::HandOpened(_)) {
                    self.deck = None;
                }
            }
            self.table.apply(event)?;
        }
        Ok(transfers)
    }

    /// What it takes in memory. The names of players are shared by all that names them.
    pub fn bytes(&self) -> usize {
        let hand = self.table.hand();
        let opening = hand.opening();
        let key = |occupant: &Occupant| occupant.card_key.as_ref().map_or(0, |key| size_of_val(key.bytes()) + 16);
        let names = self.table.occupants().map(|(_, one)| one.player.as_str().len() + 32 + key(one)).sum::<usize>();
        let seated = opening.dealt_in.len() * size_of::<DealtIn>() + opening.bystanders.len() * size_of::<Bystander>();
        let share = |award: &Award| size_of::<Award>() + award.shares.len() * size_of::<(Seat, Chips)>();
        let awards = hand.awards().iter().map(share).sum::<usize>();
        let prepared = opening.bond.prepared.iter().chain(self.table.prepared());
        let prepared = prepared.map(|one| size_of::<Prepared>() + one.nonces.len() * size_of::<(Seat, Nonce)>());
        let awards = awards + prepared.sum::<usize>();
        size_of::<Live>() + size_of::<Opening>() + 16 + seated + names + awards
    }

    /// What the latest hand waits for.
    pub fn state(&self) -> HandState {
        HandState::of(self.table.hand())
    }

    /// When the player to act runs out of time, or the hand is settled without being asked, if the record is of this
    /// moment.
    pub fn deadline_from(&self, at: Micros) -> Option<Micros> {
        let settings = &self.table.hand().opening().settings;
        let allowance = match self.state() {
            HandState::Idle => 0,
            HandState::Betting => settings.act_allowance_ms,
            HandState::PlayedOut => settings.settle_after_ms,
        };
        (allowance > 0).then(|| Micros(at.0.saturating_add(i64::from(allowance) * 1000)))
    }
}

impl Dealer {
    /// One's turn at a table.
    pub(super) async fn turn(&self, table: TableId) -> Result<OwnedMutexGuard<Option<Box<Live>>>, DealerError> {
        let slot = self.live.slot(table);
        if let Ok(free) = Arc::clone(&slot).try_lock_owned() {
            return Ok(free);
        }
        let turn = slot.lock_owned();
        tokio::time::timeout(TURN, turn).await.map_err(|_| DealerError::Busy)
    }

    /// The table in the slot, loaded if it is not there. Where others write too, it may be behind what is stored.
    pub(super) async fn loaded<'a>(
        &self,
        table: TableId,
        slot: &'a mut Option<Box<Live>>,
    ) -> Result<&'a mut Live, DealerError> {
        if slot.is_none() {
            let live = self.load(table).await?;
            self.live.weigh(&live);
            *slot = Some(live);
        }
        slot.as_deref_mut().ok_or(DealerError::TableUnknown(table))
    }

    /// The table in the slot as it is stored at this moment: what a reader is told, and what a refusal rests on.
    pub(super) async fn current<'a>(
        &self,
        table: TableId,
        slot: &'a mut Option<Box<Live>>,
    ) -> Result<&'a mut Live, DealerError> {
        if let Some(live) = slot
            && self.is_behind(live).await?
        {
            *slot = None;
        }
        self.loaded(table, slot).await
    }

    /// Whether another process has moved the table since.
    pub(super) async fn is_behind(&self, live: &Live) -> Result<bool, DealerError> {
        if !self.store.is_shared() {
            return Ok(false);
        }
        let head = self.store.head(live.stream()).await?;
        Ok(head.is_none_or(|head| head.seq != live.seq))
    }

    async fn load(&self, table: TableId) -> Result<Box<Live>, DealerError> {
        let Some(head) = self.table_head(table).await? else {
            self.live.forget(table);
            return Err(DealerError::TableUnknown(table));
        };
        let live = self.load_hand(table, head.hand, head.seq).await?;
        if live.hash != head.hash || live.seq != head.seq {
            return Err(DealerError::Corrupt(format!("the head of table {table} is not its last record")));
        }
        Ok(live)
    }

    pub(super) async fn table_head(&self, table: TableId) -> Result<Option<Head>, DealerError> {
        let head = self.store.head(StreamId::of_table(table)).await?;
        let head = head.filter(|head| head.kind == StreamKind::Table);
        match head {
            Some(head) if head.format > FORMAT => Err(DealerError::FormatTooNew(head.format)),
            head => Ok(head),
        }
    }

    /// The table as the record `until` left it, from the opening of hand `hand` on; 0 for before the first.
    pub(super) async fn load_hand(&self, table: TableId, hand: u64, until: Seq) -> Result<Box<Live>, DealerError> {
        let stored = self.store.hand_records(StreamId::of_table(table), hand).await?;
        let mut live: Option<Box<Live>> = None;
        if let Some(first) = stored.first() {
            self.check_first(table, first).await?;
        }
        for sealed in stored.iter().filter(|sealed| sealed.seq <= until) {
            live = Some(next_live(table, live, sealed)?);
        }
        live.ok_or_else(|| DealerError::Corrupt(format!("table {table} has no record of hand {hand}")))
    }

    /// The first record that is loaded must follow from the one before it, which is not.
    async fn check_first(&self, table: TableId, first: &Sealed) -> Result<(), DealerError> {
        let before = match first.seq.0 {
            0 | 1 => Some(Hash::default()),
            seq => self.store.records(first.stream, Seq(seq - 2), 1).await?.first().map(|before| before.hash),
        };
        let follows = |before| record::chain(before, first.stream, first.seq, &first.bytes) == first.hash;
        if before.is_some_and(follows) {
            return Ok(());
        }
        Err(DealerError::Corrupt(format!("table {table}, record {}: the chain is broken", first.seq.0)))
    }

    /// The latest hand's deck, fetched at the first need.
    pub(super) async fn deck_of(&self, live: &mut Live) -> Result<SaltedDeck, DealerError> {
        if let Some(deck) = &live.deck {
            return Ok(deck.clone());
        }
        let hand = live.table.hand();
        let (_, deck) = self.bound_deck(live.id, hand.number(), &hand.opening().bond).await?;
        live.deck = Some(deck.clone());
        Ok(deck)
    }
}

/// One record more. The chain is checked on the way: what is played on must be what was written.
fn next_live(table: TableId, before: Option<Box<Live>>, sealed: &Sealed) -> Result<Box<Live>, DealerError> {
    let damaged = |what: &str| DealerError::Corrupt(format!("table {table}, record {}: {what}", sealed.seq.0));
    let record = sealed.record()?;
    let events = table_events(&record).ok_or_else(|| damaged("a wallet's event in a table's stream"))?;
    let mut live = match before {
        Some(live) => {
            let chained = record::chain(live.hash, sealed.stream, sealed.seq, &sealed.bytes) == sealed.hash;
            if sealed.seq != live.seq.next() || !chained {
                return Err(damaged("the chain is broken"));
            }
            live
        }
        None => first_live(table, &events).ok_or_else(|| damaged("it opens neither the table nor a hand"))?,
    };
    let begun = live.seq.0 == 0;
    let rest = if begun { &events[1..] } else { &events[..] };
    live.play(rest, sealed.seq).map_err(|why| damaged(&why.to_string()))?;
    if begun && live.table.hand().number() > 0 {
        live.hand_seq = sealed.seq;
    }
    live.seq = sealed.seq;
    live.hash = sealed.hash;
    live.at = record.at;
    live.deadline = record.deadline;
    Ok(live)
}

/// The table as its first loaded event makes it: its creation, or the opening of a hand.
fn first_live(id: TableId, events: &[TableEvent]) -> Option<Box<Live>> {
    let table = match events.first()? {
        TableEvent::TableCreated(settings) => Table::new(*settings),
        TableEvent::Hand(Event::HandOpened(opening)) => Table::at_opening(opening).ok()?,
        _ => return None,
    };
    Some(Box::new(Live::begun(id, table)))
}

impl Live {
    /// A table before its first loaded record.
    pub const fn begun(id: TableId, table: Table) -> Live {
        Live {
            id,
            table,
            seq: Seq(0),
            hash: Hash([0; 32]),
            at: Micros(0),
            deadline: None,
            hand_seq: Seq(0),
            deck: None,
        }
    }
}

fn table_events(record: &Record) -> Option<Vec<TableEvent>> {
    let table_event = |event: &StreamEvent| match event {
        StreamEvent::Table(event) => Some(event.clone()),
        StreamEvent::Wallet(_) => None,
    };
    record.events.iter().map(table_event).collect()
}
