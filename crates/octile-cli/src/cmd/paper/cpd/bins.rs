//! Queries by the cost of their paths: Figures 2 and 3.

use std::collections::BTreeMap;

use super::trial::{Answer, CPDS, WAYS, Way};
use crate::args::output_name;
use crate::papers::cpd::{COST, Claims};
use crate::report::beside::Pair;
use crate::report::cpd::{Bin, FirstMoveLine, Nodes, NodesLine, Speed, SpeedLine, Statement, Times};

/// How wide a range of costs is.
const WIDTH: u32 = 50;

/// The queries by cost.
fn bins<'a>(answers: &[&'a Answer]) -> BTreeMap<u32, Vec<&'a Answer>> {
    let mut bins: BTreeMap<u32, Vec<&Answer>> = BTreeMap::new();
    for answer in answers {
        bins.entry((answer.cost.length() / f64::from(WIDTH)) as u32).or_default().push(answer);
    }
    bins
}

/// Each range of costs with its queries, and all of them.
fn ranges<'a>(answers: &[&'a Answer]) -> (Vec<Range<'a>>, Option<Range<'a>>) {
    let bins = bins(answers);
    let all = bins.keys().next_back().map(|&last| {
        let bin = Bin { cost_from: 0, cost_below: (last + 1) * WIDTH };
        Range { bin, answers: answers.to_vec() }
    });
    let range = |(nth, answers)| Range { bin: Bin { cost_from: nth * WIDTH, cost_below: (nth + 1) * WIDTH }, answers };
    (bins.into_iter().map(range).collect(), all)
}

/// Queries of similar cost, one at least.
struct Range<'a> {
    bin: Bin,
    answers: Vec<&'a Answer>,
}

impl Range<'_> {
    fn mean(&self, of: impl Fn(&Answer) -> f64) -> f64 {
        self.answers.iter().map(|answer| of(answer)).sum::<f64>() / self.answers.len() as f64
    }

    /// A line for each way but A\*.
    fn speed_lines(&self, paper: Option<f64>) -> impl Iterator<Item = SpeedLine> {
        WAYS.iter().enumerate().skip(1).map(move |(i, way)| self.speed_line(i, way, paper))
    }

    fn speed_line(&self, i: usize, way: &Way, paper: Option<f64>) -> SpeedLine {
        let times = |of: fn(&Answer) -> &[f64; 4], paper: Option<f64>| Times {
            astar_us: self.mean(|answer| of(answer)[0]) / 1e3,
            us: self.mean(|answer| of(answer)[i]) / 1e3,
            speedup: Pair::new(self.mean(|answer| of(answer)[0] / of(answer)[i]), paper),
        };
        SpeedLine {
            bin: self.bin,
            queries: self.answers.len(),
            planner: way.planner,
            output: output_name(way.output),
            warm: times(|answer| &answer.warm, paper),
            cold: times(|answer| &answer.cold, paper),
            warm_ns_per_move: self.mean(|answer| answer.warm[i]) / self.mean(|answer| answer.cost.moves() as f64),
        }
    }

    fn nodes_line(&self) -> NodesLine {
        let expanded = self.mean(|answer| answer.expanded as f64);
        let nodes = self.mean(|answer| answer.cost.moves() as f64 + 1.0);
        let [lookups, by_move] = [0, 1].map(|cpd| self.mean(|answer| answer.lookups[cpd] as f64));
        NodesLine {
            bin: self.bin,
            queries: self.answers.len(),
            astar_expanded: expanded,
            path_nodes: nodes,
            lookups,
            lookups_by_move: by_move,
            expanded_over_nodes: expanded / nodes,
            expanded_over_lookups: expanded / lookups,
        }
    }
}

