//! Dijkstra's algorithm as a planner: a search in all directions, without a heuristic.
//! [`distances`](crate::services::distances) computes the distances from one cell to all others.
//!
//! - **Guarantee**: grid-optimal; complete. **Preprocessing**: none; follows edits. [Pruners](crate::algo::pruners)
//!   take some milliseconds; edits disable the parts they touch.
//! - **Complexity**: time O(n log n), scratch O(n), for n cells.
//! - **Reference**: Dijkstra, "A note on two problems in connexion with graphs", 1959.
//! - **Deviations**: none. (Tests compare with another, naive implementation in `octile-testkit`.)
//!
//! # Example
//! ```
//! use octile::{Dijkstra, Engine, Grid, GridCost};
//! let grid: Grid = "...\n.@.\n..@".parse()?;
//! let path = Engine::new(Dijkstra::default(), &grid)?.find((0, 0), (2, 1))?.expect("they are connected");
//! assert_eq!(path.cost(), GridCost::new(3, 0));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use super::astar::{AstarPlanner, OpenList};
use crate::algo::blocked_areas::Lookup;
use crate::algo::pruners::keys::{ALL_PRUNERS, AREAS, GATES, GATES_HELP, LOOKUP_HELP, PRUNE_HELP};
use crate::algo::pruners::{GateUse, Prune, Pruners};
use crate::grid::Movement;
use crate::kernels::estimate::Estimate;
use crate::planner::{About, Build, BuildError, Config, Facts, IndexEffort, Native, Planner, config};

config! {
    /// Dijkstra's algorithm as a planner.
    #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
    #[cfg_attr(feature = "serde", serde(default, rename_all = "kebab-case", deny_unknown_fields))]
    pub struct Dijkstra {
        /// How to prune the search.
        prune: Pruners ["prune": PRUNE_HELP, takes ALL_PRUNERS],
        /// How to find a cell's blocked area.
        lookup: Option<Lookup> ["lookup": LOOKUP_HELP, needs AREAS],
        /// When to use gates.
        gates: Option<GateUse> ["gates": GATES_HELP, needs GATES],
    }
}

static ABOUT: About = About {
    name: "dijkstra",
    summary: "search without a heuristic, in all directions",
    paper: "Dijkstra 1959",
    index: IndexEffort::None,
    variants: &["dijkstra:prune=blocked-areas+gates,gates=always"],
};

impl Dijkstra {
    fn pruning(&self) -> Prune {
        Prune::new(self.prune, self.lookup, self.gates)
    }
}

impl Config for Dijkstra {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn facts(&self) -> Facts {
        Facts::optimal(ABOUT.name, &Movement::ALL)
            .takes_terrain(self.prune == Pruners::None)
            .native(&[Native::ManyGoals, Native::Slices])
            .indexes(self.pruning().index_kinds())
    }

    fn build(&self, build: &Build<'_>) -> Result<Box<dyn Planner>, BuildError> {
        Ok(Box::new(AstarPlanner::new(self, build, self.pruning(), Estimate::Zero, OpenList::Heap)?))
    }
}
