//! Rectangle expansion A\* (REA\*): a search over free rectangles, with paths straighter than grid-optimal ones.
//!
//! - **Guarantee**: grid-optimal; complete. **Preprocessing**: none; follows edits. With [gates](crate::kernels::gates)
//!   a few milliseconds; gates that edits touch are no longer used.
//! - **Complexity**: time O(n log n) for n cells in the worst case; in practice it depends on the number of openings
//!   and the lines between them, 57 cells at a time. Scratch O(n).
//! - **Reference**: Zhang, Li & Bi, "Rectangle expansion A\* pathfinding for grid maps", 2016.
//!
//! # The algorithm
//! The paper expands intervals of cells: it grows a rectangle ahead of one, computes the costs of all cells of its
//! walls, pushes these walls outward by a line, and makes a node of every free run, an *opening*, in which some cell
//! got cheaper. These costs are the lower envelope of the distances from a few cells. So `fronts=roots`, the default,
//! stores costs at these cells only: **ours, not the paper's.**
//!
//! A *canonical* path consists of legs that go diagonally first and then straight, and that turn only at *roots*: cells
//! beside which an obstacle ends, seen in the direction of the straight move that led there. A search node is a root,
//! its cost, and the quadrants that open there, each between the straight direction and a side on which an obstacle
//! ends. An opening is the free run that begins at its root, so a node need not store more of it. Each quadrant of a
//! root is expanded by rows and columns of bits (`roots/sweep.rs`):
//!
//! 1. **A square** is grown at the root, row by row, as long as the next row is free for more cells than the square
//!    has.
//! 2. **Its walls advance** (the paper's 6.3, made the main loop). The columns of the square are lanes, one bit each.
//!    With each line, lanes that meet an obstacle end. Where a cell is free that was blocked one line before, an
//!    obstacle has ended: the lane beside it has a root there, and ends too, as the root's quadrants contain the rest
//!    of it. Where the diagonal continues beyond the square, its lane is added, after the line was examined. The same
//!    is done with the rows, by columns of bits. Inside the square, only its outer lines have an obstacle beside them.
//! 3. After 55 lanes the process starts again at the end of the diagonal. A few remaining lanes are scanned one by one,
//!    57 cells at a time.
//! 4. **The goal** is tested when a node is popped from the open list: if the root sees the goal along one leg, its f
//!    is the answer.
//! 5. **Chains**: an expansion that finds a single root expands that root next, without the open list, unless it sees
//!    the goal.
//!
//! The path goes from root to root. If straight lines are needed ([`ReaStarPlanner::plan_straight`], or a probe), its
//! legs are cut into hops that each lie in one free rectangle (`roots/trace.rs`): the paper's protected straight lines.
//!
//! `roots/mod.rs` proves that the search is optimal. Gates keep all shortest paths, so roots behind them are dropped.
//!
//! # As in the paper: `fronts=cells`
//! Costs on every wall cell, with the paper's enhancements as keys of the spec:
//!
//! - **6.1** `rescan=whole-stop` stops rectangles at walls that were pushed in the opposite direction; `rescan=cut`
//!   cuts nodes to the cells that they made cheaper; `rescan=cut-stop` does both, and `rescan=allow` neither.
//!   `rescan=shorten` and `rescan=stop`, ours, are as `cut` and `cut-stop`, but when a node is expanded, it also loses
//!   the cells that others have made cheaper since.
//! - **6.2** `origin=cross` opens two rectangles around the start, one grown first along its column, one along its row;
//!   `swap=on` searches from the goal if its rectangle is larger.
//! - **6.3** `semi-closed=expand` detects a semi-closed area when a node is expanded, without limits of width and
//!   depth, and pushes only its two sides outward; `semi-closed=skip`, ours, drops openings behind which there are only
//!   dead ends, before they become nodes; `semi-closed=search` does neither.
//!
//! Their defaults are the measured best (PAPERS.md): `shorten`, `rectangle`, `off`, `skip`. The paper's algorithm
//! without its section 6 is `fronts=cells,rescan=allow,semi-closed=search`. The search departs from the paper in these
//! points:
//!
//! 1. The end cell of an opening, behind which there may be an obstacle, gets its cost along the opening. The paper's
//!    text leaves it without one and loses paths (`testdata/cases/rea_star.txt`).
//! 2. If the goal lies in the node being expanded, its cost is the minimum, over all entrance cells, of the cell's cost
//!    plus the distance to the goal; the paper's Table 4 takes the goal's own cost, which may be too high.
//! 3. With `shorten` and `stop`, wall cells are evaluated only beside openings, and a rectangle continues only from
//!    cells that it made cheaper: the owner of any other cell continues from there itself. For this, entrance costs are
//!    first smoothed along the entrance, and side walls do not extend behind it. The other rectangles have the paper's
//!    walls (Definition 2) and continue from all their cells.
//! 4. Front walls consider only entrance cells whose offset to the side is at most the distance ahead; a sliding
//!    minimum finds the best.
//! 5. Rectangles stop at wall cells also if these belong to a node: the paper stops only at others. A semi-closed area
//!    counts as one only if no diagonal that crosses it would cut a corner.
//! 6. Cells store their cost and owner, but no parent: the path is found backwards from those, and hops are joined
//!    where the rectangle around both is free and the grid cost stays the same.
//! 7. Costs are exact integers; among equally good nodes the latest comes first, among equally good parents the one
//!    farthest to the side, which makes straighter paths.
//!
//! # Example
//! ```
//! use octile::algo::rea_star::{JumpPoints, ReaStarPlanner};
//! use octile::{Grid, GridCost, Path, Planner, PathQuery, ReaStar};
//! let grid: Grid = "......\n......\n.@@@@.\n......".parse()?;
//! let planner = ReaStarPlanner::new(&grid, &ReaStar::default())?;
//! let (mut scratch, mut path, mut jumps) = (planner.create_scratch(), Path::new(), JumpPoints::default());
//! planner.plan_straight(&mut scratch, PathQuery::new((1, 3), (3, 0)), &mut path, &mut jumps)?;
//! assert_eq!(path.cost(), GridCost::new(5, 1));
//! assert!(jumps.length() < path.length());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod hops;
mod jump_points;
mod paper;
mod roots;

