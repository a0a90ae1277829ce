//! Probes that commands use to watch a search.

use octile::geometry::Corner;
use octile::planner::{Counts, Probe};
use octile::{Cell, Grid, Path, PathQuery, Point};

/// The hops of a path, from planners that report them.
#[derive(Clone, Debug, Default)]
pub struct Hops {
    /// The ends of the hops, from start to goal; the straight line between neighbouring points is free. Empty if no hop
    /// was reported.
    pub points: Vec<Cell>,
}

impl Hops {
    /// The length of the straight lines between the points; that of the path itself if there are none.
    pub fn straight_length(&self, path: &Path) -> f64 {
        if self.points.is_empty() || path.is_any_angle() {
            return path.length();
        }
        self.points.windows(2).map(|hop| Corner::of(hop[0]).distance(Corner::of(hop[1]))).sum()
    }
}

impl Probe for Hops {
    fn started(&mut self, _query: PathQuery) {
        self.points.clear();
    }

    fn hop(&mut self, from: Cell, to: Cell) {
        if self.points.is_empty() {
            self.points.push(from);
        }
        self.points.push(to);
    }
}

/// Counts the work of a search, and how often it expands the same node again within a query.
///
/// Searches over corners report cells, and a cell at the right or lower edge stands for two or four corners: repeated
/// expansions are exact only for searches over cells and blocks.
pub struct Watch {
    /// The counts of all searches.
    pub counts: Counts,
    /// Repeated expansions in the same query.
    pub repeated: u64,
    /// The hops of the path, if the planner reports them.
    pub hops: Hops,
    width: u32,
    /// For each cell, the query that expanded it last.
    last: Vec<u32>,
    query: u32,
}

impl Watch {
    /// A watch for searches on a map.
    pub fn new(grid: &Grid) -> Self {
        let last = vec![0; grid.width() as usize * grid.height() as usize];
        Self { counts: Counts::default(), repeated: 0, hops: Hops::default(), width: grid.width(), last, query: 0 }
    }
}

impl Probe for Watch {
    fn started(&mut self, query: PathQuery) {
        (self.counts, self.repeated) = (Counts::default(), 0);
        self.hops.started(query);
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

    fn sight(&mut self, from: Point, to: Point) {
        self.counts.sight(from, to);
    }

    fn hop(&mut self, from: Cell, to: Cell) {
        self.hops.hop(from, to);
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
            watch.started(PathQuery::new(one, other));
            for cell in cells {
                watch.expanded(cell);
            }
            assert_eq!((watch.counts.expanded, watch.repeated), counted);
        }
    }

    #[test]
    fn straight_lines_are_those_of_the_hops_or_the_path_itself() {
        let path = Path::through([(0, 0), (3, 3), (4, 3), (4, 4)]).unwrap();
        let mut hops = Hops::default();
        assert!((hops.straight_length(&path) - path.length()).abs() < 1e-12);
        hops.hop(Cell::new(0, 0), Cell::new(4, 3));
        hops.hop(Cell::new(4, 3), Cell::new(4, 4));
        assert_eq!(hops.points, [(0, 0), (4, 3), (4, 4)].map(Cell::from));
        assert!((hops.straight_length(&path) - 6.0).abs() < 1e-12);
        hops.started(PathQuery::new((0, 0), (1, 1)));
        assert!(hops.points.is_empty());
    }
}
