//! The distances of one pattern, and the numbers of the points on the rim.

use super::{Distances, INF, NO_VIA};

/// The distances of one pattern: from every point of the block to every point of its rim.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Block {
    rim: usize,
    distance: Vec<u32>,
    via: Vec<u8>,
}

impl Block {
    /// An empty block, to be filled.
    pub fn new() -> Self {
        Self::default()
    }

    /// The number of points in the block.
    ///
    /// ```
    /// use octile::algo::block_astar::lddb::{Block, Distances, Lddb};
    /// let mut block = Block::new();
    /// Lddb::shared(Distances::AnyAngle).block::<3>(0, &mut block);
    /// assert_eq!((block.points(), block.rim()), (16, 12)); // the corners of 3 x 3 cells
    /// ```
    pub fn points(&self) -> usize {
        self.distance.len() / self.rim.max(1)
    }

    /// The number of points on the rim.
    pub fn rim(&self) -> usize {
        self.rim
    }

    /// The distances from a point to the points of the rim, [`INF`] where no path exists.
    ///
    /// ```
    /// use octile::algo::block_astar::lddb::{Block, Distances, INF, Lddb};
    /// let mut block = Block::new();
    /// Lddb::shared(Distances::Octile).block::<2>(0b0010, &mut block); // the upper right cell is blocked
    /// assert_eq!(block.row(0), [0, INF, 33_461, 2 * 33_461]); // no path cuts a corner
    /// ```
    #[inline]
    pub fn row(&self, point: usize) -> &[u32] {
        &self.distance[point * self.rim..][..self.rim]
    }

    /// For each point of the rim, the first point where the path to it turns: the end itself if the path is straight,
    /// [`NO_VIA`] if no path exists. The row of the turning point has the next turn.
    ///
    /// ```
    /// use octile::algo::block_astar::lddb::{Block, Distances, Lddb, NO_VIA};
    /// let mut block = Block::new();
    /// Lddb::shared(Distances::Octile).block::<2>(0b0010, &mut block); // the upper right cell is blocked
    /// assert_eq!(block.via(0), [0, NO_VIA, 2, 2]); // the path to point 3 turns at point 2
    /// ```
    #[inline]
    pub fn via(&self, point: usize) -> &[u8] {
        &self.via[point * self.rim..][..self.rim]
    }

    /// Makes room for this many points and points of the rim; rows keep their old contents.
    #[inline]
    pub(super) fn resize(&mut self, points: usize, rim: usize) {
        self.rim = rim;
        self.distance.resize(points * rim, INF);
        self.via.resize(points * rim, NO_VIA);
    }

    /// Removes all paths from a point.
    pub(super) fn clear_row(&mut self, point: usize) {
        let (distance, via) = self.row_mut(point);
        distance.fill(INF);
        via.fill(NO_VIA);
    }

    /// The row of a point, to be overwritten.
    #[inline]
    pub(super) fn row_mut(&mut self, point: usize) -> (&mut [u32], &mut [u8]) {
        let (from, rim) = (point * self.rim, self.rim);
        (&mut self.distance[from..][..rim], &mut self.via[from..][..rim])
    }
}

/// The number of points on the rim of a block of `S` x `S` cells.
///
/// ```
/// use octile::algo::block_astar::lddb::{Distances, rim_len};
/// assert_eq!(rim_len::<4>(Distances::Octile), 12); // cells
/// assert_eq!(rim_len::<4>(Distances::AnyAngle), 16); // corners
/// ```
#[inline]
pub const fn rim_len<const S: usize>(distances: Distances) -> usize {
    4 * (distances.points_a_side(S) - 1)
}

/// The number of a point on the rim, in the order of all points, row by row. `None` inside the block.
///
/// ```
/// use octile::algo::block_astar::lddb::{Distances, rim_index};
/// assert_eq!(rim_index::<3>(Distances::Octile, 2, 1), Some(4));
/// assert_eq!(rim_index::<3>(Distances::Octile, 1, 1), None);
/// ```
#[inline]
pub const fn rim_index<const S: usize>(distances: Distances, x: usize, y: usize) -> Option<usize> {
    let side = distances.points_a_side(S);
    number_on_rim((side, side), x, y)
}

/// [`rim_index`] in a block with this many columns and rows of points.
#[inline(always)]
pub(crate) const fn number_on_rim((columns, rows): (usize, usize), x: usize, y: usize) -> Option<usize> {
    if y == 0 {
        Some(x)
    } else if y + 1 == rows {
        Some(columns + 2 * (rows - 2) + x)
    } else if x == 0 {
        Some(columns + 2 * (y - 1))
    } else if x + 1 == columns {
        Some(columns + 2 * (y - 1) + 1)
    } else {
        None
    }
}

/// The points of the rim in order, each as `y * side + x`.
///
/// ```
/// use octile::algo::block_astar::lddb::{Distances, rim_points};
/// assert!(rim_points::<3>(Distances::Octile).eq([0, 1, 2, 3, 5, 6, 7, 8]));
/// ```
pub fn rim_points<const S: usize>(distances: Distances) -> impl Iterator<Item = usize> {
    let side = distances.points_a_side(S);
    points_on_rim((side, side))
}

/// [`rim_points`] of a block with this many columns and rows of points.
#[inline(always)]
pub(super) fn points_on_rim((columns, rows): (usize, usize)) -> impl Iterator<Item = usize> {
    let is_on_rim = move |point: &usize| number_on_rim((columns, rows), point % columns, point / columns).is_some();
    (0..columns * rows).filter(is_on_rim)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check<const S: usize>() {
        for distances in Distances::ALL {
            let side = distances.points_a_side(S);
            let rim: Vec<usize> = rim_points::<S>(distances).collect();
            assert_eq!(rim.len(), rim_len::<S>(distances));
            for (index, point) in rim.into_iter().enumerate() {
                assert_eq!(rim_index::<S>(distances, point % side, point / side), Some(index));
            }
        }
    }

    #[test]
    fn the_rim_is_numbered_without_gaps() {
        check::<2>();
        check::<3>();
        check::<4>();
        check::<5>();
        check::<8>();
    }
}
