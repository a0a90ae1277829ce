//! Results as text.

use std::fmt::Write;
use std::time::Duration;

use octile::catalog::COMMON_KEYS;
use octile::formats::MapFile;
use octile::geometry::Endpoints;
use octile::grid::Georeference;
use octile::planner::{Entry, Limit, Native, OnEdit};
use octile::planner::{IndexEffort, QueryOptions};
use octile::{Catalog, Grid, Movement, PlannerSpec, Point};

use super::json::{
    self, Advisable, Advised, Built, Chunks, Content, Disagreement, IndexHeader, IndexInfo, MatrixReport, Measured,
    Merged, PriceInfo, Run, ScenarioInfo,
};
use crate::harness::args::output_name;
use crate::harness::machine::Machine;
use crate::harness::race::Race;
use crate::harness::screen::{Columns, Screen, Tone};
use crate::harness::search::{Question, Search};
use crate::harness::words::{MOST_LISTED, bytes, count, duration};

/// Lines with a name and a value, the values aligned.
pub(super) fn pairs<S: AsRef<[(&'static str, String)]>>(pairs: S) -> String {
    let screen = Screen::stdout();
    let width = pairs.as_ref().iter().map(|(name, _)| name.len()).max().unwrap_or_default() + 2;
    let line = |(name, value): &(&'static str, String)| {
        let value = screen.line(&(" ".repeat(width) + value), width);
        screen.tone(Tone::Name, name) + &value[name.len()..] + "\n"
    };
    pairs.as_ref().iter().map(line).collect()
}

/// The text that `solve` prints.
pub(crate) fn solve(spec: &PlannerSpec, search: &Search, place: Option<&Georeference>) -> String {
    if !search.found {
        return no_path(search);
    }
    let path = &search.path;
    if path.is_any_angle() {
        return solve_any_angle(spec, search, place);
    }
    let cost = path.cost();
    let waypoints: Vec<_> = path.waypoints().into_iter().flatten().collect();
    let mut rows = vec![("planner", planner(spec, search)), ("cost", format!("{cost} = {:.5}", cost.length()))];
    rows.extend(place.map(|place| ("length", format!("{:.3} m", path.metres(place)))));
    rows.extend(partial(search, place));
    rows.extend([
        ("cells", path.cells().map_or(0, |cells| cells.len()).to_string()),
        ("turns", waypoints.len().saturating_sub(2).to_string()),
        ("expanded", search.expanded.to_string()),
        ("time", duration(search.time)),
        ("waypoints", world_points(search, place).unwrap_or_else(|| listed(&waypoints))),
    ]);
    let text = pairs(rows);
    match &search.hops.points[..] {
        [] => text,
        points => {
            let straight = format!("straight   {:.5}: {}", search.hops.straight_length(path), listed(points));
            text + &Screen::stdout().line(&straight, 11) + "\n"
        }
    }
}

/// The reason why there is no path.
fn no_path(search: &Search) -> String {
    let Question { from, to, options: QueryOptions { max_cost, max_expanded, .. } } = &search.question;
    let goals = match &to[..] {
        [goal] => goal.to_string(),
        goals => format!("any of {}", listed(goals)),
    };
    match search.reply.limit {
        None => format!("no path from {from} to {goals}\n"),
        Some(Limit::Cost) => format!("no path from {from} to {goals} is at most {max_cost} long\n"),
        Some(Limit::Expanded) => {
            format!("gave up on the way from {from} to {goals}: {max_expanded} expansions are not enough\n")
        }
        Some(_) => format!("gave up on the way from {from} to {goals}: the time is up\n"),
    }
}

/// The ends of a path that does not begin or end as asked, or that leads to one of many goals.
fn partial(search: &Search, place: Option<&Georeference>) -> Vec<(&'static str, String)> {
    let Some((start, goal)) = search.reply.ends else { return Vec::new() };
    let mut rows = Vec::new();
    if start != search.question.from {
        rows.push(("start", format!("{start}, the nearest to {}", search.question.from)));
    }
    if search.reply.away > 0.0 {
        let of_limit = search.reply.limit.map_or("", |_| " within the limit");
        let away = place.map_or_else(
            || format!("{:.5}", search.reply.away),
            |place| format!("{:.3} m", place.cells_to_metres(search.reply.away)),
        );
        rows.push(("goal", format!("{goal}, the nearest{of_limit}: {away} away")));
    } else if search.question.to.len() > 1 {
        rows.push(("goal", goal.to_string()));
    }
    rows
}

/// The points of the path in metres.
fn world_points(search: &Search, place: Option<&Georeference>) -> Option<String> {
    let points = search.path.to_world(place?).ok()?;
    Some(listed(&points.map(|(x, y)| format!("{x:.3},{y:.3}")).collect::<Vec<_>>()))
}

/// The planner given, and the one that `auto` chose.
fn planner(spec: &PlannerSpec, search: &Search) -> String {
    search.chosen.as_ref().map_or_else(|| spec.to_string(), |chosen| format!("{spec}, which chose {chosen}"))
}

/// The text that `solve` prints for an any-angle path.
fn solve_any_angle(spec: &PlannerSpec, search: &Search, place: Option<&Georeference>) -> String {
    let points: Vec<Point> = search.path.vertices().into_iter().flatten().collect();
    let label = if search.ends == Endpoints::Corners { "corners" } else { "points" };
    let metres = place.map(|place| format!(", {:.3} m", search.path.metres(place))).unwrap_or_default();
    let mut rows = vec![("planner", planner(spec, search)), ("length", format!("{:.5}{metres}", search.path.length()))];
    rows.extend(partial(search, place));
    rows.extend([
        ("squeeze", search.squeeze.unwrap_or_default().to_string()),
        ("turns", points.len().saturating_sub(2).to_string()),
        ("expanded", search.expanded.to_string()),
        ("sights", search.sights.to_string()),
        ("time", duration(search.time)),
        (label, world_points(search, place).unwrap_or_else(|| listed(&points))),
    ]);
    pairs(rows)
}

/// The text that `matrix` prints.
pub(crate) fn matrix(report: &MatrixReport, time: Duration) -> String {
    let MatrixReport { planner, chosen, file, sources, targets, reachable_pairs, .. } = report;
    pairs([
        (
            "planner",
            chosen.as_ref().map_or_else(|| planner.clone(), |chosen| format!("{planner}, which chose {chosen}")),
        ),
        ("sources", sources.to_string()),
        ("targets", targets.to_string()),
        ("reachable", count(*reachable_pairs, "pair", "pairs")),
        ("time", duration(time)),
        ("file", file.clone()),
    ])
}

/// Items separated by spaces.
fn listed(places: &[impl ToString]) -> String {
    places.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

/// The text that `run` prints.
pub(crate) fn run(run: &Run, time: Duration) -> String {
    let Run { map, scenario, problems, planner, found, lengths_checked, disagreements, .. } = run;
    let verdict = verdict(disagreements.len());
    let sum = format!("{map}: {problems} problems by {planner}, {found} paths found, {verdict} ({})", duration(time));
    self::disagreements(scenario, *lengths_checked, disagreements) + &Screen::stdout().line(&sum, 2) + "\n"
}

/// The number of answers of `run` that disagree with the file, in words.
pub(super) fn verdict(disagreements: usize) -> String {
    if disagreements == 0 { "all agree".to_owned() } else { format!("{disagreements} disagree") }
}

/// A line for each answer of `run` that disagrees with the file, up to a maximum.
pub(super) fn disagreements(scenario: &str, lengths_checked: bool, disagreements: &[Disagreement]) -> String {
    let mut text = String::new();
    let screen = Screen::stdout();
    for wrong in disagreements.iter().take(MOST_LISTED) {
        let or_none = |length: Option<f64>| length.map_or("no path".to_owned(), |length| format!("{length:.5}"));
        let expected =
            if lengths_checked || wrong.expected.is_none() { or_none(wrong.expected) } else { "a path".to_owned() };
        let found = or_none(wrong.found);
        let Disagreement { line, from, to, reason, .. } = wrong;
        let place = format!("{scenario}, line {line}: from {from} to {to}");
        text += &screen.line(&format!("{place}: expected {expected}, found {found}: {reason}"), 2);
        text.push('\n');
    }
    if disagreements.len() > MOST_LISTED {
        let _ = writeln!(text, "... and {} more", disagreements.len() - MOST_LISTED);
    }
    text
}

/// The text that `compare` prints.
pub(crate) fn compare(race: &Race, movement: Movement, machine: &Machine, screen: Screen) -> String {
    let lines = json::measured(race);
    let first = lines.first().map_or("", |line| line.planner.as_str());
    let convention = race.courses.iter().find_map(|course| course.convention);
    let convention = convention.map(|convention| format!(", convention {convention}")).unwrap_or_default();
    let conditions = format!(
        "{}, {}, best of {}; output {}, movement {movement}{convention}",
        count(race.maps(), "map", "maps"),
        count(race.queries(), "query", "queries"),
        count(race.rounds, "round", "rounds"),
        output_name(race.output)
    );
    let about =
        format!("Speed-ups are over {first}, of the total time and per query; build and index are means per map.");
    let paragraph = |text: &str| screen.prose(text, 0) + "\n";
    let mut text = measured_with(machine, screen) + "\n" + &paragraph(&conditions) + &paragraph(&about);
    let mut left_out = Vec::new();
    for SameMaps { maps, lines: rows } in same_maps(race, &lines) {
        if maps.len() < race.maps() {
            let mean = rows.first().map_or(0.0, |line| line.first_mean_us);
            let heading = format!("On {} of {} maps, where {first} takes {mean:.2} us:", maps.len(), race.maps());
            let _ = write!(text, "\n{}", paragraph(&heading));
        }
        let fitted = screen.table(compare_columns(&rows), &DISPENSABLE);
        let _ = write!(text, "\n{}", fitted.text);
        left_out = fitted.left_out;
    }
    if !left_out.is_empty() {
        let remark = format!("(No room for {}; --json has them.)", left_out.join(", "));
        let _ = write!(text, "\n{}", paragraph(&remark));
    }
    let peers: String = lines.iter().filter(|line| line.peer).map(|line| peer_verdict(line, race.queries())).collect();
    text + if peers.is_empty() { "" } else { "\n" } + &peers
}

/// The conditions of a measurement: program, machine, date and command.
pub(super) fn measured_with(machine: &Machine, screen: Screen) -> String {
    let Machine { octile, commit, compiler, machine, system, date, command } = machine;
    let program = format!("octile {octile} ({commit}), {compiler}");
    [program, format!("{machine}, {system}, {date}"), format!("$ {command}")]
        .map(|line| screen.prose(&line, 2) + "\n")
        .concat()
}

/// Planners that ran on the same maps: means over different maps must not share a table.
struct SameMaps<'a> {
    maps: Vec<usize>,
    lines: Vec<&'a Measured>,
}

/// The lines of a race, grouped by the maps that the planners ran on; all maps first.
fn same_maps<'a>(race: &Race, lines: &'a [Measured]) -> Vec<SameMaps<'a>> {
    let mut groups = vec![SameMaps { maps: (0..race.maps()).collect(), lines: Vec::new() }];
    for (entrant, line) in race.entrants.iter().zip(lines) {
        let maps: Vec<usize> = (0..race.maps()).filter(|&map| entrant.stints[map].is_some()).collect();
        match groups.iter_mut().find(|group| group.maps == maps) {
            Some(group) => group.lines.push(line),
            None if maps.is_empty() => {} // there is nothing to show
            None => groups.push(SameMaps { maps, lines: vec![line] }),
        }
    }
    groups
}

