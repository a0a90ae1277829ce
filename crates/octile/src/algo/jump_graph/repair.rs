//! Follows edits: recomputes the lists of the states that an edit affects, and keeps the rest.
//!
//! 1. **Numbers.** A jump point keeps its number for as long as it is a jump point. Ranks change with every jump point
//!    that comes before: a table maps ranks to numbers. Numbers that are no longer used are assigned to new jump
//!    points.
//! 2. **Edges.** [`Planes::behind`] lists the jump points whose scans may have a different result; their edges are
//!    found again and compared with the old ones.
//! 3. **Dead states.** Whether a state is dead depends on the edges of the states up to [`ROUNDS`] hops after it. It is
//!    tested again for states whose edges have changed, then for the predecessors of each state for which the result
//!    has changed.
//! 4. **Lists.** The rays and edges of a state come from its own edges and those of the states that its list *visits*:
//!    where its edges lead; after each dead state, where that leads; after each link, where that leads. Dead states and
//!    links are *inner*: of any other visited state, the list only has the name. Call a state *new* if any of these has
//!    changed: its edges, whether it is dead, whether a state it leads to is dead, how far its cell sees. A list is
//!    made as before up to the first new state that it visits and that is or was inner. So a list that now differs
//!    belongs to a new state, or visited such a state before the edit. The states whose lists did are found by going
//!    back along edges: the direct predecessors and, where one of these is inner, also its predecessors. For a
//!    predecessor that is itself new, this includes its state before the edit. Replaced edges are still present for
//!    that.
//!
//! If too much has changed, [`Repair::follow`] says so, and everything is rebuilt.

use super::contract::{
    COSTLIEST_HOP, Contracted, Contractor, LANES, LONGEST_CHAIN, Link, NONE, ROUNDS, Sights, Spans, StateLists,
    clearances, find_if_dead,
};
use super::graph::{Edge, Edges, Graph, State};
use super::lists::{Allocator, Size, Span};
use crate::geometry::{Cell, Dir, order};
use crate::grid::Grid;
use crate::grid::area::Area;
use crate::grid::planes::Planes;
use crate::kernels::jump_points::{NoGates, expand};

/// Everything is rebuilt if more than one state in this many has to be examined: each takes several times as long as in
/// a rebuild.
const MOST_EXAMINED: usize = 10;

/// After this many areas, the number of states to examine can be estimated.
const FIRST_AREAS: usize = 4;

/// Everything is rebuilt if more than one list in this many has to be made again.
const MOST_LISTS: usize = 3;

/// The distance in hops at which a list visits states: the links of a chain, its end, and dead states after that.
const FARTHEST: usize = LONGEST_CHAIN + 1 + ROUNDS;

/// The data that is kept of a graph to follow edits.
#[derive(Clone, Debug)]
pub(super) struct Repair {
    graph: Graph,
    allocator: Allocator,
    /// For each edge, the reverse entry.
    backs: Vec<Back>,
    /// For each state, the first of the edges that lead to it, or [`NONE`].
    entries: Vec<u32>,
    sights: Sights,
    /// The round in which each dead state is found; 0 for others.
    rounds: Vec<u8>,
    /// Nodes that are not jump points.
    unused: Vec<u32>,
    edge_allocator: Allocator,
    /// For groups of [`LANES`] rays.
    ray_allocator: Allocator,
    marks: Marks,
}

/// An edge as an entry in the list of its end.
#[derive(Clone, Copy, Debug, Default)]
struct Back {
    from: State,
    /// The next edge that leads to the same state, or [`NONE`].
    next: u32,
    /// The previous such edge, or [`NONE`].
    previous: u32,
}

/// The jump points near an edit, before it: their ranks and cells.
#[derive(Debug)]
pub(super) struct Before {
    points: Vec<(u32, Cell)>,
    /// The number of jump points on the whole map.
    count: usize,
}

impl Before {
    pub(super) fn new(planes: &Planes, areas: &[Area]) -> Self {
        Self { points: points_near(planes, areas), count: planes.jump_points() }
    }
}

/// The jump points near some areas, by rank.
fn points_near(planes: &Planes, areas: &[Area]) -> Vec<(u32, Cell)> {
    let mut points = Vec::new();
    for &area in areas {
        planes.points_near(area, |cell| points.push((planes.number(cell), cell)));
    }
    order::sort_by_key(&mut points, |point| point.0);
    points.dedup();
    points
}

