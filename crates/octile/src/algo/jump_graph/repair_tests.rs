//! A repaired index equals a rebuilt one.

use std::collections::BTreeMap;

use super::super::contract::Lists;
use super::super::{Index, JumpGraph, JumpGraphPlanner, When};
use super::*;
use crate::Astar;
use crate::formats::generate;
use crate::geometry::Dice;
use crate::grid::Edits;
use crate::path::{Output, Path};
use crate::planner::{Build, Config, PathQuery, Planner, PlannerId};

/// A state, by cell and direction.
type StateKey = (Cell, u32);

fn key(graph: &Graph, state: State) -> StateKey {
    (graph.cells[state.node() as usize], state.0 % 4)
}

/// The edges of each state, in order.
fn edges(graph: &Graph) -> BTreeMap<StateKey, Vec<(StateKey, u32)>> {
    let leads = |edge: &Edge| (key(graph, edge.to), edge.cost);
    let all = graph.states().map(|state| {
        let mut edges: Vec<_> = graph.edges(state).iter().map(leads).collect();
        edges.sort_unstable();
        (key(graph, state), edges)
    });
    all.filter(|(_, edges)| !edges.is_empty()).collect()
}

/// For each state that edges lead to, the number of its rays if it is dead.
fn dead(graph: &Graph, dead: &[u8]) -> BTreeMap<StateKey, u8> {
    let entered = graph.states().flat_map(|state| graph.edges(state)).map(|edge| edge.to);
    entered.map(|state| (key(graph, state), dead[state.index()])).collect()
}

/// The rays back to their state: cell, cost and clearances of each.
type RayChain = Vec<(Cell, u32, u32)>;

/// The state that an edge leads to, its cost, and the rays along it.
type Lead = (StateKey, u32, RayChain);

/// The rays and edges of each state.
fn lists(graph: &Graph, contracted: &Contracted) -> BTreeMap<StateKey, (Vec<RayChain>, Vec<Lead>)> {
    let Lists { edges, origins, rays, .. } = &contracted.lists;
    let chain = |ray: u32| {
        let next = |&ray: &u32| Some(rays.before[ray as usize]).filter(|&ray| ray != NONE);
        std::iter::successors(Some(ray).filter(|&ray| ray != NONE), next)
            .map(|ray| (rays.cell(ray), rays.costs[ray as usize], rays.clearances[ray as usize]))
            .collect::<RayChain>()
    };
    let all = graph.states().map(|state| {
        let spans = contracted.states[state.index()];
        let is_ray = |&ray: &u32| rays.positions[ray as usize] != u32::MAX;
        let mut chains: Vec<RayChain> = (spans.rays.first..spans.rays.end).filter(is_ray).map(chain).collect();
        chains.sort_unstable();
        let lead = |number: usize| {
            let (edge, origin) = (edges[number], origins[number]);
            let to = key(graph, edge.to);
            assert_eq!((edge.x.into(), edge.y.into(), origin.node), (to.0.x, to.0.y, state.node()));
            (to, edge.cost, chain(origin.ray))
        };
        let mut leads: Vec<_> = spans.edges.range().map(lead).collect();
        leads.sort_unstable();
        (key(graph, state), (chains, leads))
    });
    all.filter(|(_, (chains, leads))| !chains.is_empty() || !leads.is_empty()).collect()
}

/// Every edge has its reverse entry, and there are no others.
fn check_backs(repair: &Repair) {
    let Repair { graph, backs, entries, .. } = repair;
    let mut ahead: Vec<(u32, u32)> =
        graph.states().flat_map(|from| graph.edges(from).iter().map(move |edge| (from.0, edge.to.0))).collect();
    let mut back: Vec<(u32, u32)> = graph
        .states()
        .flat_map(|to| predecessors(backs, entries, to).map(move |from| (from.0, to.0)).collect::<Vec<_>>())
        .collect();
    ahead.sort_unstable();
    back.sort_unstable();
    assert_eq!(ahead, back);
}

fn planner(grid: &Grid, config: &JumpGraph) -> JumpGraphPlanner {
    let (id, index) = (PlannerId::new(), Index::build(grid, config).into());
    JumpGraphPlanner { id, facts: config.facts(), grid: grid.clone(), config: config.clone(), index }
}

/// Compares all data of a planner with that of a rebuilt one.
fn check(planner: &JumpGraphPlanner) {
    let grid = &planner.grid;
    assert!(planner.index.planes == Planes::build(grid));
    let (Some(repair), Some(contracted)) = (&planner.index.repair, &planner.index.graph) else { return };
    let planes = &planner.index.planes;
    let graph = Graph::build(grid, planes, planes.numbered().collect());
    assert_eq!(edges(&repair.graph), edges(&graph));
    for cell in planes.numbered() {
        assert_eq!(repair.graph.cells[contracted.number(planes, cell) as usize], cell);
    }
    check_backs(repair);
    if !contracted.is_plain {
        let sights = Sights::find(&graph, planes);
        assert_eq!(dead(&graph, &sights.dead), dead(&repair.graph, &repair.sights.dead));
        let rebuilt = Contracted::build(&graph, &sights, false);
        assert!(rebuilt.is_plain || lists(&graph, &rebuilt) == lists(&repair.graph, contracted));
    }
}

