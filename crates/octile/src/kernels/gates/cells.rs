//! Gates for planners that test the same few cells in every query: no table over all cells.
//!
//! # Edits
//! Gates can follow edits, pruning less and less. They remain the gates of the map they were built for. What follows is
//! about one axis and the graph of its runs. A gate holds if it is a straight line of free cells, of any length, whose
//! removal cuts cells off from both ends of a query.
//!
//! - **A cell closes.** Its run is *broken*: the rest of the run is several nodes where there was one. Every other gate
//!   still cuts off what it cut off: a path around it now would have been one before. So only the broken gate is lost:
//!   the blocks that it joined become one.
//! - **A cell opens** that was blocked when the gates were built. It is a new node, joined to the runs beside it. The
//!   blocks between those become one, as in any block-cut tree. A line that ends beside the cell is as straight as
//!   before, and so still a gate.
//! - **A cell opens** that was free at the build, or a cell closes that was blocked: both return to the state at the
//!   build, which is already covered.
//!
//! Where blocks have become one, all of them are *open*: their cells are never pruned. The current tree is the old one
//! with connected parts contracted. So the blocks between two cells are old blocks between them, or open. A cell that
//! was blocked at the build counts as part of a run that it was joined to.

use super::AxisRuns;
use super::axis::{Axis, AxisQuery, NONE, RunBlock, Runs};
use crate::geometry::{Cell, Dir};
use crate::grid::Grid;

/// Drop the gates once more than one block in this many is open.
const MOST_OPEN: usize = 4;

/// The gates of a map, with the runs of a fixed list of cells.
#[derive(Clone, Debug)]
pub(crate) struct CellGates {
    rows: GateAxis,
    columns: GateAxis,
    /// For each of the cells, its row run and its column run.
    cells: Vec<[RunBlock; 2]>,
    /// Cells that edits have freed, sorted, with the runs that they count as part of.
    freed: Vec<(Cell, [u32; 2])>,
    is_edited: bool,
}

/// One axis.
#[derive(Clone, Debug)]
struct GateAxis {
    runs: Runs,
    axis: Axis,
    /// Blocks that are open, except those open because they hang on a broken run.
    open: Bits,
    /// The gates on which the open blocks hang: they are part of those blocks too, but belong to others.
    tops: Bits,
    broken: Bits,
}

impl GateAxis {
    fn new(runs: AxisRuns) -> Self {
        let axis = Axis::build(&runs.runs);
        Self { runs: runs.runs, axis, open: Bits::default(), tops: Bits::default(), broken: Bits::default() }
    }

    /// Whether a run is part of an open block.
    fn is_open(&self, run: RunBlock) -> bool {
        let top = self.axis.top(run.block());
        self.open.contains(run.block()) || self.tops.contains(run.run()) || top != NONE && self.broken.contains(top)
    }

    fn open(&mut self, block: u32) {
        self.open.insert(block);
        let top = self.axis.top(block);
        if top != NONE {
            self.tops.insert(top);
        }
    }

    /// Marks a run with a closed cell as broken.
    fn break_run(&mut self, run: u32) {
        self.broken.insert(run);
        self.open(self.axis.run_block(run).block());
    }

    /// Joins two runs. Returns whether the gates can follow that.
    fn join(&mut self, runs: [u32; 2]) -> bool {
        let blocks = self.axis.between(runs);
        blocks.iter().flatten().for_each(|&block| self.open(block));
        blocks.is_some()
    }

    /// Whether enough of the gates is left to pay.
    fn is_worth_it(&self) -> bool {
        self.open.len + self.broken.len <= self.axis.blocks() / MOST_OPEN + 16
    }

    fn size_bytes(&self) -> usize {
        self.runs.size_bytes()
            + self.axis.size_bytes()
            + self.open.size_bytes()
            + self.tops.size_bytes()
            + self.broken.size_bytes()
    }
}

impl CellGates {
    /// Builds the gates of a map for some of its free cells.
    pub(crate) fn build(grid: &Grid, cells: &[Cell]) -> Self {
        let [rows, columns] = AxisRuns::both(grid).map(GateAxis::new);
        let mut gates = Self { rows, columns, cells: Vec::new(), freed: Vec::new(), is_edited: false };
        gates.cells = cells.iter().map(|&cell| gates.run_blocks(cell)).collect();
        gates
    }

    /// The row run and the column run of a free cell.
    fn runs(&self, cell: Cell) -> [u32; 2] {
        if self.is_edited
            && let Ok(index) = self.freed.binary_search_by_key(&cell, |freed| freed.0)
        {
            return self.freed[index].1;
        }
        [self.rows.runs.find(cell.y + 1, cell.x + 1), self.columns.runs.find(cell.x + 1, cell.y + 1)]
    }

    /// The runs of any cell that is free now or was free at the build.
    fn known_runs(&self, cell: Cell) -> Option<[u32; 2]> {
        let freed = self.freed.binary_search_by_key(&cell, |freed| freed.0);
        freed.map(|index| self.freed[index].1).ok().or_else(|| self.first_runs(cell))
    }

    /// The runs of a cell that was free at the build.
    fn first_runs(&self, cell: Cell) -> Option<[u32; 2]> {
        Some([self.rows.runs.get(cell.y + 1, cell.x + 1)?, self.columns.runs.get(cell.x + 1, cell.y + 1)?])
    }

    fn run_blocks(&self, cell: Cell) -> [RunBlock; 2] {
        let [row, column] = self.runs(cell);
        [self.rows.axis.run_block(row), self.columns.axis.run_block(column)]
    }

