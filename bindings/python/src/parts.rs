//! Indexes that are built beforehand, in one go or in parts that are kept: `octile.build_index`, `octile.PartsBuild`
//! and `octile.PartBuilder`.

use std::ops::Range;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use octile::planner::{InParts, IndexBuild, IndexKind, Progress};
use octile::services::parts::{PartsBuild, PartsError, write_part};
use octile::{Build, Catalog};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::engine::budget_of;
use crate::errors::{self, Raise};
use crate::files;
use crate::grid::PyGrid;
use crate::index::PyIndex;
use crate::work::{self, Meter, Teller};

/// Sources of a part of a local build.
const CHUNK: u32 = 1024;

/// Builds an index for a map and writes it to a file; an :class:`Engine` takes it by ``index=``.
///
/// ``kind`` is one of :func:`octile.index_kinds`, ``settings`` what it is like, as behind the colon of a planner. What
/// was there under that name is replaced when the new file is whole. An index that takes hours, a ``cpd``, is built in
/// parts that are kept in the folder ``PATH.parts``: if it is interrupted, by Ctrl-C or in any other way, the same call
/// goes on where it was.
///
/// >>> import os, tempfile
/// >>> grid, folder = octile.generate.rooms(64, 64, 8, seed=1), tempfile.mkdtemp()
/// >>> index = octile.build_index("hub-labels", grid, os.path.join(folder, "rooms.octx"))
/// >>> octile.Engine(grid, "hub-labels", index=index).find((1, 1), (62, 62)) is not None
/// True
#[pyfunction]
#[pyo3(signature = (kind, grid, path, *, settings="", budget="beforehand", threads=None, progress=None))]
#[expect(clippy::too_many_arguments, reason = "keywords of Python")]
pub(crate) fn build_index(
    py: Python<'_>,
    kind: &str,
    grid: &PyGrid,
    path: PathBuf,
    settings: &str,
    budget: &str,
    threads: Option<usize>,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<PyIndex> {
    let (index, within) = (Catalog::standard().index(kind).raised()?, budget_of(budget)?);
    let (now, teller) = (grid.now(), Teller::new(progress)?);
    octile::files::ensure_possible(&path).raised()?;
    if matches!(index.build, IndexBuild::InParts(_)) {
        let builder = builder(&index, grid, settings)?;
        work::long(py, threads, &teller, |cancel, meter| {
            let mut build = PartsBuild::open(builder, &path, ..)?;
            let missing = build.missing(u32::MAX).iter().map(|range| range.len() as u32).sum();
            let rows = Rows::new(meter, missing);
            build.run(CHUNK, &|| rows.count(), Some(cancel))
        })?
        .raised()?;
    } else {
        let bytes = work::long(py, threads, &teller, |cancel, meter| {
            let watch = |progress: Progress| meter.set(progress);
            index.build_with(&Build::new(&now).within(within).watched(&watch).cancelled_by(cancel), settings)
        });
        files::write(py, &path, &bytes?.raised()?)?;
    }
    PyIndex::open(py, path)
}

/// Who builds the parts of an index.
fn builder(index: &IndexKind, grid: &PyGrid, settings: &str) -> PyResult<Arc<dyn InParts>> {
    Ok(index.in_parts(&Build::new(&grid.now()), settings).raised()?.into())
}

fn range(first: u32, last: u32) -> PyResult<Range<u32>> {
    if first > last {
        return Err(errors::value(format!("sources go from the first to before the last: not from {first} to {last}")));
    }
    Ok(first..last)
}

/// Counts the rows of parts.
struct Rows<'a> {
    meter: &'a Meter,
    done: AtomicU64,
    all: u64,
}

impl<'a> Rows<'a> {
    fn new(meter: &'a Meter, sources: u32) -> Self {
        Self { meter, done: AtomicU64::new(0), all: sources.into() }
    }

    fn count(&self) {
        self.meter.set(Progress::new("sources", self.done.fetch_add(1, Ordering::Relaxed) + 1, self.all));
    }
}

