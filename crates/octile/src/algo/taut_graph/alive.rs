//! Separates hops that lead on from hops that lead only to goals nearby.
//!
//! A hop is *dead* if all hops that a taut path may take after it are dead: at first the hops without a successor, then
//! the hops whose successors are all dead. After a dead hop a path takes only dead hops, so it ends in the pocket that
//! they lead into: only the last hops of a path are dead. On game maps two thirds or more of all hops are dead, in a
//! maze without cycles all.
//!
//! So a search takes live hops, and of the dead ones those that lead to its goal. Those are found before the search,
//! backwards from the corners that the goal sees.
//!
//! The hops of a side are stored in four parts, each sorted by angle: alive or dead in their own direction, and in the
//! reverse direction. So a search reads only the hops that it needs.

use std::ops::Range;

use crate::kernels::taut::{Arrival, Corners, Graph, Hop, Side, Slot, slot};
use crate::planner::{SizeBytes, size_bytes};

/// The parts of a side, by whether its hops are dead, and whether their reverses are dead.
const PARTS: [(bool, bool); 4] = [(false, false), (false, true), (true, true), (true, false)];

/// The parts with live hops, with dead hops, and with hops whose reverses are dead.
pub(super) const ALIVE: Range<usize> = 0..2;
pub(super) const DEAD: Range<usize> = 2..4;
pub(super) const DEAD_BACK: Range<usize> = 1..3;

/// The taut graph, with its hops in parts.
#[derive(Debug)]
pub(super) struct Alive {
    pub(super) corners: Corners,
    /// For each slot, where its parts begin; the last part ends where the next slot begins.
    parts: Vec<[u32; 4]>,
    pub(super) hops: Vec<Hop>,
    /// For each hop, the index of its reverse.
    pub(super) back: Vec<u32>,
}

size_bytes!(Alive: parts, hops, back);

impl Alive {
    pub(super) fn new(graph: Graph) -> Self {
        let is_dead = dead_hops(&graph);
        let Graph { corners, hops, back, .. } = &graph;
        let mut order: Vec<u32> = Vec::with_capacity(hops.len());
        let mut parts = Vec::with_capacity(2 * corners.len() + 1);
        for slot in 0..2 * corners.len() as u32 {
            parts.push(PARTS.map(|part| {
                let begin = order.len() as u32;
                let state = |hop: usize| (is_dead[hop], is_dead[back[hop] as usize]);
                order.extend(graph.range(slot).filter(|&hop| state(hop) == part).map(|hop| hop as u32));
                begin
            }));
        }
        parts.push([order.len() as u32; 4]);
        let mut indices = vec![0; order.len()];
        for (index, &hop) in order.iter().enumerate() {
            indices[hop as usize] = index as u32;
        }
        let back = order.iter().map(|&hop| indices[back[hop as usize] as usize]).collect();
        let hops = order.iter().map(|&hop| hops[hop as usize]).collect();
        Self { corners: graph.corners, parts, hops, back }
    }

    /// The hops of one part of a slot.
    #[inline]
    fn part(&self, slot: Slot, part: usize) -> Range<usize> {
        let slot = slot as usize;
        let end = if part == 3 { self.parts[slot + 1][0] } else { self.parts[slot][part + 1] };
        self.parts[slot][part] as usize..end as usize
    }

    /// Visits the hops of some parts by which a path continues from a corner.
    #[inline]
    pub(super) fn onward(&self, parts: Range<usize>, at: Arrival, mut visit: impl FnMut(usize, Hop)) {
        let Arrival { corner, turn, side, from } = at;
        for part in parts {
            for hop in self.part(slot(corner, 1 - side), part) {
                let to = self.hops[hop];
                if !turn.kind.turns(side, from, to.from(turn)) {
                    break;
                }
                visit(hop, to);
            }
        }
    }

