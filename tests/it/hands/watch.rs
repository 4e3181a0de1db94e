//! What must hold after every order and every event, whatever a script says.

use razz_dealer::engine::{Action, Chips, Event, Outcome, PerSeat, Seat, TableCommand, TableEvent, Viewer};

use super::order::Order;
use super::scene::Scene;

impl Scene {
    /// The chips of each seat that are in no hand.
    pub(super) fn waiting(&self) -> PerSeat<Chips> {
        let mut waiting = PerSeat::default();
        self.table.occupants().for_each(|(seat, occupant)| waiting[seat] = occupant.chips);
        waiting
    }

    pub(super) fn views_show_what_was_paid(&self, before: &PerSeat<Chips>) -> Result<(), String> {
        let after = self.waiting();
        let seats = self.view(&Viewer::Public).seats;
        let wrong = seats.iter().find(|view| before[view.seat] + view.stack != after[view.seat]);
        wrong.map_or(Ok(()), |view| Err(format!("seat {} is shown to end with {}", view.seat, view.stack)))
    }

    pub(super) fn no_chip_is_made_or_lost(&self) -> Result<(), String> {
        let hand = self.hand();
        let waiting: Chips = self.waiting().iter().map(|(_, chips)| *chips).sum();
        let playing: Chips = hand.players().map(|(_, player)| player.stack + player.put_in).sum();
        let there = waiting + if hand.is_open() { playing } else { Chips::ZERO } + self.raked;
        if there != self.brought {
            return Err(format!("{} chips came to the table, {there} are there", self.brought));
        }
        let ended: Chips = hand.stacks().into_iter().map(|(_, stack)| stack).sum();
        let came: Chips = hand.players().map(|(_, player)| player.brought).sum();
        let taken = if hand.outcome() == Some(&Outcome::Settled) { hand.rake_taken() } else { Chips::ZERO };
        if hand.outcome().is_some() && ended + taken != came {
            return Err(format!("the hand's players came with {came} and end with {ended} beside a rake of {taken}"));
        }
        for award in hand.awards() {
            let paid: Chips = award.shares.iter().map(|share| share.1).sum();
            if paid + award.rake != award.amount {
                return Err(format!("a pot of {} is awarded as {paid} and rake {}", award.amount, award.rake));
            }
        }
        let awarded: Chips = hand.awards().iter().map(|award| award.amount).sum();
        if hand.is_played_out() && hand.is_open() && awarded != hand.total_pot() {
            return Err(format!("{awarded} of a pot of {} are awarded", hand.total_pot()));
        }
        Ok(())
    }

    /// Whether an action did what the script said of it.
    pub(super) fn is_as_said(&self, order: &Order, waits_for: Option<Seat>) -> Result<(), String> {
        let first = |skip| self.fresh.get(skip).and_then(done);
        match *order {
            Order::Act { seat, action, all_in, .. } => {
                let fits = first(0) == Some((seat, action, all_in));
                let is = if all_in { "is not" } else { "is" };
                if fits { Ok(()) } else { Err(format!("the action is done, but it {is} all-in")) }
            }
            Order::Deal { .. } if self.table.is_closed() => Err("a closed table has dealt".to_owned()),
            Order::Table(TableCommand::Close) if !self.table.is_closed() => Err("the table is not closed".to_owned()),
            Order::TimeOut { seat, .. } if waits_for != Some(seat) => {
                Err(format!("it is the turn of {waits_for:?}, not of seat {seat}"))
            }
            Order::TimeOut { seat, action } => {
                let found = first(1);
                let fits = found.is_some_and(|(who, what, _)| (who, what) == (seat, action));
                if fits { Ok(()) } else { Err(format!("the dealer did {found:?}")) }
            }
            _ => Ok(()),
        }
    }
}

/// An action's event as who, what and whether with the last chip.
fn done(event: &TableEvent) -> Option<(Seat, Action, bool)> {
    let TableEvent::Hand(event) = event else { return None };
    match *event {
        Event::Folded { seat } => Some((seat, Action::Fold, false)),
        Event::Checked { seat } => Some((seat, Action::Check, false)),
        Event::Called { seat, all_in, .. } => Some((seat, Action::Call, all_in)),
        Event::BroughtIn { seat, all_in, .. } => Some((seat, Action::BringIn, all_in)),
        Event::Completed { seat, all_in, .. } => Some((seat, Action::Complete, all_in)),
        Event::BetMade { seat, all_in, .. } => Some((seat, Action::Bet, all_in)),
        Event::Raised { seat, all_in, .. } => Some((seat, Action::Raise, all_in)),
        Event::HandShown { seat, .. } => Some((seat, Action::Show, false)),
        Event::HandMucked { seat } => Some((seat, Action::Muck, false)),
        _ => None,
    }
}
