//! Options: objects whose names are known.

use js_sys::{Function, Object, Reflect};
use octile::Cell;
use wasm_bindgen::prelude::*;

use crate::errors::{self, Result};

/// The options of a call.
pub(crate) struct Options<'a> {
    object: Option<&'a JsValue>,
}

impl<'a> Options<'a> {
    /// Refuses what is no object, and names that are not known.
    pub(crate) fn new(object: &'a JsValue, known: &[&str]) -> Result<Self> {
        if object.is_undefined() || object.is_null() {
            return Ok(Self { object: None });
        }
        let Some(object_of) = object.dyn_ref::<Object>().filter(|_| !object.is_function()) else {
            return Err(errors::argument(format!("expected an object with options: {}", known.join(", "))));
        };
        for name in Object::keys(object_of) {
            let name = name.as_string().unwrap_or_default();
            if !known.contains(&&*name) {
                return Err(errors::argument(format!(
                    "there is no option `{name}`: the options are {}",
                    known.join(", ")
                )));
            }
        }
        Ok(Self { object: Some(object) })
    }

    /// The value of a name; `None` if it is left out.
    pub(crate) fn get(&self, name: &str) -> Option<JsValue> {
        let value = Reflect::get(self.object?, &name.into()).ok()?;
        (!value.is_undefined() && !value.is_null()).then_some(value)
    }

    /// A text.
    pub(crate) fn text(&self, name: &str) -> Result<Option<String>> {
        let Some(value) = self.get(name) else { return Ok(None) };
        value.as_string().map(Some).ok_or_else(|| errors::argument(format!("{name}: expected a text")))
    }

    /// A text that is the name of something, or its default.
    pub(crate) fn named<T: std::str::FromStr + Default>(&self, name: &str) -> Result<T>
    where
        T::Err: std::fmt::Display,
    {
        self.text(name)?.map_or_else(|| Ok(T::default()), |text| named(name, &text))
    }

    /// A number.
    pub(crate) fn number(&self, name: &str) -> Result<Option<f64>> {
        let Some(value) = self.get(name) else { return Ok(None) };
        let number = value.as_f64().filter(|number| !number.is_nan());
        number.map(Some).ok_or_else(|| errors::argument(format!("{name}: expected a number")))
    }

    /// A whole number up to some other.
    pub(crate) fn whole(&self, name: &str, most: u32) -> Result<Option<u32>> {
        self.number(name)?.map(|number| whole(number, name, most)).transpose()
    }

    /// Yes or no.
    pub(crate) fn flag(&self, name: &str) -> Result<Option<bool>> {
        let Some(value) = self.get(name) else { return Ok(None) };
        value.as_bool().map(Some).ok_or_else(|| errors::argument(format!("{name}: expected true or false")))
    }

    /// A function.
    pub(crate) fn function(&self, name: &str) -> Result<Option<Function>> {
        let Some(value) = self.get(name) else { return Ok(None) };
        value.dyn_into().map(Some).map_err(|_| errors::argument(format!("{name}: expected a function")))
    }
}

/// Something by its name.
pub(crate) fn named<T: std::str::FromStr>(what: &str, name: &str) -> Result<T>
where
    T::Err: std::fmt::Display,
{
    name.parse().map_err(|error| errors::argument(format!("{what}: {error}")))
}

/// A whole number from 0 on.
pub(crate) fn whole(number: f64, what: &str, most: u32) -> Result<u32> {
    if number.fract() == 0.0 && (0.0..=f64::from(most)).contains(&number) {
        return Ok(number as u32);
    }
    Err(errors::argument(format!("{what} is {number}: expected a whole number from 0 to {most}")))
}

/// A seed: whole numbers are themselves, and one that is left out is 0.
pub(crate) fn seed(number: Option<f64>) -> Result<u64> {
    let number = number.unwrap_or(0.0);
    if number.fract() == 0.0 && (0.0..=9_007_199_254_740_991.0).contains(&number) {
        return Ok(number as u64);
    }
    Err(errors::argument(format!("seed is {number}: expected a whole number from 0 to 2^53 - 1")))
}

/// A cell; `None` if the numbers are those of none on any map.
#[inline]
#[expect(clippy::float_cmp, reason = "whole numbers are exact")]
pub(crate) fn near_cell(x: f64, y: f64) -> Option<Cell> {
    let (whole_x, whole_y) = (x as u32, y as u32);
    (f64::from(whole_x) == x && f64::from(whole_y) == y).then(|| Cell::new(whole_x, whole_y))
}

/// A cell. One that can be on no map is an error of the question.
pub(crate) fn cell(x: f64, y: f64, what: &str) -> Result<Cell> {
    near_cell(x, y)
        .ok_or_else(|| errors::query(format!("{what} {x},{y} is no cell: coordinates are whole numbers from 0 on")))
}
