//! Finds the path of a search over rectangles, from the goal back to the start.
//!
//! Cells store their cost and their owner, not their parent. A wall cell was reached from the entrance cell of its
//! owner's interval for which cost and distance add up; a cell of an interval from one of the cells behind it, or along
//! the interval. Each of these steps lies inside one free rectangle, except in a semi-closed area, where it is cut into
//! a straight line and single diagonal moves. Any sequence of steps whose bounding box is free is joined, which keeps
//! the grid cost and shortens the straight lines.

use super::frame::{Frame, STRAIGHT};
use super::{Found, Search, Store, infinity};
use crate::algo::rea_star::hops::{self, is_free_rect};
use crate::geometry::units::Units;
use crate::geometry::{Cell, GridCost};
use crate::grid::Grid;
use crate::planner::Probe;

impl<P: Probe + ?Sized> Search<'_, P> {
    pub(super) fn trace<U: Units>(&mut self, store: &Store<U>, found: Found<U::Cost>) {
        let jumps = &mut *self.jumps;
        jumps.clear();
        jumps.push(self.goal);
        let mut at = found.last;
        loop {
            if jumps.last() != Some(&at) {
                hops::add(self.grid, jumps, at);
            }
            if at == self.start {
                break;
            }
            let parent = Parents { grid: self.grid, store, start: self.start }.of(at);
            if self.config.detects_semi_closed() && !is_free_rect(self.grid, at, parent) {
                cuts(self.grid, at, parent).for_each(|cell| hops::add(self.grid, jumps, cell));
            }
            at = parent;
        }
        // The search may have gone from the goal to the start.
        if self.start == self.query.start {
            jumps.reverse();
        }
        jumps.windows(2).for_each(|hop| self.probe.hop(hop[0], hop[1]));
        let cost = jumps.windows(2).map(|hop| GridCost::between(hop[0], hop[1])).sum();
        self.out.set_hops(self.query.output, jumps, cost);
    }
}

/// The cells at which the way from a cell of a semi-closed area's side to its parent in the entrance is cut. The
/// straight part lies along the side, beside `from`, or along the entrance; single diagonal moves cross the area.
fn cuts(grid: &Grid, from: Cell, parent: Cell) -> impl Iterator<Item = Cell> {
    let (dx, dy) = (from.x.abs_diff(parent.x), from.y.abs_diff(parent.y));
    let diagonals = dx.min(dy);
    let towards = |a: u32, b: u32, steps: u32| if a < b { a + steps } else { a - steps };
    let cells = move |lead: (u32, u32)| {
        let cell = move |k| Cell::new(towards(from.x, parent.x, lead.0 + k), towards(from.y, parent.y, lead.1 + k));
        (u32::from(lead == (0, 0))..=diagonals).map(cell)
    };
    let along_side = (dx - diagonals, dy - diagonals);
    let mut at = from;
    let is_free = cells(along_side).all(|next| is_free_rect(grid, std::mem::replace(&mut at, next), next));
    cells(if is_free { along_side } else { (0, 0) })
}

struct Parents<'a, U: Units> {
    grid: &'a Grid,
    store: &'a Store<U>,
    start: Cell,
}

impl<U: Units> Parents<'_, U> {
    /// A cell from which the given cell was reached, by a hop inside one free rectangle.
    fn of(&self, cell: Cell) -> Cell {
        let Store { cells, nodes, base, .. } = self.store;
        let visited = cells[self.grid.id(cell).index()];
        if visited.owner == *base {
            return self.start;
        }
        let node = nodes[(visited.owner - base) as usize];
        let frame = Frame::new(self.grid, STRAIGHT[usize::from(node.dir)]);
        let (u, v) = frame.uv(cell);
        let in_interval =
            v == usize::from(node.line) && (usize::from(node.first)..=usize::from(node.last)).contains(&u);
        if in_interval && let Some(parent) = self.behind(frame, u, v, visited.g) {
            return parent;
        }
        self.best_of_entrance(frame, node.first.into(), node.last.into(), node.line.into(), (u, v))
    }

    /// The wall cell from which a cell of the interval was entered: straight or diagonally behind it, or beside it.
    fn behind(&self, frame: Frame, u: usize, v: usize, g: U::Cost) -> Option<Cell> {
        let back = if frame.forward { v - 1 } else { v + 1 };
        let costs = |u: usize, v: usize, step: U::Cost| frame.is_free(u, v) && self.store.g(frame.id(u, v)) + step <= g;
        let diagonal = |side: usize| frame.is_free(u, back) && frame.is_free(side, v) && costs(side, back, U::DIAGONAL);
        let beside = |side: usize| costs(side, v, U::STRAIGHT);
        let (u, v) = if diagonal(u - 1) {
            (u - 1, back)
        } else if diagonal(u + 1) {
            (u + 1, back)
        } else if costs(u, back, U::STRAIGHT) {
            (u, back)
        } else if beside(u - 1) {
            (u - 1, v)
        } else if beside(u + 1) {
            (u + 1, v)
        } else {
            return None;
        };
        Some(frame.cell(u, v))
    }

    /// The entrance cell with the cheapest path to another cell of the rectangle; among equally cheap ones the one
    /// farthest to the side, which makes the path straighter.
    fn best_of_entrance(&self, frame: Frame, first: usize, last: usize, line: usize, to: (usize, usize)) -> Cell {
        let rank = |u: &usize| {
            let (du, dv) = (u.abs_diff(to.0) as u32, line.abs_diff(to.1) as u32);
            let step = U::octile(du, dv);
            let g = if (*u, line) == to { infinity::<U>() } else { self.store.g(frame.id(*u, line)) };
            (Into::<u64>::into(g) + Into::<u64>::into(step), u32::MAX - du)
        };
        let best = (first..=last).min_by_key(rank).unwrap_or(first);
        frame.cell(best, line)
    }
}
