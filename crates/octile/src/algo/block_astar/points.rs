//! The points of a block, cells or corners of cells: everything that differs between the two in the search.
//!
//! A block has four sides: top, bottom, left and right, with as many lanes as cells. Between cells, a side is a row or
//! column of cells; the cells at the block's corners belong to two sides and have two lanes. Along a side there
//! is one more corner than there are cells, and each of the block's four corners belongs to one side only:
//! ```text
//! cells, 4 x 4:  top  0 1 2 3      corners, 4 x 4:  top  0 1 2 3 r     r, the right side, runs down from there
//!                     . . . 1                            1 . . . 1
//!                     . . . 2                            2 . . . 2
//!                     0 1 2 3 bottom                     3 . . . 3
//!                                                        l 0 1 2 3 bottom; l is the last of the left side
//! ```
//!
//! Crossing from one cell to another costs a move. Corners on a border belong to both blocks, so crossing costs
//! nothing.

use std::fmt::Debug;

use super::lanes::{LANES, Lanes, all};
use super::size::BlockSize;
use crate::geometry::units::{Cost, Narrow, Units};
use crate::grid::Squeeze;

/// The four sides of a block. The one facing side `s` in the next block is `s ^ 1`.
pub(super) const TOP: usize = 0;
pub(super) const BOTTOM: usize = 1;
pub(super) const LEFT: usize = 2;
pub(super) const RIGHT: usize = 3;

/// A lane: its side, and its index there.
pub(super) type Lane = (usize, usize);

/// A single lane that crosses to another block: the lane, the direction of the other block, and the lane there.
pub(super) type Single = (Lane, (isize, isize), Lane);

/// The lanes by which a search can leave a block.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Border {
    /// For each side, the reachable lanes of the facing side.
    pub(super) sides: [u8; 4],
    /// The usable ones of [`Layout::single`].
    pub(super) singles: u8,
}

/// Free cells along the border of a block; each word goes from one cell before the block to one after it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edges {
    /// For each side, its own cells, and those beyond it.
    pub(super) inside: [u64; 4],
    pub(super) outside: [u64; 4],
}

/// Cells or corners.
pub(super) trait Points: Copy + Debug + Send + Sync + 'static {
    /// The number of points along a side of a block, minus the cells.
    const EXTRA: usize;
}

/// The parts of the search that depend on [`Points`].
pub(super) trait Layout: Points {
    /// The position in the block of a side's first lane.
    fn first_of(size: BlockSize, side: usize) -> (usize, usize);

    /// One of the eight single lanes that cross to another block: first those to the blocks beyond the sides, then
    /// those to the blocks beyond the block's corners.
    fn single(size: BlockSize, number: usize) -> Single;

    /// The singles that cross at the block's corners.
    const DIAGONALS: u8 = 0xF0;

    /// The changed lanes that affect the block beyond a side, as lanes of that side.
    fn concerns(size: BlockSize, side: usize, changed: u32) -> u32;

    /// The lanes by which a search can leave a block with these edges.
    fn border(size: BlockSize, edges: &Edges, squeeze: Squeeze, diagonal: bool) -> Border;

    /// The costs at the facing side of the next block, given those of this one. `prices` are the costs of a straight
    /// and a diagonal move, `open` the lanes that can be reached.
    fn cross<K: Lanes>(
        lanes: K,
        size: BlockSize,
        rim: &[K::V; 4],
        side: usize,
        open: u32,
        prices: (K::Cost, K::Cost),
    ) -> K::V;

    /// Whether a block must pass on lanes that got cheaper to the blocks around it, even if the block itself does not
    /// improve.
    const PASSES_ON: bool;

    /// The number of the lowest bits of f that its key on the open list leaves out, for the least expansions.
    fn rounding(size: BlockSize) -> u32;

    /// The key on the open list for f.
    fn key<U: Units>(rounding: u32, f: U::Cost) -> U::Cost;

    /// The value that breaks ties between equal keys, the larger first.
    fn tie<U: Units>(g: U::Cost) -> U::Cost;

    /// A distance of the database in other units.
    fn convert<U: Units>(distance: u32) -> U::Cost;

    /// [`convert`](Layout::convert), without any work if the units are the same.
    #[inline(always)]
    fn widen<U: Units>(distance: u32) -> U::Cost {
        if size_of::<U::Cost>() == size_of::<u32>() { distance.into() } else { Self::convert::<U>(distance) }
    }

    /// The costs of a straight and a diagonal move; the latter is infinite if there are no diagonal moves.
    fn prices<U: Units>(tile: bool) -> (U::Cost, U::Cost);
}

