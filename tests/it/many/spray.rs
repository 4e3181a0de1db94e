//! Calls for one table, sprayed over three dealers, come to the same as through one: and no dealer shows less than
//! another has answered.

use std::collections::BTreeMap;

use razz_dealer::engine::Status;
use razz_dealer::grpc::client::Client;
use razz_dealer::ledger::Transfer;
use razz_dealer::pb;
use razz_dealer::record::{Record, RequestHash, Seq, StreamEvent, StreamId};
use razz_dealer::sim::{Bots, Dice};
use razz_dealer::store::Store;

use crate::crash::{forget_bond, unscripted};
use crate::fleet::{Fleet, clients, shut_down};
use crate::process::request::{Done, PLAYERS, Request, Sixes, player_id, read};

const HANDS: u64 = 4;

/// What happened in one record: all of it but its times.
type Told = (String, String, RequestHash, u64, Vec<StreamEvent>, Vec<Transfer>);

fn told(record: Record) -> Told {
    let Record { actor, request_id, request_hash, hand_number, mut events, transfers, .. } = record;
    events.iter_mut().for_each(forget_bond);
    (actor, request_id, request_hash, hand_number, events, transfers)
}

/// All that callers and auditors see of an evening.
#[derive(PartialEq, Debug, Default)]
struct Evening {
    answers: Vec<Done>,
    views: Vec<pb::HandView>,
    tables: Vec<pb::TableView>,
    balances: BTreeMap<String, i64>,
    moved: Vec<Option<pb::Transfer>>,
    records: BTreeMap<String, Vec<Told>>,
}

/// Callers who take one of the dealers for each call.
struct Callers {
    clients: Vec<Client>,
    dice: Dice,
    last: usize,
}

impl Callers {
    /// Any of them.
    fn any(&mut self) -> &mut Client {
        self.last = usize::try_from(self.dice.below(self.clients.len() as u64)).expect("a small number");
        &mut self.clients[self.last]
    }

    /// One that has not done the last thing, where there is more than one.
    fn other(&mut self) -> &mut Client {
        let next = (self.last + 1) % self.clients.len();
        &mut self.clients[next]
    }

    async fn send(&mut self, evening: &mut Evening, table: &Sixes, request: Request) -> Done {
        let done = request.send(self.any()).await.unwrap_or_else(|status| panic!("{request:?}: {status:?}"));
        if request.stream() == StreamId::of_table(table.table()) {
            let get = pb::GetTableRequest { table_id: table.id.clone() };
            let shown = self.other().tables.get_table(get).await.expect("a table").into_inner().table;
            let shown = shown.expect("a table");
            assert_eq!(shown.seq, done.seq, "another dealer is behind after {request:?}");
            evening.tables.push(shown);
        }
        // The salts of a scripted deck are drawn anew.
        evening.answers.push(Done { hand: done.hand.as_ref().map(unscripted), ..done.clone() });
        done
    }

    /// The hand as everybody and as each player sees it, through dealers that did not move it.
    async fn look(&mut self, evening: &mut Evening, table: &Sixes, seq: u64) {
        for seat in 0..=PLAYERS {
            let viewer = (seat > 0).then(|| table.viewer(seat));
            let view = table.hand(self.other(), viewer).await.expect("a hand");
            assert_eq!(view.seq, seq, "another dealer is behind");
            evening.views.push(unscripted(&view));
        }
    }
}

async fn play(fleet: &Fleet, dealers: usize, seed: u64) -> Evening {
    let members = fleet.members(dealers, seed).await;
    let mut callers = Callers { clients: clients(&members), dice: Dice::new(seed, 3), last: 0 };
    let (mut table, mut bots) = (Sixes::new(7, 150, false), Bots::new(seed));
    let mut evening = Evening::default();
    for request in table.set_up() {
        callers.send(&mut evening, &table, request).await;
    }
    for hand in 1..=HANDS {
        let deal = table.deal();
        let mut done = callers.send(&mut evening, &table, deal).await;
        loop {
            callers.look(&mut evening, &table, done.seq).await;
            let view = read(done.hand.as_ref().expect("a hand"));
            let Some(seat) = view.legal.seat else {
                assert_eq!((view.number, &view.status), (hand, &Status::PlayedOut));
                break;
            };
            // Decided from the player's own view, as another dealer shows it.
            let own = table.hand(callers.other(), Some(table.viewer(seat.number()))).await.expect("a hand");
            let (seat, action) = bots.choose(&read(&own)).expect("it is this player's turn");
            let act = table.act(&view, seat, action, Some(table.viewer(seat.number())));
            done = callers.send(&mut evening, &table, act).await;
            done.hand = Some(table.hand(callers.other(), None).await.expect("a hand"));
        }
        let settle = table.settle(&read(done.hand.as_ref().expect("a hand")));
        let done = callers.send(&mut evening, &table, settle).await;
        callers.look(&mut evening, &table, done.seq).await;
        for seat in [1, 4] {
            let add = table.add_chips(seat, 10);
            callers.send(&mut evening, &table, add).await;
        }
    }
    books(&mut callers, &table, &mut evening).await;
    let store = &members[0].store;
    let wallets = (1..=PLAYERS).map(|seat| StreamId::of_wallet(&player_id(&table.player(seat))));
    for stream in std::iter::once(StreamId::of_table(table.table())).chain(wallets) {
        let records = store.records(stream, Seq(0), u32::MAX).await.expect("the records");
        let records = records.iter().map(|sealed| told(sealed.record().expect("a record"))).collect();
        evening.records.insert(uuid::Uuid::from_bytes(stream.0).to_string(), records);
    }
    shut_down(members).await;
    fleet.reconcile().await;
    evening
}

/// Every account's balance, and every transfer of the table's accounts.
async fn books(callers: &mut Callers, table: &Sixes, evening: &mut Evening) {
    use pb::account::{House, Kind, Pot, Rake, Seat, Wallet};
    let table_id = || table.id.clone();
    let mut kinds = vec![Kind::House(House {}), Kind::Pot(Pot { table_id: table_id() })];
    kinds.push(Kind::Rake(Rake { table_id: table_id() }));
    for seat in 1..=PLAYERS {
        kinds.push(Kind::Wallet(Wallet { player_id: table.player(seat) }));
        kinds.push(Kind::Seat(Seat { table_id: table_id(), seat: i32::from(seat) }));
    }
    for kind in kinds {
        let (name, account) = (format!("{kind:?}"), Some(pb::Account { kind: Some(kind) }));
        let ask = pb::GetBalanceRequest { account: account.clone() };
        let balance = callers.any().ledger.get_balance(ask).await.expect("a balance").into_inner().balance;
        evening.balances.insert(name, balance);
        let list = pb::ListTransfersRequest { account, page_size: 1000, page_token: String::new() };
        let page = callers.any().ledger.list_transfers(list).await.expect("transfers").into_inner();
        evening.moved.extend(page.transfers.into_iter().map(|posted| posted.transfer));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn calls_sprayed_over_three_dealers_come_to_the_same_as_through_one() {
    for seed in [21, 22] {
        let (alone, together) = (Fleet::fresh().await, Fleet::fresh().await);
        let one = play(&alone, 1, seed).await;
        let three = play(&together, 3, seed).await;
        assert_eq!(one.answers.len(), three.answers.len());
        for (one, three) in one.answers.iter().zip(&three.answers) {
            assert_eq!(one, three);
        }
        assert_eq!(one.records, three.records);
        assert_eq!(one, three);
        assert!(one.balances.values().filter(|balance| **balance > 0).count() > 6, "{:?}", one.balances);
    }
}
