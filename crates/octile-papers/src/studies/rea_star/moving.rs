//! Moving targets, the paper's future work: how many rectangles a search finds again after unit and target have moved.

use std::collections::HashSet;

use anyhow::Result;
use octile::planner::Trace;
use octile::{Answer, Cell, Finder, Grid, Path};
use octile_cli::harness::search::Question;
use serde::{Deserialize, Serialize};

use super::settings::PAPERS;
use crate::benchmarks::{Set, Source};
use crate::exhibit::{Exhibit, Row, Table};
use crate::plan::Plan;
use crate::races;
use crate::session::Session;

/// Problems of a map, and maps of a set.
const PROBLEMS: usize = 20;
const MAPS: usize = 4;

/// What the searches of some chases have in common with the search before.
#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize)]
struct Kept {
    chases: usize,
    /// Rectangles after both have moved, and those of them that the first search had.
    rectangles: usize,
    again: usize,
    /// The same if only the target has moved, so that all costs from the start still hold.
    from_start: usize,
    from_start_again: usize,
}

impl Kept {
    fn add(&mut self, other: Self) {
        self.chases += other.chases;
        self.rectangles += other.rectangles;
        self.again += other.again;
        self.from_start += other.from_start;
        self.from_start_again += other.from_start_again;
    }
}

/// The maps of a set that are searched.
fn sources<'a>(plan: &'a Plan, set: &Set) -> Vec<&'a Source> {
    crate::plan::spread(races::chosen(plan, set), MAPS)
}

/// How many steps a set takes.
pub(super) fn steps(plan: &Plan, set: &Set) -> u64 {
    sources(plan, set).len() as u64
}

/// What was measured on a set.
pub(super) struct Measured {
    set: Set,
    kept: Kept,
}

/// Measures the maps of a set.
pub(super) fn measure(plan: &Plan, session: &mut Session, set: &Set) -> Result<Measured> {
    let mut kept = Kept::default();
    for source in sources(plan, set) {
        let key = format!("rea-star/moving/{}/{}", source.set, source.name);
        kept.add(session.unit(&key, 1, |_| of_map(source))?);
    }
    Ok(Measured { set: set.clone(), kept })
}

fn of_map(source: &Source) -> Result<Kept> {
    let (grid, tasks) = source.load()?;
    let (mut finder, mut kept) = (Finder::new(PAPERS, &grid)?, Kept::default());
    for task in crate::plan::spread(tasks, PROBLEMS) {
        let (start, goal) = (task.problem.start, task.problem.goal);
        let (first, path) = search(&mut finder, (start, goal))?;
        // The unit goes on by a step, and the target leaves the path: otherwise the path is kept, without a search.
        let Ok(cells) = path.cells() else { continue };
        let cells: Vec<Cell> = cells.collect();
        let (Some(&unit), Some(target)) = (cells.get(1), side_step(&grid, goal, &cells)) else { continue };
        let (both, _) = search(&mut finder, (unit, target))?;
        let (one, _) = search(&mut finder, (start, target))?;
        kept.add(Kept {
            chases: 1,
            rectangles: both.len(),
            again: both.intersection(&first).count(),
            from_start: one.len(),
            from_start_again: one.intersection(&first).count(),
        });
    }
    Ok(kept)
}

/// The rectangles of a search, and its path.
fn search(finder: &mut Finder, ends: (Cell, Cell)) -> Result<(HashSet<(Cell, Cell)>, Path)> {
    let (mut trace, mut answer) = (Trace::default(), Answer::new());
    finder.ask_probed(Question::between(ends).query(), &mut answer, &mut trace)?;
    Ok((trace.areas.into_iter().collect(), answer.into_path()?.unwrap_or_default()))
}

/// A free cell beside another that is not on a path.
fn side_step(grid: &Grid, cell: Cell, path: &[Cell]) -> Option<Cell> {
    let mut beside = [(0, -1), (0, 1), (-1, 0), (1, 0)]
        .into_iter()
        .filter_map(|(dx, dy)| Some(Cell::new(cell.x.checked_add_signed(dx)?, cell.y.checked_add_signed(dy)?)));
    beside.find(|beside| grid.is_free(*beside) && !path.contains(beside))
}

/// How many rectangles are found again, set by set.
pub(super) fn exhibit(measured: &[Measured]) -> Exhibit {
    let mut table = Table::new()
        .text("maps")
        .number("chases", 0)
        .number("rectangles of a search", 1)
        .number("found again, %", 1)
        .number("if only the target moves, %", 1);
    for Measured { set, kept } in measured.iter().filter(|measured| measured.kept.chases > 0) {
        let per_cent = |part: usize, of: usize| 100.0 * part as f64 / of.max(1) as f64;
        table.push(Row::new().text(set.name()).numbers([
            kept.chases as f64,
            kept.rectangles as f64 / kept.chases as f64,
            per_cent(kept.again, kept.rectangles),
            per_cent(kept.from_start_again, kept.from_start),
        ]));
    }
    Exhibit::new("Moving targets", "Rectangles that a search after a move finds again")
        .caption(format!(
            "Future work in the paper: a target that moves could reuse what the search before found out about the map. `{PAPERS}` searches, \
             the unit goes one step along the path, the target one step off it, and the search runs again. The table has the rectangles of \
             the second search, and how many of them the first had too. If the unit has moved, \
             only their shapes could be kept: the cost of every cell in them is its distance from the unit. If only the target has moved, \
             the costs hold too. `Chase` keeps the path while unit and target are on it, and otherwise searches again: it keeps no rectangles.",
        ))
        .table(table)
}
