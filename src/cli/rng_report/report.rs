//! What all tests together come to, and how it is told.

use serde_json::json;

use super::chance::{distance, distance_tail, real};
use super::family::{Law, Outcome};

/// A test is a finding where it is less likely than this that any of them all is so far off, to either side, by chance.
pub const LIMIT: f64 = 1e-6;
/// All p-values together are a finding where they lie less likely than this so unevenly.
pub const EVENNESS_LIMIT: f64 = 1e-4;

/// What is to be known of the p-values together, line by line.
const NOTES: [&str; 5] = [
    "All tests read the same hands, and not all are independent: the 52 positions make up position by card, and are",
    "weakly bound to each other; the serial correlation is a part of first card against the next hand's first; the",
    "three tests of runs read one sequence, and gaps and coupons one. Kolmogorov-Smirnov takes all p-values as",
    "independent, so its own is an approximation. What looks from hand to hand looks within blocks of 65,536 hands,",
    "and a whole order is known again within its block.",
];

/// All that was found.
#[derive(Clone, Debug)]
pub struct Report {
    /// How many shuffles.
    pub shuffles: u64,
    /// Every test.
    pub outcomes: Vec<Outcome>,
    /// How often each card lay at each position: position by position, cards by index.
    pub positions: Vec<u64>,
    /// The Kolmogorov-Smirnov distance of the p-values, how likely it is, and of how many.
    pub evenness: (f64, f64, u64),
}

impl Report {
    pub(super) fn new(shuffles: u64, outcomes: Vec<Outcome>, positions: Vec<u64>) -> Report {
        // The p-value of what never happens is 1 as a rule, and says nothing about the others.
        let values: Vec<f64> =
            outcomes.iter().filter(|outcome| outcome.law != Law::Never).map(|outcome| outcome.p).collect();
        let (count, distance) = (values.len() as u64, distance(values));
        let evenness = (distance, distance_tail(distance, count), count);
        Report { shuffles, outcomes, positions, evenness }
    }

    /// The tests that are no chance: Bonferroni's rule over all of them.
    pub fn findings(&self) -> impl Iterator<Item = &Outcome> {
        let tests = real(self.outcomes.len() as u64);
        self.outcomes.iter().filter(move |outcome| outcome.either_side() * tests < LIMIT)
    }

    /// Whether the shuffle passes.
    pub fn is_in_order(&self) -> bool {
        self.findings().next().is_none() && self.evenness.1 > EVENNESS_LIMIT
    }

    /// For people.
    pub(super) fn tell(&self, seeds: &str) {
        say!("{} shuffles, seeds {seeds}\n", self.shuffles);
        say!("{:<42}{:>12}{:>9}{:>12}", "test", "statistic", "degrees", "p");
        for Outcome { name, statistic, law, p } in &self.outcomes {
            let (statistic, degrees) = match law {
                Law::ChiSquare(degrees) => (format!("{statistic:.2}"), degrees.to_string()),
                Law::Normal => (format!("{statistic:.4}"), "normal".to_owned()),
                Law::Never => (format!("{statistic}"), "count".to_owned()),
            };
            say!("{name:<42}{statistic:>12}{degrees:>9}{:>12}", p_in_words(*p));
        }
        let (distance, p, count) = self.evenness;
        say!("\nKolmogorov-Smirnov over {count} p-values: distance {distance:.4}, p {}", p_in_words(p));
        say!("{}\n", NOTES.join("\n"));
        for finding in self.findings() {
            say!("FINDING: {}: p {}", finding.name, p_in_words(finding.p));
        }
        if p <= EVENNESS_LIMIT {
            say!("FINDING: the p-values do not lie evenly: p {}", p_in_words(p));
        }
        let verdict = if self.is_in_order() { "In order" } else { "NOT in order" };
        say!(
            "{verdict}. In order means: no p so near to 0 or 1 that any of the {} is so by chance with less than\n\
             {LIMIT:e}, and Kolmogorov-Smirnov's p above {EVENNESS_LIMIT:e}.",
            self.outcomes.len()
        );
    }

    /// For programs: one object.
    pub(super) fn json(&self, seeds: &str) -> serde_json::Value {
        let test = |outcome: &Outcome| {
            let (law, degrees) = match outcome.law {
                Law::ChiSquare(degrees) => ("chi-square", Some(degrees)),
                Law::Normal => ("normal", None),
                Law::Never => ("count", None),
            };
            json!({
                "name": outcome.name,
                "law": law,
                "statistic": outcome.statistic,
                "degrees_of_freedom": degrees,
                "p": outcome.p,
            })
        };
        let (distance, p, count) = self.evenness;
        let findings: Vec<&str> = self.findings().map(|finding| finding.name.as_str()).collect();
        json!({
            "shuffles": self.shuffles,
            "seeds": seeds,
            "tests": self.outcomes.iter().map(test).collect::<Vec<_>>(),
            "kolmogorov_smirnov": { "p_values": count, "distance": distance, "p": p },
            "limits": { "any_test_bonferroni": LIMIT, "kolmogorov_smirnov": EVENNESS_LIMIT },
            "note": NOTES.join(" "),
            "findings": findings,
            "in_order": self.is_in_order(),
        })
    }
}

/// Near 1 what is missing counts.
fn p_in_words(p: f64) -> String {
    if (1e-4..=0.9999).contains(&p) || p <= 0.0 || p >= 1.0 {
        format!("{p:.4}")
    } else if p < 0.5 {
        format!("{p:.1e}")
    } else {
        format!("1-{:.1e}", 1.0 - p)
    }
}
