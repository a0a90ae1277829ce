//! What the fuzz targets do with their bytes, one function each. The library's test `fuzz_smoke` includes this file and
//! runs the same functions on a few thousand inputs with any compiler.
//!
//! Readers take any bytes and give a value or an error; a value that was read can be written and read back unchanged.
//! Half of the inputs (those whose first byte is odd) get a valid header, so that the fuzzer need not guess one.

use std::time::Duration;

use octile::algo::{core_table, cpd, hub_labels, taut_labels};
use octile::artifact::{Artifact, ArtifactWriter, Storage};
use octile::formats::movingai;
use octile::formats::movingai::patch::Patch;
use octile::formats::{LoadOptions, PriceFile, ascii, generate, load_bytes_with};
use octile::geometry::Endpoints;
use octile::grid::Convention;
use octile::planner::IndexBuild;
use octile::planner::{Entry, Indexes, OnEdit};
use octile::services::distances;
use octile::{
    Build, Catalog, Cell, Edits, Engine, Finder, Grid, Guarantee, Path, PathCost, PathQuery, PlannerSpec, QueryError,
};
use octile_testkit::model;
use xxhash_rust::xxh3::xxh3_64;

/// The input behind its first byte; if that is odd, behind `header`, which is made from the two bytes that follow.
fn with_header(bytes: &[u8], header: impl Fn(u8, u8) -> String) -> Vec<u8> {
    match bytes {
        [choice, a, b, rest @ ..] if choice % 2 == 1 => [header(*a, *b).as_bytes(), rest].concat(),
        [_, rest @ ..] => rest.to_vec(),
        [] => Vec::new(),
    }
}

/// An error's message is one line.
fn check_message(error: &impl std::fmt::Display) {
    let message = error.to_string();
    assert!(!message.is_empty() && !message.contains('\n'), "{message:?}");
}

/// `.map` files.
pub fn map(bytes: &[u8]) {
    let header = |a, b| format!("type octile\nheight {}\nwidth {}\nmap\n", a % 8, b % 8);
    match movingai::map::parse(&with_header(bytes, header)) {
        Ok(grid) => assert_eq!(movingai::map::parse(movingai::map::write(&grid).as_bytes()), Ok(grid)),
        Err(error) => check_message(&error),
    }
}

/// `.scen` files.
pub fn scen(bytes: &[u8]) {
    let header = |a, b| format!("version 1{}\n{b}\tm.map\t", if a % 2 == 0 { "" } else { ".0" });
    match movingai::scen::parse(&with_header(bytes, header)) {
        Ok(scenario) => {
            let grid = Grid::open(8, 8).expect("the size is fine");
            for problem in &scenario.problems {
                assert!(problem.length.is_finite() && problem.length >= 0.0);
                assert!(problem.agrees(None) == problem.optimum().is_none());
                problem.check_fits(&grid).unwrap_or_else(|error| check_message(&error));
            }
            assert_eq!(movingai::scen::parse(movingai::scen::write(&scenario).as_bytes()), Ok(scenario));
        }
        Err(error) => check_message(&error),
    }
}

/// Dynamic scenarios, over two patches.
pub fn dynamic(bytes: &[u8]) {
    let header = |a, b| {
        format!("version 2\nheight {}\nwidth {}\ncost 1 octile\npatch p.patch\ncommands\n", a % 16 + 2, b % 16 + 2)
    };
    let bytes = with_header(bytes, header);
    let patches: Vec<Patch> =
        [(1, 1), (2, 2)].map(|(w, h)| Patch::from_fn(w, h, |cell| cell.x < cell.y).expect("a size")).into();
    match movingai::dynamic::parse(&bytes, patches.clone()) {
        Ok(scenario) => {
            assert!(movingai::dynamic::is_dynamic(&bytes) && movingai::scen::parse(&bytes).is_err());
            let text = movingai::dynamic::write(&scenario);
            let again = movingai::dynamic::parse(text.as_bytes(), patches).expect("as it is written");
            assert_eq!((movingai::dynamic::write(&again), again.commands.len()), (text, scenario.commands.len()));
            if u64::from(scenario.width) * u64::from(scenario.height) > 1 << 16 {
                return; // many inputs a second
            }
            let mut grid = scenario.start().expect("a size that was read");
            let mut queries = 0;
            for step in scenario.steps() {
                grid.apply(&step.edits).expect("patches lie on the map");
                assert!(step.queries.iter().all(|query| grid.contains(query.start) && grid.contains(query.goal)));
                queries += step.queries.len();
            }
            assert_eq!(queries, scenario.queries().count());
            let Some(optima) = scenario.optima() else { return };
            assert!(scenario.queries().all(|query| optima.agree(query, None) == optima.of(query).is_none()));
        }
        Err(error) => check_message(&error),
    }
}

