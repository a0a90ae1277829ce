//! Small operations that must be fast: `cargo bench -p octile --bench micro`.

use divan::Bencher;
use octile::formats::generate;
use octile::formats::movingai::map;
use octile::{Cell, Edits, Finder, Grid, Path, Query};
use octile_testkit::maps::free_cells;

fn main() {
    divan::main();
}

/// Parses a map file of 2048 x 2048 cells into a grid.
#[divan::bench(sample_count = 20)]
fn load_2048x2048(bencher: Bencher) {
    let file = map::write(&generate::random(2048, 2048, 25, 1).expect("sizes that fit"));
    bencher.bench(|| map::parse(file.as_bytes()));
}

/// A query between different components.
#[divan::bench(args = ["astar", "jps"])]
fn no_path(bencher: Bencher, spec: &str) {
    let grid = Grid::from_fn(512, 512, |cell| cell.x != 256).expect("a size that fits");
    let mut finder = Finder::new(spec, &grid).expect("a known planner");
    let mut path = Path::new();
    bencher.bench_local(|| finder.plan(Query::new(Cell::new(0, 0), Cell::new(511, 511)), &mut path));
}

/// Blocks and frees one cell in a planner that owns its map.
#[divan::bench(args = ["astar", "jps"])]
fn edit_one_cell(bencher: Bencher, spec: &str) {
    let mut finder = Finder::new(spec, &Grid::open(512, 512).expect("a size that fits")).expect("a known planner");
    let (block, free) = (Edits::new().block(Cell::new(99, 99)).clone(), Edits::new().free(Cell::new(99, 99)).clone());
    bencher.bench_local(|| {
        finder.apply(&block).expect("on the map");
        finder.apply(&free).expect("on the map");
    });
}

/// Blocks or frees a thousand random cells of a 512 x 512 map, of which a fifth is blocked, in a planner that owns its
/// map.
#[divan::bench(args = ["jps", "corner-sweep", "corner-sweep:cache=on", "block-astar", "block-astar:block=4", "theta-star", "block-astar:db=any-angle"])]
fn edit_1000_cells(bencher: Bencher, spec: &str) {
    let grid = generate::random(512, 512, 20, 1).expect("sizes that fit");
    let mut finder = Finder::new(spec, &grid).expect("a known planner");
    let mut dice = octile::geometry::Dice::new(1);
    let mut random = || dice.below(1 << 32) as u32;
    let rounds: Vec<Edits> = (0..64)
        .map(|_| {
            let mut edits = Edits::new();
            for _ in 0..1000 {
                let cell = Cell::new(random() % 512, random() % 512);
                if random() % 5 == 0 {
                    edits.block(cell)
                } else {
                    edits.free(cell)
                };
            }
            edits
        })
        .collect();
    let mut round = rounds.iter().cycle();
    bencher.bench_local(|| finder.apply(round.next().expect("they go round")));
}

/// A path across a map of rooms.
#[divan::bench(args = ["astar", "astar:open=buckets", "weighted-astar:weight=2", "jps"])]
fn across_rooms(bencher: Bencher, spec: &str) {
    let grid = generate::rooms(512, 512, 16, 1).expect("sizes that fit");
    let free = free_cells(&grid);
    let query = Query::new(free[0], free[free.len() - 1]);
    let mut finder = Finder::new(spec, &grid).expect("a known planner");
    let mut path = Path::new();
    bencher.bench_local(|| finder.plan(query, &mut path));
}
