//! `octile.Index`: an index that was built beforehand, in a file.

use std::path::PathBuf;
use std::sync::Arc;

use octile::artifact::Artifact;
use octile::{Catalog, Movement};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use crate::errors::Raise;
use crate::grid::PyGrid;
use crate::{files, work};

/// An index that was built beforehand: see :func:`octile.build_index`. An engine that is given one does not build it.
#[pyclass(frozen, name = "Index", module = "octile")]
pub(crate) struct PyIndex {
    pub(crate) artifact: Arc<Artifact>,
    pub(crate) file: Option<String>,
}

impl PyIndex {
    pub(crate) fn open(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        let artifact = work::brief(py, || Artifact::open(&path)).raised()?;
        Ok(Self { artifact: artifact.into(), file: Some(path.display().to_string()) })
    }
}

#[pymethods]
impl PyIndex {
    /// The kind of index.
    #[getter]
    fn kind(&self) -> &str {
        self.artifact.kind()
    }

    /// The version of its contents.
    #[getter]
    fn version(&self) -> u32 {
        self.artifact.kind_version()
    }

    /// The fingerprint of the map that it is for: :attr:`Grid.fingerprint`.
    #[getter]
    fn fingerprint(&self) -> u64 {
        self.artifact.fingerprint()
    }

    /// The size of that map, ``(height, width)``.
    #[getter]
    fn shape(&self) -> (u32, u32) {
        (self.artifact.height(), self.artifact.width())
    }

    /// The movement rule that it is for; ``None`` of an index that is for all maps.
    #[getter]
    fn movement(&self) -> Option<&'static str> {
        self.artifact.movement().map(Movement::name)
    }

    /// Its size in bytes.
    #[getter]
    fn size_bytes(&self) -> usize {
        self.artifact.size_bytes()
    }

    /// The file that it was opened from; ``None`` if it was made from bytes.
    #[getter]
    fn file(&self) -> Option<&str> {
        self.file.as_deref()
    }

    /// Reads all of it, and raises :class:`IndexFileError` if it is damaged; with a map, also if it was not made for
    /// exactly that.
    #[pyo3(signature = (grid=None))]
    fn verify(&self, py: Python<'_>, grid: Option<&PyGrid>) -> PyResult<()> {
        work::brief(py, || self.artifact.verify()).raised()?;
        let Some(grid) = grid else { return Ok(()) };
        let kind = Catalog::standard().index(self.artifact.kind()).raised()?;
        kind.check(&self.artifact, &grid.now()).raised()
    }

    /// What it holds, as names and values.
    fn describe<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let kind = Catalog::standard().index(self.artifact.kind()).raised()?;
        let facts = work::brief(py, || (kind.describe)(&self.artifact)).raised()?;
        let dict = PyDict::new(py);
        facts.into_iter().try_for_each(|(name, value)| dict.set_item(name, value))?;
        Ok(dict)
    }

    /// Writes it to a file. What was there is replaced when the new file is whole.
    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        files::write(py, &path, self.artifact.bytes())
    }

    fn __repr__(&self) -> String {
        format!(
            "Index({:?}, {} x {}, {} bytes)",
            self.kind(),
            self.artifact.width(),
            self.artifact.height(),
            self.size_bytes()
        )
    }
}

/// Opens an index file.
#[pyfunction]
pub(crate) fn open_index(py: Python<'_>, path: PathBuf) -> PyResult<PyIndex> {
    PyIndex::open(py, path)
}

/// An index from the bytes of a file.
#[pyfunction]
pub(crate) fn index_from_bytes(data: &Bound<'_, PyBytes>) -> PyResult<PyIndex> {
    let artifact = Artifact::from_bytes(data.as_bytes().to_vec().into()).raised()?;
    Ok(PyIndex { artifact: artifact.into(), file: None })
}
