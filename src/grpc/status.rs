//! The one place where an error becomes a gRPC status. Every status carries a `google.rpc.ErrorInfo` whose reason is a
//! value of `razz.dealer.v1.ErrorReason`.

use std::collections::HashMap;

use tonic::body::Body;
use tonic::codegen::http::Response;
use tonic::{Code, Status};
use tonic_types::{ErrorDetails, StatusExt};

use super::MAX_REQUEST_BYTES;
use super::convert::BadRequest;
use crate::dealer::DealerError;
use crate::engine::{Rejection, StakesError};
use crate::pb::ErrorReason;
use crate::store::StoreError;

/// The domain of every reason.
pub const DOMAIN: &str = "razz.dealer.v1";

/// What a client is told: code, reason, and the facts by name.
type Told = (Code, ErrorReason, Vec<(&'static str, String)>);

fn status((code, reason, facts): Told, message: String) -> Status {
    let name = reason.as_str_name().trim_start_matches("ERROR_REASON_");
    let metadata: HashMap<String, String> = facts.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
    Status::with_error_details(code, message, ErrorDetails::with_error_info(name, DOMAIN, metadata))
}

/// What the transport answers by itself, for what never became a request, told as everything else is.
pub(super) fn explained(mut response: Response<Body>) -> Response<Body> {
    let bare = Status::from_header_map(response.headers()).filter(|status| status.details().is_empty());
    let Some((told, words)) = bare.and_then(|status| Some((unasked(&status)?, status.message().to_owned()))) else {
        return response;
    };
    let message = match told.1 {
        ErrorReason::MethodUnknown => "there is no such method".to_owned(),
        ErrorReason::RequestTooLong => format!("the request is longer than {MAX_REQUEST_BYTES} bytes"),
        _ => words,
    };
    if let Err(error) = status(told, message).add_header(response.headers_mut()) {
        tracing::error!(%error, "an error could not be told in full");
    }
    response
}

/// What the transport's own codes mean.
fn unasked(status: &Status) -> Option<Told> {
    match status.code() {
        Code::Internal => Some((Code::InvalidArgument, ErrorReason::RequestUnreadable, vec![])),
        Code::OutOfRange => {
            let limit = ("limit", MAX_REQUEST_BYTES.to_string());
            Some((Code::InvalidArgument, ErrorReason::RequestTooLong, vec![limit]))
        }
        // Of a method that is there it is the packing that is not known, and the message says which would be.
        Code::Unimplemented if !status.message().is_empty() => {
            Some((Code::Unimplemented, ErrorReason::RequestUnreadable, vec![]))
        }
        Code::Unimplemented => Some((Code::Unimplemented, ErrorReason::MethodUnknown, vec![])),
        _ => None,
    }
}

impl From<BadRequest> for Status {
    fn from(error: BadRequest) -> Status {
        let field = |field: &'static str| ("field", field.to_owned());
        let (reason, facts) = match &error {
            BadRequest::NoRequestId => (ErrorReason::RequestIdMissing, vec![field("request_id")]),
            BadRequest::Field { field: name, expected } => {
                (ErrorReason::FieldInvalid, vec![field(name), ("expected", expected.clone())])
            }
            BadRequest::Chips { field: name, given, .. } => {
                (ErrorReason::ChipsOutOfRange, vec![field(name), ("given", given.to_string())])
            }
            BadRequest::Stakes(error) => {
                let name = match error {
                    StakesError::SmallBet(_) => "stakes.small_bet",
                    StakesError::BringIn { .. } | StakesError::BringInMissing => "stakes.bring_in",
                    StakesError::Ante { .. } | StakesError::AnteMissing => "stakes.ante",
                };
                (ErrorReason::StakesInvalid, vec![field(name)])
            }
            BadRequest::Rules { field: name, .. } => (ErrorReason::RulesInvalid, vec![field(name)]),
        };
        status((Code::InvalidArgument, reason, facts), error.to_string())
    }
}

impl From<DealerError> for Status {
    fn from(error: DealerError) -> Status {
        let told = told(&error);
        if matches!(told.0, Code::Internal | Code::DataLoss | Code::Unavailable) {
            // The server's trouble, logged here once. A refusal is no trouble.
            tracing::error!(reason = told.1.as_str_name(), "{error}");
        }
        let message = match &error {
            // Particulars are for the operator's log; the caller learns what to do.
            DealerError::Broken(_) => "the dealer has a defect; its log has the particulars".to_owned(),
            _ => error.to_string(),
        };
        status(told, message)
    }
}

fn told(error: &DealerError) -> Told {
    match error {
        DealerError::Rejected(rejection) => rejected(rejection),
        DealerError::Store(error) => stored(error),
        DealerError::RequestIdReused => (Code::AlreadyExists, ErrorReason::RequestIdReused, vec![]),
        DealerError::TableUnknown(table) => {
            (Code::NotFound, ErrorReason::TableUnknown, vec![("table_id", table.to_string())])
        }
        DealerError::TableExists(table) => {
            (Code::AlreadyExists, ErrorReason::TableExists, vec![("table_id", table.to_string())])
        }
        DealerError::StaleSeq { expected, latest } => {
            let facts = vec![("expected", expected.to_string()), ("latest", latest.to_string())];
            (Code::Aborted, ErrorReason::StaleSeq, facts)
        }
        DealerError::BalanceTooLow { player, balance, needed } => {
            let facts = vec![
                ("player_id", player.to_string()),
                ("balance", balance.to_string()),
                ("needed", needed.to_string()),
            ];
            (Code::FailedPrecondition, ErrorReason::BalanceTooLow, facts)
        }
        DealerError::ChipsLimit => (Code::FailedPrecondition, ErrorReason::ChipsLimit, vec![]),
        DealerError::Busy => (Code::Unavailable, ErrorReason::Busy, vec![]),
        DealerError::Crowded { limit } => {
            (Code::ResourceExhausted, ErrorReason::TooManyCommands, vec![("limit", limit.to_string())])
        }
        DealerError::NoEntropy => (Code::Unavailable, ErrorReason::NoEntropy, vec![]),
        DealerError::DeckUnreadable { hand, .. } => {
            (Code::DataLoss, ErrorReason::DeckUnreadable, vec![("hand", hand.to_string())])
        }
        DealerError::FormatTooNew(format) => {
            (Code::FailedPrecondition, ErrorReason::FormatTooNew, vec![("format", format.to_string())])
        }
        DealerError::Corrupt(_) => (Code::DataLoss, ErrorReason::LogCorrupt, vec![]),
        DealerError::Broken(_) => (Code::Internal, ErrorReason::Internal, vec![]),
    }
}

fn stored(error: &StoreError) -> Told {
    match error {
        // Who comes again finds it seen to, or another dealer.
        StoreError::Away(_) | StoreError::Held | StoreError::NotMigrated { .. } | StoreError::Unusable(_) => {
            (Code::Unavailable, ErrorReason::StoreAway, vec![])
        }
        StoreError::KeyRetired => (Code::FailedPrecondition, ErrorReason::KeyRetired, vec![]),
        StoreError::OutcomeUnknown => (Code::Unavailable, ErrorReason::OutcomeUnknown, vec![]),
        StoreError::Corrupt(_) | StoreError::DeckRefused => (Code::DataLoss, ErrorReason::LogCorrupt, vec![]),
        StoreError::NewerFormat { found, .. } => {
            (Code::FailedPrecondition, ErrorReason::FormatTooNew, vec![("format", found.to_string())])
        }
        // The dealer answers these itself; one that comes through is its defect.
        StoreError::Conflict
        | StoreError::DuplicateRequest
        | StoreError::BalanceOutOfBounds
        | StoreError::KeyNeeded
        | StoreError::KeyUnknown => (Code::Internal, ErrorReason::Internal, vec![]),
    }
}

fn rejected(rejection: &Rejection) -> Told {
    let seat = |seat: &crate::engine::Seat| ("seat", seat.to_string());
    let hand = |hand: &u64| ("hand", hand.to_string());
    let legal = |legal: &crate::engine::Legal| ("legal", legal.to_string());
    let refused = |reason, facts| (Code::FailedPrecondition, reason, facts);
    match rejection {
        Rejection::TableClosed => refused(ErrorReason::TableClosed, vec![]),
        Rejection::SeatTaken { seat: at } => refused(ErrorReason::SeatTaken, vec![seat(at)]),
        Rejection::AlreadySeated { seat: at } => refused(ErrorReason::AlreadySeated, vec![seat(at)]),
        Rejection::NotSeated => refused(ErrorReason::NotSeated, vec![]),
        Rejection::StillDealtIn { seat: at, hand: number } => {
            refused(ErrorReason::StillDealtIn, vec![seat(at), hand(number)])
        }
        Rejection::HandOpen { hand: number } => refused(ErrorReason::HandOpen, vec![hand(number)]),
        Rejection::TooFewStacks { ready } => refused(ErrorReason::TooFewStacks, vec![("ready", ready.to_string())]),
        Rejection::NoncesNotTaken => refused(ErrorReason::NoncesNotTaken, vec![]),
        Rejection::NotPrepared { hand: number } => refused(ErrorReason::NotPrepared, vec![hand(number)]),
        Rejection::NonceGiven { seat: at } => refused(ErrorReason::NonceGiven, vec![seat(at)]),
        Rejection::HandUnknown { hand: number, latest } => {
            (Code::NotFound, ErrorReason::HandUnknown, vec![hand(number), ("latest", latest.to_string())])
        }
        Rejection::HandVoided { hand: number } => refused(ErrorReason::HandVoided, vec![hand(number)]),
        Rejection::HandSettled { hand: number } => refused(ErrorReason::HandSettled, vec![hand(number)]),
        Rejection::HandOver { hand: number } => refused(ErrorReason::HandOver, vec![hand(number)]),
        Rejection::StillPlaying { waits_for } => {
            refused(ErrorReason::StillPlaying, vec![("waits_for", waits_for.to_string())])
        }
        Rejection::NotDealtIn { seat: at } => refused(ErrorReason::NotDealtIn, vec![seat(at)]),
        Rejection::OutOfTurn { expected } => refused(ErrorReason::OutOfTurn, vec![("expected", expected.to_string())]),
        Rejection::CapReached { max_raises, legal: offers } => {
            refused(ErrorReason::CapReached, vec![("max_raises", max_raises.to_string()), legal(offers)])
        }
        Rejection::OpponentsAllIn { legal: offers } => refused(ErrorReason::OpponentsAllIn, vec![legal(offers)]),
        Rejection::NotReopened { legal: offers } => refused(ErrorReason::NotReopened, vec![legal(offers)]),
        Rejection::ActionNotLegal { action, legal: offers } => {
            refused(ErrorReason::ActionNotLegal, vec![("action", action.to_string()), legal(offers)])
        }
        Rejection::WrongAmount { action, given, right, legal: offers } => {
            let amounts = [("given", given.to_string()), ("right", right.to_string())];
            let facts = [("action", action.to_string())].into_iter().chain(amounts).chain([legal(offers)]);
            (Code::InvalidArgument, ErrorReason::WrongAmount, facts.collect())
        }
    }
}
