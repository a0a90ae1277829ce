//! Errors in planner specs.

use super::build::join;
use super::keys::Key;
use super::suggest::{Suggestion, nearest};

/// Why a text is not a valid planner spec.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SpecError {
    /// The text does not have the form `name` or `name:key=value,...`.
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
        /// A similar known name.
        suggestion: Suggestion,
        /// The known names.
        known: Vec<&'static str>,
    },
    /// The planner has no such key.
    #[error("planner `{planner}` has no key `{key}`{suggestion}; {}", known_keys(.known))]
    UnknownKey {
        /// The planner's name.
        planner: &'static str,
        /// The key as given.
        key: String,
        /// A similar known name.
        suggestion: Suggestion,
        /// The planner's keys.
        known: Vec<&'static str>,
    },
    /// A key is given twice.
    #[error("planner spec gives the key `{key}` twice")]
    RepeatedKey {
        /// The key.
        key: String,
    },
    /// The key does not accept this value.
    #[error("`{}={value}` of planner `{planner}`: expected {}{suggestion}", .key.name, .key.expected())]
    BadValue {
        /// The planner's name.
        planner: &'static str,
        /// The key, including what it accepts.
        key: &'static Key,
        /// The value as given.
        value: String,
        /// A similar known value.
        suggestion: Suggestion,
    },
    /// The key accepts this value, but not with this planner, or not without another key.
    #[error("planner `{planner}` cannot take `{key}={value}`: {reason}")]
    Refused {
        /// The planner's name.
        planner: &'static str,
        /// The key.
        key: &'static str,
        /// The value as given.
        value: String,
        /// Why the value is refused, and what to do instead.
        reason: String,
    },
    /// The key belongs to the planner's spec, but is not a setting of its index.
    #[error("`{key}` is not a setting of index kind `{kind}`; its settings: {}", join(.known))]
    NoSetting {
        /// The kind of the index.
        kind: &'static str,
        /// The key.
        key: String,
        /// The settings of the index.
        known: Vec<&'static str>,
    },
    /// A required key is missing.
    #[error("planner `{planner}` needs the key `{}`: {}", .key.name, .key.expected())]
    MissingKey {
        /// The planner's name.
        planner: &'static str,
        /// The key, including what it accepts.
        key: &'static Key,
    },
}

impl SpecError {
    /// The error for a name that no planner has.
    pub(crate) fn unknown_planner(name: &str, known: Vec<&'static str>) -> Self {
        Self::UnknownPlanner { name: name.to_owned(), suggestion: nearest(name, &known), known }
    }

    /// The error for a value that a key does not accept.
    pub(crate) fn bad_value(planner: &'static str, key: &'static Key, value: &str) -> Self {
        Self::BadValue { planner, key, value: value.to_owned(), suggestion: nearest(value, key.takes.words()) }
    }

    /// The error for a key that a planner does not have.
    pub(crate) fn unknown_key(planner: &'static str, key: &str, known: Vec<&'static str>) -> Self {
        Self::UnknownKey { planner, key: key.to_owned(), suggestion: nearest(key, &known), known }
    }
}

fn known_keys(known: &[&str]) -> String {
    if known.is_empty() { "it has none".to_owned() } else { format!("known keys: {}", join(known)) }
}
