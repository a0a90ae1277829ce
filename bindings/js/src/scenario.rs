//! `Scenario`: the problems of a benchmark.

use js_sys::Float64Array;
use octile::formats::generate::{self, ScenarioConfig};
use octile::formats::movingai::scen;
use wasm_bindgen::prelude::*;

use crate::errors::{self, Raise, Result};
use crate::grid::Grid;
use crate::options::Options;

/// Each source is a search of the whole map.
const MOST_SOURCES: u32 = 100_000;

/// The problems of a benchmark: from where to where, and how long the shortest path is.
#[wasm_bindgen]
pub struct Scenario {
    scenario: scen::Scenario,
}

#[wasm_bindgen]
impl Scenario {
    /// Reads a MovingAI `.scen` file.
    pub fn parse(
        text: &str,
        #[wasm_bindgen(unchecked_optional_param_type = "{ name?: string }")] options: &JsValue,
    ) -> Result<Scenario> {
        let name = Options::new(options, &["name"])?.text("name")?;
        let named = |error: scen::ScenError| match &name {
            Some(name) => errors::load(format!("{name}: {error}")),
            None => errors::load(error),
        };
        scen::parse(text.as_bytes()).map(|scenario| Self { scenario }).map_err(named)
    }

    /// Problems on a map with their exact lengths, in buckets by length like those of the benchmarks.
    pub fn generate(
        grid: &Grid,
        #[wasm_bindgen(
            unchecked_optional_param_type = "{ name?: string; perBucket?: number; bucketWidth?: number; sources?: number; seed?: number }"
        )]
        options: &JsValue,
    ) -> Result<Scenario> {
        let options = Options::new(options, &["name", "perBucket", "bucketWidth", "sources", "seed"])?;
        let config = ScenarioConfig {
            per_bucket: options.whole("perBucket", u32::MAX)?.unwrap_or(10) as usize,
            bucket_width: options.whole("bucketWidth", u32::MAX)?.unwrap_or(4),
            sources: options.whole("sources", MOST_SOURCES)?.unwrap_or(50) as usize,
            seed: crate::options::seed(options.number("seed")?)?,
        };
        let name = options.text("name")?.unwrap_or_else(|| "generated.map".to_owned());
        if name.contains(char::is_control) {
            return Err(errors::argument("the name of a map in a scenario can have no tabs and line breaks"));
        }
        Ok(Self { scenario: generate::scenario(&grid.grid, &name, &config) })
    }

    /// How many problems there are.
    #[wasm_bindgen(getter)]
    pub fn count(&self) -> usize {
        self.scenario.problems.len()
    }

    /// The name of the map, as the first problem has it.
    #[wasm_bindgen(getter)]
    pub fn map(&self) -> String {
        self.scenario.problems.first().map_or_else(String::new, |problem| problem.map.clone())
    }

    /// The problems in rows of five numbers: x and y of the start, x and y of the goal, and the length of the shortest
    /// path.
    #[wasm_bindgen(getter)]
    pub fn problems(&self) -> Float64Array {
        let row = |problem: &scen::Problem| {
            let (start, goal) = (problem.start, problem.goal);
            [start.x, start.y, goal.x, goal.y]
                .map(f64::from)
                .into_iter()
                .chain([problem.optimum().unwrap_or(f64::INFINITY)])
        };
        Float64Array::from(&self.scenario.problems.iter().flat_map(row).collect::<Vec<_>>()[..])
    }

    /// Throws `LoadError` if a problem is not one on this map: sizes differ, or an end is off the map or blocked.
    #[wasm_bindgen(js_name = checkFits)]
    pub fn check_fits(&self, grid: &Grid) -> Result<()> {
        self.scenario.problems.iter().try_for_each(|problem| problem.check_fits(&grid.grid)).raised()
    }

    /// The problems as a MovingAI `.scen` file.
    #[wasm_bindgen(js_name = toText)]
    pub fn to_text(&self) -> String {
        scen::write(&self.scenario)
    }
}
