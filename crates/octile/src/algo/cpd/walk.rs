//! Reads paths from a database, turn by turn or move by move.

use super::file::View;
use super::layout::{Lookup, Target};
use super::stations::Station;
use super::symbols::{HEURISTIC, greedy};
use crate::geometry::{Cell, Dir};
use crate::grid::Grid;

/// How a walk continues.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Next {
    /// This many moves in this direction.
    Leg(Dir, u32),
    /// The database returns an illegal move: there is a new obstacle, or the file is damaged.
    Barred,
    /// The database returns an invalid value: the file is damaged.
    Broken,
}

/// Data shared by the walks on one map.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ground<'a> {
    pub(super) view: View<'a>,
    pub(super) lookup: Lookup,
    pub(super) stations: &'a [Station],
    /// The map of the database.
    pub(super) grid: &'a Grid,
    /// The map on which moves must be legal, if it is another one.
    pub(super) now: Option<&'a Grid>,
    /// Whether to follow a line over many cells with one lookup.
    pub(super) follows_lines: bool,
}

/// A walk through a database, towards a goal that is connected with its current cell on the database's map.
#[derive(Debug)]
pub(super) struct Walk<'a> {
    ground: Ground<'a>,
    target: Target,
    pub(super) at: Cell,
}

impl<'a> Walk<'a> {
    /// `None` if the database does not know the goal.
    #[inline]
    pub(super) fn new(ground: Ground<'a>, start: Cell, goal: Cell) -> Option<Self> {
        let target = ground.view.target(goal)?;
        Some(Self { ground, target, at: start })
    }

    /// The same walk on the edited map.
    pub(super) fn on(mut self, now: &'a Grid) -> Self {
        self.ground.now = Some(now);
        self
    }

    /// Continues to the next cell where the path may turn. The current cell must not be the goal.
    #[inline]
    pub(super) fn next_leg(&mut self) -> Next {
        let Ground { view, lookup, stations, grid, .. } = self.ground;
        let Station { hops, row: [start, end] } = stations[grid.id(self.at).index()];
        let Some(symbol) = lookup.symbol(view.row_at(start, end), &self.target) else { return Next::Broken };
        let suggested = || greedy(|dir| hops[dir as usize] != 0, self.at, self.target.cell);
        let Some(dir) = direction(symbol, suggested) else { return Next::Broken };
        let most = if self.ground.follows_lines { self.steps_to_goal_lines(dir) } else { 1 };
        let mut steps = most.min(hops[dir as usize].into());
        if let Some(now) = self.ground.now {
            steps = self.legal_steps(now, dir, steps);
        }
        if steps == 0 {
            return Next::Barred;
        }
        self.at = dir.step(self.at, steps);
        Next::Leg(dir, steps)
    }

    /// The number of legal moves in a direction on a changed map, up to `most`.
    #[inline(never)]
    fn legal_steps(&self, now: &Grid, dir: Dir, most: u32) -> u32 {
        let is_legal = |steps: &u32| now.moves(dir.step(self.at, *steps)).contains(dir);
        (0..most).take_while(is_legal).count() as u32
    }

    /// The number of moves in a direction to the goal, or on a diagonal to its row or column; a very large number if
    /// none lead there.
    #[inline]
    fn steps_to_goal_lines(&self, dir: Dir) -> u32 {
        let (at, goal) = (self.at, self.target.cell);
        let (dx, dy) = (goal.x as i32 - at.x as i32, goal.y as i32 - at.y as i32);
        // A straight line beside the goal does not lead to it.
        if !dir.is_diagonal() && dx != 0 && dy != 0 {
            return u32::MAX;
        }
        // Goal lines that are not ahead count as far away: numbers below one wrap around.
        let ahead = |steps: i32| (steps as u32).wrapping_sub(1);
        ahead(dx * dir.dx()).min(ahead(dy * dir.dy())).saturating_add(1)
    }
}

/// The first move that a symbol stands for, given the suggested move; `None` if there is no such symbol.
#[inline]
pub(super) fn direction(symbol: u8, suggested: impl FnOnce() -> Dir) -> Option<Dir> {
    match symbol {
        0..HEURISTIC => Some(Dir::from_index(symbol)),
        HEURISTIC => Some(suggested()),
        _ => None,
    }
}
