//! The integration tests, one binary: each module proves promises or rules that it names.

mod audit;
mod contract;
mod crash;
mod database;
mod entropy;
mod hands;
mod laws;
mod load;
mod low;
mod pots;
mod process;
mod proofs;
mod reconcile;
mod record;
mod replay;
mod service;
mod shuffle;
mod store_contract;
