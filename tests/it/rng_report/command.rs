//! The command: what it reports, and its exit codes.

use razz_dealer::cli::exit_code;
use razz_dealer::cli::rng_report::{Law, cards, code, counted, svg};
use razz_dealer::world::World;

use super::{report, unshuffled};
use crate::process::command::run;

const SHUFFLES: &str = "100000";

/// Equal but for the last digit, which reading JSON may lose.
fn is(told: &serde_json::Value, number: f64) -> bool {
    told.as_f64().is_some_and(|told| (told - number).abs() <= 1e-14 * number.abs())
}

/// However the cores share the work, here and there.
#[test]
fn a_report_from_a_number_can_be_repeated() {
    let folder = tempfile::tempdir().expect("a folder");
    let picture = folder.path().join("picture.svg").display().to_string();
    let ended = run(&["rng-report", "--shuffles", SHUFFLES, "--seed", "7", "--json", "--picture", &picture]);
    assert_eq!(ended.code, Some(0), "{}{}", ended.out, ended.err);
    let told: serde_json::Value = serde_json::from_str(&ended.out).expect("one object");
    let report = report(100_000, |hand| cards(&counted(7, hand)));
    let tests = told["tests"].as_array().expect("tests");
    assert_eq!(tests.len(), report.outcomes.len());
    for (test, outcome) in tests.iter().zip(&report.outcomes) {
        assert_eq!(test["name"], outcome.name);
        assert!(is(&test["p"], outcome.p) && is(&test["statistic"], outcome.statistic), "{test} {outcome:?}");
        let degrees = if let Law::ChiSquare(degrees) = outcome.law { Some(degrees) } else { None };
        assert_eq!(test["degrees_of_freedom"], serde_json::json!(degrees));
    }
    assert!(is(&told["kolmogorov_smirnov"]["p"], report.evenness.1), "{told}");
    assert_eq!((&told["in_order"], &told["shuffles"]), (&true.into(), &100_000.into()));
    assert_eq!(std::fs::read_to_string(&picture).expect("a picture"), svg(&report));
}

#[test]
fn without_a_number_every_report_is_another() {
    let told = |args: &[&str]| run(&[&["rng-report", "--shuffles", SHUFFLES], args].concat());
    let (first, second) = (told(&[]), told(&["--os"]));
    for ended in [&first, &second] {
        // Once in 10,000 times chance itself is a finding: then text and code say so.
        let in_order = ended.out.contains("\nIn order.");
        assert_eq!(ended.code, Some(u8::from(!in_order).into()), "{}{}", ended.out, ended.err);
        for word in ["100000 shuffles, seeds from the operating system", "position by card", "n order. In order means"]
        {
            assert!(ended.out.contains(word), "{word}: {}", ended.out);
        }
    }
    assert_ne!(first.out, second.out);
}

#[test]
fn the_exit_code_tells_a_finding() {
    assert_eq!(code(&report(100_000, |hand| cards(&counted(1, hand)))), 0);
    assert_eq!(code(&report(100_000, |_| unshuffled())), 1);
    let failed = World::without_entropy().random::<1>().expect_err("it fails");
    assert_eq!(exit_code(&failed.into()), 3);
}

#[test]
fn what_cannot_be_done_is_refused_before_anything_is_shuffled() {
    let folder = tempfile::tempdir().expect("a folder");
    let nowhere = folder.path().join("no-such-folder").join("picture.svg").display().to_string();
    for (args, code) in [
        (&["--shuffles", "99999"][..], 2),
        (&["--shuffles", "many"], 2),
        (&["--seed", "1", "--os"], 2),
        (&["--picture", "picture.png"], 2),
        (&["--picture", &nowhere], 3),
    ] {
        let ended = run(&[&["rng-report"], args].concat());
        assert_eq!((ended.code, ended.out.as_str()), (Some(code), ""), "{args:?}: {}", ended.err);
    }
}
