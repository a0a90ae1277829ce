use super::hierarchy::UNREACHED;
use super::*;
use crate::formats::generate;
use crate::geometry::Cell;
use crate::geometry::units::{Narrow, Units};
use crate::kernels::subgoals::contract::Rules;
use crate::services::distances;

const NO_LIMIT: Rules = Rules { keep: 0, most_neighbours: 15, most_steps: u64::MAX, most_expanded: 0 };

fn maps() -> Vec<Grid> {
    let mut maps = vec![generate::rooms(40, 31, 5, 1).unwrap(), generate::maze(41, 30, 2, 2).unwrap()];
    maps.extend([10, 25, 40].map(|share| generate::random(36, 33, share, 7).unwrap()));
    // Two components, and a map without a corner.
    maps.push("....@....\n.@..@..@.\n....@....\n@@@@@@@@@\n.........".parse().unwrap());
    // One corner: no arc leads anywhere.
    maps.push("...\n...\n..@".parse().unwrap());
    maps
}

fn free_cells(grid: &Grid) -> Vec<Cell> {
    grid.cells().filter(|&cell| grid.is_free(cell)).collect()
}

/// Costs are exact however far a graph is contracted, and wherever landmarks are.
#[test]
fn costs_do_not_depend_on_the_core() {
    let fewer = |most_neighbours| Rules { most_neighbours, most_expanded: most_neighbours / 2, ..NO_LIMIT };
    let kept = |keep| Rules { keep, ..NO_LIMIT };
    let rules =
        [NO_LIMIT, fewer(0), fewer(1), fewer(2), fewer(4), kept(7), kept(40), Rules { most_steps: 900, ..NO_LIMIT }];
    let (mut path, mut asked) = (Path::new(), 0);
    for grid in maps() {
        let cells = free_cells(&grid);
        for (rules, landmarks) in rules.into_iter().zip([4, 4, 0, 8, 4, 16, 0, 4]) {
            let core =
                Hierarchy::build_by(|_, _| rules, &grid, landmarks, &Limits::new(Budget::UNLIMITED, false)).unwrap();
            let mut scratch = CoreScratch::default();
            for &start in cells.iter().step_by(23) {
                let truth = distances(&grid, start);
                for &goal in cells.iter().step_by(7).filter(|&&goal| goal != start) {
                    let found =
                        search::search(&grid, &core, &mut scratch, PathQuery::new(start, goal), &mut path, None);
                    assert_eq!(
                        found.then(|| path.cost().grid().unwrap()),
                        truth.cost(goal),
                        "{start} {goal} {rules:?}\n{grid:?}"
                    );
                    if found {
                        path.check(&grid, start, goal).unwrap();
                    }
                    asked += 1;
                }
            }
        }
    }
    assert!(asked > 100_000, "{asked}");
}

#[test]
fn landmarks_have_exact_distances() {
    for grid in maps() {
        let core = Hierarchy::build_by(
            |_, _| Rules { keep: 30, ..NO_LIMIT },
            &grid,
            8,
            &Limits::new(Budget::UNLIMITED, false),
        )
        .unwrap();
        let all = landmarks::distances(&core, &grid, 8);
        for costs in &all {
            let Some(landmark) = costs.iter().position(|&cost| cost == 0) else { continue };
            let truth = distances(&grid, core.cell(landmark as u32));
            for (node, &cost) in costs.iter().enumerate() {
                let cost = (cost != UNREACHED).then(|| Narrow::decode(cost));
                assert_eq!(cost, truth.cost(core.cell(node as u32)), "{landmark} {node}\n{grid:?}");
            }
        }
    }
}

#[test]
fn maps_with_long_paths_are_searched_without_a_graph() {
    // One corridor up and down: about 90,000 moves.
    let is_free = |cell: Cell| cell.x.is_multiple_of(2) || cell.y == if cell.x % 4 == 1 { 0 } else { 299 };
    let snake = Grid::from_fn(600, 300, is_free).unwrap();
    let planner = CoreSearch::default().planner(&snake).unwrap();
    assert!(matches!(
        Index::build(&snake, &CoreSearch::default(), &Limits::new(Budget::UNLIMITED, false)).unwrap(),
        Index::Scans(_)
    ));
    let (mut scratch, mut path) = (planner.create_scratch(), Path::new());
    assert!(planner.plan(&mut scratch, PathQuery::new((0, 299), (598, 150)), &mut path).unwrap());
    path.check(&snake, Cell::new(0, 299), Cell::new(598, 150)).unwrap();
    assert!(path.length() > 80_000.0);
    let rooms = generate::rooms(200, 200, 8, 1).unwrap();
    assert!(matches!(
        Index::build(&rooms, &CoreSearch::default(), &Limits::new(Budget::UNLIMITED, false)).unwrap(),
        Index::Core(_)
    ));
}

#[test]
fn a_small_budget_is_respected() {
    let grid = generate::random(100, 100, 25, 1).unwrap();
    let small = Build::new(&grid).within(Budget::UNLIMITED.bytes(300_000));
    let error = CoreSearch::default().planner(small).map(|_| ()).unwrap_err();
    assert!(matches!(error, BuildError::OverBudget { planner: "core-search", .. }), "{error}");
}

#[test]
fn any_number_of_threads_gives_the_same_core() {
    let grid = generate::random(150, 150, 20, 3).unwrap();
    let built = || format!("{:?}", Hierarchy::build(&grid, 8, &Limits::new(Budget::UNLIMITED, false)).unwrap());
    let expected = built();
    #[cfg(feature = "rayon")]
    for threads in [1, 2, 5] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        assert!(pool.install(built) == expected, "{threads} threads");
    }
    assert!(built() == expected);
}