/// `.patch` files.
pub fn patch(bytes: &[u8]) {
    let header =
        |a, b| format!("type patch\npatches {}\npatch 0\nheight {}\nwidth {}\nmap\n", a / 128 + 1, a % 8, b % 8);
    match movingai::patch::parse(&with_header(bytes, header)) {
        Ok(patches) => {
            for patch in &patches {
                let edits = patch.edits_at((3, 5));
                assert_eq!(edits.iter().count() as u32, patch.width() * patch.height());
                assert!(edits.iter().all(|(cell, free)| patch.is_free((cell.x - 3, cell.y - 5)) == free));
            }
            assert_eq!(movingai::patch::parse(movingai::patch::write(&patches).as_bytes()), Ok(patches));
        }
        Err(error) => check_message(&error),
    }
}

/// Drawings.
pub fn ascii(bytes: &[u8]) {
    match ascii::parse(bytes) {
        Ok(grid) => assert_eq!(ascii::parse(ascii::write(&grid).as_bytes()), Ok(grid)),
        Err(error) => check_message(&error),
    }
}

/// Price files, and maps that are read with them.
pub fn prices(bytes: &[u8]) {
    let file = match PriceFile::parse(bytes) {
        Ok(file) => file,
        Err(error) => return check_message(&error),
    };
    for prices in [file.letters(), file.levels()] {
        prices.map_or_else(|error| check_message(&error), drop);
    }
    let options = LoadOptions::default().prices(file);
    for map in [&b".S@\n.#.\n"[..], b"type octile\nheight 1\nwidth 2\nmap\n.S\n", b"P2\n3 1\n255\n0 128 255\n"] {
        match load_bytes_with(map, &options) {
            Ok(map) => {
                let (terrain, text) = octile::formats::prices::to_letters(&map.grid).expect("a few prices");
                let again =
                    PriceFile::parse(text.as_bytes()).and_then(|file| file.letters()).expect("as it is written");
                let grid = terrain.grid(&again, Convention::default());
                assert!(grid.cells().all(|cell| grid.price(cell) == map.grid.price(cell)));
            }
            Err(error) => check_message(&error),
        }
    }
}

/// PNG and PGM images.
#[cfg(feature = "image")]
pub fn image(bytes: &[u8]) {
    let header = |a, b| format!("P{}\n{} {} 255\n", if a < 128 { 2 } else { 5 }, a % 8, b % 8);
    match octile::formats::image::parse(&with_header(bytes, header)) {
        Ok(grid) => assert_eq!(octile::formats::image::parse(&octile::formats::image::to_pgm(&grid)), Ok(grid)),
        Err(error) => check_message(&error),
    }
}

/// ROS map files.
#[cfg(feature = "image")]
pub fn ros(bytes: &[u8]) {
    let header = |a, b| format!("image: a\nresolution: 0.{a}1\norigin: [{b}, -{a}, 0]\n");
    match octile::formats::image::ros::parse(&with_header(bytes, header)) {
        Ok(map) => {
            assert!(map.resolution > 0.0 && map.free_thresh < map.occupied_thresh);
            let grid = map.grid(b"P5\n3 1\n255\n\xff\x80\x00").expect("the image is fine");
            let (x, y) = map.georeference(&grid).cell_to_world(Cell::new(1, 0));
            let _ = map.georeference(&grid).world_to_cell(x, y);
        }
        Err(error) => check_message(&error),
    }
}

