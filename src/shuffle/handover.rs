//! Cards on their way to one player: sealed to the player's own key, so that nobody in between can read them.
//!
//! HPKE (RFC 9180) in base mode: DHKEM(X25519, HKDF-SHA256), HKDF-SHA256, ChaCha20-Poly1305, each text under a key of
//! its own. Every byte is laid down in `tests/clients/proof-spec.md`.

use chacha20::ChaCha20Rng;
use chacha20::rand_core::SeedableRng;
use hpke::aead::ChaCha20Poly1305;
use hpke::kdf::HkdfSha256;
use hpke::kem::X25519HkdfSha256;
use hpke::{Deserializable, Kem, OpModeR, OpModeS, Serializable};
use zeroize::Zeroizing;

use super::commit::{HandId, Revealed, SALT_BYTES};
use crate::engine::{Card, CardKey, Seat};

/// What the info of every sealing begins with.
const LABEL: &[u8] = b"razz.cards.v1";
/// The sender's ephemeral key, which stands before the ciphertext.
const ENC_BYTES: usize = 32;
const TAG_BYTES: usize = 16;
/// Position, card and salt.
const CARD_BYTES: usize = 2 + SALT_BYTES;

/// The key of a player's own that opens what is handed over. Wiped when dropped, never printed.
pub struct CardSecret(Zeroizing<[u8; 32]>);

impl CardSecret {
    /// The key of these bytes, which are to be unguessable.
    pub fn new(bytes: [u8; 32]) -> CardSecret {
        CardSecret(Zeroizing::new(bytes))
    }

    /// What the player gives with the seat.
    pub fn card_key(&self) -> CardKey {
        let public = self.private().map(|private| X25519HkdfSha256::sk_to_pk(&private).to_bytes().into());
        CardKey::new(public.unwrap_or_default())
    }

    fn private(&self) -> Result<<X25519HkdfSha256 as Kem>::PrivateKey, HandoverError> {
        <X25519HkdfSha256 as Kem>::PrivateKey::from_bytes(&*self.0).map_err(|_| HandoverError::NotOpened)
    }
}

impl std::fmt::Debug for CardSecret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("CardSecret(hidden)")
    }
}

/// Why cards cannot be handed over, or taken. No text holds a card.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum HandoverError {
    /// Everybody could open what is sealed to this key.
    #[error("it is a point of low order, to which nothing can be sealed")]
    LowOrderKey,
    /// Its own bearer computes other bytes for it, and could never open what is sealed to it.
    #[error("it is not in the one form that its point has: below 2^255 - 19, the highest bit clear")]
    KeyNotCanonical,
    /// Not of the length of any number of cards.
    #[error("it has {0} bytes, where {ENC_BYTES} and {TAG_BYTES} and {CARD_BYTES} for each card are expected")]
    WrongLength(usize),
    /// It is sealed to another key, for another seat, hand or table, or was changed.
    #[error("it is sealed to another key, for other cards, or was changed")]
    NotOpened,
    /// What came out are no cards.
    #[error("what it holds are no cards")]
    NoCards,
}

impl HandoverError {
    /// Its name in the specification.
    pub const fn name(self) -> &'static str {
        match self {
            HandoverError::LowOrderKey => "LOW_ORDER_KEY",
            HandoverError::KeyNotCanonical => "KEY_NOT_CANONICAL",
            HandoverError::WrongLength(_) => "WRONG_LENGTH",
            HandoverError::NotOpened => "NOT_OPENED",
            HandoverError::NoCards => "NO_CARDS",
        }
    }
}

fn info(of: HandId, seat: Seat) -> Vec<u8> {
    [LABEL, &of.table, &of.hand.to_be_bytes(), &[seat.number()]].concat()
}

/// Seals a seat's cards to a player's key. The entropy is to be unguessable and used for one sealing only.
///
/// # Errors
/// [`HandoverError::LowOrderKey`].
pub fn hand_over(
    key: &CardKey,
    entropy: &Zeroizing<[u8; 32]>,
    of: HandId,
    seat: Seat,
    cards: &[Revealed],
) -> Result<Vec<u8>, HandoverError> {
    let mut plain = Zeroizing::new(Vec::with_capacity(cards.len() * CARD_BYTES));
    for Revealed { position, card, salt } in cards {
        plain.extend_from_slice(&[*position, card.index()]);
        plain.extend_from_slice(salt);
    }
    let recipient =
        <X25519HkdfSha256 as Kem>::PublicKey::from_bytes(key.bytes()).map_err(|_| HandoverError::LowOrderKey)?;
    let mut rng = ChaCha20Rng::from_seed(**entropy);
    let sealed = hpke::single_shot_seal_with_rng::<ChaCha20Poly1305, HkdfSha256, X25519HkdfSha256>(
        &OpModeS::Base,
        &recipient,
        &info(of, seat),
        &plain,
        b"",
        &mut rng,
    );
    // A key agreement with a point of low order is refused; nothing else can be.
    let (enc, ciphertext) = sealed.map_err(|_| HandoverError::LowOrderKey)?;
    Ok([&enc.to_bytes()[..], &ciphertext].concat())
}

/// Whether cards can be sealed to a key.
///
/// # Errors
/// [`HandoverError::LowOrderKey`], [`HandoverError::KeyNotCanonical`].
pub fn usable(key: &CardKey) -> Result<(), HandoverError> {
    // HPKE hashes the key as it is given, and its bearer computes it anew (RFC 7748, section 5, takes both).
    let [low, middle @ .., high] = key.bytes();
    if *high >= 0x80 || *high == 0x7f && middle.iter().all(|&byte| byte == 0xff) && *low >= 0xed {
        return Err(HandoverError::KeyNotCanonical);
    }
    let Some(seat) = Seat::new(1) else { unreachable!("seats begin with 1") };
    let nowhere = HandId { table: [0; 16], hand: 0 };
    hand_over(key, &Zeroizing::new([0; 32]), nowhere, seat, &[]).map(|_| ())
}

/// Opens what was handed over to this key: the seat's cards in the order dealt, each with its salt.
///
/// # Errors
/// As [`HandoverError`] names it.
pub fn take_over(secret: &CardSecret, of: HandId, seat: Seat, sealed: &[u8]) -> Result<Vec<Revealed>, HandoverError> {
    let wrong_length = HandoverError::WrongLength(sealed.len());
    let cards = sealed.len().checked_sub(ENC_BYTES + TAG_BYTES).filter(|bytes| bytes % CARD_BYTES == 0);
    cards.ok_or(wrong_length)?;
    let (enc, ciphertext) = sealed.split_at(ENC_BYTES);
    let enc = <X25519HkdfSha256 as Kem>::EncappedKey::from_bytes(enc).map_err(|_| HandoverError::NotOpened)?;
    let plain = hpke::single_shot_open::<ChaCha20Poly1305, HkdfSha256, X25519HkdfSha256>(
        &OpModeR::Base,
        &secret.private()?,
        &enc,
        &info(of, seat),
        ciphertext,
        b"",
    );
    let plain = Zeroizing::new(plain.map_err(|_| HandoverError::NotOpened)?);
    plain.chunks_exact(CARD_BYTES).map(|bytes| revealed(bytes).ok_or(HandoverError::NoCards)).collect()
}

fn revealed(bytes: &[u8]) -> Option<Revealed> {
    let (&[position, card], salt) = bytes.split_first_chunk::<2>()?;
    let position = Some(position).filter(|&position| usize::from(position) < Card::COUNT)?;
    Some(Revealed { position, card: Card::from_index(card)?, salt: salt.try_into().ok()? })
}
