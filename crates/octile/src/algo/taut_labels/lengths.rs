//! Lengths as whole numbers of 47 bits, and as words together with the number of a corner.
//!
//! A hop of length l costs l · 2^30, rounded. Sums of whole numbers are exact, in any order, so that ways of the same
//! hops are equally long, and what labels leave out because it is no shorter is no shorter.
//!
//! **What rounding costs.** A hop is wrong by at most 2^-31, and those that go straight along a row or a column by
//! nothing; all others from corner to corner are at least √2 long, and to a centre √½. So a way of length l is wrong by
//! less than 2^-31 (l/√2 + 1), and the way that looks shortest is longer than the shortest one by less than twice that:
//! by a part in 10^9 of it.

use crate::geometry::{Cell, Corner, Endpoints, Point};
use crate::kernels::ds::link;
use crate::kernels::hubs;
use crate::kernels::hubs::query::Metric;

/// Bits of the number of a corner.
pub(super) const BITS: u32 = 17;

/// A corner and how far it is in one word.
pub(super) type Link = link::Link<BITS>;

/// Bits of a cost behind the point.
const FRACTION_BITS: u32 = 30;

/// What a way of one cell costs.
const UNIT: f64 = (1_u64 << FRACTION_BITS) as f64;

/// Costs of ways are below this.
pub(super) const LIMIT: u64 = 1 << Link::COST_BITS;

/// What the straight line between two points costs.
#[inline]
pub(super) fn between(a: Point, b: Point) -> u64 {
    // Cut off to a signed number, for which every processor has an instruction.
    (a.distance(b) * UNIT + 0.5) as i64 as u64
}

/// The length of a way.
#[inline]
pub(super) fn length(cost: u64) -> f64 {
    // Exact, as costs have 47 bits.
    cost as f64 / UNIT
}

/// How many cells long a way is, rounded down.
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
