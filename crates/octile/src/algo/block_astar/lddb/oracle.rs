//! The same distances by simple means, for tests: Bellman and Ford's relaxation over all pairs of points.

use super::{BlockSize, Distances, INF, NO_VIA, length};

/// The distances of a pattern between all points, by definition.
pub(super) struct Oracle {
    distances: Distances,
    size: BlockSize,
    /// The columns and rows of points.
    columns: usize,
    rows: usize,
    pattern: u64,
    /// The lengths of the straight lines between all points, grouped by start.
    straight: Vec<Option<u32>>,
}

impl Oracle {
    pub(super) fn new(distances: Distances, size: BlockSize, pattern: u64) -> Self {
        let (columns, rows) = size.points(usize::from(!distances.of_cells()));
        let points = columns * rows;
        let mut oracle = Self { distances, size, columns, rows, pattern, straight: Vec::new() };
        oracle.straight = (0..points * points).map(|pair| oracle.find_straight(pair / points, pair % points)).collect();
        oracle
    }

    fn free(&self, x: i32, y: i32) -> bool {
        let inside = |at: i32, end: usize| (0..end as i32).contains(&at);
        let (width, height) = (self.size.width(), self.size.height());
        inside(x, width) && inside(y, height) && self.pattern >> (y as usize * width + x as usize) & 1 == 0
    }

    fn is_on_rim(&self, point: usize) -> bool {
        let (x, y) = self.position(point);
        x == 0 || y == 0 || x + 1 == self.columns as i32 || y + 1 == self.rows as i32
    }

    fn position(&self, point: usize) -> (i32, i32) {
        ((point % self.columns) as i32, (point / self.columns) as i32)
    }

    /// The length of the straight line between two points, if it is free.
    fn straight(&self, from: usize, to: usize) -> Option<u32> {
        self.straight[from * self.columns * self.rows + to]
    }

    fn find_straight(&self, from: usize, to: usize) -> Option<u32> {
        let (a, b) = (self.position(from), self.position(to));
        let (dx, dy) = (b.0 - a.0, b.1 - a.1);
        let legal = if self.distances.of_cells() { self.is_run(a, dx, dy) } else { self.is_line(a, b) };
        legal.then(|| length(dx.unsigned_abs() as usize, dy.unsigned_abs() as usize))
    }

    fn is_run(&self, from: (i32, i32), dx: i32, dy: i32) -> bool {
        let (step_x, step_y) = (dx.signum(), dy.signum());
        let diagonal = step_x != 0 && step_y != 0;
        if diagonal && (dx.abs() != dy.abs() || self.distances == Distances::Tile) {
            return false;
        }
        let (mut x, mut y) = from;
        let mut legal = self.free(x, y);
        for _ in 0..dx.abs().max(dy.abs()) {
            legal &= self.free(x + step_x, y) && self.free(x, y + step_y) && self.free(x + step_x, y + step_y);
            (x, y) = (x + step_x, y + step_y);
        }
        legal
    }

    fn is_line(&self, a: (i32, i32), b: (i32, i32)) -> bool {
        if a == b {
            return self.around(a).contains(&true) && !self.is_pinch(a);
        }
        let clear = if a.0 == b.0 || a.1 == b.1 { self.axis_is_clear(a, b) } else { self.slope_is_clear(a, b) };
        clear && !self.is_pinch(b) && self.may_begin(a, b) && !Self::passed(a, b).any(|corner| self.is_pinch(corner))
    }

    fn axis_is_clear(&self, a: (i32, i32), b: (i32, i32)) -> bool {
        let (low, high) = ((a.0.min(b.0), a.1.min(b.1)), (a.0.max(b.0), a.1.max(b.1)));
        if low.1 == high.1 {
            (low.0..high.0).all(|x| self.free(x, low.1) || self.free(x, low.1 - 1))
        } else {
            (low.1..high.1).all(|y| self.free(low.0, y) || self.free(low.0 - 1, y))
        }
    }

