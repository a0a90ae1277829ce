//! The keys of planner specs: what each key accepts and requires, and how a config reads and writes its value.
//!
//! A [`Key`] is data: help, error messages, suggestions, shell completion, the bindings' catalogs and the playground's
//! controls are generated from it. [`config!`](crate::config) declares a planner's keys together with its config.

use std::fmt;

use super::config::{Config, Refusal};
use super::size;
use super::spec_error::SpecError;
use crate::geometry::{Endpoints, Weight};
use crate::grid::Squeeze;

/// The values of a config's keys, as text. [`config!`](crate::config) implements it.
pub trait Keys {
    /// The keys.
    fn keys(&self) -> &'static [Key];

    /// Sets the value of a key. Returns `false`, and changes nothing, if the key does not accept this value.
    fn set(&mut self, key: &str, value: &str) -> bool;

    /// The value of a key; `None` if it is unset.
    fn get(&self, key: &str) -> Option<String>;

    /// The default value of a key.
    fn get_default(&self, key: &str) -> Option<String>;

    /// The key with this name.
    fn key(&self, name: &str) -> Option<&'static Key> {
        self.keys().iter().find(|key| key.name == name)
    }
}

/// A key of a planner's spec.
///
/// ```
/// use octile::Catalog;
/// let keys = Catalog::standard().planner("rea-star")?.keys();
/// let swap = keys.iter().find(|key| key.name == "swap").unwrap();
/// assert_eq!(swap.takes.words(), ["on", "off"]);
/// assert_eq!(swap.expected(), "on or off, together with fronts=cells");
/// # Ok::<(), octile::planner::SpecError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Key {
    /// Its name.
    pub name: &'static str,
    /// What it accepts.
    pub takes: Takes,
    /// What it requires besides its value, if anything.
    pub needs: Option<Requirement>,
    /// A description for help texts.
    pub help: &'static str,
}

impl Key {
    /// A key whose values are of type `T`.
    pub const fn of<T: KeyValue>(name: &'static str, help: &'static str) -> Self {
        Self { name, takes: T::TAKES, needs: None, help }
    }

    /// The same key, restricted to some values of its type.
    #[must_use]
    pub const fn takes(self, takes: Takes) -> Self {
        Self { takes, ..self }
    }

    /// The same key with a requirement.
    #[must_use]
    pub const fn needs(self, needs: Requirement) -> Self {
        Self { needs: Some(needs), ..self }
    }

    /// What the key accepts and requires, as in "expected ...".
    pub fn expected(&self) -> String {
        let needs = self.needs.map_or_else(String::new, |needs| needs.to_string());
        format!("{}{needs}", self.takes)
    }

    /// Parses a value of this key.
    pub(crate) fn parse<T: KeyValue>(&'static self, planner: &'static str, value: &str) -> Result<T, SpecError> {
        T::parse(value, self.takes).ok_or_else(|| SpecError::bad_value(planner, self, value))
    }
}

/// What a key accepts. Its text reads as in "expected ...".
///
/// ```
/// use octile::planner::Takes;
/// assert_eq!(Takes::Words(&["allow", "shorten", "stop"]).to_string(), "allow, shorten or stop");
/// assert_eq!(Takes::Number { from: 1, to: 9, decimals: 0 }.to_string(), "a whole number from 1 to 9");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Takes {
    /// One of these words.
    Words(&'static [&'static str]),
    /// A number in a range.
    Number {
        /// The smallest number.
        from: u64,
        /// The largest number.
        to: u64,
        /// The maximum number of decimals; 0 for whole numbers.
        decimals: u8,
    },
    /// A number of bytes, with or without a unit: a [`Size`](super::Size).
    Size,
    /// The path of an index file.
    IndexFile,
    /// One of these words, or another value.
    Other {
        /// The words.
        words: &'static [&'static str],
        /// The other values, as in "expected ...".
        or: &'static str,
    },
}

