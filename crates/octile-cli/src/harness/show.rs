//! Pruned areas and gates, as `draw --show` paints them.

use std::collections::HashSet;

use anyhow::Result;
use clap::ValueEnum;
use octile::algo::blocked_areas::{Area, BlockedAreas, Detection};
use octile::formats::draw::{Colour, Picture};
use octile::geometry::Dir;
use octile::kernels::gates::Gates;
use octile::{Cell, Grid};

use super::indexes::IndexFiles;

/// Things to show, in the order of painting: areas would hide below gates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
pub enum Show {
    /// Gates along rows and columns, in two colours; for a query, the cells that they prune
    Gates,
    /// The areas that the paper detects, including those that are not safe to prune
    DetectedAreas,
    /// Blocked areas that are safe to prune: the inside shaded, the walls outlined, the entrance dashed
    BlockedAreas,
}

/// Start and goal of a query.
pub type Endpoints = Option<(Cell, Cell)>;

impl Show {
    /// The kind of index with this data.
    pub fn index_kind(self) -> Option<&'static str> {
        match self {
            Self::BlockedAreas => Some("blocked-areas"),
            Self::DetectedAreas => None,
            Self::Gates => Some("gates"),
        }
    }

    /// Adds it to a picture of the map; the ends of a query must be free cells.
    pub fn paint(self, picture: Picture, grid: &Grid, indexes: &IndexFiles, ends: Endpoints) -> Result<Picture> {
        let read = self.index_kind();
        Ok(match self {
            Self::BlockedAreas => {
                let given = read.map(|kind| indexes.read(kind, |file| BlockedAreas::from_artifact(file, grid)));
                let blocked = given.transpose()?.flatten().unwrap_or_else(|| BlockedAreas::build(grid));
                areas(picture, grid, blocked.areas(), ends)
            }
            Self::DetectedAreas => areas(picture, grid, &Detection::new(grid).areas, ends),
            Self::Gates => {
                let given = read.map(|kind| indexes.read(kind, |file| Gates::from_artifact(file, grid)));
                let gates = given.transpose()?.flatten().unwrap_or_else(|| Gates::build(grid));
                match ends {
                    Some(ends) => pruned_by_gates(picture, grid, &gates, ends),
                    None => all_gates(picture, grid, &gates),
                }
            }
        })
    }
}

/// Paints the areas. Areas that contain an end of the query stay open to it and are not shaded.
pub fn areas(mut picture: Picture, grid: &Grid, areas: &[Area], ends: Endpoints) -> Picture {
    let is_open = |area: &Area| ends.is_some_and(|(start, goal)| area.contains(start) || area.contains(goal));
    for area in areas {
        if !is_open(area) {
            let (low, high) = area.bounds();
            let is_inside = |cell: &Cell| grid.is_free(*cell) && area.contains(*cell);
            picture = picture.ground(&cells(low, high).filter(is_inside).collect::<Vec<_>>(), Colour::AREA);
        }
        let (a, b) = area.entrance();
        picture = picture.outline(area.joints(), Colour::AREA_WALL).dashed(&[a, b], Colour::ENTRANCE);
    }
    picture
}

/// Paints all gates.
fn all_gates(picture: Picture, grid: &Grid, gates: &Gates) -> Picture {
    let all = |spans: Vec<(Cell, Cell)>| spans.into_iter().flat_map(|(a, b)| cells(a, b)).collect::<Vec<_>>();
    gate_cells(picture, &all(gates.row_gates(grid)), &all(gates.column_gates(grid)))
}

/// Paints the cells that a query need not enter, and the gates in front of them, as far as it may enter them.
fn pruned_by_gates(picture: Picture, grid: &Grid, gates: &Gates, (start, goal): (Cell, Cell)) -> Picture {
    let is_pruned = |cell: Cell| grid.is_free(cell) && !gates.may_enter(grid, start, goal, cell);
    let pruned: Vec<Cell> = grid.cells().filter(|&cell| is_pruned(cell)).collect();
    let picture = picture.ground(&pruned, Colour::PRUNED);
    // If a cell beside a gate's run is pruned and the run itself is not, the run is the reason: such runs have the
    // other axis in common.
    let in_front = |spans: Vec<(Cell, Cell)>, beside: [Dir; 2]| -> Vec<Cell> {
        let entered = spans.into_iter().map(|(a, b)| cells(a, b).filter(|&cell| !is_pruned(cell)).collect::<Vec<_>>());
        let is_in_front = |cell: &Cell| beside.iter().any(|dir| is_pruned(dir.step(*cell, 1)));
        entered.filter(|span| span.iter().any(is_in_front)).flatten().collect()
    };
    let rows = in_front(gates.row_gates(grid), [Dir::N, Dir::S]);
    let columns = in_front(gates.column_gates(grid), [Dir::W, Dir::E]);
    gate_cells(picture, &rows, &columns)
}

fn gate_cells(picture: Picture, rows: &[Cell], columns: &[Cell]) -> Picture {
    let in_rows: HashSet<Cell> = rows.iter().copied().collect();
    let both: Vec<Cell> = columns.iter().copied().filter(|cell| in_rows.contains(cell)).collect();
    let picture = picture.ground(rows, Colour::ROW_GATE).ground(columns, Colour::COLUMN_GATE);
    picture.ground(&both, Colour::BOTH_GATES)
}

/// The cells of a box, both corners included.
fn cells(low: Cell, high: Cell) -> impl Iterator<Item = Cell> {
    (low.y..=high.y).flat_map(move |y| (low.x..=high.x).map(move |x| Cell::new(x, y)))
}