const COLUMNS: [&str; 12] = [
    "planner",
    "mean us",
    "p50 us",
    "p99 us",
    "max us",
    "expanded",
    "length",
    "speed-up",
    "per query",
    "build ms/map",
    "index/map",
    "wrong",
];

/// Columns that a narrow terminal leaves out, in this order.
const DISPENSABLE: [&str; 9] =
    ["max us", "per query", "expanded", "p50 us", "length", "build ms/map", "index/map", "p99 us", "wrong"];

/// A column, and a value for it; smaller is better.
type Measure = (&'static str, fn(&Measured) -> f64);

/// The table of planners, with the best of each time and speed-up marked.
fn compare_columns(lines: &[&Measured]) -> Columns {
    let mut columns = Columns::new(&COLUMNS, lines.iter().map(|line| compare_row(line)).collect());
    let measures: [Measure; 6] = [
        ("mean us", |line| line.mean_us),
        ("p50 us", |line| line.p50_us),
        ("p99 us", |line| line.p99_us),
        ("max us", |line| line.max_us),
        ("speed-up", |line| -line.speedup_total),
        ("per query", |line| -line.speedup_mean),
    ];
    for (name, measure) in measures {
        let best = (0..lines.len()).min_by(|&a, &b| measure(lines[a]).total_cmp(&measure(lines[b])));
        best.filter(|_| lines.len() > 1).into_iter().for_each(|row| columns.mark(row, name, Tone::Best));
    }
    for (row, line) in lines.iter().enumerate() {
        columns.mark(row, "planner", Tone::Name);
        if line.wrong > 0 {
            columns.mark(row, "wrong", Tone::Bad);
        }
    }
    columns
}

/// The correctness of a peer's answers.
fn peer_verdict(line: &Measured, queries: usize) -> String {
    let share = |wrong: usize| 100.0 * (1.0 - wrong as f64 / queries.max(1) as f64);
    let (legal, right) = (share(line.faults.illegal), share(line.wrong));
    format!("{}: {legal:.1} % of its answers legal, {right:.1} % right ({})\n", line.planner, line.faults)
}

fn compare_row(line: &Measured) -> Vec<String> {
    vec![
        line.planner.clone(),
        format!("{:.2}", line.mean_us),
        format!("{:.2}", line.p50_us),
        format!("{:.2}", line.p99_us),
        format!("{:.2}", line.max_us),
        if line.peer && line.expanded == 0.0 { "unknown".to_owned() } else { format!("{:.1}", line.expanded) },
        line.mean_length.map_or_else(|| "none".to_owned(), |length| format!("{length:.2}")),
        format!("{:.2}x", line.speedup_total),
        format!("{:.2}x", line.speedup_mean),
        format!("{:.2}", line.build_ms_per_map),
        bytes(line.index_bytes_per_map.round() as u64),
        line.wrong.to_string(),
    ]
}

/// The text that `info` prints for a map.
pub(crate) fn map_info(file: &str, map: &MapFile) -> String {
    let grid = &map.grid;
    let mut text = pairs([
        ("file", file.to_owned()),
        ("format", map.format.to_string()),
        ("size", format!("{} x {} cells", grid.width(), grid.height())),
        ("free", format!("{} cells, {:.1} %", grid.free_cells(), 100.0 * free_share(grid))),
        ("components", format!("{}, the largest of {} cells", grid.components(), grid.largest_component())),
        ("fingerprint", format!("{:016x}", grid.fingerprint())),
    ]);
    if let Some(convention) = grid.convention() {
        let _ = writeln!(text, "prices       {}", priced(&json::prices(grid)));
        let _ = writeln!(text, "convention   {convention}");
    }
    if let Some(place) = &map.georeference {
        let [x, y, yaw] = place.origin;
        let _ = writeln!(text, "resolution   {} m a cell", place.resolution);
        let _ = writeln!(text, "origin       {x} m, {y} m, turned by {yaw} rad");
    }
    text
}

/// The number of cells of each price, unless there are too many prices.
fn priced(prices: &[PriceInfo]) -> String {
    const MOST: usize = 12;
    let of_price = |info: &PriceInfo| format!("{}: {}", info.price, count(info.cells as usize, "cell", "cells"));
    match prices {
        [] => "none is free".to_owned(),
        [first, .., last] if prices.len() > MOST => {
            format!("{} from {} to {}; --json has them all", prices.len(), first.price, last.price)
        }
        prices => prices.iter().map(of_price).collect::<Vec<_>>().join(", "),
    }
}

/// The share of free cells.
pub(crate) fn free_share(grid: &Grid) -> f64 {
    f64::from(grid.free_cells()) / (f64::from(grid.width()) * f64::from(grid.height()))
}

/// The text that `info` prints for a scenario file.
pub(crate) fn scenario_info(file: &str, info: &ScenarioInfo) -> String {
    let lengths = lengths(info.shortest, info.mean, info.longest);
    let buckets = match (info.buckets.first(), info.buckets.last()) {
        (Some(first), Some(last)) => {
            format!("{}, numbered {} to {}", info.buckets.len(), first.bucket, last.bucket)
        }
        _ => "none".to_owned(),
    };
    pairs([
        ("file", file.to_owned()),
        ("format", "MovingAI scenario".to_owned()),
        ("maps", info.maps.join(", ")),
        ("problems", format!("{}, {} of them unreachable", info.problems, info.unreachable)),
        ("buckets", buckets),
        ("lengths", lengths),
    ])
}

/// The lengths of the shortest paths of a scenario.
pub(super) fn lengths(shortest: Option<f64>, mean: Option<f64>, longest: Option<f64>) -> String {
    match (shortest, mean, longest) {
        (Some(shortest), Some(mean), Some(longest)) => format!("{shortest:.2} to {longest:.2}, {mean:.2} on average"),
        _ => "none".to_owned(),
    }
}

/// The text that `build` prints.
pub(crate) fn built(built: &Built) -> String {
    let Built { file, map, index, build_ms, chunks, contents, .. } = built;
    let line = format!(
        "{file}: {} for {}, {}, built in {}{}: {}",
        index.index,
        map.as_ref().map_or_else(|| made_for(index), |map| format!("{map} ({})", made_for(index))),
        bytes(index.bytes),
        duration(Duration::from_secs_f64(build_ms / 1000.0)),
        chunks.as_ref().map_or_else(String::new, resumed),
        described(contents)
    );
    Screen::stdout().line(&line, 2) + "\n"
}

/// How much of an interrupted build was reused.
fn resumed(chunks: &Chunks) -> String {
    let Chunks { all, resumed, damaged } = *chunks;
    let again = if damaged == 0 { String::new() } else { format!(", {damaged} damaged and built again") };
    if resumed + damaged == 0 {
        String::new()
    } else {
        format!(" (resumed: {resumed} of {all} chunks were there{again})")
    }
}

/// The text that `merge` prints.
pub(crate) fn merged(merged: &Merged) -> String {
    let Merged { file, parts, index, merge_ms, missing, contents, .. } = merged;
    let missing: Vec<String> = missing.iter().map(|[start, end]| format!("{start}..{end}")).collect();
    let state = match &missing[..] {
        [] => "whole".to_owned(),
        missing => format!("still a part: the sources {} are missing", missing.join(" and ")),
    };
    let line = format!(
        "{file}: {} for {}, {}, put together from {} in {}, {state}; {}",
        index.index,
        made_for(index),
        bytes(index.bytes),
        count(parts.len(), "part", "parts"),
        duration(Duration::from_secs_f64(merge_ms / 1000.0)),
        described(contents)
    );
    Screen::stdout().line(&line, 2) + "\n"
}

/// The content of an index in one line.
fn described(contents: &[Content]) -> String {
    contents.iter().map(|content| format!("{} {}", content.name, content.value)).collect::<Vec<_>>().join("; ")
}

/// The size and the movement rule of the map of an index.
fn made_for(index: &IndexHeader) -> String {
    match (index.width, index.height, index.movement) {
        (Some(width), Some(height), Some(movement)) => format!("{width} x {height} cells, movement {movement}"),
        _ => "all maps".to_owned(),
    }
}

/// The text that `info` prints for an index file.
pub(crate) fn index_info(info: &IndexInfo) -> String {
    let index = &info.index;
    let sections: Vec<String> =
        info.sections.iter().map(|section| format!("{} {} B", section.name, section.bytes)).collect();
    let mut lines = vec![
        ("file", info.file.clone()),
        ("format", format!("octile index, version {}", index.container_version)),
        ("kind", format!("{}, version {}", index.index, index.index_version)),
        ("map", made_for(index)),
        ("fingerprint", index.fingerprint.clone().unwrap_or_else(|| "none".to_owned())),
        ("size", format!("{} bytes, checksums right", index.bytes)),
        ("sections", sections.join(", ")),
    ];
    match &info.contents {
        Some(contents) => lines.extend(contents.iter().map(|content| (content.name, content.value.clone()))),
        None => lines.push(("contents", "of a kind or version that this octile does not read".to_owned())),
    }
    if let Some(fit) = &info.fit {
        let misfit = |why: &String| format!("not {}: {why}", fit.map);
        lines.push(("fits", fit.misfit.as_ref().map_or_else(|| fit.map.clone(), misfit)));
    }
    pairs(lines)
}

/// The text that `advise` prints.
pub(crate) fn advised(advised: &Advised) -> String {
    let Advised { map, width, height, free_cells, movement, planner, .. } = advised;
    let time = duration(Duration::from_secs_f64(advised.time_ms / 1000.0));
    let heading = format!("{map}: {width} x {height} cells, {free_cells} free, movement {movement}, tried in {time}");
    let screen = Screen::stdout();
    let mut text = screen.prose(&heading, 2) + "\n\n";
    let mut header = vec!["planner", "mean us", "p99 us", "queries", "build ms", "index", "scratch"];
    header.extend(advised.changes.then_some("edit us"));
    let rows: Vec<Vec<String>> = advised.candidates.iter().map(|line| advisable_row(line, advised)).collect();
    text += &screen.table(Columns::new(&header, rows), &["queries", "p99 us", "build ms"]).text;
    for left_out in &advised.left_out {
        let sentence = format!("{} is left out: {}", left_out.planner, left_out.reason);
        let _ = writeln!(text, "\n{}", screen.prose(&sentence, 2));
    }
    let _ = writeln!(text, "\nUse {}:", screen.tone(Tone::Name, planner));
    for reason in &advised.reasons {
        let _ = writeln!(text, "{}", screen.prose(&format!("- {reason}"), 2));
    }
    text + "\n" + &how_to_use(advised)
}

fn advisable_row(line: &Advisable, advised: &Advised) -> Vec<String> {
    let mut row = vec![
        line.planner.clone(),
        format!("{:.2}", line.mean_us),
        format!("{:.2}", line.p99_us),
        line.queries.to_string(),
        format!("{:.2}", line.build_ms),
        bytes(line.index_bytes),
        bytes(line.scratch_bytes),
    ];
    row.extend(advised.changes.then(|| line.edit_us.map_or_else(String::new, |edit| format!("{edit:.1}"))));
    row
}

/// The commands and the line of code for the recommended planner.
fn how_to_use(advised: &Advised) -> String {
    let Advised { map, planner, movement, read, .. } = advised;
    let rule = if *movement == Movement::default().name() { String::new() } else { format!(" --movement {movement}") };
    let rule = rule + read;
    let mut text = String::new();
    let mut index = "";
    if let Some(kind) = advised.index_kinds.first() {
        let _ = writeln!(text, "  octile build {kind} {map}{rule} -o FILE        # once, to keep the index");
        index = " --index FILE";
    }
    let _ = writeln!(text, "  octile solve {map} --from X,Y --to X,Y{rule} --planner {planner}{index}");
    let _ = writeln!(text, "  let engine = octile::Engine::new(\"{planner}\", &grid)?;");
    text
}

/// The text that `planners` prints: a line or two per planner.
pub(crate) fn planners(catalog: &Catalog, screen: Screen) -> String {
    let names = catalog.planners().iter().map(|entry| entry.name().len());
    let width = names.max().unwrap_or_default() + 2;
    let line = |entry: &Entry| {
        let summary = screen.prose(&format!("{:width$}{}", "", summary(*entry)), width);
        let name = entry.name();
        format!("{}{}\n", screen.tone(Tone::Name, name), &summary[name.len()..])
    };
    let lines: String = catalog.planners().iter().map(line).collect();
    let more = [
        "`octile planners NAME` describes one: its guarantee, its keys and its paper.",
        "`octile advise MAP` recommends one for a map.",
        "Write a planner as `name` or `name:key=value,key=value`, such as weighted-astar:weight=1.5.",
    ];
    format!("{lines}\n{}", more.map(|sentence| screen.prose(sentence, 2) + "\n").concat())
}

/// A short description of a planner.
fn summary(entry: Entry) -> String {
    let about = entry.about();
    let index = built_beforehand(about.index).map(|index| format!("; builds {index}")).unwrap_or_default();
    format!("{} ({}{index})", about.summary, entry.config().facts().guarantee)
}

/// What a planner builds for a map before it can answer, if anything.
fn built_beforehand(index: IndexEffort) -> Option<&'static str> {
    match index {
        IndexEffort::None => None,
        IndexEffort::Map => Some("an index, in the time of a few searches"),
        IndexEffort::Corners => Some("an index, which takes seconds on large maps"),
        IndexEffort::AllPairs => Some("an index by a search from every cell, which takes long on large maps"),
        _ => Some("an index"),
    }
}

