//! The documents of `--json`. New fields may be added; any other change needs a new [`SCHEMA`].

use std::time::Duration;

use octile::algo::cpd::{self, Stats};
use octile::artifact::{Artifact, ArtifactError};
use octile::catalog::COMMON_KEYS;
use octile::catalog::advise::{self, Advice, Candidate, LeftOut, Needs};
use octile::formats::movingai::scen::Scenario;
use octile::formats::{MapFile, MapFormat};
use octile::geometry::{Corner, Endpoints};
use octile::grid::{Agent, Convention, Georeference};
use octile::planner::{Entry, Limit};
use octile::planner::{IndexContents, Key};
use octile::{Catalog, Cell, Grid, GridCost, Movement, Path, PathCost, PlannerSpec};
use serde::Serialize;

use super::text;
use crate::cmd::{build, merge};
use crate::harness::hints;
use crate::harness::judge::Faults;
use crate::harness::machine::Machine;
use crate::harness::output::SCHEMA;
use crate::harness::race::{Entrant, Race, Retired};
use crate::harness::search::Search;

/// A cell or a corner as `[x, y]`.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct Point(u32, u32);

impl From<Cell> for Point {
    fn from(cell: Cell) -> Self {
        Self(cell.x, cell.y)
    }
}

impl From<Corner> for Point {
    fn from(corner: Corner) -> Self {
        Self(corner.x, corner.y)
    }
}

impl std::fmt::Display for Point {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{},{}", self.0, self.1)
    }
}

/// Every cell of a grid path.
pub(crate) fn cells(path: &Path) -> Option<Vec<Point>> {
    path.cells().ok().map(|cells| cells.map(Point::from).collect())
}

/// The corners of an any-angle path: those where it turns, and its ends if these are corners.
pub(crate) fn corners(path: &Path) -> Option<Vec<Point>> {
    path.corners().ok().map(|corners| corners.iter().map(|&corner| corner.into()).collect())
}

/// The points of an any-angle path between centres as `[x, y]`. For a path between corners, its corners.
pub(crate) fn points(path: &Path) -> Option<Vec<(f64, f64)>> {
    let points = path.vertices().ok().filter(|_| path.ends() == Some(Endpoints::Centres));
    points.map(|points| points.map(|point| (point.x(), point.y())).collect())
}

/// The divisor of the counts of a cost over terrain.
pub(crate) fn cost_parts(cost: PathCost) -> Option<u32> {
    match cost {
        PathCost::Priced { parts, .. } => Some(parts),
        _ => None,
    }
}

/// `solve --json`.
#[derive(Serialize)]
pub(crate) struct Solve {
    schema: u32,
    planner: String,
    /// The planner that `auto` chose.
    #[serde(skip_serializing_if = "Option::is_none")]
    chosen: Option<String>,
    movement: &'static str,
    /// The convention of prices, on a map with prices.
    #[serde(skip_serializing_if = "Option::is_none")]
    convention: Option<&'static str>,
    from: Point,
    /// The first goal. `goals` has all of them, if there are several.
    to: Point,
    #[serde(skip_serializing_if = "Option::is_none")]
    goals: Option<Vec<Point>>,
    /// The agent, if it is larger than a cell.
    #[serde(skip_serializing_if = "Option::is_none")]
    agent: Option<String>,
    found: bool,
    status: &'static str,
    /// The limit that ended the search.
    #[serde(skip_serializing_if = "Option::is_none")]
    limit: Option<&'static str>,
    /// The ends of the path: the last is the goal that was reached, or the nearest cell.
    start: Option<Point>,
    goal: Option<Point>,
    /// The distance from the end of the path to the nearest goal, in cells.
    away: Option<f64>,
    /// Straight and diagonal moves; over terrain the sums of their prices, in units of 1 / `cost_parts`.
    cost: Option<GridCost>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cost_parts: Option<u32>,
    length: Option<f64>,
    expanded: u64,
    time_us: f64,
    path: Option<Vec<Point>>,
    /// For an any-angle path, which has neither an exact cost nor cells: its corners; all its points, if its ends are
    /// centres; where it begins and ends, the squeeze rule, and the number of line-of-sight checks of the search.
    #[serde(skip_serializing_if = "Option::is_none")]
    corners: Option<Vec<Point>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    points: Option<Vec<(f64, f64)>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ends: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    squeeze: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sights: Option<u64>,
    /// The points between which the straight line is free, and the length of those lines, from planners that report
    /// them.
    #[serde(skip_serializing_if = "Option::is_none")]
    jump_points: Option<Vec<Point>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    straight_length: Option<f64>,
    /// The same in metres, on a map with a georeference.
    #[serde(skip_serializing_if = "Option::is_none")]
    metres: Option<Metres>,
}

