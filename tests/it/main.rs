//! The integration tests, one binary: each module proves promises or rules that it names.

mod audit;
mod away;
mod contract;
mod crash;
mod database;
mod entropy;
mod faults;
mod fleet;
mod hands;
mod journal;
mod laws;
mod load;
mod low;
mod many;
mod pots;
mod process;
mod proofs;
mod reconcile;
mod record;
mod recover;
mod replay;
mod rng_report;
mod sealed;
mod service;
mod shuffle;
mod store_contract;
