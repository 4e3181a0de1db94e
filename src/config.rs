//! What `serve` can be told, by option or by environment.

use std::net::SocketAddr;
use std::path::PathBuf;

/// Settings of `serve`.
#[derive(Clone, Debug, clap::Args)]
pub struct ServeConfig {
    /// Address to listen on; port 0 takes a free one.
    #[arg(long, env = "RAZZ_LISTEN", default_value = "127.0.0.1:50051", value_name = "ADDR")]
    pub listen: SocketAddr,

    /// Where the record is kept: `sqlite:PATH` (made if it is not there), or a path alone.
    #[arg(long, env = "RAZZ_DATABASE", default_value = "sqlite:razz-dealer.db", value_name = "URL")]
    pub database: String,

    /// The key that seals the decks of hands; made on first start, for its owner only. By default beside the database,
    /// named like it with `.key` behind. Without it open hands cannot go on: keep it, and apart from the database.
    #[arg(long, env = "RAZZ_KEY_FILE", value_name = "PATH")]
    pub key_file: Option<PathBuf>,

    /// What to log: a level, or a filter such as `info,razz_dealer=debug`.
    #[arg(long, env = "RAZZ_LOG", default_value = "info", value_name = "FILTER")]
    pub log: String,

    /// Log one JSON object a line.
    #[arg(long, env = "RAZZ_LOG_JSON", value_parser = clap::builder::FalseyValueParser::new())]
    pub log_json: bool,
}

/// A database URL that this version cannot use.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0:?} is no database that this version keeps: give sqlite:PATH, as in sqlite:razz-dealer.db")]
pub struct NoDatabase(String);

/// The file of a database URL: `sqlite:PATH`, `sqlite://PATH`, or a path alone.
///
/// # Errors
/// For another kind of database, or no path.
pub fn sqlite_path(url: &str) -> Result<PathBuf, NoDatabase> {
    let path = url.strip_prefix("sqlite://").or_else(|| url.strip_prefix("sqlite:")).unwrap_or(url);
    if path.is_empty() || path.contains("://") || path.starts_with(':') {
        return Err(NoDatabase(url.to_owned()));
    }
    Ok(PathBuf::from(path))
}

impl ServeConfig {
    /// The key file: as given, or beside the database.
    ///
    /// # Errors
    /// As [`sqlite_path`].
    pub fn key_path(&self) -> Result<PathBuf, NoDatabase> {
        if let Some(path) = &self.key_file {
            return Ok(path.clone());
        }
        let mut path = sqlite_path(&self.database)?.into_os_string();
        path.push(".key");
        Ok(PathBuf::from(path))
    }
}
