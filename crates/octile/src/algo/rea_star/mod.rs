//! Rectangle expansion A\* (REA\*): a search over free rectangles, with paths straighter than grid-optimal ones.
//!
//! - **Guarantee**: grid-optimal; complete. **Preprocessing**: none; follows edits. With
//!   [gates](crate::prune::gates) some milliseconds, repeated when the map changes.
//! - **Complexity**: time O(n log n) for n cells in the worst case, in practice by the number of rectangles and the length of
//!   their walls; scratch O(n).
//! - **Reference**: Zhang, Li & Bi, "Rectangle expansion A\* pathfinding for grid maps", 2016.
//!
//! # The algorithm
//! A search node is an interval of free cells with a direction. Expanding it grows a rectangle ahead of it until an obstacle
//! stops one of its rows. The costs of the rectangle's wall cells follow from those of the interval, its entrance
//! (`walls.rs`). Each wall is then pushed outward by one line: every free stretch of that line, an opening, in which some
//! cell gets cheaper becomes a new node. Cells inside rectangles are never touched.
//!
//! The answer is found when the goal lies in a rectangle being expanded, or in an opening at no more than the f of the node
//! being expanded. Between its jump points the path lies in free rectangles, so the straight lines between them
//! ([`Path::jump_points`](crate::Path::jump_points)) are free and shorter than the grid path.
//!
//! # Enhancements of the paper, as keys of the spec
//! - **6.1** `rescan=shorten` keeps of a node only the cells it made cheaper, and again only those it still owns when it is
//!   expanded; `rescan=stop` also stops rectangles at walls that were pushed the other way; `rescan=allow` does neither.
//! - **6.2** `origin=cross` opens two rectangles around the start, one grown first along its column, one along its row;
//!   `swap=on` searches from the goal if its rectangle is larger.
//! - **6.3** `semi-closed=skip` drops openings behind which there are only dead ends.
//!
//! The defaults are the measured best (PAPERS.md): `shorten`, `rectangle`, `off`, `skip`.
//!
//! # Deviations
//! 1. The end cell of an opening, behind which there may be an obstacle, gets its cost along the opening. The paper's text
//!    leaves it without one and loses paths (`testdata/cases/rea_star.txt`).
//! 2. If the goal lies in the node being expanded, its cost is the least of any entrance cell's cost and the distance from
//!    there; the paper's Table 4 takes the goal's own cost, which may be too high.
//! 3. Wall cells are evaluated only beside openings, and only those that this rectangle made cheaper speak for it: the
//!    owner of any other goes on from there itself. For this, entrance costs are first smoothed along the entrance.
//! 4. Front walls consider entrance cells no farther to the side than the wall is ahead, found by a sliding minimum.
//! 5. Semi-closed areas are looked for ahead of openings, before a node is made, not in expanded rectangles.
//! 6. Cells store their cost and owner, no parent: the path is found backwards from those, and hops are joined where the
//!    rectangle around both is free and the grid cost stays the same.
//! 7. Costs are exact integers; among equally good nodes the latest comes first, among equally good parents the farthest to
//!    the side, which makes straighter paths.
//!
//! # Example
//! ```
//! use octile::{Cell, Grid, Octile, Path, Planner, Query, algo::rea_star::ReaStar};
//! let grid: Grid = "......\n......\n.@@@@.\n......".parse()?;
//! let planner = ReaStar::new(&grid)?;
//! let mut path = Path::new();
//! planner.plan(&mut planner.create_scratch(), Query::new(Cell::new(1, 3), Cell::new(3, 0)), &mut path)?;
//! assert_eq!(path.cost(), Octile::new(5, 1));
//! assert!(path.straight_length() < path.length());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod frame;
mod search;
mod trace;
mod walls;

