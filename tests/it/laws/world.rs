//! Random tables: every field of the house rules, odd stakes, and stacks that are mostly too short for something.

use razz_dealer::engine::{
    Card, Chips, Deck, FirstToShow, HeadsUpCap, HouseRules, LosingHands, MuckedHands, OddChip, PlayerId, Preset, Rake,
    Seat, Settings, Stakes, SuitOrder, Table, TableCommand,
};
use razz_dealer::sim::{self, Dice};

/// An amount of chips.
pub fn chips(units: u64) -> Chips {
    Chips::new(i64::try_from(units).expect("small")).expect("an amount")
}

/// The player who sits in this seat, in every world.
pub fn player(seat: Seat) -> PlayerId {
    PlayerId::new(&format!("player-{seat}")).expect("an id")
}

fn any<T: Copy>(dice: &mut Dice, from: &[T]) -> T {
    dice.pick(from).expect("something to pick from")
}

/// The deck of a hand. In every third the low cards come first, so that hands tie and pair up.
pub fn deck(seed: u64, number: u64) -> Deck {
    let deck = sim::deck(seed, number);
    if !number.is_multiple_of(3) {
        return deck;
    }
    let mut order = *deck.order();
    order.sort_by_key(|card: &Card| card.rank().index() > 6);
    Deck::new(order).expect("the same cards")
}

/// Between the two, both included.
fn between(dice: &mut Dice, low: u64, high: u64) -> u64 {
    low + dice.below(high + 1 - low)
}

/// How the players of a world behave.
#[derive(Clone, Copy)]
pub struct Temper {
    /// Of a hundred decisions, this many are folds where one may fold.
    pub folds: u64,
    /// Of a hundred decisions, this many are increases where one may increase.
    pub raises: u64,
    /// Of a thousand decisions, this many are left to the clock.
    pub time_outs: u64,
    /// Of a thousand decisions, before this many the hand is voided.
    pub voids: u64,
}

/// Random behaviour: from players who never fold to such as hardly stay.
pub fn temper(dice: &mut Dice) -> Temper {
    Temper {
        folds: any(dice, &[0, 0, 2, 5, 12, 30]),
        raises: any(dice, &[5, 20, 35, 60, 95]),
        time_outs: any(dice, &[0, 10, 30]),
        voids: any(dice, &[0, 0, 0, 10]),
    }
}

/// A table with two to eight players in random seats, ready to deal.
pub fn table(dice: &mut Dice) -> Table {
    let settings = settings(dice);
    let mut table = Table::new(settings);
    let mut seats: Vec<Seat> = Seat::all().collect();
    dice.shuffle(&mut seats);
    let count = any(dice, &[2, 2, 3, 3, 4, 5, 6, 7, 8, 8]);
    let kinds = any(dice, &[&[0, 1, 2, 3, 4, 6][..], &[0, 1, 2], &[2, 3, 4], &[3, 6], &[5, 5, 5, 6], &[6]]);
    let mut stack = 1;
    for &seat in &seats[..count] {
        let kind = any(dice, kinds);
        stack = stack_of(dice, &settings.stakes, kind, stack);
        let sit = TableCommand::TakeSeat { seat, player: player(seat), chips: chips(stack), card_key: None };
        for event in table.decide(&sit).expect("a free seat") {
            table.apply(&event).expect("what was decided");
        }
    }
    table
}

fn stack_of(dice: &mut Dice, stakes: &Stakes, kind: u8, before: u64) -> u64 {
    let [ante, bring_in, small_bet] =
        [stakes.ante(), stakes.bring_in(), stakes.small_bet()].map(|amount| amount.units().unsigned_abs());
    match kind {
        0 => between(dice, 1, ante.max(1)),
        1 => ante + between(dice, 1, bring_in),
        2 => ante + between(dice, 1, 2 * small_bet),
        3 => ante + between(dice, 1, 8 * small_bet),
        4 => before,
        // Around one bet and two: short all-ins of every size, one upon the other (R19).
        5 => ante + small_bet + between(dice, 1, small_bet),
        _ => ante + between(dice, 30 * small_bet, 70 * small_bet),
    }
}

/// Random stakes and rules.
pub fn settings(dice: &mut Dice) -> Settings {
    let small_bet = any(dice, &[2, 3, 4, 5, 7, 9, 10, 10, 11, 20, 25, 40]);
    let bring_in = between(dice, 1, small_bet - 1);
    let ante = match dice.below(3) {
        0 => 0,
        1 => between(dice, 0, (small_bet - 1).min(3)),
        _ => between(dice, 0, small_bet - 1),
    };
    Settings {
        stakes: Stakes::new(chips(ante), chips(bring_in), chips(small_bet)).expect("as R7 has it"),
        rules: rules(dice),
        auto_settle: dice.chance(50),
        act_allowance_ms: 0,
        settle_after_ms: 0,
        nonces: false,
        reveal_deck: false,
    }
}

fn rules(dice: &mut Dice) -> HouseRules {
    let rake = if dice.chance(60) { Some(rake(dice)) } else { None };
    if dice.chance(50) {
        return HouseRules { rake, ..any(dice, &Preset::ALL).rules() };
    }
    HouseRules {
        bring_in_suit_order: any(dice, &[SuitOrder::SpadesHighest, SuitOrder::ClubsHighest]),
        bring_in_may_fold: dice.chance(50),
        fold_without_bet: dice.chance(50),
        max_raises: any(dice, &[1, 1, 2, 3, 4, 20]),
        heads_up_cap: any(dice, &[HeadsUpCap::Capped, HeadsUpCap::UncappedHeadsUp]),
        first_to_show: any(
            dice,
            &[
                FirstToShow::LastAggressor,
                FirstToShow::LastAggressorOfSeventhElseLowestSeat,
                FirstToShow::SeatOrder,
                FirstToShow::LastAggressorOfSeventhElseLowestBoard,
            ],
        ),
        losing_hands: any(dice, &[LosingHands::MayMuck, LosingHands::MayMuck, LosingHands::AllShown]),
        table_all_in_hands: dice.chance(50),
        mucked_hands_in_history: any(dice, &[MuckedHands::PlayersOfTheHand, MuckedHands::OwnerAndAuditors]),
        odd_chip: any(dice, &[OddChip::LeftOfButton, OddChip::HighCardBySuit]),
        rake,
    }
}

/// From a usual one in twenty to a house that takes all.
fn rake(dice: &mut Dice) -> Rake {
    let amount = between(dice, 1, 4);
    let step = any(dice, &[amount, amount + 1, 10, 20, 33]);
    let caps = std::array::from_fn(|_| if dice.chance(40) { Some(chips(dice.below(12))) } else { None });
    Rake::new(chips(amount), chips(step), caps, dice.chance(50)).expect("an amount within its step")
}
