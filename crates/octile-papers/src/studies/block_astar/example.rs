//! Figure 2: the worked example of the search over blocks of 5 x 5 cells.
//!
//! The figure's map is a picture. This one is made from the text alone, which gives the costs, the estimates and the
//! heap values of every step; the library's tests check them.

use anyhow::{Result, ensure};
use octile::formats::draw::{Colour, Picture as Drawing};
use octile::{Cell, Finder, Grid, Movement};
use octile_cli::harness::search::Search;
use octile_cli::harness::words::count;

use super::FIGURE_2;
use crate::exhibit::finding::{Finding, Says};
use crate::exhibit::{Exhibit, Picture, Row, Table};
use crate::papers::block_astar::Claims;

/// Two columns of three blocks: the goal's and D, A and C, the start's and B.
const MAP: &str = "\
....@.....
....@.....
....@.....
....@.....
...@..@@@@
.@@@@.....
.@........
.@.@......
.@.@......
...@......
..@.......
@@........
..........
..........
..........";
const START: Cell = Cell::new(3, 11);
const GOAL: Cell = Cell::new(3, 2);

/// The paper's planners of the example. Both estimate by the Manhattan distance.
const ASTAR: &str = "astar";
const BLOCK: &str = "block-astar:db=tile,block=5";

fn map() -> Result<Grid> {
    Ok(MAP.parse::<Grid>()?.with_movement(Movement::Tile))
}

fn search(grid: &Grid, planner: &str) -> Result<Search> {
    let search = Search::run(&planner.parse()?, Finder::new(planner, grid)?, (START, GOAL), true)?;
    ensure!(search.found, "no path from {START} to {GOAL}");
    Ok(search)
}

/// What both planners look at, and the numbers of the text.
pub(super) fn exhibit(claims: &Claims) -> Result<(Exhibit, Vec<Finding>)> {
    let grid = map()?;
    let mut exhibit = Exhibit::new("Figure 2", "Block A* example").caption(
        "The worked example: moves in four ways, blocks of 5 x 5 cells, start in the block at the lower left and goal in that at the upper left. The \
         paper's map is a picture; this one has the costs, estimates and heap values of its text. A* looks at almost all cells, Block A* expands each \
         of the six blocks once.",
    );
    let (mut table, mut findings) =
        (Table::new().text("planner").number("length", 0).number("expanded", 0), Vec::new());
    for planner in [ASTAR, BLOCK] {
        let search = search(&grid, planner)?;
        let (length, expanded) = (search.path.length(), search.expanded as f64);
        table.push(Row::new().text(planner).number(length).number(expanded));
        let drawn = search.paint(Drawing::new(&grid).scale(SCALE)).ends(START, GOAL).to_svg()?;
        let caption =
            format!("{planner}: {}, length {length}", count(search.expanded as usize, "expansion", "expansions"));
        exhibit = exhibit.picture(Picture::new(caption, drawn));
        if planner == BLOCK {
            let finding = |what, says, ours| Finding::new((FIGURE_2, "", what), says, ours).by(BLOCK).printed(0, "");
            findings.push(finding("length of the path", Says::Equal(claims.figure_2.length), length));
            findings.push(finding("blocks expanded", Says::Equal(claims.figure_2.expanded), expanded));
        }
    }
    let legend =
        [(Colour::EXPANDED_FIRST, "expanded early"), (Colour::EXPANDED_LAST, "expanded late"), (Colour::PATH, "path")];
    Ok((exhibit.legend(legend).table(table), findings))
}

const SCALE: u32 = 16;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exhibit::finding::Verdict;
    use crate::papers::block_astar::Figures;

    #[test]
    fn the_example_is_as_the_text_has_it() {
        let (exhibit, findings) = exhibit(&Figures::load().unwrap().claims).unwrap();
        assert_eq!(exhibit.pictures.len(), 2);
        assert!(findings.len() == 2 && findings.iter().all(|finding| finding.verdict == Verdict::Reproduced));
        let free = f64::from(map().unwrap().free_cells());
        assert!(search(&map().unwrap(), ASTAR).unwrap().expanded as f64 > 0.7 * free);
    }
}
