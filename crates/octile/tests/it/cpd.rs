//! Compressed path databases: every pair of cells on small maps under all settings, changed maps, parts, and files with
//! arbitrary contents.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use octile::algo::cpd::{
    Builder, CpdPlanner, Follow, KIND, Layout, MergeError, Order, Repair, Settings, Stats, Ties, TooLarge,
    TooManyCells, merge, most_cells,
};
use octile::artifact::{Artifact, ArtifactError, ArtifactWriter};
use octile::formats::generate;
use octile::geometry::Dice;
use octile::planner::{Budget, BuiltIndex, Indexes};
use octile::services::distances;
use octile::{
    Build, BuildError, Catalog, Cell, Config, Cpd, Edits, Engine, Finder, Grid, GridCost, Guarantee, Movement, Output,
    Path, PathQuery, Planner, PlannerSpec,
};
use octile_testkit::maps::free_cells;
use octile_testkit::oracle::Truth;
use rayon::prelude::*;

fn maps() -> Vec<Grid> {
    let drawn = ["....\n.@@.\n.@..\n...@", ".@.@.\n.....\n@@.@@\n.....\n.@.@.", "..@..\n..@..\n..@..", "."];
    let drawn = drawn.into_iter().map(|map| map.parse().unwrap());
    let made = [
        generate::maze(15, 13, 1, 1).unwrap(),
        generate::maze(21, 17, 3, 2).unwrap(),
        generate::rooms(19, 19, 5, 3).unwrap(),
        generate::random(18, 14, 30, 4).unwrap(),
        generate::random(30, 9, 15, 5).unwrap(),
        Grid::open(12, 9).unwrap(),
    ];
    drawn.chain(made).collect()
}

fn all_settings() -> Vec<Settings> {
    let mut all = Vec::new();
    for layout in Layout::ALL {
        for order in Order::ALL {
            for ties in Ties::ALL {
                for symbol in ["heuristic", "none"] {
                    let text = format!("layout={layout},order={order},ties={ties},symbol={symbol}");
                    all.push(text.parse().unwrap());
                    if order == Order::Dfs {
                        all.push(format!("{text},share=rows").parse().unwrap());
                    }
                    if layout == Layout::Rectangles {
                        all.push(format!("{text},default=move").parse().unwrap());
                    }
                }
            }
        }
    }
    all
}

/// A config with these settings.
fn asking_for(settings: Settings) -> Cpd {
    Cpd::default()
        .layout(settings.layout)
        .order(settings.order)
        .ties(settings.ties)
        .symbol(settings.heuristic)
        .default_move(settings.default_move)
        .share(settings.shared)
}

/// The planner for the settings of a spec, the part after its colon.
fn planner(grid: &Grid, settings: &str) -> CpdPlanner {
    CpdPlanner::build(grid, &asking_for(settings.parse().unwrap())).unwrap()
}

/// The planner over a file, which repairs paths on a changed map.
fn opened(file: &Arc<Artifact>, grid: &Grid, repair: Repair) -> Result<CpdPlanner, BuildError> {
    let indexes = Indexes::from_iter([Arc::clone(file)]);
    CpdPlanner::build(Build::new(grid).with(indexes), &Cpd::default().repair(repair))
}

/// The cost of a shortest path between any two free cells.
fn all_costs(grid: &Grid) -> HashMap<(Cell, Cell), Option<GridCost>> {
    let free = free_cells(grid);
    let costs = |&start: &Cell| {
        let distances = distances(grid, start);
        free.iter().map(move |&goal| ((start, goal), distances.cost(goal))).collect::<Vec<_>>()
    };
    free.iter().flat_map(costs).collect()
}

/// Checks that every path is legal and optimal, and exists exactly if there is one.
fn check_all_pairs(grid: &Grid, planner: &CpdPlanner, costs: &HashMap<(Cell, Cell), Option<GridCost>>) -> u32 {
    let (mut scratch, mut path) = (planner.create_scratch(), Path::new());
    let mut found = 0;
    for (&(start, goal), &expected) in costs {
        let query = PathQuery::new(start, goal).output([Output::Cells, Output::Waypoints][found as usize % 2]);
        let exists = planner.find_path(&mut scratch, query, &mut path, None).unwrap();
        let what = || format!("{}: {start} to {goal}\n{grid:?}", planner.settings());
        assert_eq!(exists.then(|| path.cost().grid().unwrap()), expected, "{}", what());
        if exists {
            path.check(grid, start, goal).unwrap_or_else(|fault| panic!("{fault}: {}", what()));
            found += 1;
        }
    }
    found
}

