//! Chooses the width of costs (`units.rs`) for all searches: 32 bits, or more if a path is too long for 32 bits to be
//! exact.

use std::fmt;

use crate::geometry::units::{Mid, Narrow, Units, Wide, Width};
use crate::planner::SizeBytes;

/// A search came near the limit of exactness and must be run in wider costs.
#[derive(Debug)]
pub(crate) struct Overflow;

/// Scratch memory that exists for costs of every width.
pub(crate) trait Memories {
    /// The same kind of memory, for costs in units `U`.
    type In<U: Units>;
}

/// A search that can run in costs of any width.
pub(crate) trait Search {
    /// Its scratch memory, in any units.
    type Memory: Memories;

    /// The maximum that one step can add to a cost below the limit, including its estimate, in [`Narrow`] units. It
    /// ensures that no sum wraps around before the search notices that it passed [`Units::LIMIT`].
    fn farthest(&self) -> u64;

    /// The width in which it was paused, if it is being resumed.
    fn resumes_in(&self) -> Option<Width> {
        None
    }

    /// The number of nodes, if [`Mid`] costs are worth trying before [`Wide`] ones: on terrain, where costs are larger.
    fn nodes_over_terrain(&self) -> Option<usize> {
        None
    }

    /// Creates memory for it.
    fn memory<U: Units>(&self) -> <Self::Memory as Memories>::In<U>;

    /// Runs it in 32 bits, which is enough for nearly all queries: specialised for speed. Returns whether there is a
    /// path.
    ///
    /// # Errors
    /// If a cost comes near the limit of exactness.
    fn run_narrow(&mut self, memory: &mut <Self::Memory as Memories>::In<Narrow>) -> Result<bool, Overflow>;

    /// Runs it in wider costs.
    ///
    /// # Errors
    /// As for [`run_narrow`](Self::run_narrow).
    fn run_wider<U: Units>(&mut self, memory: &mut <Self::Memory as Memories>::In<U>) -> Result<bool, Overflow>;
}

/// Scratch memory in 32-bit costs and, once a query has needed them, in wider ones.
pub(crate) struct Widths<M: Memories> {
    narrow: M::In<Narrow>,
    mid: Option<Box<M::In<Mid>>>,
    wide: Option<Box<M::In<Wide>>>,
}

impl<M: Memories> fmt::Debug for Widths<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Widths").finish_non_exhaustive()
    }
}

impl<M: Memories> SizeBytes for Widths<M>
where
    M::In<Narrow>: SizeBytes,
    M::In<Mid>: SizeBytes,
    M::In<Wide>: SizeBytes,
{
    fn size_bytes(&self) -> usize {
        self.narrow.size_bytes() + self.mid.size_bytes() + self.wide.size_bytes()
    }
}

impl<M: Memories> Widths<M> {
    pub(crate) fn new(narrow: M::In<Narrow>) -> Self {
        Self { narrow, mid: None, wide: None }
    }

    /// Runs a search in the narrowest costs that are exact, and returns whether there is a path.
    ///
    /// # Errors
    /// If no width is exact, which happens only on terrain.
    pub(crate) fn run<S: Search<Memory = M>>(&mut self, search: &mut S) -> Result<bool, Overflow> {
        if fits_narrow(search)
            && let Ok(found) = search.run_narrow(&mut self.narrow)
        {
            return Ok(found);
        }
        let farthest = search.farthest().div_ceil(Narrow::STRAIGHT.into()) * Mid::STRAIGHT;
        if search.resumes_in() != Some(Width::Wide)
            && search.nodes_over_terrain().is_some_and(|nodes| nodes < 1 << Mid::ID_BITS)
            && Mid::LIMIT + farthest < Mid::END
        {
            let mid = self.mid.get_or_insert_with(|| Box::new(search.memory()));
            if let Ok(found) = search.run_wider(mid) {
                return Ok(found);
            }
        }
        search.run_wider(self.wide.get_or_insert_with(|| Box::new(search.memory())))
    }

    /// As [`run`](Self::run), for a search that does not support terrain, and so need not be compiled for [`Mid`]
    /// costs.
    pub(crate) fn run_plain<S: Search<Memory = M>>(&mut self, search: &mut S) -> bool {
        if fits_narrow(search)
            && let Ok(found) = search.run_narrow(&mut self.narrow)
        {
            return found;
        }
        let wide = self.wide.get_or_insert_with(|| Box::new(search.memory()));
        search.run_wider(wide).expect("64-bit costs hold every path of the largest map")
    }

    /// Whether some query needed 64-bit costs.
    #[cfg(test)]
    pub(crate) fn went_wide(&self) -> bool {
        self.wide.is_some()
    }
}

/// Whether a search may run in 32 bits.
fn fits_narrow<S: Search>(search: &S) -> bool {
    let fits = u64::from(Narrow::LIMIT) + search.farthest() < u64::from(u32::MAX);
    fits && search.resumes_in().is_none_or(|width| width == Width::Narrow)
}
