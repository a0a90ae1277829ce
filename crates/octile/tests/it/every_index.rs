//! Properties of every kind of index in the catalog, however it is built: the bytes do not depend on the number of
//! threads, budgets are kept, and files either work as well as memory or are refused. A new kind needs no extra tests
//! for these properties.

use std::sync::Mutex;

use octile::algo::hub_labels::Unsuited;
use octile::algo::{core_table, cpd, hub_labels, taut_labels};
use octile::artifact::{Artifact, ArtifactError};
use octile::formats::generate;
use octile::planner::{Budget, IndexEffort, IndexKind, OverBudget, Progress};
use octile::planner::{EditError, Indexes, OnEdit};
use octile::{Build, BuildError, Catalog, Cell, Edits, Finder, Grid, Movement, Planner, PlannerSpec};
use octile_testkit::planners;
use rayon::prelude::*;

/// A kind of index, and the first spec of the catalog that uses only this kind.
struct Kind {
    index: IndexKind,
    user: PlannerSpec,
}

/// All kinds in the catalog.
fn kinds() -> Vec<Kind> {
    let catalog = Catalog::standard();
    let specs: Vec<&str> = catalog.planners().iter().flat_map(|planner| catalog.specs(planner)).collect();
    let user = |kind: &str| {
        let specs = specs.iter().map(|spec| catalog.parse(spec).unwrap());
        specs.into_iter().find(|spec| spec.index_kinds() == [kind]).unwrap_or_else(|| panic!("nothing uses {kind}"))
    };
    catalog.indexes().iter().map(|&index| Kind { index, user: user(index.kind) }).collect()
}

/// The kinds whose files are for one map.
fn kinds_for_maps() -> Vec<Kind> {
    kinds().into_iter().filter(|kind| !kind.index.is_for_all_maps()).collect()
}

impl Kind {
    /// Maps of several sorts, on which the index builds quickly.
    fn maps(&self) -> Vec<Grid> {
        let maps = if self.user.about().index == IndexEffort::AllPairs {
            vec![generate::random(24, 20, 18, 3), generate::rooms(25, 22, 4, 3)]
        } else if self.user.squeeze().is_some() {
            vec![generate::random(40, 40, 12, 3), generate::rooms(90, 70, 8, 3)]
        } else {
            vec![generate::random(90, 70, 18, 3), generate::rooms(90, 70, 8, 3), generate::maze(61, 61, 1, 3)]
        };
        maps.into_iter().map(|grid| grid.unwrap().with_movement(self.user.movements()[0])).collect()
    }

    fn build(&self, build: &Build<'_>) -> Result<Vec<u8>, BuildError> {
        self.index.build_from(build)
    }

    /// The planner that uses a file.
    fn opened(&self, artifact: Artifact, grid: &Grid) -> Result<Box<dyn Planner>, BuildError> {
        self.user.build_from(&Build::new(grid).with(Indexes::from([artifact])))
    }
}

fn artifact(bytes: Vec<u8>) -> Artifact {
    Artifact::from_bytes(bytes.into()).unwrap()
}

fn free_cells(grid: &Grid) -> Vec<Cell> {
    grid.cells().filter(|&cell| grid.is_free(cell)).collect()
}

/// The stages that builds report, in this order.
const STAGES: [(&str, &[&str]); 4] = [
    (cpd::KIND, &["sources"]),
    (hub_labels::KIND, &["hubs", "cells"]),
    (core_table::KIND, &["corners", "rows"]),
    (taut_labels::KIND, &["hubs", "cells"]),
];

#[test]
fn builds_give_the_same_bytes_and_tell_how_far_they_are() {
    for kind in kinds_for_maps() {
        let larger = generate::random(160, 145, 18, 3).unwrap();
        // A core of some size, and labels that take several rounds.
        let larger = Some(larger).filter(|_| [hub_labels::KIND, core_table::KIND].contains(&kind.index.kind));
        for grid in kind.maps().into_iter().chain(larger) {
            let told = Mutex::new(Vec::<Progress>::new());
            let bytes = kind.build(&Build::new(&grid).watched(&|now| told.lock().unwrap().push(now))).unwrap();
            let told = told.into_inner().unwrap();
            assert!(told.iter().all(|now| now.done <= now.all));
            let mut stages: Vec<&str> = told.iter().map(|now| now.stage).collect();
            stages.dedup();
            for stage in &stages {
                assert!(told.iter().any(|now| now.stage == *stage && now.done == now.all), "{stage}");
            }
            let known = STAGES.iter().find(|(known, _)| *known == kind.index.kind);
            assert!(known.is_none_or(|(_, expected)| stages == *expected), "{}: {stages:?}", kind.index.kind);
            #[cfg(feature = "rayon")]
            for threads in [1, 2, 3, 5] {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
                let same = pool.install(|| kind.build(&Build::new(&grid))).unwrap() == bytes;
                assert!(same, "{} on {threads} threads", kind.index.kind);
            }
            assert!(kind.build(&Build::new(&grid).within(Budget::BRIEF)).unwrap() == bytes);
        }
    }
}

