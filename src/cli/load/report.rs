//! What a run has seen, and how it is told.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use hdrhistogram::Histogram;

/// The longest latency that is told apart, in microseconds: above what a request is repeated for.
const LONGEST: u64 = 120_000_000;

/// Counts by a reason's name.
pub(super) type Reasons = BTreeMap<String, u64>;

/// What all callers together have seen.
pub(super) struct Tally(Mutex<Seen>);

/// Of the measured time; refusals and retries of the whole run.
#[derive(Clone)]
pub(super) struct Seen {
    /// Of each Act, in microseconds.
    pub acts: Histogram<u64>,
    /// Ended.
    pub hands: u64,
    /// Refusals.
    pub errors: Reasons,
    /// Requests sent again.
    pub retries: Reasons,
}

impl Tally {
    pub fn new() -> anyhow::Result<Tally> {
        let acts = Histogram::new_with_bounds(1, LONGEST, 3)?;
        Ok(Tally(Mutex::new(Seen { acts, hands: 0, errors: Reasons::new(), retries: Reasons::new() })))
    }

    fn seen(&self) -> MutexGuard<'_, Seen> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// An Act was answered after so many microseconds.
    pub fn acted(&self, micros: i64) {
        // A clock that was set back.
        self.seen().acts.saturating_record(u64::try_from(micros).unwrap_or_default());
    }

    pub fn hand_ended(&self) {
        self.seen().hands += 1;
    }

    pub fn refused(&self, reason: &str) {
        count(&mut self.seen().errors, reason);
    }

    pub fn retried(&self, reason: &str) {
        count(&mut self.seen().retries, reason);
    }

    /// The measured time begins.
    pub fn begin(&self) {
        let mut seen = self.seen();
        seen.acts.reset();
        seen.hands = 0;
    }

    /// So far.
    pub fn so_far(&self) -> Seen {
        self.seen().clone()
    }
}

fn count(reasons: &mut Reasons, reason: &str) {
    *reasons.entry(reason.to_owned()).or_default() += 1;
}

/// What the echo has seen beside it.
pub(super) struct Echoed {
    /// Of each call, in microseconds.
    pub calls: Histogram<u64>,
    /// How long it was measured, in microseconds.
    pub micros: i64,
    /// The size of its answer.
    pub bytes: usize,
}

/// All that is told.
pub(super) struct Report {
    pub tables: u32,
    /// How long it was measured, in microseconds.
    pub micros: i64,
    pub seen: Seen,
    pub echo: Option<Echoed>,
    /// How many callers share a connection, in load and echo alike.
    pub callers_per_line: u32,
}

#[expect(clippy::cast_precision_loss, reason = "counts and times of a run are far below 2^52")]
fn ratio(count: u64, of: u64) -> f64 {
    if of == 0 { 0.0 } else { count as f64 / of as f64 }
}

fn per_second(count: u64, micros: i64) -> f64 {
    ratio(count, u64::try_from(micros).unwrap_or_default()) * 1e6
}

/// Microseconds as milliseconds.
fn millis(micros: u64) -> f64 {
    ratio(micros, 1000)
}

/// Name and quantile of what is told of a latency.
const QUANTILES: [(&str, f64); 5] = [("p50", 0.5), ("p90", 0.9), ("p99", 0.99), ("p99.9", 0.999), ("max", 1.0)];

fn quantiles(latency: &Histogram<u64>) -> impl Iterator<Item = (&'static str, f64)> + '_ {
    QUANTILES.iter().map(|&(name, quantile)| (name, millis(latency.value_at_quantile(quantile).min(latency.max()))))
}

impl Report {
    fn acts_per_second(&self) -> f64 {
        per_second(self.seen.acts.len(), self.micros)
    }

    fn hands_per_second(&self) -> f64 {
        per_second(self.seen.hands, self.micros)
    }

    fn acts_per_hand(&self) -> f64 {
        ratio(self.seen.acts.len(), self.seen.hands)
    }

    /// Acts for each echo of the same time.
    fn ratio(&self, echo: &Echoed) -> f64 {
        let echoes = per_second(echo.calls.len(), echo.micros);
        if echoes > 0.0 { self.acts_per_second() / echoes } else { 0.0 }
    }

    /// For people.
    pub fn tell(&self) {
        say!(
            "{} tables, {:.1} s: {:.0} acts/s, {:.0} hands/s, {:.1} acts a hand",
            self.tables,
            ratio(u64::try_from(self.micros).unwrap_or_default(), 1_000_000),
            self.acts_per_second(),
            self.hands_per_second(),
            self.acts_per_hand()
        );
        say!("act:     {}", latency_in_words(&self.seen.acts));
        if let Some(echo) = &self.echo {
            let echoes = per_second(echo.calls.len(), echo.micros);
            say!("echo:    {}", latency_in_words(&echo.calls));
            say!("         {echoes:.0} calls/s, answers of {} bytes; acts/echo {:.3}", echo.bytes, self.ratio(echo));
        }
        say!("retries: {}", reasons_in_words(&self.seen.retries));
        say!("errors:  {}", reasons_in_words(&self.seen.errors));
    }

    /// For programs: one object.
    pub fn json(&self) -> serde_json::Value {
        let echo = self.echo.as_ref().map(|echo| {
            serde_json::json!({
                "calls": echo.calls.len(),
                "calls_per_second": per_second(echo.calls.len(), echo.micros),
                "answer_bytes": echo.bytes,
                "latency_ms": latency_as_json(&echo.calls),
                "ratio": self.ratio(echo),
            })
        });
        serde_json::json!({
            "tables": self.tables,
            "callers_per_connection": self.callers_per_line,
            "measured_us": self.micros,
            "acts": self.seen.acts.len(),
            "hands": self.seen.hands,
            "acts_per_second": self.acts_per_second(),
            "hands_per_second": self.hands_per_second(),
            "acts_per_hand": self.acts_per_hand(),
            "latency_ms": latency_as_json(&self.seen.acts),
            "retries": self.seen.retries.values().sum::<u64>(),
            "retries_by_reason": &self.seen.retries,
            "errors": &self.seen.errors,
            "echo": echo,
        })
    }
}

fn latency_in_words(latency: &Histogram<u64>) -> String {
    let figures: Vec<String> = quantiles(latency).map(|(name, millis)| format!("{name} {millis:.2}")).collect();
    format!("{} ms", figures.join(", "))
}

fn latency_as_json(latency: &Histogram<u64>) -> serde_json::Value {
    quantiles(latency).map(|(name, millis)| (name.to_owned(), millis.into())).collect::<serde_json::Map<_, _>>().into()
}

fn reasons_in_words(reasons: &Reasons) -> String {
    if reasons.is_empty() {
        return "none".to_owned();
    }
    let counts: Vec<String> = reasons.iter().map(|(reason, count)| format!("{reason} {count}")).collect();
    counts.join(", ")
}
