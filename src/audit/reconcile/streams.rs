//! One stream: replayed to where it stood at one moment, and compared with what was stored beside its records then.

use std::collections::BTreeMap;

use super::decks::{Decks, begun};
use super::halves::Halves;
use super::{Audit, PAGE};
use crate::audit::difference::{Difference, Posting, Source};
use crate::audit::replay::{Replay, Wrong};
use crate::engine::Seat;
use crate::ledger::{Account, TableId};
use crate::record::{FORMAT, Record, Sealed, Seq, StreamEvent};
use crate::store::{Facts, Head, StoreError, StoredTransfer, StreamKind};

/// What is read along with a stream's records, beyond their own transfers.
enum Beside {
    /// Of a wallet: its transfers in all streams.
    Halves(Halves),
    /// Of a table: which of its hands have decks.
    Decks(Decks),
    /// Of a wallet whose first record does not tell whose it is.
    Nothing,
}

impl Beside {
    fn of(source: Source, accounts: &[Account]) -> Beside {
        match (source.kind, accounts) {
            (StreamKind::Table, _) => Beside::Decks(Decks::new(source, TableId(source.stream.0))),
            (StreamKind::Wallet, [wallet]) => Beside::Halves(Halves::new(source, wallet.clone())),
            (StreamKind::Wallet, _) => Beside::Nothing,
        }
    }
}

