//! Planner specs: how programs, commands, bindings and reports name a planner.
//!
//! A spec is `name` or `name:key=value,key=value`, such as `weighted-astar:weight=3`. It is parsed once into the
//! planner's [config](Config), with the names and keys of a [catalog](Catalog). All planners share four keys:
//! `smooth=greedy` pulls every path straight after it was found; `squeeze` is the squeeze rule of any-angle paths,
//! smoothed ones included; `ends` says which points those paths begin and end at; and `index=FILE` names an
//! [index](crate::planner::IndexKind) to use instead of building it.

use std::any::Any;
use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;

use super::lasting::lasting;
use super::{Catalog, STANDARD};
use crate::artifact::{Artifact, ArtifactError};
use crate::geometry::Endpoints;
use crate::grid::{Grid, Movement, Squeeze};
use crate::planner::keys::{self, ENDS, SQUEEZE};
use crate::planner::{
    About, Budget, Build, BuildError, BuildSteps, BuiltIndex, Config, Facts, Guarantee, IndexFault, Indexes, Key,
    OnEdit, Planner, Progress, Requirement, SpecError, Takes,
};
use crate::services::{centred, smoothed};

/// The keys that all planners share.
pub static COMMON_KEYS: [Key; 4] = [SMOOTH, SQUEEZE, ENDS, INDEX];

const SMOOTH: Key = Key::of::<bool>("smooth", "pull every path straight by line of sight between corners; default not")
    .takes(Takes::Words(&["greedy"]));

const INDEX: Key = Key::of::<String>(
    "index",
    "use this file instead of building the index that it holds; it counts before files given otherwise",
)
.takes(Takes::IndexFile)
.needs(Requirement::Index);

/// A planner with values for its keys: a [config](Config), and the values of the keys that all planners share. Written
/// `name:key=value,...`.
///
/// ```
/// use octile::{Jps, PlannerSpec};
/// use octile::algo::pruners::Pruners;
/// use octile::grid::Squeeze;
/// let written: PlannerSpec = "jps:prune=gates,smooth=greedy".parse()?;
/// let typed = PlannerSpec::from(Jps::default().prune(Pruners::Gates)).smoothed(Squeeze::Allowed);
/// assert_eq!(written, typed);
/// assert_eq!(typed.to_string(), "jps:prune=gates,smooth=greedy");
/// assert_eq!(written.config::<Jps>().unwrap().prune, Pruners::Gates);
///
/// let error = "jps:prone=gates".parse::<PlannerSpec>().unwrap_err();
/// assert_eq!(error.to_string(),
///     "planner `jps` has no key `prone` (did you mean `prune`?); known keys: prune, gates, smooth, squeeze, ends, index");
/// # Ok::<(), octile::planner::SpecError>(())
/// ```
#[derive(Clone)]
pub struct PlannerSpec {
    config: Box<dyn Config>,
    /// The squeeze rule for smoothing, if paths are smoothed.
    smoothing: Option<Squeeze>,
    /// Whether paths are extended to centres because the planner cannot do that itself.
    centring: bool,
    index: Option<PathBuf>,
    /// The text that it was parsed from, which is the form that the user knows.
    written: Option<Arc<str>>,
}

impl PlannerSpec {
    /// A spec with this config.
    pub fn new(config: impl Config) -> Self {
        Self { config: Box::new(config), smoothing: None, centring: false, index: None, written: None }
    }

    /// The same spec, with every path [smoothed](crate::Path::smooth) after it was found: `smooth=greedy`. Any-angle
    /// paths are smoothed under their planner's own squeeze rule.
    ///
    /// ```
    /// use octile::{Jps, PlannerSpec};
    /// use octile::grid::Squeeze;
    /// let spec = PlannerSpec::new(Jps::default()).smoothed(Squeeze::Forbidden);
    /// assert_eq!(spec.to_string(), "jps:smooth=greedy,squeeze=forbidden");
    /// ```
    #[must_use]
    pub fn smoothed(self, squeeze: Squeeze) -> Self {
        Self { smoothing: Some(squeeze), written: None, ..self }
    }

    /// The same spec, with any-angle paths that begin and end at the centres of cells: `ends=centres`. If the planner
    /// cannot find such paths itself, its paths are [extended](crate::services::centred).
    ///
    /// ```
    /// use octile::{PlannerSpec, ThetaStar};
    /// use octile::geometry::Endpoints;
    /// let spec = PlannerSpec::new(ThetaStar::default()).centred();
    /// assert_eq!((spec.ends(), spec.to_string()), (Endpoints::Centres, "theta-star:ends=centres".to_owned()));
    /// ```
    #[must_use]
    pub fn centred(mut self) -> Self {
        self.set_ends(Endpoints::Centres);
        Self { written: None, ..self }
    }

