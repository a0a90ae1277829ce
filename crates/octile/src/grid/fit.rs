//! [`Fit`]: the map of the cells where an agent fits, and how it follows edits.

use super::agent::{Agent, Need, Room};
use super::area::{self, Area};
use super::bits::WINDOW;
use super::brush::Brush;
use super::clearance::sweep::Sweep;
use super::edits::{Change, Rect};
use super::{EditFault, Edits, Grid};
use crate::geometry::Cell;

/// The maps of one agent: [`Fit::grid`] makes the map of the cells where it fits, and [`Fit::edits`] says how that map
/// changes with the one that it was made from, by looking only at cells near the changes. It keeps its working memory.
///
/// ```
/// use octile::{Agent, Edits, Fit, Grid, Room};
/// let mut grid = Grid::open(20, 20)?;
/// let mut fit = Fit::new(Agent::disc(2.0)?, Room::Centre);
/// let mut fitting = fit.grid(&grid);
/// assert_eq!(fitting.free_cells(), 16 * 16);
///
/// let (edits, mut changes) = (Edits::new().block((10, 10)).clone(), Edits::new());
/// grid.apply(&edits)?;
/// fit.edits(&grid, &edits, &fitting, &mut changes)?;
/// fitting.apply(&changes)?;
/// assert_eq!(fitting, fit.grid(&grid));
/// assert_eq!(changes.iter().count(), 21); // those whose centres are less than 2 away from the obstacle
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Fit {
    agent: Agent,
    room: Room,
    need: Need,
    brush: Option<Brush>,
    sweep: Sweep,
    /// The cells of a row: 1 where the agent fits, else 0.
    row: Vec<u8>,
}

impl Fit {
    /// For this agent, with room at these points of the cells.
    pub fn new(agent: Agent, room: Room) -> Self {
        let (need, sweep) = (agent.need(), Sweep::default());
        Self { agent, room, need, brush: Brush::new(need, room), sweep, row: Vec::new() }
    }

    /// The agent.
    pub fn agent(&self) -> Agent {
        self.agent
    }

    /// Which points of a cell must have room for it.
    pub fn room(&self) -> Room {
        self.room
    }

    /// The cells of a map where the agent fits, under the same movement rule and with the same prices: the same map if
    /// it fits on every free cell.
    pub fn grid(&mut self, grid: &Grid) -> Grid {
        if self.agent.fits_everywhere(self.room) {
            return grid.clone();
        }
        let mut builder = grid.edit();
        self.rows(grid, Area::cells(grid), |y, row| builder.set_row_bytes(y as u32 - 1, row));
        builder.build()
    }

    /// How the map where the agent fits changes with edits that `grid` has had: `fitting` is as it was before, and what
    /// changes on it is written to `changes`, in place of what was there. Warm, this allocates nothing.
    ///
    /// Every cell that changes is named, and no other; neighbours are mostly named in one rectangle. Prices are passed
    /// on as they were edited: an agent pays for the cell that it is at.
    ///
    /// # Errors
    /// If an edited cell does not lie on `grid`; then there are no changes. Cells that are not on both maps are left
    /// alone.
    pub fn edits(&mut self, grid: &Grid, edits: &Edits, fitting: &Grid, changes: &mut Edits) -> Result<(), EditFault> {
        changes.clear();
        edits.check(grid)?;
        let (before, after) = self.reach();
        let touched = |rect: &Rect| rect.area().grown(after, before, Area::cells(grid));
        let (prices, states) = (|rect: &&Rect| matches!(rect.change, Change::Price(_)), edits.rects().iter());
        for area in area::joined(states.filter(|rect| !prices(rect)).map(touched), before + after) {
            self.compare(grid, area, fitting, changes);
        }
        // An agent pays for the cell that it is at.
        let is_on = |rect: &&Rect| fitting.contains(rect.max) && fitting.convention().is_some();
        edits.rects().iter().filter(prices).filter(is_on).for_each(|&rect| changes.push(rect));
        Ok(())
    }

    /// Heap memory in bytes.
    pub fn size_bytes(&self) -> usize {
        self.sweep.size_bytes() + self.row.capacity()
    }

    /// How far from a cell what it needs to be free is: to the left and up, and to the right and down. As far as a map
    /// goes at most.
    fn reach(&self) -> (usize, usize) {
        let bounded = |reach: u64| reach.min(super::MAX_SIDE.into()) as usize;
        match self.need {
            Need::Side(side) => (0, bounded(u64::from(side) - 1)),
            Need::Distance(squared) => (bounded(self.room.reach(squared)), bounded(self.room.reach(squared))),
        }
    }

    /// Notes the cells of an area that are to change.
    fn compare(&mut self, grid: &Grid, area: Area, fitting: &Grid, changes: &mut Edits) {
        let each = |y: usize, first: usize, len: usize, fits: u64| note(fitting, y, first, len, fits, changes);
        if let Some(brush) = &self.brush {
            return brush.rows(grid.rows(), area, grid.height() as usize + 2, each);
        }
        let mut each = each;
        self.rows(grid, area, |y, row| {
            for (place, cells) in row.chunks(WINDOW).enumerate() {
                let fits = cells.iter().rev().fold(0, |fits, &cell| fits << 1 | u64::from(cell));
                each(y, area.left + place * WINDOW, cells.len(), fits);
            }
        });
    }

    /// For each row of an area, from the bottom up, where the agent fits.
    fn rows(&mut self, grid: &Grid, area: Area, mut each: impl FnMut(usize, &[u8])) {
        let (before, after) = self.reach();
        let around = area.grown(before, after, Area::cells(grid).padded());
        let inner = area.left - around.left..area.right - around.left + 1;
        let (bits, row) = (grid.rows(), &mut self.row);
        match self.need {
            Need::Side(side) => self.sweep.squares(bits, around, |y, sides| {
                if (area.top..=area.bottom).contains(&y) {
                    row.clear();
                    row.extend(sides[inner.clone()].iter().map(|&found| u8::from(u32::from(found) >= side)));
                    each(y, row);
                }
            }),
            Need::Distance(needed) => self.sweep.discs(bits, around, &[self.room], |y, _, squared| {
                if (area.top..=area.bottom).contains(&y) {
                    row.clear();
                    row.extend(squared[inner.clone()].iter().map(|&found| u8::from(u64::from(found) >= needed)));
                    each(y, row);
                }
            }),
        }
    }
}

/// Notes which cells of a row are to change, of the first `len` from padded `first` on, given the bits of those where
/// the agent fits.
fn note(fitting: &Grid, y: usize, first: usize, len: usize, fits: u64, changes: &mut Edits) {
    let len = len.min((fitting.width() as usize + 1).saturating_sub(first));
    if len == 0 || y > fitting.height() as usize {
        return;
    }
    let mut differs = (fits ^ fitting.rows().window(y, first)) & ((1 << len) - 1);
    while differs != 0 {
        let start = differs.trailing_zeros();
        let free = fits >> start & 1 == 1;
        let same = differs & if free { fits } else { !fits };
        let end = start + (same >> start).trailing_ones();
        differs &= u64::MAX << end;
        let cell = |place: u32| Cell::new((first - 1) as u32 + place, y as u32 - 1);
        changes.join(Rect { min: cell(start), max: cell(end - 1), change: Change::Free(free) });
    }
}
