//! House rules by the words of the rulebook's section 9, for `rule`, `rake` and `flip` lines.

use razz_dealer::engine::{
    Chips, FirstToShow, HeadsUpCap, HouseRules, LosingHands, MuckedHands, OddChip, Rake, SuitOrder,
};

use super::words::Words;

type Values<T> = [(&'static str, T)];

const YES_NO: &Values<bool> = &[("no", false), ("yes", true)];
const SUIT_ORDERS: &Values<SuitOrder> =
    &[("spades_highest", SuitOrder::SpadesHighest), ("clubs_highest", SuitOrder::ClubsHighest)];
const HEADS_UP_CAPS: &Values<HeadsUpCap> =
    &[("capped", HeadsUpCap::Capped), ("uncapped_heads_up", HeadsUpCap::UncappedHeadsUp)];
const FIRST_TO_SHOW: &Values<FirstToShow> = &[
    ("last_aggressor", FirstToShow::LastAggressor),
    ("seventh_else_lowest_seat", FirstToShow::LastAggressorOfSeventhElseLowestSeat),
    ("seat_order", FirstToShow::SeatOrder),
    ("seventh_else_lowest_board", FirstToShow::LastAggressorOfSeventhElseLowestBoard),
];
const LOSING_HANDS: &Values<LosingHands> = &[("may_muck", LosingHands::MayMuck), ("all_shown", LosingHands::AllShown)];
const MUCKED_HANDS: &Values<MuckedHands> =
    &[("players_of_the_hand", MuckedHands::PlayersOfTheHand), ("owner_and_auditors", MuckedHands::OwnerAndAuditors)];
const ODD_CHIPS: &Values<OddChip> =
    &[("left_of_button", OddChip::LeftOfButton), ("high_card_by_suit", OddChip::HighCardBySuit)];

fn value<T: Copy>(values: &Values<T>, word: &str) -> Result<T, String> {
    let names = || values.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ");
    let found = values.iter().find(|(name, _)| *name == word).map(|(_, value)| *value);
    found.ok_or_else(|| format!("`{word}` is none of {}", names()))
}

fn name<T: PartialEq>(values: &Values<T>, value: &T) -> String {
    let found = values.iter().find(|(_, candidate)| candidate == value);
    found.map(|(name, _)| (*name).to_owned()).expect("every value of a rule has a word")
}

/// Gives one field of the rules the value that the word names.
pub fn set(rules: &mut HouseRules, field: &str, word: &str) -> Result<(), String> {
    match field {
        "bring_in_suit_order" => rules.bring_in_suit_order = value(SUIT_ORDERS, word)?,
        "bring_in_may_fold" => rules.bring_in_may_fold = value(YES_NO, word)?,
        "fold_without_bet" => rules.fold_without_bet = value(YES_NO, word)?,
        "max_raises" => rules.max_raises = word.parse().map_err(|_| format!("`{word}` is no number of raises"))?,
        "heads_up_cap" => rules.heads_up_cap = value(HEADS_UP_CAPS, word)?,
        "first_to_show" => rules.first_to_show = value(FIRST_TO_SHOW, word)?,
        "losing_hands" => rules.losing_hands = value(LOSING_HANDS, word)?,
        "table_all_in_hands" => rules.table_all_in_hands = value(YES_NO, word)?,
        "mucked_hands_in_history" => rules.mucked_hands_in_history = value(MUCKED_HANDS, word)?,
        "odd_chip" => rules.odd_chip = value(ODD_CHIPS, word)?,
        _ => return Err(format!("`{field}` is no house rule")),
    }
    Ok(())
}

/// Every field and its value in words. A field that is added to the rules does not compile here until it is named.
pub fn fields(rules: &HouseRules) -> Vec<(&'static str, String)> {
    let HouseRules {
        bring_in_suit_order,
        bring_in_may_fold,
        fold_without_bet,
        max_raises,
        heads_up_cap,
        first_to_show,
        losing_hands,
        table_all_in_hands,
        mucked_hands_in_history,
        odd_chip,
        rake,
    } = rules;
    vec![
        ("bring_in_suit_order", name(SUIT_ORDERS, bring_in_suit_order)),
        ("bring_in_may_fold", name(YES_NO, bring_in_may_fold)),
        ("fold_without_bet", name(YES_NO, fold_without_bet)),
        ("max_raises", max_raises.to_string()),
        ("heads_up_cap", name(HEADS_UP_CAPS, heads_up_cap)),
        ("first_to_show", name(FIRST_TO_SHOW, first_to_show)),
        ("losing_hands", name(LOSING_HANDS, losing_hands)),
        ("table_all_in_hands", name(YES_NO, table_all_in_hands)),
        ("mucked_hands_in_history", name(MUCKED_HANDS, mucked_hands_in_history)),
        ("odd_chip", name(ODD_CHIPS, odd_chip)),
        ("rake", format!("{rake:?}")),
    ]
}

/// What stands behind `rake`: `1 per 20`, then `cap 3` or `cap 3 for 2` as often as wanted, then `none-on-third`.
pub fn rake(words: &mut Words<'_>) -> Result<Result<Rake, String>, String> {
    let amount = words.chips()?;
    words.word("per")?;
    let step = words.chips()?;
    let mut caps: [Option<Chips>; 7] = [None; 7];
    let mut none_on_third = false;
    while let Some(word) = words.next() {
        match word {
            "none-on-third" => none_on_third = true,
            "cap" => {
                let cap = Some(words.chips()?);
                if words.peek() == Some("for") {
                    words.word("for")?;
                    let players = words.number()?;
                    let index = usize::try_from(players).ok().and_then(|players| players.checked_sub(2));
                    *index.and_then(|index| caps.get_mut(index)).ok_or("a hand has 2 to 8 players")? = cap;
                } else {
                    caps = [cap; 7];
                }
            }
            other => return Err(format!("`{other}` is no part of a rake")),
        }
    }
    Ok(Rake::new(amount, step, caps, none_on_third).map_err(|error| format!("{error:?}")))
}