    /// Whether a path continues from a corner by a live hop.
    #[inline]
    pub(super) fn continues(&self, Arrival { corner, turn, side, from }: Arrival) -> bool {
        ALIVE.into_iter().any(|part| {
            let first = self.part(slot(corner, 1 - side), part).next();
            first.is_some_and(|hop| turn.kind.turns(side, from, self.hops[hop].from(turn)))
        })
    }

    pub(super) fn total_bytes(&self) -> usize {
        self.corners.total_bytes() + self.size_bytes()
    }
}

/// Finds the dead hops. Counts the successors of each hop that are not dead, and counts down as they turn out to be.
fn dead_hops(graph: &Graph) -> Vec<bool> {
    let Graph { corners, hops, back, .. } = graph;
    // The slot where each hop begins.
    let mut slots = vec![0; hops.len()];
    for slot in 0..2 * corners.len() as u32 {
        slots[graph.range(slot)].fill(slot);
    }
    let turn_of = |slot: Slot| corners.turn(slot >> 1);
    let successors = |hop: usize| {
        let Hop { to, .. } = hops[hop];
        let from = turn_of(to).to(turn_of(slots[hop]).point());
        graph.onward(to >> 1, (to & 1) as Side, from)
    };
    let mut live_successors: Vec<u32> = (0..hops.len()).map(|hop| successors(hop).len() as u32).collect();
    let mut is_dead: Vec<bool> = live_successors.iter().map(|&count| count == 0).collect();
    let mut dead: Vec<u32> = (0..hops.len() as u32).filter(|&hop| is_dead[hop as usize]).collect();
    while let Some(hop) = dead.pop() {
        // The predecessors of a hop are the successors of its reverse, reversed.
        for before in successors(back[hop as usize] as usize) {
            let before = back[before] as usize;
            live_successors[before] -= 1;
            if live_successors[before] == 0 {
                is_dead[before] = true;
                dead.push(before as u32);
            }
        }
    }
    is_dead
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use super::*;
    use crate::formats::generate;
    use crate::grid::{Grid, Squeeze};
    use crate::kernels::taut::cones::Bands;

    fn graph(grid: &Grid) -> Graph {
        let bands = Bands::new(grid);
        let Ok(graph) = Graph::new(grid, &bands, Squeeze::Forbidden, |_| Ok::<(), Infallible>(()));
        graph
    }

    /// The number of dead hops, and of all hops.
    fn dead(grid: &Grid) -> (usize, usize) {
        let is_dead = dead_hops(&graph(grid));
        (is_dead.iter().filter(|&&dead| dead).count(), is_dead.len())
    }

    #[test]
    fn hops_around_an_obstacle_are_alive_and_in_a_maze_dead() {
        let pillar: Grid = "......\n.@@@..\n......".parse().unwrap();
        assert_eq!(dead(&pillar), (0, 8), "four edges, both ways");
        let (dead, all) = dead(&generate::maze(61, 61, 3, 1).unwrap());
        assert!(dead == all && all > 100, "{dead} of {all}");
    }

    /// A pocket beside a pillar: hops into it are dead, hops out of it are not.
    #[test]
    fn a_hop_into_a_pocket_is_dead_one_way() {
        let grid: Grid = ".........\n.@@..@@@.\n.@@..@.@.\n.....@...".parse().unwrap();
        let graph = graph(&grid);
        let is_dead = dead_hops(&graph);
        let one_way = (0..is_dead.len()).filter(|&hop| is_dead[hop] && !is_dead[graph.back[hop] as usize]).count();
        assert!(one_way > 0, "{is_dead:?}");
        let alive = Alive::new(graph);
        let parts: Vec<usize> = (0..4)
            .map(|part| (0..2 * alive.corners.len() as u32).map(|slot| alive.part(slot, part).len()).sum())
            .collect();
        assert_eq!(parts.iter().sum::<usize>(), is_dead.len());
        assert_eq!((parts[1], parts[3]), (one_way, one_way), "each hop has a reverse");
    }
}
