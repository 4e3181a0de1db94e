//! Every command to a table, and what it comes to on the table as it stands.

use std::sync::Arc;

use super::decks::NextDeck;
use super::live::Live;
use super::request::request_hash;
use super::wallets::{WalletOrder, Way};
use super::{Dealer, DealerError};
use crate::engine::{Action, Chips, Command, Nonce, PlayerId, Seat, Settings, TableCommand, TableEvent};
use crate::record::{Record, RequestHash, StreamEvent};
use crate::shuffle::{DeckSecret, SaltedDeck, SeedHash};
use crate::store::DeckRow;

/// A command to a table.
#[derive(Clone, Debug)]
pub enum Order {
    /// Bind the seed of the next hand.
    Prepare,
    /// Open the next hand.
    Deal {
        /// The nonces that come with it, in seat order.
        nonces: Vec<(Seat, Nonce)>,
    },
    /// A player's action.
    Act {
        /// In which hand.
        hand: u64,
        /// Who.
        seat: Seat,
        /// What.
        action: Action,
        /// The total that the caller believes it comes to.
        to: Option<Chips>,
        /// The hand's last record that the caller knew.
        expected_seq: Option<u64>,
    },
    /// Pay the hand.
    Settle {
        /// Which.
        hand: u64,
    },
    /// Give every chip of the hand back.
    Void {
        /// Which.
        hand: u64,
        /// Why.
        reason: Arc<str>,
    },
    /// Seats and settings.
    Table(TableCommand),
}

/// What an order comes to.
pub(super) struct Effect {
    /// What happens at the table; nothing where it is so already.
    pub events: Vec<TableEvent>,
    /// The deck of a hand that opens.
    pub deck: Option<SaltedDeck>,
    /// A deck or seed that is new, sealed.
    pub row: Option<DeckRow>,
    /// The wallet's half.
    pub wallet: Option<WalletOrder>,
}

impl Order {
    /// The hash of what is asked, in canonical form.
    pub(super) fn hash(&self) -> RequestHash {
        match self {
            Order::Prepare => request_hash("PrepareHand", &[]),
            Order::Deal { nonces } => deal_hash(nonces),
            Order::Act { hand, seat, action, to, .. } => {
                let to = to.map(|to| to.units().to_be_bytes());
                let to = to.as_ref().map_or(&[][..], |bytes| &bytes[..]);
                let seat = [seat.number()];
                request_hash("Act", &[&hand.to_be_bytes(), &seat, action.word().as_bytes(), to])
            }
            Order::Settle { hand } => request_hash("Settle", &[&hand.to_be_bytes()]),
            Order::Void { hand, reason } => request_hash("VoidHand", &[&hand.to_be_bytes(), reason.as_bytes()]),
            Order::Table(command) => table_hash(command),
        }
    }
}

/// Settings in canonical form: the bytes that a record would hold.
pub(super) fn settings_bytes(settings: &Settings) -> Vec<u8> {
    let event = StreamEvent::Table(TableEvent::RulesChanged(*settings));
    Record { events: vec![event], ..Record::empty() }.encode()
}

fn deal_hash(nonces: &[(Seat, Nonce)]) -> RequestHash {
    let seats: Vec<[u8; 1]> = nonces.iter().map(|(seat, _)| [seat.number()]).collect();
    let each = seats.iter().zip(nonces).flat_map(|(seat, (_, nonce))| [&seat[..], nonce.bytes()]);
    request_hash("Deal", &each.collect::<Vec<_>>())
}

