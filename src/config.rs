//! What commands can be told, by option or by environment.

use std::net::SocketAddr;
use std::path::PathBuf;

/// Settings of `serve`.
#[derive(Clone, Debug, clap::Args)]
pub struct ServeConfig {
    /// Address to listen on; port 0 takes a free one.
    #[arg(long, env = "RAZZ_LISTEN", default_value = "127.0.0.1:50051", value_name = "ADDR")]
    pub listen: SocketAddr,

    /// Where the record is kept: `sqlite:PATH` (made if it is not there), a path alone, or
    /// `postgres://ROLE@HOST:PORT/NAME?sslmode=verify-full`, which many dealers can share.
    #[arg(
        long,
        env = "RAZZ_DATABASE",
        default_value = "sqlite:razz-dealer.db",
        value_name = "URL",
        hide_env_values = true
    )]
    pub database: String,

    /// How to use a Postgres database.
    #[command(flatten)]
    pub postgres: PostgresConfig,

    /// Bring the schema of a Postgres database up to date first, as the role of --owner-database.
    #[arg(long, env = "RAZZ_MIGRATE", value_parser = switch)]
    pub migrate: bool,

    /// The URL of the role that owns the schema, for --migrate; by default that of --database.
    #[arg(long, env = "RAZZ_OWNER_DATABASE", value_name = "URL", requires = "migrate", hide_env_values = true)]
    pub owner_database: Option<String>,

    /// The keys that decks rest under.
    #[command(flatten)]
    pub keys: KeysConfig,

    /// Memory for tables, in MiB: beyond it, those that were asked for longest ago are loaded anew when asked for.
    #[arg(long, env = "RAZZ_LIVE_TABLES_MIB", default_value = "256", value_name = "MIB",
          value_parser = clap::value_parser!(u32).range(1..=1_048_576))]
    pub live_tables_mib: u32,

    /// Commands under way at one time; more are refused with `RESOURCE_EXHAUSTED`.
    #[arg(long, env = "RAZZ_MAX_COMMANDS", default_value = "4096", value_name = "N",
          value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub max_commands: u32,

    /// What to log: a level, or a filter such as `info,razz_dealer=debug`.
    #[arg(long, env = "RAZZ_LOG", default_value = "info", value_name = "FILTER")]
    pub log: String,

    /// Log one JSON object a line.
    #[arg(long, env = "RAZZ_LOG_JSON", value_parser = switch)]
    pub log_json: bool,
}

/// The keys that decks rest under. Without its key an open hand cannot go on: keep it, and apart from the database.
#[derive(Clone, Debug, clap::Args)]
pub struct KeysConfig {
    /// Files with keys that seal the decks of hands, several with a colon between or by several options: the first key
    /// of the first file seals, all of them open. By default one beside a database file, named like it with `.key`
    /// behind, and made on first start, for its owner only. Dealers that share a database share the keys: give each a
    /// copy of the file that `razz-dealer keys new` made. `RAZZ_KEYS` in the environment may hold keys too, in the form
    /// of such a file; they come after those of files.
    #[arg(long, env = "RAZZ_KEY_FILE", value_name = "PATH", value_delimiter = ':')]
    pub key_file: Vec<PathBuf>,
}

/// How to use a Postgres database. TLS is told by the URL, as libpq knows it: `sslmode`, `sslrootcert`, `sslcert`,
/// `sslkey`.
#[derive(Clone, Debug, clap::Args)]
pub struct PostgresConfig {
    /// Connections to a Postgres database for reads and wallets, beside those that write.
    #[arg(long, env = "RAZZ_DATABASE_CONNECTIONS", default_value = "8", value_name = "N",
          value_parser = clap::value_parser!(u32).range(1..=1_000))]
    pub database_connections: u32,

    /// Batches of commands that are written to Postgres at one time, each over a connection of its own.
    #[arg(long, env = "RAZZ_DATABASE_WRITERS", default_value = "2", value_name = "N",
          value_parser = clap::value_parser!(u32).range(1..=64))]
    pub database_writers: u32,

    /// How long Postgres may take over a statement, in milliseconds.
    #[arg(long, env = "RAZZ_DATABASE_TIMEOUT_MS", default_value = "5000", value_name = "MS",
          value_parser = clap::value_parser!(u32).range(10..=600_000))]
    pub database_timeout_ms: u32,

    /// How long a caller waits for a connection to Postgres, in milliseconds.
    #[arg(long, env = "RAZZ_DATABASE_WAIT_MS", default_value = "2000", value_name = "MS",
          value_parser = clap::value_parser!(u32).range(10..=600_000))]
    pub database_wait_ms: u32,

    /// The URL leads to a pooler that keeps a connection for a transaction only, such as pgbouncer with
    /// `pool_mode = transaction`.
    #[arg(long, env = "RAZZ_DATABASE_POOLER", value_parser = switch)]
    pub database_pooler: bool,
}

