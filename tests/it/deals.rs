//! Promises 3 and 4 on real hands: what the record proves by itself, who is told which proof, what nonces bind, and who
//! has looked at what.

mod audit;
mod files;
mod forged;
mod nonces;
mod readers;
mod record;
