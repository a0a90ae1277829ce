//! The library's errors as exceptions: the classes are in `js/errors.js`, the messages are the library's own.

use std::fmt::Display;

use octile::artifact::ArtifactError;
use octile::engine::RenewError;
use octile::formats::generate::GenerateError;
use octile::formats::movingai::scen::ScenError;
use octile::formats::{LoadFault, draw};
use octile::geometry::ParseError;
use octile::grid::{AgentError, EditFault};
use octile::path::{PathFault, PointsError};
use octile::planner::{EditError, SpecError};
use octile::{BuildError, GridError, QueryError};
use wasm_bindgen::prelude::*;

#[wasm_bindgen(raw_module = "./errors.js")]
extern "C" {
    /// An exception of a class.
    #[wasm_bindgen(js_name = octileError)]
    fn octile_error(class: &str, message: &str) -> JsValue;
}

/// What a call gives, or throws.
pub(crate) type Result<T, E = JsValue> = std::result::Result<T, E>;

fn raise(class: &str, message: impl Display) -> JsValue {
    octile_error(class, &message.to_string())
}

/// An argument that is not what it should be.
pub(crate) fn argument(message: impl Display) -> JsValue {
    raise("ArgumentError", message)
}

/// A question that cannot be asked.
pub(crate) fn query(message: impl Display) -> JsValue {
    raise("QueryError", message)
}

/// A file that cannot be read.
pub(crate) fn load(message: impl Display) -> JsValue {
    raise("LoadError", message)
}

/// An error of the library as an exception.
pub(crate) trait Raise<T> {
    /// The value, or the exception that tells why there is none.
    fn raised(self) -> Result<T>;
}

impl<T, E: Into<Raised>> Raise<T> for std::result::Result<T, E> {
    fn raised(self) -> Result<T> {
        self.map_err(|error| error.into().0)
    }
}

/// An exception made from an error of the library.
pub(crate) struct Raised(JsValue);

macro_rules! raised {
    ($($error:ty => $class:literal),+ $(,)?) => { $(
        impl From<$error> for Raised {
            fn from(error: $error) -> Self {
                Self(raise($class, error))
            }
        }
    )+ };
}

raised! {
    GridError => "GridError",
    GenerateError => "GridError",
    octile::formats::ascii::AsciiError => "GridError",
    ParseError => "ArgumentError",
    AgentError => "ArgumentError",
    octile::catalog::UnknownKind => "SpecError",
    SpecError => "SpecError",
    QueryError => "QueryError",
    EditError => "EditError",
    EditFault => "EditError",
    PathFault => "PathError",
    PointsError => "PathError",
    ArtifactError => "IndexFileError",
    octile::catalog::UnusedIndex => "IndexFileError",
    draw::DrawError => "DrawError",
    LoadFault => "LoadError",
    ScenError => "LoadError",
    RenewError => "BuildError",
}

impl From<BuildError> for Raised {
    fn from(error: BuildError) -> Self {
        let class = match &error {
            BuildError::Spec(_) => "SpecError",
            BuildError::Index(_) | BuildError::IndexFile { .. } => "IndexFileError",
            _ => "BuildError",
        };
        Self(raise(class, error))
    }
}
