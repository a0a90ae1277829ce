//! `Engine`: a planner for a map that can change.

use std::time::Duration;

use js_sys::{Float64Array, Int8Array, Uint8Array, Uint32Array};
use octile::engine::{Matrix, Routes, SlicedRenewal};
use octile::formats::draw::Picture;
use octile::geometry::Endpoints;
use octile::grid::Agent;
use octile::planner::QueryOptions;
use octile::planner::{Counts, Nearest, ProbePair, Trace as Seen};
use octile::services::Film;
use octile::{Cell, Output, PathQuery, PlannerSpec, Point, Query};
use wasm_bindgen::prelude::*;
use web_time::Instant;

use crate::answer::Answer;
use crate::arrays::{self, flat, flat_pairs, object, table, view_f64, view_u32};
use crate::edits::Edits;
use crate::errors::{self, Raise, Result};
use crate::field::Field;
use crate::grid::Grid;
use crate::handle::handle;
use crate::options::{self, Options};
use crate::path::{self, Path, output_of};
use crate::paths::Paths;
use crate::progress::BuildTerms;
use crate::trace::Trace;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r#"
/** How to build: index files to use, how much work it may be, and who is told how far it is; `onProgress` may return false to end it. */
export interface BuildOptions {
    index?: Index | Index[]; budget?: "brief" | "at-once" | "beforehand" | "unlimited"; onProgress?: (stage: string, done: number, all: number) => boolean | void;
}
/** What to return, what to do about ends that cannot be had, and when to give up. */
export interface AskOptions { output?: "waypoints" | "cells" | "cost"; nearest?: boolean | "both"; maxCost?: number; maxExpanded?: number; timeoutMs?: number }
/** What a picture shows beside the map. */
export interface PictureOptions { path?: Path; trace?: Trace; field?: Field; scale?: number }
"#;

const ASK_OPTIONS: [&str; 5] = ["output", "nearest", "maxCost", "maxExpanded", "timeoutMs"];

/// A planner for a map, which may change. Building is done in one go: slow planners belong in a worker.
#[wasm_bindgen]
#[expect(clippy::struct_field_names, reason = "it is the library's engine")]
pub struct Engine {
    engine: octile::Engine,
    spec: String,
    is_any_angle: bool,
    /// Kept from query to query.
    path: octile::Path,
    cells: Vec<u32>,
    spots: Vec<f64>,
    renewal: Option<SlicedRenewal>,
}

/// What is asked for beside the ends.
fn terms(options: &Options<'_>) -> Result<QueryOptions> {
    let milliseconds = |time: f64| {
        octile::planner::seconds(time / 1e3)
            .map_err(|_| errors::argument("timeoutMs: expected a number of milliseconds, at least 0"))
    };
    Ok(QueryOptions {
        output: output_of(options.text("output")?.as_deref())?,
        nearest: nearest_of(options.get("nearest"))?,
        max_cost: options.number("maxCost")?.unwrap_or(f64::INFINITY),
        // More than all others is no limit.
        max_expanded: options.number("maxExpanded")?.map_or(u64::MAX, |most| most as u64),
        timeout: options.number("timeoutMs")?.map(milliseconds).transpose()?,
    })
}

fn nearest_of(value: Option<JsValue>) -> Result<Nearest> {
    let Some(value) = value else { return Ok(Nearest::No) };
    match (value.as_bool(), value.as_string().as_deref()) {
        (Some(true), _) | (_, Some("goal")) => Ok(Nearest::Goal),
        (Some(false), _) => Ok(Nearest::No),
        (_, Some("both")) => Ok(Nearest::Both),
        _ => {
            Err(errors::argument("nearest is true or \"goal\", \"both\" for a start that may be blocked too, or false"))
        }
    }
}

impl Engine {
    fn new(engine: octile::Engine, spec: String) -> Self {
        let is_any_angle = engine.squeeze().is_some();
        let (path, cells, spots) = (octile::Path::new(), Vec::new(), Vec::new());
        Self { engine, spec, is_any_angle, path, cells, spots, renewal: None }
    }

    /// What the ends of a query stand for.
    fn ends_of(&self, start: Cell, goal: Cell) -> [Point; 2] {
        let ends = if self.is_any_angle { self.engine.ends() } else { Endpoints::Centres };
        [start, goal].map(|cell| ends.point(cell))
    }

