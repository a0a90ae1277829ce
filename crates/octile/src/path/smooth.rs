//! Paths pulled straight.

use super::{Path, length_of};
use crate::geometry::{Cell, Corner, PathCost};
use crate::grid::{Grid, Squeeze, sight};

impl Path {
    /// A grid path pulled straight where nothing stands in the way: points joined by line of sight instead of grid moves.
    /// From each point it follows the path as far as it can see without a gap; never longer than the path.
    /// [`smooth`](Path::smooth) does the same on corners, and in place.
    ///
    /// ```
    /// use octile::{Cell, Grid, Path};
    /// let path = Path::through([(0, 0), (3, 3), (7, 3)]).unwrap();
    /// let line = path.straighten(&Grid::open(9, 9)?);
    /// assert_eq!(line.points(), [Cell::new(0, 0), Cell::new(7, 3)]);
    /// assert!(line.length() < path.length());
    /// # Ok::<(), octile::GridError>(())
    /// ```
    pub fn straighten(&self, grid: &Grid) -> Polyline {
        let mut points: Vec<Cell> = self.points.first().copied().into_iter().collect();
        let mut last = None;
        for cell in self.cells().into_iter().flatten().skip(1) {
            if let (Some(last), Some(&from)) = (last, points.last())
                && !sight::visible(grid, from, cell)
            {
                points.push(last);
            }
            last = Some(cell);
        }
        points.extend(last);
        Polyline { points }
    }

    /// Pulls the path straight, in place, into an any-angle path that is never longer: from each point that it keeps, it
    /// follows the path as far as it can see without a gap. Of an any-angle path these points are its corners; a grid path is
    /// first moved to the corners at the upper left of each of its cells. It needs the points, so a path of which only the
    /// cost was asked becomes one without corners, of the same length.
    ///
    /// The grid must be one with movement [`octile`](crate::Movement::Octile). An any-angle path that squeezes keeps its rule,
    /// whatever `squeeze` says.
    ///
    /// ```
    /// use octile::{Engine, Grid, Squeeze};
    /// let grid = Grid::open(10, 10)?;
    /// let mut path = Engine::new("jps", &grid)?.find((0, 0), (9, 3))?.expect("they are connected");
    /// path.smooth(&grid, Squeeze::Allowed);
    /// assert_eq!(path.length(), 90.0_f64.sqrt());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn smooth(&mut self, grid: &Grid, squeeze: Squeeze) {
        self.smooth_watched(grid, squeeze, |_, _| {});
    }

    /// [`smooth`](Path::smooth), telling `sight` of every line of sight that is checked.
    pub(crate) fn smooth_watched(&mut self, grid: &Grid, squeeze: Squeeze, sight: impl FnMut(Corner, Corner)) {
        let squeeze = if self.squeeze() == Some(Squeeze::Allowed) { Squeeze::Allowed } else { squeeze };
        let length = self.length();
        let mut corners = std::mem::take(&mut self.corners);
        let mut kept = Smoothing { grid, squeeze, last: None, sight };
        if self.is_any_angle() {
            let mut len = 0;
            for i in 0..corners.len() {
                // What has been kept never overtakes what is read.
                if let Some(corner) = kept.next(corners[..len].last().copied(), corners[i]) {
                    corners[len] = corner;
                    len += 1;
                }
            }
            corners.truncate(len);
        } else {
            // Moving a grid path to corners keeps it legal. Moves E and S go along the edge of the cell that they leave, W and
            // N of the one that they enter; SE and NW cross the cell that they leave or enter, NE and SW one beside them, which
            // the octile rule wants free. All these are free. If the corner of a cell on the path is a pinch, the cells N
            // and W of it are blocked, so the path comes from and goes to E, SE and S only, as the pinch allows.
            for cell in self.cells().into_iter().flatten() {
                corners.extend(kept.next(corners.last().copied(), Corner::of(cell)));
            }
        }
        corners.extend(kept.last);
        self.clear();
        self.corners = corners;
        self.finish_any_angle(squeeze);
        if self.corners.is_empty() {
            self.cost = PathCost::AnyAngle(length);
        }
    }
}

/// Reads a path point by point and tells which to keep.
struct Smoothing<'a, F> {
    grid: &'a Grid,
    squeeze: Squeeze,
    /// The point read last, which is kept if the next cannot be seen from the one kept before.
    last: Option<Corner>,
    /// Is told of every line of sight that is checked.
    sight: F,
}

impl<F: FnMut(Corner, Corner)> Smoothing<'_, F> {
    /// Reads `corner`, with the point that was kept last; returns the one to keep now, if any.
    fn next(&mut self, kept: Option<Corner>, corner: Corner) -> Option<Corner> {
        let Some(kept) = kept else { return Some(corner) };
        let last = self.last.replace(corner)?;
        (self.sight)(kept, corner);
        (!sight::corners_visible(self.grid, kept, corner, self.squeeze)).then_some(last)
    }
}

/// Points joined by straight lines in any direction: a path that has been [straightened](Path::straighten).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Polyline {
    points: Vec<Cell>,
}

impl Polyline {
    /// The points, whose segments join cell centres.
    pub fn points(&self) -> &[Cell] {
        &self.points
    }

    /// The sum of the segments' lengths.
    pub fn length(&self) -> f64 {
        length_of(&self.points, |cell| (cell.x, cell.y))
    }

    /// Whether every segment is free on `grid`.
    ///
    /// ```
    /// use octile::{Edits, Grid, Path};
    /// let mut grid = Grid::open(9, 9)?;
    /// let line = Path::through([(0, 0), (3, 3), (7, 3)]).unwrap().straighten(&grid);
    /// assert!(line.is_legal(&grid));
    /// grid.apply(Edits::new().block_rect((4, 0), (4, 8)))?;
    /// assert!(!line.is_legal(&grid));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn is_legal(&self, grid: &Grid) -> bool {
        self.points.windows(2).all(|leg| sight::visible(grid, leg[0], leg[1]))
    }
}
