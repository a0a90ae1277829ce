//! Which planners there are, and which one to use.

use js_sys::Array;
use octile::catalog::COMMON_KEYS;
use octile::catalog::advise::{Candidate, Changes, Measured, Needs, Outcome, Rate, Size};
use octile::geometry::Dir;
use octile::grid::Convention;
use octile::planner::Entry;
use octile::planner::{Key, KeyValue, Requirement};
use octile::{Build, Catalog, Config, Movement, PlannerSpec};
use wasm_bindgen::prelude::*;

use crate::arrays::{object, texts};
use crate::errors::{self, Raise, Result};
use crate::grid::Grid;
use crate::options::Options;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r#"
/**
 * A key of a planner. `choices` is empty for one that takes numbers, sizes or files. It needs another key with a value
 * (`needs`; with `only`, just for that choice), or any-angle paths (`needsAnyAngle`).
 */
export interface KeyInfo {
    name: string; takes: string; help: string; choices: string[]; default: string | null;
    needs: { key: string; value: string; only?: string } | null; needsAnyAngle: boolean;
}
/** How a planner takes a change of the map. */
export type OnEdit = "follows" | "rebuilds" | "goes-stale" | "refuses";
/** A planner of the catalog. `index` says how much work its index is; `isRequired` names the keys that must be given. */
export interface PlannerInfo {
    name: string; summary: string; paper: string; guarantee: string; movements: Movement[]; takesPrices: boolean; isAnyAngle: boolean; onEdit: OnEdit;
    index: "none" | "map" | "corners" | "all-pairs"; variants: string[]; required: string[]; keys: KeyInfo[];
}
/** What a planner with some keys is. */
export interface SpecInfo { name: string; canonical: string; guarantee: string; isAnyAngle: boolean; takesPrices: boolean; movements: Movement[]; indexKinds: string[] }
/** A planner that was looked at; `leftOut` says why one was not measured. */
export interface Candidate { spec: string; micros?: number; p99Micros?: number; buildMicros?: number; editMicros?: number; indexBytes?: number; scratchBytes?: number; leftOut?: string }
/** Which planner to use on a map, and why; candidates come the best first. */
export interface Advice { spec: string; reasons: string[]; candidates: Candidate[] }
"#;

/// The eight moves by number, x and y of each: north, then clockwise.
#[wasm_bindgen]
pub fn moves() -> Vec<i32> {
    Dir::ALL.iter().flat_map(|dir| [dir.dx(), dir.dy()]).collect()
}

/// The names of movement rules.
#[wasm_bindgen(unchecked_return_type = "Movement[]")]
pub fn movements() -> JsValue {
    texts(Movement::ALL.iter().map(|movement| movement.name()))
}

/// The names of conventions of prices.
#[wasm_bindgen(unchecked_return_type = "Convention[]")]
pub fn conventions() -> JsValue {
    texts(Convention::ALL.iter().map(|convention| convention.name()))
}

/// The kinds of index that `Index.build` can build.
#[wasm_bindgen(js_name = indexKinds, unchecked_return_type = "string[]")]
pub fn index_kinds() -> JsValue {
    texts(Catalog::standard().indexes().iter().map(|index| index.kind))
}

/// All planners.
#[wasm_bindgen(unchecked_return_type = "PlannerInfo[]")]
pub fn planners() -> Array {
    Catalog::standard().planners().iter().copied().map(planner).collect()
}

fn planner(entry: Entry) -> JsValue {
    let (config, about) = (entry.config(), entry.about());
    let keys = entry.keys().iter().chain(&COMMON_KEYS).map(|key| self::key(&*config, key));
    object(&[
        ("name", about.name.into()),
        ("summary", about.summary.into()),
        ("paper", about.paper.into()),
        ("guarantee", config.facts().guarantee.to_string().into()),
        ("movements", texts(config.facts().movements.iter().map(|movement| movement.name()))),
        ("takesPrices", config.facts().terrain.into()),
        ("isAnyAngle", config.facts().guarantee.is_any_angle().into()),
        ("onEdit", config.facts().on_edit.name().into()),
        ("index", about.index.name().into()),
        ("variants", texts(about.variants)),
        ("required", texts(config.required())),
        ("keys", keys.collect::<Array>().into()),
    ])
}

