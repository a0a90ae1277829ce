//! The kinds of index: old files stay readable, and gates match their definition.

use std::path::PathBuf;

use octile::algo::block_astar::lddb::{Distances, Lddb};
use octile::artifact::{Artifact, ArtifactWriter, Storage};
use octile::files::FileFault;
use octile::formats::generate;
use octile::kernels::gates::Gates;
use octile::planner::IndexKind;
use octile::planner::{IndexFault, Indexes};
use octile::{Build, BuildError, Catalog, Cell, Engine, Finder, Grid, Movement, Path, PathQuery, PlannerSpec};
use octile_testkit::judge;
use octile_testkit::maps::free_cells;
use octile_testkit::oracle::Truth;
use xxhash_rust::xxh3::xxh3_64;

/// Planners that use each kind, on every map.
const USERS: [(&str, &[&str]); 6] = [
    (
        "blocked-areas",
        &["astar:prune=blocked-areas", "astar:prune=blocked-areas,lookup=tree", "dijkstra:prune=blocked-areas"],
    ),
    ("gates", &["jps:prune=gates,gates=always", "rea-star:prune=gates,gates=always", "astar:prune=gates,gates=always"]),
    ("cpd", &["cpd", "cpd:follow=moves", "cpd:layout=runs,repair=unit"]),
    ("hub-labels", &["hub-labels"]),
    ("core-table", &["core-table"]),
    ("taut-labels", &["taut-labels"]),
];

/// Kinds whose files are too large to keep: their lengths and checksums (XXH3).
const ONLY_SUMS: [(&str, usize, u64); 3] = [
    ("lddb-octile", 454_592, 12_097_642_190_872_014_004),
    ("lddb-any-angle", 1_749_344, 8_891_824_966_055_280_538),
    ("lddb-no-squeeze", 882_832, 6_133_262_555_933_078_707),
];

fn index(kind: &str) -> IndexKind {
    Catalog::standard().index(kind).unwrap()
}

fn golden(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../testdata/artifacts/v1").join(name)
}

/// The file of a kind, in a version of its sections.
fn golden_index(kind: &str, version: u32) -> PathBuf {
    golden(&if version == 1 { format!("{kind}.octx") } else { format!("{kind}.v{version}.octx") })
}

#[test]
fn golden_indexes_are_read_and_built_unchanged() {
    let grid = octile::load(golden("maze.map")).unwrap().grid;
    for entry in
        Catalog::standard().indexes().iter().filter(|entry| !ONLY_SUMS.iter().any(|(kind, ..)| *kind == entry.kind))
    {
        let path = golden_index(entry.kind, entry.version);
        let artifact = Artifact::open(&path).unwrap();
        artifact.verify().unwrap();
        entry.check(&artifact, &grid).unwrap();
        assert!(!(entry.describe)(&artifact).unwrap().is_empty());
        let same = std::fs::read(path).unwrap() == entry.build_for(&grid).unwrap();
        assert!(same, "what is built for `{}` has changed: its sections need a new version", entry.kind);
    }
    let sums = ONLY_SUMS.map(|(kind, ..)| {
        let built = index(kind).build_for(&grid).unwrap();
        (kind, built.len(), xxh3_64(&built))
    });
    assert_eq!(sums, ONLY_SUMS, "what is built has changed: its sections need a new version");
}

/// Files of unsupported older versions are refused with a clear message.
#[test]
fn golden_indexes_of_older_versions_are_refused() {
    let grid = octile::load(golden("maze.map")).unwrap().grid;
    let mut refused = 0;
    for entry in Catalog::standard().indexes() {
        for version in 1..entry.version {
            let artifact = Artifact::open(golden_index(entry.kind, version)).unwrap();
            artifact.verify().unwrap();
            let message = entry.check(&artifact, &grid).unwrap_err().to_string();
            let found = format!("version {version} of `{}`, this one reads {}", entry.kind, entry.version);
            assert!(message.contains("written by an older octile") && message.contains(&found), "{message}");
            refused += 1;
        }
    }
    assert!(refused > 0);
}