/// By how much a build exceeds its budget, if the error gives that as a number.
fn over(error: &BuildError) -> Option<(OverBudget, Option<bool>)> {
    match error {
        BuildError::OverBudget { over, .. } => Some((*over, None)),
        BuildError::TakesLong { reason, .. } | BuildError::Unsuited { reason, .. } => match reason.downcast_ref() {
            Some(&Unsuited::Budget { over, is_slow, .. }) => Some((over, Some(is_slow))),
            _ => None,
        },
        _ => panic!("{error}"),
    }
}

/// Every build stays within its budget: it gives the same index, or an error whose amount exceeds the budget. If a
/// build for a file could succeed, the planner's error says so.
#[test]
fn every_budget_is_kept_and_enough_gives_the_same_index() {
    kinds_for_maps().into_par_iter().for_each(|kind| {
        let (mut refused, mut made) = (0, 0);
        for grid in kind.maps() {
            let whole = kind.build(&Build::new(&grid).within(Budget::UNLIMITED)).unwrap();
            let bytes = kind.user.build(&grid).unwrap().index_bytes();
            for exponent in 8..30 {
                let most = 1 << exponent;
                for budget in [Budget::UNLIMITED.steps(most), Budget::UNLIMITED.bytes(most)] {
                    let build = Build::new(&grid).within(budget);
                    let file = kind.build(&build);
                    let planner = (exponent % 2 == 0).then(|| kind.user.build_from(&build));
                    made += usize::from(file.is_ok()) + usize::from(matches!(planner, Some(Ok(_))));
                    assert!(file.as_ref().is_ok_and(|file| *file == whole) || file.is_err());
                    if let Some(Ok(planner)) = &planner {
                        assert_eq!(planner.index_bytes(), bytes, "{}", kind.user);
                    }
                    let errors =
                        [file.err().map(|error| (error, false)), planner.and_then(Result::err).map(|e| (e, true))];
                    for (error, is_planner) in errors.into_iter().flatten() {
                        let message = error.to_string();
                        match over(&error) {
                            Some((over, is_slow)) => {
                                assert!(over.takes > over.most && over.most == most, "{message}");
                                assert!(is_slow.is_none_or(|is_slow| is_slow == is_planner), "{message}");
                            }
                            // A database of all pairs reports how many cells it can handle.
                            None => assert_eq!(kind.user.about().index, IndexEffort::AllPairs, "{message}"),
                        }
                        if let BuildError::TakesLong { planner, .. } = &error {
                            assert!(is_planner && *planner == kind.user.about().name, "{message}");
                            let slow = format!("the index of planner `{planner}` takes long to build for ");
                            assert!(message.starts_with(&slow) && message.ends_with(')'), "{message}");
                        }
                        refused += 1;
                    }
                }
            }
        }
        assert!(refused > 10 && made > 10, "{}: {refused} {made}", kind.index.kind);
    });
}

/// The first facts in the description of files of some kinds.
const FACTS: [(&str, [&str; 2]); 3] = [
    (hub_labels::KIND, ["subgoals", "links"]),
    (core_table::KIND, ["subgoals", "core"]),
    (taut_labels::KIND, ["corners", "links"]),
];

#[test]
fn files_answer_as_memory_does() {
    kinds().into_par_iter().for_each(|kind| {
        let side = if kind.user.about().index == IndexEffort::AllPairs { 33 } else { 65 };
        let grid = generate::rooms(side, side, 8, 3).unwrap().with_movement(kind.user.movements()[0]);
        let file = kind.index.build_for(&grid).unwrap();
        let facts = (kind.index.describe)(&artifact(file.clone())).unwrap();
        assert!(!facts.is_empty());
        let known = FACTS.iter().find(|(known, _)| *known == kind.index.kind);
        assert!(known.is_none_or(|(_, first)| facts[0].0 == first[0] && facts[1].0 == first[1]), "{facts:?}");
        let planner = kind.opened(artifact(file.clone()), &grid).unwrap();
        let in_memory = kind.user.build(&grid).unwrap();
        assert_eq!(planner.index_bytes(), in_memory.index_bytes());
        assert!(known.is_none() || planner.index_bytes() == file.len());
        let mut finders = [planner, in_memory].map(Finder::of);
        let (from, to) = (free_cells(&grid), free_cells(&grid).into_iter().rev());
        for (start, goal) in from.into_iter().step_by(101).zip(to.step_by(83)) {
            let [one, other] = finders.each_mut().map(|finder| finder.find(start, goal).unwrap().unwrap());
            assert_eq!(one, other);
        }
        check_refusals(&kind, &file, &grid);
    });
}

