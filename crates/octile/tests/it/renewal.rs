//! Builds that end before they are done, and planners that are built anew while they are asked.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use octile::search::{Budget, Progress};
use octile::{Build, BuildError, Catalog, PlannerSpec, generate};

/// The specs whose builds take long enough to tell how far they are.
const LONG_BUILDS: [&str; 6] = ["hub-labels", "core-table", "cpd", "taut-labels", "taut-graph", "auto"];

/// A flag that is set when a build tells for the n-th time how far it is ends it there.
#[test]
fn builds_end_soon_after_they_are_cancelled() {
    let grid = generate::random(90, 90, 20, 5).unwrap();
    for spec in LONG_BUILDS {
        let parsed: PlannerSpec = spec.parse().unwrap();
        let told = AtomicU64::new(0);
        let count = |_: Progress| _ = told.fetch_add(1, Ordering::Relaxed);
        parsed.build_from(&Build::new(&grid).watched(&count)).unwrap();
        let all = told.swap(0, Ordering::Relaxed);
        assert!(all >= 3, "{spec} tells how far it is {all} times");
        for when in [0, 1, all / 2] {
            let (cancel, told) = (AtomicBool::new(when == 0), AtomicU64::new(0));
            let watch = |_: Progress| {
                if told.fetch_add(1, Ordering::Relaxed) + 1 == when {
                    cancel.store(true, Ordering::Relaxed);
                }
            };
            let built = parsed.build_from(&Build::new(&grid).watched(&watch).cancelled_by(&cancel));
            assert!(matches!(built, Err(BuildError::Cancelled)), "{spec} after {when} of {all}");
            // Other threads may be at a few rows each.
            let more = told.into_inner() - when;
            assert!(more <= all / 4 + 64, "{spec} went on {more} times after {when} of {all}");
        }
    }
}

/// So do builds of index files, and those that tell nothing are not begun.
#[test]
fn index_files_and_short_builds_are_cancelled_too() {
    let (grid, cancel) = (generate::random(40, 40, 20, 5).unwrap(), AtomicBool::new(true));
    let build = Build::new(&grid).within(Budget::BEFOREHAND).cancelled_by(&cancel);
    let catalog = Catalog::standard();
    for kind in catalog.indexes() {
        assert!(matches!(kind.build_from(&build), Err(BuildError::Cancelled)), "{}", kind.kind);
    }
    for entry in catalog.planners() {
        for spec in catalog.specs(entry) {
            let spec: PlannerSpec = spec.parse().unwrap();
            let grid = grid.with_movement(spec.movements()[0]);
            let built = spec.build_from(&Build::new(&grid).cancelled_by(&cancel));
            assert!(matches!(built, Err(BuildError::Cancelled)), "{spec}");
        }
    }
    cancel.store(false, Ordering::Relaxed);
    assert!(catalog.index("hub-labels").unwrap().build_from(&build).is_ok());
}