impl Audit<'_> {
    pub(super) async fn stream(&mut self, listed: &Head) -> Result<(), StoreError> {
        let source = Source { kind: listed.kind, stream: listed.stream };
        let accounts = self.accounts_behind(source).await?;
        let place = format!("where {source} stands");
        let standing = self.store.standing(source.stream, &accounts).await;
        if let Some(Some((head, balances))) = self.readable(&place, standing)? {
            let mut beside = Beside::of(source, &accounts);
            if let Some(replay) = self.replay(source, &head, &mut beside).await? {
                self.compare(source, &head, &replay);
                let found: BTreeMap<&Account, i64> = accounts.iter().zip(balances).collect();
                self.compare_balances(source, &replay, &found);
                self.nothing_beyond(source, &head).await?;
                match beside {
                    Beside::Halves(halves) => self.no_half_left(halves, &head).await?,
                    Beside::Decks(decks) => self.no_deck_left(decks, &head).await?,
                    Beside::Nothing => {}
                }
            }
        }
        self.progress.streams_done += 1;
        self.step(1);
        Ok(())
    }

    /// The accounts whose balances follow from this stream. Whose a wallet is, its first record tells.
    async fn accounts_behind(&mut self, source: Source) -> Result<Vec<Account>, StoreError> {
        if source.kind == StreamKind::Table {
            let table = TableId(source.stream.0);
            let seats = Seat::all().map(|seat| Account::Seat(table, seat));
            return Ok(seats.chain([Account::Pot(table), Account::Rake(table)]).collect());
        }
        let first = self.store.records(source.stream, Seq(0), 1).await;
        let first = self.readable(&format!("the first record of {source}"), first)?.unwrap_or_default();
        // A record that cannot be read is named by the replay.
        let events = first.first().and_then(|sealed| sealed.record().ok()).map(|record| record.events);
        Ok(match events.as_deref() {
            Some([StreamEvent::Wallet(event), ..]) => vec![Account::Wallet(event.player().clone())],
            _ => Vec::new(),
        })
    }

    /// The stream as its head's record leaves it; `None` where a record on the way is wrong.
    async fn replay(&mut self, source: Source, head: &Head, beside: &mut Beside) -> Result<Option<Replay>, StoreError> {
        let mut replay = Replay::of(source.kind, source.stream);
        while replay.seq < head.seq {
            let limit = u32::try_from(head.seq.0 - replay.seq.0).map_or(PAGE, |left| left.min(PAGE));
            let page = self.store.records(source.stream, replay.seq, limit).await;
            let Some(page) = self.readable(&format!("the records of {source}"), page)? else { return Ok(None) };
            let Some(last) = page.last() else {
                // The head and its record come together, so no later one will.
                self.head_differs(source, "record", replay.seq.0.to_string(), head.seq.0.to_string());
                return Ok(None);
            };
            // Before the first record there must be no transfer either.
            let from = if replay.seq == Seq(0) { Seq(0) } else { replay.seq.next() };
            let rows = self.store.record_transfers(source.stream, from, last.seq).await;
            let rows = self.readable(&format!("the transfers of {source}"), rows)?;
            let mut rows = rows.map(|rows| rows.into_iter().peekable());
            let mut facts = Vec::new();
            for sealed in &page {
                let hand = replay.hand;
                let record = match replay.take(sealed) {
                    Ok(record) => record,
                    Err(Wrong { seq, what }) => {
                        self.find(Difference::Record { stream: source, seq, what });
                        self.compare_copies(source, &facts).await?;
                        return Ok(None);
                    }
                };
                facts.push(facts_of(sealed.seq, &record, hand));
                if let Some(rows) = &mut rows {
                    let own = std::iter::from_fn(|| rows.next_if(|row| row.cursor.seq <= sealed.seq)).collect();
                    self.compare_transfers(source, sealed, &record, own);
                }
                match beside {
                    Beside::Halves(halves) => self.compare_half(halves, sealed.seq, &record).await?,
                    Beside::Decks(decks) => self.compare_decks(decks, sealed.seq, &record).await?,
                    Beside::Nothing => {}
                }
            }
            self.compare_copies(source, &facts).await?;
            self.progress.records += page.len() as u64;
            self.step(page.len() as u64);
        }
        Ok(Some(replay))
    }

    /// What stands beside the records says what they say.
    async fn compare_copies(&mut self, source: Source, facts: &[Facts]) -> Result<(), StoreError> {
        let wrong = self.store.wrong_copies(source.stream, facts).await;
        for copy in self.readable(&format!("what stands beside the records of {source}"), wrong)?.unwrap_or_default() {
            self.find(Difference::Copy { stream: source, copy });
        }
        Ok(())
    }

    /// The transfers of a record, as stored beside it, are those in it.
    fn compare_transfers(&mut self, source: Source, sealed: &Sealed, record: &Record, rows: Vec<StoredTransfer>) {
        type Pair = (Option<Posting>, Option<Posting>);
        let mut pairs: BTreeMap<(Seq, u32), Pair> = BTreeMap::new();
        for (index, transfer) in (0..).zip(&record.transfers) {
            let due = Posting { stream: source.stream, at: record.at, transfer: transfer.clone() };
            pairs.entry((sealed.seq, index)).or_default().0 = Some(due);
        }
        for row in rows {
            self.progress.transfers += 1;
            let place = (row.cursor.seq, row.cursor.index);
            pairs.entry(place).or_default().1 = Some(row.into());
        }
        for ((seq, index), (expected, found)) in pairs {
            if expected != found {
                self.find(Difference::Transfer { stream: source, seq, index, expected, found });
            }
        }
    }

    /// The head says what its record says.
    fn compare(&mut self, source: Source, head: &Head, replay: &Replay) {
        let facts = [
            ("hash", replay.hash.to_string(), head.hash.to_string()),
            ("hand", replay.hand.to_string(), head.hand.to_string()),
            ("state", replay.state().word().to_owned(), head.state.word().to_owned()),
            ("deadline", deadline(replay.deadline), deadline(head.deadline)),
        ];
        if head.format > FORMAT {
            // Its records are not: every one of them was read.
            self.head_differs(source, "format", format!("{FORMAT} or older"), head.format.to_string());
        }
        for (fact, expected, found) in facts {
            if expected != found {
                self.head_differs(source, fact, expected, found);
            }
        }
    }

    fn head_differs(&mut self, stream: Source, fact: &'static str, expected: String, found: String) {
        self.find(Difference::Head { stream, fact, expected, found });
    }

    fn compare_balances(&mut self, source: Source, replay: &Replay, balances: &BTreeMap<&Account, i64>) {
        for (account, expected) in replay.balances() {
            let found = balances.get(&account).copied().unwrap_or_default();
            if i128::from(found) != expected {
                let seq = replay.seq;
                self.find(Difference::Balance { stream: source, seq, account, expected, found });
            }
        }
    }

    /// What stands behind the head's record belongs to later ones, to which the head has moved by now; or to none.
    async fn nothing_beyond(&mut self, source: Source, head: &Head) -> Result<(), StoreError> {
        let place = format!("what stands behind the head of {source}");
        let records = self.store.records(source.stream, head.seq, 1).await;
        let records = self.readable(&place, records)?.unwrap_or_default();
        let rows = self.store.record_transfers(source.stream, head.seq.next(), Seq(u64::MAX)).await;
        let rows = self.readable(&place, rows)?.unwrap_or_default();
        if records.is_empty() && rows.is_empty() {
            return Ok(());
        }
        // Asked last: whatever was read above and is sound is not behind it.
        let now = self.store.head(source.stream).await;
        let Some(Some(now)) = self.readable(&place, now)? else { return Ok(()) };
        if let Some(record) = records.first().filter(|record| record.seq > now.seq) {
            self.head_differs(source, "record", format!("{} or later", record.seq.0), now.seq.0.to_string());
        }
        for row in rows.into_iter().filter(|row| row.cursor.seq > now.seq) {
            let (seq, index) = (row.cursor.seq, row.cursor.index);
            let found = Some(row.into());
            self.find(Difference::Transfer { stream: source, seq, index, expected: None, found });
        }
        Ok(())
    }
}

/// What the record says of itself, after a record of such a hand.
fn facts_of(seq: Seq, record: &Record, hand_before: u64) -> Facts {
    Facts {
        seq,
        at: record.at,
        request_id: record.request_id.clone(),
        hand: record.hand_number,
        opens: record.hand_number > hand_before,
        begins: record.events.iter().find_map(begun),
        transfers: record.transfers.len(),
    }
}

fn deadline(deadline: Option<crate::record::Micros>) -> String {
    deadline.map_or_else(|| "none".to_owned(), |deadline| deadline.0.to_string())
}
