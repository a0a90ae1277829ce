//! The search over corners used by any-angle planners, with its three rules for parents.

use std::f64::consts::SQRT_2;

use super::heuristic::Heuristic;
use crate::geometry::{Cell, Corner, Dir};
use crate::grid::corners::{self, CornerMap};
use crate::grid::{Edits, Grid, Squeeze, sight};
use crate::kernels::ds::heap::Heap;
use crate::kernels::ds::table::Table;
use crate::kernels::pause::Pause;
use crate::path::{Path, PathFault};
use crate::planner::{
    Build, BuildError, Config, EditError, Facts, NoProbe, PathQuery, Planner, PlannerId, Probe, Scratch, size_bytes,
};

/// Which corner may be the parent of another: the path goes from it in a straight line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Parents {
    /// Any visible corner: Theta\*.
    Visible,
    /// The same, checked as late as possible: Lazy Theta\*.
    Lazy,
    /// The previous corner: A\*.
    Neighbours,
}

/// A planner over corners.
#[derive(Clone, Debug)]
pub(crate) struct CornerSearch {
    id: PlannerId,
    facts: Facts,
    map: CornerMap,
    parents: Parents,
    heuristic: Heuristic,
}

impl CornerSearch {
    pub(crate) fn new(
        config: &dyn Config,
        build: &Build<'_>,
        parents: Parents,
        heuristic: Heuristic,
        squeeze: Squeeze,
    ) -> Result<Self, BuildError> {
        BuildError::check(config, build)?;
        let (id, facts) = (PlannerId::new(), config.facts());
        Ok(Self { id, facts, map: CornerMap::new(build.grid(), squeeze), parents, heuristic })
    }

    fn run<P: Probe + ?Sized>(
        &self,
        scratch: &mut CornerScratch,
        query: PathQuery,
        out: &mut Path,
        probe: &mut P,
    ) -> bool {
        let mut search = Search::new(&self.map, self.heuristic, scratch, query, probe);
        match self.parents {
            Parents::Visible => search.run::<true, false>(out),
            Parents::Lazy => search.run::<true, true>(out),
            Parents::Neighbours => search.run::<false, false>(out),
        }
    }
}

impl Planner for CornerSearch {
    fn facts(&self) -> &Facts {
        &self.facts
    }

    fn grid(&self) -> &Grid {
        self.map.grid()
    }

    fn may_connect(&self, start: Cell, goal: Cell) -> bool {
        self.map.may_connect(start, goal)
    }

    fn id(&self) -> PlannerId {
        self.id
    }

    fn create_scratch(&self) -> Scratch {
        Scratch::new(self.id, CornerScratch::new(self.grid()))
    }

    fn search(
        &self,
        scratch: &mut Scratch,
        query: PathQuery,
        out: &mut Path,
        probe: Option<&mut dyn Probe>,
    ) -> Result<bool, PathFault> {
        Ok(match probe {
            None => self.run(scratch.get(), query, out, &mut NoProbe),
            Some(probe) => self.run(scratch.get(), query, out, probe),
        })
    }

    fn go_on(&self, scratch: &mut Scratch) {
        scratch.get::<CornerScratch>().go_on();
    }

    fn apply(&mut self, edits: &Edits) -> Result<(), EditError> {
        self.map.apply(edits)?;
        Ok(())
    }
}

/// Flag bits of a node's mark.
const FLAG_BITS: u32 = 2;

/// The flag of a node that was expanded and has not become cheaper since.
const EXPANDED: u32 = 1;

/// The flag of a node whose line of sight to its parent is assumed. It was never expanded, and its cost may be too low.
/// Only the lazy rule makes such nodes.
const ASSUMED: u32 = 2;

/// Lengths that differ by less than this count as equal. A path of n moves is at least n long, so the total loss is at
/// most a relative 10^-10. Without this tolerance, sums of the same numbers in another order would look like
/// improvements.
const SLACK: f64 = 1e-10;

/// Search data of a corner.
#[derive(Clone, Copy, Debug, Default)]
struct Node {
    g: f64,
    /// The id of the parent, from which the path comes in a straight line; the start is its own parent.
    parent: u32,
    /// The number of the query, and the flags.
    mark: u32,
}

impl Node {
    /// Whether the query with this mark has reached the node.
    #[inline]
    fn is_seen(&self, mark: u32) -> bool {
        self.mark & !(EXPANDED | ASSUMED) == mark
    }

    #[inline]
    fn is_assumed(&self) -> bool {
        self.mark & ASSUMED != 0
    }
}

/// Scratch memory of [`CornerSearch`]: one per thread, reused between queries.
#[derive(Debug)]
struct CornerScratch {
    nodes: Table<Node, FLAG_BITS>,
    heap: Heap<u64>,
    pause: Pause<Paused>,
}

/// Where a search was paused: the mark of the nodes it has reached, and the length of the best path so far.
#[derive(Clone, Copy, Debug)]
struct Paused {
    mark: u32,
    best: f64,
}

