//! A\* search over the cells of the grid, and its weighted variant.
//!
//! - **Guarantee**: [`Astar`] grid-optimal; [`WeightedAstar`] at most `weight` times the optimum, both in exact
//!   arithmetic; complete. **Preprocessing**: none; follows edits. With [pruners](crate::prune) some milliseconds, repeated
//!   when the map changes.
//! - **Complexity**: time O(n log n) with the heap, scratch O(n), for n cells.
//! - **References**: Hart, Nilsson & Raphael, "A Formal Basis for the Heuristic Determination of Minimum Cost Paths",
//!   1968; Pohl, "Heuristic search viewed as path finding in a graph", 1970 (weighted).
//! - **Deviations**: 1. outdated heap entries are skipped when they come out, not decreased in place; 2. ties prefer the
//!   larger g; 3. weighted A\* expands no cell twice: its heuristic is a consistent one with each price scaled, for which
//!   the bound holds without it; 4. `open=buckets` replaces the heap by buckets, expands again what gets cheaper inside a
//!   bucket, and is still optimal; 5. `heuristic=euclidean` is cut off to whole units, which may make it inconsistent by
//!   one: closed cells that get cheaper are then opened again.
//!
//! `on=corners` searches on the corners of cells instead ([`theta_star`], with neighbours as
//! parents): its result is an any-angle path made of moves to the eight nearest corners.
//!
//! # Example
//! ```
//! use octile::{Cell, Grid, Octile, Path, Planner, Query, algo::astar::Astar};
//! let grid: Grid = "...\n.@.\n...".parse()?;
//! let planner = Astar::new(&grid)?;
//! let mut path = Path::new();
//! planner.plan(&mut planner.create_scratch(), Query::new(Cell::new(0, 0), Cell::new(2, 2)), &mut path)?;
//! assert_eq!(path.cost(), Octile::new(4, 0)); // corners may not be cut
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use super::best_first::{CellSearch, Estimate, GATES_PAY_BELOW, OpenList, index_kinds};
use super::theta_star::{self, Parents, ThetaStar};
use super::{Entry, HEURISTIC_KEY, Heuristic, IndexEffort, Key};
use crate::error::{BuildError, SpecError};
use crate::grid::Movement;
use crate::planner::Guarantee;
use crate::prune::{GATES_USE_KEY, LOOKUP_KEY, PRUNE_KEY, Prune, Terrain};
use crate::spec::Options;
use crate::{Finder, Grid, Weight};

/// The line of [`Astar`] in the table.
pub(super) const ENTRY: Entry = Entry {
    name: "astar",
    summary: "A* cell by cell, ties towards larger g",
    guarantee: |options| if is_on_corners(options) { Guarantee::AnyAngle } else { Guarantee::GridOptimal },
    index: IndexEffort::None,
    movements: |options| if is_on_corners(options) { &[Movement::Octile] } else { &Movement::ALL },
    keys: &[
        Key { name: "open", takes: "heap or buckets", help: "the open list; heap unless told" },
        Key {
            name: "on",
            takes: "cells or corners",
            help: "what the search moves on; on corners its result is an any-angle path; cells unless told",
        },
        HEURISTIC_KEY,
        PRUNE_KEY,
        LOOKUP_KEY,
        GATES_USE_KEY,
    ],
    paper: "Hart, Nilsson & Raphael 1968",
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
    check: |options| {
        if is_on_corners(options) {
            return check_on_corners(options);
        }
        options.value("on", |value| (value == "cells").then_some(()))?;
        Config::from_options(options).map(drop)
    },
    indexes: index_kinds,
    build: |grid, options| {
        if is_on_corners(options) {
            let config = theta_star::Config::from_options(options, Parents::Neighbours)?;
            return Ok(Finder::from_planner(ThetaStar::with_config(grid, config)?));
        }
        let Config { open, heuristic, prune } = Config::from_options(options)?;
        let terrain = Terrain::from_options(grid, prune, GATES_PAY_BELOW, options)?;
        Ok(Finder::from_planner(Astar { terrain, open, heuristic }))
    },
};

/// Whether the search moves on corners.
fn is_on_corners(options: &Options) -> bool {
    options.value("on", |value| (value == "corners").then_some(())).is_ok_and(|on| on.is_some())
}

/// Checks the values of a search on corners, which knows neither buckets nor pruners.
fn check_on_corners(options: &Options) -> Result<(), SpecError> {
    let reason = "pruners are for searches on cells; leave it out, or use on=cells";
    for key in ["prune", "lookup", "gates"] {
        options.refuse(key, |_| true, reason)?;
    }
    options.refuse(
        "open",
        |value| value != "heap",
        "the search on corners has a heap only; leave it out, or use on=cells",
    )?;
    theta_star::Config::from_options(options, Parents::Neighbours).map(drop)
}

