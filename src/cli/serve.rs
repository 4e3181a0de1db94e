//! `razz-dealer serve`.

use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};

use super::{CLEAN, database, sealing};
use crate::config::{DatabaseUrl, ServeConfig};
use crate::dealer::{Dealer, Decks, Limits, Troubled};
use crate::world::World;
use crate::{grpc, telemetry};

/// How often hands are looked for that are to be settled without being asked.
const ROUND: Duration = Duration::from_secs(1);

pub(super) async fn run(config: &ServeConfig) -> anyhow::Result<u8> {
    telemetry::init(config.log_json, &config.log)?;
    let url = DatabaseUrl::parse(&config.database)?;
    let world = World::system();
    // First what can fail without leaving anything behind.
    let listener = TcpListener::bind(config.listen).await.with_context(|| format!("address {}", config.listen))?;
    if config.keys.key_file.is_empty() && matches!(url, DatabaseUrl::Postgres(_)) {
        // Told before anything else is done.
        sealing::told(&config.keys)?.context("dealers that share a database share its key: give --key-file")?;
    }
    let is_new = matches!(&url, DatabaseUrl::Sqlite(path) if !path.exists());
    if config.migrate && matches!(url, DatabaseUrl::Postgres(_)) {
        let owner = config.owner_database.as_deref().map_or_else(|| Ok(url.clone()), DatabaseUrl::parse)?;
        let migrated = database::bring_up_to_date(&owner).await?;
        tracing::info!(from = migrated.from, to = migrated.to, "the schema is up to date");
    }
    let store = database::open(&url, &config.postgres, true).await?;
    let keys = sealing::of_service(&url, &config.keys, is_new, &world)?;
    let current = keys.current().id();
    if store.retired_keys().await?.contains(&current.to_vec()) {
        store.close().await;
        anyhow::bail!("key {current} was retired, so no deck can be sealed under it: give the new one first");
    }
    let limits = Limits { live_bytes: config.live_tables_mib as usize * 1024 * 1024, commands: config.max_commands };
    let dealer = Arc::new(Dealer::with_limits(Arc::clone(&store), world, keys, Decks::OsEntropy, limits));
    // Heard from before anybody learns the address: whoever reads the line below may stop the service at once.
    let stop = told_to_stop()?;
    tracing::info!(address = %listener.local_addr()?, database = %url, "serving");
    let rounds = tokio::spawn(keep_house(Arc::clone(&dealer)));
    tokio::spawn(look_for_keys(Arc::clone(&dealer)));
    grpc::serve(listener, dealer, stop).await?;
    rounds.abort();
    store.close().await;
    tracing::info!("stopped");
    Ok(CLEAN)
}

/// Tells of keys that open hands need and nobody has given. They can be brought with the next start, or the hands
/// voided: no reason not to serve. Beside the service, as it may take a while.
async fn look_for_keys(dealer: Arc<Dealer>) {
    let needed = match dealer.store().keys_in_use().await {
        Ok(needed) => needed,
        Err(error) => return tracing::warn!(%error, "which keys are needed could not be looked up"),
    };
    for (key, hands) in needed {
        if !dealer.has_key(&key) {
            tracing::error!(
                key = super::in_hex(&key),
                hands,
                "open hands need a key that is not here: give it, or void them"
            );
        }
    }
}

/// What nobody asks for: hands settled when their time has come, and what the store wants done now and then.
async fn keep_house(dealer: Arc<Dealer>) {
    const TENDING: u32 = 3_600;
    let (mut round, mut troubled): (u32, _) = (0, Troubled::default());
    loop {
        tokio::time::sleep(ROUND).await;
        match dealer.settle_due(&mut troubled).await {
            Ok(done) => {
                for (table, hand, error) in done.failed {
                    tracing::error!(%table, hand, %error, "a hand that is played out cannot be settled");
                }
            }
            Err(error) => tracing::warn!(%error, "hands that are to be settled could not be looked for"),
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
