//! R21 and R34 to R37: pots, unmatched bets, rake and splits, in numbers worked out by hand; and a reference that works
//! chip by chip and calls nothing of the engine's pots.

use std::cmp::Ordering;

use razz_dealer::engine::pots::{self, Pot, Winner};
use razz_dealer::engine::{Card, CardSet, Chips, OddChip, PerSeat, Seat, SeatSet, Suit, SuitOrder};

/// A pot of the reference: how many chips, and the live seats that can win it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Heap {
    /// Chips.
    pub chips: i64,
    /// In seat order.
    pub seats: Vec<Seat>,
}

/// What one seat has in the middle.
#[derive(Clone, Copy, Debug)]
pub struct PutIn {
    /// Whose.
    pub seat: Seat,
    /// How much.
    pub chips: i64,
    /// Not folded.
    pub live: bool,
}

/// R34, chip by chip: from the bottom up, one chip of every seat that still has one there. A row of chips goes into the
/// pot of the live seats among those; a row of folded seats only into the pot below it.
pub fn heaps(mut put_in: Vec<PutIn>) -> Vec<Heap> {
    let mut heaps: Vec<Heap> = Vec::new();
    loop {
        put_in.retain(|entry| entry.chips > 0);
        if put_in.is_empty() {
            return heaps;
        }
        let seats: Vec<Seat> = put_in.iter().filter(|entry| entry.live).map(|entry| entry.seat).collect();
        if heaps.last().is_none_or(|heap| !seats.is_empty() && heap.seats != seats) {
            heaps.push(Heap { chips: 0, seats });
        }
        for entry in &mut put_in {
            entry.chips -= 1;
            heaps.last_mut().expect("one at least").chips += 1;
        }
    }
}

/// R21, chip by chip: chips are taken off the top of the highest wager while no other is as high.
pub fn excess(wagers: &[(Seat, i64)]) -> Option<(Seat, i64)> {
    let &(seat, highest) = wagers.iter().max_by_key(|wager| wager.1)?;
    let mut matched = highest;
    while matched > 0 && wagers.iter().filter(|wager| wager.1 >= matched).count() == 1 {
        matched -= 1;
    }
    (matched < highest).then_some((seat, highest - matched))
}

/// R37: the called chips are counted off step by step.
pub fn rake(mut called: i64, amount: i64, step: i64, cap: Option<i64>) -> i64 {
    let mut rake = 0;
    while called >= step {
        called -= step;
        rake += amount;
    }
    cap.map_or(rake, |cap| rake.min(cap))
}

/// R37: the rake over the pots. A pot's part grows while it stays within its proportion; then one unit more each, from
/// the main pot up.
pub fn rake_parts(pots: &[i64], rake: i64) -> Vec<i64> {
    let called: i64 = pots.iter().sum();
    let mut parts: Vec<i64> = pots
        .iter()
        .map(|&pot| {
            let mut part = 0;
            while called > 0 && (part + 1) * called <= pot * rake {
                part += 1;
            }
            part
        })
        .collect();
    let mut turn = 0;
    while parts.iter().sum::<i64>() < rake {
        parts[turn] += 1;
        turn += 1;
    }
    parts
}

/// A winner as R36 sees one: the seven cards, and the ranks of the five that win, the ace as 1.
#[derive(Clone, Debug)]
pub struct Share {
    /// Where.
    pub seat: Seat,
    /// Seven cards, or fewer where nobody had to show.
    pub cards: Vec<Card>,
    /// Of the five, each rank once.
    pub ranks: Vec<u8>,
}

/// R36: the winners in the order in which odd units go to them.
pub fn odd_order(mut winners: Vec<Share>, rule: OddChip, suits: SuitOrder) -> Vec<Seat> {
    winners.sort_by_key(|winner| winner.seat);
    if rule == OddChip::HighCardBySuit {
        winners.sort_by(|a, b| by_high_card(a, b, suits));
    }
    winners.into_iter().map(|winner| winner.seat).collect()
}

