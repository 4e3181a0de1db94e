//! The echo beside the load: the same callers over the same kind of lines, and a service that does nothing.

use std::net::SocketAddr;
use std::sync::Arc;

use anyhow::anyhow;
use prost::Message;
use tokio::net::TcpListener;
use tokio::sync::oneshot;
use tokio::task::{JoinHandle, JoinSet};

use super::lines::Lines;
use super::report::{Echoed, Tally};
use crate::grpc;
use crate::grpc::client::Request;
use crate::pb;
use crate::world::World;

/// A running echo, and what it has seen so far.
pub(super) struct Echo {
    addr: SocketAddr,
    clock: World,
    request: Request,
    bytes: usize,
    tally: Arc<Tally>,
    micros: i64,
    stop: oneshot::Sender<()>,
    server: JoinHandle<anyhow::Result<()>>,
}

impl Echo {
    /// Starts one that answers the middle-sized of these hands.
    pub async fn start(mut answers: Vec<pb::HandView>, clock: World) -> anyhow::Result<Echo> {
        answers.sort_by_key(Message::encoded_len);
        let hand = answers.swap_remove(answers.len() / 2);
        let bytes = pb::ActResponse { hand: Some(hand.clone()) }.encoded_len();
        let request = Request::Act(pb::ActRequest {
            table_id: hand.table_id.clone(),
            hand_number: hand.hand_number,
            seat: 6,
            action: pb::Action::Raise.into(),
            request_id: "0123456789abcdef-10-1000".to_owned(),
            ..pb::ActRequest::default()
        });
        let listener = TcpListener::bind((std::net::Ipv4Addr::LOCALHOST, 0)).await?;
        let addr = listener.local_addr()?;
        let (stop, stopped) = oneshot::channel();
        let until = async move {
            // Stopped, or its owner is gone: either way it is over.
            let _ = stopped.await;
        };
        let server = tokio::spawn(grpc::echo::serve(listener, hand, until));
        Ok(Echo { addr, clock, request, bytes, tally: Arc::new(Tally::new()?), micros: 0, stop, server })
    }

    /// Measures with so many callers for so many microseconds more.
    pub async fn measure(&mut self, callers: u32, micros: i64) -> anyhow::Result<()> {
        let begun = self.clock.now();
        let until = begun + micros;
        let mut calling = JoinSet::new();
        for mut lines in Lines::all(&[self.addr], callers, 0, &self.clock) {
            let (tally, request, clock) = (Arc::clone(&self.tally), self.request.clone(), self.clock.clone());
            calling.spawn(async move {
                loop {
                    let asked = clock.now();
                    if asked >= until {
                        return anyhow::Ok(());
                    }
                    lines.deliver(&request, &tally).await?.map_err(|refusal| anyhow!(refusal))?;
                    tally.acted(clock.now() - asked);
                }
            });
        }
        while let Some(ended) = calling.join_next().await {
            ended??;
        }
        self.micros += self.clock.now() - begun;
        Ok(())
    }

    /// Stops it, and gives what was seen.
    pub async fn stop(self) -> anyhow::Result<Echoed> {
        // A receiver that is gone means that the server has ended by itself; its result tells.
        let _ = self.stop.send(());
        self.server.await??;
        Ok(Echoed { calls: self.tally.so_far().acts, micros: self.micros, bytes: self.bytes })
    }
}
