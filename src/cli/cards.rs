//! `razz-dealer cards`: what a player does with cards that are sealed to a key of their own.

use std::fs::OpenOptions;
use std::io::Write as _;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use anyhow::Context;
use uuid::Uuid;
use zeroize::Zeroizing;

use super::{CLEAN, FINDING, in_hex};
use crate::engine::Seat;
use crate::shuffle::{CardSecret, HandId, Revealed, take_over};
use crate::world::World;

/// What a player can do.
#[derive(Clone, Debug, clap::Subcommand)]
pub enum Cards {
    /// Make a key for sealed cards: the secret in a file of its owner's only, the public key (`card_key` of `TakeSeat`)
    /// on the screen.
    NewKey {
        /// The file. One that is there is left alone.
        #[arg(value_name = "PATH")]
        path: PathBuf,
    },
    /// Open down cards that were sealed to a key.
    Open(Open),
}

/// Which cards, and with what.
#[derive(Clone, Debug, clap::Args)]
pub struct Open {
    /// The file with the secret key: 64 hexadecimal digits.
    #[arg(long, value_name = "FILE")]
    pub key: PathBuf,
    /// The table.
    #[arg(long, value_name = "ID")]
    pub table: Uuid,
    /// The hand's number.
    #[arg(long, value_name = "N")]
    pub hand: u64,
    /// Whose cards, 1 to 8.
    #[arg(long, value_name = "N")]
    pub seat: u8,
    /// `sealed_cards`, in hexadecimal digits.
    #[arg(long, value_name = "HEX")]
    pub sealed: String,
}

/// Does it.
///
/// # Errors
/// Where a file cannot be made or read, or what is given is none of a table.
pub fn run(cards: &Cards) -> anyhow::Result<u8> {
    match cards {
        Cards::NewKey { path } => new_key(path),
        Cards::Open(open) => open_cards(open),
    }
}

fn new_key(path: &Path) -> anyhow::Result<u8> {
    let bytes = Zeroizing::new(World::system().random::<32>()?);
    let text = Zeroizing::new(in_hex(&*bytes) + "\n");
    let made = OpenOptions::new().write(true).create_new(true).mode(0o600).open(path);
    let mut file = made.with_context(|| format!("key file {}", path.display()))?;
    file.write_all(text.as_bytes())?;
    file.sync_all()?;
    let public = CardSecret::new(*bytes).card_key();
    say!("{}: card_key {public:?}", path.display());
    Ok(CLEAN)
}

fn open_cards(open: &Open) -> anyhow::Result<u8> {
    let place = || format!("key file {}", open.key.display());
    let text = Zeroizing::new(std::fs::read_to_string(&open.key).with_context(place)?);
    let bytes = from_hex(text.trim()).filter(|bytes| bytes.len() == 32);
    let bytes = Zeroizing::new(bytes.with_context(|| format!("{}: it is not 64 hexadecimal digits", place()))?);
    let mut key = Zeroizing::new([0; 32]);
    key.copy_from_slice(&bytes);
    let seat = Seat::new(open.seat).context("--seat: a seat from 1 to 8 is expected")?;
    let sealed = from_hex(&open.sealed).context("--sealed: hexadecimal digits are expected, two for each byte")?;
    let of = HandId { table: open.table.into_bytes(), hand: open.hand };
    match take_over(&CardSecret::new(*key), of, seat, &sealed) {
        Ok(cards) => {
            for Revealed { position, card, salt } in cards {
                say!("position {position}: {card} salt {}", in_hex(&salt));
            }
            Ok(CLEAN)
        }
        Err(why) => {
            say!("{}: {why}", why.name());
            Ok(FINDING)
        }
    }
}

fn from_hex(text: &str) -> Option<Vec<u8>> {
    let digit = |letter: &u8| char::from(*letter).to_digit(16);
    let pairs = text.as_bytes().chunks(2);
    pairs.map(|pair| u8::try_from(digit(pair.first()?)? * 16 + digit(pair.get(1)?)?).ok()).collect()
}
