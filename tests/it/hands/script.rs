//! A script as read from its file, and its runs.

use std::collections::BTreeSet;

use super::ending::Ending;
use super::scene::{Flip, Scene};

/// A script.
pub struct Script {
    /// The file's name.
    pub name: String,
    /// The rules of its header.
    pub rules: Vec<u8>,
    /// The rule that it flips, if any.
    pub flip: Option<String>,
    /// The values of that rule.
    values: Vec<String>,
    /// Line numbers and statements.
    statements: Vec<(usize, String)>,
    /// The number of the line after the last.
    end: usize,
}

/// One run of a script.
#[derive(Clone)]
pub struct Played {
    /// The value of the flipped rule; empty where none is.
    pub value: String,
    pub ending: Ending,
    pub refusals: BTreeSet<&'static str>,
}

impl Script {
    pub fn read(name: &str, text: &str) -> Result<Script, String> {
        let rules = text.lines().next().and_then(header);
        let rules = rules.ok_or_else(|| format!("{name}:1: the header `# R1: what the hand proves` is missing"))?;
        if !text.lines().any(|line| line.starts_with("# By hand")) {
            return Err(format!("{name}:2: the arithmetic, `# By hand: ...`, is missing"));
        }
        let mut script = Script {
            name: name.to_owned(),
            rules,
            flip: None,
            values: Vec::new(),
            statements: Vec::new(),
            end: text.lines().count() + 1,
        };
        for (index, line) in text.lines().enumerate() {
            let statement = line.trim();
            match statement.strip_prefix("flip ") {
                _ if statement.is_empty() || statement.starts_with('#') => {}
                Some(flip) => {
                    let mut words = flip.split_whitespace().map(str::to_owned);
                    script.flip = words.next();
                    script.values = words.collect();
                }
                None => script.statements.push((index + 1, statement.to_owned())),
            }
        }
        Ok(script)
    }

    /// Plays it once, or once under each value of the rule that it flips.
    pub fn play(&self) -> Result<Vec<Played>, String> {
        match &self.flip {
            None => Ok(vec![self.run(None)?]),
            Some(field) => {
                let flips = self.values.iter().map(|value| Flip { field: field.clone(), value: value.clone() });
                flips.map(|flip| self.run(Some(flip))).collect()
            }
        }
    }

    fn run(&self, flip: Option<Flip>) -> Result<Played, String> {
        let value = flip.as_ref().map(|flip| flip.value.clone()).unwrap_or_default();
        let run = if value.is_empty() { String::new() } else { format!(" (under {value})") };
        let mut scene = Scene::new(flip);
        for (line, statement) in &self.statements {
            scene.run(statement).map_err(|problem| format!("{}:{line}: {problem}{run}", self.name))?;
        }
        scene.close().map_err(|problem| format!("{}:{}: {problem}{run}", self.name, self.end))?;
        Ok(Played { value, ending: scene.ending(), refusals: scene.refusals })
    }
}

/// The rules of `# R19 R21: ...`.
fn header(line: &str) -> Option<Vec<u8>> {
    let (rules, _) = line.strip_prefix("# ")?.split_once(':')?;
    rules.split_whitespace().map(|rule| rule.strip_prefix('R')?.parse().ok()).collect()
}
