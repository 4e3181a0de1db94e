//! The walls of the house: who may name whom, what may stand where, how long a file may be. Each rule is also tried on
//! a planted breach, so that a rule that has gone blind is noticed.

#[path = "tidy/planted.rs"]
mod planted;
#[path = "tidy/source.rs"]
mod source;

use std::fs;
use std::path::Path;

use source::Source;

/// The rooms of `src/`, and the rooms that each may name. The README shows the same table.
const WALLS: &[(&str, &[&str])] = &[
    ("engine", &[]),
    ("world", &[]),
    ("config", &[]),
    ("telemetry", &[]),
    ("pb", &[]),
    ("shuffle", &["engine"]),
    ("ledger", &["engine"]),
    ("sim", &["engine"]),
    ("keyfile", &["shuffle", "world"]),
    ("record", &["engine", "ledger", "pb"]),
    ("store", &["engine", "ledger", "record"]),
    ("dealer", &["engine", "shuffle", "ledger", "record", "store", "world"]),
    ("audit", &["engine", "shuffle", "ledger", "record", "store"]),
    ("grpc", &["engine", "shuffle", "ledger", "record", "dealer", "audit", "store", "pb"]),
    ("cli", ALL),
    ("main", ALL),
    ("lib", ALL),
];
const ALL: &[&str] = &["all"];

/// Words that may not stand in these rooms. A word is a whole identifier, or its start before `*`; `std::x` is that
/// module of the standard library, however it is named.
const BANS: &[(&[&str], &[&str])] = &[
    (
        &["engine", "shuffle", "ledger", "record", "sim"],
        &["tokio*", "async*", "await", "std::time", "std::fs", "std::net", "std::env", "HashMap", "HashSet", "serde*"],
    ),
    (&["engine"], &["f32", "f64"]),
    (&["grpc"], &["sqlite", "SqliteStore", "postgres", "PostgresStore"]),
];

/// Words that may stand in these rooms only.
const HOMES: &[(&[&str], &[&str])] = &[(&["grpc", "pb"], &["tonic*", "tower"]), (&["store"], &["sqlx*"])];

/// A text that begins with one of these, and goes on, is SQL.
const SQL: &[&str] = &[
    "SELECT", "INSERT", "UPDATE", "DELETE", "CREATE", "DROP", "ALTER", "PRAGMA", "BEGIN", "COMMIT", "ROLLBACK", "WITH",
    "ATTACH", "VACUUM",
];

/// What may stand at the top of the repository.
const TOP: &[&str] = &[
    "Cargo.toml",
    "Cargo.lock",
    "LICENSE-MIT",
    "LICENSE-APACHE",
    "CHANGELOG.md",
    "README.md",
    "proto",
    "src",
    "migrations",
    "deploy",
    "tests",
    ".clippy.toml",
    ".rustfmt.toml",
    ".cargo",
    ".ci",
    ".gitignore",
];

/// The lint that keeps clocks and randomness in the world; put together, so that this file does not name it.
const WORLD_LINT: &str = concat!("disallowed", "_methods");

/// Folders that only some machine has.
const MACHINE: &[&str] = &[concat!("/ho", "me/"), concat!("/ro", "ot/"), concat!("/tm", "p/"), concat!("/wo", "rk/")];

const FILE_LINES: usize = 400;
const MAIN_LINES: usize = 60;
const LINE_CHARS: usize = 120;

/// The room of a file in `src/`, and how deep in modules the file is.
fn room(path: &str) -> Option<(&str, usize)> {
    let inner = path.strip_prefix("src/")?.strip_suffix(".rs")?;
    let inner = inner.strip_suffix("/mod").unwrap_or(inner);
    let depth = if ["lib", "main"].contains(&inner) { 0 } else { inner.split('/').count() };
    Some((inner.split('/').next()?, depth))
}

/// All that a source file of a room does against the walls.
fn wall_breaches(path: &str, text: &str) -> Vec<(usize, String)> {
    let Some((room, depth)) = room(path) else { return Vec::new() };
    let Some((_, may)) = WALLS.iter().find(|(name, _)| *name == room) else {
        return vec![(1, format!("{room} is a room that the table of walls does not have"))];
    };
    let source = Source::read(text);
    let mut breaches = Vec::new();
    if *may != ALL {
        let foreign = source.rooms_named(depth).into_iter().filter(|(_, named)| *named != room && !may.contains(named));
        breaches.extend(foreign.map(|(line, named)| (line, format!("{room} may not name {named}"))));
    }
    if let (true, Some(at)) = (room == "engine", text.lines().position(|line| line.contains("crate::"))) {
        breaches.push((at + 1, "paths inside the engine begin with super::".to_owned()));
    }
    let banned = BANS.iter().filter(|(rooms, _)| rooms.contains(&room));
    let homeless = HOMES.iter().filter(|(rooms, _)| !rooms.contains(&room));
    for word in banned.chain(homeless).flat_map(|(_, words)| *words) {
        breaches.extend(source.uses(word).map(|line| (line, format!("{word} may not stand in {room}"))));
    }
    for (line, text) in source.texts.iter().filter(|_| room != "store") {
        let mut words = text.split_whitespace();
        if words.next().is_some_and(|word| SQL.contains(&word)) && words.next().is_some() {
            breaches.push((*line, "SQL stands in the store only".to_owned()));
        }
    }
    breaches
}