/// Index files. Half of the inputs get the length and the checksums that they need to be read further. A file that
/// passes all checks is written again from its sections, to the same bytes.
pub fn index(bytes: &[u8]) {
    let file = sealed(bytes);
    let artifact = match Artifact::from_bytes(&file) {
        Ok(artifact) => artifact,
        Err(error) => return check_message(&error),
    };
    assert_eq!(artifact.size_bytes(), file.len());
    let grid: Grid = "..@.\n.@..\n....".parse().expect("a drawing");
    let courtyard: Grid = COURTYARD.parse().expect("a drawing");
    let (kind, version) = (artifact.kind(), artifact.kind_version());
    let for_all = artifact.is_for_all_maps();
    let [mut writer, mut other] = [&grid, &courtyard].map(|grid| {
        if for_all { ArtifactWriter::for_all_maps(kind, version) } else { ArtifactWriter::new(kind, version, grid) }
    });
    for (name, len) in artifact.sections() {
        let section = artifact.section(name).expect("it is in the table");
        assert_eq!(section.len(), len);
        assert_eq!(artifact.words(name).is_ok(), len % 4 == 0);
        writer.section(name, section.to_vec());
        other.section(name, section.to_vec());
    }
    index_contents(&courtyard, other.finish());
    let fits = if for_all { artifact.check_for_all_maps(kind, version) } else { artifact.check(kind, version, &grid) };
    match fits.and_then(|()| artifact.verify()) {
        Ok(()) => assert_eq!(writer.finish(), file),
        Err(error) => check_message(&error),
    }
}

/// A map with blocked areas and gates.
const COURTYARD: &str = "
    ............
    .@@@@@@.....
    .@....@.....
    .@....@@@@@.
    .@....@...@.
    .@....@...@.
    ............
";

/// A whole index file for `grid` with any contents: planners refuse it, or answer every query without a panic and in
/// time. The answers may be wrong, as nothing but the builder could have made such a file.
fn index_contents(grid: &Grid, file: Vec<u8>) {
    let copy = file.clone();
    let artifact = Artifact::from_bytes(Storage::from(file)).expect("it was written just now");
    let Ok(entry) = Catalog::standard().index(artifact.kind()) else { return };
    if let Err(error) = (entry.describe)(&artifact) {
        check_message(&error);
    }
    let specs: &[&str] = if entry.kind == cpd::KIND {
        if let Ok(writer) = cpd::merge(&[Artifact::from_bytes(Storage::from(copy)).expect("a copy of it")]) {
            assert!(writer.size_bytes() > 0);
        }
        &["cpd", "cpd:follow=moves"]
    } else if entry.kind == hub_labels::KIND {
        &["hub-labels"]
    } else if entry.kind == core_table::KIND {
        &["core-table"]
    } else if entry.kind == taut_labels::KIND {
        &["taut-labels"]
    } else {
        &["astar:prune=blocked-areas+gates,gates=always", "jps:prune=gates,gates=always"]
    };
    let build = Build::new(grid).with(Indexes::from([artifact]));
    for &spec in specs {
        match Engine::build(spec, &build) {
            Ok(engine) => {
                ask_from(&engine, Cell::new(3, 3));
                // A stale index still answers what it can prove.
                for edits in [
                    Edits::new().block((2, 2)),
                    Edits::new().free((6, 4)).block((0, 3)),
                    Edits::new().free((2, 2)).block((8, 6)),
                ] {
                    engine.apply(edits).expect("the cells are on the map");
                    ask_from(&engine, Cell::new(3, 3));
                }
                let mut renewal = engine.renew_by_slices();
                while renewal.run(Duration::from_secs(1)).is_none() {}
                ask_from(&engine, Cell::new(3, 3));
            }
            Err(error) => check_message(&error),
        }
    }
}

/// Asks for paths from a cell to all others.
fn ask_from(engine: &Engine, start: Cell) {
    let (grid, mut finder) = (engine.grid(), engine.finder());
    for goal in grid.cells().filter(|&goal| grid.is_free(goal)) {
        let _ = finder.find(start, goal);
    }
}

