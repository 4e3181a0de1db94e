//! The fields of a recorded hand.

use toml_edit::{Item, Table, Value};

use super::{At, Expected, Player, RecordedRake, Wrong, line_of};
use crate::engine::{Preset, Seat};

/// The most chips that the service takes.
const MOST: i64 = 1_000_000_000_000_000;
/// Floats are exact to here.
const EXACT: f64 = 9_007_199_254_740_992.0;

const AMOUNT: &str = "a whole amount";
const AMOUNTS: &str = "an array of whole amounts, one for each player";
const LINES: &str = "an array of texts";

/// The table of a hand in its file.
pub struct Fields<'a> {
    pub text: &'a str,
    pub table: &'a Table,
    pub line: usize,
}

/// What a hand begins with.
pub struct Head {
    pub ante: i64,
    pub bring_in: i64,
    pub small_bet: i64,
    pub players: Vec<Player>,
}

/// A field that is there.
#[derive(Clone, Copy)]
struct Found<'a> {
    name: &'static str,
    value: &'a Value,
    line: usize,
}

impl Found<'_> {
    fn wrong(&self, line: usize, found: impl Into<String>, expected: impl Into<String>) -> (usize, Wrong) {
        (line, Wrong::Field { field: self.name, found: found.into(), expected: expected.into() })
    }

    fn not(&self, expected: &str) -> (usize, Wrong) {
        self.wrong(self.line, shown(self.value), expected)
    }
}

/// A value in one line, without what surrounds it in the file.
fn shown(value: &Value) -> String {
    let value = value.clone().decorated("", "").to_string();
    let mut words: String = value.split_whitespace().collect::<Vec<_>>().join(" ");
    if words.chars().count() > 40 {
        words = words.chars().take(37).chain("...".chars()).collect();
    }
    words
}

/// A whole number of chips; a float if it is whole.
pub fn amount(value: &Value) -> Option<i64> {
    let units = value.as_integer().or_else(|| whole(value.as_float()?))?;
    (0..=MOST).contains(&units).then_some(units)
}

#[expect(clippy::cast_possible_truncation, reason = "it is whole and below 2^53")]
pub fn whole(float: f64) -> Option<i64> {
    (float.fract() == 0.0 && float.abs() < EXACT).then_some(float as i64)
}

impl<'a> Fields<'a> {
    fn line_of(&self, value: &Value, otherwise: usize) -> usize {
        value.span().map_or(otherwise, |span| line_of(self.text, span.start))
    }

    fn find(&self, name: &'static str) -> At<Option<Found<'a>>> {
        let Some((key, item)) = self.table.get_key_value(name) else { return Ok(None) };
        let line = key.span().map_or(self.line, |span| line_of(self.text, span.start));
        match item {
            Item::Value(value) => Ok(Some(Found { name, value, line: self.line_of(value, line) })),
            _ => Err((line, Wrong::Field { field: name, found: "a table".to_owned(), expected: "a value".to_owned() })),
        }
    }

    fn need(&self, field: &'static str, expected: &'static str) -> At<Found<'a>> {
        self.find(field)?.ok_or((self.line, Wrong::Missing { field, expected }))
    }

    fn amount_of(found: Found<'_>) -> At<i64> {
        amount(found.value).ok_or_else(|| found.not(AMOUNT))
    }

    /// The elements of an array, each with its line.
    fn elements(&self, found: Found<'a>, expected: &str) -> At<Vec<(usize, &'a Value)>> {
        let array = found.value.as_array().ok_or_else(|| found.not(expected))?;
        Ok(array.iter().map(|value| (self.line_of(value, found.line), value)).collect())
    }

    fn amounts(&self, found: Found<'a>, players: usize) -> At<Vec<i64>> {
        let elements = self.elements(found, AMOUNTS)?;
        if elements.len() != players {
            return Err(found.wrong(
                found.line,
                format!("{} amounts", elements.len()),
                format!("{players}, one a player"),
            ));
        }
        let one = |(line, value)| amount(value).ok_or_else(|| found.wrong(line, shown(value), AMOUNT));
        elements.into_iter().map(one).collect()
    }

    fn lines(&self, found: Found<'a>) -> At<Vec<(usize, &'a str)>> {
        let one = |(line, value): (usize, &'a Value)| {
            value.as_str().map(|text| (line, text)).ok_or_else(|| found.wrong(line, shown(value), "a text"))
        };
        self.elements(found, LINES)?.into_iter().map(one).collect()
    }

    /// The variant, the stakes and the players.
    pub fn head(&self) -> At<Head> {
        let variant = self.need("variant", "'FR' (fixed-limit Razz)")?;
        if variant.value.as_str() != Some("FR") {
            return Err((variant.line, Wrong::Variant(shown(variant.value))));
        }
        if let Some(trimming) = self.find("ante_trimming_status")? {
            // Either way the dealer gives back the part of an ante that nobody matches (R8).
            trimming.value.as_bool().ok_or_else(|| trimming.not("true or false"))?;
        }
        let players = self.players()?;
        let ante = self.ante(players.len())?;
        let bring_in = Self::amount_of(self.need("bring_in", AMOUNT)?)?;
        let small_bet = Self::amount_of(self.need("small_bet", AMOUNT)?)?;
        let big_bet = self.need("big_bet", AMOUNT)?;
        if Self::amount_of(big_bet)? != small_bet * 2 {
            return Err(big_bet.not(&format!("{}, twice small_bet (R5)", small_bet * 2)));
        }
        Ok(Head { ante, bring_in, small_bet, players })
    }