/// Every target is in exactly one rectangle, whose targets all have the same first move.
#[test]
fn every_target_is_in_one_rectangle_with_its_first_move() {
    for grid in maps() {
        let cpd = planner(&grid, "layout=rectangles,ties=diagonal-first");
        let free = free_cells(&grid);
        for &start in &free {
            let rectangles = cpd.rectangles(start).unwrap().unwrap();
            let mut moves = vec![None; rectangles.len()];
            for &goal in free.iter().filter(|&&goal| goal != start && grid.may_connect(start, goal)) {
                let holds =
                    |(min, max): &(Cell, Cell)| (min.x..=max.x).contains(&goal.x) && (min.y..=max.y).contains(&goal.y);
                let of: Vec<usize> = (0..rectangles.len()).filter(|&nth| holds(&rectangles[nth])).collect();
                assert_eq!(of.len(), 1, "{start} to {goal}\n{grid:?}");
                let dir = cpd.first_move(start, goal).unwrap();
                assert_eq!(*moves[of[0]].get_or_insert(dir), dir, "{start} to {goal}\n{grid:?}");
            }
            assert!(moves.iter().all(Option::is_some), "{start}\n{grid:?}");
        }
        assert_eq!(planner(&grid, "").rectangles(free[0]).unwrap(), None);
        assert!(cpd.rectangles(Cell::new(grid.width(), 0)).is_err());
    }
}

#[test]
fn every_pair_has_an_optimal_path_under_all_settings() {
    let mut found = 0;
    for grid in maps() {
        let costs = all_costs(&grid);
        let check = |settings: Settings| {
            let config = asking_for(settings);
            let planner = CpdPlanner::build(&grid, &config).unwrap();
            assert_eq!(planner.settings(), settings);
            let mut found = check_all_pairs(&grid, &planner, &costs);
            if settings.order == Order::Dfs && settings.ties != Ties::Mask {
                let planner = CpdPlanner::build(&grid, &config.follow(Follow::Moves)).unwrap();
                found += check_all_pairs(&grid, &planner, &costs);
            }
            found
        };
        found += all_settings().into_par_iter().map(check).sum::<u32>();
    }
    assert!(found > 1_000_000, "{found}");
}

#[test]
fn every_movement_rule_is_kept() {
    for map in maps() {
        for movement in [Movement::Tile, Movement::OctileCutting] {
            let grid = map.with_movement(movement);
            let costs = all_costs(&grid);
            for layout in Layout::ALL {
                for settings in ["ties=diagonals", "ties=mask,symbol=heuristic"] {
                    check_all_pairs(&grid, &planner(&grid, &format!("layout={layout},{settings}")), &costs);
                }
            }
        }
    }
}

#[test]
fn moves_come_one_by_one() {
    for grid in maps() {
        let costs = all_costs(&grid);
        for spec in ["", "ties=mask", "layout=rectangles"] {
            let planner = planner(&grid, spec);
            for (&(start, goal), cost) in &costs {
                let first = planner.first_move(start, goal).unwrap();
                let moves: Vec<_> = planner.moves(start, goal).unwrap().collect();
                assert_eq!((first, cost.is_none() || start == goal), (moves.first().copied(), moves.is_empty()));
                assert_eq!(
                    planner.moves(start, goal).unwrap().take(3).collect::<Vec<_>>(),
                    moves[..moves.len().min(3)]
                );
                if let Some(cost) = *cost {
                    assert_eq!(moves.iter().fold(start, |at, dir| dir.step(at, 1)), goal);
                    assert_eq!(moves.iter().map(|&dir| GridCost::of_steps(dir, 1)).sum::<GridCost>(), cost);
                }
            }
        }
    }
}

#[test]
fn endpoints_are_checked() {
    let planner = planner(&"..@.".parse().unwrap(), "");
    let cell = |x| Cell::new(x, 0);
    assert_eq!(
        planner.first_move(cell(0), cell(2)).unwrap_err().to_string(),
        "goal 2,0 is blocked: choose a free cell"
    );
    assert!(planner.moves(cell(9), cell(0)).is_err());
    assert_eq!(planner.first_move(cell(0), cell(3)), Ok(None), "not connected");
    assert_eq!(planner.first_move(cell(0), cell(0)), Ok(None));
}

