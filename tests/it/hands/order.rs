//! Statements that ask something of the table, as what they ask.

use std::sync::Arc;

use razz_dealer::engine::{
    Action, Chips, Command, HouseRules, Nonce, PlayerId, Preset, Seat, Settings, Stakes, TableCommand,
};

use super::rules;
use super::scene::Scene;
use super::words::{Words, quoted};

/// What is asked of the table.
pub enum Order {
    Table(TableCommand),
    Deal {
        nonces: Vec<(Seat, Nonce)>,
    },
    Act {
        seat: Seat,
        action: Action,
        to: Option<Chips>,
        all_in: bool,
    },
    /// The player's time is up, and this is what the dealer must do for them.
    TimeOut {
        seat: Seat,
        action: Action,
    },
    /// Settle or void; the latest hand unless a number is given.
    End {
        hand: Option<u64>,
        command: Command,
    },
}

/// Why a statement asks nothing of the table.
pub enum NoOrder {
    /// It is of another kind.
    Other,
    /// It cannot be read.
    Unreadable(String),
    /// R7 or the limits of the house rules refuse it: the error in Rust's own notation, and in words.
    Invalid(String, String),
}

impl From<String> for NoOrder {
    fn from(problem: String) -> NoOrder {
        NoOrder::Unreadable(problem)
    }
}

/// The orders of a statement: one for each seat that it names, else one.
pub fn parse(scene: &Scene, text: &str) -> Result<Vec<Order>, NoOrder> {
    if text.starts_with(|first: char| first.is_ascii_digit()) {
        return Ok(actions(text)?);
    }
    let mut words = Words::of(text);
    let order = match words.next().unwrap_or_default() {
        "rules" | "rule" | "stakes" | "rake" | "auto-settle" | "nonces" => {
            let settings = settings(scene, text)?;
            return Ok(vec![Order::Table(TableCommand::ChangeRules(settings))]);
        }
        "seat" => return Ok(vec![take_seat(&mut words)?]),
        "deal" => Order::Deal { nonces: nonces(&mut words)? },
        "prepare" => Order::Table(TableCommand::Prepare { seed_hash: [0x5e; 32] }),
        "nonce" => {
            let (seat, nonce) = nonce(&mut words)?;
            let hand = hand(&mut words)?.unwrap_or(scene.table().next_number());
            Order::Table(TableCommand::GiveNonce { hand, player: scene.player_at(seat), nonce })
        }
        "time-out" => {
            let seat = words.seat()?;
            words.word("->")?;
            let action = action(words.next().unwrap_or_default())?;
            Order::TimeOut { seat, action }
        }
        "settle" => Order::End { hand: hand(&mut words)?, command: Command::Settle },
        "void" => {
            let reason = quoted(text)?;
            let mut rest = Words::of(text.rsplit('"').next().unwrap_or_default());
            let command = Command::Void { reason: Arc::from(reason) };
            words = Words::of("");
            Order::End { hand: hand(&mut rest)?, command }
        }
        "add-chips" => {
            let player = scene.player_at(words.seat()?);
            Order::Table(TableCommand::AddChips { player, chips: words.chips()? })
        }
        "leave" => Order::Table(TableCommand::LeaveSeat { player: scene.player_at(words.seat()?) }),
        "sit-out" => sit_out(scene, words.seat()?, true),
        "sit-in" => sit_out(scene, words.seat()?, false),
        "close" => Order::Table(TableCommand::Close),
        _ => return Err(NoOrder::Other),
    };
    words.end()?;
    Ok(vec![order])
}

fn hand(words: &mut Words<'_>) -> Result<Option<u64>, String> {
    let hand = if words.takes("hand") { Some(words.number()?) } else { None };
    words.end()?;
    Ok(hand)
}

/// `nonce 3 TEXT` as often as it comes.
fn nonces(words: &mut Words<'_>) -> Result<Vec<(Seat, Nonce)>, String> {
    let mut nonces = Vec::new();
    while words.takes("nonce") {
        nonces.push(nonce(words)?);
    }
    Ok(nonces)
}

