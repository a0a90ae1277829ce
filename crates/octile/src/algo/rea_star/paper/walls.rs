//! The cost of wall cells from the costs along the entrance.
//!
//! A rectangle has an entrance, one side whose cells have known costs, and three walls. Nothing is blocked inside it,
//! so the cost of a wall cell is the minimum, over all entrance cells, of the entrance cell's cost plus the octile
//! distance between the two. The shape of the walls makes this cheap: all cells of a side wall, and whole runs of the
//! front wall, are found in passes of additions and comparisons.

use super::frame::{Frame, Rect};
use crate::geometry::Cell;
use crate::geometry::units::{Cost, Units};
use crate::planner::size_bytes;

/// Buffers for a rectangle, reused by all rectangles.
#[derive(Debug, Default)]
pub(super) struct Walls<C> {
    /// The costs along the entrance, from its first cell.
    pub(super) entrance: Vec<C>,
    /// The costs of the current wall, from its first cell; filled as needed.
    pub(super) wall: Vec<C>,
    /// For the side walls: the minimum of `entrance[k] + k * slope` over the first cells, counted from the first and
    /// from the last cell of the entrance. Empty until needed.
    low: Vec<C>,
    high: Vec<C>,
    /// For the front wall: minima over parts of blocks.
    prefix: Vec<C>,
    suffix: Vec<C>,
}

size_bytes!(for [C] Walls<C>: entrance, wall, low, high, prefix, suffix);

/// A side wall, as seen from the entrance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    /// Beside the entrance's first cell.
    Low,
    /// Beside its last cell.
    High,
}

impl<C: Cost> Walls<C> {
    /// Buffers for walls of up to `side` cells.
    pub(super) fn new(side: usize) -> Self {
        Self { wall: vec![C::default(); side], ..Self::default() }
    }

    /// Begins a rectangle; `entrance` must be filled. Lowers each entrance cost to that of a walk along the entrance.
    pub(super) fn begin<U: Units<Cost = C>>(&mut self) {
        let costs = &mut self.entrance;
        for i in 1..costs.len() {
            costs[i] = costs[i].min(costs[i - 1] + U::STRAIGHT);
        }
        for i in (1..costs.len()).rev() {
            costs[i - 1] = costs[i - 1].min(costs[i] + U::STRAIGHT);
        }
        self.low.clear();
        self.high.clear();
    }

    /// Prepares [`side`](Self::side) for distances up to `far`.
    #[inline]
    pub(super) fn prepare_side<U: Units<Cost = C>>(&mut self, side: Side, far: usize) {
        let Self { entrance, low, high, .. } = self;
        let least = if side == Side::Low { low } else { high };
        let slope = U::DIAGONAL - U::STRAIGHT;
        while least.len() < entrance.len().min(far + 1) {
            let k = least.len();
            let from = if side == Side::Low { k } else { entrance.len() - 1 - k };
            let here = entrance[from] + slope * (k as u32).into();
            least.push(least.last().map_or(here, |&before| before.min(here)));
        }
    }

    /// The cost of a side-wall cell at this distance from the entrance. Diagonals from entrance cells up to that
    /// distance reach the wall; cells farther along reach it further down.
    #[inline]
    pub(super) fn side<U: Units<Cost = C>>(&self, side: Side, distance: usize) -> C {
        let least = if side == Side::Low { &self.low } else { &self.high };
        least[distance.min(self.entrance.len() - 1)] + U::STRAIGHT * (distance as u32).into()
    }

    /// Writes the costs of front-wall cells `first..=last` (counted along the entrance) to the same indices of `wall`.
    /// The wall is `height` lines ahead: only entrance cells at most that far to either side matter, as the path from
    /// others leads along a side wall.
    pub(super) fn prepare_front<U: Units<Cost = C>>(&mut self, height: usize, first: usize, last: usize) {
        let len = self.entrance.len();
        let rise = U::STRAIGHT * (height as u32).into();
        if height == 0 {
            self.wall[first..=last].copy_from_slice(&self.entrance[first..=last]);
        } else if (last - first + 1) * height.min(len) <= 64 {
            for i in first..=last {
                self.wall[i] = self.front_cell::<U>(height, i) + rise;
            }
        } else {
            // The entrance cells before and those after are mirror cases.
            self.slide::<U, false>(height, first, last, rise);
            self.slide::<U, true>(height, first, last, rise);
        }
    }

