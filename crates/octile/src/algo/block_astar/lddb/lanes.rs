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

/// A path of that length, if there is one, with code 0.
pub(super) const fn value_or_far(length: u32) -> f32 {
    if length == INF { f32::from_bits(FAR) } else { value(length, 0) }
}

/// A path that is one line, of that length and code 0; no path if all bits are set.
#[inline(always)]
pub(super) fn whole(bits: u32) -> f32 {
    f32::from_bits(if bits == u32::MAX { FAR } else { ZERO + bits })
}

/// The smaller of two values.
#[inline(always)]
pub(super) fn less(a: f32, b: f32) -> f32 {
    if b < a { b } else { a }
}

/// The path that begins with so long a step, and a code for where that leads.
#[inline(always)]
pub(super) fn extended(value: f32, step: u32, code: u32) -> f32 {
    f32::from_bits((value.to_bits() & !CODES) + (step << CODE_BITS | code))
}

/// The same path made longer, with its code.
#[inline(always)]
pub(super) fn lengthened(value: f32, step: u32) -> f32 {
    f32::from_bits(value.to_bits() + (step << CODE_BITS))
}

/// Writes distances and turning points; `point` tells that of a code and a lane.
#[inline(always)]
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
