//! From a record to its bytes.

use prost::Message;

use super::enums::Coded;
use super::{FORMAT, OpenDeck, Record, StreamEvent};
use crate::engine::{
    Award, Bystander, Card, CardKey, Chips, DealtIn, Event, HouseRules, Nonce, Opening, PlayerId, Prepared, Rake, Seat,
    Settings, Stakes, TableEvent,
};
use crate::ledger::{Account, TableId, Transfer, WalletEvent};
use crate::pb;
use crate::pb::event::Kind;

/// The protobuf of `razz.dealer.v1.Record`, in the format [`FORMAT`]. Equal records have equal bytes.
pub fn encode(record: &Record) -> Vec<u8> {
    let message = pb::Record {
        format: FORMAT,
        at_us: record.at.0,
        actor: record.actor.clone(),
        request_id: record.request_id.clone(),
        request_hash: record.request_hash.to_vec(),
        trace: record.trace.clone(),
        hand_number: record.hand_number,
        deadline_us: record.deadline.map(|deadline| deadline.0),
        events: record.events.iter().map(|event| pb::Event { kind: Some(stream_event(event)) }).collect(),
        transfers: record.transfers.iter().map(transfer).collect(),
        salts: record.proof.salts.concat(),
        proof_nodes: record.proof.nodes.concat(),
        deck: record.proof.deck.as_ref().map(open_deck),
    };
    message.encode_to_vec()
}

fn open_deck(deck: &OpenDeck) -> pb::DeckSecret {
    use pb::deck_secret::{From, Script};
    let from = match deck {
        OpenDeck::Seed(seed) => From::Seed(seed.to_vec()),
        OpenDeck::Script { order, salts_key } => From::Script(Script {
            order: order.iter().map(|card| card.index()).collect(),
            salts_key: salts_key.to_vec(),
        }),
    };
    pb::DeckSecret { from: Some(from) }
}

fn stream_event(event: &StreamEvent) -> Kind {
    match event {
        StreamEvent::Table(event) => table_event(event),
        StreamEvent::Wallet(event) => wallet_event(event),
    }
}

fn table_event(event: &TableEvent) -> Kind {
    match event {
        TableEvent::TableCreated(to) => Kind::TableCreated(pb::TableCreated { settings: Some(settings(to)) }),
        TableEvent::RulesChanged(to) => Kind::RulesChanged(pb::RulesChanged { settings: Some(settings(to)) }),
        TableEvent::SeatTaken { seat, player, chips, card_key } => {
            let (seat, player_id, chips) = (number(*seat), id(player), chips.units());
            Kind::SeatTaken(pb::SeatTaken { seat, player_id, chips, card_key: key(card_key.as_ref()) })
        }
        TableEvent::ChipsAdded { seat, player, chips } => {
            Kind::ChipsAdded(pb::ChipsAdded { seat: number(*seat), player_id: id(player), chips: chips.units() })
        }
        TableEvent::SeatLeft { seat, player, chips } => {
            Kind::SeatLeft(pb::SeatLeft { seat: number(*seat), player_id: id(player), chips: chips.units() })
        }
        TableEvent::SatOut { seat, sitting_out } => {
            Kind::SatOut(pb::SatOut { seat: number(*seat), sitting_out: *sitting_out })
        }
        TableEvent::HandPrepared { hand, seed_hash } => {
            Kind::HandPrepared(pb::HandPrepared { hand_number: *hand, seed_hash: seed_hash.to_vec() })
        }
        TableEvent::NonceGiven { hand, seat, nonce } => {
            let nonce = nonce.bytes().to_vec();
            Kind::NonceGiven(pb::NonceGiven { hand_number: *hand, seat: number(*seat), nonce })
        }
        TableEvent::CardsRead { hand, seat, reader } => {
            Kind::CardsRead(pb::CardsRead { hand_number: *hand, seat: number(*seat), reader: reader.to_string() })
        }
        TableEvent::DeckOpened { hand, auditor, reason } => {
            let (auditor, reason) = (auditor.to_string(), reason.to_string());
            Kind::DeckOpened(pb::DeckOpened { hand_number: *hand, auditor, reason })
        }
        TableEvent::TableClosed => Kind::TableClosed(pb::TableClosed {}),
        TableEvent::Hand(event) => hand_event(event),
    }
}

