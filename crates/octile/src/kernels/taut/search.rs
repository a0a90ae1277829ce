//! The search over taut hops, for planners that store them beforehand and for those that find them during the search.
//!
//! A\* over corners; the heuristic is the length of the straight line to the goal. Open-list keys are truncated to
//! integers, so the search continues until no key is below the best path found so far; a corner that gets a smaller g
//! is opened again.

use std::f64::consts::SQRT_2;

use super::cones::View;
use super::corners::Corners;
use super::graph::Hop;
use super::kind::{Side, Turn, Vector};
use super::sights;
use crate::geometry::{Cell, Point};
use crate::grid::Grid;
use crate::kernels::ds::heap::Heap;
use crate::kernels::ds::table::Table;
use crate::kernels::pause::Pause;
use crate::path::{Output, Path};
use crate::planner::{Probe, size_bytes};

/// A corner that a path has reached: on which side, and from where.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Arrival {
    pub(crate) corner: u32,
    pub(crate) turn: Turn,
    pub(crate) side: Side,
    /// The position of the previous point relative to the corner.
    pub(crate) from: Vector,
}

/// The hops of a search.
pub(crate) trait Hops {
    /// Visits the corners in sight of the start that may lead to the goal.
    fn leave_start(&mut self, visit: impl FnMut(Arrival));

    /// Whether the goal is in sight of a corner, and the path may continue to it.
    fn reaches_goal(&mut self, at: Arrival) -> bool;

    /// Visits the hops by which a path continues.
    fn onward(&mut self, at: Arrival, visit: impl FnMut(Hop));
}

/// Flags of a node: the side on which the path arrived, and whether the node is closed.
const SIDE: u32 = 1;
const EXPANDED: u32 = 2;
const FLAG_BITS: u32 = 2;

/// No corner: the start comes before it.
const NONE: u32 = u32::MAX;

/// The state of a corner in the search.
#[derive(Clone, Copy, Debug, Default)]
struct TautNode {
    g: f64,
    /// The previous corner, or [`NONE`].
    parent: u32,
    mark: u32,
}

/// Scratch memory of searches.
#[derive(Debug)]
pub(crate) struct Memory {
    nodes: Table<TautNode, FLAG_BITS>,
    heap: Heap<u64>,
    pause: Pause<Paused>,
}

/// The state of a stopped search: the mark of the nodes it has reached, the length of the best path so far, and that
/// path's last corner.
#[derive(Clone, Copy, Debug)]
struct Paused {
    mark: u32,
    best: f64,
    last: u32,
}

size_bytes!(Memory: nodes, heap);

impl Memory {
    /// For this many corners.
    pub(crate) fn new(corners: usize) -> Self {
        Self { nodes: Table::new(corners), heap: Heap::new(), pause: Pause::default() }
    }

    /// Lets the next search continue where the last one stopped.
    pub(crate) fn go_on(&mut self) {
        self.pause.go_on();
    }

    /// Grows to this many corners.
    pub(crate) fn fit(&mut self, corners: usize) {
        self.nodes.extend(corners.saturating_sub(self.nodes.len()));
    }
}

/// How open-list entries are packed: the number of a corner below a length, which is truncated and so never too high.
#[derive(Clone, Copy)]
struct Keys {
    scale: f64,
    id_bits: u32,
}

impl Keys {
    fn new(grid: &Grid, corners: usize) -> Self {
        // A taut path is no longer than a path along corners of cells, by moves to the eight nearest, that visits none
        // twice.
        let all = (u64::from(grid.width()) + 1) * (u64::from(grid.height()) + 1);
        let longest = SQRT_2 * (all + u64::from(grid.width() + grid.height())) as f64 + 2.0;
        let id_bits = usize::BITS - corners.leading_zeros();
        Self { scale: ((u64::MAX >> (id_bits + 1)) as f64) / longest, id_bits }
    }

    #[inline]
    fn pack(self, f: f64, corner: u32) -> u64 {
        ((f * self.scale) as u64) << self.id_bits | u64::from(corner)
    }

