//! Planners that answer from an index of the corners of a map: hub labels, core tables and taut labels. They are exact
//! on many small maps, from files and from memory, and handle any bytes in a file.

use octile::algo::{core_table, hub_labels, taut_labels};
use octile::artifact::{Artifact, ArtifactWriter};
use octile::formats::generate;
use octile::planner::IndexKind;
use octile::planner::Indexes;
use octile::{
    Build, BuildError, Catalog, Cell, CoreTable, Finder, Grid, Output, Path, PathQuery, Planner, PlannerSpec,
};
use octile_testkit::judge;
use octile_testkit::maps::free_cells;
use octile_testkit::oracle::Truth;
use rayon::prelude::*;

/// The kinds of index; each planner has the name of its kind.
const KINDS: [&str; 3] = [hub_labels::KIND, core_table::KIND, taut_labels::KIND];

fn index(kind: &str) -> IndexKind {
    Catalog::standard().index(kind).unwrap()
}

fn built(kind: &str, grid: &Grid) -> Vec<u8> {
    index(kind).build_for(grid).unwrap()
}

fn spec(kind: &str) -> PlannerSpec {
    kind.parse().unwrap()
}

/// The planner that uses a file.
fn opened(kind: &str, artifact: Artifact, grid: &Grid) -> Result<Box<dyn Planner>, BuildError> {
    spec(kind).build_from(&Build::new(grid).with(Indexes::from([artifact])))
}

/// Checks every pair of cells of a map, with an index of each kind read from a file; returns the number of pairs.
fn check_all_pairs(kinds: &[&str], grid: &Grid) -> usize {
    let (free, mut path) = (free_cells(grid), Path::new());
    // Compute the oracle's answers once for all kinds.
    let truths = Truth::of_all(grid, free.iter().copied());
    for kind in kinds {
        let artifact = Artifact::from_bytes(built(kind, grid).into()).unwrap();
        let mut finder = Finder::of(opened(kind, artifact, grid).unwrap());
        for truth in &truths {
            for &goal in &free {
                let query = PathQuery::new(truth.start(), goal);
                judge::ask(&mut finder, query, &mut path, truth).unwrap_or_else(|fault| panic!("{fault}\n{grid:?}"));
                check_outputs(&mut finder, query, &path);
            }
        }
    }
    free.len() * free.len()
}

/// Checks that answers with every kind of output describe one path; `path` is the index's last answer, by waypoints.
fn check_outputs(finder: &mut Finder, query: PathQuery, path: &Path) {
    let PathQuery { start, goal, .. } = query;
    let (mut cells, mut cost) = (Path::new(), Path::new());
    let found = finder.plan(query.output(Output::Cells), &mut cells).unwrap();
    assert_eq!(finder.plan(query.output(Output::Cost), &mut cost).unwrap(), found, "{query:?}");
    if !found {
        return;
    }
    assert!(cells.check(finder.grid(), start, goal).is_ok(), "{query:?}\n{:?}", finder.grid());
    assert_eq!((cells.cost(), cost.cost()), (path.cost(), path.cost()));
    assert!(start == goal || cost.points().is_err());
    if path.cost().grid().is_some() {
        assert!(path.points().unwrap().iter().copied().eq(path.waypoints().unwrap()));
        assert!(cells.points().unwrap().iter().copied().eq(path.cells().unwrap()));
    }
}

#[test]
fn every_pair_of_cells_has_an_optimal_path() {
    const SEEDS: u64 = 10;
    for map in ["..@.\n....\n.@..", "@", ".", "@@@\n@.@", ".....\n.@@@.\n.@.@.\n.@@@.\n....."] {
        check_all_pairs(&KINDS, &map.parse().unwrap());
    }
    let check = |seed: u64| {
        // The oracle for any-angle paths is slow.
        let kinds = if seed == 0 { &KINDS[..] } else { &KINDS[..2] };
        let blocked = [4, 10, 20, 30, 40][seed as usize % 5];
        let maps = [
            generate::random(19, 14, blocked, seed),
            generate::random(31, 9, blocked, 50 + seed),
            generate::rooms(21, 21, 3 + seed as u32 % 4, seed),
            generate::maze(23, 17, 1 + seed as u32 % 3, seed),
        ];
        maps.into_par_iter().map(|grid| check_all_pairs(kinds, &grid.unwrap())).sum::<usize>()
    };
    let pairs: usize = (0..SEEDS).into_par_iter().map(check).sum();
    assert!(pairs > 50_000 * SEEDS as usize, "{pairs}");
}