/// Figure 2.
pub(super) fn speed(answers: &[&Answer], claims: &Claims) -> Speed {
    let (ranges, all) = ranges(answers);
    let paper = |range: &Range| (range.bin.cost_from == COST).then_some(claims.speedup);
    let lines: Vec<SpeedLine> = ranges.iter().flat_map(|range| range.speed_lines(paper(range))).collect();
    let statements = WAYS[1..].iter().flat_map(|way| {
        let of_way = |line: &&SpeedLine| (line.planner, line.output) == (way.planner, output_name(way.output));
        let largest = |memory: &str, times: fn(&SpeedLine) -> Times| Statement {
            of: format!("largest average speed-up, {memory}, {}, {}", way.planner, output_name(way.output)),
            ours: lines.iter().filter(of_way).map(|line| times(line).speedup.ours).reduce(f64::max),
            paper: claims.largest_speedup,
            says: "up to",
            decimals: 1,
        };
        [largest("warm", |line| line.warm), largest("cold", |line| line.cold)]
    });
    let statements = statements.collect();
    let first_moves = all.iter().flat_map(first_moves).collect();
    let all = all.iter().flat_map(|range| range.speed_lines(None)).collect();
    Speed { lines, all, first_moves, statements }
}

fn first_moves(range: &Range) -> Vec<FirstMoveLine> {
    let line = |(i, planner): (usize, &&'static str)| FirstMoveLine {
        planner,
        queries: range.answers.len(),
        warm_ns: range.mean(|answer| answer.warm_first[i]),
        cold_ns: range.mean(|answer| answer.cold_first[i]),
    };
    CPDS.iter().enumerate().map(line).collect()
}

/// Figure 3.
pub(super) fn nodes(answers: &[&Answer], claims: &Claims) -> Nodes {
    let (ranges, all) = ranges(answers);
    let lines: Vec<NodesLine> = ranges.iter().map(Range::nodes_line).collect();
    let statement = Statement {
        of: "nodes expanded by A* over nodes on the path, largest average".to_owned(),
        ours: lines.iter().map(|line| line.expanded_over_nodes).reduce(f64::max),
        paper: claims.nodes,
        says: "up to",
        decimals: 1,
    };
    Nodes { lines, all: all.as_ref().map(Range::nodes_line), statements: vec![statement] }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn queries_of_similar_cost_are_together() {
        let answer = |cost, expanded, astar| Answer::of_cost(cost, expanded, [astar, 10.0, 5.0, 20.0]);
        let answers = [answer(10, 40, 100.0), answer(49, 60, 300.0), answer(50, 90, 400.0), answer(140, 7, 2000.0)];
        let answers: Vec<&Answer> = answers.iter().collect();
        let claims = crate::papers::cpd::Figures::load().unwrap().claims;
        let (speed, nodes) = (speed(&answers, &claims), nodes(&answers, &claims));
        let bins: Vec<_> =
            nodes.lines.iter().map(|line| (line.bin.cost_from, line.bin.cost_below, line.queries)).collect();
        assert_eq!(bins, [(0, 50, 2), (50, 100, 1), (100, 150, 1)]);
        assert!((nodes.lines[0].astar_expanded - 50.0).abs() < 1e-9 && (nodes.lines[0].path_nodes - 30.5).abs() < 1e-9);
        let all = nodes.all.unwrap();
        assert_eq!((all.bin, all.queries), (Bin { cost_from: 0, cost_below: 150 }, 4));
        let speedups: Vec<f64> = speed.lines.iter().map(|line| line.warm.speedup.ours).collect();
        assert_eq!(speedups, [20.0, 40.0, 10.0, 40.0, 80.0, 20.0, 200.0, 400.0, 100.0]);
        let papers: Vec<_> = speed.lines.iter().filter_map(|line| line.warm.speedup.paper).collect();
        assert_eq!((papers.len(), speed.lines[8].warm.speedup.paper), (3, Some(claims.speedup)));
        assert_eq!((speed.all.len(), speed.statements[2].ours), (3, Some(400.0)));
        let none = super::speed(&[], &claims);
        assert!(none.lines.is_empty() && none.all.is_empty() && none.statements[0].ours.is_none());
    }
}