/// The text that `planners NAME` prints.
pub(crate) fn planner_info(entry: Entry, catalog: &Catalog, screen: Screen) -> String {
    let (about, config) = (entry.about(), entry.config());
    let movements: Vec<&str> = config.facts().movements.iter().map(|rule| rule.name()).collect();
    let facts = [
        ("paths", config.facts().guarantee.to_string()),
        ("movements", movements.join(", ")),
        ("prepares", prepares(entry)),
        ("edits", on_edit(config.facts().on_edit).1.to_owned()),
        ("natively", natively(config.facts().native)),
        ("paper", about.paper.to_owned()),
    ];
    let heading = screen.prose(&format!("{}: {}", about.name, about.summary), 2);
    let mut text = format!("{}{}\n\n", screen.tone(Tone::Name, about.name), &heading[about.name.len()..]);
    for (name, fact) in facts {
        let _ = writeln!(text, "{}", screen.prose(&format!("{name:<11}{fact}"), 11));
    }
    text += "\nKeys:\n";
    for key in entry.keys().iter().chain(&COMMON_KEYS) {
        text += &screen.prose(&format!("  {}=  {}; takes {}", key.name, key.help, key.expected()), 6);
        text.push('\n');
    }
    text += "\nSpecs to try:\n";
    for spec in catalog.specs(&entry) {
        let _ = writeln!(text, "  {spec}");
    }
    text
}

