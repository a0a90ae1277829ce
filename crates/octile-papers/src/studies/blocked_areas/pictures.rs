//! Figures 1, 2 and 3: searches on a maze with and without its blocked areas, and the areas of another.

use std::fmt::Write;

use anyhow::{Context, Result};
use octile::algo::blocked_areas::{Area, BlockedAreas, Detection};
use octile::formats::draw::{self, Colour};
use octile::formats::generate;
use octile::{Cell, Finder, Grid, PlannerSpec};
use octile_cli::harness::search::Search;
use octile_cli::harness::show;
use octile_cli::harness::words::count;

use super::trial::Search as Pruned;
use crate::exhibit::{Exhibit, Pair, Picture, Row, Table};
use crate::papers::blocked_areas::Maze;

/// A maze of as many squares as the paper's 199 x 364 one, which are a third as wide: that shows as much.
fn searched_maze() -> Result<Grid> {
    generate::maze(11 * SQUARE + 1, 6 * SQUARE + 1, SQUARE - 1, SEARCHED_SEED).context("the maze of Figure 1")
}

/// The same of its 199 x 232 one.
pub(super) fn detected_maze() -> Result<Grid> {
    generate::maze(7 * SQUARE + 1, 6 * SQUARE + 1, SQUARE - 1, DETECTED_SEED).context("the maze of Figure 3")
}

/// A corridor and a wall.
const SQUARE: u32 = 11;
/// Of a maze in which the searches go far, and of one with about as many areas as the paper's.
const SEARCHED_SEED: u64 = 22;
const DETECTED_SEED: u64 = 458;

/// Pixels a cell.
pub(super) const SCALE: u32 = 7;

/// A maze, and a query on it from its lower right to its lower left.
pub(super) struct Example {
    grid: Grid,
    ends: (Cell, Cell),
    /// Those that planners prune.
    areas: Vec<Area>,
    /// The searches of the paper, each plain and pruned.
    searches: Vec<[(PlannerSpec, Search); 2]>,
}

impl Example {
    pub(super) fn new(searches: &[Pruned; 2]) -> Result<Self> {
        let grid = searched_maze()?;
        let bottom = grid.height() - 2;
        let ends = (Cell::new(grid.width() - 2, bottom), Cell::new(1, bottom));
        let run = |spec: &PlannerSpec| -> Result<(PlannerSpec, Search)> {
            Ok((spec.clone(), Search::run(spec, Finder::of(spec.build(&grid)?), ends, true)?))
        };
        let both = |search: &Pruned| Ok([run(&search.plain)?, run(search.first_pruned())?]);
        let searches = searches.iter().map(both).collect::<Result<_>>()?;
        Ok(Self { areas: BlockedAreas::build(&grid).areas().to_vec(), grid, ends, searches })
    }

    pub(super) fn figure_1(&self) -> Result<Exhibit> {
        let mut table = Table::new().text("planner").number("visited nodes", 0).number("path cost", 2);
        let mut exhibit = Exhibit::new("Figure 1", "Visited nodes of A* and of WA* with weight 3").caption(format!(
            "{}: not the paper's maze, of 199 x 364, but one of as many squares, chosen for the picture; Table 4 has what is measured. Visited \
             nodes are coloured in the order in which they were expanded, from light to dark.",
            self.described()
        ));
        exhibit = exhibit.legend(SEARCHED);
        for [(spec, search), _] in &self.searches {
            table.push(Row::new().text(spec.to_string()).number(search.expanded as f64).number(search.path.length()));
            exhibit = exhibit.picture(picture(spec, search, &search.paint(self.map()))?);
        }
        Ok(exhibit.table(table))
    }

    pub(super) fn figure_2(&self) -> Result<Exhibit> {
        let mut table = Table::new().text("planner").number("visited nodes", 0).number("without areas", 0);
        table = table.number("ratio", 2).number("path cost", 2);
        let (count, free) = (count(self.areas.len(), "blocked area", "blocked areas"), self.grid.free_cells());
        let is_inside = |&cell: &Cell| self.grid.is_free(cell) && self.areas.iter().any(|area| area.contains(cell));
        let inside = self.grid.cells().filter(is_inside).count();
        let caption = format!(
            "{}, as in Figure 1. It has {count}, with {inside} of its {free} free cells inside; the paper's maze has 22. Areas that the query \
             begins or ends in stay open, and are not shaded.",
            self.described(),
        );
        let areas = show::areas(self.map(), &self.grid, &self.areas, None);
        let mut exhibit = Exhibit::new("Figure 2", "The same searches without blocked areas")
            .caption(caption)
            .legend(AREAS.into_iter().chain(SEARCHED))
            .picture(Picture::new(format!("{count}: the inside shaded, the entrance dashed"), areas.to_svg()?));
        for [(_, plain), (spec, search)] in &self.searches {
            let (ours, without) = (search.expanded as f64, plain.expanded as f64);
            let row = Row::new().text(spec.to_string()).number(ours).number(without).number(ours / without);
            table.push(row.number(search.path.length()));
            let areas = show::areas(self.map(), &self.grid, &self.areas, Some(self.ends));
            exhibit = exhibit.picture(picture(spec, search, &search.paint(areas))?);
        }
        Ok(exhibit.table(table))
    }

