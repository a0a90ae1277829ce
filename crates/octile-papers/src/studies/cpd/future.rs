//! What the paper leaves to future work, measured: rows that neighbours share, and databases that are renewed after
//! edits instead of built again.

use std::sync::Arc;

use anyhow::{Context, Result};
use indicatif::ProgressBar;
use octile::algo::cpd::{Builder, CpdPlanner, Settings};
use octile::artifact::{Artifact, Storage};
use octile::geometry::Dice;
use octile::planner::{BuiltIndex, Indexes};
use octile::{Build, Cell, Cpd, Edits, Finder, Grid, Path, PathQuery, Planner};
use octile_cli::harness::words::count;
use serde::{Deserialize, Serialize};

use super::Told;
use super::databases::{Line, PAPERS, RUNS, SHARED};
use super::maps::{AtHand, Map};
use super::queries::CPDS;
use crate::dice::pairs;
use crate::exhibit::finding::Improvement;
use crate::exhibit::{Exhibit, Row, Table};
use crate::papers::cpd::{LARGEST, SMALLER};
use crate::timing::ProcessorTime;

/// The sizes of databases with and without shared rows.
pub(super) fn shared_rows(told: &Told, lines: &[Line]) -> Exhibit {
    let table = Table::new().text("map").number("free cells", 0);
    let of = |table: Table, name: &str| {
        table.grouped(name, "records", 0).grouped(name, "shared", 0).grouped(name, "MB", 3).grouped(
            name,
            "shared, MB",
            3,
        )
    };
    let table = of(of(table, RUNS), PAPERS).grouped("bytes, shared / own", "runs", 3).grouped(
        "bytes, shared / own",
        "rectangles",
        3,
    );
    let numbers = |lines: &[&Line]| {
        let sum = |of: &dyn Fn(&Line) -> u64| lines.iter().map(|line| of(line)).sum::<u64>() as f64;
        let [runs, rectangles] = [0, 1].map(|kind| {
            let own = |line: &Line| if kind == 0 { line.runs.clone() } else { line.rectangles.clone() };
            [
                sum(&|line| own(line).records),
                sum(&|line| line.shared[kind].records),
                sum(&|line| own(line).file_bytes) / 1e6,
                sum(&|line| line.shared[kind].file_bytes) / 1e6,
            ]
        });
        let ratios = [runs[3] / runs[2], rectangles[3] / rectangles[2]];
        runs.into_iter().chain(rectangles).chain(ratios).collect::<Vec<f64>>()
    };
    let row = |line: &Line| Row::new().text(&*line.map).number(f64::from(line.free_cells)).numbers(numbers(&[line]));
    let all = Row::new().text("all").number(None).numbers(numbers(&lines.iter().collect::<Vec<_>>()));
    Exhibit::new("Shared rows", "Rows that neighbouring cells share")
        .caption(format!(
            "{}. The paper leaves to future work to exploit redundancy between tables. With {} and {}, neighbouring cells share a row where \
             one is right for all of them. Sizes are those of the files.",
            told.maps(),
            SHARED[0],
            SHARED[1]
        ))
        .table(table.rows(lines.iter().map(row)).rows([all.strong()]))
}

/// Where our files are smaller than the paper's.
pub(super) fn improvement(lines: &[Line]) -> Vec<Improvement> {
    if lines.is_empty() {
        return Vec::new();
    }
    let megabytes = |of: &dyn Fn(&Line) -> u64| lines.iter().map(of).sum::<u64>() as f64 / 1e6;
    let paper = (CPDS[1], megabytes(&|line| line.rectangles.file_bytes));
    let runs = (CPDS[0], megabytes(&|line| line.runs.file_bytes));
    let shared = ("cpd:share=rows", megabytes(&|line| line.shared[0].file_bytes));
    [runs, shared].map(|ours| Improvement::new(("all maps", "size of the databases"), paper, ours, (2, " MB"))).into()
}

/// The edits: how many cells wide a square is that is closed or freed.
const EDITS: [(&str, bool, u32); 4] =
    [("close a cell", false, 1), ("close 3 x 3", false, 3), ("free a cell", true, 1), ("free 3 x 3", true, 3)];
/// How often each is made, at random.
const TIMES: usize = 5;
/// The databases that are renewed.
const RENEWED: [&str; 2] = [RUNS, PAPERS];
/// Pairs of cells between which paths are judged after each edit.
const JUDGED: usize = 20;

/// The databases of a map after edits.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(super) struct Renewals {
    map: String,
    free_cells: u32,
    /// To build all rows, in seconds, and the bytes of the file, of each of [`RENEWED`].
    whole: [(f64, u64); 2],
    edits: Vec<Renewal>,
    pub(super) checked: usize,
    /// Wrong answers, in words.
    pub(super) wrong: Vec<String>,
}

