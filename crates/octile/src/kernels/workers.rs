//! Work shared by all cores if the feature `rayon` is on, with the same result on any number of them.

use std::sync::{Mutex, PoisonError};

/// A pool of worker memory: it never holds more entries than threads take part.
pub(crate) struct Workers<W> {
    idle: Mutex<Vec<W>>,
}

impl<W: Send> Workers<W> {
    pub(crate) const fn new() -> Self {
        Self { idle: Mutex::new(Vec::new()) }
    }

    /// Runs one piece of work with a worker from the pool.
    pub(crate) fn with<T>(&self, create: impl FnOnce() -> W, work: impl FnOnce(&mut W) -> T) -> T {
        let idle = self.lock().pop();
        let mut worker = idle.unwrap_or_else(create);
        let done = work(&mut worker);
        self.lock().push(worker);
        done
    }

    /// Runs a piece of work for each item and returns the results in the order of the items.
    pub(crate) fn map<I: Copy + Sync, T: Send>(
        &self,
        items: &[I],
        create: impl Fn() -> W + Sync,
        work: impl Fn(&mut W, I) -> T + Sync,
    ) -> Vec<T> {
        let one = |&item: &I| self.with(&create, |worker| work(worker, item));
        #[cfg(feature = "rayon")]
        {
            use rayon::prelude::*;
            items.par_iter().map(one).collect()
        }
        #[cfg(not(feature = "rayon"))]
        items.iter().map(one).collect()
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<W>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_in_order_and_memory_is_reused() {
        let items: Vec<usize> = (0..1000).collect();
        let made = Workers::new().map(&items, Vec::new, |seen: &mut Vec<usize>, item| {
            seen.push(item);
            (item * item, seen.len())
        });
        assert!(made.iter().zip(&items).all(|(&(square, _), item)| square == item * item));
        assert!(made.iter().any(|&(_, served)| served > 1));
        assert_eq!(Workers::new().map(&[], || (), |(), item: u8| item), Vec::<u8>::new());
    }
}
