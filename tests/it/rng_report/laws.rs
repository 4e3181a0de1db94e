//! What each statistic follows: worked out by hand for orders that are known, and met on average by fair ones.

use razz_dealer::cli::rng_report::{Cards, Law, Report};

use super::{fair, report, statistic, unshuffled};

fn near(found: f64, expected: f64) {
    assert!((found - expected).abs() <= 1e-9 * expected.abs().max(1.0), "{found} should be {expected}");
}

/// Every hand goes on by one card: 52 hands have every card at every position once.
fn turned(hand: u64) -> Cards {
    let mut cards = unshuffled();
    cards.rotate_left(usize::try_from(hand % 52).expect("small"));
    cards
}

#[test]
fn of_hands_that_turn() {
    const HANDS: u32 = 52 * 1000;
    let report = report(u64::from(HANDS), turned);
    let hands = f64::from(HANDS);
    // Perfectly even: that is no chance either.
    near(statistic(&report, "position by card"), 0.0);
    assert!(report.findings().any(|finding| finding.name == "position by card" && finding.p >= 1.0));
    // Each card follows its own in every hand: 52 pairs have all, one way round, and 1274 have none.
    let even = hands / 51.0;
    let (all, none) = ((hands / 2.0 - even).powi(2) + (hands / 2.0).powi(2) * 50.0 / 52.0, even.powi(2));
    near(statistic(&report, "adjacent pairs"), 2.0 * (52.0 * all + 1274.0 * none) / even);
    // From hand to hand no card stays at its place.
    let expected = [1.0, 1.0, 2.0, 6.0, 24.0, 120.0].map(|ways| (-1.0f64).exp() / ways * (hands - 1.0));
    let rest = hands - 1.0 - expected.iter().sum::<f64>();
    let square = (hands - 1.0 - expected[0]).powi(2) / expected[0] + expected[1..].iter().sum::<f64>() + rest;
    near(statistic(&report, "cards at the places of the hand before"), square);
    near(statistic(&report, "whole orders met again"), hands - 52.0);
    // A rise of 52 hands, and a fall; the hand at which it turns begins the next rise.
    let turns = 2.0 * (hands / 52.0 - 1.0);
    let deviation = ((16.0 * hands - 29.0) / 90.0).sqrt();
    near(statistic(&report, "runs, how many"), (turns - 2.0 * (hands - 2.0) / 3.0) / deviation);
    // Five cards rise, but where the king of spades and the ace of clubs are among them, after 1, 2, 3 or 4.
    let (fives, wrapped) = (hands * 10.0, hands * 10.0 / 52.0);
    let even = fives / 120.0;
    let square = (fives - 4.0 * wrapped - even).powi(2) + 4.0 * (wrapped - even).powi(2) + 115.0 * even.powi(2);
    near(statistic(&report, "permutations of five"), square / even);
}

/// First cards by turns: products of neighbours, and pairs that are always the same, worked out directly.
#[test]
fn of_first_cards_that_turn() {
    const PAIRS: u32 = 52 * 1000;
    let report = report(u64::from(PAIRS) + 1, turned);
    let pairs = f64::from(PAIRS);
    let from_middle = |card: u32| f64::from(card % 52) - 25.5;
    let products: f64 = (0..52).map(|card| from_middle(card) * from_middle(card + 1)).sum();
    let variance: f64 = (0..52).map(|card| from_middle(card).powi(2)).sum::<f64>() / 52.0;
    near(statistic(&report, "first card, serial correlation"), products * 1000.0 / variance / pairs.sqrt());
    let even = pairs / 2704.0;
    let square = 52.0 * ((1000.0 - even).powi(2) + 51.0 * even.powi(2)) / even;
    near(statistic(&report, "first card against the next hand's first"), square);
    // What lies last lies before the first, so the next hand begins two further on.
    near(statistic(&report, "last card against the next hand's first"), square);
}

/// Many small reports on fair shuffles: each statistic has the mean and the spread of its law. A wrong number of
/// degrees, or counts that are taken as independent and are not, would show here and not in a single run.
#[test]
fn on_average_each_statistic_is_as_its_law_says() {
    const REPORTS: u32 = 100;
    let reports: Vec<_> = (0..REPORTS).map(|seed| report(20_000, |hand| fair(u64::from(seed), hand))).collect();
    let times = f64::from(REPORTS);
    for at in 0..reports[0].outcomes.len() {
        let outcome = &reports[0].outcomes[at];
        let (mean, variance) = match outcome.law {
            Law::ChiSquare(degrees) => (f64::from(degrees), 2.0 * f64::from(degrees)),
            Law::Normal => (0.0, 1.0),
            Law::Never => (0.0, 0.0),
        };
        let found: Vec<f64> = reports.iter().map(|report| report.outcomes[at].statistic).collect();
        let off = found.iter().sum::<f64>() / times - mean;
        let spread = found.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / times;
        assert!(off.abs() <= 4.5 * (variance / times).sqrt(), "{}: {off} off {mean}", outcome.name);
        let within = variance * 0.5..=variance * 1.9;
        assert!(within.contains(&spread), "{}: variance {spread}, not {variance}", outcome.name);
    }
    assert!(reports.iter().all(Report::is_in_order));
}
