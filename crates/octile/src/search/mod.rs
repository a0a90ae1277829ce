//! What a planner is: what it is asked, what it promises, how it is described, built, watched and told of changes; and what
//! searches share. No planner is known here by name.

mod answer;
mod ask;
mod budget;
mod build;
pub(crate) mod cells;
pub(crate) mod config;
pub(crate) mod ds;
mod error;
pub(crate) mod fares;
mod field;
mod film;
pub(crate) mod history;
mod index;
mod limits;
pub(crate) mod many;
mod names;
pub(crate) mod nodes;
pub mod parts;
pub(crate) mod pause;
mod planner;
mod probe;
mod query;
pub(crate) mod ranking;
mod scratch;
mod size;
mod slices;
mod stale;
mod suggest;
mod terms;
pub(crate) mod vectors;
pub(crate) mod widths;
pub(crate) mod workers;
mod wrapper;

/// The macro: it stands at the root of the crate, as all macros that others can use.
pub(crate) use crate::config;

pub use self::answer::{Answer, Reply, Status};
pub use self::budget::{Budget, OverBudget, Resource};
pub(crate) use self::build::is_set;
pub use self::build::{Build, BuildError, BuildSteps, IndexFault, Reason};
pub use self::config::{About, Config, Entry, IndexEffort, Key, KeyValue, Keys, Native, Refusal, SpecError};
pub use self::error::{EditError, End, QueryError};
pub use self::field::{Distances, Field, distances};
pub use self::film::{Event, Film};
pub use self::index::{
    Facts, InParts, IndexBuild, IndexKind, Indexes, MergeFault, NewInParts, PartInfo, Progress, Watch,
};
pub use self::limits::{Limit, Limits};
pub use self::names::UnknownName;
pub(crate) use self::names::names;
pub use self::planner::{Guarantee, OnEdit, Planner, Slicing};
pub use self::probe::{Both, Counts, NoProbe, Probe, Trace};
pub use self::query::{Goals, Nearest, Query, Trip, Trips};
pub(crate) use self::scratch::size_bytes;
pub use self::scratch::{PlannerId, Scratch, SizeBytes};
pub(crate) use self::size::EXPECTED as SIZE_EXPECTED;
pub use self::size::{ParseSizeError, Size};
pub(crate) use self::slices::Slices;
pub(crate) use self::stale::Stale;
pub use self::stale::{Former, Hub, Labels};
pub use self::suggest::Suggestion;
pub(crate) use self::suggest::nearest;
pub use self::terms::{NoTime, Terms, seconds};
pub(crate) use self::wrapper::Wrapper;
pub use self::wrapper::{centred, smoothed};
