//! The file that holds sealing keys: a line each, `razz-dealer-key v1 <key id> <key>`, both in hexadecimal, for its
//! owner only. The first key seals, all of them open. Whoever has both this file and the database can read every deck;
//! without it, no open hand goes on.

use std::fmt::Write as _;
use std::fs::{File, Permissions};
use std::io::{ErrorKind, Read, Write as _};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use zeroize::Zeroizing;

use crate::shuffle::{KEY_BYTES, SealingKey, SealingKeys};
use crate::world::{NoEntropy, World};

const NAME: &str = "razz-dealer-key";
const VERSION: &str = "v1";
/// No key file is longer; what is longer is something else.
const MAX_BYTES: u64 = 64 * 1024;

/// Why there is no key.
#[derive(Debug, thiserror::Error)]
pub enum KeyFileError {
    /// It cannot be read.
    #[error("key file {path}: it cannot be read")]
    Unreadable {
        /// Which.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// There is none, and none can be made.
    #[error("key file {path}: there is none, and it cannot be made")]
    Unwritable {
        /// Which.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// Others than its owner may use it.
    #[error("key file {path}: its mode is {mode:04o}, so others may use it; make it 0600 (chmod 600), or 0400")]
    TooOpen {
        /// Which.
        path: PathBuf,
        /// Its permission bits.
        mode: u32,
    },
    /// It was written by a newer version.
    #[error("key file {path}: its version is {found:?}, and this dealer knows {VERSION} only")]
    UnknownVersion {
        /// Which.
        path: PathBuf,
        /// The version in it.
        found: String,
    },
    /// It is no key file, or not the one that was written.
    #[error("key file {path}: {what}; put the right file back, a new key cannot open the decks of the old one")]
    Damaged {
        /// Which.
        path: PathBuf,
        /// What is wrong; never a part of the key.
        what: &'static str,
    },
    /// There is nothing to make a key of.
    #[error(transparent)]
    NoEntropy(#[from] NoEntropy),
}

/// Reads the keys, or makes one where there is no file. A key is on the disk before it is used, and a file that is
/// there is never written.
///
/// # Errors
/// As [`KeyFileError`] names them. Where there is a file, nothing is changed.
pub fn load_or_create(path: &Path, world: &World) -> Result<SealingKeys, KeyFileError> {
    if let Some(keys) = load(path)? {
        return Ok(keys);
    }
    let key = create(path, world)?;
    // Another process may have been faster; what stands in the file is the key.
    let stored = load(path)?;
    Ok(stored.unwrap_or_else(|| key.into()))
}

/// Reads the keys; `None` where there is no file.
///
/// # Errors
/// As [`KeyFileError`] names them.
pub fn load(path: &Path) -> Result<Option<SealingKeys>, KeyFileError> {
    let unreadable = |source| KeyFileError::Unreadable { path: path.to_owned(), source };
    let file = match File::open(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        opened => opened.map_err(unreadable)?,
    };
    // Of the opened file, not of the path: it cannot be exchanged in between.
    let mode = file.metadata().map_err(unreadable)?.permissions().mode() & 0o7777;
    if mode & 0o077 != 0 {
        return Err(KeyFileError::TooOpen { path: path.to_owned(), mode });
    }
    let mut text = Zeroizing::new(Vec::new());
    // With room for all of it, so that no copy stays behind where it grew.
    text.reserve_exact(usize::try_from(MAX_BYTES).unwrap_or_default() + 2);
    file.take(MAX_BYTES + 1).read_to_end(&mut text).map_err(unreadable)?;
    if text.len() as u64 > MAX_BYTES {
        return Err(KeyFileError::Damaged { path: path.to_owned(), what: "it is longer than any key file" });
    }
    parse(path, &text).map(Some)
}

/// Keys from a text like that of a file, in which lines may also end with a semicolon. Errors call it `name`.
///
/// # Errors
/// As [`KeyFileError`] names them.
pub fn from_text(name: &str, text: &str) -> Result<SealingKeys, KeyFileError> {
    let lines = Zeroizing::new(text.replace(';', "\n"));
    parse(Path::new(name), lines.as_bytes())
}

fn parse(path: &Path, text: &[u8]) -> Result<SealingKeys, KeyFileError> {
    let damaged = |what| KeyFileError::Damaged { path: path.to_owned(), what };
    let text = std::str::from_utf8(text).map_err(|_| damaged("it is not text"))?;
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    let mut keys = lines.map(|line| parse_line(path, line)).collect::<Result<Vec<_>, _>>()?.into_iter();
    let current = keys.next().ok_or_else(|| damaged("it holds no key"))?;
    Ok(SealingKeys::new(current, keys))
}

fn parse_line(path: &Path, line: &str) -> Result<SealingKey, KeyFileError> {
    let damaged = |what| KeyFileError::Damaged { path: path.to_owned(), what };
    let mut words = line.split_whitespace();
    if words.next() != Some(NAME) {
        return Err(damaged("it is not a key file of this dealer"));
    }
    let version = words.next().ok_or_else(|| damaged("it ends too early"))?;
    // Shown only where it is one: a key may have slipped into its place.
    let digits = version.strip_prefix('v').filter(|digits| (1..=4).contains(&digits.len()));
    if !digits.is_some_and(|digits| digits.bytes().all(|byte| byte.is_ascii_digit())) {
        return Err(damaged("what stands in the place of its version is none"));
    }
    if version != VERSION {
        return Err(KeyFileError::UnknownVersion { path: path.to_owned(), found: version.to_owned() });
    }
    let (Some(id), Some(key), None) = (words.next(), words.next(), words.next()) else {
        return Err(damaged("a line does not hold one key id and one key"));
    };
    let bytes = from_hex(key).ok_or_else(|| damaged("its key is not 64 hexadecimal digits"))?;
    let key = SealingKey::new(*bytes);
    if key.id().to_string() == id { Ok(key) } else { Err(damaged("its key is not the one that its key id names")) }
}

fn create(path: &Path, world: &World) -> Result<SealingKey, KeyFileError> {
    let bytes = Zeroizing::new(world.random::<KEY_BYTES>()?);
    let key = SealingKey::new(*bytes);
    let mut text = Zeroizing::new(String::with_capacity(128));
    // Writing to a String cannot fail.
    let _ = write!(text, "{NAME} {VERSION} {} ", key.id());
    for byte in bytes.iter() {
        let _ = write!(text, "{byte:02x}");
    }
    text.push('\n');
    match write_new(path, text.as_bytes()) {
        Err(error) if error.kind() != ErrorKind::AlreadyExists => {
            Err(KeyFileError::Unwritable { path: path.to_owned(), source: error })
        }
        _ => Ok(key),
    }
}

/// Written under another name first: a file of this name is whole, or is not there.
fn write_new(path: &Path, text: &[u8]) -> std::io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut builder = tempfile::Builder::new();
    let mut file =
        builder.prefix(".razz-dealer-key-").permissions(Permissions::from_mode(0o600)).tempfile_in(folder)?;
    file.write_all(text)?;
    file.as_file().sync_all()?;
    file.persist_noclobber(path).map_err(|error| error.error)?;
    File::open(folder)?.sync_all()
}

fn from_hex(text: &str) -> Option<Zeroizing<[u8; KEY_BYTES]>> {
    let mut bytes = Zeroizing::new([0; KEY_BYTES]);
    if text.len() != 2 * KEY_BYTES {
        return None;
    }
    for (byte, pair) in bytes.iter_mut().zip(text.as_bytes().chunks_exact(2)) {
        let digit = |letter: u8| char::from(letter).to_digit(16);
        *byte = u8::try_from(digit(pair[0])? * 16 + digit(pair[1])?).ok()?;
    }
    Some(bytes)
}
