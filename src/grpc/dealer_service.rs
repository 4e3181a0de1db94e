//! `DealerService`: hands.

use std::sync::Arc;

use tonic::{Request, Response, Status};

use super::convert;
use crate::dealer::{Dealer, Order};
use crate::pb;
use crate::pb::dealer_service_server::DealerService;

pub(super) struct Dealing(pub Arc<Dealer>);

#[tonic::async_trait]
impl DealerService for Dealing {
    async fn deal(&self, request: Request<pb::DealRequest>) -> Result<Response<pb::DealResponse>, Status> {
        let (metadata, _, asked) = request.into_parts();
        let ask = convert::ask(&asked.request_id, &metadata)?;
        let (table, viewer) = (convert::table_id(&asked.table_id)?, convert::viewer(asked.viewer.as_ref())?);
        let hand = self.0.play(table, &ask, &Order::Deal, &viewer).await?;
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
        let order = Order::Void { hand, reason: convert::void_reason(&asked.reason)? };
        let hand = self.0.play(table, &ask, &order, &viewer).await?;
        Ok(Response::new(pb::VoidHandResponse { hand: Some(convert::hand_view(&hand)) }))
    }

    async fn get_hand(&self, request: Request<pb::GetHandRequest>) -> Result<Response<pb::GetHandResponse>, Status> {
        let asked = request.into_inner();
        let (table, viewer) = (convert::table_id(&asked.table_id)?, convert::viewer(asked.viewer.as_ref())?);
        let number = match asked.hand_number {
            0 => None,
            number => Some(convert::hand_number(number)?),
        };
        let hand = self.0.hand(table, number, &viewer).await?;
        Ok(Response::new(pb::GetHandResponse { hand: Some(convert::hand_view(&hand)) }))
    }
}
