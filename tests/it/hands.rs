//! The scripted hands of `tests/hands`: one hand each, told so that it reads aloud, with the rules that it proves in
//! its header. They are played by the engine alone; every number in them was worked out by hand from the rulebook.
//!
//! One statement stands on a line. A line that begins with `#` is for the reader; the first one is the header,
//! `# R19 R21: what the hand proves`, and one line `# By hand: ...` holds the arithmetic.
//!
//! The settings from the next hand on:
//! - `rules PRESET`, `rule FIELD VALUE`, `stakes ante 1 bring-in 2 small-bet 10` (what is left out is the preset's
//!   share), `rake 1 per 20 cap 3 for 2 none-on-third`, `auto-settle`;
//! - `flip FIELD VALUE VALUE...`: the whole script is played once under each value of that rule;
//!   `flip shares PRESET...` does so for the preset that gives omitted stakes;
//! - `under VALUE: STATEMENT` holds in the run of that value only.
//!
//! What is asked of the table and its hand:
//! - `seat 1 stack 100 player bob cards Ac 2c 7c`: sits down, as `p1` where no player is named. Cards stand in the
//!   order in which the seat gets them, `??` for any; a card that nobody stated is the highest that is free.
//!   `cards 1 Ac 2c`, `common 4c`: states cards anew. `add-chips 1 50`, `leave 1`, `sit-out 1`, `sit-in 1`, `close`;
//! - `deal`, `settle`, `settle hand 1`, `void "reason"`: of the latest hand unless a number is given;
//! - `3: raise 26 all-in`, `1 2 3: check`: `all-in` is said if and only if it is one; `check-down`: as long as the
//!   player to act may check; `time-out 3 -> fold`: the time of seat 3 is up, and so it folds;
//! - `refused STATEMENT -> Variant { data }`, and then maybe `says "message"`.
//!
//! How things stand, `none` for nobody:
//! - `legal 3: fold, call 2, complete 10`, `turn 3`, `street fourth`, `board 1: 7c 3c`, `common-card 4c`,
//!   `cards-dealt 9`, `pots 48 [1 2 3] 14 [1 3]`, `shown 1 2`, `mucked 3`, `words 1 "..."`, `outcome settled`;
//! - `dealt 1 2 3 common`, `anted 1 5`, `returned 3 10`: all that the latest order brought about of that kind;
//!   `no-event`: it brought about nothing, as all was so already;
//! - `award main 48 rake 2: 2 gets 24, 3 gets 22`, `award side 1 14: 1 gets 14`: the next award; all of a hand or none;
//! - `raked 2`, `stacks 1 91 2 48` (all, in front), `plays-at ante 1 bring-in 2 bets 10 20` (the next hand),
//!   `sees 2 of 3: 4h 6h Qh` (down cards of seat 3; also `public`, `platform`, `stranger`; or `nothing`);
//! - `still-open`: the script ends with its hand open; else that is an error.
//!
//! After every event the chips are counted, and no card may come twice or out of the order of the deck.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use razz_dealer::engine::Preset;

mod ending;
mod expect;
mod order;
mod refusal;
mod rules;
mod scene;
mod script;
mod stock;
mod watch;
mod words;

use script::{Played, Script};

fn all_scripts() -> Vec<Script> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/hands");
    let entries = std::fs::read_dir(&folder).expect("tests/hands is there");
    let mut paths: Vec<_> = entries.map(|entry| entry.expect("its entries can be read").path()).collect();
    paths.sort();
    let read = |path: &Path| {
        let name = path.file_name().expect("a file has a name").to_string_lossy().into_owned();
        let text = std::fs::read_to_string(path).expect("a script can be read");
        Script::read(&name, &text).unwrap_or_else(|problem| panic!("{problem}"))
    };
    let scripts = paths.iter().filter(|path| path.extension().is_some_and(|end| end == "hand"));
    scripts.map(|path| read(path)).collect()
}

fn played() -> Vec<(Script, Vec<Played>)> {
    let with_runs = |script: Script| {
        let runs = script.play().unwrap_or_else(|problem| panic!("{problem}"));
        (script, runs)
    };
    all_scripts().into_iter().map(with_runs).collect()
}

