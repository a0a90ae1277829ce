//! Finds the path of a search over blocks, from the goal back to the start.
//!
//! No parents are stored. The cost of a point on the path is exactly the cost of an earlier point plus the step between
//! them: a row of the table, which also says where that step turns, or a move across a border. The costs of points on a
//! shortest path are final when the search ends, so an earlier point always exists.

use super::inside::Steps;
use super::lanes::LANES;
use super::points::{Cells, Corners, LEFT, Lane, Layout, index, lanes_of, position, position_of};
use super::search::{At, Memory, Search};
use super::size::BlockSize;
use super::tables::Table;
use super::{BlockPlanner, point_of};
use crate::geometry::units::{Cost, Units};
use crate::geometry::{Cell, Corner, Dir};
use crate::path::Path;
use crate::planner::{PathQuery, Probe};

/// The conversion of search results into paths, for each kind of points.
pub(super) trait Traced: Steps {
    /// The previous point, if the path reached this point with its cost by a move from another block.
    fn crossed<U: Units>(
        planner: &BlockPlanner<Self>,
        memory: &Memory<U>,
        at: At,
        cost: U::Cost,
    ) -> Option<(At, U::Cost)>;

    /// Writes the path through points from the goal to the start.
    fn write(planner: &BlockPlanner<Self>, query: PathQuery, trail: &[(usize, usize)], out: &mut Path);
}

impl Traced for Cells {
    fn crossed<U: Units>(
        planner: &BlockPlanner<Self>,
        memory: &Memory<U>,
        at: At,
        cost: U::Cost,
    ) -> Option<(At, U::Cost)> {
        let (x, y) = planner.on_map(at);
        let cell = Cell::new(x as u32, y as u32);
        let (straight, diagonal) = Self::prices::<U>(planner.is_tile());
        planner.grid().moves(cell).into_iter().find_map(|dir| {
            let from = planner.blocks.of(dir.step(cell, 1));
            if from.0 == at.0 || !memory.is_reached(from.0) {
                return None;
            }
            let before = cost_at::<Self, U>(planner.size(), memory, from)?;
            let step = if dir.is_diagonal() { diagonal } else { straight };
            (before + step == cost).then_some((from, before))
        })
    }

    fn write(_: &BlockPlanner<Self>, query: PathQuery, trail: &[(usize, usize)], out: &mut Path) {
        let mut trace = out.write_back(query.output, query.goal);
        for leg in trail.windows(2) {
            let [to, from] = [leg[0], leg[1]].map(|(x, y)| Cell::new(x as u32, y as u32));
            if let Some(dir) = Dir::towards(from, to) {
                trace.came(dir, from.x.abs_diff(to.x).max(from.y.abs_diff(to.y)));
            }
        }
        trace.finish();
    }
}

impl Traced for Corners {
    /// Corners are shared: the path goes from block to block without a move.
    fn crossed<U: Units>(_: &BlockPlanner<Self>, _: &Memory<U>, _: At, _: U::Cost) -> Option<(At, U::Cost)> {
        None
    }

    fn write(planner: &BlockPlanner<Self>, query: PathQuery, trail: &[(usize, usize)], out: &mut Path) {
        let corners = trail.iter().map(|&(x, y)| Corner::new(x as u32, y as u32));
        out.set_any_angle_points_back(query.output, planner.map.squeeze(), corners.map(Into::into));
    }
}

impl<P: Traced, Pr: Probe + ?Sized> Search<'_, P, Pr> {
    /// Writes the path with this cost.
    pub(super) fn trace<U: Units>(&mut self, memory: &mut Memory<U>, cost: U::Cost) {
        let mut trail = std::mem::take(&mut memory.trail);
        if self.inside.is_none_or(|inside| P::widen::<U>(inside) != cost) {
            trail.clear();
            Trace { planner: self.planner, memory, trail: &mut trail }.follow(self.query.start, self.query.goal, cost);
        }
        P::write(self.planner, self.query, &trail, self.out);
        memory.trail = trail;
    }
}

struct Trace<'a, P, U: Units> {
    planner: &'a BlockPlanner<P>,
    memory: &'a Memory<U>,
    /// The points of the map, from the goal back.
    trail: &'a mut Vec<(usize, usize)>,
}

