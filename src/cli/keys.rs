//! `razz-dealer keys`: the files of keys that seal decks.

use std::path::PathBuf;

use super::CLEAN;
use crate::keyfile;
use crate::world::World;

/// What can be done with key files.
#[derive(Clone, Debug, clap::Subcommand)]
pub enum Keys {
    /// Make a new key, in a file of its owner's only. A file that is there is left alone.
    New {
        /// The file.
        #[arg(value_name = "PATH")]
        path: PathBuf,
    },
}

/// Does it.
///
/// # Errors
/// Where the file is there, or cannot be made.
pub fn run(keys: &Keys) -> anyhow::Result<u8> {
    let Keys::New { path } = keys;
    anyhow::ensure!(!path.exists(), "key file {}: it is there already, and is left alone", path.display());
    let key = keyfile::load_or_create(path, &World::system())?;
    say!("{}: key {}", path.display(), key.id());
    Ok(CLEAN)
}
