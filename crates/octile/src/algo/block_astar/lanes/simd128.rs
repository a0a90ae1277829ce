//! WebAssembly vectors, which hold 4 costs. A program compiled with them runs only where they are supported.

use std::arch::wasm32::{
    f32x4_add, f32x4_convert_i32x4, f32x4_mul, f32x4_splat, f32x4_sqrt, i32x4_abs, i32x4_add, i32x4_bitmask, i32x4_mul,
    i32x4_shuffle, i32x4_trunc_sat_f32x4, u32x4, u32x4_eq, u32x4_extract_lane, u32x4_le, u32x4_max, u32x4_min,
    u32x4_splat, v128, v128_and, v128_bitselect,
};

use pulp::cast;

use super::{EUCLIDEAN_UNIT, Lanes, NoVectors, WithLanes};
use crate::geometry::SMALL;
use crate::geometry::units::Cost;

/// Runs a job with pairs of vectors.
pub(in super::super) fn with_vectors<W: WithLanes>(job: W) -> Result<W::Output, NoVectors> {
    Ok(job.run(Eight))
}

/// Vectors of 4 costs.
#[derive(Clone, Copy, Debug)]
struct Four;

/// Pairs of vectors.
#[derive(Clone, Copy, Debug)]
pub(super) struct Eight;

/// Ones in the lanes of a mask, zeros in the others.
#[inline(always)]
fn spread(mask: u32) -> v128 {
    let bits = u32x4(1, 2, 4, 8);
    u32x4_eq(v128_and(u32x4_splat(mask), bits), bits)
}

/// `v` with `cost` in the lanes of a mask.
#[inline(always)]
fn put(v: v128, cost: u32, mask: u32) -> v128 {
    v128_bitselect(u32x4_splat(cost), v, spread(mask))
}

impl Four {
    #[inline(always)]
    fn add(self, a: v128, b: v128) -> v128 {
        i32x4_add(a, b)
    }

    #[inline(always)]
    fn min(self, a: v128, b: v128) -> v128 {
        u32x4_min(a, b)
    }

    #[inline(always)]
    fn at_most(self, a: v128, b: v128) -> u32 {
        u32::from(i32x4_bitmask(u32x4_le(a, b)))
    }

    #[inline(always)]
    fn keep(self, v: v128, mask: u32) -> v128 {
        put(v, u32::INFINITE, !mask)
    }

    #[inline(always)]
    fn push_first(self, v: v128, cost: u32) -> v128 {
        i32x4_shuffle::<3, 4, 5, 6>(u32x4_splat(cost), v)
    }

    #[inline(always)]
    fn least(self, v: v128) -> u32 {
        let pairs = u32x4_min(v, i32x4_shuffle::<2, 3, 0, 1>(v, v));
        u32x4_extract_lane::<0>(u32x4_min(pairs, i32x4_shuffle::<1, 0, 3, 2>(pairs, pairs)))
    }

    #[inline(always)]
    fn octile(self, first: i32, across: u32, long: u32, short: u32) -> v128 {
        let u = i32x4_abs(i32x4_add(u32x4_splat(first as u32), u32x4(0, 1, 2, 3)));
        let times = |factor: u32, rest: u32| i32x4_add(i32x4_mul(u, u32x4_splat(factor)), u32x4_splat(rest));
        u32x4_max(times(long, across.wrapping_mul(short)), times(short, across.wrapping_mul(long)))
    }

    #[inline(always)]
    fn euclidean(self, first: i32, across: u32) -> v128 {
        let u = f32x4_convert_i32x4(i32x4_add(u32x4_splat(first as u32), u32x4(0, 1, 2, 3)));
        let v = across as i32 as f32;
        let squares = f32x4_add(f32x4_mul(u, u), f32x4_splat(v * v));
        i32x4_trunc_sat_f32x4(f32x4_mul(f32x4_sqrt(squares), f32x4_splat(EUCLIDEAN_UNIT)))
    }
}

impl Lanes for Eight {
    type Cost = u32;
    type V = [v128; 2];
    const LOOPS: bool = SMALL;

    #[inline(always)]
    fn load(self, costs: &[u32; 8]) -> [v128; 2] {
        cast(*costs)
    }

    #[inline(always)]
    fn load_row(self, row: &[u32; 8], _: impl Fn(u32) -> u32) -> [v128; 2] {
        cast(*row)
    }

    #[inline(always)]
    fn store(self, v: [v128; 2], to: &mut [u32; 8]) {
        *to = cast(v);
    }

    #[inline(always)]
    fn splat(self, cost: u32) -> [v128; 2] {
        [u32x4_splat(cost); 2]
    }

    #[inline(always)]
    fn add(self, a: [v128; 2], b: [v128; 2]) -> [v128; 2] {
        [Four.add(a[0], b[0]), Four.add(a[1], b[1])]
    }

    #[inline(always)]
    fn min(self, a: [v128; 2], b: [v128; 2]) -> [v128; 2] {
        [Four.min(a[0], b[0]), Four.min(a[1], b[1])]
    }

    #[inline(always)]
    fn at_most(self, a: [v128; 2], b: [v128; 2]) -> u32 {
        Four.at_most(a[0], b[0]) | Four.at_most(a[1], b[1]) << 4
    }

    #[inline(always)]
    fn keep(self, v: [v128; 2], mask: u32) -> [v128; 2] {
        [Four.keep(v[0], mask), Four.keep(v[1], mask >> 4)]
    }

    #[inline(always)]
    fn push_first(self, v: [v128; 2], cost: u32) -> [v128; 2] {
        [Four.push_first(v[0], cost), i32x4_shuffle::<3, 4, 5, 6>(v[0], v[1])]
    }

    #[inline(always)]
    fn push_last(self, v: [v128; 2], cost: u32, count: usize) -> [v128; 2] {
        let last = 1 << (count - 1);
        let down = [i32x4_shuffle::<1, 2, 3, 4>(v[0], v[1]), i32x4_shuffle::<1, 2, 3, 3>(v[1], v[1])];
        [put(down[0], cost, last), put(down[1], cost, last >> 4)]
    }

    #[inline(always)]
    fn least(self, v: [v128; 2]) -> u32 {
        Four.least(u32x4_min(v[0], v[1]))
    }

    #[inline(always)]
    fn octile(self, first: i32, across: u32, long: u32, short: u32) -> [v128; 2] {
        [Four.octile(first, across, long, short), Four.octile(first + 4, across, long, short)]
    }

    #[inline(always)]
    fn euclidean(self, first: i32, across: u32) -> [v128; 2] {
        [Four.euclidean(first, across), Four.euclidean(first + 4, across)]
    }
}
