//! What a planner is before it has a map: its config, as data and as text.
//!
//! Every planner has one config: plain data with defaults, builder methods and, with the feature `serde`, a form in
//! JSON and the like. [`config!`](crate::config) makes it from a list of fields, and with it the [`Keys`] by which a
//! spec such as `astar:open=buckets` says the same. [`Config`] says what a planner with such a config promises and how
//! it is built.

use std::any::Any;
use std::fmt;

use dyn_clone::DynClone;

use super::build::{Build, BuildError, BuildSteps};
use super::contract::Planner;
use super::facts::Facts;
use super::keys::{Key, Keys};
use crate::geometry::Endpoints;
use crate::grid::{Grid, Squeeze};

/// A planner's config: what a planner with it promises and takes, and how it is built. A planner of your own implements
/// this and [`Planner`].
pub trait Config: Keys + DynClone + fmt::Debug + Any + Send + Sync {
    /// What the planner is, whatever the values.
    fn about(&self) -> &'static About;

    /// The keys that a spec must give.
    fn required(&self) -> &'static [&'static str] {
        &[]
    }

    /// Refuses values that do not go together.
    ///
    /// # Errors
    /// The key that is wrong, and why.
    fn check(&self) -> Result<(), Refusal> {
        Ok(())
    }

    /// What the planner promises with these values, which maps it takes, and what it can do. The planner keeps them.
    fn facts(&self) -> Facts;

    /// Gives any-angle paths another rule; of no effect on grid paths.
    fn set_squeeze(&mut self, squeeze: Squeeze) {
        let _ = squeeze;
    }

    /// Gives any-angle paths other ends, if the planner itself can: else `false`, and no change. Paths are then
    /// lengthened to centres after they were found ([`services::centred`](crate::services::centred)).
    fn set_ends(&mut self, ends: Endpoints) -> bool {
        let _ = ends;
        false
    }

    /// Makes the planner for a map.
    ///
    /// # Errors
    /// If it cannot be made for that map, or not from these index files.
    fn build(&self, build: &Build<'_>) -> Result<Box<dyn Planner>, BuildError>;

    /// Begins to make the planner for a map, to be made a step at a time: the same as [`build`](Config::build) makes.
    /// `None` if it cannot, as by default, or need not: then it is built in one go.
    ///
    /// # Errors
    /// As [`build`](Config::build).
    fn begin(&self, build: &Build<'_>) -> Result<Option<Box<dyn BuildSteps>>, BuildError> {
        let _ = build;
        Ok(None)
    }
}

dyn_clone::clone_trait_object!(Config);

/// What a planner is.
#[derive(Clone, Copy, Debug)]
pub struct About {
    /// Its name in specs.
    pub name: &'static str,
    /// What it is, in a few words.
    pub summary: &'static str,
    /// Where it was published.
    pub paper: &'static str,
    /// What it builds from the map before it can answer, pruners apart.
    pub index: IndexEffort,
    /// Specs of its variants that every suite tries, besides the bare name.
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
    /// An index that takes a search from every corner of an obstacle, though most of them end soon: seconds for a large
    /// map.
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

    /// What the index of a map takes at least, in steps and bytes of a [`Budget`](super::Budget).
    pub(crate) fn least(self, grid: &Grid) -> (u64, u64) {
        match self {
            Self::Map => (u64::from(grid.free_cells()), grid.padded_cells() as u64 / 2),
            // Those have files, and count what they do themselves.
            Self::None | Self::Corners | Self::AllPairs => (0, 0),
        }
    }

    /// Whether an index of a map takes at most so many searches, or about as many.
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

/// A planner's line in a [catalog](crate::Catalog). [`config!`](crate::config) gives every config its `ENTRY`.
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

    /// Its config with default values.
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

    /// What it is.
    pub fn about(&self) -> &'static About {
        self.config().about()
    }

    /// Its name in specs.
    pub fn name(&self) -> &'static str {
        self.about().name
    }

    /// The keys of its spec, besides those that all planners have.
    pub fn keys(&self) -> &'static [Key] {
        self.config().keys()
    }
}

impl fmt::Debug for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Entry({})", self.name())
    }
}

/// A key whose value does not go together with others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The key.
    pub key: &'static str,
    /// Why it is refused, and what to do instead.
    pub reason: &'static str,
}

impl Refusal {
    /// Refuses a key for a reason if it `is_wrong`.
    ///
    /// ```
    /// use octile::planner::Refusal;
    /// let check = |speed: u32| Refusal::when(speed == 0, "speed", "nothing moves; use 1 or more");
    /// assert!(check(1).is_ok());
    /// assert_eq!(check(0).unwrap_err().key, "speed");
    /// ```
    ///
    /// # Errors
    /// Itself.
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
