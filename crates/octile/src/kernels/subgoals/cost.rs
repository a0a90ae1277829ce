//! Costs as integers of 40 bits, packed into words with the number of a subgoal.
//!
//! As in [`units`](crate::geometry::units), a straight move costs `A` and a diagonal move `B`, where `B / A` is a
//! convergent of √2: sums below `A * B` are exact. An index consists of labels, so these units lie between the two that
//! searches use: paths of up to 665,857 moves leave 24 bits of a word for a subgoal.

use crate::geometry::{Cell, GridCost};
use crate::kernels::ds::link;

/// `A`, the cost of a straight move.
pub(crate) const STRAIGHT: u64 = 470_832;

/// `B`, the cost of a diagonal move.
pub(crate) const DIAGONAL: u64 = 665_857;

/// Costs below this are exact.
pub(crate) const LIMIT: u64 = STRAIGHT * DIAGONAL;

/// A subgoal and the cost to reach it in one word.
pub(crate) type Link = link::Link<24>;

/// The maximum number of subgoals.
pub(crate) const MAX_SUBGOALS: usize = Link::MAX_NODES;

/// `B` is its own inverse modulo `A`, because `B² = 2 A² + 1`.
const INVERSE: u64 = DIAGONAL % STRAIGHT;

/// The octile distance of two cells.
#[inline]
pub(crate) fn between(a: Cell, b: Cell) -> u64 {
    let (dx, dy) = (u64::from(a.x.abs_diff(b.x)), u64::from(a.y.abs_diff(b.y)));
    STRAIGHT * dx.abs_diff(dy) + DIAGONAL * dx.min(dy)
}

/// The moves that add up to a cost below the limit; arbitrary counts for any other number.
#[inline]
pub(crate) fn decode(cost: u64) -> GridCost {
    let diagonal = cost % STRAIGHT * INVERSE % STRAIGHT;
    GridCost::new((cost.saturating_sub(diagonal * DIAGONAL) / STRAIGHT) as u32, diagonal as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn costs_are_exact_up_to_the_limit() {
        assert_eq!(DIAGONAL * DIAGONAL, 2 * STRAIGHT * STRAIGHT + 1);
        assert_eq!(DIAGONAL * INVERSE % STRAIGHT, 1);
        // The sum of two costs and a hop still fits.
        const { assert!(LIMIT < 1 << Link::COST_BITS && 2 * LIMIT + 65_535 * DIAGONAL < 1 << (Link::COST_BITS + 1)) };
        for (straight, diagonal) in [(0, 0), (1, 0), (0, 1), (665_856, 0), (0, 470_831), (300_000, 258_697)] {
            let cost = straight * STRAIGHT + diagonal * DIAGONAL;
            assert!(cost < LIMIT);
            assert_eq!(decode(cost), GridCost::new(straight as u32, diagonal as u32));
        }
    }

    #[test]
    fn costs_order_like_exact_ones() {
        // Pairs whose real lengths are as close as counts below the limit allow.
        let close = [(7, 5), (1393, 985), (47_321, 33_461), (114_243, 80_782), (665_857, 470_832), (1, 0), (0, 1)];
        for (s1, d1) in close {
            for (s2, d2) in close {
                let (p, q) = (GridCost::new(s1 - s1.min(1), 0), GridCost::new(0, d2 - d2.min(1)));
                let cost =
                    |octile: GridCost| u64::from(octile.straight) * STRAIGHT + u64::from(octile.diagonal) * DIAGONAL;
                assert_eq!(cost(p).cmp(&cost(q)), p.cmp(&q), "{p} {q}");
                let (p, q) = (GridCost::new(s1 / 2, d1 / 3), GridCost::new(s2 / 3, d2 / 2));
                assert_eq!(cost(p).cmp(&cost(q)), p.cmp(&q), "{p} {q}");
            }
        }
    }

    #[test]
    fn distances_of_cells_are_octile() {
        assert_eq!(between(Cell::new(3, 9), Cell::new(7, 8)), 3 * STRAIGHT + DIAGONAL);
    }
}