/// The input behind its first byte; if that is odd, as an index file with the right length and checksums.
fn sealed(bytes: &[u8]) -> Vec<u8> {
    let [choice, file @ ..] = bytes else { return Vec::new() };
    let mut file = file.to_vec();
    if choice % 2 == 1 && file.len() >= 88 {
        let sections = u32::from_le_bytes(file[56..60].try_into().expect("four bytes")) as usize;
        let table_end = sections.saturating_mul(32).saturating_add(88).min(file.len());
        let (length, payload) = (file.len() as u64, xxh3_64(&file[table_end..]));
        for (at, field) in [(64, length), (72, payload), (80, 0)] {
            file[at..at + 8].copy_from_slice(&field.to_le_bytes());
        }
        let header = xxh3_64(&file[..table_end]);
        file[80..88].copy_from_slice(&header.to_le_bytes());
    }
    file
}

/// Planner specs.
pub fn spec(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    if let Ok(spec) = text.parse::<PlannerSpec>() {
        let again: PlannerSpec = spec.to_string().parse().expect("a spec that was written is a spec");
        assert_eq!(again.to_string(), spec.to_string());
        let canonical: PlannerSpec = spec.canonical().parse().expect("a spec in its canonical spelling is a spec");
        assert_eq!((&canonical, canonical.canonical()), (&spec, spec.canonical()));
        if spec.index_file().is_some() {
            return; // of any name, which is nothing to open here
        }
        let grid = Grid::open(3, 2).expect("the size is fine");
        spec.build(&grid).expect("a spec that was parsed builds on the default movement");
    }
}

/// Up to so many free cells planners are asked whose index takes a search from every one of them: many inputs a second.
const ALL_PAIRS_CELLS: u32 = 200;

/// Planners on small maps: two bytes for the size, four for the ends, and a bit for each cell. All planners that
/// promise the optimum find the same cost, any-angle planners nothing longer, those that promise no cost nothing
/// cheaper, and all paths are legal.
pub fn plan(bytes: &[u8]) {
    let [width, height, from_x, from_y, to_x, to_y, cells @ ..] = bytes else { return };
    let (width, height) = (u32::from(width % 80) + 1, u32::from(height % 24) + 1);
    let is_free = |cell: Cell| {
        let bit = (cell.y * width + cell.x) as usize;
        cells.get(bit / 8).is_none_or(|byte| byte >> (bit % 8) & 1 == 0)
    };
    let grid = Grid::from_fn(width, height, is_free).expect("the size is fine");
    let start = Cell::new(u32::from(*from_x) % width, u32::from(*from_y) % height);
    let goal = Cell::new(u32::from(*to_x) % width, u32::from(*to_y) % height);
    // One that tries the others builds what they build.
    let is_small = grid.free_cells() <= ALL_PAIRS_CELLS;
    let is_suited =
        |entry: &&Entry| entry.about().index.is_within(&grid, ALL_PAIRS_CELLS) && (is_small || entry.name() != "auto");
    let catalog = Catalog::standard();
    let suited = catalog.planners().iter().filter(is_suited);
    let specs = suited.flat_map(|entry| catalog.specs_for(entry, grid.movement()));
    let specs: Vec<PlannerSpec> = specs.map(|spec| spec.parse().expect("a spec of the table")).collect();
    let of = |guarantee| specs.iter().filter(move |spec| spec.guarantee() == guarantee);
    let answers: Vec<_> = of(Guarantee::GridOptimal).map(|spec| cost(spec, &grid, start, goal)).collect();
    assert!(answers.iter().all(|answer| *answer == answers[0]), "{start} to {goal}: {answers:?}\n{grid:?}");
    for spec in of(Guarantee::AnyAngle) {
        // Where grid paths end, squeezing may go on; where there is one, nothing longer is right.
        let right = match (cost(spec, &grid, start, goal), &answers[0]) {
            (Ok(Some(length)), Ok(Some(best))) => {
                length.length() <= best.length() * (1.0 + 1e-9) + detour(Some(spec.ends()))
            }
            (Ok(_), Ok(None)) => true,
            (answer, best) => answer.is_err() && best.is_err(),
        };
        assert!(right, "{spec} from {start} to {goal}\n{grid:?}");
    }
    let shortest: Vec<_> = of(Guarantee::AnyAngleOptimal).map(|spec| (spec, cost(spec, &grid, start, goal))).collect();
    for (spec, answer) in &shortest {
        let same_lines = |other: &PlannerSpec| (spec.squeeze(), spec.ends()) == (other.squeeze(), other.ends());
        for (other, known) in shortest.iter().filter(|(other, _)| same_lines(other)) {
            let agree = match (answer, known) {
                (Ok(Some(length)), Ok(Some(known))) => length.length() <= known.length() * (1.0 + 1e-9),
                (answer, known) => answer == known,
            };
            assert!(agree, "{spec} and {other} from {start} to {goal}: {answer:?}, {known:?}\n{grid:?}");
        }
        if let (Ok(Some(length)), Ok(Some(best))) = (answer, &answers[0]) {
            assert!(length.length() <= best.length() * (1.0 + 1e-9), "{spec} from {start} to {goal}\n{grid:?}");
        }
    }
    for spec in of(Guarantee::Legal) {
        let right = match (cost(spec, &grid, start, goal), &answers[0]) {
            (Ok(Some(found)), Ok(Some(best))) => found.grid().is_none() || found.grid() >= best.grid(),
            (Ok(None), Ok(None)) => true,
            (answer, best) => answer.is_err() && best.is_err(),
        };
        assert!(right, "{spec} from {start} to {goal}\n{grid:?}");
    }
}