/// Builds parts of an index: what the workers of a cluster hold. A part has the rows of some sources, numbered from 0;
/// there are as many as the map has free cells.
///
/// >>> grid = octile.generate.maze(20, 20, 2, seed=1)
/// >>> builder = octile.PartBuilder(grid)
/// >>> part = builder.part(0, 90)          # the bytes of a file
/// >>> builder.sources > 90 and len(part) > 0
/// True
#[pyclass(frozen, name = "PartBuilder", module = "octile")]
pub(crate) struct PyPartBuilder(Arc<dyn InParts>);

#[pymethods]
impl PyPartBuilder {
    #[new]
    #[pyo3(signature = (grid, *, kind="cpd", settings=""))]
    fn new(grid: &PyGrid, kind: &str, settings: &str) -> PyResult<Self> {
        builder(&Catalog::standard().index(kind).raised()?, grid, settings).map(Self)
    }

    /// How many sources there are.
    #[getter]
    fn sources(&self) -> u32 {
        self.0.sources()
    }

    /// What the index will be like.
    #[getter]
    fn settings(&self) -> String {
        self.0.settings()
    }

    /// The bytes of a file with the rows of the sources from ``first`` to before ``last``: the same on every machine,
    /// and on any number of threads.
    #[pyo3(signature = (first, last, *, threads=None, progress=None))]
    fn part<'py>(
        &self,
        py: Python<'py>,
        first: u32,
        last: u32,
        threads: Option<usize>,
        progress: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let sources = range(first, last)?;
        if last > self.0.sources() {
            return Err(PartsError::Outside { asked: sources, sources: 0..self.0.sources() }).raised();
        }
        let part = work::long(py, threads, &Teller::new(progress)?, |cancel, meter| {
            let rows = Rows::new(meter, last - first);
            self.0.part_unless(sources, &|| rows.count(), cancel).map(|part| part.finish())
        });
        Ok(PyBytes::new(py, &part?.raised()?))
    }

    /// As :meth:`part`, into the folder of a :class:`PartsBuild` that another process has begun: the name of the file.
    /// One that is there already is not built again.
    #[pyo3(signature = (folder, first, last, *, threads=None, progress=None))]
    fn write(
        &self,
        py: Python<'_>,
        folder: PathBuf,
        first: u32,
        last: u32,
        threads: Option<usize>,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<PathBuf> {
        let sources = range(first, last)?;
        work::long(py, threads, &Teller::new(progress)?, |cancel, meter| {
            let rows = Rows::new(meter, last - first);
            write_part(&*self.0, &folder, sources, &|| rows.count(), Some(cancel))
        })?
        .raised()
    }
}

/// An index that is being built in parts, in the folder ``PATH.parts`` beside the file that it will be: what the client
/// of a cluster holds. What is done stays there however the process ends, and no other build uses the folder meanwhile.
/// :func:`octile.build_index` and :func:`octile.dask.build_cpd` do all this for you.
///
/// >>> import os, tempfile
/// >>> grid, path = octile.generate.maze(20, 20, 2, seed=1), os.path.join(tempfile.mkdtemp(), "maze.octx")
/// >>> with octile.PartsBuild(grid, path) as build:
/// ...     part = octile.PartBuilder(grid).part(0, 90)   # on another machine
/// ...     _ = build.add(part)
/// ...     for first, last in build.missing(64):
/// ...         _ = build.build(first, last)
/// ...     index = build.finish()
/// >>> index.kind
/// 'cpd'
#[pyclass(frozen, name = "PartsBuild", module = "octile")]
pub(crate) struct PyPartsBuild(Mutex<Option<PartsBuild>>);

impl PyPartsBuild {
    fn with<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut PartsBuild) -> Result<T, PartsError> + Send,
    ) -> PyResult<T> {
        let done = work::brief(py, || {
            let mut build = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            build.as_mut().map(work)
        });
        done.ok_or_else(closed)?.raised()
    }
}

fn closed() -> PyErr {
    errors::value("this build is closed: open it again")
}

fn pairs(ranges: Vec<Range<u32>>) -> Vec<(u32, u32)> {
    ranges.into_iter().map(|range| (range.start, range.end)).collect()
}

