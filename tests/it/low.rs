//! R28 and R33: the value of a low, against an oracle that sorts and compares lists.

use std::collections::BTreeMap;

use razz_dealer::engine::{Card, CardSet, Low, LowClass, low_in_words};
use razz_dealer::sim::Dice;

/// A value as the oracle has it: how the ranks repeat, most often first, then the ranks in the order in which they are
/// compared, the ace as 1. The lesser list is the better hand: `[1, 1, 1, 1, 1]` before `[2, 1, 1, 1]` before
/// `[2, 2, 1]` before `[3, 1, 1]` before `[3, 2]` before `[4, 1]` is the order of R28.
pub type Key = (Vec<u8>, Vec<u8>);

/// The value of at most five cards.
pub fn value(cards: &[Card]) -> Key {
    let mut ranks: Vec<u8> = cards.iter().map(|card| card.rank().index() + 1).collect();
    ranks.sort_unstable();
    let mut groups: Vec<(u8, u8)> = ranks
        .chunk_by(|a, b| a == b)
        .map(|group| (u8::try_from(group.len()).expect("at most five"), group[0]))
        .collect();
    groups.sort_unstable_by(|a, b| b.cmp(a));
    groups.into_iter().unzip()
}

/// The best value of five cards among these, or of all where there are fewer.
pub fn best(cards: &[Card]) -> Key {
    if cards.len() <= 5 {
        return value(cards);
    }
    let without = |left_out: usize| {
        let rest: Vec<Card> = (0..cards.len()).filter(|&index| index != left_out).map(|index| cards[index]).collect();
        best(&rest)
    };
    (0..cards.len()).map(without).min().expect("some card can be left out")
}

/// The same over the 21 sets of five of seven cards in one pass, as it is asked a million times.
fn best_of_seven(cards: [Card; 7]) -> Key {
    let pairs = (0..7).flat_map(|first| (first + 1..7).map(move |second| (first, second)));
    let fives = pairs.map(|(first, second)| {
        let mut five = [cards[0]; 5];
        let kept = (0..7).filter(|&index| index != first && index != second);
        five.iter_mut().zip(kept).for_each(|(slot, index)| *slot = cards[index]);
        packed(five)
    });
    let best = fives.min().expect("21 of them");
    let digit = |place: u32| u8::try_from(best >> (4 * place) & 15).expect("four bits");
    let digits = |from: u32| (from..from + 5).rev().map(digit).filter(|&digit| digit > 0).collect();
    (digits(5), digits(0))
}

/// [`value`] of five cards in one number: the repeats in five digits, then the ranks in five digits.
fn packed(five: [Card; 5]) -> u64 {
    let mut ranks = five.map(|card| card.rank().index() + 1);
    ranks.sort_unstable_by(|a, b| b.cmp(a));
    let mut groups = [(0u8, 0u8); 5];
    let mut count = 0;
    for rank in ranks {
        if count > 0 && groups[count - 1].1 == rank {
            groups[count - 1].0 += 1;
        } else {
            groups[count] = (1, rank);
            count += 1;
        }
    }
    groups.sort_unstable_by(|a, b| b.cmp(a));
    let digits = |of: fn((u8, u8)) -> u8| groups.iter().fold(0u64, |number, &group| number << 4 | u64::from(of(group)));
    digits(|group| group.0) << 20 | digits(|group| group.1)
}

const fn class_of(repeats: &[u8]) -> LowClass {
    match repeats {
        [4, ..] => LowClass::Quads,
        [3, 2] => LowClass::FullHouse,
        [3, ..] => LowClass::Trips,
        [2, 2, ..] => LowClass::TwoPair,
        [2, ..] => LowClass::OnePair,
        _ => LowClass::Unpaired,
    }
}

/// Class and ranks of a value are the oracle's.
fn assert_agrees(low: Low, key: &Key, cards: &[Card]) {
    assert_eq!(low.class(), class_of(&key.0), "class of {cards:?}");
    let ranks: Vec<u8> = low.ranks().map(|rank| rank.index() + 1).collect();
    assert_eq!(ranks, key.1, "ranks of {cards:?}");
}

fn set(cards: &[Card]) -> CardSet {
    cards.iter().copied().collect()
}

/// Calls `each` with every set of this many of the 52 cards.
fn every_set(size: usize, each: &mut impl FnMut(&[Card])) {
    fn grow(from: usize, size: usize, all: &[Card], held: &mut Vec<Card>, each: &mut impl FnMut(&[Card])) {
        if held.len() == size {
            return each(held);
        }
        for index in from..all.len() {
            held.push(all[index]);
            grow(index + 1, size, all, held, each);
            held.pop();
        }
    }
    let all: Vec<Card> = Card::all().collect();
    grow(0, size, &all, &mut Vec::new(), each);
}

/// Every set of `size` cards has one value of the oracle's and one of the engine's, and both order alike.
fn same_order_over_every_set(size: usize, sets: usize, different_values: usize) {
    let mut seen: BTreeMap<Low, Key> = BTreeMap::new();
    let mut count = 0;
    every_set(size, &mut |cards| {
        count += 1;
        let low = Low::of(set(cards));
        let key = value(cards);
        let first = seen.entry(low).or_insert_with(|| {
            assert_agrees(low, &key, cards);
            key.clone()
        });
        assert_eq!(*first, key, "{cards:?}");
    });
    assert_eq!(count, sets);
    assert_eq!(seen.len(), different_values);
    // In the engine's order the oracle's values rise: so no two are the other way round.
    let keys: Vec<&Key> = seen.values().collect();
    for neighbours in keys.windows(2) {
        assert!(neighbours[0] < neighbours[1], "{neighbours:?}");
    }
}

