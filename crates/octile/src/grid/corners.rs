//! Corners of a map as any-angle planners use them: moves between neighbours, and connectivity.

use std::sync::Arc;

use super::components::{Components, Contact};
use super::{EditFault, Edits, Grid};
use crate::geometry::{Cell, Corner, Dir, DirSet};
use crate::grid::Squeeze;

/// Which of the four cells around a corner are free: one bit each for upper left, upper right, lower left and lower
/// right. The padding counts as blocked.
#[inline]
pub(crate) fn around(grid: &Grid, corner: Corner) -> usize {
    let (x, y) = (corner.x as usize, corner.y as usize);
    let pair = |line| grid.rows().window(line, x) as usize & 3;
    pair(y) | pair(y + 1) << 2
}

/// The free cells around a pinch that belongs to its lower right cell, and around one that belongs to no cell.
pub(crate) const LOWER_RIGHT_PINCH: usize = 0b1001;
pub(crate) const CLOSED_PINCH: usize = 0b0110;

/// Whether a line to `corner` may end there where squeezing is forbidden. The line comes from the corner `other`, or
/// from the centre of the cell to the lower right of `other`; see [`Squeeze`].
#[inline]
pub(crate) fn may_end(grid: &Grid, corner: Corner, other: Corner) -> bool {
    match around(grid, corner) {
        LOWER_RIGHT_PINCH => other.x >= corner.x && other.y >= corner.y,
        CLOSED_PINCH => false,
        _ => true,
    }
}

/// Whether a shortest path may turn at this corner: an obstacle has a corner there.
pub(crate) fn is_turn(grid: &Grid, corner: Corner) -> bool {
    let blocked = !around(grid, corner) & 15;
    blocked.is_power_of_two() || blocked == LOWER_RIGHT_PINCH || blocked == CLOSED_PINCH
}

/// The moves of a corner to its eight neighbours for each state of the cells around it, where squeezing is allowed. A
/// straight move needs one of the two cells beside it to be free, a diagonal move the cell that it crosses.
const MOVES: [DirSet; 16] = {
    let mut table = [DirSet::NONE; 16];
    let mut around = 0;
    while around < 16 {
        let free = around as u8;
        let (nw, ne, sw, se) = (free & 1, free >> 1 & 1, free >> 2 & 1, free >> 3);
        let straight = (nw | ne) | (ne | se) << 2 | (se | sw) << 4 | (sw | nw) << 6;
        table[around] = DirSet(straight | ne << 1 | se << 3 | sw << 5 | nw << 7);
        around += 1;
    }
    table
};

/// The legal moves of a corner to its neighbours.
#[inline]
pub(crate) fn moves(grid: &Grid, corner: Corner, squeeze: Squeeze) -> DirSet {
    let moves = MOVES[around(grid, corner)];
    if squeeze == Squeeze::Allowed { moves } else { without_squeezing(grid, corner, moves) }
}

/// Keeps the moves whose both ends are allowed.
fn without_squeezing(grid: &Grid, corner: Corner, moves: DirSet) -> DirSet {
    let may_go = |dir: &Dir| {
        let to = step(corner, *dir);
        may_end(grid, corner, to) && may_end(grid, to, corner)
    };
    moves.into_iter().filter(may_go).collect()
}

/// The neighbour in a direction; the caller ensures that it is on the map.
#[inline]
pub(crate) fn step(corner: Corner, dir: Dir) -> Corner {
    Corner::new(corner.x.wrapping_add_signed(dir.dx()), corner.y.wrapping_add_signed(dir.dy()))
}

/// A map with a squeeze rule, as any-angle planners hold it. It knows which cells are connected under the rule, and
/// follows edits in time proportional to the edit.
#[derive(Clone, Debug)]
pub(crate) struct CornerMap {
    grid: Grid,
    squeeze: Squeeze,
    /// The components of cells that touch at sides or corners, if squeezing is allowed. Otherwise the grid's own
    /// components are used.
    touching: Option<Arc<Components>>,
}