    /// A free cell.
    fn free_cell(&self, x: f64, y: f64) -> Result<Cell> {
        let cell = options::cell(x, y, "cell")?;
        PathQuery::new(cell, cell).check(&self.engine.grid()).raised()?;
        Ok(cell)
    }

    fn picture(&self, options: &JsValue) -> Result<Picture> {
        let options = Options::new(options, &["path", "trace", "field", "scale"])?;
        let mut picture = Picture::new(&self.engine.grid());
        if let Some(scale) = options.whole("scale", 64)? {
            picture = picture.scale(scale.max(1));
        }
        if let Some(field) = options.get("field") {
            picture = picture.field(&handle::<Field>(&field, "field", "a Field")?.field);
        }
        if let Some(trace) = options.get("trace") {
            let trace: Trace = handle(&trace, "trace", "a Trace")?;
            let [start, goal] = trace.ends;
            picture = picture.search(&seen(&trace.film), start, goal).point_ends(start, goal);
        }
        if let Some(path) = options.get("path") {
            let path: Path = handle(&path, "path", "a Path")?;
            let [start, goal] = self.ends_of(path.ends[0], path.ends[1]);
            picture = picture.path(&path.path).point_ends(start, goal);
        }
        Ok(picture)
    }
}

/// What pictures are painted from: the events of a film by kind.
fn seen(film: &Film) -> Seen {
    let mut seen = Seen::default();
    film.replay(&mut seen);
    seen
}

#[wasm_bindgen]
impl Engine {
    /// Makes the planner of a name, with keys behind a colon, such as `jps:prune=gates`; see `planners()`.
    #[wasm_bindgen(constructor)]
    pub fn build(
        grid: &Grid,
        planner: Option<String>,
        #[wasm_bindgen(unchecked_optional_param_type = "BuildOptions")] options: &JsValue,
    ) -> Result<Engine> {
        let spec = planner.unwrap_or_else(|| "corner-sweep".to_owned());
        let parsed: PlannerSpec = spec.parse().raised()?;
        let terms = BuildTerms::new(options)?;
        terms.check(&parsed)?;
        let engine = terms.build(&grid.grid, |build| octile::Engine::build(parsed, build))?;
        Ok(Self::new(engine, spec))
    }

    /// The turning points x, y, x, y, ... of a shortest path, or `null` if there is none. An any-angle planner gives
    /// places in cells, so that the middle of cell 0, 0 is 0.5, 0.5.
    ///
    /// The array is a view of the package's memory, good until the next call of anything in it: keep a path with
    /// `slice()`, or ask for it with `path`.
    #[wasm_bindgen(unchecked_return_type = "Uint32Array | Float64Array | null")]
    pub fn find(&mut self, x0: f64, y0: f64, x1: f64, y1: f64) -> Result<JsValue> {
        let (start, goal) = (options::cell(x0, y0, "start")?, options::cell(x1, y1, "goal")?);
        if !self.engine.plan(PathQuery::new(start, goal), &mut self.path).raised()? {
            return Ok(JsValue::NULL);
        }
        if self.is_any_angle {
            path::spots(&self.path, &mut self.spots)?;
            return Ok(view_f64(&self.spots).into());
        }
        path::turns(&self.path, &mut self.cells)?;
        Ok(view_u32(&self.cells).into())
    }

    /// What `find` does, for `js/api.js`, which makes the view: that takes a third of the time there. The answer is how
    /// many numbers there are at `_place`, negative if they are those of an any-angle path; 0 if there is no path, and
    /// the least of all if `find` is to be asked, and will say why.
    #[wasm_bindgen(js_name = _find, skip_typescript)]
    pub fn find_quickly(&mut self, x0: f64, y0: f64, x1: f64, y1: f64) -> i32 {
        const ASK: i32 = i32::MIN;
        let (Some(start), Some(goal)) = (options::near_cell(x0, y0), options::near_cell(x1, y1)) else { return ASK };
        match self.engine.plan(PathQuery::new(start, goal), &mut self.path) {
            Ok(false) => 0,
            Ok(true) if self.is_any_angle => {
                path::spots(&self.path, &mut self.spots).map_or(ASK, |()| -(self.spots.len() as i32))
            }
            // Turning points are what was asked for.
            Ok(true) => self.path.points().map_or(ASK, |points| {
                self.cells.clear();
                self.cells.reserve(2 * points.len());
                for point in points {
                    self.cells.extend([point.x, point.y]);
                }
                self.cells.len() as i32
            }),
            Err(_) => ASK,
        }
    }