    fn set_ends(&mut self, ends: Endpoints) {
        let is_native = self.config.set_ends(ends);
        self.centring = !is_native && ends == Endpoints::Centres;
    }

    /// The same spec without an index file: the planner builds its index.
    ///
    /// ```
    /// use octile::{HubLabels, PlannerSpec};
    /// let spec = PlannerSpec::new(HubLabels::default()).with_index("arena.octx");
    /// assert_eq!(spec.without_index().to_string(), "hub-labels");
    /// ```
    #[must_use]
    pub fn without_index(self) -> Self {
        Self { index: None, written: None, ..self }
    }

    /// The same spec, with an index file to use instead of building that index: `index=FILE`.
    ///
    /// ```
    /// use octile::{HubLabels, PlannerSpec};
    /// let spec = PlannerSpec::new(HubLabels::default()).with_index("arena.octx");
    /// assert_eq!(spec.to_string(), "hub-labels:index=arena.octx");
    /// ```
    #[must_use]
    pub fn with_index(self, file: impl Into<PathBuf>) -> Self {
        Self { index: Some(file.into()), written: None, ..self }
    }

    /// Parses a spec with the names of a catalog.
    pub(super) fn parse(spec: &str, catalog: &Catalog) -> Result<Self, SpecError> {
        let (name, options) = spec.split_once(':').map_or((spec, None), |(name, options)| (name, Some(options)));
        if name.is_empty() {
            return Err(SpecError::Form { spec: spec.to_owned() });
        }
        let mut config = catalog.planner(name)?.config();
        let pairs = options.map_or(Ok(Vec::new()), |options| keys::pairs(spec, options))?;
        let mut common = [None; 4];
        for (key, value) in &pairs {
            if let Some(place) = COMMON_KEYS.iter().position(|known| known.name == *key) {
                common[place] = Some(*value);
            } else if let Some(known) = config.key(key) {
                keys::set(&mut *config, known, value)?;
            } else {
                let known = config.keys().iter().chain(&COMMON_KEYS).map(|known| known.name).collect();
                return Err(SpecError::unknown_key(config.about().name, key, known));
            }
        }
        let is_missing =
            |key: &&Key| config.required().contains(&key.name) && pairs.iter().all(|(given, _)| *given != key.name);
        if let Some(key) = config.keys().iter().find(is_missing) {
            return Err(SpecError::MissingKey { planner: config.about().name, key });
        }
        let mut parsed = Self { config, smoothing: None, centring: false, index: None, written: Some(spec.into()) };
        parsed.set_common(common)?;
        parsed.check()?;
        Ok(parsed)
    }

    /// Sets the values of the shared keys.
    fn set_common(&mut self, [smooth, squeeze, ends, index]: [Option<&str>; 4]) -> Result<(), SpecError> {
        let planner = self.about().name;
        let smooth: Option<bool> = smooth.map(|value| SMOOTH.parse(planner, value)).transpose()?;
        let squeeze: Option<Squeeze> = squeeze.map(|value| SQUEEZE.parse(planner, value)).transpose()?;
        let ends: Option<Endpoints> = ends.map(|value| ENDS.parse(planner, value)).transpose()?;
        self.smoothing = smooth.map(|_| squeeze.unwrap_or_default());
        if let Some(squeeze) = squeeze {
            self.check_any_angle(&SQUEEZE, squeeze)?;
            self.config.set_squeeze(squeeze);
        }
        if let Some(ends) = ends {
            self.check_any_angle(&ENDS, ends)?;
            self.set_ends(ends);
        }
        if index == Some("") {
            return Err(SpecError::bad_value(planner, &INDEX, ""));
        }
        self.index = index.map(PathBuf::from);
        Ok(())
    }

    /// Refuses a key for any-angle paths if the planner has none.
    fn check_any_angle(&self, key: &Key, value: impl fmt::Display) -> Result<(), SpecError> {
        if self.squeeze().is_some() {
            return Ok(());
        }
        let reason = if key.name == SQUEEZE.name {
            "its paths go from cell to cell, where the movement rule decides; add smooth=greedy, or use an any-angle planner"
        } else {
            "its paths go from cell to cell, from centre to centre; add smooth=greedy, or use an any-angle planner"
        };
        let (planner, value, reason) = (self.about().name, value.to_string(), reason.to_owned());
        Err(SpecError::Refused { planner, key: key.name, value, reason })
    }

