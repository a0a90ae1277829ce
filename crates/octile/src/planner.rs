//! The one interface of all planners.
//!
//! A [`Planner`] is immutable while it answers and can be shared by threads; what a search needs to write to is in a
//! scratch, one per thread, reused between queries. [`Finder`] puts the two together behind one type for callers that
//! choose a planner at run time, by a [spec](crate::spec).
//!
//! Planners over cells give grid paths. Any-angle planners work on the corners of cells: a cell of a query stands for the
//! corner at its upper left, as in the any-angle track of the grid path planning competition.

use std::any::Any;
use std::sync::Arc;

use crate::error::{BuildError, EditError, End, QueryError};
use crate::probe::{NoProbe, Probe};
use crate::{Cell, Edits, Grid, Path, PlannerSpec, Squeeze, Weight};

/// What a query asks for besides the cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Output {
    /// The cost alone: [`Path::points`] and [`Path::corners`] stay empty.
    Cost,
    /// Start, turning points and goal.
    #[default]
    Waypoints,
    /// Every cell. Any-angle paths pass between cells: they get the corners where they turn, as for waypoints.
    Cells,
}

/// From where to where, and what to return.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Query {
    /// Where the path begins.
    pub start: Cell,
    /// Where it ends.
    pub goal: Cell,
    /// What to return.
    pub output: Output,
}

impl Query {
    /// A query for the turning points of a path.
    pub const fn new(start: Cell, goal: Cell) -> Self {
        Self { start, goal, output: Output::Waypoints }
    }

    /// The same query for another output.
    #[must_use]
    pub const fn output(self, output: Output) -> Self {
        Self { output, ..self }
    }
}

/// What a planner promises about the cost of its paths. All planners are complete: they find a path where one exists.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Guarantee {
    /// No grid path is cheaper, in exact arithmetic.
    GridOptimal,
    /// At most [`Planner::weight`] times the cheapest grid path, in exact arithmetic.
    Bounded,
    /// An any-angle path, never longer than the cheapest way along corners by moves to the eight nearest ones. (It is a
    /// length in `f64`, right to a part in 10^9.) That in turn is never longer than the cheapest grid path.
    AnyAngle,
    /// An any-angle path made from a grid path by pulling it straight ([`Path::smooth`]): at most [`Planner::weight`] times
    /// the cheapest grid path, right to a part in 10^9.
    Smoothed,
    /// A legal path where there is a grid path, with no promise about its cost.
    Legal,
}

impl Guarantee {
    /// What is left of it once the paths are smoothed.
    pub(crate) fn smoothed(self) -> Self {
        match self {
            Self::AnyAngle => Self::AnyAngle,
            Self::GridOptimal | Self::Bounded | Self::Smoothed => Self::Smoothed,
            Self::Legal => Self::Legal,
        }
    }
}

impl std::fmt::Display for Guarantee {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::GridOptimal => "grid-optimal",
            Self::Bounded => "bounded by the weight",
            Self::AnyAngle => "any-angle: legal, and never longer than the grid-optimal path on corners",
            Self::Smoothed => "any-angle: legal, and never longer than the path that was smoothed",
            Self::Legal => "legal: no promise about its cost",
        })
    }
}

/// How a planner takes a change of its map ([`Planner::apply`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OnEdit {
    /// It follows at a cost proportional to the edit: it has no index, or one that stays of use.
    Follows,
    /// It repairs its index.
    Repairs,
    /// It refuses: its index must be built again.
    Rebuild,
}