fn wallet_event(event: &WalletEvent) -> Kind {
    let (player_id, balance) = (id(event.player()), event.balance().units());
    match event {
        WalletEvent::Deposited { amount, .. } => {
            Kind::Deposited(pb::Deposited { player_id, amount: amount.units(), balance })
        }
        WalletEvent::Withdrawn { amount, .. } => {
            Kind::Withdrawn(pb::Withdrawn { player_id, amount: amount.units(), balance })
        }
        WalletEvent::BoughtIn { table, seat, amount, .. } => {
            let (table_id, seat, amount) = (table.to_string(), number(*seat), amount.units());
            Kind::BoughtIn(pb::BoughtIn { player_id, table_id, seat, amount, balance })
        }
        WalletEvent::CashedOut { table, seat, amount, .. } => {
            let (table_id, seat, amount) = (table.to_string(), number(*seat), amount.units());
            Kind::CashedOut(pb::CashedOut { player_id, table_id, seat, amount, balance })
        }
    }
}

fn hand_event(event: &Event) -> Kind {
    match event {
        Event::HandOpened(opening) => Kind::HandOpened(hand_opened(opening)),
        Event::AntePosted { seat, amount } => {
            Kind::AntePosted(pb::AntePosted { seat: number(*seat), amount: amount.units() })
        }
        Event::CardDealt { seat, position, card } => Kind::CardDealt(pb::CardDealt {
            seat: number(*seat),
            position: u32::from(*position),
            card: card.map(index),
        }),
        Event::CommonCardDealt { position, card } => {
            Kind::CommonCardDealt(pb::CommonCardDealt { position: u32::from(*position), card: Some(index(*card)) })
        }
        Event::TimedOut { seat } => Kind::TimedOut(pb::TimedOut { seat: number(*seat) }),
        Event::Folded { seat } => Kind::Folded(pb::Folded { seat: number(*seat) }),
        Event::Checked { seat } => Kind::Checked(pb::Checked { seat: number(*seat) }),
        Event::Called { seat, to, all_in } => Kind::Called(wager(*seat, *to, *all_in)),
        Event::BroughtIn { seat, to, all_in } => Kind::BroughtIn(wager(*seat, *to, *all_in)),
        Event::Completed { seat, to, all_in } => Kind::Completed(wager(*seat, *to, *all_in)),
        Event::BetMade { seat, to, all_in } => Kind::BetMade(wager(*seat, *to, *all_in)),
        Event::Raised { seat, to, all_in } => Kind::Raised(wager(*seat, *to, *all_in)),
        Event::ExcessReturned { seat, amount } => {
            Kind::ExcessReturned(pb::ExcessReturned { seat: number(*seat), amount: amount.units() })
        }
        Event::ShowOffered { seat } => Kind::ShowOffered(pb::ShowOffered { seat: number(*seat) }),
        Event::HandShown { seat, cards } => {
            let cards = cards.iter().map(|&(position, card)| shown_card(position, card)).collect();
            Kind::HandShown(pb::HandShown { seat: number(*seat), cards })
        }
        Event::HandMucked { seat } => Kind::HandMucked(pb::HandMucked { seat: number(*seat) }),
        Event::PotAwarded(award) => Kind::PotAwarded(pot_awarded(award)),
        Event::HandSettled { stacks, rake } => {
            let final_stack =
                |&(seat, chips): &(Seat, Chips)| pb::FinalStack { seat: number(seat), chips: chips.units() };
            Kind::HandSettled(pb::HandSettled { stacks: stacks.iter().map(final_stack).collect(), rake: rake.units() })
        }
        Event::HandVoided { reason } => Kind::HandVoided(pb::HandVoided { reason: reason.to_string() }),
    }
}

fn hand_opened(opening: &Opening) -> pb::HandOpened {
    let dealt_in = |dealt: &DealtIn| pb::DealtIn {
        seat: number(dealt.seat),
        player_id: id(&dealt.player),
        stack: dealt.stack.units(),
        card_key: key(dealt.card_key.as_ref()),
    };
    let bystander = |bystander: &Bystander| pb::Bystander {
        seat: number(bystander.seat),
        player_id: id(&bystander.player),
        chips: bystander.chips.units(),
        sitting_out: bystander.sitting_out,
        card_key: key(bystander.card_key.as_ref()),
    };
    pb::HandOpened {
        number: opening.number,
        rules_revision: opening.rules_revision,
        settings: Some(settings(&opening.settings)),
        dealt_in: opening.dealt_in.iter().map(dealt_in).collect(),
        bystanders: opening.bystanders.iter().map(bystander).collect(),
        deck_origin: opening.bond.origin.code(),
        root: opening.bond.root.to_vec(),
        prepared: opening.bond.prepared.as_ref().map(prepared),
    }
}

