//! Reconciliation: what is sound is found clean, also while it moves, and each kind of damage is named for what it is.

mod asked;
mod copies;
mod damage;
mod forged;
mod moving;
mod scene;
