//! The heat map of position by card, as SVG.

use std::fmt::Write;

use super::chance::real;
use super::report::Report;
use crate::engine::Card;

/// The side of a cell, and where the map begins, in pixels.
const SIDE: usize = 14;
const LEFT: usize = 60;
const TOP: usize = 90;
const MAP: usize = SIDE * Card::COUNT;
/// Deviations from the middle of the scale to its ends.
const ENDS: i32 = 4;

/// The picture of a report: how far each count is from the even one, in standard deviations.
pub fn svg(report: &Report) -> String {
    let mut picture = String::new();
    draw(&mut picture, report).map_or_else(|_| unreachable!("a text takes what is written to it"), |()| picture)
}

fn draw(to: &mut String, report: &Report) -> std::fmt::Result {
    let (width, height) = (LEFT + MAP + 30, TOP + MAP + 90);
    writeln!(
        to,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" font-size=\"10\">"
    )?;
    writeln!(to, "<title>Position by card, {} shuffles</title>", report.shuffles)?;
    writeln!(to, "<rect width=\"{width}\" height=\"{height}\" fill=\"#ffffff\"/>")?;
    let text = |to: &mut String, x: usize, y: usize, more: &str, words: &str| {
        writeln!(to, "<text x=\"{x}\" y=\"{y}\"{more}>{words}</text>")
    };
    let title = format!("Where each card lay in {} shuffles", report.shuffles);
    text(to, LEFT, 28, " font-size=\"18\"", &title)?;
    let all = report.outcomes.first().map(|all| format!("chi-square {:.2}, p {:.4}; ", all.statistic, all.p));
    let verdict = if report.is_in_order() { "all tests in order" } else { "not in order" };
    let even = real(report.shuffles) / 52.0;
    let words = format!("{}{verdict}. An even count is {even:.1}.", all.unwrap_or_default());
    text(to, LEFT, 48, " font-size=\"12\"", &words)?;
    text(to, LEFT + MAP / 2, 68, " text-anchor=\"middle\"", "position in the deck")?;
    for (at, card) in Card::all().enumerate() {
        let middle = SIDE / 2 + at * SIDE;
        text(to, LEFT + middle, TOP - 5, " text-anchor=\"middle\"", &(at + 1).to_string())?;
        text(to, LEFT - 5, TOP + middle + 4, " text-anchor=\"end\"", &card.to_string())?;
    }
    let deviation = (even * 51.0 / 52.0).sqrt();
    for (at, &count) in report.positions.iter().enumerate() {
        let (x, y) = (LEFT + at / Card::COUNT * SIDE, TOP + at % Card::COUNT * SIDE);
        let colour = colour((real(count) - even) / deviation);
        writeln!(to, "<rect x=\"{x}\" y=\"{y}\" width=\"{SIDE}\" height=\"{SIDE}\" fill=\"{colour}\"/>")?;
    }
    scale(to)?;
    writeln!(to, "</svg>")
}

/// The scale below the map, in steps of half a deviation.
fn scale(to: &mut String) -> std::fmt::Result {
    let (width, y) = (30, TOP + MAP + 25);
    for (at, halves) in (-2 * ENDS..=2 * ENDS).enumerate() {
        let x = LEFT + at * width;
        let fill = colour(f64::from(halves) / 2.0);
        writeln!(to, "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{SIDE}\" fill=\"{fill}\"/>")?;
        if halves % 2 == 0 {
            let (x, y) = (x + width / 2, y + SIDE + 12);
            let words = if halves == 0 { "0".to_owned() } else { format!("{:+}", halves / 2) };
            writeln!(to, "<text x=\"{x}\" y=\"{y}\" text-anchor=\"middle\">{words}</text>")?;
        }
    }
    let (x, y) = (LEFT, y + SIDE + 30);
    let words = "standard deviations from the even count: blue rarer, red more often; beyond 4 as 4";
    writeln!(to, "<text x=\"{x}\" y=\"{y}\">{words}</text>")
}

/// White in the middle, blue below, red above.
fn colour(deviations: f64) -> String {
    let strength = (deviations.abs() / f64::from(ENDS)).min(1.0);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between the two ends, within a byte")]
    let mix = |end: f64| (255.0 - strength * (255.0 - end)).round() as u8;
    let [red, green, blue] = if deviations < 0.0 { [33.0, 102.0, 172.0] } else { [178.0, 24.0, 43.0] }.map(mix);
    format!("#{red:02x}{green:02x}{blue:02x}")
}
