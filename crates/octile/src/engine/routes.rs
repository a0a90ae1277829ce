//! Answers of a batch in columns, which other languages take as arrays.

use std::time::Duration;

use web_time::Instant;

use super::Engine;
use super::batch::Ask;
use crate::geometry::{PathCost, Point};
use crate::path::Path;
use crate::planner::{Answer, QueryError, Status};

/// The maximum number of queries that are answered before their answers are put into columns.
const MAX_CHUNK: usize = 4096;

/// The number of queries in the first chunk.
const FIRST_CHUNK: usize = 64;

/// The time that one chunk should take, so that progress is reported often enough.
const CHUNK_TIME: Duration = Duration::from_millis(30);

/// The answers of a batch in columns of plain numbers, one row per query, and all points in one list.
///
/// ```
/// use octile::{Engine, Grid, Query};
/// use octile::engine::Routes;
/// let engine = Engine::new("corner-sweep", &"....\n.@@.\n....\n@@@@\n....".parse::<Grid>()?)?;
/// let queries = [Query::new((0, 1), (3, 1)), Query::new((0, 0), (0, 4)), Query::new((0, 0), (3, 0))];
/// let mut routes = Routes::new(); // reused for many calls
/// engine.find_routes(&queries, &mut routes, |_, _| true);
/// assert_eq!(routes.lengths, [5.0, f64::INFINITY, 3.0]);
/// assert_eq!(routes.straight, [5, -1, 3]);
/// assert_eq!(routes.route(0), [[0, 1], [0, 0], [3, 0], [3, 1]]);
/// assert_eq!(routes.offsets, [0, 4, 4, 6]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Routes {
    /// The lengths of the paths: infinite if there is none, NaN if the query was invalid.
    pub lengths: Vec<f64>,
    /// The straight moves of grid paths, or over terrain the sums of their prices in `parts`; -1 if there is no grid
    /// path.
    pub straight: Vec<i64>,
    /// The diagonal moves of grid paths, as `straight`.
    pub diagonal: Vec<i64>,
    /// How each query ended.
    pub statuses: Vec<Status>,
    /// The points of query `i` are those from `offsets[i]` to before `offsets[i + 1]`.
    pub offsets: Vec<i64>,
    /// All points, as x and y: the cells of grid paths; for any-angle paths, halves of a cell from the upper left
    /// corner of the map.
    pub points: Vec<[i32; 2]>,
    /// The divisor of the counts: 4 over terrain under [`Convention::Average`](crate::grid::Convention::Average), else
    /// 1.
    pub parts: u32,
    /// The first invalid query, and its error.
    pub fault: Option<(usize, QueryError)>,
}

impl Routes {
    /// Empty columns, to be filled.
    ///
    /// ```
    /// assert!(octile::engine::Routes::new().is_empty());
    /// ```
    pub fn new() -> Self {
        Self::default()
    }

    /// The number of answers.
    pub fn len(&self) -> usize {
        self.lengths.len()
    }

    /// Whether there are no answers.
    pub fn is_empty(&self) -> bool {
        self.lengths.is_empty()
    }

    /// The points of an answer; empty if there is no path, or no such answer.
    pub fn route(&self, query: usize) -> &[[i32; 2]] {
        let bounds = self.offsets.get(query).zip(self.offsets.get(query.saturating_add(1)));
        let range = bounds.map(|(&start, &end)| start as usize..end as usize);
        range.and_then(|range| self.points.get(range)).unwrap_or_default()
    }

    fn begin(&mut self, queries: usize) {
        self.lengths.clear();
        self.straight.clear();
        self.diagonal.clear();
        self.statuses.clear();
        self.offsets.clear();
        self.points.clear();
        self.lengths.reserve(queries);
        self.straight.reserve(queries);
        self.diagonal.reserve(queries);
        self.statuses.reserve(queries);
        self.offsets.reserve(queries + 1);
        self.offsets.push(0);
        (self.parts, self.fault) = (1, None);
    }

