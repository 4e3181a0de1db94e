//! Log lines. They go to standard error, so that standard output holds nothing but a command's answer.

use std::io::{IsTerminal, stderr};

use tracing_subscriber::EnvFilter;
use tracing_subscriber::filter::{LevelFilter, ParseError};

/// Why log lines could not be set up.
#[derive(Debug, thiserror::Error)]
pub enum TelemetryError {
    /// The filter cannot be read.
    #[error("the log filter {filter:?} cannot be read (`info` or `info,razz_dealer=debug` is expected)")]
    Filter {
        /// As given.
        filter: String,
        /// What is wrong with it.
        source: ParseError,
    },
    /// A word alone that is no level: it would be taken for a place in the code, and nothing else would be logged.
    #[error("the log filter {filter:?} names no level in {word:?} (`info` or `info,razz_dealer=debug` is expected)")]
    NoLevel {
        /// As given.
        filter: String,
        /// The word.
        word: String,
    },
    /// It was done before in this process.
    #[error("log lines were set up before in this process")]
    SetUpBefore,
}

/// Starts log lines for the whole process: one object a line if `json`, else one text. `filter` says what is logged,
/// as in `info,razz_dealer=debug`.
///
/// # Errors
/// Where the filter cannot be read, or where this was done before.
pub fn init(json: bool, filter: &str) -> Result<(), TelemetryError> {
    let mut words = filter.split(',').map(str::trim).filter(|word| !word.is_empty() && !word.contains(['=', '[']));
    if let Some(word) = words.find(|word| word.parse::<LevelFilter>().is_err()) {
        return Err(TelemetryError::NoLevel { filter: filter.to_owned(), word: word.to_owned() });
    }
    let parsed = EnvFilter::builder().parse(filter);
    let parsed = parsed.map_err(|source| TelemetryError::Filter { filter: filter.to_owned(), source })?;
    let lines = tracing_subscriber::fmt().with_env_filter(parsed).with_writer(stderr);
    let started = if json { lines.json().try_init() } else { lines.with_ansi(stderr().is_terminal()).try_init() };
    started.map_err(|_| TelemetryError::SetUpBefore)
}
