//! The graph without most of its states: the states from which a path can continue in one way only, or not at all.
//!
//! A *dead* state leads only to other dead states: it matters only if the goal can be seen from it. A state with one
//! live edge is a link of a *chain*: a path either ends there, or continues along that edge. So a search need not open
//! such states. Each remaining state has a list of *rays*: the dead states and links that follow it, each with its cost
//! from there. When the state is expanded, all its rays are tested at once for whether they see the goal. On crowded
//! maps, states that a search reaches only from its start keep their original edges, without rays. In both cases the
//! lists of a state cover everything that comes after it.

use super::graph::{Edge as GraphEdge, Graph, State};
use super::lists::Span;
use crate::geometry::Cell;
use crate::geometry::units::{Narrow, Units};
use crate::grid::planes::Planes;

/// No ray: the state itself.
pub(super) const NONE: u32 = u32::MAX;

/// The number of rays tested at a time; lists are padded to a multiple of this.
pub(super) const LANES: usize = 8;

/// The number of rounds that look for dead states: each round finds those that lead only to the ones found before.
pub(super) const ROUNDS: usize = 3;

/// The maximum number of links in a chain.
pub(super) const LONGEST_CHAIN: usize = 16;

/// The maximum number of rays of a dead state; a chain is not followed beyond this many.
const MOST_RAYS: usize = 48;

/// A graph with a hop above this cost is not contracted: the cost of a ray, after a chain and one hop per round, must
/// stay exact.
pub(super) const COSTLIEST_HOP: u32 = Narrow::LIMIT / 8;

/// The maximum cost of a chain.
const COSTLIEST_CHAIN: u32 = Narrow::LIMIT / 2;

/// A contracted graph.
#[derive(Clone, Debug, Default)]
pub(super) struct Contracted {
    /// The rays and edges of each state, as spans of `lists`.
    pub(super) states: Vec<Spans>,
    pub(super) lists: Lists,
    /// The number of each jump point, indexed by its rank on the map; empty if numbers are ranks.
    pub(super) numbers: Vec<u32>,
    /// Whether all edges are the original ones.
    pub(super) is_plain: bool,
}

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Spans {
    pub(super) rays: Span,
    pub(super) edges: Span,
}

/// The rays and edges of all states.
#[derive(Clone, Debug, Default)]
pub(super) struct Lists {
    pub(super) edges: Vec<Edge>,
    /// The origin of each edge.
    pub(super) origins: Vec<Origin>,
    pub(super) rays: Rays,
    /// The largest cost of an edge or a ray.
    pub(super) farthest: u32,
}

/// An edge from one state to another, perhaps along a chain.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Edge {
    pub(super) to: State,
    /// In [`Narrow`] units.
    pub(super) cost: u32,
    /// The cell that it leads to.
    pub(super) x: u16,
    pub(super) y: u16,
}

/// The node that an edge leaves, and the ray that is the last link before its end, or [`NONE`].
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Origin {
    pub(super) node: u32,
    pub(super) ray: u32,
}

/// Cells after a state from which the goal may be visible.
#[derive(Clone, Debug, Default)]
pub(super) struct Rays {
    /// x in the lower half, y in the upper half.
    pub(super) positions: Vec<u32>,
    /// The number of legal diagonal moves, one byte per direction: the byte of an eastern direction is one higher, that
    /// of a southern direction two higher. 255 stands for that many or more.
    pub(super) clearances: Vec<u32>,
    /// The cost from the state, in [`Narrow`] units.
    pub(super) costs: Vec<u32>,
    /// The previous ray, or [`NONE`] if the state comes before.
    pub(super) before: Vec<u32>,
}

impl Rays {
    /// A position that sees nothing: every goal lies diagonally from it, and it has no diagonal move.
    const NOWHERE: u32 = u32::MAX;

    /// Changes the length. New rays are nowhere.
    fn resize(&mut self, len: usize) {
        self.positions.resize(len, Self::NOWHERE);
        self.clearances.resize(len, 0);
        self.costs.resize(len, 0);
        self.before.resize(len, NONE);
    }

