//! Gates for planners that ask about the same few cells in every query: no table over all cells.
//!
//! # Edits
//! Gates can follow edits, and prune less and less. They stay those of the map that they were built for; what follows
//! is about one axis, and the graph of its runs. A gate holds if it is a straight line of free cells, of whatever
//! length, whose removal cuts cells off from both ends of a query.
//!
//! - **A cell closes.** Its run is *broken*: what is left of it is several nodes where there was one. Whatever another
//!   gate cuts off it still does, for a way around it would have been one before. So only the broken gate is lost: the
//!   blocks that it held together become one.
//! - **A cell opens** that was blocked when they were built. It is a node of its own, and joins the runs beside it: the
//!   blocks between those become one, as in any block-cut tree. Lines at whose end it lies are as straight as before,
//!   and so are gates.
//! - **A cell opens** that was free then, or one closes that was not: nothing is there that was not thought of.
//!
//! Where blocks have become one, all of them are *open*: their cells are never pruned. The tree of what is left is the
//! old one with connected parts of it drawn together, so the blocks between two cells are old ones between them, or
//! open. A cell that was not free then counts as part of a run that it was joined to.

use super::Way;
use super::axis::{Axis, AxisQuery, NONE, Point, Runs};
use crate::geometry::{Cell, Dir};
use crate::grid::Grid;

/// Gates are given up when more than one block in so many is open.
const MOST_OPEN: usize = 4;

/// The gates of a map, and all that queries ask about some of its cells.
#[derive(Clone, Debug)]
pub(crate) struct SpotGates {
    rows: Line,
    columns: Line,
    /// For each of the cells its row's and its column's.
    spots: Vec<[Point; 2]>,
    /// Cells that edits have freed, with the runs that they count to, in order.
    freed: Vec<(Cell, [u32; 2])>,
    is_edited: bool,
}

/// One axis.
#[derive(Clone, Debug)]
struct Line {
    runs: Runs,
    axis: Axis,
    /// Blocks that are open, apart from those that hang on a broken run.
    open: Bits,
    /// The gates that those hang on: they are part of them, but lie in others.
    tops: Bits,
    broken: Bits,
}

impl Line {
    fn new(way: Way) -> Self {
        let axis = Axis::build(&way.runs);
        Self { runs: way.runs, axis, open: Bits::default(), tops: Bits::default(), broken: Bits::default() }
    }

    /// Whether the run of a spot is part of an open block.
    fn is_open(&self, spot: Point) -> bool {
        let top = self.axis.top(spot.block());
        self.open.contains(spot.block()) || self.tops.contains(spot.run()) || top != NONE && self.broken.contains(top)
    }

    fn open(&mut self, block: u32) {
        self.open.insert(block);
        let top = self.axis.top(block);
        if top != NONE {
            self.tops.insert(top);
        }
    }

    /// A cell of a run has closed.
    fn break_run(&mut self, run: u32) {
        self.broken.insert(run);
        self.open(self.axis.spot(run).block());
    }

    /// Two runs have been joined. Returns whether that can be followed.
    fn join(&mut self, runs: [u32; 2]) -> bool {
        let blocks = self.axis.between(runs);
        blocks.iter().flatten().for_each(|&block| self.open(block));
        blocks.is_some()
    }

    /// Whether enough is left of it.
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

impl SpotGates {
    /// The gates of a map for some of its free cells.
    pub(crate) fn build(grid: &Grid, cells: &[Cell]) -> Self {
        let [rows, columns] = Way::both(grid).map(Line::new);
        let mut gates = Self { rows, columns, spots: Vec::new(), freed: Vec::new(), is_edited: false };
        gates.spots = cells.iter().map(|&cell| gates.spot(cell)).collect();
        gates
    }

    /// The runs of a free cell in its row and in its column.
    fn runs(&self, cell: Cell) -> [u32; 2] {
        if self.is_edited
            && let Ok(place) = self.freed.binary_search_by_key(&cell, |freed| freed.0)
        {
            return self.freed[place].1;
        }
        [self.rows.runs.find(cell.y + 1, cell.x + 1), self.columns.runs.find(cell.x + 1, cell.y + 1)]
    }

    /// The same for any cell, if it is or was free.
    fn known_runs(&self, cell: Cell) -> Option<[u32; 2]> {
        let freed = self.freed.binary_search_by_key(&cell, |freed| freed.0);
        freed.map(|place| self.freed[place].1).ok().or_else(|| self.first_runs(cell))
    }

