//! Lengths as whole numbers of 47 bits, packed into words with the number of a corner.
//!
//! A hop of length l costs l · 2^30, rounded. Sums of whole numbers are exact, in any order. So paths with the same
//! hops have equal costs, and labels compare costs exactly when they leave something out.
//!
//! **The error of rounding.** The cost of a hop is wrong by at most 2^-31, and exact for straight hops along a row or a
//! column; all other hops are at least √2 long between corners, and √½ to a centre. So the cost of a path of length l
//! is wrong by less than 2^-31 (l/√2 + 1), and the path with the least cost is longer than the shortest one by less
//! than twice that: by one part in 10^9.

use crate::geometry::{Cell, Corner, Endpoints, Point};
use crate::kernels::ds::link;
use crate::kernels::hubs;
use crate::kernels::hubs::query::Metric;

/// The number of bits for a corner.
pub(super) const BITS: u32 = 17;

/// A corner and the distance to it in one word.
pub(super) type Link = link::Link<BITS>;

/// The number of fractional bits of a cost.
const FRACTION_BITS: u32 = 30;

/// The cost of a path of length 1.
const UNIT: f64 = (1_u64 << FRACTION_BITS) as f64;

/// Costs of paths are below this.
pub(super) const LIMIT: u64 = 1 << Link::COST_BITS;

/// The cost of the straight line between two points.
#[inline]
pub(super) fn between(a: Point, b: Point) -> u64 {
    // Truncated to a signed number, because every processor has an instruction for that.
    (a.distance(b) * UNIT + 0.5) as i64 as u64
}

/// The length of a path with this cost.
#[inline]
pub(super) fn length(cost: u64) -> f64 {
    // Exact, as costs have 47 bits.
    cost as f64 / UNIT
}

/// The length of a path in whole cells, rounded down.
pub(super) fn cells(cost: u64) -> u32 {
    (cost >> FRACTION_BITS) as u32
}

/// Lengths from the points that stand for cells.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lengths(pub(super) Endpoints);

impl Metric<BITS> for Lengths {
    const LIMIT: u64 = LIMIT;

    #[inline]
    fn between(self, cell: Cell, word: u32) -> u64 {
        between(self.0.point(cell), point_of(word))
    }
}

/// The corner of a number in a file.
#[inline]
pub(super) fn point_of(word: u32) -> Point {
    let (x, y) = hubs::file::xy_of(word);
    Point::corner(Corner::new(x, y))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_rounded() {
        let (corner, centre) = (Point::corner(Corner::new(3, 4)), Point::centre(Cell::new(0, 0)));
        assert_eq!((between(Point::default(), corner), cells(5 << 30)), (5 << 30, 5));
        let length = between(centre, corner) as f64 / UNIT;
        assert!((length - (2.5_f64 * 2.5 + 3.5 * 3.5).sqrt()).abs() <= 0.5 / UNIT);
        // The longest line of the largest map.
        let far = Point::corner(Corner::new(65_535, 65_535));
        assert!(between(Point::default(), far) < LIMIT);
    }
}
