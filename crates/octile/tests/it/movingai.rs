//! The MovingAI benchmark's own optima, if its files are available: in `OCTILE_MOVINGAI`, or beside the project in
//! `../shared/movingai`. Folders of maps with `NAME.map.scen` beside `NAME.map`.
//!
//! `jps` solves every 50th problem. The other specs of the catalog take turns, each on an eighth of the maps, where it
//! solves every 200th, because building takes longer than asking; any-angle specs solve every 1000th. To solve all of
//! them:
//!
//! ```text
//! OCTILE_MOVINGAI_EVERY=1 cargo test --release -p octile --test it movingai -- --nocapture
//! ```
//! This solves every problem with `jps` and every 20th with the others. `OCTILE_PLANNER=rea-star` selects the specs
//! with this prefix, on every map. On maps without problems the oracle judges `OCTILE_MOVINGAI_PAIRS` (10) random pairs
//! of cells. Planners whose index takes a search from every cell run only on small maps. Maps that an index does not
//! support, or that take too long to build, are left out and named.

use std::f64::consts::SQRT_2;
use std::path::{Path as FilePath, PathBuf};

use octile::formats::movingai::scen::{Problem, Scenario, TOLERANCE};
use octile::formats::{load_dynamic, load_scenario};
use octile::geometry::{Dice, Endpoints};
use octile::grid::Squeeze;
use octile::planner::Counts;
use octile::{BuildError, Catalog, Cell, Finder, Grid, Guarantee, Path, PathQuery, PlannerSpec, load};
use octile_testkit::maps::free_cells;
use octile_testkit::oracle::Truth;
use octile_testkit::setting;
use octile_testkit::{judge, planners};
use rayon::prelude::*;

/// The spec that solves most problems, and how many times as many as the others.
const MAIN: &str = "jps";
const MAIN_SHARE: usize = 20;

/// The folder of the benchmark's sets, if it is available.
pub(crate) fn folder() -> Option<PathBuf> {
    let beside = FilePath::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/movingai");
    std::env::var_os("OCTILE_MOVINGAI").map(PathBuf::from).or_else(|| beside.is_dir().then_some(beside))
}

fn entries(folder: &FilePath) -> Vec<PathBuf> {
    let read = std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut entries: Vec<PathBuf> = read.map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    entries
}

/// The maps in a folder whose names begin so; none if there is no folder.
pub(crate) fn maps(folder: &FilePath, begins: &str) -> Vec<PathBuf> {
    let is_map = |file: &PathBuf| {
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        name.starts_with(begins) && name.ends_with(".map")
    };
    if folder.is_dir() { entries(folder).into_iter().filter(is_map).collect() } else { Vec::new() }
}

#[test]
fn planners_find_the_optima_of_the_benchmark() {
    let Some(folder) = folder() else {
        println!("no MovingAI files: set OCTILE_MOVINGAI to a folder that has them");
        return;
    };
    let every: usize = setting("OCTILE_MOVINGAI_EVERY", 50);
    for set in entries(&folder).iter().filter(|set| set.is_dir()) {
        let maps: Vec<PathBuf> =
            entries(set).into_iter().filter(|file| file.extension().is_some_and(|ext| ext == "map")).collect();
        let solved: usize = maps.par_iter().enumerate().map(|(number, map)| check_map(map, number, every)).sum();
        println!("{}: {} maps, {solved} answers, 0 wrong", set.display(), maps.len());
    }
}

