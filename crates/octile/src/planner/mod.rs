//! The planner contract: how a planner is described, built, queried, observed and updated after map edits. Nothing here
//! refers to a particular planner by name.

mod answer;
mod budget;
mod build;
mod config;
mod contract;
mod error;
mod event;
mod facts;
mod index;
mod index_view;
pub(crate) mod keys;
mod limits;
mod names;
mod options;
mod probe;
mod query;
mod scratch;
mod size;
mod spec_error;
mod suggest;

/// Re-exports the macro, which `#[macro_export]` puts at the crate root.
pub(crate) use crate::config;

pub use self::answer::{Answer, AnswerSummary, Status};
pub use self::budget::{Budget, OverBudget, Resource};
pub(crate) use self::build::is_set;
pub use self::build::{Build, BuildError, BuildSteps, IndexFault, Reason};
pub use self::config::{About, Config, Entry, IndexEffort, Refusal};
pub use self::contract::Planner;
pub use self::error::{EditError, End, QueryError};
pub use self::event::Event;
pub use self::facts::{Facts, Geometry, Guarantee, Native, OnEdit};
pub use self::index::{
    BuiltIndex, InParts, IndexBuild, IndexContents, IndexKind, Indexes, MergeFault, NewInParts, PartInfo, Progress,
    Watch,
};
pub use self::index_view::{FirstMoves, Hub, IndexView, Labels, Repairs};
pub use self::keys::{Key, KeyValue, Keys, Requirement, Takes};
pub use self::limits::{Limit, Limits};
pub(crate) use self::names::names;
pub use self::options::{NoTime, QueryOptions, seconds};
pub use self::probe::{Counts, NoProbe, Probe, ProbePair, Trace};
pub use self::query::{AnyGoalQuery, Goals, Nearest, PathQuery, Query};
pub(crate) use self::scratch::size_bytes;
pub use self::scratch::{PlannerId, Scratch, SizeBytes};
pub use self::size::Size;
pub use self::spec_error::SpecError;
pub use self::suggest::Suggestion;
pub(crate) use self::suggest::nearest;