/// The question types that a planner answers natively, and those that the shared services answer for it.
fn natively(native: &[Native]) -> String {
    let (own, shared): (Vec<Native>, Vec<Native>) = Native::ALL.into_iter().partition(|one| native.contains(one));
    let words = |some: &[Native]| some.iter().map(|one| one.name().replace('-', " ")).collect::<Vec<_>>().join(", ");
    match (&own[..], &shared[..]) {
        (own, []) => words(own),
        ([], shared) => format!("nothing; {} by the services that all planners share", words(shared)),
        (own, shared) => format!("{}; {} by the services that all planners share", words(own), words(shared)),
    }
}

/// What a planner prepares for a map, and the files that can keep it.
fn prepares(entry: Entry) -> String {
    let kinds = entry.config().facts().indexes;
    let commands: Vec<String> = kinds.iter().map(|kind| format!("`octile build {kind}`")).collect();
    let kept = if kinds.is_empty() { String::new() } else { format!("; {} keeps it in a file", commands.join(" or ")) };
    let what = built_beforehand(entry.about().index).unwrap_or("nothing");
    what.to_owned() + &kept
}

/// How a planner takes edits: in a word, and in a sentence.
pub(crate) fn on_edit(on_edit: OnEdit) -> (&'static str, &'static str) {
    match on_edit {
        OnEdit::Follows => ("follows", "follows them, at a cost that depends on the size of the edit"),
        OnEdit::Rebuilds => ("rebuilds", "rebuilds its index"),
        OnEdit::GoesStale => ("goes-stale", "its index goes stale; answers stay right, but some need a search"),
        OnEdit::Refuses => ("refuses", "refuses them: it must be built again"),
        _ => ("other", "in its own way"),
    }
}
