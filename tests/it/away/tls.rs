//! TLS to the database, as the URL asks for it: a server of another authority, or of another name, is not talked to.

use razz_dealer::store::StoreError;
use razz_dealer::store::postgres::{PostgresSettings, PostgresStore, migrate};
use tempfile::TempDir;

use super::pooler::script;

/// A cluster of the test's own, which takes nobody without TLS.
struct Cluster {
    folder: TempDir,
    url: String,
}

impl Cluster {
    fn start() -> Cluster {
        let folder = tempfile::tempdir().expect("a folder");
        let place = folder.path().display().to_string();
        script(&["start", &place]);
        let url = script(&["tls", &place]);
        Cluster { folder, url }
    }

    fn settings(&self, mode: &str, authority: &str) -> PostgresSettings {
        let authority = self.folder.path().join("tls").join(authority);
        PostgresSettings::new(&format!("{}?sslmode={mode}&sslrootcert={}", self.url, authority.display()))
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        script(&["stop", &self.folder.path().display().to_string()]);
    }
}

/// Whether it got as far as to the schema.
async fn reached(settings: PostgresSettings) -> Result<(), String> {
    match PostgresStore::open(settings).await {
        Err(StoreError::Unusable(why)) => Err(why),
        Ok(_) => Ok(()),
        Err(error) => panic!("{error}"),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn only_the_right_server_is_talked_to() {
    let cluster = Cluster::start();
    migrate(&cluster.settings("verify-full", "ca.crt")).await.expect("migrated");
    for mode in ["verify-ca", "verify-full"] {
        assert_eq!(reached(cluster.settings(mode, "ca.crt")).await, Ok(()), "{mode}");
        let why = reached(cluster.settings(mode, "other.crt")).await.expect_err("another authority");
        assert!(why.contains("certificate") || why.contains("UnknownIssuer"), "{mode}: {why}");
    }
    // The right authority, and another name than the certificate's.
    let named = |mode: &str| {
        let settings = cluster.settings(mode, "ca.crt");
        PostgresSettings { url: settings.url.replace("@127.0.0.1:", "@localhost:"), ..settings }
    };
    let why = reached(named("verify-full")).await.expect_err("another name");
    assert!(why.contains("certificate") || why.contains("NotValidForName"), "{why}");
    assert_eq!(reached(named("verify-ca")).await, Ok(()), "the name is not looked at");
    let why = reached(PostgresSettings::new(&format!("{}?sslmode=disable", cluster.url))).await.expect_err("in clear");
    assert!(why.contains("no encryption") || why.contains("pg_hba"), "{why}");
}
