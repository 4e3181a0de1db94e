//! `razz-dealer replay`, run as a player of files would run it: what is said of good hands, of hands that end
//! otherwise, and of files that cannot be read.

mod bad;
mod scene;

use scene::{Files, SHOWDOWN, STOLEN, TABLED, changed, eight_players, replay};

#[test]
fn hands_that_end_as_recorded_are_ok() {
    let mut files = Files::new();
    files.add("stolen.phh", STOLEN);
    files.add("showdown.phh", SHOWDOWN);
    let run = replay(&files, &[]);
    assert_eq!(run.lines, ["stolen.phh: hand 1: ok", "showdown.phh: hand 1: ok", "2 hands: 2 ok"]);
    assert_eq!(run.code, 0);
}

#[test]
fn seats_need_not_be_in_the_order_of_the_file() {
    let mut files = Files::new();
    // The second player sits first, so is dealt to first and shows first (R9, R29).
    let silent = changed(SHOWDOWN, ",\n  'p1 sm Ac2c3c4c5dTcJs', 'p2 sm'", "");
    files.add("across.phh", &format!("{silent}seats = [6, 3]\n_show_order = 'p2 p1'\n"));
    let run = replay(&files, &[]);
    assert_eq!((run.lines[0].as_str(), run.code), ("across.phh: hand 1: ok", 0));
}

#[test]
fn eight_players_share_a_common_card() {
    let mut files = Files::new();
    files.add("common.phh", &eight_players("d db Qh"));
    // It is not seen, and the hand comes to a showdown.
    files.add("unseen.phh", &eight_players("d db ??"));
    files.add("own.phh", &eight_players("d dh p1 Qh"));
    let run = replay(&files, &[]);
    assert_eq!(run.lines[0], "common.phh: hand 1: ok");
    assert!(run.lines[1].contains("'d db ??' has an unknown card where it matters"), "{}", run.lines[1]);
    let own = "'d dh p1 Qh': 4 cards are left for 8 players; expected one common card, d db CARD (R27)";
    assert!(run.lines[2].ends_with(own), "{}", run.lines[2]);
    assert_eq!(run.code, 2);
}

#[test]
fn hands_tabled_early_show_what_was_held_then() {
    let mut files = Files::new();
    files.add("tabled.phh", TABLED);
    files.add("other.phh", &changed(TABLED, "'p1 sm Ac2c3c'", "'p1 sm Ac2c4c'"));
    files.add("late.phh", &changed(TABLED, "_rules = 'wsop'\n", ""));
    let run = replay(&files, &[]);
    let expected = [
        "tabled.phh: hand 1: ok",
        "other.phh: hand 1: seat 1 shows Ac2c3c, the file says Ac2c4c (line 10)",
        // PokerStars lays open at the end only; the hands are the same.
        "late.phh: hand 1: ok",
        "3 hands: 2 ok, 1 different",
    ];
    assert_eq!(run.lines, expected);
}

#[test]
fn one_chip_is_found_and_named() {
    let mut files = Files::new();
    // The second player sits in seat 5.
    files.add("more.phh", &changed(STOLEN, "[103, 97]", "[102, 97]"));
    files.add("less.phh", &changed(STOLEN, "[103, 97]", "[103, 98.0]"));
    files.add("fine.phh", STOLEN);
    let run = replay(&files, &[]);
    let expected = [
        "more.phh: hand 1: seat 2 ends with 103, the file says 102 (1 more)",
        "less.phh: hand 1: seat 5 ends with 97, the file says 98 (1 less)",
        "fine.phh: hand 1: ok",
        "3 hands: 1 ok, 2 different",
    ];
    assert_eq!(run.lines, expected);
    assert_eq!(run.code, 1);
}

#[test]
fn without_finishing_stacks_nothing_is_compared_and_that_is_said() {
    let mut files = Files::new();
    files.add("open.phh", &changed(STOLEN, "finishing_stacks = [103, 97]\n", ""));
    let run = replay(&files, &[]);
    let said = "open.phh: hand 1: ok (no finishing_stacks, so no stacks were compared)";
    assert_eq!((run.lines[0].as_str(), run.code), (said, 0));
}

