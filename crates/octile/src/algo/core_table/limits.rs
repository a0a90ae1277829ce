//! How much a build may take. What it takes is counted, never timed: a map is refused everywhere or nowhere.
//!
//! **Told early.** Contraction takes longer with every node, as those that are left have more and more neighbours: on
//! the maps that were measured a node costs at least twice as much each time half of the others are gone. So what the
//! last nodes took tells what all of the others will take at least, and a map for which that is too much is refused.
//! Where corners of obstacles see dozens of others from the start, as in open cities, contraction does not pay, and is
//! not begun.

use std::sync::atomic::AtomicBool;

use super::{ABOUT, KIND};
use crate::geometry::Cell;
use crate::geometry::units::{Narrow, Units};
use crate::grid::Grid;
use crate::kernels::subgoals::contract::Effort;
use crate::kernels::subgoals::cost::{self, MAX_SUBGOALS, STRAIGHT};
use crate::kernels::subgoals::{Graph, Shape};
use crate::planner::{Budget, Build, BuildError, OverBudget, is_set};

/// The most cells of a map, padding included.
const MAX_CELLS: usize = 1 << 26;

/// The most links of a subgoal, on average, with which contraction pays.
const MAX_LINKS_PER_SUBGOAL: f64 = 24.0;

/// The most moves of the longest path, by an estimate that may be twice as much: costs stay below [`Narrow::LIMIT`].
const MAX_MOVES: u64 = 47_000;

const _: () = assert!(MAX_MOVES * Narrow::STRAIGHT as u64 + (Narrow::DIAGONAL as u64) < Narrow::LIMIT as u64);

/// What a cell, a subgoal, an arc and an entry of the square that the table is made from take while an index is built.
const CELL_BYTES: u64 = 48;
const SUBGOAL_BYTES: u64 = 96;
const ARC_BYTES: u64 = 36;
const SQUARE_BYTES: u64 = 10;

/// From this share of the budget on contraction is forecast.
const FORECAST_SHARE: u64 = 20;

/// Steps of a table are short: so many are one of a budget.
const TABLE_STEPS: u64 = 8;

/// What a build may take, and how it goes.
#[derive(Clone, Debug)]
pub(super) struct Limits<'a> {
    budget: Budget,
    /// What ends it, whatever it takes.
    cancel: Option<&'a AtomicBool>,
    /// Whether the index is built to be kept: then nobody is told to do that.
    is_for_file: bool,
    shape: Shape,
    /// Nodes that are to be left.
    core: u64,
    /// Where contraction stood when it was last forecast: nodes left, and steps.
    last: (u64, u64),
    /// Steps of contraction.
    steps: u64,
    /// Arcs that there is room for.
    arcs: u64,
}

impl<'a> Limits<'a> {
    pub(super) fn new(budget: Budget, is_for_file: bool) -> Self {
        Self { budget, cancel: None, is_for_file, shape: Shape::default(), core: 0, last: (0, 0), steps: 0, arcs: 0 }
    }

    /// Those of a build.
    pub(super) fn of(build: &Build<'a>, is_for_file: bool) -> Self {
        Self { cancel: build.cancel(), ..Self::new(build.budget(), is_for_file) }
    }

    /// Whether a map of this shape can have a core of so many nodes, as far as a glance tells.
    pub(super) fn check_shape(&mut self, shape: Shape, core: usize) -> Result<(), Unsuited> {
        (self.shape, self.core) = (shape, core as u64);
        (self.last, self.arcs) = ((shape.subgoals, 0), (shape.subgoals as f64 * shape.links_per_subgoal) as u64);
        if shape.links_per_subgoal > MAX_LINKS_PER_SUBGOAL {
            return Err(Unsuited::Dense { links: shape.links_per_subgoal as usize });
        }
        self.check(self.arcs, self.core)
    }

    /// Whether a graph of the subgoals may have so many links.
    pub(super) fn check_graph(&self, links: usize) -> Result<(), Unsuited> {
        self.check(0, self.core).and_then(|()| self.budget_check(0, links as u64 * ARC_BYTES))
    }

    /// Whether a contraction may go on.
    pub(super) fn check_contraction(&mut self, effort: Effort) -> Result<(), Unsuited> {
        let left = effort.left as u64;
        (self.steps, self.arcs) = (effort.steps, effort.arcs as u64);
        self.check(self.steps, self.core)?;
        let (before, steps) = self.last;
        // A tenth of the nodes tells what the next ones take.
        if left * 10 > before * 9 {
            return Ok(());
        }
        let each = (self.steps - steps) as f64 / (before - left) as f64;
        self.last = (left, self.steps);
        if self.steps < self.budget.steps / FORECAST_SHARE || left <= self.core {
            return Ok(());
        }
        let more = each * left as f64 * ln(left, self.core.max(1));
        self.check(self.steps.saturating_add(more as u64), self.core)
    }

