//! Many dealers over one database: any of them may get any call for any table, and together they are as one.

mod behind;
mod copies;
mod gone;
mod locks;
mod spray;

use razz_dealer::engine::Status;
use razz_dealer::grpc::client::Client;
use razz_dealer::sim::Bots;

use crate::process::request::{Done, Request, Sixes, read};

/// Sends what must be done.
pub async fn sent(client: &mut Client, request: &Request) -> Done {
    request.send(client).await.unwrap_or_else(|status| panic!("{request:?}: {status:?}"))
}

/// Makes the table and seats everybody through one dealer.
pub async fn seated(client: &mut Client, table: &mut Sixes) {
    for request in table.set_up() {
        sent(client, &request).await;
    }
}

/// What comes next at a table that plays one hand after another, as the public view shows it.
pub fn next(table: &mut Sixes, bots: &mut Bots, last: &Done) -> Request {
    let Some(hand) = &last.hand else { return table.deal() };
    let view = read(hand);
    match bots.choose(&view) {
        Some((seat, action)) => table.act(&view, seat, action, None),
        None if view.status == Status::PlayedOut => table.settle(&view),
        None => table.deal(),
    }
}