/// All that any file does against the rules of size and place.
fn size_breaches(path: &str, text: &str) -> Vec<(usize, String)> {
    let mut breaches = Vec::new();
    let lines = text.lines().count();
    let limit = if path == "src/main.rs" { MAIN_LINES } else { FILE_LINES };
    let kind = Path::new(path).extension().and_then(|kind| kind.to_str()).unwrap_or("script");
    if ["rs", "proto", "sql", "hand", "script"].contains(&kind) && lines > limit {
        breaches.push((lines, format!("{lines} lines, at most {limit} are allowed")));
    }
    for (number, line) in (1..).zip(text.lines()) {
        let length = line.chars().count();
        if !["lock", "md"].contains(&kind) && length > LINE_CHARS {
            breaches.push((number, format!("{length} characters, at most {LINE_CHARS} are allowed")));
        }
        if kind == "rs" && path != "src/world.rs" && line.contains(WORLD_LINT) {
            breaches.push((number, "only src/world.rs may read a clock or draw at random".to_owned()));
        }
        for folder in MACHINE {
            // In the middle of a path it is some other folder.
            let inside = |before: &str| before.ends_with(|c: char| c.is_alphanumeric() || "._-})".contains(c));
            if line.match_indices(folder).any(|(at, _)| !inside(&line[..at])) {
                breaches.push((number, format!("{folder} is a folder of somebody's machine")));
            }
        }
    }
    breaches
}

fn breaches(path: &str, text: &str) -> Vec<String> {
    let all = wall_breaches(path, text).into_iter().chain(size_breaches(path, text));
    all.map(|(line, what)| format!("{path}:{line}: {what}")).collect()
}

/// The walls as the README shows them.
fn walls_in_markdown() -> String {
    let mut table = "| room | may name |\n| --- | --- |\n".to_owned();
    for (room, may) in WALLS {
        let names: Vec<String> = may.iter().map(|name| format!("`{name}`")).collect();
        let names = if *may == ALL { "all".to_owned() } else { names.join(", ") };
        table += &["| `", room, "` | ", if names.is_empty() { "nobody" } else { &names }, " |\n"].concat();
    }
    table
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// What git keeps out too: build output and the traces of a run.
fn is_by_product(name: &str) -> bool {
    [".git", "target"].contains(&name)
        || name.starts_with("razz-dealer.db")
        || name.starts_with("mutants.out")
        || name.ends_with(".rs.bk")
}

fn names_in(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("the folder can be listed");
    let name = |entry: std::io::Result<fs::DirEntry>| entry.expect("is listed").file_name().into_string();
    let mut names: Vec<String> = entries.map(|entry| name(entry).expect("a name in UTF-8")).collect();
    names.retain(|name| !is_by_product(name));
    names.sort();
    names
}

/// Every text file of the repository: its path from the root, and its text.
fn files(folder: &str, found: &mut Vec<(String, String)>) {
    for name in names_in(&root().join(folder)) {
        let path = if folder.is_empty() { name } else { format!("{folder}/{name}") };
        if root().join(&path).is_dir() {
            files(&path, found);
        } else if let Ok(text) = fs::read_to_string(root().join(&path)) {
            found.push((path, text));
        }
    }
}

#[test]
fn the_walls_stand() {
    let mut found = Vec::new();
    files("", &mut found);
    let mut all: Vec<String> = found.iter().flat_map(|(path, text)| breaches(path, text)).collect();
    for (name, _) in WALLS {
        if !found.iter().any(|(path, _)| room(path).is_some_and(|(room, _)| room == *name)) {
            all.push(format!("tests/tidy.rs: the room {name} of the table is not in src"));
        }
    }
    assert!(all.is_empty(), "\n{}\n", all.join("\n"));
}

#[test]
fn the_top_level_holds_nothing_else() {
    let strangers: Vec<String> = names_in(root()).into_iter().filter(|name| !TOP.contains(&name.as_str())).collect();
    assert!(strangers.is_empty(), "these do not belong at the top level: {strangers:?}");
}

#[test]
fn the_readme_shows_the_walls() {
    let readme = fs::read_to_string(root().join("README.md")).unwrap_or_default();
    let shown = readme.split_once("<!-- walls -->").and_then(|(_, rest)| rest.split_once("<!-- /walls -->"));
    let expected = walls_in_markdown();
    let shown = shown.map(|(table, _)| table.trim());
    assert!(
        shown == Some(expected.trim()),
        "README.md must hold, between <!-- walls --> and <!-- /walls -->:\n\n{expected}"
    );
}
