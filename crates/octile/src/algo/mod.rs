//! The planners, one module each, named after its paper; and the table of them all.
//!
//! To add a planner, write a module with an [`Entry`] and add its line to [`PLANNERS`]: the command, the suites and the
//! reports read the table.

pub mod astar;
pub mod best_first;
pub mod block_astar;
pub mod dijkstra;
pub mod jps;
pub mod rea_star;
pub mod scratch;
mod widths;

use crate::error::{BuildError, SpecError};
use crate::grid::Movement;
use crate::planner::Guarantee;
use crate::spec::Options;
use crate::{Finder, Grid};

/// Every planner there is.
pub static PLANNERS: &[Entry] = &[dijkstra::ENTRY, astar::ENTRY, astar::WEIGHTED_ENTRY, jps::ENTRY, rea_star::ENTRY];

/// A planner's line in the table.
#[derive(Debug)]
pub struct Entry {
    /// Its name in specs.
    pub name: &'static str,
    /// What it is, in a few words.
    pub summary: &'static str,
    /// What it promises.
    pub guarantee: Guarantee,
    /// Whether it builds an index from the map before it can answer.
    pub has_index: bool,
    /// The movement rules it works under.
    pub movements: &'static [Movement],
    /// The keys of its spec.
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
    /// The table's own spelling of a key.
    pub(crate) fn key(&self, key: &str) -> Result<&'static str, SpecError> {
        self.keys.iter().map(|known| known.name).find(|&known| known == key).ok_or_else(|| SpecError::UnknownKey {
            planner: self.name,
            key: key.to_owned(),
            known: self.keys.iter().map(|known| known.name).collect(),
        })
    }

    /// What a key takes.
    pub(crate) fn expected(&self, key: &str) -> String {
        self.keys.iter().find(|known| known.name == key).map_or_else(String::new, |known| known.takes.to_owned())
    }

    /// The specs under which suites run it: the bare name if that is a whole spec, and its variants.
    pub fn specs(&self) -> Vec<&'static str> {
        let bare = self.name.parse::<crate::PlannerSpec>().is_ok();
        bare.then_some(self.name).into_iter().chain(self.variants.iter().copied()).collect()
    }
}