    /// Where in memory the numbers are that `_find` has left.
    #[wasm_bindgen(js_name = _place, skip_typescript)]
    pub fn place(&self) -> usize {
        if self.is_any_angle { self.spots.as_ptr().addr() } else { self.cells.as_ptr().addr() }
    }

    /// All cells x, y, x, y, ... of a shortest path, or `null`: a view, as `find` gives.
    #[wasm_bindgen(js_name = findCells, unchecked_return_type = "Uint32Array | null")]
    pub fn find_cells(&mut self, x0: f64, y0: f64, x1: f64, y1: f64) -> Result<JsValue> {
        let (start, goal) = (options::cell(x0, y0, "start")?, options::cell(x1, y1, "goal")?);
        if !self.engine.plan(PathQuery::new(start, goal).output(Output::Cells), &mut self.path).raised()? {
            return Ok(JsValue::NULL);
        }
        self.cells.clear();
        self.cells.extend(self.path.cells().raised()?.flat_map(|cell| [cell.x, cell.y]));
        Ok(view_u32(&self.cells).into())
    }

    /// The length of a shortest path, `Infinity` if there is none.
    pub fn distance(&mut self, x0: f64, y0: f64, x1: f64, y1: f64) -> Result<f64> {
        let trip = PathQuery::new(options::cell(x0, y0, "start")?, options::cell(x1, y1, "goal")?);
        let found = self.engine.plan(trip.output(Output::Cost), &mut self.path).raised()?;
        Ok(if found { self.path.length() } else { f64::INFINITY })
    }

    /// A shortest path to keep, with its exact cost.
    pub fn path(&self, x0: f64, y0: f64, x1: f64, y1: f64) -> Result<Option<Path>> {
        let (start, goal) = (options::cell(x0, y0, "start")?, options::cell(x1, y1, "goal")?);
        Ok(self.engine.find(start, goal).raised()?.map(|path| Path::new(path, start, goal)))
    }

    /// Answers a question in full. `goals` are x, y, x, y, ...: of several the nearest by path is taken. `nearest:
    /// true` asks for a path to the cell nearest to the goal where that cannot be reached, `nearest: "both"` also from
    /// the cell nearest to a blocked start.
    pub fn ask(
        &self,
        x: f64,
        y: f64,
        #[wasm_bindgen(unchecked_param_type = "ArrayLike<number>")] goals: &JsValue,
        #[wasm_bindgen(unchecked_optional_param_type = "AskOptions")] options: &JsValue,
    ) -> Result<Answer> {
        let terms = terms(&Options::new(options, &ASK_OPTIONS)?)?;
        let (start, goals) = (options::cell(x, y, "start")?, arrays::cells(goals, "goal")?);
        let query = match goals[..] {
            [goal] => Query::new(start, goal),
            _ => Query::to_any(start, &goals),
        };
        Ok(Answer { answer: self.engine.ask(terms.apply_to(query)).raised()? })
    }

    /// Answers many queries x0, y0, x1, y1, ...; a query that cannot be asked throws `QueryError` with its number, or
    /// with `errors: "skip"` has the length `NaN`.
    #[wasm_bindgen(js_name = findMany)]
    pub fn find_many(
        &self,
        #[wasm_bindgen(unchecked_param_type = "Uint32Array | number[]")] queries: &JsValue,
        #[wasm_bindgen(unchecked_optional_param_type = "AskOptions & { errors?: \"throw\" | \"skip\" }")]
        options: &JsValue,
    ) -> Result<Paths> {
        let known: Vec<&str> = ASK_OPTIONS.into_iter().chain(["errors"]).collect();
        let options = Options::new(options, &known)?;
        let terms = terms(&options)?;
        let skips = match options.text("errors")?.as_deref() {
            None | Some("throw") => false,
            Some("skip") => true,
            Some(other) => return Err(errors::argument(format!("errors is \"throw\" or \"skip\", not \"{other}\""))),
        };
        let cells = arrays::cells(queries, "query")?;
        if !cells.len().is_multiple_of(2) {
            return Err(errors::argument("queries: expected x0, y0, x1, y1, ..., four numbers a query"));
        }
        let query = |ends: &[Cell]| terms.apply_to(PathQuery::new(ends[0], ends[1]).into());
        let queries: Vec<Query<'_>> = cells.chunks_exact(2).map(query).collect();
        let mut routes = Routes::new();
        self.engine.find_routes(&queries, &mut routes, |_, _| true);
        match &routes.fault {
            Some((number, error)) if !skips => Err(errors::query(format!("query {number}: {error}"))),
            _ => Ok(Paths { routes, is_any_angle: self.is_any_angle }),
        }
    }

