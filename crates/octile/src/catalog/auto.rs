//! Auto: tries candidate planners on the map, and uses the best.
//!
//! - **Guarantee**: grid-optimal with `paths=grid`, any-angle optimal with `paths=any-angle`; complete.
//! - **Preprocessing**: that of all candidates, less than a second or two each; see [`advise`](crate::catalog::advise),
//!   which does it and gives the reasons. The chosen planner is not built again.
//! - **Complexity**: that of the chosen planner; [`chosen`](crate::Engine::chosen) gives its spec.
//! - **References**: none.
//!
//! On a map with [terrain costs](crate::grid::Convention) the candidates are the planners for grid paths that support
//! them.
//!
//! Times differ from run to run, and so may the choice among planners that are about as fast. Answers then have the
//! same cost, but not always the same cells or corners.
//!
//! All planners that can be chosen take edits. Which one is fastest depends on how often the map changes and by how
//! much: set it with `changes=0.01%/2000`.
//!
//! # Example
//! ```
//! use octile::{Auto, Engine, Grid};
//! let grid: Grid = "....\n.@@.\n.@..".parse()?;
//! let engine = Engine::new(Auto::default().changes(true), &grid)?; // or "auto:changes=yes"
//! assert_eq!(engine.find((0, 2), (2, 2))?.unwrap().cost().to_string(), "8");
//! println!("{}", engine.chosen().unwrap());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use super::advise::{Changes, Needs, Size, advise};
use crate::geometry::Endpoints;
use crate::grid::{Movement, Squeeze};
use crate::planner::{About, Build, BuildError, Config, Facts, Guarantee, IndexEffort, OnEdit, Planner, config, names};
use crate::services::Wrapper;

config! {
    /// The planner that suits the map and these needs.
    #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
    #[cfg_attr(feature = "serde", serde(default, rename_all = "kebab-case", deny_unknown_fields))]
    pub struct Auto {
        /// The maximum memory of the planner's index and the working memory of one thread together; no limit if `None`.
        memory: Option<Size> ["memory":
            "the most memory that the planner's index and the working memory of one thread may take together; default any"],
        /// How often the map will change, and by how much.
        changes: Changes ["changes":
            "how often the map will change, and by how much: the planner is chosen for that; yes is 0.01%/100; default no"],
        /// Whether paths go from cell to cell, or in any direction.
        paths: Paths ["paths":
            "whether paths go from cell to cell, or in any direction from corner to corner; default grid"],
        /// The squeeze rule of any-angle paths.
        squeeze: Squeeze,
        /// Which points of the query's cells any-angle paths begin and end at.
        ends: Endpoints,
    }
}

/// The kind of paths to find.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Paths {
    /// From cell to cell.
    #[default]
    Grid,
    /// In any direction, from corner to corner of cells.
    AnyAngle,
}

names! { Paths { Grid = "grid", AnyAngle = "any-angle" } }

static ABOUT: About = About {
    name: "auto",
    summary: "tries planners on the map and uses the fastest",
    paper: "none: it measures the others",
    index: IndexEffort::Corners,
    variants: &["auto:changes=yes", "auto:paths=any-angle", "auto:paths=any-angle,ends=centres"],
};

impl Config for Auto {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn facts(&self) -> Facts {
        let facts = match self.paths {
            Paths::Grid => Facts::optimal(ABOUT.name, &Movement::ALL).takes_terrain(true),
            Paths::AnyAngle => {
                Facts::any_angle(ABOUT.name, Guarantee::AnyAngleOptimal, self.squeeze).ending_at(self.ends)
            }
        };
        facts.on_edit(OnEdit::GoesStale)
    }

    fn set_squeeze(&mut self, squeeze: Squeeze) {
        self.squeeze = squeeze;
    }

    fn set_ends(&mut self, ends: Endpoints) -> bool {
        let is_any_angle = self.paths == Paths::AnyAngle;
        if is_any_angle {
            self.ends = ends;
        }
        is_any_angle
    }

    fn build(&self, build: &Build<'_>) -> Result<Box<dyn Planner>, BuildError> {
        BuildError::check(self, build)?;
        let needs = Needs {
            memory_bytes: self.memory.map(|Size(bytes)| bytes),
            changes: self.changes.0,
            any_angle: self.paths == Paths::AnyAngle,
            squeeze: self.squeeze,
            ends: self.ends,
        };
        let advice = advise(build, &needs)?;
        let spec = advice.spec.to_string();
        Ok(Box::new(Wrapper::chosen(advice.into_planner(), spec)))
    }
}

#[cfg(test)]
mod tests {
    use crate::catalog::PlannerSpec;
    use crate::engine::Finder;
    use crate::geometry::Cell;
    use crate::grid::{Edits, Grid};

    #[test]
    fn it_says_what_it_chose() {
        let grid = Grid::open(9, 9).unwrap();
        let finder = Finder::new("auto:memory=0", &grid).unwrap();
        let chosen = finder.chosen().unwrap();
        assert_eq!(chosen.about().name, finder.name());
        assert!(finder.fork().chosen().is_some());
        assert!(Finder::new("jps", &grid).unwrap().chosen().is_none());
    }

    #[test]
    fn edits_are_followed_whatever_was_chosen() {
        let grid: Grid = "......\n.@@@@.\n......".parse().unwrap();
        for _ in 0..20 {
            let mut finder = Finder::new("auto:changes=yes", &grid).unwrap();
            finder.apply(Edits::new().free(Cell::new(2, 1))).unwrap();
            let mut finder = Finder::new("auto", &grid).unwrap();
            finder.apply(Edits::new().free(Cell::new(2, 1))).unwrap();
            assert!(finder.grid().is_free((2, 1)));
        }
    }

    #[test]
    fn wrong_values_are_named() {
        let error = |spec: &str| spec.parse::<PlannerSpec>().unwrap_err().to_string();
        assert_eq!(
            error("auto:memory=100M"),
            "`memory=100M` of planner `auto`: expected a number of bytes such as 4096, 512kB, 100MB or 1GiB"
        );
        assert!(error("auto:changes=maybe").ends_with(
            "expected yes, no, or a share of the cells and the queries between changes, such as 0.01%/2000"
        ));
        assert!(error("auto:paths=corners").ends_with("expected grid or any-angle"));
        assert!(error("auto:squeeze=forbidden").contains("its paths go from cell to cell"));
        assert!(error("auto:index=a.octx").ends_with("with these keys it uses no index file; leave out index"));
        assert!("auto:paths=any-angle,squeeze=forbidden".parse::<PlannerSpec>().is_ok());
    }
}
