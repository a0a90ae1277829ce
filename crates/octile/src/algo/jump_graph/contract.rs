//! The graph without most of its states: those from which a path can go on in one way only, or in none.
//!
//! A *dead* state leads nowhere but to other dead states: it matters only if the goal can be seen from it. A state with
//! one live edge is a link of a *chain*: a path either ends there, or goes on along that edge. So a search need not
//! open them. Each state that is left has a list of *rays*: the dead states and links behind it, each with its cost
//! from there; when it is expanded, all of them are asked at once whether they see the goal. On crowded maps what a
//! search can reach from its start alone keeps its edges as they were, without rays: either way each state has all that
//! comes after it.

use super::graph::{Edge as GraphEdge, Graph, State};
use super::lists::Span;
use crate::geometry::Cell;
use crate::geometry::units::{Narrow, Units};
use crate::grid::planes::Planes;

/// No ray: the state itself.
pub(super) const NONE: u32 = u32::MAX;

/// Rays are asked about so many at a time; lists are filled up to a multiple.
pub(super) const LANES: usize = 8;

/// Dead states are looked for so many times: each time those that lead to the ones found before.
pub(super) const ROUNDS: usize = 3;

/// A chain is followed for so many links.
pub(super) const LONGEST_CHAIN: usize = 16;

/// The most rays behind a dead state, and those beyond which a chain is not followed.
const MOST_RAYS: usize = 48;

/// A graph with a hop that costs more is left as it is: the cost of a ray, at the end of a chain and of a hop for each
/// round, must stay exact.
pub(super) const COSTLIEST_HOP: u32 = Narrow::LIMIT / 8;

/// The most that a chain costs.
const COSTLIEST_CHAIN: u32 = Narrow::LIMIT / 2;

/// What is left of a graph.
#[derive(Clone, Debug, Default)]
pub(super) struct Contracted {
    /// For each state where its rays and edges are.
    pub(super) states: Vec<Spans>,
    pub(super) lists: Lists,
    /// The number of each jump point by its rank on the map, or nothing if those are the same.
    pub(super) numbers: Vec<u32>,
    /// Whether all edges are as they were.
    pub(super) is_plain: bool,
}

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Spans {
    pub(super) rays: Span,
    pub(super) edges: Span,
}

/// Rays and edges of states.
#[derive(Clone, Debug, Default)]
pub(super) struct Lists {
    pub(super) edges: Vec<Edge>,
    /// For each edge where it comes from.
    pub(super) origins: Vec<Origin>,
    pub(super) rays: Rays,
    /// The largest cost of an edge or a ray.
    pub(super) farthest: u32,
}

/// A way from a state to another, perhaps along a chain.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Edge {
    pub(super) to: State,
    /// In [`Narrow`] units.
    pub(super) cost: u32,
    /// Where it leads.
    pub(super) x: u16,
    pub(super) y: u16,
}

/// The node that an edge leaves, and the ray that is the last link before its end, or [`NONE`].
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Origin {
    pub(super) node: u32,
    pub(super) ray: u32,
}

/// Places behind states from which the goal may be seen.
#[derive(Clone, Debug, Default)]
pub(super) struct Rays {
    /// x in the lower half, y in the upper one.
    pub(super) places: Vec<u32>,
    /// How many diagonal moves are legal, a byte for each direction: that to the east is one byte, that to the south
    /// two bytes higher. 255 stands for that many or more.
    pub(super) clearances: Vec<u32>,
    /// The cost from the state, in [`Narrow`] units.
    pub(super) costs: Vec<u32>,
    /// The ray before, or [`NONE`] if that is the state.
    pub(super) before: Vec<u32>,
}

impl Rays {
    /// A place that sees nothing: every goal lies diagonally from it, and it has no diagonal move.
    const NOWHERE: u32 = u32::MAX;

    /// Makes it so long: what is new is nowhere.
    fn resize(&mut self, len: usize) {
        self.places.resize(len, Self::NOWHERE);
        self.clearances.resize(len, 0);
        self.costs.resize(len, 0);
        self.before.resize(len, NONE);
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
        let mut out = Self { is_plain: true, ..Self::default() };
        out.lists.edges.reserve(graph.all_edges().len());
        out.lists.origins.reserve(graph.all_edges().len());
        let mut sheet = Sheet::default();
        for state in graph.states() {
            sheet.clear();
            sheet.push_edges(graph, state);
            out.push(&sheet);
        }
        out.lists.farthest = sheet.farthest;
        out
    }

