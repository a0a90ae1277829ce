//! One set of maps: plots of speed against preparation and memory, and the table of all numbers.

use octile::planner::OnEdit;
use octile::{Catalog, Guarantee};
use octile_cli::harness::words::count;

use crate::exhibit::{Axis, Exhibit, Plot, Row, Style, Table};
use crate::laps::{Lap, Sum};
use crate::plan::Plan;
use crate::races::{self, BASELINE};

/// An engine over some laps.
pub(super) struct Engine {
    pub(super) name: String,
    pub(super) sum: Sum,
}

/// All that ran in some laps, in the order of the race.
pub(super) fn engines(catalog: &Catalog, laps: &[Lap]) -> Vec<Engine> {
    let mut names: Vec<&str> = Vec::new();
    for leg in laps.iter().flat_map(|lap| &lap.legs) {
        if !names.contains(&leg.planner.as_str()) {
            names.push(&leg.planner);
        }
    }
    let planners = races::planners(catalog);
    let order = |name: &&str| planners.iter().position(|planner| planner == name).unwrap_or(usize::MAX);
    names.sort_by_key(order);
    names.into_iter().map(|name| Engine { name: name.to_owned(), sum: Sum::of(laps, name, BASELINE) }).collect()
}

/// What a planner promises; peers promise nothing that is known here.
pub(super) fn promise(catalog: &Catalog, name: &str) -> &'static str {
    match catalog.parse(name).map(|spec| spec.guarantee()) {
        Ok(Guarantee::GridOptimal) => "optimal",
        Ok(Guarantee::Bounded(_)) => "bounded",
        Ok(Guarantee::AnyAngle | Guarantee::Smoothed(_)) => "any-angle",
        Ok(Guarantee::AnyAngleOptimal) => "any-angle optimal",
        _ => "-",
    }
}

/// How a planner takes a change of the map, in a word.
pub(super) fn on_edit(catalog: &Catalog, name: &str) -> &'static str {
    match catalog.parse(name).map(|spec| spec.on_edit()) {
        Ok(OnEdit::Follows) => "follows",
        Ok(OnEdit::Rebuilds) => "rebuilds",
        Ok(OnEdit::GoesStale) => "goes stale",
        Ok(OnEdit::Refuses) => "refuses",
        _ => "-",
    }
}

pub(super) fn exhibit(plan: &Plan, family: &str, laps: &[Lap]) -> Exhibit {
    let engines = engines(&plan.catalog, laps);
    let mut table = Table::new()
        .text("planner")
        .text("promise")
        .text("map changes")
        .text("maps")
        .number("queries", 0)
        .grouped("time of a query, us", "mean", 2)
        .grouped("time of a query, us", "median", 2)
        .grouped("time of a query, us", "99 %", 2)
        .grouped("times faster than A*", "in total", 2)
        .grouped("times faster than A*", "per query", 2)
        .number("preparation, ms", 2)
        .number("memory, kB", 1)
        .number("path length", 4)
        .number("wrong", 0);
    for Engine { name, sum } in &engines {
        let in_noise = sum.is_in_noise();
        let row = Row::new()
            .text(name)
            .text(promise(&plan.catalog, name))
            .text(on_edit(&plan.catalog, name))
            .text(sum.maps_run())
            .count(sum.queries)
            .number(sum.mean_us())
            .number(sum.percentile_us(50))
            .number(sum.percentile_us(99))
            .measured(sum.speedup(), in_noise)
            .measured(sum.mean_speedup(), in_noise)
            .number(sum.mean_build_ms())
            .number(sum.mean_index_bytes().map(|bytes| bytes / 1e3))
            .number(sum.length_ratio())
            .count(sum.faults.total());
        table.push(if sum.is_partial() { row.partial() } else { row });
    }
    let exhibit = Exhibit::new(family, "Speed against preparation and memory")
        .caption(caption(plan, family, laps))
        .plot(plot(("Preparation", "preparation of a map, ms"), LEAST_MS, &engines, Sum::mean_build_ms))
        .plot(plot(("Memory", "memory besides the map, kB"), LEAST_KB, &engines, |sum| {
            sum.mean_index_bytes().map(|bytes| bytes / 1e3)
        }))
        .table(table)
        .folded();
    let exhibit = not_plotted(&engines).into_iter().fold(exhibit, Exhibit::note);
    left_out(laps).into_iter().fold(exhibit, Exhibit::note)
}

