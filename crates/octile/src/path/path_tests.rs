use std::iter;

use super::*;
use crate::engine::Finder;
use crate::formats::generate;
use crate::grid::Grid;

fn cells(points: &[(u32, u32)]) -> Vec<Cell> {
    points.iter().map(|&(x, y)| Cell::new(x, y)).collect()
}

/// Checks a path between its own ends.
fn check(path: &Path, grid: &Grid) -> Result<(), PathFault> {
    path.check(grid, path.points[0], path.points[path.points.len() - 1])
}

#[test]
fn a_legal_path_passes() {
    let grid: Grid = "....\n.@..\n....".parse().unwrap();
    let path = Path::through(cells(&[(0, 0), (2, 0), (3, 1), (3, 2)])).unwrap();
    assert_eq!(path.cost(), GridCost::new(3, 1));
    assert_eq!(path.cells().unwrap().collect::<Vec<_>>(), cells(&[(0, 0), (1, 0), (2, 0), (3, 1), (3, 2)]));
    assert_eq!(check(&path, &grid), Ok(()));
}

#[test]
fn folding_cells_equals_iterating() {
    let far = [(9, 9), (9, 2), (4, 7), (4, 7), (0, 7), (3, 4), (3, 5)];
    for points in [&far[..], &far[..1], &far[1..3]] {
        let path = Path::through(cells(points)).unwrap();
        let (mut left, mut one_by_one) = (path.cells().unwrap(), path.cells().unwrap().collect::<Vec<_>>());
        while !one_by_one.is_empty() {
            let mut at_once = Vec::new();
            left.clone().for_each(|cell| at_once.push(cell));
            assert_eq!(at_once, one_by_one);
            assert_eq!(left.next(), Some(one_by_one.remove(0)));
        }
        assert_eq!(left.fold(0, |count, _| count + 1), 0);
    }
}

#[test]
fn each_fault_is_found() {
    let grid: Grid = "....\n.@..\n....".parse().unwrap();
    let through = |points: &[(u32, u32)]| Path::through(cells(points)).unwrap();
    let fault = |path: &Path| check(path, &grid).unwrap_err();
    // Through a wall, across a corner, off the map.
    let step = |from: (u32, u32), to: (u32, u32)| PathFault::Move {
        from: Cell::new(from.0, from.1),
        to: Cell::new(to.0, to.1),
    };
    assert_eq!(fault(&through(&[(0, 1), (3, 1)])), step((0, 1), (1, 1)));
    assert_eq!(fault(&through(&[(0, 1), (1, 2)])), step((0, 1), (1, 2)));
    assert_eq!(fault(&through(&[(3, 0), (5, 0)])), step((3, 0), (4, 0)));
    // A leg that is not a straight line, and a path that begins on an obstacle.
    let jump = Path { points: cells(&[(0, 0), (3, 2)]), cost: GridCost::new(1, 2).into(), ..Path::new() };
    assert_eq!(fault(&jump), step((0, 0), (3, 2)));
    assert_eq!(fault(&through(&[(1, 1)])), step((1, 1), (1, 1)));
    // A cost that is not that of the moves: too high or too low.
    for cost in [GridCost::new(2, 0), GridCost::new(4, 0), GridCost::new(0, 3)] {
        let path = Path { points: cells(&[(0, 0), (3, 0)]), cost: cost.into(), ..Path::new() };
        assert_eq!(fault(&path), PathFault::Cost { stated: cost.into(), walked: GridCost::new(3, 0).into() });
    }
    // Other ends than requested, or none.
    let path = through(&[(0, 0), (3, 0)]);
    assert!(matches!(path.check(&grid, (0, 0), (2, 0)), Err(PathFault::Endpoints { .. })));
    assert!(matches!(Path::new().check(&grid, (0, 0), (2, 0)), Err(PathFault::Endpoints { found: None, .. })));
}

