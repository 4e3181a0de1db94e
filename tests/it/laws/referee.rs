//! The reference's betting (R10 to R22): whose turn it is and what they may do, from the acts of the round alone.

use razz_dealer::engine::{Action, Chips, HeadsUpCap, Offer, Seat, Suit, SuitOrder};

use super::reference::{Act, Chair, Reference, units};

/// What the increases of a round have come to, in the letters of R19.
struct Levels {
    full: i64,
    highest: i64,
    count: usize,
    /// For each act, whether it was an increase that was full by itself.
    full_by_itself: Vec<bool>,
    increased: bool,
}

const fn is_increase(act: &Act) -> bool {
    matches!(act.action, Action::Complete | Action::Bet | Action::Raise)
}

impl Reference {
    /// U: the bet of the street (R5).
    fn bet(&self) -> i64 {
        units(self.stakes.small_bet()) * if self.street < 5 { 1 } else { 2 }
    }

    fn levels(&self) -> Levels {
        let bet = self.bet();
        let mut levels = Levels { full: 0, highest: 0, count: 0, full_by_itself: Vec::new(), increased: false };
        let mut last = 0;
        for act in &self.acts {
            let increase = is_increase(act);
            levels.full_by_itself.push(increase && 2 * (act.to - last) >= bet);
            if act.action == Action::BringIn {
                // R14: whatever was posted, the price is the full bring-in.
                levels.highest = units(self.stakes.bring_in());
            }
            if increase {
                if 2 * (act.to - levels.full) >= bet {
                    levels.full = act.to;
                    levels.count += 1;
                }
                (levels.highest, last, levels.increased) = (act.to, act.to, true);
            }
        }
        levels
    }

    /// Whose turn it is, if it is anybody's (R12, R13, R20, R22, R26).
    pub fn turn(&self) -> Option<Seat> {
        let able = self.able();
        let not_opened = self.street == 3 && self.acts.iter().all(|act| act.action == Action::Fold);
        if self.acts.is_empty() || not_opened {
            if able < 2 || self.live().count() < 2 {
                return None;
            }
            let first = match self.acts.last() {
                Some(folded) => folded.seat,
                None if self.street == 3 => self.highest_door(),
                None => self.lowest_board(),
            };
            if self.chair(first).able() {
                return Some(first);
            }
            return self.clockwise(first).find(|chair| chair.able()).map(|chair| chair.seat);
        }
        if self.live().count() < 2 {
            return None;
        }
        let last = self.acts.last()?.seat;
        let has_acted = |seat: Seat| self.acts.iter().any(|act| act.seat == seat);
        self.clockwise(last)
            .filter(|chair| chair.able())
            .find(|chair| chair.wager < self.price(chair) || able > 1 && !has_acted(chair.seat))
            .map(|chair| chair.seat)
    }

    /// R10, R11.
    fn highest_door(&self) -> Seat {
        let suits = match self.rules.bring_in_suit_order {
            SuitOrder::SpadesHighest => [Suit::Clubs, Suit::Diamonds, Suit::Hearts, Suit::Spades],
            SuitOrder::ClubsHighest => [Suit::Spades, Suit::Hearts, Suit::Diamonds, Suit::Clubs],
        };
        let door = |chair: &&Chair| {
            let card = chair.up[0];
            (card.rank().index(), suits.iter().position(|&suit| suit == card.suit()))
        };
        self.live().max_by_key(door).expect("somebody is in").seat
    }

    /// What this player must have wagered to stay in (R14, R15).
    fn price(&self, chair: &Chair) -> i64 {
        let levels = self.levels();
        let post = self.acts.iter().find(|act| act.action == Action::BringIn).map(|act| act.to);
        match post {
            Some(post) if !levels.increased => {
                let sole = self.able() == 1 && chair.able();
                let contested =
                    self.live().any(|other| other.seat != chair.seat && other.all_in() && other.wager > post);
                if sole && !contested { post.min(levels.highest) } else { levels.highest }
            }
            _ => levels.highest,
        }
    }

    /// What this player may do, in the order in which it is offered.
    pub fn offers(&self, seat: Seat) -> Vec<Offer> {
        let chair = self.chair(seat);
        let everything = chair.wager + chair.stack;
        let offer = |action: Action, to: i64| {
            let to = to.min(everything);
            Offer { action, to: Chips::new(to).expect("an amount"), all_in: to == everything }
        };
        let free = |action: Action| Offer { action, to: Chips::ZERO, all_in: false };
        let (bring_in, small_bet) = (units(self.stakes.bring_in()), units(self.stakes.small_bet()));
        let mut offers = Vec::new();
        if self.street == 3 && self.acts.iter().all(|act| act.action == Action::Fold) {
            if self.rules.bring_in_may_fold {
                offers.push(free(Action::Fold));
            }
            offers.push(offer(Action::BringIn, bring_in));
            if everything > bring_in {
                offers.push(offer(Action::Complete, small_bet));
            }
            return offers;
        }
        let price = self.price(chair);
        if chair.wager < price {
            offers.extend([free(Action::Fold), offer(Action::Call, price)]);
        } else {
            offers.extend(self.rules.fold_without_bet.then(|| free(Action::Fold)));
            offers.push(free(Action::Check));
        }
        let levels = self.levels();
        if self.may_increase(chair, &levels) {
            let to = (levels.full + self.bet()).min(everything);
            offers.push(offer(self.name_of(to, &levels), to));
        }
        offers
    }

    fn may_increase(&self, chair: &Chair, levels: &Levels) -> bool {
        // R18: only an increase is one.
        let has_more = chair.wager + chair.stack > levels.highest;
        // R22
        let opponents = self.chairs.iter().any(|other| other.seat != chair.seat && other.able());
        // R17
        let uncapped = self.rules.heads_up_cap == HeadsUpCap::UncappedHeadsUp && self.able_at_start == 2;
        let below_cap = uncapped || levels.count < 1 + usize::from(self.rules.max_raises);
        // R19
        let reopened = match self.acts.iter().rposition(|act| act.seat == chair.seat) {
            None => true,
            Some(own) => {
                levels.full_by_itself[own + 1..].contains(&true) || 2 * (levels.highest - chair.wager) >= self.bet()
            }
        };
        has_more && opponents && below_cap && reopened
    }

    /// The name of an increase (rulebook, section 9).
    fn name_of(&self, to: i64, levels: &Levels) -> Action {
        let full = 2 * (to - levels.full) >= self.bet();
        match (levels.highest, full) {
            (0, _) => Action::Bet,
            (highest, true) if highest != levels.full => Action::Complete,
            _ => Action::Raise,
        }
    }
}
