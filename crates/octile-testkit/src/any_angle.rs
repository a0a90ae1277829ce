//! The oracle for any-angle paths, written for reading: a line-of-sight test checks every cell, step and corner along
//! the line, in whole numbers, and a shortest path may turn at every corner of the map.
//!
//! Coordinates are in halves of a cell, so that centres are whole numbers too: both even at a corner, both odd at a
//! centre.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use octile::geometry::Corner;
use octile::grid::Squeeze;
use octile::{Grid, Point};

use crate::oracle::is_free;

/// A point in halves of a cell.
type Halves = (i64, i64);

fn halves(point: Point) -> Halves {
    (point.halves().0.into(), point.halves().1.into())
}

/// Whether a straight line between two points is free. A point sees itself.
pub fn sees(grid: &Grid, a: Point, b: Point, squeeze: Squeeze) -> bool {
    if a == b {
        return true;
    }
    let (a, b) = (halves(a), halves(b));
    let free = |x, y| is_free(grid, x, y);
    // Swapping rows and columns makes a steep line a flat one.
    if (a.0 - b.0).abs() >= (a.1 - b.1).abs() {
        is_open(&Line::new(a, b), &free, squeeze)
    } else {
        is_open(&Line::new((a.1, a.0), (b.1, b.0)), &|x, y| free(y, x), squeeze)
    }
}

/// A line from left to right, with a slope of at most 1.
struct Line {
    from: Halves,
    to: Halves,
}

impl Line {
    fn new(a: Halves, b: Halves) -> Self {
        Self { from: a.min(b), to: a.max(b) }
    }

    fn width(&self) -> i64 {
        self.to.0 - self.from.0
    }

    /// The y of the line at `x`, in halves of a cell times the line's width.
    fn y_at(&self, x: i64) -> i64 {
        self.from.1 * self.width() + (x - self.from.0) * (self.to.1 - self.from.1)
    }

    /// The rows of the cells in a column whose inside the line crosses.
    fn rows_in(&self, column: i64) -> std::ops::Range<i64> {
        let [enter, leave] = [(2 * column).max(self.from.0), (2 * column + 2).min(self.to.0)].map(|x| self.y_at(x));
        let row = 2 * self.width();
        enter.min(leave).div_euclid(row)..-(-enter.max(leave)).div_euclid(row)
    }

    /// The columns of cells that the line crosses.
    fn columns(&self) -> std::ops::Range<i64> {
        self.from.0 / 2..(self.to.0 + 1) / 2
    }

    /// Whether the line lies on the edge between two rows.
    fn is_edge(&self) -> bool {
        self.from.1 == self.to.1 && self.from.1 % 2 == 0
    }

    /// The corners on the line, including its ends if these are corners.
    fn corners(&self) -> impl Iterator<Item = Halves> + '_ {
        let xs = (self.from.0..=self.to.0).filter(|x| x % 2 == 0);
        let row = 2 * self.width();
        xs.filter(move |&x| self.y_at(x) % row == 0).map(move |x| (x / 2, self.y_at(x) / row))
    }
}

fn is_open(line: &Line, free: &dyn Fn(i64, i64) -> bool, squeeze: Squeeze) -> bool {
    let is_inside_free = |column| line.rows_in(column).all(|row| free(column, row));
    let row = line.from.1 / 2;
    let is_beside_free = |column| !line.is_edge() || free(column, row - 1) || free(column, row);
    line.columns().all(|column| is_inside_free(column) && is_beside_free(column))
        && (squeeze == Squeeze::Allowed || line.corners().all(|corner| may_touch(line, corner, free)))
}

/// Whether a line may touch a corner without squeezing. If two free cells meet only at this corner, only lines that end
/// there on the side of the lower right cell may, or none. Swapping rows and columns does not change the rule.
fn may_touch(line: &Line, (x, y): (i64, i64), free: &dyn Fn(i64, i64) -> bool) -> bool {
    match [free(x - 1, y - 1), free(x, y - 1), free(x - 1, y), free(x, y)] {
        [false, true, true, false] => false,
        [true, false, false, true] => {
            let is_end = [line.from, line.to].contains(&(2 * x, 2 * y));
            is_end && line.from.0 >= 2 * x && line.from.1.min(line.to.1) >= 2 * y
        }
        _ => true,
    }
}

/// The corners in sight of a point, with their distances.
type Seen = Rc<[(usize, f64)]>;

/// All corners of a map, each with the corners in its sight and their distances.
pub struct Sights {
    grid: Grid,
    squeeze: Squeeze,
    corners: Vec<Point>,
    seen: Vec<Vec<(usize, f64)>>,
    /// The same for the points asked for so far: a test of all pairs of cells asks for each of them often.
    seen_from: RefCell<BTreeMap<Halves, Seen>>,
}

impl Sights {
    /// The sights of a map under a squeeze rule.
    pub fn new(grid: &Grid, squeeze: Squeeze) -> Self {
        let places = (0..=grid.height()).flat_map(|y| (0..=grid.width()).map(move |x| Corner::new(x, y)));
        let corners: Vec<Point> = places.map(Point::corner).collect();
        let (seen, seen_from) = (vec![Vec::new(); corners.len()], RefCell::default());
        let mut sights = Self { grid: grid.clone(), squeeze, corners, seen, seen_from };
        for (a, b) in (0..sights.corners.len()).flat_map(|b| (0..b).map(move |a| (a, b))) {
            if let Some(length) = sights.line(sights.corners[a], sights.corners[b]) {
                sights.seen[a].push((b, length));
                sights.seen[b].push((a, length));
            }
        }
        sights
    }

