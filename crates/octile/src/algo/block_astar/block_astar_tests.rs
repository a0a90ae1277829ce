use super::*;
use crate::algo::astar::Astar;
use crate::engine::Engine;
use crate::geometry::units::Wide;
use crate::geometry::{GridCost, PathCost};

/// The planner between cells, with blocks of a given size.
fn of_cells<const S: usize>(grid: &Grid) -> BlockPlanner<Cells, S>
where
    Size<S>: BlockSize<S>,
{
    let facts = BlockAstar::default().db(Db::Octile).facts();
    BlockPlanner::with_database(facts, grid, S, Distances::Octile, Heuristic::Octile, None)
}

/// The planner between corners, with blocks of a given size.
fn of_corners<const S: usize>(grid: &Grid, distances: Distances) -> BlockPlanner<Corners, S>
where
    Size<S>: BlockSize<S>,
{
    let squeeze = if distances == Distances::NoSqueeze { Squeeze::Forbidden } else { Squeeze::Allowed };
    let facts = BlockAstar::default().db(Db::AnyAngle).squeeze(squeeze).facts();
    BlockPlanner::with_database(facts, grid, S, distances, Heuristic::Euclidean, None)
}

/// A corridor that winds through rows of the map.
fn corridor(width: u32, rows: u32) -> Grid {
    Grid::from_fn(width, rows, |cell| cell.y & 1 == 0 || cell.x == [width - 1, 0][cell.y as usize / 2 % 2]).unwrap()
}

/// Paths longer than 32-bit costs can represent exactly: the search must notice and switch to wide costs.
#[test]
fn a_path_beyond_the_limit_is_still_exact() {
    let grid = corridor(1001, 101);
    let query = PathQuery::new(Cell::new(0, 0), Cell::new(1000, 100));
    let planner = of_cells::<8>(&grid);
    let (mut scratch, mut path) = (planner.create_scratch(), Path::new());
    assert!(planner.find_path(&mut scratch, query, &mut path, None).unwrap());
    assert_eq!(path.cost(), GridCost::new(51 * 1000 + 100, 0));
    assert!(scratch.get::<BlockScratch<8>>().widths.went_wide(), "51,100 moves do not fit 32 bits");
    path.check(&grid, query.start, query.goal).unwrap();

    let planner = of_corners::<4>(&grid, Distances::AnyAngle);
    let (mut scratch, mut path) = (planner.create_scratch(), Path::new());
    assert!(planner.find_path(&mut scratch, query, &mut path, None).unwrap());
    assert!(path.length() < 51_100.0 && path.length() > 50_000.0);
    assert!(scratch.get::<BlockScratch<4>>().widths.went_wide());
    path.check(&grid, query.start, query.goal).unwrap();
}

/// Wide and narrow costs give the same lengths, and vectors give the same paths, between cells and between corners.
#[test]
fn wide_and_narrow_costs_agree() {
    fn check<P: Traced, const S: usize>(planner: &BlockPlanner<P, S>)
    where
        Size<S>: BlockSize<S>,
    {
        let (mut narrow, mut wide) =
            (Memory::<Narrow, S>::new(&planner.blocks), Memory::<Wide, S>::new(&planner.blocks));
        for goal in planner.grid().cells().filter(|&cell| planner.grid().is_free(cell)).step_by(7) {
            let [mut a, mut b, mut c] = [Path::new(), Path::new(), Path::new()];
            let query = PathQuery::new(Cell::new(0, 0), goal);
            let probe: &mut dyn Probe = &mut NoProbe;
            let found = Search { planner, query, out: &mut a, probe, inside: None }.run_narrow(&mut narrow).unwrap();
            assert_eq!(
                Search { planner, query, out: &mut b, probe, inside: None }.run_wider(&mut wide).unwrap(),
                found
            );
            let mut quick = Search { planner, query, out: &mut c, probe: &mut NoProbe, inside: None };
            if let Some(answer) = quick.run_in_vectors(&mut narrow) {
                assert_eq!((answer.unwrap(), &c), (found, &a));
            }
            assert_eq!(a.cost(), b.cost());
        }
    }
    let grid = Grid::from_fn(45, 31, |cell| (cell.x * 7 + cell.y * 13) % 5 != 0 || cell.x == 0).unwrap();
    check(&of_cells::<8>(&grid));
    check(&of_cells::<2>(&grid));
    check(&of_corners::<8>(&grid, Distances::AnyAngle));
    check(&of_corners::<5>(&grid, Distances::NoSqueeze));
}

