//! A planner with its own scratch, for one thread.

use std::fmt;
use std::sync::Arc;

use super::chosen;
use crate::catalog::{PlannerSpec, lasting_shared};
use crate::geometry::{Cell, Endpoints};
use crate::grid::{Edits, Grid, Squeeze};
use crate::path::Path;
use crate::planner::{
    Answer, AnswerSummary, Build, BuildError, EditError, Guarantee, OnEdit, Planner, Probe, Query, QueryError, Scratch,
};

/// A planner with its scratch, for one thread: the fastest way to ask. An [`Engine`](super::Engine) is as good for most
/// programs; a finder saves the tens of nanoseconds that an engine needs to take a snapshot and a scratch.
///
/// ```
/// use octile::{Finder, Grid};
/// let grid = Grid::open(10, 10)?;
/// for spec in ["astar", "weighted-astar:weight=2", "jps"] {
///     let mut finder = Finder::new(spec, &grid)?;
///     assert!(finder.find((0, 0), (9, 3))?.is_some());
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Finder {
    pub(super) planner: Arc<dyn Planner>,
    pub(super) scratch: Scratch,
}

impl Finder {
    /// Builds the planner that a config or a spec describes, for `grid`.
    ///
    /// # Errors
    /// If the spec is wrong, or the planner cannot be made for this grid.
    pub fn new<S>(spec: S, grid: &Grid) -> Result<Self, BuildError>
    where
        S: TryInto<PlannerSpec>,
        BuildError: From<S::Error>,
    {
        Self::build(spec, &Build::new(grid))
    }

    /// As [`new`](Finder::new), with everything a [`Build`] can carry.
    ///
    /// # Errors
    /// Also if an index file cannot be used.
    pub fn build<S>(spec: S, build: &Build<'_>) -> Result<Self, BuildError>
    where
        S: TryInto<PlannerSpec>,
        BuildError: From<S::Error>,
    {
        let spec: PlannerSpec = spec.try_into()?;
        Ok(Self::of(spec.build_from(build)?))
    }

    /// Wraps a planner of a known type, as [`Engine::from_planner`](super::Engine::from_planner).
    pub fn from_planner(planner: impl Planner + 'static) -> Self {
        Self::of(Arc::new(planner) as Arc<dyn Planner>)
    }

    /// Wraps a planner that already exists, as a `Box` or an `Arc`.
    ///
    /// ```
    /// use octile::catalog::advise::{Needs, advise};
    /// use octile::{Finder, Grid};
    /// let advice = advise(&Grid::open(4, 4)?, &Needs::default())?;
    /// assert!(Finder::of(advice.into_planner()).find((0, 0), (3, 1))?.is_some());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of(planner: impl Into<Arc<dyn Planner>>) -> Self {
        let planner = lasting_shared(planner.into());
        let scratch = planner.create_scratch();
        Self { planner, scratch }
    }

