//! Figures 2, 3, 4 and 6: single steps of the paper's search.

use anyhow::Result;
use octile::formats::draw::{Colour, Picture as Drawing};
use octile::planner::{Probe, Trace};
use octile::{Answer, Cell, Finder, Grid};
use octile_cli::harness::search::Question;
use octile_cli::harness::words::count;

use super::pictures::small_map;
use super::settings::PLAIN;
use crate::exhibit::{Exhibit, Picture};

/// The paper's search with the enhancement of section 6.3 alone.
const SEMI_CLOSED: &str = "rea-star:fronts=cells,rescan=allow,semi-closed=expand";

const LEGEND: [(Colour, &str); 3] =
    [(Colour::SEEN, "walls"), (Colour::EXPANDED_FIRST, "search nodes"), (Colour::RECTANGLE, "rectangles")];

/// Records a search until it has expanded a number of nodes, not counting the start.
struct Steps {
    trace: Trace,
    left: usize,
}

impl Probe for Steps {
    fn stops(&mut self, _least: f64) -> bool {
        let stops = self.left == 0;
        self.left = self.left.saturating_sub(1);
        stops
    }

    fn touched(&mut self, cell: Cell) {
        self.trace.touched(cell);
    }

    fn reached_line(&mut self, first: Cell, last: Cell) {
        self.trace.reached_line(first, last);
    }

    fn expanded_area(&mut self, min: Cell, max: Cell) {
        self.trace.expanded_area(min, max);
    }
}

/// The record of a search until it has expanded a number of nodes.
fn steps(grid: &Grid, ends: (Cell, Cell), planner: &str, expansions: usize) -> Result<Trace> {
    let mut steps = Steps { trace: Trace::default(), left: expansions };
    Finder::new(planner, grid)?.ask_probed(Question::between(ends).query(), &mut Answer::new(), &mut steps)?;
    Ok(steps.trace)
}

/// A picture of the search after some expansions.
fn picture((map, ends): (&str, [(u32, u32); 2]), planner: &str, expansions: usize) -> Result<Picture> {
    let ends = ends.map(|(x, y)| Cell::new(x, y));
    draw(&map.parse()?, (ends[0], ends[1]), planner, expansions)
}

fn draw(grid: &Grid, ends: (Cell, Cell), planner: &str, expansions: usize) -> Result<Picture> {
    let trace = steps(grid, ends, planner, expansions)?;
    let along = |&(a, b): &(Cell, Cell)| (a.x..=b.x).flat_map(move |x| (a.y..=b.y).map(move |y| Cell::new(x, y)));
    let nodes: Vec<Cell> = trace.lines.iter().flat_map(along).collect();
    let drawing = Drawing::new(grid).cells(&trace.seen, Colour::SEEN).cells(&nodes, Colour::EXPANDED_FIRST);
    let svg = drawing.rectangles(&trace.areas).ends(ends.0, ends.1).without_legend().to_svg()?;
    let caption = format!(
        "`{planner}` after {}: {} on the open list so far",
        count(expansions, "expansion", "expansions"),
        count(trace.lines.len(), "node", "nodes")
    );
    Ok(Picture::new(caption, svg))
}

pub(super) fn figure_2() -> Result<Exhibit> {
    let (grid, ends) = small_map()?;
    Ok(Exhibit::new("Figure 2", "Generating the first search nodes in Fig. 1")
        .caption(
            "The start's rectangle on the map of Figure 1, its walls, and the one search node beyond them: the free cells at the left of the \
             line above cannot be reached from the walls.",
        )
        .legend(LEGEND)
        .picture(draw(&grid, ends, PLAIN, 0)?))
}

/// The start's rectangle is at the bottom; the free line above it is the first search node.
const WALLS: (&str, [(u32, u32); 2]) = (
    "\
..............
@@@@.@@@@@@@@@
............@@
............@@
............@@
............@@
............@@
..............
..............
..............",
    [(13, 8), (0, 0)],
);

pub(super) fn figure_3() -> Result<Exhibit> {
    Ok(Exhibit::new("Figure 3", "Example of expanded unblocked rectangle when CBN.dir = North")
        .caption("The search node is the lowest line of the upper rectangle; only its other three walls have costs.")
        .legend(LEGEND)
        .picture(picture(WALLS, PLAIN, 1)?))
}