    /// The runs of a cell that was free when they were built.
    fn first_runs(&self, cell: Cell) -> Option<[u32; 2]> {
        Some([self.rows.runs.get(cell.y + 1, cell.x + 1)?, self.columns.runs.get(cell.x + 1, cell.y + 1)?])
    }

    fn spot(&self, cell: Cell) -> [Point; 2] {
        let [row, column] = self.runs(cell);
        [self.rows.axis.spot(row), self.columns.axis.spot(column)]
    }

    /// Follows changes of some cells, each with whether it is free now. Returns whether that pays; if not, they must no
    /// longer be used.
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
        // Those beside runs first, then those beside them.
        loop {
            let left = freed.len();
            let mut follows = true;
            freed.retain(|&cell| {
                let beside = self.runs_beside(grid, cell);
                let Some(&[row, column]) = beside.first() else { return true };
                for [other_row, other_column] in beside {
                    follows &= self.rows.join([row, other_row]) && self.columns.join([column, other_column]);
                }
                if let Err(place) = self.freed.binary_search_by_key(&cell, |freed| freed.0) {
                    self.freed.insert(place, (cell, [row, column]));
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
        // Nothing is beside a cell that is left: there is no run to count it to.
        freed.is_empty() && self.rows.is_worth_it() && self.columns.is_worth_it()
    }

    /// The runs of the cells beside one that are or were free.
    fn runs_beside(&self, grid: &Grid, cell: Cell) -> Vec<[u32; 2]> {
        let beside = [Dir::N, Dir::E, Dir::S, Dir::W].map(|dir| dir.step(cell, 1));
        beside.into_iter().filter(|&beside| grid.contains(beside)).filter_map(|cell| self.known_runs(cell)).collect()
    }

    /// From now on, this number is that of a free cell.
    pub(crate) fn set(&mut self, number: u32, cell: Cell) {
        let spot = self.spot(cell);
        let len = self.spots.len().max(number as usize + 1);
        self.spots.resize(len, spot);
        self.spots[number as usize] = spot;
    }

    /// The gates as two free cells see them.
    pub(crate) fn query(&self, start: Cell, goal: Cell) -> SpotQuery<'_> {
        let ([start_row, start_column], [goal_row, goal_column]) = (self.runs(start), self.runs(goal));
        SpotQuery {
            gates: self,
            spots: &self.spots,
            rows: self.rows.axis.query(start_row, goal_row),
            columns: self.columns.axis.query(start_column, goal_column),
        }
    }

    /// How many of the cells a query between two of them needs, on average: from 0 to 1. Measured on random ones, the
    /// same every time.
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
        let (mut needed, mut asked) = (0, 0);
        for _ in 0..if cells.is_empty() { 0 } else { QUERIES } {
            let (start, goal) = (cells[random()], cells[random()]);
            if grid.may_connect(start, goal) {
                let query = self.query(start, goal);
                needed += (0..CELLS).filter(|_| query.allows(random() as u32)).count();
                asked += CELLS;
            }
        }
        if asked == 0 { 1.0 } else { needed as f64 / asked as f64 }
    }

    /// Memory in bytes.
    pub(crate) fn size_bytes(&self) -> usize {
        let lines = self.rows.size_bytes() + self.columns.size_bytes();
        lines + size_of_val(&self.spots[..]) + size_of_val(&self.freed[..])
    }
}

/// The gates as one query sees them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SpotQuery<'a> {
    gates: &'a SpotGates,
    spots: &'a [[Point; 2]],
    rows: AxisQuery<'a>,
    columns: AxisQuery<'a>,
}

impl SpotQuery<'_> {
    /// Whether a shortest path may enter the cell with this number.
    #[inline]
    pub(crate) fn allows(&self, number: u32) -> bool {
        let [row, column] = self.spots[number as usize];
        self.rows.allows_spot(row) && self.columns.allows_spot(column)
            || self.gates.is_edited && self.is_open([row, column])
    }

    /// The same, with what edits have opened.
    #[inline(never)]
    fn is_open(&self, [row, column]: [Point; 2]) -> bool {
        (self.rows.allows_spot(row) || self.gates.rows.is_open(row))
            && (self.columns.allows_spot(column) || self.gates.columns.is_open(column))
    }
}

/// A set of small numbers, which takes no memory while it is empty.
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
