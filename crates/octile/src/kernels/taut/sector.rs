//! The corners in sight: of an end of a path, all around; of a corner, on either of its sides.

use super::cones::{Cones, FLAT, View, slope};
use super::corners::Corners;
use super::kind::{Kind, Side, Turn, Vector};
use crate::geometry::{Corner, Point};

/// A quarter of the directions from a corner: those between a row and a column.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sector {
    pub(crate) down: bool,
    pub(crate) right: bool,
    edges: Edges,
}

/// The boundaries that belong to a sector: the row, the column or both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Edges {
    Row,
    Column,
    Both,
}

impl Sector {
    /// The directions of a side.
    #[inline]
    pub(crate) fn of(kind: Kind, side: Side) -> Self {
        let (qx, qy) = kind.quadrant();
        let (right, down) = (qx > 0, qy > 0);
        match (kind.is_pinch(), side) {
            (false, 0) => Self { down, right: !right, edges: Edges::Column },
            (false, _) => Self { down: !down, right, edges: Edges::Row },
            (true, 0) => Self { down, right, edges: Edges::Both },
            (true, _) => Self { down: !down, right: !right, edges: Edges::Both },
        }
    }

    /// All slopes of the sector.
    #[inline]
    pub(crate) fn slopes(self) -> (i64, i64) {
        self.between(0, FLAT)
    }

    /// The signed slopes for two unsigned ones.
    #[inline]
    pub(crate) fn between(self, low: i64, high: i64) -> (i64, i64) {
        if self.right { (low, high) } else { (-high, -low) }
    }

    /// Reports the corners of the row that are in sight, if the row belongs to the sector.
    #[inline]
    pub(crate) fn along(self, cones: &mut Cones, view: View<'_>, from: Corner, span: &mut impl FnMut(u32, u32, u32)) {
        if self.edges != Edges::Column {
            cones.along(view, from, self.right, span);
        }
    }

    /// Reports the spans of corners in sight above or below, between two slopes.
    #[inline]
    pub(crate) fn scan<const ALL: bool>(
        self,
        cones: &mut Cones,
        view: View<'_>,
        from: Corner,
        slopes: (i64, i64),
        span: &mut impl FnMut(u32, u32, u32),
    ) {
        cones.scan::<ALL>(view, Point::corner(from), self.down, slopes, |y, first, last| {
            let (first, last) = match (self.edges != Edges::Row, self.right) {
                (true, _) => (first, last),
                (false, true) => (first.max(from.x + 1), last),
                (false, false) => (first, last.min(from.x.wrapping_sub(1))),
            };
            if first <= last && last <= view.grid.width() {
                span(y, first, last);
            }
        });
    }
}

/// The reach on a side of a path that has come to a corner from a point at `from`: from along the obstacle up to
/// straight on.
#[inline]
pub(crate) fn reach(turn: Turn, side: Side, from: Vector) -> i64 {
    if turn.kind.is_pinch() {
        return FLAT;
    }
    let slope = if from.y == 0 { FLAT } else { slope(from.x.abs(), from.y.abs()) };
    if side == 0 { slope } else { FLAT - slope }
}

/// The unsigned slopes between two reaches of a side. Along the obstacle the first side is upright, and the second one
/// flat.
#[inline]
pub(crate) fn slopes(side: Side, (near, far): (i64, i64)) -> (i64, i64) {
    if side == 0 { (near, far) } else { (FLAT - far, FLAT - near) }
}

/// Visits the corners in sight of an end of a path at which a path from there may turn: each with its number, the side
/// on which the line ends, and the vector back to the end.
#[inline]
pub(crate) fn seen(
    cones: &mut Cones,
    view: View<'_>,
    corners: &Corners,
    from: Point,
    mut visit: impl FnMut(u32, Turn, Side, Vector),
) {
    cones.around::<false>(view, from, |y, first, last| {
        corners.for_each(y, first, last, |number, turn| {
            let back = turn.to(from);
            if let Some(side) = turn.kind.side(back) {
                visit(number, turn, side, back);
            }
        });
    });
}
