//! The contract `razz.dealer.v1` over the wire: one thin file a service, one parser of requests, one place where errors
//! become statuses. tonic lives here alone.

mod audit_service;
pub mod client;
mod convert;
mod dealer_service;
pub mod echo;
mod ledger_service;
mod reconcile;
mod status;
mod table_service;

use std::sync::Arc;
use std::time::Duration;

use tokio::net::TcpListener;
use tokio::sync::oneshot;
use tonic::server::NamedService;
use tonic::transport::Server;
use tonic::transport::server::TcpIncoming;
use tonic_health::ServingStatus;
use tower::util::MapResponseLayer;

pub use convert::BadRequest;
pub use status::DOMAIN;

use crate::dealer::Dealer;
use crate::pb;
use crate::pb::audit_service_server::AuditServiceServer;
use crate::pb::dealer_service_server::DealerServiceServer;
use crate::pb::ledger_service_server::LedgerServiceServer;
use crate::pb::table_service_server::TableServiceServer;

/// The largest request in bytes: ten times what the longest has.
const MAX_REQUEST_BYTES: usize = 64 * 1024;
/// How often a silent connection is asked whether its client is still there.
const KEEPALIVE: Duration = Duration::from_secs(30);

/// How long calls that are under way may take to end once the service is told to stop. A client that does not answer
/// must not keep it; what was acknowledged is durable in any case.
const GRACE: Duration = Duration::from_secs(5);

/// What health tells of: the process as a whole, and each service.
const SERVICES: [&str; 5] = [
    "",
    <DealerServiceServer<dealer_service::Dealing> as NamedService>::NAME,
    <TableServiceServer<table_service::Tables> as NamedService>::NAME,
    <LedgerServiceServer<ledger_service::Ledger> as NamedService>::NAME,
    <AuditServiceServer<audit_service::Auditing> as NamedService>::NAME,
];

/// Serves the contract, health and reflection (v1 and v1alpha) on this listener until `stop` ends; calls that are under
/// way are answered first, if their clients let them.
///
/// # Errors
/// Where the transport fails.
pub async fn serve(
    listener: TcpListener,
    dealer: Arc<Dealer>,
    stop: impl Future<Output = ()> + Send + 'static,
) -> anyhow::Result<()> {
    let (mut reporter, health) = tonic_health::server::health_reporter();
    for service in SERVICES {
        reporter.set_service_status(service, ServingStatus::Serving).await;
    }
    let reflection = || {
        tonic_reflection::server::Builder::configure()
            .register_encoded_file_descriptor_set(pb::FILE_DESCRIPTOR_SET)
            .register_encoded_file_descriptor_set(tonic_health::pb::FILE_DESCRIPTOR_SET)
    };
    let dealing = DealerServiceServer::new(dealer_service::Dealing(Arc::clone(&dealer)));
    let tables = TableServiceServer::new(table_service::Tables(Arc::clone(&dealer)));
    let auditing = AuditServiceServer::new(audit_service::Auditing(Arc::clone(&dealer)));
    let ledger = LedgerServiceServer::new(ledger_service::Ledger(dealer));
    // An answer is a few small frames: with Nagle's algorithm its last one waits for the client's acknowledgement.
    let incoming = TcpIncoming::from(listener).with_nodelay(Some(true));
    let (stopping, stopped) = oneshot::channel();
    let stop = async move {
        stop.await;
        // Whoever watches is told, and then let go: a watch would keep the connection until all patience is over.
        for service in SERVICES {
            reporter.set_service_status(service, ServingStatus::NotServing).await;
        }
        for service in SERVICES {
            reporter.clear_service_status(service).await;
        }
        // The other end is gone only where the server has ended by itself.
        let _ = stopping.send(());
    };
    let server = Server::builder()
        .http2_keepalive_interval(Some(KEEPALIVE))
        .layer(MapResponseLayer::new(status::explained))
        .add_service(health)
        .add_service(reflection().build_v1()?)
        .add_service(reflection().build_v1alpha()?)
        .add_service(dealing.max_decoding_message_size(MAX_REQUEST_BYTES))
        .add_service(tables.max_decoding_message_size(MAX_REQUEST_BYTES))
        .add_service(auditing.max_decoding_message_size(MAX_REQUEST_BYTES))
        .add_service(ledger.max_decoding_message_size(MAX_REQUEST_BYTES))
        .serve_with_incoming_shutdown(incoming, stop);
    let overdue = async move {
        match stopped.await {
            Ok(()) => tokio::time::sleep(GRACE).await,
            Err(_) => std::future::pending().await,
        }
    };
    tokio::select! {
        ended = server => Ok(ended?),
        () = overdue => Ok(()),
    }
}
