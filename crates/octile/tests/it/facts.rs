//! Facts: what a config states about its planner is what all wrappers report, before and after edits, and how the
//! planner behaves.

use octile::formats::generate;
use octile::grid::Convention;
use octile::planner::{EditError, Native, OnEdit, Probe};
use octile::planner::{Facts, Geometry};
use octile::{
    BuildError, Catalog, Cell, Edits, Engine, Finder, Grid, Guarantee, Movement, Path, PathQuery, Planner, PlannerSpec,
    Query,
};
use octile_testkit::oracle::Truth;
use octile_testkit::{judge, planners};

/// All specs of the catalog, each with a small map of a movement rule that it supports.
fn specs() -> Vec<(&'static str, PlannerSpec, Grid)> {
    let grid = generate::random(18, 15, 25, 3).unwrap();
    let with_map = |spec: &'static str| {
        let parsed: PlannerSpec = spec.parse().unwrap();
        let map = grid.with_movement(parsed.movements()[0]);
        (spec, parsed, map)
    };
    planners::specs_of_all_rules(&grid).map(with_map).collect()
}

/// Facts that hold whichever planner is chosen, if the spec leaves the choice open.
fn lasting(facts: &Facts) -> (Guarantee, Geometry) {
    (facts.guarantee, facts.geometry)
}

/// An edit that blocks a free cell and frees a blocked one.
fn change(grid: &Grid) -> Edits {
    let first = |is_free| grid.cells().find(|&cell| cell.y > 5 && grid.is_free(cell) == is_free).unwrap();
    let mut edits = Edits::new();
    edits.block(first(true)).free(first(false));
    edits
}

fn free_cells(grid: &Grid) -> Vec<Cell> {
    grid.cells().filter(|&cell| grid.is_free(cell)).collect()
}

/// Stops a search at its first expansion.
struct Stop;

impl Probe for Stop {
    fn stops(&mut self, _: f64) -> bool {
        true
    }
}

/// Checks that a planner natively answers the queries that its facts list, and no others.
fn check_native(planner: &dyn Planner, spec: &str) {
    let (grid, facts, mut scratch, mut path) = (planner.grid(), planner.facts(), planner.create_scratch(), Path::new());
    let free = free_cells(grid);
    let near: Vec<Cell> = free.iter().copied().filter(|&cell| planner.may_connect(free[0], cell)).take(5).collect();
    let (start, goals) = (near[0], &near[1..]);
    let mut costs = [None; 4];
    let has_costs = planner.costs(&mut scratch, &[start], goals, &mut costs);
    assert_eq!(has_costs, facts.has(Native::Costs), "{spec}");
    assert_eq!(costs.iter().all(Option::is_some), has_costs, "{spec}");
    let mut found = 0;
    let has_nearest = planner.nearest(&mut scratch, start, goals, 4, &mut |_, _| found += 1);
    assert_eq!((has_nearest, found), (has_costs, if has_costs { 4 } else { 0 }), "{spec}");
    let query = Query::to_any(start, goals).any_goal_query().unwrap();
    let any = planner.search_any(&mut scratch, query, &mut path, None);
    let has_any = any.is_some_and(|found| found.unwrap().is_some());
    assert_eq!(has_any || has_nearest && !facts.is_any_angle(), facts.has(Native::ManyGoals), "{spec}");
    if facts.has(Native::Slices) {
        // A stopped search resumes, and finds the same path as in one go.
        let goal = *free.iter().rev().find(|&&cell| planner.may_connect(start, cell)).unwrap();
        let query = PathQuery::new(start, goal);
        let mut whole = Path::new();
        assert!(planner.search(&mut planner.create_scratch(), query, &mut whole, None).unwrap(), "{spec}");
        if !planner.search(&mut scratch, query, &mut path, Some(&mut Stop)).unwrap() {
            planner.go_on(&mut scratch);
            assert!(planner.search(&mut scratch, query, &mut path, None).unwrap(), "{spec}");
        }
        assert_eq!(path.cost(), whole.cost(), "{spec}");
    }
}

/// Checks that a finder's paths keep its guarantee.
fn check_paths(finder: &mut Finder, spec: &str) {
    let (free, mut path) = (free_cells(finder.grid()), Path::new());
    for &start in free.iter().step_by(37) {
        let truth = Truth::new(finder.grid(), start);
        for &goal in free.iter().step_by(5) {
            judge::ask(finder, PathQuery::new(start, goal), &mut path, &truth).unwrap_or_else(|fault| {
                panic!("{spec}: {fault}");
            });
        }
    }
}

