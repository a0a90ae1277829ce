//! Finds the path of a search over rectangles, from the goal back to the start.
//!
//! Cells store their cost and their owner, not their parent. A wall cell was reached from the entrance cell of its
//! owner's interval for which cost and distance add up; a cell of an interval from one of the cells behind it, or along
//! the interval. Each of these steps lies inside one free rectangle. So does any sequence of them whose bounding box is
//! free: such sequences are joined, which keeps the grid cost and shortens the straight lines.

use super::frame::{Frame, STRAIGHT};
use super::{Found, Search, Store, infinity};
use crate::algo::rea_star::hops;
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
            at = Parents { grid: self.grid, store, start: self.start }.of(at);
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
