//! Stakes and house rules: a preset with its fields overridden, or every field by itself.

use super::ids::chips;
use super::{BadRequest, invalid};
use crate::engine::{Chips, HouseRules, Preset, Rake, RulesError, Seat, Settings, Stakes, SuitOrder};
use crate::pb;
use crate::record::Coded;

/// The longest time to act, and the longest that a played-out hand waits to be settled without being asked: a day.
const MAX_ALLOWANCE_MS: u32 = 86_400_000;
/// The most raises that a cap can allow (R17).
const MAX_RAISES: u32 = 20;

/// The settings of a request that makes a table or changes it.
pub fn settings(asked: &pb::ChangeRulesRequest) -> Result<Settings, BadRequest> {
    let (stakes, rules) = stakes_and_rules(asked.stakes.as_ref(), asked.rules.as_ref())?;
    let pb::ChangeRulesRequest { act_allowance_ms, settle_after_ms, .. } = *asked;
    if act_allowance_ms > MAX_ALLOWANCE_MS {
        return Err(invalid("act_allowance_ms", format!("0 for no limit, or up to {MAX_ALLOWANCE_MS}")));
    }
    if settle_after_ms > MAX_ALLOWANCE_MS {
        return Err(invalid("settle_after_ms", format!("0 for never, or up to {MAX_ALLOWANCE_MS}")));
    }
    let pb::ChangeRulesRequest { auto_settle, nonces, reveal_deck, .. } = *asked;
    Ok(Settings { stakes, rules, auto_settle, act_allowance_ms, settle_after_ms, nonces, reveal_deck })
}

pub fn stakes_and_rules(
    stakes: Option<&pb::Stakes>,
    rules: Option<&pb::HouseRules>,
) -> Result<(Stakes, HouseRules), BadRequest> {
    let stakes = stakes.ok_or_else(|| invalid("stakes", "stakes with at least small_bet"))?;
    let rules = rules.ok_or_else(|| invalid("rules", "a preset, or every field of the rules"))?;
    let preset = preset(rules.preset)?;
    Ok((stakes_of(stakes, preset)?, rules_of(rules, preset)?))
}

fn preset(code: i32) -> Result<Option<Preset>, BadRequest> {
    let code = pb::Preset::try_from(code);
    Ok(match code.map_err(|_| invalid("rules.preset", "a preset that this version knows, or none"))? {
        pb::Preset::Unspecified => None,
        pb::Preset::FullTilt => Some(Preset::FullTilt),
        pb::Preset::Pokerstars => Some(Preset::PokerStars),
        pb::Preset::Club => Some(Preset::Club),
        pb::Preset::Romanian => Some(Preset::Romanian),
        pb::Preset::Wsop => Some(Preset::Wsop),
    })
}

fn stakes_of(stakes: &pb::Stakes, preset: Option<Preset>) -> Result<Stakes, BadRequest> {
    let ante = stakes.ante.map(|units| chips("stakes.ante", units, 0)).transpose()?;
    let bring_in = stakes.bring_in.map(|units| chips("stakes.bring_in", units, 0)).transpose()?;
    let small_bet = chips("stakes.small_bet", stakes.small_bet, 0)?;
    Stakes::with_shares(preset, ante, bring_in, small_bet).map_err(BadRequest::Stakes)
}

fn missing(field: &'static str) -> BadRequest {
    BadRequest::Rules { field, why: "it is not set; without a preset every field of the rules must be".to_owned() }
}

/// An enum field: as given, else the preset's.
fn coded<T: Coded>(field: &'static str, code: i32, preset: Option<T>) -> Result<T, BadRequest> {
    if code == 0 {
        return preset.ok_or_else(|| missing(field));
    }
    let unknown = || BadRequest::Rules { field, why: format!("{code} is no value that this version knows") };
    T::of_code(code).ok_or_else(unknown)
}

fn rules_of(rules: &pb::HouseRules, preset: Option<Preset>) -> Result<HouseRules, BadRequest> {
    let base = preset.map(Preset::rules);
    let flag = |field, given: Option<bool>, usual: Option<bool>| given.or(usual).ok_or_else(|| missing(field));
    Ok(HouseRules {
        bring_in_suit_order: coded::<SuitOrder>(
            "rules.bring_in_suit_order",
            rules.bring_in_suit_order,
            base.map(|rules| rules.bring_in_suit_order),
        )?,
        bring_in_may_fold: flag(
            "rules.bring_in_may_fold",
            rules.bring_in_may_fold,
            base.map(|rules| rules.bring_in_may_fold),
        )?,
        fold_without_bet: flag(
            "rules.fold_without_bet",
            rules.fold_without_bet,
            base.map(|rules| rules.fold_without_bet),
        )?,
        max_raises: max_raises(rules.max_raises, base)?,
        heads_up_cap: coded("rules.heads_up_cap", rules.heads_up_cap, base.map(|rules| rules.heads_up_cap))?,
        first_to_show: coded("rules.first_to_show", rules.first_to_show, base.map(|rules| rules.first_to_show))?,
        losing_hands: coded("rules.losing_hands", rules.losing_hands, base.map(|rules| rules.losing_hands))?,
        table_all_in_hands: flag(
            "rules.table_all_in_hands",
            rules.table_all_in_hands,
            base.map(|rules| rules.table_all_in_hands),
        )?,
        mucked_hands_in_history: coded(
            "rules.mucked_hands_in_history",
            rules.mucked_hands_in_history,
            base.map(|rules| rules.mucked_hands_in_history),
        )?,
        odd_chip: coded("rules.odd_chip", rules.odd_chip, base.map(|rules| rules.odd_chip))?,
        rake: rules.rake.as_ref().map(rake).transpose()?,
    })
}

fn max_raises(given: Option<u32>, base: Option<HouseRules>) -> Result<u8, BadRequest> {
    let Some(given) = given else {
        return base.map(|rules| rules.max_raises).ok_or_else(|| missing("rules.max_raises"));
    };
    let fits = u8::try_from(given).ok().filter(|_| (1..=MAX_RAISES).contains(&given));
    fits.ok_or_else(|| refused("rules.max_raises", RulesError::MaxRaises(given)))
}

fn refused(field: &'static str, why: RulesError) -> BadRequest {
    BadRequest::Rules { field, why: why.to_string() }
}

fn rake(rake: &pb::Rake) -> Result<Rake, BadRequest> {
    let amount = chips("rules.rake.amount", rake.amount, 0)?;
    let step = chips("rules.rake.step", rake.step, 0)?;
    let mut caps: [Option<Chips>; 7] = [None; 7];
    for cap in &rake.caps {
        let wrong = || refused("rules.rake.caps", RulesError::RakeCapPlayers(cap.players.unsigned_abs()));
        let players = usize::try_from(cap.players).ok().filter(|players| (2..=Seat::COUNT).contains(players));
        let free = caps.get_mut(players.ok_or_else(wrong)? - 2).filter(|slot| slot.is_none());
        *free.ok_or_else(wrong)? = Some(chips("rules.rake.caps.cap", cap.cap, 0)?);
    }
    Rake::new(amount, step, caps, rake.none_on_third).map_err(|why| refused("rules.rake", why))
}
