//! Integer costs for searches, and the packed entries of their open lists.
//!
//! A search adds and compares millions of costs, so it uses single integers instead of two counts: a straight move
//! costs `A` and a diagonal one `B`, where `B / A` is a convergent of √2.
//!
//! **Why this is exact.** Let `K = a*A + b*B`. Because `|B / A - √2| < 1 / (2.8 A²)`, two sums compare like the real
//! lengths, and are equal only if both counts are, as long as their `b` differ by less than `A`. A sum below
//! [`Units::LIMIT`] `= A * B` has `b < A`; any sum that could be confused with it has a `b` larger by `A` or more, and
//! so lies above the limit. A search that never pops an entry at or above the limit is therefore exact. [`Narrow`] (32
//! bits, lengths to 47,321) checks that at every step, and the search restarts in [`Wide`] when it happens. `Wide`
//! needs no check on a map without prices, because no map has as many cells as its `A`.
//!
//! **Over terrain**, a move of price `p` counts as `p` moves. Under
//! [`Convention::Average`](crate::grid::Convention::Average), whose prices are halves and quarters, it counts as four
//! times that. Costs are then the same kind of sums, with larger counts, and the proof above holds for them. A path of
//! `n` moves of price `p` is exact while `n p` is below:
//!
//! | units | `average`, straight / diagonal | `enter`, straight / diagonal |
//! |---|---|---|
//! | [`Narrow`] | 11,830 / 8,365 | 47,321 / 33,461 |
//! | [`Mid`] | 166,464 / 117,708 | 665,857 / 470,832 |
//! | [`Wide`] | 192 million / 135 million | 768 million / 543 million |
//!
//! (Prices are first divided by their greatest common divisor.) A search over terrain moves to the next row when it
//! reaches a limit. Beyond the last row, costs can no longer be told apart, and the query fails. A single step adds up
//! to four times the largest price, and the heuristic up to the smallest price times the side of the map. Both are
//! checked against the room above the limit before a search begins, so that no sum wraps around.

use std::fmt::Debug;
use std::ops::{Add, Mul, Sub};

use crate::geometry::{Cell, GridCost};

/// The arithmetic that a search needs of an integer.
pub(crate) trait Cost:
    Copy + Ord + Debug + Default + From<u32> + Into<u64> + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self>
{
    const MAX: Self;

    /// Larger than the cost of any path; twice this does not overflow.
    const INFINITE: Self;

    /// `value` in this type; the caller ensures that it fits.
    fn of(value: u64) -> Self;
}

impl Cost for u32 {
    const MAX: Self = Self::MAX;
    const INFINITE: Self = Self::MAX / 2;

    #[inline]
    fn of(value: u64) -> Self {
        debug_assert!(value <= u64::from(Self::MAX));
        value as Self
    }
}

impl Cost for u64 {
    const MAX: Self = Self::MAX;
    const INFINITE: Self = Self::MAX / 2;

    #[inline]
    fn of(value: u64) -> Self {
        value
    }
}

/// The integer costs of straight and diagonal moves, and the open-list entry that holds them.
pub(crate) trait Units: Copy + Debug + 'static {
    type Cost: Cost;
    /// An open-list entry, ordered by f, then by larger g, then by id.
    type Entry: Copy + Ord + Debug + Max;

    /// Which units these are.
    const WIDTH: Width;
    /// `A`, the cost of a straight move.
    const STRAIGHT: Self::Cost;
    /// `B`, the cost of a diagonal move.
    const DIAGONAL: Self::Cost;
    /// The inverse of `B` modulo `A`, for decoding.
    const INVERSE: u64;
    /// Costs below this are exact.
    const LIMIT: Self::Cost;

    /// Packs an entry; `id` is below `2^id_bits`, and `id_bits` at most 28.
    fn pack(f: Self::Cost, g: Self::Cost, id: u32, id_bits: u32) -> Self::Entry;

    fn f(entry: Self::Entry) -> Self::Cost;

    fn id(entry: Self::Entry, id_bits: u32) -> u32;

    /// The octile distance of two cells `dx` columns and `dy` rows apart.
    #[inline]
    fn octile(dx: u32, dy: u32) -> Self::Cost {
        let (long, short) = (dx.max(dy), dx.min(dy));
        Self::STRAIGHT * (long - short).into() + Self::DIAGONAL * short.into()
    }

    /// The octile distance between two cells.
    #[inline]
    fn between(a: Cell, b: Cell) -> Self::Cost {
        Self::octile(a.x.abs_diff(b.x), a.y.abs_diff(b.y))
    }

    /// The approximate length of a path of this cost, to a part in 10^9. Use it to compare with lengths, not with other
    /// costs.
    #[inline]
    fn length(cost: Self::Cost) -> f64 {
        cost.into() as f64 / Self::STRAIGHT.into() as f64
    }

    /// The counts behind a cost below the limit; arbitrary counts for any other number.
    #[inline]
    fn decode(cost: Self::Cost) -> GridCost {
        let (cost, a, b): (u64, u64, u64) = (cost.into(), Self::STRAIGHT.into(), Self::DIAGONAL.into());
        let diagonal = cost % a * Self::INVERSE % a;
        GridCost::new((cost.saturating_sub(diagonal * b) / a) as u32, diagonal as u32)
    }

    /// Converts a cost in [`Narrow`] units to these; it must have fewer than `A` diagonal moves.
    fn of_narrow(cost: u32) -> Self::Cost {
        Self::encode(Narrow::decode(cost))
    }

    /// The cost of exact counts in these units.
    fn encode(octile: GridCost) -> Self::Cost {
        Self::STRAIGHT * octile.straight.into() + Self::DIAGONAL * octile.diagonal.into()
    }
}