    /// Tests the cells that contain the midpoints between successive crossings of the line with grid lines.
    fn slope_is_clear(&self, a: (i32, i32), b: (i32, i32)) -> bool {
        let (dx, dy) = (b.0 - a.0, b.1 - a.1);
        // Crossings lie at multiples of 1 / dx and of 1 / dy, so all are multiples of 1 / (dx * dy).
        let parts = dx.abs() * dy.abs();
        let mut crossings: Vec<i32> = (0..=dx.abs()).map(|i| i * dy.abs()).collect();
        crossings.extend((0..=dy.abs()).map(|i| i * dx.abs()));
        crossings.sort_unstable();
        crossings.dedup();
        crossings.windows(2).all(|pair| {
            let middle = f64::from(pair[0] + pair[1]) / 2.0 / f64::from(parts);
            let (x, y) = (f64::from(a.0) + middle * f64::from(dx), f64::from(a.1) + middle * f64::from(dy));
            self.free(x.floor() as i32, y.floor() as i32)
        })
    }

    /// The corners strictly inside a line.
    fn passed(a: (i32, i32), b: (i32, i32)) -> impl Iterator<Item = (i32, i32)> {
        let (dx, dy) = (b.0 - a.0, b.1 - a.1);
        let steps = (1..=dx.abs().max(dy.abs())).rev().find(|k| dx % k == 0 && dy % k == 0).unwrap_or(1);
        (1..steps).map(move |i| (a.0 + dx / steps * i, a.1 + dy / steps * i))
    }

    fn around(&self, (x, y): (i32, i32)) -> [bool; 4] {
        [(x - 1, y - 1), (x, y - 1), (x - 1, y), (x, y)].map(|(x, y)| self.free(x, y))
    }

    /// Whether no path may pass or turn at a corner.
    fn is_pinch(&self, (x, y): (i32, i32)) -> bool {
        let inside = |at: i32, end: usize| at > 0 && at < end as i32;
        let around = self.around((x, y));
        self.distances == Distances::NoSqueeze
            && inside(x, self.size.width())
            && inside(y, self.size.height())
            && (around == [true, false, false, true] || around == [false, true, true, false])
    }

    fn may_begin(&self, a: (i32, i32), b: (i32, i32)) -> bool {
        !self.is_pinch(a) || self.free(a.0, a.1) && b.0 >= a.0 && b.1 >= a.1
    }

    /// The distances from all points to a point of the rim, which is never a pinch.
    fn to(&self, goal: usize) -> Vec<u32> {
        let points = self.columns * self.rows;
        let mut found = vec![INF; points];
        if self.straight(goal, goal).is_none() {
            return found;
        }
        found[goal] = 0;
        let mut changed = true;
        while changed {
            changed = false;
            for from in 0..points {
                for to in (0..points).filter(|&to| to != from) {
                    if found[to] < INF
                        && let Some(step) = self.straight(from, to)
                        && found[to] + step < found[from]
                    {
                        found[from] = found[to] + step;
                        changed = true;
                    }
                }
            }
        }
        found
    }

    /// Checks a block against the oracle.
    pub(super) fn check(&self, block: &super::Block) {
        let points = self.columns * self.rows;
        let rim: Vec<usize> = (0..points).filter(|&at| self.is_on_rim(at)).collect();
        assert_eq!((block.points(), block.rim()), (points, rim.len()));
        for (lane, &goal) in rim.iter().enumerate() {
            let expected = self.to(goal);
            for (from, &expected) in expected.iter().enumerate() {
                let found = block.row(from)[lane];
                assert_eq!(found, expected, "{:?} {} {:x} {from} {goal}", self.distances, self.size, self.pattern);
            }
        }
        self.check_turns(block);
    }

    /// Checks that the turning points of a block form paths of the right lengths.
    pub(super) fn check_turns(&self, block: &super::Block) {
        let points = self.columns * self.rows;
        for (lane, goal) in (0..points).filter(|&at| self.is_on_rim(at)).enumerate() {
            for from in 0..points {
                let what = || format!("{:?} {} {:x} {from} {goal}", self.distances, self.size, self.pattern);
                let (distance, via) = (block.row(from)[lane], block.via(from)[lane]);
                if distance == INF {
                    assert_eq!(via, NO_VIA, "{}", what());
                    continue;
                }
                let via = usize::from(via);
                let step = self.straight(from, via).unwrap_or_else(|| panic!("{} via {via}", what()));
                assert_eq!(distance, step + block.row(via)[lane], "{} via {via}", what());
                assert!(via != from || from == goal, "{}", what());
                if self.straight(from, goal).is_some_and(|straight| straight == distance) {
                    assert_eq!(via, goal, "{}", what());
                }
            }
        }
    }
}