use self::frame::{Frame, Rect, STRAIGHT, start_rects};
use self::search::{Memory, ReaMemories, Search};
use super::widths::Widths;
use super::{Entry, IndexEffort, Key};
use crate::error::{BuildError, EditError, SpecError};
use crate::grid::Movement;
use crate::planner::{Guarantee, OnEdit, Planner, Query};
use crate::probe::Probe;
use crate::prune::{GATES_USE_KEY, GateUse, PRUNE_GATES_KEY, Prune, Terrain};
use crate::spec::Options;
use crate::units::{Narrow, Units};
use crate::{Edits, Finder, Grid, Path};

/// The line of [`ReaStar`] in the table.
pub(super) const ENTRY: Entry = Entry {
    name: "rea-star",
    summary: "searches over free rectangles; paths straighter than grid-optimal",
    guarantee: |_| Guarantee::GridOptimal,
    index: IndexEffort::None,
    movements: |_| &[Movement::Octile],
    keys: &[
        Key {
            name: "rescan",
            takes: "allow, shorten or stop",
            help: "whether nodes keep only what they made cheaper, and rectangles stop at old walls (6.1); shorten unless told",
        },
        Key {
            name: "origin",
            takes: "rectangle or cross",
            help: "what the start expands to (6.2); rectangle unless told",
        },
        Key {
            name: "swap",
            takes: "on or off",
            help: "whether to search from the goal if its rectangle is larger (6.2); off unless told",
        },
        Key { name: "semi-closed", takes: "skip or search", help: "what to do with dead ends (6.3); skip unless told" },
        PRUNE_GATES_KEY,
        GATES_USE_KEY,
    ],
    paper: "Zhang, Li & Bi 2016",
    variants: &[
        "rea-star:rescan=allow,origin=rectangle,swap=off,semi-closed=search",
        "rea-star:rescan=shorten,origin=cross,swap=on,semi-closed=search",
        "rea-star:rescan=stop,origin=cross,swap=off,semi-closed=skip",
        "rea-star:prune=gates",
        "rea-star:prune=gates,gates=always",
        "rea-star:rescan=allow,swap=on,semi-closed=search,prune=gates,gates=always",
    ],
    check: |options| Config::from_options(options).map(drop),
    indexes: |options| Prune::gates_from_options(options).unwrap_or_default().index_kinds(),
    build: |grid, options| {
        let config = Config::from_options(options)?;
        let terrain = Terrain::from_options(grid, config.prune(), GATES_PAY_BELOW, options)?;
        Ok(Finder::from_planner(ReaStar { terrain, config }))
    },
};

/// What to do about cells that rectangles would scan again (6.1).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Rescan {
    /// Nothing: nodes are whole openings.
    Allow,
    /// Search nodes keep only the cells that they made cheaper and still own.
    #[default]
    Shorten,
    /// That, and rectangles stop at walls that were pushed the other way.
    Stop,
}

/// How [`ReaStar`] searches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Config {
    /// Whether to scan cells again.
    pub rescan: Rescan,
    /// The start opens a cross of two rectangles (6.2).
    pub cross: bool,
    /// Search from the goal if its rectangle is larger (6.2).
    pub swap: bool,
    /// Skip semi-closed areas (6.3).
    pub semi_closed: bool,
    /// Look behind no [gate](crate::prune::gates).
    pub gates: Option<GateUse>,
}

impl Default for Config {
    fn default() -> Self {
        Self { rescan: Rescan::default(), cross: false, swap: false, semi_closed: true, gates: None }
    }
}

impl Config {
    fn from_options(options: &Options) -> Result<Self, SpecError> {
        let default = Self::default();
        let rescan = |value: &str| match value {
            "allow" => Some(Rescan::Allow),
            "shorten" => Some(Rescan::Shorten),
            "stop" => Some(Rescan::Stop),
            _ => None,
        };
        let either = |yes: &'static str, no: &'static str| {
            move |value: &str| if value == yes { Some(true) } else { (value == no).then_some(false) }
        };
        Ok(Self {
            rescan: options.value("rescan", rescan)?.unwrap_or(default.rescan),
            cross: options.value("origin", either("cross", "rectangle"))?.unwrap_or(default.cross),
            swap: options.value("swap", either("on", "off"))?.unwrap_or(default.swap),
            semi_closed: options.value("semi-closed", either("skip", "search"))?.unwrap_or(default.semi_closed),
            gates: Prune::gates_from_options(options)?.gates,
        })
    }

