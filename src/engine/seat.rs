//! Seats, sets of them, and one value for each.

use std::fmt;
use std::ops::{Index, IndexMut};

/// A seat of the table, 1 to 8. The stud button never moves: it stands beside seat 8 (R2), so seat order is the
/// order of dealing and of every tie-break.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Seat(u8);

impl Seat {
    /// How many seats a table has (R1).
    pub const COUNT: usize = 8;

    /// The seat with this number; `None` outside 1 to 8.
    pub const fn new(number: u8) -> Option<Seat> {
        if number >= 1 && number as usize <= Self::COUNT { Some(Seat(number - 1)) } else { None }
    }

    /// 1 to 8.
    pub const fn number(self) -> u8 {
        self.0 + 1
    }

    const fn index(self) -> usize {
        self.0 as usize
    }

    /// All eight, in seat order.
    pub fn all() -> impl DoubleEndedIterator<Item = Seat> + ExactSizeIterator + Clone {
        (0..8).map(Seat)
    }

    /// All eight clockwise, the seat after this one first and this one last.
    pub fn clockwise(self) -> impl Iterator<Item = Seat> {
        (1..=8).map(move |step| Seat((self.0 + step) % 8))
    }
}

impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.number())
    }
}

impl fmt::Debug for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "seat {}", self.number())
    }
}

/// A set of seats.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub struct SeatSet(u8);

impl SeatSet {
    /// No seat.
    pub const EMPTY: SeatSet = SeatSet(0);

    /// Puts a seat in.
    pub const fn insert(&mut self, seat: Seat) {
        self.0 |= 1 << seat.0;
    }

    /// Whether the seat is in.
    pub const fn contains(self, seat: Seat) -> bool {
        self.0 & (1 << seat.0) != 0
    }

    /// How many.
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether there is none.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// In seat order.
    pub fn iter(self) -> impl DoubleEndedIterator<Item = Seat> + Clone {
        Seat::all().filter(move |&seat| self.contains(seat))
    }

    /// The lowest-numbered seat.
    pub fn first(self) -> Option<Seat> {
        self.iter().next()
    }

    /// The seat itself if it is in, else the next one clockwise that is.
    pub fn at_or_after(self, seat: Seat) -> Option<Seat> {
        if self.contains(seat) { Some(seat) } else { seat.clockwise().find(|&next| self.contains(next)) }
    }

    /// These seats clockwise from (and with) the given one.
    pub fn clockwise_from(self, seat: Seat) -> impl Iterator<Item = Seat> {
        std::iter::once(seat)
            .chain(seat.clockwise().filter(move |&next| next != seat))
            .filter(move |&next| self.contains(next))
    }
}

impl FromIterator<Seat> for SeatSet {
    fn from_iter<I: IntoIterator<Item = Seat>>(seats: I) -> SeatSet {
        let mut set = SeatSet::EMPTY;
        seats.into_iter().for_each(|seat| set.insert(seat));
        set
    }
}

impl fmt::Debug for SeatSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

/// One value for each of the eight seats, reached by [`Seat`] only, so that no index can miss.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct PerSeat<T>([T; Seat::COUNT]);

impl<T> PerSeat<T> {
    /// The value that `make` gives for each seat.
    pub fn from_fn(mut make: impl FnMut(Seat) -> T) -> PerSeat<T> {
        #[expect(clippy::cast_possible_truncation, reason = "an index of eight seats")]
        PerSeat(std::array::from_fn(|index| make(Seat(index as u8))))
    }

    /// Each seat and its value, in seat order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (Seat, &T)> {
        Seat::all().zip(&self.0)
    }

    /// Each seat and its value, to be changed, in seat order.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = (Seat, &mut T)> {
        Seat::all().zip(&mut self.0)
    }
}

impl<T> Index<Seat> for PerSeat<T> {
    type Output = T;
    fn index(&self, seat: Seat) -> &T {
        &self.0[seat.index()]
    }
}

impl<T> IndexMut<Seat> for PerSeat<T> {
    fn index_mut(&mut self, seat: Seat) -> &mut T {
        &mut self.0[seat.index()]
    }
}
