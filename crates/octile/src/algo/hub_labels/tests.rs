use super::*;
use crate::formats::generate;
use crate::geometry::Dir;
use crate::kernels::hubs::cells::{MORE, NO_RECORD, Ranked, Records};
use crate::kernels::hubs::labels::Labelling;
use crate::kernels::hubs::outlook;
use crate::kernels::limits::Limits;
use crate::kernels::subgoals::{self, Link, Subgoals};
use crate::planner::{Budget, Progress};

/// Builds an index for a planner.
fn build(build: &Build<'_>) -> Result<Vec<u8>, BuildError> {
    super::build::build(build, false)
}

/// Small maps of all sorts.
fn maps() -> Vec<Grid> {
    let mut maps: Vec<Grid> = ["..@.\n....\n.@..", "@", ".", "@@@\n@.@", ".....\n.@@@.\n.@.@.\n.@@@.\n....."]
        .into_iter()
        .map(|map| map.parse().unwrap())
        .collect();
    for seed in 0..12 {
        maps.push(generate::random(13, 9, 5 + 4 * seed as u32, seed).unwrap());
        maps.push(generate::random(9, 17, 12, 100 + seed).unwrap());
        maps.push(generate::rooms(17, 17, 4, seed).unwrap());
        maps.push(generate::maze(15, 15, 1 + seed as u32 % 3, seed).unwrap());
    }
    maps
}

fn free_cells(grid: &Grid) -> Vec<Cell> {
    grid.cells().filter(|&cell| grid.is_free(cell)).collect()
}

/// The subgoals with their labels.
fn labelled(subgoals: &Subgoals) -> Labelling<24> {
    super::build::label(subgoals, &Limits::new(Budget::UNLIMITED, true), &|_| {}).unwrap()
}

#[test]
fn subgoals_are_free_cells_at_corners_of_obstacles() {
    for grid in maps() {
        let is_free = |cell: Cell, dir: Dir| grid.is_free(dir.step(cell, 1));
        let is_subgoal = |cell: Cell| {
            let corner = |dir: &Dir| {
                dir.is_diagonal()
                    && !is_free(cell, *dir)
                    // Nothing is free outside the map, so its corners are not obstacle corners.
                    && is_free(cell, dir.turn(1))
                    && is_free(cell, dir.turn(-1))
            };
            grid.is_free(cell) && Dir::ALL.iter().any(corner)
        };
        let subgoals = Subgoals::new(&grid);
        assert_eq!(subgoals.len(), subgoals::count(&grid));
        for cell in grid.cells() {
            let number = subgoals.at(grid.id(cell));
            assert_eq!(number.is_some(), is_subgoal(cell), "{cell}\n{grid:?}");
            assert!(number.is_none_or(|number| subgoals.cell(number) == cell));
        }
    }
}

/// A subgoal is reached directly if there is a path as long as the octile distance, and no such path has another
/// subgoal on it.
#[test]
fn direct_subgoals_are_those_of_the_definition() {
    let mut reached = 0;
    for grid in maps() {
        let subgoals = Subgoals::new(&grid);
        let cells: Vec<Cell> = (0..subgoals.len() as u32).map(|number| subgoals.cell(number)).collect();
        let from_subgoals: Vec<_> = cells.iter().map(|&cell| crate::services::distances(&grid, cell)).collect();
        for from in free_cells(&grid) {
            let distances = crate::services::distances(&grid, from);
            let mut expected = Vec::new();
            for (number, &to) in cells.iter().enumerate().filter(|&(_, &to)| to != from) {
                let shortest = GridCost::between(from, to);
                let on_a_path = |&&other: &&Cell| {
                    other != from
                        && other != to
                        && distances
                            .cost(other)
                            .zip(from_subgoals[number].cost(other))
                            .is_some_and(|(a, b)| a + b == shortest)
                };
                if distances.cost(to) == Some(shortest) && cells.iter().find(on_a_path).is_none() {
                    expected.push((number, shortest));
                }
            }
            let mut found = Vec::new();
            subgoals.direct(grid.id(from), &mut found);
            let mut found: Vec<_> = found.iter().map(|link| (link.to(), Mid::decode(link.cost()))).collect();
            found.sort_by_key(|(number, _)| *number);
            assert_eq!(found, expected, "from {from}\n{grid:?}");
            reached += found.len();
        }
    }
    assert!(reached > 10_000, "{reached}");
}

