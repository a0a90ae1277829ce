//! Which planner to use when, in plain words, from what was measured.

use std::collections::BTreeMap;

use octile::Catalog;

use super::Families;
use super::sets::{on_edit, promise};
use crate::exhibit::{Exhibit, Headline, Row, Table};
use crate::laps::{Sum, mean};
use crate::plan::Plan;
use crate::races::{BASELINE, planners};

/// A planner over the families on all of whose maps it ran.
struct Measured {
    planner: &'static str,
    promise: &'static str,
    on_edit: &'static str,
    /// The speed-up over A\* of each family.
    speedups: BTreeMap<String, f64>,
    build_ms: Option<f64>,
    index_bytes: Option<f64>,
    length: Option<f64>,
}

impl Measured {
    fn of(planner: &'static str, families: &Families, catalog: &Catalog) -> Self {
        let sums = families.iter().map(|(family, laps)| (family, laps, Sum::of(laps, planner, BASELINE)));
        let whole: Vec<_> = sums.filter(|(.., sum)| !sum.is_partial()).collect();
        let all = Sum::of(whole.iter().flat_map(|(_, laps, _)| *laps), planner, BASELINE);
        Self {
            planner,
            promise: promise(catalog, planner),
            on_edit: on_edit(catalog, planner),
            speedups: whole.iter().filter_map(|(family, _, sum)| Some(((*family).clone(), sum.speedup()?))).collect(),
            build_ms: all.mean_build_ms(),
            index_bytes: all.mean_index_bytes(),
            length: all.length_ratio(),
        }
    }

    /// The geometric mean of the speed-ups on some families.
    fn mean_on(&self, families: &[&String]) -> f64 {
        let logs: Vec<f64> = families.iter().filter_map(|&family| Some(self.speedups.get(family)?.ln())).collect();
        mean(&logs).map_or(0.0, f64::exp)
    }

    fn is_soon_ready(&self) -> bool {
        self.build_ms.is_some_and(|ms| ms < SOON_MS)
    }

    fn is_light(&self) -> bool {
        self.build_ms.is_some_and(|ms| ms < LIGHT_MS)
    }

    fn is_optimal(&self) -> bool {
        self.promise == "optimal"
    }
}

/// A situation, and which planners answer to it, the fastest of which is the one.
struct Situation {
    when: &'static str,
    fits: fn(&Measured) -> bool,
    why: &'static str,
}

/// Prepared within a frame or two.
const SOON_MS: f64 = 60.0;

/// An index that takes longer than this also takes longer than a few microseconds to follow an edit.
const LIGHT_MS: f64 = 2.0;

const SITUATIONS: [Situation; 6] = [
    Situation {
        when: "The map is fixed, and a second and some megabytes may be spent on it beforehand",
        fits: |planner| planner.is_optimal(),
        why: "Answers come from an index, without a search. It refuses edits, and maps of random obstacles.",
    },
    Situation {
        when: "The map is fixed or seldom changes, and must be ready at once",
        fits: |planner| planner.is_optimal() && planner.is_soon_ready() && planner.on_edit != "refuses",
        why: "Made in milliseconds; when the map changes it is made again.",
    },
    Situation {
        when: "The map changes every frame",
        // What is remembered between queries is lost with every change.
        fits: |planner| {
            let remembers = planner.planner.contains("cache=on");
            planner.is_optimal() && planner.on_edit == "follows" && planner.is_light() && !remembers
        },
        why: "Follows an edit at the cost of the edit, about a microsecond a cell.",
    },
    Situation {
        when: "There is no memory to spare besides the map",
        fits: |planner| planner.is_optimal() && planner.index_bytes.is_some_and(|bytes| bytes < 1000.0),
        why: "Scans the rows and columns of the map itself.",
    },
    Situation {
        when: "Paths at any angle, for robots or to look natural",
        fits: |planner| planner.promise == "any-angle",
        why: "Within about a thousandth of the length of `theta-star`, whose paths are the shortest here.",
    },
    Situation {
        when: "Paths may be somewhat longer than necessary",
        fits: |planner| planner.promise == "bounded",
        why: "Weighs the heuristic. But see whether an optimal planner above is not faster still.",
    },
];