size_bytes!(CornerScratch: nodes, heap);

impl CornerScratch {
    fn new(grid: &Grid) -> Self {
        let (nodes, pause) = (Table::new(grid.padded_cells()), Pause::default());
        Self { nodes, heap: Heap::new(), pause }
    }

    /// Lets the next search resume the last one.
    fn go_on(&mut self) {
        self.pause.go_on();
    }
}

/// How open-list entries are packed. The upper half is f as a fixed-point number, truncated and so never too high.
/// Below it, the bits that the id leaves free hold g in cells, inverted so that larger g comes first; then comes the
/// id.
#[derive(Clone, Copy)]
struct Keys {
    scale: f64,
    id_bits: u32,
}

impl Keys {
    fn new(grid: &Grid) -> Self {
        // No path is longer than a diagonal move to each corner that touches a free cell.
        let all = (u64::from(grid.width()) + 1) * (u64::from(grid.height()) + 1);
        let corners = all.min(4 * u64::from(grid.free_cells()));
        let farthest = SQRT_2 * f64::from(grid.width() + grid.height());
        let longest = SQRT_2 * corners as f64 + farthest;
        Self { scale: f64::from(u32::MAX - 1) / longest, id_bits: usize::BITS - grid.padded_cells().leading_zeros() }
    }

    #[inline]
    fn of(self, f: f64) -> u32 {
        (f * self.scale) as u32
    }

    #[inline]
    fn pack(self, f: f64, g: f64, id: u32) -> u64 {
        let tie = !(g as u32) << self.id_bits;
        u64::from(self.of(f)) << 32 | u64::from(tie | id)
    }

    /// The key and the id of an entry.
    #[inline]
    fn unpack(self, entry: u64) -> (u32, u32) {
        ((entry >> 32) as u32, entry as u32 & ((1 << self.id_bits) - 1))
    }
}

/// One query.
struct Search<'a, P: ?Sized> {
    map: &'a CornerMap,
    heuristic: Heuristic,
    query: PathQuery,
    probe: &'a mut P,
    scratch: &'a mut CornerScratch,
    mark: u32,
    keys: Keys,
    /// The length of the best path found so far; infinite if there is none.
    best: f64,
}

impl<'a, P: Probe + ?Sized> Search<'a, P> {
    fn new(
        map: &'a CornerMap,
        heuristic: Heuristic,
        scratch: &'a mut CornerScratch,
        query: PathQuery,
        probe: &'a mut P,
    ) -> Self {
        let keys = Keys::new(map.grid());
        if let Some(Paused { mark, best }) = scratch.pause.resume() {
            return Self { map, heuristic, query, probe, scratch, mark, keys, best };
        }
        let mark = scratch.nodes.begin();
        scratch.heap.clear();
        let mut search = Self { map, heuristic, query, probe, scratch, mark, keys, best: f64::INFINITY };
        let start = Corner::of(query.start);
        let id = map.grid().corner_id(start);
        search.reach(id, start, Node { g: 0.0, parent: id, mark }, true);
        search
    }

    /// Searches until nothing shorter than the best path can follow, and writes that path. If `ANY`, a parent is any
    /// visible corner; if `LAZY`, visibility is at first assumed. Otherwise the parent is the previous corner.
    fn run<const ANY: bool, const LAZY: bool>(&mut self, out: &mut Path) -> bool {
        while let Some(entry) = self.scratch.heap.pop() {
            let (key, id) = self.keys.unpack(entry);
            if f64::from(key) >= self.best * self.keys.scale {
                break;
            }
            let node = self.scratch.nodes[id as usize];
            let corner = self.map.grid().corner(id);
            let f = node.g + self.h(corner);
            // The last test finds entries made before the cost turned out to be too low.
            if node.mark & EXPANDED != 0 || f + SLACK >= self.best || self.keys.of(f) > key {
                continue;
            }
            // A line of sight may still make a path shorter than it seems.
            if self.probe.stops(0.0) {
                self.scratch.heap.push(entry);
                self.scratch.pause.keep(Paused { mark: self.mark, best: self.best });
                return false;
            }
            if !LAZY || !node.is_assumed() || self.settle(id, corner, key) {
                self.expand::<ANY, LAZY>(id, corner);
            }
        }
        if self.best.is_finite() {
            self.trace(out);
        }
        self.best.is_finite()
    }

    #[inline]
    fn h(&self, corner: Corner) -> f64 {
        let goal = Corner::of(self.query.goal);
        match self.heuristic {
            Heuristic::Euclidean => corner.distance(goal),
            Heuristic::Octile => {
                let (dx, dy) = (corner.x.abs_diff(goal.x), corner.y.abs_diff(goal.y));
                f64::from(dx.max(dy) - dx.min(dy)) + SQRT_2 * f64::from(dx.min(dy))
            }
            Heuristic::Zero => 0.0,
        }
    }

