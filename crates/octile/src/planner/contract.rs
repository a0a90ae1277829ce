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
use super::probe::Probe;
use super::query::{AnyGoalQuery, PathQuery};
use super::scratch::{PlannerId, Scratch};
use super::stale_index::StaleIndex;
use crate::geometry::{Cell, Dir, Endpoints, PathCost, Weight};
use crate::grid::{Edits, Grid, Squeeze};
use crate::path::{Path, PathFault};

/// What a planner promises about the cost of its paths. All planners are complete: they find a path where one exists.
///
/// Any-angle paths that begin and end at [centres](Endpoints::Centres) and are not [optimal](Guarantee::AnyAngleOptimal) are
/// made from paths between corners: they may be longer than is said here by `√2`, twice the way from a centre to a
/// corner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum Guarantee {
    /// No grid path is cheaper, in exact arithmetic.
    GridOptimal,
    /// At most so many times the cheapest grid path, in exact arithmetic.
    Bounded(Weight),
    /// An any-angle path, never longer than the cheapest way along corners by moves to the eight nearest ones. (It is a
    /// length in `f64`, right to a part in 10^9.) That in turn is never longer than the cheapest grid path.
    AnyAngle,
    /// No any-angle path with the planner's [ends](Endpoints) that keeps its [squeeze rule](Squeeze) is shorter. (It is a
    /// length in `f64`, right to a part in 10^9.)
    AnyAngleOptimal,
    /// An any-angle path made from a grid path by pulling it straight ([`Path::smooth`]): at most so many times the
    /// cheapest grid path, right to a part in 10^9.
    Smoothed(Weight),
    /// A legal path where there is a grid path, with no promise about its cost.
    Legal,
}

impl Guarantee {
    /// What is left of it once the paths are smoothed.
    ///
    /// ```
    /// use octile::{Guarantee, Weight};
    /// assert_eq!(Guarantee::GridOptimal.smoothed(), Guarantee::Smoothed(Weight::ONE));
    /// assert_eq!(Guarantee::AnyAngle.smoothed(), Guarantee::AnyAngle);
    /// ```
    #[must_use]
    pub fn smoothed(self) -> Self {
        match self {
            Self::GridOptimal => Self::Smoothed(Weight::ONE),
            Self::Bounded(weight) => Self::Smoothed(weight),
            Self::AnyAngle | Self::AnyAngleOptimal | Self::Smoothed(_) | Self::Legal => self,
        }
    }

    /// What is left of it once paths between corners are lengthened to centres.
    ///
    /// ```
    /// use octile::Guarantee;
    /// assert_eq!(Guarantee::AnyAngleOptimal.centred(), Guarantee::AnyAngle);
    /// ```
    #[must_use]
    pub fn centred(self) -> Self {
        if self == Self::AnyAngleOptimal { Self::AnyAngle } else { self }
    }

    /// How many times the cheapest grid path its paths may cost; 1 where nothing else is promised.
    pub fn weight(self) -> Weight {
        match self {
            Self::Bounded(weight) | Self::Smoothed(weight) => weight,
            Self::GridOptimal | Self::AnyAngle | Self::AnyAngleOptimal | Self::Legal => Weight::ONE,
        }
    }

    /// Whether its paths are any-angle paths.
    pub fn is_any_angle(self) -> bool {
        matches!(self, Self::AnyAngle | Self::AnyAngleOptimal | Self::Smoothed(_))
    }
}

impl fmt::Display for Guarantee {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::GridOptimal => "grid-optimal",
            Self::Bounded(_) => "bounded by the weight",
            Self::AnyAngle => "any-angle: legal, and never longer than the grid-optimal path on corners",
            Self::AnyAngleOptimal => "any-angle optimal",
            Self::Smoothed(_) => "any-angle: legal, and never longer than the path that was smoothed",
            Self::Legal => "legal: no promise about its cost",
        })
    }
}

/// How a planner takes a change of its map ([`Planner::apply`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum OnEdit {
    /// It follows at a cost proportional to the edit: it has no index, or one that follows too.
    Follows,
    /// It builds its index again, which takes as long as [`Engine::last_edit`](crate::Engine::last_edit) says.
    Rebuilds,
    /// Its index stays that of the map as it was: answers stay as it promises, but where the index could be wrong a
    /// planner that follows has to search.
    GoesStale,
    /// It refuses: its index must be built again.
    Refuses,
}

super::names! {
    OnEdit { Follows = "follows", Rebuilds = "rebuilds", GoesStale = "goes-stale", Refuses = "refuses" }
}

