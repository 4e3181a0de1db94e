//! What the players add to the house's seed, so that the house alone does not choose the order.

use zeroize::Zeroizing;

use super::commit::{ProofError, ascending};
use super::order::{SEED_BYTES, Seed, order, shuffled};
use super::stream::key;
use crate::engine::{Deck, Seat};

/// The longest nonce of a player; the shortest is one byte.
pub const NONCE_MAX_BYTES: usize = 32;

/// What the key of the order's stream is derived for where there are nonces.
const ORDER_LABEL: &[u8] = b"razz.order-with-nonces.v1";

/// The nonces of a hand, at most one for each seat, in seat order.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Nonces(Vec<(Seat, Vec<u8>)>);

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
        for (seat, nonce) in &given {
            if !(1..=NONCE_MAX_BYTES).contains(&nonce.len()) {
                return Err(ProofError::NonceLength { seat: *seat, found: nonce.len() });
            }
        }
        Ok(Nonces(seats.into_iter().zip(given).map(|(seat, (_, nonce))| (seat, nonce)).collect()))
    }

    /// Each seat's nonce, in seat order.
    pub fn iter(&self) -> impl Iterator<Item = (Seat, &[u8])> {
        self.0.iter().map(|(seat, nonce)| (*seat, nonce.as_slice()))
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
