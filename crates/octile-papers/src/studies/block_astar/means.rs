//! Tables 1 and 2, and how the planners compare by them.

use octile_cli::harness::words::count;

use super::trial::{ASTAR, BLOCKS, THETA, Trial};
use crate::exhibit::finding::{Finding, Improvement, Says, range, spread};
use crate::exhibit::{Axis, Exhibit, Pair, Plot, Row, Style, Table};
use crate::papers::block_astar::Claims;

/// The means of a query of some data sets, and how many of the answers were wrong.
pub(super) fn exhibit(exhibit: Exhibit, trials: &[Trial]) -> Exhibit {
    let table = Table::new().text("data set").text("planner").number("maps", 0).number("queries", 0);
    let table = table.beside("distance", 1).beside("expanded", 0).beside("time, us", 0).number("again, %", 0);
    let queries = trials.iter().map(Trial::queries).sum();
    let wrong = trials.iter().map(Trial::wrong).sum();
    exhibit.table(table.rows(trials.iter().flat_map(rows))).note(format!(
        "{}, {}. Again: of the expansions, those of a block that had been expanded before in the same query. The paper's Block A* is block=4 \
         with priority=exact; our own order of the open list, blocks of 8 x 8 cells and lazy-theta-star are ours.",
        count(queries, "query", "queries"),
        count(wrong, "wrong answer", "wrong answers")
    ))
}

fn rows(trial: &Trial) -> impl Iterator<Item = Row> {
    (0..trial.planners.specs.len()).map(|planner| row(trial, planner))
}

fn row(trial: &Trial, planner: usize) -> Row {
    let (sum, paper) = (trial.sum(planner, THETA), trial.of_paper(planner));
    let repeated = 100.0 * sum.tally.repeated as f64 / sum.expanded.max(1) as f64;
    Row::new()
        .text(&trial.set)
        .text(trial.planners.specs[planner])
        .count(sum.maps)
        .count(sum.queries)
        .beside(Pair::new(sum.mean_length(), paper.map(|paper| paper.distance)))
        .beside(Pair::new(sum.mean_expanded(), paper.map(|paper| paper.expanded)))
        .beside(Pair::new(sum.mean_us(), paper.map(|paper| paper.seconds * 1e6)))
        .number(BLOCKS.contains(&planner).then_some(repeated))
}

/// Each planner beside A\* and Theta\*.
pub(super) fn comparisons(trials: &[Trial]) -> Exhibit {
    let table = Table::new().text("data set").text("planner").beside("distance over Theta*", 4);
    let table = table.beside("times faster than A*", 2).beside("times faster than Theta*", 2);
    let rows =
        trials.iter().flat_map(|trial| (BLOCKS[0]..trial.planners.specs.len()).map(|i| compared(trial, i).row(trial)));
    let exhibit = Exhibit::new("Comparisons", "Block A* beside A* and Theta*").table(table.rows(rows)).caption(
        "From the same queries as Tables 1 and 2: the sum of the lengths of a planner's paths over that of Theta*'s, and its total time under \
         that of A* and of Theta*. The paper's numbers are quotients of the means in its tables. The plots are of the random maps.",
    );
    let over_astar =
        plot("Times faster than A* on random maps", Axis::log("times faster"), trials, |compared| compared.over_astar);
    let over_theta = plot("Times faster than Theta* on random maps", Axis::log("times faster"), trials, |compared| {
        compared.over_theta
    });
    let title = "How much longer than Theta*'s the paths are on random maps";
    let length = plot(title, Axis::linear("longer, %"), trials, Compared::longer);
    let exhibit =
        [over_astar, over_theta, length].into_iter().filter(|plot| !plot.is_empty()).fold(exhibit, Exhibit::plot);
    in_short(trials).into_iter().fold(exhibit, Exhibit::note)
}

