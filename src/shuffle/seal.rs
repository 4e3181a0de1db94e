//! How a deck rests: under XChaCha20-Poly1305, bound to its table and hand, so that no row can stand in for another.

use std::fmt;

use chacha20poly1305::aead::{Aead, Payload};
use chacha20poly1305::{KeyInit, XChaCha20Poly1305};
use sha2::{Digest, Sha256};
use zeroize::Zeroizing;

use super::commit::SaltsKey;
use super::order::{SEED_BYTES, Seed};
use super::secret::DeckSecret;
use crate::engine::{Card, Deck};

/// How long a sealing key is.
pub const KEY_BYTES: usize = 32;
/// How long the nonce of one sealing is.
pub const NONCE_BYTES: usize = 24;
const KEY_ID_BYTES: usize = 16;
const TAG_BYTES: usize = 16;

/// The first byte of what is sealed: the layout of all that follows.
const VERSION: u8 = 2;
/// What kind of deck it is, its seed or its salts key, and the order if it follows from no seed: of one length for
/// every deck, so that length tells nothing.
const PLAIN_BYTES: usize = 1 + SEED_BYTES + Card::COUNT;
const SEEDED: u8 = 1;
const SCRIPTED: u8 = 2;
const SEALED_BYTES: usize = 1 + KEY_ID_BYTES + NONCE_BYTES + PLAIN_BYTES + TAG_BYTES;

/// The name of a sealing key, which may be known to all: the start of a hash of the key. It follows from the key, so
/// it cannot be given to another one by mistake.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct KeyId(pub [u8; KEY_ID_BYTES]);

impl KeyId {
    /// Its bytes, for a column.
    pub fn to_vec(self) -> Vec<u8> {
        self.0.to_vec()
    }
}

impl fmt::Display for KeyId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for KeyId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The key that decks rest under. Wiped when dropped, never printed.
#[derive(Clone)]
pub struct SealingKey {
    id: KeyId,
    key: Zeroizing<[u8; KEY_BYTES]>,
}

impl SealingKey {
    /// The key of these bytes, which are to be unguessable.
    pub fn new(key: [u8; KEY_BYTES]) -> SealingKey {
        let digest = Sha256::new().chain_update(b"razz.key-id.v1").chain_update(key).finalize();
        let mut id = [0; KEY_ID_BYTES];
        id.copy_from_slice(&digest[..KEY_ID_BYTES]);
        SealingKey { id: KeyId(id), key: Zeroizing::new(key) }
    }

    /// Its name.
    pub const fn id(&self) -> KeyId {
        self.id
    }

    fn cipher(&self) -> XChaCha20Poly1305 {
        XChaCha20Poly1305::new((&*self.key).into())
    }
}

impl fmt::Debug for SealingKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SealingKey({}, hidden)", self.id)
    }
}

/// The keys at hand: the first seals, all of them open.
#[derive(Clone, Debug)]
pub struct SealingKeys {
    current: SealingKey,
    others: Vec<SealingKey>,
}

impl SealingKeys {
    /// One that seals, and others that only open. One that is there twice is kept once.
    pub fn new(current: SealingKey, others: impl IntoIterator<Item = SealingKey>) -> SealingKeys {
        let mut keys = SealingKeys { current, others: Vec::new() };
        for key in others {
            if keys.get(key.id()).is_none() {
                keys.others.push(key);
            }
        }
        keys
    }

    /// The one that seals.
    pub const fn current(&self) -> &SealingKey {
        &self.current
    }

    /// These, and others that only open.
    #[must_use]
    pub fn and(self, more: SealingKeys) -> SealingKeys {
        let others = self.others.into_iter().chain([more.current]).chain(more.others);
        SealingKeys::new(self.current, others)
    }

    /// The names of all, that of the current one first.
    pub fn ids(&self) -> impl Iterator<Item = KeyId> + '_ {
        std::iter::once(&self.current).chain(&self.others).map(SealingKey::id)
    }

    fn get(&self, id: KeyId) -> Option<&SealingKey> {
        std::iter::once(&self.current).chain(&self.others).find(|key| key.id == id)
    }

    /// Opens what was sealed under one of them: see [`open`].
    ///
    /// # Errors
    /// As [`open`]; [`SealError::WrongKey`] where none of them is the one.
    pub fn open(&self, table: [u8; 16], hand: u64, sealed: &[u8]) -> Result<DeckSecret, SealError> {
        let id = sealed.get(1..1 + KEY_ID_BYTES).and_then(|id| id.try_into().ok()).map(KeyId);
        let key = id.and_then(|id| self.get(id)).unwrap_or(&self.current);
        open(key, table, hand, sealed)
    }
}