/// A database after an edit.
#[derive(Clone, Debug, Deserialize, Serialize)]
struct Renewal {
    /// Of [`RENEWED`], and of [`EDITS`].
    database: usize,
    edit: usize,
    /// None if it was given up: all rows had to be built.
    done: Option<Done>,
    seconds: f64,
}

#[derive(Clone, Debug, Deserialize, Serialize)]
struct Done {
    searches: u64,
    built: u32,
    rows: u32,
    bytes: u64,
}

/// The maps on which it is measured: those of which the paper tells, or the largest.
pub(super) fn maps(at_hand: &AtHand) -> impl Iterator<Item = &Map> {
    let is_told = |map: &&Map| [LARGEST, SMALLER].contains(&map.name.as_str());
    let others = at_hand.maps.last().filter(|_| !at_hand.maps.iter().any(|map| is_told(&map)));
    at_hand.maps.iter().filter(is_told).chain(others)
}

/// How many steps of progress that is.
pub(super) fn steps(map: &Map) -> u64 {
    2 * u64::from(map.grid.free_cells())
}

/// Builds the databases of a map, renews them after random edits, and judges paths of both.
pub(super) fn measure(map: &Map, bar: &ProgressBar) -> Result<Renewals> {
    let mut all = Renewals {
        map: map.name.clone(),
        free_cells: map.grid.free_cells(),
        whole: [(0.0, 0); 2],
        edits: Vec::new(),
        checked: 0,
        wrong: Vec::new(),
    };
    for (database, text) in RENEWED.into_iter().enumerate() {
        let settings: Settings = text.parse()?;
        let time = ProcessorTime::start();
        let builder = Builder::new(&map.grid, settings)?;
        let file = artifact(builder.part(0..builder.sources(), &|| bar.inc(1))?.finish())?;
        all.whole[database] = (time.seconds(), file.size_bytes() as u64);
        let before = BuiltIndex::new(file, map.grid.clone());
        let mut dice = Dice::new(map.seed);
        for (edit, times) in (0..EDITS.len()).flat_map(|edit| (0..TIMES).map(move |times| (edit, times))) {
            let grid = edited(&map.grid, &mut dice, edit).with_context(|| format!("edit {times} of {}", map.name))?;
            let (time, builder) = (ProcessorTime::start(), Builder::new(&grid, settings)?);
            let renewed = builder.renew(&before, builder.searches_to_renew(), &|| {})?;
            let seconds = time.seconds();
            let mut done = None;
            if let Some(renewed) = renewed {
                let (searches, built, rows) = (renewed.searches, renewed.built, renewed.rows);
                let file = artifact(renewed.file.finish())?;
                done = Some(Done { searches, built, rows, bytes: file.size_bytes() as u64 });
                let judged = judge(&grid, file, &mut dice)?;
                all.checked += judged.0;
                all.wrong
                    .extend(judged.1.into_iter().map(|wrong| format!("{text}, renewed, on {}: {wrong}", map.name)));
            }
            all.edits.push(Renewal { database, edit, done, seconds });
        }
    }
    Ok(all)
}

fn artifact(bytes: Vec<u8>) -> Result<Arc<Artifact>> {
    Ok(Arc::new(Artifact::from_bytes(Storage::from(bytes))?))
}

/// The map after an edit somewhere. Freed cells have a free neighbour.
fn edited(grid: &Grid, dice: &mut Dice, edit: usize) -> Result<Grid> {
    let (_, frees, side) = EDITS[edit];
    let mut any = |below: u32| dice.below(below.saturating_sub(side).max(1).into()) as u32;
    let fits = |corner: Cell| {
        let cells = || (0..side * side).map(|nth| Cell::new(corner.x + nth % side, corner.y + nth / side));
        let at_rim = |cell: Cell| {
            let near = (0..9).map(|nth| (i64::from(cell.x) + nth % 3 - 1, i64::from(cell.y) + nth / 3 - 1));
            near.filter(|&(x, y)| x >= 0 && y >= 0)
                .any(|(x, y)| grid.contains((x as u32, y as u32)) && grid.is_free((x as u32, y as u32)))
        };
        cells().all(|cell| grid.contains(cell) && grid.is_free(cell) != frees) && cells().any(at_rim)
    };
    // A map may have no such place; then any is taken.
    let corners: Vec<Cell> = (0..MOST_TRIES).map(|_| Cell::new(any(grid.width()), any(grid.height()))).collect();
    let corner = corners.iter().copied().find(|&corner| fits(corner)).unwrap_or(corners[0]);
    let end = Cell::new((corner.x + side - 1).min(grid.width() - 1), (corner.y + side - 1).min(grid.height() - 1));
    let (mut edits, mut now) = (Edits::new(), grid.clone());
    if frees {
        edits.free_rect(corner, end);
    } else {
        edits.block_rect(corner, end);
    }
    now.apply(&edits)?;
    Ok(now)
}

const MOST_TRIES: usize = 20_000;