impl Takes {
    /// The words that it accepts; none for numbers, sizes and files.
    pub const fn words(self) -> &'static [&'static str] {
        match self {
            Self::Words(words) | Self::Other { words, .. } => words,
            Self::Number { .. } | Self::Size | Self::IndexFile => &[],
        }
    }

    /// The words, if it accepts nothing else: a list to choose from.
    pub const fn choices(self) -> &'static [&'static str] {
        if let Self::Words(words) = self { words } else { &[] }
    }

    /// Whether a text is a number in this range. The key's type checks the rest when it parses the text.
    fn is_in_range(self, text: &str) -> bool {
        let Self::Number { from, to, .. } = self else { return true };
        text.parse().is_ok_and(|number: f64| (from as f64..=to as f64).contains(&number))
    }
}

impl fmt::Display for Takes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Words([first @ .., last]) if !first.is_empty() => write!(f, "{} or {last}", first.join(", ")),
            Self::Words(words) => f.write_str(&words.concat()),
            Self::Number { from, to, decimals: 0 } => write!(f, "a whole number from {from} to {to}"),
            Self::Number { from, to, decimals } => {
                write!(f, "a number from {from} to {to} with at most ")?;
                match decimals {
                    1 => f.write_str("one decimal"),
                    2 => f.write_str("two decimals"),
                    3 => f.write_str("three decimals"),
                    more => write!(f, "{more} decimals"),
                }
            }
            Self::Size => f.write_str(size::EXPECTED),
            Self::IndexFile => f.write_str("the name of an index file, in which there can be no comma"),
            Self::Other { words: [], or } => f.write_str(or),
            Self::Other { words, or } => write!(f, "{}, or {or}", words.join(", ")),
        }
    }
}

/// What a key requires; without it the key is refused. Its text follows that of [`Takes`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Requirement {
    /// Another key with a certain value, or with several values joined by `+` that include it.
    Value {
        /// The other key.
        key: &'static str,
        /// Its value.
        value: &'static str,
        /// The only word that has this requirement; `None` if all values have it.
        only: Option<&'static str>,
        /// The reason, for the error message.
        because: &'static str,
    },
    /// A planner with any-angle paths, or smoothing.
    AnyAngle,
    /// A planner that uses an index.
    Index,
}

impl Requirement {
    /// Requires another key with a certain value, with the reason for the error message.
    pub const fn value(key: &'static str, value: &'static str, because: &'static str) -> Self {
        Self::Value { key, value, only: None, because }
    }

    /// Refuses the value of a key if the config does not have the other value that it requires.
    fn check(self, config: &dyn Config, key: &'static str, given: String) -> Result<(), SpecError> {
        let Self::Value { key: other, value, only, because } = self else { return Ok(()) };
        let is_there = || config.get(other).is_some_and(|values| values.split('+').any(|one| one == value));
        if only.is_some_and(|only| only != given) || is_there() {
            return Ok(());
        }
        let reason = format!("{because}; add {other}={value}");
        Err(SpecError::Refused { planner: config.about().name, key, value: given, reason })
    }
}

impl fmt::Display for Requirement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Value { key, value, only: None, .. } => write!(f, ", together with {key}={value}"),
            Self::Value { key, value, only: Some(only), .. } => write!(f, ", {only} together with {key}={value}"),
            Self::AnyAngle => f.write_str(", with smooth=greedy or an any-angle planner"),
            Self::Index => Ok(()),
        }
    }
}

/// The key for the squeeze rule of any-angle paths, which all planners share.
pub(crate) const SQUEEZE: Key = Key::of::<Squeeze>(
    "squeeze",
    "whether any-angle paths may pass between obstacles that touch at a corner; default allowed",
)
.needs(Requirement::AnyAngle);

/// The key for the endpoints of any-angle paths, which all planners share.
pub(crate) const ENDS: Key = Key::of::<Endpoints>(
    "ends",
    "whether any-angle paths begin and end at the upper left corners of cells or at their centres; default corners",
)
.needs(Requirement::AnyAngle);

/// Parses the part of a spec after the colon into keys and values. No key may occur twice.
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