#[test]
fn the_check_uses_the_movement_rule() {
    use crate::grid::Movement;
    let grid: Grid = "..\n@.".parse().unwrap();
    let path = Path::through(cells(&[(0, 0), (1, 1)])).unwrap();
    let legal = |rule| check(&path, &grid.with_movement(rule)).is_ok();
    assert_eq!(Movement::ALL.map(legal), [false, false, true]);
}

#[test]
fn tracing_back_joins_moves_and_lists_cells() {
    let trace = |output| {
        let mut path = Path::new();
        let mut trace = path.write_back(output, (7, 4));
        trace.came(Dir::E, 1);
        trace.came(Dir::E, 2);
        trace.came(Dir::SE, 3);
        trace.finish();
        path
    };
    let waypoints = trace(Output::Waypoints);
    assert_eq!(waypoints.points().unwrap(), cells(&[(1, 1), (4, 4), (7, 4)]));
    assert_eq!(waypoints.cost(), GridCost::new(3, 3));
    let every_cell = trace(Output::Cells);
    assert_eq!(every_cell.points().unwrap(), waypoints.cells().unwrap().collect::<Vec<_>>());
    assert_eq!(every_cell.waypoints().unwrap().collect::<Vec<_>>(), waypoints.points().unwrap());
    let cost = trace(Output::Cost);
    assert_eq!((cost.cost(), cost.cells().err()), (waypoints.cost(), Some(PointsError::CostOnly)));
}

#[test]
fn straightening_takes_shortcuts_along_lines_of_sight() {
    let open = Grid::open(10, 10).unwrap();
    let path = Path::through(cells(&[(0, 0), (3, 3), (9, 3)])).unwrap();
    let line = path.straighten(&open);
    assert_eq!(line.points(), cells(&[(0, 0), (9, 3)]));
    assert!((line.length() - 90.0_f64.sqrt()).abs() < 1e-12);
    let walled: Grid = "....\n.@@.\n....".parse().unwrap();
    let around = Path::through(cells(&[(0, 1), (0, 0), (3, 0), (3, 1)])).unwrap();
    assert_eq!(around.straighten(&walled).points().len(), 4, "the wall hides the ends from each other");
}

#[test]
fn iterators_know_how_much_is_left() {
    let path = Path::through(cells(&[(5, 5), (5, 5), (2, 2), (2, 3), (2, 9), (4, 9), (3, 8), (3, 8)])).unwrap();
    let (mut left, mut every_cell) = (path.cells().unwrap().len(), path.cells().unwrap());
    assert_eq!(left as u64, path.cost().grid().unwrap().moves() + 1);
    while let Some(cell) = every_cell.next() {
        left -= 1;
        assert_eq!((every_cell.len(), every_cell.clone().count()), (left, left), "{cell}");
    }
    assert_eq!((left, every_cell.next()), (0, None));
    let mut waypoints = path.waypoints().unwrap();
    for left in (0..5).rev() {
        assert!(waypoints.next().is_some());
        assert_eq!((waypoints.len(), waypoints.clone().count()), (left, left));
    }
    assert_eq!(waypoints.next(), None);
}

#[test]
fn zero_steps_add_no_leg() {
    let mut path = Path::new();
    let mut writer = path.write(Output::Waypoints, (0, 0));
    for (dir, steps) in [(Dir::E, 2), (Dir::S, 0), (Dir::E, 1), (Dir::S, 0)] {
        writer.go(dir, steps);
    }
    assert_eq!(writer.finish(), GridCost::new(3, 0));
    assert_eq!(path.points().unwrap(), cells(&[(0, 0), (3, 0)]));
    let mut back = path.write_back(Output::Waypoints, (3, 0));
    for (dir, steps) in [(Dir::E, 2), (Dir::S, 0), (Dir::E, 1)] {
        back.came(dir, steps);
    }
    back.finish();
    assert_eq!(path.points().unwrap(), cells(&[(0, 0), (3, 0)]));
}

