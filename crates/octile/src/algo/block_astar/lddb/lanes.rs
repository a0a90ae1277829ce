//! Distances to all points of the rim at once, each with the point where the path turns.
//!
//! A value is a distance and, in its lowest bits, a code for a point, so that the smaller of two values is the shorter
//! path and says where it turns. Processors without a minimum of 32-bit integers have one of floats, and the bits of
//! positive floats are ordered like integers: values are kept as the floats that have their bits. Four at a time, by
//! value, as then compilers see that what is written is not what is read, and use vectors.

use super::{INF, NO_VIA};

/// Bits of a code.
const CODE_BITS: u32 = 7;
const CODES: u32 = (1 << CODE_BITS) - 1;

/// The distance 0. With it all values are normal floats.
const ZERO: u32 = 1 << 28;

/// No path yet: more than any path, even with a few lengths added, and still a float.
const FAR: u32 = 1 << 30;

/// Four values.
#[derive(Clone, Copy)]
#[repr(align(16))]
pub(super) struct Four([f32; 4]);

/// A value for each point of the rim.
pub(super) type Lanes<const Q: usize> = [Four; Q];

/// No path to any of them.
#[inline]
pub(super) const fn far<const Q: usize>() -> Lanes<Q> {
    [Four([f32::from_bits(FAR); 4]); Q]
}

/// The bits of the value of a path with that length, if there is one.
#[inline]
pub(super) const fn bits(length: u32, code: u32) -> u32 {
    if length == INF { FAR } else { ZERO + (length << CODE_BITS | code) }
}

/// Puts a value into a lane.
#[inline]
pub(super) fn put<const Q: usize>(lanes: &mut Lanes<Q>, lane: usize, bits: u32) {
    lanes[lane / 4].0[lane % 4] = f32::from_bits(bits);
}

impl Four {
    /// Those with these bits for which it is true.
    #[inline(always)]
    pub(super) fn seen(bits: [u32; 4], is_seen: [bool; 4]) -> Self {
        let one = |i: usize| f32::from_bits(if is_seen[i] { bits[i] } else { FAR });
        Self([one(0), one(1), one(2), one(3)])
    }

    /// The smaller of each two.
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

    /// The paths that begin with so long a step, and a code for where that leads.
    #[inline(always)]
    pub(super) fn extended(self, step: u32, code: u32) -> Self {
        self.map(|bits| (bits & !CODES) + (step << CODE_BITS | code))
    }

    /// The same paths made longer, with their codes.
    #[inline(always)]
    pub(super) fn lengthened(self, step: u32) -> Self {
        self.map(|bits| bits + (step << CODE_BITS))
    }

    /// Adds to `changed` the bits in which these differ.
    #[inline(always)]
    pub(super) fn compare(self, other: Self, changed: &mut [u32; 4]) {
        *changed = std::array::from_fn(|i| changed[i] | (self.0[i].to_bits() ^ other.0[i].to_bits()));
    }

    /// The distances and turning points; `points` tells those of codes.
    #[inline(always)]
    fn split(self, points: impl Fn([u32; 4]) -> [u32; 4]) -> ([u32; 4], [u32; 4]) {
        let bits = self.0.map(f32::to_bits);
        let points = points(bits.map(|bits| bits & CODES));
        let via: [u32; 4] = std::array::from_fn(|i| if bits[i] < FAR { points[i] } else { u32::from(NO_VIA) });
        let distance = bits.map(|bits| if bits < FAR { (bits - ZERO) >> CODE_BITS } else { INF });
        (distance, via)
    }
}

/// Whether of values that have changed in these bits any has become shorter, and not only another path of the same
/// length.
#[inline(always)]
pub(super) fn is_shorter([a, b, c, d]: [u32; 4]) -> bool {
    (a | b | c | d) & !CODES != 0
}

/// Writes the distances and turning points of so many times four lanes to a row; `points` tells those of codes in the
/// four lanes of a number.
#[inline(always)]
pub(super) fn write<const Q: usize>(
    lanes: &Lanes<Q>,
    quarters: usize,
    (distances, vias): (&mut [u32], &mut [u8]),
    points: impl Fn([u32; 4], usize) -> [u32; 4],
) {
    let mut words = [[0; 4]; Q];
    let distances = &mut distances.as_chunks_mut::<4>().0[..quarters];
    for q in 0..quarters {
        (distances[q], words[q]) = lanes[q].split(|codes| points(codes, q));
    }
    // Narrowed all together, which is one instruction for many.
    for (via, word) in vias[..4 * quarters].iter_mut().zip(words.as_flattened()) {
        *via = *word as u8;
    }
}
