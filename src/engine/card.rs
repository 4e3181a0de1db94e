//! Cards, and sets and decks of them. An ace is always low (R28), so it ranks first here.

use std::fmt;
use std::str::FromStr;

use zeroize::Zeroize;

/// A rank, ordered as Razz orders it: the ace is the lowest, the king the highest (R10, R28).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Rank(u8);

impl Rank {
    /// The ace, lowest of all.
    pub const ACE: Rank = Rank(0);
    /// The king, highest of all.
    pub const KING: Rank = Rank(12);
    const LETTERS: [char; 13] = ['A', '2', '3', '4', '5', '6', '7', '8', '9', 'T', 'J', 'Q', 'K'];
    const WORDS: [&'static str; 13] =
        ["ace", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king"];

    /// The rank with this index, 0 for the ace to 12 for the king; `None` beyond.
    pub const fn new(index: u8) -> Option<Rank> {
        if index < 13 { Some(Rank(index)) } else { None }
    }

    /// 0 for the ace to 12 for the king.
    pub const fn index(self) -> u8 {
        self.0
    }

    /// One character: `A`, `2` to `9`, `T`, `J`, `Q`, `K`.
    pub const fn letter(self) -> char {
        Self::LETTERS[self.0 as usize]
    }

    /// The English word, singular: `ace`, `six`.
    pub const fn word(self) -> &'static str {
        Self::WORDS[self.0 as usize]
    }
}

/// A suit. Suits decide nothing but the bring-in (R11) and, where chosen, odd units (R36).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Suit {
    /// `c`
    Clubs,
    /// `d`
    Diamonds,
    /// `h`
    Hearts,
    /// `s`
    Spades,
}

impl Suit {
    /// All four, clubs first.
    pub const ALL: [Suit; 4] = [Suit::Clubs, Suit::Diamonds, Suit::Hearts, Suit::Spades];

    const fn letter(self) -> char {
        match self {
            Suit::Clubs => 'c',
            Suit::Diamonds => 'd',
            Suit::Hearts => 'h',
            Suit::Spades => 's',
        }
    }
}

/// One of the 52 cards (R1).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Card(u8);

impl Card {
    /// How many there are (R1: no jokers).
    pub const COUNT: usize = 52;

    /// The card of this rank and suit.
    pub const fn new(rank: Rank, suit: Suit) -> Card {
        Card(rank.0 * 4 + suit as u8)
    }

    /// The card with this index, 0 to 51: rank by rank from the ace, clubs first; `None` beyond.
    pub const fn from_index(index: u8) -> Option<Card> {
        if (index as usize) < Card::COUNT { Some(Card(index)) } else { None }
    }

    /// 0 to 51, the inverse of [`Card::from_index`].
    pub const fn index(self) -> u8 {
        self.0
    }

    /// Its rank.
    pub const fn rank(self) -> Rank {
        Rank(self.0 / 4)
    }

    /// Its suit.
    pub const fn suit(self) -> Suit {
        Suit::ALL[(self.0 % 4) as usize]
    }

    /// All 52, by index.
    pub fn all() -> impl Iterator<Item = Card> {
        (0..52).map(Card)
    }
}

impl Zeroize for Card {
    fn zeroize(&mut self) {
        self.0.zeroize();
    }
}

impl fmt::Display for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.rank().letter(), self.suit().letter())
    }
}

impl fmt::Debug for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Debug for Rank {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.letter())
    }
}

/// A text that names no card.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NotACard;

impl fmt::Display for NotACard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not a card: a rank of A23456789TJQK and a suit of cdhs is expected, as in Td")
    }
}

impl std::error::Error for NotACard {}

impl FromStr for Card {
    type Err = NotACard;

    fn from_str(text: &str) -> Result<Card, NotACard> {
        let mut letters = text.chars();
        let (Some(rank), Some(suit), None) = (letters.next(), letters.next(), letters.next()) else {
            return Err(NotACard);
        };
        let rank = Rank::LETTERS.iter().position(|&letter| letter == rank).ok_or(NotACard)?;
        let suit = Suit::ALL.into_iter().find(|candidate| candidate.letter() == suit).ok_or(NotACard)?;
        Ok(Card::new(Rank(u8::try_from(rank).map_err(|_| NotACard)?), suit))
    }
}

/// A set of cards in 64 bits: sixteen for each suit, so that a set's ranks are four shifts away.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct CardSet(u64);

impl CardSet {
    /// No card.
    pub const EMPTY: CardSet = CardSet(0);

    const fn bit(card: Card) -> u64 {
        1 << (card.suit() as u32 * 16 + card.rank().0 as u32)
    }

    /// Puts a card in; false if it was there.
    pub const fn insert(&mut self, card: Card) -> bool {
        let bit = Self::bit(card);
        let new = self.0 & bit == 0;
        self.0 |= bit;
        new
    }

    /// This set and one card more.
    #[must_use]
    pub const fn with(self, card: Card) -> CardSet {
        CardSet(self.0 | Self::bit(card))
    }

    /// Whether the card is in.
    pub const fn contains(self, card: Card) -> bool {
        self.0 & Self::bit(card) != 0
    }

    /// How many cards.
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether there is none.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The cards of one suit: bit `n` is the rank with index `n`.
    pub const fn ranks_of(self, suit: Suit) -> u16 {
        low_bits(self.0 >> (suit as u32 * 16))
    }

    /// The ranks present: bit `n` is the rank with index `n`.
    pub const fn ranks(self) -> u16 {
        let halves = self.0 | self.0 >> 32;
        low_bits(halves | halves >> 16)
    }
}

/// The thirteen ranks of one suit.
const fn low_bits(bits: u64) -> u16 {
    (bits & 0x1fff) as u16
}

impl FromIterator<Card> for CardSet {
    fn from_iter<I: IntoIterator<Item = Card>>(cards: I) -> CardSet {
        cards.into_iter().fold(CardSet::EMPTY, CardSet::with)
    }
}

impl fmt::Debug for CardSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(Card::all().filter(|&card| self.contains(card))).finish()
    }
}

/// The order of all 52 cards of one hand, as plain data. Never printed: it is what promise 3 protects.
#[derive(Clone, PartialEq, Eq)]
pub struct Deck([Card; Card::COUNT]);

impl Deck {
    /// A deck in this order; `None` unless each of the 52 cards is there once (R3).
    pub fn new(order: [Card; Card::COUNT]) -> Option<Deck> {
        let all: CardSet = order.iter().copied().collect();
        (all.len() as usize == Card::COUNT).then_some(Deck(order))
    }

    /// The card at a position, 0 for the first to be dealt. `None` beyond the 52nd.
    pub fn card(&self, position: u8) -> Option<Card> {
        self.0.get(usize::from(position)).copied()
    }

    /// The whole order, first to be dealt first.
    pub const fn order(&self) -> &[Card; Card::COUNT] {
        &self.0
    }
}

/// Wiped from memory, as what it was made from is.
impl Drop for Deck {
    fn drop(&mut self) {
        self.0.zeroize();
    }
}

impl fmt::Debug for Deck {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Deck(hidden)")
    }
}
