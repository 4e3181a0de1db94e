//! The Postgres store through pgbouncer in transaction mode: it keeps what it keeps without.

use std::sync::Arc;

use razz_dealer::store::postgres::PostgresStore;

use super::Shared;
use crate::away::pooler::Pooler;
use crate::database::Database;

pub(super) async fn fresh() -> (Shared, (Database, Pooler)) {
    let (database, pooler) = (Database::fresh().await, Pooler::start());
    let store = PostgresStore::open(pooler.settings(&database)).await.expect("a store");
    (Arc::new(store), (database, pooler))
}