    fn ante(&self, players: usize) -> At<i64> {
        let antes = self.need("antes", AMOUNTS)?;
        let all = self.amounts(antes, players)?;
        let first = all.first().copied().unwrap_or(0);
        match (1..).zip(&all).find(|(_, ante)| **ante != first) {
            None => Ok(first),
            Some((number, ante)) => {
                let found = format!("{first} for p1 and {ante} for p{number}");
                Err(antes.wrong(antes.line, found, "the same ante from every player (R6)"))
            }
        }
    }

    fn players(&self) -> At<Vec<Player>> {
        let stacks = self.need("starting_stacks", AMOUNTS)?;
        let count = self.elements(stacks, AMOUNTS)?.len();
        if !(2..=Seat::COUNT).contains(&count) {
            return Err(stacks.wrong(stacks.line, format!("{count} players"), "2 to 8 (R1)"));
        }
        let amounts = self.amounts(stacks, count)?;
        if let Some(number) = amounts.iter().position(|&stack| stack == 0) {
            return Err(stacks.wrong(stacks.line, format!("0 for p{}", number + 1), "at least 1 for every player"));
        }
        let seats = self.seats(count)?;
        Ok(seats.into_iter().zip(amounts).map(|(seat, stack)| Player { seat, stack }).collect())
    }

    fn seats(&self, players: usize) -> At<Vec<Seat>> {
        let Some(found) = self.find("seats")? else { return Ok(Seat::all().take(players).collect()) };
        let elements = self.elements(found, "an array of seats")?;
        if elements.len() != players {
            return Err(found.wrong(
                found.line,
                format!("{} seats", elements.len()),
                format!("{players}, one a player"),
            ));
        }
        let mut seats = Vec::new();
        for (line, value) in elements {
            let seat = value.as_integer().and_then(|number| Seat::new(u8::try_from(number).ok()?));
            let seat = seat.filter(|seat| !seats.contains(seat));
            seats.push(seat.ok_or_else(|| found.wrong(line, shown(value), "a seat from 1 to 8, each once"))?);
        }
        Ok(seats)
    }

    /// The actions, each with its line.
    pub fn actions(&self) -> At<Vec<(usize, &'a str)>> {
        self.lines(self.need("actions", LINES)?)
    }

    /// What must hold beside the actions.
    pub fn expected(&self, players: usize) -> At<Expected> {
        let stacks = self.find("finishing_stacks")?.map(|found| self.amounts(found, players)).transpose()?;
        let legal = self.find("_legal")?.map(|found| self.lines(found)).transpose()?;
        let text = |found: Found<'_>| found.value.as_str().map(str::to_owned).ok_or_else(|| found.not("a text"));
        Ok(Expected {
            stacks,
            rake: self.find("_rake")?.map(Self::amount_of).transpose()?,
            legal: legal.map(|lines| lines.into_iter().map(|(line, text)| (line, text.to_owned())).collect()),
            show_order: self.find("_show_order")?.map(text).transpose()?,
        })
    }

    /// `_rules`
    pub fn rules(&self) -> At<Option<Preset>> {
        let Some(found) = self.find("_rules")? else { return Ok(None) };
        let preset = found.value.as_str().and_then(Preset::named);
        preset.map(Some).ok_or_else(|| found.not(&format!("one of {}", Preset::ALL.map(Preset::name).join(", "))))
    }

    /// The fields of the rake: amount and step go together, the others are of no use without them.
    pub fn rake(&self) -> At<Option<RecordedRake>> {
        let amount = self.find("_rake_amount")?;
        let others = ["_rake_step", "_rake_cap", "_no_rake_on_third"];
        let Some(amount) = amount else {
            let alone = others.into_iter().find_map(|name| self.find(name).transpose()).transpose()?;
            let missing = Wrong::Missing { field: "_rake_amount", expected: "it beside the other fields of a rake" };
            return alone.map_or(Ok(None), |found| Err((found.line, missing)));
        };
        let cap = self.find("_rake_cap")?.map(Self::amount_of).transpose()?;
        let none = self.find("_no_rake_on_third")?;
        let none_on_third =
            none.map(|found| found.value.as_bool().ok_or_else(|| found.not("true or false"))).transpose()?;
        Ok(Some(RecordedRake {
            amount: Self::amount_of(amount)?,
            step: Self::amount_of(self.need("_rake_step", AMOUNT)?)?,
            cap,
            none_on_third: none_on_third.unwrap_or(false),
        }))
    }
}
