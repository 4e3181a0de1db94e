//! Requests into commands, and answers into messages: the only parser of what comes in. What it refuses names the field
//! and what would be right.

mod answer;
mod audit;
mod ids;
mod proofs;
mod settings;

pub(super) use answer::{hand_view, next_transfers, posted_transfer, prepared_hand, table_view};
pub(super) use audit::{difference, reconciling};
pub(super) use ids::{
    account, action, ask, card_key, chips, hand_number, name, nonce, nonces, page_size, player_id, reason, seat,
    table_id, table_page, table_token, transfer_page, viewer,
};
pub(super) use proofs::{card_proofs, opened_deck};
pub(super) use settings::{settings, stakes_and_rules};

/// A request that cannot be read. It names the field, and what would be right.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BadRequest {
    /// No `request_id`.
    #[error("request_id is missing: give 1 to 64 bytes that name this request and no other of its table or wallet")]
    NoRequestId,
    /// A field is no id, unset, out of range or too long.
    #[error("{field}: expected {expected}")]
    Field {
        /// Its path in the request.
        field: &'static str,
        /// What would be right.
        expected: String,
    },
    /// An amount that is no amount of chips.
    #[error("{field} is {given}; it must be from {least} to {max}", max = crate::engine::Chips::MAX)]
    Chips {
        /// Its path in the request.
        field: &'static str,
        /// As given.
        given: i64,
        /// The least that is right.
        least: i64,
    },
    /// Stakes that R7 refuses.
    #[error("stakes: {0}")]
    Stakes(crate::engine::StakesError),
    /// Rules that cannot be.
    #[error("{field}: {why}")]
    Rules {
        /// Its path in the request.
        field: &'static str,
        /// What is wrong, and what would be right.
        why: String,
    },
}

fn invalid(field: &'static str, expected: impl Into<String>) -> BadRequest {
    BadRequest::Field { field, expected: expected.into() }
}
