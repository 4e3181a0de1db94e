//! The value of a low hand, ace to five (R28): straights and flushes do not count, and a pair is worse than none.
//!
//! Most hands of seven cards have five different ranks; their value is one look into a table by the ranks present.
//! Only the others take the longer way.

use super::card::{CardSet, Rank, Suit};

/// The value of one to seven cards as a low: of the lowest five where there are more. The better hand is the *lesser*
/// value. Values compare only between sets of equally many cards (or of five and more).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Low(u32);

/// The classes of R28, best first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum LowClass {
    /// All ranks differ.
    Unpaired,
    /// One pair.
    OnePair,
    /// Two pair.
    TwoPair,
    /// Three of a kind.
    Trips,
    /// Three of a kind and a pair.
    FullHouse,
    /// Four of a kind.
    Quads,
}

/// Where the class stands in a value, above five ranks of four bits.
const CLASS_SHIFT: u32 = 20;

/// The value of each set of ranks without pairs: its lowest five, from the highest down.
static UNPAIRED: [u32; 1 << 13] = unpaired_table();

#[expect(clippy::large_stack_arrays, reason = "filled by the compiler, never on a stack")]
const fn unpaired_table() -> [u32; 1 << 13] {
    let mut table = [0; 1 << 13];
    let mut ranks = 0;
    while ranks < table.len() {
        let mut value = 0;
        let mut taken = 0;
        let mut rank = 0;
        // From the lowest up, each next card stands above the ones before.
        while rank < 13 && taken < 5 {
            if ranks & (1 << rank) != 0 {
                value |= (rank + 1) << (4 * taken);
                taken += 1;
            }
            rank += 1;
        }
        table[ranks] = value;
        ranks += 1;
    }
    table
}

impl Low {
    /// The value of these cards. Nothing in it is random, allocated or rounded.
    pub fn of(cards: CardSet) -> Low {
        let ranks = cards.ranks();
        let different = ranks.count_ones();
        if different >= 5 || different == cards.len() {
            return Low(UNPAIRED[usize::from(ranks)]);
        }
        Low::paired(cards)
    }

    #[cold]
    fn paired(cards: CardSet) -> Low {
        let mut held = [0u8; 13];
        for suit in Suit::ALL {
            for (rank, count) in held.iter_mut().enumerate() {
                *count += u8::from(cards.ranks_of(suit) & (1 << rank) != 0);
            }
        }
        // One of each rank, then repeats from the lowest rank up: second copies before thirds, thirds before fourths.
        // That is the lowest class that the cards allow, with the lowest ranks in it.
        let mut used = held.map(|count| count.min(1));
        let mut missing = cards.len().min(5) - cards.ranks().count_ones();
        for copies in 2..=4 {
            for (count, &most) in used.iter_mut().zip(&held) {
                if missing > 0 && most >= copies && *count == copies - 1 {
                    *count = copies;
                    missing -= 1;
                }
            }
        }
        let mut value = 0;
        for copies in [4, 3, 2, 1] {
            for rank in (0..13u8).rev().filter(|&rank| used[usize::from(rank)] == copies) {
                value = value << 4 | u32::from(rank + 1);
            }
        }
        let groups = |copies: u8| used.iter().map(|&count| u8::from(count == copies)).sum::<u8>();
        let class = match (groups(4), groups(3), groups(2)) {
            (1, _, _) => LowClass::Quads,
            (_, 1, 1) => LowClass::FullHouse,
            (_, 1, _) => LowClass::Trips,
            (_, _, 2) => LowClass::TwoPair,
            _ => LowClass::OnePair,
        };
        Low((class as u32) << CLASS_SHIFT | value)
    }

    /// Its class.
    pub const fn class(self) -> LowClass {
        match self.0 >> CLASS_SHIFT {
            0 => LowClass::Unpaired,
            1 => LowClass::OnePair,
            2 => LowClass::TwoPair,
            3 => LowClass::Trips,
            4 => LowClass::FullHouse,
            _ => LowClass::Quads,
        }
    }

    /// The ranks that count, in the order in which they are compared: the groups first, each once, then the rest, from
    /// the highest down.
    pub fn ranks(self) -> impl DoubleEndedIterator<Item = Rank> {
        let value = self.0;
        (0..5u32).rev().filter_map(move |place| {
            let nibble = (value >> (4 * place)) & 0xf;
            u8::try_from(nibble).ok()?.checked_sub(1).and_then(Rank::new)
        })
    }
}