    /// Another finder with the same planner and its own scratch, for another thread.
    ///
    /// ```
    /// use octile::{Finder, Grid};
    /// let finder = Finder::new("astar", &Grid::open(9, 9)?)?;
    /// let mut other = finder.fork();
    /// let path = std::thread::spawn(move || other.find((0, 0), (8, 8))).join().unwrap()?;
    /// assert_eq!(path.unwrap().cost().to_string(), "8√2");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn fork(&self) -> Self {
        Self::of(Arc::clone(&self.planner))
    }

    /// A path from `start` to `goal`, or `None` if there is none.
    ///
    /// # Errors
    /// If an endpoint is off the map or blocked.
    pub fn find(&mut self, start: impl Into<Cell>, goal: impl Into<Cell>) -> Result<Option<Path>, QueryError> {
        let mut path = Path::new();
        Ok(self.plan(Query::new(start, goal), &mut path)?.then_some(path))
    }

    /// Answers a query: overwrites `out` and returns whether there is a path to a goal, or, if the query allows that,
    /// to the nearest cell.
    ///
    /// # Errors
    /// If an endpoint is off the map or blocked.
    pub fn plan<'q>(&mut self, query: impl Into<Query<'q>>, out: &mut Path) -> Result<bool, QueryError> {
        self.planner.plan(&mut self.scratch, query, out)
    }

    /// [`plan`](Finder::plan), watched by a probe.
    ///
    /// ```
    /// use octile::{Finder, Grid, Path, Query};
    /// use octile::planner::Trace;
    /// let mut finder = Finder::new("astar", &Grid::open(9, 9)?)?;
    /// let (mut path, mut trace) = (Path::new(), Trace::default());
    /// finder.plan_probed(Query::new((0, 0), (8, 8)), &mut path, &mut trace)?;
    /// assert!(trace.expanded.iter().all(|cell| cell.x == cell.y), "down the diagonal");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`plan`](Finder::plan).
    pub fn plan_probed<'q>(
        &mut self,
        query: impl Into<Query<'q>>,
        out: &mut Path,
        probe: &mut dyn Probe,
    ) -> Result<bool, QueryError> {
        self.planner.plan_probed(&mut self.scratch, query, out, Some(probe))
    }

    /// Answers a query in full, as [`Engine::ask_into`](super::Engine::ask_into).
    ///
    /// ```
    /// use octile::{Answer, Finder, Grid, Query, Status};
    /// let (mut finder, mut answer) = (Finder::new("jps", &"..@".parse::<Grid>()?)?, Answer::new());
    /// finder.ask_into(Query::new((0, 0), (2, 0)).nearest(), &mut answer)?;
    /// assert_eq!((answer.status(), answer.away()), (Status::Nearest, 1.0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If an end is off the map, or blocked where that is not allowed.
    pub fn ask_into<'q>(
        &mut self,
        query: impl Into<Query<'q>>,
        answer: &mut Answer,
    ) -> Result<AnswerSummary, QueryError> {
        self.planner.ask(&mut self.scratch, query, answer, None)
    }

    /// [`ask_into`](Finder::ask_into), watched by a probe.
    ///
    /// # Errors
    /// As [`ask_into`](Finder::ask_into).
    pub fn ask_probed<'q>(
        &mut self,
        query: impl Into<Query<'q>>,
        answer: &mut Answer,
        probe: &mut dyn Probe,
    ) -> Result<AnswerSummary, QueryError> {
        self.planner.ask(&mut self.scratch, query, answer, Some(probe))
    }

    /// Changes the map; forks made earlier keep the old one.
    ///
    /// ```
    /// use octile::{Edits, Finder, Grid};
    /// let mut finder = Finder::new("jps", &Grid::open(3, 1)?)?;
    /// let mut fork = finder.fork();
    /// finder.apply(Edits::new().block((1, 0)))?;
    /// assert!(finder.find((0, 0), (2, 0))?.is_none() && fork.find((0, 0), (2, 0))?.is_some());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`Planner::apply`].
    pub fn apply(&mut self, edits: &Edits) -> Result<(), EditError> {
        if let Some(planner) = Arc::get_mut(&mut self.planner) {
            return planner.apply(edits);
        }
        let mut planner = dyn_clone::clone_box(&*self.planner);
        planner.apply(edits)?;
        self.planner = planner.into();
        Ok(())
    }

    /// The planner.
    pub fn planner(&self) -> &dyn Planner {
        &*self.planner
    }

    /// The map.
    pub fn grid(&self) -> &Grid {
        self.planner.grid()
    }

    /// The planner that [`Auto`](crate::Auto) chose, as a spec that names it; `None` if the spec did.
    pub fn chosen(&self) -> Option<PlannerSpec> {
        chosen(&*self.planner)
    }

    /// The planner's name; for [`Auto`](crate::Auto), the name of the planner that it chose.
    pub fn name(&self) -> &'static str {
        self.planner.name()
    }

    /// What the planner promises.
    pub fn guarantee(&self) -> Guarantee {
        self.planner.guarantee()
    }

    /// The rule that any-angle paths keep; `None` if paths are grid paths.
    pub fn squeeze(&self) -> Option<Squeeze> {
        self.planner.squeeze()
    }

    /// Where any-angle paths begin and end.
    pub fn ends(&self) -> Endpoints {
        self.planner.ends()
    }

    /// Whether there is a path between two cells, as [`Planner::may_connect`]. It takes no search, even after edits.
    pub fn may_connect(&self, start: impl Into<Cell>, goal: impl Into<Cell>) -> bool {
        self.planner.may_connect(start.into(), goal.into())
    }

    /// How the planner takes a change of the map.
    pub fn on_edit(&self) -> OnEdit {
        self.planner.on_edit()
    }

    /// Memory of the planner's index in bytes, without the grid.
    pub fn index_bytes(&self) -> usize {
        self.planner.index_bytes()
    }

    /// The size of the scratch in bytes. It may grow with the queries.
    ///
    /// ```
    /// use octile::{Finder, Grid};
    /// let mut finder = Finder::new("jps", &Grid::open(500, 500)?)?;
    /// let before = finder.scratch_bytes();
    /// finder.find((0, 0), (499, 499))?;
    /// assert!((before..before + 10_000).contains(&finder.scratch_bytes()), "it depends on the cells reached");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn scratch_bytes(&self) -> usize {
        self.scratch.size_bytes()
    }
}

impl fmt::Debug for Finder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Finder({:?})", &*self.planner)
    }
}
