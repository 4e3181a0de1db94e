//! `razz-dealer keys`: the keys that decks rest under, from the first to the last day.

use std::collections::BTreeMap;
use std::path::PathBuf;

use anyhow::Context;
use serde_json::json;

use super::{CLEAN, FINDING, database, in_hex, sealing};
use crate::config::{DatabaseUrl, KeysConfig, PostgresConfig};
use crate::keyfile;
use crate::ledger::TableId;
use crate::shuffle::{self, KeyId, SealingKeys};
use crate::store::{DeckRow, Store, StoreError};
use crate::world::World;

/// How many decks are read at a time.
const PAGE: u32 = 500;

/// What can be done with keys.
#[derive(Clone, Debug, clap::Subcommand)]
pub enum Keys {
    /// Make a new key, in a file of its owner's only. A file that is there is left alone.
    New {
        /// The file.
        #[arg(value_name = "PATH")]
        path: PathBuf,
    },
    /// List the keys that decks of a database rest under, and how many.
    List {
        /// Which database, and which keys are at hand.
        #[command(flatten)]
        place: Place,
        /// One JSON object.
        #[arg(long)]
        json: bool,
    },
    /// Seal every deck that rests under another key under the first one: each is one row more, which then counts.
    /// Dealers may go on meanwhile. May be interrupted and repeated.
    Rewrap {
        /// Which database, and the keys: the first seals, the others open.
        #[command(flatten)]
        place: Place,
    },
    /// Retire a key, as the owner of the schema: refused while a deck rests under it; afterwards the database takes no
    /// deck under it any more, and its file can be destroyed.
    Retire {
        /// Which database.
        #[command(flatten)]
        place: Place,
        /// The key's id: 32 hexadecimal digits.
        #[arg(value_name = "KEY_ID")]
        key_id: String,
    },
}

/// Which database, and which keys.
#[derive(Clone, Debug, clap::Args)]
pub struct Place {
    /// Where the record is kept; for `rewrap` and `retire` a Postgres database as the role that owns its schema.
    #[arg(long, env = "RAZZ_DATABASE", value_name = "URL", hide_env_values = true)]
    pub database: String,
    /// How to use a Postgres database.
    #[command(flatten)]
    pub postgres: PostgresConfig,
    /// The keys at hand.
    #[command(flatten)]
    pub keys: KeysConfig,
}

impl Place {
    /// Does something over the database, and lets go of it.
    async fn with<T>(&self, work: impl AsyncFnOnce(&dyn Store) -> anyhow::Result<T>) -> anyhow::Result<T> {
        let url = DatabaseUrl::parse(&self.database)?;
        let store = database::open(&url, &self.postgres, false).await?;
        let done = work(&*store).await;
        store.close().await;
        done.with_context(|| format!("database {url}"))
    }

    fn keys(&self) -> anyhow::Result<Option<SealingKeys>> {
        sealing::at_hand(&DatabaseUrl::parse(&self.database)?, &self.keys)
    }
}

/// Does it.
///
/// # Errors
/// Where a file or database cannot be used.
pub async fn run(keys: &Keys) -> anyhow::Result<u8> {
    match keys {
        Keys::New { path } => {
            anyhow::ensure!(!path.exists(), "key file {}: it is there already, and is left alone", path.display());
            let keys = keyfile::load_or_create(path, &World::system())?;
            say!("{}: key {}", path.display(), keys.current().id());
            Ok(CLEAN)
        }
        Keys::List { place, json } => {
            let keys = place.keys()?;
            place.with(async |store| list(store, keys.as_ref(), *json).await).await
        }
        Keys::Rewrap { place } => {
            let keys = place.keys()?.context("no key is given to seal under: give --key-file")?;
            place.with(async |store| rewrap(store, &keys).await).await
        }
        Keys::Retire { place, key_id } => {
            // Not repeated: it may be a key, pasted in the place of its id.
            let id = id_of(key_id).context("no key id is given: 32 hexadecimal digits are expected")?;
            place.with(async |store| retire(store, id).await).await
        }
    }
}

/// Every hand's latest deck, one after the other.
async fn each_deck(
    store: &dyn Store,
    mut work: impl AsyncFnMut(&DeckRow, bool) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let mut after: Option<(TableId, u64)> = None;
    loop {
        let page = store.decks(after, PAGE).await?;
        let Some(last) = page.last() else { return Ok(()) };
        after = Some((last.row.table, last.row.hand));
        for deck in &page {
            work(&deck.row, deck.in_use).await?;
        }
    }
}

