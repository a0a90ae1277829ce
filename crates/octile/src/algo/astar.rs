//! A\* search over the cells of the grid, and its weighted variant.
//!
//! - **Guarantee**: [`Astar`] grid-optimal; [`WeightedAstar`] at most `weight` times the optimum, both in exact
//!   arithmetic; complete. **Preprocessing**: none; follows edits. With [pruners](crate::algo::pruners) some
//!   milliseconds; what edits touch of them is not used any more.
//! - **Complexity**: time O(n log n) with the heap, scratch O(n), for n cells.
//! - **References**: Hart, Nilsson & Raphael, "A Formal Basis for the Heuristic Determination of Minimum Cost Paths",
//!   1968; Pohl, "Heuristic search viewed as path finding in a graph", 1970 (weighted).
//! - **Deviations**: 1. outdated heap entries are skipped when they come out, not decreased in place; 2. ties prefer
//!   the larger g; 3. weighted A\* expands no cell twice: its heuristic is a consistent one with each price scaled, for
//!   which the bound holds without it; 4. `open=buckets` replaces the heap by buckets, expands again what gets cheaper
//!   inside a bucket, and is still optimal; 5. `heuristic=euclidean` is cut off to whole units, which may make it
//!   inconsistent by one: closed cells that get cheaper are then opened again.
//!
//! Over [terrain](crate::Convention) the estimate is that of the least price on the map. Buckets, pruners and the
//! length of the straight line are for maps without prices.
//!
//! `on=corners` searches on the corners of cells instead (`corner_search.rs`, with neighbours as
//! parents): its result is an any-angle path made of moves to the eight nearest corners.
//!
//! # Example
//! ```
//! use octile::algo::astar::OpenList;
//! use octile::{Astar, Engine, Grid, GridCost};
//! let grid: Grid = "...\n.@.\n...".parse()?;
//! let engine = Engine::new(Astar::default().open(OpenList::Buckets), &grid)?; // or "astar:open=buckets"
//! let path = engine.find((0, 0), (2, 2))?.expect("they are connected");
//! assert_eq!(path.cost(), GridCost::new(4, 0)); // corners may not be cut
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub use super::best_first::OpenList;
use super::best_first::{BestFirst, Estimate};
use crate::algo::blocked_areas::Lookup;
use crate::algo::pruners::keys::{GATES_HELP, GATES_TAKES, LOOKUP_HELP, LOOKUP_TAKES, PRUNE_HELP, PRUNE_TAKES};
use crate::algo::pruners::{GateUse, Prune, Pruners};
use crate::geometry::Weight;
use crate::grid::{Movement, Squeeze};
use crate::kernels::corner_search::{CornerSearch, Parents};
use crate::kernels::heuristic::{HEURISTIC_TAKES, Heuristic};
use crate::planner::{
    About, Build, BuildError, Config, Facts, Guarantee, IndexEffort, Native, Planner, Refusal, config, names,
};

config! {
    /// A\* over cells, or over corners.
    #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
    #[cfg_attr(feature = "serde", serde(default, rename_all = "kebab-case", deny_unknown_fields))]
    pub struct Astar {
        /// The open list.
        open: OpenList ["open": "heap or buckets", "the open list; default heap"],
        /// What the search moves on.
        on: On ["on": "cells or corners",
            "what the search moves on; on corners its result is an any-angle path; default cells"],
        /// What the search believes the rest of a path to cost.
        heuristic: Heuristic ["heuristic": HEURISTIC_TAKES,
            "what the search believes the rest of a path to cost; default octile"],
        /// Where not to look.
        prune: Pruners ["prune": PRUNE_TAKES, PRUNE_HELP],
        /// How a cell's blocked area is found.
        lookup: Option<Lookup> ["lookup": LOOKUP_TAKES, LOOKUP_HELP],
        /// When gates are used.
        gates: Option<GateUse> ["gates": GATES_TAKES, GATES_HELP],
        /// The rule of any-angle paths, on corners.
        squeeze: Squeeze,
    }
}

/// What a search moves on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum On {
    /// Cells: its paths are grid paths.
    #[default]
    Cells,
    /// Corners of cells: its paths are any-angle paths made of moves to the eight nearest corners.
    Corners,
}

names! { On { Cells = "cells", Corners = "corners" } }

static ASTAR: About = About {
    name: "astar",
    summary: "A* cell by cell, ties towards larger g",
    paper: "Hart, Nilsson & Raphael 1968",
    index: IndexEffort::None,
    variants: &[
        "astar:open=buckets",
        "astar:prune=blocked-areas",
        "astar:prune=blocked-areas,lookup=tree",
        "astar:prune=blocked-areas,lookup=grid",
        "astar:prune=gates",
        "astar:prune=gates,gates=always",
        "astar:open=buckets,prune=blocked-areas+gates,gates=always",
        "astar:prune=blocked-areas+gates,lookup=grid,gates=always",
        "astar:heuristic=euclidean",
        "astar:heuristic=euclidean,prune=blocked-areas+gates,gates=always",
        "astar:heuristic=euclidean,open=buckets",
        "astar:heuristic=zero",
        "astar:smooth=greedy",
        "astar:smooth=greedy,squeeze=forbidden",
        "astar:on=corners",
        "astar:on=corners,heuristic=euclidean,squeeze=forbidden",
    ],
};

