//! Both kinds of database, and tables whose hands end without being settled.

use std::sync::Arc;

use razz_dealer::audit;
use razz_dealer::engine::{Event, Status, TableEvent};
use razz_dealer::grpc::client::Client;
use razz_dealer::ledger::TableId;
use razz_dealer::pb;
use razz_dealer::record::{Seq, StreamEvent, StreamId};
use razz_dealer::sim::Bots;
use razz_dealer::store::sqlite::SqliteStore;
use razz_dealer::store::{Head, Store};
use tempfile::TempDir;

use crate::fleet::Fleet;
use crate::many::{next, sent};
use crate::process::command::{Ended, Serve, run};
use crate::process::request::{Done, Request, Sixes, read};

/// Where the record is kept.
pub enum Place {
    File(TempDir),
    Server(Fleet),
}

impl Place {
    pub fn file() -> Place {
        Place::File(tempfile::tempdir().expect("a folder"))
    }

    pub async fn server() -> Place {
        Place::Server(Fleet::fresh().await)
    }

    fn url(&self) -> String {
        match self {
            Place::File(folder) => format!("sqlite:{}", folder.path().join("recover.db").display()),
            Place::Server(fleet) => fleet.database.dealer(),
        }
    }

    pub fn serve(&self) -> Serve {
        match self {
            Place::File(folder) => Serve::start(&folder.path().join("recover.db")),
            Place::Server(fleet) => fleet.serve(),
        }
    }

    /// `razz-dealer recover`, to its end.
    pub fn recover(&self, more: &[&str]) -> Ended {
        run(&[&["recover", "--database", &self.url()], more].concat())
    }

    pub async fn store(&self) -> Arc<dyn Store> {
        match self {
            Place::File(folder) => {
                Arc::new(SqliteStore::open(&folder.path().join("recover.db")).await.expect("let go of"))
            }
            Place::Server(fleet) => fleet.database.store().await,
        }
    }

    pub async fn heads(&self, tables: &[Table]) -> Vec<Head> {
        let store = self.store().await;
        let mut heads = Vec::new();
        for table in tables {
            heads.push(store.head(StreamId::of_table(table.id())).await.expect("a head").expect("a head"));
        }
        store.close().await;
        heads
    }

    pub async fn reconcile(&self) {
        let store = self.store().await;
        let reconciled = audit::reconcile(&*store, None, &mut |_| {}).await.expect("reconciled");
        assert_eq!(reconciled.differences, []);
        store.close().await;
    }
}

/// A table of six that settles when it is asked to, or after its time.
pub struct Table {
    pub sixes: Sixes,
    pub bots: Bots,
    pub last: Option<Done>,
    /// The request that settled the latest hand.
    pub settled: String,
    settle_after_ms: u32,
}

impl Table {
    pub fn new(number: u8, settle_after_ms: u32) -> Table {
        let bots = Bots::new(u64::from(number));
        Table { sixes: Sixes::new(number, 200, false), bots, last: None, settled: String::new(), settle_after_ms }
    }

    pub fn id(&self) -> TableId {
        self.sixes.table()
    }

    pub async fn seat(&mut self, client: &mut Client) {
        for mut request in self.sixes.set_up() {
            if let Request::Create(create) = &mut request {
                create.settle_after_ms = self.settle_after_ms;
            }
            sent(client, &request).await;
        }
    }

    /// Goes on until all play of the hand is over; deals one if none is open.
    pub async fn play_out(&mut self, client: &mut Client) {
        let latest = self.sixes.hand(client, None).await.ok().map(|hand| read(&hand).status);
        if !matches!(latest, Some(Status::Playing)) {
            self.last = Some(sent(client, &self.sixes.deal()).await);
        }
        loop {
            let last = self.last.as_ref().expect("a hand");
            if read(last.hand.as_ref().expect("a hand")).status == Status::PlayedOut {
                return;
            }
            let request = next(&mut self.sixes, &mut self.bots, last);
            self.last = Some(sent(client, &request).await);
        }
    }

    /// The request that settles the hand that was played last.
    pub fn settlement(&mut self) -> Request {
        let last = self.last.as_ref().and_then(|last| last.hand.as_ref()).expect("a hand");
        self.sixes.settle(&read(last))
    }

    pub async fn settle(&mut self, client: &mut Client) {
        let request = self.settlement();
        let done = sent(client, &request).await;
        request.id().clone_into(&mut self.settled);
        assert_eq!(read(done.hand.as_ref().expect("a hand")).status, Status::Settled);
        self.last = Some(done);
    }

    /// What is in front of each seat.
    pub async fn chips(&self, client: &mut Client) -> Vec<i64> {
        let get = pb::GetTableRequest { table_id: self.sixes.id.clone() };
        let table = client.tables.get_table(get).await.expect("a table").into_inner().table.expect("a table");
        table.seats.iter().map(|seat| seat.chips).collect()
    }
}

/// Who settled the table's hands, and under which request ids.
pub async fn settlements(store: &dyn Store, table: TableId) -> Vec<(String, String)> {
    let records = store.records(StreamId::of_table(table), Seq(0), u32::MAX).await.expect("the records");
    let records = records.iter().map(|sealed| sealed.record().expect("a record"));
    let settles =
        |event: &StreamEvent| matches!(event, StreamEvent::Table(TableEvent::Hand(Event::HandSettled { .. })));
    let settled = records.filter(|record| record.events.iter().any(settles));
    settled.map(|record| (record.actor, record.request_id)).collect()
}