    /// Refuses values that contradict each other.
    fn check(&self) -> Result<(), SpecError> {
        keys::check(&*self.config)?;
        let planner = self.about().name;
        if self.movements().is_empty() {
            let reason =
                "only paths under movement octile can be smoothed, and with these keys it has none; leave it out";
            let (value, reason) = ("greedy".to_owned(), reason.to_owned());
            return Err(SpecError::Refused { planner, key: SMOOTH.name, value, reason });
        }
        if self.centring {
            self.check_any_angle(&ENDS, Endpoints::Centres)?;
        }
        self.check_index()
    }

    /// Refuses an index file that the planner does not use.
    fn check_index(&self) -> Result<(), SpecError> {
        let Some(file) = self.index.as_ref().filter(|_| self.index_kinds().is_empty()) else { return Ok(()) };
        let reason = if self.config.keys().iter().any(|key| key.name == "prune") {
            "without a pruner it uses no index file; add prune=gates, or leave out index"
        } else {
            "with these keys it uses no index file; leave out index"
        };
        let (planner, value, reason) = (self.about().name, file.display().to_string(), reason.to_owned());
        Err(SpecError::Refused { planner, key: INDEX.name, value, reason })
    }

    /// What the planner is, whatever its settings.
    pub fn about(&self) -> &'static About {
        self.config.about()
    }

    /// The config, if it has this type.
    ///
    /// ```
    /// use octile::{Astar, PlannerSpec, WeightedAstar};
    /// let spec: PlannerSpec = "weighted-astar:weight=1.5".parse()?;
    /// assert_eq!(spec.config::<WeightedAstar>().unwrap().weight.to_string(), "1.5");
    /// assert!(spec.config::<Astar>().is_none());
    /// # Ok::<(), octile::planner::SpecError>(())
    /// ```
    pub fn config<C: Config>(&self) -> Option<&C> {
        let config: &dyn Any = &*self.config;
        config.downcast_ref()
    }

    /// Builds the planner for a grid.
    ///
    /// ```
    /// use octile::{Grid, Movement, PlannerSpec};
    /// let (spec, grid): (PlannerSpec, Grid) = ("jps".parse()?, Grid::open(8, 8)?);
    /// assert_eq!(spec.build(&grid)?.name(), "jps");
    /// assert!(spec.build(&grid.with_movement(Movement::Tile)).is_err(), "it is for eight neighbours");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If values contradict each other, the planner does not support the grid's movement rule, or the [index
    /// file](PlannerSpec::index_file) that the spec names cannot be used.
    pub fn build(&self, grid: &Grid) -> Result<Box<dyn Planner>, BuildError> {
        self.build_from(&Build::new(grid))
    }

    /// As [`build`](PlannerSpec::build), but uses open index files of the kinds that the planner needs. The file that
    /// the spec names takes precedence.
    ///
    /// ```
    /// use octile::artifact::Artifact;
    /// use octile::{Build, Catalog, Grid, PlannerSpec};
    /// use octile::planner::Indexes;
    /// let grid = Grid::open(8, 8)?;
    /// let file = Artifact::from_bytes(Catalog::standard().index("gates")?.build_for(&grid)?.into())?;
    /// let build = Build::new(&grid).with(Indexes::from([file]));
    /// assert_eq!("jps:prune=gates".parse::<PlannerSpec>()?.build_from(&build)?.grid(), &grid);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Those of `build`, and if an index that the planner would use is damaged or was made for another map:
    /// [`BuildError::Index`] if it was passed in the build, [`BuildError::IndexFile`] if the spec names it.
    pub fn build_from(&self, build: &Build<'_>) -> Result<Box<dyn Planner>, BuildError> {
        self.check_for(build.grid())?;
        let named = self.open_index(build.is_unmapped())?;
        let mut indexes: Indexes = build.indexes().clone();
        if let Some(named) = &named {
            indexes.push(Arc::clone(&named.artifact));
        }
        let planner = self.config.build(&build.clone().with(indexes)).map_err(|error| match (error, named) {
            (BuildError::Index(fault), Some(named)) if named.has(&fault) => named.refused(fault),
            (error, _) => error,
        })?;
        Ok(self.wrapped(planner))
    }

    /// Starts to build the planner in steps; the result is the same as that of [`build_from`](PlannerSpec::build_from).
    /// The steps of `hub-labels` take a fraction of a millisecond, except for a few of some milliseconds on large maps.
    /// Planners that cannot be built in steps, or that come from index files, are built in a single step.
    ///
    /// ```
    /// use octile::{Build, Finder, Grid, PlannerSpec};
    /// let grid: Grid = "....\n.@@.\n....".parse()?;
    /// let mut steps = "hub-labels".parse::<PlannerSpec>()?.begin(&Build::new(&grid))?;
    /// let planner = loop {
    ///     if let Some(planner) = steps.step()? {
    ///         break planner;
    ///     }
    ///     // something else
    /// };
    /// assert_eq!(Finder::of(planner).find((0, 0), (3, 2))?.unwrap().cost().to_string(), "5");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`build_from`](PlannerSpec::build_from); a later step may also report them.
    pub fn begin(&self, build: &Build<'_>) -> Result<Box<dyn BuildSteps>, BuildError> {
        self.check_for(build.grid())?;
        let has_files = self.index.is_some() || build.indexes().kinds().len() > 0;
        let steps = if has_files { None } else { self.config.begin(build)? };
        Ok(match steps {
            Some(steps) => Box::new(Stepwise { spec: self.clone(), steps }),
            None => Box::new(InOneGo {
                spec: self.clone(),
                grid: build.grid().clone(),
                indexes: build.indexes().clone(),
                earlier: build.any_earlier().cloned(),
                budget: build.budget(),
                is_unmapped: build.is_unmapped(),
            }),
        })
    }

    /// Refuses values that contradict each other or the map.
    fn check_for(&self, grid: &Grid) -> Result<(), BuildError> {
        self.check()?;
        let facts = self.facts();
        BuildError::check_movement(&self.to_string(), grid, facts.movements)?;
        BuildError::check_terrain(&self.to_string(), grid, facts.terrain)
    }

    /// Wraps a planner as the shared keys say.
    fn wrapped(&self, planner: Box<dyn Planner>) -> Box<dyn Planner> {
        let planner = lasting(planner);
        let planner = match self.smoothing {
            Some(squeeze) => smoothed(planner, squeeze),
            None => planner,
        };
        if self.centring { centred(planner) } else { planner }
    }

    /// What the planner promises with these values, which maps it takes, and what it can do.
    ///
    /// ```
    /// use octile::PlannerSpec;
    /// use octile::planner::Native;
    /// assert!("corner-sweep".parse::<PlannerSpec>()?.facts().has(Native::ManyGoals));
    /// assert_eq!("corner-sweep:smooth=greedy".parse::<PlannerSpec>()?.facts().native, [Native::Slices]);
    /// # Ok::<(), octile::planner::SpecError>(())
    /// ```
    pub fn facts(&self) -> Facts {
        let facts = self.config.facts();
        let facts = self.smoothing.map_or(facts, |squeeze| facts.smoothed(squeeze));
        if self.centring { facts.centred() } else { facts }
    }

    /// What the planner promises with these values.
    ///
    /// ```
    /// use octile::{Guarantee, PlannerSpec};
    /// use octile::geometry::Weight;
    /// assert_eq!("jps".parse::<PlannerSpec>()?.guarantee(), Guarantee::GridOptimal);
    /// assert_eq!("jps:smooth=greedy".parse::<PlannerSpec>()?.guarantee(), Guarantee::Smoothed(Weight::ONE));
    /// # Ok::<(), octile::planner::SpecError>(())
    /// ```
    pub fn guarantee(&self) -> Guarantee {
        self.facts().guarantee
    }

    /// The movement rules that the planner supports with these values.
    ///
    /// ```
    /// use octile::{Movement, PlannerSpec};
    /// assert_eq!("astar".parse::<PlannerSpec>()?.movements().len(), 3);
    /// assert_eq!("astar:smooth=greedy".parse::<PlannerSpec>()?.movements(), [Movement::Octile]);
    /// # Ok::<(), octile::planner::SpecError>(())
    /// ```
    pub fn movements(&self) -> &'static [Movement] {
        self.facts().movements
    }

    /// Whether the planner supports [terrain costs](crate::grid::Convention), and so takes maps that have them.
    ///
    /// ```
    /// use octile::PlannerSpec;
    /// let takes_terrain = |spec: &str| spec.parse().map(|spec: PlannerSpec| spec.takes_terrain());
    /// assert!(takes_terrain("astar")? && !takes_terrain("jps")? && !takes_terrain("astar:smooth=greedy")?);
    /// # Ok::<(), octile::planner::SpecError>(())
    /// ```
    pub fn takes_terrain(&self) -> bool {
        self.facts().terrain
    }

    /// The squeeze rule of its any-angle paths; `None` if its paths are grid paths.
    pub fn squeeze(&self) -> Option<Squeeze> {
        self.facts().squeeze()
    }

    /// Which points its any-angle paths begin and end at.
    ///
    /// ```
    /// use octile::PlannerSpec;
    /// use octile::geometry::Endpoints;
    /// assert_eq!("jps:smooth=greedy,ends=centres".parse::<PlannerSpec>()?.ends(), Endpoints::Centres);
    /// assert!("jps:ends=centres".parse::<PlannerSpec>().is_err(), "its paths go from cell to cell");
    /// # Ok::<(), octile::planner::SpecError>(())
    /// ```
    pub fn ends(&self) -> Endpoints {
        self.facts().ends()
    }

    /// The kinds of index that the planner builds or takes from [files](PlannerSpec::build_from).
    ///
    /// ```
    /// use octile::PlannerSpec;
    /// assert_eq!("jps:prune=gates".parse::<PlannerSpec>()?.index_kinds(), ["gates"]);
    /// assert!("jps".parse::<PlannerSpec>()?.index_kinds().is_empty());
    /// # Ok::<(), octile::planner::SpecError>(())
    /// ```
    pub fn index_kinds(&self) -> &'static [&'static str] {
        self.facts().indexes
    }

    /// Refuses indexes that the planner does not use. [`build_from`](PlannerSpec::build_from) ignores those silently,
    /// but a user who passes one expects it to be used.
    ///
    /// ```
    /// use octile::{Catalog, Grid, PlannerSpec};
    /// use octile::artifact::Artifact;
    /// use octile::planner::Indexes;
    /// let file = Catalog::standard().index("gates")?.build_for(&Grid::open(8, 8)?)?;
    /// let indexes = Indexes::from([Artifact::from_bytes(file.into())?]);
    /// assert!("jps:prune=gates".parse::<PlannerSpec>()?.check_use(&indexes).is_ok());
    /// let error = "jps".parse::<PlannerSpec>()?.check_use(&indexes).unwrap_err();
    /// assert_eq!(error.to_string(), "planner `jps` has no use for an index of kind `gates`: it uses none");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The first index that the planner does not use. `auto`, which chooses a planner itself, accepts all.
    pub fn check_use(&self, indexes: &Indexes) -> Result<(), UnusedIndex> {
        let (planner, used) = (self.about().name, self.index_kinds());
        let unused = indexes.kinds().find(|kind| planner != "auto" && !used.contains(kind));
        unused.map_or(Ok(()), |kind| Err(UnusedIndex { kind: kind.to_owned(), planner, used: used.to_vec() }))
    }

    /// How the planner takes map edits.
    ///
    /// ```
    /// use octile::PlannerSpec;
    /// use octile::planner::OnEdit;
    /// assert_eq!("jps".parse::<PlannerSpec>()?.on_edit(), OnEdit::Follows);
    /// assert_eq!("hub-labels".parse::<PlannerSpec>()?.on_edit(), OnEdit::GoesStale);
    /// # Ok::<(), octile::planner::SpecError>(())
    /// ```
    pub fn on_edit(&self) -> OnEdit {
        self.facts().on_edit
    }

    /// The index file that the spec names, which is opened when the planner is built.
    ///
    /// ```
    /// use octile::PlannerSpec;
    /// let spec: PlannerSpec = "cpd:index=maps/arena.octx".parse()?;
    /// assert_eq!(spec.index_file(), Some(std::path::Path::new("maps/arena.octx")));
    /// # Ok::<(), octile::planner::SpecError>(())
    /// ```
    pub fn index_file(&self) -> Option<&Path> {
        self.index.as_deref()
    }

    /// The canonical spelling, which all specs with the same meaning share: keys in the order of the catalog, without
    /// those whose value is the default.
    ///
    /// ```
    /// use octile::PlannerSpec;
    /// let spec: PlannerSpec = "astar:gates=always,on=cells,prune=gates".parse()?;
    /// assert_eq!(spec.canonical(), "astar:prune=gates,gates=always");
    /// # Ok::<(), octile::planner::SpecError>(())
    /// ```
    pub fn canonical(&self) -> String {
        let mut values = keys::values(&*self.config);
        values.extend(self.smoothing.map(|_| (SMOOTH.name, "greedy".to_owned())));
        let squeeze = self.squeeze().filter(|&squeeze| squeeze != Squeeze::default());
        values.extend(squeeze.map(|squeeze| (SQUEEZE.name, squeeze.to_string())));
        let ends = Some(self.ends()).filter(|&ends| ends != Endpoints::default());
        values.extend(ends.map(|ends| (ENDS.name, ends.to_string())));
        values.extend(self.index.as_ref().map(|file| (INDEX.name, file.display().to_string())));
        keys::spec(self.about().name, &values)
    }

    /// Opens the index file that the spec names, which must be of a kind that the planner uses.
    fn open_index(&self, is_unmapped: bool) -> Result<Option<NamedIndex>, BuildError> {
        let Some(file) = self.index_file() else { return Ok(None) };
        let refused = |fault| BuildError::IndexFile { file: file.to_owned(), fault };
        let used = self.index_kinds();
        let opened = if is_unmapped { Artifact::read(file) } else { Artifact::open(file) };
        let artifact = opened
            .map_err(|error| refused(IndexFault::unopened(error.fault, used.first().copied().unwrap_or("KIND"))))?;
        if !used.contains(&artifact.kind()) {
            let found = artifact.kind().to_owned();
            return Err(refused(IndexFault::Unused { found, planner: self.about().name, used: used.to_vec() }));
        }
        Ok(Some(NamedIndex { file: file.to_owned(), artifact: Arc::new(artifact) }))
    }
}

