//! A second reading of the rulebook: what must come next in a hand, worked out from what has happened so far by plain
//! lists, with the whole deck in sight. It is slow, and it calls no rule of the engine's.

use std::collections::VecDeque;

use razz_dealer::engine::{Action, Award, Card, Chips, Deck, Event, HouseRules, Offer, Opening, Seat, Stakes};

use super::super::low::{Key, best, value};
use super::super::pots;

/// What must come next.
#[derive(PartialEq, Debug)]
pub enum Next {
    /// Exactly this, by the dealer.
    Dealer(Event),
    /// One of these, by this player.
    Player(Seat, Vec<Offer>),
    /// Nothing but the settlement that somebody asks for.
    PlayedOut,
    /// Nothing.
    Over,
}

/// A player.
#[expect(clippy::struct_excessive_bools, reason = "plain facts that the rules name, each by itself")]
pub struct Chair {
    pub seat: Seat,
    pub brought: i64,
    pub stack: i64,
    pub put_in: i64,
    pub wager: i64,
    pub folded: bool,
    pub down: Vec<u8>,
    pub up: Vec<Card>,
    pub offered: bool,
    pub shown: bool,
    pub mucked: bool,
}

impl Chair {
    pub const fn able(&self) -> bool {
        !self.folded && self.stack > 0
    }

    pub const fn all_in(&self) -> bool {
        !self.folded && self.stack == 0
    }

    fn wager_to(&mut self, to: i64) {
        self.stack -= to - self.wager;
        self.put_in += to - self.wager;
        self.wager = to;
    }
}

/// A player's act in the round that is on; `to` is the total of the round, 0 where no chip moved.
#[derive(Clone, Copy)]
pub struct Act {
    pub seat: Seat,
    pub action: Action,
    pub to: i64,
}

#[derive(Clone, Copy, PartialEq, Debug)]
enum Phase {
    Antes,
    Refund,
    Deal,
    Bet,
    Tabling,
    Show,
    Award,
    PlayedOut,
    Over,
}

/// The hand as the reference knows it.
pub struct Reference {
    pub stakes: Stakes,
    pub rules: HouseRules,
    auto_settle: bool,
    pub chairs: Vec<Chair>,
    phase: Phase,
    /// 0 for the antes, then 3 to 7.
    pub street: u8,
    /// The seats that a card is still due to on this street; `None` for the common card.
    plan: VecDeque<Option<Seat>>,
    /// Acts of this round, in order.
    pub acts: Vec<Act>,
    /// How many could act when the round began.
    pub able_at_start: usize,
    position: u8,
    pub common: Option<Card>,
    /// Street and seat of every bet and raise, in order.
    pub aggressions: Vec<(u8, Seat)>,
    pub opener: Option<Seat>,
    pub awards: Vec<Award>,
    /// The value of each chair's whole hand, once asked.
    values: Vec<Key>,
}

/// Chips as a plain number.
pub const fn units(chips: Chips) -> i64 {
    chips.units()
}

fn chips(units: i64) -> Chips {
    Chips::new(units).expect("an amount")
}

impl Reference {
    pub fn new(opening: &Opening) -> Reference {
        let chair = |(seat, brought): (Seat, i64)| Chair {
            seat,
            brought,
            stack: brought,
            put_in: 0,
            wager: 0,
            folded: false,
            down: Vec::new(),
            up: Vec::new(),
            offered: false,
            shown: false,
            mucked: false,
        };
        Reference {
            stakes: opening.settings.stakes,
            rules: opening.settings.rules,
            auto_settle: opening.settings.auto_settle,
            chairs: opening.dealt_in.iter().map(|dealt| chair((dealt.seat, units(dealt.stack)))).collect(),
            phase: Phase::Antes,
            street: 0,
            plan: VecDeque::new(),
            acts: Vec::new(),
            able_at_start: 0,
            position: 0,
            common: None,
            aggressions: Vec::new(),
            opener: None,
            awards: Vec::new(),
            values: Vec::new(),
        }
    }

    pub fn chair(&self, seat: Seat) -> &Chair {
        self.chairs.iter().find(|chair| chair.seat == seat).expect("dealt in")
    }

    fn chair_mut(&mut self, seat: Seat) -> &mut Chair {
        self.chairs.iter_mut().find(|chair| chair.seat == seat).expect("dealt in")
    }

