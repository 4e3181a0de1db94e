//! `razz-dealer`: a service that deals, referees and settles fixed-limit Razz, and can prove it.
//!
//! The map of the house, from the pure rooms outwards:
//! - [`engine`]: the rules, as plain functions over plain data. [`shuffle`]: decks from seeds, and how they rest.
//!   [`ledger`]: accounts and transfers. [`record`]: a record's bytes and the chain. [`sim`]: seeded players.
//! - [`store`]: records, heads, decks and balances, in one transaction a command. [`world`]: clock and randomness.
//! - [`dealer`]: the only write path. [`audit`]: checks and reconciliation, read only.
//! - [`grpc`]: the contract [`pb`] over the wire. [`cli`], [`config`], [`telemetry`], [`keyfile`]: the process.
//!
//! The way of one bet: request, `grpc::convert`, the dealer's table, the engine's `decide`, events, transfers and a
//! sealed record, one transaction, and only then the caller's view.
//!
//! What must never break, and where it is held: an action is legal if and only if [`engine::Hand::legal`] offers it;
//! chips move only as [`ledger::Transfer`]s and the database keeps the balances; a down card is absent from
//! [`engine::Hand`] and, unless the viewer may see it, from [`engine::View`]; a record's hash binds all before it.

pub mod audit;
pub mod cli;
pub mod config;
pub mod dealer;
pub mod engine;
pub mod grpc;
pub mod keyfile;
pub mod ledger;
pub mod pb;
pub mod record;
pub mod shuffle;
pub mod sim;
pub mod store;
pub mod telemetry;
pub mod world;
