//! A planted breach of every rule is found, and what only looks like one is let alone.

use super::{MACHINE, WORLD_LINT, breaches};

fn found(path: &str, text: &str, what: &str) {
    let all = breaches(path, text);
    assert!(all.iter().any(|breach| breach.contains(what)), "{path}: {text}\nnot found: {what}, but {all:?}");
}

#[test]
fn a_room_that_names_another_is_found() {
    let plants = [
        (
            "src/ledger.rs",
            "use crate::engine::Hand;\nuse crate::store::Store;",
            "src/ledger.rs:2: ledger may not name store",
        ),
        (
            "src/store/sqlite.rs",
            "use crate::{\n    ledger::Account,\n    grpc,\n};",
            "sqlite.rs:3: store may not name grpc",
        ),
        ("src/store/sqlite.rs", "use crate::{ledger::{Account, Transfer}, dealer::{self}};", "may not name dealer"),
        ("src/shuffle/order.rs", "fn f() -> crate::world::World { todo() }", "may not name world"),
        ("src/shuffle/order.rs", "use super::super::world::World;", "may not name world"),
        ("src/shuffle/order.rs", "use self::super::super::world::World;", "may not name world"),
        ("src/shuffle/mod.rs", "use super::{engine::Card, world::World};", "may not name world"),
        ("src/shuffle/mod.rs", "mod tests { use super::super::world::World; }", "may not name world"),
        ("src/world.rs", "pub(in crate::cli) fn f() {}", "may not name cli"),
        ("src/world.rs", "use crate::*;", "may not name *"),
        ("src/world.rs", "use crate as house;", "may not name the whole crate"),
        ("src/world.rs", "use crate::{self as house};", "may not name self"),
        ("src/world.rs", "use razz_dealer::engine::Card;", "may not name the whole crate"),
        ("src/world.rs", "use super as house;", "may not name the whole crate"),
        ("src/store/mod.rs", "use self::{super::dealer::Dealer};", "may not name the whole crate"),
        ("src/parlour.rs", "", "parlour is a room that the table of walls does not have"),
    ];
    for (path, text, what) in plants {
        found(path, text, what);
    }
}

#[test]
fn a_word_out_of_place_is_found() {
    let plants = [
        ("src/engine/hand.rs", "// see crate::store", "engine/hand.rs:1: paths inside the engine begin with super::"),
        ("src/engine/hand.rs", "\nlet share: f64 = pot;", "hand.rs:2: f64 may not stand in engine"),
        ("src/engine/hand.rs", "let share = 1f32;", "f32 may not stand in engine"),
        ("src/shuffle/order.rs", "use std::collections::{BTreeMap, HashMap};", "HashMap may not stand in shuffle"),
        ("src/ledger.rs", "use std::{fmt, time::Duration};", "std::time may not stand in ledger"),
        ("src/record/mod.rs", "let now = std::time::now();", "std::time may not stand in record"),
        ("src/sim.rs", "async fn think() {}", "async* may not stand in sim"),
        ("src/engine/card.rs", "#[derive(serde::Serialize)]", "serde* may not stand in engine"),
        ("src/record/mod.rs", "use tokio_stream::Stream;", "tokio* may not stand in record"),
        ("src/dealer/mod.rs", "use tonic_types::Status;", "tonic* may not stand in dealer"),
        ("src/cli/mod.rs", "use sqlx::Row;", "sqlx* may not stand in cli"),
        ("src/grpc/mod.rs", "use crate::store::sqlite::SqliteStore;", "sqlite may not stand in grpc"),
        ("src/audit/mod.rs", "let q =\n    \"SELECT 1\";", "src/audit/mod.rs:2: SQL stands in the store only"),
        ("src/audit/mod.rs", "let q = r#\"\n  UPDATE heads SET \"seq\" = 1\"#;", "SQL stands in the store only"),
    ];
    for (path, text, what) in plants {
        found(path, text, what);
    }
}

#[test]
fn a_file_out_of_bounds_is_found() {
    found("src/main.rs", &"\n".repeat(61), "61 lines, at most 60");
    found("tests/it/low.rs", &"\n".repeat(401), "401 lines, at most 400");
    found("proto/razz/dealer/v1/types.proto", &"\n".repeat(401), "401 lines, at most 400");
    found(".ci/run", &"x".repeat(121), "121 characters, at most 120");
    found("src/cli/mod.rs", &format!("#![allow(clippy::{WORLD_LINT})]"), "only src/world.rs may read a clock");
    for folder in MACHINE {
        found("README.md", &format!("Look into `{folder}dealer`."), "is a folder of somebody's machine");
    }
}

#[test]
fn what_only_looks_like_a_breach_is_let_alone() {
    let innocent = [
        ("src/ledger.rs", "// crate::store\n/* crate::store /* crate::grpc */ */ use crate::engine::{Hand, Seat};"),
        (
            "src/ledger.rs",
            "/// [`crate::store`]\nlet text = \"crate::store \\\" crate::grpc\"; let r = r#\"crate::\"x\"#;",
        ),
        ("src/shuffle/order.rs", "pub(crate) fn f<'a>(c: &'a str) -> char { '\"' } pub(super) fn g() { h('\\'') }"),
        ("src/shuffle/order.rs", "use super::seal::{self, open}; mod tests { use super::super::seal; }"),
        ("src/engine/hand.rs", "pub(super) use super::card::Card; let text = \"f64\"; // HashMap, f32"),
        ("src/store/sqlite.rs", "let text = \"SELECT seq FROM heads\";"),
        ("src/cli/mod.rs", "use crate::{dealer, grpc, store}; let text = \"Select a table, UPDATE it\";"),
        ("src/dealer/mod.rs", "use std::collections::HashMap; async fn f() { tokio::spawn(g()).await }"),
        ("tests/it/low.rs", "use razz_dealer::engine::Low;"),
        ("Cargo.lock", "a line may be as long as it likes"),
    ];
    for (path, text) in innocent {
        let all = breaches(path, text);
        assert!(all.is_empty(), "{path}: {text}\n{all:?}");
    }
    // The folder's name in the middle of a path.
    assert_eq!(breaches("README.md", &format!("deploy{}x", MACHINE[0])), Vec::<String>::new());
}
