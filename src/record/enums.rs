//! Enums as they stand in a record and on the wire. The proto's zero, `UNSPECIFIED`, is no value of any.

use crate::engine::{
    Action, DeckOrigin, FirstToShow, HeadsUpCap, LosingHands, MuckedHands, OddChip, Showing, Standing, Street,
    SuitOrder,
};
use crate::pb;

/// An engine's enum whose values have a number in the proto.
pub trait Coded: Sized {
    /// The number of this value.
    fn code(self) -> i32;

    /// The value of this number; `None` for one that has no meaning here.
    fn of_code(code: i32) -> Option<Self>;
}

/// Both directions from one list, so that they cannot disagree. The values bear the same names on both sides.
macro_rules! coded {
    ($($name:ident { $($value:ident),+ })+) => {$(
        impl Coded for $name {
            fn code(self) -> i32 {
                match self {
                    $($name::$value => pb::$name::$value.into(),)+
                }
            }

            fn of_code(code: i32) -> Option<Self> {
                match pb::$name::try_from(code).ok()? {
                    pb::$name::Unspecified => None,
                    $(pb::$name::$value => Some($name::$value),)+
                }
            }
        }
    )+};
}

coded! {
    SuitOrder { SpadesHighest, ClubsHighest }
    HeadsUpCap { Capped, UncappedHeadsUp }
    FirstToShow {
        LastAggressor,
        LastAggressorOfSeventhElseLowestSeat,
        SeatOrder,
        LastAggressorOfSeventhElseLowestBoard
    }
    LosingHands { MayMuck, AllShown }
    MuckedHands { PlayersOfTheHand, OwnerAndAuditors }
    OddChip { LeftOfButton, HighCardBySuit }
    DeckOrigin { OsEntropy, Scripted }
    Action { Fold, Check, Call, BringIn, Complete, Bet, Raise, Show, Muck }
    Street { Third, Fourth, Fifth, Sixth, Seventh }
    Standing { In, AllIn, Folded }
    Showing { Waiting, Offered, Shown, Mucked }
}
