//! Hands and awards in the words that a dealer would say (R33).

use super::card::Rank;
use super::low::{Low, LowClass};

const fn plural(rank: Rank) -> (&'static str, &'static str) {
    // Only the six takes "es".
    (rank.word(), if rank.index() == 5 { "es" } else { "s" })
}

fn spoken(ranks: &[Rank]) -> String {
    ranks.iter().map(|rank| rank.word()).collect::<Vec<_>>().join("-")
}

/// The value in words: `9-7-6-5-A (nine-seven low)`, `pair of aces, ten-nine-eight`.
pub fn low_in_words(low: Low) -> String {
    let ranks: Vec<Rank> = low.ranks().collect();
    let many = |rank: Rank| {
        let (word, ending) = plural(rank);
        format!("{word}{ending}")
    };
    let with_rest = |groups: String, rest: &[Rank]| {
        if rest.is_empty() { groups } else { format!("{groups}, {}", spoken(rest)) }
    };
    match (low.class(), ranks.as_slice()) {
        (LowClass::Unpaired, all) => {
            let letters = all.iter().map(|rank| rank.letter().to_string()).collect::<Vec<_>>().join("-");
            match all {
                [first, second, _, _, _] => format!("{letters} ({}-{} low)", first.word(), second.word()),
                _ => letters,
            }
        }
        (LowClass::OnePair, [pair, rest @ ..]) => with_rest(format!("pair of {}", many(*pair)), rest),
        (LowClass::TwoPair, [high, low, rest @ ..]) => {
            with_rest(format!("two pair, {} and {}", many(*high), many(*low)), rest)
        }
        (LowClass::Trips, [trips, rest @ ..]) => with_rest(format!("three {}", many(*trips)), rest),
        (LowClass::FullHouse, [trips, pair, ..]) => format!("full house, {} over {}", many(*trips), many(*pair)),
        (LowClass::Quads, [quads, rest @ ..]) => with_rest(format!("four {}", many(*quads)), rest),
        // A paired value always names its groups; an empty one has nothing to say.
        (_, _) => String::new(),
    }
}
