//! Hub labels: what planners share that read shortest paths off an index.
//!
//! A graph has *sites*, places of a map where paths bend, and *links* between them: subgoals, or corners of obstacles.
//! Every site has a label, a list of hubs with what it costs to get there, so that the labels of any two connected
//! sites have a hub in common that lies on a shortest way between them. A cell of the map chooses what it needs from
//! the labels of the sites that it is connected to. So a query needs no search: the best hub that both ends know tells
//! the cost, and the trees of that hub the path.
//!
//! | part | has |
//! |---|---|
//! | `search.rs` | searches that stop where labels know the way already |
//! | `order.rs` | which sites become hubs first |
//! | `labels.rs` | the labels of sites, and the trees of hubs |
//! | `cells.rs` | what every cell keeps of them |
//! | `outlook.rs` | what a build is going to take |
//! | `file.rs` | the sections of an index file |
//! | `query.rs` | where two labels meet, and the path |
//! | `many.rs` | costs between many cells, and the nearest of many |
//!
//! **Why they share a hub** (Abraham et al. 2011; Akiba et al. 2013). Take a shortest way between two sites, and of all
//! sites on *all* shortest ways between them the one that became a hub first. The search from it found both ends: it is
//! stopped only at other hubs that came before, or where such a hub is known to lead there at no more cost, and either
//! would be on a shortest way between the two.
//!
//! Costs are whole numbers, so that sums are exact and ties are ties. A graph may say which links are of use behind
//! which ([`Graph::links`]); that some shortest way is left between any two sites is for it to prove.

pub(crate) mod cells;
pub(crate) mod file;
pub(crate) mod labels;
pub(crate) mod many;
mod order;
pub(crate) mod outlook;
pub(crate) mod query;
mod search;

use crate::kernels::ds::link::Link;

/// A graph that can be labelled. Its sites are numbered from 0, with so many bits.
pub(crate) trait Graph<const BITS: u32>: Sync {
    /// Costs of ways are below this.
    const LIMIT: u64;

    /// How many sites there are.
    fn len(&self) -> usize;

    /// How far the first hub of a component may be from its other sites. Twice as far, and the way to a cell at either
    /// end, is no less than any way in the component, and must be below [`LIMIT`](Graph::LIMIT).
    fn farthest(&self) -> u64;

    /// So many cells are no farther for certain.
    fn farthest_cells(&self) -> u32;

    /// The links by which a shortest way may go on at a site that it came to from the one `before`, or that it begins
    /// at.
    fn links(&self, site: u32, before: Option<u32>) -> &[Link<BITS>];
}

#[cfg(test)]
mod tests;