/// For every two subgoals, the best common hub of their labels gives the distance, and its tree gives the path.
#[test]
fn labels_know_the_distances_of_all_subgoals() {
    let mut pairs = 0;
    for grid in maps() {
        let subgoals = Subgoals::new(&grid);
        let Labelling { order, labels, places, trees, .. } = labelled(&subgoals);
        assert_eq!(order.len(), subgoals.len());
        for (from, label) in labels.iter().enumerate() {
            assert!(label.windows(2).all(|pair| pair[0].to() < pair[1].to()), "by rank");
            let own = label.last().unwrap();
            assert_eq!((order[own.to()] as usize, own.cost()), (from, 0));
            let distances = crate::services::distances(&grid, subgoals.cell(from as u32));
            for (to, other) in labels.iter().enumerate() {
                let meetings = label.iter().flat_map(|a| other.iter().map(move |b| (a, b)));
                let common = meetings.filter(|(a, b)| a.to() == b.to()).map(|(a, b)| a.cost() + b.cost());
                assert_eq!(common.min().map(Mid::decode), distances.cost(subgoals.cell(to as u32)));
                pairs += 1;
            }
            for (link, &place) in label.iter().zip(&places[from]) {
                let (mut at, mut cost) = (place as usize, 0);
                assert_eq!(trees[at].site as usize, from);
                while trees[at].up > 0 {
                    let parent = at - trees[at].up as usize;
                    cost += Mid::between(subgoals.cell(trees[at].site), subgoals.cell(trees[parent].site));
                    at = parent;
                }
                assert_eq!((trees[at].site, cost), (order[link.to()], link.cost()));
            }
        }
    }
    assert!(pairs > 20_000, "{pairs}");
}

/// Large steps take more than one byte.
#[test]
fn small_maps_have_steps_of_several_bytes() {
    let (mut long, mut short) = (0, 0);
    for grid in maps() {
        let subgoals = Subgoals::new(&grid);
        let labels = Ranked::new(&labelled(&subgoals));
        let connect = || super::build::Direct { subgoals: &subgoals, ranks: &labels.ranks };
        let limits = Limits::new(Budget::UNLIMITED, true);
        let records = Records::new(&grid, &labels, connect, &limits, &|_| {}).unwrap();
        let taken = records.cells.iter().filter(|&&start| start != NO_RECORD).count();
        assert_eq!(taken, free_cells(&grid).len());
        long += records.bytes.iter().map(|&byte| usize::from(byte == MORE)).sum::<usize>();
        short += records.bytes.iter().filter(|&&byte| byte < MORE).count();
    }
    assert!(long > 100 && short > 1000, "{long} {short}");
}

/// Nodes whose parents are too far away for one word are kept in a separate list.
#[test]
fn far_parents_are_found() {
    let is_wall = |cell: Cell| cell.y == 2 && cell.x % 1500 == 700 || cell.y == 1 && cell.x % 37 == 5;
    let grid = Grid::from_fn(5000, 3, |cell| !is_wall(cell)).unwrap();
    let artifact = Artifact::from_bytes(build(&Build::new(&grid)).unwrap()).unwrap();
    assert!(artifact.section(file::FAR).unwrap().is_empty(), "no hop is far");
    let grid = Grid::from_fn(5000, 3, |cell| cell.y != 1 || cell.x % 1500 == 700).unwrap();
    let artifact = Artifact::from_bytes(build(&Build::new(&grid)).unwrap()).unwrap();
    assert!(artifact.section(file::FAR).unwrap().len() > 12);
    let planner = HubLabels::default().planner(&grid).unwrap();
    let mut path = Path::new();
    for (start, goal) in [((0, 0), (4999, 2)), ((4000, 2), (3, 0)), ((710, 0), (690, 2))] {
        let (start, goal) = (Cell::from(start), Cell::from(goal));
        assert!(planner.plan(&mut planner.create_scratch(), PathQuery::new(start, goal), &mut path).unwrap());
        path.check(&grid, start, goal).unwrap();
        assert_eq!(path.cost().grid(), crate::services::distances(&grid, start).cost(goal));
    }
}

#[test]
fn costs_of_earlier_queries_never_count() {
    let grid = generate::rooms(33, 33, 6, 4).unwrap();
    let planner = HubLabels::default().planner(&grid).unwrap();
    let free = free_cells(&grid);
    let mut scratch = planner.create_scratch();
    let costs = &mut scratch.get::<HubLabelsScratch>().costs;
    *costs = HubCosts::near_the_end(costs.len(), 3);
    for (i, &start) in free.iter().step_by(97).enumerate() {
        let distances = crate::services::distances(&grid, start);
        let goal = free[i * 31 % free.len()];
        let mut path = Path::new();
        assert!(planner.plan(&mut scratch, PathQuery::new(start, goal), &mut path).unwrap());
        assert_eq!(path.cost().grid(), distances.cost(goal));
    }
}

