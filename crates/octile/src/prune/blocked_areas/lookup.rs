//! How a search asks whether a cell is inside a blocked area (sections 6.3 and 6.4): by the BA-tree, by a table of ids, by a
//! bit mask, or by a table of moves that leaves out those into areas.


use super::area::Area;
use super::{BaTree, BlockedAreas, NOBODY};
use crate::geometry::CellId;
use crate::prune::{Move, Moves, Pruner, WithPruner};
use crate::geometry::{Cell, Dir, DirSet};
use crate::grid::Grid;
use crate::search::names;
use crate::search::Query;

/// A way to look up the area of a cell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Lookup {
    /// The paper's BA-tree: the smallest, and the slowest.
    Tree,
    /// A table with the area of every cell: four bytes a cell.
    Grid,
    /// A bit for every cell.
    Mask,
    /// A table with the moves of every cell that do not lead into an area from outside, read in place of the map's own
    /// table of moves, so that a search pays nothing for the areas; and the table of areas, for the goal's. Five bytes a
    /// cell.
    #[default]
    Moves,
}

names! { Lookup { Tree = "tree", Grid = "grid", Mask = "mask", Moves = "moves" } }

/// The areas of a map with one way to look them up.
#[derive(Clone, Debug)]
pub(crate) struct AreaLookup {
    areas: BlockedAreas,
    /// Also finds the areas of start and goal for the mask.
    tree: BaTree,
    table: Table,
}

#[derive(Clone, Debug)]
enum Table {
    Tree,
    Grid(Vec<u32>),
    Mask(Vec<u64>),
    Moves { moves: Vec<u8>, owner: Vec<u32> },
}

impl AreaLookup {
    pub(crate) fn new(grid: &Grid, areas: BlockedAreas, lookup: Lookup) -> Self {
        let table = match lookup {
            Lookup::Tree => Table::Tree,
            Lookup::Grid => Table::Grid(areas.owners(grid)),
            Lookup::Mask => Table::Mask(mask(&areas.owners(grid))),
            Lookup::Moves => {
                let owner = areas.owners(grid);
                Table::Moves { moves: moves(grid, &owner), owner }
            }
        };
        Self { tree: BaTree::new(&areas.areas), areas, table }
    }

    /// Memory in bytes.
    pub(crate) fn size_bytes(&self) -> usize {
        let table = match &self.table {
            Table::Tree => 0,
            Table::Grid(table) => size_of_val(&table[..]),
            Table::Mask(table) => size_of_val(&table[..]),
            Table::Moves { moves, owner } => moves.len() + size_of_val(&owner[..]),
        };
        self.areas.size_bytes() + self.tree.size_bytes() + table
    }

    /// Calls `with` with the areas as a query sees them.
    #[inline]
    pub(crate) fn query<W: WithPruner>(&self, grid: &Grid, query: Query, with: W) -> W::Output {
        let (areas, tree) = (&self.areas.areas[..], &self.tree);
        let by_tree = |end: Cell| tree.find(areas, end).map_or(NOBODY, |area| area as u32);
        let open = |area: u32| Open::new(areas.get(area as usize));
        match &self.table {
            Table::Tree => with.run(&TreeQuery { areas, tree, open: [by_tree(query.start), by_tree(query.goal)] }),
            Table::Grid(owner) => {
                let open = [query.start, query.goal].map(|end| owner[grid.id(end).index()]);
                with.run(&GridQuery { owner, open })
            }
            Table::Mask(mask) => {
                with.run(&MaskQuery { mask, open: [open(by_tree(query.start)), open(by_tree(query.goal))] })
            }
            Table::Moves { moves, owner } => {
                let goal = owner[grid.id(query.goal).index()];
                with.run(&MovesQuery { moves, owner, goal, near_goal: open(goal), steps: grid.id_steps() })
            }
        }
    }
}

fn mask(owner: &[u32]) -> Vec<u64> {
    let mut mask = vec![0; owner.len().div_ceil(64)];
    for (id, _) in owner.iter().enumerate().filter(|&(_, &owner)| owner != NOBODY) {
        mask[id / 64] |= 1 << (id % 64);
    }
    mask
}

fn moves(grid: &Grid, owner: &[u32]) -> Vec<u8> {
    let steps = grid.id_steps();
    let moves_of = |(id, &here): (usize, &u32)| {
        let id = CellId(id as u32);
        let enters = |id: u32| owner[id as usize] != NOBODY && owner[id as usize] != here;
        let stays = |dir: &Dir| !enters(id.0.wrapping_add(steps[*dir as usize]));
        grid.moves_of(id).into_iter().filter(stays).collect::<DirSet>().0
    };
    owner.iter().enumerate().map(moves_of).collect()
}

/// The area of an end of the query, which stays open: quickly told apart from others by the box around it.
#[derive(Clone, Copy, Debug)]
struct Open<'a> {
    area: Option<&'a Area>,
    /// Its corner and size; no size if there is none.
    low: Cell,
    size: Cell,
}

impl<'a> Open<'a> {
    fn new(area: Option<&'a Area>) -> Self {
        let Some(area) = area else { return Self { area: None, low: Cell::default(), size: Cell::default() } };
        let (low, high) = area.bounds();
        // A cell more on each side: the moves of those may lead into the area.
        let (low_x, low_y) = (low.x.saturating_sub(1), low.y.saturating_sub(1));
        let size = Cell::new(high.x + 2 - low_x, high.y + 2 - low_y);
        Self { area: Some(area), low: Cell::new(low_x, low_y), size }
    }

    /// Whether a cell is in the area or near it.
    #[inline]
    fn is_near(&self, cell: Cell) -> bool {
        cell.x.wrapping_sub(self.low.x) < self.size.x && cell.y.wrapping_sub(self.low.y) < self.size.y
    }

    #[inline]
    fn has(&self, cell: Cell) -> bool {
        self.is_near(cell) && self.area.is_some_and(|area| area.contains(cell))
    }
}

struct TreeQuery<'a> {
    areas: &'a [Area],
    tree: &'a BaTree,
    open: [u32; 2],
}

impl Pruner for TreeQuery<'_> {
    #[inline]
    fn moves(&self, grid: &Grid, id: CellId, _: Cell) -> Moves {
        Moves { tried: grid.moves_of(id), watched: DirSet::ALL }
    }

    fn may_enter(&self, _: Move, cell: Cell) -> bool {
        self.tree.find(self.areas, cell).is_none_or(|area| self.open.contains(&(area as u32)))
    }
}

struct GridQuery<'a> {
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
        owner == NOBODY || self.open.contains(&owner)
    }
}

struct MaskQuery<'a> {
    mask: &'a [u64],
    open: [Open<'a>; 2],
}

impl Pruner for MaskQuery<'_> {
    #[inline]
    fn moves(&self, grid: &Grid, id: CellId, _: Cell) -> Moves {
        Moves { tried: grid.moves_of(id), watched: DirSet::ALL }
    }

    #[inline]
    fn may_enter(&self, by: Move, cell: Cell) -> bool {
        let id = by.to.index();
        self.mask[id / 64] >> (id % 64) & 1 == 0 || self.open.iter().any(|open| open.has(cell))
    }
}

/// The start's area needs no care: moves inside an area are in the table, and once it was left it need not be entered again.
struct MovesQuery<'a> {
    moves: &'a [u8],
    owner: &'a [u32],
    goal: u32,
    near_goal: Open<'a>,
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
        if self.near_goal.is_near(cell) {
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
