//! Hostile files: index files with valid checksums and altered contents, and images that inflate to gigabytes. Reading
//! and using them must not panic, hang or allocate much memory. A counting allocator checks the latter.
//!
//! ```text
//! OCTILE_ALTERED_INDEXES=30000 cargo test --release -p octile --test hostile_files altered -- --nocapture
//! ```
//!
//! The variable is the number of files of hub labels and of core tables; other kinds get fewer, in the same proportion
//! as in a normal run. `OCTILE_ALTERED_SEED` changes the files. `OCTILE_ALTERED_KIND` selects the kinds whose name
//! contains it.

#![allow(unsafe_code, reason = "a global allocator is unsafe by its nature")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use octile::artifact::{Artifact, ArtifactWriter, Storage};
use octile::engine::{KNearest, Matrix};
use octile::formats::generate;
use octile::geometry::Dice;
use octile::planner::Indexes;
use octile::planner::{IndexBuild, IndexKind};
use octile::{Answer, Build, Catalog, Cell, Edits, Engine, Finder, Grid, Movement, Output, Path, PlannerSpec, Query};
use octile_testkit::maps::free_cells;
use octile_testkit::setting;
use rayon::prelude::*;
use xxhash_rust::xxh3::xxh3_64;

struct Counting;

/// The bytes allocated now, and their maximum so far.
static LIVE: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

fn note_allocation(bytes: usize) {
    let live = LIVE.fetch_add(bytes, Ordering::Relaxed) + bytes;
    PEAK.fetch_max(live, Ordering::Relaxed);
}

// SAFETY: every call is passed to the system allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        note_allocation(layout.size());
        // SAFETY: the caller's promises are passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        note_allocation(layout.size());
        // SAFETY: as above.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        LIVE.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: as above.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Tests of this file run one at a time: the allocator counts for all threads.
static ALONE: Mutex<()> = Mutex::new(());

fn alone() -> MutexGuard<'static, ()> {
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Runs `work` and returns its result with the maximum growth of allocated memory in bytes.
fn peak_bytes<T>(work: impl FnOnce() -> T) -> (T, usize) {
    let before = LIVE.load(Ordering::Relaxed);
    PEAK.store(before, Ordering::Relaxed);
    let result = work();
    (result, PEAK.load(Ordering::Relaxed) - before)
}

/// How an index is built and which planners use it.
struct Recipe {
    kind: &'static str,
    settings: &'static str,
    specs: &'static [&'static str],
    movement: Movement,
    /// Altered files in a normal test run. Databases for all maps are large, so they get fewer.
    files: u64,
}

const fn recipe(
    kind: &'static str,
    settings: &'static str,
    specs: &'static [&'static str],
    movement: Movement,
    files: u64,
) -> Recipe {
    Recipe { kind, settings, specs, movement, files }
}

const CPD_SPECS: &[&str] = &["cpd", "cpd:follow=moves", "cpd:repair=unit", "cpd:repair=obstacle"];

const RECIPES: [Recipe; 17] = [
    recipe(
        "blocked-areas",
        "",
        &["astar:prune=blocked-areas", "dijkstra:prune=blocked-areas"],
        Movement::Octile,
        FILES,
    ),
    recipe(
        "blocked-areas",
        "",
        &["astar:prune=blocked-areas", "weighted-astar:weight=1.5,prune=blocked-areas"],
        Movement::Tile,
        FILES,
    ),
    recipe(
        "gates",
        "",
        &[
            "astar:prune=gates,gates=always",
            "jps:prune=gates,gates=always",
            "rea-star:prune=gates,gates=always",
            "corner-sweep:prune=gates,gates=always",
            "astar:prune=gates",
        ],
        Movement::Octile,
        FILES,
    ),
    recipe(
        "lddb-tile",
        "",
        &["block-astar:db=tile,block=4", "block-astar:db=tile,block=2"],
        Movement::Tile,
        LARGE_FILES,
    ),
    recipe(
        "lddb-octile",
        "",
        &["block-astar:db=octile,block=4", "block-astar:db=octile,block=2"],
        Movement::Octile,
        LARGE_FILES,
    ),
    recipe(
        "lddb-any-angle",
        "",
        &["block-astar:db=any-angle,block=4", "block-astar:db=any-angle,block=2"],
        Movement::Octile,
        LARGE_FILES,
    ),
    recipe(
        "lddb-no-squeeze",
        "",
        &["block-astar:db=any-angle,block=4,squeeze=forbidden"],
        Movement::Octile,
        LARGE_FILES,
    ),
    recipe("cpd", "", CPD_SPECS, Movement::Octile, FILES),
    recipe("cpd", "order=hilbert,ties=mask,symbol=none", CPD_SPECS, Movement::Octile, FILES),
    recipe("cpd", "layout=rectangles,ties=mask,symbol=heuristic,default=move", CPD_SPECS, Movement::Octile, FILES),
    recipe("cpd", "layout=quadtree", CPD_SPECS, Movement::OctileCutting, FILES),
    recipe("cpd", "layout=uncompressed", CPD_SPECS, Movement::Tile, FILES),
    recipe("hub-labels", "", &["hub-labels"], Movement::Octile, LABEL_FILES),
    recipe("core-table", "", &["core-table"], Movement::Octile, LABEL_FILES),
    recipe("taut-labels", "", &["taut-labels"], Movement::Octile, FILES),
    recipe("taut-labels", "squeeze=forbidden", &["taut-labels:squeeze=forbidden"], Movement::Octile, FILES),
    recipe("taut-labels", "ends=centres", &["taut-labels:ends=centres"], Movement::Octile, FILES),
];