fn key(config: &dyn Config, key: &Key) -> JsValue {
    let needs = if let Some(Requirement::Value { key, value, only, .. }) = key.needs {
        let needs = [("key", key.into()), ("value", value.into()), ("only", only.unwrap_or_default().into())];
        object(&needs[..if only.is_some() { 3 } else { 2 }])
    } else {
        JsValue::NULL
    };
    object(&[
        ("name", key.name.into()),
        ("takes", key.expected().into()),
        ("help", key.help.into()),
        ("choices", texts(key.takes.choices())),
        ("default", config.get_default(key.name).map_or(JsValue::NULL, JsValue::from)),
        ("needs", needs),
        ("needsAnyAngle", (key.needs == Some(Requirement::AnyAngle)).into()),
    ])
}

/// Reads a planner with its keys, such as `jps:prune=gates`; throws `SpecError` if it is none.
#[wasm_bindgen(js_name = parseSpec, unchecked_return_type = "SpecInfo")]
pub fn parse_spec(spec: &str) -> Result<JsValue> {
    let spec: PlannerSpec = spec.parse().raised()?;
    Ok(object(&[
        ("name", spec.about().name.into()),
        ("canonical", spec.canonical().into()),
        ("guarantee", spec.guarantee().to_string().into()),
        ("isAnyAngle", spec.guarantee().is_any_angle().into()),
        ("takesPrices", spec.takes_terrain().into()),
        ("movements", texts(spec.movements().iter().map(|movement| movement.name()))),
        ("indexKinds", texts(spec.index_kinds())),
    ]))
}

/// Tries planners on a map and tells which is the fastest that fits. `memory` is the most that index and working memory
/// may take, in bytes or as a text such as `100MB`; `changes` is how often the map changes, such as `0.01%/2000`, or
/// `true`. It takes a second or three for a large map.
#[wasm_bindgen(unchecked_return_type = "Advice")]
pub fn advise(
    grid: &Grid,
    #[wasm_bindgen(
        unchecked_optional_param_type = "{ memory?: number | string; changes?: boolean | string; anyAngle?: boolean }"
    )]
    options: &JsValue,
) -> Result<JsValue> {
    let options = Options::new(options, &["memory", "changes", "anyAngle"])?;
    let needs = Needs {
        memory_bytes: options.get("memory").map(|memory| size(&memory)).transpose()?,
        changes: options.get("changes").map(|changes| rate(&changes)).transpose()?.flatten(),
        any_angle: options.flag("anyAngle")?.unwrap_or_default(),
        ..Needs::default()
    };
    let advice = octile::catalog::advise::advise(Build::new(&grid.grid), &needs).raised()?;
    Ok(object(&[
        ("spec", advice.spec.to_string().into()),
        ("reasons", texts(&advice.reasons)),
        ("candidates", advice.candidates.iter().map(candidate).collect::<Array>().into()),
    ]))
}

fn candidate(candidate: &Candidate) -> JsValue {
    let spec = ("spec", JsValue::from(candidate.spec.to_string()));
    let micros = |time: std::time::Duration| JsValue::from(time.as_secs_f64() * 1e6);
    match &candidate.outcome {
        Outcome::Measured(Measured { build, index_bytes, scratch_bytes, mean, p99, edit, .. }) => object(&[
            spec,
            ("micros", micros(*mean)),
            ("p99Micros", micros(*p99)),
            ("buildMicros", micros(*build)),
            ("editMicros", edit.map_or(JsValue::UNDEFINED, micros)),
            ("indexBytes", (*index_bytes as f64).into()),
            ("scratchBytes", (*scratch_bytes as f64).into()),
        ]),
        Outcome::LeftOut(reason) => object(&[spec, ("leftOut", reason.to_string().into())]),
    }
}

fn size(memory: &JsValue) -> Result<u64> {
    if let Some(bytes) = memory.as_f64().filter(|&bytes| bytes >= 0.0) {
        return Ok(bytes as u64);
    }
    let size = memory.as_string().and_then(|text| text.parse::<Size>().ok()).map(|Size(bytes)| bytes);
    size.ok_or_else(|| errors::argument("memory: expected a number of bytes or a text such as \"100MB\""))
}

fn rate(changes: &JsValue) -> Result<Option<Rate>> {
    if let Some(changes) = changes.as_bool() {
        return Ok(Changes::from(changes).0);
    }
    let text = changes.as_string().unwrap_or_default();
    match Changes::parse(&text, Changes::TAKES) {
        Some(Changes(rate)) => Ok(rate),
        None => text.parse::<Rate>().raised().map(Some),
    }
}
