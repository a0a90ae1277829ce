//! Where a search does how much: a probe that counts, and a picture of the counts.

use octile::formats::draw::{Colour, Picture};
use octile::geometry::Corner;
use octile::planner::{Counts, Probe};
use octile::{Cell, Grid, PathQuery, Point};
use serde::{Deserialize, Serialize};

/// What a search did in all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
pub(super) struct Work {
    /// Put on the open list, each vertex or block once.
    pub(super) opened: u64,
    /// How often a vertex got a value or was expanded; of a search over blocks, how often the values of a vertex on the
    /// rim of a block were computed.
    pub(super) vertices: u64,
    /// Lines of sight checked.
    pub(super) sights: u64,
    /// Cells that these lines crossed, each as far as it was free.
    pub(super) crossed: u64,
}

/// Counts the work of a search over corners at each of them.
///
/// Searches over corners tell of the cell to the lower right of a corner. The map must have a blocked column at its
/// right and a blocked row at its bottom, so that each corner in use has one of its own.
pub(super) struct Heat<'a> {
    grid: &'a Grid,
    of_blocks: bool,
    counts: Counts,
    vertices: u64,
    crossed: u64,
    /// Of each cell, row by row.
    per_cell: Vec<u32>,
}

impl<'a> Heat<'a> {
    pub(super) fn new(grid: &'a Grid, of_blocks: bool) -> Self {
        let per_cell = vec![0; grid.width() as usize * grid.height() as usize];
        Self { grid, of_blocks, counts: Counts::default(), vertices: 0, crossed: 0, per_cell }
    }

    pub(super) fn work(&self) -> Work {
        let Self { counts, vertices, crossed, .. } = *self;
        Work { opened: counts.opened, vertices, sights: counts.sights, crossed }
    }

    fn add(&mut self, cell: Cell) {
        if self.grid.contains(cell) {
            self.per_cell[(cell.y * self.grid.width() + cell.x) as usize] += 1;
        }
    }

    fn vertex(&mut self, cell: Cell) {
        self.vertices += 1;
        self.add(cell);
    }

    /// A map whose free cells are shaded by their counts.
    pub(super) fn picture(&self, ground: &Grid, shades: Shades) -> Picture {
        let cells: Vec<Cell> = self.grid.cells().collect();
        let shaded = |shade: usize| {
            let has = |&(cell, &heat): &(&Cell, &u32)| ground.is_free(*cell) && shades.shade(heat) == Some(shade);
            cells.iter().zip(&self.per_cell).filter(has).map(|(cell, _)| *cell).collect::<Vec<_>>()
        };
        let fills = COLOURS.into_iter().enumerate();
        fills.fold(Picture::new(ground), |picture, (shade, colour)| picture.cells(&shaded(shade), colour))
    }
}

impl Probe for Heat<'_> {
    fn started(&mut self, query: PathQuery) {
        self.counts.started(query);
    }

    fn reached(&mut self, cell: Cell, first: bool) {
        self.counts.reached(cell, first);
        if !self.of_blocks {
            self.vertex(cell);
        }
    }

    fn expanded(&mut self, cell: Cell) {
        if !self.of_blocks {
            self.vertex(cell);
        }
    }

    /// A block was expanded: the values of the corners on its rim are computed.
    fn expanded_area(&mut self, min: Cell, max: Cell) {
        let (right, bottom) = (max.x + 1, max.y + 1);
        for x in min.x..=right {
            self.vertex(Cell::new(x, min.y));
            self.vertex(Cell::new(x, bottom));
        }
        for y in min.y + 1..bottom {
            self.vertex(Cell::new(min.x, y));
            self.vertex(Cell::new(right, y));
        }
    }

    fn sight(&mut self, from: Point, to: Point) {
        self.counts.sight(from, to);
        let Some((from, to)) = from.as_corner().zip(to.as_corner()) else { return };
        for (cell, beside) in crossed(from, to) {
            self.crossed += 1;
            self.add(cell);
            if !self.grid.is_free(cell) && !beside.is_some_and(|beside| self.grid.is_free(beside)) {
                break;
            }
        }
    }
}

/// The cells whose insides a line between two corners crosses, in order; for one along a row or column of corners,
/// those to its lower right, each with the one across from it.
fn crossed(from: Corner, to: Corner) -> Vec<(Cell, Option<Cell>)> {
    let (dx, dy) = (from.x.abs_diff(to.x), from.y.abs_diff(to.y));
    let x_of = |i: u32| if to.x >= from.x { from.x + i } else { from.x - 1 - i };
    let y_of = |i: u32| if to.y >= from.y { from.y + i } else { from.y - 1 - i };
    if dy == 0 {
        let above = |x| Some(Cell::new(x, from.y.checked_sub(1)?));
        return (0..dx).map(|i| (Cell::new(x_of(i), from.y), above(x_of(i)))).collect();
    }
    if dx == 0 {
        let left = |y| Some(Cell::new(from.x.checked_sub(1)?, y));
        return (0..dy).map(|i| (Cell::new(from.x, y_of(i)), left(y_of(i)))).collect();
    }
    let rows = |i: u32| i * dy / dx..((i + 1) * dy).div_ceil(dx);
    (0..dx).flat_map(|i| rows(i).map(move |j| (i, j))).map(|(i, j)| (Cell::new(x_of(i), y_of(j)), None)).collect()
}

