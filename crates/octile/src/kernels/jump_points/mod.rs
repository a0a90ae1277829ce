//! The search over jump points, shared by several planners; they differ in how they scan the map for jump points.
//!
//! Every optimal path can be reordered so that each hop goes diagonally first, then straight, and turns only where an
//! obstacle forces it: at the jump points. A jump point stores the straight direction in which it was reached. From
//! there the search continues in that direction, and wherever an obstacle has just ended beside it, also to that side
//! and along the diagonal between. A cell reached in two directions at the same cost keeps the first: a path that
//! continues in the second direction is forced from the first one too, or some diagonal move is cheaper.
//!
//! Diagonal jump points never enter the open list: the straight scans of a diagonal walk are made in place, and a hop
//! leads from the start of the walk, diagonally first and then straight, to what they find. Scans do not look for the
//! goal: when a cell is taken from the open list, its diagonal-first hop to the goal is tested, and if the hop is free
//! the cell's f is the answer.

mod cache;
mod expand;
mod search;
mod windows;

pub(crate) use self::cache::{Cache, Changes, Remember};
pub(crate) use self::expand::{Expand, Scan, Sink, expand, expand_start};
pub(crate) use self::search::{JumpScratch, JumpSearch};
pub(crate) use self::windows::Windows;
use crate::geometry::{Cell, CellId, Dir};
use crate::grid::Grid;
use crate::grid::bits::BitLines;
use crate::grid::planes::Planes;
use crate::kernels::gates::GateQuery;

/// The spec of the planner that is this search and nothing else: what a planner that runs it has
/// [chosen](crate::Planner::chosen).
pub(crate) const SPEC: &str = "corner-sweep";

/// The same with a [`Cache`].
pub(crate) const CACHED_SPEC: &str = "corner-sweep:cache=on";

/// How jump points are found.
pub(crate) trait Scanner: Copy {
    /// Whether most of the numbers of nodes are never used.
    const IS_SPARSE: bool;

    /// The distance of the first jump point to the east or west.
    fn row<const EAST: bool>(self, cell: Cell) -> Option<u32>;

    /// The distance of the first jump point to the south or north.
    fn column<const SOUTH: bool>(self, cell: Cell) -> Option<u32>;

    /// Walks along a diagonal until it is blocked or leads to a cell that a gate does not let in. Calls `found` with
    /// the number of steps and the distances of the first jump points along the row and along the column, at least
    /// where there are any.
    fn diagonal<const EAST: bool, const SOUTH: bool>(
        self,
        cell: Cell,
        gates: &impl Gate,
        found: impl FnMut(u32, Option<u32>, Option<u32>),
    );

    /// Whether this many diagonal steps are legal.
    fn diagonal_is_free(self, cell: Cell, dir: Dir, steps: u32) -> bool;

    /// The maximum number of nodes of a search.
    fn nodes(self) -> usize;

    /// The number of the node of a jump point.
    fn node(self, cell: Cell) -> u32;

    /// The number of the node of any cell; if the cell is not a jump point, a number that no jump point has.
    fn start_node(self, cell: Cell) -> u32;
}

/// The cells that a search need not reach. Straight scans pass over such cells: only the jump points they find are
/// tested.
pub(crate) trait Gate: Copy {
    /// Whether some shortest path may enter a cell.
    fn lets_in(&self, id: CellId) -> bool;
}

#[derive(Clone, Copy)]
pub(crate) struct NoGates;

impl Gate for NoGates {
    #[inline]
    fn lets_in(&self, _: CellId) -> bool {
        true
    }
}

impl Gate for GateQuery<'_> {
    #[inline]
    fn lets_in(&self, id: CellId) -> bool {
        self.allows(id)
    }
}

/// For searches that are compiled once for both cases, with and without gates.
impl Gate for Option<GateQuery<'_>> {
    fn lets_in(&self, id: CellId) -> bool {
        self.as_ref().is_none_or(|gates| gates.allows(id))
    }
}

/// Tests whether a cell sees the goal: whether the hop that goes diagonally first, then straight, is free.
///
/// The straight part is free exactly if it lies in the free run of the goal's row or column. These runs are found once
/// per query, so two comparisons rule out most cells.
#[derive(Clone, Copy)]
pub(crate) struct GoalSight {
    goal: Cell,
    /// First and last free `x` around the goal in its row, first and last free `y` in its column.
    row: (u32, u32),
    column: (u32, u32),
}

impl GoalSight {
    pub(crate) fn new(grid: &Grid, goal: Cell) -> Self {
        // Padded positions are one larger; a run's end is the first blocked position.
        let run = |bits: &BitLines, line: u32, position: u32| {
            let (line, position) = (line as usize + 1, position as usize + 1);
            (bits.run_start(line, position) as u32 - 1, bits.run_end(line, position) as u32 - 2)
        };
        Self { goal, row: run(grid.rows(), goal.y, goal.x), column: run(grid.columns(), goal.x, goal.y) }
    }

