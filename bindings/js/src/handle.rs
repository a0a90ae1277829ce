//! Objects of this package that come inside others, such as in options.

use js_sys::{Function, Reflect};
use wasm_bindgen::convert::TryFromJsValue;
use wasm_bindgen::prelude::*;

use crate::errors::{self, Result};

/// An object of a class in an argument. Taking one from JavaScript would empty the object that it is in: so the object
/// is asked for another of the same, which is cheap. Every class that may be in an argument has `_handle` for that.
pub(crate) fn handle<T: TryFromJsValue>(value: &JsValue, what: &str, class: &str) -> Result<T> {
    let method = Reflect::get(value, &"_handle".into()).ok().and_then(|method| method.dyn_into::<Function>().ok());
    let other = method.and_then(|method| method.call0(value).ok()).and_then(|other| T::try_from_js_value(other).ok());
    other.ok_or_else(|| errors::argument(format!("{what}: expected {class}")))
}
