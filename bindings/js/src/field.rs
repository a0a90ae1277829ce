//! `Field`: distances from all cells to the nearest of some goals.

use js_sys::{Float64Array, Int8Array, Uint32Array};
use octile::Output;
use wasm_bindgen::prelude::*;

use crate::arrays::{self, flat, table};
use crate::edits::Edits;
use crate::errors::{Raise, Result};
use crate::options;
use crate::path::Path;

/// The distances from all cells to the nearest of some goals, and the next step from each: for many units with one aim.
#[wasm_bindgen]
#[derive(Clone)]
pub struct Field {
    pub(crate) field: octile::Field,
}

#[wasm_bindgen]
impl Field {
    /// The lengths of shortest paths, row by row: `Infinity` where there is none.
    #[wasm_bindgen(getter)]
    pub fn lengths(&self) -> Float64Array {
        let lengths = table(self.field.grid(), |cell| self.field.length(cell).unwrap_or(f64::INFINITY));
        Float64Array::from(&lengths[..])
    }

    /// The next step from each cell, a number from 0 to 7 into `MOVES`; -1 at goals and where there is no path.
    #[wasm_bindgen(getter)]
    pub fn moves(&self) -> Int8Array {
        Int8Array::from(&table(self.field.grid(), |cell| self.field.next(cell).map_or(-1, |dir| dir as i8))[..])
    }

    /// The goals x, y, x, y, ...
    #[wasm_bindgen(getter)]
    pub fn goals(&self) -> Uint32Array {
        Uint32Array::from(&flat(self.field.goals().iter().copied())[..])
    }

    /// The next cell from a cell; `undefined` at a goal, and where there is no path.
    pub fn step(&self, x: f64, y: f64) -> Result<Option<Vec<u32>>> {
        Ok(self.field.step(options::cell(x, y, "cell")?).map(|cell| vec![cell.x, cell.y]))
    }

    /// Where a unit is to go that stands anywhere in a cell, as a vector of length 1; the middle of cell 0, 0 is 0.5,
    /// 0.5. `undefined` where there is no path.
    pub fn direction(&self, x: f64, y: f64) -> Option<Vec<f64>> {
        self.field.direction(x, y).map(|(x, y)| vec![x, y])
    }

    /// The shortest path from a cell to a goal.
    pub fn path(&self, x: f64, y: f64) -> Result<Option<Path>> {
        let (start, mut path) = (options::cell(x, y, "cell")?, octile::Path::new());
        let Some(goal) = self.field.goal(start) else { return Ok(None) };
        Ok(self.field.path(start, Output::Waypoints, &mut path).then(|| Path::new(path, start, goal)))
    }

    /// Changes its map, and only what that changes of it.
    pub fn apply(&mut self, edits: &Edits) -> Result<()> {
        self.field.apply(&edits.edits).raised().map(|_| ())
    }

    /// Finds the distances to other goals, in the same memory.
    #[wasm_bindgen(js_name = setGoals)]
    pub fn set_goals(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "ArrayLike<number>")] goals: &JsValue,
    ) -> Result<()> {
        self.field.set_goals(&arrays::cells(goals, "goal")?).raised()
    }

    /// Another object for the same field.
    #[wasm_bindgen(js_name = _handle, skip_typescript)]
    pub fn handle(&self) -> Field {
        self.clone()
    }
}
