//! Connected components: "no path" answered without a search.
//!
//! Under all three movement rules two cells are connected exactly if they are connected by straight moves alone: a
//! diagonal move needs at least one free side cell, and stepping over that cell joins the same two ends. So one
//! labelling serves all rules. Any-angle planners that may squeeze between obstacles need another, in which cells that
//! touch at a corner are connected too; see [`Contact`].
//!
//! The map is divided into blocks of 32 x 32 cells. Cells connected inside a block have the same label there: they are
//! a *node*. Nodes of neighbouring blocks that touch across the border are linked, and each knows its component. An
//! edit is followed in two steps, both exact:
//!
//! - Inside a block, a freed cell gets the label of its neighbours, or merges their labels if there are several.
//!   Blocking a cell splits nothing if its neighbours stay connected around it; otherwise a flood fill inside the
//!   block, a row at a time, finds the parts ([`block`]).
//! - Between blocks, only links that appear or disappear matter, and most edits change none. A new link joins two
//!   components. When a link disappears, searches from both its ends take turns until they meet, or until one has
//!   visited all nodes it can reach, which are then a separate component ([`links`]). When that would take longer than
//!   relinking, all links are followed again.

mod block;
mod links;
#[cfg(test)]
mod tests;

use self::block::{BLOCKED, Block, SIDE};
use self::links::Work;
use super::area::Area;
use super::bits::BitLines;
use crate::geometry::{Cell, CellId};

/// Which cells count as touching.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Contact {
    /// Cells with a side in common.
    Sides,
    /// Cells with a corner in common.
    Corners,
}

/// The component of a node that has no cells.
const NONE: u32 = u32::MAX;

/// If more cells of a block change than this, the whole block is relabelled, which takes 1 to 3 us; following a single
/// cell takes 20 to 300 ns.
const MOST_SINGLE_CELLS: u32 = 48;

/// The cells of a block that have the same label.
#[derive(Clone, Copy, Debug)]
struct Node {
    /// The number of these cells.
    cells: u16,
    block: u32,
    /// Their component, an index into the forest; [`NONE`] if there are no cells.
    component: u32,
    /// The search that visited this node, while components are recomputed.
    seen: u32,
}

/// The connected components of a map's free cells.
#[derive(Clone, Debug)]
pub(crate) struct Components {
    contact: Contact,
    width: usize,
    height: usize,
    /// The number of blocks in a row.
    columns: usize,
    blocks: Vec<Block>,
    /// The nodes of a block are adjacent; a label is an index among them.
    nodes: Vec<Node>,
    /// The number of nodes that belong to no block any more, because their block moved to a larger range.
    wasted: usize,
    /// Union-find forest over components; roots point at themselves.
    parents: Vec<u32>,
    /// An upper bound on the height of the tree under each root. The lower tree is hung under the higher one, so the
    /// height is at most logarithmic in the number of components.
    ranks: Vec<u8>,
    work: Work,
}

impl Components {
    /// Labels the cells of a map.
    pub(crate) fn label(rows: &BitLines, width: usize, height: usize, contact: Contact) -> Self {
        let (columns, lines) = (width.div_ceil(SIDE), height.div_ceil(SIDE));
        let mut components = Self {
            contact,
            width,
            height,
            columns,
            blocks: vec![Block::BLOCKED; columns * lines],
            nodes: Vec::new(),
            wasted: 0,
            parents: Vec::new(),
            ranks: Vec::new(),
            work: Work::default(),
        };
        for block in 0..components.blocks.len() {
            let (left, top) = components.origin(block);
            for y in 0..SIDE.min(height - top) {
                components.blocks[block].free[y] = rows.window(top + y + 1, left + 1) as u32;
            }
            components.label_block(block);
        }
        components.link_all();
        components
    }

    /// The first cell of a block.
    fn origin(&self, block: usize) -> (usize, usize) {
        (block % self.columns * SIDE, block / self.columns * SIDE)
    }

    /// The node of a free cell.
    #[inline]
    fn node(&self, cell: Cell) -> usize {
        let (x, y) = (cell.x as usize, cell.y as usize);
        let block = &self.blocks[y / SIDE * self.columns + x / SIDE];
        block.first as usize + block.label(x % SIDE, y % SIDE) as usize
    }

