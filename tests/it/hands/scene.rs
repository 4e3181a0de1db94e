//! A table at which a script is played, with what must hold after every event whatever the script says.

use std::collections::BTreeSet;

use razz_dealer::engine::{
    Action, Chips, Command, DeckBond, DeckOrigin, Event, Hand, PlayerId, Preset, Refused, Seat, Settings, Stakes,
    Table, TableCommand, TableEvent, View, Viewer,
};

use super::order::{self, NoOrder, Order, usual_player};
use super::stock::Stock;
use super::words::{Words, card};
use super::{expect, refusal, rules};

/// One value of a rule, which holds whatever preset a script names; `shares` is the preset of omitted stakes.
#[derive(Clone)]
pub struct Flip {
    pub field: String,
    pub value: String,
}

/// The table and what the script said so far.
pub struct Scene {
    pub(super) table: Table,
    stock: Stock,
    preset: Preset,
    flip: Option<Flip>,
    /// What the latest order that was followed brought about.
    pub(super) fresh: Vec<TableEvent>,
    /// How many awards the script has named.
    pub(super) awards_named: usize,
    /// What the latest refusal says.
    pub(super) said: String,
    /// The variants that were refused as the script has it.
    pub(super) refusals: BTreeSet<&'static str>,
    /// Chips that came to the table and have not left it.
    pub(super) brought: Chips,
    /// Chips that settled hands paid to the house.
    pub(super) raked: Chips,
    pub(super) still_open: bool,
}

impl Scene {
    pub fn new(flip: Option<Flip>) -> Scene {
        let chips = |units| Chips::new(units).expect("a small amount");
        let settings = Settings {
            stakes: Stakes::new(chips(1), chips(2), chips(10)).expect("valid stakes"),
            rules: Preset::PokerStars.rules(),
            auto_settle: false,
            act_allowance_ms: 0,
            settle_after_ms: 0,
            nonces: false,
            reveal_deck: false,
        };
        Scene {
            table: Table::new(settings),
            stock: Stock::new(),
            preset: Preset::PokerStars,
            flip,
            fresh: Vec::new(),
            awards_named: 0,
            said: String::new(),
            refusals: BTreeSet::new(),
            brought: Chips::ZERO,
            raked: Chips::ZERO,
            still_open: false,
        }
    }

    pub const fn table(&self) -> &Table {
        &self.table
    }

    pub const fn hand(&self) -> &Hand {
        self.table.hand()
    }

    pub const fn dealt(&self) -> usize {
        self.stock.dealt()
    }

    /// The preset whose shares stand for omitted stakes.
    pub fn shares(&self) -> Preset {
        let flipped = self.flip.as_ref().filter(|flip| flip.field == "shares");
        flipped.and_then(|flip| Preset::named(&flip.value)).unwrap_or(self.preset)
    }

    /// Who sits in the seat, or would.
    pub fn player_at(&self, seat: Seat) -> PlayerId {
        let occupant = self.table.occupants().find(|(other, _)| *other == seat);
        occupant.map_or_else(|| usual_player(seat), |(_, occupant)| occupant.player.clone())
    }

    /// The hand as this viewer may know it.
    pub fn view(&self, viewer: &Viewer) -> View {
        View::of(self.hand(), viewer, Some(&self.stock.deck()))
    }

    /// Follows one statement.
    pub fn run(&mut self, statement: &str) -> Result<(), String> {
        if let Some(rest) = statement.strip_prefix("under ") {
            let (value, rest) = rest.split_once(": ").ok_or("a colon is missing behind the value")?;
            let flip = self.flip.as_ref().ok_or("`under` needs a `flip` line at the top")?;
            return if flip.value == value { self.run(rest) } else { Ok(()) };
        }
        if let Some(rest) = statement.strip_prefix("refused ") {
            return self.refused(rest);
        }
        match order::parse(self, statement) {
            Ok(orders) => {
                orders.iter().try_for_each(|order| self.follow(order))?;
                self.after(statement)
            }
            Err(NoOrder::Invalid(_, words) | NoOrder::Unreadable(words)) => Err(words),
            Err(NoOrder::Other) => self.run_other(statement),
        }
    }

    fn run_other(&mut self, statement: &str) -> Result<(), String> {
        let mut words = Words::of(statement);
        match words.next().unwrap_or_default() {
            "cards" => {
                let seat = words.seat()?;
                self.stock.state(seat, words.cards()?)
            }
            "common" => self.stock.state_common(card(words.next().unwrap_or_default())?),
            "check-down" => self.check_down(),
            "still-open" => {
                self.still_open = true;
                Ok(())
            }
            _ => expect::check(self, statement),
        }
    }

    /// What a followed order means for the script itself.
    fn after(&mut self, statement: &str) -> Result<(), String> {
        let mut words = Words::of(statement);
        match words.next() {
            Some("rules") => {
                self.preset = order::preset(&mut words)?;
                self.keep_flip()
            }
            Some("seat") => {
                let seat = words.seat()?;
                match statement.split_once(" cards ") {
                    Some((_, cards)) => self.stock.state(seat, Words::of(cards).cards()?),
                    None => Ok(()),
                }
            }
            _ => Ok(()),
        }
    }

