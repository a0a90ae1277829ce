//! What `octile paper blocked-areas` reports: the document of `--json`, and [`text`] for people.

pub(crate) mod text;

use serde::Serialize;

use super::beside::Pair;
use super::json::SCHEMA;
use super::runs::Runs;
use crate::papers::blocked_areas::{Areas, Figures, KEY, MapName, Times, Walls};

/// `paper blocked-areas --json`. Tables that were not asked for are absent.
#[derive(Serialize)]
pub(crate) struct Document {
    schema: u32,
    paper: &'static str,
    citation: String,
    /// How many of the paper's maps are at hand, and how many it has.
    maps: usize,
    paper_maps: usize,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    table_2: Vec<Line<Walls>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    table_3: Vec<AreasLine>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) table_4: Option<Table4>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) table_a1: Option<TableA1>,
}

/// Our line of a table beside the paper's.
#[derive(Serialize)]
struct Line<Row> {
    map: String,
    ours: Row,
    paper: Row,
}

#[derive(Serialize)]
struct AreasLine {
    #[serde(flatten)]
    line: Line<Areas>,
    #[serde(flatten)]
    preprocessing: Preprocessing,
}

/// How long it takes to find the areas of a map.
#[derive(Clone, Copy, Serialize)]
pub(crate) struct Preprocessing {
    /// The paper's: its areas, and the tree over them.
    pub(crate) detection_ms: f64,
    /// What our planners need instead: its areas, made safe under the benchmark's rule.
    pub(crate) safe_ms: f64,
}

/// Table 4, and how it was made.
#[derive(Serialize)]
pub(crate) struct Table4 {
    #[serde(flatten)]
    pub(crate) runs: Runs,
    pub(crate) settings: Vec<SettingLines>,
}

/// Table 4 in one setting.
#[derive(Serialize)]
pub(crate) struct SettingLines {
    pub(crate) setting: &'static str,
    pub(crate) movement: &'static str,
    /// Whether x and y of the scenarios are exchanged.
    pub(crate) swapped: bool,
    pub(crate) queries: usize,
    pub(crate) wrong: usize,
    pub(crate) lines: Vec<RatioLine>,
}

/// What a planner that prunes takes on maps of a type, as the mean of its ratio to the planner that does not.
#[derive(Serialize)]
pub(crate) struct RatioLine {
    pub(crate) maps: String,
    pub(crate) at_hand: usize,
    pub(crate) queries: usize,
    pub(crate) planner: String,
    pub(crate) over: String,
    pub(crate) time: Pair,
    pub(crate) nodes: Pair,
}

/// Table A1 in the paper's setting, and how it was made.
#[derive(Serialize)]
pub(crate) struct TableA1 {
    #[serde(flatten)]
    pub(crate) runs: Runs,
    /// The four algorithms, as our planners.
    pub(crate) planners: Vec<String>,
    pub(crate) lines: Vec<TimesLine>,
}

/// A line of Table A1, as the mean of a query in microseconds.
#[derive(Serialize)]
pub(crate) struct TimesLine {
    pub(crate) map: String,
    pub(crate) queries: usize,
    pub(crate) ours_us: Times,
    pub(crate) paper_us: Times,
}

impl Document {
    /// One without a table yet.
    pub(crate) fn new(figures: &Figures, maps: usize) -> Self {
        Self {
            schema: SCHEMA,
            paper: KEY,
            citation: figures.citation.clone(),
            maps,
            paper_maps: figures.table_2.rows.len(),
            table_2: Vec::new(),
            table_3: Vec::new(),
            table_4: None,
            table_a1: None,
        }
    }

    pub(crate) fn add_walls(&mut self, map: MapName, ours: Walls, figures: &Figures) {
        let paper = figures.table_2.rows.get(&map).cloned();
        self.table_2.extend(paper.map(|paper| Line { map: map.to_string(), ours, paper }));
    }

    pub(crate) fn add_areas(&mut self, map: MapName, ours: Areas, preprocessing: Preprocessing, figures: &Figures) {
        let paper = figures.table_3.rows.get(&map).cloned();
        self.table_3
            .extend(paper.map(|paper| AreasLine { line: Line { map: map.to_string(), ours, paper }, preprocessing }));
    }
}
