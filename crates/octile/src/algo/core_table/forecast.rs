//! Estimates the cost of building a table from the cost of its build so far.
//!
//! Contraction takes longer with every node, because the remaining nodes have more and more neighbours: on the measured
//! maps, the cost of a node at least doubles each time half of the others are gone. So the cost of the last nodes gives
//! a lower bound for all others, and a map whose bound is too high is rejected. If the corners of obstacles see dozens
//! of others from the start, as in open cities, contraction does not pay off and is not started.

use crate::geometry::Cell;
use crate::geometry::units::{Mid, Narrow, Units};
use crate::grid::Grid;
use crate::kernels::limits::{Limits, MAX_LINKS_PER_CORNER, Shape, Unsuited};
use crate::kernels::subgoals::Graph;
use crate::kernels::subgoals::contract::Effort;

/// The maximum number of moves of the longest path, by an estimate that may be twice as high: costs stay below
/// [`Narrow::LIMIT`].
const MAX_MOVES: u64 = 47_000;

const _: () = assert!(MAX_MOVES * Narrow::STRAIGHT as u64 + (Narrow::DIAGONAL as u64) < Narrow::LIMIT as u64);

/// Paths may have more moves than that.
pub(super) const LONG: Unsuited = Unsuited::Long { most: MAX_MOVES as u32 };

/// The bytes per cell, subgoal, arc and entry of the square from which the table is made, while an index is built.
const CELL_BYTES: u64 = 48;
const SUBGOAL_BYTES: u64 = 96;
const ARC_BYTES: u64 = 36;
const SQUARE_BYTES: u64 = 10;

/// Contraction is estimated from this share of the budget on.
const FORECAST_SHARE: u64 = 20;

/// Steps of a table are short: this many count as one step of the budget.
const TABLE_STEPS: u64 = 8;

/// The build of a table, and its progress.
#[derive(Debug)]
pub(super) struct Forecast<'a> {
    limits: Limits<'a>,
    /// The number of nodes to keep.
    core: u64,
    /// The state of contraction at the last estimate: remaining nodes, and steps.
    last: (u64, u64),
    /// The steps of contraction.
    steps: u64,
    /// The number of arcs that there is room for.
    arcs: u64,
}

impl<'a> Forecast<'a> {
    /// For a core of this many nodes.
    pub(super) fn new(limits: Limits<'a>, core: usize) -> Self {
        Self { limits, core: core as u64, last: (0, 0), steps: 0, arcs: 0 }
    }

    /// Whether a map of this shape can have such a core, judged by a quick look.
    pub(super) fn check_shape(&mut self, shape: Shape) -> Result<(), Unsuited> {
        self.limits.shape = shape;
        (self.last, self.arcs) = ((shape.sites, 0), (shape.sites as f64 * shape.links_per_site) as u64);
        if shape.links_per_site > MAX_LINKS_PER_CORNER {
            return Err(Unsuited::Dense { links: shape.links_per_site as usize });
        }
        self.check(self.arcs, self.core)
    }

    /// Whether a graph of the subgoals may have this many links.
    pub(super) fn check_graph(&self, links: usize) -> Result<(), Unsuited> {
        self.check(0, self.core).and_then(|()| self.limits.check(0, links as u64 * ARC_BYTES))
    }

    /// Whether a contraction may continue.
    pub(super) fn check_contraction(&mut self, effort: Effort) -> Result<(), Unsuited> {
        let left = effort.left as u64;
        (self.steps, self.arcs) = (effort.steps, effort.arcs as u64);
        self.check(self.steps, self.core)?;
        let (before, steps) = self.last;
        // A tenth of the nodes is enough to estimate the cost of the next ones.
        if left * 10 > before * 9 {
            return Ok(());
        }
        let each = (self.steps - steps) as f64 / (before - left) as f64;
        self.last = (left, self.steps);
        if self.steps < self.limits.budget.steps / FORECAST_SHARE || left <= self.core {
            return Ok(());
        }
        let more = each * left as f64 * ln(left, self.core.max(1));
        self.check(self.steps.saturating_add(more as u64), self.core)
    }

    /// Whether a table of this many nodes may take this many steps.
    pub(super) fn check_table(&self, nodes: usize, steps: u64) -> Result<(), Unsuited> {
        self.check(self.steps + steps / TABLE_STEPS, nodes as u64)
    }

    fn check(&self, steps: u64, core: u64) -> Result<(), Unsuited> {
        let shape = self.limits.shape;
        let fixed = shape.cells * CELL_BYTES + shape.sites * SUBGOAL_BYTES;
        self.limits.check(steps, fixed + self.arcs * ARC_BYTES + core * core * SQUARE_BYTES)
    }
}

/// The natural logarithm of `above / below`, which is at least 1. The standard libraries of other machines round theirs
/// differently, and a map must be rejected on all machines or on none.
fn ln(above: u64, below: u64) -> f64 {
    let doublings = (above / below).ilog2();
    // At least 1 and below 2.
    let rest = above as f64 / (below << doublings) as f64;
    let y = (rest - 1.0) / (rest + 1.0);
    let series = (0..12).rev().fold(0.0, |sum, term| sum * y * y + 2.0 / f64::from(2 * term + 1));
    f64::from(doublings) * std::f64::consts::LN_2 + y * series
}

/// Whether the costs can represent all paths over a graph, with a hop at either end.
pub(super) fn check_length(grid: &Grid, graph: &Graph) -> Result<(), Unsuited> {
    let hop = Mid::between(Cell::new(0, 0), Cell::new(grid.width(), grid.height()));
    if graph.longest() + 2 * hop > MAX_MOVES * Mid::STRAIGHT { Err(LONG) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    #[test]
    fn logarithms_are_right() {
        for (above, below) in [(1, 1), (3, 2), (1999, 1000), (4096, 1), (123_456, 789), (1 << 40, 3)] {
            let expected = (above as f64 / below as f64).ln();
            assert!((super::ln(above, below) - expected).abs() < 1e-9 * (1.0 + expected), "{above} / {below}");
        }
    }
}