/// From the highest rank down the better suit is first; where both mean the same card, it is the common card and is
/// skipped.
fn by_high_card(a: &Share, b: &Share, suits: SuitOrder) -> Ordering {
    let highest_first = match suits {
        SuitOrder::SpadesHighest => [Suit::Spades, Suit::Hearts, Suit::Diamonds, Suit::Clubs],
        SuitOrder::ClubsHighest => [Suit::Clubs, Suit::Diamonds, Suit::Hearts, Suit::Spades],
    };
    let place = |holder: &Share, rank: u8| {
        let held = |suit: Suit| holder.cards.iter().any(|card| card.rank().index() + 1 == rank && card.suit() == suit);
        highest_first.iter().position(|&suit| held(suit))
    };
    let mut ranks = a.ranks.clone();
    ranks.sort_unstable();
    let places = ranks.into_iter().rev().map(|rank| (place(a, rank), place(b, rank)));
    places.map(|(a, b)| a.cmp(&b)).find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
}

/// R35, R36: the chips are dealt out one at a time, round and round in this order. The shares come in seat order.
pub fn deal_out(chips: i64, order: &[Seat]) -> Vec<(Seat, i64)> {
    let mut shares: Vec<(Seat, i64)> = order.iter().map(|&seat| (seat, 0)).collect();
    (0..chips).zip((0..order.len()).cycle()).for_each(|(_, turn)| shares[turn].1 += 1);
    shares.sort_unstable();
    shares
}

fn seat(number: u8) -> Seat {
    Seat::new(number).expect("1 to 8")
}

fn chips(units: i64) -> Chips {
    Chips::new(units).expect("an amount")
}

fn seats(numbers: &[u8]) -> SeatSet {
    numbers.iter().map(|&number| seat(number)).collect()
}

/// What seats 1, 2, ... put in.
fn put_in(amounts: &[i64]) -> PerSeat<Chips> {
    PerSeat::from_fn(|seat| amounts.get(usize::from(seat.number()) - 1).map_or(Chips::ZERO, |&units| chips(units)))
}

/// The pots are as worked out, and the reference says the same.
fn assert_layers(amounts: &[i64], live: &[u8], expected: &[(i64, &[u8])]) {
    let pots = pots::layers(&put_in(amounts), seats(live));
    let wanted: Vec<Pot> =
        expected.iter().map(|&(amount, numbers)| Pot { amount: chips(amount), seats: seats(numbers) }).collect();
    assert_eq!(pots, wanted);
    assert_eq!(pots.iter().map(|pot| pot.amount.units()).sum::<i64>(), amounts.iter().sum::<i64>(), "no chip vanishes");
    let entry = |(number, &chips): (u8, &i64)| PutIn { seat: seat(number), chips, live: live.contains(&number) };
    let reference = heaps((1..).zip(amounts).map(entry).collect());
    let wanted: Vec<Heap> = expected
        .iter()
        .map(|&(chips, numbers)| Heap { chips, seats: numbers.iter().map(|&number| seat(number)).collect() })
        .collect();
    assert_eq!(reference, wanted, "the reference");
}

#[test]
fn r34_equal_amounts_make_one_pot() {
    assert_layers(&[10, 10, 10], &[1, 2, 3], &[(30, &[1, 2, 3])]);
    assert_layers(&[0, 10, 0, 10], &[2, 4], &[(20, &[2, 4])]);
    assert_layers(&[0, 0], &[1, 2], &[]);
}

#[test]
fn r34_three_levels_of_all_in_make_three_pots() {
    // 3 x 5; 2 x 7 more; 2 x 18 more by the two that have it.
    assert_layers(&[5, 12, 30, 30], &[1, 2, 3, 4], &[(20, &[1, 2, 3, 4]), (21, &[2, 3, 4]), (36, &[3, 4])]);
}

#[test]
fn r34_a_folded_players_chips_stay_in_the_pots_that_they_reached() {
    // Seat 4 folded after 8: 5 of it in the main pot, 3 in the side pot.
    assert_layers(&[5, 12, 12, 8], &[1, 2, 3], &[(20, &[1, 2, 3]), (17, &[2, 3])]);
    // Seat 2 folded after 3, below every live amount: no level of its own.
    assert_layers(&[10, 3, 10], &[1, 3], &[(23, &[1, 3])]);
}

