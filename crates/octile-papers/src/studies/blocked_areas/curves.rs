//! Figures 6 and 7: what pruning takes of the time of a search, by path cost.

use std::collections::BTreeMap;

use octile_cli::harness::words::count;

use super::trial::{Search, Trial};
use crate::exhibit::{Axis, Exhibit, Pair, Plot, Row, Style, Table};
use crate::laps::{by_length, mean, time_ratio};
use crate::papers::blocked_areas::{Curves, MapType, Reduction, Reductions};
use crate::plan::Plan;

/// The paper has so many groups of path costs.
const GROUPS: u32 = 10;

/// A search on maps of a type.
struct Curve {
    of: MapType,
    /// The relative times of the queries of each group of path costs.
    groups: BTreeMap<u32, Vec<f64>>,
    paper: Reduction,
}

/// Of the trial in the paper's setting.
pub(super) fn figure(label: &str, trial: &Trial, searches: &[Search; 2], plan: &Plan, paper: &Curves) -> Exhibit {
    let caption = format!(
        "The mean of the time of a search that prunes blocked areas over that of the same search without, for queries whose shortest path \
         costs so much, in ten groups of {}, the last with all longer ones; the paper's setting; {}; best of {}. Grey is what the paper's text says: of low and high costs, joined \
         by a straight line, or a box where it gives only the range.",
        paper.group,
        trial.setting.sampled(plan),
        count(plan.rounds, "round", "rounds")
    );
    let mut exhibit = Exhibit::new(label, paper.caption.clone()).caption(caption);
    let mut table =
        Table::new().text("search").text("maps").text("path cost").number("queries", 0).beside("relative time", 3);
    let papers: [fn(&Reductions) -> Reduction; 2] = [|row| row.astar, |row| row.weighted];
    for (search, of_search) in searches.iter().zip(papers) {
        let curves = curves(trial, &searches[0], search, paper, of_search);
        if curves.is_empty() {
            continue;
        }
        table = table.rows(curves.iter().flat_map(|curve| rows(search, curve, paper.group)));
        exhibit = exhibit.plot(plot(search, &curves, paper.group)).note(note(search, &curves, paper.group));
    }
    if table.rows.is_empty() {
        return exhibit;
    }
    if !plan.full {
        exhibit = exhibit.note("In a quick look most groups have only a few queries, and their means are rough.");
    }
    exhibit.table(table).folded()
}

fn curves(
    trial: &Trial,
    astar: &Search,
    search: &Search,
    paper: &Curves,
    of_search: fn(&Reductions) -> Reduction,
) -> Vec<Curve> {
    let (plain, pruned) = (search.plain.to_string(), search.first_pruned().to_string());
    let curve = |(&of, row): (&MapType, &Reductions)| {
        let laps = trial.of_type(of);
        // Path costs are those of shortest paths, which A* finds.
        let groups = by_length(laps, &astar.plain.to_string(), paper.group, |lap, query| {
            time_ratio(lap, query, &pruned, &plain)
        });
        Curve { of, groups: with_last(groups, (GROUPS - 1) * paper.group), paper: of_search(row) }
    };
    paper.rows.iter().map(curve).filter(|curve| !curve.groups.is_empty()).collect()
}

/// Groups of which the last has all that are beyond it.
fn with_last(mut groups: BTreeMap<u32, Vec<f64>>, last: u32) -> BTreeMap<u32, Vec<f64>> {
    let beyond: Vec<f64> = groups.split_off(&last).into_values().flatten().collect();
    if !beyond.is_empty() {
        groups.insert(last, beyond);
    }
    groups
}

/// The path costs of a group, in words.
fn costs(start: u32, group: u32) -> String {
    if start == (GROUPS - 1) * group { format!("{start} and more") } else { format!("{start}-{}", start + group) }
}

fn rows(search: &Search, curve: &Curve, group: u32) -> Vec<Row> {
    let row = |(&start, ratios): (&u32, &Vec<f64>)| {
        let paper = match curve.paper {
            Reduction::Trend { low, .. } if start == 0 => Some(relative(low)),
            Reduction::Trend { high, .. } if start == (GROUPS - 1) * group => Some(relative(high)),
            _ => None,
        };
        let row = Row::new().text(search.name).text(curve.of.to_string()).text(costs(start, group));
        row.count(ratios.len()).beside(Pair::new(mean(ratios), paper))
    };
    curve.groups.iter().map(row).collect()
}

/// The relative time, if it is reduced by so many percent.
fn relative(percent: f64) -> f64 {
    1.0 - percent / 100.0
}

fn plot(search: &Search, curves: &[Curve], group: u32) -> Plot {
    let title = format!("{0}+BA over {0}", search.name);
    let plot = Plot::new(title, Axis::linear("path cost"), Axis::linear("relative time"));
    let middle = |start: u32| f64::from(start) + f64::from(group) / 2.0;
    let plot = curves.iter().fold(plot, |plot, curve| {
        let point = |(&start, ratios): (&u32, &Vec<f64>)| Some((middle(start), mean(ratios)?));
        plot.series(curve.of.to_string(), Style::Line, curve.groups.iter().filter_map(point).collect())
    });
    let (first, last) = (middle(0), middle((GROUPS - 1) * group));
    curves.chunk_by(|a, b| a.paper == b.paper).fold(plot, |plot, alike| {
        let points = match alike[0].paper {
            Reduction::Trend { low, high } => vec![(first, relative(low)), (last, relative(high))],
            Reduction::Range { least, most } => {
                let (upper, lower) = (relative(least), relative(most));
                vec![(first, upper), (last, upper), (last, lower), (first, lower), (first, upper)]
            }
        };
        plot.series(format!("paper, {}", types(alike)), Style::Paper, points)
    })
}

fn types(curves: &[Curve]) -> String {
    curves.iter().map(|curve| curve.of.to_string()).collect::<Vec<_>>().join(", ")
}

/// Ours at the lowest and at the highest costs, and what the paper says.
fn note(search: &Search, curves: &[Curve], group: u32) -> String {
    let of_curve = |curve: &Curve| {
        let at = |(&start, ratios): (&u32, &Vec<f64>)| {
            format!("{:.2} at {}", mean(ratios).unwrap_or(f64::NAN), costs(start, group))
        };
        let ends = [curve.groups.first_key_value(), curve.groups.last_key_value()];
        let ours = ends.into_iter().flatten().map(at).collect::<Vec<_>>().join(" to ");
        let paper = match curve.paper {
            Reduction::Trend { low, high } => format!("{:.2} to {:.2}", relative(low), relative(high)),
            Reduction::Range { least, most } => {
                format!("between {:.2} and {:.2} without a trend", relative(most), relative(least))
            }
        };
        format!("{} {ours} (paper: {paper})", curve.of)
    };
    let all: Vec<String> = curves.iter().map(of_curve).collect();
    format!("{0}+BA over {0}, from low to high costs: {1}.", search.name, all.join("; "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_group_has_all_longer_paths() {
        let groups = BTreeMap::from([(0, vec![1.0]), (1800, vec![2.0]), (2000, vec![3.0]), (2400, vec![4.0])]);
        assert_eq!(with_last(groups, 1800), BTreeMap::from([(0, vec![1.0]), (1800, vec![2.0, 3.0, 4.0])]));
        let short = BTreeMap::from([(0, vec![1.0])]);
        assert_eq!(with_last(short.clone(), 1800), short);
        assert_eq!([costs(0, 200), costs(1800, 200)], ["0-200", "1800 and more"]);
    }
}
