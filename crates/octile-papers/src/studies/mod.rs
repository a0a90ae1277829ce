//! The studies, one folder each: every planner together, then one for each paper.

pub(crate) mod block_astar;
pub(crate) mod blocked_areas;
pub(crate) mod cpd;
pub(crate) mod planners;
pub(crate) mod rea_star;