pub use self::jump_points::{JumpFault, JumpPoints};
use crate::algo::pruners::keys::{GATES, GATES_HELP, ONLY_GATES, PRUNE_HELP};
use crate::algo::pruners::{GateUse, Prune, Pruned, Pruners};
use crate::geometry::Cell;
use crate::geometry::units::Narrow;
use crate::grid::{Edits, Grid, Movement};
use crate::kernels::widths::Widths;
use crate::path::{Path, PathFault};
use crate::planner::{
    About, Build, BuildError, Config, EditError, Facts, IndexEffort, PathQuery, Planner, PlannerId, Probe, QueryError,
    Refusal, Requirement, Scratch, SizeBytes, config, names,
};

config! {
    /// Rectangle expansion A\*.
    #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
    #[cfg_attr(feature = "serde", serde(default, rename_all = "kebab-case", deny_unknown_fields))]
    pub struct ReaStar {
        /// What a search node is.
        fronts: Fronts ["fronts":
            "whether a front has costs at its roots only, or on every cell as in the paper; default roots"],
        /// Whether to scan cells again (6.1); [`Rescan::Shorten`] if left out. For [`Fronts::Cells`].
        rescan: Option<Rescan> ["rescan":
            "whether nodes keep only what they made cheaper, and rectangles stop at old walls (6.1); default shorten",
            needs CELLS],
        /// What the start expands to (6.2); [`Origin::Rectangle`] if left out. For [`Fronts::Cells`].
        origin: Option<Origin> ["origin": "what the start expands to (6.2); default rectangle", needs CELLS],
        /// Whether to search from the goal if its rectangle is larger (6.2); `false` if left out. For
        /// [`Fronts::Cells`].
        swap: Option<bool> ["swap":
            "whether to search from the goal if its rectangle is larger (6.2); default off", needs CELLS],
        /// What to do with dead ends (6.3); [`SemiClosed::Skip`] if left out. For [`Fronts::Cells`].
        semi_closed: Option<SemiClosed> ["semi-closed": "what to do with dead ends (6.3); default skip", needs CELLS],
        /// What to prune: [gates](Pruners::Gates) or nothing.
        prune: Pruners ["prune": PRUNE_HELP, takes ONLY_GATES],
        /// When to use gates.
        gates: Option<GateUse> ["gates": GATES_HELP, needs GATES],
    }
}

/// The search nodes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Fronts {
    /// A root, where an opening begins, and the quadrants that open there: only roots have costs.
    #[default]
    Roots,
    /// An interval of cells, each with its cost, as in the paper.
    Cells,
}

