//! Data structures of the searches: open lists, words of a node and its cost, and a table that is cleared in O(1).

pub(crate) mod buckets;
pub(crate) mod heap;
pub(crate) mod link;
pub(crate) mod table;

use crate::geometry::CellId;
use crate::geometry::units::Units;

/// The open list of a search over cells: what it has reached and not yet expanded.
pub(crate) trait Open<U: Units> {
    /// Whether entries come out in the order of their f. If not, then of one cell still in that order, or the newest
    /// first.
    fn is_sorted(&self) -> bool;

    /// Empties the list; the first entry will have the given f.
    fn begin(&mut self, first_f: U::Cost);

    /// Adds a cell that is reached for `g`. Of equal f, those with larger `g` should come out first.
    fn push(&mut self, f: U::Cost, g: U::Cost, id: CellId);

    /// Takes out the next entry, its f and its cell. `None` if nothing is left that may be better than a path of cost
    /// `best`: a sorted list gives none above it, another one none at or above it.
    fn pop(&mut self, best: U::Cost) -> Option<(U::Cost, CellId)>;

    /// What no f of an entry still to come is below, after one with this f.
    fn least(&self, f: U::Cost) -> f64;
}