    /// The graph without what can be left out. If it is to be `sparing`, states that a search can reach from its start
    /// alone have no rays.
    pub(super) fn build(graph: &Graph, sights: &Sights, sparing: bool) -> Self {
        if graph.all_edges().iter().any(|edge| edge.cost > COSTLIEST_HOP) {
            return Self::plain(graph);
        }
        let mut out = Self { states: Vec::with_capacity(graph.spans.len()), ..Self::default() };
        let mut contractor = Contractor { graph, sights, out: Sheet::default() };
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
    fn push(&mut self, sheet: &Sheet) {
        let Lists { edges, rays, .. } = &mut self.lists;
        let (first_ray, first_edge) = (rays.places.len(), edges.len());
        let (end_ray, end_edge) =
            (first_ray + sheet.rays.len().next_multiple_of(LANES), first_edge + sheet.edges.len());
        self.lists.resize(end_ray, end_edge);
        let spans = Spans {
            rays: Span { first: first_ray as u32, end: end_ray as u32 },
            edges: Span { first: first_edge as u32, end: end_edge as u32 },
        };
        self.lists.write(spans, sheet);
        self.states.push(spans);
    }

    /// How many nodes there are, of jump points and of none.
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
    /// Makes room for so many rays and edges in all.
    pub(super) fn resize(&mut self, rays: usize, edges: usize) {
        self.rays.resize(rays);
        self.edges.resize(edges, Edge::default());
        self.origins.resize(edges, Origin::default());
    }

    /// Writes the rays and edges of a state to places that are as many, rays being filled up.
    pub(super) fn write(&mut self, Spans { rays, edges }: Spans, sheet: &Sheet) {
        let moved = |ray: u32| if ray == NONE { NONE } else { ray + rays.first };
        let Rays { places, clearances, costs, before } = &mut self.rays;
        put(&mut places[rays.range()], &sheet.rays, Rays::NOWHERE, |ray| ray.place);
        put(&mut clearances[rays.range()], &sheet.rays, 0, |ray| ray.clearances);
        put(&mut costs[rays.range()], &sheet.rays, 0, |ray| ray.cost);
        put(&mut before[rays.range()], &sheet.rays, NONE, |ray| moved(ray.before));
        self.edges[edges.range()].copy_from_slice(&sheet.edges);
        for (to, origin) in self.origins[edges.range()].iter_mut().zip(&sheet.origins) {
            *to = Origin { node: origin.node, ray: moved(origin.ray) };
        }
    }
}

/// Writes a field of some rays, and to the rest of the places what is nowhere.
fn put(places: &mut [u32], rays: &[Ray], nowhere: u32, field: impl Fn(&Ray) -> u32) {
    let (places, rest) = places.split_at_mut(rays.len());
    for (place, ray) in places.iter_mut().zip(rays) {
        *place = field(ray);
    }
    rest.fill(nowhere);
}

/// A ray by itself, as [`Rays`] has it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ray {
    place: u32,
    clearances: u32,
    cost: u32,
    before: u32,
}

/// The rays and edges of one state. Rays are known by their places here.
#[derive(Clone, Debug, Default)]
pub(super) struct Sheet {
    pub(super) edges: Vec<Edge>,
    pub(super) origins: Vec<Origin>,
    pub(super) rays: Vec<Ray>,
    /// The largest cost of an edge or a ray of all states that were here.
    pub(super) farthest: u32,
}

impl Sheet {
    /// Begins another state.
    pub(super) fn clear(&mut self) {
        self.edges.clear();
        self.origins.clear();
        self.rays.clear();
    }

    /// Adds the edges of a state as they are.
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
    pub(super) out: Sheet,
}

impl Contractor<'_> {
    fn is_dead(&self, state: State) -> bool {
        self.sights.dead[state.index()] != 0
    }

    /// Follows the chain that begins with an edge, after so many rays of its state: says where it ends, at which cost.
    /// The links on the way, each with its cost, go to `links`.
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

    /// The states that a search comes to but for those next to its start: ends of chains, and all that are neither dead
    /// nor links. Others can do without rays, which are most of a contracted graph.
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

    /// Adds the rays of a state and of all dead ones behind it; returns its own.
    fn push_rays(&mut self, state: State, cost: u32, before: u32) -> u32 {
        let node = state.node() as usize;
        let Cell { x, y } = self.graph.cells[node];
        let ray = self.out.rays.len() as u32;
        self.out.rays.push(Ray { place: x | y << 16, clearances: self.sights.clearances[node], cost, before });
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

/// How far one sees from nodes, and which states are *inner*: dead, or links.
#[derive(Clone, Debug)]
pub(super) struct Sights {
    /// By node, as [`Rays`] has them.
    pub(super) clearances: Vec<u32>,
    /// For each state how many rays it makes if it is dead, else 0.
    pub(super) dead: Vec<u8>,
    pub(super) links: Vec<Link>,
}

/// What is known of a link.
#[derive(Clone, Copy, Debug)]
pub(super) struct Link {
    /// Its only live edge, counted among all that it has; [`NONE`] if this is no link.
    edge: u32,
    /// How many rays the dead states make that the others lead to.
    rays: u32,
}

impl Link {
    pub(super) const NONE: Self = Self { edge: NONE, rays: 0 };

    /// That of a state, if it is one.
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

    /// Finds out again whether a state is a link.
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

/// For each state how many rays it makes if it is dead, else 0. Nobody asks about those that no edge leads to.
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

/// The same for one state, found out by looking at those behind it alone, with the round in which it is found to be
/// dead.
pub(super) fn look_if_dead(graph: &Graph, state: State) -> (u8, u8) {
    fn look(graph: &Graph, state: State, rounds: usize) -> Option<(usize, u8)> {
        let edges = graph.edges(state);
        if rounds == 0 || edges.len() >= MOST_RAYS {
            return None;
        }
        let (mut rays, mut round) = (1, 0);
        for edge in edges {
            let behind = look(graph, edge.to, rounds - 1)?;
            (rays, round) = (rays + behind.0, round.max(behind.1));
        }
        (rays <= MOST_RAYS).then_some((rays, round + 1))
    }
    look(graph, state, ROUNDS).map_or((0, 0), |(rays, round)| (rays as u8, round))
}

/// The four diagonal clearances of a cell, as [`Rays`] has them.
pub(super) fn clearances(planes: &Planes, cell: Cell) -> u32 {
    let clear = |east: bool, south: bool| planes.diagonal_steps(cell, east, south).min(255);
    clear(false, false) | clear(true, false) << 8 | clear(false, true) << 16 | clear(true, true) << 24
}
