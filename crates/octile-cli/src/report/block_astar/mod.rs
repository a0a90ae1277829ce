//! What `octile paper block-astar` reports: the document of `--json`, and [`text`] for people.

pub(crate) mod text;

use serde::Serialize;

use super::beside::Pair;
use super::json::SCHEMA;
use super::runs::Runs;
use crate::papers::block_astar::{Figures, Game, KEY};

/// `paper block-astar --json`. Tables that were not asked for are absent.
#[derive(Serialize)]
pub(crate) struct Document {
    schema: u32,
    paper: &'static str,
    citation: String,
    conditions: Conditions,
    /// The folders of games that are not at hand, and so absent from all tables.
    missing: Vec<&'static str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) table_1: Vec<SetLines>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) table_2: Option<SetLines>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) smoothing: Vec<SmoothingLine>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) cells: Vec<CellsLine>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) databases: Vec<DatabaseLine>,
}

/// Which queries were run on which maps.
#[derive(Clone, Copy, Serialize)]
pub(crate) struct Conditions {
    #[serde(flatten)]
    pub(crate) runs: Runs,
    /// For each share of obstacles.
    pub(crate) random_maps: usize,
    /// On each random map, and on each of Starcraft.
    pub(crate) problems: usize,
    /// Of Table 2.
    pub(crate) pairs: usize,
    /// The first.
    pub(crate) seed: u64,
    /// By what the sides of the paper's random and open maps were divided.
    pub(crate) shrink: usize,
    pub(crate) random_side: u32,
    pub(crate) open_side: u32,
}

/// A data set of Table 1, or Table 2.
#[derive(Serialize)]
pub(crate) struct SetLines {
    pub(crate) set: String,
    pub(crate) maps: usize,
    pub(crate) queries: usize,
    pub(crate) wrong: usize,
    pub(crate) lines: Vec<PlannerLine>,
    pub(crate) comparisons: Vec<Comparison>,
}

/// What a planner takes for a query of a data set, on average.
#[derive(Serialize)]
pub(crate) struct PlannerLine {
    pub(crate) planner: String,
    pub(crate) distance: Pair,
    pub(crate) expanded: Pair,
    pub(crate) time_us: Pair,
    /// Of the expansions, those of a block that had been expanded before; only of Block A\*.
    pub(crate) repeated_percent: Option<f64>,
}

/// A planner beside A\* and Theta\*.
#[derive(Serialize)]
pub(crate) struct Comparison {
    pub(crate) planner: String,
    pub(crate) distance_over_theta: Pair,
    pub(crate) speedup_over_astar: Pair,
    pub(crate) speedup_over_theta: Pair,
}

/// How much longer Block A\*'s paths are than Theta\*'s on a data set, before and after smoothing both.
#[derive(Serialize)]
pub(crate) struct SmoothingLine {
    pub(crate) set: String,
    pub(crate) planner: String,
    pub(crate) distance: f64,
    pub(crate) theta_distance: f64,
    pub(crate) longer_percent: Pair,
    pub(crate) smoothed_distance: f64,
    pub(crate) smoothed_theta_distance: f64,
    pub(crate) smoothed_longer_percent: f64,
}

/// Block A\* and A\* on the cells of a data set, under a movement rule.
#[derive(Serialize)]
pub(crate) struct CellsLine {
    pub(crate) set: String,
    pub(crate) movement: &'static str,
    pub(crate) planner: String,
    pub(crate) maps: usize,
    pub(crate) queries: usize,
    pub(crate) wrong: usize,
    pub(crate) expanded: f64,
    pub(crate) astar_expanded: f64,
    pub(crate) time_us: f64,
    pub(crate) astar_time_us: f64,
    pub(crate) speedup: f64,
}

/// A kind of local distance database.
#[derive(Serialize)]
pub(crate) struct DatabaseLine {
    pub(crate) kind: &'static str,
    pub(crate) build_ms: Pair,
    /// Of its file. The paper's is below its number.
    pub(crate) megabytes: Pair,
}

impl Document {
    /// One without a table yet.
    pub(crate) fn new(figures: &Figures, conditions: Conditions, missing: &[Game]) -> Self {
        Self {
            schema: SCHEMA,
            paper: KEY,
            citation: figures.citation.clone(),
            conditions,
            missing: missing.iter().map(|game| game.folder()).collect(),
            table_1: Vec::new(),
            table_2: None,
            smoothing: Vec::new(),
            cells: Vec::new(),
            databases: Vec::new(),
        }
    }
}