    pub fn live(&self) -> impl Iterator<Item = &Chair> {
        self.chairs.iter().filter(|chair| !chair.folded)
    }

    pub fn able(&self) -> usize {
        self.chairs.iter().filter(|chair| chair.able()).count()
    }

    /// Takes notice of what happened.
    pub fn take(&mut self, event: &Event) {
        match event {
            Event::AntePosted { seat, amount } => self.chair_mut(*seat).wager_to(units(*amount)),
            Event::ExcessReturned { seat, amount } => {
                let chair = self.chair_mut(*seat);
                let kept = chair.wager - units(*amount);
                chair.wager_to(kept);
            }
            Event::CardDealt { seat, position, card } => {
                self.plan.pop_front();
                self.position += 1;
                let up = (self.street, self.chair(*seat).down.len()) == (3, 2) || (4..=6).contains(&self.street);
                match card {
                    Some(card) if up => self.chair_mut(*seat).up.push(*card),
                    _ => self.chair_mut(*seat).down.push(*position),
                }
            }
            Event::CommonCardDealt { card, .. } => {
                self.plan.pop_front();
                self.position += 1;
                self.common = Some(*card);
            }
            Event::Folded { seat } => self.act(*seat, Action::Fold, 0),
            Event::Checked { seat } => self.act(*seat, Action::Check, 0),
            Event::Called { seat, to, .. } => self.act(*seat, Action::Call, units(*to)),
            Event::BroughtIn { seat, to, .. } => self.act(*seat, Action::BringIn, units(*to)),
            Event::Completed { seat, to, .. } => self.act(*seat, Action::Complete, units(*to)),
            Event::BetMade { seat, to, .. } => self.act(*seat, Action::Bet, units(*to)),
            Event::Raised { seat, to, .. } => self.act(*seat, Action::Raise, units(*to)),
            Event::ShowOffered { seat } => self.chair_mut(*seat).offered = true,
            Event::HandShown { seat, .. } => self.chair_mut(*seat).shown = true,
            Event::HandMucked { seat } => self.chair_mut(*seat).mucked = true,
            Event::PotAwarded(award) => self.awards.push(award.clone()),
            Event::HandSettled { .. } | Event::HandVoided { .. } => self.phase = Phase::Over,
            Event::HandOpened(_) | Event::TimedOut { .. } => {}
        }
    }

    fn act(&mut self, seat: Seat, action: Action, to: i64) {
        self.acts.push(Act { seat, action, to });
        match action {
            Action::Fold => self.chair_mut(seat).folded = true,
            Action::Check => {}
            _ => self.chair_mut(seat).wager_to(to),
        }
        match action {
            Action::BringIn => self.opener = Some(seat),
            Action::Complete | Action::Bet | Action::Raise => self.aggressions.push((self.street, seat)),
            _ => {}
        }
    }

    /// What must come next, with this deck.
    pub fn next(&mut self, deck: &Deck) -> Next {
        loop {
            let next = match self.phase {
                Phase::Antes => self.next_ante(),
                Phase::Refund => self.next_refund(),
                Phase::Deal => self.next_card(deck),
                Phase::Bet => self.turn().map(|seat| Next::Player(seat, self.offers(seat))),
                Phase::Tabling | Phase::Show => self.next_show(deck),
                Phase::Award => self.next_award(deck),
                Phase::PlayedOut if self.auto_settle => Some(Next::Dealer(self.settlement())),
                Phase::PlayedOut => Some(Next::PlayedOut),
                Phase::Over => Some(Next::Over),
            };
            if let Some(next) = next {
                return next;
            }
            self.phase = self.phase_after();
            match self.phase {
                Phase::Deal => self.begin_street(),
                Phase::Bet => self.begin_round(),
                _ => {}
            }
        }
    }

    fn phase_after(&self) -> Phase {
        match self.phase {
            Phase::Antes | Phase::Bet => Phase::Refund,
            Phase::Refund => self.phase_after_betting(),
            Phase::Deal => Phase::Bet,
            Phase::Tabling => Phase::Deal,
            Phase::Show => Phase::Award,
            Phase::Award | Phase::PlayedOut => Phase::PlayedOut,
            Phase::Over => Phase::Over,
        }
    }

