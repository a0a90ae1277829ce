//! What the paper says of visibility graphs, beside `taut-graph`.

use super::VISIBILITY;
use super::optimum::SHORTEST;
use super::trial::{BLOCKS, Trial};
use crate::exhibit::finding::{Finding, Says};
use crate::exhibit::{Exhibit, Row, Table};
use crate::laps::Sum;
use crate::papers::block_astar::Claims;

/// The share of random obstacles of which the paper speaks, in per cent.
const PERCENT: u32 = 40;

/// A line for each data set of Table 1.
pub(super) fn exhibit(trials: &[Trial], claims: &Claims, best: &str) -> Exhibit {
    let table = Table::new().text("data set").text("planner").number("queries", 0);
    let table = table.grouped("time, us", "planner", 0).grouped("time, us", SHORTEST, 0);
    let table = table.number("times faster", 2).number("graph, ms", 1);
    let rows = trials.iter().flat_map(|trial| BLOCKS.into_iter().map(move |planner| row(trial, planner)));
    let [from, to] = claims.vgraph_faster;
    let title = "Block A* beside a search over a visibility graph";
    Exhibit::new("Visibility graphs", title).table(table.rows(rows)).caption(format!(
        "Mean time of a query, how many times faster Block A* is than `{SHORTEST}`, whose graph has only edges that shortest paths may turn along, and \
         the time to prepare that graph for a map; {best}. The paper, without a table: Block A* is almost {} times faster among {PERCENT} % random \
         obstacles, the graph {from} to {to} times on maps of games, and preparing a map takes over a day.",
        claims.faster_than_vgraph
    ))
}

fn row(trial: &Trial, planner: usize) -> Row {
    let spec = trial.planners.specs[planner];
    let (block, graph) = (Sum::of(&trial.laps, spec, SHORTEST), Sum::of(&trial.laps, SHORTEST, spec));
    let row = Row::new().text(&trial.set).text(spec).count(block.queries);
    let row = row.number(block.mean_us()).number(graph.mean_us());
    row.measured(block.speedup(), block.is_in_noise()).number(graph.mean_build_ms())
}

/// What the paper says, beside ours with its Block A\*.
pub(super) fn findings(trials: &[Trial], claims: &Claims) -> Vec<Finding> {
    let of_trial = |trial: &Trial| {
        let block = trial.planners.specs[BLOCKS[0]];
        let faster = Sum::of(&trial.laps, block, SHORTEST).speedup();
        let slower = faster.map(|faster| 1.0 / faster);
        let finding = |what: &str, says, ours: Option<f64>| {
            Finding::new((VISIBILITY, &trial.set, what), says, ours).by(block).printed(1, "")
        };
        let hours = Sum::of(&trial.laps, SHORTEST, block).mean_build_ms().map(|millis| millis / 3.6e6);
        let preparation = Finding::new(
            (VISIBILITY, &trial.set, "preparation of a visibility graph"),
            Says::AtLeast(claims.vgraph_hours),
            hours,
        );
        let preparation = preparation.by(SHORTEST).printed(6, " h");
        if trial.is_of_game {
            let what = "time of Block A* over that of a visibility graph";
            vec![finding(what, Says::Between(claims.vgraph_faster), slower), preparation]
        } else if trial.percent == Some(PERCENT) {
            vec![finding("times as fast as a visibility graph", Says::About(claims.faster_than_vgraph), faster)]
        } else {
            Vec::new()
        }
    };
    trials.iter().flat_map(of_trial).collect()
}