impl Astar {
    fn pruning(&self) -> Prune {
        Prune::new(self.prune, self.lookup, self.gates)
    }

    fn estimate(&self) -> Estimate {
        match self.heuristic {
            Heuristic::Octile => Estimate::Weighted(Weight::ONE),
            Heuristic::Euclidean => Estimate::Euclidean,
            Heuristic::Zero => Estimate::Zero,
        }
    }
}

impl Config for Astar {
    fn about(&self) -> &'static About {
        &ASTAR
    }

    fn check(&self) -> Result<(), Refusal> {
        if self.on == On::Corners {
            let is_pruned = self.prune != Pruners::None;
            Refusal::when(is_pruned, "prune", "pruners are for searches on cells; leave it out, or use on=cells")?;
            let buckets = self.open == OpenList::Buckets;
            let reason = "the search on corners has a heap only; leave it out, or use on=cells";
            Refusal::when(buckets, "open", reason)?;
        }
        self.pruning().check()
    }

    fn facts(&self) -> Facts {
        if self.on == On::Corners {
            return Facts::any_angle(ASTAR.name, Guarantee::AnyAngle, self.squeeze).native(&[Native::Slices]);
        }
        let is_plain = self.open == OpenList::Heap && self.prune == Pruners::None;
        Facts::optimal(ASTAR.name, &Movement::ALL)
            .takes_terrain(is_plain && self.heuristic != Heuristic::Euclidean)
            .native(&[Native::ManyGoals, Native::Slices])
            .indexes(self.pruning().index_kinds())
    }

    fn set_squeeze(&mut self, squeeze: Squeeze) {
        self.squeeze = squeeze;
    }

    fn build(&self, build: &Build<'_>) -> Result<Box<dyn Planner>, BuildError> {
        if self.on == On::Corners {
            let way = (Parents::Neighbours, self.heuristic, self.squeeze);
            return Ok(Box::new(CornerSearch::new(self, build, way)?));
        }
        Ok(Box::new(BestFirst::new(self, build, self.pruning(), (self.estimate(), self.open))?))
    }
}

config! {
    /// A\* whose heuristic is multiplied by a weight: paths are at most that many times as long as the shortest.
    #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
    #[cfg_attr(feature = "serde", serde(default, rename_all = "kebab-case", deny_unknown_fields))]
    pub struct WeightedAstar {
        /// How many times longer than the optimum a path may be.
        weight: Weight ["weight": "a number from 1 to 1000 with at most three decimals",
            "how many times longer than the optimum a path may be; must be given"],
        /// Where not to look.
        prune: Pruners ["prune": PRUNE_TAKES, PRUNE_HELP],
        /// How a cell's blocked area is found.
        lookup: Option<Lookup> ["lookup": LOOKUP_TAKES, LOOKUP_HELP],
        /// When gates are used.
        gates: Option<GateUse> ["gates": GATES_TAKES, GATES_HELP],
    }
}

static WEIGHTED_ASTAR: About = About {
    name: "weighted-astar",
    summary: "A* with an inflated heuristic: fewer expansions, paths at most weight times too long",
    paper: "Pohl 1970",
    index: IndexEffort::None,
    variants: &[
        "weighted-astar:weight=1",
        "weighted-astar:weight=1.5",
        "weighted-astar:weight=3",
        "weighted-astar:weight=1,prune=blocked-areas+gates,gates=always",
        "weighted-astar:weight=3,prune=blocked-areas",
        "weighted-astar:weight=3,prune=gates,gates=always",
    ],
};

impl WeightedAstar {
    fn pruning(&self) -> Prune {
        Prune::new(self.prune, self.lookup, self.gates)
    }
}

impl Config for WeightedAstar {
    fn about(&self) -> &'static About {
        &WEIGHTED_ASTAR
    }

    fn required(&self) -> &'static [&'static str] {
        &["weight"]
    }

    fn check(&self) -> Result<(), Refusal> {
        self.pruning().check()
    }

    fn facts(&self) -> Facts {
        Facts::optimal(WEIGHTED_ASTAR.name, &Movement::ALL)
            .promising(Guarantee::Bounded(self.weight))
            .takes_terrain(self.prune == Pruners::None)
            .native(&[Native::ManyGoals, Native::Slices])
            .indexes(self.pruning().index_kinds())
    }

    fn build(&self, build: &Build<'_>) -> Result<Box<dyn Planner>, BuildError> {
        let way = (Estimate::Weighted(self.weight), OpenList::Heap);
        Ok(Box::new(BestFirst::new(self, build, self.pruning(), way)?))
    }
}