async fn list(store: &dyn Store, keys: Option<&SealingKeys>, as_json: bool) -> anyhow::Result<u8> {
    let mut found: BTreeMap<Vec<u8>, (u64, u64)> = BTreeMap::new();
    each_deck(store, async |row, in_use| {
        let (decks, needed) = found.entry(row.key_id.clone()).or_default();
        *decks += 1;
        *needed += u64::from(in_use);
        Ok(())
    })
    .await?;
    let retired = store.retired_keys().await?;
    let at_hand: Vec<Vec<u8>> = keys.iter().flat_map(|keys| keys.ids()).map(KeyId::to_vec).collect();
    for key in retired.iter().chain(&at_hand) {
        found.entry(key.clone()).or_default();
    }
    let mut lines = Vec::new();
    for (key, (decks, in_use)) in found {
        let (id, here, over) = (in_hex(&key), at_hand.contains(&key), retired.contains(&key));
        let current = at_hand.first() == Some(&key);
        if as_json {
            lines.push(json!({
                "key_id": id, "decks": decks, "in_use": in_use, "at_hand": here, "current": current, "retired": over,
            }));
            continue;
        }
        let marks = [(current, "seals"), (here && !current, "at hand"), (!here, "not at hand"), (over, "retired")];
        let marks: Vec<&str> = marks.iter().filter(|(holds, _)| *holds).map(|(_, mark)| *mark).collect();
        say!("key {id}: {decks} decks, {in_use} of open hands; {}", marks.join(", "));
    }
    if as_json {
        say!("{}", json!({ "keys": lines }));
    }
    Ok(CLEAN)
}

async fn rewrap(store: &dyn Store, keys: &SealingKeys) -> anyhow::Result<u8> {
    let (world, current) = (World::system(), keys.current());
    let (mut done, mut there, mut left) = (0_u64, 0_u64, BTreeMap::<String, (u64, String)>::new());
    each_deck(store, async |row, _| {
        if row.key_id == current.id().0 {
            there += 1;
            return Ok(());
        }
        match keys.open(row.table.0, row.hand, &row.sealed) {
            Ok(secret) => {
                let sealed = shuffle::seal(current, world.random::<24>()?, row.table.0, row.hand, &secret);
                store.add_deck(&DeckRow { key_id: current.id().to_vec(), sealed, ..row.clone() }).await?;
                done += 1;
            }
            Err(why) => {
                let first = || (0, format!("table {} hand {}", row.table, row.hand));
                left.entry(format!("key {}: {why}", in_hex(&row.key_id))).or_insert_with(first).0 += 1;
            }
        }
        Ok(())
    })
    .await?;
    say!("{done} decks were sealed under key {}, and {there} were before", current.id());
    for (why, (decks, first)) in &left {
        say!("{decks} decks are left as they were, such as that of {first}; {why}");
    }
    Ok(if left.is_empty() { CLEAN } else { FINDING })
}

async fn retire(store: &dyn Store, id: KeyId) -> anyhow::Result<u8> {
    match store.retire_key(&id.0).await {
        Ok(()) => {
            say!("key {id} is retired: no deck rests under it or will. What still holds it can be destroyed.");
            Ok(CLEAN)
        }
        Err(StoreError::KeyNeeded) => {
            let mut decks = 0_u64;
            each_deck(store, async |row, _| {
                decks += u64::from(row.key_id == id.0);
                Ok(())
            })
            .await?;
            say!("key {id} is not retired: {decks} decks rest under it; `razz-dealer keys rewrap` seals them anew");
            Ok(FINDING)
        }
        Err(StoreError::KeyUnknown) => {
            say!(
                "key {id} is not retired: no deck ever rested under it. `razz-dealer keys list` tells which there are."
            );
            Ok(FINDING)
        }
        Err(error) => Err(error.into()),
    }
}

fn id_of(text: &str) -> Option<KeyId> {
    let number = u128::from_str_radix(text, 16).ok().filter(|_| text.len() == 32 && !text.starts_with('+'))?;
    Some(KeyId(number.to_be_bytes()))
}
