//! Refusals by name: the list that the scripts must cover, and the words that a script expects.

use razz_dealer::engine::{Legal, Rejection};

macro_rules! rejections {
    ($($name:ident),+ $(,)?) => {
        /// Every variant, in order of precedence.
        pub const ALL: &[&str] = &[$(stringify!($name)),+];

        /// The variant's name. A variant that is added to the engine does not compile here until it is listed.
        pub fn name(rejection: &Rejection) -> &'static str {
            match rejection {
                $(Rejection::$name { .. } => stringify!($name),)+
            }
        }
    };
}

rejections!(
    TableClosed,
    SeatTaken,
    AlreadySeated,
    NotSeated,
    StillDealtIn,
    HandOpen,
    TooFewStacks,
    NoncesNotTaken,
    NotPrepared,
    NonceGiven,
    HandUnknown,
    HandVoided,
    HandSettled,
    HandOver,
    StillPlaying,
    NotDealtIn,
    OutOfTurn,
    CapReached,
    OpponentsAllIn,
    NotReopened,
    ActionNotLegal,
    WrongAmount,
);

/// As a script writes it: `CapReached { max_raises: 3, legal: [fold, call 40] }`.
pub fn in_script(rejection: &Rejection) -> String {
    let plain = format!("{rejection:?}");
    let plain = match legal(rejection) {
        Some(legal) => plain.replace(&format!("{legal:?}"), &format!("[{legal}]")),
        None => plain,
    };
    plain.replace(": seat ", ": ")
}

const fn legal(rejection: &Rejection) -> Option<&Legal> {
    match rejection {
        Rejection::CapReached { legal, .. }
        | Rejection::OpponentsAllIn { legal }
        | Rejection::NotReopened { legal }
        | Rejection::ActionNotLegal { legal, .. }
        | Rejection::WrongAmount { legal, .. } => Some(legal),
        _ => None,
    }
}
