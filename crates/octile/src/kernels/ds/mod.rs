//! Data structures of the searches: open lists, words of a node and its cost, and a table that is cleared in O(1).

pub(crate) mod buckets;
pub(crate) mod heap;
pub(crate) mod link;
pub(crate) mod table;

use crate::geometry::units::Units;

/// The open list of a search over cells: what it has reached and not yet looked at.
pub(crate) trait Open<U: Units> {
    /// Whether entries come out in the order of their f. If not, then of one cell still in that order, or the newest
    /// first.
    fn is_sorted(&self) -> bool;

    /// Empties the list; the first entry will have the given f.
    fn begin(&mut self, first_f: U::Cost);

    /// Adds a cell that is reached for `g`. Of equal f, those with larger `g` should come out first.
    fn push(&mut self, f: U::Cost, g: U::Cost, id: u32);

    /// Takes out the next entry, its f and its cell. A list that is not sorted gives none at or above `best`, nor
    /// anything if only such are left.
    fn pop(&mut self, best: U::Cost) -> Option<(U::Cost, u32)>;
}

/// For searches that are too rare to be compiled for each of them.
impl<U: Units> Open<U> for &mut dyn Open<U> {
    fn is_sorted(&self) -> bool {
        (**self).is_sorted()
    }

    fn begin(&mut self, first_f: U::Cost) {
        (**self).begin(first_f);
    }

    fn push(&mut self, f: U::Cost, g: U::Cost, id: u32) {
        (**self).push(f, g, id);
    }

    fn pop(&mut self, best: U::Cost) -> Option<(U::Cost, u32)> {
        (**self).pop(best)
    }
}
