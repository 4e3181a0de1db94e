//! From a decision to a committed record: each command once, whatever repeats it or races it.

use super::live::Live;
use super::order::{Effect, Order, is_of_hand};
use super::request::Ask;
use super::seal::{Tip, asked, seal};
use super::{ATTEMPTS, Dealer, DealerError};
use crate::ledger::TableId;
use crate::record::{Micros, Record, RequestHash, Sealed, StreamEvent, StreamId};
use crate::store::{Commit, HandState, StoreError, StreamKind};

impl Dealer {
    /// Carries an order out, once for its request id, and gives the table as the order left it.
    pub(super) async fn carry_out(&self, table: TableId, ask: &Ask, order: &Order) -> Result<Box<Live>, DealerError> {
        self.carry_out_here(table, ask, order).await.map(|(live, _)| live)
    }

    /// The same; and whether it was done here and now, and not before or by somebody else.
    pub(super) async fn carry_out_here(
        &self,
        table: TableId,
        ask: &Ask,
        order: &Order,
    ) -> Result<(Box<Live>, bool), DealerError> {
        let _place = self.enter()?;
        let hash = order.hash();
        for _ in 0..ATTEMPTS {
            let mut guard = self.turn(table).await?;
            let was_held = guard.is_some();
            let live = self.loaded(table, &mut guard).await?;
            let effect = match self.decide(live, order).await {
                Ok(effect) if !effect.events.is_empty() => effect,
                decided => {
                    // No legal action is refused because this process has not heard of the one before it.
                    if was_held && self.is_behind(live).await? {
                        *guard = None;
                        continue;
                    }
                    // Refused, or so already: perhaps because this very request did it before.
                    let current = Box::new(live.clone());
                    let live = self.repeated_or(table, ask, hash, decided.map(|_| current)).await?;
                    return Ok((live, false));
                }
            };
            let player = effect.wallet.as_ref().map(|wallet| wallet.player.clone());
            let _turn = match &player {
                Some(player) => Some(self.wallets.turn(player).await?),
                None => None,
            };
            let (commit, next) = match self.prepare(live, ask, hash, effect).await {
                Ok(prepared) => prepared,
                // The wallet cannot pay: perhaps because this very request has taken the chips before.
                Err(refused) => return Ok((self.repeated_or(table, ask, hash, Err(refused)).await?, false)),
            };
            let opens = next.table.hand().number() != live.table.hand().number();
            // Until it is known how this goes, nothing is held of the table: the caller may go away before, and what
            // was held would be behind what is stored.
            *guard = None;
            match self.store.commit(commit).await {
                Ok(()) => {
                    if opens {
                        self.live.weigh(&next);
                    }
                    return Ok((guard.insert(next).clone(), true));
                }
                Err(error) => {
                    if let Some(record) = self.survive(StreamId::of_table(table), ask, hash, error).await? {
                        return Ok((self.as_of(table, &record).await?, false));
                    }
                }
            }
        }
        Err(DealerError::Busy)
    }

    /// The table as this request left it if it was carried out before, and `otherwise` if not.
    async fn repeated_or(
        &self,
        table: TableId,
        ask: &Ask,
        hash: RequestHash,
        otherwise: Result<Box<Live>, DealerError>,
    ) -> Result<Box<Live>, DealerError> {
        match self.repeated(StreamId::of_table(table), ask, hash).await? {
            Some(record) => self.as_of(table, &record).await,
            None => otherwise,
        }
    }

    /// The commit of an effect, and the table as it will then be.
    async fn prepare(
        &self,
        live: &Live,
        ask: &Ask,
        hash: RequestHash,
        effect: Effect,
    ) -> Result<(Commit, Box<Live>), DealerError> {
        let mut next = Box::new(live.clone());
        let seq = live.seq.next();
        let transfers = next.play(&effect.events, seq).map_err(DealerError::Broken)?;
        if effect.deck.is_some() {
            next.deck = effect.deck;
        }
        let proof = self.proof(live, &mut next, &effect.events).await?;
        let mut at = Micros(self.world.now()).max(live.at);
        let wallet = match &effect.wallet {
            Some(order) => {
                let wallet = self.wallet(&order.player).await?;
                at = at.max(wallet.next_at());
                Some((wallet.after(order)?, wallet.tip))
            }
            None => None,
        };
        next.deadline = if effect.events.iter().any(is_of_hand) { next.deadline_from(at) } else { live.deadline };
        let record = Record {
            hand_number: next.table.hand().number(),
            deadline: next.deadline,
            events: effect.events.into_iter().map(StreamEvent::Table).collect(),
            transfers,
            proof,
            ..asked(ask, hash, at)
        };
        let tip = Tip { seq: live.seq, hash: live.hash, at };
        let table_move = seal(StreamKind::Table, live.stream(), tip, next.state(), record);
        next.seq = seq;
        next.hash = table_move.sealed.hash;
        next.at = at;
        let wallet_move = wallet.map(|(event, tip)| {
            let stream = StreamId::of_wallet(event.player());
            // The id stands in the table's half: there it is looked for.
            let record =
                Record { request_id: String::new(), events: vec![StreamEvent::Wallet(event)], ..asked(ask, hash, at) };
            seal(StreamKind::Wallet, stream, tip, HandState::Idle, record)
        });
        let moves = std::iter::once(table_move).chain(wallet_move).collect();
        Ok((Commit { moves, deck: effect.row }, next))
    }

    /// A table's first record.
    pub(super) async fn commit_new(&self, live: Live, ask: &Ask, hash: RequestHash) -> Result<Live, StoreError> {
        let at = Micros(self.world.now());
        let created = crate::engine::TableEvent::TableCreated(*live.table.settings());
        let record = Record { events: vec![StreamEvent::Table(created)], ..asked(ask, hash, at) };
        let first = seal(StreamKind::Table, live.stream(), Tip::default(), HandState::Idle, record);
        let (seq, hash) = (first.sealed.seq, first.sealed.hash);
        self.store.commit(Commit { moves: vec![first], deck: None }).await?;
        Ok(Live { seq, hash, at, ..live })
    }

    /// What a failed commit means: the record of the same request, nothing where the command may be decided again, or
    /// the failure.
    pub(super) async fn survive(
        &self,
        stream: StreamId,
        ask: &Ask,
        hash: RequestHash,
        error: StoreError,
    ) -> Result<Option<Sealed>, DealerError> {
        match error {
            StoreError::Conflict => Ok(None),
            // The record says that every account can pay: a balance beside it is not what its transfers make it.
            StoreError::BalanceOutOfBounds => Err(DealerError::Corrupt("a balance contradicts the record".to_owned())),
            StoreError::DuplicateRequest => self.repeated(stream, ask, hash).await,
            other => Err(other.into()),
        }
    }

    /// The record of this request, if the stream has one.
    pub(super) async fn repeated(
        &self,
        stream: StreamId,
        ask: &Ask,
        hash: RequestHash,
    ) -> Result<Option<Sealed>, DealerError> {
        let Some(sealed) = self.store.find_request(stream, ask.request_id.as_str()).await? else { return Ok(None) };
        if sealed.record()?.request_hash == hash { Ok(Some(sealed)) } else { Err(DealerError::RequestIdReused) }
    }

    /// The table as a record left it: a repeated request is answered from then, not from now.
    pub(super) async fn as_of(&self, table: TableId, sealed: &Sealed) -> Result<Box<Live>, DealerError> {
        let hand = sealed.record()?.hand_number;
        self.load_hand(table, hand, sealed.seq).await
    }
}
