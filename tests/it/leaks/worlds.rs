//! Pairs of decks that differ only in cards which no event of the hand lays open, and which decide nothing in it.

use std::sync::Arc;

use razz_dealer::engine::{Card, Command, Deck, Event, Hand, Seat, TableEvent, decide};
use razz_dealer::record::StreamEvent;
use razz_dealer::sim::{self, Dice};

use super::compare::Run;

/// The decks of both worlds, hand by hand, and which positions stay hidden.
pub struct Worlds {
    one: Vec<Deck>,
    other: Vec<Deck>,
    hidden: Vec<Vec<u8>>,
    seed: u64,
}

impl Worlds {
    pub fn first(seed: u64, hands: u64) -> Worlds {
        let one = (1..=hands).map(|hand| sim::deck(seed, hand)).collect();
        Worlds { one, other: Vec::new(), hidden: Vec::new(), seed }
    }

    /// The decks of the run that comes next.
    pub fn decks(&self) -> &[Deck] {
        if self.other.is_empty() { &self.one } else { &self.other }
    }

    /// All decks of both worlds, by hand, and the positions that stay hidden in it.
    pub fn each(&self) -> impl Iterator<Item = ([&Deck; 2], &[u8])> {
        let pairs = self.one.iter().zip(&self.other);
        pairs.zip(&self.hidden).map(|((one, other), hidden)| ([one, other], hidden.as_slice()))
    }

    /// How many hands are not the same in both.
    pub fn differing(&self) -> usize {
        self.one.iter().zip(&self.other).filter(|(one, other)| one != other).count()
    }

    /// Makes the second world, from what was played in the first.
    pub fn make_other(&mut self, run: &Run) {
        let mut dice = Dice::new(self.seed, 77);
        for (deck, hand) in self.one.iter().zip(run.hands()) {
            let hidden: Vec<u8> = (0..52).filter(|position| !hand.revealed(*position)).collect();
            // All of them, if that decides nothing; else only what nobody looked at: folded hands and the stub.
            let live = hand.showed_down();
            let unseen: Vec<u8> = hidden.iter().copied().filter(|position| !live.contains(position)).collect();
            let other = [&hidden, &unseen].into_iter().map(|among| shuffled(deck, among, &mut dice));
            let other = other.into_iter().find(|other| hand.is_the_same_with(other));
            self.other.push(other.unwrap_or_else(|| deck.clone()));
            self.hidden.push(hidden);
        }
    }
}

fn shuffled(deck: &Deck, among: &[u8], dice: &mut Dice) -> Deck {
    let mut order = *deck.order();
    let mut cards: Vec<Card> = among.iter().map(|&position| order[usize::from(position)]).collect();
    dice.shuffle(&mut cards);
    among.iter().zip(cards).for_each(|(&position, card)| order[usize::from(position)] = card);
    Deck::new(order).expect("the same cards")
}

/// What was recorded of one hand.
pub struct Played {
    events: Vec<Event>,
}

impl Played {
    pub fn new(events: Vec<Event>) -> Played {
        Played { events }
    }

    fn revealed(&self, position: u8) -> bool {
        self.events.iter().flat_map(Event::revealed).any(|(open, _)| open == position)
    }

    /// Positions whose cards the dealer looked at: those of hands that came to the showdown and were not shown.
    fn showed_down(&self) -> Vec<u8> {
        let asked: Vec<Seat> = self.events.iter().filter_map(asked).collect();
        let of_asked = self.events.iter().filter_map(|event| match event {
            Event::CardDealt { seat, position, .. } if asked.contains(seat) => Some(*position),
            _ => None,
        });
        of_asked.collect()
    }

    /// Whether the same players do the same, and the same follows, with this deck.
    fn is_the_same_with(&self, deck: &Deck) -> bool {
        let mut hand = Hand::default();
        let mut done = 0;
        while done < self.events.len() {
            let Some(command) = command(&self.events[done]) else { return false };
            let Ok(events) = decide(&hand, deck, &command) else { return false };
            if events.is_empty() || !self.events[done..].starts_with(&events) {
                return false;
            }
            done += events.len();
            for event in &events {
                hand.apply(event).expect("what was decided");
            }
        }
        true
    }
}

fn asked(event: &Event) -> Option<Seat> {
    match event {
        Event::ShowOffered { seat } | Event::HandMucked { seat } => Some(*seat),
        _ => None,
    }
}

/// The command that an event begins to carry out.
fn command(event: &Event) -> Option<Command> {
    use razz_dealer::engine::Action;
    let act = |seat: &Seat, action| Some(Command::Act { seat: *seat, action, to: None });
    match event {
        Event::HandOpened(opening) => Some(Command::Deal(Arc::clone(opening))),
        Event::Folded { seat } => act(seat, Action::Fold),
        Event::Checked { seat } => act(seat, Action::Check),
        Event::Called { seat, .. } => act(seat, Action::Call),
        Event::BroughtIn { seat, .. } => act(seat, Action::BringIn),
        Event::Completed { seat, .. } => act(seat, Action::Complete),
        Event::BetMade { seat, .. } => act(seat, Action::Bet),
        Event::Raised { seat, .. } => act(seat, Action::Raise),
        Event::HandShown { seat, .. } => act(seat, Action::Show),
        Event::HandMucked { seat } => act(seat, Action::Muck),
        _ => None,
    }
}

/// The events of hands in a list of recorded ones, hand by hand.
pub fn by_hand(events: impl Iterator<Item = StreamEvent>) -> Vec<Played> {
    let mut hands: Vec<Vec<Event>> = Vec::new();
    for event in events {
        let StreamEvent::Table(TableEvent::Hand(event)) = event else { continue };
        if matches!(event, Event::HandOpened(_)) {
            hands.push(Vec::new());
        }
        hands.last_mut().expect("it was opened").push(event);
    }
    hands.into_iter().map(Played::new).collect()
}