/// A planner that is built in steps.
struct Stepwise {
    spec: PlannerSpec,
    steps: Box<dyn BuildSteps>,
}

impl BuildSteps for Stepwise {
    fn step(&mut self) -> Result<Option<Box<dyn Planner>>, BuildError> {
        Ok(self.steps.step()?.map(|planner| self.spec.wrapped(planner)))
    }

    fn progress(&self) -> Option<Progress> {
        self.steps.progress()
    }
}

/// A planner that is built in a single step.
struct InOneGo {
    spec: PlannerSpec,
    grid: Grid,
    indexes: Indexes,
    earlier: Option<BuiltIndex>,
    budget: Budget,
    is_unmapped: bool,
}

impl BuildSteps for InOneGo {
    fn step(&mut self) -> Result<Option<Box<dyn Planner>>, BuildError> {
        let build = Build::new(&self.grid).with(self.indexes.clone()).since(self.earlier.clone()).within(self.budget);
        self.spec.build_from(&if self.is_unmapped { build.unmapped() } else { build }).map(Some)
    }
}

/// The open index file that a spec names.
struct NamedIndex {
    file: PathBuf,
    artifact: Arc<Artifact>,
}

impl NamedIndex {
    /// Whether a fault that a planner reports concerns this file: a fault of another kind of index concerns another
    /// file.
    fn has(&self, fault: &ArtifactError) -> bool {
        fault.kind().map_or_else(|| self.artifact.verify().is_err(), |kind| kind == self.artifact.kind())
    }

