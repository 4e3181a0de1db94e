//! A short list of fixed room.

/// Up to `N` values in order, without allocating.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Held<T, const N: usize> {
    items: [Option<T>; N],
}

impl<T: Copy, const N: usize> Default for Held<T, N> {
    fn default() -> Self {
        Held { items: [None; N] }
    }
}

impl<T: Copy, const N: usize> Held<T, N> {
    /// False where there is no room.
    pub(super) fn push(&mut self, item: T) -> bool {
        let free = self.items.iter_mut().find(|slot| slot.is_none());
        free.map(|slot| *slot = Some(item)).is_some()
    }

    /// In order.
    pub fn iter(&self) -> impl Iterator<Item = T> + '_ {
        self.items.iter().flatten().copied()
    }

    /// How many.
    pub fn len(&self) -> usize {
        self.items.iter().flatten().count()
    }
}
