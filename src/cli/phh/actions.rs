//! The actions of a recorded hand, and whether the dealer would deal the recorded cards so (R3, R9, R23, R24, R27).

use std::collections::BTreeMap;

use super::cards::{self, Seen};
use super::fields::whole;
use super::{At, Move, Player, Show, What, Wrong};
use crate::engine::{Card, Street};

const FORMS: &str = "d dh pN CARDS, d db CARD, pN pb, pN cbr AMOUNT, pN cc, pN f, pN sm or pN sm CARDS";
/// How many cards a player holds on third street, and on seventh.
const FIRST_STREET: usize = 3;
const LAST_STREET: usize = 7;

/// A card as it was dealt.
#[derive(Clone, Debug)]
pub struct Dealt {
    pub card: Seen,
    line: usize,
    text: String,
}

/// What the actions come to.
#[derive(Debug, Default)]
pub struct Log {
    /// The cards of each player, in the order dealt.
    pub hands: Vec<Vec<Dealt>>,
    /// Who was still in when fourth street was dealt, and each street after it.
    pub streets: Vec<Vec<usize>>,
    /// The common card of seventh street.
    pub common: Option<Dealt>,
    pub moves: Vec<Move>,
    pub shows: Vec<Show>,
}

/// Reads the actions, each with its line.
pub fn read(players: &[Player], actions: &[(usize, &str)]) -> At<Log> {
    let log = Log { hands: vec![Vec::new(); players.len()], ..Log::default() };
    let folded = vec![false; players.len()];
    let mut reader = Reader { log, folded, street: FIRST_STREET, seen: BTreeMap::new() };
    for &(line, text) in actions {
        reader.action(line, text).map_err(|wrong| (line, wrong))?;
    }
    let last = actions.last().map_or(1, |(line, _)| *line);
    reader.check_end().map_err(|(line, wrong)| (line.unwrap_or(last), wrong))?;
    Ok(reader.log)
}

struct Reader {
    log: Log,
    folded: Vec<bool>,
    /// How many cards each player still in has once this street is dealt.
    street: usize,
    /// Where each known card stands first.
    seen: BTreeMap<u8, usize>,
}

fn deal_error(text: &str, why: impl Into<String>, expected: impl Into<String>) -> Wrong {
    Wrong::Deal { text: text.to_owned(), why: why.into(), expected: expected.into() }
}

impl Reader {
    fn action(&mut self, line: usize, text: &str) -> Result<(), Wrong> {
        let code = text.split('#').next().unwrap_or_default();
        let words: Vec<&str> = code.split_whitespace().collect();
        let text = words.join(" ");
        let unknown = || Wrong::Action { text: text.clone(), expected: FORMS };
        match words.as_slice() {
            [] => Ok(()),
            ["d", "dh", name, cards] => {
                let player = self.player(&text, name)?;
                for card in cards::read(&text, cards)? {
                    self.down_or_up(Dealt { card, line, text: text.clone() }, player)?;
                }
                Ok(())
            }
            ["d", "db", cards] => match cards::read(&text, cards)?.as_slice() {
                [card] => self.common(Dealt { card: *card, line, text }),
                _ => Err(deal_error(&text, "there is one common card at most", "one card")),
            },
            [name, "sm", shown @ ..] if name.starts_with('p') => self.show(line, &text, name, shown),
            [name, rest @ ..] if name.starts_with('p') => {
                let what = match rest {
                    ["f"] => What::Fold,
                    ["pb"] => What::BringIn,
                    ["cc"] => What::CheckOrCall,
                    ["cbr", amount] => What::To(amount_in(amount).ok_or(Wrong::Action {
                        text: text.clone(),
                        expected: "a whole amount after cbr, the player's total of the round",
                    })?),
                    _ => return Err(unknown()),
                };
                let player = self.player(&text, name)?;
                self.decide(Move { line, text, player, what, street: self.street() })
            }
            _ => Err(unknown()),
        }
    }

    fn street(&self) -> Street {
        let streets = [Street::Third, Street::Fourth, Street::Fifth, Street::Sixth];
        streets.get(self.street - FIRST_STREET).copied().unwrap_or(Street::Seventh)
    }

    fn player(&self, text: &str, name: &str) -> Result<usize, Wrong> {
        let players = self.folded.len();
        let number = name.strip_prefix('p').filter(|digits| !digits.starts_with('+'));
        let number = number.and_then(|digits| digits.parse::<usize>().ok());
        let player = number.and_then(|number| number.checked_sub(1)).filter(|&player| player < players);
        player.ok_or_else(|| Wrong::Player { text: text.to_owned(), named: name.to_owned(), players })
    }