/// Parses the settings of an index: values for some of its planner's keys, as in a spec after the colon. Calls `set`
/// for each.
pub(crate) fn settings(
    kind: &'static str,
    text: &str,
    known: &[&'static Key],
    mut set: impl FnMut(&'static Key, &str) -> Result<(), SpecError>,
) -> Result<(), SpecError> {
    let pairs = if text.is_empty() { Vec::new() } else { pairs(text, text)? };
    for (name, value) in pairs {
        let key = known.iter().find(|key| key.name == name).ok_or_else(|| {
            let known = known.iter().map(|key| key.name).collect();
            SpecError::NoSetting { kind, key: name.to_owned(), known }
        })?;
        set(key, value)?;
    }
    Ok(())
}

/// Sets the value of a config's key.
pub(crate) fn set(config: &mut dyn Config, key: &'static Key, value: &str) -> Result<(), SpecError> {
    if config.set(key.name, value) { Ok(()) } else { Err(SpecError::bad_value(config.about().name, key, value)) }
}

/// Checks that the values of a config do not contradict each other, and that every key's requirement is met.
pub(crate) fn check(config: &dyn Config) -> Result<(), SpecError> {
    config.check().map_err(|Refusal { key, reason }| SpecError::Refused {
        planner: config.about().name,
        key,
        value: config.get(key).or_else(|| config.facts().squeeze().map(|rule| rule.to_string())).unwrap_or_default(),
        reason: reason.to_owned(),
    })?;
    for key in config.keys() {
        let given = config.get(key.name).filter(|_| config.get(key.name) != config.get_default(key.name));
        if let (Some(needs), Some(given)) = (key.needs, given) {
            needs.check(config, key.name, given)?;
        }
    }
    Ok(())
}

/// The keys of a config that differ from their default or are required, with their values.
pub(crate) fn values(config: &dyn Config) -> Vec<(&'static str, String)> {
    let given = |key: &Key| {
        let value = config.get(key.name)?;
        let is_said = config.required().contains(&key.name) || config.get_default(key.name).as_ref() != Some(&value);
        is_said.then_some((key.name, value))
    };
    config.keys().iter().filter_map(given).collect()
}

/// Formats a spec from the name of a planner and values of its keys.
pub(crate) fn spec(name: &str, values: &[(&'static str, String)]) -> String {
    let values: Vec<String> = values.iter().map(|(key, value)| format!("{key}={value}")).collect();
    format!("{name}{}{}", if values.is_empty() { "" } else { ":" }, values.join(","))
}

/// A type of key values.
///
/// Numbers and names are written as text. A `bool` is written as one of two words, the first for `true`: `on` and
/// `off`, unless the key says otherwise. An `Option` may be left out.
pub trait KeyValue: Sized {
    /// What a key of this type accepts, unless the key says otherwise.
    const TAKES: Takes;

    /// Parses a value of a key that accepts `takes`.
    fn parse(text: &str, takes: Takes) -> Option<Self>;

    /// The text of a value; `None` if it is left out.
    fn text(&self, takes: Takes) -> Option<String>;
}

impl KeyValue for bool {
    const TAKES: Takes = Takes::Words(&["on", "off"]);

    fn parse(text: &str, takes: Takes) -> Option<Self> {
        takes.words().iter().position(|&word| word == text).map(|place| place == 0)
    }

    fn text(&self, takes: Takes) -> Option<String> {
        takes.words().get(usize::from(!self)).map(|&word| word.to_owned())
    }
}

impl<T: KeyValue> KeyValue for Option<T> {
    const TAKES: Takes = T::TAKES;

    fn parse(text: &str, takes: Takes) -> Option<Self> {
        T::parse(text, takes).map(Some)
    }

    fn text(&self, takes: Takes) -> Option<String> {
        self.as_ref()?.text(takes)
    }
}

/// Implements `KeyValue` for types that are written with `Display` and parsed with `FromStr`.
macro_rules! plain_values {
    ($($type:ty: $takes:expr;)+) => { $(
        impl KeyValue for $type {
            const TAKES: Takes = $takes;

            fn parse(text: &str, takes: Takes) -> Option<Self> {
                if takes.is_in_range(text) { text.parse().ok() } else { None }
            }

            fn text(&self, _: Takes) -> Option<String> {
                Some(self.to_string())
            }
        }
    )+ };
}

plain_values! {
    Endpoints: Takes::Words(&[Self::Corners.name(), Self::Centres.name()]);
    Squeeze: Takes::Words(&[Self::Allowed.name(), Self::Forbidden.name()]);
    Weight: Takes::Number { from: 1, to: 1000, decimals: 3 };
    u32: Takes::Number { from: 0, to: Self::MAX as u64, decimals: 0 };
    u64: Takes::Number { from: 0, to: Self::MAX, decimals: 0 };
    usize: Takes::Number { from: 0, to: Self::MAX as u64, decimals: 0 };
    f64: Takes::Other { words: &[], or: "a number" };
    String: Takes::Other { words: &[], or: "a text without a comma" };
}

/// Declares a planner's config: plain data with builder methods, [`Keys`], and an `ENTRY` for catalogs.
///
/// A field with brackets is a key of the spec: its name and description. What it accepts follows from its
/// [type](KeyValue), or is given after `takes`; what it [requires](Requirement) is given after `needs`. Attributes,
/// such as those that derive serde's traits, go before the struct; `Clone`, `Debug`, `Default` and `PartialEq` are
/// derived. To make it a planner, also implement [`Config`].
///
/// ```
/// use octile::planner::{Keys, Requirement, Takes};
/// octile::config! {
///     /// A planner that takes its time.
///     pub struct Slow {
///         /// How many times it checks.
///         times: u32 ["times": "how many times it checks; default 0", takes Takes::Number { from: 0, to: 9, decimals: 0 }],
///         /// Whether it says so.
///         says: bool ["says": "whether it says so; default off",
///             needs Requirement::value("times", "1", "there is nothing to say")],
///     }
/// }
/// # use octile::planner::Facts;
/// # use octile::{Build, BuildError, Config, Movement, Planner};
/// # use octile::planner::About;
/// # impl Config for Slow {
/// #     fn about(&self) -> &'static About { todo!() }
/// #     fn facts(&self) -> Facts { Facts::optimal("slow", &Movement::ALL) }
/// #     fn build(&self, _: &Build<'_>) -> Result<Box<dyn Planner>, BuildError> { todo!() }
/// # }
/// let mut slow = Slow::default().times(3_u32);
/// assert!(slow.set("says", "on") && slow.says);
/// assert!(!slow.set("says", "perhaps") && !slow.set("times", "10"));
/// assert_eq!(slow.get("times").as_deref(), Some("3"));
/// assert_eq!(slow.key("says").unwrap().expected(), "on or off, together with times=1");
/// ```
#[macro_export]
macro_rules! config {
    (
        $(#[$meta:meta])*
        $vis:vis struct $config:ident {
            $(
                $(#[$field_meta:meta])*
                $field:ident: $type:ty $([$key:literal: $help:expr $(, takes $takes:expr)? $(, needs $needs:expr)?])?
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
            /// The planner's entry in a catalog.
            pub const ENTRY: $crate::planner::Entry = $crate::planner::Entry::of::<Self>();

            /// Builds the planner for a map, or from a complete [`Build`]($crate::Build).
            ///
            /// # Errors
            /// If the planner cannot be built for this map, or not from these index files.
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
                const KEYS: &[$crate::planner::Key] = &[$($(
                    $crate::planner::Key::of::<$type>($key, $help)$(.takes($takes))?$(.needs($needs))?,
                )?)*];
                KEYS
            }

            #[allow(unused_variables)]
            fn set(&mut self, key: &str, value: &str) -> bool {
                let Some(known) = $crate::planner::Keys::key(self, key) else { return false };
                match key {
                    $($($key => {
                        let value: Option<$type> = $crate::planner::KeyValue::parse(value, known.takes);
                        value.map(|value| self.$field = value).is_some()
                    })?)*
                    _ => false,
                }
            }

            #[allow(unused_variables)]
            fn get(&self, key: &str) -> Option<String> {
                let known = $crate::planner::Keys::key(self, key)?;
                match key {
                    $($($key => $crate::planner::KeyValue::text(&self.$field, known.takes),)?)*
                    _ => None,
                }
            }

            fn get_default(&self, key: &str) -> Option<String> {
                Self::default().get(key)
            }
        }
    };
}
