//! A query: finds the hops that lead to the goal, then searches.

use super::alive::{ALIVE, Alive, DEAD, DEAD_BACK};
use super::{Index, TautGraphPlanner};
use crate::geometry::Point;
use crate::grid::sight;
use crate::kernels::ds::table::Table;
use crate::kernels::taut::cones::{Cones, View};
use crate::kernels::taut::{Arrival, Hop, Hops, Memory, Search, seen};
use crate::path::Path;
use crate::planner::{PathQuery, Probe, size_bytes};

/// Scratch memory of [`TautGraphPlanner`].
#[derive(Debug)]
pub(super) struct TautGraphScratch {
    memory: Memory,
    marks: Marks,
    cones: Cones,
}

size_bytes!(TautGraphScratch: memory, marks, cones);

/// The hops and corners that lead to the goal.
#[derive(Debug)]
struct Marks {
    corners: Table<u32, FLAG_BITS>,
    /// One bit per hop: whether it is dead and leads to the goal.
    hops: Vec<u64>,
    /// The marked hops, to be cleared after the query.
    list: Vec<u32>,
}

size_bytes!(Marks: corners, hops, list);

/// Flags of a corner: whether the goal sees it, and whether a hop from it is marked.
const SEEN: u32 = 1;
const LEADS: u32 = 2;
const FLAG_BITS: u32 = 2;

impl TautGraphScratch {
    pub(super) fn new(alive: &Alive) -> Self {
        let marks = Marks { corners: Table::new(0), hops: Vec::new(), list: Vec::new() };
        let mut scratch = Self { memory: Memory::new(0), marks, cones: Cones::default() };
        scratch.grow(alive);
        scratch
    }

    /// Lets the next search continue where the last one stopped.
    pub(super) fn go_on(&mut self) {
        self.memory.go_on();
    }

    /// Grows to the size of a graph, which may have been rebuilt. No hop is marked between queries.
    fn grow(&mut self, alive: &Alive) {
        let corners = alive.corners.len();
        self.memory.fit(corners);
        self.marks.corners.extend(corners.saturating_sub(self.marks.corners.len()));
        let words = alive.hops.len().div_ceil(64);
        self.marks.hops.resize(words.max(self.marks.hops.len()), 0);
    }
}

impl Marks {
    /// Marks a hop, and the corner where it begins.
    #[inline]
    fn mark(&mut self, hop: u32, from: u32, mark: u32) {
        let (word, bit) = (&mut self.hops[hop as usize / 64], 1 << (hop % 64));
        if *word & bit == 0 {
            *word |= bit;
            self.flag(from, mark, LEADS);
            self.list.push(hop);
        }
    }

    #[inline]
    fn flag(&mut self, corner: u32, mark: u32, flag: u32) {
        let flags = self.flags(corner, mark);
        self.corners[corner as usize] = mark | flags | flag;
    }

    /// The flags of a corner.
    #[inline]
    fn flags(&self, corner: u32, mark: u32) -> u32 {
        let flags = self.corners[corner as usize] ^ mark;
        if flags >> FLAG_BITS == 0 { flags } else { 0 }
    }

    #[inline]
    fn is_marked(&self, hop: usize) -> bool {
        self.hops[hop / 64] >> (hop % 64) & 1 == 1
    }

    fn clear(&mut self) {
        for hop in self.list.drain(..) {
            self.hops[hop as usize / 64] = 0;
        }
    }
}

/// The hops that a query needs.
struct Needed<'a> {
    alive: &'a Alive,
    view: View<'a>,
    cones: &'a mut Cones,
    marks: &'a mut Marks,
    mark: u32,
    start: Point,
    goal: Point,
}

impl Needed<'_> {
    /// Marks the corners that the goal sees, and all dead hops that lead to them.
    fn mark_goal(&mut self) {
        let Self { alive, view, cones, marks, mark, goal, .. } = self;
        seen(cones, *view, &alive.corners, *goal, |corner, turn, side, from| {
            marks.flag(corner, *mark, SEEN);
            let at = Arrival { corner, turn, side, from };
            alive.onward(DEAD_BACK, at, |hop, to| marks.mark(alive.back[hop], to.corner(), *mark));
        });
        let mut followed = 0;
        while let Some(&hop) = self.marks.list.get(followed) {
            followed += 1;
            // The corner where the hop begins, which is where its reverse ends.
            let (to, begin) = (alive.hops[hop as usize], alive.hops[alive.back[hop as usize] as usize]);
            let turn = alive.corners.turn(begin.corner());
            let at = Arrival { corner: begin.corner(), turn, side: begin.side(), from: to.from(turn) };
            alive.onward(DEAD_BACK, at, |hop, to| self.marks.mark(alive.back[hop], to.corner(), *mark));
        }
    }
}

impl Hops for Needed<'_> {
    #[inline]
    fn leave_start(&mut self, mut visit: impl FnMut(Arrival)) {
        let Self { alive, view, cones, marks, mark, start, .. } = self;
        seen(cones, *view, &alive.corners, *start, |corner, turn, side, from| {
            let at = Arrival { corner, turn, side, from };
            if marks.flags(corner, *mark) != 0 || alive.continues(at) {
                visit(at);
            }
        });
    }

    #[inline]
    fn reaches_goal(&mut self, Arrival { corner, turn, side, from }: Arrival) -> bool {
        let to = turn.to(self.goal);
        self.marks.flags(corner, self.mark) & SEEN != 0
            && turn.kind.side(to) == Some(1 - side)
            && turn.kind.turns(side, from, to)
    }

    #[inline]
    fn onward(&mut self, at: Arrival, mut visit: impl FnMut(Hop)) {
        self.alive.onward(ALIVE, at, |_, hop| visit(hop));
        if self.marks.flags(at.corner, self.mark) & LEADS != 0 {
            self.alive.onward(DEAD, at, |number, hop| {
                if self.marks.is_marked(number) {
                    visit(hop);
                }
            });
        }
    }
}

impl TautGraphPlanner {
    pub(super) fn run<P: Probe + ?Sized>(
        &self,
        scratch: &mut TautGraphScratch,
        query: PathQuery,
        out: &mut Path,
        probe: &mut P,
    ) -> bool {
        let (grid, squeeze, output) = (self.map.grid(), self.map.squeeze(), query.output);
        let [start, goal] = [query.start, query.goal].map(|cell| self.ends.point(cell));
        if sight::points_on_map_visible(grid, start, goal, squeeze) {
            out.set_any_angle_points(output, squeeze, [start, goal].into_iter());
            return true;
        }
        let Index { bands, alive } = &*self.index;
        scratch.grow(alive);
        let TautGraphScratch { memory, marks, cones } = scratch;
        // Marks may be left over from a search that a panic in a probe has ended.
        marks.clear();
        let (view, mark) = (View { grid, bands, squeeze }, marks.corners.begin());
        let mut needed = Needed { alive, view, cones, marks, mark, start, goal };
        needed.mark_goal();
        let search = Search { view, corners: &alive.corners, start, goal, memory, probe };
        let found = search.run(&mut needed, output, out);
        needed.marks.clear();
        found
    }
}
