//! Figures 4 and 5: the BA-tree of the maze of Figure 3, on the map and as a diagram, and two accesses to it.

use std::fmt::Write;

use anyhow::Result;
use octile::algo::blocked_areas::{Area, BaNode, BaTree, Detection};
use octile::formats::draw::{self, Colour};
use octile::{Cell, Grid};

use super::pictures::{self, Label};
use crate::exhibit::{Exhibit, Picture, Row, Table};

/// A node of the tree, and its place in the diagram.
struct Placed {
    /// Its index in the tree.
    node: usize,
    level: usize,
    /// Rectangles are numbered in the order in which the paper makes them: from the root on, left before right.
    name: String,
    /// The bounding box of an inner node.
    bounds: Option<(Cell, Cell)>,
    /// In units of a leaf, from the left.
    x: f64,
    /// Its place among the nodes; none of the root.
    parent: Option<usize>,
}

pub(super) fn figure_4() -> Result<Exhibit> {
    let grid = pictures::detected_maze()?;
    let areas = Detection::new(&grid).areas;
    let tree = BaTree::new(&areas);
    let nodes = place(&tree);
    let (inner, height) = (nodes.iter().filter(|node| node.bounds.is_some()).count(), height(&nodes));
    let caption = format!(
        "{} blocked areas give {} nodes: {inner} inner ones, each with the bounding rectangle of the areas below it, and {} leaves of one or two \
         areas; the height is {height}. By the paper's Lemma 4 it is {}, and by Lemma 6 there are less than {} nodes.",
        areas.len(),
        nodes.len(),
        nodes.len() - inner,
        areas.len().next_power_of_two().ilog2().saturating_sub(1),
        2 * areas.len()
    );
    let map = on_map(&grid, &areas, &nodes)?;
    Ok(Exhibit::new("Figure 4", "The BA-tree of the maze of Figure 3")
        .caption(caption)
        .picture(Picture::new("The rectangles of inner nodes, in a colour for each level; each is drawn a little smaller than those above it", map))
        .picture(Picture::new(
            "The tree: rectangles with their columns and rows, and leaves with their areas",
            diagram(&nodes, &[]),
        ))
        .table(table(&nodes))
        .folded())
}

/// The accesses that visit the most nodes, for a cell inside an area and for one outside of all.
pub(super) fn figure_5() -> Result<Exhibit> {
    let grid = pictures::detected_maze()?;
    let areas = Detection::new(&grid).areas;
    let tree = BaTree::new(&areas);
    let nodes = place(&tree);
    let mut exhibit = Exhibit::new("Figure 5", "Two accesses to the BA-tree of Figure 4").folded();
    let mut table = Table::new().text("cell").text("blocked area").number("visited nodes", 0).number("of", 0);
    for is_inside in [true, false] {
        let accesses = grid.cells().filter(|&cell| grid.is_free(cell)).map(|cell| (cell, access(&tree, &areas, cell)));
        let asked = accesses.filter(|(_, access)| access.found.is_some() == is_inside);
        let Some((cell, Access { visited, found })) = asked.max_by_key(|(_, access)| access.visited.len()) else {
            continue;
        };
        let found = found.map_or_else(|| "none".to_owned(), |area| format!("A{}", area + 1));
        let caption = format!("{cell}, area {found}: {} of {} nodes are visited", visited.len(), nodes.len());
        exhibit = exhibit.picture(Picture::new(caption, diagram(&nodes, &visited)));
        table.push(Row::new().text(cell.to_string()).text(found).count(visited.len()).count(nodes.len()));
    }
    let caption = "Visited nodes are grey. Of the cells inside a blocked area, and of those outside, the one whose access visits the most.";
    Ok(exhibit.caption(caption).table(table))
}

/// An access to the tree, by the paper's Algorithm 5.
struct Access {
    visited: Vec<usize>,
    found: Option<u32>,
}

fn access(tree: &BaTree, areas: &[Area], cell: Cell) -> Access {
    fn visit(nodes: &[BaNode], node: usize, areas: &[Area], cell: Cell, visited: &mut Vec<usize>) -> Option<u32> {
        visited.push(node);
        match nodes[node] {
            BaNode::Leaf(first, second) => {
                std::iter::once(first).chain(second).find(|&area| areas[area as usize].contains(cell))
            }
            BaNode::Inner { low, high, left, right } => {
                let is_inside = (low.x..=high.x).contains(&cell.x) && (low.y..=high.y).contains(&cell.y);
                let mut children = [left, right].into_iter().filter(|_| is_inside);
                children.find_map(|child| visit(nodes, child as usize, areas, cell, visited))
            }
        }
    }
    let (mut visited, root) = (Vec::new(), tree.len().checked_sub(1));
    let found = root.and_then(|root| visit(tree.nodes(), root, areas, cell, &mut visited));
    Access { visited, found }
}