    /// A flipped rule keeps its value under every preset.
    fn keep_flip(&mut self) -> Result<(), String> {
        let Some(flip) = self.flip.clone().filter(|flip| flip.field != "shares") else { return Ok(()) };
        let mut settings = *self.table.settings();
        rules::set(&mut settings.rules, &flip.field, &flip.value)?;
        self.follow(&Order::Table(TableCommand::ChangeRules(settings)))
    }

    /// Everybody checks until somebody has another choice.
    fn check_down(&mut self) -> Result<(), String> {
        let mut checks = 0;
        while let (Some(seat), Some(_)) = (self.hand().waits_for(), self.hand().legal().offer(Action::Check)) {
            self.follow(&Order::Act { seat, action: Action::Check, to: None, all_in: false })?;
            checks += 1;
        }
        if checks > 0 { Ok(()) } else { Err(format!("nobody may check; legal: {}", self.hand().legal())) }
    }

    /// `STATEMENT -> Variant { data }`.
    fn refused(&mut self, text: &str) -> Result<(), String> {
        let (statement, expected) = text.rsplit_once(" -> ").ok_or("`->` and the refusal are missing")?;
        let found = match order::parse(self, statement) {
            Ok(orders) => {
                let [order] = orders.as_slice() else { return Err("one order is expected".to_owned()) };
                match self.ask(order, &self.stock) {
                    Err(Refused::Rejected(rejection)) => {
                        self.said = rejection.to_string();
                        self.refusals.insert(refusal::name(&rejection));
                        refusal::in_script(&rejection)
                    }
                    Err(Refused::Broken(broken)) => return Err(broken.to_string()),
                    Ok(_) => return Err(format!("`{statement}` is accepted; it should be refused: {expected}")),
                }
            }
            Err(NoOrder::Invalid(error, words)) => {
                self.said = words;
                error
            }
            Err(NoOrder::Unreadable(problem)) => return Err(problem),
            Err(NoOrder::Other) => return Err(format!("`{statement}` asks nothing of the table")),
        };
        if found == expected { Ok(()) } else { Err(format!("refused as {found}; the script says {expected}")) }
    }

    fn ask(&self, order: &Order, stock: &Stock) -> Result<Vec<TableEvent>, Refused> {
        let deck = stock.deck();
        let latest = self.hand().number();
        let play = |command| self.table.play(&deck, latest, &command);
        match order {
            Order::Table(command) => Ok(self.table.decide(command)?),
            Order::Deal { nonces } => {
                let prepared = self.table.prepared_with(nonces)?;
                self.table.deal(&deck, DeckBond { origin: DeckOrigin::Scripted, root: [0; 32], prepared })
            }
            Order::Act { seat, action, to, .. } => play(Command::Act { seat: *seat, action: *action, to: *to }),
            Order::TimeOut { .. } => play(Command::TimeOut),
            Order::End { hand, command } => self.table.end(hand.unwrap_or(latest), command),
        }
    }

    /// Follows an order that must be accepted.
    fn follow(&mut self, order: &Order) -> Result<(), String> {
        if matches!(order, Order::Deal { .. }) {
            self.awards_are_named()?;
            self.awards_named = 0;
        }
        let before = if matches!(order, Order::Deal { .. }) { self.stock.gathered() } else { self.stock.clone() };
        let waits_for = self.hand().waits_for();
        let ask = |stock: &Stock| self.ask(order, stock).map_err(|refused| format!("refused: {refused}"));
        // Twice: see the stock.
        let mut stock = before.clone();
        stock.place(&ask(&before)?)?;
        let events = ask(&stock)?;
        let mut again = before;
        again.place(&events)?;
        if again.deck() != stock.deck() {
            return Err("R3: who is dealt which position hangs on the cards".to_owned());
        }
        self.stock = stock;
        self.apply(&events)?;
        self.fresh = events;
        self.is_as_said(order, waits_for)
    }

    fn apply(&mut self, events: &[TableEvent]) -> Result<(), String> {
        for event in events {
            let before = self.waiting();
            self.table.apply(event).map_err(|error| format!("the engine does not take its own {event:?}: {error}"))?;
            match event {
                TableEvent::SeatTaken { chips, .. } | TableEvent::ChipsAdded { chips, .. } => self.brought += *chips,
                TableEvent::SeatLeft { chips, .. } => self.brought -= *chips,
                TableEvent::Hand(Event::HandSettled { rake, .. }) => {
                    self.raked += *rake;
                    self.views_show_what_was_paid(&before)?;
                }
                TableEvent::Hand(Event::HandVoided { .. }) => self.views_show_what_was_paid(&before)?,
                _ => {}
            }
            self.no_chip_is_made_or_lost().map_err(|problem| format!("after {event:?}: {problem}"))?;
        }
        Ok(())
    }

    /// Either no award is named, or all of them.
    fn awards_are_named(&self) -> Result<(), String> {
        let (named, all) = (self.awards_named, self.hand().awards().len());
        if named == 0 || named == all { Ok(()) } else { Err(format!("{named} of {all} awards are named")) }
    }

    /// What must hold where a script ends.
    pub fn close(&self) -> Result<(), String> {
        self.awards_are_named()?;
        if self.hand().is_open() != self.still_open {
            let is = if self.hand().is_open() { "is" } else { "is not" };
            return Err(format!("the script ends, and hand {} {is} open", self.hand().number()));
        }
        Ok(())
    }
}
