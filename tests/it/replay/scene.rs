//! Files for a replay, and the replay of them.

use std::fs;
use std::process::Command;

use tempfile::TempDir;

/// The second player brings in with the king and folds to the completion: 1 + 1 + 2 + 2 to the first.
pub const STOLEN: &str = "\
variant = 'FR'
ante_trimming_status = true
antes = [1, 1]
bring_in = 2
small_bet = 10
big_bet = 20
starting_stacks = [100, 100]
seats = [2, 5]
actions = [
  'd dh p1 2c3d4h',
  'd dh p2 5s6sKd',
  'p2 pb', # the king
  'p1 cbr 10 # to the small bet',
  'p2 f' ]
finishing_stacks = [103, 97]
";

/// Checked to the end: the wheel takes 1 + 1 + 2 + 2.
pub const SHOWDOWN: &str = "\
variant = 'FR'
antes = [1.0, 1]
bring_in = 2
small_bet = 10
big_bet = 20.0
starting_stacks = [100, 100]
author = 'nobody'

actions = [
  'd dh p1 Ac2c3c',
  'd dh p2 9h9sKd',
  'p2 pb', 'p1 cc',
  'd dh p1 4c', 'd dh p2 Qd', 'p1 cc', 'p2 cc',
  'd dh p1 5d', 'd dh p2 Jd', 'p1 cc', 'p2 cc',
  '# nothing happens',
  'd dh p1 Tc', 'd dh p2 Td', 'p1 cc', 'p2 cc',
  'd dh p1 Js', 'd dh p2 8d', 'p1 cc', 'p2 cc',
  'p1 sm Ac2c3c4c5dTcJs', 'p2 sm' ]
finishing_stacks = [103, 97]
";

/// A text with one part changed, which must be there exactly once.
pub fn changed(text: &str, from: &str, to: &str) -> String {
    assert_eq!(text.matches(from).count(), 1, "{from:?} in\n{text}");
    text.replace(from, to)
}

/// A folder with files in it.
pub struct Files {
    folder: TempDir,
    names: Vec<String>,
}

impl Files {
    pub fn new() -> Files {
        Files { folder: tempfile::tempdir().expect("a folder"), names: Vec::new() }
    }

    pub fn add(&mut self, name: &str, text: &str) {
        fs::write(self.folder.path().join(name), text).expect("the file is written");
        self.names.push(name.to_owned());
    }

    /// A file that is named, but is not there.
    pub fn add_missing(&mut self, name: &str) {
        self.names.push(name.to_owned());
    }
}

/// What a replay said, and its exit code.
pub struct Run {
    pub lines: Vec<String>,
    pub code: i32,
}

/// Replays all files in the order in which they were added.
pub fn replay(files: &Files, options: &[&str]) -> Run {
    let mut command = Command::new(env!("CARGO_BIN_EXE_razz-dealer"));
    let output = command.arg("replay").args(options).args(&files.names).current_dir(files.folder.path()).output();
    let output = output.expect("the command runs");
    let said = String::from_utf8(output.stdout).expect("text");
    let errors = String::from_utf8_lossy(&output.stderr);
    let code = output.status.code().expect("it ended by itself");
    assert!(!errors.contains("panicked"), "{errors}");
    Run { lines: said.lines().map(str::to_owned).collect(), code }
}

/// All-in on third street, so both hands are laid open before the cards go on (R41).
pub const TABLED: &str = "\
variant = 'FR'
antes = [1, 1]
bring_in = 2
small_bet = 10
big_bet = 20
starting_stacks = [3, 100]
_rules = 'wsop'
actions = [
  'd dh p1 Ac2c3c', 'd dh p2 9h9sKd', 'p2 pb', 'p1 cc',
  'p1 sm Ac2c3c', 'p2 sm 9h9sKd',
  'd dh p1 4c', 'd dh p2 Qd', 'd dh p1 5d', 'd dh p2 Jd', 'd dh p1 Tc', 'd dh p2 Td', 'd dh p1 Js', 'd dh p2 8d' ]
finishing_stacks = [6, 97]
_show_order = 'p1 p2'
";

/// Eight players check to the end; `seventh` deals the last street. The first has the wheel on sixth street.
pub fn eight_players(seventh: &str) -> String {
    let first = ["5c", "6c", "Ac", "2c", "3c", "4c"];
    let king = "Ks";
    let names = "A23456789TJQK".chars().flat_map(|rank| "cdhs".chars().map(move |suit| format!("{rank}{suit}")));
    // The last four cards are left for seventh street.
    let others = names.filter(|card| !first.contains(&card.as_str()) && card != king);
    let mut others = others.filter(|card| !["Qc", "Qd", "Qh", "Qs"].contains(&card.as_str()));
    let mut actions = Vec::new();
    for street in 0..4 {
        for player in 1..=8 {
            let mut cards = |number: usize| others.by_ref().take(number).collect::<String>();
            let cards = match (street, player) {
                (0, 1) => first[..3].concat(),
                (_, 1) => first[street + 2].to_owned(),
                (0, 8) => cards(2) + king,
                (0, _) => cards(3),
                _ => cards(1),
            };
            actions.push(format!("d dh p{player} {cards}"));
        }
        actions.extend((street == 0).then(|| "p8 pb".to_owned()));
        actions.extend((1..=if street == 0 { 7 } else { 8 }).map(|player| format!("p{player} cc")));
    }
    actions.push(seventh.to_owned());
    actions.extend((1..=8).map(|player| format!("p{player} cc")));
    format!(
        "variant = 'FR'\nantes = {:?}\nbring_in = 2\nsmall_bet = 10\nbig_bet = 20\nstarting_stacks = {:?}\n\
         actions = {actions:?}\nfinishing_stacks = {:?}\n",
        [1; 8],
        [100; 8],
        [121, 97, 97, 97, 97, 97, 97, 97]
    )
}
