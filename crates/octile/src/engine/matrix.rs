//! Matrices of path costs between many cells.

use super::{Engine, Finder};
use crate::geometry::{Cell, PathCost};
use crate::planner::{End, Planner, QueryError, Scratch};
use crate::services::many::Way;

/// The costs from some cells, the sources, to others, the targets. The buffer can be reused.
///
/// ```
/// use octile::{Cell, Engine, Grid, GridCost};
/// use octile::engine::Matrix;
/// let engine = Engine::new("hub-labels", &"....\n.@@@\n....".parse::<Grid>()?)?;
/// let (sources, targets) = ([Cell::new(0, 0)], [Cell::new(3, 0), Cell::new(3, 2), Cell::new(0, 0)]);
/// let mut matrix = Matrix::new(); // reused for many calls
/// engine.fill_matrix(&sources, &targets, &mut matrix)?;
/// assert_eq!(matrix.shape(), (1, 3));
/// assert_eq!(matrix.cost(0, 1), Some(GridCost::new(5, 0).into()));
/// assert!(matrix.row(0).iter().flatten().map(|cost| cost.length()).eq([3.0, 5.0, 0.0]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Matrix {
    sources: usize,
    targets: usize,
    /// One row of targets per source.
    costs: Vec<Option<PathCost>>,
    /// One row of sources per target: a buffer for searches from the targets.
    transposed: Vec<Option<PathCost>>,
}

impl Matrix {
    /// An empty matrix, to be filled.
    ///
    /// ```
    /// assert_eq!(octile::engine::Matrix::new().shape(), (0, 0));
    /// ```
    pub fn new() -> Self {
        Self::default()
    }

    /// The number of sources and the number of targets.
    pub fn shape(&self) -> (usize, usize) {
        (self.sources, self.targets)
    }

    /// The cost from a source to a target, by their indices in the lists; `None` if there is no path, or an index is
    /// out of range.
    ///
    /// ```
    /// use octile::{Cell, Engine, Grid};
    /// let engine = Engine::new("jps", &"..@.".parse::<Grid>()?)?;
    /// let cells = [Cell::new(0, 0), Cell::new(1, 0), Cell::new(3, 0)];
    /// let matrix = engine.matrix(&cells, &cells)?;
    /// assert_eq!(matrix.cost(0, 1).unwrap().length(), 1.0);
    /// assert_eq!((matrix.cost(0, 2), matrix.cost(0, 3)), (None, None));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn cost(&self, source: usize, target: usize) -> Option<PathCost> {
        *self.row(source).get(target)?
    }

    /// The costs from a source to all targets; empty if there is no such source.
    pub fn row(&self, source: usize) -> &[Option<PathCost>] {
        let row = source.checked_mul(self.targets).and_then(|start| self.costs.get(start..));
        row.and_then(|rest| rest.get(..self.targets)).unwrap_or_default()
    }

    /// The rows of all sources.
    ///
    /// ```
    /// use octile::{Cell, Engine, Grid};
    /// let cells = [Cell::new(0, 0), Cell::new(2, 1), Cell::new(1, 1)];
    /// let matrix = Engine::new("astar", &Grid::open(3, 2)?)?.matrix(&cells, &cells[..1])?;
    /// assert!(matrix.rows().map(|row| row[0].unwrap().to_string()).eq(["0", "1+1√2", "1√2"]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn rows(&self) -> impl ExactSizeIterator<Item = &[Option<PathCost>]> + Clone {
        (0..self.sources).map(|source| self.row(source))
    }

    /// Fills the matrix: `run` does the work. The matrix is empty after an error.
    fn fill(
        &mut self,
        planner: &dyn Planner,
        scratch: &mut Scratch,
        cells: [&[Cell]; 2],
        run: impl FnOnce(Work<'_>, &mut Scratch, &mut [Option<PathCost>]) -> Result<(), QueryError>,
    ) -> Result<(), QueryError> {
        (self.sources, self.targets) = (0, 0);
        let [sources, targets] = cells;
        QueryError::check_all(planner.grid(), End::Source, sources)?;
        QueryError::check_all(planner.grid(), End::Target, targets)?;
        let way = Way::of(planner, scratch, cells)?;
        // Search from the shorter list: along the moves from sources, or backwards from targets.
        let is_transposed = way == Way::Distances && targets.len() < sources.len();
        let way = if is_transposed { Way::DistancesBack } else { way };
        let (rows, [from, to]) =
            if is_transposed { (&mut self.transposed, [targets, sources]) } else { (&mut self.costs, cells) };
        resize(rows, cells)?;
        run(Work { planner, way, from, to }, scratch, rows)?;
        if is_transposed {
            resize(&mut self.costs, cells)?;
            for (index, cost) in self.costs.iter_mut().enumerate() {
                let (source, target) = (index / targets.len(), index % targets.len());
                *cost = self.transposed[target * sources.len() + source];
            }
        }
        (self.sources, self.targets) = (sources.len(), targets.len());
        Ok(())
    }
}

impl PartialEq for Matrix {
    /// Compares shape and costs.
    fn eq(&self, other: &Self) -> bool {
        self.shape() == other.shape() && self.rows().eq(other.rows())
    }
}

/// Resizes to one cost per pair. Old costs remain until they are overwritten.
fn resize(costs: &mut Vec<Option<PathCost>>, [sources, targets]: [&[Cell]; 2]) -> Result<(), QueryError> {
    let (sources, targets) = (sources.len(), targets.len());
    let none = QueryError::TooMany { sources, targets };
    let Some(len) = sources.checked_mul(targets) else { return Err(none) };
    costs.truncate(len);
    costs.try_reserve_exact(len - costs.len()).map_err(|_| none)?;
    costs.resize(len, None);
    Ok(())
}

