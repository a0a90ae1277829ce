//! Which planner searches where an index that has gone stale is of no use.

use std::sync::Arc;

use crate::algo::astar::Astar;
use crate::algo::corner_sweep::CornerSweep;
use crate::algo::taut_sight::TautSight;
use crate::grid::Movement;
use crate::planner::{BuildError, Planner};
use crate::services::Stale;

/// The same planner, which takes edits by [going stale](crate::planner::OnEdit::GoesStale) if it does not take them
/// itself.
pub(crate) fn lasting(planner: Box<dyn Planner>) -> Box<dyn Planner> {
    if has_fixed_index(&*planner) { Box::new(Stale::new(planner.into(), follower)) } else { planner }
}

/// As [`lasting`], for one that others hold too.
pub(crate) fn lasting_shared(planner: Arc<dyn Planner>) -> Arc<dyn Planner> {
    if has_fixed_index(&*planner) { Arc::new(Stale::new(planner, follower)) } else { planner }
}

fn has_fixed_index(planner: &dyn Planner) -> bool {
    planner.index().is_some_and(|index| index.is_fixed)
}

/// A planner for the same map that promises as much, and follows edits.
fn follower(planner: &dyn Planner) -> Result<Box<dyn Planner>, BuildError> {
    let grid = planner.grid();
    match planner.squeeze() {
        Some(squeeze) => TautSight::default().squeeze(squeeze).ends(planner.ends()).planner(grid),
        None if grid.movement() == Movement::Octile => CornerSweep::default().planner(grid),
        None => Astar::default().planner(grid),
    }
}
