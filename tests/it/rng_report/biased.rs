//! Biased shuffles, planted on purpose: each is rejected, and by the test that is there for it.

use razz_dealer::cli::rng_report::{Cards, cards, counted};
use razz_dealer::sim::Dice;

use super::{SHUFFLES, fair, names_of_findings, report, unshuffled};

/// Examines a planted shuffle, which these tests must find.
fn rejected(deal: impl Fn(u64) -> Cards + Sync, by: &[&str]) {
    let report = report(SHUFFLES, deal);
    let found = names_of_findings(&report);
    assert!(!report.is_in_order(), "{by:?}");
    assert!(by.iter().all(|name| found.contains(name)), "{by:?} should be among {found:?}");
}

/// As [`rejected`], by tests from hand to hand alone: each hand by itself is dealt fairly.
fn rejected_from_hand_to_hand(deal: impl Fn(u64) -> Cards + Sync, by: &[&str]) {
    let report = report(SHUFFLES, deal);
    let found = names_of_findings(&report);
    assert!(by.iter().all(|name| found.contains(name)), "{by:?} should be among {found:?}");
    assert!(!found.contains(&"position by card") && !found.contains(&"adjacent pairs"), "{found:?}");
}

const POSITION: &str = "position by card";

/// Every place is swapped with any of the 52, instead of one that is not settled yet.
#[test]
fn a_naive_swap() {
    let naive = |hand| {
        let (mut cards, mut dice) = (unshuffled(), Dice::new(1, hand));
        for place in 0..52 {
            cards.swap(place, usize::try_from(dice.below(52)).expect("small"));
        }
        cards
    };
    rejected(naive, &[POSITION, "adjacent pairs"]);
}

/// The rest of a byte, where low numbers are met once more than high ones.
#[test]
fn a_draw_by_modulo_of_a_byte() {
    let modulo = |hand| {
        let (mut cards, mut dice) = (unshuffled(), Dice::new(2, hand));
        for place in (1..52u64).rev() {
            let other = dice.below(256) % (place + 1);
            cards.swap(usize::try_from(place).expect("small"), usize::try_from(other).expect("small"));
        }
        cards
    };
    rejected(modulo, &[POSITION, "cards at position 52"]);
}

/// Everything is fair but that the last card stays.
#[test]
fn a_last_card_that_never_moves() {
    let stuck = |hand| {
        let mut cards = unshuffled();
        Dice::new(3, hand).shuffle(&mut cards[..51]);
        cards
    };
    rejected(stuck, &[POSITION, "cards at position 52", "first card against the same hand's last"]);
}

/// Sattolo's way: by an index that is off by one, no card ever keeps its place.
#[test]
fn a_fisher_yates_that_is_off_by_one() {
    let sattolo = |hand| {
        let (mut cards, mut dice) = (unshuffled(), Dice::new(4, hand));
        for place in (1..52u64).rev() {
            let other = usize::try_from(dice.below(place)).expect("small");
            cards.swap(usize::try_from(place).expect("small"), other);
        }
        cards
    };
    rejected(sattolo, &[POSITION]);
}

/// The service's own shuffle with seeds that come again: the last of a thousand hands has that of the hand before.
#[test]
fn a_seed_used_for_two_hands_running() {
    let reused = |hand| cards(&counted(5, if hand % 1000 == 999 { hand - 1 } else { hand }));
    rejected_from_hand_to_hand(reused, &["whole orders met again", "cards at the places of the hand before"]);
}

/// Every thousandth hand has a seed that comes again 50,000 hands later, or all have that of a thousand hands before.
#[test]
fn a_seed_that_comes_again_later() {
    let reused = |hand: u64| cards(&counted(6, if hand.is_multiple_of(1000) { hand % 50_000 } else { hand }));
    let reused = report(SHUFFLES, reused);
    assert_eq!(names_of_findings(&reused), ["whole orders met again"], "no other can see it");
    assert!(!reused.is_in_order());
    rejected(|hand| cards(&counted(6, hand % 1000)), &[POSITION, "whole orders met again"]);
}

/// A dealer who does not like equal neighbours.
#[test]
fn pairs_pulled_apart() {
    let apart = |hand| {
        let mut cards = fair(7, hand);
        for at in 1..51 {
            if cards[at] / 4 == cards[at - 1] / 4 {
                cards.swap(at, at + 1);
            }
        }
        cards
    };
    rejected(apart, &["pairs and triplets in five", "adjacent pairs"]);
}

/// Two neighbours somewhere in the hand lie in their order a little too often.
#[test]
fn neighbours_put_in_order() {
    let ordered = |hand| {
        let (mut cards, mut dice) = (fair(8, hand), Dice::new(9, hand));
        let at = usize::try_from(dice.below(51)).expect("small");
        cards[at..at + 2].sort_unstable();
        cards
    };
    rejected(ordered, &["permutations of five", "adjacent pairs"]);
}

#[test]
fn the_lower_of_two_hands_first() {
    let sorted = |hand: u64| {
        let mut two = [fair(10, hand & !1), fair(10, hand | 1)];
        two.sort_unstable();
        two[usize::from(hand % 2 == 1)]
    };
    rejected_from_hand_to_hand(sorted, &["runs, how many", "runs up, lengths", "runs down, lengths"]);
}

/// The first card is often near that of the hand before.
#[test]
fn a_first_card_that_lingers() {
    let lingering = |hand: u64| {
        let two = [fair(11, hand & !1), fair(11, hand | 1)];
        let far = two[0][0].abs_diff(two[1][0]) > 26;
        // The second hand of the two in the mirror: as fair, and near where it was far.
        if hand % 2 == 1 && far { two[1].map(|card| 51 - card) } else { two[usize::from(hand % 2 == 1)] }
    };
    rejected(lingering, &["first card, serial correlation", "first card against the next hand's first"]);
}

/// What lay last is never dealt first.
#[test]
fn a_hand_that_remembers_the_last_card() {
    let remembering = |hand: u64| {
        let mut cards = fair(12, hand);
        let before = fair(12, hand.saturating_sub(1));
        if hand % 2 == 1 && cards[0] == before[51] {
            cards.swap(0, 1);
        }
        cards
    };
    rejected_from_hand_to_hand(remembering, &["last card against the next hand's first"]);
}

/// Every fourth hand begins with a club and no other: as many as by chance, but with even gaps.
#[test]
fn clubs_that_come_regularly() {
    let regular = |hand: u64| {
        let mut cards = fair(13, hand);
        let at = cards.iter().position(|card| (card % 4 == 0) == hand.is_multiple_of(4)).expect("there are both");
        cards.swap(0, at);
        cards
    };
    rejected(regular, &["first card, gaps between clubs"]);
}

/// Every card is first once in 52 hands; and one that never is, so that nothing is ever complete.
#[test]
fn first_cards_that_take_turns() {
    let first = |hand, first: u8| {
        let mut cards = fair(14, hand);
        let at = cards.iter().position(|&card| card == first).expect("all are there");
        cards.swap(0, at);
        cards
    };
    let turn = |hand: u64, of: u64| u8::try_from(hand % of).expect("small");
    rejected(|hand| first(hand, turn(hand, 52)), &["first card, coupon collector"]);
    rejected(|hand| first(hand, turn(hand, 51)), &["first card, coupon collector"]);
}
