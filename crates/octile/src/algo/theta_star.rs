//! Theta\* and Lazy Theta\*: searches over the corners of cells whose paths go in any direction; and plain A\* on
//! corners.
//!
//! - **Guarantee**: any-angle: never longer than the cheapest path along corners by moves to the eight nearest ones, up
//!   to a relative error of 10^-9; complete under its [squeeze rule](Squeeze). **Preprocessing**: none; follows edits.
//! - **Complexity**: time O(n log n + n l) for n corners and lines of sight of l cells, if few corners are re-expanded,
//!   as is usual; scratch O(n).
//! - **References**: Nash, Daniel, Koenig & Felner, "Theta\*: Any-Angle Path Planning on Grids", 2007; Daniel, Nash,
//!   Koenig & Felner, "Theta\*: Any-Angle Path Planning on Grids", 2010; Nash, Koenig & Tovey, "Lazy Theta\*: Any-Angle
//!   Path Planning and Path Length Analysis in 3D", 2010.
//!
//! # The algorithm
//! A\* over corners, where a corner's parent need not be its neighbour. When corner `s` is expanded, each neighbour `t`
//! is offered the straight line from the *parent* of `s` if that is free, else the move from `s`. Theta\* checks the
//! line at once. Lazy Theta\* assumes that it is free and checks when `t` itself is expanded: fewer checks, more
//! corners on the open list. If every corner's parent is the one before, this is A\*.
//!
//! # Why paths are never longer than those along corners
//! Let `d(s)` be the cost of the cheapest way to `s` by moves between neighbouring corners, and `h` an estimate that is
//! never above the cost of such a way to the goal: the Euclidean distance, the octile distance and zero all qualify.
//! (The octile distance may exceed the length of a straight line, so with it longer lines may be found first; the proof
//! does not depend on this.)
//! 1. When `s` is expanded with cost `g(s)`, its neighbour `t` ends up with `g(t) <= g(s) + c(s, t)`: the line from the
//!    parent `p` is no longer than the detour over `s`, since `g(s) >= g(p) + c(p, s)`.
//! 2. A corner that becomes cheaper is opened again, expanded or not. So once the search ends, (1) holds for the final
//!    costs of every `s` that was not left on the open list.
//! 3. Follow the cheapest way to the goal. As long as corners were expanded, `g <= d` by (1). If all were, `g(goal) <=
//!    d(goal)`. Otherwise the first that was not is open with `g(s) <= d(s)`, and the search left it there because
//!    `g(goal) <= g(s) + h(s) <= d(s) + h(s) <= d(goal)`.
//!
//! The lazy rule needs care with (1), because assumed costs may rise. In this implementation only the costs of corners
//! that were never expanded can rise. If the line of such a corner is not free, the corner gets the best cost over all
//! neighbours whose own cost is confirmed, among them every expanded one, so (1) holds again; and the goal counts only
//! once its line is known to be free.
//!
//! # Deviations
//! 1. Corners are reopened when they become cheaper, as the proof requires. The papers' searches expand each corner
//!    once; their paths are up to 0.2 % longer on average, and take 3 to 15 % less time (PAPERS.md).
//! 2. Lines are checked only where they would be an improvement. The result is the same.
//! 3. In the lazy search, a corner whose cost rises goes back to the open list instead of being expanded out of turn;
//!    for a corner whose cost is already confirmed, a better line is checked at once.
//! 4. Open-list keys are truncated to 32 bits, so the search continues until nothing shorter can follow. Of equal keys,
//!    the one with the larger g comes first.
//! 5. A line-of-sight check examines whole lines of bits
//!    ([`sight::corners_visible`](crate::grid::sight::corners_visible)).
//!
//! # Example
//! ```
//! use octile::{Engine, Grid, ThetaStar};
//! use octile::geometry::Corner;
//! let grid: Grid = ".....\n.@@@.\n.....".parse()?;
//! let path = Engine::new(ThetaStar::default(), &grid)?.find((0, 0), (4, 2))?.expect("they are connected");
//! assert_eq!(path.corners()?, [Corner::new(0, 0), Corner::new(4, 1), Corner::new(4, 2)]);
//! assert_eq!(path.length(), 17.0_f64.sqrt() + 1.0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use crate::grid::Squeeze;
use crate::kernels::corner_search::{CornerSearch, Parents};
use crate::kernels::heuristic::Heuristic;
use crate::planner::{About, Build, BuildError, Config, Facts, Guarantee, IndexEffort, Native, Planner, config};