    pub(super) fn cell(&self, ray: u32) -> Cell {
        let position = self.positions[ray as usize];
        Cell::new(position & 0xffff, position >> 16)
    }

    pub(super) fn size_bytes(&self) -> usize {
        16 * self.positions.len()
    }
}

impl Contracted {
    /// The graph unchanged, without rays.
    pub(super) fn plain(graph: &Graph) -> Self {
        let mut out = Self { is_plain: true, ..Self::default() };
        out.lists.edges.reserve(graph.all_edges().len());
        out.lists.origins.reserve(graph.all_edges().len());
        let mut state_lists = StateLists::default();
        for state in graph.states() {
            state_lists.clear();
            state_lists.push_edges(graph, state);
            out.push(&state_lists);
        }
        out.lists.farthest = state_lists.farthest;
        out
    }

    /// Contracts a graph. If `sparing`, states that a search reaches only from its start have no rays.
    pub(super) fn build(graph: &Graph, sights: &Sights, sparing: bool) -> Self {
        if graph.all_edges().iter().any(|edge| edge.cost > COSTLIEST_HOP) {
            return Self::plain(graph);
        }
        let mut out = Self { states: Vec::with_capacity(graph.spans.len()), ..Self::default() };
        let mut contractor = Contractor { graph, sights, out: StateLists::default() };
        let is_head = sparing.then(|| contractor.find_heads());
        let mut links = Vec::new();
        for state in graph.states() {
            contractor.out.clear();
            if is_head.as_ref().is_none_or(|is_head| is_head[state.index()]) {
                contractor.contract(state, &mut links);
            } else {
                contractor.out.push_edges(graph, state);
            }
            out.push(&contractor.out);
        }
        out.lists.farthest = contractor.out.farthest;
        out
    }

    /// Adds the rays and edges of the next state.
    fn push(&mut self, state_lists: &StateLists) {
        let Lists { edges, rays, .. } = &mut self.lists;
        let (first_ray, first_edge) = (rays.positions.len(), edges.len());
        let (end_ray, end_edge) =
            (first_ray + state_lists.rays.len().next_multiple_of(LANES), first_edge + state_lists.edges.len());
        self.lists.resize(end_ray, end_edge);
        let spans = Spans {
            rays: Span { first: first_ray as u32, end: end_ray as u32 },
            edges: Span { first: first_edge as u32, end: end_edge as u32 },
        };
        self.lists.write(spans, state_lists);
        self.states.push(spans);
    }

    /// The number of nodes, including those that are not jump points.
    pub(super) fn nodes(&self) -> usize {
        self.states.len() / 4
    }

    /// The number of a jump point.
    #[inline]
    pub(super) fn number(&self, planes: &Planes, cell: Cell) -> u32 {
        let rank = planes.number(cell);
        self.numbers.get(rank as usize).copied().unwrap_or(rank)
    }

    pub(super) fn size_bytes(&self) -> usize {
        let Lists { edges, origins, rays, .. } = &self.lists;
        size_of_val(&self.states[..])
            + size_of_val(&edges[..])
            + size_of_val(&origins[..])
            + rays.size_bytes()
            + size_of_val(&self.numbers[..])
    }
}

impl Lists {
    /// Grows to these total numbers of rays and edges.
    pub(super) fn resize(&mut self, rays: usize, edges: usize) {
        self.rays.resize(rays);
        self.edges.resize(edges, Edge::default());
        self.origins.resize(edges, Origin::default());
    }

    /// Writes the rays and edges of a state to spans of the right lengths; rays are padded.
    pub(super) fn write(&mut self, Spans { rays, edges }: Spans, state_lists: &StateLists) {
        let moved = |ray: u32| if ray == NONE { NONE } else { ray + rays.first };
        let Rays { positions, clearances, costs, before } = &mut self.rays;
        put(&mut positions[rays.range()], &state_lists.rays, Rays::NOWHERE, |ray| ray.position);
        put(&mut clearances[rays.range()], &state_lists.rays, 0, |ray| ray.clearances);
        put(&mut costs[rays.range()], &state_lists.rays, 0, |ray| ray.cost);
        put(&mut before[rays.range()], &state_lists.rays, NONE, |ray| moved(ray.before));
        self.edges[edges.range()].copy_from_slice(&state_lists.edges);
        for (to, origin) in self.origins[edges.range()].iter_mut().zip(&state_lists.origins) {
            *to = Origin { node: origin.node, ray: moved(origin.ray) };
        }
    }
}

