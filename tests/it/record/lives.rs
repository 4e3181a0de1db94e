//! Records as real play makes them: tables from their first record to their last, played at random from a seed.

use std::sync::Arc;

use razz_dealer::engine::{
    Card, Chips, Command, Deck, DeckBond, DeckOrigin, Nonce, PlayerId, Preset, Rake, Seat, Settings, Stakes, Table,
    TableCommand, TableEvent,
};
use razz_dealer::ledger::{TableId, WalletEvent, table_transfers, wallet_transfers};
use razz_dealer::record::{Micros, Record, StreamEvent};

pub const TABLE: TableId = TableId([0x01, 0x8f, 0, 1, 2, 3, 0x70, 4, 0x80, 5, 6, 7, 8, 9, 10, 11]);

/// `SplitMix64`: one seed, one story.
pub struct Dice(pub u64);

impl Dice {
    pub fn roll(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    pub fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.roll() % bound as u64).expect("below a usize")
    }

    pub fn deck(&mut self) -> Deck {
        let mut order: Vec<Card> = Card::all().collect();
        for last in (1..order.len()).rev() {
            order.swap(last, self.below(last + 1));
        }
        Deck::new(order.try_into().expect("52 cards")).expect("each card once")
    }
}

pub fn chips(units: i64) -> Chips {
    Chips::new(units).expect("chips")
}

pub fn seat(number: u8) -> Seat {
    Seat::new(number).expect("a seat")
}

pub fn player(text: &str) -> PlayerId {
    PlayerId::new(text).expect("a player id")
}

pub fn settings(dice: &mut Dice) -> Settings {
    let mut rules = Preset::ALL[dice.below(5)].rules();
    let mut caps = [None; 7];
    caps[dice.below(7)] = Some(chips(3));
    caps[dice.below(7)] = Some(Chips::ZERO);
    let rake = Rake::new(chips(1), chips(20), caps, dice.below(2) == 0).expect("a rake");
    rules.rake = (dice.below(2) == 0).then_some(rake);
    let stakes = Stakes::new(chips(2), chips(3), chips(10)).expect("stakes");
    Settings {
        stakes,
        rules,
        auto_settle: dice.below(2) == 0,
        act_allowance_ms: u32::MAX,
        settle_after_ms: 7,
        nonces: dice.below(2) == 0,
        reveal_deck: dice.below(2) == 0,
    }
}

/// A record of what one command did at the table, and the table after it.
pub fn recorded(table: &mut Table, events: Vec<TableEvent>) -> Record {
    let mut transfers = Vec::new();
    for event in &events {
        transfers.extend(table_transfers(TABLE, table.hand(), event));
        table.apply(event).expect("an event that the engine made");
    }
    let hand_number = table.hand().number();
    let events = events.into_iter().map(StreamEvent::Table).collect();
    let mut record =
        Record { at: Micros(-5), actor: "tester".into(), hand_number, events, transfers, ..Record::empty() };
    record.proof.salts = record.revealed().iter().map(|(position, _)| [*position; 16]).collect();
    if table.hand().is_played_out() {
        record.proof.nodes = vec![[7; 32], [8; 32]];
    }
    record
}