    fn prune(self) -> Prune {
        Prune { areas: None, gates: self.gates }
    }

    fn stops(self) -> bool {
        self.rescan == Rescan::Stop
    }

    /// Whether nodes keep only what they made cheaper.
    fn shortens(self) -> bool {
        self.rescan != Rescan::Allow
    }
}

/// Rectangle expansion A\*.
#[derive(Clone, Debug)]
pub struct ReaStar {
    terrain: Terrain,
    config: Config,
}

/// Gates pay unless a query needs more than this share of the map.
const GATES_PAY_BELOW: f64 = 0.59;

impl ReaStar {
    /// A planner for `grid` with the default configuration.
    ///
    /// # Errors
    /// If the grid's movement rule is not [`Movement::Octile`].
    pub fn new(grid: &Grid) -> Result<Self, BuildError> {
        Self::with_config(grid, Config::default())
    }

    /// A planner for `grid`.
    ///
    /// # Errors
    /// If the grid's movement rule is not [`Movement::Octile`].
    pub fn with_config(grid: &Grid, config: Config) -> Result<Self, BuildError> {
        BuildError::check_movement(ENTRY.name, grid, &[Movement::Octile])?;
        Ok(Self { terrain: Terrain::new(grid, config.prune(), GATES_PAY_BELOW), config })
    }
}

/// Working memory of [`ReaStar`].
#[derive(Debug)]
pub struct ReaScratch {
    widths: Widths<ReaMemories>,
    width: u32,
    height: u32,
}

impl Planner for ReaStar {
    type Scratch = ReaScratch;

    fn name(&self) -> &'static str {
        ENTRY.name
    }

    fn guarantee(&self) -> Guarantee {
        Guarantee::GridOptimal
    }

    fn grid(&self) -> &Grid {
        &self.terrain.grid
    }

    fn create_scratch(&self) -> ReaScratch {
        let (width, height) = (self.grid().width(), self.grid().height());
        ReaScratch { widths: Widths::new(Memory::new(self.grid(), self.config.stops())), width, height }
    }

    fn accepts(&self, scratch: &ReaScratch) -> bool {
        (scratch.width, scratch.height) == (self.grid().width(), self.grid().height())
    }

    fn search<P: Probe + ?Sized>(&self, scratch: &mut ReaScratch, query: Query, out: &mut Path, probe: &mut P) -> bool {
        let (grid, config) = (self.grid(), self.config);
        let (mut start, mut goal) = (query.start, query.goal);
        if config.swap {
            let area = |cell| start_rects(grid, cell, config.cross).iter().flatten().map(Rect::area).max();
            if area(goal) > area(start) {
                (start, goal) = (goal, start);
            }
        }
        let frames = STRAIGHT.map(|dir| Frame::new(grid, dir));
        let gates = self.terrain.gates(query);
        let mut search = Search { grid, gates, frames: &frames, config, query, start, goal, out, probe };
        // Infinity is 7/8 of the largest number; a wall, the step beyond and the estimate add at most three sides.
        let side = u64::from(grid.width().max(grid.height()));
        let farthest = 3 * side * u64::from(Narrow::DIAGONAL) + u64::from(u32::MAX) / 8 + 1;
        scratch.widths.run(farthest, &mut search)
    }

    fn on_edit(&self) -> OnEdit {
        self.terrain.on_edit()
    }

    fn apply(&mut self, edits: &Edits) -> Result<(), EditError> {
        self.terrain.apply(edits)
    }

    fn index_bytes(&self) -> usize {
        self.terrain.pruning.size_bytes()
    }
}