/// A planner beside A\* and Theta\*.
#[derive(Clone, Copy)]
struct Compared {
    planner: usize,
    distance: Pair,
    over_astar: Pair,
    over_theta: Pair,
    /// Whether these may be noise.
    in_noise: [bool; 2],
}

fn compared(trial: &Trial, planner: usize) -> Compared {
    let [over_astar, over_theta] = [ASTAR, THETA].map(|other| trial.sum(planner, other));
    let of_paper = |quotient: f64| (planner == BLOCKS[0]).then_some(quotient);
    let (astar, theta, block) = (trial.paper.astar, trial.paper.theta, trial.paper.block);
    Compared {
        planner,
        distance: Pair::new(over_theta.length_ratio(), of_paper(block.distance / theta.distance)),
        over_astar: Pair::new(over_astar.speedup(), of_paper(astar.seconds / block.seconds)),
        over_theta: Pair::new(over_theta.speedup(), of_paper(theta.seconds / block.seconds)),
        in_noise: [over_astar.is_in_noise(), over_theta.is_in_noise()],
    }
}

impl Compared {
    fn row(&self, trial: &Trial) -> Row {
        let row = Row::new().text(&trial.set).text(trial.planners.specs[self.planner]);
        let row = row.beside(self.distance).measured_beside(self.over_astar, self.in_noise[0]);
        row.measured_beside(self.over_theta, self.in_noise[1])
    }

    /// In per cent.
    fn longer(self) -> Pair {
        let percent = |over: Option<f64>| over.map(|over| 100.0 * (over - 1.0));
        Pair { ours: percent(self.distance.ours), paper: percent(self.distance.paper) }
    }
}

/// A series for each planner over the share of obstacles, and the paper's.
fn plot(title: &str, y: Axis, trials: &[Trial], of: impl Fn(Compared) -> Pair) -> Plot {
    let at_random: Vec<(f64, &Trial)> =
        trials.iter().filter_map(|trial| Some((f64::from(trial.percent?), trial))).collect();
    let points = |planner: usize, of_pair: fn(Pair) -> Option<f64>| {
        let point = |&(x, trial): &(f64, &Trial)| Some((x, of_pair(of(compared(trial, planner)))?));
        at_random.iter().filter_map(point).collect::<Vec<_>>()
    };
    let mut plot = Plot::new(title, Axis::linear("cells blocked, %"), y);
    for planner in at_random.first().map_or(0..0, |(_, trial)| BLOCKS[0]..trial.planners.specs.len()) {
        let name = at_random[0].1.planners.specs[planner];
        plot = plot.series(name, Style::Line, points(planner, |pair| pair.ours));
    }
    plot.series("the paper's Block A*", Style::Paper, points(BLOCKS[0], |pair| pair.paper))
}

/// Each number of Table 1 or 2 beside ours.
pub(super) fn findings(exhibit: &str, trials: &[Trial]) -> Vec<Finding> {
    let of_planner = |(trial, planner): (&Trial, usize)| {
        let (sum, paper, spec) = (trial.sum(planner, THETA), trial.of_paper(planner), trial.planners.specs[planner]);
        let finding = |what: &str, says, ours: Option<f64>, decimals| {
            let what = format!("{what} of {}", NAMES[planner]);
            Finding::new((exhibit, &trial.set, &what), says, ours).by(spec).printed(decimals, "")
        };
        paper
            .into_iter()
            .flat_map(move |paper| {
                let distance = finding("distance", Says::Length(paper.distance), sum.mean_length(), 1);
                [distance, finding("expanded", Says::Count(paper.expanded), sum.mean_expanded(), 0)]
            })
            .collect::<Vec<_>>()
    };
    let planners = trials.iter().flat_map(|trial| (0..NAMES.len()).map(move |planner| (trial, planner)));
    planners.flat_map(of_planner).collect()
}

/// The paper's names of its planners.
const NAMES: [&str; 3] = ["A*", "Theta*", "Block A*"];

