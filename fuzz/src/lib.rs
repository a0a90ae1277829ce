//! What the fuzz targets do with their bytes, one function each. The library's test `fuzz_smoke` includes this file and
//! runs the same functions on a few thousand inputs with any compiler.
//!
//! Readers take any bytes and give a value or an error; a value that was read can be written and read back unchanged.
//! Half of the inputs (those whose first byte is odd) get a valid header, so that the fuzzer need not guess one.

use octile::algo::{cpd, hub_labels};
use octile::artifact::{Artifact, ArtifactWriter, Storage};
use octile::movingai;
use octile::{Build, Catalog, Cell, Entry, Finder, Grid, Guarantee, Indexes, PathCost, PlannerSpec, QueryError, ascii};
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

/// Drawings.
pub fn ascii(bytes: &[u8]) {
    match ascii::parse(bytes) {
        Ok(grid) => assert_eq!(ascii::parse(ascii::write(&grid).as_bytes()), Ok(grid)),
        Err(error) => check_message(&error),
    }
}

/// PNG and PGM images.
#[cfg(feature = "image")]
pub fn image(bytes: &[u8]) {
    let header = |a, b| format!("P{}\n{} {} 255\n", if a < 128 { 2 } else { 5 }, a % 8, b % 8);
    match octile::image::parse(&with_header(bytes, header)) {
        Ok(grid) => assert_eq!(octile::image::parse(&octile::image::to_pgm(&grid)), Ok(grid)),
        Err(error) => check_message(&error),
    }
}

/// ROS map files.
#[cfg(feature = "image")]
pub fn ros(bytes: &[u8]) {
    let header = |a, b| format!("image: a\nresolution: 0.{a}1\norigin: [{b}, -{a}, 0]\n");
    match octile::image::ros::parse(&with_header(bytes, header)) {
        Ok(map) => {
            assert!(map.resolution > 0.0 && map.free_thresh < map.occupied_thresh);
            let grid = map.grid(b"P5\n3 1\n255\n\xff\x80\x00").expect("the image is fine");
            let (x, y) = map.georeference(&grid).cell_to_world(Cell::new(1, 0));
            let _ = map.georeference(&grid).world_to_cell(x, y);
        }
        Err(error) => check_message(&error),
    }
}

/// Index files. Half of the inputs get the length and the checksums that they need to be read further. A file that passes
/// all checks is written again from its sections, to the same bytes.
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

/// A whole index file for `grid` with any contents: planners refuse it, or answer every query without a panic and in time. The
/// answers may be wrong, as nothing but the builder could have made such a file.
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
    } else {
        &["astar:prune=blocked-areas+gates,gates=always", "jps:prune=gates,gates=always"]
    };
    let build = Build::new(grid).with(Indexes::from([artifact]));
    for &spec in specs {
        match Finder::build(spec, &build) {
            Ok(mut finder) => {
                for goal in grid.cells().filter(|&goal| grid.is_free(goal)) {
                    let _ = finder.find(Cell::new(3, 3), goal);
                }
            }
            Err(error) => check_message(&error),
        }
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

/// Planners on small maps: two bytes for the size, four for the ends, and a bit for each cell. All planners that promise
/// the optimum find the same cost, any-angle planners nothing longer, those that promise no cost nothing cheaper, and all paths are legal.
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
            (Ok(Some(length)), Ok(Some(best))) => length.length() <= best.length() * (1.0 + 1e-9),
            (Ok(_), Ok(None)) => true,
            (answer, best) => answer.is_err() && best.is_err(),
        };
        assert!(right, "{spec} from {start} to {goal}\n{grid:?}");
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

/// A planner's answer: the cost, or `None` if there is no path; an error if that was no query.
fn cost(spec: &PlannerSpec, grid: &Grid, start: Cell, goal: Cell) -> Result<Option<PathCost>, QueryError> {
    let mut finder = Finder::new(spec, grid).expect("the spec is fine");
    let path = finder.find(start, goal)?;
    if let Some(path) = &path {
        path.check(grid, start, goal).unwrap_or_else(|fault| panic!("{spec}: {fault:?}\n{grid:?}"));
    }
    Ok(path.map(|path| path.cost()))
}