const FILES: u64 = 250;
const LABEL_FILES: u64 = 600;
const LARGE_FILES: u64 = 12;

/// The maximum memory that any file of this test needs at a time, on any number of threads.
const MAX_BYTES: usize = 256 << 20;

/// The maximum number of points of a path: indexes count the costs of at most this many moves exactly.
const MAX_POINTS: usize = 665_857 + 2;

/// Nothing takes this long, even on a busy machine.
const LONGEST: Duration = Duration::from_mins(1);

/// Small maps, whose shapes differ in how they fill blocks of 4 and 8 cells and words of 64 bits.
fn maps(movement: Movement) -> Vec<Grid> {
    const COURTYARD: &str = "
        ............
        .@@@@@@.....
        .@....@.....
        .@....@@@@@.
        .@....@...@.
        .@....@...@.
        ............
    ";
    let drawn = [".....\n.@.@.\n.....\n.@.@.\n.....", "....@...@.", COURTYARD];
    let made = [
        generate::random(10, 9, 25, 3),
        generate::rooms(17, 13, 4, 3),
        generate::maze(15, 11, 1, 2),
        generate::random(70, 5, 15, 5),
    ];
    let drawn = drawn.into_iter().map(|drawing| drawing.parse().unwrap());
    drawn.chain(made.into_iter().map(Result::unwrap)).map(|grid: Grid| grid.with_movement(movement)).collect()
}

fn build(index: &IndexKind, settings: &str, grid: &Grid) -> Vec<u8> {
    match index.build {
        IndexBuild::InParts(builder) => {
            let builder = builder(&Build::new(grid), settings).unwrap();
            builder.part(0..builder.sources(), &|| {}).unwrap().finish()
        }
        IndexBuild::ForMapWith(build) => build(&Build::new(grid), settings).unwrap(),
        _ => index.build_for(grid).unwrap(),
    }
}

fn below(dice: &mut Dice, end: usize) -> usize {
    dice.below(end.max(1) as u64) as usize
}

/// Values at which readers tend to break.
fn interesting(dice: &mut Dice) -> u32 {
    const VALUES: [u32; 22] = [
        0,
        1,
        2,
        7,
        8,
        0x3f,
        0x40,
        0x7f,
        0x80,
        0xff,
        0x100,
        0x3ff,
        0x7fff,
        0x8000,
        0xffff,
        0x1_0000,
        0x00ff_ffff,
        0x0100_0000,
        0x7fff_ffff,
        0x8000_0000,
        0xffff_fffe,
        0xffff_ffff,
    ];
    if dice.hits(1, 3) { below(dice, 40) as u32 } else { VALUES[below(dice, VALUES.len())] }
}