    /// Whether there is a path between two free cells.
    #[inline]
    pub(crate) fn connect(&self, a: Cell, b: Cell) -> bool {
        let (a, b) = (self.node(a), self.node(b));
        a == b || self.root(self.nodes[a].component) == self.root(self.nodes[b].component)
    }

    #[inline]
    fn root(&self, mut component: u32) -> u32 {
        while self.parents[component as usize] != component {
            component = self.parents[component as usize];
        }
        component
    }

    /// The number of free cells of each root.
    fn sizes(&self) -> Vec<u32> {
        let mut sizes = vec![0; self.parents.len()];
        for node in self.nodes.iter().filter(|node| node.cells > 0) {
            sizes[self.root(node.component) as usize] += u32::from(node.cells);
        }
        sizes
    }

    /// The number of free cells of the largest component.
    pub(crate) fn largest(&self) -> u32 {
        self.sizes().into_iter().max().unwrap_or_default()
    }

    /// The number of components.
    pub(crate) fn count(&self) -> usize {
        self.sizes().into_iter().filter(|&size| size > 0).count()
    }

    /// The free cells, row by row.
    fn free_cells(&self) -> impl Iterator<Item = Cell> + '_ {
        let cells = (0..self.height).flat_map(|y| (0..self.width).map(move |x| (x, y)));
        let is_free = |&(x, y): &(usize, usize)| {
            self.blocks[y / SIDE * self.columns + x / SIDE].label(x % SIDE, y % SIDE) != BLOCKED
        };
        cells.filter(is_free).map(|(x, y)| Cell::new(x as u32, y as u32))
    }

    /// The padded ids of the free cells outside the largest component; if several are largest, the first of them
    /// counts.
    pub(crate) fn outside_largest(&self) -> impl Iterator<Item = CellId> + '_ {
        let sizes = self.sizes();
        let most = sizes.iter().copied().max().unwrap_or_default();
        let root = |cell: Cell| self.root(self.nodes[self.node(cell)].component);
        let largest = self.free_cells().map(root).find(|&root| sizes[root as usize] == most);
        let stride = self.width as u32 + 2;
        let outside = self.free_cells().filter(move |&cell| Some(root(cell)) != largest);
        outside.map(move |cell| CellId((cell.y + 1) * stride + cell.x + 1))
    }

    /// Updates the components after an edit that changed cells in `areas` only; `rows` is the edited map.
    pub(crate) fn follow(&mut self, rows: &BitLines, areas: impl IntoIterator<Item = Area>) {
        for area in areas {
            let (left, right, top, bottom) = (area.left - 1, area.right - 1, area.top - 1, area.bottom - 1);
            for line in top / SIDE..=bottom / SIDE {
                for column in left / SIDE..=right / SIDE {
                    let within = |first: usize, last: usize, origin: usize| {
                        (first.max(origin) - origin, last.min(origin + SIDE - 1) - origin)
                    };
                    let (xs, ys) = (within(left, right, column * SIDE), within(top, bottom, line * SIDE));
                    self.follow_block(rows, line * self.columns + column, xs, ys);
                }
            }
        }
        self.settle();
    }

    /// Copies the changed cells of a block from the map.
    fn follow_block(&mut self, rows: &BitLines, at: usize, xs: (usize, usize), ys: (usize, usize)) {
        let (left, top) = self.origin(at);
        let columns = u32::MAX << xs.0 & u32::MAX >> (SIDE - 1 - xs.1);
        let (mut rows_differ, mut count) = ([0; SIDE], 0);
        for (y, differs) in (ys.0..=ys.1).zip(&mut rows_differ) {
            *differs = (rows.window(top + y + 1, left + 1) as u32 ^ self.blocks[at].free[y]) & columns;
            count += differs.count_ones();
        }
        let rows_differ = (ys.0..=ys.1).zip(rows_differ);
        if count > MOST_SINGLE_CELLS {
            for (y, differs) in rows_differ {
                self.blocks[at].free[y] ^= differs;
            }
            return self.label_again(at);
        }
        for (y, mut differs) in rows_differ {
            while differs != 0 {
                self.flip(at, differs.trailing_zeros() as usize, y);
                differs &= differs - 1;
            }
        }
    }

    /// Memory in bytes.
    pub(crate) fn size_bytes(&self) -> usize {
        size_of_val(&self.blocks[..])
            + size_of_val(&self.nodes[..])
            + size_of_val(&self.parents[..])
            + size_of_val(&self.ranks[..])
    }
}
