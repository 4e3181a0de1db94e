//! What every store keeps: the suite runs over each kind, on a fresh store for each promise. Promises 2 and 5.

mod books;
mod breaches;
mod concurrency;
mod money;
mod pooled;
mod postgres;
mod sqlite;
mod streams;

use std::sync::Arc;

use razz_dealer::engine::{Chips, PlayerId, Seat};
use razz_dealer::ledger::{Account, TableId, Transfer};
use razz_dealer::record::{Hash, Micros, Sealed, Seq, StreamId, chain};
use razz_dealer::store::{Commit, HandState, Move, Store, StoreError, StreamKind};

/// Makes one test of each promise over each kind of store; what `fresh` gives beside it is kept until the test ends.
macro_rules! over {
    ($($store:ident),+: $promises:tt) => { $( over! { @one $store $promises } )+ };
    (@one $store:ident { $($room:ident::$promise:ident),+ $(,)? }) => {
        mod $store {
            $(
                #[tokio::test(flavor = "multi_thread")]
                async fn $promise() {
                    let (store, _kept) = super::super::$store::fresh().await;
                    super::super::$room::$promise(store).await;
                }
            )+
        }
    };
}

/// The promises, over each kind of store.
mod over {
    over! { sqlite, postgres, pooled: {
        streams::an_empty_store_has_nothing,
        streams::every_read_finds_what_was_committed,
        streams::a_moved_head_is_a_conflict,
        streams::a_request_id_counts_once_in_its_stream,
        streams::two_streams_move_together_or_not_at_all,
        streams::tables_are_listed_by_id,
        streams::open_and_due_hands_are_found,
        streams::a_deck_enters_with_the_record_of_its_hand,
        streams::a_command_moves_something_and_nothing_twice,
        money::an_overdraft_is_refused_whole,
        money::all_chips_fit_below_the_ceiling,
        money::transfers_are_listed_in_order_page_by_page,
        money::balances_are_the_sums_of_transfers,
        concurrency::one_of_many_wins_a_head,
        concurrency::a_request_sent_twice_at_once_counts_once,
        concurrency::bad_neighbours_hurt_nobody,
        concurrency::a_read_sees_only_what_is_committed,
        concurrency::many_streams_write_at_once,
        books::an_empty_store_has_empty_books,
        books::copies_beside_records_are_those_of_the_records,
        books::all_streams_are_listed_by_id,
        books::transfers_are_found_by_their_records,
        books::a_head_and_its_balances_are_of_one_moment,
        books::every_account_is_listed_once,
        books::a_tally_is_exact_however_much_moved,
    } }
}

type Shared = Arc<dyn Store>;

/// A stream's end, as a test writes on from it.
#[derive(Clone)]
struct Tip {
    kind: StreamKind,
    stream: StreamId,
    seq: Seq,
    hash: Hash,
}

impl Tip {
    const fn new(kind: StreamKind, stream: StreamId) -> Tip {
        Tip { kind, stream, seq: Seq(0), hash: Hash([0; 32]) }
    }

    fn of_table(number: u16) -> Tip {
        Tip::new(StreamKind::Table, StreamId::of_table(table(number)))
    }

    fn of_wallet(name: &str) -> Tip {
        Tip::new(StreamKind::Wallet, StreamId::of_wallet(&player(name)))
    }

    /// The next record, before the first hand; its bytes follow from the request id.
    fn step(&self, request_id: &str, transfers: Vec<Transfer>) -> Move {
        let seq = self.seq.next();
        let bytes = format!("what {request_id} did").into_bytes();
        let hash = chain(self.hash, self.stream, seq, &bytes);
        Move {
            kind: self.kind,
            sealed: Sealed { stream: self.stream, seq, hash, bytes },
            at: Micros(1_000 * i64::try_from(seq.0).expect("a small number")),
            request_id: request_id.to_owned(),
            hand: 0,
            state: HandState::Idle,
            deadline: None,
            transfers,
        }
    }

    fn after(&self, one: &Move) -> Tip {
        Tip { seq: one.sealed.seq, hash: one.sealed.hash, ..*self }
    }

    /// Commits the next record, and stands behind it if it is in.
    async fn write(&mut self, store: &dyn Store, id: &str, transfers: Vec<Transfer>) -> Result<(), StoreError> {
        let next = self.step(id, transfers);
        let after = self.after(&next);
        store.commit(one(next)).await?;
        *self = after;
        Ok(())
    }
}

fn one(step: Move) -> Commit {
    Commit { moves: vec![step], deck: None }
}

fn both(first: Move, second: Move) -> Commit {
    Commit { moves: vec![first, second], deck: None }
}

fn table(number: u16) -> TableId {
    let mut id = [7; 16];
    id[..2].copy_from_slice(&number.to_be_bytes());
    TableId(id)
}

fn player(name: &str) -> PlayerId {
    PlayerId::new(name).expect("a player id")
}

fn wallet(name: &str) -> Account {
    Account::Wallet(player(name))
}

fn seat(of: u16, number: u8) -> Account {
    Account::Seat(table(of), Seat::new(number).expect("a seat"))
}

fn transfer(from: &Account, to: &Account, amount: i64) -> Transfer {
    let amount = Chips::new(amount).expect("chips");
    Transfer::new(from.clone(), to.clone(), amount).expect("chips that move")
}

/// Where the stream stands in the store, as a test's tip would.
async fn stands_at(store: &dyn Store, tip: &Tip) -> Option<(Seq, Hash)> {
    store.head(tip.stream).await.expect("a head").map(|head| (head.seq, head.hash))
}

/// Checks that head and records end where the test stands: nothing more, nothing less, and chained.
async fn ends_at(store: &dyn Store, tip: &Tip) {
    assert_eq!(stands_at(store, tip).await.unwrap_or_default(), (tip.seq, tip.hash));
    let mut hash = Hash::default();
    let records = store.records(tip.stream, Seq(0), u32::MAX).await.expect("records");
    for (seq, record) in (1..).map(Seq).zip(&records) {
        hash = chain(hash, tip.stream, seq, &record.bytes);
        assert_eq!((record.stream, record.seq, record.hash), (tip.stream, seq, hash));
    }
    assert_eq!(hash, tip.hash, "the chain ends elsewhere than its head");
}