fn height(nodes: &[Placed]) -> usize {
    nodes.iter().map(|node| node.level).max().unwrap_or(0)
}

/// All nodes, parents before children, left before right.
fn place(tree: &BaTree) -> Vec<Placed> {
    let mut placed = Vec::new();
    if let Some(root) = tree.len().checked_sub(1) {
        place_below(tree.nodes(), root, None, 0, &mut placed, &mut 0.0);
    }
    placed
}

/// Places a node and all below it, and returns its own place from the left.
fn place_below(
    nodes: &[BaNode],
    node: usize,
    parent: Option<usize>,
    level: usize,
    placed: &mut Vec<Placed>,
    leaves: &mut f64,
) -> f64 {
    let own = placed.len();
    match nodes[node] {
        BaNode::Leaf(first, second) => {
            let areas: Vec<String> =
                std::iter::once(first).chain(second).map(|area| format!("A{}", area + 1)).collect();
            placed.push(Placed { node, level, name: areas.join(", "), bounds: None, x: *leaves, parent });
            *leaves += 1.0;
        }
        BaNode::Inner { low, high, left, right } => {
            let number = 1 + placed.iter().filter(|node| node.bounds.is_some()).count();
            placed.push(Placed { node, level, name: format!("R{number}"), bounds: Some((low, high)), x: 0.0, parent });
            let mut below = |node: u32| place_below(nodes, node as usize, Some(own), level + 1, placed, leaves);
            let (left, right) = (below(left), below(right));
            placed[own].x = f64::midpoint(left, right);
        }
    }
    placed[own].x
}

/// A colour for each level.
fn colour(level: usize) -> Colour {
    const COLOURS: [Colour; 5] = [
        Colour(0x1b, 0x6c, 0xa8),
        Colour(0xc2, 0x41, 0x0c),
        Colour(0x2f, 0x85, 0x5a),
        Colour(0x7b, 0x3f, 0xa0),
        Colour(0x9a, 0x67, 0x00),
    ];
    COLOURS[level % COLOURS.len()]
}

/// The areas shaded and numbered, and the rectangles. Those of several levels may share an edge: each lies a little
/// inside that of the level above.
fn on_map(grid: &Grid, areas: &[Area], nodes: &[Placed]) -> Result<String> {
    let is_inside = |&cell: &Cell| grid.is_free(cell) && areas.iter().any(|area| area.contains(cell));
    let inside: Vec<Cell> = grid.cells().filter(is_inside).collect();
    let map = draw::Picture::new(grid).scale(pictures::SCALE).ground(&inside, Colour::AREA).to_svg()?;
    let (mut frames, mut labels) = (String::new(), pictures::numbers(grid, areas));
    for node in nodes {
        let Some((low, high)) = node.bounds else { continue };
        let (level, colour) = (node.level as f64, colour(node.level));
        let (left, top) = (f64::from(low.x) + 0.5 + level, f64::from(low.y) + 0.5 + level);
        let [width, height] = [high.x - low.x, high.y - low.y].map(|side| f64::from(side) - 2.0 * level);
        // Writing to a string cannot fail.
        let _ = writeln!(
            frames,
            "<rect x=\"{left}\" y=\"{top}\" width=\"{width}\" height=\"{height}\" fill=\"none\" stroke=\"{colour}\" \
             stroke-width=\"0.7\"/>"
        );
        labels.push(Label { at: (left + 2.6 + 4.0 * level, top + 2.4), text: node.name.clone(), colour });
    }
    Ok(pictures::labelled(&map.replace("</svg>", &(frames + "</svg>")), &labels))
}

/// The colour of visited nodes.
const VISITED: Colour = Colour(0xb4, 0xba, 0xc4);

/// Of a leaf with the space beside it, and of a level, in pixels.
const COLUMN: f64 = 112.0;
const LEVEL: f64 = 92.0;
/// Of a box.
const WIDTH: f64 = 96.0;
const HEIGHT: f64 = 54.0;
const MARGIN: f64 = 14.0;

/// The tree, with some nodes in grey.
fn diagram(nodes: &[Placed], visited: &[usize]) -> String {
    let leaves = nodes.iter().filter(|node| node.bounds.is_none()).count();
    let (width, height) = (leaves as f64 * COLUMN + 2.0 * MARGIN, height(nodes) as f64 * LEVEL + HEIGHT + 2.0 * MARGIN);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\">\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"#ffffff\"/>\n\
         <g font-family=\"sans-serif\" font-size=\"12\" text-anchor=\"middle\" fill=\"#1d2430\">\n"
    );
    for node in nodes {
        if let Some(parent) = node.parent {
            let ((x, y), (to_x, to_y)) = (middle(&nodes[parent]), middle(node));
            // Writing to a string cannot fail.
            let _ = writeln!(
                svg,
                "<line x1=\"{x}\" y1=\"{}\" x2=\"{to_x}\" y2=\"{}\" stroke=\"#6b7280\" stroke-width=\"1.5\"/>",
                y + HEIGHT / 2.0,
                to_y - HEIGHT / 2.0
            );
        }
    }
    svg.extend(nodes.iter().map(|node| drawn(node, visited.contains(&node.node))));
    svg + "</g>\n</svg>\n"
}

