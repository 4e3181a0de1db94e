//! Files that cannot be read or played: each is named with its line and what was expected, and hurts no other file.

use std::fmt::Write;

use super::scene::{Files, SHOWDOWN, STOLEN, changed, replay};

/// What is changed in the stolen hand, into what, and what is said of it.
const STOLEN_CHANGED: &[(&str, &str, &str)] = &[
    ("'FR'", "'NT'", "line 1: variant is \"NT\"; expected 'FR' (fixed-limit Razz)"),
    ("variant = 'FR'\n", "", "line 1: variant is missing; expected 'FR' (fixed-limit Razz)"),
    ("bring_in = 2\n", "", "line 1: bring_in is missing; expected a whole amount"),
    ("antes = [1, 1]\n", "", "line 1: antes is missing; expected an array of whole amounts, one for each player"),
    ("= true", "= 1", "line 2: ante_trimming_status has 1; expected true or false"),
    ("[1, 1]", "[1, 2]", "line 3: antes has 1 for p1 and 2 for p2; expected the same ante from every player (R6)"),
    ("[1, 1]", "[1]", "line 3: antes has 1 amounts; expected 2, one a player"),
    ("= 2\n", "= 2.5\n", "line 4: bring_in has 2.5; expected a whole amount"),
    ("= 2\n", "= -2\n", "line 4: bring_in has -2; expected a whole amount"),
    ("= 2\n", "= nan\n", "line 4: bring_in has nan; expected a whole amount"),
    ("= 2\n", "= 10\n", "line 1: the service refuses this hand: "),
    ("big_bet = 20", "big_bet = 30", "line 6: big_bet has 30; expected 20, twice small_bet (R5)"),
    ("[100, 100]", "[100, 0]", "line 7: starting_stacks has 0 for p2; expected at least 1 for every player"),
    ("[100, 100]", "[100]", "line 7: starting_stacks has 1 players; expected 2 to 8 (R1)"),
    ("[2, 5]", "[2, 9]", "line 8: seats has 9; expected a seat from 1 to 8, each once"),
    ("[2, 5]", "[2, 2]", "line 8: seats has 2; expected a seat from 1 to 8, each once"),
    ("[2, 5]", "[2]", "line 8: seats has 1 seats; expected 2, one a player"),
    ("2c3d4h", "2c3x4h", "line 10: 'd dh p1 2c3x4h' has 3x; expected cards, each a rank of A23456789TJQK"),
    ("2c3d4h", "2c3d4", "line 10: 'd dh p1 2c3d4' has 4; expected cards"),
    ("5s6sKd", "5s2cKd", "line 11: 2c was already dealt on line 10; expected each card once"),
    ("d dh p2", "d dh p3", "line 11: 'd dh p3 5s6sKd' names p3; expected p1 to p2"),
    ("d dh p2", "d dh p0", "line 11: 'd dh p0 5s6sKd' names p0; expected p1 to p2"),
    (
        "5s6sKd",
        "5s6s",
        "line 12: 'p2 pb': p2 has not got all cards of third street yet; expected a card for every player",
    ),
    ("5s6sKd", "5s6sKdTd", "line 12: 'p2 pb': p1 has not got all cards of fourth street yet; "),
    ("'p2 pb'", "'p2 bets'", "line 12: 'p2 bets' is no action of fixed-limit Razz; expected d dh pN CARDS"),
    ("'p2 pb'", "7", "line 12: actions has 7; expected a text"),
    ("'p2 pb'", "'p1 pb'", "line 12: 'p1 pb' is not legal: the service waits for p2 (seat 5) on third street"),
    ("'p2 pb'", "'p2 cc'", "line 12: 'p2 cc' is not legal: "),
    ("cbr 10", "cbr 12", "line 13: 'p1 cbr 12' is not legal: "),
    ("cbr 10", "cbr ten", "line 13: 'p1 cbr ten' is no action of fixed-limit Razz; expected a whole amount after cbr"),
    ("'p2 f'", "'p2 f', 'p1 cc'", "line 14: 'p1 cc' is not legal: the hand is over"),
    ("'p2 f'", "'p2 f', 'd dh p1 As'", "line 14: 'd dh p1 As': all others have folded; expected no more cards (R23)"),
    (
        "'p2 f'",
        "'p2 f', 'd dh p2 As'",
        "line 14: 'd dh p2 As': p2 has folded; expected cards for players still in only",
    ),
    (
        "'p2 f'",
        "'p2 cc'",
        "line 14: 'the end of the actions': 2 players are still in after third street; expected folds",
    ),
    ("[103, 97]", "[103]", "line 15: finishing_stacks has 1 amounts; expected 2, one a player"),
    ("[103, 97]", "'all'", "line 15: finishing_stacks has \"all\"; expected an array of whole amounts"),
];