/// A map that changes many times: answers stay exact, and patterns that no longer occur are dropped.
#[test]
fn a_map_may_change_many_times() {
    let mut grid = Grid::open(26, 17).unwrap();
    let mut planner = of_cells::<8>(&grid);
    let (mut scratch, mut path) = (planner.create_scratch(), Path::new());
    let mut dice = crate::geometry::Dice::new(5);
    let mut found = 0;
    for _ in 0..700 {
        let mut edits = Edits::new();
        for cell in grid.cells().filter(|&cell| cell != Cell::new(0, 0)) {
            if dice.hits(1, 4) {
                edits.block(cell)
            } else {
                edits.free(cell)
            };
        }
        grid.apply(&edits).unwrap();
        planner.apply(&edits).unwrap();
        let goal = Cell::new(dice.below(26) as u32, dice.below(17) as u32);
        if !grid.is_free(goal) {
            continue;
        }
        let query = PathQuery::new(Cell::new(0, 0), goal);
        let (truth, mut best) = (Astar::default().planner(&grid).unwrap(), Path::new());
        let is_found = truth.plan(&mut truth.create_scratch(), query, &mut best).unwrap();
        assert_eq!(planner.find_path(&mut scratch, query, &mut path, None).unwrap(), is_found);
        assert_eq!(path.cost(), best.cost());
        found += u32::from(is_found);
    }
    assert!(found > 200);
    // 12 blocks, most of them with a new pattern in each round: keeping all would make 8,400.
    assert!(planner.blocks.patterns() < 6000, "{}", planner.blocks.patterns());
}

/// Two maps share the tables of their patterns.
#[test]
fn maps_share_tables() {
    let grid: Grid = "..........\n..@@......\n..........".parse().unwrap();
    let planners = [0; 2].map(|_| of_cells::<8>(&grid));
    let [a, b] = planners.each_ref().map(|planner| planner.blocks.table::<Cells>(planner.blocks.of(Cell::new(0, 0)).0));
    assert!(std::ptr::eq(a, b));
}

/// The paper's Figure 3: the straightest path bends at a corner of the obstacle, and comes from the database.
#[test]
fn the_path_of_figure_3_is_found() {
    // Vertices A to E and 1 to 6 are corners 0 to 4 and 5 to 0; the obstacle lies between C4, D4, C5 and D5.
    let grid = Grid::from_fn(5, 6, |cell| cell != Cell::new(2, 1)).unwrap();
    let query = PathQuery::new(Cell::new(1, 5), Cell::new(4, 0));
    let engine = Engine::new("block-astar:db=any-angle", &grid).unwrap();
    let path = engine.find(query.start, query.goal).unwrap().unwrap();
    let PathCost::AnyAngle(length) = path.cost() else { panic!("{path:?}") };
    let expected = 13_f64.sqrt() + 5_f64.sqrt();
    assert!((length - expected).abs() < 1e-9, "{length} {:?}", path.corners());
    assert_eq!(path.corners().unwrap().len(), 3);
}

#[test]
fn other_sizes_are_rejected() {
    let error = "block-astar:block=3".parse::<crate::PlannerSpec>().unwrap_err().to_string();
    assert_eq!(error, "`block=3` of planner `block-astar`: expected 2, 4, 5, 8 or auto");
}
