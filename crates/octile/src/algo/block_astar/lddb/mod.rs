//! Local distance databases: all distances inside a small block of cells, for every pattern of blocked cells.
//!
//! A block has a few columns and rows of cells, and a pattern says which are blocked: bit `y * columns + x` of a
//! number. Its *points* are its cells or, for paths of any angle, the corners of its cells. The points on its border
//! are its *rim*. A [`Block`] holds the shortest distance inside the block from every point to every point of the rim,
//! and where the path turns first.
//!
//! - **Guarantee**: exact, as integers: a straight move is 33461, a diagonal one 47321, other lines are rounded up.
//! - **Preprocessing**: [`Lddb::build`] computes all patterns up to 4 x 4 in 0.02 to 0.1 s, for all maps and all
//!   processes; [`Lddb::shared`] does so once per process. Index files can store them. Larger blocks, up to 8 x 8, and
//!   rectangles are computed one pattern at a time, in 5 to 15 us.
//! - **Memory**: 0.5 MB for cells, 1.8 MB for corners, 0.9 MB without squeezing.
//! - **Reference**: Yap, Burch, Holte & Schaeffer, "Block A*: Database-Driven Search with Applications in Any-Angle
//!   Path-Planning", 2011, section 3.
//! - **Deviations**: 1. the distances to the rim start at all points, not only at the rim; 2. entries store where the
//!   path turns; 3. symmetries, palettes and shared rows store 65,536 patterns in less than 2 MB; 4. blocks larger than
//!   4 x 4 are not stored but computed when needed.
//!
//! # Example
//! ```
//! use octile::algo::block_astar::lddb::{Block, Distances, Lddb, rim_index};
//!
//! let lddb = Lddb::shared(Distances::Octile);
//! let mut block = Block::new();
//! lddb.block::<3>(0b000_010_000, &mut block); // the cell in the middle is blocked
//! let to = rim_index::<3>(Distances::Octile, 2, 1).unwrap();
//! assert_eq!(block.row(3)[to], 4 * 33_461); // from the left to the right, around the middle
//! assert_eq!(block.via(3)[to], 0); // first up to the corner
//! ```

#![allow(
    clippy::inline_always,
    reason = "callers compile the local computation for wider vectors, with all of its parts"
)]

mod block;
mod cells;
mod corners;
mod database;
pub(crate) mod file;
mod lanes;
pub(crate) mod local;
#[cfg(test)]
mod oracle;
mod sight;
mod symmetry;

pub(super) use self::block::number_on_rim;
pub use self::block::{Block, rim_index, rim_len, rim_points};
pub use self::database::Lddb;
pub use super::size::BlockSize;
use crate::geometry::units::{Narrow, Units};

/// The distance if no path exists.
pub const INF: u32 = 0x7FFF_FFFF;

/// The turning point if no path exists.
pub const NO_VIA: u8 = u8::MAX;

/// The distances inside a block, by kind of path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Distances {
    /// Between cells, by moves to the four neighbours.
    Tile,
    /// Between cells, by moves to the eight neighbours; a diagonal move needs both cells beside it to be free.
    Octile,
    /// Between corners of cells, by straight lines of any angle along and between blocked cells. A line may squeeze
    /// between two blocked cells that touch at a corner.
    AnyAngle,
    /// As [`AnyAngle`](Distances::AnyAngle), but no line passes or turns at a *pinch*, a corner inside the block where
    /// two blocked cells touch and the other two are free. A path may begin at a pinch with a free cell to its lower
    /// right, with lines to the lower right only.
    NoSqueeze,
}

impl Distances {
    /// All kinds of distances.
    pub const ALL: [Self; 4] = [Self::Tile, Self::Octile, Self::AnyAngle, Self::NoSqueeze];

    /// Whether points are cells rather than corners.
    #[inline]
    pub const fn of_cells(self) -> bool {
        matches!(self, Self::Tile | Self::Octile)
    }

    /// The number of points along a side of a block of `size` x `size` cells.
    #[inline]
    pub const fn points_a_side(self, size: usize) -> usize {
        if self.of_cells() { size } else { size + 1 }
    }
}

/// The length of a straight line, or of a straight run of moves, over this many columns and rows, in units of
/// [`Narrow`]. Lines are rounded up, in proportion for lines of one direction, so that parts add up to the whole.
#[inline]
pub(crate) const fn length(dx: usize, dy: usize) -> u32 {
    LENGTHS[dy][dx]
}

/// The maximum number of cells along a side of a block.
pub(crate) const MAX_SIZE: usize = 8;

static LENGTHS: [[u32; MAX_SIZE + 1]; MAX_SIZE + 1] = lengths();

const fn lengths() -> [[u32; MAX_SIZE + 1]; MAX_SIZE + 1] {
    let mut lengths = [[0; MAX_SIZE + 1]; MAX_SIZE + 1];
    let mut at = 1;
    while at < (MAX_SIZE + 1) * (MAX_SIZE + 1) {
        let (dx, dy) = (at % (MAX_SIZE + 1), at / (MAX_SIZE + 1));
        let steps = gcd(dx, dy);
        lengths[dy][dx] = steps as u32 * primitive_length(dx / steps, dy / steps);
        at += 1;
    }
    lengths
}

const fn primitive_length(dx: usize, dy: usize) -> u32 {
    if dx + dy == 1 {
        return Narrow::STRAIGHT;
    }
    if dx == 1 && dy == 1 {
        return Narrow::DIAGONAL;
    }
    let unit = Narrow::STRAIGHT as u64;
    let square = unit * unit * (dx * dx + dy * dy) as u64;
    (square - 1).isqrt() as u32 + 1
}

const fn gcd(a: usize, b: usize) -> usize {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_rounded_up_and_add_up() {
        assert_eq!([length(0, 0), length(1, 0), length(0, 3), length(1, 1)], [0, 33_461, 3 * 33_461, 47_321]);
        for dy in 0..=MAX_SIZE {
            for dx in 0..=MAX_SIZE {
                let (exact, steps) = (33_461.0 * ((dx * dx + dy * dy) as f64).sqrt(), gcd(dx, dy).max(1));
                let length = f64::from(length(dx, dy));
                assert!(length >= exact - 0.001 && length < exact + steps as f64, "{dx} {dy}: {length} {exact}");
                assert_eq!(self::length(dx, dy), steps as u32 * self::length(dx / steps, dy / steps));
                assert_eq!(self::length(dx, dy), self::length(dy, dx));
            }
        }
    }
}
