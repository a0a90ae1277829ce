//! Indexes: data that a planner can build from a map in advance and keep in a [file](crate::artifact).
//!
//! ```
//! use octile::artifact::Artifact;
//! use octile::{Build, Catalog, Config, Jps};
//! use octile::algo::pruners::Pruners;
//! use octile::formats::generate;
//! use octile::planner::Indexes;
//!
//! let grid = generate::maze(64, 64, 4, 1)?;
//! let bytes = Catalog::standard().index("gates")?.build_for(&grid)?; // write them to a file, and `Artifact::open` it another day
//! let indexes = Indexes::from([Artifact::from_bytes(bytes.into())?]);
//! let planner = Jps::default().prune(Pruners::Gates).build(&Build::new(&grid).with(indexes))?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//! A spec can also name the file itself: `jps:prune=gates,index=arena.octx`. That file is opened when the planner is
//! built, and takes precedence over index files passed to the build.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use super::budget::Budget;
use super::build::{Build, BuildError, Reason, is_set};
use super::config::IndexEffort;
use super::spec_error::SpecError;
use crate::artifact::{Artifact, ArtifactError, ArtifactWriter};
use crate::grid::Grid;

/// A kind of index in a [catalog](crate::Catalog).
#[derive(Clone, Copy, Debug)]
pub struct IndexKind {
    /// Its name in files and commands.
    pub kind: &'static str,
    /// The version of its sections, both written and read.
    pub version: u32,
    /// A short description.
    pub summary: &'static str,
    /// Builds the index, as the bytes of a file.
    pub build: IndexBuild,
    /// Lists the contents of a file as names and values; reads the whole file.
    pub describe: fn(&Artifact) -> Result<IndexContents, ArtifactError>,
}

/// How an index is built.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum IndexBuild {
    /// From a map, for that map alone, within a [budget](super::Budget). The build reports progress. Not every map is
    /// suitable.
    ForMap(fn(&Build) -> Result<Vec<u8>, BuildError>),
    /// As [`ForMap`](IndexBuild::ForMap), with settings written as in a planner spec after the colon; empty for the
    /// defaults.
    ForMapWith(fn(&Build, &str) -> Result<Vec<u8>, BuildError>),
    /// From no map, for all maps.
    ForAllMaps(fn() -> Vec<u8>),
    /// From a map, for that map alone, in parts that can be built separately and merged. The text holds the settings,
    /// written as in a planner spec after the colon; empty for the defaults.
    InParts(NewInParts),
}

/// Starts an index of a map that is built in parts, with settings written as in a planner spec after the colon.
pub type NewInParts = fn(&Build, &str) -> Result<Box<dyn InParts>, BuildError>;

/// An index file, with the map that it was built for.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct BuiltIndex {
    /// The file.
    pub file: Arc<Artifact>,
    /// The map.
    pub grid: Grid,
}

impl BuiltIndex {
    /// A file and its map.
    pub fn new(file: Arc<Artifact>, grid: Grid) -> Self {
        Self { file, grid }
    }
}

/// An index that is built in parts: on separate machines, or one after the other in a process that may be interrupted
/// ([`PartsBuild`](crate::services::parts::PartsBuild)).
pub trait InParts: Send + Sync {
    /// The kind of index.
    fn index(&self) -> IndexKind;

    /// The map.
    fn grid(&self) -> &Grid;

    /// Its settings, written as in a planner spec after the colon.
    fn settings(&self) -> String;

    /// The number of sources, numbered from 0. A part holds the rows of some of them.
    fn sources(&self) -> u32;

    /// Builds a file with the rows of some sources. Its bytes do not depend on the number of threads. `on_row` is
    /// called after each row, from any thread.
    ///
    /// # Errors
    /// If the rows have too many bytes for a file.
    fn part(&self, sources: Range<u32>, on_row: &(dyn Fn() + Sync)) -> Result<ArtifactWriter<'static>, BuildError>;

    /// As [`part`](InParts::part), but ends soon after the flag is set. The default implementation checks the flag only
    /// once all rows are done.
    ///
    /// # Errors
    /// Those of `part`, and [`BuildError::Cancelled`].
    fn part_unless(
        &self,
        sources: Range<u32>,
        on_row: &(dyn Fn() + Sync),
        cancel: &AtomicBool,
    ) -> Result<ArtifactWriter<'static>, BuildError> {
        let part = self.part(sources, on_row)?;
        if is_set(Some(cancel)) { Err(BuildError::Cancelled) } else { Ok(part) }
    }

    /// Describes a file of this kind, either a part or the whole. The caller has checked that the file is undamaged and
    /// for this map.
    ///
    /// # Errors
    /// If the contents are invalid.
    fn describe_part(&self, file: &Artifact) -> Result<PartInfo, ArtifactError>;

    /// Checks that the parts together are not too large. The default implementation accepts any size.
    ///
    /// # Errors
    /// If a file cannot hold the rows of all parts, `row_bytes` in total.
    fn check_size(&self, row_bytes: u64) -> Result<(), BuildError> {
        let _ = row_bytes;
        Ok(())
    }

    /// Merges consecutive parts: the result has the same bytes that [`part`](InParts::part) gives for the sources of
    /// them all.
    ///
    /// # Errors
    /// If they are not parts of one index, or there are gaps between them.
    fn merge<'a>(&self, parts: &'a [Artifact]) -> Result<ArtifactWriter<'a>, MergeFault>;
}