#[test]
fn unknown_cards_are_allowed_where_they_decide_nothing() {
    let mut files = Files::new();
    files.add("both.phh", &changed(&changed(STOLEN, "2c3d4h", "????4h"), "5s6sKd", "5s??Kd"));
    // Shown later, so known: and the hand is compared like any other.
    let shown = changed(SHOWDOWN, "'p2 sm'", "'p2 sm 9h9sKdQdJdTd8d'");
    files.add("learned.phh", &changed(&shown, "9h9sKd'", "????Kd'"));
    files.add("door.phh", &changed(STOLEN, "2c3d4h", "2c3d??"));
    files.add("showdown.phh", &changed(SHOWDOWN, "9h9sKd'", "9h??Kd'"));
    files.add("seventh.phh", &changed(SHOWDOWN, "'d dh p2 8d'", "'d dh p2 ??'"));
    let run = replay(&files, &[]);
    assert_eq!(run.lines[..2], ["both.phh: hand 1: ok", "learned.phh: hand 1: ok"]);
    let door = "door.phh: hand 1: line 10: 'd dh p1 2c3d??' has an unknown card where it matters: an up card decides";
    assert!(run.lines[2].starts_with(door), "{}", run.lines[2]);
    for (line, place) in [(3, "showdown.phh: hand 1: line 11: "), (4, "seventh.phh: hand 1: line 17: ")] {
        assert!(run.lines[line].starts_with(place), "{}", run.lines[line]);
        assert!(
            run.lines[line].contains("the hand comes to the showdown; expected a known card"),
            "{}",
            run.lines[line]
        );
    }
    assert_eq!(run.lines[5], "5 hands: 2 ok, 3 unreadable");
    assert_eq!(run.code, 2);
}

#[test]
fn a_phhs_file_has_a_hand_in_each_table() {
    let mut files = Files::new();
    let second = changed(SHOWDOWN, "[103, 97]", "[97, 103]");
    files.add("night.phhs", &format!("[1]\n{STOLEN}\n[2]\n{second}\n[3]\n{}", changed(STOLEN, "5s6sKd", "5s6s4h")));
    let run = replay(&files, &[]);
    let expected = [
        "night.phhs: hand 1: ok",
        "night.phhs: hand 2: seat 1 ends with 103, the file says 97 (6 more)",
        // Two hands and their heads stand before it.
        "night.phhs: hand 3: line 50: 4h was already dealt on line 49; expected each card once",
        "3 hands: 1 ok, 1 different, 1 unreadable",
    ];
    assert_eq!(run.lines, expected);
    assert_eq!(run.code, 2);
}

#[test]
fn json_is_an_object_for_each_hand() {
    let mut files = Files::new();
    files.add("fine.phh", STOLEN);
    files.add("more.phh", &changed(STOLEN, "[103, 97]", "[102, 97]"));
    files.add("bad.phh", "variant = ");
    let run = replay(&files, &["--json"]);
    let said: Vec<serde_json::Value> =
        run.lines.iter().map(|line| serde_json::from_str(line).expect("a line of JSON")).collect();
    let seats = serde_json::json!([{ "seat": 2, "stack": 103 }, { "seat": 5, "stack": 97 }]);
    let fine = serde_json::json!({
        "file": "fine.phh", "hand": 1, "ok": true, "difference": null, "error": null, "seats": seats
    });
    assert_eq!(said[0], fine);
    assert_eq!((&said[1]["ok"], &said[1]["seats"]), (&serde_json::json!(false), &seats));
    assert_eq!(said[1]["difference"], "seat 2 ends with 103, the file says 102 (1 more)");
    assert_eq!((&said[2]["ok"], &said[2]["hand"]), (&serde_json::json!(false), &serde_json::Value::Null));
    let error = said[2]["error"].as_str().unwrap_or_default();
    assert!(error.starts_with("bad.phh: line 1: not TOML: "), "{error}");
    assert_eq!((said.len(), run.code), (3, 2));
}

