//! A service that does nothing: Act is answered at once with the same hand. It shows what of a measured call is the
//! call itself.

use tokio::net::TcpListener;
use tonic::transport::Server;
use tonic::transport::server::TcpIncoming;
use tonic::{Request, Response, Status};

use super::{KEEPALIVE, MAX_REQUEST_BYTES};
use crate::pb;
use crate::pb::dealer_service_server::{DealerService, DealerServiceServer};

struct Echo(pb::ActResponse);

#[tonic::async_trait]
impl DealerService for Echo {
    async fn deal(&self, _: Request<pb::DealRequest>) -> Result<Response<pb::DealResponse>, Status> {
        Err(only_act())
    }

    async fn prepare_hand(
        &self,
        _: Request<pb::PrepareHandRequest>,
    ) -> Result<Response<pb::PrepareHandResponse>, Status> {
        Err(only_act())
    }

    async fn give_nonce(&self, _: Request<pb::GiveNonceRequest>) -> Result<Response<pb::GiveNonceResponse>, Status> {
        Err(only_act())
    }

    async fn get_card_proofs(
        &self,
        _: Request<pb::GetCardProofsRequest>,
    ) -> Result<Response<pb::GetCardProofsResponse>, Status> {
        Err(only_act())
    }

    async fn act(&self, _: Request<pb::ActRequest>) -> Result<Response<pb::ActResponse>, Status> {
        Ok(Response::new(self.0.clone()))
    }

    async fn settle(&self, _: Request<pb::SettleRequest>) -> Result<Response<pb::SettleResponse>, Status> {
        Err(only_act())
    }

    async fn void_hand(&self, _: Request<pb::VoidHandRequest>) -> Result<Response<pb::VoidHandResponse>, Status> {
        Err(only_act())
    }

    async fn get_hand(&self, _: Request<pb::GetHandRequest>) -> Result<Response<pb::GetHandResponse>, Status> {
        Err(only_act())
    }
}

fn only_act() -> Status {
    Status::unimplemented("an echo answers Act alone")
}

/// Answers every Act on this listener with this hand until `stop` ends; its transport is set as [`super::serve`] sets
/// that of the real service.
///
/// # Errors
/// Where the transport fails.
pub async fn serve(
    listener: TcpListener,
    hand: pb::HandView,
    stop: impl Future<Output = ()> + Send + 'static,
) -> anyhow::Result<()> {
    let echo = DealerServiceServer::new(Echo(pb::ActResponse { hand: Some(hand) }));
    let incoming = TcpIncoming::from(listener).with_nodelay(Some(true));
    let server = Server::builder()
        .http2_keepalive_interval(Some(KEEPALIVE))
        .add_service(echo.max_decoding_message_size(MAX_REQUEST_BYTES));
    Ok(server.serve_with_incoming_shutdown(incoming, stop).await?)
}
