//! `Trace`: a search, event by event.

use js_sys::Int32Array;
use octile::Point;
use octile::planner::Counts;
use octile::services::{Event, Film};
use wasm_bindgen::prelude::*;

use crate::arrays::{object, texts};
use crate::path::Path;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r#"
/** How often things happened in a search. */
export interface Counts { expanded: number; opened: number; improved: number; touched: number; sights: number; longestOpen: number }
"#;

/// A search, event by event, and what it found.
#[wasm_bindgen]
#[derive(Clone)]
pub struct Trace {
    pub(crate) film: Film,
    pub(crate) counts: Counts,
    pub(crate) found: Option<Path>,
    pub(crate) grid: octile::Grid,
    /// What the start and the goal stand for.
    pub(crate) ends: [Point; 2],
}

/// The names of the kinds of events, by number.
#[wasm_bindgen(js_name = eventKinds, unchecked_return_type = "string[]")]
pub fn event_kinds() -> JsValue {
    texts(Event::KINDS)
}

#[wasm_bindgen]
impl Trace {
    /// Rows of seven numbers: the kind (`EVENTS`), then x and y of up to three points. Cells and corners are in cells;
    /// both points of a sight and of a taut hop, and the first of what is seen, are in halves of a cell. What is not
    /// used is 0. A copy.
    #[wasm_bindgen(getter)]
    pub fn events(&self) -> Int32Array {
        let rows: Vec<[i32; 7]> = self.film.events().iter().map(|event| event.numbers()).collect();
        Int32Array::from(rows.as_flattened())
    }

    /// How many events there are.
    #[wasm_bindgen(getter)]
    pub fn length(&self) -> usize {
        self.film.events().len()
    }

    /// Whether there were more events than are kept.
    #[wasm_bindgen(getter, js_name = isCut)]
    pub fn is_cut(&self) -> bool {
        self.film.is_cut()
    }

    /// How often things happened, in the whole search.
    #[wasm_bindgen(getter, unchecked_return_type = "Counts")]
    pub fn counts(&self) -> JsValue {
        let Counts { opened, improved, expanded, touched, sights, longest_open, .. } = self.counts;
        let number = |count: u64| JsValue::from(count as f64);
        object(&[
            ("expanded", number(expanded)),
            ("opened", number(opened)),
            ("improved", number(improved)),
            ("touched", number(touched)),
            ("sights", number(sights)),
            ("longestOpen", number(longest_open)),
        ])
    }

    /// The path that was found.
    #[wasm_bindgen(getter)]
    pub fn path(&self) -> Option<Path> {
        self.found.clone()
    }

    /// The search as a trace for the Posthoc visualiser: JSON.
    pub fn posthoc(&self) -> String {
        octile::formats::posthoc::write(&self.film, &self.grid, self.found.as_ref().map(|found| &found.path))
    }

    /// Another object for the same trace.
    #[wasm_bindgen(js_name = _handle, skip_typescript)]
    pub fn handle(&self) -> Trace {
        self.clone()
    }
}