/// A path in world coordinates.
#[derive(Serialize)]
struct Metres {
    from: (f64, f64),
    to: (f64, f64),
    goal: Option<(f64, f64)>,
    away: Option<f64>,
    length: Option<f64>,
    /// Start, turning points and end.
    path: Option<Vec<(f64, f64)>>,
}

impl Metres {
    fn new(place: &Georeference, search: &Search) -> Self {
        let world = |cell: Cell| place.point_to_world(search.end_of(cell));
        let path = search.found.then_some(&search.path);
        Self {
            from: world(search.question.from),
            to: world(search.question.to[0]),
            goal: search.reply.ends.map(|(_, goal)| world(goal)),
            away: path.map(|_| place.cells_to_metres(search.reply.away)),
            length: path.map(|path| path.metres(place)),
            path: path.and_then(|path| Some(path.to_world(place).ok()?.collect())),
        }
    }
}

impl Solve {
    pub(crate) fn new(
        spec: &PlannerSpec,
        movement: Movement,
        search: &Search,
        agent: Agent,
        place: Option<&Georeference>,
    ) -> Self {
        let (reply, goals) = (&search.reply, &search.question.to);
        let path = search.found.then_some(&search.path);
        let jumping = path.filter(|_| !search.hops.points.is_empty());
        Self {
            schema: SCHEMA,
            planner: spec.to_string(),
            chosen: search.chosen.clone(),
            movement: movement.name(),
            convention: search.convention().map(Convention::name),
            from: search.question.from.into(),
            to: goals[0].into(),
            goals: (goals.len() > 1).then(|| goals.iter().map(|&goal| goal.into()).collect()),
            agent: (agent != Agent::POINT).then(|| agent.to_string()),
            found: search.found,
            status: reply.status.name(),
            limit: reply.limit.map(Limit::name),
            start: reply.ends.map(|(start, _)| start.into()),
            goal: reply.ends.map(|(_, goal)| goal.into()),
            away: reply.ends.map(|_| reply.away),
            cost: path.and_then(|path| path.cost().counts()),
            cost_parts: path.and_then(|path| cost_parts(path.cost())),
            length: path.map(Path::length),
            expanded: search.expanded,
            time_us: search.time.as_nanos() as f64 / 1000.0,
            path: path.and_then(cells),
            corners: path.and_then(corners),
            points: path.and_then(points),
            ends: search.squeeze.map(|_| search.ends.name()),
            squeeze: search.squeeze.map(octile::grid::Squeeze::name),
            sights: search.squeeze.map(|_| search.sights),
            jump_points: jumping.map(|_| search.hops.points.iter().map(|&cell| cell.into()).collect()),
            straight_length: jumping.map(|path| search.hops.straight_length(path)),
            metres: place.map(|place| Metres::new(place, search)),
        }
    }
}

/// `matrix --json`.
#[derive(Serialize)]
pub(crate) struct MatrixReport {
    pub(crate) schema: u32,
    pub(crate) map: String,
    pub(crate) planner: String,
    /// The planner that `auto` chose.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) chosen: Option<String>,
    pub(crate) movement: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) convention: Option<&'static str>,
    /// The file with the costs.
    pub(crate) file: String,
    pub(crate) sources: usize,
    pub(crate) targets: usize,
    /// The number of pairs of a source and a target with a path.
    pub(crate) reachable_pairs: usize,
    /// The time without reading, building and writing.
    pub(crate) time_us: f64,
}

/// `field --json`.
#[derive(Serialize)]
pub(crate) struct FieldMade {
    pub(crate) schema: u32,
    pub(crate) map: String,
    pub(crate) movement: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) convention: Option<&'static str>,
    pub(crate) goals: Vec<Point>,
    pub(crate) max_cost: Option<f64>,
    pub(crate) file: String,
    pub(crate) free_cells: u32,
    pub(crate) reachable: usize,
    /// The maximum cost, and its length.
    pub(crate) greatest_cost: Option<GridCost>,
    /// The divisor of the counts of that cost, over terrain.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) cost_parts: Option<u32>,
    pub(crate) greatest_length: Option<f64>,
    /// The time to find the costs, without reading and writing.
    pub(crate) time_us: f64,
}

/// `run --json`.
#[derive(Serialize)]
pub(crate) struct Run {
    pub(crate) schema: u32,
    pub(crate) map: String,
    pub(crate) scenario: String,
    pub(crate) planner: String,
    pub(crate) movement: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) convention: Option<&'static str>,
    pub(crate) problems: usize,
    pub(crate) found: usize,
    /// Whether the file's lengths apply to the movement rule; if not, only moves and reachability were checked.
    pub(crate) lengths_checked: bool,
    pub(crate) all_agree: bool,
    pub(crate) disagreements: Vec<Disagreement>,
}