impl From<SealingKey> for SealingKeys {
    fn from(key: SealingKey) -> SealingKeys {
        SealingKeys::new(key, [])
    }
}

/// Why a sealed deck cannot be opened. Never a wrong card instead.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SealError {
    /// It was sealed under another key.
    #[error("it is sealed under key {id}, which is not at hand (key {given} is)")]
    WrongKey {
        /// The key that it needs.
        id: KeyId,
        /// The key that is there; of several, the current one.
        given: KeyId,
    },
    /// Its layout is not known here.
    #[error("it is sealed in layout {0}, and this version knows layout {VERSION} only")]
    UnknownVersion(u8),
    /// It has not the length of a sealed deck.
    #[error("it has {0} bytes, where a sealed deck has {SEALED_BYTES}")]
    WrongLength(usize),
    /// It was changed after it was sealed, or it is the deck of another table or hand.
    #[error("it was changed, or is the deck of another table or hand")]
    Damaged,
}

/// Seals the deck of a table's hand: version, key id, nonce, ciphertext and tag, 142 bytes for any deck.
///
/// The nonce is to be random: two decks under one key and one nonce would tell about each other.
pub fn seal(key: &SealingKey, nonce: [u8; NONCE_BYTES], table: [u8; 16], hand: u64, secret: &DeckSecret) -> Vec<u8> {
    let mut plain = Zeroizing::new([0; PLAIN_BYTES]);
    let (key_bytes, order) = plain[1..].split_at_mut(SEED_BYTES);
    let kind = match secret {
        DeckSecret::Seed(seed) => {
            key_bytes.copy_from_slice(seed.bytes());
            SEEDED
        }
        DeckSecret::Script { deck, salts } => {
            key_bytes.copy_from_slice(salts.bytes());
            for (byte, card) in order.iter_mut().zip(deck.order()) {
                *byte = card.index();
            }
            SCRIPTED
        }
    };
    plain[0] = kind;
    let aad = associated_data(key.id, table, hand);
    let sealed = key.cipher().encrypt(&nonce.into(), Payload { msg: &*plain, aad: &aad });
    let Ok(sealed) = sealed else { unreachable!("only a message of many gigabytes cannot be sealed") };
    [&[VERSION][..], &key.id.0, &nonce, &sealed].concat()
}

/// Opens what [`seal`] sealed for this table and hand.
///
/// # Errors
/// For anything else than these very bytes, this key, table and hand, as [`SealError`] names it.
pub fn open(key: &SealingKey, table: [u8; 16], hand: u64, sealed: &[u8]) -> Result<DeckSecret, SealError> {
    let (&version, rest) = sealed.split_first().ok_or(SealError::WrongLength(0))?;
    if version != VERSION {
        return Err(SealError::UnknownVersion(version));
    }
    let wrong_length = SealError::WrongLength(sealed.len());
    let (id, rest) = rest.split_first_chunk().ok_or(wrong_length)?;
    let (nonce, ciphertext) = rest.split_first_chunk::<NONCE_BYTES>().ok_or(wrong_length)?;
    if sealed.len() != SEALED_BYTES {
        return Err(wrong_length);
    }
    if KeyId(*id) != key.id {
        return Err(SealError::WrongKey { id: KeyId(*id), given: key.id });
    }
    let aad = associated_data(key.id, table, hand);
    let plain = key.cipher().decrypt(nonce.into(), Payload { msg: ciphertext, aad: &aad });
    let plain = Zeroizing::new(plain.map_err(|_| SealError::Damaged)?);
    read(&plain).ok_or(SealError::Damaged)
}

/// `None` for a text that [`seal`] never writes.
fn read(plain: &[u8]) -> Option<DeckSecret> {
    let (&kind, rest) = plain.split_first()?;
    let (&key_bytes, order) = rest.split_first_chunk::<SEED_BYTES>()?;
    match kind {
        SEEDED => order.iter().all(|&byte| byte == 0).then(|| DeckSecret::Seed(Seed::new(key_bytes))),
        SCRIPTED => {
            let mut cards = [Card::from_index(0)?; Card::COUNT];
            for (card, &index) in cards.iter_mut().zip(order) {
                *card = Card::from_index(index)?;
            }
            Some(DeckSecret::Script { deck: Deck::new(cards)?, salts: SaltsKey::new(key_bytes) })
        }
        _ => None,
    }
}

fn associated_data(key: KeyId, table: [u8; 16], hand: u64) -> Vec<u8> {
    [&b"razz.deck.v1"[..], &[VERSION], &key.0, &table, &hand.to_be_bytes()].concat()
}
