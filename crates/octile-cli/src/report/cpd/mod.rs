//! What `octile paper cpd` reports: the document of `--json`, and [`text`] for people.

pub(crate) mod text;

use serde::Serialize;

use super::beside::Pair;
use super::json::SCHEMA;
use crate::papers::cpd::{Figures, KEY};

/// `paper cpd --json`. Tables that were not asked for are absent.
#[derive(Serialize)]
pub(crate) struct Document {
    schema: u32,
    paper: &'static str,
    citation: String,
    conditions: Conditions,
    /// Those measured.
    pub(crate) maps: usize,
    /// Those of the paper.
    paper_maps: usize,
    /// Those at hand that have more free cells than was asked for.
    left_out: Vec<LeftOut>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) databases: Option<Databases>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) speed: Option<Speed>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) nodes: Option<Nodes>,
    /// Of the answers, for the tables of speed and nodes.
    pub(crate) wrong: usize,
}

impl Document {
    /// One without a table yet.
    pub(crate) fn new(figures: &Figures, conditions: Conditions, left_out: Vec<LeftOut>) -> Self {
        Self {
            schema: SCHEMA,
            paper: KEY,
            citation: figures.citation.clone(),
            conditions,
            maps: 0,
            paper_maps: figures.claims.maps,
            left_out,
            databases: None,
            speed: None,
            nodes: None,
            wrong: 0,
        }
    }
}

/// What was run, and how it was timed.
#[derive(Clone, Serialize)]
pub(crate) struct Conditions {
    pub(crate) most_cells: u32,
    /// On each map.
    pub(crate) pairs: usize,
    /// The first.
    pub(crate) seed: u64,
    /// Of which the best counts.
    pub(crate) rounds: usize,
    /// How often in a row the same query is asked of a database in a warm round.
    pub(crate) warm_calls: u32,
    /// Of other memory, walked over before a cold query.
    pub(crate) cold_megabytes: usize,
    /// What the times of building are.
    pub(crate) build_time: String,
}

/// A map that was not measured.
#[derive(Serialize)]
pub(crate) struct LeftOut {
    pub(crate) map: String,
    pub(crate) free_cells: u32,
}

/// What the paper says, and what is so here.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Statement {
    pub(crate) of: String,
    /// None if the map was not measured.
    pub(crate) ours: Option<f64>,
    pub(crate) paper: f64,
    /// How the paper's number is meant: `about` it, `below` it and so on; empty if it is exact.
    pub(crate) says: &'static str,
    /// To be printed.
    #[serde(skip)]
    pub(crate) decimals: usize,
}

/// Table 1: Figures 4, 5 and 6, and what the text says of them.
#[derive(Serialize)]
pub(crate) struct Databases {
    pub(crate) lines: Vec<DatabaseLine>,
    pub(crate) sums: Sums,
    pub(crate) statements: Vec<Statement>,
}

/// The databases of a map.
#[derive(Clone, Serialize)]
pub(crate) struct DatabaseLine {
    pub(crate) map: String,
    pub(crate) free_cells: u32,
    /// The paper's.
    pub(crate) rectangles: Built,
    pub(crate) rectangles_mask: Built,
    pub(crate) squares: Built,
    pub(crate) squares_mask: Built,
    /// With the customary settings.
    pub(crate) runs: Built,
    pub(crate) squares_over_rectangles: f64,
    pub(crate) squares_over_rectangles_mask: f64,
    /// Of the paper's rectangles, for its three sizes of a record.
    pub(crate) compression_factors: [f64; 3],
    /// Of the paper's rectangles, in its records of 20 bytes.
    pub(crate) paper_bytes: u64,
    /// The same in records of 5 bytes.
    pub(crate) paper_small_bytes: u64,
}

/// A database.
#[derive(Clone, Serialize)]
pub(crate) struct Built {
    pub(crate) settings: String,
    pub(crate) records: u64,
    pub(crate) record_bits: u32,
    pub(crate) average_checks: f64,
    pub(crate) row_bytes: u64,
    /// All of the file.
    pub(crate) file_bytes: u64,
    /// As the conditions say.
    pub(crate) build_seconds: f64,
}

/// Over all maps.
#[derive(Serialize)]
pub(crate) struct Sums {
    pub(crate) maps: usize,
    pub(crate) free_cells: u64,
    pub(crate) rectangles: u64,
    pub(crate) rectangles_mask: u64,
    pub(crate) squares: u64,
    pub(crate) squares_mask: u64,
    pub(crate) runs: u64,
    /// Geometric means.
    pub(crate) squares_over_rectangles: f64,
    pub(crate) squares_over_rectangles_mask: f64,
    pub(crate) rectangles_file_bytes: u64,
    pub(crate) runs_file_bytes: u64,
    /// Of the paper's rectangles.
    pub(crate) build_seconds: f64,
}

/// Paths of similar cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Bin {
    pub(crate) cost_from: u32,
    pub(crate) cost_below: u32,
}

/// Table 2: Figure 2.
#[derive(Serialize)]
pub(crate) struct Speed {
    /// By cost.
    pub(crate) lines: Vec<SpeedLine>,
    /// Over all costs.
    pub(crate) all: Vec<SpeedLine>,
    pub(crate) first_moves: Vec<FirstMoveLine>,
    pub(crate) statements: Vec<Statement>,
}

/// A way of answering queries beside A\*.
#[derive(Serialize)]
pub(crate) struct SpeedLine {
    #[serde(flatten)]
    pub(crate) bin: Bin,
    pub(crate) queries: usize,
    pub(crate) planner: &'static str,
    pub(crate) output: &'static str,
    pub(crate) warm: Times,
    pub(crate) cold: Times,
    pub(crate) warm_ns_per_move: f64,
}

/// Means of a query.
#[derive(Clone, Copy, Serialize)]
pub(crate) struct Times {
    pub(crate) astar_us: f64,
    pub(crate) us: f64,
    /// The mean of the queries' own, as in the paper.
    pub(crate) speedup: Pair,
}

/// The first move alone.
#[derive(Serialize)]
pub(crate) struct FirstMoveLine {
    pub(crate) planner: &'static str,
    pub(crate) queries: usize,
    pub(crate) warm_ns: f64,
    pub(crate) cold_ns: f64,
}

/// Table 3: Figure 3.
#[derive(Serialize)]
pub(crate) struct Nodes {
    /// By cost.
    pub(crate) lines: Vec<NodesLine>,
    /// Over all costs.
    pub(crate) all: Option<NodesLine>,
    pub(crate) statements: Vec<Statement>,
}

/// What queries of similar cost take on average.
#[derive(Serialize)]
pub(crate) struct NodesLine {
    #[serde(flatten)]
    pub(crate) bin: Bin,
    pub(crate) queries: usize,
    pub(crate) astar_expanded: f64,
    /// Cells of the path, with both ends.
    pub(crate) path_nodes: f64,
    /// From turn to turn.
    pub(crate) lookups: f64,
    /// One for every move, as in the paper.
    pub(crate) lookups_by_move: f64,
    pub(crate) expanded_over_nodes: f64,
    pub(crate) expanded_over_lookups: f64,
}