/// How much longer a path may be because it begins and ends at centres.
fn detour(ends: Option<Endpoints>) -> f64 {
    if ends == Some(Endpoints::Centres) { std::f64::consts::SQRT_2 } else { 0.0 }
}

/// A planner's answer: the cost, or `None` if there is no path; an error if that was no query.
fn cost(spec: &PlannerSpec, grid: &Grid, start: Cell, goal: Cell) -> Result<Option<PathCost>, QueryError> {
    let mut finder = Finder::new(spec, grid).expect("the spec is fine");
    let path = finder.find(start, goal)?;
    if let Some(path) = &path {
        path.check(grid, start, goal).unwrap_or_else(|fault| panic!("{spec}: {fault:?}\n{grid:?}"));
    }
    Ok(path.map(|path| path.cost()))
}

/// Reads numbers from an input until it ends.
struct Input<'a>(std::slice::Iter<'a, u8>);

impl Input<'_> {
    fn byte(&mut self) -> Option<u8> {
        self.0.next().copied()
    }

    /// A cell of a map, or one beside it.
    fn cell(&mut self, grid: &Grid) -> Option<Cell> {
        let (x, y) = (u32::from(self.byte()?), u32::from(self.byte()?));
        Some(Cell::new(x % (grid.width() + 1), y % (grid.height() + 1)))
    }

    fn edits(&mut self, grid: &Grid) -> Option<Edits> {
        let mut edits = Edits::new();
        let kind = self.byte()?;
        let (a, b) = (self.cell(grid)?, self.cell(grid)?);
        match kind % 4 {
            0 => edits.block(a),
            1 => edits.free(a),
            2 => edits.block_rect(a, b),
            _ => edits.free_rect(a, b).block(b),
        };
        Some(edits)
    }

    fn map(&mut self) -> Option<Grid> {
        let (width, height) = (u32::from(self.byte()? % 20) + 1, u32::from(self.byte()? % 12) + 1);
        let (seed, percent) = (self.byte()?, self.byte()? % 60);
        generate::random(width, height, percent.into(), seed.into()).ok()
    }
}