    fn refused(self, fault: ArtifactError) -> BuildError {
        BuildError::IndexFile { file: self.file, fault: IndexFault::Unfit(fault) }
    }
}

impl<C: Config> From<C> for PlannerSpec {
    fn from(config: C) -> Self {
        Self::new(config)
    }
}

impl TryFrom<&str> for PlannerSpec {
    type Error = SpecError;

    fn try_from(spec: &str) -> Result<Self, SpecError> {
        spec.parse()
    }
}

impl TryFrom<String> for PlannerSpec {
    type Error = SpecError;

    fn try_from(spec: String) -> Result<Self, SpecError> {
        spec.parse()
    }
}

impl TryFrom<&PlannerSpec> for PlannerSpec {
    type Error = SpecError;

    fn try_from(spec: &Self) -> Result<Self, SpecError> {
        Ok(spec.clone())
    }
}

impl FromStr for PlannerSpec {
    type Err = SpecError;

    /// Parses a spec with the names of the [standard catalog](Catalog::standard).
    fn from_str(spec: &str) -> Result<Self, Self::Err> {
        STANDARD.parse(spec)
    }
}

/// The error for an index that a planner does not use.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("planner `{planner}` has no use for an index of kind `{kind}`: it uses {}", self.uses())]
pub struct UnusedIndex {
    /// The kind of the index.
    pub kind: String,
    /// The planner's name.
    pub planner: &'static str,
    /// The kinds that the planner uses.
    pub used: Vec<&'static str>,
}

