//! How likely a statistic is by chance alone. Written here because it is little, and because what a deal is judged by
//! should be read in one place; tested against values worked out elsewhere.

use std::f64::consts::PI;

/// Where a series has long converged for every statistic of a report.
const TERMS: u32 = 100_000;

/// A count as a number to reckon with.
#[expect(clippy::cast_precision_loss, reason = "above 2^53 the loss is one part in 10^16")]
pub fn real(count: u64) -> f64 {
    count as f64
}

/// How likely a chi-square of so many degrees of freedom is at least this.
pub fn chi_square_tail(statistic: f64, degrees: u32) -> f64 {
    gamma_tail(f64::from(degrees) / 2.0, statistic / 2.0)
}

/// How likely a number from the standard normal distribution is at least this.
pub fn normal_tail(deviation: f64) -> f64 {
    let beyond = gamma_tail(0.5, deviation * deviation / 2.0) / 2.0;
    if deviation < 0.0 { 1.0 - beyond } else { beyond }
}

/// How far so many numbers are from lying evenly between 0 and 1: the Kolmogorov-Smirnov distance.
pub fn distance(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_by(f64::total_cmp);
    let count = real(numbers.len() as u64);
    let off = |(index, number): (u32, f64)| {
        let below = f64::from(index);
        (number - below / count).max((below + 1.0) / count - number)
    };
    (0..).zip(numbers).map(off).fold(0.0, f64::max)
}

/// How likely the distance of so many independent numbers is at least this: Kolmogorov's distribution, in Stephens's
/// form for few numbers.
pub fn distance_tail(distance: f64, count: u64) -> f64 {
    let root = real(count).sqrt();
    let reach = (root + 0.12 + 0.11 / root) * distance;
    let squared = reach * reach;
    if reach < 0.1 {
        return 1.0;
    }
    // Two forms of the same function, each of few terms where the other takes many.
    if reach < 1.0 {
        let term = |odd: f64| (-(odd * PI).powi(2) / (8.0 * squared)).exp();
        1.0 - (2.0 * PI).sqrt() / reach * [1.0, 3.0, 5.0, 7.0].map(term).iter().sum::<f64>()
    } else {
        let term = |(sign, number): (f64, f64)| sign * 2.0 * (-2.0 * number * number * squared).exp();
        [(1.0, 1.0), (-1.0, 2.0), (1.0, 3.0), (-1.0, 4.0)].map(term).iter().sum()
    }
}

/// The regularised upper incomplete gamma function: its series below the bend, its continued fraction above.
fn gamma_tail(shape: f64, from: f64) -> f64 {
    if from <= 0.0 {
        return 1.0;
    }
    let scale = (shape * from.ln() - from - ln_gamma(shape)).exp();
    if from < shape + 1.0 { 1.0 - scale * lower_series(shape, from) } else { scale * upper_fraction(shape, from) }
}

fn lower_series(shape: f64, to: f64) -> f64 {
    let mut term = 1.0 / shape;
    let mut sum = term;
    for number in 1..TERMS {
        term *= to / (shape + f64::from(number));
        sum += term;
        if term < sum * f64::EPSILON {
            break;
        }
    }
    sum
}

/// Lentz's way to a continued fraction's value.
fn upper_fraction(shape: f64, from: f64) -> f64 {
    let mut bottom = from + 1.0 - shape;
    let mut ahead = f64::MAX;
    let mut behind = 1.0 / bottom;
    let mut value = behind;
    for number in 1..TERMS {
        let top = -f64::from(number) * (f64::from(number) - shape);
        bottom += 2.0;
        behind = 1.0 / (top * behind + bottom);
        ahead = bottom + top / ahead;
        let step = behind * ahead;
        value *= step;
        if (step - 1.0).abs() < 2.0 * f64::EPSILON {
            break;
        }
    }
    value
}

/// The logarithm of the gamma function above 0: Stirling's series, from where six terms are enough.
fn ln_gamma(at: f64) -> f64 {
    let (mut high, mut product) = (at, 1.0);
    while high < 15.0 {
        product *= high;
        high += 1.0;
    }
    let square = 1.0 / (high * high);
    let series = square.mul_add(-1.0 / 1188.0, 1.0 / 1680.0);
    let series = 1.0 / 12.0 - square * (1.0 / 360.0 - square * (1.0 / 1260.0 - square * series));
    (high - 0.5) * high.ln() - high + (2.0 * PI).ln() / 2.0 + series / high - product.ln()
}
