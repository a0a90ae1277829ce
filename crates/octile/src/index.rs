//! Indexes: what planners can build from a map beforehand and keep in a [file](crate::artifact); and the table of them all.
//!
//! ```
//! use octile::artifact::Artifact;
//! use octile::index::{self, Indexes};
//! use octile::{Grid, PlannerSpec, grid::generate};
//!
//! let grid = generate::maze(64, 64, 4, 1)?;
//! let bytes = index::find("gates")?.build_for(&grid)?; // write them to a file, and `Artifact::open` it another day
//! let indexes = Indexes::from([Artifact::from_bytes(bytes.into())?]);
//! let finder = "jps:prune=gates".parse::<PlannerSpec>()?.build_with(&grid, &indexes)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//! A spec can also name the file itself, `jps:prune=gates,index=arena.octx`: it is opened when the planner is built, and counts
//! before those given beside the spec.

use std::sync::Arc;

use crate::Grid;
use crate::algo::block_astar::lddb;
use crate::algo::{cpd, hub_labels};
use crate::artifact::{Artifact, ArtifactError};
use crate::error::BuildError;
use crate::prune::{blocked_areas, gates};

/// Every kind of index there is.
pub static INDEXES: &[Entry] = {
    let [tile, octile, any_angle, no_squeeze] = lddb::file::INDEXES;
    &[blocked_areas::INDEX, gates::INDEX, tile, octile, any_angle, no_squeeze, cpd::INDEX, hub_labels::INDEX]
};

/// A kind of index in the table.
#[derive(Debug)]
pub struct Entry {
    /// Its kind, as in files and commands.
    pub kind: &'static str,
    /// The version of its sections that is written, and read.
    pub version: u32,
    /// What it is, in a few words.
    pub summary: &'static str,
    /// Builds it: the bytes of a file.
    pub build: Build,
    /// What a file holds, as names and values; reads all of it.
    pub describe: fn(&Artifact) -> Result<Facts, ArtifactError>,
}

/// How an index is built.
#[derive(Clone, Copy, Debug)]
pub enum Build {
    /// From a map, and for that map alone.
    ForMap(fn(&Grid) -> Vec<u8>),
    /// From nothing, for all maps.
    ForAllMaps(fn() -> Vec<u8>),
    /// From a map, and for that map alone, in parts that can be built apart and put together. The text is its settings, as
    /// in a planner spec behind the colon; empty for the customary ones.
    InParts(fn(&Grid, &str) -> Result<cpd::Builder, BuildError>),
    /// From a map, and for that map alone, in some time: it tells from any thread how far it is. Not every map suits.
    Watched(fn(&Grid, Watch) -> Result<Vec<u8>, BuildError>),
}

/// Is told how far a build is, from any thread.
pub type Watch<'a> = &'a (dyn Fn(Progress) + Sync);

/// How far a build is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// What is being made.
    pub stage: &'static str,
    /// How many of these are done.
    pub done: u64,
    /// How many there will be.
    pub all: u64,
}

impl Entry {
    /// Whether one file is for all maps.
    #[must_use]
    pub const fn is_for_all_maps(&self) -> bool {
        matches!(self.build, Build::ForAllMaps(_))
    }

    /// Builds one that is of use for a map: the bytes of a file.
    ///
    /// # Errors
    /// If it would be too large, or the map does not suit.
    pub fn build_for(&self, grid: &Grid) -> Result<Vec<u8>, BuildError> {
        match self.build {
            Build::ForMap(build) => Ok(build(grid)),
            Build::ForAllMaps(build) => Ok(build()),
            Build::Watched(build) => build(grid, &|_| {}),
            Build::InParts(builder) => {
                let builder = builder(grid, "")?;
                Ok(builder.part(0..builder.sources(), &|| {})?.finish())
            }
        }
    }

    /// Checks that a file is of this kind and version, and made for exactly this map or, if this kind is, for all maps.
    ///
    /// # Errors
    /// As [`Artifact::check`] or [`Artifact::check_for_all_maps`].
    pub fn check<D: AsRef<[u8]>>(&self, artifact: &Artifact<D>, grid: &Grid) -> Result<(), ArtifactError> {
        match self.build {
            Build::ForMap(_) | Build::InParts(_) | Build::Watched(_) => artifact.check(self.kind, self.version, grid),
            Build::ForAllMaps(_) => artifact.check_for_all_maps(self.kind, self.version),
        }
    }

    /// The command that makes such a file.
    #[must_use]
    pub fn command(&self) -> String {
        let map = if self.is_for_all_maps() { "" } else { " MAP" };
        format!("octile build {}{map} -o FILE", self.kind)
    }
}

/// Facts about an index: what each is called, and its value.
pub type Facts = Vec<(&'static str, String)>;

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
    pub fn push(&mut self, artifact: impl Into<Arc<Artifact>>) {
        self.artifacts.push(artifact.into());
    }

    /// Those that were made for a map of this fingerprint, or for all maps.
    #[must_use]
    pub fn of_map(&self, fingerprint: u64) -> Self {
        let fits = |artifact: &&Arc<Artifact>| artifact.is_for_all_maps() || artifact.fingerprint() == fingerprint;
        Self { artifacts: self.artifacts.iter().filter(fits).cloned().collect() }
    }

    /// The kinds of those that it has.
    pub fn kinds(&self) -> impl Iterator<Item = &str> {
        self.artifacts.iter().map(|artifact| artifact.kind())
    }

    /// The file of a kind.
    pub(crate) fn get(&self, kind: &str) -> Option<&Arc<Artifact>> {
        self.artifacts.iter().rev().find(|artifact| artifact.kind() == kind)
    }
}

impl<const N: usize> From<[Artifact; N]> for Indexes {
    fn from(artifacts: [Artifact; N]) -> Self {
        Self { artifacts: artifacts.into_iter().map(Arc::new).collect() }
    }
}
