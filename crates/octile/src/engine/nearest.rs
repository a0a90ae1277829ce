//! The nearest of many cells.

use super::{Engine, Finder};
use crate::geometry::{Cell, PathCost};
use crate::planner::{End, Planner, QueryError, Scratch};
use crate::services::many::NearestMemory;

/// The nearest of many targets. The buffer can be reused.
///
/// ```
/// use octile::{Cell, Engine, Grid, GridCost};
/// use octile::engine::KNearest;
/// let engine = Engine::new("corner-sweep", &".....\n.@@@.\n.....".parse::<Grid>()?)?;
/// let doors = [Cell::new(4, 2), Cell::new(0, 2), Cell::new(4, 1)];
/// let mut nearest = KNearest::new(); // reused for many calls
/// engine.find_nearest((2, 0), &doors, 2, &mut nearest)?;
/// assert_eq!(nearest.found(), [(2, GridCost::new(3, 0).into()), (0, GridCost::new(4, 0).into())]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Default)]
pub struct KNearest {
    found: Vec<(usize, PathCost)>,
    memory: NearestMemory,
}

impl KNearest {
    /// An empty result, to be filled.
    ///
    /// ```
    /// assert!(octile::engine::KNearest::new().found().is_empty());
    /// ```
    pub fn new() -> Self {
        Self::default()
    }

    /// The indices of the targets in the given list, each with its cost: the nearest first, and equal costs in the
    /// order of the list.
    pub fn found(&self) -> &[(usize, PathCost)] {
        &self.found
    }

    fn find(
        &mut self,
        planner: &dyn Planner,
        scratch: &mut Scratch,
        start: Cell,
        targets: &[Cell],
        count: usize,
    ) -> Result<(), QueryError> {
        self.found.clear();
        QueryError::check(planner.grid(), End::Start, start)?;
        QueryError::check_all(planner.grid(), End::Target, targets)?;
        let Self { found, memory } = self;
        memory.find(planner, scratch, start, targets, count, &mut |index, cost| found.push((index, cost)))
    }
}

impl Engine {
    /// The nearest of many targets by the costs of the planner's paths: the indices of up to `count` targets in the
    /// list, each with its cost; the nearest first, and equal costs in the given order. Targets without a path are left
    /// out.
    ///
    /// Targets that the straight line proves farther are not looked at. With a planner whose paths are optimal on the
    /// grid, the work is at most a few queries and one search as far as the last target returned.
    ///
    /// ```
    /// use octile::{Cell, Engine, Grid, GridCost};
    /// let engine = Engine::new("jps", &"...\n@@.\n...\n@@@\n...".parse::<Grid>()?)?;
    /// let targets = [(0, 2), (2, 0), (1, 0), (0, 4)].map(Cell::from);
    /// let nearest = engine.k_nearest((0, 0), &targets, 2)?;
    /// assert_eq!(nearest, [(2, GridCost::new(1, 0).into()), (1, GridCost::new(2, 0).into())]);
    /// assert_eq!(engine.k_nearest((0, 0), &targets, 9)?.len(), 3, "one is cut off");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the start or one of the targets is off the map or blocked.
    pub fn k_nearest(
        &self,
        start: impl Into<Cell>,
        targets: &[Cell],
        count: usize,
    ) -> Result<Vec<(usize, PathCost)>, QueryError> {
        let mut nearest = KNearest::new();
        self.find_nearest(start, targets, count, &mut nearest)?;
        Ok(nearest.found)
    }

    /// As [`k_nearest`](Engine::k_nearest), into a buffer of the caller, which is empty after an error.
    ///
    /// # Errors
    /// As [`k_nearest`](Engine::k_nearest).
    pub fn find_nearest(
        &self,
        start: impl Into<Cell>,
        targets: &[Cell],
        count: usize,
        out: &mut KNearest,
    ) -> Result<(), QueryError> {
        self.with_scratch(|planner, scratch| out.find(planner, scratch, start.into(), targets, count))
    }
}

impl Finder {
    /// The nearest of many targets, as [`Engine::k_nearest`].
    ///
    /// ```
    /// use octile::{Cell, Finder, Grid};
    /// let mut finder = Finder::new("taut-sight", &Grid::open(9, 9)?)?;
    /// let nearest = finder.k_nearest((0, 0), &[Cell::new(8, 6), Cell::new(3, 4)], 1)?;
    /// assert_eq!((nearest[0].0, nearest[0].1.length()), (1, 5.0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`Engine::k_nearest`].
    pub fn k_nearest(
        &mut self,
        start: impl Into<Cell>,
        targets: &[Cell],
        count: usize,
    ) -> Result<Vec<(usize, PathCost)>, QueryError> {
        let mut nearest = KNearest::new();
        self.find_nearest(start, targets, count, &mut nearest)?;
        Ok(nearest.found)
    }

    /// As [`k_nearest`](Finder::k_nearest), into a buffer of the caller, which is empty after an error.
    ///
    /// # Errors
    /// As [`Engine::k_nearest`].
    pub fn find_nearest(
        &mut self,
        start: impl Into<Cell>,
        targets: &[Cell],
        count: usize,
        out: &mut KNearest,
    ) -> Result<(), QueryError> {
        out.find(&*self.planner, &mut self.scratch, start.into(), targets, count)
    }
}
