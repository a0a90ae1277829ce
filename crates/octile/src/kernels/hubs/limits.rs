//! How much a build may take. What it takes is counted, never timed: a map is refused everywhere or nowhere.
//!
//! **Told early.** What a build will take is forecast from what it has taken, so that a map that does not suit is
//! refused after about a second and not when all is spent.
//! - *Before anything is built*: searches from [`TREES`] sites see all of them, and labels take at least
//!   [`LEAST_LABELS`] times that.
//! - *Large maps*: pieces of them tell (`outlook.rs`).
//! - *Labels*: each hub costs less than the one before, and the steps for twice as many hubs grow by a factor that
//!   falls towards 1: on the maps that were measured (games, rooms, mazes, random obstacles) its part above 1 shrinks
//!   by a quarter or more each time, until at last the steps become fewer. So the forecast is right to a factor of
//!   about 2, and one that is [`SURE`] times the budget is believed.
//! - *Records of cells*: a few blocks of them tell what all take, before the others are made.

use std::sync::atomic::AtomicBool;

use super::search::VISIT;
use crate::grid::Grid;
use crate::planner::{Budget, Build, BuildError, OverBudget, is_set};

/// The most cells of a map, padding included.
const MAX_CELLS: usize = 1 << 26;

/// The most links in the labels of all sites.
const MAX_LABEL_LINKS: usize = 1 << 25;

/// The most bytes in the records and lists of all cells, before those are found that are the same.
const MAX_RECORD_BYTES: u64 = 1 << 30;

/// Searches that come before the first hub.
pub(super) const TREES: u64 = 32;

/// How many times as many steps as these searches labels take at least.
const LEAST_LABELS: u64 = 8;

/// What a site, a cell, a link of the graph and one of a label take while an index is built.
const SITE_BYTES: u64 = 700;
const CELL_BYTES: u64 = 24;
const GRAPH_LINK_BYTES: u64 = 8;
const LABEL_LINK_BYTES: u64 = 44;
const RECORD_BYTES: u64 = 2;

/// Steps of records of cells are short: so many are one of a budget.
pub(super) const CELL_STEPS: u64 = 3;

/// From this share of the budget on, and from so many hubs on, labels are forecast.
const FORECAST_SHARE: u64 = 20;
const FORECAST_HUBS: usize = 8;

/// How much of the growth above 1 is left for each doubling of the hubs.
const DAMPING: f64 = 0.75;

/// How many times the budget a forecast must be.
const SURE: f64 = 1.5;

/// What a build meets.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Shape {
    /// All cells, padding included.
    pub(crate) cells: u64,
    pub(crate) free_cells: u64,
    pub(crate) sites: u64,
    /// How many others a site is linked to, on average.
    pub(crate) links_per_site: f64,
    /// How many sites a cell is connected to, on average.
    pub(crate) links_per_cell: f64,
}

/// What a build may take, and how it goes.
#[derive(Clone, Debug)]
pub(crate) struct Limits<'a> {
    budget: Budget,
    /// What ends it, whatever it takes.
    cancel: Option<&'a AtomicBool>,
    /// Whether the index is built to be kept: then nobody is told to do that.
    is_for_file: bool,
    /// What was found by a few samples.
    shape: Shape,
    /// Steps of labels when the number of hubs had doubled: the last three times.
    doublings: [u64; 3],
}

impl<'a> Limits<'a> {
    pub(crate) fn new(budget: Budget, is_for_file: bool) -> Self {
        Self { budget, cancel: None, is_for_file, shape: Shape::default(), doublings: [0; 3] }
    }

    /// Those of a build.
    pub(crate) fn of(build: &Build<'a>, is_for_file: bool) -> Self {
        Self { cancel: build.cancel(), ..Self::new(build.budget(), is_for_file) }
    }

    /// Whether a map of this shape can have labels, as far as a glance tells.
    pub(crate) fn check_shape(&mut self, shape: Shape) -> Result<(), Unsuited> {
        self.shape = shape;
        let links = (shape.sites as f64 * shape.links_per_site) as u64;
        let steps = LEAST_LABELS * TREES * (links + VISIT * shape.sites);
        self.check(steps, self.fixed_bytes() + links * GRAPH_LINK_BYTES)
    }

    /// Whether a graph may have so many links.
    pub(crate) fn check_graph(&self, links: usize) -> Result<(), Unsuited> {
        self.check(0, self.fixed_bytes() + links as u64 * GRAPH_LINK_BYTES)
    }

    /// Whether labels may go on that took so many steps and have so many links, with so many hubs.
    pub(crate) fn check_labels(&mut self, steps: u64, links: usize, hubs: usize) -> Result<(), Unsuited> {
        self.check(steps, self.fixed_bytes() + links as u64 * LABEL_LINK_BYTES)?;
        if links > MAX_LABEL_LINKS {
            return Err(Unsuited::Labels { hubs, corners: self.shape.sites as usize, links });
        }
        if hubs.is_power_of_two() {
            self.doublings = [self.doublings[1], self.doublings[2], steps];
            if hubs >= FORECAST_HUBS && steps > self.budget.steps / FORECAST_SHARE {
                return self.check_forecast(self.label_steps(hubs) + self.cell_steps(links as u64));
            }
        }
        Ok(())
    }

