//! The words of one statement, taken one by one.

use razz_dealer::engine::{Card, Chips, Seat};

/// The words that are left.
pub struct Words<'a> {
    rest: std::iter::Peekable<std::str::SplitWhitespace<'a>>,
}

impl<'a> Words<'a> {
    pub fn of(text: &'a str) -> Words<'a> {
        Words { rest: text.split_whitespace().peekable() }
    }

    pub fn next(&mut self) -> Option<&'a str> {
        self.rest.next()
    }

    pub fn peek(&mut self) -> Option<&'a str> {
        self.rest.peek().copied()
    }

    fn must(&mut self, what: &str) -> Result<&'a str, String> {
        self.next().ok_or_else(|| format!("{what} is missing"))
    }

    /// Exactly this word.
    pub fn word(&mut self, wanted: &str) -> Result<(), String> {
        let found = self.must(wanted)?;
        if found == wanted { Ok(()) } else { Err(format!("`{wanted}` is expected, not `{found}`")) }
    }

    /// Takes this word if it comes next.
    pub fn takes(&mut self, wanted: &str) -> bool {
        let there = self.peek() == Some(wanted);
        if there {
            self.next();
        }
        there
    }

    pub fn number(&mut self) -> Result<u64, String> {
        let word = self.must("a number")?;
        word.parse().map_err(|_| format!("`{word}` is no number"))
    }

    pub fn chips(&mut self) -> Result<Chips, String> {
        let word = self.must("an amount")?;
        word.parse().ok().and_then(Chips::new).ok_or_else(|| format!("`{word}` is no amount of chips"))
    }

    pub fn seat(&mut self) -> Result<Seat, String> {
        let word = self.must("a seat")?;
        word.parse().ok().and_then(Seat::new).ok_or_else(|| format!("`{word}` is no seat"))
    }

    /// All that are left, as seats. `none` stands for no seat.
    pub fn seats(&mut self) -> Result<Vec<Seat>, String> {
        let mut seats = Vec::new();
        if self.takes("none") {
            self.end()?;
            return Ok(seats);
        }
        while self.peek().is_some() {
            seats.push(self.seat()?);
        }
        if seats.is_empty() { Err("a seat, or `none`, is missing".to_owned()) } else { Ok(seats) }
    }

    /// All that are left, as seats with amounts. `none` stands for no pair.
    pub fn pairs(&mut self) -> Result<Vec<(Seat, Chips)>, String> {
        let mut pairs = Vec::new();
        if self.takes("none") {
            self.end()?;
            return Ok(pairs);
        }
        while self.peek().is_some() {
            pairs.push((self.seat()?, self.chips()?));
        }
        if pairs.is_empty() { Err("a seat with an amount, or `none`, is missing".to_owned()) } else { Ok(pairs) }
    }

    /// All that are left, as cards; `??` is any card.
    pub fn cards(&mut self) -> Result<Vec<Option<Card>>, String> {
        let mut cards = Vec::new();
        while let Some(word) = self.next() {
            cards.push(if word == "??" { None } else { Some(card(word)?) });
        }
        Ok(cards)
    }

    /// Nothing more may come.
    pub fn end(&mut self) -> Result<(), String> {
        self.next().map_or(Ok(()), |more| Err(format!("nothing is expected after this, not `{more}`")))
    }
}

/// One card.
pub fn card(word: &str) -> Result<Card, String> {
    word.parse().map_err(|error| format!("`{word}`: {error}"))
}

/// The text between the first and the last quotation mark.
pub fn quoted(text: &str) -> Result<&str, String> {
    let (first, last) = (text.find('"'), text.rfind('"'));
    let between = first.zip(last).and_then(|(first, last)| text.get(first + 1..last));
    between.ok_or_else(|| "a text in quotation marks is missing".to_owned())
}
