//! Hub labels, shared by the planners that read shortest paths from an index.
//!
//! A graph has *sites*, positions on a map where paths bend, and *links* between them. Sites are subgoals or corners of
//! obstacles. Every site has a label: a list of hubs with the costs to reach them. The labels of any two connected
//! sites share a hub that lies on a shortest path between them. A cell selects what it needs from the labels of the
//! sites it is connected to. So a query needs no search: the best hub in the labels of both ends gives the cost, and
//! the trees of that hub give the path.
//!
//! | part | contents |
//! |---|---|
//! | `search.rs` | searches that stop where labels already give the cost |
//! | `order.rs` | the order in which sites become hubs |
//! | `labels.rs` | the labels of sites, and the trees of hubs |
//! | `cells.rs` | the records of cells |
//! | `limits.rs`, `outlook.rs` | the budget of a build, and estimates of what it will take |
//! | `file.rs` | the sections of an index file |
//! | `query.rs` | the hub where two labels meet, and the path |
//! | `many.rs` | costs between many cells, and the nearest of many |
//!
//! **Why labels share a hub** (Abraham et al. 2011; Akiba et al. 2013). Take a shortest path between two sites, and of
//! all sites on *all* shortest paths between them the one that became a hub first. The search from it found both ends:
//! a search stops only at earlier hubs, or where an earlier hub is known to give a path at no higher cost, and in both
//! cases that earlier hub would be on a shortest path between the two.
//!
//! Costs are whole numbers, so that sums are exact and ties are ties. A graph may declare which links are useful after
//! which ([`Graph::links`]); it must prove that some shortest path remains between any two sites.

pub(crate) mod cells;
pub(crate) mod file;
pub(crate) mod labels;
pub(crate) mod limits;
pub(crate) mod many;
mod order;
pub(crate) mod outlook;
pub(crate) mod query;
mod search;

use crate::kernels::ds::link::Link;

/// A graph that can be labelled. Its sites are numbered from 0; a number has at most `BITS` bits.
pub(crate) trait Graph<const BITS: u32>: Sync {
    /// Costs of paths are below this.
    const LIMIT: u64;

    /// The number of sites.
    fn len(&self) -> usize;

    /// The maximum allowed cost from the first hub of a component to its other sites. Twice this, plus the cost to a
    /// cell at either end, is an upper bound of every path in the component, and must be below [`LIMIT`](Graph::LIMIT).
    fn farthest(&self) -> u64;

    /// A number of cells that is certainly within [`farthest`](Graph::farthest).
    fn farthest_cells(&self) -> u32;

    /// The links by which a shortest path may leave a site, if it came from the site `before` or begins here.
    fn links(&self, site: u32, before: Option<u32>) -> &[Link<BITS>];
}

#[cfg(test)]
mod tests;
