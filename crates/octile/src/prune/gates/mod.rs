//! Axis gates: free rows and columns behind which a query need not look.
//!
//! **Lemma.** Two cells on one straight free run have a unique shortest path, the run itself. So if the removal of a maximal
//! free run of a row or column cuts off cells from both start and goal, *no* shortest path enters those: it would have to
//! leave and return through that run.
//!
//! As no shortest path enters a pruned cell, such prunings go together with each other, with rows and columns, with safe
//! [blocked areas](super::blocked_areas), and with searches that follow canonical paths only, such as jump point search. The
//! lemma holds under all three movement rules. It is not in the paper on blocked areas, whose polygons cover little of a
//! game map; gates work for any shape of obstacle.
//!
//! `axis.rs` finds the gates of one axis. A query takes O(log n) to set up, and a cell two comparisons of intervals
//! to test.

mod axis;

use self::axis::{Axis, AxisQuery, Runs};
use super::Pruner;
use crate::cell::CellId;
use crate::grid::bits::BitLines;
use crate::{Cell, Dir, DirSet, Grid, Movement};

/// The gates of a map, in rows and in columns.
#[derive(Clone, Debug)]
pub struct Gates {
    rows: Axis,
    columns: Axis,
    /// For each padded cell id the straight moves that may lead past a gate: all others stay among what a query needs.
    crossings: Vec<u8>,
    /// How much of the map a query needs on average, in thousandths.
    share: u32,
}

impl Gates {
    /// Finds the gates of a map.
    pub fn build(grid: &Grid) -> Self {
        let rows = Axis::build(grid.rows(), grid.height(), grid.width());
        let columns = Axis::build(grid.columns(), grid.width(), grid.height());
        Self::new(grid, rows, columns)
    }

    fn new(grid: &Grid, rows: Axis, columns: Axis) -> Self {
        let crossings = crossings(grid, &rows, &columns);
        let mut gates = Self { rows, columns, crossings, share: 1000 };
        gates.share = gates.sample_share(grid);
        gates
    }

    /// How much of the cells that its start reaches a query needs, on average: from 0 to 1. Measured on random queries, the
    /// same ones every time.
    pub fn share(&self) -> f64 {
        f64::from(self.share) / 1000.0
    }

    /// Memory in bytes.
    pub fn size_bytes(&self) -> usize {
        self.rows.size_bytes() + self.columns.size_bytes() + self.crossings.len()
    }

    /// Whether some shortest path from `start` to `goal`, both free, may enter a free cell: if not, none does.
    pub fn may_enter(&self, start: Cell, goal: Cell, cell: Cell) -> bool {
        self.query(start, goal).allows(cell)
    }

    /// The gates as two free cells see them.
    pub(crate) fn query(&self, start: Cell, goal: Cell) -> GateQuery<'_> {
        GateQuery {
            gates: self,
            rows: self.rows.query((start.y + 1, start.x + 1), (goal.y + 1, goal.x + 1)),
            columns: self.columns.query((start.x + 1, start.y + 1), (goal.x + 1, goal.y + 1)),
        }
    }

    fn sample_share(&self, grid: &Grid) -> u32 {
        const QUERIES: u32 = 48;
        const CELLS: u32 = 48;
        let mut state = 0x9e37_79b9_7f4a_7c15_u64;
        let mut random_cell = || {
            // Free cells are rare on some maps, but not so rare that a thousand tries miss them all.
            (0..1000).find_map(|_| {
                state ^= state << 13;
                state ^= state >> 7;
                state ^= state << 17;
                let (x, y) = ((state >> 32) as u32 % grid.width(), state as u32 % grid.height());
                grid.is_free(Cell::new(x, y)).then_some(Cell::new(x, y))
            })
        };
        let (mut allowed, mut tested) = (0, 0);
        for _ in 0..QUERIES {
            let (Some(start), Some(goal)) = (random_cell(), random_cell()) else { break };
            if !grid.may_connect(start, goal) {
                continue;
            }
            let query = self.query(start, goal);
            for _ in 0..CELLS {
                if let Some(cell) = random_cell().filter(|&cell| grid.may_connect(start, cell)) {
                    tested += 1;
                    allowed += u32::from(query.allows(cell));
                }
            }
        }
        (allowed * 1000).checked_div(tested).unwrap_or(1000)
    }
}

