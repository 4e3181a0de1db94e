//! A hand as it came over the wire, read back into the engine's view: for players that decide from it.

use crate::engine::pots::Pot;
use crate::engine::{
    Award, Card, Chips, DeckBond, DeckOrigin, Legal, Offer, Prepared, Seat, SeatView, Settings, Showing, Standing,
    Status, Street, View,
};
use crate::grpc::convert;
use crate::pb;
use crate::record::Coded;

/// The view in a message; `None` for one that no service of this version sends.
pub fn view_of(hand: &pb::HandView) -> Option<View> {
    let (stakes, rules) = convert::stakes_and_rules(hand.stakes.as_ref(), hand.rules.as_ref()).ok()?;
    let settings = Settings {
        stakes,
        rules,
        auto_settle: false,
        act_allowance_ms: 0,
        settle_after_ms: 0,
        nonces: false,
        reveal_deck: hand.reveal_deck,
    };
    let result = hand.result.as_ref();
    Some(View {
        number: hand.hand_number,
        settings,
        status: status(hand)?,
        street: Street::of_code(hand.street)?,
        seats: hand.seats.iter().map(seat_view).collect::<Option<_>>()?,
        common: match hand.common_card.as_str() {
            "" => None,
            card => Some(card.parse().ok()?),
        },
        pots: hand.pots.iter().map(pot).collect::<Option<_>>()?,
        total_pot: Chips::new(hand.total_pot)?,
        legal: legal(hand)?,
        shown_order: hand.shown_order.iter().map(|&number| seat(number)).collect::<Option<_>>()?,
        bond: bond(hand)?,
        awards: result.map_or(Some(Vec::new()), |result| result.pots.iter().map(award).collect())?,
    })
}

fn bond(hand: &pb::HandView) -> Option<DeckBond> {
    let prepared = |prepared: &pb::PreparedHand| {
        let nonces = convert::nonces(&prepared.nonces).ok()?;
        Some(Prepared { seed_hash: prepared.seed_hash.as_slice().try_into().ok()?, nonces })
    };
    Some(DeckBond {
        origin: DeckOrigin::of_code(hand.deck_origin)?,
        root: hand.deck_root.as_slice().try_into().ok()?,
        prepared: match &hand.prepared {
            Some(given) => Some(prepared(given)?),
            None => None,
        },
    })
}

fn seat(number: i32) -> Option<Seat> {
    Seat::new(u8::try_from(number).ok()?)
}

fn status(hand: &pb::HandView) -> Option<Status> {
    match pb::HandStatus::try_from(hand.status).ok()? {
        pb::HandStatus::Unspecified => None,
        pb::HandStatus::Playing => Some(Status::Playing),
        pb::HandStatus::PlayedOut => Some(Status::PlayedOut),
        pb::HandStatus::Settled => Some(Status::Settled),
        pb::HandStatus::Voided => Some(Status::Voided(hand.void_reason.clone())),
    }
}

fn cards(texts: &[String]) -> Option<Vec<Card>> {
    texts.iter().map(|text| text.parse().ok()).collect()
}

fn seat_view(view: &pb::SeatView) -> Option<SeatView> {
    let board = if view.dead_board.is_empty() { &view.board } else { &view.dead_board };
    Some(SeatView {
        seat: seat(view.seat)?,
        player: crate::engine::PlayerId::new(&view.player_id)?,
        brought: Chips::new(view.brought)?,
        stack: Chips::new(view.stack)?,
        wager: Chips::new(view.wager)?,
        put_in: Chips::new(view.put_in)?,
        standing: Standing::of_code(view.standing)?,
        board: cards(board)?,
        down_count: usize::try_from(view.down_count).ok()?,
        down: cards(&view.down_cards)?,
        showing: Showing::of_code(view.showing)?,
        words: Some(view.hand_in_words.clone()).filter(|words| !words.is_empty()),
    })
}

fn pot(pot: &pb::Pot) -> Option<Pot> {
    let seats = pot.seats.iter().map(|&number| seat(number)).collect::<Option<_>>()?;
    Some(Pot { amount: Chips::new(pot.amount)?, seats })
}

fn legal(hand: &pb::HandView) -> Option<Legal> {
    let offer = |legal: &pb::LegalAction| {
        Some(Offer {
            action: crate::engine::Action::of_code(legal.action)?,
            to: Chips::new(legal.to)?,
            all_in: legal.all_in,
        })
    };
    let offers: Vec<Offer> = hand.legal_actions.iter().map(offer).collect::<Option<_>>()?;
    Some(Legal::of(seat(hand.to_act), offers.into_iter()))
}

fn award(pot: &pb::PotResult) -> Option<Award> {
    let share = |share: &pb::Share| Some((seat(share.seat)?, Chips::new(share.chips)?));
    Some(Award {
        pot: u8::try_from(pot.pot).ok()?,
        amount: Chips::new(pot.amount)?,
        rake: Chips::new(pot.rake)?,
        shares: pot.shares.iter().map(share).collect::<Option<_>>()?,
    })
}
