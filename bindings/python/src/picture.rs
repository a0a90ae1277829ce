//! `octile.Picture`: a map with paths, searches and fields on it, for notebooks and files.

use std::path::PathBuf;

use octile::Grid;
use octile::formats::draw::Picture;
use octile::geometry::Endpoints;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::errors::{self, Raise};
use crate::field::PyField;
use crate::path::PyPath;
use crate::trace::PyTrace;
use crate::{files, work};

/// A picture. Notebooks show it; :meth:`png` and :meth:`svg` give it, :meth:`save` writes it to a file.
///
/// >>> picture = octile.Grid.open(9, 9).picture()
/// >>> picture.png()[1:4]
/// b'PNG'
#[pyclass(frozen, name = "Picture", module = "octile")]
pub(crate) struct PyPicture(Picture);

/// A map with what is to be seen on it.
pub(crate) fn of(
    grid: &Grid,
    path: Option<&PyPath>,
    trace: Option<&PyTrace>,
    field: Option<&PyField>,
    scale: Option<u32>,
) -> PyPicture {
    let mut picture = Picture::new(grid);
    if let Some(scale) = scale {
        picture = picture.scale(scale);
    }
    if let Some(field) = field {
        picture = picture.field(&field.now());
    }
    if let Some(trace) = trace {
        let [start, goal] = trace.ends;
        picture = picture.search(&trace.trace, start, goal).point_ends(start, goal);
    }
    if let Some(path) = path.or_else(|| trace.and_then(|trace| trace.path.as_ref())) {
        let ends = path.path.ends().unwrap_or(Endpoints::Centres);
        picture = picture.path(&path.path).point_ends(ends.point(path.ends.0), ends.point(path.ends.1));
    }
    PyPicture(picture)
}

#[pymethods]
impl PyPicture {
    /// The bytes of a PNG image.
    pub(crate) fn png<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = work::brief(py, || self.0.to_png()).raised()?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// The text of an SVG image.
    fn svg(&self, py: Python<'_>) -> PyResult<String> {
        work::brief(py, || self.0.to_svg()).raised()
    }

    /// Writes it to a file, whose name ends in ``.png`` or ``.svg``.
    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default().to_ascii_lowercase();
        let bytes = match ending.as_str() {
            "png" => work::brief(py, || self.0.to_png()).raised()?,
            "svg" => self.svg(py)?.into_bytes(),
            _ => return Err(errors::value(format!("{}: a picture's name ends in .png or .svg", path.display()))),
        };
        files::write(py, &path, &bytes)
    }

    fn _repr_png_<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        self.png(py)
    }
}
