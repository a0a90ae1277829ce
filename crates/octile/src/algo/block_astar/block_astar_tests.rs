use super::*;
use crate::algo::astar::Astar;
use crate::engine::Engine;
use crate::geometry::units::Wide;
use crate::geometry::{GridCost, PathCost};

fn square(side: usize) -> BlockSize {
    BlockSize::square(side).unwrap()
}

/// The planner between cells, with blocks of a given size.
fn of_cells(grid: &Grid, size: BlockSize) -> BlockPlanner<Cells> {
    BlockPlanner::new(&BlockAstar::default().block(size), grid, None)
}

/// The planner between corners, with blocks of a given size.
fn of_corners(grid: &Grid, size: BlockSize, squeeze: Squeeze) -> BlockPlanner<Corners> {
    BlockPlanner::new(&BlockAstar::default().db(Db::AnyAngle).block(size).squeeze(squeeze), grid, None)
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
    let planner = of_cells(&grid, square(8));
    let (mut scratch, mut path) = (planner.create_scratch(), Path::new());
    assert!(planner.find_path(&mut scratch, query, &mut path, None).unwrap());
    assert_eq!(path.cost(), GridCost::new(51 * 1000 + 100, 0));
    assert!(scratch.get::<BlockScratch>().widths.went_wide(), "51,100 moves do not fit 32 bits");
    path.check(&grid, query.start, query.goal).unwrap();

    let planner = of_corners(&grid, square(4), Squeeze::Allowed);
    let (mut scratch, mut path) = (planner.create_scratch(), Path::new());
    assert!(planner.find_path(&mut scratch, query, &mut path, None).unwrap());
    assert!(path.length() < 51_100.0 && path.length() > 50_000.0);
    assert!(scratch.get::<BlockScratch>().widths.went_wide());
    path.check(&grid, query.start, query.goal).unwrap();
}

