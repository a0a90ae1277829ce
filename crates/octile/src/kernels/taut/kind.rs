//! Corners at which a shortest path may turn, and the directions in which it may.

use crate::geometry::{Corner, Point};

/// The position of one point relative to another, in halves of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Vector {
    pub(crate) x: i32,
    pub(crate) y: i32,
}

impl Vector {
    #[inline]
    pub(crate) fn between(from: Point, to: Point) -> Self {
        let ((ax, ay), (bx, by)) = (from.halves(), to.halves());
        Self { x: bx as i32 - ax as i32, y: by as i32 - ay as i32 }
    }

    /// The cross product: its sign says on which side of this vector the other lies.
    #[inline]
    fn cross(self, other: Self) -> i64 {
        i64::from(self.x) * i64::from(other.y) - i64::from(self.y) * i64::from(other.x)
    }

    /// Its length in cells.
    #[inline]
    pub(crate) fn length(self) -> f64 {
        let (x, y) = (f64::from(self.x), f64::from(self.y));
        (x * x + y * y).sqrt() / 2.0
    }

    /// The index of its direction, one of nine by the signs of the coordinates.
    #[inline]
    fn direction(self) -> usize {
        // Shifting by 31 leaves the sign: 0 or -1.
        let sign = |z: i32| z >> 31 | i32::from(z != 0);
        (sign(self.x) * 3 + sign(self.y) + 4) as usize
    }
}

/// One of the two sides of a corner on which taut lines end.
pub(crate) type Side = usize;

/// The cells around a corner: one blocked cell of four, or two that touch only there, a *pinch*.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Kind(u8);

/// The number of kinds: with the blocked cell at the upper left, upper right, lower left and lower right; pinches whose
/// free cells are at the upper left and lower right, and at the upper right and lower left.
const KINDS: usize = 6;

/// The first kind that is a pinch.
const PINCH: u8 = 4;

/// The number of bits for a kind.
pub(super) const KIND_BITS: u32 = 3;

/// For each kind and [direction](Vector::direction), the side on which a taut line from there ends, plus 1; 0 if none
/// does.
const SIDES: [[u8; 9]; KINDS] = {
    let mut table = [[0; 9]; KINDS];
    let mut kind = 0;
    while kind < KINDS {
        let mut direction = 0;
        while direction < 9 {
            let (x, y) = (direction as i32 / 3 - 1, direction as i32 % 3 - 1);
            let (qx, qy) = Kind(kind as u8).quadrant();
            let (along_x, along_y) = (x * qx, y * qy);
            let is_side = if kind < PINCH as usize {
                [along_y > 0 && along_x <= 0, along_x > 0 && along_y <= 0]
            } else {
                [along_x >= 0 && along_y >= 0, along_x <= 0 && along_y <= 0]
            };
            table[kind][direction] = match (is_side, x != 0 || y != 0) {
                ([true, _], true) => 1,
                ([_, true], true) => 2,
                _ => 0,
            };
            direction += 1;
        }
        kind += 1;
    }
    table
};

impl Kind {
    /// The kind of a corner. `free` has one bit for each free cell: upper left, upper right, lower left and lower
    /// right. `None` if no shortest path turns there. Pinches count if squeezing is allowed.
    #[inline]
    pub(super) fn of(free: usize, squeezes: bool) -> Option<Self> {
        match !free & 15 {
            0b0001 => Some(Self(0)),
            0b0010 => Some(Self(1)),
            0b0100 => Some(Self(2)),
            0b1000 => Some(Self(3)),
            0b0110 if squeezes => Some(Self(PINCH)),
            0b1001 if squeezes => Some(Self(PINCH + 1)),
            _ => None,
        }
    }

    #[inline]
    pub(super) fn from_number(number: u8) -> Self {
        Self(number)
    }

    #[inline]
    pub(super) fn number(self) -> u8 {
        self.0
    }

    #[inline]
    pub(crate) const fn is_pinch(self) -> bool {
        self.0 >= PINCH
    }

    /// The direction of the blocked cell, or of one of a pinch's free cells: left (-1) or right (1), above (-1) or
    /// below (1).
    #[inline]
    pub(crate) const fn quadrant(self) -> (i32, i32) {
        match self.0 {
            0 => (-1, -1),
            1 | 5 => (1, -1),
            2 => (-1, 1),
            _ => (1, 1),
        }
    }