/// How to treat cells that rectangles would scan again (6.1).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Rescan {
    /// Scan them again: nodes are whole openings.
    Allow,
    /// Search nodes keep only the cells that they made cheaper and still own.
    #[default]
    Shorten,
    /// As `Shorten`; also, rectangles stop at walls that were pushed in the opposite direction.
    Stop,
    /// Nodes are whole openings, and rectangles stop at walls that were pushed in the opposite direction.
    WholeStop,
    /// Nodes are cut to the cells that they made cheaper, as in the paper; rectangles continue from all wall cells.
    Cut,
    /// As `Cut`; also, rectangles stop at walls that were pushed in the opposite direction.
    CutStop,
}

/// What the start expands to (6.2).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Origin {
    /// One rectangle around it.
    #[default]
    Rectangle,
    /// A cross of two rectangles.
    Cross,
}

/// How to treat semi-closed areas, behind which there are only dead ends (6.3).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum SemiClosed {
    /// Skip them, before they become nodes.
    #[default]
    Skip,
    /// Search them like others.
    Search,
    /// Detect them when a node is expanded, as in the paper, and push only their sides outward.
    Expand,
}

/// The requirement of keys for the search in the paper.
const CELLS: Requirement = Requirement::value("fronts", "cells", "it is for the search with costs on every cell");

names! {
    Fronts { Roots = "roots", Cells = "cells" }
    Rescan { Allow = "allow", Shorten = "shorten", Stop = "stop", WholeStop = "whole-stop", Cut = "cut", CutStop = "cut-stop" }
    Origin { Rectangle = "rectangle", Cross = "cross" }
    SemiClosed { Skip = "skip", Search = "search", Expand = "expand" }
}

static ABOUT: About = About {
    name: "rea-star",
    summary: "searches over free rectangles; paths straighter than grid-optimal",
    paper: "Zhang, Li & Bi 2016",
    index: IndexEffort::None,
    variants: &[
        "rea-star:prune=gates",
        "rea-star:prune=gates,gates=always",
        "rea-star:fronts=cells",
        "rea-star:fronts=cells,rescan=allow,origin=rectangle,swap=off,semi-closed=search",
        "rea-star:fronts=cells,rescan=shorten,origin=cross,swap=on,semi-closed=search",
        "rea-star:fronts=cells,rescan=stop,origin=cross,swap=off,semi-closed=skip",
        "rea-star:fronts=cells,rescan=whole-stop,origin=rectangle,swap=off,semi-closed=expand",
        "rea-star:fronts=cells,rescan=cut-stop,origin=cross,swap=on,semi-closed=expand",
        "rea-star:fronts=cells,prune=gates",
        "rea-star:fronts=cells,rescan=allow,swap=on,semi-closed=search,prune=gates,gates=always",
    ],
};

impl ReaStar {
    fn pruning(&self) -> Prune {
        Prune::new(self.prune, None, self.gates)
    }
}

impl Config for ReaStar {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn check(&self) -> Result<(), Refusal> {
        self.pruning().check_gates_only()
    }

    fn facts(&self) -> Facts {
        Facts::optimal(ABOUT.name, &[Movement::Octile]).indexes(self.pruning().index_kinds())
    }

    fn build(&self, build: &Build<'_>) -> Result<Box<dyn Planner>, BuildError> {
        Ok(Box::new(ReaStarPlanner::new(build, self)?))
    }
}

/// Gates pay off if a query needs less than this fraction of the map, on average.
const GATES_PAY_BELOW: f64 = 0.59;

/// Rectangle expansion A\* on a map.
#[derive(Clone, Debug)]
pub struct ReaStarPlanner {
    id: PlannerId,
    facts: Facts,
    map: Pruned,
    config: ReaStar,
}

