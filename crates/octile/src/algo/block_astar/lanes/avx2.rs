//! Vectors of x86-64 processors with AVX2.

use std::arch::x86_64::{__m128i, __m256i};

use pulp::cast;
use pulp::x86::V3;

use super::{EUCLIDEAN_UNIT, Lanes, NoVectors, WithLanes};
use crate::geometry::units::Cost;

/// Runs a job with vectors of 4 costs, if the processor has them.
pub(super) fn four<W: WithLanes<4>>(job: W) -> Result<W::Output, NoVectors> {
    let token = V3::try_new().ok_or(NoVectors)?;
    Ok(token.vectorize(
        #[inline(always)]
        || job.run(Four(token)),
    ))
}

/// Runs a job with vectors of 8 costs, if the processor has them.
pub(super) fn eight<W: WithLanes<8>>(job: W) -> Result<W::Output, NoVectors> {
    let token = V3::try_new().ok_or(NoVectors)?;
    Ok(token.vectorize(
        #[inline(always)]
        || job.run(Eight(token)),
    ))
}

/// Vectors of 8 costs, on a processor that has them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Eight(V3);

/// Vectors of 4 costs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Four(V3);

impl Lanes<8> for Eight {
    type Cost = u32;
    type V = __m256i;

    #[inline(always)]
    fn load(self, costs: &[u32; 8]) -> __m256i {
        cast(*costs)
    }

    #[inline(always)]
    fn load_row(self, row: &[u32; 8], _: impl Fn(u32) -> u32) -> __m256i {
        cast(*row)
    }

    #[inline(always)]
    fn store(self, v: __m256i, to: &mut [u32; 8]) {
        *to = cast(v);
    }

    #[inline(always)]
    fn splat(self, cost: u32) -> __m256i {
        self.0.avx._mm256_set1_epi32(cost as i32)
    }

    #[inline(always)]
    fn add(self, a: __m256i, b: __m256i) -> __m256i {
        self.0.avx2._mm256_add_epi32(a, b)
    }

    #[inline(always)]
    fn min(self, a: __m256i, b: __m256i) -> __m256i {
        self.0.avx2._mm256_min_epu32(a, b)
    }

    #[inline(always)]
    fn at_most(self, a: __m256i, b: __m256i) -> u32 {
        let equal = self.0.avx2._mm256_cmpeq_epi32(self.0.avx2._mm256_min_epu32(a, b), a);
        self.0.avx._mm256_movemask_ps(cast(equal)) as u32
    }

    #[inline(always)]
    fn keep(self, v: __m256i, mask: u32) -> __m256i {
        let (avx, avx2) = (self.0.avx, self.0.avx2);
        let bits: __m256i = cast([1_u32, 2, 4, 8, 16, 32, 64, 128]);
        let clear = avx2._mm256_cmpeq_epi32(
            avx2._mm256_and_si256(avx._mm256_set1_epi32(mask as i32), bits),
            avx._mm256_setzero_si256(),
        );
        avx2._mm256_blendv_epi8(v, self.splat(u32::INFINITE), clear)
    }

    #[inline(always)]
    fn push_first(self, v: __m256i, cost: u32) -> __m256i {
        let up = self.0.avx2._mm256_permutevar8x32_epi32(v, cast([0_u32, 0, 1, 2, 3, 4, 5, 6]));
        self.0.avx2._mm256_blend_epi32::<1>(up, self.splat(cost))
    }

    #[inline(always)]
    fn push_last(self, v: __m256i, cost: u32, count: usize) -> __m256i {
        let avx2 = self.0.avx2;
        let down = avx2._mm256_permutevar8x32_epi32(v, cast([1_u32, 2, 3, 4, 5, 6, 7, 7]));
        let last = avx2._mm256_cmpeq_epi32(self.splat(count as u32), cast([1_u32, 2, 3, 4, 5, 6, 7, 8]));
        avx2._mm256_blendv_epi8(down, self.splat(cost), last)
    }

    #[inline(always)]
    fn least(self, v: __m256i) -> u32 {
        let halves: [__m128i; 2] = cast(v);
        Four(self.0).least(self.0.sse4_1._mm_min_epu32(halves[0], halves[1]))
    }

    #[inline(always)]
    fn octile(self, first: i32, across: u32, long: u32, short: u32) -> __m256i {
        let avx2 = self.0.avx2;
        let u = avx2._mm256_abs_epi32(self.add(self.splat(first as u32), cast([0_u32, 1, 2, 3, 4, 5, 6, 7])));
        let times = |factor: u32, rest: u32| {
            let product = avx2._mm256_mullo_epi32(u, self.splat(factor));
            self.add(product, self.splat(rest))
        };
        avx2._mm256_max_epu32(times(long, across.wrapping_mul(short)), times(short, across.wrapping_mul(long)))
    }

