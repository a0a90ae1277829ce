//! What a race wants to know of a search.

use octile::{Cell, Corner, Counts, Grid, Probe, Query};

/// Counts what a search does, query by query, and how often it expands the same again.
///
/// Searches over corners tell of cells, of which those at the right and lower edge stand for two corners or four: what is the
/// same is certain for searches over cells and blocks only.
pub(crate) struct Watch {
    pub(crate) counts: Counts,
    /// Expansions of what had been expanded before in the same query.
    pub(crate) repeated: u64,
    width: u32,
    /// The query in which a cell was expanded last.
    last: Vec<u32>,
    query: u32,
}

impl Watch {
    pub(crate) fn new(grid: &Grid) -> Self {
        let last = vec![0; grid.width() as usize * grid.height() as usize];
        Self { counts: Counts::default(), repeated: 0, width: grid.width(), last, query: 0 }
    }
}

impl Probe for Watch {
    fn started(&mut self, _query: Query) {
        (self.counts, self.repeated) = (Counts::default(), 0);
        self.query += 1;
    }

    fn reached(&mut self, cell: Cell, first: bool) {
        self.counts.reached(cell, first);
    }

    fn expanded(&mut self, cell: Cell) {
        self.counts.expanded(cell);
        let last = &mut self.last[(cell.y * self.width + cell.x) as usize];
        self.repeated += u64::from(*last == self.query);
        *last = self.query;
    }

    fn sight(&mut self, from: Corner, to: Corner) {
        self.counts.sight(from, to);
    }

    fn touched(&mut self, cell: Cell) {
        self.counts.touched(cell);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expansions_are_repeated_only_within_a_query() {
        let mut watch = Watch::new(&Grid::open(3, 2).unwrap());
        let (one, other) = (Cell::new(2, 0), Cell::new(0, 1));
        for (cells, counted) in [(vec![one, other, one, one], (4, 2)), (vec![one, other], (2, 0))] {
            watch.started(Query::new(one, other));
            for cell in cells {
                watch.expanded(cell);
            }
            assert_eq!((watch.counts.expanded, watch.repeated), counted);
        }
    }
}