/// A way to find paths on one grid.
///
/// ```
/// use octile::{Cell, Grid, Path, Planner, Query, algo::jps::Jps};
/// let planner = Jps::new(&Grid::open(100, 100)?)?;
/// let (mut scratch, mut path) = (planner.create_scratch(), Path::new());
/// let query = Query::new(Cell::new(0, 0), Cell::new(99, 50));
/// assert!(planner.plan(&mut scratch, query, &mut path)?);
/// assert_eq!(path.cost().to_string(), "49+50√2");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Planner: Clone + Send + Sync + 'static {
    /// Working memory, reused between queries; one per thread.
    type Scratch: Send + 'static;

    /// The name in the [table of planners](crate::algo::PLANNERS).
    fn name(&self) -> &'static str;

    /// What it promises.
    fn guarantee(&self) -> Guarantee;

    /// The map it plans on.
    fn grid(&self) -> &Grid;

    /// The rule that its any-angle paths keep; `None` if its paths are grid paths.
    fn squeeze(&self) -> Option<Squeeze> {
        None
    }

    /// Whether a path between two free cells may exist. "No" is certain, and answers a query without a search.
    fn may_connect(&self, start: Cell, goal: Cell) -> bool {
        self.grid().may_connect(start, goal)
    }

    /// New working memory for this planner.
    fn create_scratch(&self) -> Self::Scratch;

    /// Whether `scratch` was made for a map of this one's shape.
    fn accepts(&self, scratch: &Self::Scratch) -> bool;

    /// Finds a path between two different free cells that [may be connected](Planner::may_connect), overwrites `out` with
    /// it and returns whether there is one. This is what a planner implements; callers use [`plan`](Planner::plan),
    /// which checks the query first.
    fn search<P: Probe + ?Sized>(
        &self,
        scratch: &mut Self::Scratch,
        query: Query,
        out: &mut Path,
        probe: &mut P,
    ) -> bool;

    /// How it takes a change of the map.
    fn on_edit(&self) -> OnEdit {
        OnEdit::Follows
    }

    /// Changes the map under the planner. If others hold the same grid they keep what they had.
    ///
    /// # Errors
    /// If a cell is off the map, or [`OnEdit::Rebuild`]; then the planner is as before.
    fn apply(&mut self, edits: &Edits) -> Result<(), EditError>;

    /// The factor behind [`Guarantee::Bounded`].
    fn weight(&self) -> Weight {
        Weight::ONE
    }

    /// Memory of the index in bytes, without the grid.
    fn index_bytes(&self) -> usize {
        0
    }

    /// Answers a query: overwrites `out` and returns whether a path exists. A warm call, with a scratch and a path that
    /// have served a query of this size before, does not allocate.
    ///
    /// # Errors
    /// If an endpoint is off the map or blocked, or the scratch was made for another map.
    fn plan(&self, scratch: &mut Self::Scratch, query: Query, out: &mut Path) -> Result<bool, QueryError> {
        self.plan_probed(scratch, query, out, &mut NoProbe)
    }

    /// [`plan`](Planner::plan), watched by a probe.
    ///
    /// # Errors
    /// As [`plan`](Planner::plan).
    fn plan_probed<P: Probe + ?Sized>(
        &self,
        scratch: &mut Self::Scratch,
        query: Query,
        out: &mut Path,
        probe: &mut P,
    ) -> Result<bool, QueryError> {
        let grid = self.grid();
        QueryError::check(grid, End::Start, query.start)?;
        QueryError::check(grid, End::Goal, query.goal)?;
        if !self.accepts(scratch) {
            return Err(QueryError::ForeignScratch);
        }
        probe.started(query);
        if query.start == query.goal {
            out.set_single(query, self.squeeze());
            return Ok(true);
        }
        let found = self.may_connect(query.start, query.goal) && self.search(scratch, query, out, probe);
        if !found {
            out.clear();
        }
        Ok(found)
    }
}

/// Answers all queries, over all cores if the feature `rayon` is on; answers come in the order of the queries.
///
/// ```
/// use octile::{Cell, Grid, Query, algo::jps::Jps, plan_all};
/// let planner = Jps::new(&Grid::open(64, 64)?)?;
/// let queries: Vec<_> = (1..64).map(|x| Query::new(Cell::new(0, 0), Cell::new(x, 63))).collect();
/// let paths = plan_all(&planner, &queries);
/// assert_eq!(paths[9].as_ref().unwrap().as_ref().unwrap().cost().to_string(), "53+10√2");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn plan_all<P: Planner>(planner: &P, queries: &[Query]) -> Vec<Result<Option<Path>, QueryError>> {
    plan_all_by(planner, queries, |scratch, query, path| planner.plan(scratch, query, path))
}