/// An answer of `run` that disagrees with the file.
#[derive(Serialize)]
pub(crate) struct Disagreement {
    pub(crate) line: usize,
    pub(crate) from: Point,
    pub(crate) to: Point,
    /// The file's length, null if it says that there is no path.
    pub(crate) expected: Option<f64>,
    /// The length found, null if no path was found.
    pub(crate) found: Option<f64>,
    pub(crate) reason: String,
}

/// `compare --json`.
#[derive(Serialize)]
pub(crate) struct Compare {
    schema: u32,
    maps: usize,
    queries: usize,
    rounds: usize,
    output: &'static str,
    movement: &'static str,
    /// The convention of prices, in a race on maps with prices.
    #[serde(skip_serializing_if = "Option::is_none")]
    convention: Option<&'static str>,
    machine: Machine,
    planners: Vec<Measured>,
    /// Planners that did not run on a map.
    retired: Vec<RetiredFrom>,
    /// Maps of folders on which no planner ran.
    skipped: Vec<Skipped>,
}

/// A map that a planner did not run on.
#[derive(Serialize)]
struct RetiredFrom {
    planner: String,
    map: String,
    reason: String,
}

/// A map that was left out of a race.
#[derive(Clone, Serialize)]
pub(crate) struct Skipped {
    file: String,
    /// A sentence that names the bad file, the map or another.
    pub(crate) reason: String,
}

impl Skipped {
    pub(crate) fn new(file: &std::path::Path, reason: String) -> Self {
        Self { file: file.display().to_string(), reason }
    }
}

/// The measurements of one planner by `compare`, on the maps that it ran on. Speed-ups are over the first planner on
/// the same maps; build time and index bytes are summed over the maps, with means in addition.
#[derive(Serialize)]
pub(crate) struct Measured {
    pub(crate) planner: String,
    /// The number of maps that it ran on.
    pub(crate) maps: usize,
    /// Whether it belongs to another project. Values that such an engine does not report, such as expansions, are 0.
    pub(crate) peer: bool,
    pub(crate) mean_us: f64,
    pub(crate) p50_us: f64,
    pub(crate) p99_us: f64,
    pub(crate) max_us: f64,
    pub(crate) expanded: f64,
    /// Means over queries: elements put on the open list, its maximum length, and lines of sight checked.
    pub(crate) opened: f64,
    pub(crate) longest_open: f64,
    pub(crate) sights: f64,
    /// The length of paths to goals that all planners reached: the mean, and the sum relative to the first planner's.
    /// Null for a peer that has no legal path to one of them.
    pub(crate) mean_length: Option<f64>,
    pub(crate) length_ratio: Option<f64>,
    /// The total length of straight lines between jump points, relative to that of the grid paths; 1 if a planner
    /// reports none.
    pub(crate) straight_ratio: Option<f64>,
    /// The first planner's mean time on the same maps.
    pub(crate) first_mean_us: f64,
    pub(crate) speedup_total: f64,
    pub(crate) speedup_mean: f64,
    pub(crate) build_ms: f64,
    pub(crate) build_ms_per_map: f64,
    pub(crate) index_bytes: u64,
    pub(crate) index_bytes_per_map: f64,
    /// The scratch memory of one thread after all queries, on the map where it was largest.
    pub(crate) scratch_bytes: u64,
    /// The ratio of the median round to the best.
    pub(crate) noise: f64,
    pub(crate) wrong: usize,
    /// The wrong answers, by kind.
    pub(crate) faults: Faults,
}

impl Compare {
    pub(crate) fn new(race: &Race, movement: Movement, machine: Machine, skipped: Vec<Skipped>) -> Self {
        let convention = race.courses.iter().find_map(|course| course.convention);
        let retired = |Retired { planner, course, reason }: &Retired| RetiredFrom {
            planner: planner.clone(),
            map: course.clone(),
            reason: reason.clone(),
        };
        Self {
            schema: SCHEMA,
            maps: race.maps(),
            queries: race.queries(),
            rounds: race.rounds,
            output: crate::harness::args::output_name(race.output),
            movement: movement.name(),
            convention: convention.map(Convention::name),
            machine,
            planners: measured(race),
            retired: race.retired.iter().map(retired).collect(),
            skipped,
        }
    }
}

/// The lines of a race.
pub(crate) fn measured(race: &Race) -> Vec<Measured> {
    race.entrants.iter().map(|entrant| Measured::new(entrant, &race.entrants[0])).collect()
}

