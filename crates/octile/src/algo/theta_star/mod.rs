//! Theta\* and Lazy Theta\*: searches over the corners of cells whose paths go in any direction; and plain A\* on corners.
//!
//! - **Guarantee**: any-angle: never longer than the cheapest way along corners by moves to the eight nearest ones, to a part
//!   in 10^9; complete under its [squeeze rule](Squeeze). **Preprocessing**: none; follows edits.
//! - **Complexity**: time O(n log n + n l) for n corners and lines of sight of l cells, as long as corners are not expanded
//!   again, which is rare; scratch O(n).
//! - **References**: Nash, Daniel, Koenig & Felner, "Theta\*: Any-Angle Path Planning on Grids", 2007; Daniel, Nash, Koenig &
//!   Felner, "Theta\*: Any-Angle Path Planning on Grids", 2010; Nash, Koenig & Tovey, "Lazy Theta\*: Any-Angle Path Planning
//!   and Path Length Analysis in 3D", 2010.
//!
//! # The algorithm
//! A\* over corners, where a corner's parent need not be its neighbour. When corner `s` is expanded, each neighbour `t` is offered
//! the straight line from the *parent* of `s`, if that is free, else the move from `s`. Theta\* looks at the line at once. Lazy
//! Theta\* takes it for granted and looks when `t` comes to be expanded itself: fewer looks, more corners on the open list. If
//! every corner's parent is the one before, this is A\*.
//!
//! # Why paths are never longer than those along corners
//! Let `d(s)` be the cost of the cheapest way to `s` by moves between neighbouring corners, and `h` an estimate that is never
//! above the cost of such a way to the goal: the Euclidean distance, the octile distance and zero all are. (The octile distance may be
//! above the length of a straight line, so with it longer lines may be found first; the proof does not mind.)
//! 1. When `s` is expanded with cost `g(s)`, its neighbour `t` ends up with `g(t) <= g(s) + c(s, t)`: the line from the parent
//!    `p` is no longer than the detour over `s`, since `g(s) >= g(p) + c(p, s)`.
//! 2. A corner that gets cheaper is opened again, expanded or not. So once the search ends, (1) holds for the final costs of every
//!    `s` that was not left on the open list.
//! 3. Go along the cheapest way to the goal. As long as corners were expanded, `g <= d` by (1). If all were, `g(goal) <=
//!    d(goal)`. Else the first that was not is open with `g(s) <= d(s)`, and the search left it there because `g(goal) <= g(s) +
//!    h(s) <= d(s) + h(s) <= d(goal)`.
//!
//! The lazy rule needs care with (1), as costs that are taken for granted may rise. Ours does so only for corners that were never
//! expanded. Such a corner whose line is not free gets the best cost over all neighbours whose own cost is true, among them every
//! expanded one, so (1) holds again; and the goal counts only once its line is known to be free.
//!
//! # Deviations
//! 1. Corners are opened again when they get cheaper, which the proof needs. The papers' searches expand each once; theirs are
//!    up to 0.2 % longer on average, and take 3 to 15 % less time (PAPERS.md).
//! 2. Lines are looked at only where they would be an improvement. What is found is the same.
//! 3. A corner of the lazy search whose cost rises goes back to the open list instead of being expanded out of turn; one whose
//!    cost is true already looks at a better line at once.
//! 4. Open-list keys are cut off to 32 bits, so the search goes on until nothing shorter can come. Of equal keys the one with the
//!    larger g comes first.
//! 5. A line of sight is a look at whole lines of bits ([`sight::corners_visible`](crate::grid::sight::corners_visible)).
//!
//! # Example
//! ```
//! use octile::{Cell, Corner, Grid, Path, Planner, Query, algo::theta_star::ThetaStar};
//! let grid: Grid = ".....\n.@@@.\n.....".parse()?;
//! let planner = ThetaStar::new(&grid)?;
//! let mut path = Path::new();
//! planner.plan(&mut planner.create_scratch(), Query::new(Cell::new(0, 0), Cell::new(4, 2)), &mut path)?;
//! assert_eq!(path.corners(), [Corner::new(0, 0), Corner::new(4, 1), Corner::new(4, 2)]);
//! assert_eq!(path.length(), 17.0_f64.sqrt() + 1.0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod search;

use self::search::Search;
pub use self::search::ThetaScratch;
use super::{Entry, HEURISTIC_KEY, Heuristic, IndexEffort, Key};
use crate::error::{BuildError, EditError, SpecError};
use crate::grid::Movement;
use crate::grid::corners::CornerMap;
use crate::grid::sight::Squeeze;
use crate::planner::{Guarantee, Planner, Query};
use crate::probe::Probe;
use crate::spec::Options;
use crate::{Cell, Edits, Finder, Grid, Path};

/// The estimate of the planners of this module. Octile distances may be above the length of lines: corners are then expanded out
/// of turn and often again, which takes about 2.5 times as long (`tests/movingai.rs`, every 1000th problem).
const THETA_HEURISTIC_KEY: Key =
    Key { help: "what the search believes the rest of a path to cost; euclidean unless told", ..HEURISTIC_KEY };

