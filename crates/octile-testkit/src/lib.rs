//! What octile's own tests share: naive oracles, a reader of case files, the one judge of answers, random maps, which
//! planners to ask, and commands as processes.

pub mod any_angle;
pub mod cases;
pub mod clearance;
pub mod judge;
pub mod maps;
pub mod model;
pub mod oracle;
pub mod planners;
pub mod process;
pub mod questions;

/// The README's code, compiled and run with the tests.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;

/// The code of the page about questions, likewise.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/questions.md")]
struct Questions;

/// The code of the page about maps that change, likewise.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/changing-maps.md")]
struct ChangingMaps;

/// The code of the page about index files, likewise.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/indexes.md")]
struct Indexes;

/// The code of the page about terrain, likewise.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/terrain.md")]
struct Terrain;