    /// Whether a build may go on that is likely to take so many steps.
    pub(crate) fn check_forecast(&self, steps: f64) -> Result<(), Unsuited> {
        if steps > SURE * self.budget.steps as f64 { self.check(steps as u64, 0) } else { Ok(()) }
    }

    /// The steps of all labels, forecast when there are so many hubs.
    fn label_steps(&self, hubs: usize) -> f64 {
        let [first, second, last] = self.doublings.map(|steps| steps as f64);
        let mut growth = ((last - second) / (second - first).max(1.0)).max(1.0);
        let (mut steps, mut more, mut hubs) = (last, last - second, hubs as f64);
        while hubs < self.shape.sites as f64 {
            growth = 1.0 + DAMPING * (growth - 1.0);
            more *= growth;
            // The last doubling is a part of one.
            steps += more * ((self.shape.sites as f64 - hubs) / hubs).min(1.0);
            hubs *= 2.0;
        }
        steps
    }

    /// The steps of the records of cells at least, if labels have so many links.
    fn cell_steps(&self, links: u64) -> f64 {
        let links_per_label = links as f64 / self.shape.sites.max(1) as f64;
        self.shape.free_cells as f64 * self.shape.links_per_cell * links_per_label / CELL_STEPS as f64
    }

    /// Whether the records of cells may take so many steps, and have so many bytes, beside labels of so many links.
    pub(crate) fn check_cells(&self, steps: u64, bytes: u64, links: u64) -> Result<(), Unsuited> {
        let all = self.fixed_bytes() + links * LABEL_LINK_BYTES + bytes * RECORD_BYTES;
        self.check(steps / CELL_STEPS, all)?;
        if bytes > MAX_RECORD_BYTES { Err(Unsuited::Records) } else { Ok(()) }
    }

    fn fixed_bytes(&self) -> u64 {
        self.shape.cells * CELL_BYTES + self.shape.sites * SITE_BYTES
    }

    /// Whether a build may go on that takes so many steps and bytes.
    pub(crate) fn check(&self, steps: u64, bytes: u64) -> Result<(), Unsuited> {
        if is_set(self.cancel) {
            return Err(Unsuited::Cancelled);
        }
        let (corners, is_slow) = (self.shape.sites as usize, !self.is_for_file);
        self.budget.check(steps, bytes).map_err(|over| Unsuited::Budget { over, corners, is_slow })
    }
}

/// Whether a map can have labels at all whose sites are so many, of which so many can be told apart.
pub(crate) fn check_map(grid: &Grid, sites: usize, most: usize) -> Result<(), Unsuited> {
    if grid.padded_cells() > MAX_CELLS {
        return Err(Unsuited::Cells { width: grid.width(), height: grid.height() });
    }
    if sites > most {
        return Err(Unsuited::Corners { found: sites, most });
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
    /// There are too many corners of obstacles.
    #[error("it has {found} corners of obstacles, at most {most} can be told apart")]
    Corners {
        /// How many there are.
        found: usize,
        /// How many there may be.
        most: usize,
    },
    /// Paths are too long for the costs in labels.
    #[error("its paths are longer than {most} cells")]
    Long {
        /// How long they may be for certain.
        most: u32,
    },
    /// It takes more than it may, or is going to.
    #[error("{}its {corners} corners of obstacles take {over}{}", opening(*.is_slow), end(*.is_slow))]
    Budget {
        /// What it takes.
        over: OverBudget,
        /// How many corners of obstacles there are.
        corners: usize,
        /// Whether a build for a file, which may take longer, could do it.
        is_slow: bool,
    },
    /// Labels are too long.
    #[error("with {hubs} of {corners} hubs its labels have {links} links, at most {MAX_LABEL_LINKS} can be numbered")]
    Labels {
        /// Hubs that were done.
        hubs: usize,
        /// All of them.
        corners: usize,
        /// Links of all labels.
        links: usize,
    },
    /// The build was [cancelled](crate::Build::cancelled_by): [`BuildError::Cancelled`] tells it.
    #[error("the build was cancelled")]
    Cancelled,
    /// Records are too many.
    #[error("its cells see so many corners of obstacles that their records take more than {MAX_RECORD_BYTES} bytes")]
    Records,
}

/// How a reason begins where an index takes long "for this map (...)".
fn opening(is_slow: bool) -> &'static str {
    if is_slow { "this map (" } else { "" }
}

fn end(is_slow: bool) -> &'static str {
    if is_slow { ")" } else { "" }
}

impl Unsuited {
    /// As the error of a build for a planner, whose index is of a kind with its name.
    pub(crate) fn into_error(self, planner: &'static str) -> BuildError {
        match self {
            Self::Cancelled => BuildError::Cancelled,
            Self::Budget { is_slow: true, .. } => BuildError::takes_long(planner, planner, self),
            _ => BuildError::unsuited(planner, self),
        }
    }
}