#[test]
fn every_script_ends_as_written() {
    let scripts = all_scripts();
    let problems: Vec<String> = scripts.iter().filter_map(|script| script.play().err()).collect();
    let (wrong, all) = (problems.len(), scripts.len());
    assert!(problems.is_empty(), "{wrong} of {all} scripts fail:\n{}", problems.join("\n"));
}

#[test]
fn every_rule_has_a_script() {
    let named: BTreeSet<u8> = all_scripts().into_iter().flat_map(|script| script.rules).collect();
    let missing: Vec<u8> = (1..=39).chain([41]).filter(|rule| !named.contains(rule)).collect();
    assert!(missing.is_empty(), "no script has these rules in its header: {missing:?}");
}

#[test]
fn every_rejection_is_met_in_a_script() {
    let runs = played().into_iter().flat_map(|(_, runs)| runs);
    let met: BTreeSet<&str> = runs.flat_map(|run| run.refusals).collect();
    let missing: Vec<_> = refusal::ALL.iter().filter(|name| !met.contains(*name)).collect();
    assert!(missing.is_empty(), "no script meets these refusals: {missing:?}");
}

/// Section 9: wherever two presets differ, some hand ends otherwise under the one value than under the other.
#[test]
fn every_disputed_rule_makes_a_hand_end_otherwise() {
    let mut wanted: BTreeSet<(String, String, String)> = BTreeSet::new();
    let mut values: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    for preset in Preset::ALL {
        for (field, value) in rules::fields(&preset.rules()) {
            values.entry(field).or_default().insert(value);
        }
        // The shares of ante and bring-in, which are stakes and no field of the rules.
        if preset.ante_divisor().is_some() {
            values.entry("shares").or_default().insert(preset.name().to_owned());
        }
    }
    for (field, values) in values {
        for (a, b) in pairs(&values.into_iter().collect::<Vec<_>>()) {
            wanted.insert((field.to_owned(), a, b));
        }
    }
    assert!(wanted.len() > 10, "the presets of section 9 differ in more points: {wanted:?}");
    for (script, runs) in played() {
        let Some(field) = &script.flip else { continue };
        let others = pairs(&runs).into_iter().filter(|(a, b)| a.ending != b.ending);
        let told: Vec<_> = others.map(|(a, b)| (a.value.clone().min(b.value.clone()), a.value.max(b.value))).collect();
        assert!(!told.is_empty(), "{} ends alike under every value of {field}", script.name);
        for (low, high) in told {
            wanted.remove(&(field.clone(), low, high));
        }
    }
    assert!(wanted.is_empty(), "no script ends otherwise under these values: {wanted:?}");
}

/// Section 9 of the rulebook: the presets in order, and what each field is in them.
const PRESETS: [&str; 5] = ["full_tilt", "pokerstars", "club", "romanian", "wsop"];
const FIELDS: [(&str, [&str; 5]); 11] = [
    ("bring_in_suit_order", ["spades_highest", "spades_highest", "spades_highest", "clubs_highest", "spades_highest"]),
    ("bring_in_may_fold", ["no", "no", "yes", "no", "no"]),
    ("fold_without_bet", ["no", "yes", "yes", "yes", "yes"]),
    ("max_raises", ["3", "3", "3", "3", "4"]),
    ("heads_up_cap", ["capped", "capped", "capped", "capped", "uncapped_heads_up"]),
    (
        "first_to_show",
        [
            "last_aggressor",
            "seventh_else_lowest_seat",
            "seventh_else_lowest_seat",
            "seat_order",
            "seventh_else_lowest_board",
        ],
    ),
    ("losing_hands", ["may_muck", "may_muck", "may_muck", "all_shown", "may_muck"]),
    ("table_all_in_hands", ["yes", "no", "no", "yes", "yes"]),
    (
        "mucked_hands_in_history",
        // Where all are shown there is none to be seen; the rulebook names no value, and the engine has the base's.
        [
            "players_of_the_hand",
            "players_of_the_hand",
            "owner_and_auditors",
            "players_of_the_hand",
            "owner_and_auditors",
        ],
    ),
    ("odd_chip", ["left_of_button", "left_of_button", "left_of_button", "left_of_button", "high_card_by_suit"]),
    ("rake", ["None", "None", "None", "None", "None"]),
];

