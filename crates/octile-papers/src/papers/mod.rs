//! What the papers report, beside which our numbers stand.
//!
//! The figures are data, `data/papers.json`: for each paper its citation, where in it the figures stand, and the
//! figures under the names that the paper gives them. Its types here give them our names.

pub(crate) mod block_astar;
pub(crate) mod blocked_areas;
pub(crate) mod cpd;
pub(crate) mod rea_star;

use std::collections::BTreeMap;

use anyhow::{Context, Result};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

const PAPERS: &str = include_str!("../../data/papers.json");

/// The figures of the paper with this key.
fn figures<T: DeserializeOwned>(key: &str) -> Result<T> {
    let mut papers: BTreeMap<String, Value> = serde_json::from_str(PAPERS).context("the papers' figures")?;
    let paper = papers.remove(key).with_context(|| format!("there are no figures of the paper {key}"))?;
    serde_json::from_value(paper).with_context(|| format!("the figures of the paper {key}"))
}

/// A table of a paper.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Table<K: Ord, Row> {
    pub(crate) caption: String,
    pub(crate) rows: BTreeMap<K, Row>,
}
