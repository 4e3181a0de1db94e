//! `razz-dealer serve`.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};

use super::{CLEAN, database};
use crate::config::{DatabaseUrl, ServeConfig};
use crate::dealer::{Dealer, Decks, Limits};
use crate::shuffle::SealingKey;
use crate::world::World;
use crate::{grpc, keyfile, telemetry};

/// How often hands are looked for that are to be settled without being asked.
const ROUND: Duration = Duration::from_secs(1);

pub(super) async fn run(config: &ServeConfig) -> anyhow::Result<u8> {
    telemetry::init(config.log_json, &config.log)?;
    let url = DatabaseUrl::parse(&config.database)?;
    let world = World::system();
    // First what can fail without leaving anything behind.
    let listener = TcpListener::bind(config.listen).await.with_context(|| format!("address {}", config.listen))?;
    let key_path = config.key_file.clone().or_else(|| url.key_path());
    let key_path = key_path.context("dealers that share a database share its key: give --key-file")?;
    let is_new = matches!(&url, DatabaseUrl::Sqlite(path) if !path.exists());
    if config.migrate && matches!(url, DatabaseUrl::Postgres(_)) {
        let owner = config.owner_database.as_deref().map_or_else(|| Ok(url.clone()), DatabaseUrl::parse)?;
        let migrated = database::bring_up_to_date(&owner).await?;
        tracing::info!(from = migrated.from, to = migrated.to, "the schema is up to date");
    }
    let store = database::open(&url, &config.postgres, true).await?;
    let key = sealing_key(&url, &key_path, is_new, &world)?;
    let limits = Limits { live_bytes: config.live_tables_mib as usize * 1024 * 1024, commands: config.max_commands };
    let dealer = Arc::new(Dealer::with_limits(Arc::clone(&store), world, key, Decks::OsEntropy, limits));
    // Heard from before anybody learns the address: whoever reads the line below may stop the service at once.
    let stop = told_to_stop()?;
    tracing::info!(address = %listener.local_addr()?, database = %url, "serving");
    let rounds = tokio::spawn(keep_house(Arc::clone(&dealer)));
    grpc::serve(listener, dealer, stop).await?;
    rounds.abort();
    store.close().await;
    tracing::info!("stopped");
    Ok(CLEAN)
}

/// The key that seals decks. Beside a file it is made where there is none: only who holds the database gets here, so
/// two first starts cannot make two. Dealers on several machines would each make their own, so there it is not.
fn sealing_key(url: &DatabaseUrl, path: &Path, is_new: bool, world: &World) -> anyhow::Result<SealingKey> {
    if matches!(url, DatabaseUrl::Postgres(_)) {
        let none = || format!("key file {}: there is none; `razz-dealer keys new` makes one", path.display());
        return keyfile::load(path)?.with_context(none);
    }
    if !is_new && !path.exists() {
        tracing::warn!(
            key = %path.display(),
            "the database had no key beside it: a new one is made, and hands dealt under another can only be voided"
        );
    }
    Ok(keyfile::load_or_create(path, world)?)
}

/// What nobody asks for: hands settled when their time has come, and what the store wants done now and then.
async fn keep_house(dealer: Arc<Dealer>) {
    const TENDING: u32 = 3_600;
    let mut round: u32 = 0;
    loop {
        tokio::time::sleep(ROUND).await;
        if let Err(error) = dealer.settle_due().await {
            tracing::warn!(%error, "hands that are to be settled could not be looked for");
        }
        round = (round + 1) % TENDING;
        if round == 0
            && let Err(error) = dealer.store().tend().await
        {
            tracing::warn!(%error, "the store could not be tended");
        }
    }
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
