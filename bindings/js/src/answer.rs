//! `Answer`: what a question came to.

use octile::Cell;
use wasm_bindgen::prelude::*;

use crate::errors::{Raise, Result};
use crate::path::Path;

/// What a question came to: a path to a goal, to the cell nearest to one, or none.
#[wasm_bindgen]
pub struct Answer {
    pub(crate) answer: octile::Answer,
}

fn pair(cell: Option<Cell>) -> Option<Vec<u32>> {
    cell.map(|cell| vec![cell.x, cell.y])
}

#[wasm_bindgen]
impl Answer {
    /// How it ended.
    #[wasm_bindgen(getter, unchecked_return_type = "\"found\" | \"nearest\" | \"no-path\" | \"limit\"")]
    pub fn status(&self) -> String {
        self.answer.status().name().to_owned()
    }

    /// The path, if there is one.
    #[wasm_bindgen(getter)]
    pub fn path(&self) -> Result<Option<Path>> {
        let path = self.answer.path().raised()?;
        let ends = self.answer.start().zip(self.answer.goal());
        Ok(path.zip(ends).map(|(path, (start, goal))| Path::new(path.clone(), start, goal)))
    }

    /// Where the path begins, x and y.
    #[wasm_bindgen(getter)]
    pub fn start(&self) -> Option<Vec<u32>> {
        pair(self.answer.start())
    }

    /// Where it ends.
    #[wasm_bindgen(getter)]
    pub fn goal(&self) -> Option<Vec<u32>> {
        pair(self.answer.goal())
    }

    /// Which of the goals that is, counted from 0.
    #[wasm_bindgen(getter)]
    pub fn place(&self) -> Result<Option<usize>> {
        Ok(self.answer.summary().raised()?.place)
    }

    /// How far the end of the path is from the goal, as the crow flies.
    #[wasm_bindgen(getter)]
    pub fn away(&self) -> f64 {
        self.answer.away()
    }

    /// The limit that ended it.
    #[wasm_bindgen(getter)]
    pub fn limit(&self) -> Option<String> {
        self.answer.limit().map(|limit| limit.name().to_owned())
    }
}
