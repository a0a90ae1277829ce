//! Planner configs: what a planner is before it has a map, as data and as text.
//!
//! Every planner has one config: plain data with defaults, builder methods and, with the feature `serde`, a serialized
//! form such as JSON. [`config!`](crate::config) declares it as a list of fields, and generates the [`Keys`] with which
//! a spec such as `astar:open=buckets` sets them. [`Config`] says what a planner with this config promises and how it
//! is built.

use std::any::Any;
use std::fmt;

use dyn_clone::DynClone;

use super::build::{Build, BuildError, BuildSteps};
use super::contract::Planner;
use super::facts::Facts;
use super::keys::{Key, Keys};
use crate::geometry::Endpoints;
use crate::grid::{Grid, Squeeze};

/// A planner's config: what the planner promises and supports, and how it is built. To write your own planner,
/// implement this trait and [`Planner`].
pub trait Config: Keys + DynClone + fmt::Debug + Any + Send + Sync {
    /// What the planner is, whatever the values of its keys.
    fn about(&self) -> &'static About;

    /// The keys that a spec must set.
    fn required(&self) -> &'static [&'static str] {
        &[]
    }

    /// Checks that the values do not contradict each other.
    ///
    /// # Errors
    /// The key at fault, and why.
    fn check(&self) -> Result<(), Refusal> {
        Ok(())
    }

    /// What the planner promises with these values, which maps it takes, and what it can do. The planner keeps these
    /// facts.
    fn facts(&self) -> Facts;

    /// Sets the squeeze rule of any-angle paths; no effect on grid paths.
    fn set_squeeze(&mut self, squeeze: Squeeze) {
        let _ = squeeze;
    }

    /// Sets the endpoints of any-angle paths, if the planner itself supports it. Otherwise returns `false` and changes
    /// nothing: paths are then extended to centres after they were found
    /// ([`services::centred`](crate::services::centred)).
    fn set_ends(&mut self, ends: Endpoints) -> bool {
        let _ = ends;
        false
    }

    /// Builds the planner for a map.
    ///
    /// # Errors
    /// If the planner cannot be built for this map, or not from these index files.
    fn build(&self, build: &Build<'_>) -> Result<Box<dyn Planner>, BuildError>;

    /// Starts to build the planner for a map in steps; the result is the same as that of [`build`](Config::build).
    /// `None` if the planner cannot be built in steps, which is the default, or need not be: then it is built in one
    /// go.
    ///
    /// # Errors
    /// Those of [`build`](Config::build).
    fn begin(&self, build: &Build<'_>) -> Result<Option<Box<dyn BuildSteps>>, BuildError> {
        let _ = build;
        Ok(None)
    }
}

dyn_clone::clone_trait_object!(Config);

/// What a planner is, whatever its settings.
#[derive(Clone, Copy, Debug)]
pub struct About {
    /// Its name in specs.
    pub name: &'static str,
    /// A short description.
    pub summary: &'static str,
    /// The publication that describes it.
    pub paper: &'static str,
    /// What it builds from the map before it can answer, apart from pruners.
    pub index: IndexEffort,
    /// Specs of its variants that every test suite covers, besides the bare name.
    pub variants: &'static [&'static str],
}

/// What a planner builds from a map before it can answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum IndexEffort {
    /// Nothing.
    None,
    /// An index, in about the time of a few passes over the map.
    Map,
    /// An index that takes a search from every corner of an obstacle, most of which end early: seconds for a large map.
    Corners,
    /// An index that takes a search from every free cell: time grows with the square of the map's size.
    AllPairs,
}

/// Roughly the number of free cells per obstacle corner.
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

    /// The minimum cost of the index of a map, in steps and bytes of a [`Budget`](super::Budget).
    pub(crate) fn least(self, grid: &Grid) -> (u64, u64) {
        match self {
            Self::Map => (u64::from(grid.free_cells()), grid.padded_cells() as u64 / 2),
            // These have index files, and count their own steps and bytes.
            Self::None | Self::Corners | Self::AllPairs => (0, 0),
        }
    }

    /// Whether the index of a map takes at most about this many searches.
    ///
    /// ```
    /// use octile::{Cpd, Grid, Jps};
    /// let grid = Grid::open(10, 10)?;
    /// assert!(Jps::ENTRY.about().index.is_within(&grid, 0), "it has no index");
    /// assert!(!Cpd::ENTRY.about().index.is_within(&grid, 99), "it takes a search from every cell");
    /// # Ok::<(), octile::GridError>(())
    /// ```
    pub fn is_within(self, grid: &Grid, searches: u32) -> bool {
        match self {
            Self::None | Self::Map => true,
            Self::Corners => grid.free_cells() / CELLS_PER_CORNER <= searches,
            Self::AllPairs => grid.free_cells() <= searches,
        }
    }
}

/// A planner's entry in a [catalog](crate::Catalog). [`config!`](crate::config) gives every config its `ENTRY`.
#[derive(Clone, Copy)]
pub struct Entry {
    default: fn() -> Box<dyn Config>,
}

impl Entry {
    /// The entry of the planner with this config.
    ///
    /// ```
    /// use octile::Jps;
    /// use octile::planner::Entry;
    /// assert_eq!(Entry::of::<Jps>().name(), "jps");
    /// ```
    pub const fn of<C: Config + Default>() -> Self {
        Self { default: || Box::new(C::default()) }
    }

    /// The config with default values.
    ///
    /// ```
    /// use octile::{Astar, Guarantee};
    /// let mut config = Astar::ENTRY.config();
    /// assert!(config.set("open", "buckets") && !config.set("open", "drawers"));
    /// assert_eq!(config.facts().guarantee, Guarantee::GridOptimal);
    /// ```
    pub fn config(&self) -> Box<dyn Config> {
        (self.default)()
    }

    /// What the planner is.
    pub fn about(&self) -> &'static About {
        self.config().about()
    }

    /// The planner's name in specs.
    pub fn name(&self) -> &'static str {
        self.about().name
    }

    /// The keys of the planner's spec, besides those that all planners share.
    pub fn keys(&self) -> &'static [Key] {
        self.config().keys()
    }
}

impl fmt::Debug for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Entry({})", self.name())
    }
}

/// Why a config refuses a key: its value contradicts another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The key.
    pub key: &'static str,
    /// Why the value is refused, and what to do instead.
    pub reason: &'static str,
}

impl Refusal {
    /// Refuses a key for a reason if `is_wrong`.
    ///
    /// ```
    /// use octile::planner::Refusal;
    /// let check = |speed: u32| Refusal::when(speed == 0, "speed", "nothing moves; use 1 or more");
    /// assert!(check(1).is_ok());
    /// assert_eq!(check(0).unwrap_err().key, "speed");
    /// ```
    ///
    /// # Errors
    /// The refusal.
    pub fn when(is_wrong: bool, key: &'static str, reason: &'static str) -> Result<(), Self> {
        if is_wrong { Err(Self { key, reason }) } else { Ok(()) }
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