#[test]
fn checked_writers_refuse_illegal_paths() {
    let grid: Grid = "....\n.@..\n....".parse().unwrap();
    let mut path = Path::new();
    let mut write = |points: &[(u32, u32)]| path.write_grid(&grid, Output::Waypoints, points.iter().copied());
    assert_eq!(write(&[(0, 0), (0, 0), (2, 0), (3, 1)]), Ok(()));
    assert!(matches!(write(&[(0, 0), (2, 1)]), Err(PathFault::Move { .. })), "not a straight line");
    assert!(matches!(write(&[(0, 1), (2, 1)]), Err(PathFault::Move { .. })), "a wall");
    assert!(matches!(write(&[(3, 0), (4, 0)]), Err(PathFault::Move { .. })), "off the map");
    assert!(matches!(write(&[(1, 1)]), Err(PathFault::Move { .. })), "a blocked cell");
    assert_eq!(path, Path::new());
    for (output, points) in [(Output::Waypoints, Some(2)), (Output::Cells, Some(4)), (Output::Cost, None)] {
        path.write_grid(&grid, output, [(0, 0), (3, 0)]).unwrap();
        assert_eq!((path.points().ok().map(<[Cell]>::len), path.cost()), (points, GridCost::new(3, 0).into()));
    }
    let write = |path: &mut Path, corners: &[(u32, u32)]| {
        path.write_any_angle(&grid, Output::Waypoints, Squeeze::Allowed, corners.iter().copied())
    };
    assert_eq!(write(&mut path, &[(0, 1), (1, 2), (3, 2)]), Ok(()));
    assert_eq!(path.corners().unwrap().len(), 3);
    assert!(matches!(write(&mut path, &[(0, 0), (3, 2)]), Err(PathFault::Line { .. })));
    assert!(matches!(write(&mut path, &[]), Err(PathFault::LineEnds { .. })));
    assert_eq!(path, Path::new());
}

fn corners(points: &[(u32, u32)]) -> Vec<Corner> {
    points.iter().map(|&(x, y)| Corner::new(x, y)).collect()
}

/// The any-angle path through corners, as the answer to a query for the cells of its end corners.
fn any_angle(points: &[(u32, u32)], squeeze: Squeeze) -> (Path, (Cell, Cell)) {
    let mut path = Path::new();
    path.set_any_angle_points(Output::Waypoints, squeeze, corners(points).into_iter().map(Point::corner));
    (path, (points[0].into(), points[points.len() - 1].into()))
}

#[test]
fn any_angle_paths_keep_only_turns() {
    let points = [(0, 0), (0, 0), (1, 2), (2, 4), (3, 4), (3, 4), (5, 4), (4, 4), (2, 2)];
    let (path, _) = any_angle(&points, Squeeze::Allowed);
    assert_eq!(path.corners().unwrap(), corners(&[(0, 0), (2, 4), (5, 4), (4, 4), (2, 2)]), "turning back is a turn");
    assert!(path.is_any_angle());
    assert_eq!((path.points().err(), path.cells().err()), (Some(PointsError::AnyAngle), Some(PointsError::AnyAngle)));
    assert!((path.length() - (20.0_f64.sqrt() + 3.0 + 1.0 + 8.0_f64.sqrt())).abs() < 1e-12);
    let mut back = Path::new();
    let reversed = || corners(&points).into_iter().rev().map(Point::corner);
    back.set_any_angle_points_back(Output::Waypoints, Squeeze::Allowed, reversed());
    assert_eq!(back, path);
    back.set_any_angle_points_back(Output::Cost, Squeeze::Allowed, reversed());
    assert_eq!((back.corners(), back.cost()), (Err(PointsError::CostOnly), path.cost()));
}

