//! Estimates the cost of building labels, so that unsuitable maps are rejected early.
//!
//! - *Before anything is built*: searches from [`TREES`] sites visit all sites, and labels take at least
//!   [`LEAST_LABELS`] times the steps of these searches.
//! - *Large maps*: there a single search takes a second, and dozens of searches run before the first hub. So pieces of
//!   two sizes are labelled instead: the steps per site grow with the side of the piece, by a similar factor for each
//!   doubling. Measured factors: 1.2 in mazes with corridors of one cell, 1.6 to 1.9 in rooms of 8 cells, 1.7 to 2.7
//!   among random obstacles; the largest maps had the largest factors.
//! - *Labels*: each hub costs less than the one before, and the steps for twice as many hubs grow by a factor that
//!   falls towards 1. On the measured maps (games, rooms, mazes, random obstacles) the excess of this factor over 1
//!   shrinks by a quarter or more with each doubling, until the steps decrease. So the estimate is correct within a
//!   factor of about 2, and a build stops if the estimate is [`SURE`] times the budget.
//! - *Records of cells*: a sample of blocks gives an estimate for all blocks, before the others are built.

use super::search::VISIT;
use crate::geometry::Cell;
use crate::grid::Grid;
use crate::kernels::limits::{Limits, MAX_LABEL_LINKS, MAX_RECORD_BYTES, Shape, Unsuited};

/// Searches that run before the first hub.
pub(super) const TREES: u64 = 32;

/// The minimum ratio of the steps of labels to the steps of these searches.
const LEAST_LABELS: u64 = 8;

/// The bytes per site, cell, link of the graph and link of a label while an index is built.
const SITE_BYTES: u64 = 700;
const CELL_BYTES: u64 = 24;
const GRAPH_LINK_BYTES: u64 = 8;
const LABEL_LINK_BYTES: u64 = 44;
const RECORD_BYTES: u64 = 2;

/// Steps of records of cells are short: this many count as one step of the budget.
pub(super) const CELL_STEPS: u64 = 3;

/// Labels are estimated from this share of the budget on, and from this number of hubs on.
const FORECAST_SHARE: u64 = 20;
const FORECAST_HUBS: usize = 8;

/// The share of the growth above 1 that remains after each doubling of the hubs.
const DAMPING: f64 = 0.75;

/// A build stops if the estimate is this many times the budget.
const SURE: f64 = 1.5;

/// Maps with fewer sites need no estimate: labelling itself soon shows the cost.
const LARGE: usize = 100_000;

/// The sides of the pieces.
const SIDES: [u32; 2] = [48, 96];

/// The number of pieces of each size.
const PIECES: u32 = 4;

/// The result of labelling a piece: the steps, and the number of its sites.
pub(crate) struct Piece {
    pub(crate) steps: u64,
    pub(crate) sites: usize,
}

/// Estimates the steps to label a map with this number of sites; `label` labels a piece. `None` if the map is not
/// large, or its pieces allow no estimate.
pub(crate) fn label_steps(grid: &Grid, sites: usize, label: &dyn Fn(&Grid) -> Result<Piece, Unsuited>) -> Option<f64> {
    let side = grid.width().min(grid.height());
    if sites < LARGE || side < 2 * SIDES[1] {
        return None;
    }
    let [small, large] = SIDES.map(|side| steps_per_site(grid, side, label));
    let (small, mut steps) = (small?, large?);
    let growth = (steps / small).max(1.0);
    for _ in 0..(side / SIDES[1]).ilog2() {
        steps *= growth;
    }
    Some(steps * sites as f64)
}

/// The average number of steps per site in pieces of this side.
fn steps_per_site(grid: &Grid, side: u32, label: &dyn Fn(&Grid) -> Result<Piece, Unsuited>) -> Option<f64> {
    let (mut steps, mut sites) = (0, 0);
    for piece in 0..PIECES {
        // Evenly spaced along the diagonal of the map.
        let offset = |length: u32| (length - side) / (PIECES + 1) * (piece + 1);
        let (x, y) = (offset(grid.width()), offset(grid.height()));
        let piece = Grid::from_fn(side, side, |cell| grid.is_free(Cell::new(x + cell.x, y + cell.y))).ok()?;
        let labelled = label(&piece).ok()?;
        steps += labelled.steps;
        sites += labelled.sites;
    }
    (sites > 0).then(|| steps as f64 / sites as f64)
}