/// A state whose list may have changed, and perhaps the lists of states that visit it.
#[derive(Clone, Copy)]
struct New {
    state: State,
    /// Whether it was dead or a link.
    was_inner: bool,
}

/// The changes made by an edit.
#[derive(Default)]
struct Changes {
    new: Vec<New>,
    /// States that edges lead to now and did not before.
    entered: Vec<State>,
    replaced: Vec<Replaced>,
    /// Nodes with different diagonal clearances.
    changed_clearances: Vec<u32>,
}

/// A replaced list of edges.
struct Replaced {
    span: Span,
    size: Size,
}

impl Repair {
    /// Prepares to follow edits of a graph and its contraction.
    pub(super) fn new(graph: Graph, sights: Sights, contracted: &Contracted) -> Self {
        let mut backs = vec![Back::default(); graph.edges.len()];
        let mut entries = vec![NONE; graph.spans.len()];
        for from in graph.states() {
            for (number, edge) in (graph.spans[from.index()].first..).zip(graph.edges(from)) {
                enter(&mut backs, &mut entries[edge.to.index()], number, from);
            }
        }
        let rays = |spans: Span| Span { first: spans.first / LANES as u32, end: spans.end / LANES as u32 };
        let lists = &contracted.lists;
        let round = |state: State| if sights.dead[state.index()] == 0 { 0 } else { find_if_dead(&graph, state).1 };
        Self {
            rounds: graph.states().map(round).collect(),
            sights,
            allocator: Allocator::new(graph.spans.iter().copied(), graph.edges.len() as u32),
            backs,
            entries,
            unused: Vec::new(),
            edge_allocator: Allocator::new(contracted.states.iter().map(|spans| spans.edges), lists.edges.len() as u32),
            ray_allocator: Allocator::new(
                contracted.states.iter().map(|spans| rays(spans.rays)),
                (lists.rays.positions.len() / LANES) as u32,
            ),
            marks: Marks::new(graph.spans.len()),
            graph,
        }
    }

    /// Follows edits of some areas, which have already changed `grid` and `planes`. Returns the new nodes, or `None` if
    /// everything should be rebuilt; then `self` must no longer be used.
    pub(super) fn follow(
        &mut self,
        contracted: &mut Contracted,
        grid: &Grid,
        planes: &Planes,
        areas: &[Area],
        before: &Before,
    ) -> Option<Vec<(u32, Cell)>> {
        let (removed, added) = self.renumber(contracted, planes, areas, before);
        let mut changes = Changes::default();
        self.mark(contracted, grid, planes, areas, &mut changes)?;
        self.find_edges(contracted, grid, planes, &mut changes)?;
        for state in removed.iter().flat_map(|&node| states(node)) {
            self.replace_edges(state, &[], &mut changes);
        }
        if contracted.is_plain {
            changes.new.iter().for_each(|new| _ = self.marks.insert(new.state));
        } else {
            self.find_dead(&mut changes);
            self.find_users(&changes)?;
        }
        self.make_lists(contracted);
        changes.replaced.iter().for_each(|list| self.remove_edges(list));
        self.unused.extend(removed);
        Some(added)
    }

    /// Assigns numbers to new jump points and frees those of removed ones. Returns both, the freed ones first.
    fn renumber(
        &mut self,
        contracted: &mut Contracted,
        planes: &Planes,
        areas: &[Area],
        before: &Before,
    ) -> (Vec<u32>, Vec<(u32, Cell)>) {
        let numbers = &mut contracted.numbers;
        if numbers.is_empty() {
            numbers.extend(0..before.count as u32);
        }
        let row_major = |&(_, Cell { x, y }): &(u32, Cell)| (y, x);
        let was = |point: &(u32, Cell)| before.points.binary_search_by_key(&row_major(point), row_major).is_ok();
        let removed_ranks: Vec<u32> =
            before.points.iter().filter(|point| !planes.is_numbered(point.1)).map(|point| point.0).collect();
        let new_points: Vec<(u32, Cell)> = points_near(planes, areas).into_iter().filter(|point| !was(point)).collect();
        let removed: Vec<u32> = removed_ranks.iter().map(|&rank| numbers[rank as usize]).collect();
        let mut kept = Vec::with_capacity(planes.jump_points());
        let mut next = 0;
        // Numbers by rank among the remaining jump points; below, among all.
        for rank in removed_ranks.into_iter().map(|rank| rank as usize).chain([numbers.len()]) {
            kept.extend_from_slice(&numbers[next..rank]);
            next = rank + 1;
        }
        numbers.clear();
        let mut taken = 0;
        let mut added = Vec::with_capacity(new_points.len());
        for (rank, cell) in new_points {
            let stay = rank as usize - numbers.len();
            numbers.extend_from_slice(&kept[taken..taken + stay]);
            taken += stay;
            let node = self.unused.pop().unwrap_or_else(|| self.add_node(&mut contracted.states));
            self.graph.cells[node as usize] = cell;
            self.sights.clearances[node as usize] = clearances(planes, cell);
            numbers.push(node);
            added.push((node, cell));
        }
        numbers.extend_from_slice(&kept[taken..]);
        (removed, added)
    }