#[test]
fn each_fault_of_an_any_angle_path_is_found() {
    let grid: Grid = "....\n.@..\n....".parse().unwrap();
    let fault = |(path, ends): (Path, (Cell, Cell))| path.check(&grid, ends.0, ends.1).unwrap_err();
    let (path, (start, goal)) = any_angle(&[(0, 1), (1, 2), (3, 2)], Squeeze::Forbidden);
    assert_eq!((path.check(&grid, start, goal), path.squeeze()), (Ok(()), Some(Squeeze::Forbidden)));
    // Through the wall; along it is fine.
    let line = |from: (u32, u32), to: (u32, u32)| PathFault::Line {
        from: Corner::new(from.0, from.1).into(),
        to: Corner::new(to.0, to.1).into(),
    };
    assert_eq!(fault(any_angle(&[(0, 0), (3, 2)], Squeeze::Allowed)), line((0, 0), (3, 2)));
    assert_eq!(fault(any_angle(&[(0, 0), (9, 0), (3, 2)], Squeeze::Allowed)), line((0, 0), (9, 0)));
    // A blocked end, other ends, none, and a length that is not that of the lines.
    let blocked = Cell::new(1, 1);
    let move_to = PathFault::Move { from: blocked, to: blocked };
    assert_eq!(fault(any_angle(&[(0, 0), (1, 1)], Squeeze::Allowed)), move_to);
    assert!(matches!(path.check(&grid, start, (2, 2)), Err(PathFault::LineEnds { .. })));
    for length in [path.length() + 1e-6, path.length() - 1e-6, f64::NAN, 0.0] {
        let wrong = Path { cost: PathCost::AnyAngle(length), ..path.clone() };
        assert!(matches!(wrong.check(&grid, start, goal), Err(PathFault::Cost { .. })), "{length}");
    }
    let none = Path { cost: PathCost::AnyAngle(0.0), ..Path::new() };
    assert!(matches!(none.check(&grid, start, goal), Err(PathFault::LineEnds { found: None, .. })));
}

#[test]
fn the_check_uses_the_squeeze_rule() {
    let grid: Grid = ".@.\n@..\n...".parse().unwrap();
    for (squeeze, legal) in [(Squeeze::Allowed, true), (Squeeze::Forbidden, false)] {
        let (path, (start, goal)) = any_angle(&[(0, 0), (2, 2)], squeeze);
        assert_eq!(path.check(&grid, start, goal).is_ok(), legal);
        // The corner between the obstacles belongs to the cell on its lower right.
        let (path, (start, goal)) = any_angle(&[(1, 1), (2, 2)], squeeze);
        assert_eq!(path.check(&grid, start, goal), Ok(()));
    }
}

#[test]
fn smoothing_takes_shortcuts_along_lines_of_sight() {
    let open = Grid::open(10, 10).unwrap();
    let mut path = Path::through(cells(&[(0, 0), (3, 3), (9, 3)])).unwrap();
    path.smooth(&open, Squeeze::Forbidden);
    assert_eq!((path.corners().unwrap(), path.squeeze()), (&*corners(&[(0, 0), (9, 3)]), Some(Squeeze::Forbidden)));
    // The wall hides the ends from each other; each point is the farthest visible one.
    let walled: Grid = "....\n.@@.\n.@@.".parse().unwrap();
    let mut around = Path::through(cells(&[(0, 2), (0, 0), (3, 0), (3, 2)])).unwrap();
    around.smooth(&walled, Squeeze::Allowed);
    assert_eq!(around.corners().unwrap(), corners(&[(0, 2), (2, 0), (3, 1), (3, 2)]));
    assert_eq!(around.check(&walled, (0, 2), (3, 2)), Ok(()));
    // One point, and a path of which only the cost is known.
    let mut single = Path::through(cells(&[(1, 1)])).unwrap();
    single.smooth(&open, Squeeze::Allowed);
    assert_eq!((single.corners().unwrap(), single.cost()), (&*corners(&[(1, 1)]), PathCost::AnyAngle(0.0)));
    let mut cost = Path::new();
    cost.set_cost(GridCost::new(3, 0));
    cost.smooth(&open, Squeeze::Allowed);
    assert_eq!((cost.corners(), cost.cost()), (Err(PointsError::CostOnly), PathCost::AnyAngle(3.0)));
}

/// The path from centre to centre through these corners.
fn centred(start: (u32, u32), turns: &[(u32, u32)], goal: (u32, u32)) -> Path {
    let mut path = Path::new();
    path.set_any_angle_points(Output::Waypoints, Squeeze::Forbidden, points(start, turns, goal).into_iter());
    path
}

