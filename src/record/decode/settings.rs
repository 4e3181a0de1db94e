//! Stakes and house rules: in full, as a record must hold them.

use super::{Fault, Read, chips, coded, fault, given};
use crate::engine::{Chips, HouseRules, Rake, Settings, Stakes};
use crate::pb;

/// The settings in this field.
pub(super) fn settings(field: &'static str, settings: Option<&pb::Settings>) -> Read<Settings> {
    read(given(field, settings)?).map_err(|inner| Fault { field: format!("{field}.{}", inner.field), ..inner })
}

fn read(settings: &pb::Settings) -> Read<Settings> {
    Ok(Settings {
        stakes: stakes(given("stakes", settings.stakes.as_ref())?)?,
        rules: rules(given("rules", settings.rules.as_ref())?)?,
        auto_settle: settings.auto_settle,
        act_allowance_ms: settings.act_allowance_ms,
        settle_after_ms: settings.settle_after_ms,
        nonces: settings.nonces,
        reveal_deck: settings.reveal_deck,
    })
}

fn stakes(stakes: &pb::Stakes) -> Read<Stakes> {
    let ante = chips("stakes.ante", given("stakes.ante", stakes.ante)?)?;
    let bring_in = chips("stakes.bring_in", given("stakes.bring_in", stakes.bring_in)?)?;
    let small_bet = chips("stakes.small_bet", stakes.small_bet)?;
    Stakes::new(ante, bring_in, small_bet).map_err(|_| fault("stakes", "valid: bring-in and ante below the small bet"))
}

fn rules(rules: &pb::HouseRules) -> Read<HouseRules> {
    if rules.preset != i32::from(pb::Preset::Unspecified) {
        return Err(fault("rules.preset", "absent: a record holds the rules themselves"));
    }
    let max_raises = given("rules.max_raises", rules.max_raises)?;
    let max_raises = u8::try_from(max_raises).ok().filter(|raises| (1..=20).contains(raises));
    Ok(HouseRules {
        bring_in_suit_order: coded("rules.bring_in_suit_order", rules.bring_in_suit_order)?,
        bring_in_may_fold: given("rules.bring_in_may_fold", rules.bring_in_may_fold)?,
        fold_without_bet: given("rules.fold_without_bet", rules.fold_without_bet)?,
        max_raises: max_raises.ok_or_else(|| fault("rules.max_raises", "from 1 to 20"))?,
        heads_up_cap: coded("rules.heads_up_cap", rules.heads_up_cap)?,
        first_to_show: coded("rules.first_to_show", rules.first_to_show)?,
        losing_hands: coded("rules.losing_hands", rules.losing_hands)?,
        table_all_in_hands: given("rules.table_all_in_hands", rules.table_all_in_hands)?,
        mucked_hands_in_history: coded("rules.mucked_hands_in_history", rules.mucked_hands_in_history)?,
        odd_chip: coded("rules.odd_chip", rules.odd_chip)?,
        rake: rules.rake.as_ref().map(rake).transpose()?,
    })
}

fn rake(rake: &pb::Rake) -> Read<Rake> {
    let amount = chips("rules.rake.amount", rake.amount)?;
    let step = chips("rules.rake.step", rake.step)?;
    let caps = caps(&rake.caps)?;
    Rake::new(amount, step, caps, rake.none_on_third).map_err(|_| fault("rules.rake.amount", "from 1 to rake.step"))
}

/// Numbers of players rise, as they are written, so that no two lists mean the same.
fn caps(listed: &[pb::RakeCap]) -> Read<[Option<Chips>; 7]> {
    let mut caps = [None; 7];
    let mut next = 2;
    for &pb::RakeCap { players, cap } in listed {
        let place = usize::try_from(players).ok().filter(|&players| players >= next);
        let slot = place.and_then(|players| caps.get_mut(players - 2));
        *slot.ok_or_else(|| fault("rules.rake.caps", "for rising numbers of players from 2 to 8"))? =
            Some(chips("rules.rake.caps", cap)?);
        next = place.map_or(next, |players| players + 1);
    }
    Ok(caps)
}
