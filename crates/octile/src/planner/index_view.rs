//! What a planner's index offers besides paths.

use std::fmt;

use super::{PathQuery, Probe, Scratch};
use crate::geometry::{Cell, Dir};
use crate::grid::Grid;
use crate::path::Path;

/// What a planner's index offers besides paths: see [`Planner::index`](crate::Planner::index).
///
/// ```
/// use octile::{Cell, Cpd, Grid};
/// use octile::geometry::Dir;
/// let planner = Cpd::default().planner(&"...\n.@.".parse::<Grid>()?)?;
/// let moves = planner.index().and_then(|index| index.first_moves).expect("it has first moves");
/// assert_eq!(moves.first_move(Cell::new(0, 1), Cell::new(2, 1)), Some(Dir::N));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Default)]
#[non_exhaustive]
pub struct IndexView<'a> {
    /// Whether the planner answers only for the map of its index, and refuses edits. A
    /// [`PlannerSpec`](crate::PlannerSpec), an [`Engine`](crate::Engine) or a [`Finder`](crate::Finder) then combines
    /// it with a planner that follows edits: the index answers where its answer is certainly correct, and the other
    /// planner searches elsewhere. All that may be assumed about such an index is that its paths are optimal on its own
    /// map, and what its [labels](IndexView::labels) say, if it has some.
    pub is_fixed: bool,
    /// First moves of optimal paths.
    pub first_moves: Option<&'a dyn FirstMoves>,
    /// Hub labels: the costs of paths from cells to hubs.
    pub labels: Option<&'a dyn Labels>,
    /// Path repair for a [fixed](IndexView::is_fixed) index after the map has changed. With repairs, every query goes
    /// to the index, and paths are only promised to be [legal](crate::Guarantee::Legal).
    pub repairs: Option<&'a dyn Repairs>,
}

impl<'a> IndexView<'a> {
    /// A view of an index whose planner follows edits.
    pub const fn new() -> Self {
        Self { is_fixed: false, first_moves: None, labels: None, repairs: None }
    }

    /// A view of an index whose planner refuses edits.
    #[must_use]
    pub const fn fixed() -> Self {
        Self { is_fixed: true, ..Self::new() }
    }

    /// The same view with labels.
    #[must_use]
    pub const fn with_labels(self, labels: &'a dyn Labels) -> Self {
        Self { labels: Some(labels), ..self }
    }

    /// The same view with repairs.
    #[must_use]
    pub const fn with_repairs(self, repairs: &'a dyn Repairs) -> Self {
        Self { repairs: Some(repairs), ..self }
    }

    /// The same view with first moves.
    #[must_use]
    pub const fn with_first_moves(self, moves: &'a dyn FirstMoves) -> Self {
        Self { first_moves: Some(moves), ..self }
    }
}

impl IndexView<'_> {
    /// What remains valid for a wrapper that returns different paths than the planner with the index: first moves and
    /// statements about optimal paths do not apply to them.
    pub(crate) const fn of_other_paths(self) -> Self {
        Self { is_fixed: false, first_moves: None, ..self }
    }
}

impl fmt::Debug for IndexView<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { is_fixed, first_moves, labels, repairs } = self;
        f.debug_struct("IndexView")
            .field("is_fixed", is_fixed)
            .field("first_moves", &first_moves.is_some())
            .field("labels", &labels.is_some())
            .field("repairs", &repairs.is_some())
            .finish()
    }
}

/// Repairs paths after the map has changed.
pub trait Repairs: Send + Sync {
    /// Overwrites `out` with a path that is legal on the map `now`, and returns whether such a path exists; `None` if
    /// only a search can tell. The endpoints are free on both maps, and connected on the index's map. `scratch` was
    /// made by the planner.
    fn repaired(
        &self,
        scratch: &mut Scratch,
        now: &Grid,
        query: PathQuery,
        out: &mut Path,
        probe: &mut Option<&mut dyn Probe>,
    ) -> Option<bool>;
}

/// An index of first moves.
pub trait FirstMoves: Send + Sync {
    /// The first move of an optimal path from one free cell to another; `None` if there is no path or the index has no
    /// first move for it.
    fn first_move(&self, start: Cell, goal: Cell) -> Option<Dir>;

    /// The rectangles that the first moves from a free cell divide the map into, each as its upper left and lower right
    /// cell; `None` if the index has no such rectangles.
    fn areas(&self, start: Cell) -> Option<Vec<(Cell, Cell)>>;
}

/// Hub labels of the cells of a map: the label of a cell lists hubs and the cost to each. For every two cells that
/// cannot reach each other by a [direct hop](Labels::way), some hub in both labels lies on a shortest path, if there is
/// a path.
pub trait Labels: Send + Sync {
    /// The number of hubs: hub numbers are below this.
    fn hubs(&self) -> usize;

    /// Overwrites `label` with the hubs in the label of a free cell. `None` if the index is malformed.
    fn label(&self, cell: Cell, label: &mut Vec<Hub>) -> Option<()>;

    /// Overwrites `hops` with the cells of the path from one cell to another by a hub. `hub` is the entry for that hub
    /// in the label of each end. The path goes from each cell to the next by a direct hop: diagonally first, then
    /// straight. All hops are free on the map of the index, and together they cost what both labels say. `None` if the
    /// index is malformed.
    fn way(&self, ends: [Cell; 2], hub: [Hub; 2], hops: &mut Vec<Cell>) -> Option<()>;

    /// Calls `way` with the cells of a path from a free cell to each hub in its label. From each cell to the next the
    /// path goes by a direct hop.
    ///
    /// ```
    /// use octile::{Cell, Grid, HubLabels};
    /// let planner = HubLabels::default().planner(&"...\n.@.\n...".parse::<Grid>()?)?;
    /// let labels = planner.index().and_then(|index| index.labels).expect("it has labels");
    /// labels.ways_to_hubs(Cell::new(0, 1), &mut |hops| assert_eq!(hops[0], Cell::new(0, 1)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn ways_to_hubs(&self, cell: Cell, way: &mut dyn FnMut(&[Cell])) {
        let (mut label, mut hops) = (Vec::new(), Vec::new());
        if self.label(cell, &mut label).is_none() {
            return;
        }
        for hub in label {
            // To the hub and back the same way.
            if self.way([cell; 2], [hub; 2], &mut hops).is_some() {
                way(&hops[..=hops.len() / 2]);
            }
        }
    }
}

/// An entry in the label of a cell: a hub.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Hub {
    /// The hub's number.
    pub number: u32,
    /// The cost from the cell to the hub. A straight move costs 470,832 and a diagonal one 665,857: sums are exact up
    /// to 665,856 moves.
    pub cost: u64,
    /// Data that the index needs to reconstruct the path to the hub.
    pub way: [u32; 2],
}