/// The lengths of `any-angle-optima.csv`, computed by another program: between upper left corners, without squeezing.
#[test]
fn planners_find_the_shortest_any_angle_paths() {
    let Some(folder) = folder() else { return };
    let file = folder.join("any-angle-optima.csv");
    let Ok(text) = std::fs::read_to_string(&file) else {
        println!("no {}", file.display());
        return;
    };
    // A quarter of the maps, or all of them.
    let every = if std::env::var("OCTILE_MOVINGAI_EVERY").is_ok_and(|every| every == "1") { 1 } else { 4 };
    let lines: Vec<Vec<&str>> = text.lines().skip(1).map(|line| line.split(',').collect()).collect();
    let maps: Vec<&[Vec<&str>]> = lines.chunk_by(|a, b| a[..2] == b[..2]).step_by(every).collect();
    let answers: usize = maps.par_iter().map(|lines| check_optima(&folder, lines)).sum();
    println!("{}: {answers} answers, 0 wrong", file.display());
}

/// The dynamic scenarios of a folder `dynamic`: every change, and every 10th query, or all of them.
#[test]
fn planners_follow_the_maps_of_dynamic_scenarios() {
    let Some(folder) = folder().map(|folder| folder.join("dynamic")).filter(|folder| folder.is_dir()) else { return };
    let every = if std::env::var("OCTILE_MOVINGAI_EVERY").is_ok_and(|every| every == "1") { 1 } else { 10 };
    for file in entries(&folder).iter().filter(|file| file.extension().is_some_and(|ext| ext == "scen")) {
        let scenario = load_dynamic(file).unwrap();
        let optima = scenario.optima().unwrap();
        for spec in ["astar", "jps", "rea-star", "block-astar", "corner-sweep", "corner-sweep:cache=on", "jump-graph"] {
            let mut finder = Finder::new(spec, &scenario.start().unwrap()).unwrap();
            let mut answers = 0;
            for step in scenario.steps() {
                finder.apply(&step.edits).unwrap();
                for query in step.queries.iter().step_by(every) {
                    let path = finder.find(query.start, query.goal).unwrap();
                    let about = || format!("{}, line {}: {spec}", file.display(), query.line);
                    if let Some(path) = &path {
                        let checked = path.check(finder.grid(), query.start, query.goal);
                        checked.unwrap_or_else(|fault| panic!("{}: {fault}", about()));
                    }
                    assert!(optima.agree(query, path.as_ref().map(Path::cost)), "{}: {path:?}", about());
                    answers += 1;
                }
            }
            println!("{}: {spec}: {answers} answers, 0 wrong", file.display());
        }
    }
}

/// Block A\* with the paper's blocks, on every 400th problem of Baldur's Gate II: the blocks that it expands in the
/// paper's order, as a simple program counted them, and in ours.
#[test]
fn block_astar_expands_as_many_blocks_as_recorded() {
    let Some(folder) = folder().map(|folder| folder.join("bg512")).filter(|folder| folder.is_dir()) else { return };
    let (mut all, mut asked, mut expanded) = (0, 0, [0; 2]);
    for map in entries(&folder).iter().filter(|file| file.extension().is_some_and(|ext| ext == "map")) {
        let (grid, scenario) = (load(map).unwrap().grid, load_scenario(scenario_of(map)).unwrap());
        let mut finders = ["exact", "rounded"].map(|priority| {
            Finder::new(&*format!("block-astar:db=any-angle,block=4,priority={priority}"), &grid).unwrap()
        });
        for problem in &scenario.problems {
            all += 1;
            if all % 400 != 0 || problem.optimum().is_none() {
                continue;
            }
            asked += 1;
            for (finder, expanded) in finders.iter_mut().zip(&mut expanded) {
                let (mut path, mut counts) = (Path::new(), Counts::default());
                let query = PathQuery::new(problem.start, problem.goal);
                finder.plan_probed(query, &mut path, &mut counts).unwrap();
                *expanded += counts.expanded;
            }
        }
    }
    // A folder may have some of the maps.
    if all == 93_160 {
        let [exact, rounded] = expanded.map(|expanded| f64::from(u32::try_from(expanded).unwrap()) / f64::from(asked));
        println!("{asked} problems: {exact:.1} blocks expanded in the paper's order, {rounded:.1} in ours");
        assert!((exact / 921.6 - 1.0).abs() < 0.01 && rounded < 0.85 * exact, "{exact} {rounded}");
    }
}

