//! What searches believe the rest of a path to cost.

use crate::planner::names;

/// What a search believes the rest of a path to cost. None of them is ever above the cost of a grid path.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Heuristic {
    /// The octile distance: what it costs where nothing is blocked; under `tile` the Manhattan distance.
    #[default]
    Octile,
    /// The length of the straight line.
    Euclidean,
    /// Nothing.
    Zero,
}

names! { Heuristic { Octile = "octile", Euclidean = "euclidean", Zero = "zero" } }