    fn extend(&mut self, answers: &[Answer]) {
        for answer in answers {
            self.push(answer);
        }
    }

    fn push(&mut self, answer: &Answer) {
        let path = match answer.path() {
            Ok(path) => path,
            Err(error) => {
                self.fault.get_or_insert((self.len(), error));
                return self.push_row(f64::NAN, None, answer.status());
            }
        };
        let Some(path) = path else { return self.push_row(f64::INFINITY, None, answer.status()) };
        if let PathCost::Priced { parts, .. } = path.cost() {
            self.parts = parts;
        }
        self.push_points(path);
        self.push_row(path.length(), Some(path.cost()), answer.status());
    }

    fn push_points(&mut self, path: &Path) {
        // Sides of maps are below 2^16.
        if let Ok(points) = path.points() {
            self.points.extend(points.iter().map(|cell| [cell.x as i32, cell.y as i32]));
        } else if let Ok(points) = path.vertices() {
            self.points.extend(points.map(Point::halves).map(|(x, y)| [x as i32, y as i32]));
        }
    }

    fn push_row(&mut self, length: f64, cost: Option<PathCost>, status: Status) {
        let counts = cost.and_then(PathCost::counts);
        self.lengths.push(length);
        self.straight.push(counts.map_or(-1, |counts| counts.straight.into()));
        self.diagonal.push(counts.map_or(-1, |counts| counts.diagonal.into()));
        self.statuses.push(status);
        self.offsets.push(self.points.len() as i64);
    }
}

impl Engine {
    /// Answers all queries as [`plan_all`](Engine::plan_all) does, on the current map, into columns. After every few
    /// thousand answers, or some hundredths of a second, it calls `go_on` with the number of answers and the number of
    /// queries. If `go_on` returns `false`, the columns hold the answers so far. Returns whether all queries were
    /// answered.
    ///
    /// ```
    /// use octile::{Engine, Grid, PathQuery};
    /// use octile::engine::Routes;
    /// let engine = Engine::new("jps", &Grid::open(9, 9)?)?;
    /// let (queries, mut routes) = (vec![PathQuery::new((0, 0), (8, 3)); 20_000], Routes::new());
    /// assert!(!engine.find_routes(&queries, &mut routes, |done, _| done < 10_000));
    /// assert!((10_000..20_000).contains(&routes.len()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn find_routes<'q, Q: Ask<'q>>(
        &self,
        queries: &[Q],
        out: &mut Routes,
        mut go_on: impl FnMut(usize, usize) -> bool,
    ) -> bool {
        out.begin(queries.len());
        let planner = self.snapshot();
        let (mut answers, mut next) = (Vec::new(), Vec::new());
        let (mut count, mut clock) = (FIRST_CHUNK, Instant::now());
        let (some, mut rest) = queries.split_at(count.min(queries.len()));
        self.plan_all_on(&*planner, some, &mut answers);
        loop {
            let pace = CHUNK_TIME.as_secs_f64() / clock.elapsed().as_secs_f64().max(1e-9);
            count = ((count as f64 * pace.clamp(0.125, 8.0)) as usize).clamp(1, MAX_CHUNK);
            clock = Instant::now();
            let (some, left) = rest.split_at(count.min(rest.len()));
            if some.is_empty() {
                out.extend(&answers);
            } else {
                both(|| self.plan_all_on(&*planner, some, &mut next), || out.extend(&answers));
            }
            if !go_on(out.len(), queries.len()) || some.is_empty() {
                break;
            }
            rest = left;
            std::mem::swap(&mut answers, &mut next);
        }
        out.len() == queries.len()
    }
}

/// Runs two closures, in parallel if a core is idle.
#[cfg(feature = "rayon")]
fn both(one: impl FnOnce() + Send, other: impl FnOnce() + Send) {
    rayon::join(one, other);
}

/// Runs two closures.
#[cfg(not(feature = "rayon"))]
fn both(one: impl FnOnce(), other: impl FnOnce()) {
    one();
    other();
}
