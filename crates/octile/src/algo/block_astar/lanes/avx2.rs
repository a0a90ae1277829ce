//! Vectors of x86-64 processors with AVX2.

use std::arch::x86_64::{__m128i, __m256i};

use pulp::cast;
use pulp::x86::V3;

use super::{EUCLIDEAN_UNIT, Lanes, NoVectors, WithLanes};
use crate::geometry::units::Cost;

/// Runs a job with vectors of 8 costs, if the processor has them.
pub(in super::super) fn with_vectors<W: WithLanes>(job: W) -> Result<W::Output, NoVectors> {
    let token = V3::try_new().ok_or(NoVectors)?;
    Ok(token.vectorize(
        #[inline(always)]
        || job.run(Eight(token)),
    ))
}

/// Vectors of 8 costs, on a processor that has them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Eight(V3);

impl Lanes for Eight {
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
        let (sse2, sse41) = (self.0.sse2, self.0.sse4_1);
        let halves: [__m128i; 2] = cast(v);
        let fours = sse41._mm_min_epu32(halves[0], halves[1]);
        let pairs = sse41._mm_min_epu32(fours, sse2._mm_shuffle_epi32::<0b01_00_11_10>(fours));
        let least = sse41._mm_min_epu32(pairs, sse2._mm_shuffle_epi32::<0b10_11_00_01>(pairs));
        sse2._mm_cvtsi128_si32(least) as u32
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
