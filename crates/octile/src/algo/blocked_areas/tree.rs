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

    /// Calls `visit` for each area whose bounding box has cells of a box, which is given by its opposite corners.
    pub(super) fn meeting(&self, areas: &[Area], low: Cell, high: Cell, mut visit: impl FnMut(usize)) {
        if let Some(root) = self.nodes.len().checked_sub(1) {
            self.meet(root, areas, (low, high), &mut visit);
        }
    }

    fn meet(&self, node: usize, areas: &[Area], square: (Cell, Cell), visit: &mut impl FnMut(usize)) {
        let meets = |(low, high): (Cell, Cell)| {
            low.x <= square.1.x && square.0.x <= high.x && low.y <= square.1.y && square.0.y <= high.y
        };
        match self.nodes[node] {
            BaNode::Leaf(first, second) => {
                let leaves = std::iter::once(first).chain(second).map(|i| i as usize);
                leaves.filter(|&i| meets(areas[i].bounds())).for_each(visit);
            }
            BaNode::Inner { low, high, left, right } => {
                if meets((low, high)) {
                    self.meet(left as usize, areas, square, visit);
                    self.meet(right as usize, areas, square, visit);
                }
            }
        }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algo::blocked_areas::Strip;
    use crate::geometry::Dice;

    /// The levels of all leaves below a node.
    fn leaf_levels(nodes: &[BaNode], node: u32, level: u32, levels: &mut Vec<u32>) {
        match nodes[node as usize] {
            BaNode::Leaf(..) => levels.push(level),
            BaNode::Inner { left, right, .. } => {
                leaf_levels(nodes, left, level + 1, levels);
                leaf_levels(nodes, right, level + 1, levels);
            }
        }
    }

    /// Lemmas 4 to 6 and Corollary 1 of the paper: the height, the levels of leaves, and the numbers of nodes.
    #[test]
    fn the_tree_is_as_high_and_as_large_as_the_paper_proves() {
        let mut dice = Dice::new(1);
        for count in (1_usize..=130).chain([255, 256, 257, 1000, 4096]) {
            let mut triangle = || {
                let at = Cell::new(dice.below(500) as u32, dice.below(500) as u32);
                Area::new(vec![Cell::new(at.x, at.y + 9), at, Cell::new(at.x + 9, at.y)], Strip::Thin)
            };
            let areas: Vec<Area> = (0..count).map(|_| triangle()).collect();
            let tree = BaTree::new(&areas);
            let mut levels = Vec::new();
            leaf_levels(tree.nodes(), tree.len() as u32 - 1, 0, &mut levels);
            let (lowest, height) = (levels.iter().min(), levels.iter().copied().max().unwrap_or(0));
            assert_eq!(height, count.next_power_of_two().ilog2().saturating_sub(1), "Lemma 4, {count} areas");
            assert!(lowest.is_some_and(|&lowest| lowest + 1 >= height), "Lemma 5, {count} areas");
            assert!(tree.len() < 2 * count, "Lemma 6, {count} areas");
            assert!(levels.len() <= count && tree.len() - levels.len() < count, "Corollary 1, {count} areas");
        }
    }
}