impl Measured {
    /// The measurements of an entrant, compared with the first on the same maps.
    fn new(entrant: &Entrant, first: &Entrant) -> Self {
        let Beside { nanos, speedups, length } = Beside::new(entrant, first);
        let (queries, maps) = (entrant.nanos.len().max(1) as f64, entrant.maps().max(1) as f64);
        let mut sorted = entrant.nanos.clone();
        sorted.sort_unstable();
        let answered: usize = entrant.stints.iter().flatten().map(|stint| stint.answered_by_all).sum();
        let ours = entrant.common_length();
        let comparable = ours.is_finite() && length.is_finite();
        let build_ms = entrant.build.as_secs_f64() * 1000.0;
        Self {
            planner: entrant.engine.to_string(),
            maps: entrant.maps(),
            peer: entrant.engine.is_peer(),
            mean_us: entrant.nanos.iter().sum::<u64>() as f64 / queries / 1000.0,
            p50_us: percentile_us(&sorted, 50),
            p99_us: percentile_us(&sorted, 99),
            max_us: percentile_us(&sorted, 100),
            expanded: entrant.expanded.iter().sum::<u64>() as f64 / queries,
            opened: entrant.tally.opened as f64 / queries,
            longest_open: entrant.tally.longest_open as f64 / queries,
            sights: entrant.tally.sights as f64 / queries,
            mean_length: (answered > 0 && comparable).then(|| ours / answered as f64),
            length_ratio: (length > 0.0 && comparable).then(|| ours / length),
            straight_ratio: (entrant.tally.length > 0.0).then(|| entrant.tally.straight_length / entrant.tally.length),
            first_mean_us: nanos as f64 / queries / 1000.0,
            speedup_total: nanos as f64 / entrant.total_nanos() as f64,
            speedup_mean: speedups / queries,
            build_ms,
            build_ms_per_map: build_ms / maps,
            index_bytes: entrant.index_bytes,
            index_bytes_per_map: entrant.index_bytes as f64 / maps,
            scratch_bytes: entrant.scratch_bytes,
            noise: entrant.noise(),
            wrong: entrant.faults.total(),
            faults: entrant.faults,
        }
    }
}

/// The results of the first entrant on the maps of another.
struct Beside {
    nanos: u64,
    /// The speed-ups over the first, summed over the queries.
    speedups: f64,
    /// The total length of the paths that all planners found.
    length: f64,
}

impl Beside {
    fn new(entrant: &Entrant, first: &Entrant) -> Self {
        let mut sum = Self { nanos: 0, speedups: 0.0, length: 0.0 };
        for (ours, firsts) in entrant.beside(first) {
            sum.length += firsts.common_length;
            for (&ours, &firsts) in entrant.nanos_of(ours).iter().zip(first.nanos_of(firsts)) {
                sum.nanos += firsts;
                sum.speedups += firsts as f64 / ours.max(1) as f64;
            }
        }
        sum
    }
}

/// A percentile of sorted times, in microseconds; 0 if there are none.
fn percentile_us(sorted: &[u64], per_cent: u32) -> f64 {
    advise::percentile(sorted, per_cent).map_or(0.0, |nanos| nanos as f64 / 1000.0)
}

/// `info --json` for a map.
#[derive(Serialize)]
pub(crate) struct MapInfo {
    schema: u32,
    file: String,
    kind: &'static str,
    format: &'static str,
    width: u32,
    height: u32,
    free_cells: u32,
    free_share: f64,
    components: usize,
    largest_component: u32,
    fingerprint: String,
    /// The convention of prices and the number of cells of each price, for a map with prices.
    #[serde(skip_serializing_if = "Option::is_none")]
    convention: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    prices: Option<Vec<PriceInfo>>,
    /// The side of a cell in metres, for a ROS map.
    resolution: Option<f64>,
    /// The world position of the lower left corner, for a ROS map: x and y in metres, yaw in radians.
    origin: Option<[f64; 3]>,
}

impl MapInfo {
    pub(crate) fn new(file: String, map: &MapFile) -> Self {
        let grid = &map.grid;
        Self {
            schema: SCHEMA,
            file,
            kind: "map",
            format: json_format(map.format),
            width: grid.width(),
            height: grid.height(),
            free_cells: grid.free_cells(),
            free_share: text::free_share(grid),
            components: grid.components(),
            largest_component: grid.largest_component(),
            fingerprint: format!("{:016x}", grid.fingerprint()),
            convention: grid.convention().map(Convention::name),
            prices: grid.convention().map(|_| prices(grid)),
            resolution: map.georeference.as_ref().map(|place| place.resolution),
            origin: map.georeference.as_ref().map(|place| place.origin),
        }
    }
}

/// A price and the number of cells with it.
#[derive(Clone, Copy, Serialize)]
pub(crate) struct PriceInfo {
    pub(crate) price: u8,
    pub(crate) cells: u32,
}

/// The prices of the free cells of a map, in increasing order.
pub(crate) fn prices(grid: &Grid) -> Vec<PriceInfo> {
    let mut cells = [0; 256];
    grid.cells().for_each(|cell| cells[usize::from(grid.price(cell))] += 1);
    let of_price = |price: u8| PriceInfo { price, cells: cells[usize::from(price)] };
    (1..=u8::MAX).map(of_price).filter(|info| info.cells > 0).collect()
}