/// The help text of the key `heuristic`. Octile distances may exceed the length of lines: corners are then expanded out
/// of order and often repeatedly, which takes about 2.5 times as long (`tests/it/movingai.rs`, every 1000th problem).
const HEURISTIC_HELP: &str = "what the search believes the rest of a path to cost; default euclidean";

config! {
    /// Theta\*.
    #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
    #[cfg_attr(feature = "serde", serde(default, rename_all = "kebab-case", deny_unknown_fields))]
    pub struct ThetaStar {
        /// The heuristic: the estimated cost of the rest of a path; [euclidean](Heuristic::Euclidean) if `None`.
        heuristic: Option<Heuristic> ["heuristic": HEURISTIC_HELP],
        /// Whether paths may pass between obstacles that touch at a corner.
        squeeze: Squeeze,
    }
}

config! {
    /// Lazy Theta\*.
    #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
    #[cfg_attr(feature = "serde", serde(default, rename_all = "kebab-case", deny_unknown_fields))]
    pub struct LazyThetaStar {
        /// The heuristic: the estimated cost of the rest of a path; [euclidean](Heuristic::Euclidean) if `None`.
        heuristic: Option<Heuristic> ["heuristic": HEURISTIC_HELP],
        /// Whether paths may pass between obstacles that touch at a corner.
        squeeze: Squeeze,
    }
}

static THETA_STAR: About = About {
    name: "theta-star",
    summary: "any-angle paths over corners: parents are the farthest corners in sight",
    paper: "Nash et al. 2007, Daniel et al. 2010",
    index: IndexEffort::None,
    variants: &[
        "theta-star:squeeze=forbidden",
        "theta-star:heuristic=zero",
        "theta-star:heuristic=octile",
        "theta-star:smooth=greedy",
        "theta-star:ends=centres",
        "theta-star:ends=centres,squeeze=forbidden",
    ],
};

static LAZY_THETA_STAR: About = About {
    name: "lazy-theta-star",
    summary: "Theta* that looks along a line only when it expands its end",
    paper: "Nash, Koenig & Tovey 2010",
    index: IndexEffort::None,
    variants: &[
        "lazy-theta-star:squeeze=forbidden",
        "lazy-theta-star:heuristic=zero",
        "lazy-theta-star:heuristic=octile,squeeze=forbidden",
    ],
};

/// The two differ in their names and in when lines are checked.
macro_rules! any_angle {
    ($config:ident, $about:ident, $parents:expr) => {
        impl Config for $config {
            fn about(&self) -> &'static About {
                &$about
            }

            fn facts(&self) -> Facts {
                Facts::any_angle($about.name, Guarantee::AnyAngle, self.squeeze).native(&[Native::Slices])
            }

            fn set_squeeze(&mut self, squeeze: Squeeze) {
                self.squeeze = squeeze;
            }

            fn build(&self, build: &Build<'_>) -> Result<Box<dyn Planner>, BuildError> {
                let heuristic = self.heuristic.unwrap_or(Heuristic::Euclidean);
                Ok(Box::new(CornerSearch::new(self, build, $parents, heuristic, self.squeeze)?))
            }
        }
    };
}

any_angle!(ThetaStar, THETA_STAR, Parents::Visible);
any_angle!(LazyThetaStar, LAZY_THETA_STAR, Parents::Lazy);