/// Asks every planner that promises shortest any-angle paths for those of a map; returns the number of judged answers.
fn check_optima(folder: &FilePath, lines: &[Vec<&str>]) -> usize {
    let map = folder.join(lines[0][0]).join(format!("{}.map", lines[0][1]));
    let grid = load(&map).unwrap().grid;
    let catalog = Catalog::standard();
    let specs = catalog.planners().iter().map(|entry| format!("{}:squeeze=forbidden", entry.name()));
    let is_shortest =
        |spec: &String| catalog.parse(spec).is_ok_and(|spec| spec.guarantee() == Guarantee::AnyAngleOptimal);
    let mut answers = 0;
    for spec in specs.filter(is_shortest) {
        let Some(mut finder) = finder(&map, &spec, &grid) else { continue };
        for line in lines {
            let number = |place: usize| line[place].parse::<f64>().unwrap();
            let cell = |place: usize| Cell::new(number(place) as u32, number(place + 1) as u32);
            let path = finder.find(cell(2), cell(4)).unwrap().unwrap();
            path.check(&grid, cell(2), cell(4)).unwrap_or_else(|fault| panic!("{}: {spec}: {fault}", map.display()));
            assert!((path.length() - number(6)).abs() < 1e-6, "{}: {spec}: {line:?}, {}", map.display(), path.length());
            answers += 1;
        }
    }
    answers
}

/// Maps without problems (`bgmaps` has none): random pairs of cells, judged by the oracle.
#[test]
fn planners_agree_with_the_oracle_on_maps_without_problems() {
    let Some(folder) = folder() else { return };
    let pairs: usize = setting("OCTILE_MOVINGAI_PAIRS", 10);
    for set in entries(&folder).iter().filter(|set| set.is_dir()) {
        let maps = entries(set).into_iter().filter(|file| file.extension().is_some_and(|ext| ext == "map"));
        let maps: Vec<PathBuf> = maps.filter(|map| !scenario_of(map).exists()).collect();
        let answers: usize = maps.par_iter().map(|map| check_pairs(map, pairs)).sum();
        if !maps.is_empty() {
            println!("{}: {} maps, {answers} answers about random pairs, 0 wrong", set.display(), maps.len());
        }
    }
}

/// Asks the planners of `OCTILE_PLANNER`, or those whose index takes a search from every cell and the main one, for
/// random pairs of free cells; returns the number of judged answers.
fn check_pairs(map: &FilePath, pairs: usize) -> usize {
    let grid = load(map).unwrap().grid;
    let is_chosen = |spec: &&str| planners::is_restricted() || *spec == MAIN || spec.starts_with("cpd");
    let specs = planners::specs(&grid).filter(is_chosen);
    let mut finders: Vec<Finder> = specs.filter_map(|spec| finder(map, spec, &grid)).collect();
    let free = free_cells(&grid);
    let mut dice = Dice::new(grid.fingerprint());
    let mut any = || free[dice.below(free.len() as u64) as usize];
    let mut path = Path::new();
    for _ in 0..pairs {
        let query = PathQuery::new(any(), any());
        let truth = Truth::new(&grid, query.start);
        for finder in &mut finders {
            judge::ask(finder, query, &mut path, &truth).unwrap_or_else(|fault| panic!("{}: {fault}", map.display()));
        }
    }
    pairs * finders.len()
}

/// A planner for a map, unless its index takes too long to build.
fn finder(map: &FilePath, spec: &str, grid: &Grid) -> Option<Finder> {
    match Finder::new(spec, grid) {
        Ok(finder) => Some(finder),
        Err(error @ (BuildError::TakesLong { .. } | BuildError::Unsuited { .. })) => {
            println!("{}: {spec}: {error}", map.display());
            None
        }
        Err(error) => panic!("{}: {spec}: {error}", map.display()),
    }
}