#[pymethods]
impl PyPartsBuild {
    #[new]
    #[pyo3(signature = (grid, path, *, kind="cpd", settings=""))]
    fn new(py: Python<'_>, grid: &PyGrid, path: PathBuf, kind: &str, settings: &str) -> PyResult<Self> {
        let builder = builder(&Catalog::standard().index(kind).raised()?, grid, settings)?;
        let build = work::brief(py, || PartsBuild::open(builder, &path, ..)).raised()?;
        Ok(Self(Mutex::new(Some(build))))
    }

    /// Where the parts are kept.
    #[getter]
    fn folder(&self, py: Python<'_>) -> PyResult<String> {
        self.with(py, |build| Ok(build.folder().display().to_string()))
    }

    /// How many sources there are.
    #[getter]
    fn sources(&self, py: Python<'_>) -> PyResult<u32> {
        self.with(py, |build| Ok(build.sources().end))
    }

    /// The sources that are done, as pairs of the first and the one after the last.
    #[getter]
    fn done(&self, py: Python<'_>) -> PyResult<Vec<(u32, u32)>> {
        self.with(py, |build| Ok(pairs(build.done())))
    }

    /// How many parts were there when it was opened.
    #[getter]
    fn resumed(&self, py: Python<'_>) -> PyResult<usize> {
        self.with(py, |build| Ok(build.resumed()))
    }

    /// How many parts were damaged, and have to be built again.
    #[getter]
    fn damaged(&self, py: Python<'_>) -> PyResult<usize> {
        self.with(py, |build| Ok(build.damaged()))
    }

    /// The sources that are not done, in pieces of at most ``chunk``.
    fn missing(&self, py: Python<'_>, chunk: u32) -> PyResult<Vec<(u32, u32)>> {
        if chunk == 0 {
            return Err(errors::value("a chunk has at least 1 source"));
        }
        self.with(py, |build| Ok(pairs(build.missing(chunk))))
    }

    /// Builds a part here and keeps it; ``False`` if it was there.
    #[pyo3(signature = (first, last, *, threads=None, progress=None))]
    fn build(
        &self,
        py: Python<'_>,
        first: u32,
        last: u32,
        threads: Option<usize>,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<bool> {
        let sources = range(first, last)?;
        let done = work::long(py, threads, &Teller::new(progress)?, |cancel, meter| {
            let rows = Rows::new(meter, last - first);
            let mut build = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            build.as_mut().map(|build| build.build(sources, &|| rows.count(), Some(cancel)))
        });
        done?.ok_or_else(closed)?.raised()
    }

    /// Takes a part that was built elsewhere, as the bytes of a file; ``False`` if all of it was there. One that is not
    /// of this build is refused.
    fn add(&self, py: Python<'_>, part: &[u8]) -> PyResult<bool> {
        self.with(py, |build| build.add(part.to_vec()))
    }

    /// Takes a part that :meth:`PartBuilder.write` has written into the folder.
    fn adopt(&self, py: Python<'_>, first: u32, last: u32) -> PyResult<bool> {
        let sources = range(first, last)?;
        self.with(py, |build| build.adopt(sources))
    }

    /// Looks for parts that others have written into the folder: their sources.
    fn rescan(&self, py: Python<'_>) -> PyResult<Vec<(u32, u32)>> {
        self.with(py, |build| build.rescan().map(pairs))
    }

    /// Puts all parts together in the file that is to be, and removes their folder: the index. It is the same, byte for
    /// byte, whatever the parts were.
    fn finish(&self, py: Python<'_>) -> PyResult<PyIndex> {
        let artifact = self.with(py, PartsBuild::finish)?;
        Ok(PyIndex { artifact: artifact.into(), file: None })
    }

    /// Lets go of the folder. What is done stays there.
    fn close(&self, py: Python<'_>) {
        work::brief(py, || self.0.lock().unwrap_or_else(PoisonError::into_inner).take());
    }

    fn __enter__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    #[pyo3(signature = (*_raised))]
    fn __exit__(&self, py: Python<'_>, _raised: &Bound<'_, pyo3::types::PyTuple>) {
        self.close(py);
    }
}