#[test]
fn golden_indexes_answer_queries() {
    let grid = octile::load(golden("maze.map")).unwrap().grid;
    let free = free_cells(&grid);
    for (kind, specs) in USERS {
        let indexes = Indexes::from([Artifact::open(golden_index(kind, index(kind).version)).unwrap()]);
        let build = Build::new(&grid).with(indexes);
        let mut finders: Vec<_> = specs.iter().map(|&spec| Finder::build(spec, &build).unwrap()).collect();
        let mut path = Path::new();
        for &start in free.iter().step_by(211) {
            let truth = Truth::new(&grid, start);
            for &goal in free.iter().step_by(13) {
                for finder in &mut finders {
                    judge::ask(finder, PathQuery::new(start, goal), &mut path, &truth).unwrap();
                }
            }
        }
    }
}

/// The error of building a spec that names `file`; its message must begin with that name.
#[track_caller]
fn refused(spec: &str, file: &std::path::Path, grid: &Grid, given: &Indexes) -> (IndexFault, String) {
    let spec: PlannerSpec = format!("{spec},index={}", file.display()).parse().unwrap();
    let error = spec.build_from(&Build::new(grid).with(given.clone())).unwrap_err();
    let message = error.to_string();
    let BuildError::IndexFile { file: named, fault } = error else { panic!("{message}") };
    assert_eq!(named, file);
    let fault_message = message.strip_prefix(&format!("{}: ", file.display())).unwrap().to_owned();
    assert!(!fault_message.is_empty() && !fault_message.contains('\n'), "{message}");
    assert!(!fault_message.contains("octile build"), "commands are no business of the library: {message}");
    (fault, fault_message)
}

#[test]
fn a_spec_names_its_index_file() {
    let grid = octile::load(golden("maze.map")).unwrap().grid;
    let (gates, areas) = (golden("gates.octx"), golden("blocked-areas.octx"));
    let none = Indexes::default();
    let start = grid.cells().find(|&cell| grid.is_free(cell)).unwrap();
    let truth = Truth::new(&grid, start);
    for (spec, file) in [("jps:prune=gates,gates=always", &gates), ("astar:prune=blocked-areas+gates", &areas)] {
        let spec: PlannerSpec = format!("{spec},index={}", file.display()).parse().unwrap();
        assert_eq!(spec.to_string().parse::<PlannerSpec>().unwrap().to_string(), spec.to_string());
        let mut finder = Finder::new(&spec, &grid).unwrap();
        for goal in grid.cells().filter(|&goal| grid.is_free(goal)).step_by(17) {
            judge::ask(&mut finder, PathQuery::new(start, goal), &mut Path::new(), &truth).unwrap();
        }
    }

    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let place = |name: &str| folder.path().join(name);
    let (fault, message) = refused("jps:prune=gates", &place("none.octx"), &grid, &none);
    assert!(
        matches!(&fault, IndexFault::Unreadable { reason, kind: "gates" } if matches!(**reason, FileFault::Missing)),
        "{fault:?}"
    );
    assert_eq!(message, "no such file");
    let (fault, _) = refused("jps:prune=gates", folder.path(), &grid, &none);
    assert!(
        matches!(&fault, IndexFault::Unreadable { reason, kind: "gates" } if matches!(**reason, FileFault::Folder)),
        "{fault:?}"
    );
    std::fs::write(place("text.octx"), "..@.").unwrap();
    assert!(refused("jps:prune=gates", &place("text.octx"), &grid, &none).1.starts_with("not an octile index file"));
    let (_, message) = refused("jps:prune=gates", &areas, &grid, &none);
    assert_eq!(message, "is an index of kind `blocked-areas`, but planner `jps` uses `gates`");
    let (_, message) = refused("astar:prune=blocked-areas+gates", &golden("lddb-tile.octx"), &grid, &none);
    assert!(message.contains("uses `blocked-areas` or `gates`"), "{message}");
    let other: Grid = "..@.".parse().unwrap();
    let (fault, message) = refused("jps:prune=gates", &gates, &other, &none);
    assert!(matches!(fault, IndexFault::Unfit(_)) && message.starts_with("made for another map"), "{message}");
}