/// The width of integer costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Width {
    /// [`Narrow`].
    Narrow,
    /// [`Mid`].
    Mid,
    /// [`Wide`].
    Wide,
}

/// The largest value; no open-list entry of a search has it.
pub(crate) trait Max {
    const MAX: Self;
}

impl Max for u64 {
    const MAX: Self = Self::MAX;
}

impl Max for u128 {
    const MAX: Self = Self::MAX;
}

/// 32-bit costs in 64-bit entries, with half the memory traffic of anything wider.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Narrow;

impl Units for Narrow {
    type Cost = u32;
    type Entry = u64;
    const WIDTH: Width = Width::Narrow;
    const STRAIGHT: u32 = 33_461;
    const DIAGONAL: u32 = 47_321;
    const INVERSE: u64 = 19_601;
    const LIMIT: u32 = Self::STRAIGHT * Self::DIAGONAL;

    #[inline]
    fn of_narrow(cost: u32) -> u32 {
        cost
    }

    /// f is in the upper half. Below it, the bits that the id leaves free hold g in steps of about one cell, inverted
    /// so that larger g comes first. Those bits wrap around on long paths, which is safe because they only break ties.
    #[inline]
    fn pack(f: u32, g: u32, id: u32, id_bits: u32) -> u64 {
        let tie = !(g >> 15) << id_bits;
        u64::from(f) << 32 | u64::from(tie | id)
    }

    #[inline]
    fn f(entry: u64) -> u32 {
        (entry >> 32) as u32
    }

    #[inline]
    fn id(entry: u64, id_bits: u32) -> u32 {
        entry as u32 & ((1 << id_bits) - 1)
    }
}

/// 64-bit costs in entries of 64 bits, 40 for f and 24 for the id: for terrain whose prices are too large for
/// [`Narrow`], on maps of up to 2^24 cells.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mid;

impl Mid {
    /// The number of bits of an id.
    pub(crate) const ID_BITS: u32 = 24;
    /// f must stay below this.
    pub(crate) const END: u64 = 1 << (u64::BITS - Self::ID_BITS);
}

impl Units for Mid {
    type Cost = u64;
    type Entry = u64;
    const WIDTH: Width = Width::Mid;
    const STRAIGHT: u64 = 470_832;
    const DIAGONAL: u64 = 665_857;
    const INVERSE: u64 = 195_025;
    const LIMIT: u64 = Self::STRAIGHT * Self::DIAGONAL;

    /// The id bits that ids do not need break ties, as in [`Narrow`].
    #[inline]
    fn pack(f: u64, g: u64, id: u32, id_bits: u32) -> u64 {
        let tie = (!(g >> 19) << id_bits) & ((1 << Self::ID_BITS) - 1);
        f << Self::ID_BITS | tie | u64::from(id)
    }

    #[inline]
    fn f(entry: u64) -> u64 {
        entry >> Self::ID_BITS
    }

    #[inline]
    fn id(entry: u64, id_bits: u32) -> u32 {
        entry as u32 & ((1 << id_bits) - 1)
    }
}

