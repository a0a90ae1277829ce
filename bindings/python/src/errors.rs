//! The library's errors as exceptions: the classes are in `_errors.py`, the messages are the library's own.

use std::fmt::Display;

use octile::artifact::{ArtifactError, OpenError, OpenFault};
use octile::engine::RenewError;
use octile::files::FileFault;
use octile::files::WriteError;
use octile::formats::generate::GenerateError;
use octile::formats::{LoadFault, draw};
use octile::grid::{AgentError, EditFault};
use octile::path::{PathFault, PointsError};
use octile::planner::{EditError, IndexFault, SpecError};
use octile::services::parts::PartsError;
use octile::{BuildError, GridError, LoadError, QueryError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyModule, PyType};

/// The classes, by name.
macro_rules! classes {
    ($($function:ident = $name:literal;)+) => { $(
        /// An exception of this class.
        pub(crate) fn $function(message: impl Display) -> PyErr {
            static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
            raise(&CLASS, $name, &message.to_string())
        }
    )+ };
}

classes! {
    grid = "GridError";
    spec = "SpecError";
    build = "BuildError";
    query = "QueryError";
    edit = "EditError";
    path = "PathError";
    points = "PointsError";
    load = "LoadError";
    missing_file = "MissingFileError";
    index_file = "IndexFileError";
    write = "WriteError";
    picture = "DrawError";
    renew = "RenewError";
    value = "ArgumentError";
}

fn raise(class: &'static PyOnceLock<Py<PyType>>, name: &str, message: &str) -> PyErr {
    Python::attach(|py| {
        let found = class.get_or_try_init(py, || {
            let errors = PyModule::import(py, "octile._errors")?;
            errors.getattr(name)?.cast_into::<PyType>().map(Bound::unbind).map_err(PyErr::from)
        });
        match found {
            Ok(class) => PyErr::from_type(class.bind(py).clone(), (message.to_owned(),)),
            Err(error) => error,
        }
    })
}

/// An error of the library as an exception.
pub(crate) trait Raise<T> {
    /// The value, or the exception that tells why there is none.
    fn raised(self) -> PyResult<T>;
}

impl<T, E: Into<Raised>> Raise<T> for Result<T, E> {
    fn raised(self) -> PyResult<T> {
        self.map_err(|error| error.into().0)
    }
}

/// An exception made from an error of the library.
pub(crate) struct Raised(pub(crate) PyErr);

macro_rules! raised {
    ($($error:ty => $class:ident),+ $(,)?) => { $(
        impl From<$error> for Raised {
            fn from(error: $error) -> Self {
                Self($class(error))
            }
        }
    )+ };
}

raised! {
    GridError => grid,
    GenerateError => grid,
    octile::formats::ascii::AsciiError => grid,
    octile::geometry::ParseError => value,
    octile::catalog::UnknownKind => spec,
    AgentError => value,
    SpecError => spec,
    QueryError => query,
    EditError => edit,
    EditFault => edit,
    PathFault => path,
    PointsError => points,
    ArtifactError => index_file,
    octile::catalog::UnusedIndex => index_file,
    draw::DrawError => picture,
    RenewError => renew,
    WriteError => write,
}

impl From<BuildError> for Raised {
    fn from(error: BuildError) -> Self {
        Self(match &error {
            BuildError::Spec(_) => spec(error),
            BuildError::IndexFile { fault: IndexFault::Unreadable { reason, .. }, .. }
                if matches!(**reason, FileFault::Missing) =>
            {
                missing_file(error)
            }
            BuildError::Index(_) | BuildError::IndexFile { .. } => index_file(error),
            _ => build(error),
        })
    }
}

impl From<PartsError> for Raised {
    fn from(error: PartsError) -> Self {
        match error {
            PartsError::Build(error) => error.into(),
            PartsError::Write(error) => error.into(),
            PartsError::Open(error) => error.into(),
            PartsError::Refused { .. } | PartsError::Merge { .. } => Self(index_file(error)),
            _ => Self(build(error)),
        }
    }
}

impl From<OpenError> for Raised {
    fn from(error: OpenError) -> Self {
        Self(match error.fault {
            OpenFault::File(FileFault::Missing) => missing_file(error),
            _ => index_file(error),
        })
    }
}

impl From<LoadError> for Raised {
    fn from(error: LoadError) -> Self {
        let file = error.file.display().to_string();
        let raised = match error.fault {
            LoadFault::File(FileFault::Missing) => missing_file(error),
            _ => load(error),
        };
        Python::attach(|py| {
            // Without its name the message still tells it.
            _ = raised.value(py).setattr("file", file);
        });
        Self(raised)
    }
}

/// The exception with the number of the question in its batch.
pub(crate) fn in_batch(number: usize, error: &QueryError) -> PyErr {
    numbered(number, query(error))
}

/// The exception of a query with its number.
pub(crate) fn numbered(number: usize, error: PyErr) -> PyErr {
    Python::attach(|py| {
        let raised = query(format!("query {number}: {}", error.value(py)));
        _ = raised.value(py).setattr("query", number);
        raised
    })
}
