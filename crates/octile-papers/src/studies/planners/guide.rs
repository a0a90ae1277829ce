//! Which planner to use when, in plain words, from what was measured.

use octile::Catalog;

use super::Families;
use super::sets::{on_edit, promise};
use crate::exhibit::{Exhibit, Row, Table};
use crate::laps::{Lap, Sum};
use crate::plan::Plan;
use crate::races::{BASELINE, planners};

/// A planner over all families.
struct Measured {
    planner: &'static str,
    promise: &'static str,
    on_edit: &'static str,
    /// The smallest and largest speed-up over A\* of a family, and their geometric mean.
    slowest: f64,
    fastest: f64,
    mean: f64,
    build_ms: f64,
    index_bytes: f64,
    length: f64,
    /// On how many of the families it ran.
    families: usize,
}

impl Measured {
    fn of(planner: &'static str, families: &Families, catalog: &Catalog) -> Option<Self> {
        let sums = families.values().map(|laps| Sum::of(laps, planner, BASELINE));
        let speedups: Vec<f64> = sums.filter_map(|sum| sum.speedup()).collect();
        let all: Vec<&Lap> = families.values().flatten().collect();
        let all = Sum::of(all, planner, BASELINE);
        let (build_ms, index_bytes, length) = (all.mean_build_ms()?, all.mean_index_bytes()?, all.length_ratio()?);
        let fold = |from: f64, by: fn(f64, f64) -> f64| speedups.iter().copied().fold(from, by);
        Some(Self {
            planner,
            promise: promise(catalog, planner),
            on_edit: on_edit(catalog, planner),
            slowest: fold(f64::INFINITY, f64::min),
            fastest: fold(0.0, f64::max),
            mean: (speedups.iter().map(|speedup| speedup.ln()).sum::<f64>() / speedups.len() as f64).exp(),
            build_ms,
            index_bytes,
            length,
            families: speedups.len(),
        })
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

const SITUATIONS: [Situation; 6] = [
    Situation {
        when: "The map is fixed, and a second and some megabytes may be spent on it beforehand",
        fits: |planner| planner.is_optimal(),
        why: "Answers come from an index, without a search. It refuses edits, and maps of random obstacles.",
    },
    Situation {
        when: "The map is fixed or seldom changes, and must be ready at once",
        fits: |planner| planner.is_optimal() && planner.build_ms < SOON_MS && planner.on_edit != "refuses",
        why: "Made in milliseconds; when the map changes it is made again.",
    },
    Situation {
        when: "The map changes every frame",
        // What is remembered between queries is lost with every change.
        fits: |planner| {
            let remembers = planner.planner.contains("cache=on");
            planner.is_optimal() && planner.on_edit == "follows" && planner.build_ms < SOON_MS && !remembers
        },
        why: "Follows an edit at the cost of the edit, about a microsecond a cell.",
    },
    Situation {
        when: "There is no memory to spare besides the map",
        fits: |planner| planner.is_optimal() && planner.index_bytes < 1000.0,
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
    let planners = planners(&plan.catalog).into_iter();
    let measured: Vec<Measured> = planners.filter_map(|name| Measured::of(name, families, &plan.catalog)).collect();
    let mut table = Table::new()
        .text("situation")
        .text("planner")
        .text("why")
        .grouped("times faster than A*", "slowest set", 1)
        .grouped("times faster than A*", "fastest set", 1)
        .number("ready in, ms", 2)
        .number("memory, kB", 0)
        .number("path length", 3);
    for situation in &SITUATIONS {
        if let Some(best) = best(&measured, situation.fits) {
            table.push(numbers(Row::new().text(situation.when).text(best.planner).text(situation.why), Some(best)));
        }
    }
    for (when, planner, why) in ALWAYS {
        let known = measured.iter().find(|measured| measured.planner == planner);
        table.push(numbers(Row::new().text(when).text(planner).text(why), known));
    }
    Exhibit::new("Guide", "Which planner do I want?")
        .caption(format!(
            "The first six answers are chosen by the numbers of this run: the fastest that fits, by the geometric mean over {} sets of maps. {} Path \
             length is over that of A*; memory and preparation are means over all maps.",
            families.len(),
            if plan.full { "" } else { "A quick run has few queries: use --full to be sure." }
        ))
        .table(table)
}

/// The fastest that fits, among those that ran on the most sets but for one.
fn best(measured: &[Measured], fits: fn(&Measured) -> bool) -> Option<&Measured> {
    let most = measured.iter().filter(|planner| fits(planner)).map(|planner| planner.families).max()?;
    let fitting = measured.iter().filter(|planner| fits(planner) && planner.families + 1 >= most);
    fitting.max_by(|a, b| a.mean.total_cmp(&b.mean))
}

fn numbers(row: Row, measured: Option<&Measured>) -> Row {
    let of = |number: fn(&Measured) -> f64| measured.map(number);
    row.number(of(|planner| planner.slowest))
        .number(of(|planner| planner.fastest))
        .number(of(|planner| planner.build_ms))
        .number(of(|planner| planner.index_bytes / 1e3))
        .number(of(|planner| planner.length))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn measured(planner: &'static str, mean: f64, build_ms: f64, families: usize) -> Measured {
        Measured {
            planner,
            promise: promise(&Catalog::standard(), planner),
            on_edit: on_edit(&Catalog::standard(), planner),
            slowest: mean,
            fastest: mean,
            mean,
            build_ms,
            index_bytes: 0.0,
            length: 1.0,
            families,
        }
    }

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
}