/// The same for the hand that comes to a showdown.
const SHOWDOWN_CHANGED: &[(&str, &str, &str)] = &[
    (
        "'d dh p1 4c', ",
        "",
        "line 13: 'p1 cc': p1 has not got all cards of fourth street yet; expected a card for every player still in",
    ),
    ("'p2 pb', 'p1 cc'", "'p2 pb'", "line 13: 'p1 cc' is not legal: the service waits for p1 (seat 1) on third street"),
    (
        "'d dh p1 Js', 'd dh p2 8d'",
        "'d db Js'",
        "line 17: 'd db Js': 40 cards are left for 2 players; expected a common",
    ),
    (
        "'d dh p2 8d'",
        "'d dh p2 8d', 'd dh p1 As'",
        "line 17: 'd dh p1 As': it comes after seventh street; expected seven",
    ),
    ("'p2 sm'", "'p2 sm ??'", "line 18: 'p2 sm ??' has an unknown card where it matters: "),
];

/// What is put at the end of the stolen hand.
const ADDED: &[(&str, &str)] = &[
    ("_rules = 'vegas'", "line 16: _rules has \"vegas\"; expected one of full_tilt, pokerstars, club, romanian, wsop"),
    ("_rake_amount = 1", "line 1: _rake_step is missing; expected a whole amount"),
    ("_rake_step = 20", "line 16: _rake_amount is missing; expected it beside the other fields of a rake"),
    ("_legal = 'p2: fold'", "line 16: _legal has \"p2: fold\"; expected an array of texts"),
    ("_show_order = [1]", "line 16: _show_order has [1]; expected a text"),
    ("_rake = ", "not TOML: "),
    ("variant = 'FR'", "not TOML: "),
];

#[test]
fn what_cannot_be_read_or_played_is_named() {
    let mut files = Files::new();
    let mut expected: Vec<String> = Vec::new();
    let stolen = STOLEN_CHANGED.iter().map(|(from, to, said)| (changed(STOLEN, from, to), said));
    let showdown = SHOWDOWN_CHANGED.iter().map(|(from, to, said)| (changed(SHOWDOWN, from, to), said));
    let added = ADDED.iter().map(|(line, said)| (format!("{STOLEN}{line}\n"), said));
    for (number, (text, said)) in (1..).zip(stolen.chain(showdown).chain(added)) {
        let name = format!("bad{number}.phh");
        files.add(&name, &text);
        // A file that is no TOML has no hands.
        let hand = if said.starts_with("not TOML") { "line 16: " } else { "hand 1: " };
        expected.push(format!("{name}: {hand}{said}"));
    }
    files.add("fine.phh", STOLEN);
    expected.push("fine.phh: hand 1: ok".to_owned());
    let run = replay(&files, &[]);
    let mut wrong = String::new();
    for (line, expected) in run.lines.iter().zip(&expected) {
        if !line.starts_with(expected.as_str()) {
            writeln!(wrong, "expected {expected}\n    said {line}").expect("a text can be written to");
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
    let bad = expected.len() - 1;
    assert_eq!(run.lines[expected.len()..], [format!("{} hands: 1 ok, {bad} unreadable", bad + 1)]);
    assert_eq!(run.code, 2);
}

#[test]
fn files_that_are_no_hands_are_named() {
    let mut files = Files::new();
    files.add_missing("none.phh");
    files.add("empty.phhs", "# nothing\n");
    files.add("flat.phhs", STOLEN);
    let run = replay(&files, &[]);
    assert!(run.lines[0].starts_with("none.phh: line 1: cannot be read: "), "{}", run.lines[0]);
    assert_eq!(run.lines[1], "empty.phhs: line 1: no hands; expected a table for each, as in [1]");
    assert_eq!(run.lines[2], "flat.phhs: line 1: variant is no hand; expected a table for each, as in [1]");
    assert_eq!(run.code, 2);
}

#[test]
fn a_wrong_command_line_is_refused() {
    let files = Files::new();
    assert_eq!(replay(&files, &[]).code, 2, "no file");
    assert_eq!(replay(&files, &["--rules", "vegas", "a.phh"]).code, 2, "no preset");
}
