//! Figure 4: where A\*, Theta\* and Block A\* do how much for the same query.

use anyhow::{Context, Result};
use octile::formats::generate;
use octile::{Cell, Finder, Grid, Path, PathQuery};
use serde::{Deserialize, Serialize};

use super::courses;
use super::heat::{Heat, Shades, Work};
use super::trial::{ASTAR, BLOCKS, EUCLIDEAN, Planners, THETA, ZERO};
use crate::exhibit::{Exhibit, Picture, Row, Table};
use crate::laps::Lap;
use crate::plan::Plan;
use crate::session::Session;

/// A query on a map, and by which planners.
struct Scene {
    name: String,
    planners: &'static Planners,
    /// Blocked along its right and lower edge, so that each corner of the map inside has a cell.
    grid: Grid,
    /// What is drawn below the shades.
    ground: Grid,
    shades: Shades,
    start: Cell,
    goal: Cell,
    scale: u32,
}

/// What the planners did.
#[derive(Deserialize, Serialize)]
struct Seen {
    name: String,
    lap: Lap,
    work: Vec<Work>,
    /// Of the paper's three.
    svg: Vec<String>,
    scale: String,
}

/// The two scenes.
const SCENES: u64 = 2;

/// How often progress moves on.
pub(super) fn steps(plan: &Plan) -> Result<u64> {
    Ok(SCENES * EUCLIDEAN.race(plan.rounds, &[])?.steps_per_course())
}

/// Pictures of both scenes, and what was done in all.
pub(super) fn exhibit(plan: &Plan, best: &str, session: &mut Session) -> Result<Exhibit> {
    let table =
        Table::new().text("map").text("planner").number("distance", 2).number("expanded", 0).number("opened", 0);
    let table =
        table.number("vertices", 0).grouped("lines of sight", "checked", 0).grouped("lines of sight", "cells", 0);
    let mut table = table.number("all work", 0).number("time, us", 1);
    let mut exhibit = Exhibit::new("Figure 4", "Overheads").caption(caption(best));
    for (key, scene) in [("open", open as fn(&Plan) -> Result<Scene>), ("game", of_game)] {
        let steps = EUCLIDEAN.race(plan.rounds, &[])?.steps_per_course();
        let seen = session.unit(&format!("block-astar/overheads/{key}"), steps, |bar| {
            let scene = scene(plan)?;
            let course = courses::single(&scene.name, scene.grid.clone(), scene.start, scene.goal);
            watch(&scene, Lap::run(scene.planners.race(plan.rounds, &[])?, &course, bar)?)
        })?;
        session.count_lap(&seen.lap);
        seen.rows().for_each(|row| table.push(row));
        exhibit = seen.note().into_iter().fold(exhibit, Exhibit::note);
        exhibit = seen.pictures().fold(exhibit, Exhibit::picture);
    }
    Ok(exhibit.legend(Shades::legend()).table(table))
}

fn caption(best: &str) -> String {
    format!(
        "The darker a square, the more is done there, for one query on the same map. A square stands for the vertex at its upper left; it counts how often \
         that got a value and went on the open list, how often it was expanded, and how many lines of sight that were checked cross the cell itself, \
         each as far as it is free. Block A* computes the values of the vertices on the rim of a block, which count for each expansion of it. The \
         scale is the same for the three planners of a map. First the paper's example: 13 x 13 vertices without obstacles and no heuristic, start and \
         goal at a sixth and five sixths of the diagonal (the paper's places are not in its text); then a map with obstacles and the Euclidean distance. \
         In the table, opened is in vertices, of Block A* in blocks; all work is vertices and cells together; {best}. The paper has pictures only."
    )
}

/// The paper's example.
fn open(_: &Plan) -> Result<Scene> {
    Ok(Scene {
        name: "13 x 13 vertices".to_owned(),
        planners: &ZERO,
        grid: framed(&Grid::open(VERTICES - 1, VERTICES - 1)?)?,
        ground: Grid::open(VERTICES, VERTICES)?,
        shades: Shades(2),
        start: Cell::new(2, 2),
        goal: Cell::new(10, 10),
        scale: 24,
    })
}

/// Of the paper's example in a row.
const VERTICES: u32 = 13;

