//! What shortest paths in any direction are made of: corners of obstacles, exact sight, taut hops. Three planners stand
//! on it: `taut-graph`, `taut-sight` and `taut-labels`.
//!
//! # The graph
//! Obstacles are unions of blocked cells, so a shortest path is a chain of straight lines that turns only at corners of
//! obstacles. A corner (`kind.rs`) has one blocked cell of four; where squeezing is allowed, it may also be a *pinch*,
//! two blocked cells that touch only there.
//!
//! **Taut ends.** Where a shortest path turns, it turns around the obstacle: a line that comes to a corner must come
//! beside the blocked cell, so that a turn towards it is possible at all. With the blocked cell at the lower right,
//! that is from below and not to the right, side 0, or from the right and not from below, side 1; along the obstacle
//! counts. A *hop* is a line between two corners in sight of each other, taut at both ends; also if it touches other
//! corners on the way.
//!
//! **Turns.** A path that came on one side goes on on the other, by a true turn towards the obstacle: a cross product
//! of whole numbers tells. Straight on is no turn: there is a longer hop for that, which the search takes instead. The
//! hops of a side are ordered by angle, from along the obstacle on; those that may follow a line are a prefix. At a
//! pinch any direction of one free cell may follow any of the other.
//!
//! **One length a corner is enough.** Let two ways to a corner u be equally long, and let a hop to w be a turn behind
//! one of them and not behind the other. Then the other way over u to w has an angle that can be cut short at u, so a
//! shorter way to w exists, and the first way, which is as long, is not shortest either. So nodes of a search are
//! corners and not pairs of a corner and a direction.
//!
//! # What is proved, and what is tested
//! Which points see each other, where a path may turn and how hops are ordered is decided in whole numbers, exactly
//! (`cones.rs`, `kind.rs`). Lengths are sums of square roots in `f64`, which no finite precision orders for certain:
//! two chains whose lengths differ by less than a part in 10^13 or so may be taken one for the other. The path that
//! comes out is then longer than the shortest by no more than that; its own length is right to a few units in the last
//! place. The argument that one length a corner is enough holds for equal lengths; for lengths that are almost equal it
//! is tested and not proved: against an oracle that asks every cell in whole numbers and goes over all corners of
//! cells, on all small worlds and on random maps, under both rules, from corners and from centres, and against
//! published optima of large maps.
//!
//! Limits: the side of a map is below 2^16 and so fits the fixed-point arithmetic of `cones.rs` and the 16 bits of a
//! place; numbers of corners take 28 bits at most, as corners of cells are no more than 2^28; hops are counted in 32
//! bits, and a map with more is refused.

pub(crate) mod cones;
mod corners;
mod graph;
mod kind;
mod search;
mod sector;
mod sights;

pub(crate) use self::corners::Corners;
pub(crate) use self::graph::{Effort, Graph, Hop, Slot, sector_hops, slot};
pub(crate) use self::kind::{Side, Turn, Vector};
pub(crate) use self::search::{Arrival, Hops, Memory, Search};
pub(crate) use self::sector::{reach, seen, slopes};
