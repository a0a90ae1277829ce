//! What a query came to.

use super::error::QueryError;
use super::limits::Limit;
use crate::geometry::Cell;
use crate::path::Path;

/// How a query ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum Status {
    /// There is a path to a goal, and this is it.
    Found,
    /// No goal can be reached, or none within the [limits](super::Limits): the path leads to the cell
    /// [nearest](super::Nearest) to one. Only queries that ask for it get this.
    Nearest,
    /// There is no path.
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

    /// Whether there is a path, all the way or part of it.
    ///
    /// ```
    /// use octile::Status;
    /// assert!(Status::Nearest.has_path() && !Status::Limit.has_path());
    /// ```
    pub const fn has_path(self) -> bool {
        matches!(self, Self::Found | Self::Nearest)
    }
}

/// What is known of an answer beside its path.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct AnswerSummary {
    /// How it ended.
    pub status: Status,
    /// The cells at which the path begins and ends, if there is one.
    pub ends: Option<(Cell, Cell)>,
    /// Which of the goals was reached, counted from 0.
    pub place: Option<usize>,
    /// The limit that ended the search, if one did. The path to the nearest cell is then that to the nearest within the
    /// limit.
    pub limit: Option<Limit>,
    /// How far the path stays away from the nearest of the goals, in a straight line between the centres of cells; 0 if
    /// it gets there.
    pub away: f64,
}

impl AnswerSummary {
    /// A path from here to there, which is the goal at a place.
    pub(crate) fn found(ends: (Cell, Cell), place: usize) -> Self {
        Self { status: Status::Found, ends: Some(ends), place: Some(place), ..Self::default() }
    }

    /// No path, perhaps because of a limit.
    pub(crate) fn none(limit: Option<Limit>) -> Self {
        Self { status: if limit.is_some() { Status::Limit } else { Status::NoPath }, limit, ..Self::default() }
    }
}

/// What a query came to: a path, all of it or part of it, or none, in a buffer that can serve many queries.
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
    /// A buffer for answers.
    pub fn new() -> Self {
        Self::default()
    }

    /// The path to a goal, or to the [nearest](super::Nearest) cell if that was asked for; `None` if there is none.
    ///
    /// # Errors
    /// If the query could not be asked, such as with an end off the map.
    pub fn path(&self) -> Result<Option<&Path>, QueryError> {
        Ok(self.summary()?.status.has_path().then_some(&self.path))
    }

    /// The path, to be [cut](Path::cut) or changed otherwise; `None` if there is none.
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

    /// The path to a goal, or to the nearest cell, or `None` if there is none, without the buffer.
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
    /// If the query could not be asked, such as with an end off the map.
    pub fn into_path(self) -> Result<Option<Path>, QueryError> {
        Ok(self.summary()?.status.has_path().then_some(self.path))
    }

    /// All that is known beside the path.
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
    /// If the query could not be asked, such as with an end off the map.
    pub fn summary(&self) -> Result<AnswerSummary, QueryError> {
        self.reply.clone().unwrap_or_else(|| Ok(AnswerSummary::default()))
    }

    /// How it ended; [`Status::NoPath`] if it was not asked, or could not be.
    pub fn status(&self) -> Status {
        self.known().status
    }

    /// Where the path begins: the start, or the cell nearest to it.
    pub fn start(&self) -> Option<Cell> {
        self.known().ends.map(|(start, _)| start)
    }

    /// Where the path ends: the goal that was reached, or the cell nearest to one.
    pub fn goal(&self) -> Option<Cell> {
        self.known().ends.map(|(_, goal)| goal)
    }

    /// The limit that ended the search, if one did.
    pub fn limit(&self) -> Option<Limit> {
        self.known().limit
    }

    /// How far the path stays away from the goal; 0 if it gets there.
    pub fn away(&self) -> f64 {
        self.known().away
    }

    fn known(&self) -> AnswerSummary {
        self.reply.as_ref().and_then(|reply| reply.as_ref().ok()).copied().unwrap_or_default()
    }
}