#[test]
fn r34_a_contributor_to_a_side_layer_who_folds_later_takes_no_chip_away() {
    // The layer from 20 to 60 was made by seats 2 and 3; 3 then folded: one live seat is left in it.
    assert_layers(&[20, 60, 60], &[1, 2], &[(60, &[1, 2]), (80, &[2])]);
    // Both have folded: the layer merges into the pot below it.
    assert_layers(&[20, 60, 60, 20], &[1, 4], &[(160, &[1, 4])]);
    // Between two live levels the folded layer belongs to the pot that reaches over it.
    assert_layers(&[20, 40, 60, 60, 50], &[1, 3, 4], &[(100, &[1, 3, 4]), (130, &[3, 4])]);
}

#[test]
fn r34_folded_chips_above_the_highest_live_amount_fall_into_the_last_pot() {
    // Seat 3 put in 45 and folded; the highest live amount is 30.
    assert_layers(&[10, 30, 45], &[1, 2], &[(30, &[1, 2]), (55, &[2])]);
    assert_layers(&[30, 30, 45, 45], &[1, 2], &[(150, &[1, 2])]);
}

#[test]
fn r34_one_live_seat_has_all_in_one_pot() {
    assert_layers(&[7, 20, 12, 20], &[2], &[(59, &[2])]);
}

#[test]
fn r21_only_the_part_that_nobody_matched_comes_back() {
    let cases = [
        (&[15, 14][..], Some((1, 1))),
        (&[10, 10], None),
        (&[5, 30, 12], Some((2, 18))),
        (&[5, 30, 30], None),
        (&[0, 8, 0], Some((2, 8))),
        (&[0, 0, 0], None),
    ];
    for (amounts, expected) in cases {
        let unmatched = pots::unmatched(&put_in(amounts)).map(|(seat, amount)| (seat.number(), amount.units()));
        assert_eq!(unmatched, expected, "{amounts:?}");
        let wagers: Vec<(Seat, i64)> = (1..).zip(amounts).map(|(number, &chips)| (seat(number), chips)).collect();
        let reference = excess(&wagers).map(|(seat, amount)| (seat.number(), amount));
        assert_eq!(reference, expected, "the reference of {amounts:?}");
    }
}

fn assert_rake(amounts: &[i64], rake: i64, expected: &[i64]) {
    let pots: Vec<Pot> = amounts.iter().map(|&amount| Pot { amount: chips(amount), seats: SeatSet::EMPTY }).collect();
    let parts: Vec<i64> = pots::share_rake(&pots, chips(rake)).into_iter().map(Chips::units).collect();
    assert_eq!(parts, expected);
    assert_eq!(rake_parts(amounts, rake), expected, "the reference");
}

#[test]
fn r37_the_rake_is_shared_in_proportion_and_the_rest_goes_from_the_main_pot_up() {
    // 60 and 40 of a rake of 5: 3 and 2 exactly.
    assert_rake(&[60, 40], 5, &[3, 2]);
    // A rake of 4: 2.4 and 1.6, so 2 and 1, and the unit left to the main pot.
    assert_rake(&[60, 40], 4, &[3, 1]);
    // A rake of 2 on three equal pots: nothing each by rounding down, then one to each of the first two.
    assert_rake(&[33, 33, 33], 2, &[1, 1, 0]);
    // 5 of 101: 0.54, 4.45 and 0.
    assert_rake(&[11, 90, 0], 5, &[1, 4, 0]);
    assert_rake(&[60, 40], 0, &[0, 0]);
}

#[test]
fn r37_a_rake_of_everything_leaves_nothing_and_takes_no_more() {
    assert_rake(&[61, 40, 7], 108, &[61, 40, 7]);
    assert_rake(&[], 0, &[]);
}

#[test]
fn r37_the_steps_are_counted_off_whole() {
    assert_eq!([19, 20, 39, 40].map(|called| rake(called, 1, 20, None)), [0, 1, 1, 2]);
    assert_eq!(rake(100, 1, 20, Some(3)), 3);
    assert_eq!(rake(7, 1, 1, None), 7);
}

