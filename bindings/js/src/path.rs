//! `Path`: a way from one cell to another.

use js_sys::{Float64Array, Uint32Array};
use octile::grid::Squeeze;
use octile::{Cell, Output};
use wasm_bindgen::prelude::*;

use crate::arrays::flat;
use crate::errors::{Raise, Result};
use crate::grid::Grid;
use crate::options;

/// A path, with its exact cost.
#[wasm_bindgen]
#[derive(Clone)]
pub struct Path {
    pub(crate) path: octile::Path,
    pub(crate) ends: [Cell; 2],
}

impl Path {
    pub(crate) fn new(path: octile::Path, start: Cell, goal: Cell) -> Self {
        Self { path, ends: [start, goal] }
    }
}

/// The turning points of a grid path.
pub(crate) fn turns(path: &octile::Path, numbers: &mut Vec<u32>) -> Result<()> {
    numbers.clear();
    numbers.extend(path.waypoints().raised()?.flat_map(|cell| [cell.x, cell.y]));
    Ok(())
}

/// The points of an any-angle path, in cells.
pub(crate) fn spots(path: &octile::Path, numbers: &mut Vec<f64>) -> Result<()> {
    numbers.clear();
    numbers.extend(path.vertices().raised()?.flat_map(|spot| [spot.x(), spot.y()]));
    Ok(())
}

/// What a call is to return.
pub(crate) fn output_of(name: Option<&str>) -> Result<Output> {
    match name {
        None | Some("waypoints") => Ok(Output::Waypoints),
        Some("cells") => Ok(Output::Cells),
        Some("cost") => Ok(Output::Cost),
        Some(name) => {
            Err(crate::errors::argument(format!("output is \"waypoints\", \"cells\" or \"cost\", not \"{name}\"")))
        }
    }
}

#[wasm_bindgen]
impl Path {
    /// The length; over terrain, the cost.
    #[wasm_bindgen(getter)]
    pub fn length(&self) -> f64 {
        self.path.length()
    }

    /// The exact cost as text, such as `12+7√2`; the length of an any-angle path.
    #[wasm_bindgen(getter)]
    pub fn cost(&self) -> String {
        self.path.cost().to_string()
    }

    /// The straight moves of a grid path, over terrain the sum of their prices in parts; `undefined` of an any-angle
    /// path.
    #[wasm_bindgen(getter)]
    pub fn straight(&self) -> Option<f64> {
        self.path.cost().counts().map(|counts| f64::from(counts.straight))
    }

    /// The diagonal moves, as `straight`.
    #[wasm_bindgen(getter)]
    pub fn diagonal(&self) -> Option<f64> {
        self.path.cost().counts().map(|counts| f64::from(counts.diagonal))
    }

    /// Whether it goes in any direction, over corners of cells.
    #[wasm_bindgen(getter, js_name = isAnyAngle)]
    pub fn is_any_angle(&self) -> bool {
        self.path.is_any_angle()
    }

    /// Its turning points x, y, x, y, ...: cells of a grid path; of an any-angle path places in cells, so that the
    /// middle of cell 0, 0 is 0.5, 0.5. A copy.
    #[wasm_bindgen(getter, unchecked_return_type = "Uint32Array | Float64Array")]
    pub fn points(&self) -> Result<JsValue> {
        if self.path.is_any_angle() {
            let mut numbers = Vec::new();
            spots(&self.path, &mut numbers)?;
            return Ok(Float64Array::from(&numbers[..]).into());
        }
        let mut numbers = Vec::new();
        turns(&self.path, &mut numbers)?;
        Ok(Uint32Array::from(&numbers[..]).into())
    }

    /// All cells x, y, x, y, ... of a grid path. A copy.
    #[wasm_bindgen(getter)]
    pub fn cells(&self) -> Result<Uint32Array> {
        Ok(Uint32Array::from(&flat(self.path.cells().raised()?)[..]))
    }

    /// Throws `PathError` unless it is a legal path on a map, from its start to its goal, and costs what it says.
    pub fn check(&self, grid: &Grid) -> Result<()> {
        self.path.check(&grid.grid, self.ends[0], self.ends[1]).raised()
    }

    /// The same path pulled straight, as an any-angle path. `squeeze` says whether it may pass between two blocked
    /// cells that touch at a corner.
    pub fn smooth(
        &self,
        grid: &Grid,
        #[wasm_bindgen(unchecked_param_type = "\"allowed\" | \"forbidden\"")] squeeze: Option<String>,
    ) -> Result<Path> {
        let squeeze = squeeze.map_or(Ok(Squeeze::default()), |name| options::named("squeeze", &name))?;
        self.check(grid)?;
        let mut smoothed = self.clone();
        smoothed.path.smooth(&grid.grid, squeeze);
        Ok(smoothed)
    }

    /// Another object for the same path.
    #[wasm_bindgen(js_name = _handle, skip_typescript)]
    pub fn handle(&self) -> Path {
        self.clone()
    }
}