const TYPICAL: (&str, [(u32, u32); 2]) = (
    "\
................
..@.@@@@@.@@@@..
@@............@@
@@............@@
..............@@
@@............@@
@@..............
................
................",
    [(15, 8), (0, 0)],
);

pub(super) fn figure_4() -> Result<Exhibit> {
    Ok(Exhibit::new("Figure 4", "A typical expansion process")
        .caption("The nodes beyond all three walls of a rectangle, one for each free part of the lines outside.")
        .legend(LEGEND)
        .picture(picture(TYPICAL, PLAIN, 1)?))
}

/// The area of Figure 6a, with a way out in its left side. The cell that the text calls (5, 2) is blocked.
const CLOSED: &str = "\
@@@@@@@@@@@@@@@@@
@@@@@@@@@@@@@@@@@
@@@@@@@@.@@@@@@@@
@@@@@@@@...@@@@@@
@@@@@........@@@@
..@@..........@@@
..@...........@@@
...............@@
..@............@@
@@@............@@
.................
.................
.................";

/// The same without a way out.
const TIGHT: &str = "\
.........@@@@@@@@
.@@@@@@@@@@@@@@@@
.@@@@@@@.@@@@@@@@
.@@@@@@@...@@@@@@
.@@@@........@@@@
.@@@..........@@@
.@@...........@@@
.@@............@@
.@@............@@
.@@............@@
.................
.................
.................";

pub(super) fn figure_6() -> Result<Exhibit> {
    // Free, the cell opens the column to its left.
    let open = CLOSED.replacen("@@@@@@@@.@@@@@@@@", "@@@@@@@..@@@@@@@@", 1);
    let pictures = [(CLOSED, (0, 5)), (open.as_str(), (0, 5)), (TIGHT, (8, 0))];
    let exhibit = Exhibit::new("Figure 6", "Identifying a semi-closed area")
        .caption(
            "First as in the paper's Figure 6a: the area above the line where the rectangle begins is semi-closed, and only its two sides \
             lead on. Second, with a cell free that opens the area: three walls of a rectangle lead on. Third as in Figure 6b: nothing leads on.",
        )
        .legend(LEGEND);
    let picture = |(map, goal)| picture((map, [(16, 11), goal]), SEMI_CLOSED, 1);
    pictures.into_iter().try_fold(exhibit, |exhibit, drawn| Ok(exhibit.picture(picture(drawn)?)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the paper's text says of Figures 1 and 2.
    #[test]
    fn the_first_search_node_is_that_of_the_text() {
        let (grid, ends) = small_map().unwrap();
        let trace = steps(&grid, ends, PLAIN, 0).unwrap();
        // The paper counts from 1.
        assert_eq!(trace.areas, [(Cell::new(2, 11), Cell::new(9, 13))]);
        assert_eq!(trace.lines, [(Cell::new(7, 10), Cell::new(9, 10))]);
    }

    /// What its text says of Figure 6: only the sides lead on, unless a cell opens the area.
    #[test]
    fn semi_closed_areas_have_two_sides() {
        let ends = |goal: (u32, u32)| (Cell::new(16, 11), Cell::from(goal));
        let new_nodes = |map: &str, goal, planner: &str| {
            let [before, after] = [0, 1].map(|n| steps(&map.parse().unwrap(), ends(goal), planner, n).unwrap().lines);
            after[before.len()..].to_vec()
        };
        // The opening in the left side, and no line above the rectangle.
        assert_eq!(new_nodes(CLOSED, (0, 5), SEMI_CLOSED), [(Cell::new(2, 7), Cell::new(2, 7))]);
        assert!(new_nodes(CLOSED, (0, 5), PLAIN).len() > 1);
        let open = CLOSED.replacen("@@@@@@@@.@@@@@@@@", "@@@@@@@..@@@@@@@@", 1);
        assert_eq!(new_nodes(&open, (0, 5), SEMI_CLOSED), new_nodes(&open, (0, 5), PLAIN));
        assert_eq!((new_nodes(TIGHT, (8, 0), SEMI_CLOSED).len(), new_nodes(TIGHT, (8, 0), PLAIN).len()), (0, 1));
    }
}