/// What a part of an index contains.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartInfo {
    /// The settings of the index, as [`InParts::settings`].
    pub settings: String,
    /// The sources whose rows the part holds.
    pub sources: Range<u32>,
    /// The size of the rows in bytes.
    pub row_bytes: u64,
}

/// Why parts cannot be merged.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{reason}")]
pub struct MergeFault {
    /// The index of the part at fault, counted from 0; `None` if it is not a single part.
    pub part: Option<usize>,
    /// Why.
    #[source]
    pub reason: Reason,
}

/// A callback that receives the progress of a build, from any thread.
pub type Watch<'a> = &'a (dyn Fn(Progress) + Sync);

/// The progress of a build.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Progress {
    /// The current stage: what is being built.
    pub stage: &'static str,
    /// How many items of this stage are done.
    pub done: u64,
    /// How many items this stage has.
    pub all: u64,
}

impl Progress {
    /// Progress of a stage with `done` of `all` items done.
    pub const fn new(stage: &'static str, done: u64, all: u64) -> Self {
        Self { stage, done, all }
    }
}

impl IndexKind {
    /// Whether one file serves all maps.
    #[must_use]
    pub const fn is_for_all_maps(&self) -> bool {
        matches!(self.build, IndexBuild::ForAllMaps(_))
    }

    /// Whether it has settings.
    #[must_use]
    pub const fn has_settings(&self) -> bool {
        matches!(self.build, IndexBuild::ForMapWith(_) | IndexBuild::InParts(_))
    }

    /// Builds an index that can be used for a map, within [`Budget::BEFOREHAND`], and returns the bytes of a file.
    ///
    /// ```
    /// use octile::{Catalog, Grid, artifact::Artifact};
    /// let grid = Grid::open(8, 8)?;
    /// let file = Artifact::from_bytes(Catalog::standard().index("gates")?.build_for(&grid)?)?;
    /// assert_eq!((file.kind(), file.fingerprint()), ("gates", grid.fingerprint()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the index would be too large or the map is unsuitable. No index supports maps with terrain costs.
    pub fn build_for(&self, grid: &Grid) -> Result<Vec<u8>, BuildError> {
        self.build_from(&Build::new(grid).within(Budget::BEFOREHAND))
    }

    /// Builds an index for the map of a [`Build`], within its budget, and returns the bytes of a file. Progress goes to
    /// the watch of the build. For an index that can be built in parts only the bytes are limited, because its build
    /// may be meant to take hours.
    ///
    /// ```
    /// use octile::planner::Budget;
    /// use octile::{Build, Catalog, Grid};
    /// let (kind, grid) = (Catalog::standard().index("gates")?, Grid::open(80, 80)?);
    /// assert!(kind.build_from(&Build::new(&grid)).is_ok());
    /// assert!(kind.build_from(&Build::new(&grid).within(Budget::AT_ONCE.bytes(100))).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`build_for`](IndexKind::build_for), or if the index exceeds the budget.
    pub fn build_from(&self, build: &Build<'_>) -> Result<Vec<u8>, BuildError> {
        self.build_with(build, "")
    }

    /// As [`build_from`](IndexKind::build_from), with settings written as in a planner spec after the colon.
    ///
    /// ```
    /// use octile::{Build, Catalog, Grid};
    /// let (kind, grid) = (Catalog::standard().index("taut-labels")?, Grid::open(8, 8)?);
    /// assert!(kind.build_with(&Build::new(&grid), "ends=centres").is_ok());
    /// assert!(kind.build_with(&Build::new(&grid), "ends=sides").is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`build_from`](IndexKind::build_from), or if the index does not have these settings.
    pub fn build_with(&self, build: &Build<'_>, settings: &str) -> Result<Vec<u8>, BuildError> {
        let grid = build.grid();
        let (steps, bytes) = IndexEffort::Map.least(grid);
        BuildError::check_budget(self.kind, build, steps, bytes)?;
        build.check_cancelled()?;
        if !self.is_for_all_maps() {
            BuildError::check_index_terrain(self.kind, grid)?;
        }
        if !settings.is_empty() && !self.has_settings() {
            return Err(SpecError::NoSetting { kind: self.kind, key: settings.to_owned(), known: Vec::new() }.into());
        }
        match self.build {
            IndexBuild::ForMap(make) => make(build),
            IndexBuild::ForMapWith(make) => make(build, settings),
            IndexBuild::ForAllMaps(make) => Ok(make()),
            IndexBuild::InParts(builder) => {
                let builder = builder(build, settings)?;
                let (done, all) = (AtomicU64::new(0), builder.sources().into());
                let on_row = || {
                    build.tell(Progress::new("sources", done.fetch_add(1, Ordering::Relaxed) + 1, all));
                };
                let never = AtomicBool::new(false);
                let cancel = build.cancel().unwrap_or(&never);
                Ok(builder.part_unless(0..builder.sources(), &on_row, cancel)?.finish())
            }
        }
    }