/// What no measurement of this race decides.
const ALWAYS: [(&str, &str, &str); 5] = [
    (
        "Small maps, and units that ask for their next move only",
        "cpd",
        "A first move is one lookup, some tens of nanoseconds; the database takes a search from every cell to build.",
    ),
    (
        "Grid-optimal paths that should also be straight",
        "rea-star",
        "The straight lines between its path points are safe and 2 to 5 % shorter than the grid path.",
    ),
    (
        "Four neighbours only",
        "block-astar:db=tile",
        "Block A* with another database. `astar` also knows diagonals that cut corners.",
    ),
    (
        "A weak heuristic, or one-to-all distances",
        "dijkstra",
        "No heuristic; `octile::algo::dijkstra::distances` gives all.",
    ),
    ("Not sure", "auto", "Measures on the map itself and takes the best; `octile advise MAP` says which, and why."),
];

pub(super) fn exhibit(plan: &Plan, families: &Families) -> Exhibit {
    let measured = measured(plan, families);
    let mut table = Table::new()
        .text("situation")
        .text("planner")
        .text("why")
        .text("sets")
        .grouped("times faster than A*", "slowest set", 1)
        .grouped("times faster than A*", "fastest set", 1)
        .number("ready in, ms", 2)
        .number("memory, kB", 0)
        .number("path length", 3);
    for situation in &SITUATIONS {
        if let Some(best) = best(&measured, situation.fits) {
            let row = Row::new().text(situation.when).text(best.planner).text(situation.why);
            table.push(numbers(row, Some(best), families.len()));
        }
    }
    for (when, planner, why) in ALWAYS {
        let known = measured.iter().find(|measured| measured.planner == planner);
        table.push(numbers(Row::new().text(when).text(planner).text(why), known, families.len()));
    }
    Exhibit::new("Guide", "Which planner do I want?")
        .caption(format!(
            "The first answers are chosen by the numbers of this run: the fastest that fits, by the geometric mean over those of the {} sets of maps on \
             which all that may be chosen ran. {}Numbers are of sets on all of whose maps a planner ran, and none where it did on no set. Path length \
             is over that of A*, under the same rule, though paths along corners may touch walls; memory and preparation are means over maps.",
            families.len(),
            if plan.full { "" } else { "A quick run has few queries: use --full to be sure. " }
        ))
        .table(table)
}

fn measured(plan: &Plan, families: &Families) -> Vec<Measured> {
    planners(&plan.catalog).into_iter().map(|name| Measured::of(name, families, &plan.catalog)).collect()
}

/// The fastest that fits, among those that ran on the most sets but for one, on the sets that all of these ran on.
fn best(measured: &[Measured], fits: fn(&Measured) -> bool) -> Option<&Measured> {
    let fitting = || measured.iter().filter(|planner| fits(planner) && !planner.speedups.is_empty());
    let most = fitting().map(|planner| planner.speedups.len()).max()?;
    let candidates: Vec<&Measured> = fitting().filter(|planner| planner.speedups.len() + 1 >= most).collect();
    let common = common(&candidates);
    candidates.into_iter().max_by(|a, b| a.mean_on(&common).total_cmp(&b.mean_on(&common)))
}

/// The sets that all of some planners ran on.
fn common<'a>(planners: &[&'a Measured]) -> Vec<&'a String> {
    let Some((first, others)) = planners.split_first() else { return Vec::new() };
    first.speedups.keys().filter(|set| others.iter().all(|other| other.speedups.contains_key(*set))).collect()
}

