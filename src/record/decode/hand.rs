//! The events of a hand.

use std::sync::Arc;

use super::settings::settings;
use super::{Read, chips, coded, each, exactly, fault, given, key, nonce, player, seat};
use crate::engine::{Award, Bystander, Card, Chips, DealtIn, DeckBond, Event, Opening, Prepared, Seat};
use crate::pb;
use crate::pb::event::Kind;

pub(super) fn event(kind: &Kind) -> Read<Event> {
    Ok(match kind {
        Kind::HandOpened(opened) => Event::HandOpened(Arc::new(opening(opened)?)),
        Kind::CardDealt(dealt) => Event::CardDealt {
            seat: seat("card_dealt.seat", dealt.seat)?,
            position: position("card_dealt.position", dealt.position)?,
            card: dealt.card.map(|index| card("card_dealt.card", Some(index))).transpose()?,
        },
        Kind::CommonCardDealt(dealt) => Event::CommonCardDealt {
            position: position("common_card_dealt.position", dealt.position)?,
            card: card("common_card_dealt.card", dealt.card)?,
        },
        Kind::AntePosted(posted) => Event::AntePosted {
            seat: seat("ante_posted.seat", posted.seat)?,
            amount: chips("ante_posted.amount", posted.amount)?,
        },
        Kind::ExcessReturned(returned) => Event::ExcessReturned {
            seat: seat("excess_returned.seat", returned.seat)?,
            amount: chips("excess_returned.amount", returned.amount)?,
        },
        Kind::ShowOffered(offered) => Event::ShowOffered { seat: seat("show_offered.seat", offered.seat)? },
        Kind::HandShown(shown) => Event::HandShown {
            seat: seat("hand_shown.seat", shown.seat)?,
            cards: each("hand_shown.cards", &shown.cards, shown_card)?,
        },
        Kind::HandMucked(mucked) => Event::HandMucked { seat: seat("hand_mucked.seat", mucked.seat)? },
        Kind::PotAwarded(awarded) => Event::PotAwarded(award(awarded)?),
        Kind::HandSettled(settled) => Event::HandSettled {
            stacks: each("hand_settled.stacks", &settled.stacks, |stack| {
                Ok((seat("seat", stack.seat)?, chips("chips", stack.chips)?))
            })?,
            rake: chips("hand_settled.rake", settled.rake)?,
        },
        Kind::HandVoided(voided) => Event::HandVoided { reason: voided.reason.as_str().into() },
        by_player => action(by_player)?,
    })
}

/// What a player did, or did not do in time.
fn action(kind: &Kind) -> Read<Event> {
    Ok(match kind {
        Kind::TimedOut(out) => Event::TimedOut { seat: seat("timed_out.seat", out.seat)? },
        Kind::Folded(folded) => Event::Folded { seat: seat("folded.seat", folded.seat)? },
        Kind::Checked(checked) => Event::Checked { seat: seat("checked.seat", checked.seat)? },
        Kind::Called(wager) => {
            let (seat, to, all_in) = wagered(["called.seat", "called.to"], wager)?;
            Event::Called { seat, to, all_in }
        }
        Kind::BroughtIn(wager) => {
            let (seat, to, all_in) = wagered(["brought_in.seat", "brought_in.to"], wager)?;
            Event::BroughtIn { seat, to, all_in }
        }
        Kind::Completed(wager) => {
            let (seat, to, all_in) = wagered(["completed.seat", "completed.to"], wager)?;
            Event::Completed { seat, to, all_in }
        }
        Kind::BetMade(wager) => {
            let (seat, to, all_in) = wagered(["bet_made.seat", "bet_made.to"], wager)?;
            Event::BetMade { seat, to, all_in }
        }
        Kind::Raised(wager) => {
            let (seat, to, all_in) = wagered(["raised.seat", "raised.to"], wager)?;
            Event::Raised { seat, to, all_in }
        }
        _ => return Err(fault("kind", "an event of a hand")),
    })
}

fn wagered([seat_field, to_field]: [&'static str; 2], wager: &pb::Wager) -> Read<(Seat, Chips, bool)> {
    Ok((seat(seat_field, wager.seat)?, chips(to_field, wager.to)?, wager.all_in))
}

fn opening(opened: &pb::HandOpened) -> Read<Opening> {
    let dealt_in = |dealt: &pb::DealtIn| {
        Ok(DealtIn {
            seat: seat("seat", dealt.seat)?,
            player: player("player_id", &dealt.player_id)?,
            stack: chips("stack", dealt.stack)?,
            card_key: key("card_key", &dealt.card_key)?,
        })
    };
    let bystander = |bystander: &pb::Bystander| {
        Ok(Bystander {
            seat: seat("seat", bystander.seat)?,
            player: player("player_id", &bystander.player_id)?,
            chips: chips("chips", bystander.chips)?,
            sitting_out: bystander.sitting_out,
            card_key: key("card_key", &bystander.card_key)?,
        })
    };
    Ok(Opening {
        number: opened.number,
        rules_revision: opened.rules_revision,
        settings: settings("hand_opened.settings", opened.settings.as_ref())?,
        dealt_in: each("hand_opened.dealt_in", &opened.dealt_in, dealt_in)?,
        bystanders: each("hand_opened.bystanders", &opened.bystanders, bystander)?,
        bond: bond(opened)?,
    })
}

fn bond(opened: &pb::HandOpened) -> Read<DeckBond> {
    Ok(DeckBond {
        origin: coded("hand_opened.deck_origin", opened.deck_origin)?,
        root: exactly("hand_opened.root", &opened.root)?,
        prepared: opened.prepared.as_ref().map(prepared).transpose()?,
    })
}

fn prepared(prepared: &pb::Prepared) -> Read<Prepared> {
    let each_nonce = |given: &pb::Nonce| Ok((seat("seat", given.seat)?, nonce("nonce", &given.nonce)?));
    Ok(Prepared {
        seed_hash: exactly("hand_opened.prepared.seed_hash", &prepared.seed_hash)?,
        nonces: each("hand_opened.prepared.nonces", &prepared.nonces, each_nonce)?,
    })
}

fn award(awarded: &pb::PotAwarded) -> Read<Award> {
    let share = |share: &pb::Share| Ok((seat("seat", share.seat)?, chips("chips", share.chips)?));
    let pot = u8::try_from(awarded.pot).ok().filter(|&pot| usize::from(pot) < Seat::COUNT);
    Ok(Award {
        pot: pot.ok_or_else(|| fault("pot_awarded.pot", "from 0 to 7"))?,
        amount: chips("pot_awarded.amount", awarded.amount)?,
        rake: chips("pot_awarded.rake", awarded.rake)?,
        shares: each("pot_awarded.shares", &awarded.shares, share)?,
    })
}

fn shown_card(shown: &pb::ShownCard) -> Read<(u8, Card)> {
    Ok((position("position", shown.position)?, card("card", shown.card)?))
}

fn card(field: &'static str, index: Option<u32>) -> Read<Card> {
    let card = u8::try_from(given(field, index)?).ok().and_then(Card::from_index);
    card.ok_or_else(|| fault(field, "from 0 to 51"))
}

fn position(field: &'static str, position: u32) -> Read<u8> {
    let position = u8::try_from(position).ok().filter(|&position| usize::from(position) < Card::COUNT);
    position.ok_or_else(|| fault(field, "from 0 to 51"))
}
