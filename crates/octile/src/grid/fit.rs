//! [`Fit`]: the map of the cells where an agent fits, kept up to date under edits.

use super::agent::{Agent, Need, Room};
use super::area::{self, Area};
use super::bits::WINDOW;
use super::brush::Brush;
use super::clearance::sweep::Sweep;
use super::edits::{Change, Rect};
use super::{EditFault, Edits, Grid};
use crate::geometry::Cell;

/// Makes and updates the map of the cells where an agent fits. [`Fit::grid`] makes that map from a grid; [`Fit::edits`]
/// finds how it changes when the grid is edited, by examining only cells near the edits. It keeps its working memory.
///
/// ```
/// use octile::{Edits, Grid};
/// use octile::grid::{Agent, Fit, Room};
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
    /// The cells of a row: 1 where the agent fits, 0 elsewhere.
    row: Vec<u8>,
}

impl Fit {
    /// Creates a fit for an agent that needs room at these points of the cells.
    pub fn new(agent: Agent, room: Room) -> Self {
        let (need, sweep) = (agent.need(), Sweep::default());
        Self { agent, room, need, brush: Brush::new(need, room), sweep, row: Vec::new() }
    }

    /// The agent.
    pub fn agent(&self) -> Agent {
        self.agent
    }

    /// The points of a cell where the agent needs room.
    pub fn room(&self) -> Room {
        self.room
    }

    /// The map of the cells where the agent fits, with the same movement rule and prices: the same map, shared, if it
    /// fits on every free cell.
    pub fn grid(&mut self, grid: &Grid) -> Grid {
        if self.agent.fits_everywhere(self.room) {
            return grid.clone();
        }
        let mut builder = grid.edit();
        self.rows(grid, Area::cells(grid), |y, row| builder.set_row_bytes(y as u32 - 1, row));
        builder.build()
    }

    /// Finds how the map of fitting cells changes with edits that `grid` already has. `fitting` is that map before the
    /// edits; `changes` is overwritten with the edits to apply to it. Once warm, this allocates nothing.
    ///
    /// The changes name exactly the cells that change; adjacent cells are mostly joined in one rectangle. Price edits
    /// are passed on, because an agent pays for the cell it is at.
    ///
    /// # Errors
    /// If an edited cell is not on `grid`; `changes` is then empty. Cells that are not on both maps are left alone.
    pub fn edits(&mut self, grid: &Grid, edits: &Edits, fitting: &Grid, changes: &mut Edits) -> Result<(), EditFault> {
        changes.clear();
        edits.check(grid)?;
        let (before, after) = self.reach();
        let touched = |rect: &Rect| rect.area().grown(after, before, Area::cells(grid));
        let (prices, states) = (|rect: &&Rect| matches!(rect.change, Change::Price(_)), edits.rects().iter());
        for area in area::joined(states.filter(|rect| !prices(rect)).map(touched), before + after) {
            self.compare(grid, area, fitting, changes);
        }
        // Price edits are passed on.
        let is_on = |rect: &&Rect| fitting.contains(rect.max) && fitting.convention().is_some();
        edits.rects().iter().filter(prices).filter(is_on).for_each(|&rect| changes.push(rect));
        Ok(())
    }

    /// Heap memory in bytes.
    pub fn size_bytes(&self) -> usize {
        self.sweep.size_bytes() + self.row.capacity()
    }

    /// How far the cells that the agent needs extend from its cell: to the left and up, and to the right and down. At
    /// most the maximum side of a map.
    fn reach(&self) -> (usize, usize) {
        let bounded = |reach: u64| reach.min(super::MAX_SIDE.into()) as usize;
        match self.need {
            Need::Side(side) => (0, bounded(u64::from(side) - 1)),
            Need::Distance(squared) => (bounded(self.room.reach(squared)), bounded(self.room.reach(squared))),
        }
    }

    /// Adds the cells of an area that change.
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

    /// Calls `each` for each row of an area, from the bottom up, with a byte per cell: 1 where the agent fits.
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

/// Adds the cells of a row that change, among the first `len` from padded `first` on. `fits` has a bit for each cell
/// where the agent fits.
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
