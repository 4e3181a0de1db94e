//! Plays random hands through a table, event by event against the reference.

use std::collections::VecDeque;
use std::sync::Arc;

use razz_dealer::engine::{
    Action, Chips, Command, Deck, DeckBond, DeckOrigin, Due, Event, Hand, HeadsUpCap, Offer, Outcome, Rejection, Seat,
    Table, TableEvent, decide,
};
use razz_dealer::sim::Dice;

use super::reference::{Next, Reference, units};
use super::tally::Tally;
use super::world::{self, Temper};
use super::{grid, noise, replay, scale, views};

/// The seed of all worlds.
const SEED: u64 = 20_260_101;

/// A table and what is known of it beside the engine.
pub struct Game {
    pub dice: Dice,
    pub table: Table,
    temper: Temper,
    /// What the table's seats and pots hold together, by what was brought, taken away and raked.
    pub money: i64,
    index: u64,
}

/// One hand in play.
pub struct Play {
    pub deck: Deck,
    pub reference: Reference,
    /// The same hand, only ever changed by events.
    replica: Hand,
    pub log: Vec<Event>,
    /// The log with all else that happened at the table meanwhile.
    pub at_the_table: Vec<TableEvent>,
    /// What was asked, and how long the log was then.
    pub commands: Vec<(Command, usize)>,
}

/// The event by which an offer that was taken is recorded.
pub fn event_of(seat: Seat, offer: Offer, reference: &Reference, deck: &Deck) -> Event {
    let Offer { action, to, all_in } = offer;
    match action {
        Action::Fold => Event::Folded { seat },
        Action::Check => Event::Checked { seat },
        Action::Call => Event::Called { seat, to, all_in },
        Action::BringIn => Event::BroughtIn { seat, to, all_in },
        Action::Complete => Event::Completed { seat, to, all_in },
        Action::Bet => Event::BetMade { seat, to, all_in },
        Action::Raise => Event::Raised { seat, to, all_in },
        Action::Show => reference.shown(seat, deck),
        Action::Muck => Event::HandMucked { seat },
    }
}

/// The most decisions that a hand can ask for.
///
/// A player acts at most once between two increases, so a round with `i` increases has at most `n (i + 1)` acts, `n`
/// being the players. An increase is all-in or exact. Each player goes all-in once in the hand: at most `n` of those.
/// An exact one raises the full level by a bet: at most `max_raises + 1` in each of five rounds. Where a round is
/// uncapped, the levels of all rounds together still cannot pass the largest stack. Then each player decides once
/// whether to show.
fn most_decisions(reference: &Reference) -> i64 {
    let players = i64::try_from(reference.chairs.len()).expect("at most eight");
    let deepest = reference.chairs.iter().map(|chair| chair.brought).max().expect("players");
    let exact = match reference.rules.heads_up_cap {
        HeadsUpCap::Capped => 5 * (i64::from(reference.rules.max_raises) + 1),
        HeadsUpCap::UncappedHeadsUp => {
            (5 * (i64::from(reference.rules.max_raises) + 1)).max(deepest / units(reference.stakes.small_bet()))
        }
    };
    players * (5 + exact + players) + players
}

impl Game {
    pub fn new(index: u64) -> Game {
        let mut dice = Dice::new(SEED, index);
        let table = world::table(&mut dice);
        let temper = world::temper(&mut dice);
        let money = table.occupants().map(|(_, occupant)| units(occupant.chips)).sum();
        Game { dice, table, temper, money, index }
    }

    /// Plays one hand; `None` where the table has not two stacks left. `thorough` looks at it from every side.
    pub fn hand(&mut self, thorough: bool) -> Option<Tally> {
        let number = self.table.hand().number();
        let deck = world::deck(SEED, self.index * 8 + number);
        if let Err(refused) = self.table.ready_to_deal() {
            assert!(matches!(refused, Rejection::TooFewStacks { .. }), "{refused}");
            return None;
        }
        let events =
            self.table.deal(&deck, DeckBond::new(DeckOrigin::Scripted, [0; 32])).expect("two stacks are ready");
        let Some(TableEvent::Hand(Event::HandOpened(opening))) = events.first() else { panic!("{events:?}") };
        let mut play = Play {
            reference: Reference::new(opening),
            deck,
            replica: Hand::default(),
            log: Vec::new(),
            at_the_table: Vec::new(),
            commands: Vec::new(),
        };
        let opened = Event::HandOpened(Arc::clone(opening));
        self.feed(&mut play, &Command::Deal(Arc::clone(opening)), events, VecDeque::from([opened]));
        let most = most_decisions(&play.reference);
        let mut decisions = 0;
        while let Next::Player(seat, offers) = self.reach_decision(&mut play, thorough) {
            decisions += 1;
            assert!(decisions <= most, "a hand of more than {most} decisions");
            self.decide(&mut play, seat, &offers);
        }
        self.end(&mut play);
        self.assert_over(&play);
        if thorough {
            replay::the_opening_is_enough(&play, &self.table);
            replay::forgeries_are_refused(&play, &mut self.dice);
            scale::the_unit_decides_nothing(&play);
        }
        views::hidden_cards_decide_nothing(&play, &mut self.dice);
        Some(Tally::of(&play, decisions))
    }