/// Writes a field of some rays, and `nowhere` to the rest of the slice.
fn put(to: &mut [u32], rays: &[Ray], nowhere: u32, field: impl Fn(&Ray) -> u32) {
    let (to, rest) = to.split_at_mut(rays.len());
    for (to, ray) in to.iter_mut().zip(rays) {
        *to = field(ray);
    }
    rest.fill(nowhere);
}

/// A single ray, with the fields of [`Rays`].
#[derive(Clone, Copy, Debug)]
pub(super) struct Ray {
    position: u32,
    clearances: u32,
    cost: u32,
    before: u32,
}

/// The rays and edges of one state. Rays are numbered within it.
#[derive(Clone, Debug, Default)]
pub(super) struct StateLists {
    pub(super) edges: Vec<Edge>,
    pub(super) origins: Vec<Origin>,
    pub(super) rays: Vec<Ray>,
    /// The largest cost of an edge or a ray of all states so far.
    pub(super) farthest: u32,
}

impl StateLists {
    /// Clears the lists for another state.
    pub(super) fn clear(&mut self) {
        self.edges.clear();
        self.origins.clear();
        self.rays.clear();
    }

    /// Adds the original edges of a state.
    pub(super) fn push_edges(&mut self, graph: &Graph, state: State) {
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
}

/// Makes the lists of states.
pub(super) struct Contractor<'a> {
    pub(super) graph: &'a Graph,
    pub(super) sights: &'a Sights,
    pub(super) out: StateLists,
}

