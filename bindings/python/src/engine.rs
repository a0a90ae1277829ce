//! `octile.Engine`: a planner that any thread can ask, on a map that can change.

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use numpy::PyArray1;
use octile::engine::Upkeep;
use octile::geometry::Endpoints;
use octile::grid::{Agent, Georeference};
use octile::planner::{Budget, Progress};
use octile::planner::{Counts, Indexes, ProbePair, Trace};
use octile::{Build, Catalog, Cell, Edits, Engine, Field, Path, PathQuery, PlannerSpec, Point, Query, QueryError};
use pyo3::exceptions::{PyTimeoutError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes, PyDict, PyList, PyString};

use crate::answer::PyAnswer;
use crate::batches::{Asking, matrix, output_of, seconds, terms};
use crate::cells::{self, PointArg};
use crate::edits::{PyEdits, View, What};
use crate::errors::{self, Raise};
use crate::field::PyField;
use crate::grid::PyGrid;
use crate::index::PyIndex;
use crate::path::PyPath;
use crate::picture::{self, PyPicture};
use crate::routes::{PyCosts, PyPaths};
use crate::trace::PyTrace;
use crate::work::{self, Teller};

/// A planner for a map. Any thread may ask it, and none holds the GIL while it searches; the map may change meanwhile,
/// and who is asking finishes on the map as it was.
///
/// ``planner`` is a name, as :func:`octile.planners` lists them, with keys behind a colon or as keywords:
/// ``Engine(grid, "weighted-astar", weight=2)`` is ``Engine(grid, "weighted-astar:weight=2")``. ``index`` is an index
/// file, an :class:`Index`, or a list of them, to use instead of building what they hold. ``budget`` is how much
/// building may take: ``"brief"`` (a second or two), ``"at-once"``, ``"beforehand"`` (minutes) or ``"unlimited"``.
/// ``progress`` is ``True`` for a bar, or a function of ``(stage, done, all)``.
///
/// >>> engine = octile.Engine(octile.Grid.parse("......\n.@@@@.\n......"), "corner-sweep")
/// >>> engine.find((0, 1), (5, 1)).length
/// 7.0
/// >>> engine.block[1, 1:5] = False        # the map changes, for all who hold the engine
/// >>> engine.find((0, 1), (5, 1)).length
/// 5.0
#[pyclass(frozen, name = "Engine", module = "octile")]
pub(crate) struct PyEngine {
    pub(crate) engine: Engine,
    recipe: Recipe,
    /// Where the map lies in the world.
    georeference: Option<Georeference>,
}

/// What an engine is made of: what a pickle holds beside its map.
#[derive(Clone)]
struct Recipe {
    spec: String,
    /// Names of index files.
    files: Vec<String>,
    budget: String,
    agent: Option<String>,
    /// The edits that the map had seen.
    edits: u64,
}

impl PyEngine {
    /// Changes the map.
    pub(crate) fn change(&self, py: Python<'_>, edits: &Edits) -> PyResult<()> {
        // Who builds its index again does that on all cores, and takes long.
        if self.engine.snapshot().rebuilds_for(edits) {
            return work::parallel(py, None, || self.engine.apply(edits))?.raised();
        }
        work::brief(py, || self.engine.apply(edits)).raised()
    }

    fn is_any_angle(&self) -> bool {
        self.engine.squeeze().is_some()
    }

    /// What the ends of a query stand for.
    fn ends_of(&self, start: Cell, goal: Cell) -> [Point; 2] {
        let ends = if self.is_any_angle() { self.engine.ends() } else { Endpoints::Centres };
        [start, goal].map(|cell| ends.point(cell))
    }
}

pub(crate) fn budget_of(name: &str) -> PyResult<Budget> {
    Budget::named(name).map_err(|error| errors::value(format!("budget: {error}")))
}

/// A spec from a name, which may have keys behind a colon, and keys as keywords.
fn spec_of(planner: &str, keys: Option<&Bound<'_, PyDict>>) -> PyResult<String> {
    let mut spec = planner.to_owned();
    for (key, value) in keys.into_iter().flatten() {
        let key = key.extract::<String>()?.replace('_', "-");
        let value = value_of(planner, &key, &value)?;
        let separator = if spec.contains(':') { ',' } else { ':' };
        spec = format!("{spec}{separator}{key}={value}");
    }
    Ok(spec)
}