/// A table's whole life: eight players sit down, a hand is played at random, they leave, it is closed.
pub fn life_of_a_table(seed: u64) -> Vec<Record> {
    let dice = &mut Dice(seed);
    let first = settings(dice);
    let mut table = Table::new(first);
    let created = StreamEvent::Table(TableEvent::TableCreated(first));
    let mut records = vec![Record { request_hash: [0xa5; 16], events: vec![created], ..Record::empty() }];
    let mut commands = vec![TableCommand::ChangeRules(settings(dice))];
    let patient = dice.below(3) == 0;
    for number in Seat::all() {
        let stack = if patient { 1000 } else { 1 + dice.below(120) };
        let chips = chips(i64::try_from(stack).expect("small"));
        commands.push(TableCommand::TakeSeat {
            seat: number,
            player: player(&format!("p-{number}")),
            chips,
            card_key: None,
        });
    }
    commands.push(TableCommand::AddChips { player: player("p-8"), chips: Chips::ONE });
    commands.push(TableCommand::SetSittingOut { player: player("p-5"), sitting_out: !patient });
    for command in commands {
        let events = table.decide(&command).expect("accepted");
        records.push(recorded(&mut table, events));
    }
    if table.settings().nonces {
        let prepare = TableCommand::Prepare { seed_hash: [0x5e; 32] };
        let give = |number: usize| {
            let nonce = Nonce::new(&vec![7; 4 * number]).expect("not too long");
            TableCommand::GiveNonce { hand: 1, player: player(&format!("p-{number}")), nonce }
        };
        for command in [prepare, give(1), give(8)] {
            let events = table.decide(&command).expect("accepted");
            records.push(recorded(&mut table, events));
        }
    }
    play_hand(dice, &mut table, patient, &mut records);
    let reader = TableCommand::ReadCards { hand: 1, seat: seat(3), reader: "floor-2".into() };
    let auditor = TableCommand::OpenDeck { hand: 1, auditor: "board".into(), reason: "a complaint".into() };
    for command in [reader, auditor] {
        let events = table.decide(&command).expect("accepted");
        records.push(recorded(&mut table, events));
    }
    for number in Seat::all() {
        let leave = TableCommand::LeaveSeat { player: player(&format!("p-{number}")) };
        let events = table.decide(&leave).expect("accepted");
        records.push(recorded(&mut table, events));
    }
    let events = table.decide(&TableCommand::Close).expect("accepted");
    records.push(recorded(&mut table, events));
    records
}

fn play_hand(dice: &mut Dice, table: &mut Table, patient: bool, records: &mut Vec<Record>) {
    let deck = dice.deck();
    let origin = if dice.below(2) == 0 { DeckOrigin::Scripted } else { DeckOrigin::OsEntropy };
    let prepared = table.prepared_with(&[]).expect("enough stacks");
    let events = table.deal(&deck, DeckBond { origin, root: [0x5a; 32], prepared }).expect("enough stacks");
    records.push(recorded(table, events));
    while let Some(seat) = table.hand().waits_for() {
        let offers: Vec<_> = table.hand().legal().offers().collect();
        // The patient stay in to the end, so that the deck runs out and a common card comes (R27).
        let offer = offers[if patient { 1 } else { dice.below(offers.len()) }];
        let act = Command::Act { seat, action: offer.action, to: Some(offer.to) };
        let command = if !patient && dice.below(12) == 0 { Command::TimeOut } else { act };
        let events = table.play(&deck, 1, &command).expect("legal");
        let record = recorded(table, events);
        records.push(Record { deadline: Some(Micros(i64::MAX)), request_id: "r-1".into(), ..record });
    }
    if table.hand().is_open() {
        let void = Command::Void { reason: Arc::from("the cards were exposed: \u{1f0cf}") };
        let command = if dice.below(2) == 0 { Command::Settle } else { void };
        let events = table.end(1, &command).expect("played out");
        records.push(recorded(table, events));
    }
}

pub fn wallet_records() -> Vec<Record> {
    let (player, table, seat) = (player("Łucja-7"), TABLE, seat(8));
    let (amount, balance) = (Chips::ONE, Chips::MAX);
    let events = [
        WalletEvent::Deposited { player: player.clone(), amount, balance },
        WalletEvent::Withdrawn { player: player.clone(), amount, balance },
        WalletEvent::BoughtIn { player: player.clone(), table, seat, amount, balance },
        WalletEvent::CashedOut { player, table, seat, amount, balance },
    ];
    let record = |event| {
        let transfers = wallet_transfers(&event);
        Record {
            trace: "00-0af7-b7ad-01".into(),
            transfers,
            events: vec![StreamEvent::Wallet(event)],
            ..Record::empty()
        }
    };
    events.into_iter().map(record).collect()
}
