//! How planners are built for a map, and the errors when they cannot be.

use std::error::Error;
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::budget::{Budget, OverBudget};
use super::config::Config;
use super::contract::Planner;
use super::index::{BuiltIndex, Indexes, Progress, Watch};
use super::keys;
use super::spec_error::SpecError;
use crate::artifact::{Artifact, ArtifactError, OpenFault};
use crate::files::FileFault;
use crate::grid::{Grid, Movement};

/// The input of a planner's build: a map, index files to use instead of building those indexes, a budget, a callback
/// for progress, and a flag that cancels the build.
///
/// ```
/// use octile::{Build, Config, Grid, Jps};
/// let grid = Grid::open(10, 10)?;
/// let planner = Jps::default().build(&Build::new(&grid).watched(&|progress| println!("{}", progress.stage)))?;
/// assert_eq!(planner.grid(), &grid);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Build<'a> {
    grid: &'a Grid,
    indexes: Indexes,
    earlier: Option<BuiltIndex>,
    budget: Budget,
    is_unmapped: bool,
    watch: Option<Watch<'a>>,
    cancel: Option<&'a AtomicBool>,
}

impl<'a> Build<'a> {
    /// A build from a map alone.
    pub fn new(grid: &'a Grid) -> Self {
        let (indexes, budget) = (Indexes::default(), Budget::AT_ONCE);
        Self { grid, indexes, earlier: None, budget, is_unmapped: false, watch: None, cancel: None }
    }