/// The value of a key as text: `True` and `False` are the two words that the key takes.
fn value_of(planner: &str, key: &str, value: &Bound<'_, PyAny>) -> PyResult<String> {
    let text = value.str()?.to_string();
    if value.cast::<PyBool>().is_ok() || cells::is_numpy(value, "bool_")? {
        return word_of(planner, key, value.is_truthy()?);
    }
    if value.cast::<PyString>().is_ok() || value.extract::<i64>().is_ok() || value.hasattr("__fspath__")? {
        return Ok(text);
    }
    if let Ok(number) = value.extract::<f64>() {
        return Ok(number.to_string());
    }
    Err(PyTypeError::new_err(format!("{key}: expected a text, a number, True or False, not {text}")))
}

/// The one of the two words that a key takes.
fn word_of(planner: &str, key: &str, is_first: bool) -> PyResult<String> {
    let name = planner.split(':').next().unwrap_or_default();
    let entry = Catalog::standard().planner(name).raised()?;
    let known = entry.keys().iter().find(|known| known.name == key);
    let Some(known) = known else { return Ok(if is_first { "yes" } else { "no" }.to_owned()) };
    match known.takes.words() {
        [first, second] => Ok(if is_first { *first } else { *second }.to_owned()),
        _ => Err(errors::spec(format!("{key} is not yes or no: it takes {}", known.expected()))),
    }
}

/// Index files from their names, from `Index` objects, or from a list of these.
fn indexes_of(index: Option<&Bound<'_, PyAny>>, spec: &PlannerSpec) -> PyResult<(Indexes, Vec<String>)> {
    let (mut indexes, mut files) = (Indexes::default(), Vec::new());
    let Some(index) = index else { return Ok((indexes, files)) };
    let list = match index.cast::<PyList>() {
        Ok(list) => list.iter().collect(),
        Err(_) => vec![index.clone()],
    };
    for one in list {
        let one = match one.cast::<PyIndex>() {
            Ok(one) => one.clone(),
            Err(_) => Bound::new(one.py(), PyIndex::open(one.py(), one.extract()?)?)?,
        };
        files.extend(one.get().file.clone());
        indexes.push(std::sync::Arc::clone(&one.get().artifact));
    }
    spec.check_use(&indexes).raised()?;
    Ok((indexes, files))
}

#[pymethods]
impl PyEngine {
    #[new]
    #[pyo3(signature = (grid, planner="corner-sweep", *, index=None, budget="at-once", progress=None, threads=None, **keys))]
    #[expect(clippy::too_many_arguments, reason = "keywords of Python")]
    fn new(
        py: Python<'_>,
        grid: &PyGrid,
        planner: &str,
        index: Option<&Bound<'_, PyAny>>,
        budget: &str,
        progress: Option<&Bound<'_, PyAny>>,
        threads: Option<usize>,
        keys: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        let (spec, within) = (spec_of(planner, keys)?, budget_of(budget)?);
        let parsed: PlannerSpec = spec.parse().raised()?;
        let ((indexes, files), now) = (indexes_of(index, &parsed)?, grid.now());
        let engine = work::long(py, threads, &Teller::new(progress)?, |cancel, meter| {
            let watch = |progress: Progress| meter.set(progress);
            let build = Build::new(&now).with(indexes).within(within).watched(&watch).cancelled_by(cancel);
            Engine::build(parsed, &build)
        });
        let engine = engine?.raised()?;
        let edits = engine.edits();
        let recipe = Recipe { spec, files, budget: budget.to_owned(), agent: None, edits };
        Ok(Self { engine, recipe, georeference: grid.georeference })
    }

    /// The shortest path from one cell to another, or ``None`` if there is none. Points are ``(x, y)``.
    ///
    /// ``output`` says what the path has: ``"waypoints"``, its turning points (its cells can be had from them),
    /// ``"cells"``, or ``"cost"`` alone.
    ///
    /// >>> engine = octile.Engine(octile.Grid.parse("..@."), "jps")
    /// >>> engine.find((0, 0), (1, 0))
    /// Path(1, (0, 0) to (1, 0))
    /// >>> engine.find((0, 0), (3, 0)) is None  # not connected
    /// True
    /// >>> engine.find((0, 0), (2, 0))
    /// Traceback (most recent call last):
    ///     ...
    /// octile.QueryError: goal 2,0 is blocked: choose a free cell
    #[pyo3(signature = (start, goal, *, output="waypoints"))]
    fn find(&self, py: Python<'_>, start: PointArg, goal: PointArg, output: &str) -> PyResult<Option<PyPath>> {
        let (Some(start_cell), Some(goal_cell)) = (start.near_cell(), goal.near_cell()) else {
            let grid = self.engine.grid();
            start.cell("start", &grid)?;
            goal.cell("goal", &grid)?;
            return Ok(None);
        };
        let query = PathQuery::new(start_cell, goal_cell).output(output_of(output)?);
        let mut path = Path::new();
        let found = work::brief(py, || self.engine.plan(query, &mut path)).raised()?;
        Ok(found.then(|| PyPath::new(path, (start_cell, goal_cell), Some(self.engine.clone()))))
    }