/// Changes some bytes. `others` are the sections, whose bytes may be copied.
fn alter(dice: &mut Dice, bytes: &mut Vec<u8>, others: &[Vec<u8>]) {
    let len = bytes.len();
    if len == 0 {
        let new = below(dice, 24);
        bytes.extend((0..new).map(|_| dice.below(256) as u8));
        return;
    }
    let at = below(dice, len);
    match below(dice, 12) {
        0 | 1 => bytes[at] = dice.below(256) as u8,
        2 => bytes[at] ^= 1 << dice.below(8),
        // Set a number of 16 or 32 bits, at a multiple of its size or anywhere.
        choice @ 3..=7 => {
            let size = if choice == 3 { 2 } else { 4 };
            let at = if dice.hits(1, 8) { at } else { at / size * size };
            let old = bytes[at..].iter().take(4).rev().fold(0_u32, |word, &byte| word << 8 | u32::from(byte));
            let new = match below(dice, 4) {
                0 => old.wrapping_add(interesting(dice)),
                1 => old.wrapping_sub(interesting(dice)),
                2 => dice.below(1 << 32) as u32,
                _ => interesting(dice),
            };
            bytes[at..].iter_mut().zip(new.to_le_bytes()).take(size).for_each(|(old, new)| *old = new);
        }
        // Swap two ranges.
        8 => {
            let count = 1 << below(dice, 6);
            let (a, b) = (at / count * count, below(dice, len) / count * count);
            for (a, b) in (a..a + count).zip(b..b + count) {
                if a.max(b) < len {
                    bytes.swap(a, b);
                }
            }
        }
        // Fill a range with one value.
        9 => {
            let (end, value) = ((at + (1 << below(dice, 8))).min(len), dice.below(256) as u8);
            bytes[at..end].fill([0, 0xff, value][below(dice, 3)]);
        }
        10 if dice.hits(1, 2) => bytes.truncate(at / 8 * 8),
        10 => bytes.extend_from_within(at..),
        _ => {
            let other = &others[below(dice, others.len())];
            let from = below(dice, other.len());
            bytes[at..].iter_mut().zip(&other[from..]).for_each(|(old, new)| *old = *new);
        }
    }
}

/// Recomputes the checksums of a file.
fn reseal(file: &mut [u8], sections: usize) {
    let table_end = 88 + 32 * sections;
    let payload = xxh3_64(&file[table_end..]);
    file[72..80].copy_from_slice(&payload.to_le_bytes());
    file[80..88].fill(0);
    let header = xxh3_64(&file[..table_end]);
    file[80..88].copy_from_slice(&header.to_le_bytes());
}

/// The bytes of a valid file with some contents altered and the checksums recomputed.
fn altered(dice: &mut Dice, sound: &Artifact, grid: &Grid, for_all_maps: bool) -> Vec<u8> {
    let names: Vec<String> = sound.sections().map(|(name, _)| name.to_owned()).collect();
    let mut sections: Vec<Vec<u8>> = names.iter().map(|name| sound.section(name).unwrap().to_vec()).collect();
    let changes = 1 + if dice.hits(1, 2) { 0 } else { below(dice, 8) };
    let others = sections.clone();
    // Changes affect one section or several, and small sections are hit as often as large ones.
    let mut number = below(dice, sections.len());
    for _ in 0..changes {
        alter(dice, &mut sections[number], &others);
        if dice.hits(1, 3) {
            number = below(dice, sections.len());
        }
    }
    if dice.hits(1, 40) {
        let other = below(dice, sections.len());
        sections.swap(number, other);
    }
    let mut writer = if for_all_maps {
        ArtifactWriter::for_all_maps(sound.kind(), sound.kind_version())
    } else {
        ArtifactWriter::new(sound.kind(), sound.kind_version(), grid)
    };
    for (name, section) in names.iter().zip(sections) {
        writer.section(name, section);
    }
    let mut file = writer.finish();
    // Sometimes also change the table of sections: their positions, lengths and names.
    if dice.hits(1, 8) {
        let table = 88..88 + 32 * names.len();
        let mut entries = file[table.clone()].to_vec();
        alter(dice, &mut entries, &others);
        entries.resize(table.len(), 0);
        file[table].copy_from_slice(&entries);
        reseal(&mut file, names.len());
    }
    file
}