/// How searches of a planner take being done a slice at a time ([`Engine::begin`](crate::Engine::begin)).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum Slicing {
    /// A search that was stopped goes on where it was.
    Resumes,
    /// There is no search that could be stopped: answers come at once.
    AtOnce,
    /// A search cannot go on. Another planner that promises as much is asked in its place.
    Never,
}

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
    /// The name in the [catalog](crate::Catalog).
    fn name(&self) -> &'static str;

    /// What it promises.
    fn guarantee(&self) -> Guarantee;

    /// The map it plans on.
    fn grid(&self) -> &Grid;

    /// The rule that its any-angle paths keep; `None` if its paths are grid paths.
    fn squeeze(&self) -> Option<Squeeze> {
        None
    }

    /// Where its any-angle paths begin and end.
    fn ends(&self) -> Endpoints {
        Endpoints::Corners
    }

    /// Whether a path between two cells may exist. "No" must be certain, and answers a query without a search. The
    /// planners of this crate are certain of both, after edits too.
    fn may_connect(&self, start: Cell, goal: Cell) -> bool {
        self.grid().may_connect(start, goal)
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

    /// How it takes a change of the map.
    fn on_edit(&self) -> OnEdit {
        OnEdit::Follows
    }

    /// Whether it would build its index again for these edits, which takes long: an [`Engine`](crate::Engine) lets it
    /// do so on a copy, and nobody waits.
    fn rebuilds_for(&self, edits: &Edits) -> bool {
        let _ = edits;
        self.on_edit() == OnEdit::Rebuilds
    }

    /// What its index is still good for when the map has changed: asked of planners that go [stale](OnEdit::GoesStale)
    /// and do not take edits themselves. Whoever builds them by a [spec](crate::PlannerSpec), or holds them in an
    /// [`Engine`](crate::Engine) or a [`Finder`](crate::Finder), has them put together with one that follows edits: the
    /// index answers where that is certain to be right, the other searches where it is not.
    fn stale_index(&self) -> Option<StaleIndex<'_>> {
        None
    }

    /// Whether its index is that of the map as it was before some edits: answers are as it promises, but take longer
    /// than with one that is built anew. A program that holds an [`Engine`](crate::Engine) can have that done [beside
    /// its queries](crate::Engine::renew).
    fn is_stale(&self) -> bool {
        false
    }

    /// Changes the map under the planner. If others hold the same grid they keep what they had.
    ///
    /// # Errors
    /// If a cell is off the map, or it refuses; then the planner is as before.
    fn apply(&mut self, edits: &Edits) -> Result<(), EditError>;

    /// Memory of the index in bytes, without the grid.
    fn index_bytes(&self) -> usize {
        0
    }

    /// The first move of an optimal path, where the index has that: `None` of planners that have no first moves, or not
    /// for these cells. Both are free cells.
    fn first_move(&self, start: Cell, goal: Cell) -> Option<Dir> {
        let _ = (start, goal);
        None
    }

    /// The rectangles that the map is cut into for the first moves from a free cell, each from its upper left to its
    /// lower right cell; `None` if the index has no such rectangles.
    fn first_move_areas(&self, start: Cell) -> Option<Vec<(Cell, Cell)>> {
        let _ = start;
        None
    }

    /// Calls `way` with the cells of a path from a free cell to each of the hubs that it knows, where the index has
    /// hubs: from each cell to the next the path goes by a direct hop. Returns whether the index has hubs.
    fn ways_to_hubs(&self, cell: Cell, way: &mut dyn FnMut(&[Cell])) -> bool {
        let _ = (cell, way);
        false
    }

    /// The spec of the planner that was chosen, where the config left the choice open.
    fn chosen(&self) -> Option<&str> {
        None
    }

    /// Finds a path to the nearest of many goals by the cost of the path, and of several equally near ones to the
    /// first: overwrites `out` with it, and gives the place of that goal; `None` inside if no goal can be reached. Only
    /// planners that have a better way than one search after the other implement it, and do so for all of them; others
    /// are asked for one goal after the other. All goals [may be connected](Planner::may_connect).
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
        let _ = (scratch, query, out, probe);
        None
    }

    /// How its searches take being done a slice at a time.
    fn slicing(&self) -> Slicing {
        Slicing::Never
    }

    /// Lets the next [`search`](Planner::search) go on where a probe has stopped the last one with this scratch, which
    /// was for the same query. Only who [resumes](Slicing::Resumes) is asked.
    fn go_on(&self, scratch: &mut Scratch) {
        let _ = scratch;
    }

    /// Whether the lengths that it tells a [probe](Probe::stops) are those of the paths that it gives, and not of paths
    /// that these are made from.
    fn tells_lengths(&self) -> bool {
        true
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
            let any_angle = self.squeeze().map(|squeeze| (squeeze, self.ends()));
            out.set_single(self.grid(), query.output, query.start, any_angle);
            return Ok(true);
        }
        let found = self.may_connect(query.start, query.goal) && {
            let found = self.search(scratch, query, out, probe);
            found.map_err(|fault| QueryError::broken(self.name(), fault))?
        };
        if !found {
            out.clear();
        }
        Ok(found)
    }

    /// Writes what it costs to get from every source to every target, a row of `out` for each source: the cost of a
    /// path that it would find, `None` where there is none. All of them are free cells of the map, and `out` has a
    /// place for each pair; the scratch is [its own](Scratch::is_for). Returns `false`, having written nothing, if it
    /// knows no better way than a search for each pair. Callers use [`Engine::matrix`](crate::Engine::matrix), which
    /// checks the cells first and has a way for every planner.
    #[expect(unused_variables, reason = "the names are for those who implement it")]
    fn costs(&self, scratch: &mut Scratch, sources: &[Cell], targets: &[Cell], out: &mut [Option<PathCost>]) -> bool {
        false
    }

    /// Finds the nearest of many targets, by the costs of the paths that it would find: calls `found` with the places
    /// of up to `count` of them in the list, each with its cost, the nearest first and those at the same cost in the
    /// order given. Targets without a path are left out. What it is given, and when it returns `false`, is as for
    /// [`costs`](Planner::costs). Callers use [`Engine::k_nearest`](crate::Engine::k_nearest).
    #[expect(unused_variables, reason = "the names are for those who implement it")]
    fn nearest(
        &self,
        scratch: &mut Scratch,
        source: Cell,
        targets: &[Cell],
        count: usize,
        found: &mut dyn FnMut(usize, PathCost),
    ) -> bool {
        false
    }
}

dyn_clone::clone_trait_object!(Planner);

impl fmt::Debug for dyn Planner + '_ {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} on {}x{}", self.name(), self.grid().width(), self.grid().height())
    }
}
