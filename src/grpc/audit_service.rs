//! `AuditService`: what goes beyond what players may see.

use std::sync::Arc;

use tonic::{Request, Response, Status};

use super::convert;
use crate::dealer::Dealer;
use crate::pb;
use crate::pb::audit_service_server::AuditService;

pub(super) struct Auditing(pub Arc<Dealer>);

#[tonic::async_trait]
impl AuditService for Auditing {
    async fn open_deck(&self, request: Request<pb::OpenDeckRequest>) -> Result<Response<pb::OpenDeckResponse>, Status> {
        let (metadata, _, asked) = request.into_parts();
        let ask = convert::ask(&asked.request_id, &metadata)?;
        let (table, hand) = (convert::table_id(&asked.table_id)?, convert::hand_number(asked.hand_number)?);
        let auditor = convert::name("auditor_id", &asked.auditor_id)?;
        let opened = self.0.open_deck(table, hand, auditor, convert::reason(&asked.reason)?, &ask).await?;
        Ok(Response::new(convert::opened_deck(&opened)))
    }
}
