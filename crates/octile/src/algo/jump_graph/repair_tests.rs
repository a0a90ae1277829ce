//! A repaired index says what one says that is built anew.

use std::collections::BTreeMap;

use super::super::contract::Lists;
use super::super::{Index, JumpGraph, JumpGraphPlanner, When};
use super::*;
use crate::formats::generate;
use crate::grid::Edits;
use crate::path::{Output, Path};
use crate::planner::{Build, Config, PathQuery, Planner, PlannerId};
use crate::{Astar, Dice};

/// A state, by cell and direction.
type Place = (Cell, u32);

fn place(graph: &Graph, state: State) -> Place {
    (graph.cells[state.node() as usize], state.0 % 4)
}

/// What comes after each state, in order.
fn edges(graph: &Graph) -> BTreeMap<Place, Vec<(Place, u32)>> {
    let leads = |edge: &Edge| (place(graph, edge.to), edge.cost);
    let all = graph.states().map(|state| {
        let mut edges: Vec<_> = graph.edges(state).iter().map(leads).collect();
        edges.sort_unstable();
        (place(graph, state), edges)
    });
    all.filter(|(_, edges)| !edges.is_empty()).collect()
}

/// For each state that edges lead to how many rays it makes if it is dead.
fn dead(graph: &Graph, dead: &[u8]) -> BTreeMap<Place, u8> {
    let entered = graph.states().flat_map(|state| graph.edges(state)).map(|edge| edge.to);
    entered.map(|state| (place(graph, state), dead[state.index()])).collect()
}

/// The way along rays back to their state, and the cost of the last.
type Way = Vec<(Cell, u32, u32)>;

/// Where an edge leads, at which cost, along which rays.
type Lead = (Place, u32, Way);

/// The rays and edges of each state.
fn lists(graph: &Graph, contracted: &Contracted) -> BTreeMap<Place, (Vec<Way>, Vec<Lead>)> {
    let Lists { edges, origins, rays, .. } = &contracted.lists;
    let way = |ray: u32| {
        let next = |&ray: &u32| Some(rays.before[ray as usize]).filter(|&ray| ray != NONE);
        std::iter::successors(Some(ray).filter(|&ray| ray != NONE), next)
            .map(|ray| (rays.cell(ray), rays.costs[ray as usize], rays.clearances[ray as usize]))
            .collect::<Way>()
    };
    let all = graph.states().map(|state| {
        let spans = contracted.states[state.index()];
        let is_place = |&ray: &u32| rays.places[ray as usize] != u32::MAX;
        let mut ways: Vec<Way> = (spans.rays.first..spans.rays.end).filter(is_place).map(way).collect();
        ways.sort_unstable();
        let lead = |number: usize| {
            let (edge, origin) = (edges[number], origins[number]);
            let to = place(graph, edge.to);
            assert_eq!((edge.x.into(), edge.y.into(), origin.node), (to.0.x, to.0.y, state.node()));
            (to, edge.cost, way(origin.ray))
        };
        let mut leads: Vec<_> = spans.edges.range().map(lead).collect();
        leads.sort_unstable();
        (place(graph, state), (ways, leads))
    });
    all.filter(|(_, (ways, leads))| !ways.is_empty() || !leads.is_empty()).collect()
}

/// Every edge is found from its end, and no other is.
fn check_backs(repair: &Repair) {
    let Repair { graph, backs, entries, .. } = repair;
    let mut ahead: Vec<(u32, u32)> =
        graph.states().flat_map(|from| graph.edges(from).iter().map(move |edge| (from.0, edge.to.0))).collect();
    let mut back: Vec<(u32, u32)> = graph
        .states()
        .flat_map(|to| befores(backs, entries, to).map(move |from| (from.0, to.0)).collect::<Vec<_>>())
        .collect();
    ahead.sort_unstable();
    back.sort_unstable();
    assert_eq!(ahead, back);
}

fn planner(grid: &Grid, config: &JumpGraph) -> JumpGraphPlanner {
    let (id, index) = (PlannerId::new(), Index::build(grid, config).into());
    JumpGraphPlanner { id, facts: config.facts(), grid: grid.clone(), config: config.clone(), index }
}

/// Compares all that a planner knows with what one knows that is built anew.
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
        let anew = Contracted::build(&graph, &sights, false);
        assert!(anew.is_plain || lists(&graph, &anew) == lists(&repair.graph, contracted));
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

/// A cell, a building, or a door: put up, or torn down again.
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
            // What an edit has put up is sometimes torn down again, and the other way round.
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
fn a_repaired_index_says_what_a_new_one_says() {
    let config = JumpGraph { gates: When::Never, ..JumpGraph::default() };
    assert!(run(&config, 20, true) > 100);
}

/// With gates, and with lists in their sparing form or none.
#[test]
fn repaired_indexes_answer_as_new_ones_do() {
    let never = JumpGraph { contract: When::Never, gates: When::Always, ..JumpGraph::default() };
    assert!(run(&never, 16, true) > 100);
    let always = JumpGraph { contract: When::Always, gates: When::Always, ..JumpGraph::default() };
    assert!(run(&always, 40, false) > 200);
    run(&JumpGraph::default(), 16, false);
}
