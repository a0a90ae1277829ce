//! Limits the cost of building an index, and explains why a map gets none.
//!
//! The cost of a build is counted, never timed: a map is rejected on all machines or on none. The total cost is
//! estimated from what was counted so far, so that an unsuitable map is rejected after about a second and not when the
//! budget is spent.

use std::sync::atomic::AtomicBool;

use crate::grid::Grid;
use crate::planner::{Budget, Build, BuildError, OverBudget, is_set};

/// The maximum number of cells of a map, padding included.
const MAX_CELLS: usize = 1 << 26;

/// The maximum average number of links per corner with which contraction pays off.
pub(crate) const MAX_LINKS_PER_CORNER: f64 = 24.0;

/// The maximum number of links in the labels of all sites.
pub(crate) const MAX_LABEL_LINKS: usize = 1 << 25;

/// The maximum size in bytes of the records and lists of all cells, before duplicates are merged.
pub(crate) const MAX_RECORD_BYTES: u64 = 1 << 30;

/// The shape of a map, judged from some cells and sites, which are subgoals or corners of obstacles.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Shape {
    /// All cells, padding included.
    pub(crate) cells: u64,
    pub(crate) free_cells: u64,
    pub(crate) sites: u64,
    /// The average number of other sites that a site is linked to.
    pub(crate) links_per_site: f64,
    /// The average number of sites that a cell is connected to.
    pub(crate) links_per_cell: f64,
}

/// The limits of a build.
#[derive(Clone, Debug)]
pub(crate) struct Limits<'a> {
    pub(crate) budget: Budget,
    /// Cancels the build, whatever its cost.
    cancel: Option<&'a AtomicBool>,
    /// Whether the index is built for a file: then errors do not suggest building a file.
    is_for_file: bool,
    /// The known shape of the map.
    pub(crate) shape: Shape,
}

impl<'a> Limits<'a> {
    pub(crate) fn new(budget: Budget, is_for_file: bool) -> Self {
        Self { budget, cancel: None, is_for_file, shape: Shape::default() }
    }

    /// The limits of a build.
    pub(crate) fn of(build: &Build<'a>, is_for_file: bool) -> Self {
        Self { cancel: build.cancel(), ..Self::new(build.budget(), is_for_file) }
    }

    /// Whether a map with `sites` sites can have an index at all, if at most `most` sites can be told apart. If so,
    /// stores the shape of the map.
    pub(crate) fn check_map(&mut self, grid: &Grid, sites: usize, most: usize) -> Result<(), Unsuited> {
        if grid.padded_cells() > MAX_CELLS {
            return Err(Unsuited::Cells { width: grid.width(), height: grid.height() });
        }
        if sites > most {
            return Err(Unsuited::Corners { found: sites, most });
        }
        self.shape = Shape { cells: grid.padded_cells() as u64, sites: sites as u64, ..Shape::default() };
        Ok(())
    }

    /// Whether a build with this many steps and bytes may continue.
    pub(crate) fn check(&self, steps: u64, bytes: u64) -> Result<(), Unsuited> {
        if is_set(self.cancel) {
            return Err(Unsuited::Cancelled);
        }
        let (corners, is_slow) = (self.shape.sites as usize, !self.is_for_file);
        self.budget.check(steps, bytes).map_err(|over| Unsuited::Budget { over, corners, is_slow })
    }
}

/// Why a map gets no index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Unsuited {
    /// The map is too large.
    #[error("{width} x {height} cells are too many: the limit is {MAX_CELLS}")]
    Cells {
        /// Cells in a row.
        width: u32,
        /// Rows.
        height: u32,
    },
    /// There are too many corners of obstacles.
    #[error("it has {found} corners of obstacles; the limit is {most}")]
    Corners {
        /// The number of corners.
        found: usize,
        /// The maximum number.
        most: usize,
    },
    /// Corners of obstacles see too many others.
    #[error("its corners of obstacles see {links} others on average, more than {MAX_LINKS_PER_CORNER}: it is too open")]
    Dense {
        /// The average number of others that a corner sees.
        links: usize,
    },
    /// Paths are too long for the costs in the index.
    #[error("its paths may be longer than {most} cells")]
    Long {
        /// The path length that is certain to be possible.
        most: u32,
    },
    /// The build exceeds its budget, or is going to.
    #[error("{}its {corners} corners of obstacles take {over}{}", opening(*.is_slow), end(*.is_slow))]
    Budget {
        /// The cost that exceeds the budget.
        over: OverBudget,
        /// The number of corners of obstacles.
        corners: usize,
        /// Whether a build for a file, which may take longer, could do it.
        is_slow: bool,
    },
    /// Labels are too long.
    #[error("with {hubs} of {corners} hubs its labels have {links} links; the limit is {MAX_LABEL_LINKS}")]
    Labels {
        /// The number of finished hubs.
        hubs: usize,
        /// The number of all hubs.
        corners: usize,
        /// The number of links of all labels.
        links: usize,
    },
    /// There are too many records.
    #[error("its cells see so many corners of obstacles that their records take more than {MAX_RECORD_BYTES} bytes")]
    Records,
    /// The build was [cancelled](crate::Build::cancelled_by): the error is [`BuildError::Cancelled`].
    #[error("the build was cancelled")]
    Cancelled,
}

/// The beginning of a reason that applies where an index takes long "for this map (...)".
fn opening(is_slow: bool) -> &'static str {
    if is_slow { "this map (" } else { "" }
}

fn end(is_slow: bool) -> &'static str {
    if is_slow { ")" } else { "" }
}

impl Unsuited {
    /// Converts this into the error of a build for a planner whose index kind has its name.
    pub(crate) fn into_error(self, planner: &'static str) -> BuildError {
        match self {
            Self::Cancelled => BuildError::Cancelled,
            Self::Budget { is_slow: true, .. } => BuildError::takes_long(planner, planner, self),
            _ => BuildError::unsuited(planner, self),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_build_ends_with_the_reason() {
        let over = Budget::AT_ONCE.steps(8).check(9, 0).unwrap_err();
        for fault in [
            Unsuited::Cells { width: 9000, height: 8000 },
            Unsuited::Corners { found: 1 << 25, most: 1 << 24 },
            Unsuited::Dense { links: 58 },
            Unsuited::Long { most: 9 },
            Unsuited::Budget { over, corners: 3, is_slow: false },
            Unsuited::Labels { hubs: 1, corners: 9, links: 30 },
            Unsuited::Records,
        ] {
            let error = fault.into_error("hub-labels");
            let message = error.to_string();
            assert!(message.starts_with("this map does not suit") && !message.contains('\n'), "{message}");
            let BuildError::Unsuited { reason, .. } = error else { panic!("{message}") };
            assert_eq!(reason.downcast_ref(), Some(&fault));
        }
        let slow = Unsuited::Budget { over, corners: 3, is_slow: true }.into_error("hub-labels").to_string();
        assert_eq!(
            slow,
            "the index of planner `hub-labels` takes long to build for this map (its 3 corners of obstacles take at \
             least 9 steps, over the limit of 8)"
        );
        assert!(matches!(Unsuited::Cancelled.into_error("hub-labels"), BuildError::Cancelled));
    }
}
