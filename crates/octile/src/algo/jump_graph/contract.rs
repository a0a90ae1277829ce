//! The graph without most of its states: those from which a path can go on in one way only, or in none.
//!
//! A *dead* state leads nowhere but to other dead states: it matters only if the goal can be seen from it. A state with one live
//! edge is a link of a *chain*: a path either ends there, or goes on along that edge. So a search need not open them. Each
//! state that is left has a list of *rays*: the dead states and links behind it, each with its cost from there; when it is
//! expanded, all of them are asked at once whether they see the goal. On crowded maps what a search can
//! reach from its start alone keeps its edges as they were, without rays: either way each state has all that comes after it.

use super::graph::{Edge as GraphEdge, Graph, State};
use crate::geometry::Cell;
use crate::geometry::units::{Narrow, Units};
use crate::grid::planes::Planes;

/// No ray: the state itself.
pub(super) const NONE: u32 = u32::MAX;

/// Rays are asked about so many at a time; lists are filled up to a multiple.
pub(super) const LANES: usize = 8;

/// Dead states are looked for so many times: each time those that lead to the ones found before.
const ROUNDS: usize = 3;

/// A chain is followed for so many links.
const LONGEST_CHAIN: usize = 16;

/// The most rays behind a dead state, and those beyond which a chain is not followed.
const MOST_RAYS: usize = 48;

/// A graph with a hop that costs more is left as it is: the cost of a ray, at the end of a chain and of a hop for each round, must stay
/// exact.
const COSTLIEST_HOP: u32 = Narrow::LIMIT / 8;

/// The most that a chain costs.
const COSTLIEST_CHAIN: u32 = Narrow::LIMIT / 2;

/// What is left of a graph.
#[derive(Debug, Default)]
pub(super) struct Contracted {
    /// For each state where its rays and edges begin; one more at the end.
    pub(super) states: Vec<Begin>,
    pub(super) edges: Vec<Edge>,
    /// For each edge where it comes from.
    pub(super) origins: Vec<Origin>,
    pub(super) rays: Rays,
    /// The largest cost of an edge or a ray.
    pub(super) farthest: u32,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Begin {
    pub(super) rays: u32,
    pub(super) edges: u32,
}

/// A way from a state to another, perhaps along a chain.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    pub(super) to: State,
    /// In [`Narrow`] units.
    pub(super) cost: u32,
    /// Where it leads.
    pub(super) x: u16,
    pub(super) y: u16,
}

/// The node that an edge leaves, and the ray that is the last link before its end, or [`NONE`].
#[derive(Clone, Copy, Debug)]
pub(super) struct Origin {
    pub(super) node: u32,
    pub(super) ray: u32,
}

/// Places behind a state from which the goal may be seen.
#[derive(Debug, Default)]
pub(super) struct Rays {
    /// x in the lower half, y in the upper one.
    pub(super) places: Vec<u32>,
    /// How many diagonal moves are legal, a byte for each direction: that to the east is one byte, that to the south two bytes
    /// higher. 255 stands for that many or more.
    pub(super) clearances: Vec<u32>,
    /// The cost from the state, in [`Narrow`] units.
    pub(super) costs: Vec<u32>,
    /// The ray before, or [`NONE`] if that is the state.
    pub(super) before: Vec<u32>,
}

impl Rays {
    /// A place that sees nothing: every goal lies diagonally from it, and it has no diagonal move.
    const NOWHERE: u32 = u32::MAX;

    fn push(&mut self, place: u32, clearances: u32, cost: u32, before: u32) -> u32 {
        self.places.push(place);
        self.clearances.push(clearances);
        self.costs.push(cost);
        self.before.push(before);
        self.places.len() as u32 - 1
    }

    fn fill_up(&mut self) {
        while !self.places.len().is_multiple_of(LANES) {
            self.push(Self::NOWHERE, 0, 0, NONE);
        }
    }