fn json_format(format: MapFormat) -> &'static str {
    match format {
        MapFormat::MovingAi => "movingai",
        MapFormat::Ascii => "ascii",
        MapFormat::Png => "png",
        MapFormat::Pgm => "pgm",
        MapFormat::Ros => "ros",
        _ => "other",
    }
}

/// `info --json` for a scenario file.
#[derive(Serialize)]
pub(crate) struct ScenarioInfo {
    schema: u32,
    file: String,
    kind: &'static str,
    pub(crate) problems: usize,
    pub(crate) unreachable: usize,
    /// The maps that the file names.
    pub(crate) maps: Vec<String>,
    pub(crate) shortest: Option<f64>,
    pub(crate) mean: Option<f64>,
    pub(crate) longest: Option<f64>,
    pub(crate) buckets: Vec<Bucket>,
}

/// The problems of one bucket.
#[derive(Serialize)]
pub(crate) struct Bucket {
    pub(crate) bucket: u32,
    pub(crate) problems: usize,
}

impl ScenarioInfo {
    pub(crate) fn new(file: String, scenario: &Scenario) -> Self {
        let problems = &scenario.problems;
        let mut lengths: Vec<f64> =
            problems.iter().filter_map(octile::formats::movingai::scen::Problem::optimum).collect();
        lengths.sort_by(f64::total_cmp);
        let mut maps: Vec<String> = problems.iter().map(|problem| problem.map.clone()).collect();
        maps.sort();
        maps.dedup();
        let mean = (!lengths.is_empty()).then(|| lengths.iter().sum::<f64>() / lengths.len() as f64);
        Self {
            schema: SCHEMA,
            file,
            kind: "scenario",
            problems: problems.len(),
            unreachable: problems.len() - lengths.len(),
            maps,
            shortest: lengths.first().copied(),
            mean,
            longest: lengths.last().copied(),
            buckets: buckets(scenario),
        }
    }
}

fn buckets(scenario: &Scenario) -> Vec<Bucket> {
    let mut numbers: Vec<u32> = scenario.problems.iter().map(|problem| problem.bucket).collect();
    numbers.sort_unstable();
    let bucket = |same: &[u32]| Bucket { bucket: same[0], problems: same.len() };
    numbers.chunk_by(|a, b| a == b).map(bucket).collect()
}

/// `build --json`.
#[derive(Serialize)]
pub(crate) struct Built {
    schema: u32,
    pub(crate) file: String,
    /// `None` if it is for all maps.
    pub(crate) map: Option<String>,
    #[serde(flatten)]
    pub(crate) index: IndexHeader,
    pub(crate) build_ms: f64,
    /// The chunks, if it was built in chunks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) chunks: Option<Chunks>,
    pub(crate) contents: Vec<Content>,
    #[serde(skip_serializing_if = "Option::is_none")]
    database: Option<Database>,
}

/// The chunks of a build.
#[derive(Serialize)]
pub(crate) struct Chunks {
    pub(crate) all: usize,
    /// The number of chunks left by an interrupted build.
    pub(crate) resumed: usize,
    /// The number of damaged chunks, which were rebuilt.
    pub(crate) damaged: usize,
}

impl Built {
    pub(crate) fn new(
        args: &build::Args,
        artifact: &Artifact,
        time: Duration,
        chunks: Option<Chunks>,
    ) -> Result<Self, ArtifactError> {
        Ok(Self {
            schema: SCHEMA,
            file: args.output.display().to_string(),
            map: args.map.as_ref().map(|map| map.display().to_string()),
            index: IndexHeader::new(artifact),
            build_ms: time.as_secs_f64() * 1000.0,
            chunks,
            contents: contents(artifact, (args.kind.index.describe)(artifact)?),
            database: Database::new(artifact)?,
        })
    }
}

/// `merge --json`.
#[derive(Serialize)]
pub(crate) struct Merged {
    schema: u32,
    pub(crate) file: String,
    pub(crate) parts: Vec<String>,
    #[serde(flatten)]
    pub(crate) index: IndexHeader,
    pub(crate) merge_ms: f64,
    /// The missing sources, before and after those that it has.
    pub(crate) missing: Vec<[u32; 2]>,
    pub(crate) contents: Vec<Content>,
    database: Option<Database>,
}

impl Merged {
    pub(crate) fn new(
        args: &merge::Args,
        artifact: &Artifact,
        time: Duration,
        catalog: &Catalog,
    ) -> Result<Self, ArtifactError> {
        let described = catalog.index(artifact.kind()).ok().map(|index| (index.describe)(artifact)).transpose()?;
        let Stats { targets, sources, .. } = Stats::from_artifact(artifact)?;
        let missing = [[0, sources.start], [sources.end, targets]];
        Ok(Self {
            schema: SCHEMA,
            file: args.output.display().to_string(),
            parts: args.parts.iter().map(|part| part.display().to_string()).collect(),
            index: IndexHeader::new(artifact),
            merge_ms: time.as_secs_f64() * 1000.0,
            missing: missing.into_iter().filter(|[start, end]| start < end).collect(),
            contents: contents(artifact, described.unwrap_or_default()),
            database: Database::new(artifact)?,
        })
    }
}

