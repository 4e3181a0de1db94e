//! `DealerService`: hands.

use std::sync::Arc;

use tonic::{Request, Response, Status};

use super::convert;
use crate::audit::HandCards;
use crate::dealer::{Dealer, DealerError, Order, TableAnswer};
use crate::engine::TableCommand;
use crate::pb;
use crate::pb::dealer_service_server::DealerService;
use crate::record::StreamId;

pub(super) struct Dealing(pub Arc<Dealer>);

#[tonic::async_trait]
impl DealerService for Dealing {
    async fn prepare_hand(
        &self,
        request: Request<pb::PrepareHandRequest>,
    ) -> Result<Response<pb::PrepareHandResponse>, Status> {
        let (metadata, _, asked) = request.into_parts();
        let ask = convert::ask(&asked.request_id, &metadata)?;
        let table = self.0.prepare_hand(convert::table_id(&asked.table_id)?, &ask).await?;
        Ok(Response::new(pb::PrepareHandResponse { prepared: prepared(&table) }))
    }

    async fn give_nonce(
        &self,
        request: Request<pb::GiveNonceRequest>,
    ) -> Result<Response<pb::GiveNonceResponse>, Status> {
        let (metadata, _, asked) = request.into_parts();
        let ask = convert::ask(&asked.request_id, &metadata)?;
        let table = convert::table_id(&asked.table_id)?;
        let command = TableCommand::GiveNonce {
            hand: convert::hand_number(asked.hand_number)?,
            player: convert::player_id("player_id", &asked.player_id)?,
            nonce: convert::nonce("nonce", &asked.nonce)?,
        };
        let table = self.0.change_table(table, command, &ask).await?;
        Ok(Response::new(pb::GiveNonceResponse { prepared: prepared(&table) }))
    }

    async fn deal(&self, request: Request<pb::DealRequest>) -> Result<Response<pb::DealResponse>, Status> {
        let (metadata, _, asked) = request.into_parts();
        let ask = convert::ask(&asked.request_id, &metadata)?;
        let (table, viewer) = (convert::table_id(&asked.table_id)?, convert::viewer(asked.viewer.as_ref())?);
        let order = Order::Deal { nonces: convert::nonces(&asked.nonces)? };
        let hand = self.0.play(table, &ask, &order, &viewer).await?;
        Ok(Response::new(pb::DealResponse { hand: Some(convert::hand_view(&hand)) }))
    }

    async fn act(&self, request: Request<pb::ActRequest>) -> Result<Response<pb::ActResponse>, Status> {
        let (metadata, _, asked) = request.into_parts();
        let ask = convert::ask(&asked.request_id, &metadata)?;
        let (table, viewer) = (convert::table_id(&asked.table_id)?, convert::viewer(asked.viewer.as_ref())?);
        let order = Order::Act {
            hand: convert::hand_number(asked.hand_number)?,
            seat: convert::seat("seat", asked.seat)?,
            action: convert::action(asked.action)?,
            to: asked.to.map(|units| convert::chips("to", units, 0)).transpose()?,
            expected_seq: asked.expected_seq,
        };
        let hand = self.0.play(table, &ask, &order, &viewer).await?;
        Ok(Response::new(pb::ActResponse { hand: Some(convert::hand_view(&hand)) }))
    }

    async fn settle(&self, request: Request<pb::SettleRequest>) -> Result<Response<pb::SettleResponse>, Status> {
        let (metadata, _, asked) = request.into_parts();
        let ask = convert::ask(&asked.request_id, &metadata)?;
        let (table, viewer) = (convert::table_id(&asked.table_id)?, convert::viewer(asked.viewer.as_ref())?);
        let order = Order::Settle { hand: convert::hand_number(asked.hand_number)? };
        let hand = self.0.play(table, &ask, &order, &viewer).await?;
        Ok(Response::new(pb::SettleResponse { hand: Some(convert::hand_view(&hand)) }))
    }

    async fn void_hand(&self, request: Request<pb::VoidHandRequest>) -> Result<Response<pb::VoidHandResponse>, Status> {
        let (metadata, _, asked) = request.into_parts();
        let ask = convert::ask(&asked.request_id, &metadata)?;
        let (table, viewer) = (convert::table_id(&asked.table_id)?, convert::viewer(asked.viewer.as_ref())?);
        let hand = convert::hand_number(asked.hand_number)?;
        let order = Order::Void { hand, reason: convert::reason(&asked.reason)? };
        let hand = self.0.play(table, &ask, &order, &viewer).await?;
        Ok(Response::new(pb::VoidHandResponse { hand: Some(convert::hand_view(&hand)) }))
    }

    async fn get_hand(&self, request: Request<pb::GetHandRequest>) -> Result<Response<pb::GetHandResponse>, Status> {
        let asked = request.into_inner();
        let (table, viewer) = (convert::table_id(&asked.table_id)?, convert::viewer(asked.viewer.as_ref())?);
        let hand = self.0.hand(table, asked_hand(asked.hand_number)?, &viewer).await?;
        Ok(Response::new(pb::GetHandResponse { hand: Some(convert::hand_view(&hand)) }))
    }

    async fn get_card_proofs(
        &self,
        request: Request<pb::GetCardProofsRequest>,
    ) -> Result<Response<pb::GetCardProofsResponse>, Status> {
        let asked = request.into_inner();
        let (table, viewer) = (convert::table_id(&asked.table_id)?, convert::viewer(asked.viewer.as_ref())?);
        let proofs = self.0.card_proofs(table, asked_hand(asked.hand_number)?, &viewer).await?;
        let records = self.0.store().hand_records(StreamId::of_table(table), proofs.hand).await;
        let records = records.map_err(DealerError::from)?;
        let cards = HandCards::of(table, &records).map_err(DealerError::from)?;
        let cards = cards.ok_or_else(|| DealerError::Corrupt(format!("hand {} has no opening", proofs.hand)))?;
        Ok(Response::new(convert::card_proofs(&proofs, &cards)))
    }
}

/// Which hand a reader wants; 0 stands for the latest.
fn asked_hand(number: u64) -> Result<Option<u64>, convert::BadRequest> {
    if number == 0 { Ok(None) } else { convert::hand_number(number).map(Some) }
}

fn prepared(table: &TableAnswer) -> Option<pb::PreparedHand> {
    table.prepared.as_ref().map(|prepared| convert::prepared_hand(table.next_hand, prepared))
}