    /// Answers a question in full.
    ///
    /// ``goals`` is one cell, or an array of them of which the nearest by path is taken. ``nearest=True`` asks for a
    /// path to the cell nearest to the goal where that cannot be reached, ``nearest="both"`` also from the cell nearest
    /// to a blocked start. ``max_cost``, ``max_expanded`` and ``timeout``, in seconds, are limits.
    ///
    /// >>> engine = octile.Engine(octile.Grid.parse("...@."), "corner-sweep")
    /// >>> answer = engine.ask((0, 0), (4, 0), nearest=True)
    /// >>> answer.status, answer.goal, answer.path.length
    /// ('nearest', (2, 0), 2.0)
    /// >>> engine.ask((1, 0), [(2, 0), (0, 0)]).place  # which of the goals
    /// 0
    #[pyo3(signature = (start, goals, *, nearest=None, max_cost=None, max_expanded=None, timeout=None, output="waypoints"))]
    #[expect(clippy::too_many_arguments, reason = "keywords of Python")]
    fn ask(
        &self,
        py: Python<'_>,
        start: PointArg,
        goals: &Bound<'_, PyAny>,
        nearest: Option<&Bound<'_, PyAny>>,
        max_cost: Option<f64>,
        max_expanded: Option<u64>,
        timeout: Option<f64>,
        output: &str,
    ) -> PyResult<PyAnswer> {
        let _inside = work::enter(py);
        let terms = terms(output, nearest, max_cost, max_expanded, timeout)?;
        let grid = self.engine.grid();
        let start = start.cell("start", &grid)?;
        let (one, many): (Option<Cell>, Vec<Cell>) = match goals.extract::<PointArg>() {
            Ok(goal) => (Some(goal.cell("goal", &grid)?), Vec::new()),
            Err(_) => (None, cells::cells(goals, "goal", &grid)?),
        };
        drop(grid);
        let query = one.map_or_else(|| Query::to_any(start, &many), |goal| Query::new(start, goal));
        let answer = work::brief(py, || self.engine.ask(terms.apply_to(query))).raised()?;
        Ok(PyAnswer { answer, engine: self.engine.clone() })
    }

