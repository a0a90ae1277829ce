//! Data structures of the searches: open lists, links that pack a node and its cost, and a table that is cleared in
//! O(1).

pub(crate) mod buckets;
pub(crate) mod heap;
pub(crate) mod link;
pub(crate) mod table;

use crate::geometry::CellId;
use crate::geometry::units::Units;

/// The open list of a search over cells: the cells reached but not yet expanded.
pub(crate) trait Open<U: Units> {
    /// Whether entries are popped in the order of their f. If not, the entries of one cell still are, or the newest
    /// comes first.
    fn is_sorted(&self) -> bool;

    /// Empties the list; the first entry will have the given f.
    fn begin(&mut self, first_f: U::Cost);

    /// Adds a cell that is reached at cost `g`. Of equal f, entries with larger `g` should be popped first.
    fn push(&mut self, f: U::Cost, g: U::Cost, id: CellId);

    /// Pops the next entry: its f and its cell. `None` if no remaining entry can improve on a path of cost `best`: a
    /// sorted list returns none above that cost, another list none at or above it.
    fn pop(&mut self, best: U::Cost) -> Option<(U::Cost, CellId)>;

    /// A lower bound of f for all remaining entries, after one with this f.
    fn least(&self, f: U::Cost) -> f64;
}
