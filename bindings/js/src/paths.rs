//! `Paths`: the answers of a batch as columns.

use js_sys::{Float64Array, Int32Array, Uint32Array};
use octile::Status;
use octile::engine::Routes;
use wasm_bindgen::prelude::*;

use crate::arrays::texts;

/// The answers of a batch as columns, one row a query, and all points in one list.
#[wasm_bindgen]
pub struct Paths {
    pub(crate) routes: Routes,
    pub(crate) is_any_angle: bool,
}

fn numbers(column: &[i64]) -> Float64Array {
    Float64Array::from(&column.iter().map(|&number| number as f64).collect::<Vec<_>>()[..])
}

#[wasm_bindgen]
impl Paths {
    /// How many queries it answers.
    #[wasm_bindgen(getter)]
    pub fn count(&self) -> usize {
        self.routes.len()
    }

    /// The lengths: `Infinity` where there is no path, `NaN` where the query could not be asked.
    #[wasm_bindgen(getter)]
    pub fn lengths(&self) -> Float64Array {
        Float64Array::from(&self.routes.lengths[..])
    }

    /// The straight moves of grid paths, over terrain the sums of their prices in parts; -1 where there is no such
    /// path.
    #[wasm_bindgen(getter)]
    pub fn straight(&self) -> Float64Array {
        numbers(&self.routes.straight)
    }

    /// The diagonal moves, as `straight`.
    #[wasm_bindgen(getter)]
    pub fn diagonal(&self) -> Float64Array {
        numbers(&self.routes.diagonal)
    }

    /// The points of query `i` are those from `offsets[i]` to before `offsets[i + 1]`.
    #[wasm_bindgen(getter)]
    pub fn offsets(&self) -> Uint32Array {
        Uint32Array::from(&self.routes.offsets.iter().map(|&offset| offset as u32).collect::<Vec<_>>()[..])
    }

    /// All points x, y, x, y, ...: turning points of grid paths, and of any-angle paths places in halves of a cell.
    #[wasm_bindgen(getter)]
    pub fn points(&self) -> Int32Array {
        Int32Array::from(self.routes.points.as_flattened())
    }

    /// How each ended; `error` for one that could not be asked.
    #[wasm_bindgen(getter, unchecked_return_type = "string[]")]
    pub fn statuses(&self) -> JsValue {
        let name = |(&status, length): (&Status, &f64)| if length.is_nan() { "error" } else { status.name() };
        texts(self.routes.statuses.iter().zip(&self.routes.lengths).map(name))
    }

    /// Whether paths go in any direction, over corners of cells.
    #[wasm_bindgen(getter, js_name = isAnyAngle)]
    pub fn is_any_angle(&self) -> bool {
        self.is_any_angle
    }

    /// The points of one answer; none if there is no path, or no such answer.
    pub fn route(&self, query: usize) -> Int32Array {
        Int32Array::from(self.routes.route(query).as_flattened())
    }
}
