//! Block A\* on the cells of maps of games, moving in four and in eight ways.

use anyhow::Result;
use octile::{Movement, Output};
use octile_cli::harness::race::{Course, Race};

use super::courses::Site;
use crate::exhibit::finding::{Finding, Says};
use crate::exhibit::{Exhibit, Row, Table};
use crate::laps::{Lap, Sum};
use crate::papers::block_astar::Claims;
use crate::plan::Plan;

/// A rule, and the planners under it: A\*, and Block A\* with blocks of 2 x 2, 4 x 4 and 8 x 8 cells.
pub(super) struct Rule {
    pub(super) movement: Movement,
    specs: [&'static str; 4],
}

pub(super) const RULES: [Rule; 2] = [
    Rule { movement: Movement::Octile, specs: ["astar", "block-astar:block=2", "block-astar:block=4", "block-astar"] },
    Rule {
        movement: Movement::Tile,
        specs: ["astar", "block-astar:db=tile,block=2", "block-astar:db=tile,block=4", "block-astar:db=tile"],
    },
];

impl Rule {
    pub(super) fn race(&self, rounds: usize) -> Result<Race> {
        let specs = self.specs.into_iter().map(str::parse).collect::<Result<Vec<_>, _>>()?;
        Ok(Race::new(specs, Output::Waypoints, rounds))
    }

    /// A map under the rule, with the problems that it lets be solved: paths between cells do not squeeze, and some
    /// goals may be out of reach.
    pub(super) fn course(&self, site: &Site, plan: &Plan) -> Result<Course> {
        let mut course = site.course(plan)?;
        course.tasks.retain(|task| course.grid.may_connect(task.problem.start, task.problem.goal));
        course.grid = course.grid.with_movement(self.movement);
        Ok(course)
    }
}

/// What they did on one data set.
pub(super) struct CellsTrial {
    pub(super) set: String,
    pub(super) rule: &'static Rule,
    pub(super) laps: Vec<Lap>,
}

/// A line for each size of blocks under each rule on each data set.
pub(super) fn exhibit(trials: &[CellsTrial], claims: &Claims, best: &str) -> Exhibit {
    let table = Table::new().text("data set").text("movement").text("planner");
    let table = table.number("maps", 0).number("queries", 0).number("wrong", 0);
    let table = table.grouped("expanded", "planner", 0).grouped("expanded", "astar", 0);
    let table = table.grouped("time, us", "planner", 0).grouped("time, us", "astar", 0);
    let table = table.number("times faster", 2).text("paper");
    let rows = trials.iter().flat_map(|trial| trial.rule.specs[1..].iter().map(|planner| row(trial, planner, claims)));
    Exhibit::new("Cells", "Block A* on cells").table(table.rows(rows)).caption(format!(
        "Means of a query, and how many times faster Block A* is than astar under the same rule, by total time: tile moves in four ways, octile in \
         eight. The problems are those of Table 1 on the maps of games; {best}. The paper says that it is consistently two to three times faster, and \
         gives no table."
    ))
}

/// What the paper says of it, beside ours with its sizes of blocks.
pub(super) fn findings(trials: &[CellsTrial], claims: &Claims) -> Vec<Finding> {
    let finding = |trial: &CellsTrial, planner: &'static str, what: &str, says: Says| {
        let row = format!("{}, {}", trial.set, trial.rule.movement.name());
        let ours = Sum::of(&trial.laps, planner, "astar").speedup();
        Finding::new(("cells", &row, what), says, ours).by(planner).printed(1, "")
    };
    let both = |trial: &CellsTrial| {
        let [_, smallest, papers, _] = trial.rule.specs;
        [
            finding(trial, papers, "times as fast as A*", Says::Between(claims.cells_speedup)),
            finding(trial, smallest, "times as fast as A*, blocks of 2 x 2", Says::About(claims.smallest_speedup)),
        ]
    };
    trials.iter().flat_map(both).collect()
}

fn row(trial: &CellsTrial, planner: &str, claims: &Claims) -> Row {
    let sum = Sum::of(&trial.laps, planner, "astar");
    let astar = Sum::of(&trial.laps, "astar", planner);
    let [from, to] = claims.cells_speedup;
    Row::new()
        .text(&trial.set)
        .text(trial.rule.movement.name())
        .text(planner)
        .count(sum.maps)
        .count(sum.queries)
        .count(trial.laps.iter().map(|lap| lap.wrong.len()).sum())
        .number(sum.mean_expanded())
        .number(astar.mean_expanded())
        .number(sum.mean_us())
        .number(astar.mean_us())
        .measured(sum.speedup(), sum.is_in_noise())
        .text(format!("{from} to {to}"))
}
