//! Gates for planners that ask about the same few cells in every query: no table over all cells.

use super::Way;
use super::axis::{Axis, AxisQuery, Runs, Spot};
use crate::geometry::Cell;
use crate::grid::Grid;

/// The gates of a map, and all that queries ask about some of its cells.
#[derive(Clone, Debug)]
pub(crate) struct SpotGates {
    rows: (Runs, Axis),
    columns: (Runs, Axis),
    /// For each of the cells its row's and its column's.
    spots: Vec<[Spot; 2]>,
}

impl SpotGates {
    /// The gates of a map for some of its free cells.
    pub(crate) fn build(grid: &Grid, cells: &[Cell]) -> Self {
        let [rows, columns] = Way::both(grid).map(|way| {
            let axis = Axis::build(&way.runs);
            (way.runs, axis)
        });
        let mut gates = Self { rows, columns, spots: Vec::new() };
        gates.spots = cells
            .iter()
            .map(|&cell| gates.runs(cell))
            .map(|[row, column]| [gates.rows.1.spot(row), gates.columns.1.spot(column)])
            .collect();
        gates
    }

    /// The runs of a free cell in its row and in its column.
    fn runs(&self, cell: Cell) -> [u32; 2] {
        [self.rows.0.find(cell.y + 1, cell.x + 1), self.columns.0.find(cell.x + 1, cell.y + 1)]
    }

    /// The gates as two free cells see them.
    pub(crate) fn query(&self, start: Cell, goal: Cell) -> SpotQuery<'_> {
        let ([start_row, start_column], [goal_row, goal_column]) = (self.runs(start), self.runs(goal));
        SpotQuery {
            spots: &self.spots,
            rows: self.rows.1.query(start_row, goal_row),
            columns: self.columns.1.query(start_column, goal_column),
        }
    }

    /// How many of the cells a query between two of them needs, on average: from 0 to 1. Measured on random ones, the same every
    /// time.
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
        let axis = |(runs, axis): &(Runs, Axis)| runs.size_bytes() + axis.size_bytes();
        axis(&self.rows) + axis(&self.columns) + size_of_val(&self.spots[..])
    }
}

/// The gates as one query sees them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SpotQuery<'a> {
    spots: &'a [[Spot; 2]],
    rows: AxisQuery<'a>,
    columns: AxisQuery<'a>,
}

impl SpotQuery<'_> {
    /// Whether a shortest path may enter the cell with this number.
    #[inline]
    pub(crate) fn allows(&self, number: u32) -> bool {
        let [row, column] = self.spots[number as usize];
        self.rows.allows_spot(row) && self.columns.allows_spot(column)
    }
}
