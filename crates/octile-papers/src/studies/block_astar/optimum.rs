//! How far the paths of any-angle planners are above the shortest there are.

use super::trial::{EUCLIDEAN, Planners, Trial};
use crate::exhibit::{Exhibit, Row, Table};
use crate::laps::{Lap, length_ratios, mean};

/// What finds shortest paths for those along corners, which may squeeze between obstacles that touch.
pub(super) const SHORTEST: &str = "taut-graph";

/// A planner over cells whose paths are pulled straight: it may not squeeze. And what finds shortest paths for it.
const OVER_CELLS: &str = "jps:smooth=greedy,squeeze=forbidden";
const SHORTEST_OVER_CELLS: &str = "taut-graph:squeeze=forbidden";

/// Those that run for this exhibit alone.
pub(super) const BESIDE: [&str; 2] = [OVER_CELLS, SHORTEST_OVER_CELLS];

/// A path is shortest that is longer by no more than this part of its length, which is what rounding may add.
const ROUNDING: f64 = 1e-9;

/// What the planners did on maps of a kind that the paper has not.
pub(super) struct OnKind {
    pub(super) kind: String,
    pub(super) laps: Vec<Lap>,
}

/// A line for each planner on each data set, of the paper and others.
pub(super) fn exhibit(trials: &[Trial], others: &[OnKind], caption: &str) -> Exhibit {
    let table = Table::new().text("data set").text("planner").number("queries", 0);
    let table = table.grouped("times the shortest", "mean", 5).grouped("times the shortest", "worst", 5);
    let of_paper = trials.iter().flat_map(|trial| rows(&trial.set, trial.planners, &trial.laps));
    let of_others = others.iter().flat_map(|OnKind { kind, laps }| rows(kind, &EUCLIDEAN, laps));
    let table = table.number("shortest, %", 1).rows(of_paper.chain(of_others));
    Exhibit::new("Optimum", "Lengths over the true optimum").table(table).caption(caption)
}

fn rows<'a>(set: &'a str, planners: &Planners, laps: &'a [Lap]) -> impl Iterator<Item = Row> + use<'a> {
    let along_corners = planners.specs.into_iter().chain(planners.smoothed).map(|planner| (planner, SHORTEST));
    along_corners.chain([(OVER_CELLS, SHORTEST_OVER_CELLS)]).map(move |(planner, shortest)| {
        let above = Above::new(&length_ratios(laps, planner, shortest));
        let row = Row::new().text(set).text(planner).count(above.queries);
        row.number(above.mean).number(above.worst).number(above.shortest_percent)
    })
}

/// What comes of how many times as long as the shortest some paths are.
#[derive(Debug, PartialEq)]
struct Above {
    queries: usize,
    mean: Option<f64>,
    worst: Option<f64>,
    shortest_percent: Option<f64>,
}

impl Above {
    fn new(ratios: &[f64]) -> Self {
        let shortest: Vec<f64> = ratios.iter().map(|&ratio| f64::from(ratio <= 1.0 + ROUNDING)).collect();
        Self {
            queries: ratios.len(),
            mean: mean(ratios),
            worst: ratios.iter().copied().reduce(f64::max),
            shortest_percent: mean(&shortest).map(|part| 100.0 * part),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_shortest_but_for_rounding() {
        let above = Above::new(&[1.0, 1.0 + 1e-12, 1.5, 1.25]);
        assert_eq!((above.queries, above.worst, above.shortest_percent), (4, Some(1.5), Some(50.0)));
        assert!((above.mean.unwrap() - 1.1875).abs() < 1e-9);
        let none = Above { queries: 0, mean: None, worst: None, shortest_percent: None };
        assert_eq!(Above::new(&[]), none);
    }
}
