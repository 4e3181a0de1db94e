//! Promise 4: the shuffle passes every test of `rng-report`, and what is planted to be biased does not.

mod biased;
mod chance;
mod command;
mod laws;
mod picture;

use std::convert::Infallible;

use razz_dealer::cli::rng_report::{Cards, EVENNESS_LIMIT, LIMIT, Report, cards, counted, examine};
use razz_dealer::sim::Dice;
use razz_dealer::world::{NoEntropy, World};

/// Of a shortened run.
const SHUFFLES: u64 = 200_000;

/// The report of shuffles that cannot fail.
fn report(shuffles: u64, deal: impl Fn(u64) -> Cards + Sync) -> Report {
    let Ok(report) = examine(shuffles, |hand| Ok::<_, Infallible>(deal(hand)), |_| ());
    report
}

/// The cards by index, before they are shuffled.
fn unshuffled() -> Cards {
    std::array::from_fn(|index| u8::try_from(index).expect("52 cards"))
}

/// A fair shuffle that shares nothing with the service's, and is quicker.
fn fair(seed: u64, hand: u64) -> Cards {
    let mut cards = unshuffled();
    Dice::new(seed, hand).shuffle(&mut cards);
    cards
}

fn statistic(report: &Report, name: &str) -> f64 {
    let found = report.outcomes.iter().find(|outcome| outcome.name == name);
    found.unwrap_or_else(|| panic!("no test is named {name}")).statistic
}

fn names_of_findings(report: &Report) -> Vec<&str> {
    report.findings().map(|finding| finding.name.as_str()).collect()
}

#[test]
fn the_shuffle_is_in_order() {
    let report = report(SHUFFLES, |hand| cards(&counted(1, hand)));
    assert!(report.is_in_order(), "{:?}: {:?}", names_of_findings(&report), report.evenness);
    assert_eq!((report.outcomes.len(), report.evenness.2), (67, 66));
    assert!(report.positions.chunks(52).all(|cards| cards.iter().sum::<u64>() == SHUFFLES), "each hand is counted");
}

/// A number of hands that no block divides: none is left out or counted twice, however the cores share them.
#[test]
fn every_hand_is_shuffled_once() {
    let (asked, counted) = (std::sync::Mutex::new(vec![0u8; 150_001]), std::sync::atomic::AtomicU64::new(0));
    let deal = |hand: u64| {
        asked.lock().expect("whole")[usize::try_from(hand).expect("small")] += 1;
        Ok::<_, Infallible>(unshuffled())
    };
    let Ok(_) = examine(150_001, deal, |hands| {
        counted.fetch_add(hands, std::sync::atomic::Ordering::Relaxed);
    });
    assert!(asked.into_inner().expect("whole").iter().all(|&times| times == 1));
    assert_eq!(counted.into_inner(), 150_001);
}

#[test]
fn without_entropy_there_is_no_report() {
    let world = World::without_entropy();
    let deal = |hand| world.random::<32>().map(|_| fair(1, hand));
    let why: NoEntropy = examine(SHUFFLES, deal, |_| ()).expect_err("it fails");
    assert_eq!(why, world.random::<1>().expect_err("it fails"));
}

/// Both limits, just met and just missed, at either end.
#[test]
fn a_finding_is_what_the_limits_say() {
    let report = report(100_000, |hand| fair(2, hand));
    let with = |p: f64, evenness: f64| {
        let mut changed = report.clone();
        changed.outcomes[5].p = p;
        changed.evenness.1 = evenness;
        (names_of_findings(&changed).len(), changed.is_in_order())
    };
    let rare = LIMIT / 67.0 / 2.0;
    for (p, evenness, expected) in [
        (0.5, 0.5, (0, true)),
        (rare * 1.01, 0.5, (0, true)),
        (rare * 0.99, 0.5, (1, false)),
        (1.0 - rare * 1.01, 0.5, (0, true)),
        (1.0 - rare * 0.99, 0.5, (1, false)),
        (0.5, EVENNESS_LIMIT * 1.01, (0, true)),
        (0.5, EVENNESS_LIMIT * 0.99, (0, false)),
    ] {
        assert_eq!(with(p, evenness), expected, "{p:e} {evenness:e}");
    }
}