    /// The cost of one front-wall cell, by testing every entrance cell that matters.
    fn front_cell<U: Units<Cost = C>>(&self, height: usize, i: usize) -> C {
        let slope = U::DIAGONAL - U::STRAIGHT;
        let (low, high) = (i.saturating_sub(height), (i + height).min(self.entrance.len() - 1));
        let cost = |k: usize| self.entrance[k] + slope * (k.abs_diff(i) as u32).into();
        (low..=high).map(cost).min().unwrap_or(C::MAX)
    }

    /// For each front-wall cell, the minimum over the `height` entrance cells before it and the one straight behind it
    /// or, with `AFTER`, those after it; the second call keeps the smaller of the two.
    ///
    /// A minimum over a sliding window: the line is cut into blocks as long as the window, so the window always
    /// consists of the end of one block and the beginning of the next. Minima from both ends of every block give both
    /// parts.
    fn slide<U: Units<Cost = C>, const AFTER: bool>(&mut self, height: usize, first: usize, last: usize, rise: C) {
        let slope = U::DIAGONAL - U::STRAIGHT;
        let Self { entrance, wall, prefix, suffix, .. } = self;
        let (reach, skipped) = if AFTER {
            let end = (last + height).min(entrance.len() - 1);
            (&entrance[first..=end], end - last)
        } else {
            let start = first.saturating_sub(height);
            (&entrance[start..=last], first - start)
        };
        // Tilted so that the window's minimum needs only one more term, which depends on the wall cell alone.
        let tilt = |k: usize| slope * ((reach.len() - 1 - k) as u32).into();
        let tilted = |(k, &cost): (usize, &C)| cost + tilt(k);
        prefix.clear();
        if AFTER {
            prefix.extend(reach.iter().rev().enumerate().map(tilted));
        } else {
            prefix.extend(reach.iter().enumerate().map(tilted));
        }
        suffix.clear();
        suffix.extend_from_slice(prefix);
        for block in prefix.chunks_mut(height + 1) {
            for k in 1..block.len() {
                block[k] = block[k].min(block[k - 1]);
            }
        }
        for block in suffix.chunks_mut(height + 1) {
            for k in (1..block.len()).rev() {
                block[k - 1] = block[k - 1].min(block[k]);
            }
        }
        for k in skipped..reach.len() {
            let least = if k < height { prefix[k] } else { prefix[k].min(suffix[k - height]) };
            let cost = least - tilt(k) + rise;
            let i = if AFTER { last - (k - skipped) } else { first + (k - skipped) };
            wall[i] = if AFTER { wall[i].min(cost) } else { cost };
        }
    }
}

/// The rule by which the costs of a wall's cells follow from the rectangle's entrance.
pub(super) trait WallCosts<U: Units> {
    /// Prepares the cells from `first` to `last`.
    fn prepare(&mut self, first: usize, last: usize) {
        let _ = (first, last);
    }

    fn cost(&self, u: usize) -> U::Cost;

    /// Whether a wall cell is also an entrance cell.
    fn is_entrance(&self, _u: usize) -> bool {
        false
    }

    /// Whether a cell beyond the wall is covered otherwise and must be skipped.
    fn is_inside(&self, _u: usize, _v: usize) -> bool {
        false
    }
}

/// A wall of a rectangle that expands from one cell: the start's, or that of a node with a single cell.
pub(super) struct PointCosts<'a, C> {
    pub(super) root: Cell,
    pub(super) g: C,
    pub(super) frame: &'a Frame<'a>,
    pub(super) line: usize,
    /// The other rectangle of the start's cross: its cells are not beyond this wall.
    pub(super) other: Option<Rect>,
}

impl<U: Units> WallCosts<U> for PointCosts<'_, U::Cost> {
    #[inline]
    fn cost(&self, u: usize) -> U::Cost {
        self.g + U::between(self.root, self.frame.cell(u, self.line))
    }

    #[inline]
    fn is_inside(&self, u: usize, v: usize) -> bool {
        self.other.is_some_and(|other| other.contains(self.frame.cell(u, v)))
    }
}