/// The shares of a pot, by engine and reference.
fn assert_split(amount: i64, winners: &[(u8, &str)], rules: (OddChip, SuitOrder), expected: &[(u8, i64)]) {
    let held = |cards: &str| -> Vec<Card> { cards.split(' ').map(|card| card.parse().expect("a card")).collect() };
    let engines: Vec<Winner> = winners
        .iter()
        .map(|&(number, cards)| Winner { seat: seat(number), cards: held(cards).into_iter().collect::<CardSet>() })
        .collect();
    let shares = pots::split(chips(amount), &engines, rules.0, rules.1);
    let shares: Vec<(u8, i64)> = shares.into_iter().map(|(seat, share)| (seat.number(), share.units())).collect();
    assert_eq!(shares, expected);
    let reference = winners
        .iter()
        .map(|&(number, cards)| Share {
            seat: seat(number),
            cards: held(cards),
            ranks: super::low::best(&held(cards)).1,
        })
        .collect();
    let shares = deal_out(amount, &odd_order(reference, rules.0, rules.1));
    let shares: Vec<(u8, i64)> = shares.into_iter().map(|(seat, share)| (seat.number(), share)).collect();
    assert_eq!(shares, expected, "the reference");
}

const LEFT: (OddChip, SuitOrder) = (OddChip::LeftOfButton, SuitOrder::SpadesHighest);
const SPADES: (OddChip, SuitOrder) = (OddChip::HighCardBySuit, SuitOrder::SpadesHighest);
const CLUBS: (OddChip, SuitOrder) = (OddChip::HighCardBySuit, SuitOrder::ClubsHighest);

#[test]
fn r36_odd_units_go_to_the_left_of_the_button_or_by_the_high_card() {
    let winners = [(2, "7h 5c 4c 3c Ac Kc Qc"), (5, "7c 5d 4d 3d Ad Kd Qd"), (8, "7s 5h 4h 3h Ah Kh Qh")];
    assert_split(30, &winners, LEFT, &[(2, 10), (5, 10), (8, 10)]);
    assert_split(31, &winners, LEFT, &[(2, 11), (5, 10), (8, 10)]);
    assert_split(32, &winners, LEFT, &[(2, 11), (5, 11), (8, 10)]);
    // By the seven: spades, hearts, clubs; with clubs highest the other way round. The kings count for nothing.
    assert_split(31, &winners, SPADES, &[(2, 10), (5, 10), (8, 11)]);
    assert_split(32, &winners, SPADES, &[(2, 11), (5, 10), (8, 11)]);
    assert_split(31, &winners, CLUBS, &[(2, 10), (5, 11), (8, 10)]);
    assert_split(2, &winners, LEFT, &[(2, 1), (5, 1), (8, 0)]);
}

#[test]
fn r36_the_best_suit_held_of_the_rank_counts_among_all_seven() {
    // Seat 1 holds two sevens; the five uses one, its best suit is the spade.
    assert_split(21, &[(1, "7c 7s 5c 4c 3c Ac Kc"), (3, "7h 5d 4d 3d Ad Kd Qd")], SPADES, &[(1, 11), (3, 10)]);
    assert_split(21, &[(1, "7h 5c 4c 3c Ac Kc Qc"), (3, "7d 7s 5d 4d 3d Ad Kd")], SPADES, &[(1, 10), (3, 11)]);
}

#[test]
fn r36_the_same_common_card_is_skipped() {
    // Both sevens are the common one: the six decides, spade before heart.
    assert_split(21, &[(1, "6h 4c 3c Ac Kc Qc 7s"), (3, "6s 4d 3d Ad Kd Qd 7s")], SPADES, &[(1, 10), (3, 11)]);
    // Seat 1 holds the common seven of clubs, seat 3 a better one beside it: then it is not skipped.
    assert_split(21, &[(1, "6s 4c 3c Ac Kc Qc 7c"), (3, "6h 7d 4d 3d Ad Kd 7c")], SPADES, &[(1, 10), (3, 11)]);
}

#[test]
fn r35_r36_a_single_winner_takes_all() {
    assert_split(31, &[(4, "7h 5c 4c 3c Ac Kc Qc")], SPADES, &[(4, 31)]);
}