    /// Everything that holds between two commands; then what is due.
    fn reach_decision(&mut self, play: &mut Play, thorough: bool) -> Next {
        let next = play.reference.next(&play.deck);
        grid::accepted_is_legal(self.table.hand(), play, &next, thorough, &mut self.dice);
        if thorough || self.dice.chance(5) {
            views::show_what_they_may(self.table.hand(), play, thorough);
        }
        if self.dice.chance(3) {
            noise::around_the_hand(self, play);
        }
        next
    }

    /// One random decision of the player to act, or of somebody above them.
    fn decide(&mut self, play: &mut Play, seat: Seat, offers: &[Offer]) {
        if self.dice.below(1000) < self.temper.voids {
            return self.void(play);
        }
        let find = |action: Action| offers.iter().copied().find(|offer| offer.action == action);
        if self.dice.below(1000) < self.temper.time_outs {
            // R38
            let mild = [Action::Check, Action::BringIn, Action::Fold, Action::Muck].into_iter().find_map(find);
            let acted = event_of(seat, mild.expect("something mild"), &play.reference, &play.deck);
            let expected = VecDeque::from([Event::TimedOut { seat }, acted]);
            return self.command(play, &Command::TimeOut, expected);
        }
        let increase = [Action::Complete, Action::Bet, Action::Raise].into_iter().find_map(find);
        let drawn = self.dice.below(100);
        let offer = match (find(Action::Fold), increase) {
            (Some(fold), _) if drawn < self.temper.folds => fold,
            (_, Some(increase)) if drawn >= 100 - self.temper.raises => increase,
            _ => {
                let stay: Vec<Offer> = offers.iter().copied().filter(|offer| offer.action != Action::Fold).collect();
                let place = self.dice.below(stay.len().min(2) as u64);
                stay[usize::try_from(place).expect("small")]
            }
        };
        let to = if self.dice.chance(50) { Some(offer.to) } else { None };
        let expected = VecDeque::from([event_of(seat, offer, &play.reference, &play.deck)]);
        self.command(play, &Command::Act { seat, action: offer.action, to }, expected);
    }

    fn void(&mut self, play: &mut Play) {
        let reason: Arc<str> = "misdeal".into();
        let expected = VecDeque::from([Event::HandVoided { reason: Arc::clone(&reason) }]);
        self.command(play, &Command::Void { reason }, expected);
    }

    fn end(&mut self, play: &mut Play) {
        if play.reference.next(&play.deck) == Next::PlayedOut {
            if self.dice.chance(5) {
                return self.void(play);
            }
            let settlement = play.reference.settlement();
            self.command(play, &Command::Settle, VecDeque::from([settlement]));
        }
    }

    /// Sends a command and takes in what follows: `expected` first, then what the reference has the dealer do.
    fn command(&mut self, play: &mut Play, command: &Command, expected: VecDeque<Event>) {
        let number = self.table.hand().number();
        let events = match command {
            // Needs no deck.
            Command::Settle | Command::Void { .. } => self.table.end(number, command),
            _ => self.table.play(&play.deck, number, command),
        };
        self.feed(play, command, events.expect("an offer is accepted"), expected);
    }

    fn feed(&mut self, play: &mut Play, command: &Command, events: Vec<TableEvent>, mut expected: VecDeque<Event>) {
        play.commands.push((command.clone(), play.log.len()));
        // The hand that was only replayed decides the same: so a restart can go on from the log at any point (R40).
        let replayed = decide(&play.replica, &play.deck, command).expect("as the table did");
        assert!(
            replayed.into_iter().map(TableEvent::Hand).eq(events.iter().cloned()),
            "a replayed hand decides otherwise"
        );
        for event in events {
            let TableEvent::Hand(happened) = &event else { panic!("{event:?} is no event of a hand") };
            let due = expected.pop_front().map_or_else(|| play.reference.next(&play.deck), Next::Dealer);
            assert_eq!(Next::Dealer(happened.clone()), due, "after {:?}", play.log);
            self.table.apply(&event).expect("what was decided");
            play.replica.apply(happened).expect("what was decided");
            assert_eq!(play.replica, *self.table.hand(), "this beginning of the log replays otherwise");
            play.reference.take(happened);
            play.log.push(happened.clone());
            play.at_the_table.push(event.clone());
            if let Event::HandSettled { rake, .. } = happened {
                self.money -= units(*rake);
            }
            self.assert_whole(play);
        }
        assert!(expected.is_empty(), "{expected:?} is missing");
        let due = play.reference.next(&play.deck);
        assert!(!matches!(due, Next::Dealer(_)), "{due:?} is missing after {:?}", play.log);
    }