    fn map(&self) -> draw::Picture {
        draw::Picture::new(&self.grid).scale(SCALE)
    }

    fn described(&self) -> String {
        let (width, height, (start, goal)) = (self.grid.width(), self.grid.height(), self.ends);
        format!(
            "A generated maze of {width} x {height} cells, from {start} at its lower right to {goal} at its lower left"
        )
    }
}

const SEARCHED: [(Colour, &str); 3] =
    [(Colour::EXPANDED_FIRST, "visited early"), (Colour::EXPANDED_LAST, "visited late"), (Colour::PATH, "path")];
const AREAS: [(Colour, &str); 3] =
    [(Colour::AREA, "inside of a blocked area"), (Colour::AREA_WALL, "its walls"), (Colour::ENTRANCE, "its entrance")];

fn picture(spec: &PlannerSpec, search: &Search, picture: &draw::Picture) -> Result<Picture> {
    let caption = format!("{spec}: {} visited nodes, path cost {:.2}", search.expanded, search.path.length());
    Ok(Picture::new(caption, picture.to_svg()?))
}

pub(super) fn figure_3(paper: &Maze) -> Result<Exhibit> {
    let grid = detected_maze()?;
    let detection = Detection::new(&grid);
    let Detection { horizontal_segments, vertical_segments, intersections, corners, areas } = &detection;
    let mut table = Table::new().text("in the maze").beside("number", 0);
    for (what, &ours, paper) in [
        ("horizontal segments", horizontal_segments, paper.horizontal_segments),
        ("vertical segments", vertical_segments, paper.vertical_segments),
        ("intersections", intersections, paper.intersections),
        ("corners", corners, paper.corners),
        ("blocked areas", &areas.len(), paper.areas),
    ] {
        table.push(Row::new().text(what).beside(Pair::new(ours as f64, paper)));
    }
    let caption = format!(
        "{horizontal_segments} horizontal and {vertical_segments} vertical segments, {intersections} intersections, {corners} corners, {} blocked areas",
        areas.len()
    );
    let map = show::areas(draw::Picture::new(&grid).scale(SCALE), &grid, areas, None);
    let map = labelled(&map.to_svg()?, &numbers(&grid, areas));
    let about = format!(
        "A generated maze of {} x {} cells: not the paper's, of 199 x 232, but one of as many squares, chosen for about as many areas. \
         Areas are shaded, their entrances dashed.",
        grid.width(),
        grid.height()
    );
    let exhibit = Exhibit::new("Figure 3", "A maze with its detected blocked areas").caption(about);
    Ok(exhibit.picture(Picture::new(caption, map)).legend(AREAS).table(table))
}

/// Words at a place of a map, in cells.
pub(super) struct Label {
    pub(super) at: (f64, f64),
    pub(super) text: String,
    pub(super) colour: Colour,
}

/// The number of each area, as near to the middle of its inside as it can be there.
pub(super) fn numbers(grid: &Grid, areas: &[Area]) -> Vec<Label> {
    let label = |(area, number): (&Area, usize)| {
        let is_inside = |cell: &Cell| grid.is_free(*cell) && area.contains(*cell);
        let inside: Vec<(f64, f64)> =
            grid.cells().filter(is_inside).map(|cell| (f64::from(cell.x) + 0.5, f64::from(cell.y) + 0.5)).collect();
        let sum = inside.iter().fold((0.0, 0.0), |sum, at| (sum.0 + at.0, sum.1 + at.1));
        let middle = (sum.0 / inside.len() as f64, sum.1 / inside.len() as f64);
        let far = |at: &(f64, f64)| (at.0 - middle.0).hypot(at.1 - middle.1);
        let at = inside.into_iter().min_by(|a, b| far(a).total_cmp(&far(b)))?;
        Some(Label { at, text: format!("A{number}"), colour: Colour::WALL })
    };
    areas.iter().zip(1..).filter_map(label).collect()
}

/// Writes words onto a picture of a map.
pub(super) fn labelled(svg: &str, labels: &[Label]) -> String {
    let mut words = String::from(
        "<g font-family=\"sans-serif\" font-size=\"3\" font-weight=\"bold\" text-anchor=\"middle\" stroke=\"#ffffff\" stroke-width=\"0.8\" \
         stroke-linejoin=\"round\" paint-order=\"stroke\">\n",
    );
    for Label { at: (x, y), text, colour } in labels {
        // Writing to a string cannot fail. The base line is about a third of the height below the middle.
        let _ = writeln!(words, "<text x=\"{x:.2}\" y=\"{:.2}\" fill=\"{colour}\">{text}</text>", y + 1.1);
    }
    svg.replace("</svg>", &(words + "</g>\n</svg>"))
}
