//! `razz-dealer load`: many tables at once through the real service, measured.

mod caller;
mod echo;
mod journal;
mod lines;
mod report;

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::Context;
use tokio::task::JoinSet;

use super::embedded::Embedded;
use super::{CLEAN, FINDING, database};
use crate::config::{DatabaseUrl, PostgresConfig};
use crate::dealer::Decks;
use crate::store::Store;
use crate::store::postgres::{PostgresSettings, PostgresStore};
use crate::world::World;
use caller::{Caller, Goal, Scene};
use echo::Echo;
use journal::Journal;
use lines::{CALLERS_PER_LINE, Lines};
use report::Report;

/// Options of `load`.
#[derive(Clone, Debug, clap::Args)]
#[command(group(clap::ArgGroup::new("length").required(true)))]
pub struct LoadArgs {
    /// Services to call, every call at any of them; without this, one is started in this process.
    #[arg(long, value_name = "ADDR", value_delimiter = ',', conflicts_with = "database")]
    connect: Vec<SocketAddr>,

    /// The database of the service in this process: `sqlite:PATH` or `postgres://...`. Without it, a temporary one.
    #[arg(long, value_name = "URL")]
    database: Option<String>,

    /// How to use a Postgres database.
    #[command(flatten)]
    postgres: PostgresConfig,

    /// Give each command a transaction of its own in Postgres, to see what sharing them gains.
    #[arg(long, requires = "database")]
    one_by_one: bool,

    /// How many tables of six, each with one caller.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    tables: u32,

    /// Play so long, and stop wherever the hands are.
    #[arg(long, value_name = "S", group = "length", value_parser = clap::value_parser!(u32).range(1..=86_400))]
    seconds: Option<u32>,

    /// Play so many hands at each table to their end.
    #[arg(long, value_name = "H", group = "length", value_parser = clap::value_parser!(u64).range(1..))]
    hands: Option<u64>,

    /// What the players do, and which service is called, follows from this number and from the cards.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// Play so long before anything is measured; by default 1 with --seconds, 0 with --hands.
    #[arg(long, value_name = "S", value_parser = clap::value_parser!(u32).range(0..=86_400))]
    warm_up: Option<u32>,

    /// Add each acknowledged command to this file before its caller goes on: `STREAM SEQ REQUEST_ID`, a line each.
    #[arg(long, value_name = "FILE")]
    journal: Option<PathBuf>,

    /// Measure a call that does nothing beside it, with as many callers and answers of the same size.
    #[arg(long, conflicts_with = "hands")]
    echo: bool,

    /// Report as one JSON object.
    #[arg(long)]
    json: bool,
}

const SECOND: i64 = 1_000_000;
/// How many hands show what an answer looks like.
const SAMPLE: u64 = 3;

/// Plays, measures and reports.
///
/// # Errors
/// Where the service cannot be started, or is gone for a minute.
pub async fn run(args: LoadArgs) -> anyhow::Result<u8> {
    let clock = World::system();
    let journal = args.journal.as_deref().map(Journal::open).transpose()?;
    let scene = Arc::new(Scene::new(clock.clone(), journal)?);
    let service = match &args.database {
        _ if !args.connect.is_empty() => None,
        Some(url) => Some(Embedded::start_over(open(url, &args).await?, clock, Decks::OsEntropy).await?),
        None => Some(Embedded::start(clock, Decks::OsEntropy).await?),
    };
    let own = service.as_ref().map(|service| vec![service.addr()]);
    let outcome = measure(&args, &own.unwrap_or_else(|| args.connect.clone()), &scene).await;
    let stopped = match service {
        Some(service) => service.shut_down().await,
        None => Ok(()),
    };
    // What went wrong first is told.
    let report = outcome?;
    stopped?;
    if args.json {
        say!("{}", report.json());
    } else {
        report.tell();
    }
    Ok(if report.seen.errors.is_empty() { CLEAN } else { FINDING })
}

async fn open(url: &str, args: &LoadArgs) -> anyhow::Result<Arc<dyn Store>> {
    let url = DatabaseUrl::parse(url)?;
    match &url {
        DatabaseUrl::Postgres(server) if args.one_by_one => {
            let settings = PostgresSettings { batches: false, ..database::settings(server, &args.postgres) };
            Ok(Arc::new(PostgresStore::open(settings).await.with_context(|| format!("database {url}"))?))
        }
        _ => database::open(&url, &args.postgres, true).await,
    }
}

async fn measure(args: &LoadArgs, addrs: &[SocketAddr], scene: &Arc<Scene>) -> anyhow::Result<Report> {
    let (clock, callers) = (&scene.clock, args.tables);
    let lines = (0..).zip(Lines::all(addrs, callers, args.seed, clock));
    let mut tables: Vec<Caller> = lines.map(|(number, lines)| Caller::new(scene, number, args.seed, lines)).collect();
    tables = play(tables, Goal::Seated).await?;
    let mut echo = None;
    if args.echo {
        echo = Some(Echo::start(sample(&mut tables).await?, clock.clone()).await?);
    }
    let warm_up = i64::from(args.warm_up.unwrap_or_else(|| u32::from(args.seconds.is_some())));
    if warm_up > 0 {
        tables = play(tables, Goal::Time(clock.now() + warm_up * SECOND)).await?;
    }
    let micros = args.seconds.map(|seconds| i64::from(seconds) * SECOND);
    if let (Some(echo), Some(micros)) = (&mut echo, micros) {
        echo.measure(callers, micros / 4).await?;
    }
    scene.tally.begin();
    let begun = clock.now();
    let goal = match micros {
        Some(micros) => Goal::Time(begun + micros),
        None => Goal::Hands(args.hands.unwrap_or_default()),
    };
    play(tables, goal).await?;
    let measured = clock.now() - begun;
    let seen = scene.tally.so_far();
    let echo = match (echo, micros) {
        (Some(mut echo), Some(micros)) => {
            echo.measure(callers, micros / 4).await?;
            Some(echo.stop().await?)
        }
        _ => None,
    };
    Ok(Report { tables: args.tables, micros: measured, seen, echo, callers_per_line: CALLERS_PER_LINE })
}

/// All callers at once, each to the goal.
async fn play(callers: Vec<Caller>, goal: Goal) -> anyhow::Result<Vec<Caller>> {
    let mut playing = JoinSet::new();
    for caller in callers {
        playing.spawn(caller.play(goal));
    }
    let mut played = Vec::new();
    // The first that fails ends the others.
    while let Some(ended) = playing.join_next().await {
        played.push(ended??);
    }
    played.sort_by_key(|caller| caller.number);
    Ok(played)
}

/// Answers of a few hands at one of the tables.
async fn sample(tables: &mut Vec<Caller>) -> anyhow::Result<Vec<crate::pb::HandView>> {
    let mut caller = tables.remove(0);
    caller.kept = Some(Vec::new());
    let mut caller = caller.play(Goal::Hands(SAMPLE)).await?;
    let kept = caller.kept.take().unwrap_or_default();
    tables.insert(0, caller);
    anyhow::ensure!(!kept.is_empty(), "no action was answered, so there is nothing to echo");
    Ok(kept)
}