impl Contractor<'_> {
    fn is_dead(&self, state: State) -> bool {
        self.sights.dead[state.index()] != 0
    }

    /// Follows the chain that begins with an edge; `rays` counts the rays of the state so far. Returns the state where
    /// the chain ends, and the cost to it. `links` gets the links on the way, each with its cost.
    fn follow(&self, edge: GraphEdge, rays: &mut usize, links: &mut Vec<(State, u32)>) -> (State, u32) {
        let (mut to, mut cost) = (edge.to, edge.cost);
        links.clear();
        while links.len() < LONGEST_CHAIN
            && let Link { edge, rays: more_rays } = self.sights.links[to.index()]
            && edge != NONE
            && let GraphEdge { to: next, cost: more } = self.graph.edges(to)[edge as usize]
            && cost + more <= COSTLIEST_CHAIN
            && *rays < MOST_RAYS
        {
            *rays += 1 + more_rays as usize;
            links.push((to, cost));
            (to, cost) = (next, cost + more);
        }
        (to, cost)
    }

    /// The states that a search can reach other than directly from its start: ends of chains, and all that are neither
    /// dead nor links. The others can do without rays, which are most of a contracted graph.
    fn find_heads(&self) -> Vec<bool> {
        let mut is_head: Vec<bool> = self.graph.states().map(|state| !self.sights.is_inner(state)).collect();
        let mut unseen: Vec<State> = self.graph.states().filter(|state| is_head[state.index()]).collect();
        let mut links = Vec::new();
        while let Some(state) = unseen.pop() {
            let mut rays = 0;
            for &edge in self.graph.edges(state) {
                if self.is_dead(edge.to) {
                    rays += usize::from(self.sights.dead[edge.to.index()]);
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

    /// Adds the rays and edges of a state.
    pub(super) fn contract(&mut self, state: State, links: &mut Vec<(State, u32)>) {
        let mut rays = 0;
        for &edge in self.graph.edges(state) {
            if self.is_dead(edge.to) {
                rays += usize::from(self.sights.dead[edge.to.index()]);
                self.push_rays(edge.to, edge.cost, NONE);
                continue;
            }
            let (to, cost) = self.follow(edge, &mut rays, links);
            let ray = links.iter().fold(NONE, |ray, &(link, cost)| self.push_rays(link, cost, ray));
            self.out.push_edge(self.graph, state, to, cost, ray);
        }
    }

    /// Adds the rays of a state and of all dead states after it. Returns the state's own ray.
    fn push_rays(&mut self, state: State, cost: u32, before: u32) -> u32 {
        let node = state.node() as usize;
        let Cell { x, y } = self.graph.cells[node];
        let ray = self.out.rays.len() as u32;
        self.out.rays.push(Ray { position: x | y << 16, clearances: self.sights.clearances[node], cost, before });
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

/// The diagonal clearances of nodes, and the states that are *inner*: dead, or links.
#[derive(Clone, Debug)]
pub(super) struct Sights {
    /// By node, in the form of [`Rays`].
    pub(super) clearances: Vec<u32>,
    /// For each dead state, the number of its rays; 0 for others.
    pub(super) dead: Vec<u8>,
    pub(super) links: Vec<Link>,
}

/// The result of testing whether a state is a link.
#[derive(Clone, Copy, Debug)]
pub(super) struct Link {
    /// The index of its only live edge among its edges; [`NONE`] if it is not a link.
    edge: u32,
    /// The number of rays of the dead states that its other edges lead to.
    rays: u32,
}

impl Link {
    pub(super) const NONE: Self = Self { edge: NONE, rays: 0 };

    /// The link of a state, if it is one.
    fn find(graph: &Graph, dead: &[u8], state: State) -> Self {
        let mut link = Self::NONE;
        for (number, edge) in (0..).zip(graph.edges(state)) {
            match dead[edge.to.index()] {
                0 if link.edge != NONE => return Self::NONE,
                0 => link.edge = number,
                rays => link.rays += u32::from(rays),
            }
        }
        link
    }
}

impl Sights {
    pub(super) fn find(graph: &Graph, planes: &Planes) -> Self {
        let clearances = graph.cells.iter().map(|&cell| clearances(planes, cell)).collect();
        let dead = find_dead(graph);
        let links = graph.states().map(|state| Link::find(graph, &dead, state)).collect();
        Self { clearances, dead, links }
    }

    /// Updates whether a state is a link.
    pub(super) fn find_link(&mut self, graph: &Graph, state: State) {
        self.links[state.index()] = Link::find(graph, &self.dead, state);
    }

    pub(super) fn is_link(&self, state: State) -> bool {
        self.links[state.index()].edge != NONE
    }

    pub(super) fn is_inner(&self, state: State) -> bool {
        self.dead[state.index()] != 0 || self.is_link(state)
    }
}

/// For each dead state, the number of its rays; 0 for others. States that no edge leads to are skipped: they do not
/// matter.
fn find_dead(graph: &Graph) -> Vec<u8> {
    let states = graph.spans.len();
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
            // A dead state's rays are at most a few hops long.
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

/// The same for one state, found by looking only at the states after it, with the round in which it is found to be
/// dead.
pub(super) fn find_if_dead(graph: &Graph, state: State) -> (u8, u8) {
    fn find(graph: &Graph, state: State, rounds: usize) -> Option<(usize, u8)> {
        let edges = graph.edges(state);
        if rounds == 0 || edges.len() >= MOST_RAYS {
            return None;
        }
        let (mut rays, mut round) = (1, 0);
        for edge in edges {
            let after = find(graph, edge.to, rounds - 1)?;
            (rays, round) = (rays + after.0, round.max(after.1));
        }
        (rays <= MOST_RAYS).then_some((rays, round + 1))
    }
    find(graph, state, ROUNDS).map_or((0, 0), |(rays, round)| (rays as u8, round))
}

/// The four diagonal clearances of a cell, in the form of [`Rays`].
pub(super) fn clearances(planes: &Planes, cell: Cell) -> u32 {
    let clear = |east: bool, south: bool| planes.diagonal_steps(cell, east, south).min(255);
    clear(false, false) | clear(true, false) << 8 | clear(false, true) << 16 | clear(true, true) << 24
}
