//! What random hands have come to: the laws prove nothing about what never occurs.

use razz_dealer::engine::Event;

use super::walk::Play;

/// How often something occurred.
#[derive(Clone, Copy, Default, Debug)]
pub struct Tally {
    pub hands: u64,
    pub decisions: u64,
    pub most_decisions: u64,
    pub showdowns: u64,
    pub tabled: u64,
    pub offered: u64,
    pub mucked: u64,
    pub side_pots: u64,
    pub three_side_pots: u64,
    pub splits: u64,
    pub odd_units: u64,
    pub returned: u64,
    pub common_cards: u64,
    pub timed_out: u64,
    pub voided: u64,
    pub raked: u64,
    pub short_posts: u64,
    pub folds_of_the_opener: u64,
}

impl Tally {
    /// One hand.
    pub fn of(play: &Play, decisions: i64) -> Tally {
        let count = |of: fn(&Event) -> bool| u64::from(play.log.iter().any(of));
        let awards = &play.reference.awards;
        let split = |least: usize| {
            awards.iter().filter(|award| award.shares.len() >= least && award.shares.len() > 1).count() as u64
        };
        let uneven = awards.iter().any(|award| award.shares.iter().any(|share| share.1 != award.shares[0].1));
        let bring_in = play.reference.stakes.bring_in();
        let short = play.log.iter().any(|event| matches!(event, Event::BroughtIn { to, .. } if *to < bring_in));
        let first_act = play.log.iter().find(|event| {
            !matches!(
                event,
                Event::HandOpened(_)
                    | Event::AntePosted { .. }
                    | Event::CardDealt { .. }
                    | Event::ExcessReturned { .. }
                    | Event::TimedOut { .. }
            )
        });
        let decisions = u64::try_from(decisions).expect("a count");
        Tally {
            hands: 1,
            decisions,
            most_decisions: decisions,
            showdowns: count(|event| matches!(event, Event::HandShown { .. })),
            tabled: count(|event| matches!(event, Event::CardDealt { position: 20.., card: Some(_), .. })),
            offered: count(|event| matches!(event, Event::ShowOffered { .. })),
            mucked: count(|event| matches!(event, Event::HandMucked { .. })),
            side_pots: u64::from(awards.len() > 1),
            three_side_pots: u64::from(awards.len() > 3),
            splits: split(2),
            odd_units: u64::from(uneven),
            returned: count(|event| matches!(event, Event::ExcessReturned { .. })),
            common_cards: count(|event| matches!(event, Event::CommonCardDealt { .. })),
            timed_out: count(|event| matches!(event, Event::TimedOut { .. })),
            voided: count(|event| matches!(event, Event::HandVoided { .. })),
            raked: u64::from(awards.iter().any(|award| !award.rake.is_zero())),
            short_posts: u64::from(short),
            folds_of_the_opener: u64::from(matches!(first_act, Some(Event::Folded { .. }))),
        }
    }

    /// Both together.
    pub fn and(self, other: Tally) -> Tally {
        Tally {
            hands: self.hands + other.hands,
            decisions: self.decisions + other.decisions,
            most_decisions: self.most_decisions.max(other.most_decisions),
            showdowns: self.showdowns + other.showdowns,
            tabled: self.tabled + other.tabled,
            offered: self.offered + other.offered,
            mucked: self.mucked + other.mucked,
            side_pots: self.side_pots + other.side_pots,
            three_side_pots: self.three_side_pots + other.three_side_pots,
            splits: self.splits + other.splits,
            odd_units: self.odd_units + other.odd_units,
            returned: self.returned + other.returned,
            common_cards: self.common_cards + other.common_cards,
            timed_out: self.timed_out + other.timed_out,
            voided: self.voided + other.voided,
            raked: self.raked + other.raked,
            short_posts: self.short_posts + other.short_posts,
            folds_of_the_opener: self.folds_of_the_opener + other.folds_of_the_opener,
        }
    }

    /// The rarest of what must have occurred.
    pub fn rarest(&self) -> u64 {
        let all = [
            self.showdowns,
            self.tabled,
            self.offered,
            self.mucked,
            self.side_pots,
            self.three_side_pots,
            self.splits,
            self.odd_units,
            self.returned,
            self.common_cards,
            self.timed_out,
            self.voided,
            self.raked,
            self.short_posts,
            self.folds_of_the_opener,
        ];
        all.into_iter().min().unwrap_or_default()
    }
}
