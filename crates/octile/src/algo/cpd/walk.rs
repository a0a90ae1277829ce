//! Paths out of a database: from turn to turn, or from move to move.

use super::file::View;
use super::layout::{Lookup, Target};
use super::stations::Station;
use super::symbols::{HEURISTIC, greedy};
use crate::geometry::{Cell, Dir};
use crate::grid::Grid;

/// How a walk goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Next {
    /// So many moves in this direction.
    Leg(Dir, u32),
    /// The database gives a move that is not legal here: an obstacle has appeared, or the file is damaged.
    Barred,
    /// The database gives nothing that can be: the file is damaged.
    Broken,
}

/// What walks on one map have in common.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ground<'a> {
    pub(super) view: View<'a>,
    pub(super) lookup: Lookup,
    pub(super) stations: &'a [Station],
    /// The map of the database.
    pub(super) grid: &'a Grid,
    /// The map on which moves must be legal, where that is another.
    pub(super) now: Option<&'a Grid>,
    /// Whether to follow a line over many cells with one lookup.
    pub(super) follows_lines: bool,
}

/// A walk through a database, towards a goal that its map connects with where it stands.
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

    /// The same walk on the map as it is after edits.
    pub(super) fn on(mut self, now: &'a Grid) -> Self {
        self.ground.now = Some(now);
        self
    }

    /// Goes on to the next cell where the path may turn. It must not stand on the goal.
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

    /// How many moves in a direction are legal on a map that has changed, at most.
    #[inline(never)]
    fn legal_steps(&self, now: &Grid, dir: Dir, most: u32) -> u32 {
        let is_legal = |steps: &u32| now.moves(dir.step(self.at, *steps)).contains(dir);
        (0..most).take_while(is_legal).count() as u32
    }

    /// How many moves in a direction lead to the goal, or on a diagonal to its row or column; very many if none do.
    #[inline]
    fn steps_to_goal_lines(&self, dir: Dir) -> u32 {
        let (at, goal) = (self.at, self.target.cell);
        let (dx, dy) = (goal.x as i32 - at.x as i32, goal.y as i32 - at.y as i32);
        // A straight line beside the goal does not lead there.
        if !dir.is_diagonal() && dx != 0 && dy != 0 {
            return u32::MAX;
        }
        // What is not ahead is as good as far away: numbers below one wrap around.
        let ahead = |steps: i32| (steps as u32).wrapping_sub(1);
        ahead(dx * dir.dx()).min(ahead(dy * dir.dy())).saturating_add(1)
    }
}

/// The first move that stands behind a symbol, given what geometry suggests; `None` if there is no such symbol.
#[inline]
pub(super) fn direction(symbol: u8, suggested: impl FnOnce() -> Dir) -> Option<Dir> {
    match symbol {
        0..HEURISTIC => Some(Dir::from_index(symbol)),
        HEURISTIC => Some(suggested()),
        _ => None,
    }
}