/// Many targets take several rounds, because each round takes only a few in tests.
#[test]
fn costs_between_many_cells_are_exact() {
    let mut nearest = Vec::new();
    for grid in maps() {
        let planner = HubLabels::default().planner(&grid).unwrap();
        let mut scratch = planner.create_scratch();
        let costs = &mut scratch.get::<HubLabelsScratch>().costs;
        *costs = HubCosts::near_the_end(costs.len(), 3);
        let free = free_cells(&grid);
        let mut all = vec![None; free.len() * free.len()];
        assert!(planner.costs(&mut scratch, &free, &free, &mut all));
        let mut row = vec![None; free.len()];
        for (&source, costs) in free.iter().zip(all.chunks(free.len().max(1))) {
            let distances = crate::services::distances(&grid, source);
            let expected = |&cell: &Cell| distances.cost(cell).map(PathCost::Grid);
            assert!(free.iter().map(expected).eq(costs.iter().copied()), "{source}\n{grid:?}");
            assert!(planner.costs(&mut scratch, &[source], &free, &mut row));
            assert_eq!(row, costs, "{source}\n{grid:?}");
            nearest.clear();
            assert!(planner.nearest(&mut scratch, source, &free, 5, &mut |place, cost| nearest.push((place, cost))));
            let mut sorted: Vec<_> =
                costs.iter().zip(0..).filter_map(|(cost, place)| Some((cost.as_ref()?.grid()?, place))).collect();
            sorted.sort_unstable();
            sorted.truncate(5);
            assert!(nearest.iter().map(|(place, cost)| (cost.grid().unwrap(), *place)).eq(sorted));
        }
    }
}

/// Maps that need many times the budget are refused after a small part of it is spent.
#[test]
fn hopeless_maps_are_told_early() {
    let grid = generate::random(220, 220, 20, 1).unwrap();
    let hubs = std::sync::atomic::AtomicU64::new(0);
    let watch = |progress: Progress| {
        if progress.stage == "hubs" {
            hubs.fetch_max(progress.done, std::sync::atomic::Ordering::Relaxed);
        }
    };
    let all = subgoals::count(&grid) as u64;
    assert!(build(&Build::new(&grid).within(Budget::AT_ONCE)).is_ok(), "it suits");
    let refused = build(&Build::new(&grid).within(Budget::AT_ONCE.steps(100_000_000)).watched(&watch));
    let Err(BuildError::TakesLong { reason, .. }) = refused else { panic!("it takes more") };
    let Some(Unsuited::Budget { over, .. }) = reason.downcast_ref() else { panic!("{reason}") };
    assert!(over.takes > 3 * over.most / 2, "a forecast, not what was spent: {over}");
    assert!(hubs.into_inner() * 10 < all, "of {all} hubs");
}

/// Large maps are judged by pieces of them, before any search of the whole. Those with random obstacles are refused.
#[test]
fn large_maps_are_judged_by_their_pieces() {
    let told = std::sync::atomic::AtomicU64::new(0);
    let watch = |_: Progress| {
        told.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
    };
    let random = generate::random(2000, 2000, 25, 1).unwrap();
    let refused =
        super::build::build(&Build::new(&random).within(Budget::BEFOREHAND).watched(&watch), true).unwrap_err();
    assert!(matches!(refused, BuildError::Unsuited { .. }), "{refused}");
    assert_eq!(told.into_inner(), 0, "no search of the whole");
}

/// Large maps of rooms are not refused.
#[test]
fn large_maps_that_suit_labels_are_judged_by_their_pieces() {
    let rooms = generate::rooms(1500, 1500, 8, 1).unwrap();
    let forecast = outlook::label_steps(&rooms, subgoals::count(&rooms), &super::build::label_piece).unwrap();
    assert!(forecast < Budget::BEFOREHAND.steps as f64, "{forecast}");
    let small = generate::rooms(200, 200, 8, 1).unwrap();
    assert!(outlook::label_steps(&small, 500, &super::build::label_piece).is_none(), "it is not large");
}

/// A corridor of one cell that winds back and forth.
fn snake(width: u32, height: u32) -> Grid {
    let turn = |y: u32| if y % 4 == 1 { width - 1 } else { 0 };
    Grid::from_fn(width, height, |Cell { x, y }| y % 2 == 0 || x == turn(y)).unwrap()
}

#[test]
fn paths_beyond_the_limit_are_refused_and_shorter_ones_exact() {
    // Half a million moves; about half of them from the hub in the middle.
    let grid = snake(2000, 501);
    let planner = HubLabels::default().planner(&grid).unwrap();
    let (start, goal) = (Cell::new(0, 0), Cell::new(1999, 500));
    let mut path = Path::new();
    assert!(planner.plan(&mut planner.create_scratch(), PathQuery::new(start, goal), &mut path).unwrap());
    assert_eq!(path.cost().grid(), Some(GridCost::new(1999 * 251 + 500, 0)));
    assert!(path.length() * Mid::STRAIGHT as f64 > Mid::LIMIT as f64 / 2.0);
    path.check(&grid, start, goal).unwrap();
    let message = HubLabels::default().planner(&snake(2000, 801)).unwrap_err().to_string();
    assert!(message.contains("paths may be longer than"), "{message}");
}

#[test]
fn links_are_what_files_say() {
    // The lowest 24 bits are the hub.
    assert_eq!(Link::new(3 * Mid::STRAIGHT + Mid::DIAGONAL, 5).0, (3 * Mid::STRAIGHT + Mid::DIAGONAL) << 24 | 5);
    let cell = Cell::new(7, 65_533);
    assert_eq!(place_word(cell), 65_533 << 16 | 7);
}