/// Those that prepare or keep less have a lane of their own.
const LEAST_MS: f64 = 0.1;
const LEAST_KB: f64 = 1.0;

/// Who is in no plot, because others would be beside it that ran on other maps.
fn not_plotted(engines: &[Engine]) -> Option<String> {
    let partial = engines.iter().filter(|engine| engine.sum.is_partial());
    let names: Vec<String> =
        partial.map(|Engine { name, sum }| format!("`{name}` ran on {} maps", sum.maps_run())).collect();
    let rule = "planners that ran on fewer maps than A*. In the table their rows are pale: all of their numbers are of those maps only, and so is the A* \
                that they are times faster than";
    (!names.is_empty()).then(|| format!("Not in the plots are {rule}: {}.", names.join(", ")))
}

fn caption(plan: &Plan, family: &str, laps: &[Lap]) -> String {
    let sets = races::sets(plan).into_iter().filter(|set| set.family() == family);
    let queries = laps.iter().map(Lap::queries).sum();
    format!(
        "{}, {}: {}; best of {} interleaved rounds for all, peers too. Both axes are logarithmic: lower is faster, further left is \
         cheaper, and who prepares or keeps next to nothing is in the lane at the left. Path length is over that of A*, on the same queries: paths at \
         any angle go along corners and, as grid paths, may not squeeze between obstacles that touch (`squeeze=forbidden`). They may touch walls, though, where grid paths keep to the \
         middles of cells: by how much that alone is shorter, `astar:on=corners` shows.",
        count(laps.len(), "map", "maps"),
        count(queries, "query", "queries"),
        races::sampled(plan, sets),
        plan.rounds
    )
}

fn plot((title, x): (&str, &str), least: f64, engines: &[Engine], of: impl Fn(&Sum) -> Option<f64>) -> Plot {
    let unit = x.rsplit(' ').next().unwrap_or_default();
    let x = Axis::log(x).lane(least, format!("under {least} {unit}"));
    let plot = Plot::new(title, x, Axis::log("mean time of a query, us"));
    engines.iter().filter(|engine| !engine.sum.is_partial()).fold(plot, |plot, Engine { name, sum }| {
        let point = of(sum).zip(sum.mean_us());
        plot.series(short(name), Style::Named, point.into_iter().collect())
    })
}

/// A name for a plot, in which all have the same rule of squeezing.
fn short(name: &str) -> String {
    name.replace(":squeeze=forbidden", "").replace(",squeeze=forbidden", "")
}

/// Who did not run on which maps, and why.
fn left_out(laps: &[Lap]) -> Vec<String> {
    let mut reasons: Vec<(&str, &str, Vec<&str>)> = Vec::new();
    for lap in laps {
        for (planner, reason) in &lap.refused {
            // A refusal names its map.
            let reason = reason.strip_prefix(&format!("{}: ", lap.map)).unwrap_or(reason);
            match reasons.iter_mut().find(|(known, because, _)| known == planner && *because == reason) {
                Some((.., maps)) => maps.push(&lap.map),
                None => reasons.push((planner, reason, vec![&lap.map])),
            }
        }
    }
    let maps = |maps: &[&str]| match maps {
        [map] => format!("on {map}"),
        maps if maps.len() == laps.len() => "on all maps".to_owned(),
        maps => format!("on {} of {} maps", maps.len(), laps.len()),
    };
    reasons.iter().map(|(planner, reason, on)| format!("`{planner}` {}: {reason}.", maps(on))).collect()
}
