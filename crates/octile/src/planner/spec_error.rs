//! What can be wrong with a planner spec.

use super::build::join;
use super::keys::Key;
use super::suggest::{Suggestion, nearest};

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
    #[error("`{}={value}` of planner `{planner}`: expected {}{suggestion}", .key.name, .key.expected())]
    BadValue {
        /// The planner's name.
        planner: &'static str,
        /// The key, with what it takes.
        key: &'static Key,
        /// The value as given.
        value: String,
        /// What may have been meant.
        suggestion: Suggestion,
    },
    /// The key takes the value, but not with this planner, or not without another key.
    #[error("planner `{planner}` cannot take `{key}={value}`: {reason}")]
    Refused {
        /// The planner's name.
        planner: &'static str,
        /// The key.
        key: &'static str,
        /// The value as given.
        value: String,
        /// Why, and what to do instead.
        reason: String,
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
    #[error("planner `{planner}` needs the key `{}`: {}", .key.name, .key.expected())]
    MissingKey {
        /// The planner's name.
        planner: &'static str,
        /// The key, with what it takes.
        key: &'static Key,
    },
}

impl SpecError {
    /// That no planner has that name.
    pub(crate) fn unknown_planner(name: &str, known: Vec<&'static str>) -> Self {
        Self::UnknownPlanner { name: name.to_owned(), suggestion: nearest(name, &known), known }
    }

    /// That a key does not take a value.
    pub(crate) fn bad_value(planner: &'static str, key: &'static Key, value: &str) -> Self {
        Self::BadValue { planner, key, value: value.to_owned(), suggestion: nearest(value, key.takes.words()) }
    }

    /// That a planner has no such key.
    pub(crate) fn unknown_key(planner: &'static str, key: &str, known: Vec<&'static str>) -> Self {
        Self::UnknownKey { planner, key: key.to_owned(), suggestion: nearest(key, &known), known }
    }
}

fn known_keys(known: &[&str]) -> String {
    if known.is_empty() { "it has none".to_owned() } else { format!("known keys: {}", join(known)) }
}
