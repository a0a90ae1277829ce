//! Searches in exact integer costs (`units.rs`): in 32 bits, and again in 64 bits if a path grows too long for those.

use std::fmt;

use crate::geometry::units::{Narrow, Units, Wide};

/// A 32-bit search came near the limit of exactness and must be run in 64 bits.
#[derive(Debug)]
pub(crate) struct Overflow;

/// Working memory that exists in any units.
pub(crate) trait Memories {
    /// The memory in one kind of units.
    type In<U: Units>: fmt::Debug;
}

/// A search that can be run in any units.
pub(crate) trait ExactSearch<M: Memories> {
    /// New memory for it.
    fn memory<U: Units>(&self) -> M::In<U>;

    /// Runs it, and returns whether there is a path.
    fn run<U: Units>(&mut self, memory: &mut M::In<U>) -> Result<bool, Overflow>;

    /// Runs it in 32 bits, for searches that do so in a way of their own.
    fn run_narrow(&mut self, memory: &mut M::In<Narrow>) -> Result<bool, Overflow> {
        self.run(memory)
    }
}

/// Working memory in 32-bit costs and, once a query has needed them, in 64-bit ones.
pub(crate) struct Widths<M: Memories> {
    pub(crate) narrow: M::In<Narrow>,
    wide: Option<Box<M::In<Wide>>>,
}

impl<M: Memories> Widths<M> {
    pub(crate) fn new(narrow: M::In<Narrow>) -> Self {
        Self { narrow, wide: None }
    }

    /// Runs a search in 32-bit costs if no sum can overflow before the search notices that it passed
    /// [`Units::LIMIT`], and in 64-bit ones if it does pass it. `farthest` is the most that one step can add to a cost
    /// below the limit, its estimate included, in [`Narrow`] units.
    pub(crate) fn run(&mut self, farthest: u64, search: &mut impl ExactSearch<M>) -> bool {
        if u64::from(Narrow::LIMIT) + farthest < u64::from(u32::MAX)
            && let Ok(found) = search.run_narrow(&mut self.narrow)
        {
            return found;
        }
        let wide = self.wide.get_or_insert_with(|| Box::new(search.memory()));
        search.run(wide).unwrap_or_else(|Overflow| unreachable!("64-bit costs hold every path of the largest map"))
    }

    /// Whether some query needed 64-bit costs.
    #[cfg(test)]
    pub(crate) fn went_wide(&self) -> bool {
        self.wide.is_some()
    }
}

impl<M: Memories> fmt::Debug for Widths<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Widths").field("narrow", &self.narrow).field("wide", &self.wide).finish()
    }
}
