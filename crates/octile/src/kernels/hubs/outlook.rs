//! Estimates the steps to label a large map from small pieces of it.
//!
//! On a large map a single search takes a second, and dozens of searches run before the first hub. So pieces of two
//! sizes are labelled instead: the steps per site grow with the side of the piece, by a similar factor for each
//! doubling. Measured factors: 1.2 in mazes with corridors of one cell, 1.6 to 1.9 in rooms of 8 cells, 1.7 to 2.7
//! among random obstacles; the largest maps had the largest factors.

use super::limits::{Limits, Unsuited};
use crate::geometry::Cell;
use crate::grid::Grid;

/// Maps with fewer sites need no estimate: their labelling soon shows what it takes.
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
    /// Whether the labels of a map are likely to stay within the budget; `label` labels a piece of the map.
    pub(crate) fn check_outlook(
        &self,
        grid: &Grid,
        sites: usize,
        label: &dyn Fn(&Grid) -> Result<Piece, Unsuited>,
    ) -> Result<(), Unsuited> {
        label_steps(grid, sites, label).map_or(Ok(()), |estimate| self.check_forecast(estimate))
    }
}