/// Rows of costs to compute.
#[derive(Clone, Copy)]
struct Work<'a> {
    planner: &'a dyn Planner,
    way: Way,
    from: &'a [Cell],
    to: &'a [Cell],
}

impl Work<'_> {
    fn run(self, scratch: &mut Scratch, rows: &mut [Option<PathCost>]) -> Result<(), QueryError> {
        self.way.costs(self.planner, scratch, [self.from, self.to], rows)
    }

    /// How many rows each of `threads` threads takes at a time; all rows if waking other threads does not pay.
    #[cfg(feature = "rayon")]
    fn rows_at_a_time(self, threads: usize) -> usize {
        let (rows, pairs) = (self.from.len(), self.from.len() * self.to.len());
        match self.way {
            // Each piece reads all targets.
            Way::Own if pairs >= 1 << 16 => rows.div_ceil(threads),
            Way::Distances | Way::DistancesBack => 1,
            Way::Queries if pairs >= 64 => 1,
            Way::Own | Way::Queries => rows,
        }
    }
}

impl Engine {
    /// The costs from every source to every target: the costs of the planner's paths, without the paths. Planners with
    /// hub labels take some tens of nanoseconds per pair. For other planners with optimal grid paths, one search from
    /// each cell of the shorter list is made, if that is faster than one query per pair; all others answer one query
    /// per pair. Runs on all cores where that pays (with the feature `rayon`).
    ///
    /// ```
    /// use octile::{Cell, Engine, Grid, QueryError};
    /// let engine = Engine::new("corner-sweep", &"...\n.@.\n...".parse::<Grid>()?)?;
    /// let cells = [(0, 0), (2, 0), (2, 2)].map(Cell::from);
    /// let matrix = engine.matrix(&cells, &cells)?;
    /// assert_eq!(matrix.cost(0, 2).unwrap().to_string(), "4");
    /// assert_eq!(matrix.cost(1, 1).unwrap().to_string(), "0");
    /// let error = engine.matrix(&cells, &[Cell::new(0, 0), Cell::new(1, 1)]).unwrap_err();
    /// assert_eq!(error.to_string(), "target 1 at 1,1 is blocked: choose a free cell");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If one of the cells is off the map or blocked, or the matrix does not fit in memory.
    pub fn matrix(&self, sources: &[Cell], targets: &[Cell]) -> Result<Matrix, QueryError> {
        let mut matrix = Matrix::new();
        self.fill_matrix(sources, targets, &mut matrix)?;
        Ok(matrix)
    }

    /// As [`matrix`](Engine::matrix), into a buffer of the caller, which is empty after an error.
    ///
    /// # Errors
    /// As [`matrix`](Engine::matrix).
    pub fn fill_matrix(&self, sources: &[Cell], targets: &[Cell], out: &mut Matrix) -> Result<(), QueryError> {
        let run = |work: Work<'_>, scratch: &mut Scratch, rows: &mut [_]| self.share(work, scratch, rows);
        self.with_scratch(|planner, scratch| out.fill(planner, scratch, [sources, targets], run))
    }

    /// Does the work, on all cores if that pays.
    #[cfg(feature = "rayon")]
    fn share(&self, work: Work<'_>, scratch: &mut Scratch, rows: &mut [Option<PathCost>]) -> Result<(), QueryError> {
        use rayon::prelude::*;
        let at_a_time = work.rows_at_a_time(rayon::current_num_threads()).max(1);
        if at_a_time >= work.from.len() || rows.is_empty() {
            return work.run(scratch, rows);
        }
        let pieces = work.from.par_chunks(at_a_time).zip(rows.par_chunks_mut(at_a_time * work.to.len()));
        pieces.try_for_each(|(from, rows)| {
            let mut scratch = self.layer.pool.take(work.planner);
            let done = Work { from, ..work }.run(&mut scratch, rows);
            self.layer.pool.put(scratch);
            done
        })
    }

    /// Does the work.
    #[cfg(not(feature = "rayon"))]
    #[expect(clippy::unused_self, reason = "with threads it takes their scratches from the pool")]
    fn share(&self, work: Work<'_>, scratch: &mut Scratch, rows: &mut [Option<PathCost>]) -> Result<(), QueryError> {
        work.run(scratch, rows)
    }
}

impl Finder {
    /// The costs from every source to every target, as [`Engine::matrix`], on this thread.
    ///
    /// ```
    /// use octile::{Cell, Finder, Grid};
    /// let mut finder = Finder::new("theta-star", &Grid::open(9, 9)?)?;
    /// let matrix = finder.matrix(&[Cell::new(0, 0)], &[Cell::new(3, 4), Cell::new(8, 6)])?;
    /// assert!(matrix.row(0).iter().flatten().map(|cost| cost.length()).eq([5.0, 10.0]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`Engine::matrix`].
    pub fn matrix(&mut self, sources: &[Cell], targets: &[Cell]) -> Result<Matrix, QueryError> {
        let mut matrix = Matrix::new();
        self.fill_matrix(sources, targets, &mut matrix)?;
        Ok(matrix)
    }

    /// As [`matrix`](Finder::matrix), into a buffer of the caller, which is empty after an error.
    ///
    /// # Errors
    /// As [`Engine::matrix`].
    pub fn fill_matrix(&mut self, sources: &[Cell], targets: &[Cell], out: &mut Matrix) -> Result<(), QueryError> {
        let run = |work: Work<'_>, scratch: &mut Scratch, rows: &mut [_]| work.run(scratch, rows);
        out.fill(&*self.planner, &mut self.scratch, [sources, targets], run)
    }
}