    /// Writes a node and puts it on the open list, unless no path through it can be the best.
    #[inline]
    fn reach(&mut self, id: u32, corner: Corner, node: Node, first: bool) {
        let f = node.g + self.h(corner);
        if f + SLACK >= self.best {
            return;
        }
        if corner == Corner::of(self.query.goal) && !node.is_assumed() {
            self.best = node.g;
        }
        self.scratch.nodes[id as usize] = node;
        self.probe.reached(cell_at(self.map.grid(), corner), first);
        self.scratch.heap.push(self.keys.pack(f, node.g, id));
    }

    /// Offers every neighbour a path through this corner: the straight line from its parent if that is free, or else
    /// the move from here. The line is checked only if it would be an improvement, and under the lazy rule only if the
    /// neighbour already has a path that is known to be free.
    #[inline]
    fn expand<const ANY: bool, const LAZY: bool>(&mut self, id: u32, corner: Corner) {
        let (map, mark) = (self.map, self.mark);
        let (grid, squeeze) = (map.grid(), map.squeeze());
        self.probe.expanded(cell_at(grid, corner));
        let node = &mut self.scratch.nodes[id as usize];
        node.mark |= EXPANDED;
        let (g, via) = (node.g, if ANY { node.parent } else { id });
        let (via_g, via_corner) = (self.scratch.nodes[via as usize].g, grid.corner(via));
        let id_steps = grid.id_steps();
        for dir in corners::moves(grid, corner, squeeze) {
            let (next, to) = (id.wrapping_add(id_steps[dir as usize]), corners::step(corner, dir));
            let known = self.scratch.nodes[next as usize];
            let seen = known.is_seen(mark);
            let by_line = via_g + if ANY { via_corner.distance(to) } else { price(dir) };
            if seen && by_line + SLACK >= known.g {
                continue;
            }
            let assumed = LAZY && via != id && (!seen || known.is_assumed());
            let node = if assumed || via == id || self.is_visible(via_corner, to) {
                Node { g: by_line, parent: via, mark: mark | if assumed { ASSUMED } else { 0 } }
            } else {
                Node { g: g + price(dir), parent: id, mark }
            };
            if !seen || node.g + SLACK < known.g {
                self.reach(next, to, node, !seen);
            }
        }
    }

    /// Checks whether a corner sees its assumed parent. If not, it gets the best parent among its neighbours with
    /// confirmed costs, and goes back to the open list if it now comes later. Returns whether it may be expanded now.
    fn settle(&mut self, id: u32, corner: Corner, key: u32) -> bool {
        let (grid, mark) = (self.map.grid(), self.mark);
        let Node { g, parent, .. } = self.scratch.nodes[id as usize];
        let settled = if self.is_visible(grid.corner(parent), corner) {
            Node { g, parent, mark }
        } else {
            let id_steps = grid.id_steps();
            let mut best = Node { g: f64::INFINITY, parent, mark };
            for dir in corners::moves(grid, corner, self.map.squeeze()) {
                let beside = id.wrapping_add(id_steps[dir as usize]);
                let node = self.scratch.nodes[beside as usize];
                if node.is_seen(mark) && !node.is_assumed() && node.g + price(dir) < best.g {
                    best = Node { g: node.g + price(dir), parent: beside, mark };
                }
            }
            best
        };
        self.scratch.nodes[id as usize] = settled;
        if corner == Corner::of(self.query.goal) {
            self.best = self.best.min(settled.g);
        }
        let f = settled.g + self.h(corner);
        let comes_later = self.keys.of(f) > key;
        if comes_later && f + SLACK < self.best {
            self.scratch.heap.push(self.keys.pack(f, settled.g, id));
        }
        !comes_later
    }

    #[inline]
    fn is_visible(&mut self, from: Corner, to: Corner) -> bool {
        self.probe.sight(from.into(), to.into());
        sight::corners_on_map_visible(self.map.grid(), from, to, self.map.squeeze())
    }

    /// Follows the parents from the goal.
    fn trace(&self, out: &mut Path) {
        let grid = self.map.grid();
        let parent = |&id: &u32| {
            let parent = self.scratch.nodes[id as usize].parent;
            (parent != id).then_some(parent)
        };
        let ids = std::iter::successors(Some(grid.corner_id(Corner::of(self.query.goal))), parent);
        out.set_any_angle_points_back(self.query.output, self.map.squeeze(), ids.map(|id| grid.corner(id).into()));
    }
}

/// The cost of a move.
#[inline]
fn price(dir: Dir) -> f64 {
    if dir.is_diagonal() { SQRT_2 } else { 1.0 }
}

/// The cell to the lower right of a corner, or the nearest one on the map: the cell that is reported to probes.
#[inline]
fn cell_at(grid: &Grid, corner: Corner) -> Cell {
    Cell::new(corner.x.min(grid.width() - 1), corner.y.min(grid.height() - 1))
}