/// What was reproduced of the paper, if its map is available. It has 184,034 rectangles, with costs in single precision.
#[test]
fn the_rectangles_of_the_papers_map_are_counted() {
    let map = crate::movingai::folder().map(|folder| folder.join("bgmaps/AR0404SR.map"));
    let Some(map) = map.filter(|map| map.is_file()) else {
        println!("no map AR0404SR: set OCTILE_MOVINGAI to a folder that has bgmaps");
        return;
    };
    let grid = octile::load(map).unwrap().grid;
    let stats = |settings: &str| {
        let builder = Builder::new(&grid, settings.parse().unwrap()).unwrap();
        let file = builder.part(0..builder.sources(), &|| {}).unwrap().finish();
        Stats::from_artifact(&Artifact::from_bytes(file).unwrap()).unwrap()
    };
    let papers = stats("layout=rectangles,ties=diagonal-first");
    assert_eq!((papers.targets, papers.records), (9_836, 183_464));
    assert!((papers.average_checks - 1.99).abs() < 0.005, "{}", papers.average_checks);
    let [own, shared] = ["layout=runs", "layout=runs,share=rows"].map(|settings| stats(settings).records);
    assert!(10 * shared < 8 * own, "{shared} runs where rows are shared, and {own}");
}

/// A renewed database, and the planner over it.
fn renewed(earlier: &BuiltIndex, now: &Grid, settings: Settings) -> Option<(BuiltIndex, CpdPlanner, u32)> {
    let renewed = Builder::new(now, settings).unwrap().renew(earlier, u64::MAX, &|| {}).unwrap()?;
    assert_eq!(renewed.rows, now.free_cells());
    let file = Arc::new(Artifact::from_bytes(renewed.file.finish().into()).unwrap());
    let stats = Stats::from_artifact(&file).unwrap();
    assert_eq!((stats.targets, stats.settings, stats.is_part()), (now.free_cells(), settings, false));
    let planner = opened(&file, now, Repair::Exact).unwrap();
    Some((BuiltIndex::new(file, now.clone()), planner, renewed.built))
}

/// A few cells or rectangles that are closed, freed, or both.
fn any_edits(dice: &mut Dice, grid: &Grid) -> Edits {
    let mut edits = Edits::new();
    let kind = dice.below(4);
    for _ in 0..=dice.below(3) {
        let (x, y) = (dice.below(grid.width().into()) as u32, dice.below(grid.height().into()) as u32);
        let side = if dice.hits(1, 3) { dice.below(3) as u32 } else { 0 };
        let end = Cell::new((x + side).min(grid.width() - 1), (y + side).min(grid.height() - 1));
        if kind < 2 || kind == 2 && dice.hits(1, 2) {
            edits.block_rect((x, y), end);
        } else {
            edits.free_rect((x, y), end);
        }
    }
    edits
}

/// After random edits, again and again, a renewed database has an optimal path between all pairs of cells.
#[test]
fn renewed_databases_are_exact() {
    let settings = [
        "",
        "ties=mask,symbol=none,order=hilbert",
        "layout=rectangles",
        "layout=rectangles,ties=mask,symbol=heuristic,default=move",
    ];
    let programs: Vec<(usize, Grid, &str)> = (0..)
        .zip(maps().into_iter().filter(|map| map.free_cells() > 60))
        .flat_map(|(nth, map)| settings.map(|settings| (nth, map.clone(), settings)))
        .collect();
    let run = |(nth, map, settings): (usize, Grid, &str)| {
        let (settings, mut dice): (Settings, _) = (settings.parse().unwrap(), Dice::new(nth as u64));
        let (mut built, mut rows) = (0, 0);
        for movement in Movement::ALL {
            let mut grid = map.with_movement(movement);
            let builder = Builder::new(&grid, settings).unwrap();
            let file = builder.part(0..builder.sources(), &|| {}).unwrap().finish();
            let mut earlier = BuiltIndex::new(Arc::new(Artifact::from_bytes(file.into()).unwrap()), grid.clone());
            for _ in 0..4 {
                grid.apply(&any_edits(&mut dice, &grid)).unwrap();
                let (file, planner, some) = renewed(&earlier, &grid, settings).expect("it can be renewed");
                let costs = all_costs(&grid);
                check_all_pairs(&grid, &planner, &costs);
                let config = Cpd::default().follow(Follow::Moves);
                let build = Build::new(&grid).with(Indexes::from_iter([Arc::clone(&file.file)]));
                check_all_pairs(&grid, &CpdPlanner::build(build, &config).unwrap(), &costs);
                earlier = file;
                built += some;
                rows += grid.free_cells();
            }
        }
        (built, rows)
    };
    let sums = programs.into_par_iter().map(run).reduce(|| (0, 0), |one, other| (one.0 + other.0, one.1 + other.1));
    assert!(sums.0 < sums.1 / 2 && sums.1 > 10_000, "{sums:?} rows were built");
}