    /// Whether a table of so many nodes may take so many steps.
    pub(super) fn check_table(&self, nodes: usize, steps: u64) -> Result<(), Unsuited> {
        self.check(self.steps + steps / TABLE_STEPS, nodes as u64)
    }

    fn check(&self, steps: u64, core: u64) -> Result<(), Unsuited> {
        let fixed = self.shape.cells * CELL_BYTES + self.shape.subgoals * SUBGOAL_BYTES;
        self.budget_check(steps, fixed + self.arcs * ARC_BYTES + core * core * SQUARE_BYTES)
    }

    fn budget_check(&self, steps: u64, bytes: u64) -> Result<(), Unsuited> {
        if is_set(self.cancel) {
            return Err(Unsuited::Cancelled);
        }
        let (subgoals, is_slow) = (self.shape.subgoals as usize, !self.is_for_file);
        self.budget.check(steps, bytes).map_err(|over| Unsuited::Budget { over, subgoals, is_slow })
    }
}

/// The natural logarithm of `above / below`, which is at least 1. Libraries for other machines round their own
/// differently, and a map must be refused everywhere or nowhere.
fn ln(above: u64, below: u64) -> f64 {
    let doublings = (above / below).ilog2();
    // At least 1 and below 2.
    let rest = above as f64 / (below << doublings) as f64;
    let y = (rest - 1.0) / (rest + 1.0);
    let series = (0..12).rev().fold(0.0, |sum, term| sum * y * y + 2.0 / f64::from(2 * term + 1));
    f64::from(doublings) * std::f64::consts::LN_2 + y * series
}

/// Whether a map can have a table at all.
pub(super) fn check_map(grid: &Grid, subgoals: usize) -> Result<(), Unsuited> {
    if grid.padded_cells() > MAX_CELLS {
        return Err(Unsuited::Cells { width: grid.width(), height: grid.height() });
    }
    if subgoals > MAX_SUBGOALS {
        return Err(Unsuited::Subgoals { found: subgoals });
    }
    Ok(())
}

/// Whether costs hold all paths over a graph, and a hop at either end.
pub(super) fn check_length(grid: &Grid, graph: &Graph) -> Result<(), Unsuited> {
    let hop = cost::between(Cell::new(0, 0), Cell::new(grid.width(), grid.height()));
    if graph.longest() + 2 * hop > MAX_MOVES * STRAIGHT { Err(Unsuited::Long) } else { Ok(()) }
}

/// Why a map gets no table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Unsuited {
    /// The map is too large.
    #[error("{width} x {height} cells are too many, at most {MAX_CELLS} can be done")]
    Cells {
        /// Cells in a row.
        width: u32,
        /// Rows.
        height: u32,
    },
    /// There are too many subgoals.
    #[error("it has {found} corners of obstacles, at most {MAX_SUBGOALS} can be told apart")]
    Subgoals {
        /// How many there are.
        found: usize,
    },
    /// Subgoals see too many others.
    #[error(
        "its corners of obstacles see {links} others on average, more than {MAX_LINKS_PER_SUBGOAL}: it is too open"
    )]
    Dense {
        /// How many others one sees, on average.
        links: usize,
    },
    /// The build was [cancelled](crate::Build::cancelled_by): [`BuildError::Cancelled`] tells it.
    #[error("the build was cancelled")]
    Cancelled,
    /// Paths are too long for the costs in tables.
    #[error("its paths may be longer than {MAX_MOVES} moves")]
    Long,
    /// It takes more than it may, or is going to.
    #[error("{}its {subgoals} corners of obstacles take {over}{}", opening(*.is_slow), end(*.is_slow))]
    Budget {
        /// What it takes.
        over: OverBudget,
        /// How many subgoals there are.
        subgoals: usize,
        /// Whether a build for a file, which may take longer, could do it.
        is_slow: bool,
    },
}

/// How a reason begins where an index takes long "for this map (...)".
fn opening(is_slow: bool) -> &'static str {
    if is_slow { "this map (" } else { "" }
}

fn end(is_slow: bool) -> &'static str {
    if is_slow { ")" } else { "" }
}

impl Unsuited {
    /// As the error of a build.
    pub(super) fn into_error(self) -> BuildError {
        match self {
            Self::Cancelled => BuildError::Cancelled,
            Self::Budget { is_slow: true, .. } => BuildError::takes_long(ABOUT.name, KIND, self),
            _ => BuildError::unsuited(KIND, self),
        }
    }
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
