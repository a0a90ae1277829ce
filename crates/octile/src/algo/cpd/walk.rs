//! Paths out of a database: from turn to turn, or from move to move.

use super::file::View;
use super::layout::{Lookup, Target};
use super::symbols::{HEURISTIC, greedy};
use crate::{Cell, Dir, Grid};

/// Some moves in one direction, and whether the next one is barred.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Next {
    /// So many moves in this direction.
    Leg(Dir, u32),
    /// The database gives a move that is not legal here: an obstacle has appeared, or the file is damaged.
    Barred,
    /// The database gives nothing that can be: the file is damaged.
    Broken,
}

/// A walk through a database, towards a goal that its map connects with where it stands.
#[derive(Debug)]
pub(super) struct Walk<'a> {
    view: View<'a>,
    lookup: Lookup,
    /// On which moves must be legal.
    grid: &'a Grid,
    /// Whose legal moves the database knows.
    base: &'a Grid,
    target: Target,
    /// Whether these two differ.
    has_changed: bool,
    /// Whether to follow a line over many cells with one lookup.
    follows_lines: bool,
    pub(super) at: Cell,
}

impl<'a> Walk<'a> {
    /// `None` if the database does not know the goal.
    #[inline]
    pub(super) fn new(
        (view, lookup): (View<'a>, Lookup),
        (grid, base, has_changed): (&'a Grid, &'a Grid, bool),
        follows_lines: bool,
        (start, goal): (Cell, Cell),
    ) -> Option<Self> {
        let target = view.target(goal)?;
        Some(Self { view, lookup, grid, base, target, has_changed, follows_lines, at: start })
    }

    /// The first move from where it stands, which must not be the goal.
    #[inline]
    fn look_up(&self) -> Option<Dir> {
        let symbol = self.lookup.symbol(self.view.row(self.view.place(self.at))?, &self.target)?;
        match symbol {
            0..HEURISTIC => Some(Dir::from_index(symbol)),
            HEURISTIC => {
                let goal = self.target.cell;
                let (dx, dy) = (goal.x as i32 - self.at.x as i32, goal.y as i32 - self.at.y as i32);
                Some(greedy(self.base.moves_of(self.base.id(self.at)), dx, dy))
            }
            _ => None,
        }
    }

    /// The first move from where it stands, which must not be the goal, if it is legal.
    #[inline]
    pub(super) fn first_move(&self) -> Option<Dir> {
        self.look_up().filter(|&dir| self.grid.moves_of(self.grid.id(self.at)).contains(dir))
    }

    /// Goes on to the next cell where the path may turn.
    #[inline]
    pub(super) fn next_leg(&mut self) -> Next {
        let Some(dir) = self.look_up() else { return Next::Broken };
        let steps = match (self.follows_lines, dir.is_diagonal()) {
            (false, _) => u32::from(self.grid.moves_of(self.grid.id(self.at)).contains(dir)),
            (true, false) if !self.has_changed => self.straight_steps(dir, self.steps_to_goal_lines(dir)),
            (true, _) => self.steps_one_by_one(dir, self.steps_to_goal_lines(dir)),
        };
        // A line that ends at an obstacle leads nowhere, unless the map has changed.
        if steps == 0 {
            return Next::Barred;
        }
        self.at = dir.step(self.at, steps);
        Next::Leg(dir, steps)
    }

    /// How many moves in a straight direction are legal, up to `most` or the first forced cell, on the map of the database.
    #[inline]
    fn straight_steps(&self, dir: Dir, most: u32) -> u32 {
        let Cell { x, y } = self.at;
        let (x, y) = (x as usize + 1, y as usize + 1);
        let (lines, line, position) = match dir {
            Dir::E | Dir::W => (self.grid.rows(), y, x),
            _ => (self.grid.columns(), x, y),
        };
        let is_forward = matches!(dir, Dir::E | Dir::S);
        // All cells up to a forced one are free.
        match if is_forward { lines.jump::<true>(line, position) } else { lines.jump::<false>(line, position) } {
            Some(forced) => forced.min(most),
            None if most == u32::MAX => 0,
            None => {
                let end = if is_forward { position + most as usize } else { position - most as usize };
                if lines.all_free(line, position.min(end), position.max(end)) { most } else { 0 }
            }
        }
    }

    /// How many moves in a direction are legal, up to `most` or the first cell where the path may turn.
    #[inline]
    fn steps_one_by_one(&self, dir: Dir, most: u32) -> u32 {
        let (legal, stops, bit) = (self.grid.all_moves(), self.view.stops, 1 << dir as u8);
        let (dx, dy) = (dir.dx() as isize, dir.dy() as isize);
        let step = (dy * self.grid.stride() as isize + dx) as usize;
        let place_step = (dy * self.grid.width() as isize + dx) as usize;
        let mut id = self.grid.id(self.at).index();
        let mut place = self.view.place(self.at);
        let mut steps = 0;
        while steps < most && legal[id] & bit != 0 {
            id = id.wrapping_add(step);
            place = place.wrapping_add(place_step);
            steps += 1;
            if stops[place] & bit != 0 {
                break;
            }
        }
        steps
    }

    /// How many moves in a direction lead to the goal, or on a diagonal to its row or column; `u32::MAX` if none do.
    #[inline]
    fn steps_to_goal_lines(&self, dir: Dir) -> u32 {
        let (at, goal) = (self.at, self.target.cell);
        let dx = (goal.x as i32 - at.x as i32) * dir.dx();
        let dy = (goal.y as i32 - at.y as i32) * dir.dy();
        let ahead = |steps: i32| if steps > 0 { steps as u32 } else { u32::MAX };
        match (dir.dx() == 0, dir.dy() == 0) {
            (false, false) => ahead(dx).min(ahead(dy)),
            (true, _) if at.x == goal.x => ahead(dy),
            (_, true) if at.y == goal.y => ahead(dx),
            _ => u32::MAX,
        }
    }
}