/// Whether an answer is right on a map: found exactly if there is a path, legal, and not more costly than promised.
fn is_right(
    guarantee: Guarantee,
    grid: &Grid,
    (start, goal): (Cell, Cell),
    answer: &Result<Option<Path>, QueryError>,
) -> bool {
    if !grid.is_free(start) || !grid.is_free(goal) {
        return answer.is_err();
    }
    let optimum = distances(grid, start).cost(goal);
    match (answer, optimum) {
        (Ok(Some(path)), Some(optimum)) => {
            path.check(grid, start, goal).is_ok()
                && match guarantee {
                    Guarantee::GridOptimal => path.cost() == optimum,
                    Guarantee::AnyAngle | Guarantee::Smoothed(_) => {
                        path.length() <= optimum.length() * (1.0 + 1e-9) + detour(path.ends())
                    }
                    Guarantee::AnyAngleOptimal => path.length() <= optimum.length() * (1.0 + 1e-9),
                    _ => true,
                }
        }
        // Any-angle paths may squeeze where no grid path goes.
        (Ok(Some(path)), None) => path.is_any_angle() && path.check(grid, start, goal).is_ok(),
        (Ok(None), None) => true,
        _ => false,
    }
}

/// Calls of an engine in any order: edits, queries, batches, snapshots that stay, threads that ask while an edit lands.
pub fn engine(bytes: &[u8]) {
    let _ = play_engine(&mut Input(bytes.iter()));
}

/// The specs that engines of the target `engine` have.
const ENGINES: [&str; 9] = [
    "corner-sweep",
    "corner-sweep:cache=on",
    "jump-graph",
    "core-search",
    "jps:prune=gates,gates=always",
    "astar:prune=blocked-areas",
    "block-astar",
    "theta-star:squeeze=forbidden",
    "cpd",
];

fn play_engine(input: &mut Input) -> Option<()> {
    let spec = ENGINES[usize::from(input.byte()?) % ENGINES.len()];
    let mut grid = input.map()?;
    let engine = Engine::new(spec, &grid).expect("small maps suit all of them");
    let guarantee = engine.guarantee();
    let mut held = Vec::new();
    loop {
        let kind = input.byte()?;
        match kind % 6 {
            0 | 1 => {
                let (start, goal) = (input.cell(&grid)?, input.cell(&grid)?);
                let answer = engine.find(start, goal);
                assert!(
                    is_right(guarantee, &grid, (start, goal), &answer),
                    "{spec} {start} {goal} {answer:?}\n{grid:?}"
                );
            }
            2 => {
                let edits = input.edits(&grid)?;
                assert_eq!(engine.apply(&edits).is_ok(), grid.apply(&edits).is_ok());
                assert_eq!(engine.grid(), grid);
            }
            3 => {
                let queries: Option<Vec<_>> =
                    (0..kind / 16).map(|_| Some(PathQuery::new(input.cell(&grid)?, input.cell(&grid)?))).collect();
                let queries = queries?;
                for (query, answer) in queries.iter().zip(engine.find_all(&queries)) {
                    assert!(
                        is_right(guarantee, &grid, (query.start, query.goal), &answer),
                        "{spec} {query:?}\n{grid:?}"
                    );
                }
            }
            4 => {
                held.push((engine.snapshot(), grid.clone()));
                held.truncate(3);
            }
            _ => {
                let (edits, start, goal) = (input.edits(&grid)?, input.cell(&grid)?, input.cell(&grid)?);
                let mut after = grid.clone();
                let lands = after.apply(&edits).is_ok();
                std::thread::scope(|scope| {
                    let asking = scope.spawn(|| engine.find(start, goal));
                    assert_eq!(engine.apply(&edits).is_ok(), lands);
                    let answer = asking.join().expect("asking does not panic");
                    let fits = |grid: &Grid| is_right(guarantee, grid, (start, goal), &answer);
                    assert!(fits(&grid) || fits(&after), "{spec} {start} {goal} {answer:?}\n{grid:?}\n{after:?}");
                });
                grid = after;
            }
        }
        for (planner, map) in &held {
            assert_eq!(planner.grid(), map, "{spec}: a snapshot stays");
        }
    }
}

/// Maps that change under every planner: edits and queries in turn, each answer judged by the map as it is.
pub fn changes(bytes: &[u8]) {
    let _ = play_changes(&mut Input(bytes.iter()));
}

