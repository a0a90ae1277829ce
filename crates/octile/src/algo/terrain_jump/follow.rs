//! The local rule: which moves are worth trying after a move, told from the prices of the 3x3 cells around a cell.
//!
//! Of all cheapest paths take the one whose moves come first in lexicographic order, diagonal ones before straight ones. Every part of it is
//! such a path between its ends. So a pair of moves `u -> v -> w` may be left out if some way from `u` to `w` over the cells around `v` is cheaper,
//! or as cheap and begins diagonally where the pair begins straight: that one path has no such pair. A single move may be left out if a way
//! around is cheaper. With one price, what is left is what jump point search calls natural and forced neighbours.

/// How moves are priced, in counts of straight and diagonal units.
pub(super) trait Pricing: Copy + 'static {
    /// The counts of a move between cells of price 1.
    const UNIT: u32;

    /// The straight counts of a straight move between cells of these prices.
    fn straight(from: u32, to: u32) -> u32;

    /// The diagonal counts of a diagonal move, with the prices of the cells on both sides.
    fn diagonal(from: u32, to: u32, sides: u32) -> u32;
}

/// A move costs the mean of the cells that it touches, in quarters.
#[derive(Clone, Copy, Debug)]
pub(super) struct Average;

impl Pricing for Average {
    const UNIT: u32 = 4;

    #[inline]
    fn straight(from: u32, to: u32) -> u32 {
        2 * (from + to)
    }

    #[inline]
    fn diagonal(from: u32, to: u32, sides: u32) -> u32 {
        from + to + sides
    }
}

/// A move costs the price of the cell that it enters.
#[derive(Clone, Copy, Debug)]
pub(super) struct Enter;

impl Pricing for Enter {
    const UNIT: u32 = 1;

    #[inline]
    fn straight(_: u32, to: u32) -> u32 {
        to
    }

    #[inline]
    fn diagonal(_: u32, to: u32, _: u32) -> u32 {
        to
    }
}

/// The prices on both sides of a diagonal move, added up, if it is legal; 0 is blocked. If corners may be cut, a blocked side counts as the
/// other.
#[inline]
pub(super) fn sides(one: u32, other: u32, cuts: bool) -> Option<u32> {
    match (one, other) {
        (0, 0) => None,
        (0, free) | (free, 0) => cuts.then_some(2 * free),
        (one, other) => Some(one + other),
    }
}

/// What may follow at a cell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Follow {
    /// For each direction of arrival the moves worth trying, a bit for each direction.
    pub(super) after: [u8; 8],
    /// The moves worth trying where a path begins.
    pub(super) first: u8,
}

/// Prices of a straight and a diagonal count that order sums of a few moves as exact costs do: a convergent of the root of 2 as in `units.rs`.
const STRAIGHT: i32 = 5_741;
const DIAGONAL: i32 = 8_119;

/// More than any way around costs; five of them can be added.
const NONE: i32 = 1 << 28;

/// One number for each of the eight cells around, in the order of directions, and those again: so that neighbours are beside each other.
type Ring = [i32; 16];

const fn twice(half: [i32; 8]) -> Ring {
    let mut ring = [0; 16];
    let mut at = 0;
    while at < 16 {
        ring[at] = half[at % 8];
        at += 1;
    }
    ring
}

/// The bit of a direction so many turns from each.
const fn bits(turn: usize) -> [i32; 8] {
    let mut bits = [0; 8];
    let mut at = 0;
    while at < 8 {
        bits[at] = 1 << ((at + turn) % 8);
        at += 1;
    }
    bits
}

/// What may follow at a free cell of this price. `ring` has the prices of the cells around it from the north clockwise, 0 if blocked.
pub(super) fn follow<P: Pricing>(price: u8, ring: [u8; 8], cuts: bool) -> Follow {
    let steps = Steps::new::<P>(price.into(), ring, cuts);
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

/// The costs of moves around a cell and from and to it, doubled.
struct Steps {
    /// From the cell to each around it, and from those to the cell.
    out: Ring,
    back: Ring,
    /// From each cell around to the next clockwise and counterclockwise, and diagonally to the one after that, past the cell itself.
    next: Ring,
    previous: Ring,
    chord: Ring,
    chord_back: Ring,
}

impl Steps {
    fn new<P: Pricing>(price: u32, ring: [u8; 8], cuts: bool) -> Self {
        let mut half = [[NONE; 8]; 6];
        let [out, back, next, previous, chord, chord_back] = &mut half;
        let straight = |from: u32, to: u32| 2 * STRAIGHT * P::straight(from, to) as i32;
        let diagonal = |from: u32, to: u32, sides: u32| 2 * DIAGONAL * P::diagonal(from, to, sides) as i32;
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
        let [out, back, next, previous, chord, chord_back] = half.map(twice);
        Self { out, back, next, previous, chord, chord_back }
    }

    /// For each move from the cell 1 if a way around is cheaper, shifted to its bit.
    fn dropped_moves(&self) -> [i32; 8] {
        let Self { out, next, previous, chord, chord_back, .. } = self;
        let mut dropped = [0; 8];
        // The cheapest way to each cell around from the one `far` cells before it, clockwise and counterclockwise; and from one less, and two.
        let (mut ahead, mut back) = ([[0; 8]; 2], [[0; 8]; 2]);
        for far in 1..=4 {
            for to in 0..8 {
                let (from, back_from) = (to + 8 - far, to + far);
                let mut way = next[from] + ahead[0][to];
                let mut way_back = previous[back_from] + back[0][to];
                if far > 1 {
                    way = least(way, chord[from] + ahead[1][to]);
                    way_back = least(way_back, chord_back[back_from] + back[1][to]);
                }
                ahead[1][to] = ahead[0][to];
                back[1][to] = back[0][to];
                ahead[0][to] = least(way, NONE);
                back[0][to] = least(way_back, NONE);
                let around = least(out[from] + way, out[back_from] + way_back);
                dropped[to] |= i32::from(around < out[to]) * bits(0)[to];
            }
        }
        dropped
    }

    /// For each cell around the cells that it need not go to through the middle, a bit for each.
    ///
    /// A way around that begins straight is one dearer: as costs are doubled, it loses where both cost the same.
    fn dropped_pairs(&self) -> [i32; 8] {
        let Self { out, back, next, previous, chord, chord_back } = self;
        let mut dropped = [0; 8];
        let (mut ways, mut ways_back) = ([[0; 8]; 2], [[0; 8]; 2]);
        for far in 1..=4 {
            let (bit, bit_back) = (bits(far), bits(8 - far));
            for from in 0..8 {
                let (to, back_to) = (from + far, from + 8 - far);
                let (mut way, mut way_back) =
                    (ways[0][from] + next[to - 1], ways_back[0][from] + previous[back_to + 1]);
                if far == 1 {
                    way += 1;
                    way_back += 1;
                } else {
                    way = least(way, ways[1][from] + chord[to - 2]);
                    way_back = least(way_back, ways_back[1][from] + chord_back[(back_to + 2) % 16]);
                }
                ways[1][from] = ways[0][from];
                ways_back[1][from] = ways_back[0][from];
                ways[0][from] = least(way, NONE);
                ways_back[0][from] = least(way_back, NONE);
                dropped[from] |= i32::from(way <= back[from] + out[to]) * bit[from];
                dropped[from] |= i32::from(way_back <= back[from] + out[back_to]) * bit_back[from];
            }
        }
        dropped
    }
}

/// The least of two numbers, as compilers know best for vectors.
#[inline]
const fn least(one: i32, other: i32) -> i32 {
    if one < other { one } else { other }
}