    /// The lengths from every source to every target, a row for each source.
    pub fn matrix(
        &self,
        #[wasm_bindgen(unchecked_param_type = "ArrayLike<number>")] sources: &JsValue,
        #[wasm_bindgen(unchecked_param_type = "ArrayLike<number>")] targets: &JsValue,
    ) -> Result<Float64Array> {
        let (sources, targets) = (arrays::cells(sources, "source")?, arrays::cells(targets, "target")?);
        let costs: Matrix = self.engine.matrix(&sources, &targets).raised()?;
        let length = |cost: &Option<octile::PathCost>| cost.map_or(f64::INFINITY, octile::PathCost::length);
        let lengths: Vec<f64> = costs.rows().flatten().map(length).collect();
        Ok(Float64Array::from(&lengths[..]))
    }

    /// The nearest of many targets by path: places of up to `count` of them in the list, nearest first, and their
    /// lengths.
    #[wasm_bindgen(unchecked_return_type = "{ places: Uint32Array; lengths: Float64Array }")]
    pub fn nearest(
        &self,
        x: f64,
        y: f64,
        #[wasm_bindgen(unchecked_param_type = "ArrayLike<number>")] targets: &JsValue,
        count: Option<f64>,
    ) -> Result<JsValue> {
        let (start, targets) = (options::cell(x, y, "start")?, arrays::cells(targets, "target")?);
        let count = count.map_or(Ok(1), |count| options::whole(count, "count", u32::MAX))?;
        let found = self.engine.k_nearest(start, &targets, count as usize).raised()?;
        let places: Vec<u32> = found.iter().map(|(place, _)| *place as u32).collect();
        let lengths: Vec<f64> = found.iter().map(|(_, cost)| cost.length()).collect();
        Ok(object(&[
            ("places", Uint32Array::from(&places[..]).into()),
            ("lengths", Float64Array::from(&lengths[..]).into()),
        ]))
    }

    /// The distances from all cells to the nearest of some goals x, y, x, y, ..., on the map as it is now; up to
    /// `maxCost` if that is given.
    pub fn field(
        &self,
        #[wasm_bindgen(unchecked_param_type = "ArrayLike<number>")] goals: &JsValue,
        #[wasm_bindgen(unchecked_optional_param_type = "{ maxCost?: number }")] options: &JsValue,
    ) -> Result<Field> {
        let most = Options::new(options, &["maxCost"])?.number("maxCost")?.unwrap_or(f64::INFINITY);
        let goals = arrays::cells(goals, "goal")?;
        octile::Field::within(&self.engine.grid(), &goals, most).raised().map(|field| Field { field })
    }

    /// The search from one cell to another, event by event: at most `most` of them, a million if that is left out.
    pub fn trace(
        &self,
        x0: f64,
        y0: f64,
        x1: f64,
        y1: f64,
        #[wasm_bindgen(unchecked_optional_param_type = "{ most?: number }")] options: &JsValue,
    ) -> Result<Trace> {
        let most = Options::new(options, &["most"])?.whole("most", u32::MAX)?;
        let (start, goal) = (options::cell(x0, y0, "start")?, options::cell(x1, y1, "goal")?);
        let mut film = most.map_or_else(Film::default, |most| Film::up_to(most as usize));
        let (mut counts, mut path) = (Counts::default(), octile::Path::new());
        let probe = &mut ProbePair(&mut counts, &mut film);
        let found = self.engine.plan_probed(PathQuery::new(start, goal), &mut path, probe).raised()?;
        let found = found.then(|| Path::new(path, start, goal));
        Ok(Trace { film, counts, found, grid: self.engine.grid(), ends: self.ends_of(start, goal) })
    }