/// The number of lanes of a side.
#[inline(always)]
pub(super) fn lanes_of(size: BlockSize, side: usize) -> usize {
    if side < LEFT { size.width() } else { size.height() }
}

/// The point of a lane in its block.
#[inline(always)]
pub(super) fn position<P: Layout>(size: BlockSize, (side, lane): Lane) -> (usize, usize) {
    let (x, y) = P::first_of(size, side);
    if side < LEFT { (x + lane, y) } else { (x, y + lane) }
}

/// The number of a point in its block.
#[inline(always)]
pub(super) fn index<P: Points>(size: BlockSize, (x, y): (usize, usize)) -> usize {
    y * (size.width() + P::EXTRA) + x
}

/// The position of a numbered point in its block.
#[inline(always)]
pub(super) fn position_of<P: Points>(size: BlockSize, point: usize) -> (usize, usize) {
    let columns = size.width() + P::EXTRA;
    (point % columns, point / columns)
}

/// Paths from cell to cell.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cells;

/// Paths from corner to corner, of any angle.
#[derive(Clone, Copy, Debug)]
pub(super) struct Corners;

impl Points for Cells {
    const EXTRA: usize = 0;
}

impl Points for Corners {
    const EXTRA: usize = 1;
}

impl Layout for Cells {
    const PASSES_ON: bool = true;

    #[inline(always)]
    fn first_of(size: BlockSize, side: usize) -> (usize, usize) {
        match side {
            BOTTOM => (0, size.height() - 1),
            RIGHT => (size.width() - 1, 0),
            _ => (0, 0),
        }
    }

    #[inline(always)]
    fn single(size: BlockSize, number: usize) -> Single {
        let last = size.width() - 1;
        match number {
            4 => ((TOP, 0), (-1, -1), (BOTTOM, last)),
            5 => ((TOP, last), (1, -1), (BOTTOM, 0)),
            6 => ((BOTTOM, 0), (-1, 1), (TOP, last)),
            7 => ((BOTTOM, last), (1, 1), (TOP, 0)),
            _ => ((TOP, 0), (0, 0), (TOP, 0)),
        }
    }

    #[inline(always)]
    fn concerns(_: BlockSize, side: usize, changed: u32) -> u32 {
        changed >> (side * LANES)
    }

    fn border(size: BlockSize, edges: &Edges, _: Squeeze, diagonal: bool) -> Border {
        let both = |side: usize| edges.inside[side] & edges.outside[side];
        let open = |side: usize| (both(side) >> 1) as u8 & all(lanes_of(size, side)) as u8;
        let mut border = Border { sides: [TOP, BOTTOM, LEFT, RIGHT].map(open), singles: 0 };
        // A diagonal move needs all four cells around the corner.
        for (single, (side, at)) in (4..).zip([(TOP, 0), (TOP, size.width()), (BOTTOM, 0), (BOTTOM, size.width())]) {
            border.singles |= u8::from(diagonal && both(side) >> at & 3 == 3) << single;
        }
        border
    }

    #[inline(always)]
    fn cross<K: Lanes>(
        lanes: K,
        _: BlockSize,
        rim: &[K::V; 4],
        side: usize,
        open: u32,
        (straight, diagonal): (K::Cost, K::Cost),
    ) -> K::V {
        let from = lanes.keep(rim[side], open);
        // Beyond the side, all lanes are infinite.
        let beside =
            lanes.min(lanes.push_first(from, K::Cost::INFINITE), lanes.push_last(from, K::Cost::INFINITE, LANES));
        let to = lanes.min(lanes.add(from, lanes.splat(straight)), lanes.add(beside, lanes.splat(diagonal)));
        lanes.keep(to, open)
    }

    fn rounding(_: BlockSize) -> u32 {
        0
    }

    #[inline(always)]
    fn key<U: Units>(_: u32, f: U::Cost) -> U::Cost {
        f
    }

    #[inline(always)]
    fn tie<U: Units>(g: U::Cost) -> U::Cost {
        g
    }

    fn convert<U: Units>(distance: u32) -> U::Cost {
        if distance == u32::INFINITE { U::Cost::INFINITE } else { U::encode(Narrow::decode(distance)) }
    }

    fn prices<U: Units>(tile: bool) -> (U::Cost, U::Cost) {
        (U::STRAIGHT, if tile { U::Cost::INFINITE } else { U::DIAGONAL })
    }
}

impl Layout for Corners {
    const PASSES_ON: bool = false;

    #[inline(always)]
    fn first_of(size: BlockSize, side: usize) -> (usize, usize) {
        match side {
            TOP => (0, 0),
            BOTTOM => (1, size.height()),
            LEFT => (0, 1),
            _ => (size.width(), 0),
        }
    }

