//! What can go wrong, one small type per operation. A missing path is an answer, not an error.

use std::fmt;
use std::path::PathBuf;

use crate::artifact::{self, ArtifactError};
use crate::grid::{MAX_CELLS, MAX_SIDE, Movement};
use crate::{Cell, Grid, LoadFault};

/// A map that cannot be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GridError {
    /// A side is 0.
    #[error("a map of {width} x {height} cells is empty: both sides must be at least 1")]
    Empty {
        /// Cells in a row.
        width: u64,
        /// Rows.
        height: u64,
    },
    /// A side, or the number of cells, is over the limit.
    #[error("a map of {width} x {height} cells is too large: at most {MAX_SIDE} a side and {MAX_CELLS} in all")]
    TooLarge {
        /// Cells in a row.
        width: u64,
        /// Rows.
        height: u64,
    },
}

/// One end of a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// Where the path begins.
    Start,
    /// Where it ends.
    Goal,
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Start => "start",
            Self::Goal => "goal",
        })
    }
}

/// A query that no planner can answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum QueryError {
    /// An endpoint does not lie on the map.
    #[error("{end} {cell} is off the map: x must be below {width} and y below {height}")]
    OffMap {
        /// Which endpoint.
        end: End,
        /// The endpoint.
        cell: Cell,
        /// Cells in a row of the map.
        width: u32,
        /// Rows of the map.
        height: u32,
    },
    /// An endpoint is blocked.
    #[error("{end} {cell} is blocked: choose a free cell")]
    Blocked {
        /// Which endpoint.
        end: End,
        /// The endpoint.
        cell: Cell,
    },
    /// The scratch was made by a planner for another map.
    #[error("this scratch was made for another map: make one with the planner's own `create_scratch`")]
    ForeignScratch,
}

impl QueryError {
    /// Checks one endpoint.
    pub(crate) fn check(grid: &Grid, end: End, cell: Cell) -> Result<(), Self> {
        if !grid.contains(cell) {
            return Err(Self::OffMap { end, cell, width: grid.width(), height: grid.height() });
        }
        if !grid.is_free(cell) {
            return Err(Self::Blocked { end, cell });
        }
        Ok(())
    }
}

/// A planner that cannot be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BuildError {
    /// The planner does not work under the grid's movement rule.
    #[error("planner `{planner}` does not support movement `{asked}`; it supports {}", join(.supported))]
    Movement {
        /// The planner's spec.
        planner: String,
        /// The grid's rule.
        asked: Movement,
        /// The rules it works under.
        supported: &'static [Movement],
    },
    /// The planner's spec is wrong.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// An index file that was [given](crate::PlannerSpec::build_with) is not one for this map.
    #[error(transparent)]
    Index(#[from] ArtifactError),
    /// An index file is not what the spec asks for.
    #[error(
        "the index of planner `{planner}` has `{found}`, but the spec asks for `{asked}`: leave these keys out, or build such an index"
    )]
    OtherSettings {
        /// The planner's name.
        planner: &'static str,
        /// What the index is like.
        found: String,
        /// What the spec asks for.
        asked: String,
    },
    /// The index takes too long to be built just now.
    #[error(
        "the index of planner `{planner}` takes long to build for {cells} free cells (at most {most} are done at once): build it beforehand with `octile build {kind} MAP -o FILE`, and give the file"
    )]
    Slow {
        /// The planner's name.
        planner: &'static str,
        /// The free cells of the map.
        cells: u32,
        /// The most for which it is built just now.
        most: u32,
        /// The kind of the index.
        kind: &'static str,
    },
    /// The index would be too large.
    #[error(
        "an index of kind `{kind}` for {cells} free cells takes {bytes} bytes and more, at most {most} fit into a file: {hint}"
    )]
    TooLarge {
        /// The kind of the index.
        kind: &'static str,
        /// The free cells of the map.
        cells: u32,
        /// Its bytes, at least.
        bytes: u64,
        /// The most bytes.
        most: u64,
        /// What to do instead.
        hint: &'static str,
    },
    /// The index takes too long to be built just now for this map, as far as the build got.
    #[error(
        "the index of planner `{planner}` takes long to build for this map ({reason}): build it beforehand with `octile build {kind} MAP -o FILE` and give the file, or use planner `{instead}`"
    )]
    SlowMap {
        /// The planner's name.
        planner: &'static str,
        /// What took long, in words and numbers.
        reason: String,
        /// The kind of the index.
        kind: &'static str,
        /// The planner to use instead.
        instead: &'static str,
    },
    /// The map does not suit the index.
    #[error("this map does not suit an index of kind `{kind}`: {reason}; use planner `{instead}`")]
    Unsuited {
        /// The kind of the index.
        kind: &'static str,
        /// Why, in words and numbers.
        reason: String,
        /// The planner to use instead.
        instead: &'static str,
    },
    /// The index file that the spec names cannot be used.
    #[error("{}: {fault}", .file.display())]
    IndexFile {
        /// The file.
        file: PathBuf,
        /// Why.
        fault: IndexFault,
    },
}