/// Asks every kind of question that uses an index. Answers may be wrong; their size may not exceed what the map allows.
fn ask_everything(engine: &Engine, dice: &mut Dice) {
    let grid = engine.grid();
    let free = free_cells(&grid);
    if free.is_empty() {
        return;
    }
    let mut finder: Finder = engine.finder();
    let (mut path, mut answer) = (Path::new(), Answer::new());
    let outputs = [Output::Cells, Output::Waypoints, Output::Cost];
    let any = |dice: &mut Dice| free[below(dice, free.len())];
    // Ask for all pairs of a small map, and some of a larger one.
    let all = free.len() * free.len();
    let pairs = all.min(500);
    let step = if pairs == all { 1 } else { 1 + below(dice, all / pairs) };
    for place in (0..all).step_by(step).take(pairs) {
        let (start, goal) = (free[place / free.len()], free[place % free.len()]);
        let query = Query::new(start, goal).output(outputs[place % 3]);
        if finder.plan(query, &mut path) == Ok(true)
            && let Ok(points) = path.points()
        {
            assert!(points.len() <= MAX_POINTS, "{} points", points.len());
        }
        let _ = path.check(&grid, start, goal);
        let _ = engine.still_valid(&path);
    }
    let some: Vec<Cell> = (0..8).map(|_| any(dice)).collect();
    let walls: Vec<Cell> = grid.cells().filter(|&cell| !grid.is_free(cell)).take(5).collect();
    for &start in &some[..3] {
        for query in [
            Query::to_any(start, &some),
            Query::to_any(start, &walls).nearest(),
            Query::new(start, some[7]).nearest_ends().max_cost(6.5),
            Query::new(start, some[6]).max_expanded(3),
        ] {
            let _ = finder.ask_into(query.output(outputs[below(dice, 3)]), &mut answer);
        }
        let planner = finder.planner();
        let index = planner.index().filter(|_| grid.is_free(start)).unwrap_or_default();
        if let Some(labels) = index.labels {
            labels.ways_to_hubs(start, &mut |hops| assert!(hops.iter().all(|&cell| grid.contains(cell)), "{hops:?}"));
        }
        for area in index.first_moves.and_then(|moves| moves.areas(start)).into_iter().flatten() {
            assert!(grid.contains(area.0) && grid.contains(area.1), "{area:?}");
        }
        for &goal in &some {
            let _ = index.first_moves.map(|moves| moves.first_move(start, goal));
        }
        let mut nearest = KNearest::new();
        let _ = finder.find_nearest(start, &some, 3, &mut nearest);
        let mut pending = engine.begin(Query::new(start, some[5]));
        for _ in 0..all {
            if !matches!(pending.run(7), Ok(None)) {
                break;
            }
        }
    }
    let mut matrix = Matrix::new();
    let _ = finder.fill_matrix(&some[..4], &some, &mut matrix);
    let _ = finder.fill_matrix(&some[..1], &some, &mut matrix);
    assert!(engine.scratch_bytes() < MAX_BYTES && engine.index_bytes() < MAX_BYTES);
}

/// Opens a file, uses it, edits the map several times and uses it after each edit, then renews the index.
/// Returns whether a planner accepted the file.
fn open_and_use(index: &IndexKind, spec: &PlannerSpec, grid: &Grid, file: Vec<u8>, dice: &mut Dice) -> bool {
    let Ok(artifact) = Artifact::from_bytes(Storage::from(file)) else { return false };
    if let Err(error) = (index.describe)(&artifact) {
        assert!(error.to_string().len() < 1000, "{error}");
    }
    if index.kind == "cpd" {
        let _ = octile::algo::cpd::merge(std::slice::from_ref(&artifact)).map(|writer| writer.finish());
    }
    let engine = match Engine::build(spec, &Build::new(grid).with(Indexes::from([artifact]))) {
        Ok(engine) => engine,
        Err(error) => {
            assert!(error.to_string().len() < 1000, "{error}");
            return false;
        }
    };
    ask_everything(&engine, dice);
    let all: Vec<Cell> = grid.cells().collect();
    for _ in 0..3 {
        let cells: Vec<Cell> = (0..=below(dice, 3)).map(|_| all[below(dice, all.len())]).collect();
        let (choice, before) = (below(dice, 3), engine.grid());
        let is_free_then = |cell: Cell| if choice < 2 { choice == 0 } else { !before.is_free(cell) };
        let edits: Edits = cells.iter().map(|&cell| (cell, is_free_then(cell))).collect();
        let back: Edits = cells.iter().map(|&cell| (cell, before.is_free(cell))).collect();
        engine.apply(&edits).unwrap();
        ask_everything(&engine, dice);
        if dice.hits(1, 3) {
            engine.apply(&back).unwrap();
            ask_everything(&engine, dice);
        }
    }
    let mut renewal = engine.renew_by_slices();
    while renewal.run(Duration::from_secs(1)).is_none() {}
    drop(renewal);
    ask_everything(&engine, dice);
    true
}