    /// The same build, with index files to use instead of building those indexes.
    ///
    /// ```
    /// use octile::artifact::Artifact;
    /// use octile::{Build, Catalog, Grid};
    /// use octile::planner::Indexes;
    /// let grid = Grid::open(8, 8)?;
    /// let file = Artifact::from_bytes(Catalog::standard().index("gates")?.build_for(&grid)?.into())?;
    /// assert!(Build::new(&grid).with(Indexes::from([file])).index("gates").is_some());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with(self, indexes: Indexes) -> Self {
        Self { indexes, ..self }
    }

    /// The same build, with the index of an [earlier map](super::Planner::built_index), of which the planner may reuse
    /// what the edits since then have not changed. [`Engine::renew`](crate::Engine::renew) passes that of the planner
    /// that it replaces. The new index gives paths of the same costs as one that is built without it, but not always
    /// the same paths.
    ///
    /// ```
    /// use octile::{Build, Config, Cpd, Edits, Grid, Planner};
    /// let mut grid = Grid::open(20, 20)?;
    /// let before = Cpd::default().planner(&grid)?;
    /// grid.apply(Edits::new().block((10, 10)))?;
    /// let after = Cpd::default().build(&Build::new(&grid).since(before.built_index()))?;
    /// assert_eq!(after.grid(), &grid);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn since(self, earlier: Option<BuiltIndex>) -> Self {
        Self { earlier, ..self }
    }

    /// The same build within a budget: an index that exceeds it is refused.
    ///
    /// ```
    /// use octile::planner::Budget;
    /// use octile::{Build, BuildError, Grid, JumpGraph};
    /// let grid = Grid::open(300, 300)?;
    /// let build = Build::new(&grid).within(Budget::AT_ONCE.bytes(1000));
    /// assert!(matches!(JumpGraph::default().planner(build), Err(BuildError::OverBudget { .. })));
    /// # Ok::<(), octile::GridError>(())
    /// ```
    #[must_use]
    pub fn within(self, budget: Budget) -> Self {
        Self { budget, ..self }
    }

    /// The same build, limited to a second or two: within [`Budget::BRIEF`].
    ///
    /// ```
    /// use octile::{Build, BuildError, Cpd, Grid};
    /// let grid = Grid::open(300, 300)?; // a search for each of its 90,000 cells
    /// assert!(matches!(Cpd::default().planner(Build::new(&grid).briefly()), Err(BuildError::TakesLong { .. })));
    /// # Ok::<(), octile::GridError>(())
    /// ```
    #[must_use]
    pub fn briefly(self) -> Self {
        self.within(Budget::BRIEF)
    }

    /// The same build, but the index file that a spec names is read into memory, as [`Artifact::read`] does, instead of
    /// being mapped. Use it for files that others may change while they are in use.
    ///
    /// ```
    /// use octile::{Build, Catalog, Grid, PlannerSpec};
    /// let (grid, file) = (Grid::open(8, 8)?, tempfile::NamedTempFile::new()?);
    /// std::fs::write(&file, Catalog::standard().index("cpd")?.build_for(&grid)?)?;
    /// let spec: PlannerSpec = format!("cpd:index={}", file.path().display()).parse()?;
    /// let planner = spec.build_from(&Build::new(&grid).unmapped())?;
    /// file.as_file().set_len(0)?; // a process that had mapped it would be killed by what follows
    /// assert!(octile::Finder::of(planner).find((0, 0), (7, 7))?.is_some());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn unmapped(self) -> Self {
        Self { is_unmapped: true, ..self }
    }

    /// The same build, which reports its progress to `watch`, from any thread.
    ///
    /// ```
    /// use std::sync::atomic::{AtomicBool, Ordering};
    /// use octile::{Build, Grid, HubLabels};
    /// let told = AtomicBool::new(false);
    /// HubLabels::default().planner(Build::new(&Grid::open(9, 9)?).watched(&|_| told.store(true, Ordering::Relaxed)))?;
    /// assert!(told.into_inner());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn watched(self, watch: Watch<'a>) -> Self {
        Self { watch: Some(watch), ..self }
    }

    /// The same build, which ends once the flag is set. The flag is checked about as often as progress is reported. A
    /// planner that builds within milliseconds checks it once or not at all.
    ///
    /// ```
    /// use std::sync::atomic::AtomicBool;
    /// use octile::planner::Budget;
    /// use octile::{Build, BuildError, Grid, HubLabels};
    /// let (grid, closed) = (Grid::open(9, 9)?, AtomicBool::new(true));
    /// let build = Build::new(&grid).cancelled_by(&closed);
    /// assert!(matches!(HubLabels::default().planner(build), Err(BuildError::Cancelled)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn cancelled_by(self, flag: &'a AtomicBool) -> Self {
        Self { cancel: Some(flag), ..self }
    }

    /// The map.
    pub fn grid(&self) -> &'a Grid {
        self.grid
    }

    /// The index file of this kind, if there is one.
    pub fn index(&self, kind: &str) -> Option<&Arc<Artifact>> {
        self.indexes.get(kind)
    }

    /// All index files.
    pub fn indexes(&self) -> &Indexes {
        &self.indexes
    }

    /// The index of an earlier map, if it is of this kind.
    pub fn earlier(&self, kind: &str) -> Option<&BuiltIndex> {
        self.earlier.as_ref().filter(|earlier| earlier.file.kind() == kind)
    }

    /// The index of an earlier map, of any kind.
    pub(crate) fn any_earlier(&self) -> Option<&BuiltIndex> {
        self.earlier.as_ref()
    }

    /// The budget.
    pub fn budget(&self) -> Budget {
        self.budget
    }

    /// Whether to read index files into memory instead of mapping them.
    pub fn is_unmapped(&self) -> bool {
        self.is_unmapped
    }

    /// The flag that cancels the build.
    pub(crate) fn cancel(&self) -> Option<&'a AtomicBool> {
        self.cancel
    }

    /// Fails once the flag that [cancels](Build::cancelled_by) the build is set.
    ///
    /// ```
    /// use std::sync::atomic::{AtomicBool, Ordering};
    /// use octile::{Build, Grid};
    /// let (grid, closed) = (Grid::open(3, 3)?, AtomicBool::new(false));
    /// let build = Build::new(&grid).cancelled_by(&closed);
    /// assert!(build.check_cancelled().is_ok()); // as a planner does in its build
    /// closed.store(true, Ordering::Relaxed);
    /// assert!(build.check_cancelled().is_err());
    /// # Ok::<(), octile::GridError>(())
    /// ```
    ///
    /// # Errors
    /// [`BuildError::Cancelled`].
    pub fn check_cancelled(&self) -> Result<(), BuildError> {
        if is_set(self.cancel) { Err(BuildError::Cancelled) } else { Ok(()) }
    }

    /// Reports progress.
    ///
    /// ```
    /// use std::sync::atomic::{AtomicU64, Ordering};
    /// use octile::planner::Progress;
    /// use octile::{Build, Grid};
    /// let (grid, done) = (Grid::open(3, 3)?, AtomicU64::new(0));
    /// let watch = |progress: Progress| done.store(progress.done, Ordering::Relaxed);
    /// Build::new(&grid).watched(&watch).tell(Progress::new("rows", 2, 3)); // as a planner does in its build
    /// assert_eq!(done.into_inner(), 2);
    /// # Ok::<(), octile::GridError>(())
    /// ```
    pub fn tell(&self, progress: Progress) {
        if let Some(watch) = self.watch {
            watch(progress);
        }
    }
}