/// A compressed path database or a part of one, in numbers.
#[derive(Serialize)]
pub(crate) struct Database {
    settings: String,
    /// The range of sources whose rows it has: the first, and one after the last.
    sources: [u32; 2],
    /// The number of all sources.
    all_sources: u32,
    records: u64,
    record_bits: u32,
    row_bytes: u64,
    average_checks: f64,
    /// The compression factors for c = 1, 2.5 and 6.5.
    compression_factors: [f64; 3],
}

impl Database {
    /// `None` for other kinds of indexes.
    fn new(artifact: &Artifact) -> Result<Option<Self>, ArtifactError> {
        if artifact.kind() != cpd::KIND {
            return Ok(None);
        }
        let stats = Stats::from_artifact(artifact)?;
        Ok(Some(Self {
            settings: stats.settings.to_string(),
            sources: [stats.sources.start, stats.sources.end],
            all_sources: stats.targets,
            records: stats.records,
            record_bits: stats.record_bits,
            row_bytes: stats.row_bytes,
            average_checks: stats.average_checks,
            compression_factors: [1.0, 2.5, 6.5].map(|c| stats.compression_factor(c)),
        }))
    }
}

/// The header of an index file.
#[derive(Serialize)]
pub(crate) struct IndexHeader {
    /// The kind of index.
    pub(crate) index: String,
    /// The versions of the container and of the kind's content.
    pub(crate) container_version: u32,
    pub(crate) index_version: u32,
    /// The movement rule of its map: `None`, like the next three, if it is for all maps.
    pub(crate) movement: Option<&'static str>,
    pub(crate) width: Option<u32>,
    pub(crate) height: Option<u32>,
    pub(crate) fingerprint: Option<String>,
    pub(crate) bytes: u64,
}

impl IndexHeader {
    fn new(artifact: &Artifact) -> Self {
        let of_map = !artifact.is_for_all_maps();
        Self {
            index: artifact.kind().to_owned(),
            container_version: octile::artifact::VERSION,
            index_version: artifact.kind_version(),
            movement: artifact.movement().map(Movement::name),
            width: of_map.then(|| artifact.width()),
            height: of_map.then(|| artifact.height()),
            fingerprint: of_map.then(|| format!("{:016x}", artifact.fingerprint())),
            bytes: artifact.size_bytes() as u64,
        }
    }
}

/// A fact about the content of an index, in the words of its kind.
#[derive(Serialize)]
pub(crate) struct Content {
    pub(crate) name: &'static str,
    pub(crate) value: String,
}

/// The content of a file, and for a part the command that joins it.
fn contents(artifact: &Artifact, described: IndexContents) -> Vec<Content> {
    let is_part = artifact.kind() == cpd::KIND && Stats::from_artifact(artifact).is_ok_and(|stats| stats.is_part());
    let content = |(name, value): (&'static str, String)| {
        let by = if is_part && name == "sources" { " by `octile merge`" } else { "" };
        Content { name, value: value + by }
    };
    described.into_iter().map(content).collect()
}

/// `info --json` for an index file.
#[derive(Serialize)]
pub(crate) struct IndexInfo {
    schema: u32,
    pub(crate) file: String,
    kind: &'static str,
    #[serde(flatten)]
    pub(crate) index: IndexHeader,
    pub(crate) sections: Vec<SectionInfo>,
    /// `None` if this octile does not support the kind or its version.
    pub(crate) contents: Option<Vec<Content>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    database: Option<Database>,
    #[serde(flatten)]
    pub(crate) fit: Option<Fit>,
}

#[derive(Serialize)]
pub(crate) struct SectionInfo {
    pub(crate) name: String,
    pub(crate) bytes: u64,
}

/// Whether an index fits a map.
#[derive(Serialize)]
pub(crate) struct Fit {
    pub(crate) map: String,
    pub(crate) fits: bool,
    /// The reason if it does not fit.
    pub(crate) misfit: Option<String>,
}

impl IndexInfo {
    /// Verifies the whole file. `given` is a map, and whether the index fits it.
    pub(crate) fn new(
        file: String,
        artifact: &Artifact,
        given: Option<(String, Result<(), ArtifactError>)>,
        catalog: &Catalog,
    ) -> Result<Self, ArtifactError> {
        artifact.verify()?;
        let known = catalog.index(artifact.kind()).ok().filter(|index| index.version == artifact.kind_version());
        let section = |(name, bytes): (&str, usize)| SectionInfo { name: name.to_owned(), bytes: bytes as u64 };
        let fit = |(map, fit): (String, Result<_, ArtifactError>)| {
            let misfit = fit.err().map(|fault| hints::of(&fault, catalog));
            Fit { map, fits: misfit.is_none(), misfit }
        };
        Ok(Self {
            schema: SCHEMA,
            file,
            kind: "index",
            index: IndexHeader::new(artifact),
            sections: artifact.sections().map(section).collect(),
            contents: known.map(|index| (index.describe)(artifact)).transpose()?.map(|facts| contents(artifact, facts)),
            database: known.map(|_| Database::new(artifact)).transpose()?.flatten(),
            fit: given.map(fit),
        })
    }
}