    /// Answers many questions on all cores, from ``starts[i]`` to ``goals[i]``: two arrays of shape ``(n, 2)`` with
    /// ``(x, y)`` in each row, or one cell for all of one of them. The answers come as arrays, in the order of the
    /// questions.
    ///
    /// A question that cannot be asked, such as with a blocked end, raises :class:`QueryError` with its number; with
    /// ``errors="skip"`` its cost is ``nan``. Other keywords are those of :meth:`ask`; ``threads`` limits the cores.
    /// Ctrl-C ends it.
    #[pyo3(signature = (starts, goals, *, output="waypoints", nearest=None, max_cost=None, max_expanded=None, errors="raise", threads=None, progress=None))]
    #[expect(clippy::too_many_arguments, reason = "keywords of Python")]
    fn find_many(
        &self,
        py: Python<'_>,
        starts: &Bound<'_, PyAny>,
        goals: &Bound<'_, PyAny>,
        output: &str,
        nearest: Option<&Bound<'_, PyAny>>,
        max_cost: Option<f64>,
        max_expanded: Option<u64>,
        errors: &str,
        threads: Option<usize>,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<PyPaths> {
        let _inside = work::enter(py);
        let terms = terms(output, nearest, max_cost, max_expanded, None)?;
        let asking = Asking::new(threads, progress, errors)?;
        let routes = self.routes(py, starts, goals, terms, &asking)?;
        Ok(PyPaths::new(py, routes, self.is_any_angle()))
    }

    /// The costs of many paths, from ``starts[i]`` to ``goals[i]``, without the paths: as :meth:`find_many`.
    ///
    /// >>> engine = octile.Engine(octile.Grid.open(9, 9), "jps")
    /// >>> engine.costs([(0, 0), (0, 0)], [(8, 0), (3, 3)]).lengths
    /// array([8.        , 4.24264069])
    #[pyo3(signature = (starts, goals, *, max_cost=None, errors="raise", threads=None, progress=None))]
    #[expect(clippy::too_many_arguments, reason = "keywords of Python")]
    fn costs(
        &self,
        py: Python<'_>,
        starts: &Bound<'_, PyAny>,
        goals: &Bound<'_, PyAny>,
        max_cost: Option<f64>,
        errors: &str,
        threads: Option<usize>,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<PyCosts> {
        let _inside = work::enter(py);
        let terms = terms("cost", None, max_cost, None, None)?;
        let asking = Asking::new(threads, progress, errors)?;
        Ok(PyCosts::list(py, self.routes(py, starts, goals, terms, &asking)?))
    }

    /// The costs from every source to every target: arrays of shape ``(sources, targets)``.
    #[pyo3(signature = (sources, targets, *, threads=None, progress=None))]
    fn matrix(
        &self,
        py: Python<'_>,
        sources: &Bound<'_, PyAny>,
        targets: &Bound<'_, PyAny>,
        threads: Option<usize>,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<PyCosts> {
        let grid = self.engine.grid();
        let _inside = work::enter(py);
        let (sources, targets) = (cells::cells(sources, "source", &grid)?, cells::cells(targets, "target", &grid)?);
        drop(grid);
        let shape = [sources.len(), targets.len()];
        let columns = work::long(py, threads, &Teller::new(progress)?, |cancel, meter| {
            let told = |done, all| {
                meter.set(Progress::new("rows", done as u64, all as u64));
                !cancel.load(Ordering::Relaxed)
            };
            matrix(&self.engine, &sources, &targets, told)
        });
        Ok(PyCosts::table(py, columns?.raised()?, shape))
    }

    /// The nearest of many targets by the costs of paths: the places of up to ``count`` of them in the array, nearest
    /// first, and their lengths.
    ///
    /// >>> engine = octile.Engine(octile.Grid.parse("...\n@@.\n..."), "jps")
    /// >>> places, lengths = engine.nearest((0, 0), [(0, 2), (2, 0), (1, 0)], 2)
    /// >>> places.tolist(), lengths.tolist()
    /// ([2, 1], [1.0, 2.0])
    #[pyo3(signature = (start, targets, count=1))]
    #[expect(clippy::type_complexity, reason = "a pair of arrays")]
    fn nearest<'py>(
        &self,
        py: Python<'py>,
        start: PointArg,
        targets: &Bound<'py, PyAny>,
        count: usize,
    ) -> PyResult<(Bound<'py, PyArray1<i64>>, Bound<'py, PyArray1<f64>>)> {
        let grid = self.engine.grid();
        let _inside = work::enter(py);
        let (start, targets) = (start.cell("start", &grid)?, cells::cells(targets, "target", &grid)?);
        drop(grid);
        let found = work::brief(py, || self.engine.k_nearest(start, &targets, count)).raised()?;
        let places = PyArray1::from_iter(py, found.iter().map(|(place, _)| *place as i64));
        Ok((places, PyArray1::from_iter(py, found.iter().map(|(_, cost)| cost.length()))))
    }

    /// The distances from all cells to the nearest of some goals, on the map as it is now; up to ``max_cost`` if that
    /// is given.
    #[pyo3(signature = (goals, *, max_cost=None))]
    fn field(&self, py: Python<'_>, goals: &Bound<'_, PyAny>, max_cost: Option<f64>) -> PyResult<PyField> {
        let grid = self.engine.grid();
        let goals = match goals.extract::<PointArg>() {
            Ok(goal) => vec![goal.cell("goal", &grid)?],
            Err(_) => cells::cells(goals, "goal", &grid)?,
        };
        if max_cost.is_some_and(f64::is_nan) {
            return Err(QueryError::MaxCost).raised();
        }
        let field = work::brief(py, || Field::within(&grid, &goals, max_cost.unwrap_or(f64::INFINITY)));
        field.raised().map(PyField::new)
    }

    /// What a search from one cell to another does: which cells it expands, in order. For teaching and research.
    fn trace(slf: &Bound<'_, Self>, start: PointArg, goal: PointArg) -> PyResult<PyTrace> {
        let (py, engine) = (slf.py(), &slf.get().engine);
        let grid = engine.grid();
        let (start, goal) = (start.cell("start", &grid)?, goal.cell("goal", &grid)?);
        drop(grid);
        let (mut counts, mut trace, mut path) = (Counts::default(), Trace::default(), Path::new());
        let found = work::brief(py, || {
            engine.plan_probed(Query::new(start, goal), &mut path, &mut ProbePair(&mut counts, &mut trace))
        })
        .raised()?;
        let ends = slf.get().ends_of(start, goal);
        let path = found.then(|| PyPath::new(path, (start, goal), Some(engine.clone())));
        Ok(PyTrace::new(trace, counts, path, slf.clone().unbind(), ends))
    }

    /// The same engine for an agent of some size, on the same map: ``"square:2"``, which stands with its upper left
    /// cell on the cells of paths, or ``"disc:1.5"``, with its centre at theirs.
    ///
    /// >>> engine = octile.Engine(octile.Grid.parse("......\n.@....\n......"), "corner-sweep")
    /// >>> wagon = engine.for_agent("square:2")
    /// >>> engine.block[1, 1] = False          # for all agents
    /// >>> wagon.find((0, 0), (4, 1)).cost
    /// Cost(3+1√2)
    fn for_agent(&self, py: Python<'_>, agent: &str) -> PyResult<Self> {
        let parsed: Agent = agent.parse().raised()?;
        let engine = work::long(py, None, &Teller::new(None)?, |_, _| self.engine.for_agent(parsed))?.raised()?;
        let edits = engine.edits();
        let recipe = Recipe { agent: Some(agent.to_owned()), edits, ..self.recipe.clone() };
        Ok(Self { engine, recipe, georeference: self.georeference })
    }

    /// Makes all changes of an :class:`Edits`, for all who hold the engine, or none if one of them cannot be made.
    fn apply(&self, py: Python<'_>, edits: &PyEdits) -> PyResult<()> {
        self.change(py, &edits.now())
    }

    /// The cells of the map to be read and changed, as an array indexed ``[y, x]``: ``True`` is blocked.
    #[getter]
    fn block(slf: Bound<'_, Self>) -> View {
        View::of_engine(slf.unbind(), What::Blocked)
    }

    /// The prices of the map's cells to be read and changed, as an array indexed ``[y, x]``.
    #[getter]
    fn price(slf: Bound<'_, Self>) -> View {
        View::of_engine(slf.unbind(), What::Price)
    }

    /// Whether a path that was found before can still be walked on the map as it is now. It may no longer be the
    /// shortest.
    fn still_valid(&self, path: &PyPath) -> bool {
        self.engine.still_valid(&path.path)
    }

    /// Whether a path leads from one cell to another: it takes no search.
    fn connected(&self, a: PointArg, b: PointArg) -> bool {
        let (Some(a), Some(b)) = (a.near_cell(), b.near_cell()) else { return false };
        self.engine.may_connect(a, b)
    }

    /// Builds the planner anew for the map as it is now, beside all who ask. Waits for it, up to ``timeout`` seconds,
    /// unless ``wait`` is false.
    ///
    /// >>> engine = octile.Engine(octile.Grid.open(20, 20), "cpd")
    /// >>> engine.block[0:18, 10] = True
    /// >>> engine.is_stale                     # it answers, but has to search
    /// True
    /// >>> engine.renew()
    /// >>> engine.is_stale
    /// False
    #[pyo3(signature = (*, wait=true, timeout=None))]
    fn renew(&self, py: Python<'_>, wait: bool, timeout: Option<f64>) -> PyResult<()> {
        let timeout = timeout.map(seconds).transpose()?;
        let (renewal, begin) = (self.engine.renew(), Instant::now());
        if !wait {
            return Ok(());
        }
        loop {
            py.check_signals()?;
            if let Some(done) = work::brief(py, || renewal.wait_for(Duration::from_millis(20))) {
                return done.raised().map(|_| ());
            }
            if timeout.is_some_and(|timeout| begin.elapsed() >= timeout) {
                return Err(PyTimeoutError::new_err("the planner is not built yet: it goes on beside your program"));
            }
        }
    }

    /// Lets the engine build its index anew by itself, beside all who ask, when there has been no edit for ``quiet``
    /// seconds, or ``at_latest`` seconds after the first; ``keep_fresh(None)`` ends that.
    #[pyo3(signature = (quiet=0.25, *, at_latest=10.0))]
    fn keep_fresh(&self, quiet: Option<f64>, at_latest: Option<f64>) -> PyResult<()> {
        let Some(quiet) = quiet else {
            self.engine.keep_fresh(None);
            return Ok(());
        };
        let upkeep = Upkeep::after(seconds(quiet)?);
        self.engine.keep_fresh(match at_latest {
            Some(time) => upkeep.at_latest(seconds(time)?),
            None => upkeep,
        });
        Ok(())
    }

    /// The map as it is now: a copy, which changes of the engine's map do not reach.
    #[getter]
    fn grid(&self) -> PyGrid {
        PyGrid::placed(self.engine.grid(), self.georeference)
    }

    /// The planner's name; of ``auto``, that of the planner that was chosen.
    #[getter]
    fn planner(&self) -> &'static str {
        self.engine.name()
    }

    /// The planner and its keys, as they were given; of ``auto``, those that were chosen.
    #[getter]
    fn spec(&self) -> String {
        self.engine.chosen().map_or_else(|| self.recipe.spec.clone(), |spec| spec.to_string())
    }

    /// What the planner promises of its paths.
    #[getter]
    fn guarantee(&self) -> String {
        self.engine.guarantee().to_string()
    }

    /// How the planner takes a change of the map: ``"follows"``, ``"rebuilds"``, ``"goes-stale"`` or ``"refuses"``.
    #[getter]
    fn on_edit(&self) -> &'static str {
        self.engine.on_edit().name()
    }

