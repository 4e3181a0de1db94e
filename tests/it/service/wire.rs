//! Bytes that are no request, and a service without randomness: an error each, and the service goes on.

use std::sync::Arc;

use prost::Message;
use prost::bytes::{Buf, BufMut};
use razz_dealer::cli::embedded::Embedded;
use razz_dealer::dealer::{Dealer, Decks};
use razz_dealer::grpc::client::{Client, fact, reason};
use razz_dealer::pb;
use razz_dealer::shuffle::SealingKey;
use razz_dealer::sim::Dice;
use razz_dealer::store::Store;
use razz_dealer::store::sqlite::SqliteStore;
use razz_dealer::world::World;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tonic::codec::{Codec, DecodeBuf, Decoder, EncodeBuf, Encoder};
use tonic::codegen::http::uri::PathAndQuery;
use tonic::transport::Channel;
use tonic::{Code, Status};

use super::calls::{change, refusal};
use super::scene::{STAKES, Scene, TABLE, deal, fresh, player, preset, take_seat};

/// Sends the bytes as they are.
struct Raw;

impl Codec for Raw {
    type Encode = Vec<u8>;
    type Decode = Vec<u8>;
    type Encoder = Raw;
    type Decoder = Raw;
    fn encoder(&mut self) -> Raw {
        Raw
    }
    fn decoder(&mut self) -> Raw {
        Raw
    }
}

impl Encoder for Raw {
    type Item = Vec<u8>;
    type Error = Status;
    fn encode(&mut self, item: Vec<u8>, buffer: &mut EncodeBuf<'_>) -> Result<(), Status> {
        buffer.put_slice(&item);
        Ok(())
    }
}

impl Decoder for Raw {
    type Item = Vec<u8>;
    type Error = Status;
    fn decode(&mut self, buffer: &mut DecodeBuf<'_>) -> Result<Option<Vec<u8>>, Status> {
        let length = buffer.remaining();
        Ok(Some(buffer.copy_to_bytes(length).to_vec()))
    }
}

const PATHS: [&str; 23] = [
    "DealerService/Deal",
    "DealerService/Act",
    "DealerService/Settle",
    "DealerService/VoidHand",
    "DealerService/GetHand",
    "DealerService/PrepareHand",
    "DealerService/GiveNonce",
    "DealerService/GetCardProofs",
    "AuditService/OpenDeck",
    "TableService/CreateTable",
    "TableService/GetTable",
    "TableService/ListTables",
    "TableService/ChangeRules",
    "TableService/TakeSeat",
    "TableService/AddChips",
    "TableService/LeaveSeat",
    "TableService/SetSittingOut",
    "TableService/CloseTable",
    "LedgerService/Deposit",
    "LedgerService/Withdraw",
    "LedgerService/GetBalance",
    "LedgerService/ListTransfers",
    "LedgerService/Reconcile",
];

async fn send(channel: &Channel, path: &str, bytes: Vec<u8>) -> Result<Vec<u8>, Status> {
    let mut raw = tonic::client::Grpc::new(channel.clone());
    raw.ready().await.expect("ready");
    let path: PathAndQuery = format!("/razz.dealer.v1.{path}").parse().expect("a path");
    raw.unary(tonic::Request::new(bytes), path, Raw).await.map(tonic::Response::into_inner)
}

/// A refusal of the caller's bytes: no trouble of the server's own that it could not explain.
fn is_refused(path: &str, answer: Result<Vec<u8>, Status>) {
    let status = answer.expect_err(path);
    let told = [Code::InvalidArgument, Code::NotFound, Code::FailedPrecondition];
    assert!(told.contains(&status.code()), "{path}: {status}");
    assert!(!reason(&status).is_empty(), "{path}: every error has its reason: {status:?}");
    assert!(!status.message().is_empty(), "{path}");
}

