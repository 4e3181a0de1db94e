//! Recorded hands: PHH files (TOML, variant FR), read into what `replay` plays.
//!
//! One hand a `.phh` file; a `.phhs` file has several, each a table. Fields that have no part in a replay are ignored.

mod actions;
mod cards;
mod deck;
mod fields;
mod wrong;

use std::path::Path;

use toml_edit::Document;

pub use wrong::{Unreadable, Wrong};

use crate::engine::{Card, Deck, Preset, Seat, Street};
use fields::Fields;

/// A recorded hand. Players are counted from 0, in the order of the file.
#[derive(Clone, Debug)]
pub struct Recorded {
    /// The line on which it begins.
    pub line: usize,
    /// Minor units, as all amounts here.
    pub ante: i64,
    /// The bring-in.
    pub bring_in: i64,
    /// The bet of third and fourth street.
    pub small_bet: i64,
    /// Who plays, 2 to 8.
    pub players: Vec<Player>,
    /// The deck that deals exactly the recorded cards.
    pub deck: Deck,
    /// The decisions of the betting, in order.
    pub moves: Vec<Move>,
    /// The hands that were shown or mucked, in order.
    pub shows: Vec<Show>,
    /// What must hold beside that.
    pub expected: Expected,
    /// The house rules that the file asks for.
    pub rules: Option<Preset>,
    /// The rake that the file asks for.
    pub rake: Option<RecordedRake>,
}

/// A player of a recorded hand.
#[derive(Clone, Copy, Debug)]
pub struct Player {
    /// Where.
    pub seat: Seat,
    /// With how much, at least 1.
    pub stack: i64,
}

/// A decision of the betting.
#[derive(Clone, Debug)]
pub struct Move {
    /// Its line.
    pub line: usize,
    /// As it stands there.
    pub text: String,
    /// Who.
    pub player: usize,
    /// What.
    pub what: What,
    /// The street that the file has dealt by then.
    pub street: Street,
}

/// What a player did.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum What {
    /// `f`
    Fold,
    /// `pb`
    BringIn,
    /// `cc`
    CheckOrCall,
    /// `cbr`: to this total of the round.
    To(i64),
}

/// An `sm` line.
#[derive(Clone, Debug)]
pub struct Show {
    /// Its line.
    pub line: usize,
    /// Who.
    pub player: usize,
    /// The cards shown; `None` for a muck.
    pub cards: Option<Vec<Card>>,
    /// How many cards of their own the player held then.
    pub held: usize,
}

/// What the file says beside the actions; where it is silent there is nothing to compare.
#[derive(Clone, Debug, Default)]
pub struct Expected {
    /// `finishing_stacks`, in the order of the players.
    pub stacks: Option<Vec<i64>>,
    /// `_rake`
    pub rake: Option<i64>,
    /// `_legal`: a line of the file and what stands there, for each decision.
    pub legal: Option<Vec<(usize, String)>>,
    /// `_show_order`: who showed or mucked, in order, as in `p1 p3`.
    pub show_order: Option<String>,
}

/// The rake in user fields (R37).
#[derive(Clone, Copy, Debug)]
pub struct RecordedRake {
    /// `_rake_amount`
    pub amount: i64,
    /// `_rake_step`
    pub step: i64,
    /// `_rake_cap`, for every number of players.
    pub cap: Option<i64>,
    /// `_no_rake_on_third`
    pub none_on_third: bool,
}

/// A hand under its name, or why it cannot be read.
pub type Named = (String, Result<Recorded, Unreadable>);

/// The hands of a file, each under its name: 1 in a `.phh` file, the name of its table in a `.phhs` file.
///
/// # Errors
/// Where the file as a whole cannot be read; a hand that cannot be read leaves the others readable.
pub fn read(file: &str, text: &str) -> Result<Vec<Named>, Unreadable> {
    let failed = |line, wrong| Unreadable { file: file.to_owned(), line, wrong };
    let document = Document::parse(text).map_err(|error| {
        let at = error.span().map_or(0, |span| span.start);
        failed(line_of(text, at), Wrong::NotToml(error.message().trim().replace('\n', ", ")))
    })?;
    let hand = |fields: &Fields<'_>| hand(fields).map_err(|(line, wrong)| failed(line, wrong));
    let root = document.as_table();
    if Path::new(file).extension().is_none_or(|kind| kind != "phhs") {
        return Ok(vec![("1".to_owned(), hand(&Fields { text, table: root, line: 1 }))]);
    }
    let mut hands = Vec::new();
    for (name, item) in root {
        let line = line_of(text, root.key(name).and_then(toml_edit::Key::span).map_or(0, |span| span.start));
        let table = item.as_table().ok_or_else(|| failed(line, Wrong::NoHand(name.to_owned())))?;
        hands.push((name.to_owned(), hand(&Fields { text, table, line })));
    }
    if hands.is_empty() { Err(failed(1, Wrong::NoHands)) } else { Ok(hands) }
}

/// A line and what is wrong there.
type At<T> = Result<T, (usize, Wrong)>;

fn hand(fields: &Fields<'_>) -> At<Recorded> {
    let head = fields.head()?;
    let log = actions::read(&head.players, &fields.actions()?)?;
    let deck = deck::build(&head.players, &log)?;
    Ok(Recorded {
        line: fields.line,
        ante: head.ante,
        bring_in: head.bring_in,
        small_bet: head.small_bet,
        deck,
        moves: log.moves,
        shows: log.shows,
        expected: fields.expected(head.players.len())?,
        rules: fields.rules()?,
        rake: fields.rake()?,
        players: head.players,
    })
}

/// The line of a byte, from 1.
fn line_of(text: &str, at: usize) -> usize {
    1 + text.bytes().take(at).filter(|&byte| byte == b'\n').count()
}
