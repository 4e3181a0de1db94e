//! The real command, as a process of its own on 127.0.0.1. What a test started, it stops.

use std::io::{BufRead, BufReader, Read};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, ChildStderr, Command, ExitStatus, Stdio};
use std::thread;
use std::time::Duration;

use razz_dealer::grpc::client::Client;

/// How long a process may take to do what it was told.
const PATIENCE: Duration = Duration::from_secs(20);
/// How often it is asked whether it has.
const STEP: Duration = Duration::from_millis(10);

/// How a command ended.
pub struct Ended {
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
}

/// The command with these arguments and nothing in its environment that would tell it more.
pub fn command(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_razz-dealer"));
    for name in ["RAZZ_LISTEN", "RAZZ_DATABASE", "RAZZ_KEY_FILE", "RAZZ_LOG", "RAZZ_LOG_JSON"] {
        command.env_remove(name);
    }
    command.args(args).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Runs a command that ends by itself.
pub fn run(args: &[&str]) -> Ended {
    Running::start(args).ended(PATIENCE)
}

/// A command that ends by itself. Dropped before that, it is killed.
pub struct Running(Child);

impl Running {
    pub fn start(args: &[&str]) -> Running {
        Running(command(args).spawn().expect("the command starts"))
    }

    pub fn is_running(&mut self) -> bool {
        self.0.try_wait().expect("a process to wait for").is_none()
    }

    /// How it ended; it must within this time.
    pub fn ended(mut self, within: Duration) -> Ended {
        let code = wait(&mut self.0, within).code();
        let mut answer = Ended { code, out: String::new(), err: String::new() };
        self.0.stdout.take().expect("piped").read_to_string(&mut answer.out).expect("text");
        self.0.stderr.take().expect("piped").read_to_string(&mut answer.err).expect("text");
        answer
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // Gone already where it was waited for; then this does nothing.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Waits for a process that is about to end; one that does not is killed, and the test fails.
fn wait(child: &mut Child, within: Duration) -> ExitStatus {
    for _ in 0..within.as_millis() / STEP.as_millis() {
        if let Some(status) = child.try_wait().expect("a process to wait for") {
            return status;
        }
        thread::sleep(STEP);
    }
    child.kill().expect("killed");
    panic!("the process did not end");
}

/// A running `serve`. Dropped, it is killed as by `kill -9`.
pub struct Serve {
    child: Child,
    addr: SocketAddr,
}

impl Serve {
    /// Serves this database on a free port.
    pub fn start(database: &Path) -> Serve {
        let url = format!("sqlite:{}", database.display());
        Serve::spawn(command(&["serve", "--listen", "127.0.0.1:0", "--database", &url, "--log-json"]))
    }

    /// Waits until the command, which must log JSON, says where it listens.
    pub fn spawn(mut command: Command) -> Serve {
        let mut child = command.spawn().expect("serve starts");
        let mut log = BufReader::new(child.stderr.take().expect("piped"));
        let addr = address(&mut log);
        // Read to its end, so that the process never waits for somebody to take its log lines.
        thread::spawn(move || std::io::copy(&mut log, &mut std::io::sink()));
        Serve { child, addr }
    }

    pub const fn addr(&self) -> SocketAddr {
        self.addr
    }

    pub async fn client(&self) -> Client {
        Client::connect(self.addr).await.expect("serve listens")
    }

    /// `kill -9`, and gone: the next may have the database.
    pub fn kill(mut self) {
        self.child.kill().expect("killed");
        self.child.wait().expect("gone");
    }

    /// SIGTERM, and how it ended.
    pub fn terminate(self) -> Option<i32> {
        self.signal("TERM");
        self.ended()
    }

    /// How it ended; it must have been told to.
    pub fn ended(mut self) -> Option<i32> {
        wait(&mut self.child, PATIENCE).code()
    }

    /// Sends a signal by its name without the SIG.
    pub fn signal(&self, name: &str) {
        let order = format!("kill -{name} {}", self.child.id());
        assert!(Command::new("sh").args(["-c", &order]).status().expect("a shell").success(), "{order}");
    }
}

impl Drop for Serve {
    fn drop(&mut self) {
        // Gone already after `kill` and `terminate`; then this does nothing.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn address(log: &mut BufReader<ChildStderr>) -> SocketAddr {
    let mut said = String::new();
    loop {
        let start = said.len();
        assert_ne!(log.read_line(&mut said).expect("a log line"), 0, "serve ended: {said}");
        let line: serde_json::Value = serde_json::from_str(&said[start..]).unwrap_or_default();
        if let Some(address) = line["fields"]["address"].as_str() {
            return address.parse().expect("an address");
        }
    }
}