    /// Whether the planner's index is older than the map: answers stay right, but may take a search.
    #[getter]
    fn is_stale(&self) -> bool {
        self.engine.is_stale()
    }

    /// How many edits the map has seen.
    #[getter]
    fn edits(&self) -> u64 {
        self.engine.edits()
    }

    /// How long the last edit took, in seconds; ``None`` if there was none.
    #[getter]
    fn last_edit(&self) -> Option<f64> {
        self.engine.last_edit().map(|time| time.as_secs_f64())
    }

    /// Memory of the planner's index in bytes, without the map.
    #[getter]
    fn index_bytes(&self) -> usize {
        self.engine.index_bytes()
    }

    /// Working memory in bytes that is kept for those who ask.
    #[getter]
    fn scratch_bytes(&self) -> usize {
        self.engine.scratch_bytes()
    }

    /// A picture of the map as it is now, with what is to be seen on it; notebooks show it.
    #[pyo3(signature = (*, path=None, trace=None, field=None, scale=None))]
    fn picture(
        &self,
        path: Option<&PyPath>,
        trace: Option<&PyTrace>,
        field: Option<&PyField>,
        scale: Option<u32>,
    ) -> PyPicture {
        picture::of(&self.engine.grid(), path, trace, field, scale)
    }

    /// What the engine was made of, beside the map: planner, index files and budget.
    #[pyo3(name = "_recipe")]
    fn recipe_now(&self) -> (String, Vec<String>, String) {
        let Recipe { spec, files, budget, edits, .. } = self.recipe.clone();
        // Index files are for the map as it was.
        let files = if self.engine.edits() == edits { files } else { Vec::new() };
        (spec, files, budget)
    }

    fn __repr__(&self) -> String {
        let (grid, spec) = (self.engine.grid(), self.spec());
        let agent = self.recipe.agent.as_ref().map_or_else(String::new, |agent| format!(", for {agent}"));
        format!("Engine({spec:?}, {} x {}{agent})", grid.width(), grid.height())
    }

    fn _repr_png_<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        picture::of(&self.engine.grid(), None, None, None, None).png(py)
    }

    /// A pickle holds the map as it is now and what the engine was made of; it is built anew, or taken from its index
    /// files if the map is as it was.
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
        let (py, (spec, files, budget)) = (slf.py(), slf.get().recipe_now());
        if slf.get().recipe.agent.is_some() {
            return Err(PyTypeError::new_err(
                "an engine for an agent cannot be pickled: pickle the engine it was made of",
            ));
        }
        let state = (slf.get().grid(), spec, files, budget).into_pyobject(py)?.into_any();
        Ok((slf.get_type().getattr("_restore")?, state))
    }

    #[staticmethod]
    fn _restore(py: Python<'_>, grid: &PyGrid, spec: &str, files: &Bound<'_, PyList>, budget: &str) -> PyResult<Self> {
        Self::new(py, grid, spec, Some(files.as_any()), budget, None, None, None)
    }
}
