//! Every combination of keys of every planner, under every supported movement rule, compared with the oracle before and
//! after an edit.
//!
//! The values of a key are its words, so that a new key or word is tested without a change here. A share of the
//! combinations runs every time, another one for each seed; `OCTILE_COMBINATIONS=all` runs all of them (minutes).

use std::collections::{BTreeMap, BTreeSet};

use octile::formats::generate;
use octile::geometry::Dice;
use octile::planner::{EditError, Entry, OnEdit};
use octile::{Catalog, Cell, Edits, Finder, Grid, Movement, Path, PathQuery, PlannerSpec};
use octile_testkit::judge;
use octile_testkit::maps::free_cells;
use octile_testkit::oracle::Truth;
use rayon::prelude::*;

/// A normal run tries one in this many combinations.
const SHARE: u64 = if cfg!(target_family = "wasm") { 240 } else { 24 };

/// Values for keys that do not take words only.
const OTHERS: [&str; 8] = ["1", "1.001", "2.5", "1000", "0", "100kB", "0.01%/2000", "5x3"];

/// The values of a key that a planner accepts.
fn values(entry: Entry, key: &octile::planner::Key) -> Vec<String> {
    let values = key.takes.words().iter().copied().chain(OTHERS);
    let taken: BTreeSet<&str> = values.filter(|value| entry.config().set(key.name, value)).collect();
    taken.into_iter().map(str::to_owned).collect()
}

/// All specs of a planner that parse, each meaning once.
fn specs(entry: Entry) -> BTreeMap<String, PlannerSpec> {
    let own = entry.keys().iter().map(|key| (key.name, values(entry, key)));
    let common = [("smooth", vec!["greedy"]), ("squeeze", vec!["allowed", "forbidden"]), ("ends", vec!["centres"])];
    let common = common.map(|(key, values)| (key, values.into_iter().map(str::to_owned).collect()));
    let mut all = vec![Vec::new()];
    for (key, values) in own.chain(common) {
        assert!(!values.is_empty(), "no value for {key} of {}", entry.name());
        let longer: Vec<Vec<String>> = all
            .iter()
            .flat_map(|options: &Vec<String>| {
                values.iter().map(move |value| [options.clone(), vec![format!("{key}={value}")]].concat())
            })
            .collect();
        all.extend(longer);
    }
    let name = entry.name();
    let text =
        |options: &Vec<String>| format!("{name}{}{}", if options.is_empty() { "" } else { ":" }, options.join(","));
    let parsed = all.iter().filter_map(|options| text(options).parse::<PlannerSpec>().ok());
    parsed.map(|spec| (spec.canonical(), spec)).collect()
}

fn maps() -> Vec<Grid> {
    vec![
        "....@.\n.@..@.\n.@@.@.\n....@.\n.@@...".parse().unwrap(),
        generate::random(9, 6, 25, 3).unwrap(),
        generate::rooms(11, 8, 3, 2).unwrap(),
        generate::maze(9, 9, 1, 5).unwrap(),
        "........".parse().unwrap(),
    ]
}

/// A map with the oracle's answers, computed once for all planners.
struct World {
    grid: Grid,
    free: Vec<Cell>,
    truths: Vec<Truth>,
}

impl World {
    fn new(grid: Grid) -> Self {
        let free = free_cells(&grid);
        let truths = Truth::of_all(&grid, free.iter().copied());
        Self { grid, free, truths }
    }

    /// Asks for all pairs of free cells; returns how many there were.
    fn ask_all(&self, finder: &mut Finder) -> Result<u64, String> {
        let mut path = Path::new();
        for truth in &self.truths {
            for &goal in &self.free {
                judge::ask(finder, PathQuery::new(truth.start(), goal), &mut path, truth)?;
            }
        }
        Ok((self.free.len() * self.free.len()) as u64)
    }
}

/// An edit that flips some cells.
fn edit(grid: &Grid) -> Edits {
    let mut edits = Edits::new();
    let mut dice = Dice::new(grid.fingerprint());
    for _ in 0..3 {
        let cell = Cell::new(dice.below(grid.width().into()) as u32, dice.below(grid.height().into()) as u32);
        if grid.is_free(cell) {
            edits.block(cell)
        } else {
            edits.free(cell)
        };
    }
    edits
}

/// A map, an edit, and the map after the edit.
fn worlds(grid: Grid) -> (World, Edits, World) {
    let (edits, mut edited) = (edit(&grid), grid.clone());
    edited.apply(&edits).unwrap();
    (World::new(grid), edits, World::new(edited))
}

/// Asks one planner for all pairs on one map, changes the map, and asks again; returns the number of judged answers.
fn check(spec: &PlannerSpec, (before, edits, after): &(World, Edits, World)) -> Result<u64, String> {
    let mut finder =
        Finder::new(spec, &before.grid).map_err(|error| format!("it parses and cannot be built: {error}"))?;
    let asked = before.ask_all(&mut finder)?;
    match finder.apply(edits) {
        // `auto` may have chosen a planner that follows.
        Ok(()) => {
            assert_eq!(*finder.grid(), after.grid, "{spec}");
            // A repaired path is legal and may cost more than a new search would find.
            let is_optimal = !spec.canonical().contains("repair=");
            Ok(asked
                + if is_optimal {
                    after.ask_all(&mut finder).map_err(|fault| format!("after an edit: {fault}"))?
                } else {
                    0
                })
        }
        Err(EditError::Refused { .. }) if finder.on_edit() == OnEdit::Refuses => Ok(asked),
        Err(error) => Err(format!("an edit of cells on the map: {error}")),
    }
}

#[test]
fn every_combination_of_keys_keeps_its_guarantee() {
    let is_all = std::env::var("OCTILE_COMBINATIONS").is_ok_and(|value| value == "all");
    let catalog = Catalog::standard();
    let all: Vec<PlannerSpec> = catalog.planners().iter().flat_map(|&entry| specs(entry).into_values()).collect();
    assert!(all.len() > 3000, "only {} combinations parse", all.len());
    let mut dice = Dice::new(all.len() as u64);
    let chosen: Vec<PlannerSpec> = all.iter().filter(|_| is_all || dice.below(SHARE) == 0).cloned().collect();
    // Several specs share each map and the oracle's answers for it.
    let answers: u64 = chosen
        .par_chunks(16)
        .flat_map_iter(|specs| Movement::ALL.into_iter().map(move |movement| (specs, movement)))
        .flat_map_iter(|(specs, movement)| maps().into_iter().map(move |map| (specs, map.with_movement(movement))))
        .map(|(specs, grid)| {
            let (movement, worlds) = (grid.movement(), worlds(grid));
            let asked = specs.iter().filter(|spec| spec.movements().contains(&movement)).map(|spec| {
                check(spec, &worlds)
                    .unwrap_or_else(|fault| panic!("{spec} under {movement}: {fault}\n{:?}", worlds.0.grid))
            });
            asked.sum::<u64>()
        })
        .sum();
    println!("{} of {} combinations, {answers} answers, none wrong", chosen.len(), all.len());
    assert!(answers > 1000 * chosen.len() as u64);
}
