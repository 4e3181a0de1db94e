//! The command line: what it takes, and what its exit code means.

/// Prints a line.
macro_rules! say {
    ($($arg:tt)*) => {
        $crate::cli::print(format_args!($($arg)*))
    };
}

pub mod cards;
mod database;
pub mod demo;
pub mod embedded;
pub mod keys;
pub mod load;
pub mod phh;
pub mod proof;
pub mod reconcile;
pub mod recover;
pub mod replay;
pub mod rng_report;
mod sealing;
mod serve;
pub mod verify;

use std::fmt;
use std::io::{ErrorKind, Write};
use std::sync::atomic::{AtomicBool, Ordering};

use clap::{Parser, Subcommand};

use crate::store::StoreError;
use crate::world::NoEntropy;

/// A line could not be written.
static LOST: AtomicBool = AtomicBool::new(false);

/// Prints a line. That nobody reads it any more, as behind `| head`, does not keep a command from its work and is no
/// trouble; that it cannot be written, as on a full disk, is told by the exit code.
fn print(line: fmt::Arguments<'_>) {
    if let Err(error) = writeln!(std::io::stdout(), "{line}")
        && error.kind() != ErrorKind::BrokenPipe
        && !LOST.swap(true, Ordering::Relaxed)
    {
        eprintln!("razz-dealer: the output cannot be written: {error}");
    }
}

/// Bytes in hexadecimal digits.
fn in_hex(bytes: &[u8]) -> String {
    use std::fmt::Write as _;
    bytes.iter().fold(String::with_capacity(2 * bytes.len()), |mut text, byte| {
        // Writing to a String cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// Exit code: all is well.
pub const CLEAN: u8 = 0;
/// Exit code: something was found that is not as it should be.
pub const FINDING: u8 = 1;
/// Exit code: the command line or an input file cannot be used.
pub const UNUSABLE: u8 = 2;
/// Exit code: something outside is not to be had: an address, a database, the service.
pub const UNAVAILABLE: u8 = 3;

/// What `razz-dealer` takes.
#[derive(Debug, Parser)]
#[command(
    name = "razz-dealer",
    version,
    about = "Deals, referees and settles fixed-limit Razz for poker platforms, over gRPC, and can prove it.",
    after_help = "Exit codes: 0 clean, 1 a finding, 2 usage or unreadable input, 3 unavailable.\n\n\
                  Start with `razz-dealer demo`: it plays one hand through the real service and tells it.\n\
                  Then `razz-dealer serve`, and call razz.dealer.v1 from any gRPC client; reflection is on."
)]
pub struct Cli {
    #[command(subcommand)]
    command: Verb,
}

#[derive(Debug, Subcommand)]
enum Verb {
    /// Run the service until it is told to stop (SIGINT or SIGTERM).
    #[command(after_help = "An SQLite file is held by one service alone: a second one is refused with exit code 3. \
                            A Postgres database is shared by as many as you like. Every option can be set by \
                            environment too.")]
    Serve(crate::config::ServeConfig),
    /// Play one hand through the real service, and tell it street by street.
    #[command(after_help = "The database is temporary. With --seed the cards and the players' decisions follow from \
                            the number, so the same seed tells the same story; its record says SCRIPTED.")]
    Demo(demo::DemoArgs),
    /// Play recorded hands (PHH files, variant FR) through the real service, and compare how they end.
    Replay(replay::ReplayArgs),
    /// Bring the schema of a Postgres database up to date, as the role that owns it.
    Migrate(database::MigrateArgs),
    /// Show what open hands wait for, and settle those whose time has come.
    Recover(recover::RecoverArgs),
    /// Keys that seal decks.
    #[command(subcommand)]
    Keys(keys::Keys),
    /// Keys of players, and cards that are sealed to them.
    #[command(subcommand)]
    Cards(cards::Cards),
    /// Play many tables at once through the real service, and measure it.
    #[command(
        after_help = "A request that is not answered is sent again with the same request_id, to another address \
                            if there are several; after a minute without an answer it ends with exit code 3. \
                            A refusal is a finding: exit code 1."
    )]
    Load(load::LoadArgs),
    /// Prove that records, transfers and balances of a database say the same, and name each difference.
    Reconcile(reconcile::ReconcileArgs),
    /// Write proofs of a hand's cards as files, from a service or from the record alone.
    Proof(Box<proof::ProofArgs>),
    /// Check a proof of cards against the root that was published before the hand, offline.
    Verify(verify::VerifyArgs),
    /// Shuffle many times as the service does, put the orders to statistical tests, and report each p-value.
    #[command(after_help = "A shuffle that is not in order is a finding: exit code 1. A sound one is found so about \
                            once in 10,000 times.")]
    RngReport(rng_report::RngReportArgs),
}

/// Does what the command line says, and gives the exit code.
///
/// # Errors
/// What kept it from being done; [`exit_code`] tells its code.
pub async fn run(cli: Cli) -> anyhow::Result<u8> {
    let code = match cli.command {
        Verb::Serve(config) => serve::run(&config).await?,
        Verb::Demo(args) => demo::run(args).await?,
        Verb::Replay(args) => replay::run(args).await?,
        Verb::Migrate(args) => database::migrate(&args).await?,
        Verb::Recover(args) => recover::run(&args).await?,
        Verb::Keys(keys) => keys::run(&keys).await?,
        Verb::Cards(cards) => cards::run(&cards)?,
        Verb::Load(args) => load::run(args).await?,
        Verb::Reconcile(args) => reconcile::run(args).await?,
        Verb::Proof(args) => proof::run(&args).await?,
        Verb::Verify(args) => verify::run(&args)?,
        Verb::RngReport(args) => rng_report::run(&args)?,
    };
    Ok(if LOST.load(Ordering::Relaxed) { UNAVAILABLE } else { code })
}

/// Whether coming again helps nothing: it is not the database for this, or not set up for it.
const fn to_be_seen_to(error: &StoreError) -> bool {
    use StoreError::{Corrupt, DeckRefused, NewerFormat, NotMigrated, Unusable};
    matches!(error, Corrupt(_) | DeckRefused | NewerFormat { .. } | NotMigrated { .. } | Unusable(_))
}

/// The exit code of a failure: 3 where something outside is not to be had, 2 where the input cannot be used.
pub fn exit_code(error: &anyhow::Error) -> u8 {
    let unavailable = error.chain().any(|cause| {
        let store = cause.downcast_ref::<StoreError>();
        store.is_some_and(|error| !to_be_seen_to(error))
            || cause.is::<std::io::Error>()
            || cause.is::<NoEntropy>()
            || crate::grpc::client::is_unavailable(cause)
    });
    if unavailable { UNAVAILABLE } else { UNUSABLE }
}