/// A planner that is built in small steps: for single-threaded programs, which cannot build in the background. See
/// [`PlannerSpec::begin`](crate::PlannerSpec::begin) and [`Engine::renew_by_slices`](crate::Engine::renew_by_slices).
pub trait BuildSteps: Send {
    /// Does the next step, which takes much less than a millisecond where possible. Returns the planner after the last
    /// step. It must not be called again after that, or after an error.
    ///
    /// # Errors
    /// The same as [`Config::build`].
    fn step(&mut self) -> Result<Option<Box<dyn Planner>>, BuildError>;

    /// The progress of the build, if known.
    fn progress(&self) -> Option<Progress> {
        None
    }
}

/// Whether the flag that cancels a build is set.
pub(crate) fn is_set(flag: Option<&AtomicBool>) -> bool {
    flag.is_some_and(|flag| flag.load(Ordering::Relaxed))
}

impl<'a> From<&'a Grid> for Build<'a> {
    fn from(grid: &'a Grid) -> Self {
        Self::new(grid)
    }
}

impl<'a> From<&Build<'a>> for Build<'a> {
    fn from(build: &Build<'a>) -> Self {
        build.clone()
    }
}

impl fmt::Debug for Build<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { grid, indexes, budget, .. } = self;
        f.debug_struct("Build")
            .field("size", &(grid.width(), grid.height()))
            .field("indexes", indexes)
            .field("budget", budget)
            .finish_non_exhaustive()
    }
}

/// A planner's own error as a reason: use `downcast_ref` to get its type back.
pub type Reason = Arc<dyn Error + Send + Sync>;

/// Why a planner cannot be built.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BuildError {
    /// The planner does not support the grid's movement rule.
    #[error("planner `{planner}` does not support movement `{asked}`; it supports {}", join(.supported))]
    Movement {
        /// The planner's spec.
        planner: String,
        /// The grid's movement rule.
        asked: Movement,
        /// The movement rules that the planner supports.
        supported: Vec<Movement>,
    },
    /// The planner does not support terrain costs, and the map has some.
    #[error(
        "planner `{planner}` cannot take a map with prices: use one that can, such as `terrain-jump` or `astar`, or take the map without them"
    )]
    Terrain {
        /// The planner's spec.
        planner: String,
    },
    /// The index does not support terrain costs, and the map has some.
    #[error(
        "an index of kind `{kind}` cannot be built for a map with prices: take the map without them, or a planner that takes them, such as `astar`"
    )]
    IndexTerrain {
        /// The kind of index.
        kind: &'static str,
    },
    /// The planner's spec is invalid, or values of its config contradict each other.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// An index file that was [given](Build::with) is not valid for this map.
    #[error(transparent)]
    Index(#[from] ArtifactError),
    /// An index file does not match the config.
    #[error(
        "the index of planner `{planner}` has `{found}`, but the spec asks for `{asked}`: leave these keys out, or build such an index"
    )]
    IndexSettings {
        /// The planner's name.
        planner: &'static str,
        /// What the index has.
        found: String,
        /// What the spec asks for.
        asked: String,
    },
    /// Building the index now would exceed the budget.
    #[error("the index of planner `{planner}` takes long to build for {reason}")]
    TakesLong {
        /// The planner's name.
        planner: &'static str,
        /// The kind of the index, which can be built in advance and kept in a file.
        kind: &'static str,
        /// Why it takes long, in words and numbers.
        #[source]
        reason: Reason,
    },
    /// The planner or the index exceeds the budget.
    #[error("`{planner}` takes {over}, for a map of {} x {} cells", .size.0, .size.1)]
    OverBudget {
        /// The planner's name, or the kind of the index.
        planner: &'static str,
        /// The map's cells per row and number of rows.
        size: (u32, u32),
        /// What exceeds the budget, and by how much.
        over: OverBudget,
    },
    /// The map is unsuitable for the index.
    #[error("this map does not suit an index of kind `{kind}`: {reason}")]
    Unsuited {
        /// The kind of the index.
        kind: &'static str,
        /// Why, in words and numbers.
        #[source]
        reason: Reason,
    },
    /// The index can only be built as a whole, not in parts.
    #[error("an index of kind `{kind}` cannot be built in parts")]
    NotInParts {
        /// The kind of the index.
        kind: &'static str,
    },
    /// The build was [cancelled](Build::cancelled_by).
    #[error("the build was cancelled")]
    Cancelled,
    /// The index file that the spec names cannot be used.
    #[error("{}: {fault}", .file.display())]
    IndexFile {
        /// The file.
        file: PathBuf,
        /// Why.
        #[source]
        fault: IndexFault,
    },
}

