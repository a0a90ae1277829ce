//! Expansion of a root into a quadrant: the free square at the root, and the continuation of its walls.
//!
//! The cells of a quadrant are given by their numbers of steps from the root, across and ahead. Seen from the root, a
//! quadrant has two halves, one along its columns and one along its rows, which are the same with the two exchanged
//! ([`Half`]). A leg of a canonical path goes along the diagonal and then straight ahead in a *lane*: a column in one
//! half, a row in the other.

#![expect(clippy::inline_always, reason = "the loops over lines are a fifth to a third slower with calls in them")]

use super::steps::{LANES, ahead, back, bit, first, nearest, run};
use super::{Hit, Quadrants};
use crate::geometry::Cell;
use crate::geometry::units::Units;
use crate::grid::Grid;
use crate::grid::bits::{BitLines, Strip};
use crate::planner::Probe;

/// If the diagonal ends at a square with sides of up to this many cells, the square is scanned lane by lane.
const NARROW: usize = 2;

/// After this many lines without a new lane, the remaining lanes are counted; if they are few, they are scanned one by
/// one.
const PATIENCE: usize = 4;

/// The maximum number of lanes that count as few.
const FEW: u32 = 2;

/// Collects the roots that are found from a root.
pub(super) struct Sweep<'a, U: Units, P: ?Sized> {
    pub(super) grid: &'a Grid,
    pub(super) hits: &'a mut Vec<Hit<U::Cost>>,
    pub(super) probe: &'a mut P,
}

/// One half of a quadrant. Lanes lie side by side along `ACROSS`, towards higher positions if that is true, and lead
/// along `AHEAD`; they are columns if `UPRIGHT`.
struct Half<'a, C, const ACROSS: bool, const AHEAD: bool, const UPRIGHT: bool> {
    /// The lines that cross all lanes.
    crossing: &'a BitLines,
    /// The lanes as lines.
    lanes: &'a BitLines,
    /// The lane of the root, and its position in the lane, both padded.
    lane: usize,
    position: usize,
    g: C,
}

/// The free square at a root.
struct Square {
    /// The number of cells along a side.
    side: usize,
    /// The number of free cells in all of its rows: at least its side.
    width: usize,
    /// Whether a diagonal move leads on from its far corner.
    continues: bool,
}

/// A front of lanes, advanced line by line.
struct Front<'a, const ACROSS: bool> {
    strip: Strip<'a, ACROSS>,
    /// The free cells of the current line.
    free: u64,
    /// The lanes that are still open.
    open: u64,
    /// The number of lines ahead of the root.
    line: usize,
}

impl<'a, C: Copy, const ACROSS: bool, const AHEAD: bool, const UPRIGHT: bool> Half<'a, C, ACROSS, AHEAD, UPRIGHT> {
    #[inline]
    fn new(grid: &'a Grid, x: usize, y: usize, g: C) -> Self {
        let (rows, columns) = (grid.rows(), grid.columns());
        if UPRIGHT {
            Self { crossing: rows, lanes: columns, lane: x, position: y, g }
        } else {
            Self { crossing: columns, lanes: rows, lane: y, position: x, g }
        }
    }

    /// The lane this many steps across.
    #[inline]
    fn lane(&self, across: usize) -> usize {
        step::<ACROSS>(self.lane, across)
    }

    /// The line beside the first lane, outside the quadrant.
    #[inline]
    fn outside(&self) -> usize {
        if ACROSS { self.lane - 1 } else { self.lane + 1 }
    }

    /// The line this many steps ahead.
    #[inline]
    fn line(&self, ahead: usize) -> usize {
        step::<AHEAD>(self.position, ahead)
    }

    /// The cell in a lane at a line.
    #[inline]
    fn cell(&self, lane: usize, line: usize) -> Cell {
        let (across, ahead) = (self.lane(lane) as u32 - 1, self.line(line) as u32 - 1);
        if UPRIGHT { Cell::new(across, ahead) } else { Cell::new(ahead, across) }
    }

    /// The quadrant that opens ahead of a lane to higher or to lower positions.
    #[inline]
    fn opens(higher: bool) -> Quadrants {
        if UPRIGHT { Quadrants::one(higher, AHEAD) } else { Quadrants::one(AHEAD, higher) }
    }