    #[inline]
    pub(crate) fn sees(&self, scanner: impl Scanner, cell: Cell) -> bool {
        let (dx, dy) = (cell.x.abs_diff(self.goal.x), cell.y.abs_diff(self.goal.y));
        let (east, south) = (self.goal.x >= cell.x, self.goal.y >= cell.y);
        let diagonal = dx.min(dy);
        let turn_x = if east { cell.x + diagonal } else { cell.x - diagonal };
        let turn_y = if south { cell.y + diagonal } else { cell.y - diagonal };
        // The turn lies on the goal's row or column. On the other axis it is level with the goal, which is in its own
        // run.
        let in_run = |value: u32, run: (u32, u32)| value.wrapping_sub(run.0) <= run.1 - run.0;
        (in_run(turn_x, self.row) & in_run(turn_y, self.column)) && {
            scanner.diagonal_is_free(cell, Dir::diagonal(east, south), diagonal)
        }
    }

    /// For each of several positions, whether the goal may be visible from it: 1 or 0. `places` have x in the lower
    /// half and y in the upper one; `clearances` have the number of legal diagonal moves from each, with 255 for that
    /// many or more: a byte for each direction, the east ones a byte higher, the south ones two. Without branches, so
    /// that it compiles to vector code.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "what is not inlined is not compiled for the processor")]
    pub(crate) fn seen_from<const N: usize>(&self, places: &[u32; N], clearances: &[u32; N]) -> [u32; N] {
        let (goal_x, goal_y) = (self.goal.x as i32, self.goal.y as i32);
        let inside = |value: i32, run: (u32, u32)| u32::from((value as u32).wrapping_sub(run.0) <= run.1 - run.0);
        std::array::from_fn(|lane| {
            let (x, y) = ((places[lane] & 0xffff) as i32, (places[lane] >> 16) as i32);
            let (dx, dy) = (goal_x - x, goal_y - y);
            let (west, north) = (dx >> 31, dy >> 31);
            // Absolute values, with signs restored, by two's complement.
            let diagonal = ((dx ^ west) - west).min((dy ^ north) - north);
            let turn_x = x + ((diagonal ^ west) - west);
            let turn_y = y + ((diagonal ^ north) - north);
            let by_row = if dx > 0 { clearances[lane] >> 8 } else { clearances[lane] };
            let clearance = (if dy > 0 { by_row >> 16 } else { by_row }) & 255;
            let is_clear = u32::from(diagonal as u32 <= clearance) | u32::from(clearance == 255);
            // The turn lies on the goal's row or column. On the other axis it is level with the goal, which is in its
            // own run.
            inside(turn_x, self.row) & inside(turn_y, self.column) & is_clear
        })
    }
}

impl Scanner for &Planes {
    const IS_SPARSE: bool = false;

    #[inline]
    fn row<const EAST: bool>(self, cell: Cell) -> Option<u32> {
        self.row::<EAST>(cell)
    }

    #[inline]
    fn column<const SOUTH: bool>(self, cell: Cell) -> Option<u32> {
        self.column::<SOUTH>(cell)
    }

    #[inline]
    fn diagonal<const EAST: bool, const SOUTH: bool>(
        self,
        cell: Cell,
        _: &impl Gate,
        found: impl FnMut(u32, Option<u32>, Option<u32>),
    ) {
        self.diagonal::<EAST, SOUTH>(cell, found);
    }

    #[inline]
    fn diagonal_is_free(self, cell: Cell, dir: Dir, steps: u32) -> bool {
        self.diagonal_is_free(cell, dir.dx() > 0, dir.dy() > 0, steps)
    }

    #[inline]
    fn nodes(self) -> usize {
        self.jump_points() + 1
    }

    #[inline]
    fn node(self, cell: Cell) -> u32 {
        self.number(cell)
    }

    #[inline]
    fn start_node(self, cell: Cell) -> u32 {
        if self.is_numbered(cell) { self.number(cell) } else { self.jump_points() as u32 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::generate;
    use crate::grid::sight;

    /// The goal is visible exactly where the hop to it is free, for single cells and for several at a time.
    #[test]
    fn the_goal_is_seen_over_free_hops() {
        let mut seen = 0;
        for seed in 0..6 {
            for grid in [
                generate::random(13, 9, 5 + 6 * seed as u32, seed).unwrap(),
                generate::rooms(17, 17, 4, seed).unwrap(),
                generate::random(80, 5, 3, seed).unwrap(),
            ] {
                let planes = Planes::build(&grid);
                let cells: Vec<Cell> = grid.cells().filter(|&cell| grid.is_free(cell)).collect();
                for &goal in cells.iter().step_by(3) {
                    let goal_sight = GoalSight::new(&grid, goal);
                    for &cell in &cells {
                        let is_free = sight::hop_is_free(&grid, cell, goal);
                        assert_eq!(goal_sight.sees(&planes, cell), is_free, "{cell} {goal}\n{grid:?}");
                        let clearance = |east: bool, south: bool| {
                            planes.diagonal_steps(cell, east, south).min(255)
                                << (8 * u32::from(east) + 16 * u32::from(south))
                        };
                        let clearances = clearance(false, false)
                            | clearance(true, false)
                            | clearance(false, true)
                            | clearance(true, true);
                        let at_once = goal_sight.seen_from(&[cell.x | cell.y << 16], &[clearances]);
                        assert_eq!(at_once, [u32::from(is_free)], "{cell} {goal}\n{grid:?}");
                        seen += u32::from(is_free);
                    }
                }
            }
        }
        assert!(seen > 5_000, "{seen}");
    }
}