#[test]
fn every_preset_is_as_section_9_has_it() {
    assert_eq!(PRESETS, Preset::ALL.map(Preset::name));
    for (index, preset) in Preset::ALL.into_iter().enumerate() {
        let wanted: Vec<_> = FIELDS.iter().map(|(field, values)| (*field, values[index].to_owned())).collect();
        assert_eq!(rules::fields(&preset.rules()), wanted, "{}", preset.name());
        assert_eq!(Preset::named(preset.name()), Some(preset));
    }
    assert_eq!(Preset::ALL.map(Preset::ante_divisor), [Some(5), Some(10), None, Some(3), None]);
    assert_eq!(Preset::ALL.map(Preset::bring_in_divisor), [Some(4), None, None, Some(3), None]);
}

fn pairs<T: Clone>(items: &[T]) -> Vec<(T, T)> {
    let with_later = |(index, item): (usize, &T)| {
        let item = item.clone();
        items.iter().skip(index + 1).map(move |other| (item.clone(), other.clone())).collect::<Vec<_>>()
    };
    items.iter().enumerate().flat_map(with_later).collect()
}

const OPENING: &str = "# R12: a sample\n# By hand: nothing\nseat 1 stack 9\nseat 2 stack 9 cards ?? ?? Kd\ndeal\n";

/// What is wrong with a script is found, and said with file and line.
#[test]
fn a_wrong_script_is_refused_by_line() {
    let samples = [
        ("raise the roof", "sample:6: `raise` is no statement"),
        ("legal 2: bring_in 3, complete 8 all-in", "sample:6: the script says 2: bring_in 3"),
        ("stacks 1 9 2 9", "sample:6: the script says [(seat 1, 9), (seat 2, 9)]; it is [(seat 1, 8), (seat 2, 8)]"),
        ("1: call", "sample:6: refused: it is the turn of seat 2"),
        ("2: complete 8", "sample:6: the action is done, but it is all-in"),
        ("2: bring_in 2 all-in", "sample:6: the action is done, but it is not all-in"),
        ("refused 2: bring_in -> OutOfTurn { expected: 1 }", "sample:6: `2: bring_in` is accepted"),
        ("refused 1: call -> OutOfTurn { expected: 1 }", "sample:6: refused as OutOfTurn { expected: 2 }"),
        ("cards 1 Kd", "sample:6: Kd is stated twice"),
        ("turn 2", "sample:7: the script ends, and hand 1 is open"),
        ("2: bring_in\n1: fold\naward main 2: 2 gets 2", "sample:9: the script ends, and hand 1 is open"),
        ("2: bring_in\n1: fold\nsettle\naward main 2: 2 gets 1", "sample:9: the script says"),
        ("2: bring_in\n1: fold\nsettle\nstill-open", "sample:10: the script ends, and hand 1 is not open"),
        ("time-out 2 -> fold", "sample:6: the dealer did"),
        ("under no: deal", "sample:6: `under` needs a `flip` line"),
    ];
    for (lines, problem) in samples {
        let script = Script::read("sample", &format!("{OPENING}{lines}\n")).expect("it can be read");
        let found = script.play().map(|_| ()).expect_err(lines);
        assert!(found.starts_with(problem), "`{lines}` is refused as {found}");
    }
}

#[test]
fn a_script_names_its_rules_and_its_arithmetic() {
    assert!(Script::read("sample", "deal\n").is_err_and(|problem| problem.starts_with("sample:1: the header")));
    assert!(Script::read("sample", "# R12: a\ndeal\n").is_err_and(|problem| problem.contains("By hand")));
    let script = Script::read("sample", "# R12 R41: a\n# By hand: b\n").expect("it can be read");
    assert_eq!(script.rules, [12, 41]);
}
