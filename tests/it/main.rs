//! The integration tests, one binary: each module proves promises or rules that it names.

mod hands;
mod laws;
mod low;
mod pots;
mod record;
mod shuffle;
mod store_contract;
