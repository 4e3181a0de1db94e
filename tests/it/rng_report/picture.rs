//! The picture is well-formed and shows what was counted.

use razz_dealer::cli::rng_report::svg;
use razz_dealer::sim::Dice;

use super::{report, unshuffled};

/// The names of the elements of a text, each closed in its order, with quoted attributes.
fn elements(text: &str) -> Vec<String> {
    let (mut open, mut all, mut rest) = (Vec::new(), Vec::new(), text);
    while let Some((before, tag)) = rest.split_once('<') {
        assert!(!before.contains(['>', '&']) && (!open.is_empty() || before.trim().is_empty()), "{before}");
        let (tag, after) = tag.split_once('>').expect("every tag ends");
        rest = after;
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop().as_deref(), Some(name), "closed in order");
            continue;
        }
        let is_empty = tag.ends_with('/');
        let tag = tag.trim_end_matches('/');
        let (name, attributes) = tag.split_once(' ').unwrap_or((tag, ""));
        let mut parts = attributes.split('"');
        while let Some(attribute) = parts.next().filter(|part| !part.is_empty()) {
            let name = attribute.trim_start().strip_suffix('=').expect("a name and a value");
            assert!(name.chars().all(|c| c.is_ascii_alphabetic() || c == '-'), "{name}");
            parts.next().expect("a quoted value");
        }
        all.push(name.to_owned());
        if !is_empty {
            open.push(name.to_owned());
        }
    }
    assert!(open.is_empty() && rest.trim().is_empty(), "{open:?} {rest}");
    all
}

#[test]
fn it_is_well_formed_and_shows_a_card_that_never_moves() {
    let report = report(100_000, |hand| {
        let mut cards = unshuffled();
        Dice::new(1, hand).shuffle(&mut cards[..51]);
        cards
    });
    let picture = svg(&report);
    let elements = elements(&picture);
    let count = |name: &str| elements.iter().filter(|element| *element == name).count();
    assert_eq!((elements[0].as_str(), count("svg"), count("title")), ("svg", 1, 1));
    // The ground, a cell for each position and card, and the scale.
    assert_eq!(count("rect"), 1 + 52 * 52 + 17);
    for word in ["100000 shuffles", ">Ac<", ">Ks<", ">52<", "position in the deck", ">+4<", ">-4<", "not in order"] {
        assert!(picture.contains(word), "{word} is missing");
    }
    let cell = |position: usize, card: usize| {
        let place = format!("<rect x=\"{}\" y=\"{}\" ", 60 + position * 14, 90 + card * 14);
        let line = picture.lines().find(|line| line.starts_with(&place)).expect("a cell");
        line.split('"').rev().nth(1).expect("a colour").to_owned()
    };
    let (red, blue) = ("#b2182b", "#2166ac");
    assert_eq!(cell(51, 51), red, "always there");
    assert!((0..51).all(|card| cell(51, card) == blue) && (0..51).all(|position| cell(position, 51) == blue));
    assert!((0..51).any(|card| ![red, blue].contains(&cell(0, card).as_str())), "the rest is by chance");
}