    /// Asks the same question again and again for about so many milliseconds, 5 if that is left out: how many
    /// microseconds one takes, and how often it was asked. A clock of a browser is too coarse for one.
    #[wasm_bindgen(unchecked_return_type = "{ micros: number; rounds: number }")]
    pub fn measure(&mut self, x0: f64, y0: f64, x1: f64, y1: f64, ms: Option<f64>) -> Result<JsValue> {
        let trip = PathQuery::new(options::cell(x0, y0, "start")?, options::cell(x1, y1, "goal")?);
        let most = Duration::try_from_secs_f64(ms.unwrap_or(5.0) / 1e3).unwrap_or_default();
        // Once for what is made when it is needed first.
        self.engine.plan(trip, &mut self.path).raised()?;
        let (clock, mut rounds, mut batch) = (Instant::now(), 0_u32, 1_u32);
        loop {
            for _ in 0..batch {
                self.engine.plan(trip, &mut self.path).raised()?;
            }
            rounds = rounds.saturating_add(batch);
            let spent = clock.elapsed();
            if spent >= most || rounds == u32::MAX {
                let micros = spent.as_secs_f64() * 1e6 / f64::from(rounds);
                return Ok(object(&[("micros", micros.into()), ("rounds", rounds.into())]));
            }
            // The clock is looked at seldom enough to cost nothing.
            batch = rounds.min(1024);
        }
    }

    /// The same engine for an agent of some size, on the same map: `square:2`, which stands with its upper left cell on
    /// the cells of paths, or `disc:1.5`, with its centre at theirs.
    #[wasm_bindgen(js_name = forAgent)]
    pub fn for_agent(&self, agent: &str) -> Result<Engine> {
        let agent: Agent = agent.parse().raised()?;
        Ok(Self::new(self.engine.for_agent(agent).raised()?, self.spec.clone()))
    }

    /// Makes all changes, for all agents, or none if one of them cannot be made.
    pub fn apply(&self, edits: &Edits) -> Result<()> {
        self.engine.apply(&edits.edits).raised()
    }

    /// Whether a path leads from one cell to another: it takes no search.
    pub fn connected(&self, x0: f64, y0: f64, x1: f64, y1: f64) -> bool {
        let (a, b) = (options::cell(x0, y0, "cell"), options::cell(x1, y1, "cell"));
        a.is_ok_and(|a| b.is_ok_and(|b| self.engine.may_connect(a, b)))
    }

    /// Whether a path that was found before can still be walked on the map as it is now. It may no longer be the
    /// shortest.
    #[wasm_bindgen(js_name = stillValid)]
    pub fn still_valid(&self, path: &Path) -> bool {
        self.engine.still_valid(&path.path)
    }

    /// The first move from a cell to every cell, row by row, as the database of `cpd` has it: 0 to 7 into `MOVES`, -1
    /// where there is none. `null` of other planners, and when the index is stale.
    #[wasm_bindgen(js_name = firstMoves, unchecked_return_type = "Int8Array | null")]
    pub fn first_moves(&self, x: f64, y: f64) -> Result<JsValue> {
        let (start, planner) = (self.free_cell(x, y)?, self.engine.snapshot());
        let index = planner.index().filter(|_| planner.name() == "cpd" && !planner.is_stale());
        let Some(index) = index else { return Ok(JsValue::NULL) };
        let of = |goal: Cell| index.first_moves.filter(|_| planner.grid().is_free(goal))?.first_move(start, goal);
        let moves = table(planner.grid(), |goal| of(goal).map_or(-1, |dir| dir as i8));
        Ok(Int8Array::from(&moves[..]).into())
    }

    /// The rectangles x0, y0, x1, y1, ... that the first moves from a cell are kept in, by `cpd:layout=rectangles`;
    /// `null` of others.
    #[wasm_bindgen(unchecked_return_type = "Uint32Array | null")]
    pub fn rectangles(&self, x: f64, y: f64) -> Result<JsValue> {
        let (cell, planner) = (self.free_cell(x, y)?, self.engine.snapshot());
        let areas = planner.index().and_then(|index| index.first_moves?.areas(cell));
        Ok(areas.map_or(JsValue::NULL, |areas| flat_pairs(&areas).into()))
    }

    /// The ways from a cell to the hubs that it knows, by `hub-labels`: those of way `i` are the points from
    /// `offsets[i]` to before `offsets[i + 1]`, each x and y. `null` of other planners, and when the index is stale.
    #[wasm_bindgen(unchecked_return_type = "{ offsets: Uint32Array; points: Uint32Array } | null")]
    pub fn hubs(&self, x: f64, y: f64) -> Result<JsValue> {
        let (cell, planner) = (self.free_cell(x, y)?, self.engine.snapshot());
        let (mut offsets, mut points) = (vec![0], Vec::new());
        let Some(labels) = planner.index().and_then(|index| index.labels) else { return Ok(JsValue::NULL) };
        labels.ways_to_hubs(cell, &mut |way| {
            points.extend(flat(way.iter().copied()));
            offsets.push(points.len() as u32 / 2);
        });
        Ok(object(&[
            ("offsets", Uint32Array::from(&offsets[..]).into()),
            ("points", Uint32Array::from(&points[..]).into()),
        ]))
    }

