//! Indexes: what planners can build from a map beforehand and keep in a [file](crate::artifact); and the table of them all.
//!
//! ```
//! use octile::artifact::Artifact;
//! use octile::index::{self, Indexes};
//! use octile::{Grid, PlannerSpec, grid::generate};
//!
//! let grid = generate::maze(64, 64, 4, 1)?;
//! let bytes = (index::find("gates")?.build)(&grid); // write them to a file, and `Artifact::open` it another day
//! let indexes = Indexes::from([Artifact::from_bytes(bytes.into())?]);
//! let finder = "jps:prune=gates".parse::<PlannerSpec>()?.build_with(&grid, &indexes)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::sync::Arc;

use crate::Grid;
use crate::artifact::{Artifact, ArtifactError};
use crate::prune::{blocked_areas, gates};

/// Every kind of index there is.
pub static INDEXES: &[Entry] = &[blocked_areas::INDEX, gates::INDEX];

/// A kind of index in the table.
#[derive(Debug)]
pub struct Entry {
    /// Its kind, as in files and commands.
    pub kind: &'static str,
    /// What it is, in a few words.
    pub summary: &'static str,
    /// Builds it for a map: the bytes of a file.
    pub build: fn(&Grid) -> Vec<u8>,
    /// What a file holds, as names and values; reads all of it.
    pub describe: fn(&Artifact) -> Result<Vec<(&'static str, String)>, ArtifactError>,
}

/// No index has that name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown kind of index `{kind}`; known kinds: {}", INDEXES.iter().map(|entry| entry.kind).collect::<Vec<_>>().join(", "))]
pub struct UnknownKind {
    /// The name as given.
    pub kind: String,
}

/// The line of a kind of index in the table.
///
/// # Errors
/// If there is none.
pub fn find(kind: &str) -> Result<&'static Entry, UnknownKind> {
    INDEXES.iter().find(|entry| entry.kind == kind).ok_or_else(|| UnknownKind { kind: kind.to_owned() })
}

/// Opened index files, for planners to use instead of building their indexes: at most one of each kind counts, the last.
#[derive(Clone, Debug, Default)]
pub struct Indexes {
    artifacts: Vec<Arc<Artifact>>,
}

impl Indexes {
    /// Adds a file.
    pub fn push(&mut self, artifact: Artifact) {
        self.artifacts.push(Arc::new(artifact));
    }

    /// Those that were made for a map of this fingerprint.
    #[must_use]
    pub fn of_map(&self, fingerprint: u64) -> Self {
        let fits = |artifact: &&Arc<Artifact>| artifact.fingerprint() == fingerprint;
        Self { artifacts: self.artifacts.iter().filter(fits).cloned().collect() }
    }

    /// The kinds of those that it has.
    pub fn kinds(&self) -> impl Iterator<Item = &str> {
        self.artifacts.iter().map(|artifact| artifact.kind())
    }

    /// The file of a kind.
    pub(crate) fn get(&self, kind: &str) -> Option<&Artifact> {
        self.artifacts.iter().rev().find(|artifact| artifact.kind() == kind).map(|artifact| &**artifact)
    }
}

impl<const N: usize> From<[Artifact; N]> for Indexes {
    fn from(artifacts: [Artifact; N]) -> Self {
        Self { artifacts: artifacts.into_iter().map(Arc::new).collect() }
    }
}