/// Shades by powers of a number: 1, up to that, up to its square and so on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shades(pub(super) u32);

/// From light to dark.
const COLOURS: [Colour; 8] = [
    Colour(0xff, 0xf0, 0xc2),
    Colour(0xfe, 0xd9, 0x8a),
    Colour(0xfd, 0xb4, 0x5c),
    Colour(0xf4, 0x87, 0x3c),
    Colour(0xdf, 0x55, 0x2b),
    Colour(0xb3, 0x2a, 0x2e),
    Colour(0x7d, 0x14, 0x37),
    Colour(0x42, 0x08, 0x2e),
];

impl Shades {
    /// None where nothing was done.
    fn shade(self, heat: u32) -> Option<usize> {
        let last = COLOURS.len() - 1;
        (heat > 0).then(|| (0..last).find(|&shade| heat <= self.most(shade)).unwrap_or(last))
    }

    /// The most that has a shade.
    fn most(self, shade: usize) -> u32 {
        self.0.pow(shade as u32)
    }

    /// The scale in words.
    pub(super) fn sentence(self) -> String {
        let last = COLOURS.len() - 1;
        let steps: Vec<String> = (0..last).map(|shade| self.most(shade).to_string()).collect();
        format!("eight shades from light to dark: up to {}, and more", steps.join(", "))
    }

    /// The shades of all scales, from the lightest on.
    pub(super) fn legend() -> impl Iterator<Item = (Colour, &'static str)> {
        let ends = |shade: usize| match shade {
            0 => "once",
            7 => "most often",
            _ => "",
        };
        COLOURS.into_iter().enumerate().map(move |(shade, colour)| (colour, ends(shade)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells_of(from: (u32, u32), to: (u32, u32)) -> Vec<(u32, u32)> {
        let cells = crossed(Corner::new(from.0, from.1), Corner::new(to.0, to.1));
        cells.into_iter().map(|(cell, _)| (cell.x, cell.y)).collect()
    }

    #[test]
    fn lines_cross_the_cells_between_their_ends() {
        assert_eq!(cells_of((0, 0), (3, 2)), [(0, 0), (1, 0), (1, 1), (2, 1)]);
        assert_eq!(cells_of((3, 2), (0, 0)), [(2, 1), (1, 1), (1, 0), (0, 0)]);
        assert_eq!(cells_of((0, 2), (2, 0)), [(0, 1), (1, 0)]);
        assert_eq!(cells_of((1, 0), (2, 3)), [(1, 0), (1, 1), (1, 2)]);
        assert_eq!((cells_of((3, 1), (1, 1)), cells_of((2, 0), (2, 2))), (vec![(2, 1), (1, 1)], vec![(2, 0), (2, 1)]));
        assert_eq!(cells_of((4, 4), (4, 4)), []);
    }

    #[test]
    fn lines_are_followed_up_to_the_first_obstacle() {
        let grid: Grid = "...@.\n.....\n@@@@@".parse().unwrap();
        let mut heat = Heat::new(&grid, false);
        heat.sight(Corner::new(0, 0).into(), Corner::new(4, 1).into());
        // The cells below the border are blocked, those above it free.
        heat.sight(Corner::new(0, 2).into(), Corner::new(4, 2).into());
        heat.expanded(Cell::new(0, 0));
        assert_eq!(heat.work(), Work { opened: 0, vertices: 1, sights: 2, crossed: 8 });
        assert_eq!(heat.per_cell, [2, 1, 1, 1, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 0]);
    }

    #[test]
    fn blocks_have_the_corners_of_their_rims_computed() {
        let grid = Grid::open(5, 5).unwrap();
        let mut heat = Heat::new(&grid, true);
        heat.reached(Cell::new(0, 0), true);
        heat.expanded_area(Cell::new(0, 0), Cell::new(3, 3));
        assert_eq!(heat.work(), Work { opened: 1, vertices: 16, sights: 0, crossed: 0 });
        let inside = |cell: Cell| (1..4).contains(&cell.x) && (1..4).contains(&cell.y);
        assert!(grid.cells().zip(&heat.per_cell).all(|(cell, &heat)| heat == u32::from(!inside(cell))));
    }

    #[test]
    fn shades_grow_by_a_factor() {
        let shades = [0, 1, 2, 3, 4, 5, 64, 65, 9999].map(|heat| Shades(2).shade(heat));
        assert_eq!(shades, [None, Some(0), Some(1), Some(2), Some(2), Some(3), Some(6), Some(7), Some(7)]);
        assert!(Shades(4).sentence().contains("1, 4, 16, 64, 256, 1024, 4096, and more"));
    }
}