fn numbers(row: Row, measured: Option<&Measured>, sets: usize) -> Row {
    let speedups = || measured.into_iter().flat_map(|measured| measured.speedups.values().copied());
    let ran = match speedups().count() {
        0 => "-".to_owned(),
        ran if ran == sets => ran.to_string(),
        ran => format!("{ran} of {sets}"),
    };
    row.text(ran)
        .number(speedups().reduce(f64::min))
        .number(speedups().reduce(f64::max))
        .number(measured.and_then(|planner| planner.build_ms))
        .number(measured.and_then(|planner| planner.index_bytes).map(|bytes| bytes / 1e3))
        .number(measured.and_then(|planner| planner.length))
}

/// What most readers want to know: the best where the map stays, the best where it changes, and how that compares with
/// what others use. All on the same sets of maps.
pub(super) fn headlines(plan: &Plan, families: &Families) -> Vec<Headline> {
    let measured = measured(plan, families);
    let [fixed, _, changing, ..] = SITUATIONS.map(|situation| best(&measured, situation.fits));
    let Some((fixed, changing)) = fixed.zip(changing) else { return Vec::new() };
    let sets = common(&[fixed, changing]);
    let named: Vec<&str> = sets.iter().map(|set| set.as_str()).collect();
    let named = named.join(", ");
    let over_astar = |best: &Measured, when: &str| {
        let text = format!("as fast as A*: `{}`, {when}. Geometric mean over {named}.", best.planner);
        Headline::new(times(best.mean_on(&sets)), text)
    };
    let speedup = |set: &&String| Sum::of(&families[*set], changing.planner, PEER).speedup();
    let over_peer = mean(&sets.iter().filter_map(speedup).map(f64::ln).collect::<Vec<_>>()).map(|mean| {
        let text =
            format!("as fast as A* of the crate `pathfinding`: `{}`, on the same sets of maps.", changing.planner);
        Headline::new(times(mean.exp()), text)
    });
    let fixed = over_astar(fixed, "where the map stays as it is");
    let changing = over_astar(changing, "where the map may change any time");
    [Some(fixed), Some(changing), over_peer].into_iter().flatten().collect()
}

/// What most people use today.
const PEER: &str = "peer/pathfinding";

fn times(factor: f64) -> String {
    if factor < 10.0 { format!("{factor:.1} ×") } else { format!("{factor:.0} ×") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn measured(planner: &'static str, mean: f64, build_ms: f64, families: usize) -> Measured {
        Measured {
            planner,
            promise: promise(&Catalog::standard(), planner),
            on_edit: on_edit(&Catalog::standard(), planner),
            speedups: SETS[..families].iter().map(|set| ((*set).to_owned(), mean)).collect(),
            build_ms: Some(build_ms),
            index_bytes: Some(0.0),
            length: Some(1.0),
        }
    }

    const SETS: [&str; 6] = ["BG2", "DAO", "MAZES", "ROOMS", "SC1", "RANDOM"];

    #[test]
    fn the_fastest_that_fits_is_advised() {
        let all = [
            measured("astar", 1.0, 0.0, 6),
            measured("cpd", 900.0, 9000.0, 1),
            measured("hub-labels", 500.0, 900.0, 5),
            measured("jump-graph", 100.0, 5.0, 6),
            measured("corner-sweep", 40.0, 1.0, 6),
            measured("theta-star", 0.1, 0.0, 6),
        ];
        let advised = SITUATIONS.map(|situation| best(&all, situation.fits).map(|best| best.planner));
        let expected = ["hub-labels", "jump-graph", "corner-sweep", "hub-labels", "theta-star"];
        assert_eq!(advised[..5], expected.map(Some));
        assert_eq!(advised[5], None);
    }

    #[test]
    fn means_are_over_the_same_sets() {
        // Faster where all ran, but slow on the one set that the other refused.
        let mut jumps = measured("jump-graph", 600.0, 5.0, 6);
        jumps.speedups.insert("RANDOM".to_owned(), 1.0);
        let all = [measured("hub-labels", 500.0, 900.0, 5), jumps];
        assert_eq!(best(&all, Measured::is_optimal).map(|best| best.planner), Some("jump-graph"));
    }
}