fn points(start: (u32, u32), turns: &[(u32, u32)], goal: (u32, u32)) -> Vec<Point> {
    let turns = corners(turns).into_iter().map(Point::corner);
    iter::once(Point::centre(start.into())).chain(turns).chain([Point::centre(goal.into())]).collect()
}

#[test]
fn centred_paths_keep_only_turns() {
    // From the centre 0.5,0.5 over 1,1 and 2,2 straight to 3.5,3.5; then with a turn.
    let straight = centred((0, 0), &[(1, 1), (2, 2), (2, 2)], (3, 3));
    assert_eq!((straight.corners().unwrap(), straight.length()), (&[][..], 18.0_f64.sqrt()));
    let turns = [(1, 1), (4, 4), (4, 5), (4, 5), (4, 6)];
    let path = centred((0, 0), &turns, (4, 9));
    assert_eq!(path.vertices().unwrap().collect::<Vec<_>>(), points((0, 0), &[(4, 4), (4, 6)], (4, 9)));
    assert_eq!((path.ends(), path.vertices().unwrap().len()), (Some(Endpoints::Centres), 4));
    let legs = 24.5_f64.sqrt() + 2.0 + 12.5_f64.sqrt();
    assert!((path.length() - legs).abs() < 1e-12, "{}", path.length());
    let (mut back, reversed) = (Path::new(), || points((0, 0), &turns, (4, 9)).into_iter().rev());
    back.set_any_angle_points_back(Output::Waypoints, Squeeze::Forbidden, reversed());
    assert_eq!(back, path);
    back.set_any_angle_points_back(Output::Cost, Squeeze::Forbidden, reversed());
    assert_eq!((back.vertices().err(), back.corners()), (Some(PointsError::CostOnly), Err(PointsError::CostOnly)));
    assert_eq!((back.ends(), back.cost()), (Some(Endpoints::Centres), path.cost()));
    // A path of one point.
    back.set_single(
        &Grid::open(9, 9).unwrap(),
        Output::Waypoints,
        Cell::new(2, 3),
        Some((Squeeze::Allowed, Endpoints::Centres)),
    );
    assert_eq!(back.vertices().unwrap().collect::<Vec<_>>(), [Point::centre(Cell::new(2, 3))]);
    assert_eq!((back.corners(), back.cost()), (Ok(&[][..]), PathCost::AnyAngle(0.0)));
    back.clear();
    assert_eq!(back, Path::new());
}

#[test]
fn each_fault_of_a_centred_path_is_found() {
    let grid: Grid = "....\n.@..\n....".parse().unwrap();
    let check = |path: &Path, start: (u32, u32), goal: (u32, u32)| path.check(&grid, start, goal);
    let path = centred((0, 1), &[(1, 2)], (3, 2));
    assert_eq!(check(&path, (0, 1), (3, 2)), Ok(()));
    assert!(matches!(check(&path, (0, 1), (2, 2)), Err(PathFault::LineEnds { .. })));
    let wall = centred((0, 1), &[], (3, 1));
    let (from, to) = (Point::centre(Cell::new(0, 1)), Point::centre(Cell::new(3, 1)));
    assert_eq!(check(&wall, (0, 1), (3, 1)), Err(PathFault::Line { from, to }));
    assert!(matches!(check(&centred((1, 1), &[], (1, 1)), (1, 1), (1, 1)), Err(PathFault::Move { .. })));
    let wrong = Path { cost: PathCost::AnyAngle(path.length() + 1e-6), ..path };
    assert!(matches!(check(&wrong, (0, 1), (3, 2)), Err(PathFault::Cost { .. })));
}

