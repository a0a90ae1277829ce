//! Shared by octile's own tests: naive oracles, a reader of case files, the judge of answers, random maps, the list of
//! planners to test, and commands as processes.

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

/// A setting from the environment, or its default.
///
/// # Panics
/// If its value does not parse.
pub fn setting<T: std::str::FromStr>(name: &str, default: T) -> T {
    match std::env::var(name) {
        Ok(value) => value.parse().unwrap_or_else(|_| panic!("invalid {name}={value}")),
        Err(_) => default,
    }
}

/// The code in README.md, compiled and run with the tests.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;

/// The code in docs/questions.md, compiled and run with the tests.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/questions.md")]
struct Questions;

/// The code in docs/changing-maps.md, compiled and run with the tests.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/changing-maps.md")]
struct ChangingMaps;

/// The code in docs/indexes.md, compiled and run with the tests.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/indexes.md")]
struct Indexes;

/// The code in docs/terrain.md, compiled and run with the tests.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/terrain.md")]
struct Terrain;
