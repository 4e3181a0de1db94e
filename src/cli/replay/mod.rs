//! `razz-dealer replay`: recorded hands through the real service over a socket, and how they compare.

mod compare;
mod play;
mod service;

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::json;

use super::phh::{self, Recorded, Unreadable, Wrong};
use super::{CLEAN, FINDING, UNUSABLE};
use crate::engine::Preset;
use play::Played;
use service::Service;

/// Options of `replay`.
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = "\
Reads PHH files (Poker Hand History, TOML, variant FR): one hand in a .phh file, a table for each hand in a
.phhs file. Each hand is seated, dealt exactly the recorded cards, played and settled; its record says SCRIPTED.
Then the stacks must be the finishing_stacks of the file. Cards that nobody saw (??) are allowed where they decide
nothing; a hand that reaches the showdown needs its cards, mucked or not (R30). Where the file has no sm line for a
hand that may be mucked, it is mucked.

User fields: _rules (a preset; it goes before --rules), _rake_amount, _rake_step, _rake_cap and _no_rake_on_third
make the table. _rake, _legal and _show_order (who showed or mucked) are compared where they are.

Exit codes: 0 every hand ends as recorded, 1 a difference, 2 a file or hand that cannot be read or played (this
goes before 1; the other hands are played all the same), 3 the service cannot be started.")]
pub struct ReplayArgs {
    /// The files.
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// The house rules of hands that name none: `full_tilt`, `pokerstars`, `club`, `romanian` or `wsop`.
    #[arg(long, value_name = "PRESET", default_value = "pokerstars", value_parser = preset)]
    pub rules: Preset,
    /// One JSON object for each hand, a line each, instead of words: file, hand, ok, difference, error, seats.
    #[arg(long)]
    pub json: bool,
}

fn preset(name: &str) -> Result<Preset, String> {
    let expected = || format!("expected one of {}", Preset::ALL.map(Preset::name).join(", "));
    Preset::named(name).ok_or_else(expected)
}

/// Plays every hand of the files, says how each ends, and gives the exit code.
///
/// # Errors
/// Where the service cannot be started or fails.
pub async fn run(args: ReplayArgs) -> anyhow::Result<u8> {
    let mut service = Service::start(args.rules).await?;
    let mut count = Count::default();
    for path in &args.files {
        let file = path.display().to_string();
        for (hand, verdict) in verdicts(&mut service, path, &file).await? {
            count.add(&verdict);
            let line =
                if args.json { verdict.json(&file, hand.as_deref()) } else { verdict.words(&file, hand.as_deref()) };
            say!("{line}");
        }
    }
    if !args.json {
        say!("{}", count.words());
    }
    service.shut_down().await?;
    Ok(count.code())
}

/// How a hand, or a file that cannot be read, comes out.
#[derive(Debug)]
enum Verdict {
    Played(Played),
    Unreadable(Unreadable),
}

async fn verdicts(service: &mut Service, path: &Path, file: &str) -> anyhow::Result<Vec<(Option<String>, Verdict)>> {
    let not_opened =
        |why: std::io::Error| Unreadable { file: file.to_owned(), line: 1, wrong: Wrong::NotOpened(why.to_string()) };
    let hands = fs::read_to_string(path).map_err(not_opened).and_then(|text| phh::read(file, &text));
    let hands = match hands {
        Ok(hands) => hands,
        Err(unreadable) => return Ok(vec![(None, Verdict::Unreadable(unreadable))]),
    };
    let mut verdicts = Vec::new();
    for (name, hand) in hands {
        let verdict = match hand {
            Ok(hand) => play_one(service, file, &hand).await?,
            Err(unreadable) => Verdict::Unreadable(unreadable),
        };
        verdicts.push((Some(name), verdict));
    }
    Ok(verdicts)
}

async fn play_one(service: &mut Service, file: &str, hand: &Recorded) -> anyhow::Result<Verdict> {
    match play::play(service, hand).await {
        Ok(played) => Ok(Verdict::Played(played)),
        Err(play::Stopped::Wrong(line, wrong)) => {
            Ok(Verdict::Unreadable(Unreadable { file: file.to_owned(), line, wrong }))
        }
        Err(play::Stopped::Broken(error)) => Err(error),
    }
}

impl Verdict {
    fn words(&self, file: &str, hand: Option<&str>) -> String {
        let place = hand.map_or_else(|| file.to_owned(), |hand| format!("{file}: hand {hand}"));
        match self {
            Verdict::Unreadable(Unreadable { line, wrong, .. }) => format!("{place}: line {line}: {wrong}"),
            Verdict::Played(Played { difference: Some(difference), .. }) => format!("{place}: {difference}"),
            Verdict::Played(Played { compared: true, .. }) => format!("{place}: ok"),
            Verdict::Played(_) => format!("{place}: ok (no finishing_stacks, so no stacks were compared)"),
        }
    }

    fn json(&self, file: &str, hand: Option<&str>) -> String {
        let (difference, error, stacks) = match self {
            Verdict::Unreadable(unreadable) => (None, Some(unreadable.to_string()), &[][..]),
            Verdict::Played(played) => (played.difference.as_deref(), None, &played.stacks[..]),
        };
        let seat = |(seat, stack): &(u8, i64)| json!({ "seat": seat, "stack": stack });
        let seats: Vec<serde_json::Value> = stacks.iter().map(seat).collect();
        let ok = difference.is_none() && error.is_none();
        let hand = hand.map(|name| name.parse::<u64>().map_or_else(|_| json!(name), |number| json!(number)));
        json!({ "file": file, "hand": hand, "ok": ok, "difference": difference, "error": error, "seats": seats })
            .to_string()
    }
}

/// How many came out how.
#[derive(Default)]
struct Count {
    ok: usize,
    different: usize,
    unreadable: usize,
}

impl Count {
    const fn add(&mut self, verdict: &Verdict) {
        match verdict {
            Verdict::Unreadable(_) => self.unreadable += 1,
            Verdict::Played(Played { difference: Some(_), .. }) => self.different += 1,
            Verdict::Played(_) => self.ok += 1,
        }
    }

    fn words(&self) -> String {
        let all = self.ok + self.different + self.unreadable;
        let mut words = format!("{} {}: {} ok", all, if all == 1 { "hand" } else { "hands" }, self.ok);
        for (number, name) in [(self.different, "different"), (self.unreadable, "unreadable")] {
            if number > 0 {
                words += &[", ", &number.to_string(), " ", name].concat();
            }
        }
        words
    }

    const fn code(&self) -> u8 {
        match (self.unreadable, self.different) {
            (0, 0) => CLEAN,
            (0, _) => FINDING,
            _ => UNUSABLE,
        }
    }
}
