//! What the labels of a large map will take, by the look of small pieces of it.
//!
//! On a large map a single search takes a second, and there are dozens before the first hub. So pieces of two sizes are
//! labelled instead: the steps for each site grow with the side of the piece, by much the same factor for each
//! doubling: on the maps that were measured 1.2 in mazes of one cell, 1.6 to 1.9 in rooms of 8 cells, 1.7 to 2.7 among
//! random obstacles, most in the largest.

use super::limits::{Limits, Unsuited};
use crate::geometry::Cell;
use crate::grid::Grid;

/// Maps with fewer sites are labelled at once: that tells soon enough.
const LARGE: usize = 100_000;

/// The sides of the pieces.
const SIDES: [u32; 2] = [48, 96];

/// How many pieces of each size there are.
const PIECES: u32 = 4;

/// What labels of a piece took: steps, and how many sites it has.
pub(crate) struct Piece {
    pub(crate) steps: u64,
    pub(crate) sites: usize,
}

/// The steps that labels of a map with so many sites are likely to take, where `label` labels a piece; `None` if it is
/// not large, or its pieces tell nothing.
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

/// The steps for each site in pieces of that side, on average.
fn steps_per_site(grid: &Grid, side: u32, label: &dyn Fn(&Grid) -> Result<Piece, Unsuited>) -> Option<f64> {
    let (mut steps, mut sites) = (0, 0);
    for piece in 0..PIECES {
        // Along the diagonal of the map, at equal distances.
        let place = |length: u32| (length - side) / (PIECES + 1) * (piece + 1);
        let (x, y) = (place(grid.width()), place(grid.height()));
        let piece = Grid::from_fn(side, side, |cell| grid.is_free(Cell::new(x + cell.x, y + cell.y))).ok()?;
        let labelled = label(&piece).ok()?;
        steps += labelled.steps;
        sites += labelled.sites;
    }
    (sites > 0).then(|| steps as f64 / sites as f64)
}

impl Limits<'_> {
    /// Whether labels of a map with so many sites are likely to come to an end, where `label` labels a piece of it.
    pub(crate) fn check_outlook(
        &self,
        grid: &Grid,
        sites: usize,
        label: &dyn Fn(&Grid) -> Result<Piece, Unsuited>,
    ) -> Result<(), Unsuited> {
        label_steps(grid, sites, label).map_or(Ok(()), |forecast| self.check_forecast(forecast))
    }
}
