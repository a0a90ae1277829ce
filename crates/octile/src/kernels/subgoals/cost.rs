//! Costs as integers of 40 bits, and as words together with the number of a subgoal.
//!
//! As in [`units`](crate::geometry::units), a straight move is priced at `A` and a diagonal one at `B`, where `B / A`
//! is a convergent of √2: sums below `A * B` are exact. Labels are what an index is made of, so these prices lie
//! between the two of searches: lengths of up to 665,857 moves leave 24 bits of a word for a subgoal.

use crate::geometry::{Cell, GridCost};
use crate::kernels::ds::link;

/// `A`, the price of a straight move.
pub(crate) const STRAIGHT: u64 = 470_832;

/// `B`, the price of a diagonal move.
pub(crate) const DIAGONAL: u64 = 665_857;

/// Costs below this are exact.
pub(crate) const LIMIT: u64 = STRAIGHT * DIAGONAL;

/// A subgoal and what it costs to get there in one word.
pub(crate) type Link = link::Link<24>;

/// The most subgoals.
pub(crate) const MAX_SUBGOALS: usize = Link::MAX_NODES;

/// `B` is its own inverse modulo `A`: for these two `B² = 2 A² + 1`.
const INVERSE: u64 = DIAGONAL % STRAIGHT;

/// The octile distance of two cells.
#[inline]
pub(crate) fn between(a: Cell, b: Cell) -> u64 {
    let (dx, dy) = (u64::from(a.x.abs_diff(b.x)), u64::from(a.y.abs_diff(b.y)));
    STRAIGHT * dx.abs_diff(dy) + DIAGONAL * dx.min(dy)
}

/// The counts behind a cost below the limit; any counts for another.
#[inline]
pub(crate) fn decode(cost: u64) -> GridCost {
    let diagonal = cost % STRAIGHT * INVERSE % STRAIGHT;
    GridCost::new((cost.saturating_sub(diagonal * DIAGONAL) / STRAIGHT) as u32, diagonal as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prices_are_exact_up_to_the_limit() {
        assert_eq!(DIAGONAL * DIAGONAL, 2 * STRAIGHT * STRAIGHT + 1);
        assert_eq!(DIAGONAL * INVERSE % STRAIGHT, 1);
        // Two costs and a hop together are still less than what a word holds.
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
