//! The keys that a command seals and opens decks with.

use std::path::Path;

use anyhow::Context;
use zeroize::Zeroizing;

use crate::config::{DatabaseUrl, KeysConfig};
use crate::keyfile;
use crate::shuffle::SealingKeys;
use crate::world::World;

/// Keys in the environment. Not an option: what stands on a command line can be read by everybody on the machine.
const ENVIRONMENT: &str = "RAZZ_KEYS";

/// The keys of files and environment; `None` where nothing is told of any.
pub(super) fn told(config: &KeysConfig) -> anyhow::Result<Option<SealingKeys>> {
    let mut keys: Option<SealingKeys> = None;
    let mut add = |more| {
        keys = Some(match keys.take() {
            Some(keys) => SealingKeys::and(keys, more),
            None => more,
        });
    };
    for path in &config.key_file {
        add(existing(path)?);
    }
    if let Some(text) = environment()? {
        add(keyfile::from_text(ENVIRONMENT, &text)?);
    }
    Ok(keys)
}

/// What the environment holds; a variable without content is none.
fn environment() -> anyhow::Result<Option<Zeroizing<String>>> {
    match std::env::var(ENVIRONMENT) {
        Ok(text) => Ok(Some(Zeroizing::new(text)).filter(|text| !text.trim().is_empty())),
        Err(std::env::VarError::NotPresent) => Ok(None),
        Err(std::env::VarError::NotUnicode(_)) => anyhow::bail!("{ENVIRONMENT}: it is not text"),
    }
}

/// The keys at hand for a database: those that are told of, else that beside the file.
pub(super) fn at_hand(url: &DatabaseUrl, config: &KeysConfig) -> anyhow::Result<Option<SealingKeys>> {
    if let Some(keys) = told(config)? {
        return Ok(Some(keys));
    }
    Ok(url.key_path().map(|path| keyfile::load(&path)).transpose()?.flatten())
}

fn existing(path: &Path) -> anyhow::Result<SealingKeys> {
    let none = || format!("key file {}: there is none; `razz-dealer keys new` makes one", path.display());
    keyfile::load(path)?.with_context(none)
}

/// The keys of a service. Beside a file one is made where none is told of: only who holds the database gets here, so
/// two first starts cannot make two. Dealers on several machines would each make their own, so there it is not.
pub(super) fn of_service(
    url: &DatabaseUrl,
    config: &KeysConfig,
    is_new: bool,
    world: &World,
) -> anyhow::Result<SealingKeys> {
    let sole = match (url, &config.key_file[..]) {
        (DatabaseUrl::Sqlite(_), []) if environment()?.is_none() => url.key_path(),
        (DatabaseUrl::Sqlite(_), [path]) => Some(path.clone()),
        _ => None,
    };
    let Some(path) = sole.filter(|path| !path.exists()) else {
        return at_hand(url, config)?.context("dealers that share a database share its key: give --key-file");
    };
    if !is_new {
        tracing::warn!(
            key = %path.display(),
            "the database had no key beside it: a new one is made, and hands dealt under another can only be voided"
        );
    }
    let made = keyfile::load_or_create(&path, world)?;
    Ok(match told(&KeysConfig { key_file: Vec::new() })? {
        Some(more) => made.and(more),
        None => made,
    })
}