/// The middle of a node's box.
fn middle(node: &Placed) -> (f64, f64) {
    (MARGIN + (node.x + 0.5) * COLUMN, MARGIN + node.level as f64 * LEVEL + HEIGHT / 2.0)
}

fn drawn(node: &Placed, is_visited: bool) -> String {
    let ((x, y), colour) = (middle(node), colour(node.level));
    let (left, top) = (x - WIDTH / 2.0, y - HEIGHT / 2.0);
    let (round, fill, lines) = match node.bounds {
        Some((low, high)) => {
            (0.0, Colour::RIM, vec![format!("x {} to {}", low.x, high.x), format!("y {} to {}", low.y, high.y)])
        }
        None => (HEIGHT / 2.0, Colour::AREA, vec![format!("level {}", node.level)]),
    };
    let fill = if is_visited { VISITED } else { fill };
    let first = y + 4.0 - LINE / 2.0 * lines.len() as f64;
    let mut svg = format!(
        "<rect x=\"{left}\" y=\"{top}\" width=\"{WIDTH}\" height=\"{HEIGHT}\" rx=\"{round}\" fill=\"{fill}\" stroke=\"{colour}\" \
         stroke-width=\"2\"/>\n<text x=\"{x}\" y=\"{first}\" font-weight=\"bold\">{}</text>\n",
        node.name
    );
    for (line, nth) in lines.iter().zip(1..) {
        let _ = writeln!(svg, "<text x=\"{x}\" y=\"{}\">{line}</text>", first + LINE * f64::from(nth));
    }
    svg
}

/// Of text.
const LINE: f64 = 15.0;

fn table(nodes: &[Placed]) -> Table {
    let mut table = Table::new().text("node").number("level", 0).text("kind").text("parent");
    table =
        ["left", "top", "right", "bottom"].into_iter().fold(table, |table, side| table.grouped("rectangle", side, 0));
    for node in nodes {
        let kind = if node.bounds.is_some() { "inner" } else { "leaf" };
        let parent = node.parent.map_or("-", |parent| nodes[parent].name.as_str());
        let sides = node.bounds.map(|(low, high)| [low.x, low.y, high.x, high.y].map(f64::from));
        let row = Row::new().text(node.name.clone()).count(node.level).text(kind).text(parent);
        table.push((0..4).fold(row, |row, side| row.number(sides.map(|sides| sides[side]))));
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_access_visits_the_nodes_that_the_library_counts() {
        let grid = pictures::detected_maze().unwrap();
        let areas = Detection::new(&grid).areas;
        let tree = BaTree::new(&areas);
        for cell in grid.cells().filter(|&cell| grid.is_free(cell)) {
            let (Access { visited, found }, mut count) = (access(&tree, &areas, cell), 0);
            assert_eq!(found.map(|area| area as usize), tree.find_counted(&areas, cell, &mut count));
            assert_eq!(visited.len(), count);
        }
        assert_eq!(figure_5().unwrap().pictures.len(), 2);
    }

    #[test]
    fn the_tree_is_placed_without_overlaps_and_halves_its_areas() {
        let areas = Detection::new(&pictures::detected_maze().unwrap()).areas;
        let nodes = place(&BaTree::new(&areas));
        let leaves: Vec<&Placed> = nodes.iter().filter(|node| node.bounds.is_none()).collect();
        assert!((9..=40).contains(&areas.len()) && nodes.len() == 2 * leaves.len() - 1);
        assert!(leaves.iter().enumerate().all(|(i, leaf)| (leaf.x - i as f64).abs() < 1e-9));
        let mut named: Vec<&str> = leaves.iter().flat_map(|leaf| leaf.name.split(", ")).collect();
        named.sort_unstable();
        named.dedup();
        assert_eq!(named.len(), areas.len());
        for node in &nodes {
            let Some(parent) = node.parent.map(|parent| &nodes[parent]) else { continue };
            assert_eq!(node.level, parent.level + 1);
            if let (Some((low, high)), Some((parent_low, parent_high))) = (node.bounds, parent.bounds) {
                assert!(
                    low.x >= parent_low.x
                        && low.y >= parent_low.y
                        && high.x <= parent_high.x
                        && high.y <= parent_high.y
                );
            }
        }
    }
}
