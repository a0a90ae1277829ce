//! What the index of a planner tells besides paths.

use std::fmt;

use super::{PathQuery, Probe, Scratch};
use crate::geometry::{Cell, Dir};
use crate::grid::Grid;
use crate::path::Path;

/// What the index of a planner tells besides paths: see [`Planner::index`](crate::Planner::index).
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
    /// Whether the planner answers for the map of the index only, and refuses edits. Then a
    /// [`PlannerSpec`](crate::PlannerSpec), an [`Engine`](crate::Engine) or a [`Finder`](crate::Finder) puts it
    /// together with one that follows edits: the index answers where that is certain to be right, and the other planner
    /// searches where it is not. All that is known of such an index is that its paths are optimal on its own map, and
    /// what the [labels](IndexView::labels) tell, if it has some.
    pub is_fixed: bool,
    /// First moves of optimal paths.
    pub first_moves: Option<&'a dyn FirstMoves>,
    /// What paths from cells to hubs cost.
    pub labels: Option<&'a dyn Labels>,
    /// Repairs of paths on a map that has changed, of a [fixed](IndexView::is_fixed) index. Then every path is asked of
    /// the index, and only a [legal](crate::Guarantee::Legal) path is promised.
    pub repairs: Option<&'a dyn Repairs>,
}

impl<'a> IndexView<'a> {
    /// An index of a planner that takes edits.
    pub const fn new() -> Self {
        Self { is_fixed: false, first_moves: None, labels: None, repairs: None }
    }

    /// An index of a planner that refuses edits.
    #[must_use]
    pub const fn fixed() -> Self {
        Self { is_fixed: true, ..Self::new() }
    }

    /// The same with labels.
    #[must_use]
    pub const fn with_labels(self, labels: &'a dyn Labels) -> Self {
        Self { labels: Some(labels), ..self }
    }

    /// The same with repairs.
    #[must_use]
    pub const fn with_repairs(self, repairs: &'a dyn Repairs) -> Self {
        Self { repairs: Some(repairs), ..self }
    }

    /// The same with first moves.
    #[must_use]
    pub const fn with_first_moves(self, moves: &'a dyn FirstMoves) -> Self {
        Self { first_moves: Some(moves), ..self }
    }
}

impl IndexView<'_> {
    /// What is left of it where paths are others than those of the planner with the index: neither are first moves
    /// theirs, nor is what is known of optimal paths.
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

/// Repairs of paths on a map that has changed.
pub trait Repairs: Send + Sync {
    /// Overwrites `out` with a path that is legal on the map as it is `now`, and returns whether there is one; `None`
    /// if only a search can tell. The endpoints are free on both maps, and connected on that of the index; `scratch` is
    /// one of the planner's.
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
    /// The first move of an optimal path from one free cell to another; `None` if there is no path or the index does
    /// not know one.
    fn first_move(&self, start: Cell, goal: Cell) -> Option<Dir>;

    /// The rectangles that the map is cut into for the first moves from a free cell, each from its upper left to its
    /// lower right cell; `None` if the index has no such rectangles.
    fn areas(&self, start: Cell) -> Option<Vec<(Cell, Cell)>>;
}

/// Labels of the cells of a map: the hubs that each knows, with what it costs to get there. For every two cells of
/// which neither reaches the other by a [direct hop](Labels::way), a hub that both know is on a shortest path, if there
/// is one.
pub trait Labels: Send + Sync {
    /// Hubs are numbered below this.
    fn hubs(&self) -> usize;

    /// Overwrites `label` with the hubs that a free cell of the map knows. `None` if what the index says cannot be.
    fn label(&self, cell: Cell, label: &mut Vec<Hub>) -> Option<()>;

    /// Overwrites `hops` with the cells of the path from one cell to another by a hub. `hub` is what the label of each
    /// end says of it. The path goes from each cell to the next by a direct hop: diagonally first, then straight. All
    /// hops are free on the map of the index, and together they cost what both labels say. `None` if the index is
    /// malformed.
    fn way(&self, ends: [Cell; 2], hub: [Hub; 2], hops: &mut Vec<Cell>) -> Option<()>;

    /// Calls `way` with the cells of a path from a free cell to each of the hubs that it knows: from each cell to the
    /// next the path goes by a direct hop.
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

/// A hub in the label of a cell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Hub {
    /// Its number.
    pub number: u32,
    /// What it costs to get there, where a straight move costs 470,832 and a diagonal one 665,857: sums are exact up to
    /// 665,856 moves.
    pub cost: u64,
    /// Whatever the index needs to find the path there.
    pub way: [u32; 2],
}