/// Rows that an edit cannot have changed are not built.
#[test]
fn a_renewal_builds_few_rows() {
    let mut grid = generate::rooms(65, 65, 16, 3).unwrap();
    let (settings, before) = (Settings::default(), grid.clone());
    let builder = Builder::new(&grid, settings).unwrap();
    let file = builder.part(0..builder.sources(), &|| {}).unwrap().finish();
    let earlier = BuiltIndex::new(Arc::new(Artifact::from_bytes(file.into()).unwrap()), before);
    let corner = grid.cells().find(|&cell| grid.is_free(cell)).unwrap();
    grid.apply(Edits::new().block(corner)).unwrap();
    let (again, _, built) = renewed(&earlier, &grid, settings).unwrap();
    assert_eq!(built, 3, "the neighbours of a corner");

    // The same edit backwards, and none.
    grid.apply(Edits::new().free(corner)).unwrap();
    let (whole, _, built) = renewed(&again, &grid, settings).unwrap();
    assert_eq!(built, 4, "they and the corner");
    assert_eq!(renewed(&whole, &grid, settings).unwrap().2, 0);

    // What cannot be renewed.
    let builder = |settings: &str| Builder::new(&grid, settings.parse().unwrap()).unwrap();
    assert!(builder("").renew(&earlier, 1, &|| {}).unwrap().is_some(), "the map is the same");
    assert!(builder("").renew(&again, 1, &|| {}).unwrap().is_none(), "that takes more searches");
    assert!(builder("ties=mask").renew(&earlier, u64::MAX, &|| {}).unwrap().is_none());
    for layout in [Layout::Quadtree, Layout::Uncompressed] {
        let builder = builder(&format!("layout={layout}"));
        let file = Arc::new(Artifact::from_bytes(builder.part(0..1, &|| {}).unwrap().finish().into()).unwrap());
        assert!(builder.renew(&BuiltIndex::new(file, grid.clone()), u64::MAX, &|| {}).unwrap().is_none());
    }
}

/// An engine renews its database, also where a build of all rows would exceed the budget.
#[test]
fn engines_renew_their_databases() {
    let grid = Grid::open(40, 40).unwrap();
    // A renewal that is not in slices needs a thread.
    let ways = if cfg!(target_os = "wasi") { &[true][..] } else { &[false, true] };
    for &by_slices in ways {
        let engine = Engine::new("cpd", &grid).unwrap();
        let renew = |budget| {
            if by_slices {
                engine.renew_by_slices_within(budget).run(Duration::MAX).unwrap().is_ok()
            } else {
                engine.renew_within(budget).wait().is_ok()
            }
        };
        engine.apply(Edits::new().block((0, 0))).unwrap();
        assert!(engine.is_stale());
        let few = Budget::AT_ONCE.steps(1_000_000);
        assert!(matches!(
            Cpd::default().build(&Build::new(&engine.grid()).within(few)),
            Err(BuildError::TakesLong { .. })
        ));
        assert!(renew(few) && !engine.is_stale());
        assert_eq!(engine.find((0, 1), (39, 0)).unwrap().unwrap().cost(), GridCost::new(38, 1));
        // A wall across the map changes all rows.
        engine.apply(Edits::new().block_rect((20, 1), (20, 39))).unwrap();
        assert!(!renew(few));
        assert!(renew(Budget::UNLIMITED) && !engine.is_stale());
        assert_eq!(engine.find((19, 1), (21, 1)).unwrap().unwrap().cost(), GridCost::new(4, 0));
    }
}

/// Checks that paths on the map of the database are optimal, whatever the repair.
fn assert_optimal(finder: &mut Finder, free: &[Cell]) {
    for &start in free.iter().step_by(29) {
        let truth = Truth::new(finder.grid(), start);
        for &goal in free.iter().step_by(7) {
            let cost = finder.find(start, goal).unwrap().map(|path| path.cost().grid().unwrap());
            assert_eq!(cost, truth.on_cells(goal), "{start} to {goal}");
        }
    }
}

