//! Distances to all points of the rim at once, each with the point where the path turns.
//!
//! A value is a distance with a code for a point in its lowest bits, so the smaller of two values is the shorter path
//! and says where it turns. Processors without a minimum of 32-bit integers have one of floats, and the bits of
//! positive floats have the same order as integers: so values are stored as floats with these bits. Values are
//! processed four at a time and by value: then compilers see that writes do not overlap reads, and use vectors.

use super::{INF, NO_VIA};

/// The number of bits of a code.
const CODE_BITS: u32 = 7;
const CODES: u32 = (1 << CODE_BITS) - 1;

/// The value of distance 0. This offset makes all values normal floats.
const ZERO: u32 = 1 << 28;

/// No path yet: larger than any path, even with a few lengths added, and still a float.
const FAR: u32 = 1 << 30;

/// Four values.
#[derive(Clone, Copy)]
#[repr(align(16))]
pub(super) struct Four([f32; 4]);

/// A value for each point of the rim.
pub(super) type Lanes<const Q: usize> = [Four; Q];

/// No path to any point of the rim.
#[inline]
pub(super) const fn far<const Q: usize>() -> Lanes<Q> {
    [Four([f32::from_bits(FAR); 4]); Q]
}

/// The bits of the value for a path of this length; [`INF`] is no path.
#[inline]
pub(super) const fn bits(length: u32, code: u32) -> u32 {
    if length == INF { FAR } else { ZERO + (length << CODE_BITS | code) }
}

/// Sets the value of a lane.
#[inline]
pub(super) fn put<const Q: usize>(lanes: &mut Lanes<Q>, lane: usize, bits: u32) {
    lanes[lane / 4].0[lane % 4] = f32::from_bits(bits);
}

impl Four {
    /// The values with these bits in the lanes with `is_seen`, and no path in the others.
    #[inline(always)]
    pub(super) fn seen(bits: [u32; 4], is_seen: [bool; 4]) -> Self {
        let one = |i: usize| f32::from_bits(if is_seen[i] { bits[i] } else { FAR });
        Self([one(0), one(1), one(2), one(3)])
    }

    /// The smaller value in each lane.
    #[inline(always)]
    pub(super) fn min(self, other: Self) -> Self {
        let less = |i: usize| if other.0[i] < self.0[i] { other.0[i] } else { self.0[i] };
        Self([less(0), less(1), less(2), less(3)])
    }

    #[inline(always)]
    fn map(self, value: impl Fn(u32) -> u32) -> Self {
        let [a, b, c, d] = self.0;
        Self([a, b, c, d].map(|one| f32::from_bits(value(one.to_bits()))))
    }

    /// The paths that begin with a step of this length, with a code for the point it leads to.
    #[inline(always)]
    pub(super) fn extended(self, step: u32, code: u32) -> Self {
        self.map(|bits| (bits & !CODES) + (step << CODE_BITS | code))
    }

    /// The same paths, longer by `step`, with unchanged codes.
    #[inline(always)]
    pub(super) fn lengthened(self, step: u32) -> Self {
        self.map(|bits| bits + (step << CODE_BITS))
    }

    /// Adds to `changed` the bits that differ.
    #[inline(always)]
    pub(super) fn compare(self, other: Self, changed: &mut [u32; 4]) {
        *changed = std::array::from_fn(|i| changed[i] | (self.0[i].to_bits() ^ other.0[i].to_bits()));
    }

    /// The distances and turning points; `points` decodes codes.
    #[inline(always)]
    fn split(self, points: impl Fn([u32; 4]) -> [u32; 4]) -> ([u32; 4], [u32; 4]) {
        let bits = self.0.map(f32::to_bits);
        let points = points(bits.map(|bits| bits & CODES));
        let via: [u32; 4] = std::array::from_fn(|i| if bits[i] < FAR { points[i] } else { u32::from(NO_VIA) });
        let distance = bits.map(|bits| if bits < FAR { (bits - ZERO) >> CODE_BITS } else { INF });
        (distance, via)
    }
}

/// Whether a value with these changed bits has become shorter, as opposed to another path of the same length.
#[inline(always)]
pub(super) fn is_shorter([a, b, c, d]: [u32; 4]) -> bool {
    (a | b | c | d) & !CODES != 0
}

/// The number of groups of four lanes for a rim of this many points.
#[inline(always)]
pub(super) const fn quarters(rim: usize) -> usize {
    rim.div_ceil(4)
}

/// Writes the distances and turning points of the lanes to a row; `points` decodes the codes of the four lanes with the
/// given number.
#[inline(always)]
pub(super) fn write<const Q: usize>(
    lanes: &Lanes<Q>,
    (distances, vias): (&mut [u32], &mut [u8]),
    points: impl Fn([u32; 4], usize) -> [u32; 4],
) {
    let mut words = [[0; 4]; Q];
    let (whole, rest) = distances.as_chunks_mut::<4>();
    for (q, distances) in whole.iter_mut().enumerate() {
        (*distances, words[q]) = lanes[q].split(|codes| points(codes, q));
    }
    if !rest.is_empty() {
        // The rim of a rectangle may end within four lanes.
        let q = whole.len();
        let (distances, last) = lanes[q].split(|codes| points(codes, q));
        rest.copy_from_slice(&distances[..rest.len()]);
        words[q] = last;
    }
    // Narrowed all at once, so that one instruction handles many.
    for (via, word) in vias.iter_mut().zip(words.as_flattened()) {
        *via = *word as u8;
    }
}
