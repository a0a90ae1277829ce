//! Chooses the planner that searches where a stale index cannot answer.

use std::sync::Arc;

use crate::algo::astar::Astar;
use crate::algo::corner_sweep::CornerSweep;
use crate::algo::taut_sight::TautSight;
use crate::grid::Movement;
use crate::planner::{BuildError, Planner};
use crate::services::Stale;

/// Makes a planner take edits: if it does not take them itself, it now [goes stale](crate::planner::OnEdit::GoesStale).
pub(crate) fn lasting(planner: Box<dyn Planner>) -> Box<dyn Planner> {
    if has_fixed_index(&*planner) { Box::new(Stale::new(planner.into(), follower)) } else { planner }
}

/// As [`lasting`], for a shared planner.
pub(crate) fn lasting_shared(planner: Arc<dyn Planner>) -> Arc<dyn Planner> {
    if has_fixed_index(&*planner) { Arc::new(Stale::new(planner, follower)) } else { planner }
}

fn has_fixed_index(planner: &dyn Planner) -> bool {
    planner.index().is_some_and(|index| index.is_fixed)
}

/// A planner for the same map that follows edits, with the same guarantee.
fn follower(planner: &dyn Planner) -> Result<Box<dyn Planner>, BuildError> {
    let grid = planner.grid();
    match planner.squeeze() {
        Some(squeeze) => TautSight::default().squeeze(squeeze).ends(planner.ends()).planner(grid),
        None if grid.movement() == Movement::Octile => CornerSweep::default().planner(grid),
        None => Astar::default().planner(grid),
    }
}