#[tokio::test]
async fn truncated_requests() {
    let mut s = Scene::seated(pb::Preset::Pokerstars, false).await;
    let channel = s.channel().await;
    let before = s.state().await;
    let whole = pb::TakeSeatRequest { player_id: player(1), ..take_seat(4, 100) }.encode_to_vec();
    for length in 0..whole.len() {
        is_refused("TakeSeat", send(&channel, "TableService/TakeSeat", whole[..length].to_vec()).await);
    }
    let whole = pb::DealRequest { request_id: fresh(), ..deal() }.encode_to_vec();
    for length in 0..whole.len() {
        is_refused("Deal", send(&channel, "DealerService/Deal", whole[..length].to_vec()).await);
    }
    assert_eq!(s.state().await, before);
    send(&channel, "DealerService/Deal", whole).await.expect("whole, it is a request");
    assert_eq!(s.state().await.table.expect("a table").hand_number, 1);
    drop(channel);
    s.stop().await;
}

#[tokio::test]
async fn what_is_no_method_or_no_request_has_its_reason() {
    let s = Scene::seated(pb::Preset::Pokerstars, false).await;
    let channel = s.channel().await;
    for path in ["DealerService/Shuffle", "CardService/Deal", "DealerService/"] {
        let status = send(&channel, path, Vec::new()).await.expect_err(path);
        assert_eq!(
            (status.code(), reason(&status).as_str()),
            (Code::Unimplemented, "METHOD_UNKNOWN"),
            "{path}: {status}"
        );
        assert!(!status.message().is_empty(), "{path}");
    }
    let status = send(&channel, "DealerService/Deal", vec![0xff; 9]).await.expect_err("no request");
    assert_eq!((status.code(), reason(&status).as_str()), (Code::InvalidArgument, "REQUEST_UNREADABLE"), "{status}");
    let mut packed = tonic::Request::new(Vec::new());
    packed.metadata_mut().insert("grpc-encoding", "zstd".parse().expect("a value"));
    let mut raw = tonic::client::Grpc::new(channel.clone());
    raw.ready().await.expect("ready");
    let path = PathAndQuery::from_static("/razz.dealer.v1.DealerService/Deal");
    let status = raw.unary(packed, path, Raw).await.expect_err("it is not unpacked");
    assert_eq!((status.code(), reason(&status).as_str()), (Code::Unimplemented, "REQUEST_UNREADABLE"), "{status}");
    assert!(status.message().contains("zstd"), "{status}");
    drop((channel, raw));
    s.stop().await;
}

#[tokio::test]
async fn noise_for_every_method() {
    let mut s = Scene::seated(pb::Preset::Pokerstars, false).await;
    s.deal().await;
    let channel = s.channel().await;
    let before = s.state().await;
    let mut dice = Dice::new(7, 1);
    for path in PATHS {
        for _ in 0..30 {
            let length = 1 + dice.below(80);
            let noise: Vec<u8> = (0..length).map(|_| u8::try_from(dice.below(256)).expect("a byte")).collect();
            // A list asks for nothing that it must be given: fields that it does not know are no fault.
            match send(&channel, path, noise).await {
                Ok(_) => assert_eq!(path, "TableService/ListTables"),
                refused => is_refused(path, refused),
            }
        }
        let huge = send(&channel, path, vec![0x7a; 64 * 1024 + 1]).await.expect_err("too large");
        assert_eq!(
            (huge.code(), reason(&huge).as_str()),
            (Code::InvalidArgument, "REQUEST_TOO_LONG"),
            "{path}: {huge}"
        );
        assert_eq!(fact(&huge, "limit").as_deref(), Some("65536"), "{path}: {huge:?}");
    }
    assert_eq!(s.state().await, before);
    drop(channel);
    s.stop().await;
}