    /// Builds an index that has gone stale anew, for about so many milliseconds at a time: whether that is done.
    /// Between two calls the engine can be asked and changed.
    pub fn renew(&mut self, ms: Option<f64>) -> Result<bool> {
        if self.renewal.is_none() && !self.engine.is_stale() {
            return Ok(true);
        }
        let time = Duration::try_from_secs_f64(ms.unwrap_or(4.0) / 1e3).unwrap_or(Duration::MAX);
        let renewal = self.renewal.get_or_insert_with(|| self.engine.renew_by_slices());
        let Some(end) = renewal.run(time) else { return Ok(false) };
        self.renewal = None;
        end.raised().map(|_| true)
    }

    /// The map as it is now: a copy, which changes of the engine's map do not reach.
    #[wasm_bindgen(getter)]
    pub fn grid(&self) -> Grid {
        self.engine.grid().into()
    }

    /// The planner's name; of `auto`, that of the planner that was chosen.
    #[wasm_bindgen(getter)]
    pub fn planner(&self) -> String {
        self.engine.name().to_owned()
    }

    /// The planner and its keys, as they were given; of `auto`, those that were chosen.
    #[wasm_bindgen(getter)]
    pub fn spec(&self) -> String {
        self.engine.chosen().map_or_else(|| self.spec.clone(), |spec| spec.to_string())
    }

    /// What the planner promises of its paths.
    #[wasm_bindgen(getter)]
    pub fn guarantee(&self) -> String {
        self.engine.guarantee().to_string()
    }

    /// How the planner takes a change of the map.
    #[wasm_bindgen(getter, js_name = onEdit, unchecked_return_type = "OnEdit")]
    pub fn on_edit(&self) -> String {
        self.engine.on_edit().name().to_owned()
    }

    /// Whether the planner's index is older than the map: answers stay right, but may take a search.
    #[wasm_bindgen(getter, js_name = isStale)]
    pub fn is_stale(&self) -> bool {
        self.engine.is_stale()
    }

    /// Whether paths go in any direction, over corners of cells.
    #[wasm_bindgen(getter, js_name = isAnyAngle)]
    pub fn is_any_angle(&self) -> bool {
        self.is_any_angle
    }

    /// Whether any-angle paths begin and end at the centres of cells, not at their upper left corners.
    #[wasm_bindgen(getter, js_name = endsAtCentres)]
    pub fn ends_at_centres(&self) -> bool {
        self.engine.ends() == Endpoints::Centres
    }

    /// How many edits the map has seen.
    #[wasm_bindgen(getter)]
    pub fn edits(&self) -> f64 {
        self.engine.edits() as f64
    }

    /// Memory of the planner's index in bytes, without the map.
    #[wasm_bindgen(getter, js_name = indexBytes)]
    pub fn index_bytes(&self) -> usize {
        self.engine.index_bytes()
    }

    /// Working memory in bytes that is kept for those who ask.
    #[wasm_bindgen(getter, js_name = scratchBytes)]
    pub fn scratch_bytes(&self) -> usize {
        self.engine.scratch_bytes()
    }

    /// How many microseconds the last edit took, as exactly as the clock tells; `undefined` if there was none.
    #[wasm_bindgen(getter, js_name = lastEditMicros)]
    pub fn last_edit_micros(&self) -> Option<f64> {
        self.engine.last_edit().map(|time| time.as_secs_f64() * 1e6)
    }

    /// A picture of the map, and of what is given, as SVG.
    pub fn svg(
        &self,
        #[wasm_bindgen(unchecked_optional_param_type = "PictureOptions")] options: &JsValue,
    ) -> Result<String> {
        self.picture(options)?.to_svg().raised()
    }

    /// A picture of the map, and of what is given, as PNG.
    pub fn png(
        &self,
        #[wasm_bindgen(unchecked_optional_param_type = "PictureOptions")] options: &JsValue,
    ) -> Result<Uint8Array> {
        Ok(Uint8Array::from(&self.picture(options)?.to_png().raised()?[..]))
    }
}
