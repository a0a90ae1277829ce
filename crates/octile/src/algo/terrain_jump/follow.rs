//! The local rule: which moves are worth trying after a move, determined by the prices of the 3x3 cells around a cell.
//!
//! Of all cheapest paths, take the one whose moves come first in lexicographic order, with diagonal moves before
//! straight ones. Every part of it is such a path between its ends. So a pair of moves `u -> v -> w` may be left out if
//! some way from `u` to `w` over the cells around `v` is cheaper, or has the same cost and begins diagonally where the
//! pair begins straight: the chosen path contains no such pair. A single move may be left out if a way around is
//! cheaper. On a map with one price, the remaining moves are the natural and forced neighbours of jump point search.

use crate::grid::Convention;

/// The prices of the cells on both sides of a diagonal move, if the move is legal; 0 is blocked.
#[inline]
pub(super) fn sides(one: u32, other: u32, cuts: bool) -> Option<[u32; 2]> {
    let is_legal = if cuts { one != 0 || other != 0 } else { one != 0 && other != 0 };
    is_legal.then_some([one, other])
}

/// The moves that may follow at a cell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Follow {
    /// For each direction of arrival, the moves worth trying, one bit per direction.
    pub(super) after: [u8; 8],
    /// The moves worth trying at the start of a path.
    pub(super) first: u8,
}

/// Costs of a straight and a diagonal count that order the sums of a few moves as exact costs do: a convergent of the
/// square root of 2, as in `units.rs`.
const STRAIGHT: i32 = 5_741;
const DIAGONAL: i32 = 8_119;

/// More than the cost of any way around; five of them can be added.
const NONE: i32 = 1 << 28;

/// One number for each of the eight cells around, in the order of directions. Compilers turn these into vectors.
type Ring = [i32; 8];

/// The ring, rotated by this many directions.
#[inline]
fn turned<const PLACES: usize>(ring: &Ring) -> Ring {
    std::array::from_fn(|dir| ring[(dir + PLACES) % 8])
}

/// The element-wise sums.
#[inline]
fn sum(one: &Ring, other: &Ring) -> Ring {
    std::array::from_fn(|dir| one[dir] + other[dir])
}

/// The element-wise minima.
#[inline]
fn least(one: &Ring, other: &Ring) -> Ring {
    std::array::from_fn(|dir| if one[dir] < other[dir] { one[dir] } else { other[dir] })
}

/// Adds a bit wherever one number is below the other: the bit of the cell this many directions on.
#[inline]
fn mark<const PLACES: usize>(marks: &mut Ring, one: &Ring, other: &Ring) {
    let bits = turned::<PLACES>(&[1, 2, 4, 8, 16, 32, 64, 128]);
    *marks = std::array::from_fn(|dir| marks[dir] | if one[dir] < other[dir] { bits[dir] } else { 0 });
}

/// The moves that may follow at a free cell of this price. `ring` has the prices of the cells around it, clockwise from
/// the north, 0 if blocked.
pub(super) fn follow(convention: Convention, price: u8, ring: [u8; 8], cuts: bool) -> Follow {
    let steps = Steps::new(convention, price.into(), ring, cuts);
    let mut first = 0;
    for (dir, dropped) in steps.dropped_moves().into_iter().enumerate() {
        first |= u8::from(steps.out[dir] < NONE) << dir & !dropped as u8;
    }
    let mut after = [0; 8];
    for (from, dropped) in steps.dropped_pairs().into_iter().enumerate() {
        if steps.back[from] < NONE {
            after[(from + 4) % 8] = first & !(dropped as u8 | 1 << from);
        }
    }
    Follow { after, first }
}

/// The costs of the moves around a cell and from and to it, doubled.
struct Steps {
    /// From the cell to each around it, and from each of those to the cell.
    out: Ring,
    back: Ring,
    /// From each cell around to the next one clockwise and counterclockwise, and diagonally to the one after that, past
    /// the cell itself.
    next: Ring,
    previous: Ring,
    chord: Ring,
    chord_back: Ring,
}

