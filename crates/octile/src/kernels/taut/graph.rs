//! The taut graph of a map: all hops between corners that see each other, taut at both ends.

use super::cones::{Bands, Cones, View};
use super::corners::Corners;
use super::kind::{Side, Turn, Vector};
use super::sector::Sector;
use crate::geometry::{Corner, Point};
use crate::grid::{Grid, Squeeze};
use crate::planner::{Budget, OverBudget, size_bytes};

/// A side of a corner: the corner's number, with the side in the lowest bit.
pub(crate) type Slot = u32;

#[inline]
pub(crate) fn slot(corner: u32, side: Side) -> Slot {
    corner << 1 | side as u32
}

/// A hop to a corner.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Hop {
    /// The side of the corner on which it ends.
    pub(crate) to: Slot,
    x: u16,
    y: u16,
}

impl Hop {
    pub(crate) fn new(number: u32, side: Side, turn: Turn) -> Self {
        Self { to: slot(number, side), x: turn.x, y: turn.y }
    }

    #[inline]
    pub(crate) fn corner(self) -> u32 {
        self.to >> 1
    }

    #[inline]
    pub(crate) fn side(self) -> Side {
        (self.to & 1) as Side
    }

    #[inline]
    pub(crate) fn point(self) -> Point {
        Point::corner(Corner::new(self.x.into(), self.y.into()))
    }

    /// Its vector from a corner.
    #[inline]
    pub(crate) fn from(self, turn: Turn) -> Vector {
        turn.to(self.point())
    }
}

/// The taut graph. It stores every hop in both directions.
#[derive(Clone, Debug)]
pub(crate) struct Graph {
    pub(crate) corners: Corners,
    /// The index where the hops of each slot begin, and the end of the last ones.
    first: Vec<u32>,
    /// The hops of a slot, by angle, starting along the obstacle.
    pub(crate) hops: Vec<Hop>,
    /// For each hop, the index of its reverse.
    pub(crate) back: Vec<u32>,
}

size_bytes!(Graph: corners, first, hops, back);

/// The bytes of a hop, per direction, while a graph is built.
const HOP_BYTES: u64 = 40;

/// What the build of a graph has taken so far.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Effort {
    /// Rows examined and hops found.
    pub(crate) steps: u64,
    pub(crate) bytes: u64,
    /// The number of finished corners.
    pub(crate) done: usize,
    pub(crate) corners: usize,
}

/// Hops have 32-bit numbers, so a graph may not take more memory than this.
const MOST_BYTES: u64 = HOP_BYTES << 32;

impl Effort {
    /// Rejects effort over a budget, or more hops than can be numbered.
    pub(crate) fn check(self, budget: Budget) -> Result<(), OverBudget> {
        budget.bytes(budget.bytes.min(MOST_BYTES)).check(self.steps, self.bytes)
    }
}

/// The effort is checked each time after this many corners.
const CHECKED: usize = 256;

impl Graph {
    /// Builds the graph of a map. `check` is called from time to time and may end the build with an error.
    pub(crate) fn new<E>(
        grid: &Grid,
        bands: &Bands,
        squeeze: Squeeze,
        mut check: impl FnMut(Effort) -> Result<(), E>,
    ) -> Result<Self, E> {
        let corners = Corners::new(grid, squeeze);
        let view = View { grid, bands, squeeze };
        let mut cones = Cones::default();
        let mut found = Vec::new();
        for number in 0..corners.len() {
            if number % CHECKED == 0 {
                let steps = cones.rows + found.len() as u64;
                let bytes = HOP_BYTES * 2 * found.len() as u64 + corners.total_bytes() as u64;
                check(Effort { steps, bytes, done: number, corners: corners.len() })?;
            }
            find_hops(&mut cones, view, &corners, number as u32, &mut found);
        }
        Ok(Self::of(corners, &found))
    }