/// Repaired paths around obstacles are legal, exist exactly if there is a path, and are optimal where nothing has
/// changed.
#[test]
fn changed_maps_are_repaired() {
    let (mut repaired, mut untouched, mut exact_hits) = (0, 0, 0);
    for (seed, grid) in (0_u32..).zip(maps().into_iter().filter(|grid| grid.free_cells() > 60)) {
        let free = free_cells(&grid);
        for round in 0..6_u32 {
            let mut edits = Edits::new();
            for i in 0..=round * 2 {
                let number = seed * 7919 + round * 104_729 + i * 31;
                let cell = Cell::new(number % grid.width(), number / 3 % grid.height());
                if i % 3 == 0 {
                    edits.free(cell)
                } else {
                    edits.block(cell)
                };
            }
            for repair in Repair::ALL {
                let planner = CpdPlanner::build(&grid, &Cpd::default().repair(repair)).unwrap();
                let promised = if repair == Repair::Exact { Guarantee::GridOptimal } else { Guarantee::Legal };
                assert_eq!(planner.facts().guarantee, promised);
                let mut finder = Finder::of(Box::new(planner) as Box<dyn Planner>);
                assert_optimal(&mut finder, &free);
                finder.apply(&edits).unwrap();
                let now = finder.grid().clone();
                let has_changed = now != grid;
                let planner = finder.planner();
                assert_eq!((planner.facts().guarantee, planner.is_stale()), (promised, has_changed));
                // No first move of the old map is certain.
                assert_eq!(planner.index().is_none(), has_changed);
                let mut path = Path::new();
                for &start in free.iter().step_by(5).filter(|&&cell| now.is_free(cell)) {
                    let truth = Truth::new(&now, start);
                    for &goal in free.iter().step_by(3).filter(|&&cell| now.is_free(cell)) {
                        let query =
                            PathQuery::new(start, goal).output([Output::Cells, Output::Waypoints][repaired % 2]);
                        let exists = finder.plan(query, &mut path).unwrap();
                        assert_eq!(exists, truth.on_cells(goal).is_some(), "{repair:?}: {start} to {goal}\n{now:?}");
                        if !exists {
                            continue;
                        }
                        path.check(&now, start, goal).unwrap_or_else(|fault| panic!("{repair:?}: {fault}\n{now:?}"));
                        let is_optimal = path.cost().grid() == truth.on_cells(goal);
                        assert!(repair != Repair::Exact || is_optimal, "{start} to {goal}\n{now:?}");
                        exact_hits += u32::from(repair == Repair::Exact);
                        if is_optimal { untouched += 1 } else { repaired += 1 }
                    }
                }
                // On the original map the database is right again.
                let mut back = Edits::new();
                for cell in grid.cells() {
                    if grid.is_free(cell) {
                        back.free(cell)
                    } else {
                        back.block(cell)
                    };
                }
                finder.apply(&back).unwrap();
                assert_optimal(&mut finder, &free);
            }
        }
    }
    assert!(repaired > 100 && untouched > 10_000 && exact_hits > 5_000, "{repaired} {untouched} {exact_hits}");
}

#[test]
fn repair_starts_at_the_configured_end() {
    // A door closes; the path around it is shorter if the search begins at the start.
    let grid: Grid = "
        .......
        .@@@@@.
        .......
        .@@@@@.
        .......
    "
    .parse()
    .unwrap();
    let (start, goal) = (Cell::new(0, 2), Cell::new(6, 2));
    let cost = |repair| {
        let mut finder = Finder::new(Cpd::default().repair(repair), &grid).unwrap();
        assert!(finder.planner().index().unwrap().first_moves.unwrap().first_move(start, goal).is_some());
        finder.apply(Edits::new().block(Cell::new(4, 2))).unwrap();
        assert!(finder.planner().index().is_none());
        finder.find(start, goal).unwrap().unwrap().cost().grid().unwrap()
    };
    assert_eq!(cost(Repair::Unit), GridCost::new(10, 0));
    assert_eq!(cost(Repair::Exact), GridCost::new(10, 0));
    assert_eq!(cost(Repair::Obstacle), GridCost::new(16, 0));
}

fn part(builder: &Builder, sources: std::ops::Range<u32>) -> Artifact<Vec<u8>> {
    Artifact::from_bytes(builder.part(sources, &|| {}).unwrap().finish()).unwrap()
}

