//! The deck of a scripted hand. Which position is whose hangs on who is still in, so the deck is made as it is dealt:
//! cards that lie on the table keep their places, and every command is decided twice, first to learn the places of the
//! cards that it deals, then with the stated cards in those places.

use razz_dealer::engine::{Card, CardSet, Deck, Event, PerSeat, Seat, TableEvent};

/// The stated cards, and the places of those that have been dealt.
#[derive(Clone)]
pub struct Stock {
    stated: PerSeat<Vec<Option<Card>>>,
    common: Option<Card>,
    placed: [Option<Card>; Card::COUNT],
    /// How many cards each seat has.
    held: PerSeat<usize>,
    dealt: usize,
}

impl Stock {
    pub fn new() -> Stock {
        Stock {
            stated: PerSeat::default(),
            common: None,
            placed: [None; Card::COUNT],
            held: PerSeat::default(),
            dealt: 0,
        }
    }

    /// For the next hand: the same stated cards, nothing dealt.
    pub fn gathered(&self) -> Stock {
        Stock { stated: self.stated.clone(), common: self.common, ..Stock::new() }
    }

    pub fn state(&mut self, seat: Seat, cards: Vec<Option<Card>>) -> Result<(), String> {
        if cards.len() > 7 {
            return Err(format!("seat {seat} gets 7 cards at most"));
        }
        self.stated[seat] = cards;
        self.none_twice()
    }

    pub fn state_common(&mut self, card: Card) -> Result<(), String> {
        self.common = Some(card);
        self.none_twice()
    }

    fn all_stated(&self) -> impl Iterator<Item = Card> + '_ {
        self.stated.iter().flat_map(|(_, cards)| cards.iter().flatten().copied()).chain(self.common)
    }

    fn none_twice(&self) -> Result<(), String> {
        let mut seen = CardSet::EMPTY;
        let again = self.all_stated().find(|&card| !seen.insert(card));
        again.map_or(Ok(()), |card| Err(format!("{card} is stated twice")))
    }

    /// Puts the stated cards where these events deal them. A card that nobody stated is the highest one that is free,
    /// by rank and then spades, hearts, diamonds, clubs.
    pub fn place(&mut self, events: &[TableEvent]) -> Result<(), String> {
        for event in events {
            let (position, stated) = match event {
                TableEvent::Hand(Event::CardDealt { seat, position, .. }) => {
                    let held = self.held[*seat];
                    self.held[*seat] += 1;
                    (*position, self.stated[*seat].get(held).copied().flatten())
                }
                TableEvent::Hand(Event::CommonCardDealt { position, .. }) => (*position, self.common),
                _ => continue,
            };
            if usize::from(position) != self.dealt {
                return Err(format!("R3: card {position} of the deck is dealt where card {} is next", self.dealt));
            }
            let card = stated.or_else(|| self.free()).ok_or("no card is left that nobody stated")?;
            if self.placed.contains(&Some(card)) {
                return Err(format!("R3: {card} is dealt twice"));
            }
            self.placed[self.dealt] = Some(card);
            self.dealt += 1;
        }
        Ok(())
    }

    fn free(&self) -> Option<Card> {
        let stated: CardSet = self.all_stated().collect();
        let mut cards: Vec<Card> = Card::all().collect();
        cards.reverse();
        cards.into_iter().find(|&card| !stated.contains(card) && !self.placed.contains(&Some(card)))
    }

    /// A whole deck with the placed cards in their places.
    pub fn deck(&self) -> Deck {
        let mut rest = Card::all().filter(|&card| !self.placed.contains(&Some(card)));
        let order = self.placed.map(|card| card.or_else(|| rest.next()).expect("52 cards for 52 places"));
        Deck::new(order).expect("each card has one place")
    }

    /// How many cards have been dealt.
    pub const fn dealt(&self) -> usize {
        self.dealt
    }
}
