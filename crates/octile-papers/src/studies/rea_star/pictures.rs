//! Figures 1, 5 and 7: what A\* and REA\* look at, and the maps of Table 5.

use anyhow::{Context, Result, ensure};
use octile::formats::draw::{Colour, Picture as Drawing};
use octile::{Cell, Finder, Grid};
use octile_cli::harness::search::Search;
use octile_cli::harness::words::count;

use super::settings::{PAPERS, ROOTS};
use crate::benchmarks::Set;
use crate::exhibit::{Exhibit, Picture};
use crate::papers::rea_star::{Lengths, Sample};
use crate::plan::Plan;
use crate::races::{self, BASELINE};

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

/// The searches of the figures: A\*, REA\* with the enhancements of Table 5, and by roots.
fn searches(grid: &Grid, ends: (Cell, Cell)) -> Result<Vec<(&'static str, Search)>> {
    let planners = [BASELINE, PAPERS, ROOTS];
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

/// The map of Figures 1 and 2 as far as the paper's text describes it: its size, the walls around the start's
/// rectangle, and the first openings. The rest is ours, so that both paths have the lengths in the text.
pub(super) fn small_map() -> Result<(Grid, (Cell, Cell))> {
    let map = "\
##########
##......##
##..######
##.#######
##.#######
##..######
##......##
######..##
#######.##
#######.##
#.#####...
##........
##........
##........";
    Ok((map.parse()?, (Cell::new(2, 13), Cell::new(7, 1))))
}

pub(super) fn figure_1(paper: Lengths) -> Result<Exhibit> {
    let (grid, ends) = small_map()?;
    let exhibit = Exhibit::new("Figure 1", "Simple example of A* and REA*").caption(format!(
        "The start is at the bottom. The paper's own map is not at hand: this one agrees with what the text says of it, and its paths are \
         as long as there: {} on the grid, {} in straight lines. REA* expands intervals of cells where rectangles open, and never looks \
         inside them; by roots, it expands the ends of obstacles, with the squares that open there. Its path is drawn through its path \
         points, in straight lines.",
        paper.grid, paper.straight
    ));
    let svg = |drawing: &Drawing| Ok(drawing.to_svg()?);
    let searches = searches(&grid, ends)?;
    let exhibit = exhibit.legend(LEGEND);
    searches.iter().try_fold(exhibit, |exhibit, search| Ok(exhibit.picture(picture(search, &grid, svg)?)))
}

pub(super) fn figure_5(plan: &Plan, sample: &Sample) -> Result<Exhibit> {
    let (name, grid, ends) = match plan.maps.of(&Set::Bg512).iter().find(|source| source.name == sample.map) {
        Some(source) => {
            // The paper's coordinates begin at 1.
            let cell = |(x, y)| Cell::new(x - 1, y - 1);
            (source.name.clone(), source.grid()?, (cell(sample.start), cell(sample.goal)))
        }
        None => stand_in(plan)?,
    };
    let exhibit = Exhibit::new("Figure 5", "Results of A* and REA* on a sample map").caption(format!(
        "From {} to {} on {name}{}, counted from (0, 0); of the map, what the searches saw. Colours as in Figure 1.",
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

/// A map of each kind.
pub(super) fn figure_7(plan: &Plan) -> Result<Exhibit> {
    let exhibit = Exhibit::new("Figure 7", "Sample maps in the experiment")
        .caption("A map of each of the four kinds; which ones the paper shows is not in its text.");
    let kinds: [fn(&Set) -> bool; 4] = [
        |set| *set == Set::Dao,
        |set| *set == Set::Bg512,
        |set| matches!(set, Set::Room(_)),
        |set| matches!(set, Set::Maze(_)),
    ];
    let sources = kinds.map(|is_kind| races::sets(plan).into_iter().rev().find(|set| is_kind(set)));
    let mut sources = sources.into_iter().flatten().filter_map(|set| races::chosen(plan, set).first().copied());
    sources.try_fold(exhibit, |exhibit, source| {
        let grid = source.grid()?;
        let png = Drawing::new(&grid).without_legend().scale(1).to_png()?;
        let svg = Picture::raster(&png, grid.width(), grid.height());
        Ok(exhibit.picture(Picture::new(format!("{}, of {}", source.name, source.set.name()), svg)))
    })
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