/// What the paper says of Block A\* beside A\* and Theta\*, and ours of its size of blocks.
pub(super) fn compared_findings(trials: &[Trial], claims: &Claims) -> Vec<Finding> {
    // The paper's times of an expansion of A*.
    let spread = spread(trials.iter().map(|trial| trial.paper.astar.seconds / trial.paper.astar.expanded));
    let of_trial = |trial: &Trial| {
        let compared = compared(trial, BLOCKS[0]);
        let finding = |what, says, ours: Option<f64>, decimals, unit| {
            let finding = Finding::new((COMPARISONS, &trial.set, what), says, ours).printed(decimals, unit);
            finding.by(trial.planners.specs[BLOCKS[0]])
        };
        let longer = Says::AtMost(claims.difference_percent);
        let faster = |pair: Pair| Says::time(pair.paper.unwrap_or_default(), spread);
        [
            finding("longer than the paths of Theta*", longer, compared.longer().ours, 2, " %"),
            finding("times as fast as A*", faster(compared.over_astar), compared.over_astar.ours, 1, ""),
            finding("times as fast as Theta*", faster(compared.over_theta), compared.over_theta.ours, 1, ""),
        ]
    };
    trials.iter().flat_map(of_trial).chain(trials.iter().flat_map(|trial| on_games(trial, claims))).collect()
}

const COMPARISONS: &str = "comparisons";

/// What the text says of Theta\* on the maps of games.
fn on_games(trial: &Trial, claims: &Claims) -> Vec<Finding> {
    if !trial.is_of_game {
        return Vec::new();
    }
    let (theta, block) = (trial.planners.specs[THETA], trial.planners.specs[BLOCKS[0]]);
    let slower = trial.sum(ASTAR, THETA).speedup();
    let faster = compared(trial, BLOCKS[0]).over_theta.ours;
    let finding =
        |what, says, ours, by: &str| Finding::new((COMPARISONS, &trial.set, what), says, ours).by(by).printed(1, "");
    vec![
        finding("time of Theta* over that of A*", Says::Between(claims.theta_slower), slower, theta),
        finding("at least so many times as fast as Theta*", Says::AtLeast(claims.faster_than_theta), faster, block),
    ]
}

/// Where larger blocks, with our order of the open list, improve on the paper's.
pub(super) fn improvement(trial: &Trial) -> Option<Improvement> {
    let of = |planner: usize| (trial.planners.specs[planner], trial.sum(planner, THETA).mean_us());
    let (paper, ours) = (of(BLOCKS[0]), of(BLOCKS[2]));
    let row = (&*trial.set, "time of a query");
    Some(Improvement::new(row, (paper.0, paper.1?), (ours.0, ours.1?), (1, " us")))
}

/// The range of each factor over the data sets, ours and the paper's, for the paper's size of blocks.
fn in_short(trials: &[Trial]) -> Vec<String> {
    let all: Vec<Compared> = trials.iter().map(|trial| compared(trial, BLOCKS[0])).collect();
    let faster = |what: &str, of: fn(&Compared) -> Pair| {
        let range_of =
            |of_pair: fn(Pair) -> Option<f64>| range(all.iter().filter_map(|compared| of_pair(of(compared))));
        let ([from, to], [low, high]) = range_of(|pair| pair.ours).zip(range_of(|pair| pair.paper))?;
        Some(format!(
            "Blocks of 4 x 4 cells are {from:.1} to {to:.1} times faster than {what} (paper: {low:.1} to {high:.1})."
        ))
    };
    let ranges = [faster("A*", |compared| compared.over_astar), faster("Theta*", |compared| compared.over_theta)];
    let theta = "Our Theta* looks along whole words of bits, and only where a line would be an improvement; the paper's takes much longer where \
                 lines are long, so its factors over Theta* in the open are out of reach.";
    ranges.into_iter().flatten().chain([theta.to_owned()]).collect()
}