impl UnusedIndex {
    fn uses(&self) -> String {
        if self.used.is_empty() { "none".to_owned() } else { format!("`{}`", self.used.join("` or `")) }
    }
}

impl PartialEq for PlannerSpec {
    /// Whether two specs have the same meaning, however they are written.
    fn eq(&self, other: &Self) -> bool {
        self.canonical() == other.canonical()
    }
}

impl Eq for PlannerSpec {}

impl fmt::Display for PlannerSpec {
    /// The text that it was parsed from, or its [canonical](PlannerSpec::canonical) spelling.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.written {
            Some(written) => f.write_str(written),
            None => f.write_str(&self.canonical()),
        }
    }
}

impl fmt::Debug for PlannerSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PlannerSpec({self})")
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for PlannerSpec {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(feature = "serde")]
impl<'de> serde::Deserialize<'de> for PlannerSpec {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = <std::borrow::Cow<'de, str>>::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Weight;

    fn error(spec: &str) -> String {
        spec.parse::<PlannerSpec>().unwrap_err().to_string()
    }

    #[test]
    fn every_planner_can_be_smoothed() {
        let catalog = Catalog::standard();
        for entry in catalog.planners() {
            let specs = catalog.specs(entry);
            let Some(first) = specs.into_iter().find(|spec| !spec.contains("smooth")) else { continue };
            let separator = if first.contains(':') { ',' } else { ':' };
            let spec: PlannerSpec = format!("{first}{separator}smooth=greedy").parse().unwrap();
            assert_eq!(spec.movements(), [Movement::Octile]);
            let planner = spec.build(&Grid::open(5, 5).unwrap()).unwrap();
            assert_eq!(planner.guarantee(), spec.guarantee());
            assert!(spec.guarantee().is_any_angle(), "{spec}");
            assert_eq!(planner.squeeze(), Some(Squeeze::Allowed));
        }
    }