impl From<std::convert::Infallible> for BuildError {
    /// Converting a config into a spec cannot fail.
    fn from(never: std::convert::Infallible) -> Self {
        match never {}
    }
}

impl BuildError {
    /// The error for an index that takes too long to build now, with a reason.
    ///
    /// ```
    /// use octile::{BuildError, Grid};
    /// let reason = Grid::open(0, 9).unwrap_err(); // any error
    /// let error = BuildError::takes_long("slow", "slow-index", reason.clone());
    /// let BuildError::TakesLong { reason: found, .. } = error else { unreachable!() };
    /// assert_eq!(found.downcast_ref(), Some(&reason));
    /// ```
    pub fn takes_long(planner: &'static str, kind: &'static str, reason: impl Error + Send + Sync + 'static) -> Self {
        Self::TakesLong { planner, kind, reason: Arc::new(reason) }
    }

    /// The error for a map that is unsuitable for an index, with a reason.
    pub fn unsuited(kind: &'static str, reason: impl Error + Send + Sync + 'static) -> Self {
        Self::Unsuited { kind, reason: Arc::new(reason) }
    }

    /// Checks that a planner's config is consistent, that it supports the map's movement rule, and that the minimum
    /// that it builds fits the budget.
    pub(crate) fn check(config: &dyn Config, build: &Build<'_>) -> Result<(), Self> {
        keys::check(config)?;
        build.check_cancelled()?;
        let (grid, name) = (build.grid(), config.about().name);
        let planner = keys::spec(name, &keys::values(config));
        let facts = config.facts();
        Self::check_movement(&planner, grid, facts.movements)?;
        Self::check_terrain(&planner, grid, facts.terrain)?;
        let (steps, bytes) = config.about().index.least(grid);
        Self::check_budget(name, build, steps, bytes)
    }

    /// Checks that this many steps and bytes fit the budget.
    pub(crate) fn check_budget(planner: &'static str, build: &Build<'_>, steps: u64, bytes: u64) -> Result<(), Self> {
        let size = (build.grid().width(), build.grid().height());
        build.budget().check(steps, bytes).map_err(|over| Self::OverBudget { planner, size, over })
    }

    /// Checks that a planner supports terrain costs, if `grid` has some.
    pub(crate) fn check_terrain(planner: &str, grid: &Grid, takes_terrain: bool) -> Result<(), Self> {
        if takes_terrain || grid.convention().is_none() {
            return Ok(());
        }
        Err(Self::Terrain { planner: planner.to_owned() })
    }

    /// Checks that an index can be built for a map: no index supports terrain costs.
    pub(crate) fn check_index_terrain(kind: &'static str, grid: &Grid) -> Result<(), Self> {
        if grid.convention().is_some() { Err(Self::IndexTerrain { kind }) } else { Ok(()) }
    }

    /// Checks that a planner supports the movement rule of `grid`.
    pub(crate) fn check_movement(planner: &str, grid: &Grid, supported: &[Movement]) -> Result<(), Self> {
        let asked = grid.movement();
        if supported.contains(&asked) {
            return Ok(());
        }
        Err(Self::Movement { planner: planner.to_owned(), asked, supported: supported.to_vec() })
    }
}

/// Why an index file that a spec names cannot be used.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum IndexFault {
    /// The file cannot be read.
    #[error("{reason}")]
    Unreadable {
        /// Why.
        #[source]
        reason: Arc<FileFault>,
        /// The kind of index that was expected.
        kind: &'static str,
    },
    /// The file is not an index file, is damaged, or was made for another map.
    #[error(transparent)]
    Unfit(#[from] ArtifactError),
    /// The planner does not use this kind of index.
    #[error("is an index of kind `{found}`, but planner `{planner}` uses `{}`", .used.join("` or `"))]
    Unused {
        /// The kind of index in the file.
        found: String,
        /// The planner's name.
        planner: &'static str,
        /// The kinds that the planner uses.
        used: Vec<&'static str>,
    },
}

impl IndexFault {
    /// The fault for a file that cannot be opened, where an index of this kind was expected.
    pub(crate) fn unopened(fault: OpenFault, kind: &'static str) -> Self {
        match fault {
            OpenFault::Index(fault) => Self::Unfit(fault),
            OpenFault::File(fault) => Self::Unreadable { reason: Arc::new(fault), kind },
        }
    }
}

pub(super) fn join<T: fmt::Display>(items: &[T]) -> String {
    items.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}
