//! `razz-dealer verify`: whether a proof of cards holds, offline and without any key.

mod file;

use std::path::PathBuf;

use anyhow::anyhow;
use uuid::Uuid;

pub(in crate::cli) use self::file::FORMAT;
pub use self::file::Unreadable;
use self::file::{Proof, ProofFile};
use super::{CLEAN, FINDING};
use crate::shuffle::{OpenedFrom, ProofError, Root};

/// Options of `verify`.
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = "\
A proof file shows one card, the cards that a closed hand revealed, or a whole opened deck. Its root is only what the
file says: compare it with the one in HandOpened, or give that one as --root.

Exit codes: 0 it holds, 1 it does not (the first word is the reason), 2 usage or no proof file.
What each check proves, and what not, is told in tests/clients/proof-spec.md, beside an independent verifier.")]
pub struct VerifyArgs {
    /// The proof.
    #[arg(long, value_name = "FILE")]
    pub proof: PathBuf,
    /// The root of the hand as the record has it, in place of the one in the file.
    #[arg(long, value_name = "HEX", value_parser = root)]
    pub root: Option<Root>,
}

fn root(text: &str) -> Result<Root, String> {
    file::bytes(text).map(Root).ok_or_else(|| "expected a root, 64 lower-case hexadecimal digits".to_owned())
}

/// What came of a proof that could be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// It holds, and this is what it shows.
    Proved(Vec<String>),
    /// It does not hold.
    Refused(ProofError),
}

/// Judges the text of a proof file, by this root if there is one, else by the file's own.
///
/// # Errors
/// Where the text is no proof file.
pub fn judge(text: &str, root: Option<Root>) -> Result<Verdict, Unreadable> {
    Ok(match file::read(text)? {
        Ok(mut file) => {
            file.root = root.unwrap_or(file.root);
            check(&file).map_or_else(Verdict::Refused, |()| Verdict::Proved(shown(&file)))
        }
        Err(error) => Verdict::Refused(error),
    })
}

fn check(file: &ProofFile) -> Result<(), ProofError> {
    match &file.proof {
        Proof::Card(proof) => proof.verify(file.of, file.root),
        Proof::Hand(proof) => proof.verify(file.of, file.root),
        Proof::Deck(opened) => opened.verify(file.of, file.root),
    }
}

/// What a proof that holds shows.
fn shown(file: &ProofFile) -> Vec<String> {
    let mut lines =
        vec![format!("table {} hand {}, root {}", Uuid::from_bytes(file.of.table), file.of.hand, file.root)];
    match &file.proof {
        Proof::Card(proof) => lines.push(format!("position {}: {}", proof.revealed.position, proof.revealed.card)),
        Proof::Hand(proof) => {
            lines.extend(proof.cards.iter().map(|shown| format!("position {}: {}", shown.position, shown.card)));
        }
        Proof::Deck(opened) => {
            let order: Vec<String> = opened.order.iter().map(ToString::to_string).collect();
            lines.push(format!("order: {}", order.join(" ")));
            lines.push(
                match &opened.from {
                    OpenedFrom::Script { .. } => "scripted: the deck is unchanged, and not drawn at random",
                    OpenedFrom::Seed { nonces, .. } if !nonces.is_empty() => {
                        "the order follows from the bound seed and the players' nonces"
                    }
                    OpenedFrom::Seed { .. } => "the order follows from the seed, which the house alone chose",
                }
                .to_owned(),
            );
        }
    }
    lines
}

/// Verifies, prints what is shown or why not, and gives the exit code.
///
/// # Errors
/// Where the file cannot be read, or is no proof file.
pub fn run(args: &VerifyArgs) -> anyhow::Result<u8> {
    let place = args.proof.display();
    // A file that is not there is no proof: that is no outage, so the cause is told and not handed on.
    let text = std::fs::read_to_string(&args.proof).map_err(|error| anyhow!("proof {place}: {error}"))?;
    match judge(&text, args.root).map_err(|error| anyhow!("proof {place}: {error}"))? {
        Verdict::Proved(lines) => {
            say!("PROVED");
            for line in &lines {
                say!("{line}");
            }
            Ok(CLEAN)
        }
        Verdict::Refused(error) => {
            say!("{}: {error}", error.name());
            Ok(FINDING)
        }
    }
}
