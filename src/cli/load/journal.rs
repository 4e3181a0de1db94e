//! What the callers were told, for a crash test to compare with the record.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use anyhow::Context;

use crate::grpc::client::Request;

/// A file of lines `STREAM SEQ REQUEST_ID`, one for each command that was acknowledged.
pub(super) struct Journal(Mutex<File>);

impl Journal {
    /// Lines are added at its end.
    pub fn open(path: &Path) -> anyhow::Result<Journal> {
        let file = OpenOptions::new().append(true).create(true).open(path);
        Ok(Journal(Mutex::new(file.with_context(|| format!("journal {}", path.display()))?)))
    }

    /// On its way to the disk when this returns: a later end of this process does not take it back.
    pub fn acknowledge(&self, request: &Request, seq: u64) -> anyhow::Result<()> {
        let Some(stream) = request.stream() else { return Ok(()) };
        let line = format!("{} {seq} {}\n", uuid::Uuid::from_bytes(stream.0), request.id());
        let mut file = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // In one write, so that no line is ever half a line.
        file.write_all(line.as_bytes()).and_then(|()| file.flush()).context("the journal cannot be written")
    }
}