/// 64-bit costs in 128-bit entries, exact on every map that a [`Grid`](crate::Grid) can hold.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wide;

impl Units for Wide {
    type Cost = u64;
    type Entry = u128;
    const WIDTH: Width = Width::Wide;
    const STRAIGHT: u64 = 543_339_720;
    const DIAGONAL: u64 = 768_398_401;
    const INVERSE: u64 = 225_058_681;
    const LIMIT: u64 = Self::STRAIGHT * Self::DIAGONAL;

    #[inline]
    fn pack(f: u64, g: u64, id: u32, _id_bits: u32) -> u128 {
        let tie = !((g >> 29) as u32);
        u128::from(f) << 64 | u128::from(tie) << 32 | u128::from(id)
    }

    #[inline]
    fn f(entry: u128) -> u64 {
        (entry >> 64) as u64
    }

    #[inline]
    fn id(entry: u128, _id_bits: u32) -> u32 {
        entry as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn round_trip<U: Units>(straight: u32, diagonal: u32) {
        let octile = GridCost::new(straight, diagonal);
        assert_eq!(U::decode(U::encode(octile)), octile);
    }

    #[test]
    fn decoding_undoes_encoding_up_to_the_limit() {
        for (straight, diagonal) in [(0, 0), (1, 0), (0, 1), (123, 456), (47_320, 0), (0, 33_460), (20_000, 19_000)] {
            round_trip::<Narrow>(straight, diagonal);
            round_trip::<Mid>(straight, diagonal);
            round_trip::<Wide>(straight, diagonal);
        }
        round_trip::<Mid>(665_856, 0);
        round_trip::<Mid>(0, 470_831);
        round_trip::<Mid>(100_000, 400_000);
        round_trip::<Mid>(300_000, 258_697);
        round_trip::<Wide>(1 << 27, 1 << 27);
    }

    #[test]
    fn units_order_like_exact_costs() {
        // Pairs whose real lengths are as close as counts below the limit allow.
        let close = [(7, 5), (41, 29), (1393, 985), (8119, 5741), (19_601, 13_860), (45_000, 31_820), (1, 0), (0, 1)];
        for (s1, d1) in close {
            for (s2, d2) in close {
                for (p, q) in [((s1, 0), (0, d2)), ((s1, d1 / 2), (s2 / 2, d2))] {
                    let (p, q) = (GridCost::new(p.0, p.1), GridCost::new(q.0, q.1));
                    assert_eq!(Wide::encode(p).cmp(&Wide::encode(q)), p.cmp(&q), "{p} {q}");
                    assert_eq!(Mid::encode(p).cmp(&Mid::encode(q)), p.cmp(&q), "{p} {q}");
                    if Narrow::encode(p) < Narrow::LIMIT && Narrow::encode(q) < Narrow::LIMIT {
                        assert_eq!(Narrow::encode(p).cmp(&Narrow::encode(q)), p.cmp(&q), "{p} {q}");
                    }
                }
            }
        }
    }

    #[test]
    fn long_paths_order_like_exact_costs() {
        let close = [(7, 5), (1393, 985), (47_321, 33_461), (114_243, 80_782), (665_857, 470_832), (1, 0), (0, 1)];
        for (s1, d1) in close {
            for (s2, d2) in close {
                let (p, q) = (GridCost::new(s1 - s1.min(1), 0), GridCost::new(0, d2 - d2.min(1)));
                assert_eq!(Mid::encode(p).cmp(&Mid::encode(q)), p.cmp(&q), "{p} {q}");
                let (p, q) = (GridCost::new(s1 / 2, d1 / 3), GridCost::new(s2 / 3, d2 / 2));
                assert_eq!(Mid::encode(p).cmp(&Mid::encode(q)), p.cmp(&q), "{p} {q}");
            }
        }
    }

    #[test]
    fn entries_order_by_f_then_larger_g() {
        fn check<U: Units>(step: U::Cost) {
            let entry = |f: u32, g: u32| U::pack(step * f.into(), step * g.into(), 77, 20);
            assert!(entry(10, 3) < entry(11, 9));
            assert!(entry(10, 9) < entry(10, 3));
            assert_eq!(U::id(entry(10, 3), 20), 77);
            assert_eq!(U::f(entry(10, 3)), step * 10.into());
        }
        check::<Narrow>(Narrow::STRAIGHT);
        check::<Mid>(Mid::STRAIGHT);
        check::<Wide>(Wide::STRAIGHT);
    }
}