/// Why an index file that a spec names cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum IndexFault {
    /// It cannot be read.
    #[error("{reason}; make an index file with `{}`", artifact::command(.kind))]
    Unreadable {
        /// Why, in words.
        reason: String,
        /// What it should be.
        kind: &'static str,
    },
    /// It is no index file, is damaged, or was not made for this map.
    #[error(transparent)]
    Unfit(#[from] ArtifactError),
    /// The planner has no use for such an index.
    #[error(
        "is an index of kind `{found}`, but planner `{planner}` uses `{}`: make one with `{}`",
        .used.join("` or `"), artifact::command(.used.first().unwrap_or(&"KIND"))
    )]
    Unused {
        /// What the index is.
        found: String,
        /// The planner's name.
        planner: &'static str,
        /// The kinds that it uses.
        used: Vec<&'static str>,
    },
}

impl IndexFault {
    /// Of a file that should be an index of a kind and cannot be opened.
    pub(crate) fn unopened(fault: LoadFault, kind: &'static str) -> Self {
        match fault {
            LoadFault::Index(fault) => Self::Unfit(fault),
            fault => Self::Unreadable { reason: fault.to_string(), kind },
        }
    }
}

impl BuildError {
    /// Checks that a planner works under the rule of `grid`.
    pub(crate) fn check_movement(planner: &str, grid: &Grid, supported: &'static [Movement]) -> Result<(), Self> {
        let asked = grid.movement();
        if supported.contains(&asked) {
            return Ok(());
        }
        Err(Self::Movement { planner: planner.to_owned(), asked, supported })
    }
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
    #[error("unknown planner `{name}`; known planners: {}", join(.known))]
    UnknownPlanner {
        /// The name as given.
        name: String,
        /// The names there are.
        known: Vec<&'static str>,
    },
    /// The planner has no such key.
    #[error("planner `{planner}` has no key `{key}`; {}", known_keys(.known))]
    UnknownKey {
        /// The planner's name.
        planner: &'static str,
        /// The key as given.
        key: String,
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
        expected: String,
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
        expected: String,
    },
}

/// A change to the map that could not be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EditError {
    /// An edited cell does not lie on the map. Nothing has changed.
    #[error("edited cell {cell} is off the map: x must be below {width} and y below {height}")]
    OffMap {
        /// The cell.
        cell: Cell,
        /// Cells in a row of the map.
        width: u32,
        /// Rows of the map.
        height: u32,
    },
    /// The planner's index cannot follow the change. The planner still answers for the map it was built for.
    #[error("the index of planner `{planner}` cannot follow changes of the map: build it again for the new map")]
    RebuildNeeded {
        /// The planner's name.
        planner: &'static str,
    },
}

fn join<T: fmt::Display>(items: &[T]) -> String {
    items.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

fn known_keys(known: &[&str]) -> String {
    if known.is_empty() { "it has none".to_owned() } else { format!("known keys: {}", join(known)) }
}
