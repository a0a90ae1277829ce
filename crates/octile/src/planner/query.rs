//! Queries: what programs ask, and what planners search for.
//!
//! A [`Query`] is complete: one goal or the nearest of many, what to do if no goal can be reached, and when to give up.
//! A [`PathQuery`] is the part that a planner sees: from one cell to another.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use web_time::Instant;

use super::error::{End, QueryError};
use super::limits::Limits;
use crate::geometry::Cell;
use crate::grid::Grid;
use crate::path::Output;

/// A start cell, a goal cell and what to return: what planners search for.
///
/// ```
/// use octile::{Output, PathQuery};
/// let trip = PathQuery::new((3, 4), (60, 7)).output(Output::Cells);
/// assert_eq!(trip.goal.x, 60);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct PathQuery {
    /// The first cell of the path.
    pub start: Cell,
    /// The last cell of the path.
    pub goal: Cell,
    /// What to return.
    #[cfg_attr(feature = "serde", serde(default))]
    pub output: Output,
}

impl PathQuery {
    /// A query for the turning points of a path.
    pub fn new(start: impl Into<Cell>, goal: impl Into<Cell>) -> Self {
        Self { start: start.into(), goal: goal.into(), output: Output::Waypoints }
    }

    /// The same query with another output.
    ///
    /// ```
    /// use octile::{Output, PathQuery};
    /// assert_eq!(PathQuery::new((0, 0), (8, 8)).output(Output::Cost).output, Output::Cost);
    /// ```
    #[must_use]
    pub const fn output(self, output: Output) -> Self {
        Self { output, ..self }
    }

    /// Checks that both endpoints are free cells of a map. Every planner checks this before it searches; call it
    /// yourself to find out before you build a planner.
    ///
    /// ```
    /// use octile::{Grid, QueryError, PathQuery};
    /// let grid: Grid = "..@".parse()?;
    /// assert_eq!(PathQuery::new((0, 0), (1, 0)).check(&grid), Ok(()));
    /// assert!(matches!(PathQuery::new((0, 0), (2, 0)).check(&grid), Err(QueryError::Blocked { .. })));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If an endpoint is off the map or blocked.
    pub fn check(&self, grid: &Grid) -> Result<(), QueryError> {
        QueryError::check(grid, End::Start, self.start)?;
        QueryError::check(grid, End::Goal, self.goal)
    }
}

/// A start cell and many goal cells, to find the nearest goal: what planners that support it [search
/// for](super::Planner::search_any).
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct AnyGoalQuery<'a> {
    /// The first cell of the path.
    pub start: Cell,
    /// The possible last cells: two or more, all free, none equal to the start.
    pub goals: &'a [Cell],
    /// What to return.
    pub output: Output,
}

/// The goals of a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Goals<'a> {
    /// One cell.
    One(Cell),
    /// Any of these cells: the one with the cheapest path, and of several with equally cheap paths the first in the
    /// list.
    Any(&'a [Cell]),
}

impl Goals<'_> {
    /// All goals, in the order given.
    ///
    /// ```
    /// use octile::Cell;
    /// use octile::planner::Goals;
    /// assert_eq!(Goals::One(Cell::new(1, 2)).cells(), [Cell::new(1, 2)]);
    /// assert!(Goals::Any(&[]).cells().is_empty());
    /// ```
    pub fn cells(&self) -> &[Cell] {
        match self {
            Self::One(cell) => std::slice::from_ref(cell),
            Self::Any(cells) => cells,
        }
    }
}

/// Which endpoints to replace by the nearest usable cell if they are unusable.
///
/// Nearest means by the straight line between the centres of the two cells. Ties are broken by the cheaper path, then
/// by row-major order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Nearest {
    /// Neither: a blocked endpoint is an error, and a goal that cannot be reached has no path.
    #[default]
    No,
    /// The goal: if it is blocked, not connected to the start, or beyond a [limit](Limits), the path leads to the
    /// reachable cell nearest to it.
    Goal,
    /// The goal, and a blocked start: it is replaced by the nearest cell from which a goal can be reached, or by the
    /// nearest free cell if there is none.
    Both,
}

super::names::names! {
    Nearest { No = "no", Goal = "goal", Both = "both" }
}