#[test]
fn the_file_in_the_spec_takes_precedence() {
    let grid = octile::load(golden("maze.map")).unwrap().grid;
    let other: Grid = "..@.".parse().unwrap();
    let open = |grid: &Grid, kind: &str| Artifact::from_bytes(index(kind).build_for(grid).unwrap().into()).unwrap();
    let gates = golden("gates.octx");
    let build = |spec: &str, given| -> Result<_, BuildError> {
        let spec: PlannerSpec = format!("{spec},index={}", gates.display()).parse().unwrap();
        spec.build_from(&Build::new(&grid).with(given))
    };
    build("jps:prune=gates", Indexes::from([open(&other, "gates")])).unwrap();
    // Faults of the other files are reported for those files.
    let wrong = build("astar:prune=blocked-areas+gates", Indexes::from([open(&other, "blocked-areas")]));
    assert!(matches!(wrong, Err(BuildError::Index(fault)) if fault.kind() == Some("blocked-areas")));
    let mut damaged = std::fs::read(&gates).unwrap();
    *damaged.last_mut().unwrap() ^= 1;
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let file = folder.path().join("damaged.octx");
    std::fs::write(&file, damaged).unwrap();
    let given = Indexes::from([open(&grid, "gates"), open(&grid, "blocked-areas")]);
    let (_, message) = refused("astar:prune=blocked-areas+gates", &file, &grid, &given);
    assert!(message.starts_with("damaged: the checksum of its contents"), "{message}");
}

#[test]
fn every_kind_has_a_golden_file() {
    let catalog = Catalog::standard();
    let (for_all, for_maps): (Vec<&IndexKind>, Vec<_>) =
        catalog.indexes().iter().partition(|entry| entry.is_for_all_maps());
    assert_eq!(for_maps.iter().map(|entry| entry.kind).collect::<Vec<_>>(), USERS.map(|(kind, _)| kind));
    let for_all: Vec<&str> = for_all.iter().map(|entry| entry.kind).collect();
    assert_eq!(for_all[0], "lddb-tile");
    assert_eq!(for_all[1..], ONLY_SUMS.map(|(kind, ..)| kind));
}

#[test]
fn an_index_for_all_maps_is_used_for_every_map() {
    let grid = octile::load(golden("maze.map")).unwrap().grid;
    let other: Grid = "..@.".parse().unwrap();
    let files = ["gates", "lddb-tile"].map(|kind| Artifact::open(golden_index(kind, index(kind).version)).unwrap());
    let indexes = Indexes::from(files);
    let kinds = |grid: &Grid| indexes.of_map(grid.fingerprint()).kinds().map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(kinds(&grid), ["gates", "lddb-tile"]);
    assert_eq!(kinds(&other), ["lddb-tile"]);
}

/// Databases from files answer like those built by the process, on every map and together with other files.
#[test]
fn databases_from_files_answer_queries() {
    let grid = octile::load(golden("maze.map")).unwrap().grid;
    for (spec, movement) in [
        ("block-astar:db=tile,block=4", Movement::Tile),
        ("block-astar:block=4", Movement::Octile),
        ("block-astar:db=any-angle,block=4", Movement::Octile),
        ("block-astar:db=any-angle,block=4,squeeze=forbidden", Movement::Octile),
    ] {
        let (spec, grid) = (spec.parse::<PlannerSpec>().unwrap(), grid.with_movement(movement));
        let [kind] = spec.index_kinds()[..] else { panic!("{spec} uses one kind") };
        let file = Artifact::from_bytes(index(kind).build_for(&grid).unwrap().into()).unwrap();
        let mut finder = Finder::build(&spec, &Build::new(&grid).with(Indexes::from([file]))).unwrap();
        let free = free_cells(&grid);
        for &start in free.iter().step_by(211) {
            let truth = Truth::new(&grid, start);
            for &goal in free.iter().step_by(29) {
                judge::ask(&mut finder, PathQuery::new(start, goal), &mut Path::new(), &truth).unwrap();
            }
        }
    }
}