/// Maps of one row, one column or one cell, and maps of the maximum length or the maximum cost in 32 bits.
#[test]
fn narrow_and_long_maps_are_supported() {
    let others = [(65_534, "jps"), (8_000, "jps"), (20_000, "taut-graph")];
    for (kind, (longest, other)) in KINDS.into_iter().zip(others) {
        for map in [".", "..", ".\n.", ".@.", "@"] {
            check_all_pairs(&[kind], &map.parse().unwrap());
        }
        for (width, height) in [(longest, 3), (3, longest)] {
            // There is a wall in the middle row (or column) with gaps, and one across.
            let is_wall = |x: u32, y: u32| y == 1 && x % 1000 != 7 || x == 5_000 && y != 2;
            let is_free = |x: u32, y: u32| if width > height { !is_wall(x, y) } else { !is_wall(y, x) };
            let grid = Grid::from_fn(width, height, |cell| is_free(cell.x, cell.y)).unwrap();
            let end = |side: u32| if side > 3 { side - 1 } else { 0 };
            let (start, goal) = (Cell::new(0, 0), Cell::new(end(width), end(height)));
            let [mut finder, mut other] = [kind, other].map(|spec| Finder::new(spec, &grid).unwrap());
            let path = finder.find(start, goal).unwrap().unwrap();
            path.check(&grid, start, goal).unwrap();
            assert_eq!(path.cost(), other.find(start, goal).unwrap().unwrap().cost());
        }
    }
    let long = Grid::from_fn(65_534, 3, |cell| cell.y != 1 || cell.x % 1000 == 7).unwrap();
    let error = CoreTable::default().planner(&long).unwrap_err().to_string();
    assert!(error.contains("its paths may be longer than"), "{error}");
}

/// With any bytes in the sections, nothing panics or runs forever.
#[test]
fn any_section_bytes_are_handled() {
    KINDS.into_iter().for_each(check_any_bytes);
}

fn check_any_bytes(kind: &str) {
    let grid = generate::rooms(25, 22, 4, 3).unwrap();
    let free = free_cells(&grid);
    let sound = Artifact::from_bytes(built(kind, &grid)).unwrap();
    let sections = sound.sections().count();
    let mut dice = octile::geometry::Dice::new(1);
    let mut random = move || dice.below(1 << 32) as usize;
    let (mut files_opened, mut answered, mut wrong) = (0, 0, 0);
    for round in 0..2000 {
        let mut writer = ArtifactWriter::new(kind, sound.kind_version(), &grid);
        for (i, (name, _)) in sound.sections().enumerate() {
            let mut bytes = sound.section(name).unwrap().to_vec();
            // Change a few or all bytes of one section; in every tenth round, truncate one.
            if i == round % sections && !bytes.is_empty() {
                let changes = if round % 7 == 0 { bytes.len() } else { 1 + random() % 20 };
                for _ in 0..changes {
                    let at = random() % bytes.len();
                    bytes[at] = if round % 3 == 0 { 0xff } else { random() as u8 };
                }
                if round % 10 == 9 {
                    bytes.truncate(random() % bytes.len() / 8 * 8);
                }
            }
            writer.section(name, bytes);
        }
        let artifact = Artifact::from_bytes(writer.finish().into()).unwrap();
        let _ = (index(kind).describe)(&artifact);
        let Ok(planner) = opened(kind, artifact, &grid) else { continue };
        files_opened += 1;
        let (mut scratch, mut path) = (planner.create_scratch(), Path::new());
        for i in 0..30 {
            let query = PathQuery::new(free[random() % free.len()], free[random() % free.len()]);
            let query = query.output([Output::Cells, Output::Waypoints, Output::Cost][i % 3]);
            let found = planner.plan(&mut scratch, query, &mut path).unwrap();
            answered += u32::from(found);
            wrong += u32::from(
                !found || query.output != Output::Cost && path.check(&grid, query.start, query.goal).is_err(),
            );
        }
        let (cells, mut nearest) = (&free[..20], Vec::new());
        let mut costs = vec![None; 20 * cells.len()];
        if planner.costs(&mut scratch, cells, cells, &mut costs) {
            planner.costs(&mut scratch, &cells[..1], cells, &mut costs[..20]);
            assert!(planner.nearest(&mut scratch, cells[0], &free, 9, &mut |place, _| nearest.push(place)));
            // A cell always reaches itself.
            assert_eq!((costs[0].map(octile::PathCost::length), nearest[0]), (Some(0.0), 0));
        }
    }
    assert!(files_opened > 1000 && answered > 1000 && wrong > 100, "{kind} {files_opened} {answered} {wrong}");
}
