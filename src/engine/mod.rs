//! The rules of Razz, as plain functions over plain data: nothing here waits, reads a clock or draws at random.
//!
//! [`Table::deal`], [`Table::play`] and [`Table::decide`] say what a request brings about, as events;
//! [`Table::apply`] and [`Hand::apply`] are the only way anything changes, in play and in replay alike.
//! [`Hand::legal`] is the one source of what is legal. [`View`] is what one viewer may know.
//! The rules are named by their ids in the rulebook, R1 to R41.

mod apply;
mod betting;
mod card;
mod chips;
mod decide;
mod event;
mod flow;
mod hand;
mod held;
mod low;
mod opening;
mod player;
pub mod pots;
mod prepared;
mod round;
mod rules;
mod seat;
mod showdown;
mod stakes;
mod table;
mod table_decide;
mod table_event;
mod view;
mod viewer;
mod words;

pub use apply::Impossible;
pub use betting::{Legal, Offer};
pub use card::{Card, CardSet, Deck, NotACard, Rank, Suit};
pub use chips::Chips;
pub use decide::{Refused, Rejection, decide};
pub use event::{Action, Award, Command, Event, PlayerId, Street};
pub use hand::{Due, Hand, Outcome};
pub use low::{Low, LowClass};
pub use opening::{Bystander, CardKey, DealtIn, DeckBond, DeckOrigin, Opening, Settings};
pub use player::{Player, Showing};
pub use prepared::{Nonce, Prepared};
pub use rules::{
    FirstToShow, HeadsUpCap, HouseRules, LosingHands, MuckedHands, OddChip, Preset, RULES_REVISION, Rake, RulesError,
    SuitOrder,
};
pub use seat::{PerSeat, Seat, SeatSet};
pub use stakes::{Stakes, StakesError};
pub use table::{Occupant, Table, chips_in_front};
pub use table_event::{TableCommand, TableEvent};
pub use view::{SeatView, Standing, Status, View};
pub use viewer::{Sight, Viewer};
pub use words::low_in_words;
