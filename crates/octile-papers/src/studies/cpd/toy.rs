//! A move table on a toy map: Figure 1.

use std::collections::HashMap;

use anyhow::Result;
use octile::algo::cpd::{CpdPlanner, Layout, Ties};
use octile::formats::draw::{self, Colour};
use octile::geometry::Dir;
use octile::{Cell, Cpd, Grid};
use octile_cli::harness::words::count;

use crate::exhibit::{Exhibit, Picture, Row, Table};

/// The map, and the cell from which the moves lead.
const MAP: &str = "\
....................
....................
..@@@@......@.......
..@.........@.......
..@.........@...@@@.
......@.........@...
......@.........@...
...@@@@..@@.........
.............@......
.............@@@@...
....@@...........@..
....@............@..
....@...............
....................";
const START: Cell = Cell::new(10, 4);

/// The colour of each move, and its name.
const COLOURS: [(Dir, Colour, &str); 8] = [
    (Dir::N, Colour(0x86, 0xc5, 0xf4), "sky blue"),
    (Dir::NE, Colour(0x7b, 0xd8, 0xc6), "turquoise"),
    (Dir::E, Colour(0x9c, 0xd6, 0x6b), "green"),
    (Dir::SE, Colour(0xf2, 0xe0, 0x6b), "yellow"),
    (Dir::S, Colour(0xf8, 0xb0, 0x5e), "orange"),
    (Dir::SW, Colour(0xf2, 0x90, 0x88), "red"),
    (Dir::W, Colour(0xec, 0xa6, 0xd8), "pink"),
    (Dir::NW, Colour(0xb3, 0xa4, 0xf0), "violet"),
];

/// The paper's database.
fn database(grid: &Grid) -> Result<CpdPlanner> {
    Ok(CpdPlanner::build(grid, &Cpd::default().layout(Layout::Rectangles).ties(Ties::DiagonalFirst))?)
}

/// A move table, with its rectangles.
pub(super) fn figure_1() -> Result<Exhibit> {
    let grid: Grid = MAP.parse()?;
    let cpd = database(&grid)?;
    let moves = moves(&grid, &cpd)?;
    let rectangles = cpd.rectangles(START)?.unwrap_or_default();
    let mut table = Table::new().text("first move").text("colour").number("cells", 0);
    let mut picture = draw::Picture::new(&grid).scale(32);
    for (dir, colour, name) in COLOURS {
        let cells = moves.get(&dir).map_or(&[][..], Vec::as_slice);
        picture = picture.cells(cells, colour);
        table.push(Row::new().text(format!("{dir:?}")).text(name).count(cells.len()));
    }
    let picture = picture.rectangles(&rectangles).line(&[START], Colour::WALL);
    let caption = "First moves; grey outlines: the rectangles.";
    let legend = COLOURS.map(|(dir, colour, _)| (colour, format!("{dir:?}")));
    let exhibit = Exhibit::new("Figure 1", "A move table on a toy map").caption(format!(
        "The colour of a cell is the first move on an optimal path to it from the cell with the dot, as a database of the paper's kind has \
         it: one row, of {}. The map is ours, not the paper's.",
        count(rectangles.len(), "rectangle", "rectangles")
    ));
    Ok(exhibit.picture(Picture::new(caption, picture.to_svg()?)).legend(legend).table(table).folded())
}

/// The cells to which a first move leads.
fn moves(grid: &Grid, cpd: &CpdPlanner) -> Result<HashMap<Dir, Vec<Cell>>> {
    let mut moves: HashMap<Dir, Vec<Cell>> = HashMap::new();
    for cell in grid.cells().filter(|&cell| grid.is_free(cell)) {
        if let Some(dir) = cpd.first_move(START, cell)? {
            moves.entry(dir).or_default().push(cell);
        }
    }
    Ok(moves)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_move_has_a_colour_and_every_cell_a_move() {
        let grid: Grid = MAP.parse().unwrap();
        let exhibit = figure_1().unwrap();
        assert!(COLOURS.iter().map(|(dir, ..)| *dir).eq(Dir::ALL));
        assert!(COLOURS.iter().all(|(_, colour, _)| exhibit.pictures[0].svg.contains(&colour.to_string())));
        let moves = moves(&grid, &database(&grid).unwrap()).unwrap();
        let cells: usize = moves.values().map(Vec::len).sum();
        assert_eq!((moves.len(), cells), (8, grid.free_cells() as usize - 1));
    }
}
