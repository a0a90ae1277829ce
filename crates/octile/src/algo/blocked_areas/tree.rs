//! The BA-tree (section 6): a balanced binary tree of bounding boxes over the areas, built by halving the areas
//! alternately by their right edge and by their lower edge.

use super::area::Area;
use crate::geometry::{Cell, order};

/// The tree over a list of areas, which it refers to by index.
#[derive(Clone, Debug)]
pub struct BaTree {
    /// The nodes, the root last; empty if there are no areas.
    nodes: Vec<BaNode>,
}

/// A node of a [`BaTree`]. It refers to areas and to other nodes by index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BaNode {
    /// One area or two.
    Leaf(u32, Option<u32>),
    /// A box around all areas of two subtrees.
    Inner {
        /// The upper left corner of the box.
        low: Cell,
        /// Its lower right corner.
        high: Cell,
        /// The subtree that is searched first.
        left: u32,
        /// The other subtree.
        right: u32,
    },
}

impl BaTree {
    /// Builds the tree over some areas.
    pub fn new(areas: &[Area]) -> Self {
        let bounds: Vec<_> = areas.iter().map(Area::bounds).collect();
        let mut order: Vec<u32> = (0..areas.len() as u32).collect();
        let mut tree = Self { nodes: Vec::new() };
        if !order.is_empty() {
            tree.divide(&bounds, &mut order, true);
        }
        tree
    }

    /// Adds a subtree over some areas and returns its root.
    fn divide(&mut self, bounds: &[(Cell, Cell)], areas: &mut [u32], by_column: bool) -> u32 {
        let node = match *areas {
            [only] => BaNode::Leaf(only, None),
            [first, second] => BaNode::Leaf(first, Some(second)),
            _ => {
                let corner = |pick: fn(u32, u32) -> u32, corner: fn(&(Cell, Cell)) -> Cell| {
                    let corners = areas.iter().map(|&i| corner(&bounds[i as usize]));
                    corners.reduce(|a, b| Cell::new(pick(a.x, b.x), pick(a.y, b.y))).unwrap_or_default()
                };
                let (low, high) = (corner(u32::min, |bounds| bounds.0), corner(u32::max, |bounds| bounds.1));
                // Stable as in the paper: areas with the same edge keep their order.
                order::stable_by_key(areas, |&i| {
                    let (_, high) = bounds[i as usize];
                    if by_column { high.x } else { high.y }
                });
                let (left, right) = areas.split_at_mut(areas.len().div_ceil(2));
                let (left, right) = (self.divide(bounds, left, !by_column), self.divide(bounds, right, !by_column));
                BaNode::Inner { low, high, left, right }
            }
        };
        self.nodes.push(node);
        self.nodes.len() as u32 - 1
    }

    /// The number of nodes, inner ones and leaves.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there are no areas.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// All nodes. Both subtrees of a node come before it, so the last node is the root.
    ///
    /// ```
    /// use octile::algo::blocked_areas::{BaNode, BaTree, Detection};
    /// let grid = octile::formats::generate::maze(78, 67, 10, 1)?;
    /// let areas = Detection::new(&grid).areas;
    /// let tree = BaTree::new(&areas);
    /// let leaves = tree.nodes().iter().filter(|node| matches!(node, BaNode::Leaf(..))).count();
    /// assert_eq!(tree.len(), 2 * leaves - 1);
    /// # Ok::<(), octile::formats::generate::GenerateError>(())
    /// ```
    pub fn nodes(&self) -> &[BaNode] {
        &self.nodes
    }

    /// Memory in bytes.
    pub(super) fn size_bytes(&self) -> usize {
        self.nodes.len() * size_of::<BaNode>()
    }

    /// The area that a free cell is inside of, by the paper's Algorithm 5.
    ///
    /// ```
    /// use octile::algo::blocked_areas::{BaTree, Detection};
    /// use octile::{Cell, Grid};
    /// let grid: Grid = ".......\n.@@@@@.\n.@...@.\n.@...@.\n.@...@.\n.......".parse()?;
    /// let areas = Detection::new(&grid).areas;
    /// let tree = BaTree::new(&areas);
    /// assert_eq!((tree.find(&areas, Cell::new(3, 3)), tree.find(&areas, Cell::new(0, 0))), (Some(0), None));
    /// # Ok::<(), octile::formats::ascii::AsciiError>(())
    /// ```
    pub fn find(&self, areas: &[Area], cell: Cell) -> Option<usize> {
        self.find_counted(areas, cell, &mut 0)
    }

    /// As [`find`](BaTree::find), and counts the visited nodes: the paper's measure of an access.
    ///
    /// ```
    /// use octile::algo::blocked_areas::{BaTree, Detection};
    /// let grid = octile::formats::generate::maze(78, 67, 10, 1)?;
    /// let areas = Detection::new(&grid).areas;
    /// let (tree, mut visited) = (BaTree::new(&areas), 0);
    /// tree.find_counted(&areas, areas[0].bounds().0, &mut visited);
    /// assert!((1..=tree.len()).contains(&visited));
    /// # Ok::<(), octile::formats::generate::GenerateError>(())
    /// ```
    pub fn find_counted(&self, areas: &[Area], cell: Cell, visited: &mut usize) -> Option<usize> {
        let root = self.nodes.len().checked_sub(1)?;
        self.descend(root, areas, cell, visited)
    }

    fn descend(&self, node: usize, areas: &[Area], cell: Cell, visited: &mut usize) -> Option<usize> {
        *visited += 1;
        match self.nodes[node] {
            BaNode::Leaf(first, second) => {
                let leaves = std::iter::once(first).chain(second).map(|i| i as usize);
                leaves.into_iter().find(|&i| areas[i].contains(cell))
            }
            BaNode::Inner { low, high, left, right } => {
                let is_inside = (low.x..=high.x).contains(&cell.x) && (low.y..=high.y).contains(&cell.y);
                let mut child = |node: u32| self.descend(node as usize, areas, cell, visited);
                if is_inside { child(left).or_else(|| child(right)) } else { None }
            }
        }
    }
}
