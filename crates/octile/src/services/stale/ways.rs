//! Paths of octile length between two cells: finds one that is free, if the one from an index is not.

use crate::geometry::Cell;
use crate::grid::Grid;

/// The maximum number of steps across the longer axis: the word at any position of a line holds this many.
const MOST_ACROSS: u32 = 55;

/// Finds any path between two cells that costs as much as the octile distance. All such paths are followed at once: for
/// each step along the longer axis, a word holds the positions across it that can be reached without a detour.
#[derive(Debug, Default)]
pub(super) struct Ways {
    /// The reachable positions for each step.
    sets: Vec<u64>,
}

crate::planner::size_bytes!(Ways: sets);

impl Ways {
    /// Appends the cells where such a path turns and where it ends to `turns`, if there is one. The cells are free, and
    /// movement is octile.
    pub(super) fn find(&mut self, grid: &Grid, from: Cell, to: Cell, turns: &mut Vec<Cell>) -> bool {
        let (dx, dy) = (from.x.abs_diff(to.x), from.y.abs_diff(to.y));
        let (steps, across) = (dx.max(dy), dx.min(dy));
        if across > MOST_ACROSS {
            return false;
        }
        let frame = Frame::new(from, to);
        let lines = if frame.along_x { grid.columns() } else { grid.rows() };
        let mask = u64::MAX >> (63 - across);
        let free = |step: u32| lines.window(frame.along(step) as usize + 1, frame.lowest as usize + 1) & mask;
        self.sets.clear();
        let mut here = free(0);
        let mut set = 1 << frame.place(0, across) & here;
        self.sets.push(set);
        for step in 1..=steps {
            let next = free(step);
            let stay = set & next;
            let moved = if frame.rises { stay << 1 } else { stay >> 1 };
            // A diagonal move needs both cells beside it: the one in this line where the move ends, and the one in the
            // next line where it begins.
            set = stay | moved & next & here;
            if set == 0 {
                return false;
            }
            self.sets.push(set);
            here = next;
        }
        if set >> frame.place(across, across) & 1 == 0 {
            return false;
        }
        self.walk_back(&frame, steps, across, turns);
        true
    }

    /// Appends the turns of a path, which is traced backwards from its end.
    fn walk_back(&self, frame: &Frame, steps: u32, across: u32, turns: &mut Vec<Cell>) {
        let first = turns.len();
        let (mut place, mut before) = (frame.place(across, across), None);
        for step in (1..=steps).rev() {
            let stays = self.sets[step as usize - 1] >> place & 1 == 1;
            if before != Some(stays) {
                turns.push(frame.cell(step, place));
                before = Some(stays);
            }
            if !stays {
                place = if frame.rises { place - 1 } else { place + 1 };
            }
        }
        turns[first..].reverse();
    }
}

/// The relative position of two cells.
struct Frame {
    /// Whether the x axis is the longer one.
    along_x: bool,
    /// The first coordinate along the longer axis, and whether the path leads to larger ones.
    first: u32,
    ahead: bool,
    /// The smallest coordinate across it, and whether the path leads to larger ones.
    lowest: u32,
    rises: bool,
}

impl Frame {
    fn new(from: Cell, to: Cell) -> Self {
        let along_x = from.x.abs_diff(to.x) >= from.y.abs_diff(to.y);
        let turned = |cell: Cell| if along_x { (cell.x, cell.y) } else { (cell.y, cell.x) };
        let ((a, b), (c, d)) = (turned(from), turned(to));
        Self { along_x, first: a, ahead: c >= a, lowest: b.min(d), rises: d >= b }
    }

    /// The coordinate along the longer axis after `step` steps.
    fn along(&self, step: u32) -> u32 {
        if self.ahead { self.first + step } else { self.first - step }
    }

    /// The bit of the position after `done` of `all` steps across.
    fn place(&self, done: u32, all: u32) -> u32 {
        if self.rises { done } else { all - done }
    }

    fn cell(&self, step: u32, place: u32) -> Cell {
        let (along, across) = (self.along(step), self.lowest + place);
        if self.along_x { Cell::new(along, across) } else { Cell::new(across, along) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::generate;
    use crate::geometry::{Dir, GridCost};
    use crate::grid::sight::hop_is_free;
    use crate::path::{Output, Path};

    /// Whether some path of octile length is free, checked move by move.
    fn is_there(grid: &Grid, from: Cell, to: Cell) -> bool {
        let nearer = |next: Cell, step: GridCost| GridCost::between(next, to) + step == GridCost::between(from, to);
        from == to
            || Dir::ALL.into_iter().any(|dir| {
                let next = dir.step(from, 1);
                let step = if dir.is_diagonal() { GridCost::new(0, 1) } else { GridCost::new(1, 0) };
                grid.moves(from).contains(dir) && nearer(next, step) && is_there(grid, next, to)
            })
    }

    #[test]
    fn a_way_is_found_if_there_is_one() {
        let (mut mended, mut none) = (0, 0);
        for seed in 0..60 {
            let grid = generate::random(10, 8, 5 + seed as u32 % 30, seed).unwrap();
            let free: Vec<Cell> = grid.cells().filter(|&cell| grid.is_free(cell)).collect();
            let mut ways = Ways::default();
            for (&from, &to) in free.iter().flat_map(|from| free.iter().map(move |to| (from, to))) {
                let mut turns = vec![from];
                let found = ways.find(&grid, from, to, &mut turns);
                assert_eq!(found, is_there(&grid, from, to), "{from} {to}\n{grid:?}");
                if found && from != to {
                    let mut path = Path::new();
                    path.set_hops(Output::Waypoints, &turns, GridCost::between(from, to));
                    path.check(&grid, from, to).unwrap();
                    mended += usize::from(!hop_is_free(&grid, from, to));
                }
                none += usize::from(!found);
            }
        }
        assert!(mended > 1000 && none > 1000, "{mended} {none}");
    }
}
