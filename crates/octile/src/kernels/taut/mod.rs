//! The parts of shortest paths in any direction: corners of obstacles, exact sight, taut hops. Three planners use them:
//! `taut-graph`, `taut-sight` and `taut-labels`.
//!
//! # The graph
//! Obstacles are unions of blocked cells, so a shortest path is a chain of straight lines that turns only at corners of
//! obstacles. A corner (`kind.rs`) has one blocked cell of four; where squeezing is allowed, it may also be a *pinch*,
//! two blocked cells that touch only there.
//!
//! **Taut ends.** Where a shortest path turns, it turns around the obstacle: a line to a corner must come in beside the
//! blocked cell, so that a turn towards the cell is possible at all. With the blocked cell at the lower right, that is
//! from below and not from the right, side 0, or from the right and not from below, side 1; along the obstacle counts.
//! A *hop* is a line between two corners in sight of each other that is taut at both ends. It may touch other corners
//! on the way.
//!
//! **Turns.** A path that arrives on one side continues on the other, by a true turn towards the obstacle: the cross
//! product of integers decides that. Going straight on is not a turn: a longer hop covers it, which the search takes
//! instead. The hops of a side are ordered by angle, starting along the obstacle; those that may follow a line are a
//! prefix. At a pinch, any direction of one free cell may follow any of the other.
//!
//! **One length per corner is enough.** Let two paths to a corner u be equally long, and let a hop to w be a turn after
//! one of them but not after the other. Then the other path through u to w has an angle that can be cut short at u, so
//! a shorter path to w exists, and the first path, which is as long, is not shortest either. So the nodes of a search
//! are corners, not pairs of a corner and a direction.
//!
//! # What is proved, and what is tested
//! Which points see each other, where a path may turn and how hops are ordered is decided exactly, in integers
//! (`cones.rs`, `kind.rs`). Lengths are sums of square roots in `f64`, which no finite precision orders with certainty:
//! two chains whose lengths differ by less than about one part in 10^13 may be mistaken for each other. The resulting
//! path is then longer than the shortest by no more than that; its own length is correct to a few units in the last
//! place. The argument that one length per corner is enough holds for equal lengths. For almost equal lengths it is
//! tested, not proved: against an oracle that tests every cell in integers and tries all corners of cells, on all small
//! worlds and on random maps, under both rules, from corners and from centres, and against published optima of large
//! maps.
//!
//! Limits: the side of a map is below 2^16, which suits the fixed-point arithmetic of `cones.rs` and 16-bit
//! coordinates. Numbers of corners take at most 28 bits, as there are at most 2^28 corners of cells. Hops are counted
//! in 32 bits, and a map with more is rejected.

pub(crate) mod cones;
mod corners;
mod graph;
mod kind;
mod search;
mod sector;
mod sights;

pub(crate) use self::corners::Corners;
pub(crate) use self::graph::{Effort, Graph, Hop, SectorPart, Slot, slot};
#[cfg(test)]
pub(crate) use self::kind::Vector;
pub(crate) use self::kind::{Side, Turn};
pub(crate) use self::search::{Arrival, Hops, Memory, Search};
pub(crate) use self::sector::{reach, seen, slopes};
