//! How much a build may take. What it takes is counted, never timed: a map is refused everywhere or nowhere.

use super::cost::MAX_SUBGOALS;
use super::{ABOUT, KIND};
use crate::grid::Grid;
use crate::search::BuildError;

/// The most cells of a map, padding included: a build keeps about 24 bytes of each.
const MAX_CELLS: usize = 1 << 26;

/// The most links between subgoals that reach one another directly.
const MAX_GRAPH_LINKS: usize = 1 << 26;

/// The most links in the labels of all subgoals.
const MAX_LABEL_LINKS: usize = 1 << 25;

/// The most numbers of 16 bits in the records and lists of all cells, before those are found that are the same.
const MAX_RECORD_NUMBERS: u64 = 1 << 29;

/// Labels that have not one in so many hubs at a glance take long: those of 512 x 512 cells with random obstacles have one in 3000.
const SLOWEST: usize = 1000;

/// The most steps of a build.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    /// The most links between subgoals that reach one another directly.
    pub(super) graph_links: usize,
    /// For labels: some 100 million take a second.
    pub(super) labels: u64,
    /// So many are taken before it is judged by the hubs found until then whether labels will come to an end.
    pub(super) glance: u64,
    /// For the records of cells: some 300 million take a second.
    pub(super) cells: u64,
    /// Whether the index is built once and kept in a file.
    pub(super) is_for_file: bool,
}

impl Limits {
    /// For an index that is kept in a file.
    pub(super) const FOR_FILE: Self = Self {
        graph_links: MAX_GRAPH_LINKS,
        labels: 40_000_000_000,
        glance: u64::MAX,
        cells: 40_000_000_000,
        is_for_file: true,
    };

    /// For a planner that is made without a file.
    pub(super) const AT_ONCE: Self =
        Self { labels: 1_000_000_000, cells: 3_000_000_000, is_for_file: false, ..Self::FOR_FILE };

    /// For a planner that is tried beside others.
    pub(super) const BRIEF: Self =
        Self { graph_links: 1 << 21, labels: 320_000_000, glance: 120_000_000, cells: 450_000_000, is_for_file: false };

    /// Whether labels may go on that took so many steps and have so many links, with `hubs` of all `subgoals`.
    pub(super) fn check_labels(&self, steps: u64, links: usize, hubs: usize, subgoals: usize) -> Result<(), Unsuited> {
        let is_hopeless = steps > self.glance && hubs * SLOWEST < subgoals;
        if steps <= self.labels && links <= MAX_LABEL_LINKS && !is_hopeless {
            return Ok(());
        }
        let steps = if is_hopeless { self.glance } else { self.labels };
        Err(Unsuited::Labels { hubs, subgoals, links, steps, is_slow: !self.is_for_file })
    }

    /// Whether a graph of the subgoals may have so many links.
    pub(super) fn check_graph(&self, links: usize, subgoals: usize) -> Result<(), Unsuited> {
        if links <= self.graph_links {
            return Ok(());
        }
        let is_slow = self.graph_links < MAX_GRAPH_LINKS;
        Err(Unsuited::Graph { links: self.graph_links, subgoals, is_slow })
    }

    /// Whether the records of cells may take so many steps, and have so many numbers.
    pub(super) fn check_cells(&self, steps: u64, numbers: u64) -> Result<(), Unsuited> {
        if steps <= self.cells && numbers <= MAX_RECORD_NUMBERS {
            return Ok(());
        }
        Err(self.records())
    }

    /// That the records of cells are too large.
    pub(super) fn records(&self) -> Unsuited {
        Unsuited::Records { steps: self.cells, is_slow: !self.is_for_file }
    }
}

/// Whether a map can have labels at all, as far as a glance tells.
pub(super) fn check_map(grid: &Grid, subgoals: usize) -> Result<(), Unsuited> {
    if grid.padded_cells() > MAX_CELLS {
        return Err(Unsuited::Cells { width: grid.width(), height: grid.height() });
    }
    if subgoals > MAX_SUBGOALS {
        return Err(Unsuited::Subgoals { found: subgoals });
    }
    Ok(())
}

/// Why a map gets no labels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Unsuited {
    /// The map is too large.
    #[error("{width} x {height} cells are too many, at most {MAX_CELLS} can be done")]
    Cells {
        /// Cells in a row.
        width: u32,
        /// Rows.
        height: u32,
    },
    /// There are too many subgoals.
    #[error("it has {found} corners of obstacles, at most {MAX_SUBGOALS} can be told apart")]
    Subgoals {
        /// How many there are.
        found: usize,
    },
    /// Subgoals reach too many others directly.
    #[error("{}more than {links} pairs of its {subgoals} corners of obstacles see each other{}", opening(*.is_slow), end(*.is_slow))]
    Graph {
        /// How many pairs there may be.
        links: usize,
        /// How many subgoals there are.
        subgoals: usize,
        /// Whether a build that may take longer could do it.
        is_slow: bool,
    },
    /// Paths are too long for the costs in labels.
    #[error("its paths are longer than 300,000 moves")]
    Long,
    /// Labels are too long, or take too long.
    #[error("{}with {hubs} of {subgoals} hubs its labels have {links} links (at most {MAX_LABEL_LINKS}) and take {steps} steps or more{}", opening(*.is_slow), end(*.is_slow))]
    Labels {
        /// Hubs that were done.
        hubs: usize,
        /// All of them.
        subgoals: usize,
        /// Links of all labels.
        links: usize,
        /// Steps that were taken.
        steps: u64,
        /// Whether a build that may take longer could do it.
        is_slow: bool,
    },
    /// Records are too many, or take too long.
    #[error("{}its cells see so many corners of obstacles that their records take more than {steps} steps, or {} bytes{}", opening(*.is_slow), 2 * MAX_RECORD_NUMBERS, end(*.is_slow))]
    Records {
        /// Steps that were taken.
        steps: u64,
        /// Whether a build that may take longer could do it.
        is_slow: bool,
    },
}

/// How a reason begins where an index takes long "for this map (...)".
fn opening(is_slow: bool) -> &'static str {
    if is_slow { "this map (" } else { "" }
}

fn end(is_slow: bool) -> &'static str {
    if is_slow { ")" } else { "" }
}

impl Unsuited {
    /// As the error of a build.
    pub(super) fn into_error(self) -> BuildError {
        let is_slow = matches!(
            self,
            Self::Graph { is_slow: true, .. }
                | Self::Labels { is_slow: true, .. }
                | Self::Records { is_slow: true, .. }
        );
        if is_slow { BuildError::takes_long(ABOUT.name, KIND, self) } else { BuildError::unsuited(KIND, self) }
    }
}