impl ReaStarPlanner {
    /// Creates the planner for a map, or from a [`Build`] with its indexes.
    ///
    /// # Errors
    /// If the grid's movement rule is not [`Movement::Octile`], or an index file cannot be used.
    pub fn new<'a>(build: impl Into<Build<'a>>, config: &ReaStar) -> Result<Self, BuildError> {
        let build = build.into();
        BuildError::check(config, &build)?;
        let map = Pruned::new(&build, config.pruning(), GATES_PAY_BELOW)?;
        Ok(Self { id: PlannerId::new(), facts: config.facts(), map, config: config.clone() })
    }

    /// As [`Planner::find_path`]; also overwrites `jumps` with the points between which the path can go straight.
    ///
    /// ```
    /// use octile::algo::rea_star::{JumpPoints, ReaStarPlanner};
    /// use octile::{Grid, Path, Planner, PathQuery, ReaStar};
    /// let planner = ReaStarPlanner::new(&Grid::open(9, 9)?, &ReaStar::default())?;
    /// let (mut scratch, mut path, mut jumps) = (planner.create_scratch(), Path::new(), JumpPoints::default());
    /// assert!(planner.plan_straight(&mut scratch, PathQuery::new((0, 0), (8, 6)), &mut path, &mut jumps)?);
    /// assert_eq!((path.cost().to_string().as_str(), jumps.length()), ("2+6√2", 10.0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`Planner::find_path`].
    pub fn plan_straight(
        &self,
        scratch: &mut Scratch,
        query: PathQuery,
        out: &mut Path,
        jumps: &mut JumpPoints,
    ) -> Result<bool, QueryError> {
        if scratch.is_for(self) {
            scratch.get::<ReaScratch>().legs.clear();
        }
        let found = self.find_path(scratch, query, out, None)?;
        let legs = &scratch.get::<ReaScratch>().legs;
        match self.config.fronts {
            _ if found && query.start == query.goal => jumps.set(&[query.start]),
            Fronts::Roots => jumps.cut(self.grid(), legs),
            Fronts::Cells => jumps.set(legs),
        }
        Ok(found)
    }

    fn run(&self, scratch: &mut ReaScratch, query: PathQuery, out: &mut Path, probe: Option<&mut dyn Probe>) -> bool {
        scratch.legs.clear();
        match (&mut scratch.widths, self.map.gates(query), probe) {
            (FrontWidths::Cells(widths), gates, probe) => {
                let (grid, config, jumps) = (self.grid(), &self.config, &mut scratch.legs);
                widths.run_plain(&mut paper::Asked { grid, gates, config, query, out, jumps, probe })
            }
            (FrontWidths::Roots(widths), gates, probe) => {
                let (grid, legs) = (self.grid(), &mut scratch.legs);
                widths.run_plain(&mut roots::Asked { grid, gates, query, out, legs, probe })
            }
        }
    }
}

/// Scratch memory of [`ReaStarPlanner`].
#[derive(Debug)]
struct ReaScratch {
    widths: FrontWidths,
    /// The ends of the legs of the last path; empty if it was not written. With costs on every cell, each leg lies in a
    /// free rectangle.
    legs: Vec<Cell>,
}

/// Scratch memory of one of the two searches.
#[derive(Debug)]
enum FrontWidths {
    Roots(Widths<roots::Memory<Narrow>>),
    Cells(Widths<paper::Memory<Narrow>>),
}

impl SizeBytes for ReaScratch {
    fn size_bytes(&self) -> usize {
        let widths = match &self.widths {
            FrontWidths::Roots(widths) => widths.size_bytes(),
            FrontWidths::Cells(widths) => widths.size_bytes(),
        };
        widths + self.legs.size_bytes()
    }
}

impl Planner for ReaStarPlanner {
    fn facts(&self) -> &Facts {
        &self.facts
    }

    fn grid(&self) -> &Grid {
        &self.map.grid
    }

    fn id(&self) -> PlannerId {
        self.id
    }

    fn create_scratch(&self) -> Scratch {
        let widths = match self.config.fronts {
            Fronts::Roots => FrontWidths::Roots(roots::widths(self.grid())),
            Fronts::Cells => FrontWidths::Cells(paper::widths(self.grid(), &self.config)),
        };
        Scratch::new(self.id, ReaScratch { widths, legs: Vec::new() })
    }

    fn search(
        &self,
        scratch: &mut Scratch,
        query: PathQuery,
        out: &mut Path,
        probe: Option<&mut dyn Probe>,
    ) -> Result<bool, PathFault> {
        Ok(self.run(scratch.get(), query, out, probe))
    }

    fn is_stale(&self) -> bool {
        self.map.is_stale()
    }

    fn apply(&mut self, edits: &Edits) -> Result<(), EditError> {
        self.map.apply(edits)?;
        Ok(())
    }

    fn index_bytes(&self) -> usize {
        self.map.pruning.size_bytes()
    }
}
