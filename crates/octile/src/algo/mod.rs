//! The planners, one module each, named after its paper; and the table of them all.
//!
//! To add a planner, write a module with an [`Entry`] and add its line to [`PLANNERS`]: the command, the suites and the
//! reports read the table.

pub mod astar;
pub mod auto;
pub mod best_first;
pub mod block_astar;
pub mod corner_sweep;
pub mod cpd;
pub mod dijkstra;
pub mod hub_labels;
pub mod jps;
pub mod jump_graph;
pub mod jump_points;
mod nodes;
pub mod rea_star;
pub mod scratch;
pub mod theta_star;
mod widths;

use crate::error::{BuildError, SpecError};
use crate::grid::Movement;
use crate::planner::Guarantee;
use crate::spec::{COMMON_KEYS, Options};
use crate::{Finder, Grid, PlannerSpec};

/// Every planner there is.
pub static PLANNERS: &[Entry] = &[
    dijkstra::ENTRY,
    astar::ENTRY,
    astar::WEIGHTED_ENTRY,
    jps::ENTRY,
    corner_sweep::ENTRY,
    jump_graph::ENTRY,
    rea_star::ENTRY,
    theta_star::ENTRY,
    theta_star::LAZY_ENTRY,
    block_astar::ENTRY,
    cpd::ENTRY,
    hub_labels::ENTRY,
    auto::ENTRY,
];

/// What a search believes the rest of a path to cost. None of them is ever above the cost of a grid path.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Heuristic {
    /// The octile distance: what it costs where nothing is blocked; under `tile` the Manhattan distance.
    #[default]
    Octile,
    /// The length of the straight line.
    Euclidean,
    /// Nothing.
    Zero,
}

/// The key that chooses the heuristic.
pub(crate) const HEURISTIC_KEY: Key = Key {
    name: "heuristic",
    takes: "octile, euclidean or zero",
    help: "what the search believes the rest of a path to cost; octile unless told",
};

impl Heuristic {
    /// The value of the key, if it is given.
    pub(crate) fn from_options(options: &Options) -> Result<Option<Self>, SpecError> {
        options.value(HEURISTIC_KEY.name, |value| match value {
            "octile" => Some(Self::Octile),
            "euclidean" => Some(Self::Euclidean),
            "zero" => Some(Self::Zero),
            _ => None,
        })
    }
}

/// What a planner builds from a map before it can answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum IndexEffort {
    /// Nothing.
    None,
    /// An index, in about the time of a few passes over the map.
    Map,
    /// An index that takes a search from every corner of an obstacle, though most of them end soon: seconds for a large map.
    Corners,
    /// An index that takes a search from every free cell: time goes with the square of the map.
    AllPairs,
}

/// About so many free cells of a map have one corner of an obstacle among them.
const CELLS_PER_CORNER: u32 = 16;

impl IndexEffort {
    /// Its name in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Map => "map",
            Self::Corners => "corners",
            Self::AllPairs => "all-pairs",
        }
    }

    /// Whether there is an index.
    pub const fn has_index(self) -> bool {
        !matches!(self, Self::None)
    }

    /// Whether an index of a map takes at most so many searches, or about as many.
    pub fn is_within(self, grid: &Grid, searches: u32) -> bool {
        match self {
            Self::None | Self::Map => true,
            Self::Corners => grid.free_cells() / CELLS_PER_CORNER <= searches,
            Self::AllPairs => grid.free_cells() <= searches,
        }
    }
}

/// A planner's line in the table.
#[derive(Debug)]
pub struct Entry {
    /// Its name in specs.
    pub name: &'static str,
    /// What it is, in a few words.
    pub summary: &'static str,
    /// What a spec of it promises, smoothing apart; see [`PlannerSpec::guarantee`].
    pub guarantee: fn(&Options) -> Guarantee,
    /// What it builds from the map before it can answer, pruners apart.
    pub index: IndexEffort,
    /// The movement rules that a spec of it works under, smoothing apart; see [`PlannerSpec::movements`].
    pub movements: fn(&Options) -> &'static [Movement],
    /// The keys of its spec, besides those that [all](Entry::all_keys) have.
    pub keys: &'static [Key],
    /// Where it was published.
    pub paper: &'static str,
    /// Specs of its variants that every suite tries, besides the bare name.
    pub variants: &'static [&'static str],
    /// Checks the values of a spec without a map.
    pub check: fn(&Options) -> Result<(), SpecError>,
    /// The kinds of [index](crate::index) that a spec of it builds, or takes from files.
    pub indexes: fn(&Options) -> Vec<&'static str>,
    /// Makes it.
    pub build: fn(&Grid, &Options) -> Result<Finder, BuildError>,
}

/// A key of a planner's spec.
#[derive(Debug)]
pub struct Key {
    /// Its name.
    pub name: &'static str,
    /// What it takes, as in "expected ...".
    pub takes: &'static str,
    /// What it does.
    pub help: &'static str,
}

impl Entry {
    /// The keys of its spec: its own, and those that all planners have.
    pub fn all_keys(&self) -> impl Iterator<Item = &'static Key> + use<> {
        self.keys.iter().chain(&COMMON_KEYS)
    }

    /// The table's own spelling of a key.
    pub(crate) fn key(&self, key: &str) -> Result<&'static str, SpecError> {
        let mut names = self.all_keys().map(|known| known.name);
        names.find(|&known| known == key).ok_or_else(|| SpecError::UnknownKey {
            planner: self.name,
            key: key.to_owned(),
            known: self.all_keys().map(|known| known.name).collect(),
        })
    }

    /// What a key takes.
    pub(crate) fn expected(&self, key: &str) -> String {
        self.all_keys().find(|known| known.name == key).map_or_else(String::new, |known| known.takes.to_owned())
    }

    /// What it promises if no key is given.
    pub fn bare_guarantee(&'static self) -> Guarantee {
        (self.guarantee)(&Options::none(self))
    }

    /// The movement rules that it works under if no key is given.
    pub fn bare_movements(&'static self) -> &'static [Movement] {
        (self.movements)(&Options::none(self))
    }

    /// The specs under which suites run it: the bare name if that is a whole spec, and its variants.
    pub fn specs(&self) -> Vec<&'static str> {
        let bare = self.name.parse::<PlannerSpec>().is_ok();
        bare.then_some(self.name).into_iter().chain(self.variants.iter().copied()).collect()
    }

    /// Those of its [`specs`](Entry::specs) that work under a movement rule.
    pub fn specs_for(&self, movement: Movement) -> Vec<&'static str> {
        let supports = |spec: &PlannerSpec| spec.movements().contains(&movement);
        self.specs().into_iter().filter(|spec| spec.parse().is_ok_and(|spec| supports(&spec))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_searches_from_every_cell_grow_with_the_map() {
        let grid: Grid = "..@.".parse().unwrap();
        for effort in [IndexEffort::None, IndexEffort::Map] {
            assert!(effort.is_within(&grid, 0), "{effort:?}");
        }
        assert!(IndexEffort::AllPairs.is_within(&grid, 3) && !IndexEffort::AllPairs.is_within(&grid, 2));
        assert_eq!(
            [IndexEffort::None, IndexEffort::Map, IndexEffort::AllPairs].map(IndexEffort::has_index),
            [false, true, true]
        );
    }
}
