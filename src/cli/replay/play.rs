//! One recorded hand, from the deal to the payment.

use super::super::phh::{Move, Recorded, What, Wrong};
use super::compare;
use super::service::{Failed, Service, Table};
use crate::engine::{Action, Legal, Seat, View};

/// A hand that was played, to the end or to the first difference.
#[derive(Debug)]
pub struct Played {
    /// The first difference, in words.
    pub difference: Option<String>,
    /// The file says how the stacks must end.
    pub compared: bool,
    /// Seats and stacks, in seat order: as paid, or as they stood at a difference.
    pub stacks: Vec<(u8, i64)>,
}

/// Why a hand could not be played to an end.
#[derive(Debug)]
pub enum Stopped {
    /// The file asks for what cannot be, on this line.
    Wrong(usize, Wrong),
    /// The service failed.
    Broken(anyhow::Error),
}

impl Stopped {
    fn refused(line: usize, failed: Failed, wrong: impl Fn(String) -> Wrong) -> Stopped {
        match failed {
            Failed::Refused(says) => Stopped::Wrong(line, wrong(says)),
            Failed::Broken(error) => Stopped::Broken(error),
        }
    }
}

/// Plays a hand and compares it.
pub async fn play(service: &mut Service, hand: &Recorded) -> Result<Played, Stopped> {
    let refused = |failed| Stopped::refused(hand.line, failed, Wrong::Refused);
    let (table, view) = service.deal(hand).await.map_err(refused)?;
    let mut game = Game { table, hand, view, moved: 0, decisions: 0, showdown: Vec::new() };
    let mut difference = game.act_all().await?;
    let mut stacks = game.view.seats.iter().map(|seat| (seat.seat.number(), seat.stack.units())).collect();
    if difference.is_none() {
        game.view = game.table.settle(&game.view).await.map_err(refused)?;
        // What the seats hold now, not what the hand says of it: the payment is part of what is compared.
        stacks = game.table.stacks().await.map_err(refused)?;
        difference = compare::ending(hand, &game.view, game.decisions, &game.showdown, &stacks);
    }
    Ok(Played { difference, compared: hand.expected.stacks.is_some(), stacks })
}

struct Game<'a> {
    table: Table<'a>,
    hand: &'a Recorded,
    view: View,
    /// How many of the recorded moves were made.
    moved: usize,
    /// How many decisions there were, shows and mucks included.
    decisions: usize,
    /// Who has shown or mucked, in order.
    showdown: Vec<Seat>,
}

impl Game<'_> {
    /// Makes all decisions; ends early at a difference in what is offered.
    async fn act_all(&mut self) -> Result<Option<String>, Stopped> {
        while let Some(seat) = self.turn() {
            let difference = compare::offers(self.hand, seat, &self.view.legal, self.decisions);
            if difference.is_some() {
                return Ok(difference);
            }
            self.decisions += 1;
            if self.view.legal.offer(Action::Show).is_some() {
                self.show_or_muck(seat).await?;
            } else {
                self.next_move(seat).await?;
            }
        }
        match self.hand.moves.get(self.moved) {
            Some(next) => Err(illegal(next, "the hand is over".to_owned())),
            None => Ok(None),
        }
    }

    /// Whose turn it is. Before that the dealer may have shown hands.
    fn turn(&mut self) -> Option<Seat> {
        let shown = self.view.shown_order.iter().filter(|seat| !self.showdown.contains(seat));
        let shown: Vec<Seat> = shown.copied().collect();
        self.showdown.extend(shown);
        self.view.legal.seat
    }

    async fn show_or_muck(&mut self, seat: Seat) -> Result<(), Stopped> {
        let recorded = self.hand.shows.iter().find(|show| self.hand.players[show.player].seat == seat);
        let shows = recorded.is_some_and(|show| show.cards.is_some());
        let action = if shows { Action::Show } else { Action::Muck };
        let line = recorded.map_or(self.hand.line, |show| show.line);
        let text = format!("{} {action}", compare::player_at(self.hand, seat));
        let refused = |says| Wrong::Illegal { text: text.clone(), says };
        let acted = self.table.act(&self.view, seat, action, None).await;
        self.view = acted.map_err(|failed| Stopped::refused(line, failed, refused))?;
        self.showdown.push(seat);
        Ok(())
    }

    async fn next_move(&mut self, seat: Seat) -> Result<(), Stopped> {
        let who = compare::player_at(self.hand, seat);
        let waits = format!("the service waits for {who} (seat {seat}) on {}", self.view.street.words());
        let Some(next) = self.hand.moves.get(self.moved) else {
            let line = self.hand.moves.last().map_or(self.hand.line, |last| last.line);
            return Err(Stopped::Wrong(
                line,
                Wrong::Illegal { text: "the end of the actions".to_owned(), says: waits },
            ));
        };
        if self.hand.players[next.player].seat != seat || next.street != self.view.street {
            return Err(illegal(next, waits));
        }
        let (action, to) = action_of(next.what, &self.view.legal);
        let refused = |says| Wrong::Illegal { text: next.text.clone(), says };
        let acted = self.table.act(&self.view, seat, action, to).await;
        self.view = acted.map_err(|failed| Stopped::refused(next.line, failed, refused))?;
        self.moved += 1;
        Ok(())
    }
}

fn illegal(next: &Move, says: String) -> Stopped {
    Stopped::Wrong(next.line, Wrong::Illegal { text: next.text.clone(), says })
}

/// The action as the service names it. Where it does not come now, the service will say so.
fn action_of(what: What, legal: &Legal) -> (Action, Option<i64>) {
    let offered = |actions: &[Action]| actions.iter().copied().find(|&action| legal.offer(action).is_some());
    match what {
        What::Fold => (Action::Fold, None),
        What::BringIn => (Action::BringIn, None),
        What::CheckOrCall => (offered(&[Action::Call, Action::Check]).unwrap_or(Action::Call), None),
        What::To(to) => (offered(&[Action::Complete, Action::Bet, Action::Raise]).unwrap_or(Action::Raise), Some(to)),
    }
}