fn play_changes(input: &mut Input) -> Option<()> {
    let catalog = Catalog::standard();
    let specs: Vec<&str> = catalog.planners().iter().flat_map(|entry| catalog.specs(entry)).collect();
    let spec: PlannerSpec = specs[usize::from(input.byte()?) % specs.len()].parse().expect("a spec of the table");
    let movements = spec.movements();
    let movement = movements[usize::from(input.byte()?) % movements.len()];
    let mut grid = input.map()?.with_movement(movement);
    let mut finder = Finder::new(&spec, &grid).expect("small maps suit all of them");
    // What is repaired where the map has changed may cost more.
    let mut guarantee = finder.guarantee();
    loop {
        if input.byte()? % 3 == 0 {
            let edits = input.edits(&grid)?;
            let mut after = grid.clone();
            match finder.apply(&edits) {
                Ok(()) => {
                    after.apply(&edits).expect("the planner took them");
                    if spec.canonical().contains("repair=") {
                        guarantee = Guarantee::Legal;
                    }
                    grid = after;
                }
                Err(error) => {
                    assert!(after.apply(&edits).is_err() || finder.on_edit() == OnEdit::Refuses, "{spec}: {error}");
                }
            }
            assert_eq!(finder.grid(), &grid, "{spec}");
        } else {
            let (start, goal) = (input.cell(&grid)?, input.cell(&grid)?);
            let answer = finder.find(start, goal);
            assert!(is_right(guarantee, &grid, (start, goal), &answer), "{spec} {start} {goal} {answer:?}\n{grid:?}");
        }
    }
}

/// Programs of the whole API, played against an engine and a naive twin. The first byte chooses the planner.
pub fn model(bytes: &[u8]) {
    let program = model::generate::from_bytes(bytes);
    if let Err(failure) = model::play(&program, &model::Rules::default()) {
        panic!("{}: {}\n{program}", failure.kind, failure.text);
    }
}

/// Index files with right checksums whose sections hold anything: a whole file of a kind, with bytes of its sections
/// changed, cut or repeated. Planners refuse it, or answer without a panic and in time, also after edits and once the
/// index is renewed.
pub fn sections(bytes: &[u8]) {
    let mut input = Input(bytes.iter());
    let _ = change_sections(&mut input);
}

/// The indexes whose sections are changed.
const SEALED: [&str; 8] = [
    "cpd:layout=runs",
    "cpd:layout=rectangles",
    "cpd:layout=quadtree",
    "hub-labels",
    "gates",
    "blocked-areas",
    "core-table",
    "taut-labels",
];

fn change_sections(input: &mut Input) -> Option<()> {
    let spec = SEALED[usize::from(input.byte()?) % SEALED.len()];
    let (kind, settings) = spec.split_once(':').unwrap_or((spec, ""));
    let grid: Grid = COURTYARD.parse().expect("a drawing");
    let index = Catalog::standard().index(kind).expect("it is in the catalog");
    let whole = match index.build {
        IndexBuild::InParts(builder) => {
            let builder = builder(&Build::new(&grid), settings).expect("the settings are right");
            builder.part(0..builder.sources(), &|| {}).expect("it is small").finish()
        }
        _ => index.build_for(&grid).expect("it is small"),
    };
    let whole = Artifact::from_bytes(whole).expect("it was written just now");
    let names: Vec<String> = whole.sections().map(|(name, _)| name.to_owned()).collect();
    let mut sections: Vec<Vec<u8>> =
        names.iter().map(|name| whole.section(name).expect("it is in the table").to_vec()).collect();
    while let Some(how) = input.byte() {
        let Some(section) = sections.get_mut(usize::from(how / 4) % names.len()) else { break };
        let at = usize::from(input.byte()?) << 8 | usize::from(input.byte()?);
        let value = input.byte()?;
        match how % 4 {
            _ if section.is_empty() => section.push(value),
            0 | 1 => {
                let at = at % section.len();
                section[at] = value;
            }
            2 => section.truncate(at % section.len() / 8 * 8),
            _ => section.extend_from_within(..at.min(section.len())),
        }
    }
    let mut writer = ArtifactWriter::new(kind, index.version, &grid);
    for (name, section) in names.iter().zip(sections) {
        writer.section(name, section);
    }
    index_contents(&grid, writer.finish());
    Some(())
}