#[test]
fn offers_and_the_showdown_are_compared() {
    let legal =
        "_legal = ['p2: bring_in 2, complete 10', 'p1: fold, call 2, complete 10', 'p2: fold, call 10, raise 20']\n";
    let right = format!("{STOLEN}{legal}_show_order = ''\n");
    let mut files = Files::new();
    files.add("right.phh", &right);
    files.add("offer.phh", &changed(&right, "complete 10', 'p2", "complete 20', 'p2"));
    files.add("few.phh", &changed(&right, ", 'p2: fold, call 10, raise 20'", ""));
    files.add("many.phh", &changed(&right, "raise 20']", "raise 20', 'p1: show, muck']"));
    files.add("order.phh", &format!("{SHOWDOWN}_show_order = 'p2 p1'\n"));
    files.add("cards.phh", &changed(SHOWDOWN, "Ac2c3c4c5dTcJs'", "Ac2c3c4c5dTcJh'"));
    files.add("part.phh", &changed(SHOWDOWN, "'p1 sm Ac2c3c4c5dTcJs'", "'p1 sm Ac2c3c'"));
    files.add("mucked.phh", &changed(SHOWDOWN, "'p1 sm Ac2c3c4c5dTcJs'", "'p1 sm'"));
    let run = replay(&files, &[]);
    let expected = [
        "right.phh: hand 1: ok",
        "offer.phh: hand 1: the service offers 'p1: fold, call 2, complete 10', the file says 'p1: fold, call 2, \
         complete 20' (line 16)",
        "few.phh: hand 1: the service offers 'p2: fold, call 10, raise 20', _legal says nothing more after 2 decisions",
        "many.phh: hand 1: the service asks nobody after 3 decisions, the file says 'p1: show, muck' (line 16)",
        "order.phh: hand 1: the order of showing and mucking is p1 p2, the file says p2 p1",
        "cards.phh: hand 1: seat 1 shows Ac2c3c4c5dTcJs, the file says Ac2c3c4c5dTcJh (line 18)",
        "part.phh: hand 1: seat 1 shows Ac2c3c4c5dTcJs, the file says Ac2c3c (line 18)",
        "mucked.phh: hand 1: seat 1 is shown, the file says mucked (line 18)",
        "8 hands: 1 ok, 7 different",
    ];
    assert_eq!(run.lines, expected);
    assert_eq!(run.code, 1);
}

#[test]
fn the_losing_hand_is_shown_where_the_file_says_so() {
    let shown = changed(SHOWDOWN, "'p2 sm'", "'p2 sm 9h9sKdQdJdTd8d'");
    let mut files = Files::new();
    files.add("shown.phh", &shown);
    files.add("silent.phh", &changed(&shown, ", 'p2 sm 9h9sKdQdJdTd8d'", ""));
    assert_eq!(replay(&files, &[]).lines.last().map(String::as_str), Some("2 hands: 2 ok"));
    // Every hand is shown in the Romanian game, so there is nothing to muck.
    files.add("mucked.phh", SHOWDOWN);
    files.add("own.phh", &format!("{SHOWDOWN}_rules = 'pokerstars'\n"));
    let run = replay(&files, &["--rules", "romanian"]);
    assert_eq!(run.lines[2], "mucked.phh: hand 1: seat 2 is shown, the file says mucked (line 18)");
    assert_eq!(run.lines[4], "4 hands: 3 ok, 1 different");
}

#[test]
fn the_rake_is_taken_and_compared() {
    let raked = changed(SHOWDOWN, "[103, 97]", "[101, 97]") + "_rake_amount = 1\n_rake_step = 3\n_rake = 2\n";
    let mut files = Files::new();
    files.add("raked.phh", &raked);
    files.add("other.phh", &changed(&raked, "_rake = 2", "_rake = 3"));
    files.add("capped.phh", &format!("{raked}_rake_cap = 1\n"));
    let run = replay(&files, &[]);
    let expected = [
        "raked.phh: hand 1: ok",
        "other.phh: hand 1: the rake is 2, the file says 3 (1 less)",
        "capped.phh: hand 1: seat 1 ends with 102, the file says 101 (1 more)",
        "3 hands: 1 ok, 2 different",
    ];
    assert_eq!(run.lines, expected);
}
