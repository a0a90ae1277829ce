//! Work that is shared by all cores, if the feature `rayon` is on, and comes to the same on any number of them.

use std::sync::{Mutex, PoisonError};

/// The working memory of threads: there are never more than take part.
pub(crate) struct Workers<W> {
    idle: Mutex<Vec<W>>,
}

impl<W: Send> Workers<W> {
    pub(crate) const fn new() -> Self {
        Self { idle: Mutex::new(Vec::new()) }
    }

    /// Does one piece of work.
    pub(crate) fn with<T>(&self, create: impl FnOnce() -> W, work: impl FnOnce(&mut W) -> T) -> T {
        let idle = self.lock().pop();
        let mut worker = idle.unwrap_or_else(create);
        let done = work(&mut worker);
        self.lock().push(worker);
        done
    }

    /// Does a piece of work for each of some things: what comes of them, in their order.
    pub(crate) fn map<I: Copy + Sync, T: Send>(
        &self,
        things: &[I],
        create: impl Fn() -> W + Sync,
        work: impl Fn(&mut W, I) -> T + Sync,
    ) -> Vec<T> {
        let one = |&thing: &I| self.with(&create, |worker| work(worker, thing));
        #[cfg(feature = "rayon")]
        {
            use rayon::prelude::*;
            things.par_iter().map(one).collect()
        }
        #[cfg(not(feature = "rayon"))]
        things.iter().map(one).collect()
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<W>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_made_comes_in_order_and_memory_serves_many() {
        let things: Vec<usize> = (0..1000).collect();
        let made = Workers::new().map(&things, Vec::new, |seen: &mut Vec<usize>, thing| {
            seen.push(thing);
            (thing * thing, seen.len())
        });
        assert!(made.iter().zip(&things).all(|(&(square, _), thing)| square == thing * thing));
        assert!(made.iter().any(|&(_, served)| served > 1));
        assert_eq!(Workers::new().map(&[], || (), |(), thing: u8| thing), Vec::<u8>::new());
    }
}