/// The results of the altered files of a recipe.
#[derive(Default)]
struct Tally {
    files: u64,
    accepted: u64,
    slowest: Duration,
    /// The number of files that caused a panic, and the first of them, by message.
    panics: BTreeMap<String, (u64, String)>,
}

fn check_recipe(recipe: &Recipe, seed: u64, files: u64) -> Tally {
    let index = Catalog::standard().index(recipe.kind).unwrap();
    let specs: Vec<PlannerSpec> = recipe.specs.iter().map(|spec| spec.parse().unwrap()).collect();
    assert!(specs.iter().all(|spec| spec.index_kinds().contains(&recipe.kind)), "{}", recipe.kind);
    let for_all_maps = index.is_for_all_maps();
    let sound: Vec<(Grid, Artifact)> = maps(recipe.movement)
        .into_iter()
        .map(|grid| {
            let file = build(&index, recipe.settings, &grid);
            (grid, Artifact::from_bytes(Storage::from(file)).unwrap())
        })
        .collect();
    let tally = Mutex::new(Tally::default());
    (0..files).into_par_iter().for_each(|number| {
        let mut dice = Dice::new(seed.wrapping_mul(1_000_003).wrapping_add(number));
        let (grid, sound) = &sound[number as usize % sound.len()];
        let spec = &specs[below(&mut dice, specs.len())];
        let file = altered(&mut dice, sound, grid, for_all_maps);
        let begin = Instant::now();
        let end = catch_unwind(AssertUnwindSafe(|| open_and_use(&index, spec, grid, file, &mut dice)));
        let took = begin.elapsed();
        let mut tally = tally.lock().unwrap();
        tally.files += 1;
        tally.slowest = tally.slowest.max(took);
        match end {
            Ok(accepted) => tally.accepted += u64::from(accepted),
            Err(payload) => {
                let text = payload.downcast_ref::<String>().cloned();
                let text = text.or_else(|| payload.downcast_ref::<&str>().map(|&text| text.to_owned()));
                let first = format!("{spec}, file {number} of seed {seed}, map {}", number as usize % 7);
                tally.panics.entry(text.unwrap_or_default()).or_insert_with(|| (0, first)).0 += 1;
            }
        }
    });
    tally.into_inner().unwrap()
}

