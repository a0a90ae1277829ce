//! The common interface of all planners.
//!
//! A [`Planner`] does not change while it answers queries, so threads can share it. Everything that a search writes to
//! is in a [`Scratch`]: one per thread, reused between queries. [`Engine`](crate::Engine) combines the two for
//! programs.
//!
//! Planners over cells return grid paths. Any-angle planners work on the corners of cells: as their [`Endpoints`] say,
//! a cell of a query stands either for the corner at its upper left, as in the any-angle track of the grid path
//! planning competition, or for its centre.

use std::fmt;

use dyn_clone::DynClone;

use super::error::{EditError, QueryError};
use super::facts::{Facts, Guarantee, Native, OnEdit};
use super::index::BuiltIndex;
use super::index_view::IndexView;
use super::probe::Probe;
use super::query::{AnyGoalQuery, PathQuery};
use super::scratch::{PlannerId, Scratch};
use crate::geometry::{Cell, Endpoints, PathCost};
use crate::grid::{Edits, Grid, Squeeze};
use crate::path::{Path, PathFault};

/// A planner: finds paths on one grid. Programs usually hold an [`Engine`](crate::Engine), which wraps a planner. To
/// write your own planner, implement this trait.
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
    /// What the planner promises, which maps it takes, and what it can do: the facts of its [config](super::Config),
    /// which it stores when it is built.
    fn facts(&self) -> &Facts;

    /// The map it plans on.
    fn grid(&self) -> &Grid;

    /// Whether a path between two cells may exist. "No" must be certain: it answers a query without a search. For the
    /// planners of this crate both answers are certain, after edits too.
    fn may_connect(&self, start: Cell, goal: Cell) -> bool {
        self.inner().map_or_else(|| self.grid().may_connect(start, goal), |inner| inner.may_connect(start, goal))
    }

    /// The planner's identity: a field that [`PlannerId::new`] sets when the planner is built. Clones and edits keep
    /// it, so a scratch serves a planner, its clones, and all of them after edits.
    fn id(&self) -> PlannerId;

    /// Creates working memory for this planner, stamped with its [id](Planner::id). No other planner accepts it.
    fn create_scratch(&self) -> Scratch;

    /// Finds a path between two different free cells that [may be connected](Planner::may_connect), overwrites `out`
    /// with it and returns whether a path exists.
    ///
    /// Planners implement this method; callers use [`find_path`](Planner::find_path) or
    /// [`plan`](trait.Planner.html#method.plan), which check the query first. The scratch is [its
    /// own](Scratch::is_for).
    ///
    /// Without a probe, a search should not pay for probing: compile it once for [`NoProbe`](super::NoProbe) and once
    /// for `dyn Probe`. With a probe, it asks at every expansion whether to [stop](Probe::stops); a search that stops
    /// has found nothing.
    ///
    /// # Errors
    /// If what the search wrote is not a path: errors of the [checked writers](Path::write_grid).
    fn search(
        &self,
        scratch: &mut Scratch,
        query: PathQuery,
        out: &mut Path,
        probe: Option<&mut dyn Probe>,
    ) -> Result<bool, PathFault>;

    /// Applies edits to the planner's map. Other holders of the same grid keep the old map.
    ///
    /// # Errors
    /// If a cell is off the map, or the planner refuses the edits. The planner is then unchanged.
    fn apply(&mut self, edits: &Edits) -> Result<(), EditError>;

    /// The wrapped planner, if this planner is a wrapper. What a wrapper does not implement itself is passed on to that
    /// planner: this is the default of the methods below. The methods for a [native query](Native) do so if the
    /// wrapper's facts include it.
    fn inner(&self) -> Option<&dyn Planner> {
        None
    }

    /// The working memory of the [wrapped planner](Planner::inner) inside that of this one. By default both use the
    /// same scratch: the wrapper then has the [id](Planner::id) of the wrapped planner.
    fn inner_scratch<'s>(&self, scratch: &'s mut Scratch) -> &'s mut Scratch {
        scratch
    }

    /// Whether these edits would make the planner rebuild its index, which takes long. An [`Engine`](crate::Engine)
    /// then rebuilds a copy, so that no query waits.
    fn rebuilds_for(&self, edits: &Edits) -> bool {
        self.inner().map_or_else(|| self.facts().on_edit == OnEdit::Rebuilds, |inner| inner.rebuilds_for(edits))
    }

    /// Whether the index is stale, that is, built for the map before some edits. Answers still keep the planner's
    /// guarantee, but take longer than with a fresh index. A program that holds an [`Engine`](crate::Engine) can
    /// rebuild the index [in the background](crate::Engine::renew).
    fn is_stale(&self) -> bool {
        self.inner().is_some_and(Planner::is_stale)
    }

    /// What the index offers besides paths, and whether it serves only one map; `None` if the planner has no index that
    /// others can use. A wrapper that changes the paths ([`reshaped`](field@Facts::reshaped)) offers less than the
    /// wrapped planner.
    fn index(&self) -> Option<IndexView<'_>> {
        let index = self.inner()?.index()?;
        Some(if self.facts().reshaped { index.of_other_paths() } else { index })
    }

    /// The planner's index as a file, with the map that it was built for, if a build for a changed map can
    /// [reuse](super::Build::since) a part of it. It is kept when the planner goes [stale](Planner::is_stale).
    fn built_index(&self) -> Option<BuiltIndex> {
        self.inner()?.built_index()
    }

    /// The size of the index in bytes, without the grid.
    fn index_bytes(&self) -> usize {
        self.inner().map_or(0, Planner::index_bytes)
    }

    /// The spec of the planner that was chosen, if the config left the choice open.
    fn chosen(&self) -> Option<&str> {
        self.inner()?.chosen()
    }

    /// Finds a path to the nearest of many goals, measured by the cost of the path; of several equally near goals the
    /// first wins. Overwrites `out` with the path and returns the index of that goal; the inner `None` means that no
    /// goal can be reached. All goals [may be connected](Planner::may_connect).
    ///
    /// Only planners that do better than one search per goal implement this, and their facts include
    /// [`Native::ManyGoals`]; other planners are queried for one goal after the other.
    ///
    /// A planner with a bounded guarantee keeps it here: the cost of the path is at most its bound times the cost to
    /// the nearest goal.
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

    /// Makes the next [`search`](Planner::search) resume where a probe stopped the last one with this scratch, which
    /// had the same query. It is only called on planners whose facts include [`Native::Slices`]; a planner that never
    /// searches need not implement it.
    fn go_on(&self, scratch: &mut Scratch) {
        if let Some(inner) = passed(self, Native::Slices) {
            inner.go_on(self.inner_scratch(scratch));
        }
    }

    /// Answers a query: checks it, overwrites `out` and returns whether a path exists. Programs call
    /// [`plan`](trait.Planner.html#method.plan-1), which takes queries of all kinds.
    ///
    /// # Errors
    /// If an endpoint is off the map or blocked, or the scratch was made by another planner.
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

    /// Computes the cost from every source to every target, one row of `out` per source: the cost of the path that the
    /// planner would find, or `None` if there is none. All sources and targets are free cells of the map, `out` has an
    /// element for each pair, and the scratch is [its own](Scratch::is_for).
    ///
    /// Returns `false`, and writes nothing, if the planner has no better way than a search for each pair; otherwise its
    /// facts include [`Native::Costs`]. Callers use [`Engine::matrix`](crate::Engine::matrix), which checks the cells
    /// first and works for every planner.
    fn costs(&self, scratch: &mut Scratch, sources: &[Cell], targets: &[Cell], out: &mut [Option<PathCost>]) -> bool {
        let inner = passed(self, Native::Costs);
        inner.is_some_and(|inner| inner.costs(self.inner_scratch(scratch), sources, targets, out))
    }

    /// Finds the nearest of many targets, by the costs of the paths that the planner would find. Calls `found` with the
    /// indices of up to `count` targets in the list, each with its cost: the nearest first, and targets at the same
    /// cost in the order given. Targets without a path are left out. The arguments and the result `false` are as for
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

/// The wrapped planner, for a native query that the wrapper passes on.
fn passed<P: Planner + ?Sized>(planner: &P, native: Native) -> Option<&dyn Planner> {
    planner.inner().filter(|_| planner.facts().has(native))
}

/// Shortcuts for common facts.
impl dyn Planner + '_ {
    /// The planner's name in the [catalog](crate::Catalog).
    pub fn name(&self) -> &'static str {
        self.facts().name
    }

    /// What the planner promises about the cost of its paths.
    pub fn guarantee(&self) -> Guarantee {
        self.facts().guarantee
    }

    /// The squeeze rule of its any-angle paths; `None` if its paths are grid paths.
    pub fn squeeze(&self) -> Option<Squeeze> {
        self.facts().squeeze()
    }

    /// Which points its any-angle paths begin and end at.
    pub fn ends(&self) -> Endpoints {
        self.facts().ends()
    }

    /// How the planner takes map edits.
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