/// Answers all queries by `plan`, with a scratch for each thread.
fn plan_all_by<P: Planner>(
    planner: &P,
    queries: &[Query],
    plan: impl Fn(&mut P::Scratch, Query, &mut Path) -> Result<bool, QueryError> + Sync,
) -> Vec<Result<Option<Path>, QueryError>> {
    let answer = |scratch: &mut P::Scratch, query: &Query| {
        let mut path = Path::new();
        plan(scratch, *query, &mut path).map(|found| found.then_some(path))
    };
    #[cfg(feature = "rayon")]
    {
        use rayon::prelude::*;
        queries.par_iter().map_init(|| planner.create_scratch(), answer).collect()
    }
    #[cfg(not(feature = "rayon"))]
    {
        let mut scratch = planner.create_scratch();
        queries.iter().map(|query| answer(&mut scratch, query)).collect()
    }
}

/// A planner with its scratch behind one type, whichever planner it is: what commands and bindings hold.
///
/// ```
/// use octile::{Cell, Finder, Grid};
/// let grid = Grid::open(10, 10)?;
/// for spec in ["astar", "weighted-astar:weight=2", "jps"] {
///     let mut finder = Finder::new(spec, &grid)?;
///     assert!(finder.find(Cell::new(0, 0), Cell::new(9, 3))?.is_some());
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Finder {
    planner: Arc<dyn Erased>,
    scratch: Box<dyn Any + Send>,
    smoothing: Option<Smoothing>,
    chosen: Option<Arc<PlannerSpec>>,
}

/// That the paths of a planner are smoothed, under a rule.
#[derive(Clone, Copy, Debug)]
struct Smoothing {
    squeeze: Squeeze,
}

impl Smoothing {
    /// What to ask the planner: a path that is to be smoothed needs its points.
    fn asked(query: Query) -> Query {
        if query.output == Output::Cost { query.output(Output::Waypoints) } else { query }
    }

    /// Smooths a path that was found.
    fn finish<P: Probe + ?Sized>(self, grid: &Grid, query: Query, out: &mut Path, probe: &mut P) {
        out.smooth_probed(grid, self.squeeze, probe);
        if query.output == Output::Cost {
            out.drop_points();
        }
    }
}

impl Finder {
    /// The planner that `spec` names, for `grid`.
    ///
    /// # Errors
    /// If the spec is wrong, or the planner does not work under the grid's movement rule.
    pub fn new(spec: &str, grid: &Grid) -> Result<Self, BuildError> {
        spec.parse::<PlannerSpec>()?.build(grid)
    }

    /// Wraps a planner.
    pub fn from_planner(planner: impl Planner) -> Self {
        let scratch = Box::new(planner.create_scratch());
        Self { scratch, planner: Arc::new(planner), smoothing: None, chosen: None }
    }

    /// The same, which says that it was chosen as this spec.
    #[must_use]
    pub(crate) fn chosen_as(self, spec: PlannerSpec) -> Self {
        Self { chosen: Some(Arc::new(spec)), ..self }
    }

    /// The same, with every path [smoothed](Path::smooth) after it was found. An any-angle planner must have the same rule.
    #[must_use]
    pub fn smoothed(self, squeeze: Squeeze) -> Self {
        Self { smoothing: Some(Smoothing { squeeze }), ..self }
    }

    /// Another finder with the same planner and a scratch of its own, for another thread.
    #[must_use]
    pub fn fork(&self) -> Self {
        let scratch = self.planner.create_scratch();
        Self { planner: Arc::clone(&self.planner), scratch, smoothing: self.smoothing, chosen: self.chosen.clone() }
    }