fn prepared(prepared: &Prepared) -> pb::Prepared {
    pb::Prepared { seed_hash: prepared.seed_hash.to_vec(), nonces: nonces(prepared) }
}

/// The nonces given for a hand as messages.
pub fn nonces(prepared: &Prepared) -> Vec<pb::Nonce> {
    let nonce = |(seat, nonce): &(Seat, Nonce)| pb::Nonce { seat: number(*seat), nonce: nonce.bytes().to_vec() };
    prepared.nonces.iter().map(nonce).collect()
}

fn pot_awarded(award: &Award) -> pb::PotAwarded {
    let share = |&(seat, chips): &(Seat, Chips)| pb::Share { seat: number(seat), chips: chips.units() };
    pb::PotAwarded {
        pot: u32::from(award.pot),
        amount: award.amount.units(),
        rake: award.rake.units(),
        shares: award.shares.iter().map(share).collect(),
    }
}

fn settings(settings: &Settings) -> pb::Settings {
    pb::Settings {
        stakes: Some(stakes(&settings.stakes)),
        rules: Some(house_rules(&settings.rules)),
        auto_settle: settings.auto_settle,
        act_allowance_ms: settings.act_allowance_ms,
        settle_after_ms: settings.settle_after_ms,
        nonces: settings.nonces,
        reveal_deck: settings.reveal_deck,
    }
}

/// Stakes as a message.
pub const fn stakes(stakes: &Stakes) -> pb::Stakes {
    pb::Stakes {
        small_bet: stakes.small_bet().units(),
        ante: Some(stakes.ante().units()),
        bring_in: Some(stakes.bring_in().units()),
    }
}

/// House rules as a message, every field by itself.
pub fn house_rules(rules: &HouseRules) -> pb::HouseRules {
    pb::HouseRules {
        preset: pb::Preset::Unspecified.into(),
        bring_in_suit_order: rules.bring_in_suit_order.code(),
        bring_in_may_fold: Some(rules.bring_in_may_fold),
        fold_without_bet: Some(rules.fold_without_bet),
        max_raises: Some(u32::from(rules.max_raises)),
        heads_up_cap: rules.heads_up_cap.code(),
        first_to_show: rules.first_to_show.code(),
        losing_hands: rules.losing_hands.code(),
        table_all_in_hands: Some(rules.table_all_in_hands),
        mucked_hands_in_history: rules.mucked_hands_in_history.code(),
        odd_chip: rules.odd_chip.code(),
        rake: rules.rake.as_ref().map(rake),
    }
}

fn rake(rake: &Rake) -> pb::Rake {
    let caps = (2..).zip(rake.caps());
    let caps = caps.filter_map(|(players, cap)| Some(pb::RakeCap { players, cap: (*cap)?.units() }));
    pb::Rake {
        amount: rake.amount().units(),
        step: rake.step().units(),
        caps: caps.collect(),
        none_on_third: rake.none_on_third(),
    }
}

/// A transfer as a message.
pub fn transfer(transfer: &Transfer) -> pb::Transfer {
    pb::Transfer {
        from_account: Some(account(transfer.from())),
        to_account: Some(account(transfer.to())),
        amount: transfer.amount().units(),
    }
}

/// An account as a message.
pub fn account(account: &Account) -> pb::Account {
    use pb::account::{House, Kind, Pot, Rake, Seat, Wallet};
    let text = TableId::to_string;
    let kind = match account {
        Account::House => Kind::House(House {}),
        Account::Wallet(player) => Kind::Wallet(Wallet { player_id: id(player) }),
        Account::Seat(table, seat) => Kind::Seat(Seat { table_id: text(table), seat: number(*seat) }),
        Account::Pot(table) => Kind::Pot(Pot { table_id: text(table) }),
        Account::Rake(table) => Kind::Rake(Rake { table_id: text(table) }),
    };
    pb::Account { kind: Some(kind) }
}

fn wager(seat: Seat, to: Chips, all_in: bool) -> pb::Wager {
    pb::Wager { seat: number(seat), to: to.units(), all_in }
}

fn shown_card(position: u8, card: Card) -> pb::ShownCard {
    pb::ShownCard { position: u32::from(position), card: Some(index(card)) }
}

fn key(key: Option<&CardKey>) -> Vec<u8> {
    key.map(|key| key.bytes().to_vec()).unwrap_or_default()
}

fn number(seat: Seat) -> i32 {
    i32::from(seat.number())
}

fn index(card: Card) -> u32 {
    u32::from(card.index())
}

fn id(player: &PlayerId) -> String {
    player.as_str().to_owned()
}