    #[test]
    fn guarantees_belong_to_specs() {
        let guarantee = |spec: &str| spec.parse::<PlannerSpec>().unwrap().guarantee();
        assert_eq!(guarantee("astar"), Guarantee::GridOptimal);
        assert_eq!(guarantee("astar:on=corners"), Guarantee::AnyAngle);
        assert_eq!(guarantee("astar:on=corners,smooth=greedy"), Guarantee::AnyAngle);
        assert_eq!(guarantee("astar:smooth=greedy"), Guarantee::Smoothed(Weight::ONE));
        let two = "2".parse().unwrap();
        assert_eq!(guarantee("weighted-astar:weight=2"), Guarantee::Bounded(two));
        assert_eq!(guarantee("weighted-astar:weight=2,smooth=greedy"), Guarantee::Smoothed(two));
        assert_eq!(Guarantee::Legal.smoothed(), Guarantee::Legal);
        let catalog = Catalog::standard();
        for spec in catalog.planners().iter().flat_map(|entry| catalog.specs(entry)) {
            let spec: PlannerSpec = spec.parse().unwrap();
            let grid = Grid::open(3, 3).unwrap().with_movement(spec.movements()[0]);
            let planner = spec.build(&grid).unwrap();
            assert_eq!(planner.guarantee(), spec.guarantee(), "{spec}");
            assert_eq!((planner.squeeze(), planner.ends()), (spec.squeeze(), spec.ends()), "{spec}");
            let chose = planner.chosen().is_some();
            assert!(chose || planner.on_edit() == spec.on_edit(), "{spec}");
        }
    }

    #[test]
    fn a_spec_prints_back_what_it_means() {
        let catalog = Catalog::standard();
        for entry in catalog.planners() {
            for spec in catalog.specs(entry) {
                let parsed: PlannerSpec = spec.parse().unwrap();
                let canonical: PlannerSpec = parsed.canonical().parse().unwrap();
                assert_eq!(canonical, parsed, "{spec}");
                assert_eq!((parsed.to_string(), canonical.to_string()), (spec.to_owned(), canonical.canonical()));
            }
        }
        let canonical = |spec: &str| spec.parse::<PlannerSpec>().unwrap().canonical();
        assert_eq!(
            canonical("astar:gates=always,on=cells,prune=gates+blocked-areas,open=heap"),
            "astar:prune=blocked-areas+gates,gates=always"
        );
        assert_eq!(
            canonical("block-astar:block=auto,squeeze=forbidden,db=any-angle"),
            "block-astar:db=any-angle,squeeze=forbidden"
        );
        assert_eq!(canonical("auto:memory=1kB,changes=no"), "auto:memory=1000");
        assert_eq!(
            canonical("cpd:layout=runs,default=none"),
            "cpd:layout=runs,default=none",
            "said, and not left open"
        );
        assert_ne!("jps".parse::<PlannerSpec>(), "jps:smooth=greedy".parse());
        assert_eq!(canonical("theta-star:ends=corners"), "theta-star");
        assert_eq!(canonical("jps:ends=centres,smooth=greedy"), "jps:smooth=greedy,ends=centres");
        assert_eq!(canonical("auto:ends=centres,paths=any-angle"), "auto:paths=any-angle,ends=centres");
        assert_eq!(canonical("auto:ends=centres,smooth=greedy"), "auto:smooth=greedy,ends=centres");
    }