    fn still_in(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.folded.len()).filter(|&player| !self.folded[player])
    }

    /// A player still in who has not got all cards of this street.
    fn lacking(&self) -> Option<usize> {
        let due = if self.log.common.is_some() { LAST_STREET - 1 } else { self.street };
        self.still_in().find(|&player| self.log.hands[player].len() < due)
    }

    fn check_dealt(&self, text: &str) -> Result<(), Wrong> {
        self.lacking().map_or(Ok(()), |player| {
            let words = self.street().words();
            let why = format!("p{} has not got all cards of {words} yet", player + 1);
            Err(deal_error(text, why, "a card for every player still in first (R9, R24)"))
        })
    }

    fn left(&self) -> usize {
        let dealt: usize = self.log.hands.iter().map(Vec::len).sum();
        Card::COUNT.saturating_sub(dealt)
    }

    fn note(&mut self, card: Seen, line: usize) -> Result<(), Wrong> {
        let Some(card) = card else { return Ok(()) };
        self.seen.insert(card.index(), line).map_or(Ok(()), |first| Err(Wrong::DoubleCard { card, first }))
    }

    fn down_or_up(&mut self, dealt: Dealt, player: usize) -> Result<(), Wrong> {
        if self.folded[player] {
            let why = format!("p{} has folded", player + 1);
            return Err(deal_error(&dealt.text, why, "cards for players still in only (R24)"));
        }
        if self.log.hands[player].len() >= self.street {
            self.begin_street(&dealt.text)?;
        }
        self.note(dealt.card, dealt.line)?;
        self.log.hands[player].push(dealt);
        Ok(())
    }

    fn begin_street(&mut self, text: &str) -> Result<(), Wrong> {
        self.check_dealt(text)?;
        let live: Vec<usize> = self.still_in().collect();
        if live.len() < 2 {
            return Err(deal_error(text, "all others have folded", "no more cards (R23)"));
        }
        if self.street == LAST_STREET {
            return Err(deal_error(text, "it comes after seventh street", "seven cards for a player at most (R24)"));
        }
        if self.street == LAST_STREET - 1 && self.left() < live.len() {
            let why = format!("{} cards are left for {} players", self.left(), live.len());
            return Err(deal_error(text, why, "one common card, d db CARD (R27)"));
        }
        self.street += 1;
        self.log.streets.push(live);
        Ok(())
    }

    fn common(&mut self, dealt: Dealt) -> Result<(), Wrong> {
        self.check_dealt(&dealt.text)?;
        let live = self.still_in().count();
        if self.street != LAST_STREET - 1 || self.left() >= live || live < 2 {
            let why = format!("{} cards are left for {live} players", self.left());
            let expected = "a common card only on seventh street, where there are too few cards (R27)";
            return Err(deal_error(&dealt.text, why, expected));
        }
        self.note(dealt.card, dealt.line)?;
        self.street += 1;
        self.log.common = Some(dealt);
        Ok(())
    }

    fn decide(&mut self, decision: Move) -> Result<(), Wrong> {
        self.check_dealt(&decision.text)?;
        if decision.what == What::Fold {
            self.folded[decision.player] = true;
        }
        self.log.moves.push(decision);
        Ok(())
    }

    fn show(&mut self, line: usize, text: &str, name: &str, shown: &[&str]) -> Result<(), Wrong> {
        let player = self.player(text, name)?;
        let cards = match shown {
            [] | ["-"] => None,
            [word] => {
                let seen: Option<Vec<Card>> = cards::read(text, word)?.into_iter().collect();
                let why = "a hand is shown with all its cards";
                Some(seen.ok_or_else(|| Wrong::Unknown { text: text.to_owned(), why })?)
            }
            _ => return Err(Wrong::Action { text: text.to_owned(), expected: FORMS }),
        };
        self.learn(line, player, cards.as_deref().unwrap_or_default())?;
        let held = self.log.hands[player].len();
        self.log.shows.push(Show { line, player, cards, held });
        Ok(())
    }

    /// Cards that were unknown when they were dealt are known once the hand is shown.
    fn learn(&mut self, line: usize, player: usize, shown: &[Card]) -> Result<(), Wrong> {
        let hand = &self.log.hands[player];
        let known = |card: &Card| hand.iter().any(|dealt| dealt.card == Some(*card));
        let new: Vec<Card> = shown.iter().copied().filter(|card| !known(card)).collect();
        let gaps: Vec<usize> = (0..hand.len()).filter(|&at| hand[at].card.is_none()).collect();
        if shown.len() != hand.len() || new.len() != gaps.len() {
            // Then it is another hand, which the comparison will find.
            return Ok(());
        }
        for (at, card) in gaps.into_iter().zip(new) {
            self.note(Some(card), line)?;
            self.log.hands[player][at].card = Some(card);
        }
        Ok(())
    }

    fn check_end(&self) -> Result<(), (Option<usize>, Wrong)> {
        let live: Vec<usize> = self.still_in().collect();
        let end = "the end of the actions";
        if live.len() > 1 {
            self.check_dealt(end).map_err(|wrong| (None, wrong))?;
            if self.street < LAST_STREET {
                let words = self.street().words();
                let why = format!("{} players are still in after {words}", live.len());
                return Err((None, deal_error(end, why, "folds, or the cards up to seventh street (R23, R24)")));
            }
        }
        let unknown = |dealt: &Dealt, why| (Some(dealt.line), Wrong::Unknown { text: dealt.text.clone(), why });
        let up = self.log.hands.iter().flat_map(|hand| hand.iter().skip(2).take(4));
        if let Some(dealt) = up.into_iter().find(|dealt| dealt.card.is_none()) {
            return Err(unknown(dealt, "an up card decides who acts"));
        }
        if live.len() > 1 {
            let cards = live.iter().flat_map(|&player| &self.log.hands[player]).chain(&self.log.common);
            if let Some(dealt) = cards.into_iter().find(|dealt| dealt.card.is_none()) {
                return Err(unknown(dealt, "the hand comes to the showdown"));
            }
        }
        Ok(())
    }
}

fn amount_in(word: &str) -> Option<i64> {
    let units = word.parse::<i64>().ok().or_else(|| whole(word.parse().ok()?))?;
    (units > 0).then_some(units)
}
