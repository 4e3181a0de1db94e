//! The journal of a client, `STREAM SEQ REQUEST_ID` a line, against the record: as the tables of the database have it,
//! read by SQL of the tests' own, and not as the service shows it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use prost::Message;
use razz_dealer::pb;
use razz_dealer::record::{Seq, StreamId};
use sqlx::postgres::PgConnection;
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::types::Uuid;
use sqlx::{ConnectOptions, Connection};

/// A command: its stream, its place there, its request id.
pub type Line = (StreamId, Seq, String);

/// What the callers were told.
pub fn read(path: &Path) -> Vec<Line> {
    let text = std::fs::read_to_string(path).expect("the journal");
    assert!(text.is_empty() || text.ends_with('\n'), "the last line is whole");
    text.lines().map(|line| parse(line).unwrap_or_else(|| panic!("{line:?}"))).collect()
}

fn parse(line: &str) -> Option<Line> {
    let [stream, seq, request] = line.split(' ').collect::<Vec<_>>()[..] else { return None };
    let stream = Uuid::try_parse(stream).ok()?;
    Some((StreamId(stream.into_bytes()), Seq(seq.parse().ok()?), request.to_owned()))
}

/// All records of a database, by stream and place.
pub struct Records(Vec<Line>);

impl Records {
    /// Those of a file that nobody holds.
    pub async fn in_file(path: &Path) -> Records {
        let mut file = SqliteConnectOptions::new().filename(path).connect().await.expect("a file that nobody holds");
        let sql = "SELECT stream, seq, bytes FROM records ORDER BY stream, seq";
        let rows: Vec<(Vec<u8>, i64, Vec<u8>)> = sqlx::query_as(sql).fetch_all(&mut file).await.expect("the records");
        file.close().await.expect("closed");
        let stream = |bytes: Vec<u8>| StreamId(bytes.try_into().expect("16 bytes"));
        Records(rows.into_iter().map(|(id, seq, bytes)| record(stream(id), seq, &bytes)).collect())
    }

    /// Those of a database on a server.
    pub async fn on_server(url: &str) -> Records {
        let mut conn = PgConnection::connect(url).await.expect("a connection");
        let sql = "SELECT stream, seq, bytes FROM records ORDER BY stream, seq";
        let rows: Vec<(Uuid, i64, Vec<u8>)> = sqlx::query_as(sql).fetch_all(&mut conn).await.expect("the records");
        conn.close().await.expect("closed");
        Records(rows.into_iter().map(|(id, seq, bytes)| record(StreamId(id.into_bytes()), seq, &bytes)).collect())
    }

    /// Checks that the streams have no gaps, that no request stands twice in one, and that each line of the journal is
    /// in the record, once, at its place.
    pub fn bear_out(&self, journal: &[Line]) {
        let mut places: BTreeMap<(StreamId, &str), Seq> = BTreeMap::new();
        let mut last = BTreeMap::new();
        for (stream, seq, request) in &self.0 {
            let before = last.insert(*stream, *seq).unwrap_or_default();
            assert_eq!(*seq, before.next(), "a gap in {}", Uuid::from_bytes(stream.0));
            // The wallet's half of a command bears no id.
            if !request.is_empty() {
                let other = places.insert((*stream, request), *seq);
                assert_eq!(other, None, "request {request} stands in record {} too", seq.0);
            }
        }
        for (stream, seq, request) in journal {
            assert_eq!(places.get(&(*stream, request)), Some(seq), "request {request} was acknowledged");
        }
    }

    /// Checks beyond that that the journal knows of every request in the record: nobody was left without an answer.
    pub fn are_all_in(&self, journal: &[Line]) {
        self.bear_out(journal);
        let told: BTreeSet<&Line> = journal.iter().collect();
        let untold: Vec<_> = self.0.iter().filter(|line| !line.2.is_empty() && !told.contains(line)).collect();
        assert!(untold.is_empty(), "recorded, but nobody was told: {untold:?}");
    }

    /// How many streams there are.
    pub fn streams(&self) -> usize {
        self.0.iter().map(|(stream, ..)| stream).collect::<BTreeSet<_>>().len()
    }
}

fn record(stream: StreamId, seq: i64, bytes: &[u8]) -> Line {
    let request = pb::Record::decode(bytes).expect("a record").request_id;
    (stream, Seq(seq.try_into().expect("a place")), request)
}
