//! The one interface of all planners.
//!
//! A [`Planner`] is immutable while it answers and can be shared by threads; what a search needs to write to is in a
//! [`Scratch`], one per thread, reused between queries. [`Engine`](crate::Engine) puts the two together for programs.
//!
//! Planners over cells give grid paths. Any-angle planners work on the corners of cells: a cell of a query stands for
//! the corner at its upper left, as in the any-angle track of the grid path planning competition, or for its centre, as
//! their [`Endpoints`] say.

use std::fmt;

use dyn_clone::DynClone;

use super::error::{EditError, QueryError};
use super::facts::{Facts, Guarantee, Native, OnEdit};
use super::index_view::IndexView;
use super::probe::Probe;
use super::query::{AnyGoalQuery, PathQuery};
use super::scratch::{PlannerId, Scratch};
use crate::geometry::{Cell, Endpoints, PathCost};
use crate::grid::{Edits, Grid, Squeeze};
use crate::path::{Path, PathFault};

/// A way to find paths on one grid. Programs hold an [`Engine`](crate::Engine); this is what is behind it, and what a
/// planner of your own implements.
///
/// ```
/// use octile::{Grid, Jps, Path, Planner, Query};
/// let planner = Jps::default().planner(&Grid::open(100, 100)?)?;
/// let (mut scratch, mut path) = (planner.create_scratch(), Path::new());
/// assert!(planner.plan(&mut scratch, Query::new((0, 0), (99, 50)), &mut path)?);
/// assert_eq!(path.cost().to_string(), "49+50√2");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Planner: DynClone + Send + Sync {
    /// What it promises, which maps it takes, and what it can do: those of its [config](super::Config), which it keeps
    /// from when it is built.
    fn facts(&self) -> &Facts;

    /// The map it plans on.
    fn grid(&self) -> &Grid;

    /// Whether a path between two cells may exist. "No" must be certain, and answers a query without a search. The
    /// planners of this crate are certain of both, after edits too.
    fn may_connect(&self, start: Cell, goal: Cell) -> bool {
        self.inner().map_or_else(|| self.grid().may_connect(start, goal), |inner| inner.may_connect(start, goal))
    }

    /// Which planner this is: a field that [`PlannerId::new`] sets when the planner is built. Clones keep it, and so do
    /// edits, so that a scratch serves a planner, its clones, and all of them after edits.
    fn id(&self) -> PlannerId;

    /// New working memory for this planner, stamped with its [id](Planner::id). No other planner accepts it.
    fn create_scratch(&self) -> Scratch;

    /// Finds a path between two different free cells that [may be connected](Planner::may_connect), overwrites `out`
    /// with it and returns whether there is one. This is what a planner implements; callers use
    /// [`find_path`](Planner::find_path) or [`plan`](trait.Planner.html#method.plan), which check the query first. The
    /// scratch is [its own](Scratch::is_for). A search that is not watched should cost nothing for it: compile it once
    /// for [`NoProbe`](super::NoProbe), once for `dyn Probe`. One that is asks its probe at every expansion whether to
    /// [stop](Probe::stops), and has found nothing if so.
    ///
    /// # Errors
    /// That what it wrote is no path, from the [checked writers](Path::write_grid).
    fn search(
        &self,
        scratch: &mut Scratch,
        query: PathQuery,
        out: &mut Path,
        probe: Option<&mut dyn Probe>,
    ) -> Result<bool, PathFault>;

    /// Changes the map under the planner. If others hold the same grid they keep what they had.
    ///
    /// # Errors
    /// If a cell is off the map, or it refuses; then the planner is as before.
    fn apply(&mut self, edits: &Edits) -> Result<(), EditError>;

    /// The planner inside, of one that wraps another. What a wrapper does not implement itself, that planner answers:
    /// the methods below do so by default, those of a [native question](Native) where the wrapper's facts have it.
    fn inner(&self) -> Option<&dyn Planner> {
        None
    }

    /// The working memory of the [planner inside](Planner::inner), in that of this one. By default they share one: the
    /// wrapper then has the [id](Planner::id) of the planner inside.
    fn inner_scratch<'s>(&self, scratch: &'s mut Scratch) -> &'s mut Scratch {
        scratch
    }

    /// Whether it would build its index again for these edits, which takes long: an [`Engine`](crate::Engine) lets it
    /// do so on a copy, and nobody waits.
    fn rebuilds_for(&self, edits: &Edits) -> bool {
        self.inner().map_or_else(|| self.facts().on_edit == OnEdit::Rebuilds, |inner| inner.rebuilds_for(edits))
    }

    /// Whether its index is that of the map as it was before some edits: answers are as it promises, but take longer
    /// than with one that is built anew. A program that holds an [`Engine`](crate::Engine) can have that done [beside
    /// its queries](crate::Engine::renew).
    fn is_stale(&self) -> bool {
        self.inner().is_some_and(Planner::is_stale)
    }

    /// What its index tells besides paths, and whether it is for one map only; `None` if it has no index that others
    /// could make use of. That of a planner inside tells less if the paths around it are
    /// [changed](Facts::reshaped).
    fn index(&self) -> Option<IndexView<'_>> {
        let index = self.inner()?.index()?;
        Some(if self.facts().reshaped { index.of_other_paths() } else { index })
    }

    /// Memory of the index in bytes, without the grid.
    fn index_bytes(&self) -> usize {
        self.inner().map_or(0, Planner::index_bytes)
    }

    /// The spec of the planner that was chosen, where the config left the choice open.
    fn chosen(&self) -> Option<&str> {
        self.inner()?.chosen()
    }

    /// Finds a path to the nearest of many goals by the cost of the path, and of several equally near ones to the
    /// first: overwrites `out` with it, and gives the place of that goal; `None` inside if no goal can be reached. Only
    /// planners that have a better way than one search after the other implement it, and say so
    /// ([`Native::ManyGoals`]); others are asked for one goal after the other. All goals [may be
    /// connected](Planner::may_connect).
    ///
    /// A planner that promises bounded paths gives one to a goal that is bounded likewise: its cost is at most so many
    /// times that to the nearest.
    fn search_any(
        &self,
        scratch: &mut Scratch,
        query: AnyGoalQuery<'_>,
        out: &mut Path,
        probe: Option<&mut dyn Probe>,
    ) -> Option<Result<Option<usize>, PathFault>> {
        let inner = passed(self, Native::ManyGoals)?;
        inner.search_any(self.inner_scratch(scratch), query, out, probe)
    }

    /// Lets the next [`search`](Planner::search) go on where a probe has stopped the last one with this scratch, which
    /// was for the same query. Only those that say that they can ([`Native::Slices`]) are asked; one that never
    /// searches need not implement it.
    fn go_on(&self, scratch: &mut Scratch) {
        if let Some(inner) = passed(self, Native::Slices) {
            inner.go_on(self.inner_scratch(scratch));
        }
    }

    /// Answers a query: checks it, overwrites `out` and returns whether a path exists. What programs call is
    /// [`plan`](trait.Planner.html#method.plan-1), which takes queries of all kinds.
    ///
    /// # Errors
    /// If an endpoint is off the map or blocked, or the scratch was made for another map.
    fn find_path(
        &self,
        scratch: &mut Scratch,
        query: PathQuery,
        out: &mut Path,
        mut probe: Option<&mut dyn Probe>,
    ) -> Result<bool, QueryError> {
        query.check(self.grid())?;
        if !scratch.is_for(self) {
            return Err(QueryError::ForeignScratch);
        }
        if let Some(probe) = &mut probe {
            probe.started(query);
        }
        if query.start == query.goal {
            let facts = self.facts();
            let any_angle = facts.squeeze().map(|squeeze| (squeeze, facts.ends()));
            out.set_single(self.grid(), query.output, query.start, any_angle);
            return Ok(true);
        }
        let found = self.may_connect(query.start, query.goal) && {
            let found = self.search(scratch, query, out, probe);
            found.map_err(|fault| QueryError::broken(self.facts().name, fault))?
        };
        if !found {
            out.clear();
        }
        Ok(found)
    }

    /// Writes what it costs to get from every source to every target, a row of `out` for each source: the cost of a
    /// path that it would find, `None` where there is none. All of them are free cells of the map, and `out` has a
    /// place for each pair; the scratch is [its own](Scratch::is_for). Returns `false`, having written nothing, if it
    /// knows no better way than a search for each pair; otherwise its facts have [`Native::Costs`]. Callers use
    /// [`Engine::matrix`](crate::Engine::matrix), which checks the cells first and has a way for every planner.
    fn costs(&self, scratch: &mut Scratch, sources: &[Cell], targets: &[Cell], out: &mut [Option<PathCost>]) -> bool {
        let inner = passed(self, Native::Costs);
        inner.is_some_and(|inner| inner.costs(self.inner_scratch(scratch), sources, targets, out))
    }

    /// Finds the nearest of many targets, by the costs of the paths that it would find: calls `found` with the places
    /// of up to `count` of them in the list, each with its cost, the nearest first and those at the same cost in the
    /// order given. Targets without a path are left out. What it is given, and when it returns `false`, is as for
    /// [`costs`](Planner::costs). Callers use [`Engine::k_nearest`](crate::Engine::k_nearest).
    fn nearest(
        &self,
        scratch: &mut Scratch,
        source: Cell,
        targets: &[Cell],
        count: usize,
        found: &mut dyn FnMut(usize, PathCost),
    ) -> bool {
        let inner = passed(self, Native::Costs);
        inner.is_some_and(|inner| inner.nearest(self.inner_scratch(scratch), source, targets, count, found))
    }
}

/// The planner inside, for a question that the planner around it passes on.
fn passed<P: Planner + ?Sized>(planner: &P, native: Native) -> Option<&dyn Planner> {
    planner.inner().filter(|_| planner.facts().has(native))
}

/// The facts that most callers ask for.
impl dyn Planner + '_ {
    /// Its name in the [catalog](crate::Catalog).
    pub fn name(&self) -> &'static str {
        self.facts().name
    }

    /// What it promises.
    pub fn guarantee(&self) -> Guarantee {
        self.facts().guarantee
    }

    /// The rule that its any-angle paths keep; `None` if its paths are grid paths.
    pub fn squeeze(&self) -> Option<Squeeze> {
        self.facts().squeeze()
    }

    /// Where its any-angle paths begin and end.
    pub fn ends(&self) -> Endpoints {
        self.facts().ends()
    }

    /// How it takes a change of the map.
    pub fn on_edit(&self) -> OnEdit {
        self.facts().on_edit
    }
}

dyn_clone::clone_trait_object!(Planner);

impl fmt::Debug for dyn Planner + '_ {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} on {}x{}", self.name(), self.grid().width(), self.grid().height())
    }
}