/// Compares answers with those of A*.
fn check_answers(planner: &JumpGraphPlanner, dice: &mut Dice, queries: usize) {
    let grid = &planner.grid;
    let free: Vec<Cell> = grid.cells().filter(|&cell| grid.is_free(cell)).collect();
    let astar = Astar::default().build(&Build::new(grid)).unwrap();
    let (mut scratch, mut astar_scratch) = (planner.create_scratch(), astar.create_scratch());
    let (mut path, mut astar_path) = (Path::new(), Path::new());
    for _ in 0..if free.is_empty() { 0 } else { queries } {
        let [start, goal] = [(); 2].map(|()| free[dice.below(free.len() as u64) as usize]);
        let query = PathQuery::new(start, goal).output(Output::Waypoints);
        let found = planner.search(&mut scratch, query, &mut path, None).unwrap();
        assert_eq!(
            found,
            astar.search(&mut astar_scratch, query, &mut astar_path, None).unwrap(),
            "{query:?}\n{grid:?}"
        );
        if found {
            assert_eq!(path.cost(), astar_path.cost(), "{query:?}\n{grid:?}");
            path.check(grid, start, goal).unwrap();
        }
    }
}

/// Maps of all kinds.
fn maps() -> Vec<Grid> {
    let mut maps = vec![Grid::open(9, 7).unwrap(), Grid::open(70, 33).unwrap()];
    for seed in 0..4 {
        let side = 12 + 9 * seed as u32;
        maps.push(generate::random(side, side + 5, 3 + 4 * seed as u32, seed).unwrap());
        maps.push(generate::rooms(side + 9, side, 6, seed).unwrap());
        maps.push(generate::maze(side + 1, side, 2 + seed as u32, seed).unwrap());
    }
    maps.push(generate::random(200, 200, 2, 7).unwrap());
    maps.push(generate::rooms(200, 200, 14, 8).unwrap());
    maps.push(generate::maze(200, 200, 6, 9).unwrap());
    maps
}

/// A cell, a building, or a door: blocked or freed.
fn edit(grid: &Grid, dice: &mut Dice) -> Edits {
    let mut random = |below: u32| dice.below(below.into()) as u32;
    let mut edits = Edits::new();
    for _ in 0..=random(2) {
        let a = Cell::new(random(grid.width()), random(grid.height()));
        let (wide, high) = match random(4) {
            0 => (0, 0),
            1 => (5, 5),
            2 => (random(8), 0),
            _ => (random(6), random(6)),
        };
        let b = Cell::new((a.x + wide).min(grid.width() - 1), (a.y + high).min(grid.height() - 1));
        if random(2) == 0 {
            edits.block_rect(a, b)
        } else {
            edits.free_rect(a, b)
        };
    }
    edits
}

fn run(config: &JumpGraph, rounds: usize, is_checked: bool) -> usize {
    let mut dice = Dice::new(21);
    let mut followed = 0;
    for grid in maps() {
        let mut planner = planner(&grid, config);
        let mut last: Option<Edits> = None;
        for _ in 0..rounds {
            let edits = last.take().unwrap_or_else(|| edit(&planner.grid, &mut dice));
            // Some edits undo the last one.
            let undo: Edits = edits.iter().map(|(cell, free)| (cell, !free)).collect();
            last = (dice.below(3) == 0).then_some(undo);
            let mut index = (*planner.index).clone();
            let mut changed = planner.grid.clone();
            followed += usize::from(index.follow(&mut changed, &edits).unwrap());
            planner.apply(&edits).unwrap();
            if is_checked {
                check(&planner);
            }
            check_answers(&planner, &mut dice, if grid.width() < 100 { 12 } else { 4 });
        }
    }
    followed
}

#[test]
fn a_repaired_index_equals_a_rebuilt_one() {
    let config = JumpGraph { gates: When::Never, ..JumpGraph::default() };
    assert!(run(&config, 20, true) > 100);
}

/// With gates, and with sparing lists or none.
#[test]
fn repaired_indexes_give_exact_answers() {
    let never = JumpGraph { contract: When::Never, gates: When::Always, ..JumpGraph::default() };
    assert!(run(&never, 16, true) > 100);
    let always = JumpGraph { contract: When::Always, gates: When::Always, ..JumpGraph::default() };
    assert!(run(&always, 40, false) > 200);
    run(&JumpGraph::default(), 16, false);
}