impl CornerMap {
    pub(crate) fn new(grid: &Grid, squeeze: Squeeze) -> Self {
        let (width, height) = (grid.width() as usize, grid.height() as usize);
        let label = || Arc::new(Components::label(grid.rows(), width, height, Contact::Corners));
        Self { grid: grid.clone(), squeeze, touching: (squeeze == Squeeze::Allowed).then(label) }
    }

    pub(crate) fn grid(&self) -> &Grid {
        &self.grid
    }

    pub(crate) fn squeeze(&self) -> Squeeze {
        self.squeeze
    }

    /// Whether there is a path between two cells; see [`Grid::may_connect`].
    pub(crate) fn may_connect(&self, a: Cell, b: Cell) -> bool {
        match &self.touching {
            Some(components) => {
                let is_free = self.grid.is_free(a) && self.grid.is_free(b);
                is_free && components.connect(a, b)
            }
            None => self.grid.may_connect(a, b),
        }
    }

    /// Applies edits and returns whether any cell has changed; see [`Grid::apply`].
    pub(crate) fn apply(&mut self, edits: &Edits) -> Result<bool, EditFault> {
        let changed = self.grid.change(edits)?;
        if let Some(components) = self.touching.as_mut().filter(|_| !changed.areas.is_empty()) {
            Arc::make_mut(components).follow(self.grid.rows(), changed.areas.iter().copied());
        }
        Ok(changed.is_any())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::sight;

    /// Moves are the lines of sight of one step.
    #[test]
    fn moves_are_short_lines_of_sight() {
        for bits in 0_u32..1 << 12 {
            let grid = Grid::from_fn(4, 3, |cell| bits >> (cell.y * 4 + cell.x) & 1 == 1).unwrap();
            for corner in (0..=3).flat_map(|y| (0..=4).map(move |x| Corner::new(x, y))) {
                for squeeze in Squeeze::ALL {
                    let sees = |dir: &Dir| sight::corners_visible(&grid, corner, step(corner, *dir), squeeze);
                    let expected: DirSet = Dir::ALL.into_iter().filter(sees).collect();
                    assert_eq!(moves(&grid, corner, squeeze), expected, "{grid:?} {corner} {squeeze}");
                }
            }
        }
    }

    /// The cells that a flood fill reaches, over sides or also over corners.
    fn flood(grid: &Grid, from: Cell, squeeze: Squeeze) -> Vec<Cell> {
        let (mut reached, mut next) = (vec![from], 0);
        while let Some(&cell) = reached.get(next) {
            next += 1;
            for dir in Dir::ALL.into_iter().filter(|dir| squeeze == Squeeze::Allowed || !dir.is_diagonal()) {
                let to = dir.step(cell, 1);
                if grid.is_free(to) && !reached.contains(&to) {
                    reached.push(to);
                }
            }
        }
        reached
    }

    /// After each edit, connectivity agrees with a flood fill.
    #[test]
    fn connections_follow_edits() {
        let mut dice = crate::geometry::Dice::new(1);
        let mut random = move |bound: u32| dice.below(bound.into()) as u32;
        for squeeze in Squeeze::ALL {
            for _ in 0..40 {
                let grid = Grid::from_fn(7, 6, |_| random(2) == 0).unwrap();
                let mut map = CornerMap::new(&grid, squeeze);
                check(&map);
                for _ in 0..12 {
                    let (cell, free) = (Cell::new(random(7), random(6)), random(3) > 0);
                    let mut edits = Edits::new();
                    map.apply(if free { edits.free(cell) } else { edits.block(cell) }).unwrap();
                    check(&map);
                }
            }
        }
        let mut map = CornerMap::new(&Grid::open(3, 3).unwrap(), Squeeze::Allowed);
        assert!(map.apply(Edits::new().block(Cell::new(3, 0))).is_err());
    }

    fn check(map: &CornerMap) {
        let free: Vec<Cell> = map.grid().cells().filter(|&cell| map.grid().is_free(cell)).collect();
        for &a in &free {
            let reached = flood(map.grid(), a, map.squeeze());
            for &b in &free {
                assert_eq!(map.may_connect(a, b), reached.contains(&b), "{a} {b}");
            }
        }
    }
}