fn table_hash(command: &TableCommand) -> RequestHash {
    let chips_bytes = |chips: &Chips| chips.units().to_be_bytes();
    match command {
        TableCommand::ChangeRules(settings) => request_hash("ChangeRules", &[&settings_bytes(settings)]),
        TableCommand::TakeSeat { seat, player, chips, card_key } => {
            let (seat, chips) = ([seat.number()], chips_bytes(chips));
            let fields = [&seat[..], player.as_str().as_bytes(), &chips];
            // Without a key the request is the one that it always was.
            let key = card_key.as_ref().map(|key| &key.bytes()[..]);
            request_hash("TakeSeat", &fields.into_iter().chain(key).collect::<Vec<_>>())
        }
        TableCommand::AddChips { player, chips } => {
            request_hash("AddChips", &[player.as_str().as_bytes(), &chips_bytes(chips)])
        }
        TableCommand::LeaveSeat { player } => request_hash("LeaveSeat", &[player.as_str().as_bytes()]),
        TableCommand::SetSittingOut { player, sitting_out } => {
            request_hash("SetSittingOut", &[player.as_str().as_bytes(), &[u8::from(*sitting_out)]])
        }
        TableCommand::Prepare { seed_hash } => request_hash("Prepare", &[seed_hash]),
        TableCommand::GiveNonce { hand, player, nonce } => {
            request_hash("GiveNonce", &[&hand.to_be_bytes(), player.as_str().as_bytes(), nonce.bytes()])
        }
        TableCommand::ReadCards { hand, seat, reader } => {
            request_hash("ReadCards", &[&hand.to_be_bytes(), &[seat.number()], reader.as_bytes()])
        }
        TableCommand::OpenDeck { hand, auditor, reason } => {
            request_hash("OpenDeck", &[&hand.to_be_bytes(), auditor.as_bytes(), reason.as_bytes()])
        }
        TableCommand::Close => request_hash("CloseTable", &[]),
    }
}

impl Dealer {
    /// What the order comes to on the table as it stands. Reads, but changes nothing.
    pub(super) async fn decide(&self, live: &mut Live, order: &Order) -> Result<Effect, DealerError> {
        let effect = |events| Effect { events, deck: None, row: None, wallet: None };
        match order {
            Order::Prepare => {
                // Refused, or found done, before any randomness is drawn.
                if live.table.decide(&TableCommand::Prepare { seed_hash: [0; 32] })?.is_empty() {
                    return Ok(effect(Vec::new()));
                }
                let seed = self.new_seed()?;
                let seed_hash = SeedHash::of(&seed).0;
                let row = self.seal_deck(live.id, live.table.next_number(), &DeckSecret::Seed(seed))?;
                let events = live.table.decide(&TableCommand::Prepare { seed_hash })?;
                Ok(Effect { row: Some(row), ..effect(events) })
            }
            Order::Deal { nonces } => {
                let prepared = live.table.prepared_with(nonces)?;
                let NextDeck { deck, bond, row } = self.next_deck(live, prepared).await?;
                let events = live.table.deal(&deck.deck, bond)?;
                Ok(Effect { deck: Some(deck), row, ..effect(events) })
            }
            Order::Act { hand, seat, action, to, expected_seq } => {
                live.table.check_number(*hand)?;
                let latest = live.hand_seq.0;
                if let Some(expected) = expected_seq.filter(|&expected| expected != latest) {
                    return Err(DealerError::StaleSeq { expected, latest });
                }
                let deck = self.deck_of(live).await?;
                let command = Command::Act { seat: *seat, action: *action, to: *to };
                Ok(effect(live.table.play(&deck.deck, *hand, &command)?))
            }
            Order::Settle { hand } => Ok(effect(live.table.end(*hand, &Command::Settle)?)),
            Order::Void { hand, reason } => {
                Ok(effect(live.table.end(*hand, &Command::Void { reason: Arc::clone(reason) })?))
            }
            Order::Table(command) => {
                let events = live.table.decide(command)?;
                // What cannot be opened is not recorded as opened.
                if let TableCommand::OpenDeck { hand, .. } = command {
                    self.ended_deck(live, *hand).await?;
                }
                let wallet = events.iter().find_map(|event| wallet_half(live, event));
                Ok(Effect { wallet, ..effect(events) })
            }
        }
    }
}

/// What a table's event means for a player's wallet.
fn wallet_half(live: &Live, event: &TableEvent) -> Option<WalletOrder> {
    let half = |player: &PlayerId, chips: &Chips, way: Way| {
        (!chips.is_zero()).then(|| WalletOrder { player: player.clone(), amount: *chips, way })
    };
    match event {
        TableEvent::SeatTaken { seat, player, chips, .. } | TableEvent::ChipsAdded { seat, player, chips } => {
            half(player, chips, Way::BuyIn(live.id, *seat))
        }
        TableEvent::SeatLeft { seat, player, chips } => half(player, chips, Way::CashOut(live.id, *seat)),
        _ => None,
    }
}

/// Whether an event is of the table's hand.
pub(super) const fn is_of_hand(event: &TableEvent) -> bool {
    matches!(event, TableEvent::Hand(_))
}
