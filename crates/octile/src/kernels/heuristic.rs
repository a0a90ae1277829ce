//! The heuristics of searches.

use crate::planner::names;

/// A heuristic: the estimated cost of the rest of a path. It never exceeds the cost of a grid path.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Heuristic {
    /// The octile distance, which is the cost if nothing is blocked; under `tile` the Manhattan distance.
    #[default]
    Octile,
    /// The Euclidean distance.
    Euclidean,
    /// Zero.
    Zero,
}

names! { Heuristic { Octile = "octile", Euclidean = "euclidean", Zero = "zero" } }