/// Frames of gRPC that end before they should, and bytes that are no HTTP/2 at all.
#[tokio::test]
async fn broken_connections() {
    use tonic::client::GrpcService;
    use tonic::codegen::http::Request;

    let mut s = Scene::seated(pb::Preset::Pokerstars, false).await;
    let mut channel = s.channel().await;
    let before = s.state().await;
    // A hundred bytes are promised, three come; a length of four gigabytes; half a head.
    for frame in ["\0\0\0\0\u{64}abc", "\0\u{7f}\u{7f}\u{7f}\u{7f}abc", "\0\0"] {
        std::future::poll_fn(|context| GrpcService::<tonic::body::Body>::poll_ready(&mut channel, context))
            .await
            .expect("ready");
        let request = Request::post("/razz.dealer.v1.DealerService/Deal")
            .header("content-type", "application/grpc")
            .body(tonic::body::Body::new(frame.to_owned()))
            .expect("a request");
        let answer = channel.call(request).await.expect("an answer");
        let status = answer.headers().get("grpc-status").expect("a status alone").to_str().expect("a number");
        assert_ne!(status, "0", "{frame:?}");
    }
    drop(channel);
    assert_eq!(s.state().await, before);
    s.deal().await;
    s.stop().await;
}

#[tokio::test]
async fn bytes_that_are_no_http2() {
    let world = World::scripted(1_750_000_000_000_000, 1000, 11);
    let service = Embedded::start(world, Decks::OsEntropy).await.expect("a service");
    let preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
    let noise = format!("{preface}{}", "x".repeat(99));
    for bytes in ["GET / HTTP/1.1\r\nHost: x\r\n\r\n", "\u{1}\u{2}\u{3}", &preface[..9], &noise] {
        let mut socket = tokio::net::TcpStream::connect(service.addr()).await.expect("connected");
        socket.write_all(bytes.as_bytes()).await.expect("written");
        socket.shutdown().await.expect("no more");
        // Whatever it answers, it hangs up: a reset is an end too.
        let mut rest = Vec::new();
        let _ = socket.read_to_end(&mut rest).await;
    }
    let mut client = Client::connect(service.addr()).await.expect("it still listens");
    let list = client.tables.list_tables(pb::ListTablesRequest::default()).await.expect("it still answers");
    assert!(list.get_ref().tables.is_empty());
    drop(client);
    service.shut_down().await.expect("stopped");
}

/// Without randomness no hand is dealt, the caller is told so, and everything else goes on.
#[tokio::test]
async fn no_entropy_over_the_wire() {
    let folder = tempfile::tempdir().expect("a folder");
    let store: Arc<dyn Store> = Arc::new(SqliteStore::open(&folder.path().join("x.db")).await.expect("a store"));
    let dealer = Dealer::new(store, World::without_entropy(), SealingKey::new([1; 32]), Decks::OsEntropy);
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let addr = listener.local_addr().expect("an address");
    let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
    let until = async move { stopped.await.unwrap_or_default() };
    let server = tokio::spawn(razz_dealer::grpc::serve(listener, Arc::new(dealer), until));
    let mut client = Client::connect(addr).await.expect("a client");
    let (stakes, rules) = (STAKES, Some(preset(pb::Preset::Club)));
    let create = pb::CreateTableRequest { table_id: TABLE.to_owned(), stakes, rules, ..Default::default() };
    let nameless = pb::CreateTableRequest { table_id: String::new(), ..create.clone() };
    client.tables.create_table(pb::CreateTableRequest { request_id: fresh(), ..create }).await.expect("a table");
    for number in 1..=2 {
        let request = pb::DepositRequest { player_id: player(number), chips: 100, request_id: fresh() };
        client.ledger.deposit(request).await.expect("a deposit");
        client.tables.take_seat(take_seat(number, 100)).await.expect("a seat");
    }
    let get = pb::GetTableRequest { table_id: TABLE.to_owned() };
    let before = client.tables.get_table(get.clone()).await.expect("a table").into_inner();
    for call in [change!(dealer.deal(deal())), change!(tables.create_table(nameless))] {
        let answer = (call.send)(client.clone(), fresh()).await;
        refusal!(Unavailable, "NO_ENTROPY", {}, "randomness").check(call.name, answer);
    }
    assert_eq!(client.tables.get_table(get).await.expect("a table").into_inner(), before);
    assert_eq!((before.table.as_ref().map(|table| (table.hand_number, table.hand_open))), Some((0, false)));
    drop(client);
    stop.send(()).expect("it runs");
    server.await.expect("ended").expect("stopped");
}
