//! `LedgerService`: wallets, balances and transfers, and their proof.

use std::sync::Arc;

use tonic::{Request, Response, Status};

use super::{convert, reconcile};
use crate::dealer::Dealer;
use crate::pb;
use crate::pb::ledger_service_server::LedgerService;

pub(super) struct Ledger(pub Arc<Dealer>);

#[tonic::async_trait]
impl LedgerService for Ledger {
    async fn deposit(&self, request: Request<pb::DepositRequest>) -> Result<Response<pb::DepositResponse>, Status> {
        let (metadata, _, asked) = request.into_parts();
        let ask = convert::ask(&asked.request_id, &metadata)?;
        let player = convert::player_id("player_id", &asked.player_id)?;
        let wallet = self.0.deposit(player, convert::chips("chips", asked.chips, 1)?, &ask).await?;
        Ok(Response::new(pb::DepositResponse { balance: wallet.balance, seq: wallet.seq }))
    }

    async fn withdraw(&self, request: Request<pb::WithdrawRequest>) -> Result<Response<pb::WithdrawResponse>, Status> {
        let (metadata, _, asked) = request.into_parts();
        let ask = convert::ask(&asked.request_id, &metadata)?;
        let player = convert::player_id("player_id", &asked.player_id)?;
        let wallet = self.0.withdraw(player, convert::chips("chips", asked.chips, 1)?, &ask).await?;
        Ok(Response::new(pb::WithdrawResponse { balance: wallet.balance, seq: wallet.seq }))
    }

    async fn get_balance(
        &self,
        request: Request<pb::GetBalanceRequest>,
    ) -> Result<Response<pb::GetBalanceResponse>, Status> {
        let account = convert::account(request.get_ref().account.as_ref())?;
        Ok(Response::new(pb::GetBalanceResponse { balance: self.0.balance(&account).await? }))
    }

    async fn list_transfers(
        &self,
        request: Request<pb::ListTransfersRequest>,
    ) -> Result<Response<pb::ListTransfersResponse>, Status> {
        let asked = request.into_inner();
        let account = convert::account(asked.account.as_ref())?;
        let (after, size) = (convert::transfer_page(&asked.page_token)?, convert::page_size(asked.page_size)?);
        let transfers = self.0.transfers(&account, after, size).await?;
        Ok(Response::new(pb::ListTransfersResponse {
            next_page_token: convert::next_transfers(&transfers, size),
            transfers: transfers.iter().map(convert::posted_transfer).collect(),
        }))
    }

    type ReconcileStream = reconcile::Words;

    async fn reconcile(
        &self,
        request: Request<pb::ReconcileRequest>,
    ) -> Result<Response<Self::ReconcileStream>, Status> {
        let only = match request.get_ref().table_id.as_str() {
            "" => None,
            id => Some(convert::table_id(id)?),
        };
        Ok(Response::new(reconcile::start(Arc::clone(&self.0), only)))
    }
}