    fn add_node(&mut self, states: &mut Vec<Spans>) -> u32 {
        let node = self.graph.cells.len() as u32;
        let count = states.len() + 4;
        self.graph.cells.push(Cell::default());
        self.graph.spans.resize(count, Span::default());
        self.entries.resize(count, NONE);
        self.sights.dead.resize(count, 0);
        self.sights.links.resize(count, Link::NONE);
        self.rounds.resize(count, 0);
        self.sights.clearances.push(0);
        states.resize(count, Spans::default());
        for allocator in [&mut self.allocator, &mut self.edge_allocator, &mut self.ray_allocator] {
            allocator.add_lists(4);
        }
        self.marks.grow(count);
        node
    }

    /// Marks all states whose edges may have changed.
    fn mark(
        &mut self,
        contracted: &Contracted,
        grid: &Grid,
        planes: &Planes,
        areas: &[Area],
        changes: &mut Changes,
    ) -> Option<()> {
        let Self { graph, marks, sights, .. } = self;
        let most = graph.spans.len() / MOST_EXAMINED + 64;
        marks.clear();
        for (done, &area) in (1..).zip(areas) {
            planes.behind(area, |cell, diagonal, is_seed| {
                let moves = grid.moves_of(grid.id(cell));
                // Other cells start no scan in this direction.
                let walks = |(dir, side): (Dir, Dir)| {
                    is_seed || moves.contains(side) && !moves.contains(between(dir.opposite(), side))
                };
                let dirs = [diagonal.turn(-1), diagonal.turn(1)];
                let walk = [walks((dirs[0], dirs[1])), walks((dirs[1], dirs[0]))];
                let is_crossed = crosses(area, cell, diagonal);
                if walk == [false; 2] && !is_crossed {
                    return;
                }
                let node = contracted.number(planes, cell);
                for dir in (0..2).filter(|&i| walk[i]).map(|i| dirs[i]) {
                    let state = State::new(node, dir);
                    if planes.is_jump_point(cell, dir) || is_seed && !graph.edges(state).is_empty() {
                        marks.insert(state);
                    }
                }
                if is_crossed && clearance_changes(planes, cell, diagonal, &mut sights.clearances[node as usize]) {
                    changes.changed_clearances.push(node);
                }
            });
            let expected = if done < FIRST_AREAS { 0 } else { marks.list.len() * areas.len() / done };
            // Later areas repeat some states of earlier ones.
            if marks.list.len() > most || expected > 2 * most {
                return None;
            }
        }
        Some(())
    }

    /// Finds the edges of marked states again.
    fn find_edges(
        &mut self,
        contracted: &Contracted,
        grid: &Grid,
        planes: &Planes,
        changes: &mut Changes,
    ) -> Option<()> {
        let mut found = Edges { number: |cell| contracted.number(planes, cell), edges: Vec::new() };
        for state in std::mem::take(&mut self.marks.list) {
            self.marks.take(state);
            let cell = self.graph.cells[state.node() as usize];
            found.edges.clear();
            if planes.is_jump_point(cell, state.dir()) {
                expand(planes, &NoGates, cell, state.dir(), grid.moves_of(grid.id(cell)), &mut found);
            }
            if found.edges == self.graph.edges(state) {
                continue;
            }
            if !contracted.is_plain && found.edges.iter().any(|edge| edge.cost > COSTLIEST_HOP) {
                return None;
            }
            self.replace_edges(state, &found.edges, changes);
        }
        Some(())
    }

