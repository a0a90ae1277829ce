//! How a search tests whether a cell is inside a blocked area (sections 6.3 and 6.4): with the BA-tree, a table of area
//! ids, or a table of moves without those that enter areas.

use super::area::Area;
use super::squares::{AreaMemory, TreeQuery};
use super::{BaTree, BlockedAreas, NO_AREA};
use crate::geometry::{Cell, CellId, Dir, DirSet};
use crate::grid::Grid;
use crate::kernels::prune::{Move, Moves, Pruner};
use crate::planner::{PathQuery, names};

/// A way to look up the area of a cell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Lookup {
    /// The paper's BA-tree: the smallest, and the slowest. A query asks it once for each square of 16 x 16 cells, and
    /// keeps the answers in its scratch: 36 bytes per square.
    Tree,
    /// A table with the area of every cell: four bytes per cell.
    Grid,
    /// A table with the moves of every cell, except those that enter an area from outside. The search reads it instead
    /// of the map's own table of moves, so that areas cost it nothing. A table of areas is needed too, for the goal's
    /// area. Five bytes per cell.
    #[default]
    Moves,
}

names! { Lookup { Tree = "tree", Grid = "grid", Moves = "moves" } }

/// The areas of a map with one way to look them up.
#[derive(Clone, Debug)]
pub(crate) struct AreaLookup {
    areas: BlockedAreas,
    table: Table,
}

#[derive(Clone, Debug)]
enum Table {
    Tree(BaTree),
    Grid(Vec<u32>),
    Moves { moves: Vec<u8>, owner: Vec<u32> },
}

impl AreaLookup {
    pub(crate) fn new(grid: &Grid, areas: BlockedAreas, lookup: Lookup) -> Self {
        let table = match lookup {
            Lookup::Tree => Table::Tree(BaTree::new(&areas.areas)),
            Lookup::Grid => Table::Grid(areas.owners(grid)),
            Lookup::Moves => {
                let owner = areas.owners(grid);
                Table::Moves { moves: moves(grid, &owner), owner }
            }
        };
        Self { areas, table }
    }

    /// Memory in bytes.
    pub(crate) fn size_bytes(&self) -> usize {
        let table = match &self.table {
            Table::Tree(tree) => tree.size_bytes(),
            Table::Grid(table) => size_of_val(&table[..]),
            Table::Moves { moves, owner } => moves.len() + size_of_val(&owner[..]),
        };
        self.areas.size_bytes() + table
    }

    /// The areas as one query sees them.
    #[inline]
    pub(crate) fn query<'a>(&'a self, grid: &Grid, query: PathQuery, memory: &'a mut AreaMemory) -> AreaQuery<'a> {
        let (areas, ends) = (&self.areas.areas[..], [query.start, query.goal]);
        match &self.table {
            Table::Tree(tree) => {
                let open = ends.map(|end| tree.find(areas, end));
                AreaQuery::Tree(memory.query(grid, areas, tree, open))
            }
            Table::Grid(owner) => {
                let open = ends.map(|end| owner[grid.id(end).index()]);
                AreaQuery::Grid(GridQuery { owner, open })
            }
            Table::Moves { moves, owner } => {
                let goal = owner[grid.id(query.goal).index()];
                let near_goal = Near::new(areas.get(goal as usize));
                AreaQuery::Moves(MovesQuery { moves, owner, goal, near_goal, steps: grid.id_steps() })
            }
        }
    }
}

/// The areas as one query sees them, by the way they are looked up.
pub(crate) enum AreaQuery<'a> {
    Tree(TreeQuery<'a>),
    Grid(GridQuery<'a>),
    Moves(MovesQuery<'a>),
}

impl AreaQuery<'_> {
    /// The pruner, whichever it is.
    pub(crate) fn pruner(&self) -> &dyn Pruner {
        match self {
            Self::Tree(tree) => tree,
            Self::Grid(table) => table,
            Self::Moves(moves) => moves,
        }
    }
}

fn moves(grid: &Grid, owner: &[u32]) -> Vec<u8> {
    let steps = grid.id_steps();
    let moves_of = |(id, &here): (usize, &u32)| {
        let id = CellId(id as u32);
        let enters = |id: u32| owner[id as usize] != NO_AREA && owner[id as usize] != here;
        let stays = |dir: &Dir| !enters(id.0.wrapping_add(steps[*dir as usize]));
        grid.moves_of(id).into_iter().filter(stays).collect::<DirSet>().0
    };
    owner.iter().enumerate().map(moves_of).collect()
}

/// The bounding box of the goal's area, grown by one cell on each side: moves from these cells may lead into the area.
#[derive(Clone, Copy, Debug)]
struct Near {
    low: Cell,
    /// Zero if there is no area.
    size: Cell,
}

impl Near {
    fn new(area: Option<&Area>) -> Self {
        let Some(area) = area else { return Self { low: Cell::default(), size: Cell::default() } };
        let (low, high) = area.bounds();
        let low = Cell::new(low.x.saturating_sub(1), low.y.saturating_sub(1));
        Self { low, size: Cell::new(high.x + 2 - low.x, high.y + 2 - low.y) }
    }

    #[inline]
    fn has(&self, cell: Cell) -> bool {
        cell.x.wrapping_sub(self.low.x) < self.size.x && cell.y.wrapping_sub(self.low.y) < self.size.y
    }
}

pub(crate) struct GridQuery<'a> {
    owner: &'a [u32],
    open: [u32; 2],
}

impl Pruner for GridQuery<'_> {
    #[inline]
    fn moves(&self, grid: &Grid, id: CellId, _: Cell) -> Moves {
        Moves { tried: grid.moves_of(id), watched: DirSet::ALL }
    }

    #[inline]
    fn may_enter(&self, by: Move, _: Cell) -> bool {
        let owner = self.owner[by.to.index()];
        owner == NO_AREA || self.open.contains(&owner)
    }
}

/// The start's area needs no special treatment: moves inside an area are in the table, and a path that has left the
/// area need not enter it again.
#[derive(Clone, Copy)]
pub(crate) struct MovesQuery<'a> {
    moves: &'a [u8],
    owner: &'a [u32],
    goal: u32,
    near_goal: Near,
    steps: [u32; 8],
}

impl MovesQuery<'_> {
    /// The moves from a cell that lead into the goal's area.
    #[inline(never)]
    fn entering_goal(&self, id: CellId, left_out: DirSet) -> DirSet {
        let enters = |dir: &Dir| self.owner[id.0.wrapping_add(self.steps[*dir as usize]) as usize] == self.goal;
        left_out.into_iter().filter(enters).collect()
    }
}

impl Pruner for MovesQuery<'_> {
    #[inline]
    fn moves(&self, grid: &Grid, id: CellId, cell: Cell) -> Moves {
        let mut tried = self.moves[id.index()];
        if self.near_goal.has(cell) {
            let left_out = grid.moves_of(id).0 & !tried;
            if left_out != 0 {
                tried |= self.entering_goal(id, DirSet(left_out)).0;
            }
        }
        Moves { tried: DirSet(tried), watched: DirSet::NONE }
    }

    #[inline]
    fn may_enter(&self, _: Move, _: Cell) -> bool {
        true
    }
}
