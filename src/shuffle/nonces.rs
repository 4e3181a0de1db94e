//! What the players add to the house's seed, so that the house alone does not choose the order.

use zeroize::Zeroizing;

use super::commit::{ProofError, ascending};
use super::order::{SEED_BYTES, Seed, order, shuffled};
use super::stream::key;
use crate::engine::{Deck, Nonce, Prepared, Seat};

/// The longest nonce of a player; the shortest is one byte.
pub const NONCE_MAX_BYTES: usize = Nonce::MAX_BYTES;

/// What the key of the order's stream is derived for where there are nonces.
const ORDER_LABEL: &[u8] = b"razz.order-with-nonces.v1";

/// The nonces of a hand, at most one for each seat, in seat order.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Nonces(Vec<(Seat, Nonce)>);

impl Nonces {
    /// These nonces, each with the number of its seat.
    ///
    /// # Errors
    /// In this order: [`ProofError::SeatBeyond`], [`ProofError::RepeatedSeat`], [`ProofError::UnorderedSeats`],
    /// [`ProofError::NonceLength`].
    pub fn new(given: Vec<(u8, Vec<u8>)>) -> Result<Nonces, ProofError> {
        let numbers: Vec<u8> = given.iter().map(|(number, _)| *number).collect();
        let seats: Result<Vec<Seat>, ProofError> =
            numbers.iter().map(|&seat| Seat::new(seat).ok_or(ProofError::SeatBeyond { seat })).collect();
        let seats = seats?;
        let unordered = |before, seat| ProofError::UnorderedSeats { before, seat };
        ascending(&numbers, |seat| ProofError::RepeatedSeat { seat }, unordered)?;
        let nonce = |(seat, (number, bytes)): (Seat, (u8, Vec<u8>))| match Nonce::new(&bytes) {
            Some(nonce) => Ok((seat, nonce)),
            None => Err(ProofError::NonceLength { seat: number, found: bytes.len() }),
        };
        Ok(Nonces(seats.into_iter().zip(given).map(nonce).collect::<Result<_, _>>()?))
    }

    /// Those that were given for a hand; none where it was not prepared.
    pub fn of(prepared: Option<&Prepared>) -> Nonces {
        Nonces(prepared.map(|prepared| prepared.nonces.clone()).unwrap_or_default())
    }

    /// Each seat's nonce, in seat order.
    pub fn iter(&self) -> impl Iterator<Item = (Seat, &[u8])> {
        self.0.iter().map(|(seat, nonce)| (*seat, nonce.bytes()))
    }

    /// Whether no seat gave one.
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// The order from the house's seed and the players' nonces: as [`order`], but under a key of both and a label of its
/// own. Where no seat gave a nonce, it is [`order`] itself.
pub fn order_with_nonces(seed: &Seed, nonces: &Nonces) -> Deck {
    if nonces.is_empty() {
        return order(seed);
    }
    // As long as it can become, so that no copy stays behind where it grew.
    let mut secret = Zeroizing::new(Vec::with_capacity(SEED_BYTES + Seat::COUNT * (2 + NONCE_MAX_BYTES)));
    secret.extend_from_slice(seed.bytes());
    for (seat, nonce) in nonces.iter() {
        let Ok(length) = u8::try_from(nonce.len()) else { unreachable!("a nonce has at most 32 bytes") };
        secret.extend_from_slice(&[seat.number(), length]);
        secret.extend_from_slice(nonce);
    }
    shuffled(&key(&secret, ORDER_LABEL))
}
