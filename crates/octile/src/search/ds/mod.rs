//! Data structures of the searches: open lists, and a table that is cleared in O(1).

pub(crate) mod buckets;
pub(crate) mod heap;
pub(crate) mod table;
