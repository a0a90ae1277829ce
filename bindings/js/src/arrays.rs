//! Typed arrays: copies that JavaScript keeps, views of memory that it looks at, and lists of cells.

use js_sys::{Array, Float64Array, Int32Array, Object, Reflect, Uint8Array, Uint32Array};
use octile::{Cell, Grid};
use wasm_bindgen::prelude::*;

use crate::errors::{self, Result};
use crate::options;

/// Numbers of a path that JavaScript looks at without a copy. The view holds until the numbers change or memory grows:
/// until the next call into the package, as the docs of those who give one say. What is read from it later is old or
/// the view is empty; it is never anything but numbers.
#[expect(unsafe_code, reason = "a view of memory, for paths without a copy")]
pub(crate) fn view_u32(numbers: &[u32]) -> Uint32Array {
    // SAFETY: the view is handed to JavaScript at once. Until that looks at it nothing here is freed or grows: the
    // numbers belong to an engine, which only another call can change. JavaScript has no way to break what Rust relies
    // on through it: any bits are numbers, and it owns no other part of memory.
    unsafe { Uint32Array::view(numbers) }
}

/// The same for places in any direction.
#[expect(unsafe_code, reason = "a view of memory, for paths without a copy")]
pub(crate) fn view_f64(numbers: &[f64]) -> Float64Array {
    // SAFETY: as above.
    unsafe { Float64Array::view(numbers) }
}

/// Cells as x, y, x, y, ...
pub(crate) fn flat(cells: impl IntoIterator<Item = Cell>) -> Vec<u32> {
    cells.into_iter().flat_map(|cell| [cell.x, cell.y]).collect()
}

/// Pairs of cells as x0, y0, x1, y1, ...
pub(crate) fn flat_pairs(pairs: &[(Cell, Cell)]) -> Uint32Array {
    let numbers: Vec<u32> = pairs.iter().flat_map(|(a, b)| [a.x, a.y, b.x, b.y]).collect();
    Uint32Array::from(&numbers[..])
}

/// A value for each cell, row by row.
pub(crate) fn table<T>(grid: &Grid, value: impl Fn(Cell) -> T) -> Vec<T> {
    grid.cells().map(value).collect()
}

/// The cells of an array of x, y, x, y, ...: a typed array, or a plain one.
pub(crate) fn cells(array: &JsValue, what: &str) -> Result<Vec<Cell>> {
    let numbers = numbers(array, what)?;
    if !numbers.len().is_multiple_of(2) {
        return Err(errors::argument(format!("{what}: expected x, y, x, y, ..., found {} numbers", numbers.len())));
    }
    numbers.chunks_exact(2).map(|pair| options::cell(pair[0], pair[1], what)).collect()
}

/// The numbers of an array.
fn numbers(array: &JsValue, what: &str) -> Result<Vec<f64>> {
    if let Some(array) = array.dyn_ref::<Uint32Array>() {
        return Ok(array.to_vec().into_iter().map(f64::from).collect());
    }
    if let Some(array) = array.dyn_ref::<Int32Array>() {
        return Ok(array.to_vec().into_iter().map(f64::from).collect());
    }
    let list = if Array::is_array(array) || array.is_object() { Array::from(array) } else { Array::new() };
    let number = |value: JsValue| value.as_f64().ok_or_else(|| errors::argument(format!("{what}: expected numbers")));
    if list.length() == 0 && !Array::is_array(array) && Reflect::get(array, &"length".into()).is_err() {
        return Err(errors::argument(format!("{what}: expected an array of x, y, x, y, ...")));
    }
    list.iter().map(number).collect()
}

/// The bytes of an array or a buffer.
pub(crate) fn bytes(value: &JsValue, what: &str) -> Result<Vec<u8>> {
    if let Some(array) = value.dyn_ref::<Uint8Array>() {
        return Ok(array.to_vec());
    }
    if value.is_instance_of::<js_sys::ArrayBuffer>() {
        return Ok(Uint8Array::new(value).to_vec());
    }
    Err(errors::argument(format!("{what}: expected a Uint8Array or an ArrayBuffer")))
}

/// An object with these values.
pub(crate) fn object(values: &[(&str, JsValue)]) -> JsValue {
    let object = Object::new();
    for (name, value) in values {
        // A new object takes any name.
        _ = Reflect::set(&object, &(*name).into(), value);
    }
    object.into()
}

/// A list of texts.
pub(crate) fn texts<S: AsRef<str>>(texts: impl IntoIterator<Item = S>) -> JsValue {
    texts.into_iter().map(|text| JsValue::from(text.as_ref())).collect::<Array>().into()
}
