//! `Edits`: changes of a map, made all at once.

use octile::Cell;
use wasm_bindgen::prelude::*;

use crate::errors::Result;
use crate::options;

/// Changes of a map, in order, made all at once by `Engine.apply` or `Grid.apply`. A rectangle is given by two opposite
/// corners, both of which belong to it.
#[wasm_bindgen]
#[derive(Default)]
pub struct Edits {
    pub(crate) edits: octile::Edits,
}

fn at(x: f64, y: f64) -> Result<Cell> {
    options::cell(x, y, "edited cell")
}

#[wasm_bindgen]
impl Edits {
    /// No changes yet.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Edits {
        Self::default()
    }

    /// Blocks a cell.
    #[wasm_bindgen(unchecked_return_type = "Edits")]
    pub fn block(&mut self, x: f64, y: f64) -> Result<()> {
        self.edits.block(at(x, y)?);
        Ok(())
    }

    /// Frees a cell.
    #[wasm_bindgen(unchecked_return_type = "Edits")]
    pub fn unblock(&mut self, x: f64, y: f64) -> Result<()> {
        self.edits.free(at(x, y)?);
        Ok(())
    }

    /// Blocks a rectangle of cells.
    #[wasm_bindgen(js_name = blockRect, unchecked_return_type = "Edits")]
    pub fn block_rect(&mut self, x0: f64, y0: f64, x1: f64, y1: f64) -> Result<()> {
        self.edits.block_rect(at(x0, y0)?, at(x1, y1)?);
        Ok(())
    }

    /// Frees a rectangle of cells.
    #[wasm_bindgen(js_name = unblockRect, unchecked_return_type = "Edits")]
    pub fn unblock_rect(&mut self, x0: f64, y0: f64, x1: f64, y1: f64) -> Result<()> {
        self.edits.free_rect(at(x0, y0)?, at(x1, y1)?);
        Ok(())
    }

    /// Gives a cell a price, from 1 to 255, on a map with prices.
    #[wasm_bindgen(unchecked_return_type = "Edits")]
    pub fn price(&mut self, x: f64, y: f64, price: f64) -> Result<()> {
        self.edits.price(at(x, y)?, options::whole(price, "price", 255)? as u8);
        Ok(())
    }

    /// Gives a rectangle of cells a price.
    #[wasm_bindgen(js_name = priceRect, unchecked_return_type = "Edits")]
    pub fn price_rect(&mut self, x0: f64, y0: f64, x1: f64, y1: f64, price: f64) -> Result<()> {
        self.edits.price_rect(at(x0, y0)?, at(x1, y1)?, options::whole(price, "price", 255)? as u8);
        Ok(())
    }

    /// Forgets all changes.
    #[wasm_bindgen(unchecked_return_type = "Edits")]
    pub fn clear(&mut self) -> JsValue {
        self.edits.clear();
        JsValue::UNDEFINED
    }

    /// How many changes there are.
    #[wasm_bindgen(getter)]
    pub fn length(&self) -> usize {
        self.edits.len()
    }
}
