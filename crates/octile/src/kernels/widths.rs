//! Searches in exact integer costs (`units.rs`): in 32 bits, and again in 64 bits if a path grows too long for those.

use crate::geometry::units::{Narrow, Units};
use crate::planner::{SizeBytes, size_bytes};

/// A 32-bit search came near the limit of exactness and must be run in 64 bits.
#[derive(Debug)]
pub(crate) struct Overflow;

/// Working memory in 32-bit costs, `N`, and, once a query has needed it, in 64-bit ones, `W`.
#[derive(Debug)]
pub(crate) struct Widths<N, W> {
    pub(crate) narrow: N,
    wide: Option<Box<W>>,
}

size_bytes!(for [N: SizeBytes, W: SizeBytes] Widths<N, W>: narrow, wide);

impl<N, W> Widths<N, W> {
    pub(crate) fn new(narrow: N) -> Self {
        Self { narrow, wide: None }
    }

    /// Runs a search in 32-bit costs if no sum can overflow before the search notices that it passed [`Units::LIMIT`],
    /// and in 64-bit ones, with `memory` for those, if it does pass it. `farthest` is the most that one step can add to
    /// a cost below the limit, its estimate included, in [`Narrow`] units. Both say whether there is a path.
    pub(crate) fn run<S>(
        &mut self,
        farthest: u64,
        search: &mut S,
        in_32_bits: impl FnOnce(&mut S, &mut N) -> Result<bool, Overflow>,
        memory: impl FnOnce(&S) -> W,
        in_64_bits: impl FnOnce(&mut S, &mut W) -> Result<bool, Overflow>,
    ) -> bool {
        if u64::from(Narrow::LIMIT) + farthest < u64::from(u32::MAX)
            && let Ok(found) = in_32_bits(search, &mut self.narrow)
        {
            return found;
        }
        let wide = self.wide.get_or_insert_with(|| Box::new(memory(search)));
        in_64_bits(search, wide)
            .unwrap_or_else(|Overflow| unreachable!("64-bit costs hold every path of the largest map"))
    }

    /// The memory in 64-bit costs, made if there is none yet.
    pub(crate) fn wide_or(&mut self, memory: impl FnOnce() -> W) -> &mut W {
        self.wide.get_or_insert_with(|| Box::new(memory()))
    }

    /// Whether some query needed 64-bit costs.
    #[cfg(test)]
    pub(crate) fn went_wide(&self) -> bool {
        self.wide.is_some()
    }
}
