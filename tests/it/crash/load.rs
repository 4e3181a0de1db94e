//! `kill -9` at random moments under load: the record as each kill leaves it, against the journal of what the callers
//! were told, and all that was acknowledged asked again.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use razz_dealer::audit;
use razz_dealer::engine::{Status, View};
use razz_dealer::grpc::client::{Client, reason};
use razz_dealer::record::{Seq, StreamId};
use razz_dealer::sim::{Bots, Dice};
use razz_dealer::store::Store;
use razz_dealer::store::sqlite::SqliteStore;

use crate::journal::{self, Records};
use crate::process::command::Serve;
use crate::process::request::{Done, Request, Sixes, read};

const TABLES: u8 = 8;
const KILLS: u64 = 10;
const CHIPS: i64 = 100_000;

/// What was acknowledged: one line `stream seq request` each, on its way to the disk before the caller goes on. The
/// requests themselves are kept beside it, to be sent again.
struct Journal {
    file: File,
    sent: BTreeMap<String, Request>,
}

impl Journal {
    fn acknowledge(&mut self, request: &Request, seq: u64) {
        let stream = uuid::Uuid::from_bytes(request.stream().0);
        writeln!(self.file, "{stream} {seq} {}", request.id()).expect("written");
        self.file.flush().expect("flushed");
        self.sent.insert(request.id().to_owned(), request.clone());
    }
}

/// One table's callers: they send one request after another, and after a crash the one without an answer again.
struct Caller {
    table: Sixes,
    bots: Bots,
    dice: Dice,
    /// To be sent, the next one first.
    waiting: Vec<Request>,
    hand: Option<View>,
}

impl Caller {
    fn new(number: u8) -> Caller {
        let mut table = Sixes::new(number, CHIPS, number.is_multiple_of(2));
        let mut waiting = table.set_up();
        waiting.reverse();
        let seed = u64::from(number);
        Caller { table, bots: Bots::new(seed), dice: Dice::new(5, seed), waiting, hand: None }
    }

    fn next(&mut self) -> Request {
        if let Some(request) = self.waiting.last() {
            return request.clone();
        }
        let request = match &self.hand {
            _ if self.dice.chance(4) => self.table.add_chips(1 + u8::try_from(self.dice.below(6)).expect("a seat"), 10),
            Some(hand) if hand.status == Status::PlayedOut => self.table.settle(hand),
            Some(hand) => match self.bots.choose(hand) {
                Some((seat, action)) => self.table.act(hand, seat, action, None),
                None => self.table.deal(),
            },
            None => self.table.deal(),
        };
        self.waiting.push(request.clone());
        request
    }

    /// Plays until the service is gone.
    async fn play(mut self, mut client: Client, journal: Arc<Mutex<Journal>>) -> Caller {
        loop {
            let request = self.next();
            match request.send(&mut client).await {
                Ok(Done { seq, hand, .. }) => {
                    journal.lock().expect("the journal").acknowledge(&request, seq);
                    self.waiting.pop();
                    self.hand = hand.as_ref().map(read).or(self.hand);
                }
                // No word from the service, but that the line is dead.
                Err(status) if reason(&status).is_empty() => return self,
                Err(status) => panic!("{request:?}: {status:?}"),
            }
        }
    }
}

/// Opens what a killed process left behind, and checks it against the journal. Gives each table's last record.
async fn check(database: &Path, journal: &Path) -> BTreeMap<StreamId, Seq> {
    Records::in_file(database).await.bear_out(&journal::read(journal));
    let store = SqliteStore::open(database).await.expect("the process is gone");
    let mut heads = BTreeMap::new();
    for number in 1..=TABLES {
        let id = Sixes::new(number, CHIPS, false).table();
        if let Some(head) = store.head(StreamId::of_table(id)).await.expect("a head") {
            audit::verify_table(&store, id).await.unwrap_or_else(|finding| panic!("{finding}"));
            heads.insert(head.stream, head.seq);
        }
    }
    let reconciled = audit::reconcile(&store, None, &mut |_| {}).await.expect("reconciled");
    assert_eq!(reconciled.differences, []);
    store.close().await;
    heads
}

#[tokio::test(flavor = "multi_thread")]
async fn every_acknowledged_command_survives_kill_9_exactly_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let (database, written) = (folder.path().join("load.db"), folder.path().join("journal"));
    let file = File::create(&written).expect("the journal");
    let journal = Arc::new(Mutex::new(Journal { file, sent: BTreeMap::new() }));
    let mut callers: Vec<Caller> = (1..=TABLES).map(Caller::new).collect();
    let (mut dice, mut repeated) = (Dice::new(17, 0), 0);
    for round in 0..KILLS {
        let serve = Serve::start(&database);
        let mut playing = Vec::new();
        for caller in callers.drain(..) {
            playing.push(tokio::spawn(caller.play(serve.client().await, Arc::clone(&journal))));
        }
        tokio::time::sleep(Duration::from_millis(30 + dice.below(400))).await;
        serve.kill();
        for caller in playing {
            callers.push(caller.await.expect("a caller"));
        }
        let heads = check(&database, &written).await;
        repeated = repeat(&database, &written, &journal, repeated).await;
        assert_eq!(check(&database, &written).await, heads, "round {round}: repeats change nothing");
    }
    let hands = callers.iter().filter_map(|caller| Some(caller.hand.as_ref()?.number)).sum::<u64>();
    assert!(repeated > 500 && hands > 10, "too little happened: {repeated} requests, {hands} hands");
}

/// Sends all that was acknowledged since the last time again, to the service as it is after the crash, and kills that
/// too. Gives how many lines of the journal are done.
async fn repeat(database: &Path, written: &Path, sent: &Mutex<Journal>, done: usize) -> usize {
    let serve = Serve::start(database);
    let mut client = serve.client().await;
    let lines = journal::read(written);
    for (_, seq, id) in &lines[done..] {
        let request = sent.lock().expect("the journal").sent[id].clone();
        let again = request.send(&mut client).await.unwrap_or_else(|status| panic!("{request:?}: {status:?}"));
        assert_eq!(again.seq, seq.0, "{request:?} is answered as of its record");
    }
    serve.kill();
    lines.len()
}