    #[inline(always)]
    fn euclidean(self, first: i32, across: u32) -> __m256i {
        let avx = self.0.avx;
        let u = self.add(self.splat(first as u32), cast([0_u32, 1, 2, 3, 4, 5, 6, 7]));
        let (u, v) = (avx._mm256_cvtepi32_ps(u), across as i32 as f32);
        let squares = avx._mm256_add_ps(avx._mm256_mul_ps(u, u), avx._mm256_set1_ps(v * v));
        let lengths = avx._mm256_mul_ps(avx._mm256_sqrt_ps(squares), avx._mm256_set1_ps(EUCLIDEAN_UNIT));
        avx._mm256_cvttps_epi32(lengths)
    }
}

impl Lanes<4> for Four {
    type Cost = u32;
    type V = __m128i;

    #[inline(always)]
    fn load(self, costs: &[u32; 4]) -> __m128i {
        cast(*costs)
    }

    #[inline(always)]
    fn load_row(self, row: &[u32; 4], _: impl Fn(u32) -> u32) -> __m128i {
        cast(*row)
    }

    #[inline(always)]
    fn store(self, v: __m128i, to: &mut [u32; 4]) {
        *to = cast(v);
    }

    #[inline(always)]
    fn splat(self, cost: u32) -> __m128i {
        self.0.sse2._mm_set1_epi32(cost as i32)
    }

    #[inline(always)]
    fn add(self, a: __m128i, b: __m128i) -> __m128i {
        self.0.sse2._mm_add_epi32(a, b)
    }

    #[inline(always)]
    fn min(self, a: __m128i, b: __m128i) -> __m128i {
        self.0.sse4_1._mm_min_epu32(a, b)
    }

    #[inline(always)]
    fn at_most(self, a: __m128i, b: __m128i) -> u32 {
        let equal = self.0.sse2._mm_cmpeq_epi32(self.0.sse4_1._mm_min_epu32(a, b), a);
        self.0.sse._mm_movemask_ps(cast(equal)) as u32
    }

    #[inline(always)]
    fn keep(self, v: __m128i, mask: u32) -> __m128i {
        let sse2 = self.0.sse2;
        let bits: __m128i = cast([1_u32, 2, 4, 8]);
        let clear =
            sse2._mm_cmpeq_epi32(sse2._mm_and_si128(sse2._mm_set1_epi32(mask as i32), bits), sse2._mm_setzero_si128());
        self.0.sse4_1._mm_blendv_epi8(v, self.splat(u32::INFINITE), clear)
    }

    #[inline(always)]
    fn push_first(self, v: __m128i, cost: u32) -> __m128i {
        self.0.ssse3._mm_alignr_epi8::<12>(v, self.splat(cost))
    }

    #[inline(always)]
    fn push_last(self, v: __m128i, cost: u32, count: usize) -> __m128i {
        let down = self.0.sse2._mm_shuffle_epi32::<0b11_11_10_01>(v);
        let last = self.0.sse2._mm_cmpeq_epi32(self.splat(count as u32), cast([1_u32, 2, 3, 4]));
        self.0.sse4_1._mm_blendv_epi8(down, self.splat(cost), last)
    }

    #[inline(always)]
    fn least(self, v: __m128i) -> u32 {
        let (sse2, sse41) = (self.0.sse2, self.0.sse4_1);
        let pairs = sse41._mm_min_epu32(v, sse2._mm_shuffle_epi32::<0b01_00_11_10>(v));
        let least = sse41._mm_min_epu32(pairs, sse2._mm_shuffle_epi32::<0b10_11_00_01>(pairs));
        sse2._mm_cvtsi128_si32(least) as u32
    }

    #[inline(always)]
    fn octile(self, first: i32, across: u32, long: u32, short: u32) -> __m128i {
        let u = self.0.ssse3._mm_abs_epi32(self.0.sse2._mm_add_epi32(self.splat(first as u32), cast([0_u32, 1, 2, 3])));
        let times = |factor: u32, rest: u32| {
            let product = self.0.sse4_1._mm_mullo_epi32(u, self.splat(factor));
            self.0.sse2._mm_add_epi32(product, self.splat(rest))
        };
        let sums = [times(long, across.wrapping_mul(short)), times(short, across.wrapping_mul(long))];
        self.0.sse4_1._mm_max_epu32(sums[0], sums[1])
    }

    #[inline(always)]
    fn euclidean(self, first: i32, across: u32) -> __m128i {
        let (sse, sse2) = (self.0.sse, self.0.sse2);
        let u = sse2._mm_add_epi32(self.splat(first as u32), cast([0_u32, 1, 2, 3]));
        let (u, v) = (sse2._mm_cvtepi32_ps(u), across as i32 as f32);
        let squares = sse._mm_add_ps(sse._mm_mul_ps(u, u), sse._mm_set1_ps(v * v));
        let lengths = sse._mm_mul_ps(sse._mm_sqrt_ps(squares), sse._mm_set1_ps(EUCLIDEAN_UNIT));
        sse2._mm_cvttps_epi32(lengths)
    }
}
