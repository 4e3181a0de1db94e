//! What is read along with a stream's records, page by page, in the same order.

use std::collections::VecDeque;

use super::{Audit, PAGE};
use crate::audit::difference::Source;
use crate::store::{Head, StoreError};

/// What was read and not yet compared.
pub(super) struct Along<T> {
    read: VecDeque<T>,
    /// There is no next page.
    ended: bool,
    /// It cannot be read, which was found: nothing is missed in it.
    pub lost: bool,
}

impl<T> Along<T> {
    pub const fn new() -> Along<T> {
        Along { read: VecDeque::new(), ended: false, lost: false }
    }

    /// The next page is to be read.
    pub fn is_out(&self) -> bool {
        self.read.is_empty() && !self.ended
    }

    /// Takes the next page in; none where it cannot be read.
    pub fn take_in(&mut self, page: Option<Vec<T>>) {
        self.lost = page.is_none();
        self.read = page.unwrap_or_default().into();
        self.ended = self.read.len() < PAGE as usize;
    }

    /// The last one of the page: where the next goes on from.
    pub fn last(&self) -> Option<&T> {
        self.read.back()
    }

    /// The next one, if it is such.
    pub fn next_if(&mut self, is_such: impl Fn(&T) -> bool) -> Option<T> {
        self.read.pop_front_if(|next| is_such(next))
    }
}

impl Audit<'_> {
    /// Whether the stream stands where it stood: what is beyond its last record then belongs to none.
    pub(super) async fn has_stayed(&mut self, source: Source, head: &Head) -> Result<bool, StoreError> {
        let now = self.store.head(head.stream).await;
        let now = self.readable(&format!("the head of {source}"), now)?;
        Ok(now.flatten().is_some_and(|now| now.seq == head.seq))
    }
}