/// A side wall. Positions along it count from the line of the entrance.
pub(super) struct SideCosts<'a, C> {
    pub(super) walls: &'a mut Walls<C>,
    pub(super) side: Side,
    pub(super) entrance: usize,
}

impl<U: Units> WallCosts<U> for SideCosts<'_, U::Cost> {
    #[inline]
    fn prepare(&mut self, first: usize, last: usize) {
        let far = first.abs_diff(self.entrance).max(last.abs_diff(self.entrance));
        self.walls.prepare_side::<U>(self.side, far);
    }

    #[inline]
    fn cost(&self, u: usize) -> U::Cost {
        self.walls.side::<U>(self.side, u.abs_diff(self.entrance))
    }

    #[inline]
    fn is_entrance(&self, u: usize) -> bool {
        u == self.entrance
    }
}

/// The wall opposite the entrance.
pub(super) struct FrontCosts<'a, C> {
    pub(super) walls: &'a mut Walls<C>,
    pub(super) height: usize,
    pub(super) first: usize,
}

impl<U: Units> WallCosts<U> for FrontCosts<'_, U::Cost> {
    #[inline]
    fn prepare(&mut self, first: usize, last: usize) {
        self.walls.prepare_front::<U>(self.height, first - self.first, last - self.first);
    }

    #[inline]
    fn cost(&self, u: usize) -> U::Cost {
        self.walls.wall[u - self.first]
    }

    #[inline]
    fn is_entrance(&self, _u: usize) -> bool {
        self.height == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Dice;
    use crate::geometry::units::Narrow;

    /// Walls of an entrance with random costs, smoothed as in the search.
    fn walls(len: usize, dice: &mut Dice) -> Walls<u32> {
        let mut walls = Walls::new(len);
        for _ in 0..len {
            walls.entrance.push(1_000_000 + dice.below(200_000) as u32);
        }
        walls.begin::<Narrow>();
        walls
    }

    /// The cost of the cell `across` cells along and `ahead` lines from the entrance, by trying every entrance cell.
    fn naive(entrance: &[u32], across: usize, ahead: usize) -> u32 {
        let step = |k: usize| {
            let (long, short) = (k.abs_diff(across).max(ahead), k.abs_diff(across).min(ahead));
            Narrow::STRAIGHT * (long - short) as u32 + Narrow::DIAGONAL * short as u32
        };
        (0..entrance.len()).map(|k| entrance[k] + step(k)).min().unwrap()
    }

    #[test]
    fn side_wall_costs_are_minima_over_the_entrance() {
        let mut dice = Dice::new(3);
        for len in [1, 2, 5, 40] {
            let mut walls = walls(len, &mut dice);
            for (side, across) in [(Side::Low, 0), (Side::High, len - 1)] {
                for far in [3, 1, 60] {
                    walls.prepare_side::<Narrow>(side, far);
                    for distance in 0..=far {
                        let expected = naive(&walls.entrance, across, distance);
                        assert_eq!(walls.side::<Narrow>(side, distance), expected, "{len} {side:?} {distance}");
                    }
                }
            }
        }
    }

    /// Only entrance cells nearer to the side than to the front matter: the others reach the cell along a side wall,
    /// which has its own costs.
    #[test]
    fn front_wall_costs_are_minima_over_the_entrance_cells_in_reach() {
        let mut dice = Dice::new(5);
        for (len, height) in [(1, 4), (7, 0), (7, 2), (90, 1), (90, 7), (90, 30), (90, 200), (64, 64)] {
            for (first, last) in [(0, len - 1), (len / 3, len / 2), (len - 1, len - 1)] {
                let mut walls = walls(len, &mut dice);
                walls.prepare_front::<Narrow>(height, first, last);
                let rise = Narrow::STRAIGHT * height as u32;
                for i in first..=last {
                    assert_eq!(walls.wall[i], walls.front_cell::<Narrow>(height, i) + rise, "{len} {height} {i}");
                    let everywhere = naive(&walls.entrance, i, height);
                    assert!(walls.wall[i] >= everywhere && (height < len || walls.wall[i] == everywhere));
                }
            }
        }
    }
}
