//! Figures 1 and 5: what A\* and REA\* look at.

use anyhow::{Context, Result, ensure};
use octile::formats::draw::{Colour, Picture as Drawing};
use octile::formats::generate;
use octile::{Cell, Finder, Grid};
use octile_cli::harness::search::Search;
use octile_cli::harness::words::count;

use crate::benchmarks::Set;
use crate::exhibit::{Exhibit, Picture};
use crate::papers::rea_star::Sample;
use crate::plan::Plan;

/// A search on a map.
fn search(grid: &Grid, ends: (Cell, Cell), planner: &str) -> Result<Search> {
    let search = Search::run(&planner.parse()?, Finder::new(planner, grid)?, ends, true)?;
    ensure!(search.found, "no path from {} to {}", ends.0, ends.1);
    Ok(search)
}

/// A search as `octile draw` paints it, with its numbers below.
fn picture(
    (planner, search): &(&str, Search),
    grid: &Grid,
    drawn: impl Fn(&Drawing) -> Result<String>,
) -> Result<Picture> {
    let expanded = count(search.expanded as usize, "expansion", "expansions");
    let straight = match &search.hops.points[..] {
        [] => String::new(),
        _ => format!(", straight lines {:.2}", search.hops.straight_length(&search.path)),
    };
    let caption = format!("`{planner}`: {expanded}, grid length {:.2}{straight}", search.path.length());
    Ok(Picture::new(caption, drawn(&search.paint(Drawing::new(grid)))?))
}

/// The searches of the figures: A\*, REA\* as the paper has it, and by roots.
fn searches(grid: &Grid, ends: (Cell, Cell)) -> Result<Vec<(&'static str, Search)>> {
    let planners = ["astar", "rea-star:fronts=cells", "rea-star"];
    planners.into_iter().map(|planner| Ok((planner, search(grid, ends, planner)?))).collect()
}

const LEGEND: [(Colour, &str); 5] = [
    (Colour::EXPANDED_FIRST, "expanded early"),
    (Colour::EXPANDED_LAST, "expanded late"),
    (Colour::SEEN, "seen"),
    (Colour::RECTANGLE, "rectangles of REA*"),
    (Colour::PATH, "path"),
];

/// The corners of all that searches looked at.
fn seen(searches: &[(&str, Search)], ends: (Cell, Cell)) -> (Cell, Cell) {
    let traces = searches.iter().filter_map(|(_, search)| search.trace.as_ref());
    let cells = traces.flat_map(|trace| trace.expanded.iter().chain(&trace.seen)).chain([&ends.0, &ends.1]);
    cells.fold(ends, |(low, high), cell| {
        (Cell::new(low.x.min(cell.x), low.y.min(cell.y)), Cell::new(high.x.max(cell.x), high.y.max(cell.y)))
    })
}

pub(super) fn figure_1() -> Result<Exhibit> {
    let grid = generate::rooms(36, 24, 8, 5)?;
    let ends = (Cell::new(1, 22), Cell::new(34, 2));
    let exhibit = Exhibit::new("Figure 1", "How A* and REA* search").caption(
        "The same query on a small map of rooms, as the paper's on its own. REA* expands intervals of cells where rectangles open, and never looks \
         inside them; by roots, it expands the ends of obstacles, with the squares that open there. Its path is drawn through its path points, in straight lines.",
    );
    let svg = |drawing: &Drawing| Ok(drawing.to_svg()?);
    let searches = searches(&grid, ends)?;
    let exhibit = exhibit.legend(LEGEND);
    searches.iter().try_fold(exhibit, |exhibit, search| Ok(exhibit.picture(picture(search, &grid, svg)?)))
}

pub(super) fn figure_5(plan: &Plan, sample: &Sample) -> Result<Exhibit> {
    let (name, grid, ends) = match plan.maps.of(&Set::Bg512).iter().find(|source| source.name == sample.map) {
        Some(source) => {
            let cell = |(x, y)| Cell::new(x, y);
            (source.name.clone(), source.grid()?, (cell(sample.start), cell(sample.goal)))
        }
        None => stand_in(plan)?,
    };
    let exhibit = Exhibit::new("Figure 5", "Results of A* and REA* on a sample map").caption(format!(
        "From {} to {} on {name}{}; of the map, what the searches saw. Colours as in Figure 1.",
        ends.0,
        ends.1,
        if name == sample.map { ", the paper's own query" } else { ", as the paper's map is not at hand" }
    ));
    let (width, height) = (grid.width(), grid.height());
    // Small maps have pixels enough for lines to be thin.
    let scale = (SIDE / width.max(height)).clamp(1, 12);
    let svg = |drawing: &Drawing| Ok(Picture::raster(&drawing.clone().scale(scale).to_png()?, width, height));
    let searches = searches(&grid, ends)?;
    let (low, high) = seen(&searches, ends);
    let exhibit = exhibit.legend(LEGEND);
    searches
        .iter()
        .try_fold(exhibit, |exhibit, search| Ok(exhibit.picture(picture(search, &grid, svg)?.cropped(low, high))))
}

/// Pixels of a picture, about.
const SIDE: u32 = 768;

/// Another map, and its longest problem.
fn stand_in(plan: &Plan) -> Result<(String, Grid, (Cell, Cell))> {
    let mut sources = plan.maps.sets().filter(|set| **set != Set::BgMaps).flat_map(|set| plan.maps.of(set));
    let source = sources.find(|source| source.has_problems()).context("there is no map with problems")?;
    let (grid, tasks) = source.load()?;
    let longest = tasks.into_iter().max_by(|a, b| a.problem.length.total_cmp(&b.problem.length));
    let problem = longest.with_context(|| format!("{} has no problems", source.name))?.problem;
    Ok((source.name.clone(), grid, (problem.start, problem.goal)))
}
