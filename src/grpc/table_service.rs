//! `TableService`: tables and seats.

use std::sync::Arc;

use tonic::{Request, Response, Status};

use super::convert;
use crate::dealer::Dealer;
use crate::engine::TableCommand;
use crate::pb;
use crate::pb::table_service_server::TableService;

pub(super) struct Tables(pub Arc<Dealer>);

#[tonic::async_trait]
impl TableService for Tables {
    async fn create_table(
        &self,
        request: Request<pb::CreateTableRequest>,
    ) -> Result<Response<pb::CreateTableResponse>, Status> {
        let (metadata, _, asked) = request.into_parts();
        let ask = convert::ask(&asked.request_id, &metadata)?;
        let table = match asked.table_id.as_str() {
            "" => None,
            id => Some(convert::table_id(id)?),
        };
        let settings = convert::settings(&as_change(asked))?;
        let table = self.0.create_table(table, settings, &ask).await?;
        Ok(Response::new(pb::CreateTableResponse { table: Some(convert::table_view(&table)) }))
    }

    async fn get_table(&self, request: Request<pb::GetTableRequest>) -> Result<Response<pb::GetTableResponse>, Status> {
        let table = self.0.table(convert::table_id(&request.get_ref().table_id)?).await?;
        Ok(Response::new(pb::GetTableResponse { table: Some(convert::table_view(&table)) }))
    }

    async fn list_tables(
        &self,
        request: Request<pb::ListTablesRequest>,
    ) -> Result<Response<pb::ListTablesResponse>, Status> {
        let asked = request.into_inner();
        let (after, size) = (convert::table_page(&asked.page_token)?, convert::page_size(asked.page_size)?);
        let tables = self.0.tables(after, size).await?;
        let full = tables.len() >= size as usize;
        let last = tables.last().filter(|_| full);
        Ok(Response::new(pb::ListTablesResponse {
            next_page_token: last.map(|last| convert::table_token(last.table)).unwrap_or_default(),
            tables: tables.iter().map(convert::table_view).collect(),
        }))
    }

    async fn change_rules(
        &self,
        request: Request<pb::ChangeRulesRequest>,
    ) -> Result<Response<pb::ChangeRulesResponse>, Status> {
        let (metadata, _, asked) = request.into_parts();
        let ask = convert::ask(&asked.request_id, &metadata)?;
        let id = convert::table_id(&asked.table_id)?;
        let command = TableCommand::ChangeRules(convert::settings(&asked)?);
        let table = self.0.change_table(id, command, &ask).await?;
        Ok(Response::new(pb::ChangeRulesResponse { table: Some(convert::table_view(&table)) }))
    }

    async fn take_seat(&self, request: Request<pb::TakeSeatRequest>) -> Result<Response<pb::TakeSeatResponse>, Status> {
        let (metadata, _, asked) = request.into_parts();
        let ask = convert::ask(&asked.request_id, &metadata)?;
        let id = convert::table_id(&asked.table_id)?;
        let command = TableCommand::TakeSeat {
            seat: convert::seat("seat", asked.seat)?,
            player: convert::player_id("player_id", &asked.player_id)?,
            chips: convert::chips("chips", asked.chips, 1)?,
            card_key: convert::card_key("card_key", &asked.card_key)?,
        };
        let table = self.0.change_table(id, command, &ask).await?;
        Ok(Response::new(pb::TakeSeatResponse { table: Some(convert::table_view(&table)) }))
    }

    async fn add_chips(&self, request: Request<pb::AddChipsRequest>) -> Result<Response<pb::AddChipsResponse>, Status> {
        let (metadata, _, asked) = request.into_parts();
        let ask = convert::ask(&asked.request_id, &metadata)?;
        let id = convert::table_id(&asked.table_id)?;
        let player = convert::player_id("player_id", &asked.player_id)?;
        let command = TableCommand::AddChips { player, chips: convert::chips("chips", asked.chips, 1)? };
        let table = self.0.change_table(id, command, &ask).await?;
        Ok(Response::new(pb::AddChipsResponse { table: Some(convert::table_view(&table)) }))
    }

    async fn leave_seat(
        &self,
        request: Request<pb::LeaveSeatRequest>,
    ) -> Result<Response<pb::LeaveSeatResponse>, Status> {
        let (metadata, _, asked) = request.into_parts();
        let ask = convert::ask(&asked.request_id, &metadata)?;
        let id = convert::table_id(&asked.table_id)?;
        let command = TableCommand::LeaveSeat { player: convert::player_id("player_id", &asked.player_id)? };
        let table = self.0.change_table(id, command, &ask).await?;
        Ok(Response::new(pb::LeaveSeatResponse { table: Some(convert::table_view(&table)) }))
    }

    async fn set_sitting_out(
        &self,
        request: Request<pb::SetSittingOutRequest>,
    ) -> Result<Response<pb::SetSittingOutResponse>, Status> {
        let (metadata, _, asked) = request.into_parts();
        let ask = convert::ask(&asked.request_id, &metadata)?;
        let id = convert::table_id(&asked.table_id)?;
        let player = convert::player_id("player_id", &asked.player_id)?;
        let command = TableCommand::SetSittingOut { player, sitting_out: asked.sitting_out };
        let table = self.0.change_table(id, command, &ask).await?;
        Ok(Response::new(pb::SetSittingOutResponse { table: Some(convert::table_view(&table)) }))
    }

    async fn close_table(
        &self,
        request: Request<pb::CloseTableRequest>,
    ) -> Result<Response<pb::CloseTableResponse>, Status> {
        let (metadata, _, asked) = request.into_parts();
        let ask = convert::ask(&asked.request_id, &metadata)?;
        let id = convert::table_id(&asked.table_id)?;
        let command = TableCommand::Close;
        let table = self.0.change_table(id, command, &ask).await?;
        Ok(Response::new(pb::CloseTableResponse { table: Some(convert::table_view(&table)) }))
    }
}

/// The settings of a new table: all fields of a change.
fn as_change(asked: pb::CreateTableRequest) -> pb::ChangeRulesRequest {
    pb::ChangeRulesRequest {
        table_id: asked.table_id,
        request_id: asked.request_id,
        stakes: asked.stakes,
        rules: asked.rules,
        auto_settle: asked.auto_settle,
        act_allowance_ms: asked.act_allowance_ms,
        settle_after_ms: asked.settle_after_ms,
        nonces: asked.nonces,
        reveal_deck: asked.reveal_deck,
    }
}
