//! Razz dealer.
pub mod engine;
pub mod ledger;
pub mod record;
pub mod store;