/// A query to a planner: start, goals, what to return, what to do about unusable endpoints, and when to give up.
///
/// ```
/// use octile::{Engine, Grid, Query, Status};
/// let engine = Engine::new("corner-sweep", &"....@.\n....@.".parse::<Grid>()?)?;
/// // The nearest of many goals.
/// let answer = engine.ask(Query::to_any((1, 0), &[(3, 1).into(), (0, 0).into()]))?;
/// assert_eq!((answer.status(), answer.goal()), (Status::Found, Some((0, 0).into())));
/// // As near as one can get.
/// let answer = engine.ask(Query::new((1, 0), (5, 0)).nearest())?;
/// assert_eq!((answer.status(), answer.goal(), answer.away()), (Status::Nearest, Some((3, 0).into()), 2.0));
/// // No farther than that.
/// let answer = engine.ask(Query::new((0, 0), (3, 0)).max_cost(2.5))?;
/// assert_eq!(answer.status(), Status::Limit);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Query<'a> {
    /// The first cell of the path.
    pub start: Cell,
    /// The possible last cells.
    pub goals: Goals<'a>,
    /// What to return.
    pub output: Output,
    /// What to do about unusable endpoints.
    pub nearest: Nearest,
    /// When to give up.
    pub limits: Limits<'a>,
}

impl<'a> Query<'a> {
    /// A query for the turning points of a path to one goal.
    ///
    /// ```
    /// use octile::{Output, Query};
    /// let query = Query::new((3, 4), (60, 7)).output(Output::Cells);
    /// assert_eq!(query.goal().x, 60);
    /// ```
    pub fn new(start: impl Into<Cell>, goal: impl Into<Cell>) -> Self {
        PathQuery::new(start, goal).into()
    }

    /// A query for a path to the nearest of many goals, measured by the cost of the path. Of several equally near goals
    /// the first wins.
    pub fn to_any(start: impl Into<Cell>, goals: &'a [Cell]) -> Self {
        let start = start.into();
        Self { goals: Goals::Any(goals), ..Self::new(start, start) }
    }

    /// The goal, or the first of many goals; the start if the list of goals is empty.
    pub fn goal(&self) -> Cell {
        self.goals.cells().first().copied().unwrap_or(self.start)
    }