    /// Replaces the edges of a state. The old edges stay in the arrays for now.
    fn replace_edges(&mut self, from: State, edges: &[Edge], changes: &mut Changes) {
        changes.new.push(New { state: from, was_inner: self.sights.is_inner(from) });
        let (span, size) = self.allocator.reallocate(from.index(), edges.len() as u32);
        let before = std::mem::replace(&mut self.graph.spans[from.index()], span);
        changes.replaced.push(Replaced { span: before, size });
        self.graph.edges.resize(self.allocator.end(), Edge::default());
        self.backs.resize(self.allocator.end(), Back::default());
        self.graph.edges[span.range()].copy_from_slice(edges);
        for (number, edge) in (span.first..).zip(edges) {
            if enter(&mut self.backs, &mut self.entries[edge.to.index()], number, from) {
                changes.entered.push(edge.to);
            }
        }
    }

    /// Removes replaced edges.
    fn remove_edges(&mut self, &Replaced { span, size }: &Replaced) {
        for number in span.range() {
            let Back { next, previous, .. } = self.backs[number];
            if previous == NONE {
                self.entries[self.graph.edges[number].to.index()] = next;
            } else {
                self.backs[previous as usize].next = next;
            }
            if next != NONE {
                self.backs[next as usize].previous = previous;
            }
        }
        self.allocator.free(span.first, size);
    }

    /// Finds out again which states are dead, after the edges of some have changed. The states for which that matters
    /// become new.
    fn find_dead(&mut self, changes: &mut Changes) {
        let Self { graph, backs, entries, sights, rounds, .. } = self;
        let mut unseen: Vec<State> = changes.new.iter().map(|new| new.state).chain(changes.entered.drain(..)).collect();
        while let Some(state) = unseen.pop() {
            let (dead, round) = (&mut sights.dead[state.index()], &mut rounds[state.index()]);
            let was = (*dead, *round);
            (*dead, *round) = find_if_dead(graph, state);
            if (*dead, *round) != was {
                changes.new.push(New { state, was_inner: was.0 != 0 || sights.is_link(state) });
                for state in predecessors(backs, entries, state) {
                    unseen.push(state);
                    // If it is no longer dead, its own turn will find that.
                    changes.new.push(New { state, was_inner: sights.is_inner(state) });
                }
            }
        }
        changes.new.iter().for_each(|new| sights.find_link(graph, new.state));
    }

    /// Marks new states, and all states whose lists visit a new one that is or was inner.
    fn find_users(&mut self, changes: &Changes) -> Option<()> {
        let Self { graph, backs, entries, sights, marks, .. } = self;
        let most = graph.spans.len() / MOST_LISTS + 64;
        let mut passed = Vec::new();
        for &New { state, was_inner } in &changes.new {
            marks.insert(state);
            if was_inner || sights.is_inner(state) {
                passed.push(state);
            }
        }
        let changed_clearances = changes.changed_clearances.iter().flat_map(|&node| states(node));
        passed.extend(changed_clearances.filter(|&state| sights.is_inner(state)));
        order::sort(&mut passed);
        passed.dedup();
        for _ in 0..FARTHEST {
            let mut next = Vec::new();
            for state in passed {
                for before in predecessors(backs, entries, state) {
                    if marks.insert(before) && sights.is_inner(before) {
                        next.push(before);
                    }
                }
            }
            if marks.list.len() > most {
                return None;
            }
            passed = next;
        }
        Some(())
    }

    /// Makes the lists of marked states again.
    fn make_lists(&mut self, contracted: &mut Contracted) {
        let Self { graph, sights, marks, edge_allocator, ray_allocator, .. } = self;
        let mut contractor = Contractor { graph, sights, out: StateLists::default() };
        let mut links = Vec::new();
        for &state in &marks.list {
            contractor.out.clear();
            if contracted.is_plain {
                contractor.out.push_edges(graph, state);
            } else {
                contractor.contract(state, &mut links);
            }
            contracted.replace(state, &contractor.out, edge_allocator, ray_allocator);
        }
        contracted.lists.farthest = contracted.lists.farthest.max(contractor.out.farthest);
    }

    pub(super) fn size_bytes(&self) -> usize {
        let allocators: usize = [&self.allocator, &self.edge_allocator, &self.ray_allocator]
            .iter()
            .map(|allocator| allocator.size_bytes())
            .sum();
        self.graph.size_bytes()
            + allocators
            + size_of_val(&self.backs[..])
            + size_of_val(&self.entries[..])
            + 2 * self.rounds.len()
            + size_of_val(&self.sights.links[..])
            + size_of_val(&self.sights.clearances[..])
            + size_of_val(&self.unused[..])
            + self.marks.size_bytes()
    }
}

