//! The reference's showdown (R29 to R31, R41) and awards (R34 to R37).

use razz_dealer::engine::{Action, Award, Chips, Deck, Event, FirstToShow, LosingHands, Offer, Seat};

use super::super::pots::{self, Heap, PutIn, Share};
use super::reference::{Next, Reference, units};

impl Reference {
    /// The pots when no round is on (R34).
    pub fn heaps(&self) -> Vec<Heap> {
        let put_in =
            |chair: &super::reference::Chair| PutIn { seat: chair.seat, chips: chair.put_in, live: !chair.folded };
        pots::heaps(self.chairs.iter().map(put_in).collect())
    }

    /// R29.
    fn first_to_show(&self) -> Seat {
        let is_live = |seat: Seat| !self.chair(seat).folded;
        let mut back = self.aggressions.iter().rev().filter(|aggression| is_live(aggression.1));
        let lowest = self.live().next().expect("somebody is in").seat;
        match self.rules.first_to_show {
            FirstToShow::SeatOrder => lowest,
            FirstToShow::LastAggressor => match back.next() {
                Some(aggression) => aggression.1,
                None => self.opener.filter(|&seat| is_live(seat)).unwrap_or(lowest),
            },
            FirstToShow::LastAggressorOfSeventhElseLowestSeat => {
                back.find(|aggression| aggression.0 == 7).map_or(lowest, |aggression| aggression.1)
            }
            FirstToShow::LastAggressorOfSeventhElseLowestBoard => {
                back.find(|aggression| aggression.0 == 7).map_or_else(|| self.lowest_board(), |aggression| aggression.1)
            }
        }
    }

    /// The next hand to be shown, offered or mucked (R29, R30, R41).
    pub fn next_show(&mut self, deck: &Deck) -> Option<Next> {
        let first = self.first_to_show();
        let mut order: Vec<Seat> = self.clockwise(first).map(|chair| chair.seat).collect();
        order.rotate_right(1);
        let waits = |&seat: &Seat| {
            let chair = self.chair(seat);
            !chair.folded && !chair.shown && !chair.mucked
        };
        let seat = order.into_iter().find(waits)?;
        if self.chair(seat).offered {
            let free = |action: Action| Offer { action, to: Chips::ZERO, all_in: false };
            return Some(Next::Player(seat, vec![free(Action::Show), free(Action::Muck)]));
        }
        let forced = self.all_lie_open() || self.rules.losing_hands == LosingHands::AllShown;
        let shows = forced || self.must_show(seat, deck);
        Some(Next::Dealer(if shows { self.shown(seat, deck) } else { Event::ShowOffered { seat } }))
    }

    /// A hand laid open.
    pub fn shown(&self, seat: Seat, deck: &Deck) -> Event {
        let down = self.chair(seat).down.iter();
        Event::HandShown { seat, cards: down.map(|&place| (place, deck.card(place).expect("dealt"))).collect() }
    }

    /// R30.
    fn must_show(&mut self, seat: Seat, deck: &Deck) -> bool {
        let own = self.whole(seat, deck);
        self.heaps().into_iter().filter(|heap| heap.seats.len() > 1 && heap.seats.contains(&seat)).any(|heap| {
            let shown: Vec<Seat> = heap.seats.into_iter().filter(|&other| self.chair(other).shown).collect();
            shown.into_iter().all(|other| own <= self.whole(other, deck))
        })
    }

    /// R35 to R37: from the last side pot to the main pot.
    pub fn next_award(&mut self, deck: &Deck) -> Option<Next> {
        let heaps = self.heaps();
        let number = heaps.len().checked_sub(self.awards.len() + 1)?;
        let heap = &heaps[number];
        let amounts: Vec<i64> = heaps.iter().map(|heap| heap.chips).collect();
        let rake = pots::rake_parts(&amounts, self.rake())[number];
        let winners = self.winners(heap, deck);
        let ranked = winners.into_iter().map(|seat| {
            let ranks = if heap.seats.len() > 1 { self.whole(seat, deck).1 } else { Vec::new() };
            Share { seat, cards: self.cards(seat, deck), ranks }
        });
        let order = pots::odd_order(ranked.collect(), self.rules.odd_chip, self.rules.bring_in_suit_order);
        let amount = |units: i64| Chips::new(units).expect("an amount");
        let shares = pots::deal_out(heap.chips - rake, &order);
        Some(Next::Dealer(Event::PotAwarded(Award {
            pot: u8::try_from(number).expect("few pots"),
            amount: amount(heap.chips),
            rake: amount(rake),
            shares: shares.into_iter().map(|(seat, share)| (seat, amount(share))).collect(),
        })))
    }

    /// R31, R34: the lowest hands in the pot by the whole deck, shown or not; or whoever is alone.
    fn winners(&mut self, heap: &Heap, deck: &Deck) -> Vec<Seat> {
        if heap.seats.len() == 1 {
            return heap.seats.clone();
        }
        let best = heap.seats.iter().map(|&seat| self.whole(seat, deck)).min();
        heap.seats.iter().copied().filter(|&seat| Some(self.whole(seat, deck)) == best).collect()
    }

    /// R37.
    fn rake(&self) -> i64 {
        let Some(rake) = self.rules.rake else { return 0 };
        if rake.none_on_third() && self.street == 3 && self.live().count() == 1 {
            return 0;
        }
        let called = self.chairs.iter().map(|chair| chair.put_in).sum();
        let cap = rake.caps()[self.chairs.len() - 2].map(units);
        pots::rake(called, units(rake.amount()), units(rake.step()), cap)
    }
}
