//! What a planner is before it has a map: its config, as data and as text.
//!
//! Every planner has one config: plain data with defaults, builder methods and, with the feature `serde`, a form in
//! JSON and the like. [`config!`](crate::config) makes it from a list of fields, and with it the [`Keys`] by which a
//! spec such as `astar:open=buckets` says the same. [`Config`] says what a planner with such a config promises and how
//! it is built.

use std::any::Any;
use std::fmt;
use std::str::FromStr;

use dyn_clone::DynClone;

use super::build::{Build, BuildError, BuildSteps, join};
use super::contract::Planner;
use super::facts::Facts;
use super::suggest::{Suggestion, nearest};
use crate::geometry::{Endpoints, Weight};
use crate::grid::{Grid, Squeeze};

/// The values of a config's keys as text. [`config!`](crate::config) implements it.
pub trait Keys {
    /// The keys.
    fn keys(&self) -> &'static [Key];

    /// Gives a key a value; `false`, and no change, if it does not take that.
    fn set(&mut self, key: &str, value: &str) -> bool;

    /// The value of a key; `None` if it has none.
    fn get(&self, key: &str) -> Option<String>;

    /// The value of a key where nothing is said.
    fn get_default(&self, key: &str) -> Option<String>;
}

/// A planner's config: what a planner with it promises and takes, and how it is built. This is what a planner of your
/// own implements, beside [`Planner`].
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

/// A key of a planner's spec.
#[derive(Clone, Copy, Debug)]
pub struct Key {
    /// Its name.
    pub name: &'static str,
    /// What it takes, as in "expected ...".
    pub takes: &'static str,
    /// What it does.
    pub help: &'static str,
}

impl Key {
    /// The words that it takes, for a list to choose from; none if it takes numbers, sizes or names.
    ///
    /// ```
    /// use octile::planner::Key;
    /// let key = |takes| Key { name: "k", takes, help: "" };
    /// assert_eq!(key("allow, shorten or stop, together with fronts=cells").choices(), ["allow", "shorten", "stop"]);
    /// assert_eq!(key("greedy").choices(), ["greedy"]);
    /// assert!(key("a number from 1 to 1000").choices().is_empty());
    /// ```
    pub fn choices(&self) -> Vec<&'static str> {
        let words = self.takes.split_once(", together with ").or_else(|| self.takes.split_once(", with "));
        let words = words.map_or(self.takes, |(words, _)| words);
        let words: Vec<&str> = words.split(", ").flat_map(|words| words.split(" or ")).collect();
        if words.iter().any(|word| word.contains(' ')) { Vec::new() } else { words }
    }

    /// The key that it goes together with, and the value of that which it needs.
    ///
    /// ```
    /// use octile::planner::Key;
    /// let key = Key { name: "rescan", takes: "allow, shorten or stop, together with fronts=cells", help: "" };
    /// assert_eq!(key.needs(), Some(("fronts", "cells")));
    /// assert_eq!(Key { takes: "heap or buckets", ..key }.needs(), None);
    /// ```
    pub fn needs(&self) -> Option<(&'static str, &'static str)> {
        let (_, needs) = self.takes.split_once(", together with ")?;
        needs.split_once('=')
    }
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
    /// use octile::{Entry, Jps};
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

/// Checks that the values of a config go together.
pub(crate) fn check(config: &dyn Config) -> Result<(), SpecError> {
    config.check().map_err(|Refusal { key, reason }| SpecError::Refused {
        planner: config.about().name,
        key,
        value: config.get(key).or_else(|| config.facts().squeeze().map(|rule| rule.to_string())).unwrap_or_default(),
        reason,
    })
}

/// The keys and values of the part of a spec behind the colon, no key twice.
pub(crate) fn pairs<'a>(spec: &str, options: &'a str) -> Result<Vec<(&'a str, &'a str)>, SpecError> {
    let mut pairs: Vec<(&str, &str)> = Vec::new();
    for option in options.split(',') {
        let (key, value) = option.split_once('=').ok_or_else(|| SpecError::Form { spec: spec.to_owned() })?;
        if pairs.iter().any(|&(known, _)| known == key) {
            return Err(SpecError::RepeatedKey { key: key.to_owned() });
        }
        pairs.push((key, value));
    }
    Ok(pairs)
}

/// Gives a key of a config a value.
pub(crate) fn set(config: &mut dyn Config, key: &Key, value: &str) -> Result<(), SpecError> {
    if config.set(key.name, value) {
        return Ok(());
    }
    Err(SpecError::bad_value(config.about().name, key, value))
}

/// The key of the squeeze rule, which is common to all planners.
pub(crate) const SQUEEZE: Key = Key {
    name: "squeeze",
    takes: "allowed or forbidden, with smooth=greedy or an any-angle planner",
    help: "whether any-angle paths may pass between obstacles that touch at a corner; default allowed",
};