/// Checks that a file that is damaged or for another map is refused, however the planner gets it.
fn check_refusals(kind: &Kind, file: &[u8], grid: &Grid) {
    let place = tempfile::NamedTempFile::new_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    for (nth, at) in (0..file.len()).step_by((file.len() / 400).max(3)).enumerate() {
        let mut damaged = file.to_vec();
        damaged[at] ^= 1 << (nth % 8);
        if nth % 40 == 0 {
            std::fs::write(place.path(), &damaged).unwrap();
            let named = kind.user.clone().with_index(place.path()).build(grid);
            assert!(matches!(named, Err(BuildError::IndexFile { .. })), "{}: byte {at}", kind.index.kind);
        }
        let whole = Artifact::from_bytes(damaged.into()).map_err(BuildError::Index);
        let refused = whole.and_then(|artifact| kind.opened(artifact, grid));
        assert!(matches!(refused, Err(BuildError::Index(_))), "{}: byte {at}", kind.index.kind);
    }
    let other = grid.edit().set(free_cells(grid)[0], false).clone().build();
    let opened = kind.opened(artifact(file.to_vec()), &other);
    if kind.index.is_for_all_maps() {
        assert!(opened.is_ok());
        return;
    }
    let error = opened.err().unwrap();
    let is_for_another =
        matches!(&error, BuildError::Index(ArtifactError::WrongMap { kind: found, .. }) if found == kind.index.kind);
    assert!(is_for_another, "{error:?}");
    assert!(error.to_string().starts_with("made for another map, or before this one changed"), "{error}");
    for &movement in kind.user.movements().iter().filter(|&&movement| movement != grid.movement()) {
        let error = kind.opened(artifact(file.to_vec()), &grid.with_movement(movement)).err().unwrap();
        assert!(matches!(error, BuildError::Index(ArtifactError::WrongMovement { .. })), "{error:?}");
    }
}

#[test]
fn movements_that_are_not_supported_are_refused() {
    let mut refused = 0;
    for kind in kinds_for_maps() {
        for movement in Movement::ALL {
            let grid = Grid::open(5, 5).unwrap().with_movement(movement);
            if !kind.user.movements().contains(&movement) {
                assert!(matches!(kind.user.build(&grid), Err(BuildError::Movement { .. })), "{}", kind.user);
            }
            let built = kind.index.build_for(&grid);
            assert!(built.is_ok() || matches!(built, Err(BuildError::Movement { .. })));
            refused += usize::from(built.is_err());
        }
    }
    assert!(refused >= 2 * FACTS.len(), "{refused}");
}

/// A planner with a fixed index refuses edits by itself: the wrapper that holds it handles them.
#[test]
fn changes_of_the_map_are_refused_by_a_planner_alone() {
    let grid: Grid = "..@.\n....".parse().unwrap();
    let mut seen = 0;
    for entry in Catalog::standard().planners() {
        for repair in ["exact", "unit", "obstacle"] {
            let mut config = entry.config();
            if repair != "exact" && !config.set("repair", repair) {
                continue;
            }
            let Ok(mut planner) = config.build(&Build::new(&grid)) else { continue };
            if !planner.index().is_some_and(|index| index.is_fixed) {
                continue;
            }
            assert_eq!((planner.facts().on_edit, config.facts().on_edit), (OnEdit::GoesStale, OnEdit::GoesStale));
            assert_eq!(planner.apply(Edits::new().block(Cell::new(2, 0)).free(Cell::new(0, 0))), Ok(()));
            let refused = planner.apply(Edits::new().free(Cell::new(2, 0))).unwrap_err();
            assert_eq!(refused, EditError::Refused { planner: entry.name() });
            assert!(matches!(planner.apply(Edits::new().free(Cell::new(2, 2))), Err(EditError::Map(_))));
            assert_eq!((planner.grid(), planner.is_stale()), (&grid, false));
            seen += 1;
        }
    }
    assert!(planners::is_restricted() || seen >= 6, "{seen}");
}