/// Adds an edge to the list of those that lead to a state, whose first is `entry`. Returns whether the list was empty.
fn enter(backs: &mut [Back], entry: &mut u32, number: u32, from: State) -> bool {
    let next = std::mem::replace(entry, number);
    backs[number as usize] = Back { from, next, previous: NONE };
    if next != NONE {
        backs[next as usize].previous = number;
    }
    next == NONE
}

/// The states with an edge to this one, some of them more than once.
fn predecessors(backs: &[Back], entries: &[u32], state: State) -> impl Iterator<Item = State> {
    let edge = |number: u32| (number != NONE).then_some(number);
    std::iter::successors(edge(entries[state.index()]), move |&number| edge(backs[number as usize].next))
        .map(|number| backs[number as usize].from)
}

/// The states of a node.
fn states(node: u32) -> impl Iterator<Item = State> {
    (4 * node..4 * node + 4).map(State)
}

/// The direction between two directions that differ by a quarter turn.
fn between(a: Dir, b: Dir) -> Dir {
    if a.turn(2) == b { a.turn(1) } else { a.turn(-1) }
}

/// Whether the diagonal line through a cell reaches an area or the ring around it.
fn crosses(area: Area, cell: Cell, diagonal: Dir) -> bool {
    // Padded positions, shifted so that none is negative.
    let (x, y) = (cell.x as usize + 1, cell.y as usize + 1);
    let Area { left, right, top, bottom } = area;
    if (diagonal.dx() > 0) == (diagonal.dy() > 0) {
        x + bottom + 2 >= left + y && x + top <= right + y + 2
    } else {
        x + y + 2 >= left + top && x + y <= right + bottom + 2
    }
}

/// Updates the clearance of a cell in a diagonal direction. Returns whether it has changed.
fn clearance_changes(planes: &Planes, cell: Cell, diagonal: Dir, clearances: &mut u32) -> bool {
    let (east, south) = (diagonal.dx() > 0, diagonal.dy() > 0);
    let shift = 8 * u32::from(east) + 16 * u32::from(south);
    let steps = planes.diagonal_steps(cell, east, south).min(255);
    let before = std::mem::replace(clearances, *clearances & !(255 << shift) | steps << shift);
    before != *clearances
}

impl Contracted {
    /// Replaces the rays and edges of a state.
    fn replace(
        &mut self,
        state: State,
        state_lists: &StateLists,
        edge_allocator: &mut Allocator,
        ray_allocator: &mut Allocator,
    ) {
        let lanes = LANES as u32;
        let own = &mut self.states[state.index()];
        let (rays, size) = ray_allocator.reallocate(state.index(), state_lists.rays.len().div_ceil(LANES) as u32);
        ray_allocator.free(own.rays.first / lanes, size);
        own.rays = Span { first: rays.first * lanes, end: rays.end * lanes };
        let (edges, size) = edge_allocator.reallocate(state.index(), state_lists.edges.len() as u32);
        edge_allocator.free(own.edges.first, size);
        own.edges = edges;
        self.lists.resize(ray_allocator.end() * LANES, edge_allocator.end());
        self.lists.write(*own, state_lists);
    }
}

/// A set of states.
#[derive(Clone, Debug)]
struct Marks {
    bits: Vec<u64>,
    list: Vec<State>,
}

impl Marks {
    fn new(states: usize) -> Self {
        Self { bits: vec![0; states.div_ceil(64)], list: Vec::new() }
    }

    fn grow(&mut self, states: usize) {
        self.bits.resize(states.div_ceil(64), 0);
    }

    /// Adds a state. Returns whether it is new.
    fn insert(&mut self, state: State) -> bool {
        let (word, bit) = (state.index() / 64, 1 << (state.index() % 64));
        let is_new = self.bits[word] & bit == 0;
        if is_new {
            self.bits[word] |= bit;
            self.list.push(state);
        }
        is_new
    }

    /// Clears the mark of a state that is no longer in the list.
    fn take(&mut self, state: State) {
        self.bits[state.index() / 64] &= !(1 << (state.index() % 64));
    }

    fn clear(&mut self) {
        for state in std::mem::take(&mut self.list) {
            self.take(state);
        }
    }

    fn size_bytes(&self) -> usize {
        size_of_val(&self.bits[..]) + size_of_val(&self.list[..])
    }
}

#[cfg(test)]
#[path = "repair_tests.rs"]
mod tests;
