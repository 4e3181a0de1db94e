//! `razz-dealer recover`: what open hands wait for, and the settlement of those that wait for nobody.

use anyhow::Context;
use uuid::Uuid;

use super::{CLEAN, FINDING, database, sealing};
use crate::config::{DatabaseUrl, KeysConfig, PostgresConfig};
use crate::dealer::{Dealer, Decks, Troubled, Waits};
use crate::record::Micros;
use crate::shuffle::SealingKey;
use crate::world::World;

/// Options of `recover`.
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = "\
Lists every open hand and what it waits for, as a replay of its records leaves it. Hands that are played out, and whose
table says after how long they are settled without being asked (settle_after_ms), are settled where that time is over,
each once, whoever else does the same; with --dry-run they are only named. A running service does this by itself. A
table whose records are damaged is named, and keeps nobody from the others.

Exit codes: 0 all is well, 1 a table cannot be read or settled, 2 usage or no database that is set up for
this, 3 the database is not to be had.")]
pub struct RecoverArgs {
    /// Where the record is kept, as for `serve`.
    #[arg(long, env = "RAZZ_DATABASE", value_name = "URL", hide_env_values = true)]
    pub database: String,
    /// How to use a Postgres database.
    #[command(flatten)]
    pub postgres: PostgresConfig,
    /// The keys that decks rest under: needed only where a settlement opens its deck to everybody.
    #[command(flatten)]
    pub keys: KeysConfig,
    /// Change nothing.
    #[arg(long)]
    pub dry_run: bool,
}

/// Lists open hands, and settles those that are due.
///
/// # Errors
/// Where the database cannot be opened, or fails.
pub async fn run(args: &RecoverArgs) -> anyhow::Result<u8> {
    let (url, world) = (DatabaseUrl::parse(&args.database)?, World::system());
    let keys = match sealing::at_hand(&url, &args.keys)? {
        Some(keys) => keys,
        // Nothing is sealed here, and a hand is settled without its key.
        None => SealingKey::new(world.random()?).into(),
    };
    let store = database::open(&url, &args.postgres, false).await?;
    let dealer = Dealer::new(std::sync::Arc::clone(&store), world.clone(), keys, Decks::OsEntropy);
    let outcome = recover(&dealer, args.dry_run, Micros(world.now())).await;
    store.close().await;
    outcome.with_context(|| format!("database {url}"))
}

async fn recover(dealer: &Dealer, dry_run: bool, now: Micros) -> anyhow::Result<u8> {
    let (mut after, mut counts, mut damaged) = (None, [0_u64; 3], 0_u64);
    loop {
        let (open, next) = dealer.open_hands(after).await?;
        for hand in &open {
            let words = match &hand.waits {
                Ok(waits) => {
                    let (kind, words) = told(*waits, now);
                    counts[kind] += 1;
                    words
                }
                Err(why) => {
                    damaged += 1;
                    format!("cannot be read: {why}")
                }
            };
            say!("table {} hand {}: {words}", Uuid::from_bytes(hand.table.0), hand.hand);
        }
        after = next;
        if after.is_none() {
            break;
        }
    }
    let [players, asked, due] = counts;
    say!("{players} wait for a player, {asked} are played out and wait for Settle, {due} are to be settled now");
    if damaged > 0 {
        say!("{damaged} cannot be read: `razz-dealer reconcile` says more");
    }
    if dry_run {
        say!("0 settled (a dry run)");
        return Ok(if damaged == 0 { CLEAN } else { FINDING });
    }
    let round = dealer.settle_due(&mut Troubled::default()).await?;
    for (table, hand, why) in &round.failed {
        say!("table {} hand {hand}: cannot be settled: {why}", Uuid::from_bytes(table.0));
    }
    say!("{} settled", round.settled);
    Ok(if damaged == 0 && round.failed.is_empty() { CLEAN } else { FINDING })
}

/// What a hand waits for: its place among the counts, and the words.
fn told(waits: Waits, now: Micros) -> (usize, String) {
    match waits {
        Waits::Player(seat) => (0, format!("waits for seat {seat}")),
        Waits::Settle => (1, "played out: waits for Settle".to_owned()),
        Waits::SettleOr(moment) if moment > now => {
            let seconds = (moment.0 - now.0) / 1_000_000;
            (1, format!("played out: settled without being asked in {seconds} s"))
        }
        Waits::SettleOr(_) => (2, "played out: to be settled now".to_owned()),
    }
}
