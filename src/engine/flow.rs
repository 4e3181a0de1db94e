//! What a hand waits for next: the order of antes, cards, betting, showdown and awards, worked out from its state
//! alone. Play and replay both go by it, so a record cannot claim what play could not have done.

use super::card::Card;
use super::chips::Chips;
use super::event::Street;
use super::hand::{Due, Hand, Stage};
use super::low::Low;
use super::player::Player;
use super::pots;
use super::round::Round;
use super::seat::Seat;

impl Hand {
    /// Goes on through all that needs no event, to the next thing that does.
    pub(super) fn go_on(&mut self) -> Due {
        loop {
            let due = match self.stage {
                Stage::Unopened => Some(Due::Opening),
                Stage::Antes => self.next_ante(),
                Stage::Returning => pots::unmatched(&self.wagers()).map(|(seat, excess)| Due::Return(seat, excess)),
                Stage::Cards => self.next_card(),
                // Asked again after every action; who is first was settled when the round began.
                Stage::Betting => self.next_bet(),
                Stage::Tabling => self.next_to_show().map(Due::Table),
                Stage::Showdown => self.next_reveal(),
                Stage::Awards => self.next_award(),
                Stage::Closed if self.outcome.is_some() => Some(Due::Nothing),
                Stage::Closed => Some(Due::Settlement),
            };
            match due {
                Some(due) => return due,
                None => self.leave_stage(),
            }
        }
    }

    fn leave_stage(&mut self) {
        self.stage = match self.stage {
            Stage::Unopened => Stage::Antes,
            Stage::Antes | Stage::Betting => Stage::Returning,
            Stage::Returning => self.after_returning(),
            Stage::Cards => {
                self.begin_round();
                Stage::Betting
            }
            Stage::Tabling => self.next_street(),
            Stage::Showdown => Stage::Awards,
            Stage::Awards | Stage::Closed => Stage::Closed,
        };
    }

    /// The antes or a round of betting are over, and nothing more goes back.
    fn after_returning(&mut self) -> Stage {
        if self.dealt == 0 {
            // R8: the antes were returned before the deal.
            return Stage::Cards;
        }
        if self.live().len() <= 1 {
            // R23: no further card, no showdown.
            return Stage::Awards;
        }
        if self.street == Street::Seventh {
            return Stage::Showdown;
        }
        if self.able().len() <= 1 && self.tables_all_in_hands() {
            // R41: before the remaining cards.
            return Stage::Tabling;
        }
        self.next_street()
    }

    /// All hands lie open at the showdown: a live player is all-in, and the rules say so (R41).
    pub(super) fn tables_all_in_hands(&self) -> bool {
        self.rules().table_all_in_hands && self.players().any(|(_, player)| player.is_all_in())
    }

    fn next_street(&mut self) -> Stage {
        match self.street.next() {
            Some(street) => {
                self.street = street;
                Stage::Cards
            }
            None => Stage::Showdown,
        }
    }

    fn next_ante(&self) -> Option<Due> {
        if self.stakes().ante().is_zero() {
            return None;
        }
        self.players().find(|(_, player)| !player.anted).map(|(seat, _)| Due::Ante(seat))
    }

    /// The next card of the street: R9 on third, R24 and R27 after it.
    fn next_card(&self) -> Option<Due> {
        let short_of = |wanted: usize, held: fn(&Player) -> usize| {
            let mut live = self.players().filter(|(_, player)| !player.folded);
            live.find(|(_, player)| held(player) < wanted).map(|(seat, _)| Due::Card(seat))
        };
        let down = |player: &Player| player.down.len();
        let up = |player: &Player| player.up.len();
        match self.street {
            Street::Third => short_of(1, down).or_else(|| short_of(2, down)).or_else(|| short_of(1, up)),
            Street::Fourth => short_of(2, up),
            Street::Fifth => short_of(3, up),
            Street::Sixth => short_of(4, up),
            Street::Seventh if self.common.is_some() => None,
            Street::Seventh if self.needs_common_card() => Some(Due::CommonCard),
            Street::Seventh => short_of(3, down),
        }
    }

    /// R27: fewer undealt cards than players still in, when seventh street begins.
    fn needs_common_card(&self) -> bool {
        let begun = self.players().any(|(_, player)| player.down.len() == 3);
        !begun && Card::COUNT - usize::from(self.dealt) < self.live().len() as usize
    }

    fn begin_round(&mut self) {
        for (_, player) in self.players.iter_mut() {
            if let Some(player) = player {
                player.wager = Chips::ZERO;
                player.acted = false;
                player.closed = false;
            }
        }
        self.round = Round::begin(self);
        self.first_to_bet = self.round_opener();
    }

    fn next_bet(&mut self) -> Option<Due> {
        if self.live().len() <= 1 {
            return None;
        }
        if let Some(first) = self.first_to_bet {
            // R13, R26: an all-in player's turn passes clockwise. R22: a lone player who owes nothing is not asked.
            let able = self.able();
            return if able.len() > 1 { able.at_or_after(first).map(Due::Bet) } else { None };
        }
        self.next_to_bet(self.last_to_bet?).map(Due::Bet)
    }

    /// Whose turn the round begins with, able to act or not: the highest up card on third street (R10, R11), the lowest
    /// board later (R25, R26).
    fn round_opener(&self) -> Option<Seat> {
        if self.street > Street::Third {
            return self.lowest_board();
        }
        let order = self.rules().bring_in_suit_order;
        let live = self.players().filter(|(_, player)| !player.folded);
        let door = |player: &Player| player.up.iter().next().map(|card| (card.rank(), order.standing(card.suit())));
        live.max_by_key(|(_, player)| door(player)).map(|(seat, _)| seat)
    }

    /// The live seat with the lowest board, the lowest-numbered of equals (R25, R26). The common card belongs to no
    /// board (R27).
    pub(super) fn lowest_board(&self) -> Option<Seat> {
        let live = self.players().filter(|(_, player)| !player.folded);
        live.min_by_key(|(_, player)| Low::of(player.up.iter().collect())).map(|(seat, _)| seat)
    }
}
