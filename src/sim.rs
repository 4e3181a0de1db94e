//! Seeded players and decks for `demo`, load, benches and tests: the same seed plays the same hands on every machine.
//!
//! Nothing here is secret or unforeseeable. A deck of [`deck`] is not a shuffle to play for money with.

use chacha20::ChaCha8Rng;
use rand::{Rng, SeedableRng};

use crate::engine::{Action, Card, CardSet, Deck, Legal, Low, Offer, Seat, SeatView, Standing, Street, View};

/// A seeded source of choices. Draws are bounded here and not by a crate, so that no later version of one can change
/// what a seed means.
pub struct Dice(ChaCha8Rng);

impl Dice {
    /// The dice of this seed and number; each pair has its own sequence.
    pub fn new(seed: u64, number: u64) -> Dice {
        Dice::labelled(*b"razz sim dice 01", seed, number)
    }

    fn labelled(label: [u8; 16], seed: u64, number: u64) -> Dice {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        key[8..16].copy_from_slice(&number.to_le_bytes());
        key[16..].copy_from_slice(&label);
        Dice(ChaCha8Rng::from_seed(key))
    }

    /// A number below `bound`, each as likely as the other; 0 where `bound` is 0.
    pub fn below(&mut self, bound: u64) -> u64 {
        // The highest multiple of the bound: draws from there on would favour low numbers, so they are thrown again.
        let fair = u64::MAX - u64::MAX.checked_rem(bound).unwrap_or_default();
        loop {
            let drawn = self.0.next_u64();
            if drawn < fair || bound == 0 {
                return drawn.checked_rem(bound).unwrap_or_default();
            }
        }
    }

    /// True in this many of a hundred draws.
    pub fn chance(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }

    /// One of these, each as likely as the other; `None` where there is none.
    pub fn pick<T: Copy>(&mut self, from: &[T]) -> Option<T> {
        let index = self.below(from.len() as u64);
        from.get(usize::try_from(index).ok()?).copied()
    }

    /// Puts them in random order, each order as likely as the other.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            let other = usize::try_from(self.below(last as u64 + 1)).unwrap_or(last);
            items.swap(last, other);
        }
    }
}

/// The `number`th deck of a seed. For tests, `demo` and benches only: who knows the seed knows every card.
pub fn deck(seed: u64, number: u64) -> Deck {
    let mut order = std::array::from_fn(|index| index);
    Dice::labelled(*b"razz sim deck 01", seed, number).shuffle::<usize>(&mut order);
    let all: Vec<Card> = Card::all().collect();
    match Deck::new(order.map(|index| all[index])) {
        Some(deck) => deck,
        None => unreachable!("an order of 52 different cards is a deck"),
    }
}

/// Seeded players for all seats of a table. They play loosely and often see a showdown; they are no experts.
pub struct Bots {
    dice: Dice,
    /// How often of a hundred times a call becomes a fold.
    caution: u64,
}

impl Bots {
    /// The players of this seed.
    pub fn new(seed: u64) -> Bots {
        Bots { dice: Dice::labelled(*b"razz sim bots 01", seed, 0), caution: 0 }
    }

    /// As [`Bots::new`], for players who are not told their own down cards and so give up more often: their hands are
    /// about as long as those of people.
    pub fn cautious(seed: u64) -> Bots {
        Bots { caution: 48, ..Bots::new(seed) }
    }

    /// What the player to act does; `None` where it is nobody's turn. The view should be that player's own: down cards
    /// that it lacks are played as unknown.
    pub fn choose(&mut self, view: &View) -> Option<(Seat, Action)> {
        let seat = view.legal.seat?;
        let action = match increase(&view.legal) {
            _ if view.legal.offer(Action::Muck).is_some() => {
                if self.dice.chance(25) {
                    Action::Show
                } else {
                    Action::Muck
                }
            }
            raise => self.bet(view, seat, raise),
        };
        let gives_up = action == Action::Call && self.caution > 0 && self.dice.chance(self.caution);
        let action = if gives_up { Action::Fold } else { action };
        // Whatever the temper, only what is offered is done.
        view.legal.offer(action).or_else(|| view.legal.offers().next()).map(|offer| (seat, offer.action))
    }

    fn bet(&mut self, view: &View, seat: Seat, raise: Option<Action>) -> Action {
        let (raises, folds) = temper(view, seat);
        let drawn = self.dice.below(100);
        let mild = [Action::Check, Action::BringIn, Action::Call];
        let stay = mild.into_iter().find(|&action| view.legal.offer(action).is_some()).unwrap_or(Action::Fold);
        match raise {
            Some(raise) if drawn < raises => raise,
            _ if stay == Action::Call && drawn >= 100 - folds => Action::Fold,
            _ => stay,
        }
    }

    /// One of the legal actions, each as likely as the other; `None` where there is none.
    pub fn random(&mut self, legal: &Legal) -> Option<Offer> {
        let count = legal.offers().count() as u64;
        legal.offers().nth(usize::try_from(self.dice.below(count)).ok()?)
    }
}

fn increase(legal: &Legal) -> Option<Action> {
    [Action::Complete, Action::Bet, Action::Raise].into_iter().find(|&action| legal.offer(action).is_some())
}

/// How often of a hundred times the player raises and folds: the more cards that help no eight-low, the less it likes
/// its hand; a board ahead of all others gives it heart.
fn temper(view: &View, seat: Seat) -> (u64, u64) {
    let Some(me) = view.seats.iter().find(|other| other.seat == seat) else { return (0, 0) };
    let known: CardSet = me.board.iter().chain(&me.down).copied().collect();
    let helpful = (known.ranks() & 0xff).count_ones();
    let (raises, folds) = match (known.len() - helpful, view.street) {
        (0, _) => (35, 2),
        (1, Street::Third) => (12, 18),
        (1, _) => (25, 6),
        (2, Street::Third) => (5, 45),
        (2, _) => (12, 20),
        (_, Street::Third) => (2, 65),
        (3, Street::Seventh) => (6, 30),
        (_, _) => (3, 45),
    };
    if is_ahead(view, me) { (raises + 12, folds / 2) } else { (raises, folds) }
}

fn is_ahead(view: &View, me: &SeatView) -> bool {
    let board = |seat: &SeatView| Low::of(seat.board.iter().copied().collect());
    let mut others = view.seats.iter().filter(|other| other.seat != me.seat && other.standing != Standing::Folded);
    others.all(|other| board(me) < board(other))
}