    /// The same query with another output.
    ///
    /// ```
    /// use octile::{Engine, Grid, Output, Path, Query};
    /// let mut path = Path::new();
    /// Engine::new("jps", &Grid::open(9, 9)?)?.plan(Query::new((0, 0), (8, 8)).output(Output::Cost), &mut path)?;
    /// assert!(path.points().is_err() && path.length() > 11.0, "the cost alone");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub const fn output(self, output: Output) -> Self {
        Self { output, ..self }
    }

    /// The same query, with an unreachable goal replaced by the [nearest](Nearest::Goal) reachable cell.
    #[must_use]
    pub const fn nearest(self) -> Self {
        Self { nearest: Nearest::Goal, ..self }
    }

    /// The same query, with a blocked start also replaced by the [nearest](Nearest::Both) cell.
    ///
    /// ```
    /// use octile::{Engine, Grid, Query};
    /// let engine = Engine::new("jps", &"@..".parse::<Grid>()?)?;
    /// let answer = engine.ask(Query::new((0, 0), (2, 0)).nearest_ends())?;
    /// assert_eq!((answer.start(), answer.path()?.unwrap().length()), (Some((1, 0).into()), 1.0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub const fn nearest_ends(self) -> Self {
        Self { nearest: Nearest::Both, ..self }
    }

    /// The same query, limited to paths of at most this [length](crate::Path::length).
    #[must_use]
    pub const fn max_cost(mut self, cost: f64) -> Self {
        self.limits.max_cost = cost;
        self
    }

    /// The same query, which gives up after this many expansions.
    ///
    /// ```
    /// use octile::{Engine, Grid, Query, Status};
    /// use octile::planner::Limit;
    /// let engine = Engine::new("dijkstra", &Grid::open(99, 99)?)?;
    /// let answer = engine.ask(Query::new((0, 0), (98, 98)).max_expanded(100))?;
    /// assert_eq!((answer.status(), answer.limit()), (Status::Limit, Some(Limit::Expanded)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub const fn max_expanded(mut self, expansions: u64) -> Self {
        self.limits.max_expanded = expansions;
        self
    }

    /// The same query, which gives up at this time.
    #[must_use]
    pub const fn deadline(mut self, deadline: Instant) -> Self {
        self.limits.deadline = Some(deadline);
        self
    }

    /// The same query, which gives up once this much time has passed, counted from now.
    ///
    /// ```
    /// use std::time::Duration;
    /// use octile::{Engine, Grid, Query};
    /// use octile::planner::Limit;
    /// let engine = Engine::new("dijkstra", &Grid::open(99, 99)?)?;
    /// let answer = engine.ask(Query::new((0, 0), (98, 98)).within(Duration::ZERO))?;
    /// assert_eq!(answer.limit(), Some(Limit::Deadline));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn within(self, time: Duration) -> Self {
        // A deadline beyond the clock's range is no deadline.
        Self { limits: Limits { deadline: Instant::now().checked_add(time), ..self.limits }, ..self }
    }

    /// The same query, which gives up once the flag is set, by this thread or another.
    ///
    /// ```
    /// use std::sync::atomic::AtomicBool;
    /// use octile::{Engine, Grid, Query};
    /// use octile::planner::Limit;
    /// let engine = Engine::new("dijkstra", &Grid::open(99, 99)?)?;
    /// let cancel = AtomicBool::new(true); // set before it begins
    /// let answer = engine.ask(Query::new((0, 0), (98, 98)).cancelled_by(&cancel))?;
    /// assert_eq!(answer.limit(), Some(Limit::Cancelled));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub const fn cancelled_by(mut self, flag: &'a AtomicBool) -> Self {
        self.limits.cancel = Some(flag);
        self
    }

    /// The query for a planner that searches for [many goals](super::Planner::search_any) at once; `None` if there is
    /// only one goal.
    ///
    /// ```
    /// use octile::{Cell, Query};
    /// let goals = [Cell::new(1, 1), Cell::new(2, 0)];
    /// assert_eq!(Query::to_any((0, 0), &goals).any_goal_query().unwrap().goals, goals);
    /// assert!(Query::new((0, 0), (1, 1)).any_goal_query().is_none());
    /// ```
    pub fn any_goal_query(&self) -> Option<AnyGoalQuery<'a>> {
        match self.goals {
            Goals::Any(goals) => Some(AnyGoalQuery { start: self.start, goals, output: self.output }),
            Goals::One(_) => None,
        }
    }

    /// This query as a path query, if it asks for nothing more.
    #[inline]
    pub(crate) fn as_path_query(&self) -> Option<PathQuery> {
        match self.goals {
            Goals::One(goal) if self.nearest == Nearest::No && self.limits.is_none() => Some(self.path_query_to(goal)),
            _ => None,
        }
    }

    /// The path query to one of its goals.
    #[inline]
    pub(crate) fn path_query_to(&self, goal: Cell) -> PathQuery {
        PathQuery { start: self.start, goal, output: self.output }
    }

    /// Checks that the endpoints are cells of a map, and free unless the query accepts the [nearest](Nearest) cell.
    /// Call it to find out before you build a planner.
    ///
    /// ```
    /// use octile::{Grid, Query, QueryError};
    /// let grid: Grid = "..@".parse()?;
    /// let query = Query::new((0, 0), (2, 0));
    /// assert!(matches!(query.check(&grid), Err(QueryError::Blocked { .. })));
    /// assert_eq!(query.nearest().check(&grid), Ok(()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If an endpoint is off the map or blocked, there are no goals, or a limit is not a number.
    pub fn check(&self, grid: &Grid) -> Result<(), QueryError> {
        let check = |end: End, cell: Cell, is_lenient: bool| match QueryError::check(grid, end, cell) {
            Err(QueryError::Blocked { .. }) if is_lenient => Ok(()),
            checked => checked,
        };
        check(End::Start, self.start, self.nearest == Nearest::Both)?;
        for &goal in self.goals.cells() {
            check(End::Goal, goal, self.nearest != Nearest::No)?;
        }
        if self.goals.cells().is_empty() {
            return Err(QueryError::NoGoals);
        }
        self.limits.check()
    }
}

impl From<PathQuery> for Query<'_> {
    fn from(PathQuery { start, goal, output }: PathQuery) -> Self {
        Self { start, goals: Goals::One(goal), output, nearest: Nearest::No, limits: Limits::default() }
    }
}