    fn phase_after_betting(&self) -> Phase {
        if self.live().count() == 1 {
            // R23
            Phase::Award
        } else if self.street == 7 {
            Phase::Show
        } else if self.street > 0 && self.able() < 2 && self.all_lie_open() {
            // R41
            Phase::Tabling
        } else {
            Phase::Deal
        }
    }

    /// R41: a live player is all-in, and then the rules lay all hands open.
    pub fn all_lie_open(&self) -> bool {
        self.rules.table_all_in_hands && self.live().any(Chair::all_in)
    }

    /// R6, R8, in seat order.
    fn next_ante(&self) -> Option<Next> {
        let ante = units(self.stakes.ante());
        let chair = self.chairs.iter().find(|chair| chair.put_in == 0).filter(|_| ante > 0)?;
        Some(Next::Dealer(Event::AntePosted { seat: chair.seat, amount: chips(ante.min(chair.stack)) }))
    }

    /// R8, R21.
    fn next_refund(&self) -> Option<Next> {
        let wagers: Vec<(Seat, i64)> = self.chairs.iter().map(|chair| (chair.seat, chair.wager)).collect();
        let (seat, amount) = pots::excess(&wagers)?;
        Some(Next::Dealer(Event::ExcessReturned { seat, amount: chips(amount) }))
    }

    /// R9, R24, R27.
    fn begin_street(&mut self) {
        self.street = if self.street == 0 { 3 } else { self.street + 1 };
        let live: Vec<Option<Seat>> = self.live().map(|chair| Some(chair.seat)).collect();
        let undealt = Card::COUNT - usize::from(self.position);
        self.plan = match self.street {
            3 => live.repeat(3).into(),
            7 if undealt < live.len() => VecDeque::from([None]),
            _ => live.into(),
        };
    }

    fn next_card(&self, deck: &Deck) -> Option<Next> {
        let position = self.position;
        let card = deck.card(position)?;
        Some(Next::Dealer(match *self.plan.front()? {
            None => Event::CommonCardDealt { position, card },
            Some(seat) => {
                let chair = self.chair(seat);
                let open = match self.street {
                    3 => chair.down.len() == 2,
                    7 => chair.shown,
                    _ => true,
                };
                Event::CardDealt { seat, position, card: open.then_some(card) }
            }
        }))
    }

    fn begin_round(&mut self) {
        self.acts.clear();
        self.chairs.iter_mut().for_each(|chair| chair.wager = 0);
        self.able_at_start = self.able();
    }

    /// The seats clockwise after this one, itself last.
    pub fn clockwise(&self, from: Seat) -> impl Iterator<Item = &Chair> {
        let after = self.chairs.iter().filter(move |chair| chair.seat > from);
        after.chain(self.chairs.iter().filter(move |chair| chair.seat <= from))
    }

    /// R25, R26: the live seat with the lowest board, the first of equals.
    pub fn lowest_board(&self) -> Seat {
        self.live().min_by_key(|chair| value(&chair.up)).expect("somebody is in").seat
    }

    /// All cards of a seat that the deck gives it.
    pub fn cards(&self, seat: Seat, deck: &Deck) -> Vec<Card> {
        let chair = self.chair(seat);
        let down = chair.down.iter().map(|&position| deck.card(position).expect("dealt"));
        chair.up.iter().copied().chain(down).chain(self.common).collect()
    }

    /// The value of a seat's whole hand, kept from the first time it is asked: never before the last card.
    pub fn whole(&mut self, seat: Seat, deck: &Deck) -> Key {
        if self.values.is_empty() {
            self.values = self.chairs.iter().map(|chair| best(&self.cards(chair.seat, deck))).collect();
        }
        let place = self.chairs.iter().position(|chair| chair.seat == seat).expect("dealt in");
        self.values[place].clone()
    }

    /// What is paid at the end, with the awards so far.
    pub fn settlement(&self) -> Event {
        let won = |seat: Seat| self.awards.iter().flat_map(|award| &award.shares).filter(move |share| share.0 == seat);
        let end =
            |chair: &Chair| (chair.seat, chips(chair.stack + won(chair.seat).map(|share| units(share.1)).sum::<i64>()));
        let rake = self.awards.iter().map(|award| units(award.rake)).sum();
        Event::HandSettled { stacks: self.chairs.iter().map(end).collect(), rake: chips(rake) }
    }
}