    /// Promise 2 after one event, and that engine, replica and reference agree.
    fn assert_whole(&self, play: &mut Play) {
        let hand = self.table.hand();
        let brought: i64 = hand.players().map(|(_, player)| units(player.brought)).sum();
        let in_front: i64 = hand.stacks().into_iter().map(|(_, stack)| units(stack)).sum();
        // R39: voided, every chip is in front again; else some are in the middle until they are awarded.
        let awarded: i64 = hand.awards().iter().map(|award| units(award.amount)).sum();
        let in_the_middle = units(hand.total_pot()) - awarded + units(hand.rake_taken());
        let voided = matches!(hand.outcome(), Some(Outcome::Voided(_)));
        assert_eq!(brought, in_front + if voided { 0 } else { in_the_middle }, "after {:?}", play.log);
        let at_seats: i64 = self.table.occupants().map(|(_, occupant)| units(occupant.chips)).sum();
        assert_eq!(self.money, at_seats + if hand.is_open() { brought } else { 0 }, "after {:?}", play.log);
        // Asked what is next, the reference goes on to the round that begins, as the engine has.
        play.reference.next(&play.deck);
        for (chair, (seat, player)) in play.reference.chairs.iter().zip(hand.players()) {
            let engine = [player.brought, player.stack, player.put_in, player.wager].map(units);
            assert_eq!(engine[0], engine[1] + engine[2], "seat {seat} after {:?}", play.log);
            let known = [chair.brought, chair.stack, chair.put_in, chair.wager];
            assert_eq!((seat, engine, player.folded), (chair.seat, known, chair.folded), "after {:?}", play.log);
            assert!(player.down().eq(chair.down.iter().copied()) && player.board().eq(chair.up.iter().copied()));
        }
        self.assert_pots(play);
        assert_eq!((play.replica.due(), play.replica.legal()), (hand.due(), hand.legal()));
    }

    /// R34: the pots that are shown hold all chips that are in the middle, but the open wagers.
    fn assert_pots(&self, play: &Play) {
        let hand = self.table.hand();
        let pots = hand.pots();
        let in_pots: Chips = pots.iter().map(|pot| pot.amount).sum();
        let open = matches!(hand.due(), Due::Bet(_) | Due::Ante(_));
        let wagers: Chips = hand.players().filter(|_| open).map(|(_, player)| player.wager).sum();
        assert_eq!(in_pots + wagers, hand.total_pot(), "after {:?}", play.log);
        if matches!(hand.due(), Due::Choice(_) | Due::Award(_) | Due::Settlement) {
            let heaps = play.reference.heaps();
            let same = |(pot, heap): (&razz_dealer::engine::pots::Pot, &super::super::pots::Heap)| {
                units(pot.amount) == heap.chips && pot.seats.iter().eq(heap.seats.iter().copied())
            };
            assert!(pots.len() == heaps.len() && pots.iter().zip(&heaps).all(same), "{pots:?} or {heaps:?}");
        }
    }

    /// A hand that is over takes nothing more.
    fn assert_over(&self, play: &Play) {
        let hand = self.table.hand();
        assert!(!hand.is_open() && hand.waits_for().is_none() && hand.legal().seat.is_none());
        assert_eq!(format!("{:?}", play.replica), format!("{hand:?}"));
        let voided = matches!(play.log.last(), Some(Event::HandVoided { .. }));
        let again = if voided { Command::Void { reason: "again".into() } } else { Command::Settle };
        assert_eq!(decide(hand, &play.deck, &again), Ok(Vec::new()), "to end it again changes nothing");
        let number = hand.number();
        let closed =
            if voided { Rejection::HandVoided { hand: number } } else { Rejection::HandSettled { hand: number } };
        let other = if voided { Command::Settle } else { Command::Void { reason: "late".into() } };
        for command in [other, Command::TimeOut] {
            assert_eq!(decide(hand, &play.deck, &command), Err(closed.into()));
        }
    }
}
