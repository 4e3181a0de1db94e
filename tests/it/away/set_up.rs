//! A database that is there and not set up for this: told in its own words, with the exit code of what coming again
//! does not help.

use crate::away::pooler::Pooler;
use crate::database::{Database, run, url};
use crate::process::command;

#[tokio::test(flavor = "multi_thread")]
async fn what_an_operator_must_see_to_is_no_outage() {
    let (database, pooler) = (Database::fresh().await, Pooler::start());
    let server = Database::server();
    let stranger = "DO $$ BEGIN CREATE ROLE stranger LOGIN; EXCEPTION WHEN duplicate_object OR unique_violation THEN \
                    NULL; END $$";
    run(&server, stranger).await;
    let empty = format!("{}_empty", database.name());
    run(&server, &format!("CREATE DATABASE {empty}")).await;
    let name = database.name();
    let unreachable = "postgres://dealer@127.0.0.1:1/razz".to_owned();
    let cases: [(&str, String, i32, &[&str]); 8] = [
        ("reconcile", url(&server, Some("nobody_of_this_name"), name), 2, &["cannot be used", "nobody_of_this_name"]),
        ("reconcile", url(&server, Some("dealer"), "nowhere_of_this_name"), 2, &["cannot be used", "does not exist"]),
        ("reconcile", url(&server, Some("stranger"), name), 2, &["cannot be used", "permission denied"]),
        ("reconcile", url(&server, Some("dealer"), &empty), 2, &["the schema has version 0", "razz-dealer migrate"]),
        ("migrate", url(&server, Some("stranger"), &empty), 2, &["cannot be used", "permission denied"]),
        ("reconcile", url(&pooler.settings(&database).url, None, name), 2, &["cannot be used", "--database-pooler"]),
        ("reconcile", unreachable.clone(), 3, &["the database is away"]),
        ("migrate", unreachable, 3, &["the database is away"]),
    ];
    for (verb, url, code, words) in cases {
        let ended = command::run(&[verb, "--database", &url]);
        assert_eq!(ended.code, Some(code), "{verb} {url}: {}{}", ended.out, ended.err);
        for word in words {
            assert!(ended.err.contains(word), "{verb} {url}: {word:?} is not in: {}", ended.err);
        }
        assert!(!ended.err.contains("at line"), "the server's source is nobody's business: {}", ended.err);
    }
    run(&server, &format!("DROP DATABASE {empty}")).await;
}