    #[inline(always)]
    fn single(size: BlockSize, number: usize) -> Single {
        let [upper_left, upper_right, lower_left, lower_right] =
            [(TOP, 0), (RIGHT, 0), (LEFT, size.height() - 1), (BOTTOM, size.width() - 1)];
        match number {
            0 => (upper_left, (0, -1), lower_left),
            1 => (lower_right, (0, 1), upper_right),
            2 => (lower_left, (-1, 0), lower_right),
            3 => (upper_right, (1, 0), upper_left),
            4 => (upper_left, (-1, -1), lower_right),
            5 => (upper_right, (1, -1), lower_left),
            6 => (lower_left, (-1, 1), upper_right),
            _ => (lower_right, (1, 1), upper_left),
        }
    }

    /// The last corner of a side may belong to the next side.
    #[inline(always)]
    fn concerns(size: BlockSize, side: usize, changed: u32) -> u32 {
        let (width, height) = (size.width(), size.height());
        let (own, lane) = (changed >> (side * LANES), |side: usize, lane: usize| changed >> (side * LANES + lane) & 1);
        match side {
            TOP => own >> 1 & all(width) >> 1 | lane(RIGHT, 0) << (width - 1),
            BOTTOM => own << 1 | lane(LEFT, height - 1),
            LEFT => own << 1 | lane(TOP, 0),
            _ => own >> 1 & all(height) >> 1 | lane(BOTTOM, width - 1) << (height - 1),
        }
    }

    /// A corner leads into another block if it touches a free cell there.
    fn border(size: BlockSize, edges: &Edges, squeeze: Squeeze, _: bool) -> Border {
        let mut border = Border::default();
        for side in [TOP, BOTTOM, LEFT, RIGHT] {
            let (inside, outside, count) = (edges.inside[side], edges.outside[side], lanes_of(size, side));
            // Corners where two free and two blocked cells touch.
            let pinches =
                inside & outside >> 1 & !(inside >> 1) & !outside | inside >> 1 & outside & !inside & !(outside >> 1);
            let shut = if squeeze == Squeeze::Forbidden { pinches } else { 0 };
            let beyond = outside >> 1 & u64::from(all(count));
            let open = (beyond | beyond << 1) & !shut;
            // The facing lanes begin at the first corner or at the second; the corner left out is a single.
            let (lanes, single) = if side == TOP || side == RIGHT { (open >> 1, open) } else { (open, open >> count) };
            border.sides[side] = lanes as u8 & all(count) as u8;
            border.singles |= (single as u8 & 1) << side;
            if side == TOP || side == BOTTOM {
                let ends = outside & !shut & 1 | (outside >> (count + 1) & !(shut >> count) & 1) << 1;
                border.singles |= (ends as u8) << (4 + 2 * side);
            }
        }
        border
    }

    #[inline(always)]
    fn cross<K: Lanes>(
        lanes: K,
        size: BlockSize,
        rim: &[K::V; 4],
        side: usize,
        open: u32,
        _: (K::Cost, K::Cost),
    ) -> K::V {
        let end = |side: usize, lane: usize| {
            let mut costs = [K::Cost::INFINITE; LANES];
            lanes.store(rim[side], &mut costs);
            costs[lane]
        };
        let to = match side {
            TOP => lanes.push_last(rim[TOP], end(RIGHT, 0), size.width()),
            BOTTOM => lanes.push_first(rim[BOTTOM], end(LEFT, size.height() - 1)),
            LEFT => lanes.push_first(rim[LEFT], end(TOP, 0)),
            _ => lanes.push_last(rim[RIGHT], end(BOTTOM, size.width() - 1), size.height()),
        };
        lanes.keep(to, open)
    }

    /// f in steps of about half a block's side. Measured on sc1, bg512 and dao: up to 29 % fewer expansions than with f
    /// itself.
    fn rounding(size: BlockSize) -> u32 {
        ((size.width() + size.height()) as u32 * Narrow::STRAIGHT / 4).ilog2()
    }

    #[inline(always)]
    fn key<U: Units>(rounding: u32, f: U::Cost) -> U::Cost {
        U::Cost::of(f.into() >> rounding << rounding)
    }

    #[inline(always)]
    fn tie<U: Units>(g: U::Cost) -> U::Cost {
        U::Cost::MAX - g
    }

    /// Lengths of any angle are not exact anyway: they stay in units of [`Narrow`], with room for longer paths.
    fn convert<U: Units>(distance: u32) -> U::Cost {
        if distance == u32::INFINITE { U::Cost::INFINITE } else { distance.into() }
    }

    fn prices<U: Units>(_: bool) -> (U::Cost, U::Cost) {
        (Narrow::STRAIGHT.into(), Narrow::DIAGONAL.into())
    }
}