impl Limits<'_> {
    /// Whether a map of this shape can have labels, judged from samples.
    pub(crate) fn check_shape(&mut self, shape: Shape) -> Result<(), Unsuited> {
        self.shape = shape;
        let links = (shape.sites as f64 * shape.links_per_site) as u64;
        let steps = LEAST_LABELS * TREES * (links + VISIT * shape.sites);
        self.check(steps, self.fixed_bytes() + links * GRAPH_LINK_BYTES)
    }

    /// Whether the labels of a map are likely to stay within the budget; `label` labels a piece of the map.
    pub(crate) fn check_outlook(
        &self,
        grid: &Grid,
        label: &dyn Fn(&Grid) -> Result<Piece, Unsuited>,
    ) -> Result<(), Unsuited> {
        let steps = label_steps(grid, self.shape.sites as usize, label);
        steps.map_or(Ok(()), |forecast| self.check_forecast(forecast))
    }

    /// Whether a graph may have this many links.
    pub(crate) fn check_graph(&self, links: usize) -> Result<(), Unsuited> {
        self.check(0, self.fixed_bytes() + links as u64 * GRAPH_LINK_BYTES)
    }

    /// Whether a build that is likely to take this many steps may continue.
    fn check_forecast(&self, steps: f64) -> Result<(), Unsuited> {
        if steps > SURE * self.budget.steps as f64 { self.check(steps as u64, 0) } else { Ok(()) }
    }

    /// A lower bound of the steps of the records of cells, if labels have this many links.
    fn cell_steps(&self, links: u64) -> f64 {
        let links_per_label = links as f64 / self.shape.sites.max(1) as f64;
        self.shape.free_cells as f64 * self.shape.links_per_cell * links_per_label / CELL_STEPS as f64
    }

    /// Whether the records of cells may take this many steps and bytes, besides labels with this many links.
    pub(crate) fn check_cells(&self, steps: u64, bytes: u64, links: u64) -> Result<(), Unsuited> {
        let all = self.fixed_bytes() + links * LABEL_LINK_BYTES + bytes * RECORD_BYTES;
        self.check(steps / CELL_STEPS, all)?;
        if bytes > MAX_RECORD_BYTES { Err(Unsuited::Records) } else { Ok(()) }
    }

    fn fixed_bytes(&self) -> u64 {
        self.shape.cells * CELL_BYTES + self.shape.sites * SITE_BYTES
    }
}

/// The steps of labels at the last three doublings of the number of hubs.
#[derive(Debug, Default)]
pub(super) struct Doublings([u64; 3]);

impl Doublings {
    /// Whether labels that have used `steps` steps and have `links` links and `hubs` hubs may continue.
    pub(super) fn check(&mut self, limits: &Limits, steps: u64, links: usize, hubs: usize) -> Result<(), Unsuited> {
        limits.check(steps, limits.fixed_bytes() + links as u64 * LABEL_LINK_BYTES)?;
        if links > MAX_LABEL_LINKS {
            return Err(Unsuited::Labels { hubs, corners: limits.shape.sites as usize, links });
        }
        if hubs.is_power_of_two() {
            self.0 = [self.0[1], self.0[2], steps];
            if hubs >= FORECAST_HUBS && steps > limits.budget.steps / FORECAST_SHARE {
                let all = self.label_steps(hubs, limits.shape.sites as f64);
                return limits.check_forecast(all + limits.cell_steps(links as u64));
            }
        }
        Ok(())
    }

    /// The estimated steps of all labels, at this number of hubs out of `sites`.
    fn label_steps(&self, hubs: usize, sites: f64) -> f64 {
        let [first, second, last] = self.0.map(|steps| steps as f64);
        let mut growth = ((last - second) / (second - first).max(1.0)).max(1.0);
        let (mut steps, mut more, mut hubs) = (last, last - second, hubs as f64);
        while hubs < sites {
            growth = 1.0 + DAMPING * (growth - 1.0);
            more *= growth;
            // The last doubling is only a part of one.
            steps += more * ((sites - hubs) / hubs).min(1.0);
            hubs *= 2.0;
        }
        steps
    }
}