    /// A path from `start` to `goal`, or `None` if there is none.
    ///
    /// # Errors
    /// If an endpoint is off the map or blocked.
    pub fn find(&mut self, start: Cell, goal: Cell) -> Result<Option<Path>, QueryError> {
        let mut path = Path::new();
        Ok(self.plan(Query::new(start, goal), &mut path)?.then_some(path))
    }

    /// Answers a query: overwrites `out` and returns whether a path exists, as [`Planner::plan`].
    ///
    /// # Errors
    /// If an endpoint is off the map or blocked.
    pub fn plan(&mut self, query: Query, out: &mut Path) -> Result<bool, QueryError> {
        let Some(smoothing) = self.smoothing else { return self.planner.plan(&mut *self.scratch, query, out) };
        let found = self.planner.plan(&mut *self.scratch, Smoothing::asked(query), out)?;
        if found {
            smoothing.finish(self.planner.grid(), query, out, &mut NoProbe);
        }
        Ok(found)
    }

    /// [`plan`](Finder::plan), watched by a probe.
    ///
    /// # Errors
    /// As [`plan`](Finder::plan).
    pub fn plan_probed(&mut self, query: Query, out: &mut Path, probe: &mut dyn Probe) -> Result<bool, QueryError> {
        let Some(smoothing) = self.smoothing else {
            return self.planner.plan_probed(&mut *self.scratch, query, out, probe);
        };
        let found = self.planner.plan_probed(&mut *self.scratch, Smoothing::asked(query), out, probe)?;
        if found {
            smoothing.finish(self.planner.grid(), query, out, probe);
        }
        Ok(found)
    }

    /// Answers all queries as [`plan_all`].
    pub fn plan_all(&self, queries: &[Query]) -> Vec<Result<Option<Path>, QueryError>> {
        self.planner.plan_all(queries, self.smoothing)
    }

    /// Changes the map under the planner; forks made before keep the old one.
    ///
    /// # Errors
    /// As [`Planner::apply`].
    pub fn apply(&mut self, edits: &Edits) -> Result<(), EditError> {
        if let Some(planner) = Arc::get_mut(&mut self.planner) {
            return planner.apply(edits);
        }
        self.planner = self.planner.clone_with(edits)?;
        Ok(())
    }

    /// The map.
    pub fn grid(&self) -> &Grid {
        self.planner.grid()
    }

    /// The planner that [`auto`](crate::algo::auto) chose, as a spec that names it; `None` if the spec did.
    pub fn chosen(&self) -> Option<&PlannerSpec> {
        self.chosen.as_deref()
    }

    /// The planner's name; where [`auto`](crate::algo::auto) chose it, that of the one chosen.
    pub fn name(&self) -> &'static str {
        self.planner.name()
    }

    /// What the planner promises, or what is left of that once its paths are smoothed.
    pub fn guarantee(&self) -> Guarantee {
        let guarantee = self.planner.guarantee();
        if self.smoothing.is_some() { guarantee.smoothed() } else { guarantee }
    }

    /// The rule that any-angle paths keep; `None` if paths are grid paths.
    pub fn squeeze(&self) -> Option<Squeeze> {
        self.smoothing.map(|smoothing| smoothing.squeeze).or_else(|| self.planner.squeeze())
    }

    /// Whether a path between two free cells may exist, as [`Planner::may_connect`].
    pub fn may_connect(&self, start: Cell, goal: Cell) -> bool {
        self.planner.may_connect(start, goal)
    }

    /// The factor behind [`Guarantee::Bounded`].
    pub fn weight(&self) -> Weight {
        self.planner.weight()
    }

    /// How the planner takes a change of the map.
    pub fn on_edit(&self) -> OnEdit {
        self.planner.on_edit()
    }

    /// Memory of the planner's index in bytes, without the grid.
    pub fn index_bytes(&self) -> usize {
        self.planner.index_bytes()
    }
}