/// `advise --json`.
#[derive(Serialize)]
pub(crate) struct Advised {
    schema: u32,
    pub(crate) map: String,
    pub(crate) width: u32,
    pub(crate) height: u32,
    pub(crate) free_cells: u32,
    pub(crate) movement: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) convention: Option<&'static str>,
    /// The arguments with which the map was read.
    #[serde(skip)]
    pub(crate) read: String,
    pub(crate) memory_bytes: Option<u64>,
    pub(crate) changes: bool,
    /// How often the map changes, and how much.
    pub(crate) rate: Option<String>,
    pub(crate) any_angle: bool,
    pub(crate) ends: &'static str,
    pub(crate) planner: String,
    pub(crate) reasons: Vec<String>,
    /// The kinds of index that the planner can read from files.
    pub(crate) index_kinds: &'static [&'static str],
    pub(crate) candidates: Vec<Advisable>,
    /// The planners that cannot be used, with reasons.
    pub(crate) left_out: Vec<Unadvisable>,
    pub(crate) time_ms: f64,
}

/// A planner that was measured.
#[derive(Serialize)]
pub(crate) struct Advisable {
    pub(crate) planner: String,
    pub(crate) build_ms: f64,
    pub(crate) index_bytes: u64,
    pub(crate) scratch_bytes: u64,
    pub(crate) queries: usize,
    pub(crate) mean_us: f64,
    pub(crate) p99_us: f64,
    pub(crate) edit_us: Option<f64>,
}

/// A planner that cannot be used.
#[derive(Serialize)]
pub(crate) struct Unadvisable {
    pub(crate) planner: String,
    pub(crate) reason: String,
}

/// The map of an advice.
pub(crate) struct AdvisedMap<'a> {
    pub(crate) name: String,
    pub(crate) grid: &'a Grid,
    /// The arguments with which the map was read.
    pub(crate) read: String,
}

impl Advised {
    pub(crate) fn new(
        AdvisedMap { name, grid, read }: AdvisedMap<'_>,
        needs: Needs,
        advice: &Advice,
        time: Duration,
        catalog: &Catalog,
    ) -> Self {
        let (mut candidates, mut left_out) = (Vec::new(), Vec::new());
        for Candidate { spec, outcome } in &advice.candidates {
            let planner = spec.to_string();
            match outcome {
                advise::Outcome::Measured(measured) => candidates.push(Advisable::new(planner, measured)),
                advise::Outcome::LeftOut(reason) => {
                    left_out.push(Unadvisable { planner, reason: left_out_for(reason, catalog) });
                }
            }
        }
        let Needs { memory_bytes, changes, any_angle, ends, .. } = needs;
        Self {
            schema: SCHEMA,
            map: name,
            width: grid.width(),
            height: grid.height(),
            free_cells: grid.free_cells(),
            movement: grid.movement().name(),
            convention: grid.convention().map(Convention::name),
            read,
            memory_bytes,
            changes: changes.is_some(),
            rate: changes.map(|rate| rate.to_string()),
            any_angle,
            ends: ends.name(),
            planner: advice.spec.to_string(),
            reasons: advice.reasons.clone(),
            index_kinds: advice.spec.index_kinds(),
            candidates,
            left_out,
            time_ms: time.as_secs_f64() * 1000.0,
        }
    }
}

/// The reason why a planner cannot be used, with advice.
fn left_out_for(reason: &LeftOut, catalog: &Catalog) -> String {
    match reason {
        LeftOut::Refused(error) => hints::of(error, catalog),
        reason => reason.to_string(),
    }
}

impl Advisable {
    fn new(planner: String, measured: &advise::Measured) -> Self {
        let micros = |time: Duration| time.as_nanos() as f64 / 1000.0;
        Self {
            planner,
            build_ms: measured.build.as_secs_f64() * 1000.0,
            index_bytes: measured.index_bytes,
            scratch_bytes: measured.scratch_bytes,
            queries: measured.queries,
            mean_us: micros(measured.mean),
            p99_us: micros(measured.p99),
            edit_us: measured.edit.map(micros),
        }
    }
}

/// `planners --json`.
#[derive(Serialize)]
pub(crate) struct Planners {
    schema: u32,
    planners: Vec<PlannerInfo>,
}