fn bytes_of(builder: &Builder, parts: &[Artifact<Vec<u8>>]) -> bool {
    merge(parts).unwrap().finish() == builder.part(0..builder.sources(), &|| {}).unwrap().finish()
}

#[test]
fn parts_merge_into_the_same_file() {
    let grid = generate::random(20, 17, 20, 9).unwrap();
    for settings in all_settings() {
        let builder = Builder::new(&grid, settings).unwrap();
        let n = builder.sources();
        assert!(bytes_of(&builder, &[part(&builder, 0..n)]));
        assert!(bytes_of(&builder, &[part(&builder, n / 3..n), part(&builder, 0..n / 3)]), "in any order");
        let empty = [part(&builder, 0..7), part(&builder, 7..7), part(&builder, 7..n)];
        assert!(bytes_of(&builder, &empty), "also with an empty one");
        let middle = merge(&[part(&builder, 3..9), part(&builder, 9..20)]).unwrap().finish();
        assert_eq!(middle, builder.part(3..20, &|| {}).unwrap().finish(), "the result may be a part");
    }
}

#[test]
fn parts_that_do_not_fit_are_refused() {
    let grid = generate::random(20, 17, 20, 9).unwrap();
    let builder = Builder::new(&grid, Settings::default()).unwrap();
    let n = builder.sources();
    let fault = |parts: &[Artifact<Vec<u8>>]| merge(parts).map(|_| ()).unwrap_err();
    assert_eq!(fault(&[]), MergeError::Nothing);
    assert_eq!(
        fault(&[part(&builder, 0..9), part(&builder, 12..n)]),
        MergeError::Gap { missing: 9..12, settings: Settings::default() }
    );
    let overlap = fault(&[part(&builder, 5..n), part(&builder, 0..9)]);
    assert_eq!(overlap, MergeError::Overlap { file: 0, twice: 5..9 });
    let other = Builder::new(&grid, "ties=mask".parse().unwrap()).unwrap();
    let foreign = fault(&[part(&builder, 0..9), part(&other, 9..n)]);
    assert_eq!(foreign.file(), Some(1));
    assert!(foreign.to_string().contains("ties=mask"), "{foreign}");
    let elsewhere = Builder::new(&generate::random(20, 17, 20, 8).unwrap(), Settings::default()).unwrap();
    assert!(fault(&[part(&builder, 0..9), part(&elsewhere, 9..20)]).to_string().contains("fingerprint"));
    let gates = Artifact::from_bytes(Catalog::standard().index("gates").unwrap().build_for(&grid).unwrap()).unwrap();
    assert!(matches!(fault(&[gates]), MergeError::Artifact { file: 0, source: ArtifactError::WrongKind { .. } }));
    let mut bytes = builder.part(0..n, &|| {}).unwrap().finish();
    *bytes.last_mut().unwrap() ^= 1;
    let damaged = fault(&[Artifact::from_bytes(bytes).unwrap()]);
    assert!(matches!(damaged, MergeError::Artifact { source: ArtifactError::DamagedPayload { .. }, .. }));
    // A part is not a database.
    let bytes = builder.part(0..9, &|| {}).unwrap().finish();
    let error = opened(&Artifact::from_bytes(bytes.into()).unwrap().into(), &grid, Repair::Exact).unwrap_err();
    let is_part = |fault: &ArtifactError| matches!(fault, ArtifactError::Part { kind, found, all } if kind == KIND && *found == (0..9) && *all == n);
    assert!(matches!(&error, BuildError::Index(fault) if is_part(fault)), "{error:?}");
    assert!(error.to_string().ends_with("put it together with the other parts"), "{error}");
}

#[cfg(feature = "rayon")]
#[test]
fn threads_make_no_difference() {
    let grid = generate::rooms(40, 33, 6, 2).unwrap();
    for layout in Layout::ALL {
        let builder = Builder::new(&grid, Settings::of_layout(layout)).unwrap();
        let build = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| builder.part(0..builder.sources(), &|| {}).unwrap().finish())
        };
        let one = build(1);
        assert!([2, 3, 5].into_iter().all(|threads| build(threads) == one));
    }
}

