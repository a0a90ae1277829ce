//! The npm package `octile`, as far as it is Rust: thin classes around the library's own.
//!
//! Points are `x, y`; arrays of cells go row by row, so that the cell at `x, y` is at `y * width + x`. What takes
//! options takes an object, and refuses names that it does not know. All numbers that stand for places are checked
//! here: JavaScript would turn -1 into a large number and 1.5 into 1.

#![expect(unreachable_pub, reason = "what JavaScript sees is public, wherever it stands")]

mod answer;
mod arrays;
mod catalog;
mod edits;
mod engine;
mod errors;
mod field;
mod grid;
mod handle;
mod index;
mod options;
mod path;
mod paths;
mod progress;
mod scenario;
mod trace;

use wasm_bindgen::prelude::*;

/// The version of the package.
#[wasm_bindgen]
pub fn version() -> String {
    env!("CARGO_PKG_VERSION").to_owned()
}
