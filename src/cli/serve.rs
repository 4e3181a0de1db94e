//! `razz-dealer serve`.

use std::sync::Arc;

use anyhow::Context;
use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};

use super::CLEAN;
use crate::config::{ServeConfig, sqlite_path};
use crate::dealer::{Dealer, Decks};
use crate::store::Store;
use crate::store::sqlite::SqliteStore;
use crate::world::World;
use crate::{grpc, keyfile, telemetry};

pub(super) async fn run(config: &ServeConfig) -> anyhow::Result<u8> {
    telemetry::init(config.log_json, &config.log)?;
    let path = sqlite_path(&config.database)?;
    let world = World::system();
    // First what can fail without leaving anything behind.
    let listener = TcpListener::bind(config.listen).await.with_context(|| format!("address {}", config.listen))?;
    let key_path = config.key_path()?;
    let keyless = path.exists() && !key_path.exists();
    let store = Arc::new(SqliteStore::open(&path).await.with_context(|| format!("database {}", path.display()))?);
    // Only who holds the database makes its key: two first starts cannot make two.
    let key = keyfile::load_or_create(&key_path, &world)?;
    if keyless {
        tracing::warn!(
            key = %key_path.display(),
            "the database had no key beside it: a new one is made, and hands dealt under another can only be voided"
        );
    }
    let dealer = Arc::new(Dealer::new(Arc::clone(&store) as Arc<dyn Store>, world, key, Decks::OsEntropy));
    // Heard from before anybody learns the address: whoever reads the line below may stop the service at once.
    let stop = told_to_stop()?;
    tracing::info!(address = %listener.local_addr()?, database = %path.display(), "serving");
    grpc::serve(listener, dealer, stop).await?;
    store.close().await;
    tracing::info!("stopped");
    Ok(CLEAN)
}

/// Ends when the process is asked to stop.
fn told_to_stop() -> std::io::Result<impl Future<Output = ()> + Send + 'static> {
    let (mut interrupt, mut terminate) = (signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?);
    Ok(async move {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
        }
    })
}