impl<P: Traced, U: Units> Trace<'_, P, U> {
    fn follow(&mut self, start: Cell, goal: Cell, cost: U::Cost) {
        self.trail.push(point_of(goal));
        let mut cost = cost;
        let mut at = self.planner.owners(goal)[0];
        let mut is_goal = true;
        while *self.trail.last().expect("the goal") != point_of(start) {
            if !is_goal && self.reach_start(start, at, cost) {
                return;
            }
            if let Some(before) = P::crossed(self.planner, self.memory, at, cost) {
                (at, cost) = before;
                self.trail.push(self.planner.on_map(at));
            } else {
                let blocks = if is_goal { self.planner.owners(goal) } else { self.planner.sharing(at) };
                (at, cost) = self.step(&blocks, cost);
            }
            is_goal = false;
        }
    }

    /// Completes the path if the point's cost is that of a path from the start inside a block.
    fn reach_start(&mut self, start: Cell, at: At, cost: U::Cost) -> bool {
        for &(block, point) in self.planner.sharing(at).iter() {
            if !self.memory.is_reached(block) || !self.memory.has_start(block) {
                continue;
            }
            let origin = self.planner.owners(start).iter().find(|owner| owner.0 == block).map(|owner| owner.1);
            let (Some(origin), Some(lane)) = (origin, lane_of::<P>(self.planner.size(), point)) else { continue };
            let table = self.planner.blocks.table::<P>(block);
            if P::widen::<U>(table.row::<P>(self.planner.size(), origin).0[lane.0][lane.1]) == cost {
                // The table has the path from the start: it is reversed here.
                let first = self.trail.len();
                self.walk(table, block, origin, lane);
                self.trail.pop();
                self.trail[first..].reverse();
                self.trail.push(self.planner.on_map((block, origin)));
                return true;
            }
        }
        false
    }

    /// The earlier lane, in one of the blocks with a point, from which the step to the point has the right cost.
    fn step(&mut self, blocks: &[At], cost: U::Cost) -> (At, U::Cost) {
        for &(block, point) in blocks {
            if !self.memory.is_reached(block) {
                continue;
            }
            let (table, rim) = (self.planner.blocks.table::<P>(block), &self.memory.rims[block].0);
            let row = &table.row::<P>(self.planner.size(), point).0;
            for side in 0..4 {
                // Tests all lanes, although the first would do: then the compiler uses vectors.
                let fits = |lane: usize| {
                    let step = row[side][lane];
                    step > 0 && step < u32::INFINITE && rim[side][lane] + P::widen::<U>(step) == cost
                };
                let fitting = (0..LANES).fold(0_u32, |fitting, lane| fitting | u32::from(fits(lane)) << lane);
                if fitting != 0 {
                    let lane = fitting.trailing_zeros() as usize;
                    self.walk(table, block, point, (side, lane));
                    return ((block, position::<P>(self.planner.size(), (side, lane))), rim[side][lane]);
                }
            }
        }
        unreachable!("costs of a shortest path add up")
    }

    /// Adds the turning points of the path from a point of a block to a lane, without the point itself.
    fn walk(&mut self, table: &Table, block: usize, point: (usize, usize), lane: Lane) {
        let size = self.planner.size();
        let (mut at, end) = (index::<P>(size, point), index::<P>(size, position::<P>(size, lane)));
        while at != end {
            at = usize::from(table.vias[at][lane.0][lane.1]);
            self.trail.push(self.planner.on_map((block, position_of::<P>(size, at))));
        }
    }
}

/// A lane of a point, if the point is on the rim.
fn lane_of<P: Layout>(size: BlockSize, point: (usize, usize)) -> Option<Lane> {
    lanes_at::<P>(size, point).next()
}

/// The lanes of a point: between cells, those at a block's corners have two.
fn lanes_at<P: Layout>(size: BlockSize, (x, y): (usize, usize)) -> impl Iterator<Item = Lane> {
    (0..4).filter_map(move |side| {
        let (first_x, first_y) = P::first_of(size, side);
        let (across, first, along) = if side < LEFT { (y == first_y, first_x, x) } else { (x == first_x, first_y, y) };
        (across && (first..first + lanes_of(size, side)).contains(&along)).then(|| (side, along - first))
    })
}

/// The cost of a point on the rim of a block that the search has reached.
fn cost_at<P: Layout, U: Units>(size: BlockSize, memory: &Memory<U>, (block, point): At) -> Option<U::Cost> {
    lanes_at::<P>(size, point).map(|(side, lane)| memory.rims[block].0[side][lane]).min()
}
