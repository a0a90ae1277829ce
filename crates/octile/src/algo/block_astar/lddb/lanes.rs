//! Distances to all points of the rim at once, each with the point where the path turns.
//!
//! A value is a distance and, in its lowest bits, a code for a point, so that the smaller of two values is the shorter path
//! and says where it turns. Processors without a minimum of 32-bit integers have one of floats, and the bits of positive
//! floats are ordered like integers: values are kept as the floats that have their bits.

use super::{INF, NO_VIA};

/// Bits of a code.
pub(super) const CODE_BITS: u32 = 7;
const CODES: u32 = (1 << CODE_BITS) - 1;

/// The distance 0. With it all values are normal floats.
const ZERO: u32 = 1 << 28;

/// No path yet: more than any path, even with a few lengths added, and still a float.
const FAR: u32 = 1 << 30;

/// A value for each point of the rim.
pub(super) type Lanes<const L: usize> = [f32; L];

/// No path to any of them.
#[inline]
pub(super) const fn far<const L: usize>() -> Lanes<L> {
    [f32::from_bits(FAR); L]
}

/// A path of that length.
#[inline]
pub(super) const fn value(length: u32, code: u32) -> f32 {
    f32::from_bits(ZERO + (length << CODE_BITS | code))
}

/// A path that is one line, of that length and code 0; no path if all bits are set.
#[inline]
pub(super) fn whole(bits: u32) -> f32 {
    f32::from_bits(if bits == u32::MAX { FAR } else { ZERO + bits })
}

/// The smaller of each two.
#[inline]
pub(super) fn min<const L: usize>(a: &Lanes<L>, b: &Lanes<L>) -> Lanes<L> {
    let mut out = *a;
    for (out, b) in out.iter_mut().zip(b) {
        *out = if *b < *out { *b } else { *out };
    }
    out
}

/// The paths that begin with so long a step, and a code for where it leads.
#[inline]
pub(super) fn extend<const L: usize>(lanes: &Lanes<L>, step: u32, code: u32) -> Lanes<L> {
    lanes.map(|value| f32::from_bits((value.to_bits() & !CODES) + (step << CODE_BITS | code)))
}

/// The same paths made longer, with their codes.
#[inline]
pub(super) fn lengthen<const L: usize>(lanes: &Lanes<L>, step: u32) -> Lanes<L> {
    lanes.map(|value| f32::from_bits(value.to_bits() + (step << CODE_BITS)))
}

/// Adds to `seen` bits that are set if any two differ.
#[inline]
pub(super) fn differ<const L: usize>(seen: &mut [u32; L], a: &Lanes<L>, b: &Lanes<L>) {
    for ((seen, a), b) in seen.iter_mut().zip(a).zip(b) {
        *seen |= a.to_bits() ^ b.to_bits();
    }
}

/// Writes distances and turning points; `point` tells that of a code and a lane.
#[inline]
pub(super) fn write<const L: usize>(
    lanes: &Lanes<L>,
    distance: &mut [u32; L],
    via: &mut [u8; L],
    point: impl Fn(u32, usize) -> u32,
) {
    for (lane, value) in lanes.iter().enumerate() {
        let bits = value.to_bits();
        let none = bits >= FAR;
        distance[lane] = if none { INF } else { (bits - ZERO) >> CODE_BITS };
        via[lane] = if none { NO_VIA } else { point(bits & CODES, lane) as u8 };
    }
}
