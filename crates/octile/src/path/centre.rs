//! Extends any-angle paths from corners to the centres of their end cells.

use super::Path;
use super::smooth::{LineCorners, last_seen};
use crate::geometry::{Cell, Corner, Endpoints, Point};
use crate::grid::{Grid, sight};

impl Path {
    /// Extends an any-angle path between the upper left corners of two cells to their centres, and pulls its ends
    /// tight: while a centre sees the next corner but one, the corner between is dropped, and the last corner left is
    /// moved on along the line after it as long as it is visible. The path grows by at most `√2`: two lines of `√½` are
    /// added, and dropping a corner, or moving it on, never lengthens the path. Other paths do not change. `sight` is
    /// called for every line of sight tested.
    ///
    /// The added lines are legal. The line from the centre of a free cell to its upper left corner lies inside the
    /// cell, up to the corner itself. If that corner is a pinch, its lower right cell is this cell, which is free: so
    /// even where squeezing is forbidden, lines from the lower right of it may end there, as this one does.
    ///
    /// No point that lies on a straight line remains. If the path went straight on from a centre over a corner, the
    /// centre would see the next point. This also holds where squeezing is forbidden, because then all lines at a pinch
    /// lie in its lower right quarter, and none passes straight over it.
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
            // The dropped points are at the end of the list, so the list is reversed for the start.
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
        let line = LineCorners::new(*last, *before);
        *last = line.at(last_seen(line.steps() - 1, |steps| sees(Point::corner(line.at(steps)))));
    }
}