    pub(super) fn cell(&self, ray: u32) -> Cell {
        let place = self.places[ray as usize];
        Cell::new(place & 0xffff, place >> 16)
    }

    pub(super) fn size_bytes(&self) -> usize {
        16 * self.places.len()
    }
}

impl Contracted {
    /// The graph as it is: no rays.
    pub(super) fn plain(graph: &Graph) -> Self {
        let mut out = Self::default();
        for state in graph.states() {
            out.begin();
            out.push_edges(graph, state);
        }
        out.begin();
        out
    }

    /// The graph without what can be left out. If it is to be `sparing`, states that a search can reach from its start alone have no rays.
    pub(super) fn build(graph: &Graph, planes: &Planes, sparing: bool) -> Self {
        if graph.all_edges().iter().any(|edge| edge.cost > COSTLIEST_HOP) {
            return Self::plain(graph);
        }
        Contractor::new(graph, planes).run(sparing)
    }

    fn begin(&mut self) {
        self.states.push(Begin { rays: self.rays.places.len() as u32, edges: self.edges.len() as u32 });
    }

    /// Adds the edges of a state as they are.
    fn push_edges(&mut self, graph: &Graph, state: State) {
        for edge in graph.edges(state) {
            self.push_edge(graph, state, edge.to, edge.cost, NONE);
        }
    }

    fn push_edge(&mut self, graph: &Graph, from: State, to: State, cost: u32, ray: u32) {
        let cell = graph.cells[to.node() as usize];
        self.edges.push(Edge { to, cost, x: cell.x as u16, y: cell.y as u16 });
        self.origins.push(Origin { node: from.node(), ray });
        self.farthest = self.farthest.max(cost);
    }

    pub(super) fn size_bytes(&self) -> usize {
        size_of_val(&self.states[..])
            + size_of_val(&self.edges[..])
            + size_of_val(&self.origins[..])
            + self.rays.size_bytes()
    }
}

struct Contractor<'a> {
    graph: &'a Graph,
    /// By node.
    clearances: Vec<u32>,
    /// For each state how many rays it makes if it is dead, else 0.
    dead: Vec<u8>,
    out: Contracted,
}

impl<'a> Contractor<'a> {
    fn new(graph: &'a Graph, planes: &Planes) -> Self {
        let clearances = graph.cells.iter().map(|&cell| clearances(planes, cell)).collect();
        let states = graph.states().count();
        Self { graph, clearances, dead: find_dead(graph, states), out: Contracted::default() }
    }

    fn is_dead(&self, state: State) -> bool {
        self.dead[state.index()] != 0
    }

    /// The only live edge of a link.
    fn link(&self, state: State) -> Option<(State, u32)> {
        let mut live = self.graph.edges(state).iter().filter(|edge| !self.is_dead(edge.to));
        let edge = live.next()?;
        live.next().is_none().then_some((edge.to, edge.cost))
    }

    /// How many rays the dead states behind a state make.
    fn dead_rays(&self, state: State) -> usize {
        self.graph.edges(state).iter().map(|edge| usize::from(self.dead[edge.to.index()])).sum()
    }

    /// Follows the chain that begins with an edge, after so many rays of its state: says where it ends, at which cost. The links on
    /// the way, each with its cost, go to `links`.
    fn follow(&self, edge: GraphEdge, rays: &mut usize, links: &mut Vec<(State, u32)>) -> (State, u32) {
        let (mut to, mut cost) = (edge.to, edge.cost);
        links.clear();
        while links.len() < LONGEST_CHAIN
            && let Some((next, more)) = self.link(to)
            && cost + more <= COSTLIEST_CHAIN
            && *rays < MOST_RAYS
        {
            *rays += 1 + self.dead_rays(to);
            links.push((to, cost));
            (to, cost) = (next, cost + more);
        }
        (to, cost)
    }