    /// Follows changes of some cells, each given with whether it is free now. Returns whether the gates still pay; if
    /// not, they must no longer be used.
    pub(crate) fn follow(&mut self, grid: &Grid, changes: &[(Cell, bool)]) -> bool {
        self.is_edited = true;
        let mut freed = Vec::new();
        for &(cell, is_free) in changes {
            match self.first_runs(cell) {
                Some([row, column]) if !is_free => {
                    self.rows.break_run(row);
                    self.columns.break_run(column);
                }
                None if is_free && self.known_runs(cell).is_none() => freed.push(cell),
                _ => {}
            }
        }
        // First the cells beside runs, then the cells beside those.
        loop {
            let left = freed.len();
            let mut follows = true;
            freed.retain(|&cell| {
                let beside = self.runs_beside(grid, cell);
                let Some(&[row, column]) = beside.first() else { return true };
                for [other_row, other_column] in beside {
                    follows &= self.rows.join([row, other_row]) && self.columns.join([column, other_column]);
                }
                if let Err(index) = self.freed.binary_search_by_key(&cell, |freed| freed.0) {
                    self.freed.insert(index, (cell, [row, column]));
                }
                false
            });
            if !follows {
                return false;
            }
            if freed.len() == left {
                break;
            }
        }
        // No run is beside the cells that are left, so they cannot count as part of one.
        freed.is_empty() && self.rows.is_worth_it() && self.columns.is_worth_it()
    }

    /// The runs of the cells beside a cell that are free now or were free at the build.
    fn runs_beside(&self, grid: &Grid, cell: Cell) -> Vec<[u32; 2]> {
        let beside = [Dir::N, Dir::E, Dir::S, Dir::W].map(|dir| dir.step(cell, 1));
        beside.into_iter().filter(|&beside| grid.contains(beside)).filter_map(|cell| self.known_runs(cell)).collect()
    }

    /// Assigns a number to a free cell.
    pub(crate) fn set(&mut self, number: u32, cell: Cell) {
        let run_blocks = self.run_blocks(cell);
        let len = self.cells.len().max(number as usize + 1);
        self.cells.resize(len, run_blocks);
        self.cells[number as usize] = run_blocks;
    }

    /// The gates for a query between two free cells.
    pub(crate) fn query(&self, start: Cell, goal: Cell) -> CellGateQuery<'_> {
        let ([start_row, start_column], [goal_row, goal_column]) = (self.runs(start), self.runs(goal));
        CellGateQuery {
            gates: self,
            cells: &self.cells,
            rows: self.rows.axis.query(start_row, goal_row),
            columns: self.columns.axis.query(start_column, goal_column),
        }
    }

    /// The fraction of the cells that a query between two of them needs, on average: from 0 to 1. Measured on a fixed
    /// set of random queries.
    pub(crate) fn share(&self, grid: &Grid, cells: &[Cell]) -> f64 {
        const QUERIES: usize = 48;
        const CELLS: usize = 48;
        let mut state = 0x9e37_79b9_7f4a_7c15_u64;
        let mut random = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 11) as usize % cells.len()
        };
        let (mut needed, mut tested) = (0, 0);
        for _ in 0..if cells.is_empty() { 0 } else { QUERIES } {
            let (start, goal) = (cells[random()], cells[random()]);
            if grid.may_connect(start, goal) {
                let query = self.query(start, goal);
                needed += (0..CELLS).filter(|_| query.allows(random() as u32)).count();
                tested += CELLS;
            }
        }
        if tested == 0 { 1.0 } else { needed as f64 / tested as f64 }
    }

    /// Memory in bytes.
    pub(crate) fn size_bytes(&self) -> usize {
        let lines = self.rows.size_bytes() + self.columns.size_bytes();
        lines + size_of_val(&self.cells[..]) + size_of_val(&self.freed[..])
    }
}

/// The gates for one query.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CellGateQuery<'a> {
    gates: &'a CellGates,
    cells: &'a [[RunBlock; 2]],
    rows: AxisQuery<'a>,
    columns: AxisQuery<'a>,
}

impl CellGateQuery<'_> {
    /// Whether a shortest path may enter the cell with this number.
    #[inline]
    pub(crate) fn allows(&self, number: u32) -> bool {
        let [row, column] = self.cells[number as usize];
        self.rows.allows_block(row) && self.columns.allows_block(column)
            || self.gates.is_edited && self.is_open([row, column])
    }

    /// As `allows`, with the blocks that edits have opened.
    #[inline(never)]
    fn is_open(&self, [row, column]: [RunBlock; 2]) -> bool {
        (self.rows.allows_block(row) || self.gates.rows.is_open(row))
            && (self.columns.allows_block(column) || self.gates.columns.is_open(column))
    }
}

/// A set of small numbers that uses no memory while empty.
#[derive(Clone, Debug, Default)]
struct Bits {
    words: Vec<u64>,
    len: usize,
}

impl Bits {
    fn insert(&mut self, number: u32) {
        let (word, bit) = (number as usize / 64, 1 << (number % 64));
        self.words.resize(self.words.len().max(word + 1), 0);
        self.len += usize::from(self.words[word] & bit == 0);
        self.words[word] |= bit;
    }

    fn contains(&self, number: u32) -> bool {
        self.words.get(number as usize / 64).is_some_and(|word| word >> (number % 64) & 1 == 1)
    }

    fn size_bytes(&self) -> usize {
        size_of_val(&self.words[..])
    }
}