#[test]
fn everybody_says_the_same_before_and_after_edits() {
    let mut stale = 0;
    for (name, spec, grid) in specs() {
        let (said, planner) = (spec.facts(), spec.build(&grid).unwrap());
        let chosen: Option<PlannerSpec> = planner.chosen().map(|chosen| chosen.parse().unwrap());
        let is_auto = said.name == "auto";
        let expected = chosen.filter(|_| is_auto).map_or(said, |chosen| chosen.facts());
        assert_eq!(planner.facts(), &expected, "{name}");
        assert_eq!(lasting(&expected), lasting(&said), "{name}");
        let own = Catalog::standard().planner(said.name).unwrap();
        assert_eq!((own.name(), spec.about().name), (said.name, said.name));
        assert_eq!(
            (spec.guarantee(), spec.movements(), spec.squeeze()),
            (said.guarantee, said.movements, said.squeeze())
        );
        assert_eq!((spec.ends(), spec.on_edit(), spec.index_kinds()), (said.ends(), said.on_edit, said.indexes));
        assert_eq!(spec.takes_terrain(), said.terrain);

        let engine = Engine::of(planner);
        let mut finder = engine.finder();
        check_native(finder.planner(), name);
        check_paths(&mut finder, name);
        let edits = change(&grid);
        let (applied, on_edit) = (engine.apply(&edits), engine.on_edit());
        if on_edit == OnEdit::Refuses {
            assert!(matches!(applied, Err(EditError::Refused { .. })), "{name}");
            continue;
        }
        applied.unwrap();
        finder.apply(&edits).unwrap();
        assert!(engine.grid() == *finder.grid() && engine.grid() != grid, "{name}");
        let may_be_stale = on_edit == OnEdit::GoesStale || !expected.indexes.is_empty();
        assert!(
            engine.is_stale() == (on_edit == OnEdit::GoesStale) || may_be_stale && on_edit == OnEdit::Follows,
            "{name}"
        );
        stale += usize::from(engine.is_stale());
        for planner in [&*engine.snapshot(), finder.planner()] {
            // While an index is stale, the planner that searches in its place answers the other queries.
            let mut now = expected;
            if planner.is_stale() {
                now.native = planner.facts().native;
            }
            assert_eq!(planner.facts(), &now, "{name}");
            check_native(planner, name);
        }
        let facts = *finder.planner().facts();
        assert_eq!((engine.name(), finder.name()), (facts.name, facts.name));
        assert_eq!((engine.guarantee(), finder.guarantee()), (facts.guarantee, facts.guarantee));
        assert_eq!((engine.squeeze(), finder.squeeze()), (facts.squeeze(), facts.squeeze()));
        assert_eq!((engine.ends(), finder.ends()), (facts.ends(), facts.ends()));
        assert_eq!((engine.on_edit(), finder.on_edit()), (facts.on_edit, facts.on_edit));
        check_paths(&mut finder, name);
    }
    assert!(stale > 10 || planners::is_restricted(), "{stale}");
}

#[test]
fn maps_are_refused_or_taken_as_said() {
    for (name, spec, grid) in specs() {
        let facts = spec.facts();
        for movement in Movement::ALL {
            let built = spec.build(&grid.with_movement(movement));
            match built {
                Ok(planner) => assert!(facts.movements.contains(&movement), "{name}: {planner:?}"),
                Err(BuildError::Movement { asked, supported, .. }) => {
                    assert!(!facts.movements.contains(&movement), "{name}");
                    assert_eq!((asked, &supported[..]), (movement, facts.movements), "{name}");
                }
                Err(error) => panic!("{name}: {error}"),
            }
        }
        let priced = generate::regions(&grid, &[1, 2, 5], 4, Convention::Average, 9).unwrap();
        match spec.build(&priced.with_movement(facts.movements[0])) {
            Ok(planner) => {
                assert!(facts.terrain, "{name}");
                check_paths(&mut Finder::of(planner), name);
            }
            Err(BuildError::Terrain { .. }) => assert!(!facts.terrain, "{name}"),
            Err(error) => panic!("{name}: {error}"),
        }
    }
}

/// The wrapped planner answers whatever a wrapper does not change.
#[test]
fn wrappers_pass_on_what_they_do_not_change() {
    let grid: Grid = "......\n.@@@@.\n......".parse().unwrap();
    let (start, goal) = (Cell::new(0, 1), Cell::new(5, 1));
    let planner = |spec: &str| spec.parse::<PlannerSpec>().unwrap().build(&grid).unwrap();
    let (plain, smoothed) = (planner("hub-labels"), planner("hub-labels:smooth=greedy"));
    assert_eq!(plain.index_bytes(), smoothed.index_bytes());
    let hubs = |planner: &dyn Planner| {
        let (labels, mut ways) = (planner.index().unwrap().labels.unwrap(), Vec::new());
        labels.ways_to_hubs(start, &mut |way| ways.push(way.to_vec()));
        ways
    };
    assert!(!hubs(&*plain).is_empty() && hubs(&*plain) == hubs(&*smoothed));
    assert!(plain.facts().has(Native::Costs) && !smoothed.facts().has(Native::Costs));

    let (plain, mut smoothed) = (planner("cpd"), planner("cpd:smooth=greedy"));
    assert!(plain.index().unwrap().first_moves.unwrap().first_move(start, goal).is_some());
    assert!(smoothed.index().unwrap().first_moves.is_none(), "its paths are others");
    assert!(!smoothed.is_stale() && !smoothed.facts().has(Native::Slices));
    smoothed.apply(Edits::new().block((5, 2))).unwrap();
    assert!(smoothed.is_stale() && smoothed.facts().has(Native::Slices), "those of the planner that searches");
    assert!(smoothed.index().is_none());
}