/// The line of [`ThetaStar`] in the table.
pub(super) const ENTRY: Entry = Entry {
    name: "theta-star",
    summary: "any-angle paths over corners: parents are the farthest corners in sight",
    guarantee: |_| Guarantee::AnyAngle,
    index: IndexEffort::None,
    movements: |_| &[Movement::Octile],
    keys: &[THETA_HEURISTIC_KEY],
    paper: "Nash et al. 2007, Daniel et al. 2010",
    variants: &[
        "theta-star:squeeze=forbidden",
        "theta-star:heuristic=zero",
        "theta-star:heuristic=octile",
        "theta-star:smooth=greedy",
    ],
    check: |options| Config::from_options(options, Parents::Visible).map(drop),
    indexes: |_| Vec::new(),
    build: |grid, options| build(grid, options, Parents::Visible),
};

/// The line of the lazy variant in the table.
pub(super) const LAZY_ENTRY: Entry = Entry {
    name: "lazy-theta-star",
    summary: "Theta* that looks along a line only when it expands its end",
    paper: "Nash, Koenig & Tovey 2010",
    variants: &[
        "lazy-theta-star:squeeze=forbidden",
        "lazy-theta-star:heuristic=zero",
        "lazy-theta-star:heuristic=octile,squeeze=forbidden",
    ],
    check: |options| Config::from_options(options, Parents::Lazy).map(drop),
    build: |grid, options| build(grid, options, Parents::Lazy),
    ..ENTRY
};

fn build(grid: &Grid, options: &Options, parents: Parents) -> Result<Finder, BuildError> {
    Ok(Finder::from_planner(ThetaStar::with_config(grid, Config::from_options(options, parents)?)?))
}

/// Which corners a path comes from in a straight line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Parents {
    /// Any that is in sight: Theta\*.
    #[default]
    Visible,
    /// The same, found out as late as possible: Lazy Theta\*.
    Lazy,
    /// The corner before: A\*.
    Neighbours,
}

/// How [`ThetaStar`] searches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Config {
    /// Which corners a path comes from.
    pub parents: Parents,
    /// What the search believes the rest of a path to cost.
    pub heuristic: Heuristic,
    /// Whether paths may pass between obstacles that touch at a corner.
    pub squeeze: Squeeze,
}

impl Default for Config {
    fn default() -> Self {
        Self { parents: Parents::default(), heuristic: Heuristic::Euclidean, squeeze: Squeeze::default() }
    }
}

impl Config {
    pub(super) fn from_options(options: &Options, parents: Parents) -> Result<Self, SpecError> {
        let usual = if parents == Parents::Neighbours { Heuristic::Octile } else { Heuristic::Euclidean };
        Ok(Self {
            parents,
            heuristic: Heuristic::from_options(options)?.unwrap_or(usual),
            squeeze: options.squeeze()?.unwrap_or_default(),
        })
    }
}

/// Theta\*, or by its [configuration](Config) Lazy Theta\* or A\*, on the corners of cells.
#[derive(Clone, Debug)]
pub struct ThetaStar {
    map: CornerMap,
    config: Config,
}

impl ThetaStar {
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
        BuildError::check_movement(name(config.parents), grid, &[Movement::Octile])?;
        Ok(Self { map: CornerMap::new(grid, config.squeeze), config })
    }
}

/// The name of a variant in the table.
fn name(parents: Parents) -> &'static str {
    match parents {
        Parents::Visible => ENTRY.name,
        Parents::Lazy => LAZY_ENTRY.name,
        Parents::Neighbours => super::astar::ENTRY.name,
    }
}

impl Planner for ThetaStar {
    type Scratch = ThetaScratch;

    fn name(&self) -> &'static str {
        name(self.config.parents)
    }

    fn guarantee(&self) -> Guarantee {
        Guarantee::AnyAngle
    }

    fn grid(&self) -> &Grid {
        self.map.grid()
    }

    fn squeeze(&self) -> Option<Squeeze> {
        Some(self.map.squeeze())
    }

    fn may_connect(&self, start: Cell, goal: Cell) -> bool {
        self.map.may_connect(start, goal)
    }

    fn create_scratch(&self) -> ThetaScratch {
        ThetaScratch::new(self.grid())
    }

    fn accepts(&self, scratch: &ThetaScratch) -> bool {
        scratch.fits(self.grid())
    }

    fn search<P: Probe + ?Sized>(
        &self,
        scratch: &mut ThetaScratch,
        query: Query,
        out: &mut Path,
        probe: &mut P,
    ) -> bool {
        let mut search = Search::new(&self.map, self.config.heuristic, scratch, query, probe);
        match self.config.parents {
            Parents::Visible => search.run::<true, false>(out),
            Parents::Lazy => search.run::<true, true>(out),
            Parents::Neighbours => search.run::<false, false>(out),
        }
    }

    fn apply(&mut self, edits: &Edits) -> Result<(), EditError> {
        self.map.apply(edits)
    }
}