/// A map of a game with the longest of its problems, if it is at hand, or rooms.
fn of_game(plan: &Plan) -> Result<Scene> {
    let (name, map, start, goal) = match plan.maps.named(GAME_MAP).filter(|source| source.has_problems()) {
        Some(source) => {
            let (grid, tasks) = source.load()?;
            let solvable = tasks.iter().filter(|task| task.problem.optimum().is_some());
            let longest = solvable.max_by(|a, b| a.problem.length.total_cmp(&b.problem.length));
            let problem = &longest.with_context(|| format!("{GAME_MAP} has no problem that can be solved"))?.problem;
            (format!("{} ({})", source.name, source.set), grid, problem.start, problem.goal)
        }
        None => rooms()?,
    };
    let grid = framed(&map)?;
    Ok(Scene { name, planners: &EUCLIDEAN, ground: grid.clone(), grid, shades: Shades(4), start, goal, scale: 3 })
}

/// A small one with open ground.
const GAME_MAP: &str = "combat";
/// What stands in for it.
const ROOMS_SIDE: u32 = 160;
const ROOM: u32 = 31;

fn rooms() -> Result<(String, Grid, Cell, Cell)> {
    let grid = generate::rooms(ROOMS_SIDE, ROOMS_SIDE, ROOM, 1)?;
    let free: Vec<Cell> = grid.cells().filter(|&cell| grid.is_free(cell)).collect();
    let (&start, &goal) = free.first().zip(free.last()).context("rooms have free cells")?;
    Ok((format!("rooms of {ROOM} x {ROOM} cells"), grid, start, goal))
}

/// A map with a blocked column at its right and a blocked row at its bottom.
fn framed(grid: &Grid) -> Result<Grid> {
    Ok(Grid::from_fn(grid.width() + 1, grid.height() + 1, |cell| grid.contains(cell) && grid.is_free(cell))?)
}

/// Watches what each planner does where.
fn watch(scene: &Scene, lap: Lap) -> Result<Seen> {
    let (mut work, mut svg) = (Vec::new(), Vec::new());
    for (place, spec) in scene.planners.specs.into_iter().enumerate() {
        let mut heat = Heat::new(&scene.grid, BLOCKS.contains(&place));
        let query = PathQuery::new(scene.start, scene.goal);
        Finder::new(spec, &scene.grid)?.plan_probed(query, &mut Path::new(), &mut heat)?;
        work.push(heat.work());
        if place <= BLOCKS[0] {
            let picture = heat.picture(&scene.ground, scene.shades).scale(scene.scale);
            svg.push(picture.ends(scene.start, scene.goal).to_svg()?);
        }
    }
    Ok(Seen { name: scene.name.clone(), lap, work, svg, scale: scene.shades.sentence() })
}

impl Seen {
    fn rows(&self) -> impl Iterator<Item = Row> {
        self.lap.legs.iter().zip(&self.work).map(|(leg, work)| {
            Row::new()
                .text(&self.name)
                .text(&leg.planner)
                .number(leg.lengths[0])
                .number(leg.expanded[0] as f64)
                .number(work.opened as f64)
                .number(work.vertices as f64)
                .number(work.sights as f64)
                .number(work.crossed as f64)
                .number(all(work) as f64)
                .number(leg.nanos.first().map(|&nanos| nanos as f64 / 1e3))
        })
    }

    fn pictures(&self) -> impl Iterator<Item = Picture> {
        let captioned = self.lap.legs.iter().zip(&self.work).zip(&self.svg);
        captioned.map(|((leg, work), svg)| {
            let caption = format!("{}: {}. {} in all; {}.", self.name, leg.planner, all(work), self.scale);
            Picture::new(caption, svg.clone())
        })
    }

    /// How much more than Block A\* the others do.
    fn note(&self) -> Option<String> {
        let [astar, theta, block] = [ASTAR, THETA, BLOCKS[0]].map(|place| self.work.get(place));
        let (astar, theta, block) = (astar?, theta?, block?);
        let times = |work: &Work| all(work) as f64 / all(block).max(1) as f64;
        Some(format!(
            "{}: A* does {:.1} times and Theta* {:.1} times the work of Block A* with 4 x 4 cells; {:.0} % of Theta*'s is cells that lines of sight cross \
             (our Theta* asks for a whole word of them at a time, and only where a line would be an improvement).",
            self.name,
            times(astar),
            times(theta),
            100.0 * theta.crossed as f64 / all(theta).max(1) as f64
        ))
    }
}

fn all(work: &Work) -> u64 {
    work.vertices + work.crossed
}
