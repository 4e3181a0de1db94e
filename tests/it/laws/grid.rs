//! Accepted is legal, and legal is accepted (promise 1): whatever is asked of a hand is taken exactly if it is offered.

use razz_dealer::engine::{Action, Chips, Command, Deck, Hand, Offer, Outcome, Refused, Rejection, Seat, decide};
use razz_dealer::sim::{self, Dice};

use super::reference::Next;
use super::walk::Play;

const ACTIONS: [Action; 9] = [
    Action::Fold,
    Action::Check,
    Action::Call,
    Action::BringIn,
    Action::Complete,
    Action::Bet,
    Action::Raise,
    Action::Show,
    Action::Muck,
];

/// `legal` is what the reference has, and `decide` takes that and nothing else. A thorough look tries every seat with
/// every action and amount; otherwise every action of the player to act and one of somebody else are tried.
///
/// That a refusal changes nothing needs no look: [`decide`] cannot change the hand that it is given.
pub fn accepted_is_legal(hand: &Hand, play: &Play, next: &Next, thorough: bool, dice: &mut Dice) {
    let legal = hand.legal();
    let (turn, offers): (Option<Seat>, &[Offer]) = match next {
        Next::Player(seat, offers) => (Some(*seat), offers),
        _ => (None, &[]),
    };
    assert_eq!(legal.seat, turn, "after {:?}", play.log);
    assert_eq!(legal.offers().collect::<Vec<_>>(), offers, "after {:?}", play.log);
    assert_amounts(hand, turn, offers);
    // No refusal may hang on the deck: it is asked with one that has nothing to do with the hand.
    let stranger = sim::deck(dice.below(1000), 1);
    let mut ask = |seat: Seat, action: Action| {
        let offer = offers.iter().find(|offer| offer.action == action && turn == Some(seat));
        let right = offer.map_or_else(|| i64::try_from(dice.below(50)).expect("small"), |offer| offer.to.units());
        let amounts = [None, Some(right), Some(right + 1), Some(right - 1), Some(0)];
        for to in &amounts[..if thorough { 5 } else { 3 }] {
            let Some(to) = to.map_or(Some(None), |units| Chips::new(units).map(Some)) else { continue };
            let command = Command::Act { seat, action, to };
            assert_answer(hand, &play.deck, &stranger, &command, (turn, offer));
        }
    };
    for seat in Seat::all().filter(|&seat| thorough || turn == Some(seat)) {
        for action in ACTIONS {
            ask(seat, action);
        }
    }
    if !thorough {
        let seats: Vec<Seat> = Seat::all().collect();
        let seat = dice.pick(&seats).expect("eight");
        let action = dice.pick(&ACTIONS).expect("nine");
        let offer = offers.iter().find(|offer| offer.action == action && turn == Some(seat));
        let command = Command::Act { seat, action, to: None };
        assert_answer(hand, &play.deck, &stranger, &command, (turn, offer));
    }
    assert_others(hand, &play.deck, turn);
}

/// Every offer can be paid and says truly whether it takes the last chip.
fn assert_amounts(hand: &Hand, turn: Option<Seat>, offers: &[Offer]) {
    let Some(player) = turn.and_then(|seat| hand.player(seat)) else { return };
    let moves = offers.iter().filter(|offer| !offer.to.is_zero());
    for offer in moves {
        let everything = player.wager + player.stack;
        assert!(offer.to > player.wager && offer.to <= everything, "{offer:?}");
        assert_eq!(offer.all_in, offer.to == everything, "{offer:?}");
    }
}

/// One request is answered as it must be.
fn assert_answer(hand: &Hand, deck: &Deck, stranger: &Deck, command: &Command, due: (Option<Seat>, Option<&Offer>)) {
    let Command::Act { seat, action, to } = *command else { panic!("not an action") };
    let answer = decide(hand, deck, command);
    let fits = due.1.filter(|offer| to.is_none_or(|to| to == offer.to));
    if fits.is_some() {
        assert!(answer.is_ok(), "{command:?} is offered, but {answer:?}");
        return;
    }
    let Err(Refused::Rejected(rejection)) = answer else { panic!("{command:?} is not offered, but {answer:?}") };
    let legal = hand.legal();
    let right = match (due.0, due.1) {
        (None, _) => rejection == over(hand),
        (Some(_), _) if hand.player(seat).is_none() => rejection == Rejection::NotDealtIn { seat },
        (Some(turn), _) if turn != seat => rejection == Rejection::OutOfTurn { expected: turn },
        (Some(_), Some(offer)) => {
            Some(rejection) == to.map(|given| Rejection::WrongAmount { action, given, right: offer.to, legal })
        }
        (Some(_), None) => match rejection {
            Rejection::ActionNotLegal { action: named, legal: shown } => named == action && shown == legal,
            Rejection::CapReached { legal: shown, .. }
            | Rejection::OpponentsAllIn { legal: shown }
            | Rejection::NotReopened { legal: shown } => {
                shown == legal && matches!(action, Action::Complete | Action::Bet | Action::Raise)
            }
            _ => false,
        },
    };
    assert!(right, "{command:?}: {rejection:?}");
    assert_eq!(decide(hand, stranger, command), Err(rejection.into()), "a refusal hangs on the deck");
}

/// Settling waits for the end of play, the clock for somebody's turn, and no hand is opened twice.
fn assert_others(hand: &Hand, deck: &Deck, turn: Option<Seat>) {
    let settled = decide(hand, deck, &Command::Settle);
    let timed_out = decide(hand, deck, &Command::TimeOut);
    if let Some(waits_for) = turn {
        assert_eq!(settled, Err(Rejection::StillPlaying { waits_for }.into()));
        assert!(timed_out.is_ok(), "{timed_out:?}");
    } else if hand.is_open() {
        assert!(settled.is_ok(), "{settled:?}");
        assert_eq!(timed_out, Err(Rejection::HandOver { hand: hand.number() }.into()));
    }
}

/// The refusal where it is nobody's turn.
fn over(hand: &Hand) -> Rejection {
    let number = hand.number();
    match hand.outcome() {
        None => Rejection::HandOver { hand: number },
        Some(Outcome::Settled) => Rejection::HandSettled { hand: number },
        Some(Outcome::Voided(_)) => Rejection::HandVoided { hand: number },
    }
}