    /// The front of lanes at a line.
    #[inline]
    fn front(&self, line: usize, open: u64) -> Front<'a, ACROSS> {
        let strip = self.crossing.strip(self.line(line), self.lane);
        Front { strip, free: strip.read(), open, line }
    }

    /// The first position in a lane, from `from` to `to` steps ahead, at which a blocked cell is followed by a free
    /// one.
    #[inline]
    fn obstacle_end(&self, lane: usize, from: usize, to: usize) -> Option<usize> {
        let free = self.lanes.strip::<AHEAD>(lane, self.position).read();
        let ends = free & !ahead::<AHEAD>(free) & first::<AHEAD>(to + 1) & !first::<AHEAD>(from);
        (ends != 0).then(|| nearest::<AHEAD>(ends))
    }
}

/// The line or position this many steps further.
#[inline]
fn step<const FORWARD: bool>(from: usize, steps: usize) -> usize {
    if FORWARD { from + steps } else { from - steps }
}

impl<U: Units, P: Probe + ?Sized> Sweep<'_, U, P> {
    /// Finds the next roots in a quadrant of the root at the padded position `x`, `y`.
    pub(super) fn quadrant<const EAST: bool, const SOUTH: bool>(&mut self, mut x: usize, mut y: usize, mut g: U::Cost) {
        loop {
            let columns = Half::<_, EAST, SOUTH, true>::new(self.grid, x, y, g);
            let rows = Half::<_, SOUTH, EAST, false>::new(self.grid, x, y, g);
            let Square { side, width, continues } = Square::grow(&columns);
            self.report_square(&columns, side, width);
            if side <= NARROW && !continues {
                for lane in 0..side {
                    self.scan(&columns, lane, lane);
                    self.scan(&rows, lane, lane);
                }
                return;
            }
            // Cells beyond the last lane are examined from where the diagonal meets that lane.
            let with_diagonal = continues && side < LANES;
            let depth = if continues { side } else { width };
            let is_beyond = self.half(&columns, side, side, with_diagonal);
            self.half(&rows, side, depth, with_diagonal);
            if !(is_beyond || continues && side == LANES) {
                return;
            }
            (x, y, g) = (step::<EAST>(x, LANES), step::<SOUTH>(y, LANES), g + U::DIAGONAL * (LANES as u32).into());
        }
    }

    /// Advances in the lanes of a square, which are free for `depth` lines. Returns whether the diagonal reached the
    /// last lane.
    #[inline(always)]
    fn half<const ACROSS: bool, const AHEAD: bool, const UPRIGHT: bool>(
        &mut self,
        half: &Half<'_, U::Cost, ACROSS, AHEAD, UPRIGHT>,
        side: usize,
        depth: usize,
        with_diagonal: bool,
    ) -> bool {
        let opens = Half::<U::Cost, ACROSS, AHEAD, UPRIGHT>::opens;
        let mut open = first::<ACROSS>(side);
        if depth > 1
            && let Some(end) = half.obstacle_end(half.outside(), 1, depth - 1)
        {
            self.hit(half, 0, end, opens(!ACROSS));
            open &= !bit::<ACROSS>(0);
        }
        if depth > side
            && let Some(end) = half.obstacle_end(half.lane(side), side, depth - 1)
        {
            self.hit(half, side - 1, end, opens(ACROSS));
            open &= !bit::<ACROSS>(side - 1);
        }
        let diagonal = if with_diagonal { bit::<ACROSS>(side - 1) } else { 0 };
        self.advance(half, half.front(depth - 1, open), diagonal)
    }

    /// Advances a front until no lane is open. A lane whose cell the diagonal reaches is open from there on.
    #[inline(always)]
    fn advance<const ACROSS: bool, const AHEAD: bool, const UPRIGHT: bool>(
        &mut self,
        half: &Half<'_, U::Cost, ACROSS, AHEAD, UPRIGHT>,
        mut front: Front<'_, ACROSS>,
        mut diagonal: u64,
    ) -> bool {
        while diagonal & first::<ACROSS>(LANES) != 0 {
            let behind = front.free;
            self.next_line(half, &mut front);
            diagonal = ahead::<ACROSS>(diagonal) & behind & front.free & ahead::<ACROSS>(front.free);
            // After the line was examined: a diagonal move does not pass the obstacles that end beside its cell.
            front.open |= diagonal & first::<ACROSS>(LANES);
        }
        let is_beyond = diagonal != 0;
        while !are_few(front.open) {
            for _ in 0..PATIENCE {
                self.next_line(half, &mut front);
                if front.open == 0 {
                    return is_beyond;
                }
            }
        }
        while front.open != 0 {
            let lane = nearest::<ACROSS>(front.open);
            front.open &= !bit::<ACROSS>(lane);
            self.scan(half, lane, front.line);
        }
        is_beyond
    }

    /// Advances a front by a line: lanes end at obstacles, and at cells beside which an obstacle ends. Those cells are
    /// roots, from which the rest of the lane is searched.
    #[inline(always)]
    fn next_line<const ACROSS: bool, const AHEAD: bool, const UPRIGHT: bool>(
        &mut self,
        half: &Half<'_, U::Cost, ACROSS, AHEAD, UPRIGHT>,
        front: &mut Front<'_, ACROSS>,
    ) {
        front.strip.step(AHEAD);
        front.line += 1;
        let free = front.strip.read();
        front.open &= free;
        let ended = free & !front.free;
        front.free = free;
        let mut roots = front.open & (ended << 1 | ended >> 1);
        if roots == 0 {
            return;
        }
        let (low, high) = (ahead::<ACROSS>(ended), back::<ACROSS>(ended));
        front.open &= !roots;
        let opens = Half::<U::Cost, ACROSS, AHEAD, UPRIGHT>::opens;
        while roots != 0 {
            let lane = nearest::<ACROSS>(roots);
            let root = bit::<ACROSS>(lane);
            roots &= !root;
            let (low, high) = (opens(!ACROSS).when(low & root != 0), opens(ACROSS).when(high & root != 0));
            self.hit(half, lane, front.line, low.and(high));
        }
    }

    /// Scans a lane from a line on for the next root.
    #[inline(always)]
    fn scan<const ACROSS: bool, const AHEAD: bool, const UPRIGHT: bool>(
        &mut self,
        half: &Half<'_, U::Cost, ACROSS, AHEAD, UPRIGHT>,
        lane: usize,
        line: usize,
    ) {
        let opens = Half::<U::Cost, ACROSS, AHEAD, UPRIGHT>::opens;
        if let Some(turn) = half.lanes.turn::<AHEAD>(half.lane(lane), half.line(line)) {
            let (low, high) = (opens(false).when(turn.before), opens(true).when(turn.after));
            self.hit(half, lane, line + turn.steps as usize, low.and(high));
        }
    }

    /// Adds a root, given by its lane and its line.
    #[inline(always)]
    fn hit<const ACROSS: bool, const AHEAD: bool, const UPRIGHT: bool>(
        &mut self,
        half: &Half<'_, U::Cost, ACROSS, AHEAD, UPRIGHT>,
        lane: usize,
        line: usize,
        quadrants: Quadrants,
    ) {
        let g = half.g + U::DIAGONAL * (lane as u32).into() + U::STRAIGHT * ((line - lane) as u32).into();
        self.hits.push(Hit { cell: half.cell(lane, line), g, quadrants });
    }

    /// Reports a square to the probe, with the free part of its rows beyond it.
    #[inline]
    fn report_square<const EAST: bool, const SOUTH: bool>(
        &mut self,
        columns: &Half<'_, U::Cost, EAST, SOUTH, true>,
        side: usize,
        width: usize,
    ) {
        let (a, b) = (columns.cell(0, 0), columns.cell(width - 1, side - 1));
        self.probe.expanded_area(Cell::new(a.x.min(b.x), a.y.min(b.y)), Cell::new(a.x.max(b.x), a.y.max(b.y)));
    }
}

/// Whether these are few lanes.
#[inline]
fn are_few(lanes: u64) -> bool {
    // On processors without a population count, clearing bits is faster.
    (0..FEW).fold(lanes, |left, _| left & left.wrapping_sub(1)) == 0
}

impl Square {
    /// Grows the square at a root row by row.
    #[inline(always)]
    fn grow<C: Copy, const EAST: bool, const SOUTH: bool>(columns: &Half<'_, C, EAST, SOUTH, true>) -> Self {
        let mut strip = columns.crossing.strip::<EAST>(columns.position, columns.lane);
        let mut last = strip.read();
        let (mut side, mut width) = (1, run::<EAST>(last).min(LANES));
        loop {
            strip.step(SOUTH);
            let next = strip.read();
            let reach = width.min(run::<EAST>(next));
            if reach <= side {
                let continues = bit::<EAST>(side) & last & next & ahead::<EAST>(next) != 0;
                return Self { side, width, continues };
            }
            (side, width, last) = (side + 1, reach, next);
        }
    }
}
