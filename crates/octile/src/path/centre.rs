//! Paths lengthened from corners to centres.

use super::Path;
use super::smooth::{Through, last_seen};
use crate::geometry::{Cell, Corner, Endpoints, Point};
use crate::grid::{Grid, sight};

impl Path {
    /// Lengthens an any-angle path between the upper left corners of two cells to their centres, and pulls its ends
    /// tight: while a centre sees the next corner but one, the one between is dropped, and the last that is left is
    /// moved on along the line behind it as long as it is seen. It is never longer than the path was by more than `√2`:
    /// two lines of `√½` are added, and leaving out a corner, or moving it on, never lengthens the path. Other paths
    /// stay as they are. `sight` is told of every line of sight that is checked.
    ///
    /// What is added is legal. The line from the centre of a free cell to its upper left corner lies inside the cell,
    /// up to the corner itself. If that is a pinch, its lower right cell is free, as that is the cell: so where
    /// squeezing is forbidden, lines may end there that lie to the right of and below it, as this one does.
    ///
    /// No point is left that lies straight on. If a centre went straight on over a corner it would see the next point:
    /// where squeezing is forbidden too, as then the lines of a pinch all lie in its lower right quarter, and none goes
    /// straight on over it.
    pub(crate) fn centre_watched(&mut self, grid: &Grid, mut sight: impl FnMut(Point, Point)) {
        let (Some(Endpoints::Corners), [start, .., goal]) = (self.ends(), self.corners.as_slice()) else { return };
        let squeeze = self.squeeze;
        let mut sees = |from: Point, to: Point| {
            sight(from, to);
            sight::points_visible(grid, from, to, squeeze)
        };
        let [start, goal] = [start, goal].map(|corner| Cell::new(corner.x, corner.y));
        let [from, to] = [start, goal].map(Point::centre);
        if sees(from, to) {
            self.corners.clear();
        } else {
            // What is left out is at the end of the list, so that it is turned round for the start.
            self.corners.reverse();
            tighten(&mut self.corners, |corner| sees(from, corner));
            self.corners.reverse();
            tighten(&mut self.corners, |corner| sees(to, corner));
        }
        (self.ends, self.centres) = (Endpoints::Centres, Some((start, goal)));
        self.finish_any_angle(squeeze);
    }
}

/// Pulls the end of a line of corners tight, for a point beyond it that sees the last of them.
fn tighten(corners: &mut Vec<Corner>, mut sees: impl FnMut(Point) -> bool) {
    while let [.., before, _] = *corners.as_slice()
        && sees(Point::corner(before))
    {
        corners.pop();
    }
    if let [.., before, last] = corners.as_mut_slice() {
        let line = Through::new(*last, *before);
        *last = line.at(last_seen(line.steps() - 1, |steps| sees(Point::corner(line.at(steps)))));
    }
}