    /// The key and the number of the corner.
    #[inline]
    fn unpack(self, entry: u64) -> (u64, u32) {
        (entry >> self.id_bits, (entry & ((1 << self.id_bits) - 1)) as u32)
    }
}

/// A query.
pub(crate) struct Search<'a, P: ?Sized> {
    pub(crate) view: View<'a>,
    pub(crate) corners: &'a Corners,
    pub(crate) start: Point,
    pub(crate) goal: Point,
    pub(crate) memory: &'a mut Memory,
    pub(crate) probe: &'a mut P,
}

impl<P: Probe + ?Sized> Search<'_, P> {
    /// Finds a shortest path between two points that do not see each other. Returns whether it exists.
    #[inline]
    pub(crate) fn run(self, hops: &mut impl Hops, output: Output, out: &mut Path) -> bool {
        let Self { view, corners, start, goal, memory, probe } = self;
        let View { grid, squeeze, .. } = view;
        sights::report_around(view, start, probe);
        sights::report_around(view, goal, probe);
        let keys = Keys::new(grid, corners.len());
        let Memory { nodes, heap, pause } = memory;
        let resumed = pause.resume();
        let Paused { mark, mut best, mut last } =
            resumed.unwrap_or_else(|| Paused { mark: nodes.begin(), best: f64::INFINITY, last: NONE });
        if resumed.is_none() {
            heap.clear();
            hops.leave_start(|at| {
                let g = at.from.length();
                nodes[at.corner as usize] = TautNode { g, parent: NONE, mark: mark | at.side as u32 };
                probe.reached(cell_at(grid, at.turn), true);
                probe.taut_hop(start, at.turn.point());
                heap.push(keys.pack(g + at.turn.to(goal).length(), at.corner));
            });
        }
        while let Some(entry) = heap.pop() {
            let (key, corner) = keys.unpack(entry);
            if key as f64 >= best * keys.scale {
                break;
            }
            let node = nodes[corner as usize];
            if node.mark & EXPANDED != 0 {
                continue;
            }
            if probe.stops(key as f64 / keys.scale) {
                heap.push(entry);
                pause.keep(Paused { mark, best, last });
                return false;
            }
            nodes[corner as usize].mark |= EXPANDED;
            let turn = corners.turn(corner);
            probe.expanded(cell_at(grid, turn));
            let before = if node.parent == NONE { start } else { corners.turn(node.parent).point() };
            let at = Arrival { corner, turn, side: (node.mark & SIDE) as Side, from: turn.to(before) };
            sights::report_onward(view, at, probe);
            let to_goal = turn.to(goal).length();
            if node.g + to_goal < best && hops.reaches_goal(at) {
                (best, last) = (node.g + to_goal, corner);
                probe.taut_hop(turn.point(), goal);
            }
            hops.onward(at, |hop| {
                let g = node.g + hop.from(turn).length();
                let next = &mut nodes[hop.corner() as usize];
                let is_seen = next.mark & !(SIDE | EXPANDED) == mark;
                if is_seen && g >= next.g {
                    return;
                }
                *next = TautNode { g, parent: corner, mark: mark | hop.side() as u32 };
                let f = g + Vector::between(hop.point(), goal).length();
                if f < best {
                    probe.reached(cell_at(grid, corners.turn(hop.corner())), !is_seen);
                    probe.taut_hop(turn.point(), hop.point());
                    heap.push(keys.pack(f, hop.corner()));
                }
            });
        }
        if last == NONE {
            return false;
        }
        let before = |&corner: &u32| Some(nodes[corner as usize].parent).filter(|&parent| parent != NONE);
        let turns = std::iter::successors(Some(last), before).map(|corner| corners.turn(corner).point());
        out.set_any_angle_points_back(output, squeeze, std::iter::once(goal).chain(turns).chain([start]));
        true
    }
}

/// The cell to the lower right of a corner, or the nearest one on the map: probes get it in place of the corner.
#[inline]
fn cell_at(grid: &Grid, turn: Turn) -> Cell {
    let corner = turn.corner();
    Cell::new(corner.x.min(grid.width() - 1), corner.y.min(grid.height() - 1))
}
