//! A client of the service, for the command line and for tests.

mod request;
mod view;

use std::error::Error;
use std::net::SocketAddr;
use std::time::Duration;

use tonic::transport::{Channel, Endpoint};
use tonic::{Code, Status};
use tonic_types::StatusExt;

pub use request::{Done, Failed, Request};
pub use view::view_of;

use crate::pb::audit_service_client::AuditServiceClient;
use crate::pb::dealer_service_client::DealerServiceClient;
use crate::pb::ledger_service_client::LedgerServiceClient;
use crate::pb::table_service_client::TableServiceClient;

/// How long a lazy client waits for a connection.
const CONNECT: Duration = Duration::from_secs(2);

/// All services over one connection.
#[derive(Clone, Debug)]
pub struct Client {
    /// Hands.
    pub dealer: DealerServiceClient<Channel>,
    /// Tables and seats.
    pub tables: TableServiceClient<Channel>,
    /// Wallets, balances and transfers.
    pub ledger: LedgerServiceClient<Channel>,
    /// Whole decks.
    pub audits: AuditServiceClient<Channel>,
}

impl Client {
    /// Connects to a service.
    ///
    /// # Errors
    /// Where nobody answers.
    pub async fn connect(addr: SocketAddr) -> Result<Client, tonic::transport::Error> {
        endpoint(addr).connect().await.map(over)
    }

    /// A client of a service that need not be there yet: it connects at the first call, and again after a lost
    /// connection. A call that finds nobody fails. Must be called within a runtime.
    pub fn lazy(addr: SocketAddr) -> Client {
        over(endpoint(addr).connect_timeout(CONNECT).connect_lazy())
    }
}

fn endpoint(addr: SocketAddr) -> Endpoint {
    let endpoint = Channel::from_shared(format!("http://{addr}"));
    // A socket address always makes a URI.
    endpoint.unwrap_or_else(|_| Channel::from_static("http://invalid.")).tcp_nodelay(true)
}

fn over(channel: Channel) -> Client {
    Client {
        dealer: DealerServiceClient::new(channel.clone()),
        tables: TableServiceClient::new(channel.clone()),
        ledger: LedgerServiceClient::new(channel.clone()),
        audits: AuditServiceClient::new(channel),
    }
}

/// The reason in a status, a name of `razz.dealer.v1.ErrorReason` without its prefix; empty where there is none.
pub fn reason(status: &Status) -> String {
    status.get_details_error_info().map(|info| info.reason).unwrap_or_default()
}

/// A fact in a status by its name.
pub fn fact(status: &Status, name: &str) -> Option<String> {
    status.get_details_error_info()?.metadata.get(name).cloned()
}

/// Whether an error says that the service cannot be reached.
pub fn is_unavailable(error: &(dyn Error + 'static)) -> bool {
    let status = error.downcast_ref::<Status>();
    error.is::<tonic::transport::Error>()
        || status.is_some_and(|status| status.code() == Code::Unavailable)
        || error.downcast_ref::<Failed>().is_some_and(|failed| failed.again)
}