impl Steps {
    fn new(convention: Convention, price: u32, ring: [u8; 8], cuts: bool) -> Self {
        let none = [NONE; 8];
        let mut steps = Self { out: none, back: none, next: none, previous: none, chord: none, chord_back: none };
        let Self { out, back, next, previous, chord, chord_back } = &mut steps;
        let straight = |from: u32, to: u32| 2 * STRAIGHT * convention.straight(from, to) as i32;
        let diagonal = |from: u32, to: u32, sides: [u32; 2]| 2 * DIAGONAL * convention.diagonal(from, to, sides) as i32;
        let at = |dir: usize| u32::from(ring[dir % 8]);
        for dir in (0..8).step_by(2) {
            let (here, corner, beyond) = (at(dir), at(dir + 1), at(dir + 2));
            if here != 0 {
                out[dir] = straight(price, here);
                back[dir] = straight(here, price);
            }
            if here != 0 && corner != 0 {
                next[dir] = straight(here, corner);
                previous[dir + 1] = straight(corner, here);
            }
            if corner != 0 && beyond != 0 {
                next[dir + 1] = straight(corner, beyond);
                previous[(dir + 2) % 8] = straight(beyond, corner);
            }
            if corner != 0
                && let Some(sides) = sides(here, beyond, cuts)
            {
                out[dir + 1] = diagonal(price, corner, sides);
                back[dir + 1] = diagonal(corner, price, sides);
            }
            if here != 0
                && beyond != 0
                && let Some(sides) = sides(corner, price, cuts)
            {
                chord[dir] = diagonal(here, beyond, sides);
                chord_back[(dir + 2) % 8] = diagonal(beyond, here, sides);
            }
        }
        steps
    }

    /// For each move from the cell, its bit if a way around is cheaper.
    fn dropped_moves(&self) -> Ring {
        let Self { out, next, previous, chord, chord_back, .. } = self;
        let mut dropped = [0; 8];
        // The cheapest way to each cell around from the one this many cells before it, and from one less.
        let mut ways = [turned::<7>(next), [0; 8]];
        mark::<0>(&mut dropped, &sum(&turned::<7>(out), &ways[0]), out);
        longer(&mut ways, &turned::<6>(next), &turned::<6>(chord));
        mark::<0>(&mut dropped, &sum(&turned::<6>(out), &ways[0]), out);
        longer(&mut ways, &turned::<5>(next), &turned::<5>(chord));
        mark::<0>(&mut dropped, &sum(&turned::<5>(out), &ways[0]), out);
        longer(&mut ways, &turned::<4>(next), &turned::<4>(chord));
        mark::<0>(&mut dropped, &sum(&turned::<4>(out), &ways[0]), out);
        // The same counterclockwise.
        let mut ways = [turned::<1>(previous), [0; 8]];
        mark::<0>(&mut dropped, &sum(&turned::<1>(out), &ways[0]), out);
        longer(&mut ways, &turned::<2>(previous), &turned::<2>(chord_back));
        mark::<0>(&mut dropped, &sum(&turned::<2>(out), &ways[0]), out);
        longer(&mut ways, &turned::<3>(previous), &turned::<3>(chord_back));
        mark::<0>(&mut dropped, &sum(&turned::<3>(out), &ways[0]), out);
        longer(&mut ways, &turned::<4>(previous), &turned::<4>(chord_back));
        mark::<0>(&mut dropped, &sum(&turned::<4>(out), &ways[0]), out);
        dropped
    }

    /// For each cell around, the cells that need not be reached from it through the middle, one bit each.
    ///
    /// A way around that begins straight costs one more: as costs are doubled, it then loses ties.
    fn dropped_pairs(&self) -> Ring {
        let Self { out, back, next, previous, chord, chord_back } = self;
        let mut dropped = [0; 8];
        // The cost through the middle, plus one: ways around of the same cost win.
        let back = back.map(|cost| cost + 1);
        let mut ways = [next.map(|cost| cost + 1), [0; 8]];
        mark::<1>(&mut dropped, &ways[0], &sum(&back, &turned::<1>(out)));
        longer(&mut ways, &turned::<1>(next), chord);
        mark::<2>(&mut dropped, &ways[0], &sum(&back, &turned::<2>(out)));
        longer(&mut ways, &turned::<2>(next), &turned::<1>(chord));
        mark::<3>(&mut dropped, &ways[0], &sum(&back, &turned::<3>(out)));
        longer(&mut ways, &turned::<3>(next), &turned::<2>(chord));
        mark::<4>(&mut dropped, &ways[0], &sum(&back, &turned::<4>(out)));
        // The same counterclockwise.
        let mut ways = [previous.map(|cost| cost + 1), [0; 8]];
        mark::<7>(&mut dropped, &ways[0], &sum(&back, &turned::<7>(out)));
        longer(&mut ways, &turned::<7>(previous), chord_back);
        mark::<6>(&mut dropped, &ways[0], &sum(&back, &turned::<6>(out)));
        longer(&mut ways, &turned::<6>(previous), &turned::<7>(chord_back));
        mark::<5>(&mut dropped, &ways[0], &sum(&back, &turned::<5>(out)));
        longer(&mut ways, &turned::<5>(previous), &turned::<6>(chord_back));
        mark::<4>(&mut dropped, &ways[0], &sum(&back, &turned::<4>(out)));
        dropped
    }
}

/// Extends ways around by a cell: by a step, or by a diagonal one from the cell before.
#[inline]
fn longer(ways: &mut [Ring; 2], step: &Ring, chord: &Ring) {
    let way = least(&sum(&ways[0], step), &sum(&ways[1], chord));
    *ways = [least(&way, &[NONE; 8]), ways[0]];
}
