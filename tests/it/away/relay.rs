//! A relay between the service and its database, which can lose, refuse and stall what goes through it.

use std::net::SocketAddr;
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

/// What it does at this moment.
#[derive(Clone, PartialEq, Debug, Default)]
struct Way {
    /// Who comes is sent away.
    refuses: bool,
    /// Nothing goes through, and nobody is told.
    stalls: bool,
    /// Lines made before this one are cut.
    cut_before: u64,
    /// Lines made before this one stay open, and nothing goes through them ever again.
    lost_before: u64,
    /// The answer to what has these bytes in it is not passed on: the line is cut instead.
    keeps_answer_to: Option<Vec<u8>>,
}

pub struct Relay {
    addr: SocketAddr,
    way: watch::Sender<Way>,
    made: watch::Receiver<u64>,
}

impl Relay {
    /// In front of the server at this address.
    pub async fn start(server: String) -> Relay {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let addr = listener.local_addr().expect("a port");
        let (way, told) = watch::channel(Way::default());
        let (count, made) = watch::channel(0);
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                let line = count.borrow().to_owned();
                count.send_replace(line + 1);
                if !told.borrow().refuses {
                    tokio::spawn(relay(line, client, server.clone(), told.clone()));
                }
            }
        });
        Relay { addr, way, made }
    }

    /// The URL with the relay in the place of the server.
    pub fn before(&self, url: &str) -> String {
        let (server, addr) = (server_of(url), self.addr.to_string());
        url.replace(&server, &addr)
    }

    /// Cuts every line, and refuses new ones.
    pub fn take_away(&self) {
        let made = *self.made.borrow();
        self.way.send_modify(|way| (way.refuses, way.cut_before) = (true, made));
    }

    /// Lets nothing through, and tells nobody.
    pub fn stall(&self) {
        self.way.send_modify(|way| way.stalls = true);
    }

    /// Loses the answer to whatever has these bytes in it, and then takes the server away.
    pub fn keep_answer_to(&self, bytes: &[u8]) {
        self.way.send_modify(|way| way.keeps_answer_to = Some(bytes.to_vec()));
    }

    /// As new; lines that stalled go on.
    pub fn restore(&self) {
        self.way.send_modify(|way| *way = Way { cut_before: way.cut_before, ..Way::default() });
    }

    /// As new, but nothing ever comes through the lines of before.
    pub fn restore_without_lines(&self) {
        let made = *self.made.borrow();
        self.way.send_modify(|way| *way = Way { lost_before: made, ..Way::default() });
    }
}

/// Host and port of a URL.
pub fn server_of(url: &str) -> String {
    let (_, rest) = url.split_once('@').expect("a URL with a role");
    rest.split(['/', '?']).next().expect("a URL with a host").to_owned()
}

impl Way {
    const fn is_silent(&self, line: u64) -> bool {
        self.stalls || line < self.lost_before
    }
}

async fn relay(line: u64, client: TcpStream, server: String, told: watch::Receiver<Way>) {
    let mut way = told.clone();
    if way.wait_for(|way| !way.is_silent(line)).await.is_err() {
        return;
    }
    let Ok(server) = TcpStream::connect(server).await else { return };
    client.set_nodelay(true).expect("a socket");
    server.set_nodelay(true).expect("a socket");
    let ((from_client, to_client), (from_server, to_server)) = (client.into_split(), server.into_split());
    let (asked, is_asked) = watch::channel(false);
    let up = pump(line, from_client, to_server, told.clone(), Side::Client(asked));
    let down = pump(line, from_server, to_client, told, Side::Server(is_asked));
    tokio::select! {
        () = up => {}
        () = down => {}
        _ = way.wait_for(|way| line < way.cut_before) => {}
    }
}

/// Whose words they are, and whether what was asked is what the answer to must be kept.
enum Side {
    Client(watch::Sender<bool>),
    Server(watch::Receiver<bool>),
}

async fn pump(line: u64, mut from: OwnedReadHalf, mut to: OwnedWriteHalf, mut told: watch::Receiver<Way>, side: Side) {
    let mut buffer = vec![0; 64 * 1024];
    loop {
        let Ok(length @ 1..) = from.read(&mut buffer).await else { return };
        let Ok(way) = told.wait_for(|way| !way.is_silent(line)).await.map(|way| way.clone()) else { return };
        match (&side, &way.keeps_answer_to) {
            (Side::Client(asked), Some(bytes)) => {
                let is_in = bytes.is_empty() || buffer[..length].windows(bytes.len()).any(|at| at == &bytes[..]);
                if is_in {
                    asked.send_replace(true);
                }
            }
            (Side::Server(is_asked), Some(_)) if *is_asked.borrow() => {
                // All of the answer: the server has done what it was asked.
                while tokio::time::timeout(Duration::from_millis(50), from.read(&mut buffer))
                    .await
                    .is_ok_and(|read| read.is_ok_and(|length| length > 0))
                {}
                return;
            }
            _ => {}
        }
        if to.write_all(&buffer[..length]).await.is_err() {
            return;
        }
    }
}
