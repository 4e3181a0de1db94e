//! One round of betting (R12 to R22): prices, full levels, the cap, and the legal actions with their amounts.

use super::chips::Chips;
use super::event::{Action, Street};
use super::hand::{Due, Hand};
use super::round::Round;
use super::rules::HeadsUpCap;
use super::seat::{Seat, SeatSet};

/// A legal action and its one right amount.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Offer {
    /// What may be done.
    pub action: Action,
    /// The player's total of the round after it; nothing where no chip moves.
    pub to: Chips,
    /// It takes the last chip.
    pub all_in: bool,
}

/// The legal actions of the player whose turn it is; empty when it is nobody's.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Legal {
    /// Whose turn it is.
    pub seat: Option<Seat>,
    offers: [Option<Offer>; 3],
}

impl Legal {
    /// These offers to this player, three at most: for a client that has them from the wire.
    pub fn of(seat: Option<Seat>, offers: impl Iterator<Item = Offer>) -> Legal {
        let mut legal = Legal { seat, ..Legal::default() };
        offers.for_each(|offer| legal.add(offer.action, offer.to, offer.all_in));
        legal
    }

    /// In the order fold, check or call or bring-in, then the increase; or show, muck.
    pub fn offers(&self) -> impl Iterator<Item = Offer> + '_ {
        self.offers.iter().flatten().copied()
    }

    /// The offer of this action, if it is legal.
    pub fn offer(&self, action: Action) -> Option<Offer> {
        self.offers().find(|offer| offer.action == action)
    }

    fn add(&mut self, action: Action, to: Chips, all_in: bool) {
        if let Some(free) = self.offers.iter_mut().find(|offer| offer.is_none()) {
            *free = Some(Offer { action, to, all_in });
        }
    }

    fn add_free(&mut self, action: Action) {
        self.add(action, Chips::ZERO, false);
    }
}

impl Round {
    /// The round of a street as it begins.
    pub(super) fn begin(hand: &Hand) -> Round {
        let heads_up = hand.rules().heads_up_cap == HeadsUpCap::UncappedHeadsUp && hand.able().len() == 2;
        Round { uncapped: heads_up, opened: hand.street > Street::Third, ..Round::default() }
    }
}

impl Hand {
    /// The bet of the street, U in R19 (R5).
    pub(super) fn street_bet(&self) -> Chips {
        if self.street < Street::Fifth { self.stakes().small_bet() } else { self.stakes().big_bet() }
    }

    /// What this player must have wagered to stay in.
    fn price(&self, seat: Seat) -> Chips {
        let Some(post) = self.round.short_post else { return self.round.highest };
        // R14: only a sole player with chips, against all-ins that contest no more than the post, calls the post.
        let sole = self.able() == SeatSet::from_iter([seat]);
        let contested = self.players().any(|(other, player)| other != seat && !player.folded && player.wager > post);
        if sole && !contested { post } else { self.round.highest }
    }

    /// The next player, clockwise after `from`, who has something to decide (R20, R22).
    pub(super) fn next_to_bet(&self, from: Seat) -> Option<Seat> {
        let able = self.able();
        let owes = |seat: Seat| self.players[seat].is_some_and(|player| player.wager < self.price(seat));
        let undecided = |seat: Seat| self.players[seat].is_some_and(|player| !player.acted);
        from.clockwise()
            .filter(|&seat| able.contains(seat))
            .find(|&seat| owes(seat) || able.len() > 1 && undecided(seat))
    }

    /// The legal actions, with their amounts: the one source for players and for the referee (promise 1).
    pub fn legal(&self) -> Legal {
        match self.due {
            Due::Bet(seat) => self.legal_bets(seat),
            Due::Choice(seat) => {
                let mut legal = Legal { seat: Some(seat), ..Legal::default() };
                legal.add_free(Action::Show);
                legal.add_free(Action::Muck);
                legal
            }
            _ => Legal::default(),
        }
    }