#[test]
fn statistics_match_the_paper() {
    // There is nothing to cut up around the only cell of a map.
    let stats = |map: &str, settings: &str| {
        let grid: Grid = map.parse().unwrap();
        let builder = Builder::new(&grid, settings.parse().unwrap()).unwrap();
        Stats::from_artifact(&part(&builder, 0..builder.sources())).unwrap()
    };
    assert_eq!(stats(".", "layout=rectangles").records, 0);
    // Three cells in a row: the outer ones see one rectangle, the middle one two.
    let row = stats("...", "layout=rectangles");
    assert_eq!((row.records, row.targets, row.is_part()), (4, 3, false));
    assert!((row.average_checks - (1.0 + 1.5 + 1.0) / 3.0).abs() < 1e-3);
    assert!((row.compression_factor(2.5) - 9.0 / 4.0 / 2.5).abs() < 1e-12);
    // There is no obstacle, so the move that geometry suggests is right everywhere.
    let open = ".....\n.....\n.....";
    assert_eq!(stats(open, "layout=runs").records, 15);
    assert_eq!(stats(open, "layout=rectangles,symbol=heuristic,default=move").records, 0);
    // The eight rectangles around a cell, less those beyond the edge.
    assert_eq!(stats("...\n...\n...", "layout=rectangles").records, 8 + 4 * 3 + 4 * 5);
    assert_eq!(stats(open, "layout=uncompressed").records, 15 * 15);
}

#[test]
fn specs_and_files_must_agree() {
    let grid = generate::maze(15, 15, 2, 1).unwrap();
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let file = folder.path().join("maze.octx");
    let builder = Builder::new(&grid, "layout=rectangles".parse().unwrap()).unwrap();
    std::fs::write(&file, builder.part(0..builder.sources(), &|| {}).unwrap().finish()).unwrap();
    let build = |keys: &str| format!("cpd:{keys}index={}", file.display()).parse::<PlannerSpec>().unwrap().build(&grid);
    assert!(build("").is_ok(), "the file contains its settings");
    assert!(build("layout=rectangles,").is_ok());
    assert!(build("follow=moves,repair=unit,").is_ok());
    let error = build("layout=runs,").unwrap_err().to_string();
    assert!(error.contains("`layout=rectangles,") && error.contains("`layout=runs,"), "{error}");
    assert!(matches!(build("ties=mask,").unwrap_err(), BuildError::IndexSettings { .. }));
}

/// With any bytes in the sections, nothing panics or runs forever, and every path is legal.
#[test]
fn any_section_bytes_are_handled() {
    let grid = generate::random(14, 11, 20, 3).unwrap();
    let free = free_cells(&grid);
    let mut files_opened = 0;
    let mut dice = octile::geometry::Dice::new(1);
    let mut random = move || dice.below(1 << 32) as usize;
    for layout in Layout::ALL {
        let builder = Builder::new(&grid, Settings::of_layout(layout)).unwrap();
        let sound = part(&builder, 0..builder.sources());
        for round in 0..150 {
            let mut writer = ArtifactWriter::new(KIND, sound.kind_version(), &grid);
            for (i, (name, _)) in sound.sections().enumerate() {
                let mut bytes = sound.section(name).unwrap().to_vec();
                // Change a few bytes of one section; in every tenth round, truncate one.
                if i == round % 7 && !bytes.is_empty() {
                    for _ in 0..=random() % 20 {
                        let at = random() % bytes.len();
                        bytes[at] = random() as u8;
                    }
                    if round % 10 == 9 {
                        bytes.truncate(random() % bytes.len());
                    }
                }
                writer.section(name, bytes);
            }
            let artifact = Artifact::from_bytes(writer.finish()).unwrap();
            let _ = Stats::from_artifact(&artifact);
            let _ = merge(std::slice::from_ref(&artifact)).map(|writer| writer.finish());
            let file = Arc::new(Artifact::from_bytes(writer.finish().into()).unwrap());
            let Ok(planner) = opened(&file, &grid, Repair::Exact) else { continue };
            files_opened += 1;
            // Also with new obstacles and repaired paths.
            let repaired = opened(&file, &grid, [Repair::Unit, Repair::Obstacle][round % 2]).unwrap();
            let mut repaired = Finder::of(Box::new(repaired) as Box<dyn Planner>);
            repaired.apply(Edits::new().block(free[random() % free.len()]).block(free[random() % free.len()])).unwrap();
            let (now, mut path) = (repaired.grid().clone(), Path::new());
            for _ in 0..20 {
                let query = PathQuery::new(free[random() % free.len()], free[random() % free.len()]);
                let Ok(exists) = repaired.plan(query, &mut path) else { continue };
                assert_eq!(exists, Truth::new(&now, query.start).on_cells(query.goal).is_some());
                assert!(!exists || path.check(&now, query.start, query.goal).is_ok());
            }
            let (mut scratch, mut path) = (planner.create_scratch(), Path::new());
            for _ in 0..40 {
                let query = PathQuery::new(free[random() % free.len()], free[random() % free.len()]);
                let exists = planner.find_path(&mut scratch, query, &mut path, None).unwrap();
                assert_eq!(exists, grid.may_connect(query.start, query.goal));
                assert!(!exists || path.check(&grid, query.start, query.goal).is_ok());
                let _ = planner.first_move(query.start, query.goal).unwrap();
                assert!(planner.moves(query.start, query.goal).unwrap().count() <= free.len());
            }
        }
    }
    assert!(files_opened > 200, "{files_opened}");
}