/// The free runs of all rows; for the transposed map, those of its columns.
fn row_runs(grid: &Grid) -> Vec<(Cell, Cell)> {
    let mut runs = Vec::new();
    for y in 0..grid.height() {
        let row: Vec<Cell> = (0..grid.width()).map(|x| Cell::new(x, y)).collect();
        let free = row.chunk_by(|&a, &b| grid.is_free(a) == grid.is_free(b)).filter(|run| grid.is_free(run[0]));
        runs.extend(free.map(|run| (run[0], run[run.len() - 1])));
    }
    runs
}

/// The runs whose removal disconnects the rest.
fn naive_row_gates(grid: &Grid) -> Vec<(Cell, Cell)> {
    let grid = grid.with_movement(Movement::Tile);
    let falls_apart = |&(first, last): &(Cell, Cell)| {
        let mut without = grid.edit();
        for x in first.x..=last.x {
            without.set(Cell::new(x, first.y), false);
        }
        without.build().components() > grid.components()
    };
    row_runs(&grid).into_iter().filter(falls_apart).collect()
}

#[test]
fn gates_are_the_runs_that_connect_the_map() {
    let turn = |cell: Cell| Cell::new(cell.y, cell.x);
    let mut gates_seen = 0;
    for seed in 0..60 {
        let grid = match seed % 3 {
            0 => generate::random(9, 7, 15 + (seed / 3) as u32, seed),
            1 => generate::maze(13, 11, 1 + (seed % 2) as u32, seed),
            _ => generate::rooms(13, 9, 4, seed),
        };
        let grid = grid.unwrap();
        let turned = Grid::from_fn(grid.height(), grid.width(), |cell| grid.is_free(turn(cell))).unwrap();
        let gates = Gates::build(&grid);
        assert_eq!(gates.row_gates(&grid), naive_row_gates(&grid), "seed {seed}:\n{grid:?}");
        let columns: Vec<_> = gates.column_gates(&grid).iter().map(|&(a, b)| (turn(a), turn(b))).collect();
        assert_eq!(columns, naive_row_gates(&turned), "seed {seed}:\n{grid:?}");
        gates_seen += columns.len();
    }
    assert!(gates_seen > 100, "{gates_seen}");
}

#[test]
fn the_first_row_is_a_gate_only_if_it_connects_two_parts() {
    let gates = |map: &str| {
        let grid: Grid = map.parse().unwrap();
        Gates::build(&grid).row_gates(&grid)
    };
    assert_eq!(gates("...\n...\n..."), [(Cell::new(0, 1), Cell::new(2, 1))]);
    assert_eq!(gates("...\n.@."), [(Cell::new(0, 0), Cell::new(2, 0))]);
    assert_eq!(gates("...\n.@.\n..."), []);
}

/// A database that calls every block open makes only the engine wrong that uses it, and no other engine of the process.
#[test]
fn a_wrong_file_affects_only_its_engine() {
    let whole = Artifact::from_bytes(Lddb::shared(Distances::Octile).to_bytes()).unwrap();
    let mut writer = ArtifactWriter::for_all_maps(whole.kind(), whole.kind_version());
    for (name, _) in whole.sections() {
        let mut section = whole.section(name).unwrap().to_vec();
        if name == "ids-4" {
            let first = section[..32].to_vec();
            section.chunks_exact_mut(32).for_each(|chunk| chunk.copy_from_slice(&first));
        }
        writer.section(name, section);
    }
    let wrong = Artifact::from_bytes(Storage::from(writer.finish())).unwrap();
    let grid = generate::random(64, 64, 20, 1).unwrap();
    let given = Engine::build("block-astar:block=4", &Build::new(&grid).with(Indexes::from([wrong]))).unwrap();
    let [other, astar] = ["block-astar:block=4", "astar"].map(|spec| Engine::new(spec, &grid).unwrap());
    let free = free_cells(&grid);
    let cost = |engine: &Engine, goal| engine.find(free[0], goal).unwrap().map(|path| path.cost());
    let mut differs = 0;
    for &goal in free.iter().step_by(37) {
        differs += u32::from(cost(&given, goal) != cost(&astar, goal));
        assert_eq!(cost(&other, goal), cost(&astar, goal), "to {goal}");
    }
    assert!(differs > 10, "the file is wrong: {differs}");
}