fn nonce(words: &mut Words<'_>) -> Result<(Seat, Nonce), String> {
    let (seat, text) = (words.seat()?, words.next().unwrap_or_default());
    Ok((seat, Nonce::new(text.as_bytes()).ok_or_else(|| format!("`{text}` is no nonce"))?))
}

fn sit_out(scene: &Scene, seat: Seat, sitting_out: bool) -> Order {
    Order::Table(TableCommand::SetSittingOut { player: scene.player_at(seat), sitting_out })
}

fn action(word: &str) -> Result<Action, String> {
    Action::from_word(word).ok_or_else(|| format!("`{word}` is no action"))
}

/// `3: raise 26 all-in`, or `1 2 3: check`.
fn actions(text: &str) -> Result<Vec<Order>, String> {
    let (seats, what) = text.split_once(':').ok_or("a colon is missing behind the seats")?;
    let mut words = Words::of(what);
    let action = action(words.next().unwrap_or_default())?;
    let named = words.peek().is_some_and(|word| word != "all-in");
    let to = if named { Some(words.chips()?) } else { None };
    let all_in = words.takes("all-in");
    words.end()?;
    let seats = Words::of(seats).seats()?;
    Ok(seats.into_iter().map(|seat| Order::Act { seat, action, to, all_in }).collect())
}

/// `seat 1 stack 100`, and then maybe `player NAME`; what follows `cards` is for the deck.
fn take_seat(words: &mut Words<'_>) -> Result<Order, String> {
    let seat = words.seat()?;
    words.word("stack")?;
    let chips = words.chips()?;
    let player = if words.takes("player") {
        let name = words.next().unwrap_or_default();
        PlayerId::new(name).ok_or_else(|| format!("`{name}` is no player"))?
    } else {
        usual_player(seat)
    };
    if words.peek() != Some("cards") {
        words.end()?;
    }
    Ok(Order::Table(TableCommand::TakeSeat { seat, player, chips, card_key: None }))
}

/// Who sits in a seat unless a script says otherwise.
pub fn usual_player(seat: Seat) -> PlayerId {
    PlayerId::new(&format!("p{seat}")).expect("a short name without control characters")
}

fn settings(scene: &Scene, text: &str) -> Result<Settings, NoOrder> {
    let mut settings = *scene.table().settings();
    let mut words = Words::of(text);
    match words.next().unwrap_or_default() {
        "rules" => settings.rules = HouseRules { rake: settings.rules.rake, ..preset(&mut words)?.rules() },
        "rule" => {
            let field = words.next().unwrap_or_default();
            rules::set(&mut settings.rules, field, words.next().unwrap_or_default())?;
        }
        "rake" => {
            let rake = rules::rake(&mut words)?;
            settings.rules.rake = Some(rake.map_err(|error| NoOrder::Invalid(error.clone(), error))?);
        }
        "stakes" => settings.stakes = stakes(scene, &mut words)?,
        "nonces" => settings.nonces = true,
        _ => settings.auto_settle = true,
    }
    words.end()?;
    Ok(settings)
}

/// The preset that comes next.
pub fn preset(words: &mut Words<'_>) -> Result<Preset, String> {
    let name = words.next().unwrap_or_default();
    Preset::named(name).ok_or_else(|| format!("`{name}` is no preset"))
}

/// `ante 1 bring-in 2 small-bet 10`; an omitted amount is the share of the preset.
fn stakes(scene: &Scene, words: &mut Words<'_>) -> Result<Stakes, NoOrder> {
    let ante = if words.takes("ante") { Some(words.chips()?) } else { None };
    let bring_in = if words.takes("bring-in") { Some(words.chips()?) } else { None };
    words.word("small-bet")?;
    Stakes::with_shares(Some(scene.shares()), ante, bring_in, words.chips()?)
        .map_err(|error| NoOrder::Invalid(format!("{error:?}"), error.to_string()))
}
