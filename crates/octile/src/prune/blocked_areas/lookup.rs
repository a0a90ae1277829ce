//! How a search asks whether a cell is inside a blocked area (sections 6.3 and 6.4): by the BA-tree, by a table of ids, by a
//! bit mask, or by a table of moves that leaves out those into areas.

use std::fmt;
use std::str::FromStr;

use super::area::Area;
use super::{BaTree, BlockedAreas, NOBODY};
use crate::cell::CellId;
use crate::prune::Pruner;
use crate::{Cell, DirSet, Grid, Query};

/// A way to look up the area of a cell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Lookup {
    /// The paper's BA-tree: the smallest, and the slowest.
    Tree,
    /// A table with the area of every cell: four bytes a cell.
    Grid,
    /// A bit for every cell.
    Mask,
    /// A table with the moves of every cell that do not lead into an area from outside: a byte a cell, read in place of
    /// the map's own table of moves, so that a search pays nothing for the areas.
    #[default]
    Moves,
}

impl Lookup {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Tree, Self::Grid, Self::Mask, Self::Moves];

    /// The name used in specs.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Tree => "tree",
            Self::Grid => "grid",
            Self::Mask => "mask",
            Self::Moves => "moves",
        }
    }
}

impl fmt::Display for Lookup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Lookup {
    type Err = ();

    fn from_str(name: &str) -> Result<Self, ()> {
        Self::ALL.into_iter().find(|lookup| lookup.name() == name).ok_or(())
    }
}

/// The areas of a map with one way to look them up.
#[derive(Clone, Debug)]
pub(crate) struct AreaLookup {
    areas: BlockedAreas,
    /// Finds the areas of start and goal, whatever the lookup.
    tree: BaTree,
    table: Table,
}

#[derive(Clone, Debug)]
enum Table {
    Tree,
    Grid(Vec<u32>),
    Mask(Vec<u64>),
    Moves(Vec<u8>),
}

impl AreaLookup {
    pub(crate) fn new(grid: &Grid, areas: BlockedAreas, lookup: Lookup) -> Self {
        let table = match lookup {
            Lookup::Tree => Table::Tree,
            Lookup::Grid => Table::Grid(areas.owners(grid)),
            Lookup::Mask => Table::Mask(mask(&areas.owners(grid))),
            Lookup::Moves => Table::Moves(moves(grid, &areas.owners(grid))),
        };
        Self { tree: BaTree::new(&areas.areas), areas, table }
    }

    /// Memory in bytes.
    pub(crate) fn size_bytes(&self) -> usize {
        let table = match &self.table {
            Table::Tree => 0,
            Table::Grid(table) => size_of_val(&table[..]),
            Table::Mask(table) => size_of_val(&table[..]),
            Table::Moves(table) => table.len(),
        };
        self.areas.size_bytes() + self.tree.size_bytes() + table
    }

    /// Calls `with` with the areas as a query sees them.
    #[inline]
    pub(crate) fn query<W: WithAreas>(&self, query: Query, with: W) -> W::Output {
        let ends = [query.start, query.goal].map(|end| self.tree.find(&self.areas.areas, end));
        let area = |end: Option<usize>| end.map(|i| (i as u32, &self.areas.areas[i]));
        let (start, goal) = (area(ends[0]), area(ends[1]));
        let open = |end: Option<(u32, &Area)>| end.map_or(NOBODY, |(i, _)| i);
        match &self.table {
            Table::Tree => {
                let open = [open(start), open(goal)];
                with.run(&TreeQuery { areas: &self.areas.areas, tree: &self.tree, open })
            }
            Table::Grid(owner) => with.run(&GridQuery { owner, open: [open(start), open(goal)] }),
            Table::Mask(mask) => with.run(&MaskQuery { mask, open: [Open::new(start), Open::new(goal)] }),
            Table::Moves(moves) => with.run(&MovesQuery { moves, goal: Open::new(goal) }),
        }
    }
}

/// What to do with a pruner whose type is known when it is called only.
pub(crate) trait WithAreas {
    type Output;

    fn run<P: Pruner>(self, pruner: &P) -> Self::Output;
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
        let stays = |dir: &crate::Dir| !enters(id.0.wrapping_add(steps[*dir as usize]));
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
    fn new(area: Option<(u32, &'a Area)>) -> Self {
        let Some((_, area)) = area else { return Self { area: None, low: Cell::default(), size: Cell::default() } };
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
    fn may_enter(&self, _: &Grid, _: CellId, cell: Cell) -> bool {
        self.tree.find(self.areas, cell).is_none_or(|area| self.open.contains(&(area as u32)))
    }
}

struct GridQuery<'a> {
    owner: &'a [u32],
    open: [u32; 2],
}

impl Pruner for GridQuery<'_> {
    #[inline]
    fn may_enter(&self, _: &Grid, id: CellId, _: Cell) -> bool {
        let owner = self.owner[id.index()];
        owner == NOBODY || self.open.contains(&owner)
    }
}

struct MaskQuery<'a> {
    mask: &'a [u64],
    open: [Open<'a>; 2],
}

impl Pruner for MaskQuery<'_> {
    #[inline]
    fn may_enter(&self, _: &Grid, id: CellId, cell: Cell) -> bool {
        self.mask[id.index() / 64] >> (id.index() % 64) & 1 == 0 || self.open.iter().any(|open| open.has(cell))
    }
}

/// The start's area needs no care: moves inside an area are in the table, and once it was left it need not be entered again.
struct MovesQuery<'a> {
    moves: &'a [u8],
    goal: Open<'a>,
}

impl Pruner for MovesQuery<'_> {
    #[inline]
    fn moves(&self, grid: &Grid, id: CellId, cell: Cell) -> DirSet {
        let moves = DirSet(self.moves[id.index()]);
        if !self.goal.is_near(cell) {
            return moves;
        }
        let into_goal = |dir: &crate::Dir| moves.contains(*dir) || self.goal.has(dir.step(cell, 1));
        grid.moves_of(id).into_iter().filter(into_goal).collect()
    }

    #[inline]
    fn may_enter(&self, _: &Grid, _: CellId, _: Cell) -> bool {
        true
    }
}