/// The key of the ends of any-angle paths, which is common to all planners.
pub(crate) const ENDS: Key = Key {
    name: "ends",
    takes: "corners or centres, with smooth=greedy or an any-angle planner",
    help: "whether any-angle paths begin and end at the upper left corners of cells or at their centres; default corners",
};

/// The value of a key that is common to all planners.
pub(crate) fn parsed<T: FromStr>(planner: &'static str, key: &Key, value: &str) -> Result<T, SpecError> {
    value.parse().map_err(|_| SpecError::bad_value(planner, key, value))
}

/// The keys of a config whose values are not the default, or must be given, with those.
pub(crate) fn values(config: &dyn Config) -> Vec<(&'static str, String)> {
    let given = |key: &Key| {
        let value = config.get(key.name)?;
        let is_said = config.required().contains(&key.name) || config.get_default(key.name).as_ref() != Some(&value);
        is_said.then_some((key.name, value))
    };
    config.keys().iter().filter_map(given).collect()
}

/// A spec: a planner's name, and the values of keys.
pub(crate) fn spec(name: &str, values: &[(&'static str, String)]) -> String {
    let values: Vec<String> = values.iter().map(|(key, value)| format!("{key}={value}")).collect();
    format!("{name}{}{}", if values.is_empty() { "" } else { ":" }, values.join(","))
}

/// A type of values for keys.
///
/// Numbers and names are written as in text. A `bool` is one of the two words that its key takes, the first for `true`:
/// a key that takes `"on or off"`, or `"yes or no"`. An `Option` may be left out.
pub trait KeyValue: Sized {
    /// The value of a text, for a key that takes `takes`.
    fn parse(text: &str, takes: &str) -> Option<Self>;

    /// The text of a value; `None` if it is left out.
    fn text(&self, takes: &str) -> Option<String>;
}

impl KeyValue for bool {
    fn parse(text: &str, takes: &str) -> Option<Self> {
        let (yes, no) = takes.split_once(" or ")?;
        if text == yes { Some(true) } else { (text == no).then_some(false) }
    }

    fn text(&self, takes: &str) -> Option<String> {
        let (yes, no) = takes.split_once(" or ")?;
        Some(if *self { yes } else { no }.to_owned())
    }
}

impl<T: KeyValue> KeyValue for Option<T> {
    fn parse(text: &str, takes: &str) -> Option<Self> {
        T::parse(text, takes).map(Some)
    }

    fn text(&self, takes: &str) -> Option<String> {
        self.as_ref()?.text(takes)
    }
}

/// Values that are written as their `Display` and read by their `FromStr`.
macro_rules! plain_values {
    ($($type:ty),+) => { $(
        impl KeyValue for $type {
            fn parse(text: &str, _: &str) -> Option<Self> {
                text.parse().ok()
            }

            fn text(&self, _: &str) -> Option<String> {
                Some(self.to_string())
            }
        }
    )+ };
}

plain_values!(Endpoints, Squeeze, Weight, String, u32, u64, usize, f64);

/// Declares a planner's config: plain data, with builder methods, [`Keys`] and its `ENTRY` in catalogs.
///
/// A field with brackets is a key of the spec: its name, what it takes, and what it does. Attributes, such as those
/// that derive serde's traits, go before the struct; `Clone`, `Debug`, `Default` and `PartialEq` are derived. To be a
/// planner it still needs [`Config`].
///
/// ```
/// use octile::planner::Keys;
/// octile::config! {
///     /// A planner that takes its time.
///     pub struct Slow {
///         /// How many times it checks.
///         times: u32 ["times": "a whole number", "how many times it checks; default 0"],
///         /// Whether it tells.
///         tells: bool ["tells": "yes or no", "whether it tells; default no"],
///     }
/// }
/// # use octile::planner::Facts;
/// # use octile::{About, Build, BuildError, Config, Movement, Planner};
/// # impl Config for Slow {
/// #     fn about(&self) -> &'static About { todo!() }
/// #     fn facts(&self) -> Facts { Facts::optimal("slow", &Movement::ALL) }
/// #     fn build(&self, _: &Build<'_>) -> Result<Box<dyn Planner>, BuildError> { todo!() }
/// # }
/// let mut slow = Slow::default().times(3_u32);
/// assert!(slow.set("tells", "yes") && slow.tells);
/// assert!(!slow.set("tells", "perhaps"));
/// assert_eq!(slow.get("times").as_deref(), Some("3"));
/// ```
#[macro_export]
macro_rules! config {
    (
        $(#[$meta:meta])*
        $vis:vis struct $config:ident {
            $(
                $(#[$field_meta:meta])*
                $field:ident: $type:ty $([$key:literal: $takes:expr, $help:expr])?
            ),* $(,)?
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Debug, Default, PartialEq)]
        #[non_exhaustive]
        $vis struct $config {
            $($(#[$field_meta])* pub $field: $type,)*
        }

        impl $config {
            /// Its line in a catalog.
            pub const ENTRY: $crate::Entry = $crate::Entry::of::<Self>();

            /// The planner for a map, or from all that a [`Build`]($crate::Build) has.
            ///
            /// # Errors
            /// If it cannot be made for that map, or not from these index files.
            pub fn planner<'a>(
                &self,
                build: impl Into<$crate::Build<'a>>,
            ) -> Result<Box<dyn $crate::Planner>, $crate::BuildError> {
                $crate::Config::build(self, &build.into())
            }

            $(
                $(#[$field_meta])*
                #[must_use]
                pub fn $field(mut self, $field: impl Into<$type>) -> Self {
                    self.$field = $field.into();
                    self
                }
            )*
        }

        impl $crate::planner::Keys for $config {
            fn keys(&self) -> &'static [$crate::planner::Key] {
                &[$($($crate::planner::Key { name: $key, takes: $takes, help: $help },)?)*]
            }

            #[allow(unused_variables)]
            fn set(&mut self, key: &str, value: &str) -> bool {
                match key {
                    $($($key => {
                        let value: Option<$type> = $crate::planner::KeyValue::parse(value, $takes);
                        value.map(|value| self.$field = value).is_some()
                    })?)*
                    _ => false,
                }
            }

            fn get(&self, key: &str) -> Option<String> {
                match key {
                    $($($key => $crate::planner::KeyValue::text(&self.$field, $takes),)?)*
                    _ => None,
                }
            }

            fn get_default(&self, key: &str) -> Option<String> {
                Self::default().get(key)
            }
        }
    };
}

/// A planner spec that names nothing we know.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SpecError {
    /// Not of the form `name` or `name:key=value,...`.
    #[error("`{spec}` is not a planner spec: write `name` or `name:key=value,key=value`")]
    Form {
        /// The spec as given.
        spec: String,
    },
    /// No planner has that name.
    #[error("unknown planner `{name}`{suggestion}; known planners: {}", join(.known))]
    UnknownPlanner {
        /// The name as given.
        name: String,
        /// What may have been meant.
        suggestion: Suggestion,
        /// The names there are.
        known: Vec<&'static str>,
    },
    /// The planner has no such key.
    #[error("planner `{planner}` has no key `{key}`{suggestion}; {}", known_keys(.known))]
    UnknownKey {
        /// The planner's name.
        planner: &'static str,
        /// The key as given.
        key: String,
        /// What may have been meant.
        suggestion: Suggestion,
        /// The keys it has.
        known: Vec<&'static str>,
    },
    /// A key is given twice.
    #[error("planner spec gives the key `{key}` twice")]
    RepeatedKey {
        /// The key.
        key: String,
    },
    /// The key does not take that value.
    #[error("`{key}={value}` of planner `{planner}`: expected {expected}")]
    BadValue {
        /// The planner's name.
        planner: &'static str,
        /// The key.
        key: &'static str,
        /// The value as given.
        value: String,
        /// What the key takes.
        expected: &'static str,
    },
    /// The value is known, but together with this planner it would give wrong answers.
    #[error("planner `{planner}` cannot take `{key}={value}`: {reason}")]
    Refused {
        /// The planner's name.
        planner: &'static str,
        /// The key.
        key: &'static str,
        /// The value as given.
        value: String,
        /// Why, and what to do instead.
        reason: &'static str,
    },
    /// A key of a planner's spec that is no setting of its index.
    #[error("`{key}` says nothing about an index of kind `{kind}`; its settings: {}", join(.known))]
    NoSetting {
        /// The kind of the index.
        kind: &'static str,
        /// The key.
        key: String,
        /// The settings it has.
        known: Vec<&'static str>,
    },
    /// A key without which the planner cannot be made is missing.
    #[error("planner `{planner}` needs the key `{key}`: {expected}")]
    MissingKey {
        /// The planner's name.
        planner: &'static str,
        /// The key.
        key: &'static str,
        /// What the key takes.
        expected: &'static str,
    },
}

impl SpecError {
    /// That no planner has that name.
    pub(crate) fn unknown_planner(name: &str, known: Vec<&'static str>) -> Self {
        Self::UnknownPlanner { name: name.to_owned(), suggestion: nearest(name, &known), known }
    }

    /// That a key does not take a value.
    pub(crate) fn bad_value(planner: &'static str, key: &Key, value: &str) -> Self {
        Self::BadValue { planner, key: key.name, value: value.to_owned(), expected: key.takes }
    }

    /// That a planner has no such key.
    pub(crate) fn unknown_key(planner: &'static str, key: &str, known: Vec<&'static str>) -> Self {
        Self::UnknownKey { planner, key: key.to_owned(), suggestion: nearest(key, &known), known }
    }
}

fn known_keys(known: &[&str]) -> String {
    if known.is_empty() { "it has none".to_owned() } else { format!("known keys: {}", join(known)) }
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
