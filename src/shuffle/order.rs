//! From a seed to the order of 52 cards, exactly uniform over all orders if the seed is.

use std::fmt;

use zeroize::Zeroizing;

use super::stream::{Stream, key};
use crate::engine::{Card, Deck, Rank, Suit};

/// How long a seed is.
pub const SEED_BYTES: usize = 32;

/// What the key of the order's stream is derived for. The `v1` changes with anything that changes an order.
const ORDER_LABEL: &[u8] = b"razz.order.v1";

/// All that the order of one hand's cards follows from. Wiped when dropped, never printed.
#[derive(Clone)]
pub struct Seed(Zeroizing<[u8; SEED_BYTES]>);

impl Seed {
    /// A seed of these bytes, which are to be unguessable and used for one hand only.
    pub fn new(bytes: [u8; SEED_BYTES]) -> Seed {
        Seed(Zeroizing::new(bytes))
    }

    /// Its bytes, to be sealed or opened for an audit and for nothing else.
    pub fn bytes(&self) -> &[u8; SEED_BYTES] {
        &self.0
    }
}

impl fmt::Debug for Seed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Seed(hidden)")
    }
}

/// The order of the cards of a hand (R1, R3): Fisher-Yates from the last place to the second, over the cards by index,
/// each draw taken from the bytes of the `ChaCha20` stream under the seed's order key, from its start.
pub fn order(seed: &Seed) -> Deck {
    shuffled(&key(seed.bytes(), ORDER_LABEL))
}

/// The order that the stream under a key draws.
pub(super) fn shuffled(key: &[u8; 32]) -> Deck {
    let mut stream = Stream::new(key);
    let mut cards = [Card::new(Rank::ACE, Suit::Clubs); Card::COUNT];
    for (place, card) in cards.iter_mut().zip(Card::all()) {
        *place = card;
    }
    for (choices, place) in (2..=52).zip(1..Card::COUNT).rev() {
        cards.swap(place, usize::from(bounded(choices, || stream.byte())));
    }
    let Some(deck) = Deck::new(cards) else { unreachable!("swaps neither lose a card nor make one") };
    deck
}

/// A number below `choices`, each exactly as likely as any other if each byte is: bytes from the last, incomplete run
/// of `choices` values are thrown away and drawn again. For no choices, 0.
pub fn bounded(choices: u8, mut next: impl FnMut() -> u8) -> u8 {
    if choices <= 1 {
        return 0;
    }
    // 256 mod choices, without leaving a byte.
    let incomplete = (u8::MAX % choices + 1) % choices;
    loop {
        let byte = next();
        if byte <= u8::MAX - incomplete {
            return byte % choices;
        }
    }
}