impl std::fmt::Debug for Finder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Finder({} on {}x{})", self.name(), self.grid().width(), self.grid().height())
    }
}

/// [`Planner`] without its generic parts. Scratches are passed as `Any`; one of another planner is refused as foreign.
trait Erased: Send + Sync {
    fn name(&self) -> &'static str;
    fn grid(&self) -> &Grid;
    fn guarantee(&self) -> Guarantee;
    fn squeeze(&self) -> Option<Squeeze>;
    fn may_connect(&self, start: Cell, goal: Cell) -> bool;
    fn weight(&self) -> Weight;
    fn on_edit(&self) -> OnEdit;
    fn index_bytes(&self) -> usize;
    fn create_scratch(&self) -> Box<dyn Any + Send>;
    fn plan(&self, scratch: &mut dyn Any, query: Query, out: &mut Path) -> Result<bool, QueryError>;
    fn plan_probed(
        &self,
        scratch: &mut dyn Any,
        query: Query,
        out: &mut Path,
        probe: &mut dyn Probe,
    ) -> Result<bool, QueryError>;
    fn plan_all(&self, queries: &[Query], smoothing: Option<Smoothing>) -> Vec<Result<Option<Path>, QueryError>>;
    fn apply(&mut self, edits: &Edits) -> Result<(), EditError>;
    /// A copy to which edits have been applied.
    fn clone_with(&self, edits: &Edits) -> Result<Arc<dyn Erased>, EditError>;
}

impl<T: Planner> Erased for T {
    fn name(&self) -> &'static str {
        Planner::name(self)
    }

    fn grid(&self) -> &Grid {
        Planner::grid(self)
    }

    fn guarantee(&self) -> Guarantee {
        Planner::guarantee(self)
    }

    fn squeeze(&self) -> Option<Squeeze> {
        Planner::squeeze(self)
    }

    fn may_connect(&self, start: Cell, goal: Cell) -> bool {
        Planner::may_connect(self, start, goal)
    }

    fn weight(&self) -> Weight {
        Planner::weight(self)
    }

    fn on_edit(&self) -> OnEdit {
        Planner::on_edit(self)
    }

    fn index_bytes(&self) -> usize {
        Planner::index_bytes(self)
    }

    fn create_scratch(&self) -> Box<dyn Any + Send> {
        Box::new(Planner::create_scratch(self))
    }

    fn plan(&self, scratch: &mut dyn Any, query: Query, out: &mut Path) -> Result<bool, QueryError> {
        let scratch = scratch.downcast_mut().ok_or(QueryError::ForeignScratch)?;
        Planner::plan(self, scratch, query, out)
    }

    fn plan_probed(
        &self,
        scratch: &mut dyn Any,
        query: Query,
        out: &mut Path,
        probe: &mut dyn Probe,
    ) -> Result<bool, QueryError> {
        let scratch = scratch.downcast_mut().ok_or(QueryError::ForeignScratch)?;
        Planner::plan_probed(self, scratch, query, out, probe)
    }

    fn plan_all(&self, queries: &[Query], smoothing: Option<Smoothing>) -> Vec<Result<Option<Path>, QueryError>> {
        let Some(smoothing) = smoothing else { return plan_all(self, queries) };
        plan_all_by(self, queries, |scratch, query, path| {
            let found = Planner::plan(self, scratch, Smoothing::asked(query), path)?;
            if found {
                smoothing.finish(Planner::grid(self), query, path, &mut NoProbe);
            }
            Ok(found)
        })
    }

    fn apply(&mut self, edits: &Edits) -> Result<(), EditError> {
        Planner::apply(self, edits)
    }

    fn clone_with(&self, edits: &Edits) -> Result<Arc<dyn Erased>, EditError> {
        let mut planner = self.clone();
        Planner::apply(&mut planner, edits)?;
        Ok(Arc::new(planner))
    }
}