#[derive(Serialize)]
struct PlannerInfo {
    name: &'static str,
    summary: &'static str,
    guarantee: String,
    has_index: bool,
    index_effort: &'static str,
    movements: Vec<&'static str>,
    /// How it takes edits.
    on_edit: &'static str,
    /// The question types that it answers natively.
    natively: Vec<&'static str>,
    index_kinds: &'static [&'static str],
    variants: Vec<&'static str>,
    keys: Vec<KeyInfo>,
    paper: &'static str,
}

#[derive(Serialize)]
struct KeyInfo {
    name: &'static str,
    takes: String,
    help: &'static str,
    default: Option<String>,
}

impl Planners {
    pub(crate) fn new(planners: &[Entry]) -> Self {
        Self { schema: SCHEMA, planners: planners.iter().copied().map(PlannerInfo::new).collect() }
    }
}

impl PlannerInfo {
    fn new(entry: Entry) -> Self {
        let (about, config) = (entry.about(), entry.config());
        let key = |key: &Key| KeyInfo {
            name: key.name,
            takes: key.expected(),
            help: key.help,
            default: config.get_default(key.name),
        };
        Self {
            name: about.name,
            summary: about.summary,
            guarantee: config.facts().guarantee.to_string(),
            has_index: about.index.has_index(),
            index_effort: about.index.name(),
            movements: config.facts().movements.iter().map(|movement| movement.name()).collect(),
            on_edit: text::on_edit(config.facts().on_edit).0,
            natively: config.facts().native.iter().map(|native| native.name()).collect(),
            index_kinds: config.facts().indexes,
            variants: about.variants.to_vec(),
            keys: entry.keys().iter().chain(&COMMON_KEYS).map(key).collect(),
            paper: about.paper,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::harness::engine::Engine;
    use crate::harness::race::Stint;

    fn entrant(spec: &str, nanos: &[u64]) -> Entrant {
        let stint = Stint { queries: 0..nanos.len(), answered_by_all: 3, common_length: 30.0 };
        Entrant {
            nanos: nanos.to_vec(),
            expanded: vec![10; nanos.len()],
            round_nanos: vec![nanos.iter().sum()],
            stints: vec![Some(stint)],
            build: Duration::from_millis(2),
            index_bytes: 7,
            ..Entrant::new(Engine::Planner(spec.parse().unwrap()), 1)
        }
    }

    #[test]
    fn speed_ups_are_computed_for_totals_and_for_each_query() {
        let (first, other) = (entrant("astar", &[4000, 6000, 2000]), entrant("jps", &[1000, 1000, 4000]));
        let measured = Measured::new(&other, &first);
        assert_eq!((measured.mean_length, measured.length_ratio), (Some(10.0), Some(1.0)));
        assert!((measured.speedup_total - 2.0).abs() < 1e-9);
        assert!((measured.speedup_mean - (4.0 + 6.0 + 0.5) / 3.0).abs() < 1e-9);
        assert!((measured.mean_us - 2.0).abs() < 1e-9 && (measured.expanded - 10.0).abs() < 1e-9);
    }

    #[test]
    fn a_planner_that_ran_on_some_maps_is_compared_on_those() {
        let (mut first, mut late) = (entrant("astar", &[4000, 6000, 9000]), entrant("hub-labels", &[1000]));
        let stint = |queries, common_length| Some(Stint { queries, answered_by_all: 1, common_length });
        first.stints = vec![stint(0..2, 20.0), stint(2..3, 8.0)];
        late.stints = vec![None, stint(0..1, 8.0)];
        let measured = Measured::new(&late, &first);
        assert_eq!((measured.maps, measured.mean_length, measured.length_ratio), (1, Some(8.0), Some(1.0)));
        assert!((measured.speedup_total - 9.0).abs() < 1e-9 && (measured.speedup_mean - 9.0).abs() < 1e-9);
        assert!((measured.first_mean_us - 9.0).abs() < 1e-9);
        let both = Measured::new(&first, &first);
        assert!((both.build_ms - 2.0).abs() < 1e-9 && (both.build_ms_per_map - 1.0).abs() < 1e-9);
        assert!((both.index_bytes_per_map - 3.5).abs() < 1e-9);
        late.stints = vec![None, None];
        late.nanos.clear();
        let measured = Measured::new(&late, &first);
        assert_eq!((measured.maps, measured.mean_length), (0, None));
        assert!(measured.speedup_total == 0.0 && measured.mean_us == 0.0);
    }

    #[test]
    fn percentiles_are_times_that_were_measured() {
        let times: Vec<u64> = (1..=200).map(|us| us * 1000).collect();
        let whole = |times: &[u64], percent| percentile_us(times, percent).round() as u64;
        assert_eq!([1, 50, 99, 100].map(|percent| whole(&times, percent)), [2, 100, 198, 200]);
        assert_eq!((whole(&[5000], 1), whole(&[], 50)), (5, 0));
    }
}
