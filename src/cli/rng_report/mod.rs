//! `razz-dealer rng-report`: the service's own shuffle, millions of times, put to statistical tests.

mod across;
pub mod chance;
mod coupons;
mod examine;
mod family;
mod gaps;
mod neighbours;
mod patterns;
mod picture;
mod poker;
mod positions;
mod repeats;
mod report;
mod runs;
mod table;

use std::fs::File;
use std::io::Write;
use std::path::PathBuf;

use anyhow::Context;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

pub use examine::{BLOCK, examine};
pub use family::{Cards, Law, Outcome};
pub use picture::svg;
pub use report::{EVENNESS_LIMIT, LIMIT, Report};

use super::{CLEAN, FINDING};
use crate::engine::Card;
use crate::shuffle::{self, SEED_BYTES, Seed};
use crate::world::{NoEntropy, World};

/// Options of `rng-report`.
#[derive(Clone, Debug, clap::Args)]
pub struct RngReportArgs {
    /// How many shuffles; of fewer than 100,000 the tests could say little.
    #[arg(long, value_name = "N", default_value_t = 10_000_000, value_parser = at_least(FEWEST))]
    shuffles: u64,

    /// The seeds follow from this number, so that the report can be repeated.
    #[arg(long, value_name = "N", conflicts_with = "os")]
    seed: Option<u64>,

    /// Every seed is the operating system's randomness, as when the service deals. So it is without --seed too.
    #[arg(long)]
    os: bool,

    /// Draw how often each card lay at each position into this SVG file.
    #[arg(long, value_name = "FILE.svg", value_parser = svg_path)]
    picture: Option<PathBuf>,

    /// Report as one JSON object.
    #[arg(long)]
    json: bool,
}

const FEWEST: u64 = 100_000;

fn at_least(fewest: u64) -> clap::builder::RangedU64ValueParser {
    clap::value_parser!(u64).range(fewest..)
}

fn svg_path(path: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(path);
    let is_svg = path.extension().is_some_and(|kind| kind.eq_ignore_ascii_case("svg"));
    if is_svg { Ok(path) } else { Err("the picture is SVG, so its name must end in .svg".to_owned()) }
}

/// Shuffles, tests and reports.
///
/// # Errors
/// Where there is no randomness, or the picture cannot be written.
pub fn run(args: &RngReportArgs) -> anyhow::Result<u8> {
    // Before a minute's work, not after it.
    let create = |path: &PathBuf| File::create(path).with_context(|| named(path));
    let file = args.picture.as_ref().map(create).transpose()?;
    let (world, bar) = (World::system(), bar(args.shuffles));
    let deal = |hand| match args.seed {
        Some(seed) => Ok(cards(&counted(seed, hand))),
        None => world.random().map(|bytes| cards(&Seed::new(bytes))),
    };
    let report: Result<Report, NoEntropy> = examine(args.shuffles, deal, |hands| bar.inc(hands));
    bar.finish_and_clear();
    let report = report?;
    if let (Some(path), Some(mut file)) = (&args.picture, file) {
        file.write_all(svg(&report).as_bytes()).with_context(|| named(path))?;
    }
    let seeds = args.seed.map_or("from the operating system".to_owned(), |seed| format!("from the number {seed}"));
    if args.json {
        say!("{}", report.json(&seeds));
    } else {
        report.tell(&seeds);
    }
    Ok(code(&report))
}

/// The exit code of a report.
pub fn code(report: &Report) -> u8 {
    if report.is_in_order() { CLEAN } else { FINDING }
}

fn named(path: &std::path::Path) -> String {
    format!("picture {}", path.display())
}

/// The cards as the service lays them from this seed.
pub fn cards(seed: &Seed) -> Cards {
    shuffle::order(seed).order().map(Card::index)
}

/// The seed of the hand of this number, each pair its own. The numbers stand in it as they are: that nothing of it is
/// to be seen in the order is for the shuffle to do, and for the tests to find.
pub fn counted(seed: u64, hand: u64) -> Seed {
    let mut bytes = [0; SEED_BYTES];
    bytes[..8].copy_from_slice(&seed.to_be_bytes());
    bytes[8..16].copy_from_slice(&hand.to_be_bytes());
    Seed::new(bytes)
}

/// A bar on a terminal, and nothing elsewhere.
fn bar(shuffles: u64) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(shuffles), ProgressDrawTarget::stderr());
    let style = ProgressStyle::with_template("{bar:40} {pos}/{len} shuffles, {elapsed}");
    bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}