    /// The graph with these hops, each given once.
    fn of(corners: Corners, found: &[[Slot; 2]]) -> Self {
        let mut first = vec![0_u32; 2 * corners.len() + 1];
        for &slot in found.iter().flatten() {
            first[slot as usize + 1] += 1;
        }
        for slot in 1..first.len() {
            first[slot] += first[slot - 1];
        }
        // For each hop, its angle, and its index in `found` with its direction in the lowest bit.
        let mut list = vec![(0_u64, 0_u32); 2 * found.len()];
        let mut next = first.clone();
        for (number, &[a, b]) in found.iter().enumerate() {
            for (direction, from, to) in [(0, a, b), (1, b, a)] {
                let [from_turn, to_turn] = [from, to].map(|slot| corners.turn(slot >> 1));
                let angle = from_turn.kind.angle((from & 1) as Side, from_turn.to(to_turn.point()));
                list[next[from as usize] as usize] = (angle.to_bits(), 2 * number as u32 + direction);
                next[from as usize] += 1;
            }
        }
        for ends in first.windows(2) {
            list[ends[0] as usize..ends[1] as usize].sort_unstable();
        }
        let mut indices = vec![0; list.len()];
        for (index, &(_, hop)) in list.iter().enumerate() {
            indices[hop as usize] = index as u32;
        }
        let back = list.iter().map(|&(_, hop)| indices[hop as usize ^ 1]).collect();
        let hop = |&(_, hop): &(u64, u32)| {
            let to = found[hop as usize / 2][1 - (hop & 1) as usize];
            Hop::new(to >> 1, (to & 1) as Side, corners.turn(to >> 1))
        };
        let hops = list.iter().map(hop).collect();
        Self { corners, first, hops, back }
    }

    /// The indices of the hops of a slot.
    #[inline]
    pub(crate) fn range(&self, slot: Slot) -> std::ops::Range<usize> {
        self.first[slot as usize] as usize..self.first[slot as usize + 1] as usize
    }

    /// The hops by which a path continues that has reached a corner, on a side, from a point at `from`: a prefix of the
    /// hops of the other side.
    #[inline]
    pub(crate) fn onward(&self, corner: u32, side: Side, from: Vector) -> std::ops::Range<usize> {
        let range = self.range(slot(corner, 1 - side));
        let turn = self.corners.turn(corner);
        let goes_on = |hop: &&Hop| turn.kind.turns(side, from, hop.from(turn));
        let count = self.hops[range.clone()].iter().take_while(goes_on).count();
        range.start..range.start + count
    }
}

/// Finds the hops of a corner that lead down, or along its row to the right: so each hop is found at one end only.
fn find_hops(cones: &mut Cones, view: View<'_>, corners: &Corners, number: u32, found: &mut Vec<[Slot; 2]>) {
    let turn = corners.turn(number);
    for side in 0..2 {
        let sector = Sector::of(turn.kind, side);
        let mut find = taut_ends(corners, turn, |other, _, end| found.push([slot(number, side), slot(other, end)]));
        if sector.right {
            sector.along(cones, view, turn.corner(), &mut find);
        }
        if sector.down {
            sector.scan::<false>(cones, view, turn.corner(), sector.slopes(), &mut find);
        }
    }
}

/// Some of the directions on one side of a corner.
pub(crate) struct SectorPart {
    pub(crate) turn: Turn,
    pub(crate) side: Side,
    /// The least and the greatest slope, unsigned.
    pub(crate) slopes: (i64, i64),
    /// Whether it includes the row of the corner.
    pub(crate) has_row: bool,
}

impl SectorPart {
    /// Visits the hops in these directions: each with the number of the corner that it leads to, that corner, and the
    /// side of it on which it ends.
    pub(crate) fn hops(
        &self,
        cones: &mut Cones,
        view: View<'_>,
        corners: &Corners,
        visit: impl FnMut(u32, Turn, Side),
    ) {
        let Self { turn, side, slopes: (low, high), has_row } = *self;
        let sector = Sector::of(turn.kind, side);
        let mut find = taut_ends(corners, turn, visit);
        if has_row {
            sector.along(cones, view, turn.corner(), &mut find);
        }
        sector.scan::<false>(cones, view, turn.corner(), sector.between(low, high), &mut find);
    }
}

/// A function that visits the corners of a span at which a taut line from a corner may end.
fn taut_ends(corners: &Corners, from: Turn, mut visit: impl FnMut(u32, Turn, Side)) -> impl FnMut(u32, u32, u32) {
    move |y, first, last| {
        corners.for_each(y, first, last, |number, end| {
            if let Some(side) = end.kind.side(end.to(from.point())) {
                visit(number, end, side);
            }
        });
    }
}
