//! Files that appear whole or not at all.

use std::path::Path;

use pyo3::prelude::*;

use crate::{errors, work};

/// Writes a file: beside its place, then renamed into it.
pub(crate) fn write(py: Python<'_>, path: &Path, bytes: &[u8]) -> PyResult<()> {
    let done = work::brief(py, || std::fs::write(path, bytes));
    done.map_err(|error| errors::write(format!("cannot write {}: {error}", path.display())))
}