fn scenario_of(map: &FilePath) -> PathBuf {
    let mut scen = map.as_os_str().to_owned();
    scen.push(".scen");
    scen.into()
}

/// Solves the problems of a map, the `number`th of its set, with every planner; returns the number of judged answers.
fn check_map(map: &FilePath, number: usize, every: usize) -> usize {
    let grid = load(map).unwrap().grid;
    let scen = scenario_of(map);
    if !scen.exists() {
        return 0;
    }
    let scenario = load_scenario(&scen).unwrap();
    // The share of the maps that a spec runs on, and its share of the main spec's problems. Any-angle planners and
    // other heuristics are slow, or slow to build among random obstacles; searches over corners with a bad heuristic
    // are left to the other suites.
    let turns = |spec: &str| match spec.parse::<PlannerSpec>().map(|spec| spec.guarantee()) {
        _ if every == 1 || spec == MAIN || planners::is_restricted() => (1, MAIN_SHARE),
        Ok(Guarantee::AnyAngleOptimal) => (24, MAIN_SHARE),
        Ok(Guarantee::AnyAngle) => (8, MAIN_SHARE),
        _ if spec.contains("heuristic=") => (8, MAIN_SHARE),
        _ => (8, MAIN_SHARE / 5),
    };
    let is_next = |(place, spec): &(usize, &str)| {
        every == 1
            || planners::is_restricted()
            || (place + number).is_multiple_of(turns(spec).0) && !spec.contains("theta-star:heuristic=")
    };
    let specs = planners::specs(&grid).enumerate().filter(is_next).map(|(_, spec)| spec);
    specs.map(|spec| solve(map, spec, &grid, &scenario, if spec == MAIN { every } else { every * turns(spec).1 })).sum()
}

fn solve(map: &FilePath, spec: &str, grid: &Grid, scenario: &Scenario, every: usize) -> usize {
    let Some(mut finder) = finder(map, spec, grid) else { return 0 };
    let mut path = Path::new();
    let problems = scenario.problems.iter().step_by(every);
    problems
        .inspect(|problem| {
            problem.check_fits(grid).unwrap();
            let query = PathQuery::new(problem.start, problem.goal);
            let found = finder.plan(query, &mut path).unwrap();
            if found {
                path.check(grid, query.start, query.goal)
                    .unwrap_or_else(|fault| panic!("{}: {spec}: {fault}", map.display()));
            }
            let right = is_right(&finder, problem, found, &path);
            assert!(right, "{}: {spec}: {problem:?}, found {}", map.display(), path.length());
        })
        .count()
}

fn is_right(finder: &Finder, problem: &Problem, found: bool, path: &Path) -> bool {
    let guarantee = finder.guarantee();
    let Some(optimum) = problem.optimum() else {
        // Squeezing may find paths where there is no grid path.
        let may_squeeze = matches!(guarantee, Guarantee::AnyAngle | Guarantee::AnyAngleOptimal);
        return !found || may_squeeze && finder.squeeze() == Some(Squeeze::Allowed);
    };
    let (low, high) =
        (optimum - TOLERANCE, (optimum + TOLERANCE) * f64::from(guarantee.weight().thousandths()) / 1000.0);
    // A planner that plans between corners first needs a detour to reach the centres.
    let detour = if finder.ends() == Endpoints::Centres { SQRT_2 } else { 0.0 };
    match guarantee {
        Guarantee::GridOptimal => problem.agrees(found.then(|| path.cost())),
        Guarantee::AnyAngle | Guarantee::Smoothed(_) => found && path.length() <= high + detour,
        Guarantee::AnyAngleOptimal => found && path.length() <= high,
        Guarantee::Legal => found && (path.is_any_angle() || path.length() >= low),
        _ => found && (low..=high).contains(&path.length()),
    }
}
