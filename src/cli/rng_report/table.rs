//! Tables of 52 by 52 counts, and how far counts are from what was to be expected.

use super::chance::real;
use crate::engine::Card;

/// How many cells such a table has.
pub(super) const CELLS: usize = Card::COUNT * Card::COUNT;

/// The cell of a row and a column.
pub(super) fn cell(row: u8, column: u8) -> usize {
    usize::from(row) * Card::COUNT + usize::from(column)
}

/// The chi-square of counts against how likely each is.
pub(super) fn chi_square(counts: &[u64], likely: &[f64]) -> f64 {
    let total = real(counts.iter().sum());
    let square = |(&count, likely): (&u64, &f64)| (real(count) - total * likely).powi(2) / (total * likely);
    counts.iter().zip(likely).map(square).sum()
}

/// The chi-square of counts that are all as likely.
pub(super) fn evenness(counts: &[u64]) -> f64 {
    chi_square(counts, &vec![1.0 / real(counts.len() as u64); counts.len()])
}

/// What rows and columns do together beyond what each does alone, where every cell is as likely: a chi-square of 51
/// times 51 degrees of freedom.
pub(super) fn interplay(table: &[u64]) -> f64 {
    let sides = real(Card::COUNT as u64);
    let even = real(table.iter().sum()) / (sides * sides);
    let rows: Vec<f64> = table.chunks(Card::COUNT).map(|row| real(row.iter().sum()) / sides).collect();
    let column = |column| table.iter().skip(column).step_by(Card::COUNT).sum();
    let columns: Vec<f64> = (0..Card::COUNT).map(|at| real(column(at)) / sides).collect();
    let square = |(at, &count): (usize, &u64)| {
        (real(count) - rows[at / Card::COUNT] - columns[at % Card::COUNT] + even).powi(2) / even
    };
    table.iter().enumerate().map(square).sum()
}

/// Twelve deviations: what is less likely does not happen.
const SURELY: f64 = 12.0;

/// How many of something that takes `mean` hands, `deviation` more or less, surely come to their end in a row of so
/// many. Only so many are counted: of those at the end of the row the short ones would be met and the long ones not.
pub(super) fn surely(hands: usize, mean: f64, deviation: f64) -> usize {
    let slack = SURELY * deviation;
    let root = ((slack * slack + 4.0 * mean * real(hands as u64)).sqrt() - slack) / (2.0 * mean);
    let mut count = 0;
    while real(count + 1) <= root * root {
        count += 1;
    }
    usize::try_from(count).unwrap_or(usize::MAX)
}