    /// The states that a search comes to but for those next to its start: ends of chains, and all that are neither dead nor links.
    /// Others can do without rays, which are most of a contracted graph.
    fn find_heads(&self) -> Vec<bool> {
        let is_inner = |state: State| self.is_dead(state) || self.link(state).is_some();
        let mut is_head: Vec<bool> = self.graph.states().map(|state| !is_inner(state)).collect();
        let mut unseen: Vec<State> = self.graph.states().filter(|state| is_head[state.index()]).collect();
        let mut links = Vec::new();
        while let Some(state) = unseen.pop() {
            let mut rays = 0;
            for &edge in self.graph.edges(state) {
                if self.is_dead(edge.to) {
                    rays += usize::from(self.dead[edge.to.index()]);
                    continue;
                }
                let (to, _) = self.follow(edge, &mut rays, &mut links);
                if !std::mem::replace(&mut is_head[to.index()], true) {
                    unseen.push(to);
                }
            }
        }
        is_head
    }

    fn run(mut self, sparing: bool) -> Contracted {
        let is_head = sparing.then(|| self.find_heads());
        let mut links = Vec::new();
        for state in self.graph.states() {
            self.out.begin();
            if is_head.as_ref().is_none_or(|is_head| is_head[state.index()]) {
                self.contract(state, &mut links);
            } else {
                self.out.push_edges(self.graph, state);
            }
        }
        self.out.begin();
        self.out
    }

    /// Adds the rays and edges of a state.
    fn contract(&mut self, state: State, links: &mut Vec<(State, u32)>) {
        let mut rays = 0;
        for &edge in self.graph.edges(state) {
            if self.is_dead(edge.to) {
                rays += usize::from(self.dead[edge.to.index()]);
                self.push_rays(edge.to, edge.cost, NONE);
                continue;
            }
            let (to, cost) = self.follow(edge, &mut rays, links);
            let ray = links.iter().fold(NONE, |ray, &(link, cost)| self.push_rays(link, cost, ray));
            self.out.push_edge(self.graph, state, to, cost, ray);
        }
        self.out.rays.fill_up();
    }

    /// Adds the rays of a state and of all dead ones behind it; returns its own.
    fn push_rays(&mut self, state: State, cost: u32, before: u32) -> u32 {
        let node = state.node() as usize;
        let Cell { x, y } = self.graph.cells[node];
        let ray = self.out.rays.push(x | y << 16, self.clearances[node], cost, before);
        self.out.farthest = self.out.farthest.max(cost);
        let graph = self.graph;
        for edge in graph.edges(state) {
            if self.is_dead(edge.to) {
                self.push_rays(edge.to, cost + edge.cost, ray);
            }
        }
        ray
    }
}

/// For each state how many rays it makes if it is dead, else 0.
fn find_dead(graph: &Graph, states: usize) -> Vec<u8> {
    let mut dead = vec![0_u8; states];
    let mut is_entered = vec![false; states];
    for edge in graph.all_edges() {
        is_entered[edge.to.index()] = true;
    }
    for _ in 0..ROUNDS {
        let mut found = Vec::new();
        for state in graph.states() {
            let edges = graph.edges(state);
            if dead[state.index()] != 0 || !is_entered[state.index()] || edges.len() >= MOST_RAYS {
                continue;
            }
            let mut rays = 1;
            let all_dead = edges.iter().all(|edge| {
                rays += usize::from(dead[edge.to.index()]);
                dead[edge.to.index()] != 0
            });
            // A dead state's rays are no longer than a few hops.
            if all_dead && rays <= MOST_RAYS {
                found.push((state, rays as u8));
            }
        }
        if found.is_empty() {
            break;
        }
        for (state, rays) in found {
            dead[state.index()] = rays;
        }
    }
    dead
}

/// The four diagonal clearances of a cell, as [`Rays`] has them.
fn clearances(planes: &Planes, cell: Cell) -> u32 {
    let clear = |east: bool, south: bool| planes.diagonal_steps(cell, east, south).min(255);
    clear(false, false) | clear(true, false) << 8 | clear(false, true) << 16 | clear(true, true) << 24
}