#[test]
fn smoothing_keeps_centres() {
    let walled: Grid = "....\n.@@.\n.@@.".parse().unwrap();
    let mut path = centred((0, 2), &[(0, 2), (0, 1), (1, 0), (3, 0), (3, 1), (4, 2)], (3, 2));
    path.smooth(&walled, Squeeze::Forbidden);
    assert_eq!(path.check(&walled, (0, 2), (3, 2)), Ok(()));
    assert_eq!(path.vertices().unwrap().collect::<Vec<_>>(), points((0, 2), &[(1, 0), (3, 1)], (3, 2)));
    let mut open = centred((0, 0), &[(1, 3), (2, 2)], (3, 1));
    open.smooth(&Grid::open(4, 4).unwrap(), Squeeze::Forbidden);
    assert_eq!(open, centred((0, 0), &[], (3, 1)));
    let mut cost = Path { ends: Endpoints::Centres, cost: PathCost::AnyAngle(2.5), ..Path::new() };
    cost.smooth(&walled, Squeeze::Allowed);
    assert_eq!(
        (cost.ends(), cost.length(), cost.corners()),
        (Some(Endpoints::Centres), 2.5, Err(PointsError::CostOnly))
    );
}

/// Smoothing tests few lines of sight, however long the path. The result is legal and never longer.
#[test]
fn smoothing_tests_few_lines_and_keeps_paths_legal() {
    let grid = generate::random(300, 300, 10, 1).unwrap();
    let mut finder = Finder::new("jps", &grid).unwrap();
    let (mut sight_tests, mut moves, mut paths, mut shorter) = (0, 0, 0, 0.0);
    for i in 0..200_u32 {
        let [start, goal] = [(i * 37 % 300, i * 91 % 300), (i * 53 % 300, i * 17 % 300)].map(Cell::from);
        if start == goal || !grid.is_free(start) || !grid.is_free(goal) {
            continue;
        }
        let Some(mut path) = finder.find(start, goal).unwrap() else { continue };
        let length = path.length();
        moves += path.cells().unwrap().len() - 1;
        let squeeze = if i % 2 == 0 { Squeeze::Allowed } else { Squeeze::Forbidden };
        path.smooth_watched(&grid, squeeze, |_, _| sight_tests += 1);
        path.check(&grid, start, goal).unwrap();
        assert!(path.length() <= length * (1.0 + 1e-12));
        shorter += 1.0 - path.length() / length;
        paths += 1;
    }
    assert!(paths > 100 && sight_tests < moves, "{sight_tests} sight tests for {moves} moves of {paths} paths");
    assert!(shorter / f64::from(paths) > 0.02, "{shorter} {paths}");
}

#[test]
fn ends_are_extended_to_centres_and_pulled_tight() {
    let centre = |map: &str, points: &[(u32, u32)]| {
        let (mut path, (start, goal)) = any_angle(points, Squeeze::Forbidden);
        let (grid, length): (Grid, f64) = (map.parse().unwrap(), path.length());
        let mut sight_tests = 0;
        path.centre_watched(&grid, |_, _| sight_tests += 1);
        assert_eq!((path.check(&grid, start, goal), path.ends()), (Ok(()), Some(Endpoints::Centres)));
        assert!(path.length() <= length + 2.0_f64.sqrt() + 1e-12 && sight_tests > 0);
        path
    };
    assert_eq!(centre("....\n....", &[(0, 0), (3, 1)]), centred((0, 0), &[], (3, 1)));
    // The first corner is moved on along the wall; the last one is needed.
    assert_eq!(centre("...\n.@.\n...", &[(0, 1), (2, 1)]), centred((0, 1), &[(1, 1), (2, 1)], (2, 1)));
    // Corners that the centres see past are dropped.
    let around = centre("....\n.@@.\n.@@.", &[(0, 2), (0, 1), (1, 1), (3, 1), (3, 2)]);
    assert_eq!(around, centred((0, 2), &[(1, 1), (3, 1)], (3, 2)));
    // A pinch is the corner of the cell on its lower right: the path comes from there and goes back.
    assert_eq!(centre(".@.\n@..\n...", &[(1, 1), (2, 2)]), centred((1, 1), &[], (2, 2)));
    // Grid paths and paths between centres do not change.
    let grid = Grid::open(4, 4).unwrap();
    for path in [Path::through([(0, 0), (3, 3)]).unwrap(), centred((0, 0), &[(1, 3)], (3, 1))] {
        let mut same = path.clone();
        same.centre_watched(&grid, |_, _| {});
        assert_eq!(same, path);
    }
}