    fn legal_bets(&self, seat: Seat) -> Legal {
        let mut legal = Legal { seat: Some(seat), ..Legal::default() };
        let Some(player) = self.player(seat) else { return legal };
        let everything = player.wager + player.stack;
        if !self.round.opened {
            return self.legal_openings(legal, everything);
        }
        let price = self.price(seat);
        if player.wager < price {
            legal.add_free(Action::Fold);
            legal.add(Action::Call, price.min(everything), everything <= price);
        } else {
            if self.rules().fold_without_bet {
                legal.add_free(Action::Fold);
            }
            legal.add_free(Action::Check);
        }
        if self.increase_barred(seat).is_none() {
            let bet = self.street_bet();
            let to = (self.round.full_level + bet).min(everything);
            legal.add(self.round.name(to, bet, self.street), to, to == everything);
        }
        legal
    }

    /// The opener's choices on third street (R12): the completion goes to the small bet.
    fn legal_openings(&self, mut legal: Legal, everything: Chips) -> Legal {
        if self.rules().bring_in_may_fold {
            legal.add_free(Action::Fold);
        }
        let (bring_in, small_bet) = (self.stakes().bring_in(), self.stakes().small_bet());
        legal.add(Action::BringIn, bring_in.min(everything), everything <= bring_in);
        if everything > bring_in {
            legal.add(Action::Complete, small_bet.min(everything), everything <= small_bet);
        }
        legal
    }

    /// Why the player to act may not increase, if so.
    pub(super) fn increase_barred(&self, seat: Seat) -> Option<Barred> {
        let player = self.player(seat)?;
        if self.able().iter().all(|other| other == seat) {
            // R22
            return Some(Barred::OpponentsAllIn);
        }
        if self.round.is_capped(self.rules().max_raises) {
            // R17
            return Some(Barred::Cap);
        }
        if player.closed && self.round.highest.less(player.wager).double() < self.street_bet() {
            // R19
            return Some(Barred::NotReopened);
        }
        // Whoever has no more than the price can only call it all-in (R18).
        (player.wager + player.stack <= self.round.highest).then_some(Barred::Stack)
    }

    /// Enters a wager into the round. `to` is an offer's amount.
    pub(super) fn enter_wager(&mut self, seat: Seat, action: Action, to: Chips) {
        let bet = self.street_bet();
        if let Some(player) = self.player_mut(seat) {
            player.wager_to(to);
        }
        self.mark_acted(seat);
        match action {
            Action::BringIn => {
                let bring_in = self.stakes().bring_in();
                self.opener = Some(seat);
                self.round.opened = true;
                // R14: the price stays the full bring-in.
                self.round.highest = bring_in;
                self.round.short_post = (to < bring_in).then_some(to);
            }
            Action::Complete | Action::Bet | Action::Raise => self.enter_increase(seat, to, bet),
            _ => {}
        }
    }

    fn enter_increase(&mut self, seat: Seat, to: Chips, bet: Chips) {
        let full_by_itself = to.less(self.round.last_increase).double() >= bet;
        if self.round.is_full(to, bet) {
            self.round.full_level = to;
            self.round.levels += 1;
        }
        self.round.highest = to;
        self.round.last_increase = to;
        self.round.opened = true;
        self.round.short_post = None;
        self.aggressions += 1;
        let mark = Some((self.street, self.aggressions));
        if let Some(player) = self.player_mut(seat) {
            player.aggression = mark;
        }
        if full_by_itself {
            for (other, player) in self.players.iter_mut() {
                if let Some(player) = player.as_mut().filter(|_| other != seat) {
                    player.closed = false;
                }
            }
        }
    }

    pub(super) fn mark_acted(&mut self, seat: Seat) {
        if let Some(player) = self.player_mut(seat) {
            player.acted = true;
            player.closed = true;
        }
    }
}

/// Why a player may not increase.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Barred {
    /// All remaining opponents are all-in (R22).
    OpponentsAllIn,
    /// The cap is reached (R17).
    Cap,
    /// Nobody has made a full increase since the player acted (R19).
    NotReopened,
    /// The stack does not pass the price (R18).
    Stack,
}
