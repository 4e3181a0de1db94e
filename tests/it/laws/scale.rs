//! Chips are counted and never rounded: the same hand in units as large as amounts allow goes the same way.

use std::sync::Arc;

use razz_dealer::engine::{Chips, Command, DealtIn, Event, Hand, HouseRules, Opening, Settings, Stakes, decide};

use super::walk::Play;

/// Plays the commands again with every amount so many times as high that all the chips there can be are in play. Rake
/// and split pots round, so only the pots themselves are compared.
pub fn the_unit_decides_nothing(play: &Play) {
    let Some(Event::HandOpened(opening)) = play.log.first() else { panic!("a log without an opening") };
    let brought: Chips = opening.dealt_in.iter().map(|dealt| dealt.stack).sum();
    // The big bet is an amount too, though nobody need have so much.
    let most = brought.max(opening.settings.stakes.big_bet());
    let unit = Chips::MAX.count_of(most);
    let large = Command::Deal(Arc::new(enlarged(opening, unit)));
    let mut hand = Hand::default();
    for (command, begin) in &play.commands {
        let command = match command {
            Command::Deal(_) => large.clone(),
            Command::Act { seat, action, to } => {
                Command::Act { seat: *seat, action: *action, to: to.map(|to| to.times(unit)) }
            }
            other => other.clone(),
        };
        let small = &play.log[*begin..];
        for (event, small) in decide(&hand, &play.deck, &command).expect("the same is legal").iter().zip(small) {
            match (event, small) {
                (Event::HandOpened(_), _) | (Event::HandSettled { .. }, Event::HandSettled { .. }) => {}
                (Event::PotAwarded(large), Event::PotAwarded(small)) => {
                    assert_eq!((large.pot, large.amount), (small.pot, small.amount.times(unit)));
                    assert!(large.shares.iter().map(|share| share.0).eq(small.shares.iter().map(|share| share.0)));
                }
                _ => assert_eq!(*event, times(small, unit)),
            }
            hand.apply(event).expect("what was decided");
        }
    }
    assert!(!hand.is_open());
}

fn enlarged(opening: &Opening, unit: i64) -> Opening {
    let Settings { stakes, rules, auto_settle, act_allowance_ms, settle_after_ms, nonces, reveal_deck } =
        opening.settings;
    let [ante, bring_in, small_bet] =
        [stakes.ante(), stakes.bring_in(), stakes.small_bet()].map(|amount| amount.times(unit));
    let stakes = Stakes::new(ante, bring_in, small_bet).expect("within all that there is");
    let dealt_in = opening.dealt_in.iter().map(|dealt| DealtIn { stack: dealt.stack.times(unit), ..dealt.clone() });
    Opening {
        settings: Settings {
            stakes,
            rules: HouseRules { rake: None, ..rules },
            auto_settle,
            act_allowance_ms,
            settle_after_ms,
            nonces,
            reveal_deck,
        },
        dealt_in: dealt_in.collect(),
        ..opening.clone()
    }
}

/// The event with every amount so many times as high.
fn times(event: &Event, unit: i64) -> Event {
    let mut event = event.clone();
    match &mut event {
        Event::AntePosted { amount, .. } | Event::ExcessReturned { amount, .. } => *amount = amount.times(unit),
        Event::Called { to, .. }
        | Event::BroughtIn { to, .. }
        | Event::Completed { to, .. }
        | Event::BetMade { to, .. }
        | Event::Raised { to, .. } => *to = to.times(unit),
        _ => {}
    }
    event
}
