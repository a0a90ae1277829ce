//! The Python package `octile`, as far as it is Rust: thin classes around the library's own.
//!
//! Everything that takes time runs without the GIL (`work.rs`). Points are `(x, y)`, arrays of cells are indexed `[y,
//! x]`.

#![expect(clippy::needless_pass_by_value, reason = "what Python hands over is owned")]
#![expect(clippy::doc_link_with_quotes, reason = "docs are for Python")]

mod answer;
mod batches;
mod border;
mod catalog;
mod cells;
mod edits;
mod engine;
mod errors;
mod field;
mod files;
mod generate;
mod georeference;
mod grid;
mod index;
mod parts;
mod path;
mod picture;
mod routes;
mod scenario;
mod trace;
mod work;

use octile::geometry::Dir;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyModule};

#[pymodule]
mod _octile {
    use super::{Bound, Dir, PyAnyMethods, PyModule, PyModuleMethods, PyResult, heed_forks};

    #[pymodule_export]
    use crate::answer::PyAnswer;
    #[pymodule_export]
    use crate::border::times_of_rust;
    #[pymodule_export]
    use crate::catalog::{PyAdvice, advise, index_kinds, planners};
    #[pymodule_export]
    use crate::edits::{PyEdits, View};
    #[pymodule_export]
    use crate::engine::PyEngine;
    #[pymodule_export]
    use crate::field::PyField;
    #[pymodule_export]
    use crate::generate::{caves, maze, random, regions, rooms, scenario};
    #[pymodule_export]
    use crate::georeference::PyGeoreference;
    #[pymodule_export]
    use crate::grid::{PyGrid, load};
    #[pymodule_export]
    use crate::index::{PyIndex, index_from_bytes, open_index};
    #[pymodule_export]
    use crate::parts::{PyPartBuilder, PyPartsBuild, build_index};
    #[pymodule_export]
    use crate::path::{PyCost, PyPath, path_through};
    #[pymodule_export]
    use crate::picture::PyPicture;
    #[pymodule_export]
    use crate::routes::{PyCosts, PyPaths};
    #[pymodule_export]
    use crate::scenario::{PyDynamic, PyScenario, load_dynamic, load_scenario};
    #[pymodule_export]
    use crate::trace::PyTrace;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))?;
        module.add("MOVES", Dir::ALL.map(|dir| (dir.dx(), dir.dy())))?;
        module.add("MOVEMENTS", crate::catalog::movements())?;
        module.add("CONVENTIONS", crate::catalog::conventions())?;
        heed_forks(module.py())?;
        let at_exit = pyo3::wrap_pyfunction!(crate::work::_at_exit, module.py())?;
        PyModule::import(module.py(), "atexit")?.call_method1("register", (at_exit,)).map(|_| ())
    }
}

/// Asks Python to tell of forks.
fn heed_forks(py: Python<'_>) -> PyResult<()> {
    let os = PyModule::import(py, "os")?;
    if !os.hasattr("register_at_fork")? {
        return Ok(());
    }
    let hooks = PyDict::new(py);
    hooks.set_item("before", pyo3::wrap_pyfunction!(work::_before_fork, py)?)?;
    let after = pyo3::wrap_pyfunction!(work::_after_fork, py)?;
    hooks.set_item("after_in_parent", &after)?;
    hooks.set_item("after_in_child", &after)?;
    os.call_method("register_at_fork", (), Some(&hooks)).map(|_| ())
}
