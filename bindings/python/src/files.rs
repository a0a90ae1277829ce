//! Files that appear whole or not at all.

use std::path::Path;

use pyo3::prelude::*;

use crate::errors::Raise;
use crate::work;

/// Writes a file: beside its place, then renamed into it.
pub(crate) fn write(py: Python<'_>, path: &Path, bytes: &[u8]) -> PyResult<()> {
    work::brief(py, || octile::files::write(path, bytes)).raised()
}
