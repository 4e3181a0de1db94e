//! The `razz-dealer` command.

use std::process::ExitCode;

use clap::Parser;
use razz_dealer::cli;

#[tokio::main]
async fn main() -> ExitCode {
    // A usage error leaves with code 2 from here.
    let command = cli::Cli::parse();
    let code = match cli::run(command).await {
        Ok(code) => code,
        Err(error) => {
            eprintln!("razz-dealer: {error:#}");
            cli::exit_code(&error)
        }
    };
    ExitCode::from(code)
}