/// A switch in the environment. Empty is off, as where a variable is handed on that nobody has set.
fn switch(text: &str) -> Result<bool, String> {
    match text.to_ascii_lowercase().as_str() {
        "1" | "true" | "yes" | "on" => Ok(true),
        "" | "0" | "false" | "no" | "off" => Ok(false),
        _ => Err("expected 1 or 0".to_owned()),
    }
}

/// A database, as its URL names it.
#[derive(Clone, PartialEq, Eq)]
pub enum DatabaseUrl {
    /// A file.
    Sqlite(PathBuf),
    /// A server; the URL may hold a password.
    Postgres(String),
}

/// A database URL that this version cannot use.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "{0:?} is no database that this version keeps: give sqlite:PATH, as in sqlite:razz-dealer.db, or \
     postgres://ROLE@HOST:PORT/NAME"
)]
pub struct NoDatabase(String);

impl DatabaseUrl {
    /// `sqlite:PATH`, `sqlite://PATH`, a path alone, or `postgres://...`.
    ///
    /// # Errors
    /// For another kind of database, or no path.
    pub fn parse(url: &str) -> Result<DatabaseUrl, NoDatabase> {
        if url.starts_with("postgres://") || url.starts_with("postgresql://") {
            return Ok(DatabaseUrl::Postgres(url.to_owned()));
        }
        let path = url.strip_prefix("sqlite://").or_else(|| url.strip_prefix("sqlite:")).unwrap_or(url);
        if path.is_empty() || path.contains("://") || path.starts_with(':') {
            return Err(NoDatabase(without_password(url)));
        }
        Ok(DatabaseUrl::Sqlite(PathBuf::from(path)))
    }

    /// Where the key file is by default: beside a file; nowhere for a server.
    pub fn key_path(&self) -> Option<PathBuf> {
        let DatabaseUrl::Sqlite(path) = self else { return None };
        let mut path = path.clone().into_os_string();
        path.push(".key");
        Some(PathBuf::from(path))
    }
}

impl std::fmt::Display for DatabaseUrl {
    /// Without a password.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            DatabaseUrl::Sqlite(path) => path.display().fmt(f),
            DatabaseUrl::Postgres(url) => f.write_str(&without_password(url)),
        }
    }
}

impl std::fmt::Debug for DatabaseUrl {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        std::fmt::Display::fmt(self, f)
    }
}

/// A URL as it may be shown: what stands between the role and the host, or in a parameter, is left out.
fn without_password(url: &str) -> String {
    let url = url.split('?').next().unwrap_or_default();
    let Some((scheme, rest)) = url.split_once("://") else { return url.to_owned() };
    match rest.rsplit_once('@') {
        Some((role, host)) => {
            let role = role.split(':').next().unwrap_or_default();
            format!("{scheme}://{role}@{host}")
        }
        None => url.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::DatabaseUrl;

    #[test]
    fn a_password_is_never_shown() {
        for url in ["postgres://me:secret@host:5432/razz", "postgres://me@host:5432/razz?password=secret"] {
            let shown = DatabaseUrl::parse(url).expect("a database").to_string();
            assert_eq!(shown, "postgres://me@host:5432/razz");
        }
        let refused = DatabaseUrl::parse("mysql://me:secret@host/razz").expect_err("another kind");
        assert!(!refused.to_string().contains("secret"), "{refused}");
    }
}