/// The straight moves of every cell that leave a run which is the top of a block, or enter one. Between two runs that are no
/// tops nothing changes: they have one block and it is the same.
fn crossings(grid: &Grid, rows: &Axis, columns: &Axis) -> Vec<u8> {
    let mark = |axis: &Axis, lines: u32, len: u32| {
        let mut bits = BitLines::new(lines as usize + 2, len as usize + 2);
        for ((line, (first, last)), is_top) in axis.runs.iter().zip(axis.tops()) {
            if is_top {
                bits.fill(line, first as usize, last as usize, true);
            }
        }
        bits
    };
    let rows = mark(rows, grid.height(), grid.width());
    let columns = mark(columns, grid.width(), grid.height())
        .transposed(grid.width() as usize + 2, grid.height() as usize + 2);
    let mut crossings = vec![0; grid.padded_cells()];
    let stride = grid.stride() as usize;
    let bit = |dir: Dir| 1_u8 << dir as u8;
    for y in 1..=grid.height() as usize {
        for x in 1..=grid.width() as usize {
            let row = |y| u8::from(rows.get(y, x));
            let column = |x| u8::from(columns.get(y, x));
            let (here_row, here_column) = (row(y), column(x));
            crossings[y * stride + x] = (here_row | row(y - 1)) * bit(Dir::N)
                | (here_row | row(y + 1)) * bit(Dir::S)
                | (here_column | column(x - 1)) * bit(Dir::W)
                | (here_column | column(x + 1)) * bit(Dir::E);
        }
    }
    crossings
}

/// The gates as one query sees them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GateQuery<'a> {
    gates: &'a Gates,
    rows: AxisQuery,
    columns: AxisQuery,
}

impl GateQuery<'_> {
    /// Whether a shortest path may enter a free cell.
    #[inline]
    pub(crate) fn allows(&self, cell: Cell) -> bool {
        self.allows_row(cell) && self.allows_column(cell)
    }

    #[inline]
    fn allows_row(&self, cell: Cell) -> bool {
        self.gates.rows.allows(&self.rows, cell.y + 1, cell.x + 1)
    }

    #[inline]
    fn allows_column(&self, cell: Cell) -> bool {
        self.gates.columns.allows(&self.columns, cell.x + 1, cell.y + 1)
    }

    /// Which straight moves from a cell may lead past a gate.
    #[inline]
    pub(crate) fn crossings(&self, id: CellId) -> DirSet {
        DirSet(self.gates.crossings[id.index()])
    }
}

impl Pruner for GateQuery<'_> {
    /// A move along a row stays in its run of that row, so that only the column is new, and the other way round; a diagonal
    /// move without corner cutting ends in the row of one straight move and the column of another.
    #[inline]
    fn moves(&self, grid: &Grid, id: CellId, cell: Cell) -> DirSet {
        let legal = grid.moves_of(id);
        let crossing = DirSet(legal.0 & self.crossings(id).0);
        if crossing.0 == 0 || grid.movement() == Movement::OctileCutting {
            return legal;
        }
        let mut refused = 0;
        for dir in crossing {
            let next = dir.step(cell, 1);
            let allowed = if dir.dx() == 0 { self.allows_row(next) } else { self.allows_column(next) };
            if !allowed {
                refused |= FAN[dir as usize];
            }
        }
        DirSet(legal.0 & !refused)
    }

    /// With corner cutting, a diagonal move may end where no straight one does.
    #[inline]
    fn may_enter(&self, grid: &Grid, _: CellId, cell: Cell) -> bool {
        grid.movement() != Movement::OctileCutting || self.allows(cell)
    }
}

/// A direction and the two beside it, for each.
const FAN: [u8; 8] = {
    let mut fans = [0; 8];
    let mut i = 0;
    while i < 8 {
        fans[i] = 1 << i | 1 << ((i + 1) % 8) | 1 << ((i + 7) % 8);
        i += 1;
    }
    fans
};
