//! Answers: the results of queries.

use super::error::QueryError;
use super::limits::Limit;
use crate::geometry::Cell;
use crate::path::Path;

/// How a query ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum Status {
    /// A path to a goal exists, and this is it.
    Found,
    /// No goal can be reached, or none within the [limits](super::Limits), so the path leads to the cell
    /// [nearest](super::Nearest) to one. Only queries that ask for it get this status.
    Nearest,
    /// No path exists.
    #[default]
    NoPath,
    /// A limit ended the search.
    Limit,
}

impl Status {
    /// Its name in reports.
    ///
    /// ```
    /// assert_eq!(octile::Status::NoPath.name(), "no-path");
    /// ```
    pub const fn name(self) -> &'static str {
        match self {
            Self::Found => "found",
            Self::Nearest => "nearest",
            Self::NoPath => "no-path",
            Self::Limit => "limit",
        }
    }

    /// Whether there is a path, complete or partial.
    ///
    /// ```
    /// use octile::Status;
    /// assert!(Status::Nearest.has_path() && !Status::Limit.has_path());
    /// ```
    pub const fn has_path(self) -> bool {
        matches!(self, Self::Found | Self::Nearest)
    }
}

/// Everything known about an answer except the path itself.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct AnswerSummary {
    /// How it ended.
    pub status: Status,
    /// The first and last cell of the path, if there is one.
    pub ends: Option<(Cell, Cell)>,
    /// The index of the goal that was reached, counted from 0.
    pub place: Option<usize>,
    /// The limit that ended the search, if one did. A path to the nearest cell then leads to the nearest one within the
    /// limit.
    pub limit: Option<Limit>,
    /// The distance from the end of the path to the nearest goal, in a straight line between the centres of the cells;
    /// 0 if the path reaches a goal.
    pub away: f64,
}

impl AnswerSummary {
    /// A path with these ends, which leads to the goal at index `place`.
    pub(crate) fn found(ends: (Cell, Cell), place: usize) -> Self {
        Self { status: Status::Found, ends: Some(ends), place: Some(place), ..Self::default() }
    }

    /// No path, possibly because of a limit.
    pub(crate) fn none(limit: Option<Limit>) -> Self {
        Self { status: if limit.is_some() { Status::Limit } else { Status::NoPath }, limit, ..Self::default() }
    }
}

/// The result of a query: a complete path, a partial path or none, in a buffer that can be reused for many queries.
///
/// ```
/// use octile::{Answer, Engine, Grid, Query};
/// let engine = Engine::new("jps", &Grid::open(64, 64)?)?;
/// let queries: Vec<_> = (1..64).map(|x| Query::new((0, 0), (x, 63))).collect();
/// let mut answers: Vec<Answer> = Vec::new(); // kept from batch to batch
/// engine.plan_all(&queries, &mut answers);
/// assert_eq!(answers[9].path()?.unwrap().cost().to_string(), "53+10√2");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Answer {
    pub(crate) path: Path,
    pub(crate) reply: Option<Result<AnswerSummary, QueryError>>,
}

impl Answer {
    /// An empty buffer.
    pub fn new() -> Self {
        Self::default()
    }

    /// The path to a goal, or to the [nearest](super::Nearest) cell if the query asked for it; `None` if there is no
    /// path.
    ///
    /// # Errors
    /// If the query was invalid, such as one with an endpoint off the map.
    pub fn path(&self) -> Result<Option<&Path>, QueryError> {
        Ok(self.summary()?.status.has_path().then_some(&self.path))
    }

    /// The path, for [cutting](Path::cut) or other changes; `None` if there is no path.
    ///
    /// ```
    /// use octile::{Engine, Grid, Query};
    /// let grid = Grid::open(9, 9)?;
    /// let mut answer = Engine::new("jps", &grid)?.ask(Query::new((0, 0), (8, 0)))?;
    /// assert!(answer.path_mut().unwrap().cut(&grid, (3, 0), (8, 0)));
    /// assert_eq!(answer.path()?.unwrap().length(), 5.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn path_mut(&mut self) -> Option<&mut Path> {
        self.status().has_path().then_some(&mut self.path)
    }

    /// The path to a goal or to the nearest cell, taken out of the buffer; `None` if there is no path.
    ///
    /// ```
    /// use octile::{Answer, Engine, Grid, Query};
    /// let engine = Engine::new("jps", &".@.".parse::<Grid>()?)?;
    /// let mut answers = Vec::new();
    /// engine.plan_all(&[Query::new((0, 0), (2, 0)), Query::new((0, 0), (1, 0))], &mut answers);
    /// let paths: Vec<_> = answers.into_iter().map(Answer::into_path).collect();
    /// assert!(matches!(paths[..], [Ok(None), Err(_)]), "no path, and a goal that is blocked");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the query was invalid, such as one with an endpoint off the map.
    pub fn into_path(self) -> Result<Option<Path>, QueryError> {
        Ok(self.summary()?.status.has_path().then_some(self.path))
    }

    /// Everything known about the answer except the path itself.
    ///
    /// ```
    /// use octile::{Engine, Grid, Query};
    /// let engine = Engine::new("jps", &Grid::open(3, 3)?)?;
    /// let goals = [(2, 2).into(), (1, 0).into()];
    /// assert_eq!(engine.ask(Query::to_any((0, 0), &goals))?.summary()?.place, Some(1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the query was invalid, such as one with an endpoint off the map.
    pub fn summary(&self) -> Result<AnswerSummary, QueryError> {
        self.reply.clone().unwrap_or_else(|| Ok(AnswerSummary::default()))
    }

    /// How the query ended; [`Status::NoPath`] if the buffer is unused or the query was invalid.
    pub fn status(&self) -> Status {
        self.known().status
    }

    /// The first cell of the path: the start, or the cell nearest to it.
    pub fn start(&self) -> Option<Cell> {
        self.known().ends.map(|(start, _)| start)
    }

    /// The last cell of the path: the goal that was reached, or the cell nearest to one.
    pub fn goal(&self) -> Option<Cell> {
        self.known().ends.map(|(_, goal)| goal)
    }

    /// The limit that ended the search, if one did.
    pub fn limit(&self) -> Option<Limit> {
        self.known().limit
    }

    /// The distance from the end of the path to the nearest goal; 0 if the path reaches it.
    pub fn away(&self) -> f64 {
        self.known().away
    }

    fn known(&self) -> AnswerSummary {
        self.reply.as_ref().and_then(|reply| reply.as_ref().ok()).copied().unwrap_or_default()
    }
}