/// R28 over all C(52,5) hands of five cards.
#[test]
fn r28_every_five_card_hand_is_valued_and_ordered_as_the_oracle_has_it() {
    // C(13,5) unpaired, 13 C(12,3) pairs, C(13,2) 11 two pair, 13 C(12,2) trips, 13 12 full houses, 13 12 quads.
    same_order_over_every_set(5, 2_598_960, 1287 + 2860 + 858 + 858 + 156 + 156);
}

/// R25 over all boards that can lie open.
#[test]
fn r25_every_board_is_valued_and_ordered_as_the_oracle_has_it() {
    same_order_over_every_set(1, 52, 13);
    same_order_over_every_set(2, 1326, 78 + 13);
    same_order_over_every_set(3, 22_100, 286 + 156 + 13);
    same_order_over_every_set(4, 270_725, 715 + 13 * 66 + 78 + 156 + 13);
}

#[test]
fn r28_a_million_seven_card_hands_have_the_best_of_their_21_fives() {
    let mut dice = Dice::new(28, 7);
    let mut cards: Vec<Card> = Card::all().collect();
    let mut before: Option<(Low, Key)> = None;
    for _ in 0..1_000_000 {
        let seven = draw::<7>(&mut dice, &mut cards);
        let (low, key) = (Low::of(set(&seven)), best_of_seven(seven));
        assert_agrees(low, &key, &seven);
        if let Some((other_low, other_key)) = before {
            assert_eq!(low.cmp(&other_low), key.cmp(&other_key), "{seven:?} against the hand before");
        }
        before = Some((low, key));
    }
}

/// The pass over packed numbers above is itself only as good as the plain lists: here both are asked, and hands full of
/// pairs are drawn, which are rare in a whole deck.
#[test]
fn r28_six_and_seven_cards_of_few_ranks_have_the_best_of_their_fives() {
    let mut dice = Dice::new(28, 6);
    for round in 0..60_000u32 {
        let ranks = 2 + round % 12;
        let mut cards: Vec<Card> = Card::all().filter(|card| u32::from(card.rank().index()) < ranks).collect();
        let seven = draw::<7>(&mut dice, &mut cards);
        assert_eq!(best(&seven), best_of_seven(seven), "{seven:?}");
        for cards in [&seven[..], &seven[..6]] {
            assert_agrees(Low::of(set(cards)), &best(cards), cards);
        }
    }
}

/// The first cards of a shuffle that goes no further than it must.
fn draw<const N: usize>(dice: &mut Dice, cards: &mut [Card]) -> [Card; N] {
    for place in 0..N {
        let left = cards.len() - place;
        let other = place + usize::try_from(dice.below(left as u64)).expect("below 52");
        cards.swap(place, other);
    }
    std::array::from_fn(|place| cards[place])
}

fn low(cards: &str) -> Low {
    Low::of(cards.split(' ').map(|card| card.parse::<Card>().expect("a card")).collect())
}

#[test]
fn r28_the_twelve_hands_of_the_source_rank_as_it_says() {
    let worst_to_best = [
        "3c 3d 3h 5s 5c",
        "Kc Kd 4h 3s 2c",
        "2c 2d 7h 6s 5c",
        "Ac Ad Th 9s 8c",
        "Kc Qd Jh Ts 9c",
        "Kc Qd Jh Ts 7c",
        "9c 8d 7h 6s 5c",
        "9c 7d 6h 5s 3c",
        "9c 7d 6h 5s Ac",
        "6c 5d 4h 3s 2c",
        "6c 4d 3h 2s Ac",
        "5c 4d 3h 2s Ac",
    ];
    for pair in worst_to_best.windows(2) {
        assert!(low(pair[1]) < low(pair[0]), "{} beats {}", pair[1], pair[0]);
    }
    // Straights and flushes are ignored.
    assert_eq!(low("5c 4c 3c 2c Ac"), low("5c 4d 3h 2s Ac"));
}

#[test]
fn r33_each_class_has_its_words() {
    let words = [
        ("9c 7d 6h 5s Ac", "9-7-6-5-A (nine-seven low)"),
        ("5c 4d 3h 2s Ac", "5-4-3-2-A (five-four low)"),
        ("Kc Qd Jh Ts 9c", "K-Q-J-T-9 (king-queen low)"),
        ("Kc Kd 9c 7d 6h 5s Ac", "9-7-6-5-A (nine-seven low)"),
        ("Ac Ad Th 9s 8c", "pair of aces, ten-nine-eight"),
        ("6c 6d Kh 3s 2c", "pair of sixes, king-three-two"),
        ("9c 9d 4h 4s Kc", "two pair, nines and fours, king"),
        ("6c 6d 6h Qs 2c", "three sixes, queen-two"),
        ("3c 3d 3h 5s 5c", "full house, threes over fives"),
        ("7c 7d 7h 7s Ac", "four sevens, ace"),
        // Boards.
        ("8c", "8"),
        ("8c 3d Ac", "8-3-A"),
        ("8c 8d", "pair of eights"),
        ("8c 8d 3c 3d", "two pair, eights and threes"),
        ("8c 8d 8h Kc", "three eights, king"),
    ];
    for (cards, expected) in words {
        assert_eq!(low_in_words(low(cards)), expected, "{cards}");
    }
}