    /// Starts an index that is built in parts, with settings written as in a planner spec after the colon. Use it with
    /// [`PartsBuild`](crate::services::parts::PartsBuild).
    ///
    /// ```
    /// use octile::{Build, Catalog, Grid};
    /// let (catalog, grid) = (Catalog::standard(), Grid::open(8, 8)?);
    /// assert_eq!(catalog.index("cpd")?.in_parts(&Build::new(&grid), "layout=rectangles")?.sources(), 64);
    /// assert!(catalog.index("gates")?.in_parts(&Build::new(&grid), "").is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`BuildError::NotInParts`], or those of [`build_with`](IndexKind::build_with).
    pub fn in_parts(&self, build: &Build<'_>, settings: &str) -> Result<Box<dyn InParts>, BuildError> {
        let IndexBuild::InParts(begin) = self.build else { return Err(BuildError::NotInParts { kind: self.kind }) };
        build.check_cancelled()?;
        BuildError::check_index_terrain(self.kind, build.grid())?;
        begin(build, settings)
    }

    /// Checks that a file has this kind and version, and was made for exactly this map or, if this kind serves all
    /// maps, for all maps.
    ///
    /// ```
    /// use octile::{Catalog, Grid, artifact::Artifact};
    /// let tile = Catalog::standard().index("lddb-tile")?;
    /// let file = Artifact::from_bytes(tile.build_for(&Grid::open(8, 8)?)?)?;
    /// assert!(tile.check(&file, &Grid::open(9, 9)?).is_ok(), "it is for all maps");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Artifact::check`] or [`Artifact::check_for_all_maps`].
    pub fn check<D: AsRef<[u8]>>(&self, artifact: &Artifact<D>, grid: &Grid) -> Result<(), ArtifactError> {
        if self.is_for_all_maps() {
            artifact.check_for_all_maps(self.kind, self.version)
        } else {
            artifact.check(self.kind, self.version, grid)
        }
    }
}

/// The contents of an index file, as names and values.
pub type IndexContents = Vec<(&'static str, String)>;

/// Open index files that planners use instead of building their indexes. If several have the same kind, the last one is
/// used.
#[derive(Clone, Debug, Default)]
pub struct Indexes {
    artifacts: Vec<Arc<Artifact>>,
}

impl Indexes {
    /// Adds a file.
    ///
    /// ```
    /// use octile::artifact::{Artifact, ArtifactWriter};
    /// let mut indexes = octile::planner::Indexes::default();
    /// for version in [1, 2] {
    ///     indexes.push(Artifact::from_bytes(ArtifactWriter::for_all_maps("letters", version).finish().into())?);
    /// }
    /// assert_eq!(indexes.get("letters").unwrap().kind_version(), 2, "the last counts");
    /// # Ok::<(), octile::artifact::ArtifactError>(())
    /// ```
    pub fn push(&mut self, artifact: impl Into<Arc<Artifact>>) {
        self.artifacts.push(artifact.into());
    }

    /// The files that were made for a map with this fingerprint, or for all maps.
    ///
    /// ```
    /// use octile::artifact::{Artifact, ArtifactWriter};
    /// use octile::Grid;
    /// use octile::planner::Indexes;
    /// let (here, there) = (Grid::open(3, 3)?, Grid::open(4, 4)?);
    /// let indexes = Indexes::from([Artifact::from_bytes(ArtifactWriter::new("doors", 1, &here).finish().into())?]);
    /// assert_eq!(indexes.of_map(here.fingerprint()).kinds().len(), 1);
    /// assert_eq!(indexes.of_map(there.fingerprint()).kinds().len(), 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn of_map(&self, fingerprint: u64) -> Self {
        let fits = |artifact: &&Arc<Artifact>| artifact.is_for_all_maps() || artifact.fingerprint() == fingerprint;
        Self { artifacts: self.artifacts.iter().filter(fits).cloned().collect() }
    }

    /// The kinds of its files.
    pub fn kinds(&self) -> impl ExactSizeIterator<Item = &str> {
        self.artifacts.iter().map(|artifact| artifact.kind())
    }

    /// The file of this kind.
    pub fn get(&self, kind: &str) -> Option<&Arc<Artifact>> {
        self.artifacts.iter().rev().find(|artifact| artifact.kind() == kind)
    }
}

impl<const N: usize> From<[Artifact; N]> for Indexes {
    fn from(artifacts: [Artifact; N]) -> Self {
        artifacts.into_iter().collect()
    }
}

impl<A: Into<Arc<Artifact>>> Extend<A> for Indexes {
    fn extend<I: IntoIterator<Item = A>>(&mut self, artifacts: I) {
        self.artifacts.extend(artifacts.into_iter().map(Into::into));
    }
}

impl<A: Into<Arc<Artifact>>> FromIterator<A> for Indexes {
    fn from_iter<I: IntoIterator<Item = A>>(artifacts: I) -> Self {
        let mut indexes = Self::default();
        indexes.extend(artifacts);
        indexes
    }
}
