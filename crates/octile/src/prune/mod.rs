//! Pruners.
pub mod blocked_areas;
