//! Figures 1 and 5: what A\* and REA\* look at.

use anyhow::{Context, Result, ensure};
use octile::draw::Picture as Drawing;
use octile::generate;
use octile::{Cell, Finder, Grid};
use octile_cli::harness::search::Search;
use octile_cli::harness::words::count;

use crate::benchmarks::Set;
use crate::exhibit::{Exhibit, Picture};
use crate::papers::rea_star::Sample;
use crate::plan::Plan;

/// A search on a map, as `octile draw` paints it, with its numbers below.
fn picture(
    grid: &Grid,
    ends: (Cell, Cell),
    planner: &str,
    drawn: impl Fn(&Drawing) -> Result<String>,
) -> Result<Picture> {
    let search = Search::run(&planner.parse()?, Finder::new(planner, grid)?, ends, true)?;
    ensure!(search.found, "no path from {} to {}", ends.0, ends.1);
    let expanded = count(search.expanded as usize, "expansion", "expansions");
    let straight = match &search.hops.points[..] {
        [] => String::new(),
        _ => format!(", straight lines {:.2}", search.hops.straight_length(&search.path)),
    };
    let caption = format!("`{planner}`: {expanded}, grid length {:.2}{straight}", search.path.length());
    Ok(Picture::new(caption, drawn(&search.paint(Drawing::new(grid)))?))
}

const BOTH: [&str; 2] = ["astar", "rea-star"];

pub(super) fn figure_1() -> Result<Exhibit> {
    let grid = generate::rooms(36, 24, 8, 5)?;
    let ends = (Cell::new(1, 22), Cell::new(34, 2));
    let exhibit = Exhibit::new("Figure 1", "How A* and REA* search").caption(
        "The same query on a small map of rooms, as the paper's on its own. Blue and green: what was expanded, the later the darker; yellow: what was \
         seen; grey lines: the rectangles of REA*; pink: the path. REA* expands intervals of cells where rectangles open, and never looks \
         inside them. Its path is drawn through its path points, in straight lines.",
    );
    let svg = |drawing: &Drawing| Ok(drawing.to_svg()?);
    BOTH.into_iter().try_fold(exhibit, |exhibit, planner| Ok(exhibit.picture(picture(&grid, ends, planner, svg)?)))
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
        "From {} to {} on {name}{}. Colours as in Figure 1.",
        ends.0,
        ends.1,
        if name == sample.map { ", the paper's own query" } else { ", as the paper's map is not at hand" }
    ));
    let svg = |drawing: &Drawing| Ok(Picture::raster(&drawing.clone().scale(1).to_png()?, grid.width(), grid.height()));
    BOTH.into_iter().try_fold(exhibit, |exhibit, planner| Ok(exhibit.picture(picture(&grid, ends, planner, svg)?)))
}

/// Another map, and its longest problem.
fn stand_in(plan: &Plan) -> Result<(String, Grid, (Cell, Cell))> {
    let mut sources = plan.maps.sets().filter(|set| **set != Set::BgMaps).flat_map(|set| plan.maps.of(set));
    let source = sources.find(|source| source.has_problems()).context("there is no map with problems")?;
    let (grid, tasks) = source.load()?;
    let longest = tasks.into_iter().max_by(|a, b| a.problem.length.total_cmp(&b.problem.length));
    let problem = longest.with_context(|| format!("{} has no problems", source.name))?.problem;
    Ok((source.name.clone(), grid, (problem.start, problem.goal)))
}