/// Wide and narrow costs give the same lengths, and vectors give the same paths, between cells and between corners.
#[test]
fn wide_and_narrow_costs_agree() {
    fn check<P: Traced>(planner: &BlockPlanner<P>) {
        let (mut narrow, mut wide) = (Memory::<Narrow>::new(&planner.blocks), Memory::<Wide>::new(&planner.blocks));
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
    check(&of_cells(&grid, square(8)));
    check(&of_cells(&grid, square(2)));
    check(&of_corners(&grid, square(8), Squeeze::Allowed));
    check(&of_corners(&grid, square(5), Squeeze::Forbidden));
    check(&of_cells(&grid, BlockSize::new(3, 7).unwrap()));
    check(&of_corners(&grid, BlockSize::new(6, 3).unwrap(), Squeeze::Allowed));
}

/// A map that changes many times: answers stay exact, and patterns that no longer occur are dropped.
#[test]
fn a_map_may_change_many_times() {
    let mut grid = Grid::open(26, 17).unwrap();
    let mut planner = of_cells(&grid, square(8));
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
    let planners = [0; 2].map(|_| of_cells(&grid, square(8)));
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
    let error = "block-astar:block=9".parse::<crate::PlannerSpec>().unwrap_err().to_string();
    assert_eq!(
        error,
        "`block=9` of planner `block-astar`: expected 2, 3, 4, 5, 6, 7, 8, auto, or columns x rows such as 5x3"
    );
}

/// The blocks that a search expands, in order, by their column and row.
#[derive(Default)]
struct Expanded(Vec<(u32, u32)>);

impl Probe for Expanded {
    fn expanded_area(&mut self, min: Cell, _: Cell) {
        self.0.push((min.x / 5, min.y / 5));
    }
}

/// The cost of a cell on the rim of a block, in moves.
fn moves_to(planner: &BlockPlanner<Cells>, memory: &Memory<Narrow>, (x, y): (u32, u32)) -> Option<u32> {
    let (block, point) = planner.blocks.of(Cell::new(x, y));
    let lanes = (0..4).flat_map(|side| (0..points::lanes_of(planner.size(), side)).map(move |lane| (side, lane)));
    let here = lanes.filter(|&lane| points::position::<Cells>(planner.size(), lane) == point);
    let cost = here.map(|(side, lane)| memory.rims[block].0[side][lane]).min()?;
    (memory.is_reached(block) && cost < Narrow::LIMIT).then_some(cost / Narrow::STRAIGHT)
}

/// The paper's Figures 1 and 2. The map is made from the text, which gives these costs. From bottom to top, its blocks
/// are the start's, A and the goal's on the left, B, C and D on the right.
#[test]
fn the_example_of_figures_1_and_2_is_followed() {
    let rows = [
        "....@.....",
        "....@.....",
        "....@.....",
        "....@.....",
        "...@..@@@@",
        ".@@@@.....",
        ".@........",
        ".@.@......",
        ".@.@......",
        "...@......",
        "..@.......",
        "@@........",
        "..........",
        "..........",
        "..........",
    ];
    let grid = rows.join("\n").parse::<Grid>().unwrap().with_movement(Movement::Tile);
    let config = BlockAstar::default().db(Db::Tile).block(square(5));
    let planner = BlockPlanner::<Cells>::new(&config, &grid, None);
    let (mut memory, mut path, mut probe) = (Memory::new(&planner.blocks), Path::new(), Expanded::default());
    let query = PathQuery::new(Cell::new(3, 11), Cell::new(3, 2));
    let probed: &mut dyn Probe = &mut probe;
    let mut search = Search { planner: &planner, query, out: &mut path, probe: probed, inside: None };
    assert!(search.run_narrow(&mut memory).unwrap());
    assert_eq!(path.cost(), GridCost::new(23, 0));
    path.check(&grid, query.start, query.goal).unwrap();
    // Step 1: from the start to the rim of its block.
    let moves = |cell| moves_to(&planner, &memory, cell);
    assert_eq!([10, 11, 12, 13, 14].map(|y| moves((4, y)).unwrap()), [2, 1, 2, 3, 4]);
    // Figure 1: what the expansion of A makes of the cost 3 of E2: E3, E4, E5, B2, A2, A6, and the cells beyond.
    assert_eq!([9, 8, 7, 6].map(|y| moves((4, y)).unwrap()), [3, 4, 5, 6]);
    assert_eq!([9, 8, 7, 6].map(|y| moves((5, y)).unwrap()), [4, 5, 6, 7]);
    assert_eq!([(1, 9), (0, 9), (0, 5)].map(|cell| moves(cell).unwrap()), [12, 13, 17]);
    assert_eq!([(1, 10), (0, 10), (0, 4)].map(|cell| moves(cell).unwrap()), [13, 14, 18]);
    // From D, the goal's block is reached again, with no way on.
    assert_eq!((moves((5, 4)), moves((4, 4))), (Some(9), Some(10)));
    // Each block is expanded once. Of B and C, which are equal, the paper takes B first, and we take C.
    let [b, c, d, a, goal, start] = [(1, 2), (1, 1), (1, 0), (0, 1), (0, 0), (0, 2)];
    assert_eq!(probe.0, [start, a, c, d, goal, b]);
}

/// With the paper's order of the open list, other blocks are expanded, and the paths are as long.
#[test]
fn the_papers_order_finds_the_same_lengths() {
    let grid = crate::formats::generate::random(200, 150, 25, 3).unwrap();
    let free: Vec<Cell> = grid.cells().filter(|&cell| grid.is_free(cell)).collect();
    let expansions = [Priority::Rounded, Priority::Exact].map(|priority| {
        let config = BlockAstar::default().db(Db::AnyAngle).block(square(4)).priority(priority);
        let mut finder = crate::Finder::new(config, &grid).unwrap();
        let (mut path, mut total, mut lengths) = (Path::new(), 0, Vec::new());
        for (&start, &goal) in free.iter().step_by(331).zip(free.iter().rev().step_by(457)) {
            let mut counts = crate::planner::Counts::default();
            finder.plan_probed(PathQuery::new(start, goal), &mut path, &mut counts).unwrap();
            total += counts.expanded;
            lengths.push((path.length() * 1e3).round());
        }
        (total, lengths)
    });
    let [(rounded, ours), (exact, papers)] = expansions;
    assert_eq!(ours, papers);
    assert_ne!(rounded, exact);
}
