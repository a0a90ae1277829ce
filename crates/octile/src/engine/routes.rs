//! Many answers in columns: what other languages take as arrays.

use super::Engine;
use super::batch::Ask;
use crate::geometry::PathCost;
use crate::path::Path;
use crate::search::{Answer, QueryError, Status};

/// So many queries are answered before their answers are put into columns.
const AT_A_TIME: usize = 4096;

/// The answers of a batch in columns of plain numbers, one row a query, and all points in one list.
///
/// ```
/// use octile::{Engine, Grid, Query, Routes};
/// let engine = Engine::new("corner-sweep", &"....\n.@@.\n....\n@@@@\n....".parse::<Grid>()?)?;
/// let queries = [Query::new((0, 1), (3, 1)), Query::new((0, 0), (0, 4)), Query::new((0, 0), (3, 0))];
/// let mut routes = Routes::new(); // kept for the next
/// engine.find_routes(&queries, &mut routes, |_, _| true);
/// assert_eq!(routes.lengths, [5.0, f64::INFINITY, 3.0]);
/// assert_eq!(routes.straight, [5, -1, 3]);
/// assert_eq!(routes.points(0), [0, 1, 0, 0, 3, 0, 3, 1]);
/// assert_eq!(routes.offsets, [0, 4, 4, 6]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Routes {
    /// The lengths of the paths: infinite where there is none, not a number where the query could not be asked.
    pub lengths: Vec<f64>,
    /// The straight moves of grid paths, over terrain the sums of their prices in parts; -1 where there is no such path.
    pub straight: Vec<i64>,
    /// The diagonal moves of grid paths, as `straight`.
    pub diagonal: Vec<i64>,
    /// How each ended.
    pub statuses: Vec<Status>,
    /// The points of query `i` are those from `offsets[i]` to before `offsets[i + 1]`.
    pub offsets: Vec<i64>,
    /// x and y of all points: cells of grid paths, and halves of a cell from the upper left corner of the map for any-angle paths.
    pub coordinates: Vec<i32>,
    /// What the counts are divided by: 4 over terrain under [`Convention::Average`](crate::Convention::Average), else 1.
    pub parts: u32,
    /// The first query that could not be asked, and why.
    pub fault: Option<(usize, QueryError)>,
}

impl Routes {
    /// One without answers, to be filled.
    ///
    /// ```
    /// assert!(octile::Routes::new().is_empty());
    /// ```
    pub fn new() -> Self {
        Self::default()
    }

    /// How many queries it answers.
    pub fn len(&self) -> usize {
        self.lengths.len()
    }

    /// Whether it answers none.
    pub fn is_empty(&self) -> bool {
        self.lengths.is_empty()
    }

    /// x and y of each point of an answer; none if there is no path, or no such answer.
    pub fn points(&self, query: usize) -> &[i32] {
        let bounds = self.offsets.get(query).zip(self.offsets.get(query.saturating_add(1)));
        let range = bounds.map(|(&start, &end)| 2 * start as usize..2 * end as usize);
        range.and_then(|range| self.coordinates.get(range)).unwrap_or_default()
    }

    fn begin(&mut self, queries: usize) {
        self.lengths.clear();
        self.straight.clear();
        self.diagonal.clear();
        self.statuses.clear();
        self.offsets.clear();
        self.coordinates.clear();
        self.lengths.reserve(queries);
        self.straight.reserve(queries);
        self.diagonal.reserve(queries);
        self.statuses.reserve(queries);
        self.offsets.reserve(queries + 1);
        self.offsets.push(0);
        (self.parts, self.fault) = (1, None);
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
            self.coordinates.extend(points.iter().flat_map(|cell| [cell.x as i32, cell.y as i32]));
        } else if let Ok(spots) = path.spots() {
            self.coordinates.extend(spots.map(crate::geometry::Spot::halves).flat_map(|(x, y)| [x as i32, y as i32]));
        }
    }

    fn push_row(&mut self, length: f64, cost: Option<PathCost>, status: Status) {
        let counts = cost.and_then(PathCost::counts);
        self.lengths.push(length);
        self.straight.push(counts.map_or(-1, |counts| counts.straight.into()));
        self.diagonal.push(counts.map_or(-1, |counts| counts.diagonal.into()));
        self.statuses.push(status);
        self.offsets.push((self.coordinates.len() / 2) as i64);
    }
}

impl Engine {
    /// Answers all queries as [`plan_all`](Engine::plan_all) does, on the map as it is now, into columns. After every few thousand answers `go_on` is told how
    /// many there are, of how many, and may end it; then the columns have what was answered so far. Returns whether all were.
    ///
    /// ```
    /// use octile::{Engine, Grid, Routes, Trip};
    /// let engine = Engine::new("jps", &Grid::open(9, 9)?)?;
    /// let (queries, mut routes) = (vec![Trip::new((0, 0), (8, 3)); 20_000], Routes::new());
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
        let (planner, mut answers) = (self.snapshot(), Vec::new());
        for some in queries.chunks(AT_A_TIME) {
            self.plan_all_on(&*planner, some, &mut answers);
            for answer in &answers {
                out.push(answer);
            }
            if !go_on(out.len(), queries.len()) {
                return out.len() == queries.len();
            }
        }
        true
    }
}
