//! `razz-dealer reconcile`: whether records, transfers and balances of a database say the same.

use anyhow::Context;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde_json::json;

use super::{CLEAN, FINDING, database};
use crate::audit::{self, Difference, Progress, Reconciled};
use crate::config::{DatabaseUrl, PostgresConfig};
use crate::ledger::TableId;
use crate::store::StoreError;

/// Options of `reconcile`.
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = "\
Proves that all accounts add up to zero, that each balance is what its transfers and a replay of its stream come to,
that each transfer is what the events of its record demand, that both halves of every buy-in and cash-out are there,
that every hand has its deck and no other hand one, and that every stream is whole. Each difference is a line. Nothing
is changed.

A SQLite file is held by the service that uses it: where one is running, ask it by LedgerService/Reconcile.

Exit codes: 0 no difference, 1 differences, 2 usage or no database that is set up for this, 3 the database is not to be
had.")]
pub struct ReconcileArgs {
    /// Where the record is kept, as for `serve`.
    #[arg(long, env = "RAZZ_DATABASE", value_name = "URL", hide_env_values = true)]
    pub database: String,
    /// How to use a Postgres database.
    #[command(flatten)]
    pub postgres: PostgresConfig,
    /// Only this table and its accounts.
    #[arg(long, value_name = "TABLE_ID", value_parser = table)]
    pub table: Option<TableId>,
    /// One JSON object for each difference, a line each, and one for the totals, instead of words.
    #[arg(long)]
    pub json: bool,
}

fn table(text: &str) -> Result<TableId, String> {
    let id = uuid::Uuid::try_parse(text).map_err(|_| "expected the id of a table, a UUID".to_owned())?;
    Ok(TableId(id.into_bytes()))
}

/// Reconciles, prints what differs, and gives the exit code.
///
/// # Errors
/// Where the database cannot be opened, or fails.
pub async fn run(args: ReconcileArgs) -> anyhow::Result<u8> {
    let url = DatabaseUrl::parse(&args.database)?;
    let store = match database::open(&url, &args.postgres, false).await {
        Err(error) if matches!(error.downcast_ref(), Some(StoreError::Held)) => {
            return Err(error.context("a running service must be asked itself, by LedgerService/Reconcile"));
        }
        opened => opened?,
    };
    let bar = bar();
    let mut tell = |progress: Progress| show(&bar, &progress);
    let reconciled = audit::reconcile(&*store, args.table, &mut tell).await;
    bar.finish_and_clear();
    store.close().await;
    // What was found is told, also where more could not be looked for.
    let differences = match &reconciled {
        Ok(whole) => &whole.differences,
        Err(unfinished) => &unfinished.so_far.differences,
    };
    for difference in differences {
        if args.json { say!("{}", difference_json(difference)) } else { say!("{difference}") }
    }
    let reconciled = reconciled.with_context(|| format!("database {url}"))?;
    if args.json {
        say!("{}", totals_json(&reconciled));
    } else {
        say!("{}", totals(&reconciled));
    }
    Ok(if reconciled.differences.is_empty() { CLEAN } else { FINDING })
}

/// A bar on a terminal, and nothing elsewhere.
fn bar() -> ProgressBar {
    let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
    let style = ProgressStyle::with_template("{bar:40} {pos}/{len} streams, {msg}, {elapsed}");
    bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

fn show(bar: &ProgressBar, progress: &Progress) {
    bar.set_length(progress.streams.max(progress.streams_done));
    bar.set_position(progress.streams_done);
    bar.set_message(format!("{} records, {} accounts", progress.records, progress.accounts));
}

fn totals(reconciled: &Reconciled) -> String {
    let Progress { streams_done, records, transfers, accounts, .. } = reconciled.progress;
    let count = |number: u64, name: &str| format!("{number} {name}{}", if number == 1 { "" } else { "s" });
    let done = [(streams_done, "stream"), (records, "record"), (transfers, "transfer"), (accounts, "account")];
    let done = done.map(|(number, name)| count(number, name)).join(", ");
    format!("{done}: {}", count(reconciled.differences.len() as u64, "difference"))
}

fn totals_json(reconciled: &Reconciled) -> serde_json::Value {
    let Progress { streams_done, records, transfers, accounts, .. } = reconciled.progress;
    json!({
        "streams": streams_done,
        "records": records,
        "transfers": transfers,
        "accounts": accounts,
        "differences": reconciled.differences.len(),
    })
}

fn difference_json(difference: &Difference) -> serde_json::Value {
    let some = |text: String| Some(text).filter(|text| !text.is_empty());
    json!({
        "kind": difference.kind(),
        "stream": difference.stream().map(|stream| TableId(stream.0).to_string()),
        "seq": difference.seq().map(|seq| seq.0),
        "account": difference.account().map(ToString::to_string),
        "expected": some(difference.expected()),
        "found": some(difference.found()),
        "text": difference.to_string(),
    })
}