    /// The side on which a line from a point at `from` ends, if a taut path that comes along it may turn here.
    #[inline]
    pub(crate) fn side(self, from: Vector) -> Option<Side> {
        let side = SIDES[usize::from(self.0)][from.direction()];
        (side != 0).then(|| Side::from(side - 1))
    }

    /// Whether a path from a point on `side` to a point on the other side turns around the obstacle.
    #[inline]
    pub(crate) fn turns(self, side: Side, from: Vector, to: Vector) -> bool {
        if self.is_pinch() {
            return true;
        }
        let (qx, qy) = self.quadrant();
        let clockwise = (qx * qy < 0) == (side == 0);
        let cross = from.cross(to);
        if clockwise { cross > 0 } else { cross < 0 }
    }

    /// A number that orders the directions of a side, starting along the obstacle. Rounding keeps the order of
    /// quotients of numbers this small, and rounds equal ones equally; so comparing them is exact.
    #[inline]
    pub(crate) fn angle(self, side: Side, to: Vector) -> f64 {
        let (x, y) = (f64::from(to.x.abs()), f64::from(to.y.abs()));
        match side {
            _ if self.is_pinch() => 0.0,
            0 => x / y,
            _ => y / x,
        }
    }
}

/// A corner of an obstacle: its position and its kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Turn {
    /// Map sides fit into 16 bits.
    pub(super) x: u16,
    pub(super) y: u16,
    pub(crate) kind: Kind,
}

impl Turn {
    #[inline]
    pub(crate) fn corner(self) -> Corner {
        Corner::new(self.x.into(), self.y.into())
    }

    #[inline]
    pub(crate) fn point(self) -> Point {
        Point::corner(self.corner())
    }

    /// The position of a point relative to this corner.
    #[inline]
    pub(crate) fn to(self, point: Point) -> Vector {
        Vector::between(self.point(), point)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(x: i32, y: i32) -> Vector {
        Vector { x, y }
    }

    /// All directions around every kind, as the module's documentation defines them.
    #[test]
    fn taut_lines_end_beside_the_obstacle() {
        for free in 0..16 {
            let Some(kind) = Kind::of(free, true) else { continue };
            let (qx, qy) = kind.quadrant();
            for (x, y) in (-3..=3).flat_map(|x| (-3..=3).map(move |y| (x, y))).filter(|&to| to != (0, 0)) {
                let (x, y) = (x * qx, y * qy);
                // As if the blocked cell, or a free one of a pinch, were at the lower right.
                let [first, second] = if kind.is_pinch() {
                    [x >= 0 && y >= 0, x <= 0 && y <= 0]
                } else {
                    [x <= 0 && y > 0, x > 0 && y <= 0]
                };
                let expected = if first { Some(0) } else { second.then_some(1) };
                assert_eq!(kind.side(at(x * qx, y * qy)), expected, "{kind:?} {x} {y}");
            }
        }
    }

    #[test]
    fn paths_turn_towards_the_obstacle() {
        // The blocked cell is at the lower right: from below left around it to the right.
        let kind = Kind::of(0b0111, false).unwrap();
        assert!(kind.turns(0, at(0, 2), at(2, 0)), "along both of its edges");
        assert!(kind.turns(0, at(-2, 2), at(4, -2)));
        assert!(!kind.turns(0, at(-2, 2), at(2, -2)), "straight on");
        assert!(!kind.turns(0, at(-2, 2), at(2, -4)), "away from it");
        assert!(kind.turns(1, at(4, -2), at(-2, 2)), "and back");
        assert!(!kind.turns(1, at(2, -4), at(-2, 2)));
    }

    #[test]
    fn mirrored_corners_have_mirrored_turns() {
        let corner = Kind::of(0b0111, false).unwrap();
        for (free, mx, my) in [(0b1011, -1, 1), (0b1101, 1, -1), (0b1110, -1, -1)] {
            let kind = Kind::of(free, false).unwrap();
            for (a, b) in [((0, 1), (1, 0)), ((-1, 1), (2, -1)), ((-1, 1), (1, -1)), ((-1, 2), (1, -3))] {
                let mirrored = |(x, y): (i32, i32)| at(x * mx, y * my);
                let expected = corner.turns(0, at(a.0, a.1), at(b.0, b.1));
                assert_eq!(kind.turns(0, mirrored(a), mirrored(b)), expected, "{free:b} {a:?} {b:?}");
            }
        }
    }
}