#[test]
fn altered_index_files_do_no_harm() {
    let _alone = alone();
    let wanted: Option<u64> = std::env::var("OCTILE_ALTERED_INDEXES").ok().map(|number| number.parse().unwrap());
    let seed = setting("OCTILE_ALTERED_SEED", 1);
    let only: String = setting("OCTILE_ALTERED_KIND", String::new());
    let mut faults = Vec::new();
    for recipe in RECIPES.iter().filter(|recipe| recipe.kind.contains(&only)) {
        let files = wanted.map_or(recipe.files, |wanted| wanted * recipe.files / LABEL_FILES);
        let begin = Instant::now();
        let (tally, peak) = peak_bytes(|| check_recipe(recipe, seed, files));
        println!(
            "{} {} {}: {} files, {} accepted, {} with panics, slowest {:?}, {:?} in all, peak {} KB",
            recipe.kind,
            recipe.movement,
            recipe.settings,
            tally.files,
            tally.accepted,
            tally.panics.values().map(|(count, _)| count).sum::<u64>(),
            tally.slowest,
            begin.elapsed(),
            peak / 1024,
        );
        faults
            .extend(tally.panics.into_iter().map(|(text, (count, first))| format!("{count} x {text}, first {first}")));
        if peak > MAX_BYTES || tally.slowest > LONGEST {
            faults.push(format!("{}: {peak} bytes, {:?} for a file", recipe.kind, tally.slowest));
        }
        // Some altered files must pass the checks on opening, otherwise this test shows nothing.
        if files >= 100 && tally.accepted == 0 {
            faults.push(format!("{}: only {} of {} files accepted", recipe.kind, tally.accepted, tally.files));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn every_kind_of_index_is_altered() {
    for index in Catalog::standard().indexes() {
        assert!(RECIPES.iter().any(|recipe| recipe.kind == index.kind), "no recipe for {}", index.kind);
    }
}

/// A file with a link to another hub: paths along it leave the map.
#[test]
fn a_path_off_the_map_is_not_followed() {
    let _alone = alone();
    let grid: Grid = ".....\n.@.@.\n.....\n.@.@.\n.....".parse().unwrap();
    let index = Catalog::standard().index("hub-labels").unwrap();
    let sound = index.build_for(&grid).unwrap();
    let sections = Artifact::from_bytes(&sound).unwrap().sections().count();
    // Change every byte in turn: the one that leads off the map may move in another version of the file.
    for at in 88 + 32 * sections..sound.len() {
        let mut file = sound.clone();
        file[at] = 7;
        reseal(&mut file, sections);
        let artifact = Artifact::from_bytes(Storage::from(file)).unwrap();
        let Ok(engine) = Engine::build("hub-labels", &Build::new(&grid).with(Indexes::from([artifact]))) else {
            continue;
        };
        engine.apply(Edits::new().block((2, 2))).unwrap();
        let free = free_cells(&engine.grid());
        for (&start, &goal) in free.iter().flat_map(|start| free.iter().map(move |goal| (start, goal))) {
            let _ = engine.find(start, goal).unwrap();
        }
    }
}

/// A zlib stream of some zeros: a literal and copies of it, 258 at a time, which take 13 bits each.
#[cfg(feature = "image")]
fn zlib_of_zeros(copies: usize) -> Vec<u8> {
    // A final block with fixed codes, and the code of a 0. Huffman codes begin with their highest bit.
    let (mut stream, mut word, mut bits) = (vec![0x78, 0x9c], 0_u64, 0);
    let mut push = |code: u64, count: u32, stream: &mut Vec<u8>| {
        word |= code << bits;
        bits += count;
        while bits >= 8 {
            stream.push(word as u8);
            word >>= 8;
            bits -= 8;
        }
    };
    push(0b011, 3, &mut stream);
    push(0b0000_1100, 8, &mut stream);
    for _ in 0..copies {
        push(0b1010_0011, 8, &mut stream); // length 258
        push(0, 5, &mut stream); // distance 1
    }
    push(0, 7 + 7, &mut stream); // the end of the block, and of a byte
    let sum = (1 + 258 * copies as u64) % 65_521;
    stream.extend(((sum << 16) as u32 | 1).to_be_bytes());
    stream
}

/// A PNG of 4 x 3 pixels, all but one white, with one more chunk before or after the pixels.
#[cfg(feature = "image")]
fn png_with(name: [u8; 4], contents: &[u8], comes_first: bool) -> Vec<u8> {
    let (mut file, mut pixels) = (Vec::new(), [255; 12]);
    pixels[5] = 0;
    let mut encoder = png::Encoder::new(&mut file, 4, 3);
    encoder.set_color(png::ColorType::Grayscale);
    let mut writer = encoder.write_header().unwrap();
    let chunk = png::chunk::ChunkType(name);
    if comes_first {
        writer.write_chunk(chunk, contents).unwrap();
    }
    writer.write_image_data(&pixels).unwrap();
    if !comes_first {
        writer.write_chunk(chunk, contents).unwrap();
    }
    writer.finish().unwrap();
    file
}

/// Chunks that a map does not need are skipped: compressed ones are not inflated.
#[cfg(feature = "image")]
#[test]
fn png_chunks_that_inflate_to_gigabytes_are_skipped() {
    let _alone = alone();
    let zeros = zlib_of_zeros(1 << 21); // 541 MB, from 3.4 MB
    let contents = [
        (*b"iCCP", [&b"profile\0\0"[..], &zeros].concat()),
        (*b"zTXt", [&b"Comment\0\0"[..], &zeros].concat()),
        (*b"iTXt", [&b"Comment\0\x01\0en\0Comment\0"[..], &zeros].concat()),
        (*b"tEXt", [&b"Comment\0"[..], &vec![b' '; 3 << 20]].concat()),
        (*b"eXIf", vec![b'M'; 3 << 20]),
        // Not a zlib stream.
        (*b"iCCP", b"profile\0\0 neither compressed nor a profile".to_vec()),
        (*b"iCCP", Vec::new()),
        (*b"zTXt", b"Comment\0\xff".to_vec()),
    ];
    let expected: Grid = "....\n.@..\n....".parse().unwrap();
    for ((name, contents), comes_first) in contents.iter().flat_map(|chunk| [(chunk, true), (chunk, false)]) {
        let file = png_with(*name, contents, comes_first);
        let (grid, peak) = peak_bytes(|| octile::formats::image::parse(&file));
        let name = name.escape_ascii();
        assert_eq!(grid.as_ref(), Ok(&expected), "{name}, first: {comes_first}");
        assert!(peak <= 3 * contents.len() + (1 << 20), "{name}, first: {comes_first}: {peak} bytes");
    }
}