/// The line of [`WeightedAstar`] in the table.
pub(super) const WEIGHTED_ENTRY: Entry = Entry {
    name: "weighted-astar",
    summary: "A* with an inflated heuristic: fewer expansions, paths at most weight times too long",
    guarantee: |_| Guarantee::Bounded,
    index: IndexEffort::None,
    movements: |_| &Movement::ALL,
    keys: &[
        Key {
            name: "weight",
            takes: "a number from 1 to 1000 with at most three decimals",
            help: "how many times longer than the optimum a path may be; must be given",
        },
        PRUNE_KEY,
        LOOKUP_KEY,
        GATES_USE_KEY,
    ],
    paper: "Pohl 1970",
    variants: &[
        "weighted-astar:weight=1",
        "weighted-astar:weight=1.5",
        "weighted-astar:weight=3",
        "weighted-astar:weight=1,prune=blocked-areas+gates,gates=always",
        "weighted-astar:weight=3,prune=blocked-areas",
        "weighted-astar:weight=3,prune=gates,gates=always",
    ],
    check: |options| weight(options).and(Prune::from_options(options)).map(drop),
    indexes: index_kinds,
    build: |grid, options| {
        let (weight, prune) = (weight(options)?, Prune::from_options(options)?);
        let terrain = Terrain::from_options(grid, prune, GATES_PAY_BELOW, options)?;
        Ok(Finder::from_planner(WeightedAstar { terrain, weight }))
    },
};

/// How [`Astar`] searches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Config {
    /// The open list.
    pub open: OpenList,
    /// What the search believes the rest of a path to cost.
    pub heuristic: Heuristic,
    /// Where not to look.
    pub prune: Prune,
}

impl Config {
    fn from_options(options: &Options) -> Result<Self, SpecError> {
        let open = options.value("open", |value| match value {
            "heap" => Some(OpenList::Heap),
            "buckets" => Some(OpenList::Buckets),
            _ => None,
        })?;
        Ok(Self {
            open: open.unwrap_or_default(),
            heuristic: Heuristic::from_options(options)?.unwrap_or_default(),
            prune: Prune::from_options(options)?,
        })
    }
}

fn weight(options: &Options) -> Result<Weight, SpecError> {
    options.required("weight", |value| value.parse().ok())
}

/// A\* over cells.
#[derive(Clone, Debug)]
pub struct Astar {
    terrain: Terrain,
    open: OpenList,
    heuristic: Heuristic,
}

impl Astar {
    /// A planner for `grid` with the default configuration.
    ///
    /// # Errors
    /// If the grid's movement rule is not supported.
    pub fn new(grid: &Grid) -> Result<Self, BuildError> {
        Self::with_config(grid, Config::default())
    }

    /// A planner for `grid`.
    ///
    /// # Errors
    /// If the grid's movement rule is not supported.
    pub fn with_config(grid: &Grid, config: Config) -> Result<Self, BuildError> {
        BuildError::check_movement(ENTRY.name, grid, &Movement::ALL)?;
        let Config { open, heuristic, prune } = config;
        Ok(Self { terrain: Terrain::new(grid, prune, GATES_PAY_BELOW), open, heuristic })
    }
}

impl CellSearch for Astar {
    const ENTRY: Entry = ENTRY;

    fn terrain(&self) -> &Terrain {
        &self.terrain
    }

    fn terrain_mut(&mut self) -> &mut Terrain {
        &mut self.terrain
    }

    fn estimate(&self) -> Estimate {
        match self.heuristic {
            Heuristic::Octile => Estimate::Weighted(Weight::ONE),
            Heuristic::Euclidean => Estimate::Euclidean,
            Heuristic::Zero => Estimate::Zero,
        }
    }

    fn open(&self) -> OpenList {
        self.open
    }
}

/// A\* whose heuristic is multiplied by a weight.
#[derive(Clone, Debug)]
pub struct WeightedAstar {
    terrain: Terrain,
    weight: Weight,
}

impl WeightedAstar {
    /// A planner for `grid` whose paths are at most `weight` times as long as the shortest.
    ///
    /// # Errors
    /// If the grid's movement rule is not supported.
    pub fn new(grid: &Grid, weight: Weight) -> Result<Self, BuildError> {
        Self::with_pruning(grid, weight, Prune::default())
    }

    /// As [`new`](WeightedAstar::new), with pruners.
    ///
    /// # Errors
    /// If the grid's movement rule is not supported.
    pub fn with_pruning(grid: &Grid, weight: Weight, prune: Prune) -> Result<Self, BuildError> {
        BuildError::check_movement(WEIGHTED_ENTRY.name, grid, &Movement::ALL)?;
        Ok(Self { terrain: Terrain::new(grid, prune, GATES_PAY_BELOW), weight })
    }
}

impl CellSearch for WeightedAstar {
    const ENTRY: Entry = WEIGHTED_ENTRY;
    const GUARANTEE: Guarantee = Guarantee::Bounded;

    fn terrain(&self) -> &Terrain {
        &self.terrain
    }

    fn terrain_mut(&mut self) -> &mut Terrain {
        &mut self.terrain
    }

    fn estimate(&self) -> Estimate {
        Estimate::Weighted(self.weight)
    }
}
