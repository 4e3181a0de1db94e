//! Cards in actions.

use super::Wrong;
use crate::engine::Card;

/// A card of an action; `None` for `??`, one that nobody saw.
pub type Seen = Option<Card>;

/// The cards of a word like `6dKd4s`.
pub fn read(text: &str, word: &str) -> Result<Vec<Seen>, Wrong> {
    let letters: Vec<char> = word.chars().collect();
    let one = |pair: &[char]| {
        let name: String = pair.iter().collect();
        if name == "??" {
            return Ok(None);
        }
        name.parse().map(Some).map_err(|_| Wrong::Card { text: text.to_owned(), card: name })
    };
    letters.chunks(2).map(one).collect()
}