/// How many paths of a renewed database were judged, and which are not as cheap as those of A\*.
fn judge(grid: &Grid, file: Arc<Artifact>, dice: &mut Dice) -> Result<(usize, Vec<String>)> {
    let indexes: Indexes = std::iter::once(file).collect();
    let cpd = CpdPlanner::build(Build::new(grid).with(indexes), &Cpd::default())?;
    let mut finders = [Finder::of(Box::new(cpd) as Box<dyn Planner>), Finder::new("astar", grid)?];
    let pairs = pairs(dice, grid, JUDGED, |a, b| grid.may_connect(a, b));
    let mut wrong = Vec::new();
    for &(start, goal) in &pairs {
        let mut costs = Vec::new();
        for finder in &mut finders {
            let mut path = Path::new();
            let found = finder.plan(PathQuery::new(start, goal), &mut path)?;
            if let Some(fault) = found.then(|| path.check(grid, start, goal).err()).flatten() {
                wrong.push(format!("{start} to {goal}: {fault}"));
            }
            costs.push(found.then(|| path.cost()));
        }
        if costs[0] != costs[1] {
            wrong.push(format!("{start} to {goal}: {:?}, A* {:?}", costs[0], costs[1]));
        }
    }
    Ok((pairs.len(), wrong))
}

/// What a renewal takes beside a build of all rows.
pub(super) fn renewal(maps: &[Renewals]) -> Exhibit {
    let table = Table::new().text("map").text("database").text("edit").number("edits", 0).number("given up", 0);
    let table = table.number("searches", 1).number("rows built", 1).number("rows built, %", 2);
    let table = table.grouped("seconds", "renewal", 3).grouped("seconds", "all rows", 3).number("times as fast", 1);
    let table = table.number("bytes / before", 4);
    let rows = maps.iter().flat_map(|map| {
        let all = (0..RENEWED.len()).flat_map(|database| (0..EDITS.len()).map(move |edit| (database, edit)));
        all.map(move |(database, edit)| of_edit(map, database, edit))
    });
    let caption = format!(
        "The paper leaves to future work to repair a database incrementally. {} of each kind, at random, each on the map without the \
         others; searches, rows and bytes are means of the renewals that were done. A renewal finds out with searches which rows stay valid, \
         and builds the others; it is given up if that takes more searches than a sixteenth of the rows, and then all rows are built. Seconds \
         are means of {}, with those of the renewals that were given up. After each edit, paths between {JUDGED} random pairs of cells were \
         judged.",
        count(TIMES, "edit", "edits"),
        ProcessorTime::how()
    );
    Exhibit::new("Renewal", "Databases renewed after an edit").caption(caption).table(table.rows(rows))
}

fn of_edit(map: &Renewals, database: usize, edit: usize) -> Row {
    let of: Vec<&Renewal> =
        map.edits.iter().filter(|renewal| (renewal.database, renewal.edit) == (database, edit)).collect();
    let done: Vec<&Done> = of.iter().filter_map(|renewal| renewal.done.as_ref()).collect();
    let mean = |of: &dyn Fn(&Done) -> f64| {
        (!done.is_empty()).then(|| done.iter().map(|done| of(done)).sum::<f64>() / done.len() as f64)
    };
    let (whole, bytes) = map.whole[database];
    let seconds = of.iter().map(|renewal| renewal.seconds + if renewal.done.is_none() { whole } else { 0.0 });
    let seconds = seconds.sum::<f64>() / of.len().max(1) as f64;
    let row = Row::new().text(&*map.map).text(RENEWED[database]).text(EDITS[edit].0).count(of.len());
    let row = row.count(of.len() - done.len()).number(mean(&|done| done.searches as f64));
    let row = row.number(mean(&|done| f64::from(done.built)));
    let row = row.number(mean(&|done| 100.0 * f64::from(done.built) / f64::from(done.rows.max(1))));
    let row = row.number(seconds).number(whole).number(whole / seconds);
    row.number(mean(&|done| done.bytes as f64 / bytes as f64))
}

#[cfg(test)]
mod tests {
    use octile::formats::generate;

    use super::*;

    #[test]
    fn databases_are_renewed_and_judged() {
        let grid = generate::rooms(60, 50, 9, 1).unwrap();
        let map = Map { name: "rooms".to_owned(), seed: 1, grid, pairs: Vec::new() };
        let renewals = measure(&map, &ProgressBar::hidden()).unwrap();
        assert_eq!((renewals.edits.len(), &renewals.wrong[..]), (2 * EDITS.len() * TIMES, &[][..]));
        let done = renewals.edits.iter().filter_map(|renewal| renewal.done.as_ref());
        assert!(done.clone().count() > 4 && done.clone().all(|done| done.built < done.rows / 2), "{renewals:?}");
        assert_eq!(renewal(&[renewals]).table.unwrap().rows.len(), 8);
    }
}