    #[test]
    fn tile_paths_cannot_be_smoothed() {
        let error = error("block-astar:db=tile,smooth=greedy");
        assert!(error.contains("cannot take `smooth=greedy`: only paths under movement octile"), "{error}");
    }

    #[test]
    fn names_that_are_nearly_right_are_suggested() {
        for (given, meant) in [("jsp", "jps"), ("JPS", "jps"), ("a*", "astar"), ("theta*", "theta-star")] {
            assert!(error(given).starts_with(&format!("unknown planner `{given}` (did you mean `{meant}`?); known")));
        }
        assert!(error("jps:prne=gates").contains("has no key `prne` (did you mean `prune`?)"));
        assert!(error("nothing-like-it").starts_with("unknown planner `nothing-like-it`; known planners: dijkstra, "));
    }

    #[test]
    fn values_that_do_not_go_together_are_refused_with_the_reason() {
        assert_eq!(error("jps:smooth=much"), "`smooth=much` of planner `jps`: expected greedy");
        assert!(error("theta-star:squeeze=some").contains("expected allowed or forbidden"));
        assert!(
            error("jps:squeeze=forbidden").contains("cannot take `squeeze=forbidden`: its paths go from cell to cell")
        );
        assert!(error("theta-star:ends=middles").contains("expected corners or centres"));
        assert!(error("jps:ends=centres").contains("cannot take `ends=centres`: its paths go from cell to cell"));
        assert!(error("auto:ends=corners").contains("add smooth=greedy, or use an any-angle planner"));
        assert!(error("astar:on=cells,squeeze=allowed").contains("add smooth=greedy, or use an any-angle planner"));
        assert!(
            error("astar:on=corners,prune=gates")
                .contains("cannot take `prune=gates`: pruners are for searches on cells")
        );
        assert!(error("astar:on=corners,open=buckets").contains("has a heap only"));
        assert!(error("astar:on=edges").contains("expected cells or corners"));
        assert!(error("theta-star:heuristic=best").contains("expected octile, euclidean or zero"));
        assert!(error("jps:weight=2").ends_with("known keys: prune, gates, smooth, squeeze, ends, index"));
        for spec in ["jps:smooth=greedy,squeeze=forbidden", "astar:on=corners,open=heap", "astar:on=cells"] {
            assert!(spec.parse::<PlannerSpec>().is_ok(), "{spec}");
        }
    }

    #[test]
    fn a_spec_names_an_index_file_if_it_uses_one() {
        for (spec, file) in [
            ("jps:prune=gates,index=a.octx", "a.octx"),
            ("jps:index=some maps/a=b:c.octx,prune=gates,smooth=greedy", "some maps/a=b:c.octx"),
            ("block-astar:block=4,index=/maps/a.octx", "/maps/a.octx"),
        ] {
            let parsed: PlannerSpec = spec.parse().unwrap();
            assert_eq!((parsed.to_string().as_str(), parsed.index_file()), (spec, Some(Path::new(file))));
        }
        assert_eq!("jps:prune=gates".parse::<PlannerSpec>().unwrap().index_file(), None);
        assert_eq!(
            error("jps:index=a.octx"),
            "planner `jps` cannot take `index=a.octx`: without a pruner it uses no index file; add prune=gates, or leave out \
             index"
        );
        assert!(error("theta-star:index=a.octx").ends_with("with these keys it uses no index file; leave out index"));
        assert!(error("block-astar:index=a.octx,block=8").ends_with("leave out index"));
        assert!(
            error("jps:prune=gates,index=")
                .contains("expected the name of an index file, in which there can be no comma")
        );
        assert!(error("jps:prune=gate,index=a.octx").contains("`prune=gate`"));
        // The text after a comma is not part of the file name.
        assert!(error("jps:prune=gates,index=a,b.octx").contains("is not a planner spec"));
    }
}