    /// The length of the straight line between two points, if it is free.
    fn line(&self, a: Point, b: Point) -> Option<f64> {
        sees(&self.grid, a, b, self.squeeze).then(|| a.distance(b))
    }

    /// The corners in sight of a point, including the point itself if it is a corner.
    fn seen_from(&self, point: Point) -> Seen {
        let lines = self.corners.iter().enumerate().map(|(corner, &at)| (corner, self.line(point, at)));
        let seen = || lines.filter_map(|(corner, length)| Some((corner, length?))).collect();
        Rc::clone(self.seen_from.borrow_mut().entry(halves(point)).or_insert_with(seen))
    }

    /// The lengths of the shortest paths from a point.
    pub fn lengths_from(&self, start: Point) -> Lengths {
        let mut to_corners = vec![f64::INFINITY; self.corners.len()];
        for &(corner, length) in &*self.seen_from(start) {
            to_corners[corner] = length;
        }
        let mut open: Vec<usize> = (0..self.corners.len()).collect();
        // Dijkstra's algorithm: settle the nearest corner first.
        while let Some(nearest) = (0..open.len()).min_by(|&a, &b| to_corners[open[a]].total_cmp(&to_corners[open[b]])) {
            let corner = open.swap_remove(nearest);
            for &(next, length) in &self.seen[corner] {
                to_corners[next] = to_corners[next].min(to_corners[corner] + length);
            }
        }
        Lengths { start, to_corners }
    }

    /// The length of a shortest path to a point, if there is one.
    pub fn length(&self, lengths: &Lengths, goal: Point) -> Option<f64> {
        let seen = self.seen_from(goal);
        let by_corners = seen.iter().map(|&(corner, length)| lengths.to_corners[corner] + length);
        let shortest = self.line(lengths.start, goal).into_iter().chain(by_corners).fold(f64::INFINITY, f64::min);
        (shortest < f64::INFINITY).then_some(shortest)
    }
}

/// The lengths of the shortest paths from one point to every corner; infinite if there is none.
pub struct Lengths {
    start: Point,
    to_corners: Vec<f64>,
}

#[cfg(test)]
mod tests {
    use octile::geometry::Endpoints;
    use octile::{Cell, Finder};

    use super::*;
    use crate::maps::free_cells;

    fn length(map: &str, squeeze: Squeeze, ends: Endpoints, [start, goal]: [(u32, u32); 2]) -> Option<f64> {
        let sights = Sights::new(&map.parse().unwrap(), squeeze);
        let [start, goal] = [start, goal].map(|cell| ends.point(Cell::from(cell)));
        sights.length(&sights.lengths_from(start), goal)
    }

    #[test]
    fn lengths_are_those_worked_out_by_hand() {
        let open = length("....\n....\n....", Squeeze::Forbidden, Endpoints::Centres, [(0, 0), (3, 2)]);
        assert_eq!(open, Some(13.0_f64.sqrt()));
        // The path goes around the lower left and the lower right corner of the wall; the ends are half a cell above
        // them, and half a cell to the side.
        let wall = "...\n.@.\n...";
        let around = length(wall, Squeeze::Forbidden, Endpoints::Centres, [(0, 1), (2, 1)]).unwrap();
        assert!((around - (2.0 * 0.5_f64.sqrt() + 1.0)).abs() < 1e-12, "{around}");
        assert_eq!(length(wall, Squeeze::Forbidden, Endpoints::Corners, [(0, 1), (2, 1)]), Some(2.0));
        let pinch = ".@\n@.";
        for ends in Endpoints::ALL {
            assert_eq!(length(pinch, Squeeze::Allowed, ends, [(0, 0), (1, 1)]), Some(2.0_f64.sqrt()));
            assert_eq!(length(pinch, Squeeze::Forbidden, ends, [(0, 0), (1, 1)]), None);
        }
    }

    /// On all maps of 3 x 3 cells, the optimum is the same in both directions, exists exactly where a search finds a
    /// path, and is no longer than that path.
    #[test]
    fn no_search_finds_a_shorter_path() {
        for bits in 0_u32..1 << 9 {
            let grid = Grid::from_fn(3, 3, |cell| bits >> (cell.y * 3 + cell.x) & 1 == 1).unwrap();
            for squeeze in Squeeze::ALL {
                let (sights, spec) = (Sights::new(&grid, squeeze), format!("theta-star:squeeze={squeeze}"));
                let mut finder = Finder::new(&*spec, &grid).unwrap();
                let free = free_cells(&grid);
                let lengths: Vec<Lengths> =
                    free.iter().map(|&cell| sights.lengths_from(Point::corner(Corner::of(cell)))).collect();
                for (&start, from) in free.iter().zip(&lengths) {
                    for (&goal, back) in free.iter().zip(&lengths) {
                        let optimum = sights.length(from, Point::corner(Corner::of(goal)));
                        let mirrored = sights.length(back, Point::corner(Corner::of(start)));
                        let found = finder.find(start, goal).unwrap().map(|path| path.length());
                        assert_eq!(optimum.is_some(), found.is_some(), "{grid:?} {start} {goal} {squeeze}");
                        let Some((optimum, found)) = optimum.zip(found) else { continue };
                        assert!((optimum - mirrored.unwrap()).abs() < 1e-9 && optimum <= found + 1e-9, "{grid:?}");
                    }
                }
            }
        }
    }
}