#[test]
fn databases_that_would_be_too_large_are_refused() {
    let grid = Grid::open(400, 300).unwrap();
    let error = Builder::new(&grid, Settings::of_layout(Layout::Uncompressed)).unwrap_err();
    let BuildError::Unsuited { kind: KIND, reason } = &error else { panic!("{error:?}") };
    assert!(matches!(reason.downcast_ref(), Some(TooLarge { cells: 120_000, bytes: 7_200_000_000, .. })), "{error:?}");
    let error = "cpd".parse::<PlannerSpec>().unwrap().build(&grid).unwrap_err();
    let BuildError::TakesLong { planner: "cpd", kind: KIND, reason } = &error else { panic!("{error:?}") };
    assert_eq!(reason.downcast_ref(), Some(&TooManyCells { cells: 120_000, most: most_cells(Budget::AT_ONCE) }));
    assert_eq!(
        error.to_string(),
        "the index of planner `cpd` takes long to build for 120000 free cells (at most 24494 are done at once)"
    );
}

/// A database with any changed byte is refused, whether from memory or from a file, unless the program trusts it: then
/// no path is illegal and nothing panics.
#[test]
fn damaged_databases_are_refused_unless_they_are_trusted() {
    let grid = generate::random(12, 9, 25, 3).unwrap();
    let file = Catalog::standard().index("cpd").unwrap().build_for(&grid).unwrap();
    let place = tempfile::NamedTempFile::new_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let mut refused = 0;
    for at in (0..file.len()).step_by(3) {
        let mut bytes = file.clone();
        bytes[at] ^= 1 << (at % 8);
        std::fs::write(place.path(), &bytes).unwrap();
        let named = PlannerSpec::from(Cpd::default()).with_index(place.path());
        assert!(matches!(named.build(&grid), Err(BuildError::IndexFile { .. })), "byte {at}");
        let open = || Artifact::from_bytes(bytes.clone().into());
        let (Ok(artifact), Ok(twin)) = (open(), open()) else { continue };
        let given = Build::new(&grid).with(Indexes::from([twin]));
        assert!(matches!(Cpd::default().planner(given), Err(BuildError::Index(_))), "byte {at}");
        refused += 1;
        if let Ok(planner) = Cpd::default().planner(Build::new(&grid).with(Indexes::from([artifact.trusted()]))) {
            let mut finder = Finder::of(planner);
            for goal in grid.cells().filter(|&goal| grid.is_free(goal)) {
                let start = Cell::new(0, 0);
                if let Ok(Some(path)) = finder.find(start, goal) {
                    path.check(&grid, start, goal).unwrap();
                }
            }
        }
    }
    assert!(refused > file.len() / 6, "most of a file is contents: {refused} of {}", file.len());
}

#[test]
fn databases_keep_their_budget() {
    let grid = generate::random(30, 30, 20, 1).unwrap();
    let cells = grid.free_cells();
    let enough = Budget::UNLIMITED.steps(2 * u64::from(cells).pow(2));
    assert!(Cpd::default().planner(Build::new(&grid).within(enough)).is_ok());
    let short = Cpd::default().planner(Build::new(&grid).within(enough.steps(enough.steps - 1)));
    let Err(BuildError::TakesLong { reason, .. }) = short else { panic!("it must exceed the budget") };
    assert_eq!(reason.downcast_ref(), Some(&TooManyCells { cells, most: cells - 1 }));
    let Err(BuildError::Unsuited { reason, .. }) = Cpd::default().planner(Build::new(&grid).within(enough.bytes(5000)))
    else {
        panic!("it must exceed the budget")
    };
    let Some(&TooLarge { bytes, most: 5000, .. }) = reason.downcast_ref() else { panic!("{reason}") };
    assert!(bytes > 5000);
}
