//! The planner that suits the map: candidates are tried on it, and the best is used.
//!
//! - **Guarantee**: grid-optimal with `paths=grid`; with `paths=any-angle` at least that of a smoothed path. Complete.
//! - **Preprocessing**: that of all candidates, less than a second or two each; see [`advise`](crate::advise), which does it and says
//!   why. The planner that is chosen is not built again.
//! - **Complexity**: that of the planner that is chosen; [`chosen`](crate::Finder::chosen) tells which that is.
//! - **References**: none.
//!
//! Times differ from run to run, and so may the choice among planners that are about as fast: answers then have the same cost, but
//! not always the same cells; any-angle paths may differ in length by a hundredth.
//!
//! Unless `changes=yes` is given, the planner that is chosen may refuse edits ([`on_edit`](crate::Finder::on_edit) tells), with the
//! error of that planner.
//!
//! # Example
//! ```
//! use octile::{Cell, Finder, Grid};
//! let grid: Grid = "....\n.@@.\n.@..".parse()?;
//! let mut finder = Finder::new("auto:memory=1MB,changes=yes", &grid)?;
//! assert_eq!(finder.find(Cell::new(0, 2), Cell::new(2, 2))?.unwrap().cost().to_string(), "8");
//! println!("{}", finder.chosen().unwrap());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use super::{Entry, IndexEffort, Key};
use crate::advise::{Needs, Size, advise};
use crate::error::SpecError;
use crate::grid::Movement;
use crate::planner::Guarantee;
use crate::spec::Options;

/// Its line in the table.
pub(super) const ENTRY: Entry = Entry {
    name: "auto",
    summary: "tries planners on the map and uses the fastest",
    guarantee: |options| if is_any_angle(options) { Guarantee::Smoothed } else { Guarantee::GridOptimal },
    index: IndexEffort::Corners,
    movements: |options| if is_any_angle(options) { &[Movement::Octile] } else { &Movement::ALL },
    keys: &[MEMORY_KEY, CHANGES_KEY, PATHS_KEY],
    paper: "none: it measures the others",
    variants: &["auto:changes=yes", "auto:paths=any-angle"],
    check: |options| needs(options).map(drop),
    indexes: |_| Vec::new(),
    build: |grid, options| Ok(advise(grid, &needs(options)?)?.into_finder()),
};

const MEMORY_KEY: Key = Key {
    name: "memory",
    takes: crate::advise::SIZE_EXPECTED,
    help: "the most memory that the planner's index may take; any unless told",
};

const CHANGES_KEY: Key = Key {
    name: "changes",
    takes: "yes or no",
    help: "whether the map will change, so that the planner has to follow edits; no unless told",
};

const PATHS_KEY: Key = Key {
    name: "paths",
    takes: "grid or any-angle",
    help: "whether paths go from cell to cell, or in any direction from corner to corner; grid unless told",
};

fn needs(options: &Options) -> Result<Needs, SpecError> {
    let memory = options.value(MEMORY_KEY.name, |value| value.parse().ok())?;
    let changes = options.value(CHANGES_KEY.name, |value| match value {
        "yes" => Some(true),
        "no" => Some(false),
        _ => None,
    })?;
    let any_angle = options.value(PATHS_KEY.name, |value| match value {
        "grid" => Some(false),
        "any-angle" => Some(true),
        _ => None,
    })?;
    Ok(Needs {
        memory_bytes: memory.map(|Size(bytes)| bytes),
        changes: changes.unwrap_or_default(),
        any_angle: any_angle.unwrap_or_default(),
        squeeze: options.squeeze()?.unwrap_or_default(),
    })
}

fn is_any_angle(options: &Options) -> bool {
    needs(options).is_ok_and(|needs| needs.any_angle)
}

#[cfg(test)]
mod tests {
    use crate::{Cell, EditError, Edits, Finder, Grid, OnEdit, PlannerSpec};

    #[test]
    fn it_says_what_it_chose() {
        let grid = Grid::open(9, 9).unwrap();
        let finder = Finder::new("auto:memory=0", &grid).unwrap();
        let chosen = finder.chosen().unwrap();
        assert_eq!((chosen.entry().name, finder.index_bytes()), (finder.name(), 0));
        assert!(finder.fork().chosen().is_some());
        assert!(Finder::new("jps", &grid).unwrap().chosen().is_none());
    }

    #[test]
    fn edits_are_followed_if_told_and_else_as_the_chosen_one_does() {
        let grid: Grid = "......\n.@@@@.\n......".parse().unwrap();
        for _ in 0..20 {
            let mut finder = Finder::new("auto:changes=yes", &grid).unwrap();
            finder.apply(Edits::new().free(Cell::new(2, 1))).unwrap();
            let mut finder = Finder::new("auto", &grid).unwrap();
            let (on_edit, planner) = (finder.on_edit(), finder.name());
            let expected = if on_edit == OnEdit::Rebuild { Err(EditError::RebuildNeeded { planner }) } else { Ok(()) };
            assert_eq!(finder.apply(Edits::new().free(Cell::new(2, 1))), expected);
        }
    }

    #[test]
    fn wrong_values_are_named() {
        let error = |spec: &str| spec.parse::<PlannerSpec>().unwrap_err().to_string();
        assert_eq!(
            error("auto:memory=100M"),
            "`memory=100M` of planner `auto`: expected a number of bytes such as 4096, 512kB, 100MB or 1GiB"
        );
        assert!(error("auto:changes=maybe").ends_with("expected yes or no"));
        assert!(error("auto:paths=corners").ends_with("expected grid or any-angle"));
        assert!(error("auto:squeeze=forbidden").contains("its paths go from cell to cell"));
        assert!(error("auto:index=a.octx").ends_with("with these keys it uses no index file; leave out index"));
        assert!("auto:paths=any-angle,squeeze=forbidden".parse::<PlannerSpec>().is_ok());
    }
}
