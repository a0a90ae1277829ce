//! Advice on which planner to use on a map. It is found by experiment: candidates are built and answer the same
//! queries.
//!
//! ```
//! use octile::catalog::advise::{Needs, advise};
//! use octile::Engine;
//! use octile::formats::generate;
//!
//! let grid = generate::rooms(64, 64, 8, 1)?;
//! let advice = advise(&grid, &Needs { memory_bytes: Some(1_000_000), ..Needs::default() })?;
//! println!("{}", advice.spec);
//! for reason in &advice.reasons {
//!     println!("- {reason}");
//! }
//! // The planner has been built already.
//! let engine = Engine::of(advice.into_planner());
//! assert!(engine.find((1, 1), (60, 60))?.is_some());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//! The planner [`auto`](crate::Auto) does the same from a spec: `auto:memory=100MB`.
//!
//! **What is measured.** Queries are random pairs of connected cells, the same for all candidates and in every run.
//! Candidates answer them in turn, a few queries first. Candidates that are far behind then drop out, and so have
//! answered fewer queries. A time is the best of three. Times depend on the machine and on its load: if two candidates
//! are about as fast, either may be advised. Both give correct answers.
//!
//! **How the planner is chosen.** Among the candidates that meet the needs, the one with the smallest mean query time
//! wins; among those within a twentieth of it, the one that takes the least memory. On maps that change, candidates
//! first follow some edits at the given [`Rate`], and their time is that of one edit plus the queries until the next.
//! For any-angle paths, the candidates are the planners with shortest paths; on maps with terrain costs, the planners
//! that support them.
//!
//! **What it costs.** All candidates are built and held in memory at once. An index that would take more than a second
//! or two is not tried, and is reported as left out. The whole takes 1 to 3 seconds for a map of 512 x 512 cells, less
//! than a millisecond for a tiny one.

mod candidates;
mod choice;
mod percentile;
mod race;
mod rate;
mod reasons;
mod sample;

use std::fmt;
use std::time::Duration;

use self::candidates::Built;
pub use self::percentile::percentile;
use self::race::Finished;
pub use self::rate::{Changes, Rate};
use super::PlannerSpec;
use crate::geometry::{Endpoints, order};
use crate::grid::{Movement, Squeeze};
pub use crate::planner::Size;
use crate::planner::{Build, BuildError, KeyValue, OnEdit, Planner};

/// What a planner is needed for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Needs {
    /// The maximum memory of its [index](Planner::index_bytes) and the [working
    /// memory](crate::planner::Scratch::size_bytes) of one thread together; no limit if `None`.
    pub memory_bytes: Option<u64>,
    /// How often the map changes, and by how much; `None` if it does not change.
    pub changes: Option<Rate>,
    /// Whether paths may go in any direction, from corner to corner of cells.
    pub any_angle: bool,
    /// The squeeze rule of any-angle paths; ignored for grid paths.
    pub squeeze: Squeeze,
    /// Which points of the query's cells any-angle paths begin and end at.
    pub ends: Endpoints,
}

impl fmt::Display for Needs {
    /// The needs as a spec of the planner [`auto`](crate::Auto).
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut keys = Vec::new();
        keys.extend(self.memory_bytes.map(|bytes| format!("memory={bytes}")));
        keys.extend(
            self.changes.and_then(|rate| Some(format!("changes={}", Changes::from(rate).text(Changes::TAKES)?))),
        );
        if self.any_angle {
            keys.push("paths=any-angle".to_owned());
            keys.extend(self.lines());
        }
        write!(f, "auto{}{}", if keys.is_empty() { "" } else { ":" }, keys.join(","))
    }
}

impl Needs {
    /// The keys that describe any-angle paths, where they differ from the default.
    fn lines(&self) -> Vec<String> {
        let squeeze = (self.squeeze != Squeeze::default()).then(|| format!("squeeze={}", self.squeeze));
        let ends = (self.ends != Endpoints::default()).then(|| format!("ends={}", self.ends));
        squeeze.into_iter().chain(ends).collect()
    }
}

/// The advised planner for a map, and the reasons.
#[derive(Debug)]
pub struct Advice {
    /// The advised planner.
    pub spec: PlannerSpec,
    /// The reasons, in plain words.
    pub reasons: Vec<String>,
    /// All planners that support the map's movement rule, and its terrain costs if it has some: first the measured
    /// ones, best first, then those that were left out.
    pub candidates: Vec<Candidate>,
    planner: Box<dyn Planner>,
}

impl Advice {
    /// The advised planner, already built.
    #[must_use]
    pub fn into_planner(self) -> Box<dyn Planner> {
        self.planner
    }

    /// The measurements of the advised planner.
    ///
    /// ```
    /// use octile::catalog::advise::{Needs, advise};
    /// let advice = advise(&octile::formats::generate::rooms(16, 16, 8, 1)?, &Needs::default())?;
    /// assert!(advice.measured().is_some_and(|measured| measured.queries > 0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn measured(&self) -> Option<&Measured> {
        let chosen = self.candidates.iter().find(|candidate| candidate.spec.to_string() == self.spec.to_string());
        chosen.and_then(|candidate| match &candidate.outcome {
            Outcome::Measured(measured) => Some(measured),
            Outcome::LeftOut(_) => None,
        })
    }
}

/// A planner that was considered.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// The planner.
    pub spec: PlannerSpec,
    /// What happened to it.
    pub outcome: Outcome,
}

/// What happened to a candidate.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// It was built and has answered queries.
    Measured(Measured),
    /// It cannot be used.
    LeftOut(LeftOut),
}

/// The measurements of a planner on a map.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measured {
    /// The time it took to build.
    pub build: Duration,
    /// The size of its index, without the grid.
    pub index_bytes: u64,
    /// The working memory of one thread, after these queries.
    pub scratch_bytes: u64,
    /// The number of queries it has answered: fewer than others if it dropped out.
    pub queries: usize,
    /// The mean time of a query; 0 if there was none, as on a map without free cells.
    pub mean: Duration,
    /// The 99th percentile: all but one in a hundred queries took no longer.
    pub p99: Duration,
    /// How it takes map edits.
    pub on_edit: OnEdit,
    /// The time it takes to follow an edit; measured only if the map [changes](Needs::changes).
    pub edit: Option<Duration>,
}

impl Measured {
    /// The memory of its index and the working memory of one thread, together.
    pub fn memory_bytes(&self) -> u64 {
        self.index_bytes + self.scratch_bytes
    }
}

/// Why a planner cannot be used.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LeftOut {
    /// It cannot be built, or not in a second or two.
    #[error(transparent)]
    Refused(#[from] BuildError),
    /// It exceeds the memory limit.
    #[error("its index takes {} of memory and each thread {}, more than {}", Size(*.index_bytes), Size(*.scratch_bytes), Size(*.most))]
    OverMemory {
        /// The size of its index.
        index_bytes: u64,
        /// The working memory of one thread.
        scratch_bytes: u64,
        /// The memory limit.
        most: u64,
    },
    /// It does not take edits.
    #[error("it refuses edits: its index would have to be built again at every change of the map")]
    RefusesEdits,
}

/// Tries the planners that support the map's movement rule, and advises which one to use. Takes a map, or a [`Build`],
/// which can be [cancelled](Build::cancelled_by).
///
/// ```
/// use octile::catalog::advise::{Needs, advise};
/// use octile::{Grid, Guarantee};
/// let grid: Grid = "....\n.@@.\n....".parse()?;
/// let advice = advise(&grid, &Needs { changes: Some("0.01%/2000".parse()?), ..Needs::default() })?;
/// assert_eq!(advice.spec.guarantee(), Guarantee::GridOptimal);
/// assert!(!advice.reasons.is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If any-angle paths are needed and the movement rule is not [`Movement::Octile`], or the map has terrain costs; or if
/// the build was cancelled.
pub fn advise<'a>(build: impl Into<Build<'a>>, needs: &Needs) -> Result<Advice, BuildError> {
    advise_for(&build.into(), needs)
}

fn advise_for(build: &Build<'_>, needs: &Needs) -> Result<Advice, BuildError> {
    let grid = build.grid();
    if needs.any_angle {
        BuildError::check_movement(&needs.to_string(), grid, &[Movement::Octile])?;
        BuildError::check_terrain(&needs.to_string(), grid, false)?;
    }
    let Built { runners, mut left_out } = candidates::build(build, needs)?;
    let mut asked = grid.clone();
    for change in needs.changes.iter().flat_map(|&rate| sample::changes(grid, rate)) {
        asked.apply(&change).expect("all changes are on the map");
    }
    let finished = race::run(runners, &sample::queries(&asked), needs, build)?;
    let (mut finished, too_large) = within_memory(finished, needs);
    left_out.extend(too_large);
    order::stable_by(&mut finished, |a, b| choice::order(&a.measured, &b.measured, needs));
    let all: Vec<Measured> = finished.iter().map(|one| one.measured).collect();
    let chosen = choice::choose(&all, needs);
    let names: Vec<String> = finished.iter().map(|one| one.spec.to_string()).collect();
    let mut reasons = reasons::reasons(&names, &all, chosen, needs);
    reasons.extend(grid.convention().map(reasons::prices));
    let candidate = |one: &Finished| Candidate { spec: one.spec.clone(), outcome: Outcome::Measured(one.measured) };
    let candidates = finished.iter().map(candidate).chain(left_out).collect();
    let Finished { spec, planner, .. } = finished.swap_remove(chosen);
    Ok(Advice { spec, reasons, candidates, planner })
}

/// Splits candidates into those that are still within the memory limit, and the others: tables that are made on first
/// use have grown. If none is within the limit, keeps the one that takes the least memory.
fn within_memory(mut finished: Vec<Finished>, needs: &Needs) -> (Vec<Finished>, Vec<Candidate>) {
    let Some(most) = needs.memory_bytes else { return (finished, Vec::new()) };
    order::stable_by_key(&mut finished, |one| one.measured.memory_bytes());
    let fits = finished.partition_point(|one| one.measured.memory_bytes() <= most).max(1).min(finished.len());
    let left_out = finished.split_off(fits).into_iter().map(|one| {
        let Measured { index_bytes, scratch_bytes, .. } = one.measured;
        let reason = LeftOut::OverMemory { index_bytes, scratch_bytes, most };
        Candidate { spec: one.spec, outcome: Outcome::LeftOut(reason) }
    });
    let left_out = left_out.collect();
    (finished, left_out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Engine;
    use crate::formats::generate;
    use crate::geometry::Cell;
    use crate::grid::{Convention, Edits, Grid};
    use crate::planner::Guarantee;

    fn left_out(advice: &Advice, name: &str) -> Option<String> {
        let mut of_that_name = advice.candidates.iter().filter(|candidate| candidate.spec.to_string() == name);
        let reason = |candidate: &Candidate| match &candidate.outcome {
            Outcome::LeftOut(reason) => Some(reason.to_string()),
            Outcome::Measured(_) => None,
        };
        of_that_name.find_map(reason)
    }

    /// The size of the index of a measured candidate.
    fn index_bytes(advice: &Advice, name: &str) -> u64 {
        let mut of_that_name = advice.candidates.iter().filter(|candidate| candidate.spec.to_string() == name);
        let bytes = |candidate: &Candidate| match &candidate.outcome {
            Outcome::Measured(measured) => Some(measured.index_bytes),
            Outcome::LeftOut(_) => None,
        };
        of_that_name.find_map(bytes).unwrap()
    }

    #[test]
    fn advice_names_a_candidate_that_was_measured_and_gives_its_planner() {
        for grid in [generate::rooms(80, 60, 8, 1), generate::maze(60, 60, 1, 2), generate::random(70, 70, 30, 3)] {
            let grid = grid.unwrap();
            for movement in Movement::ALL {
                let advice = advise(&grid.with_movement(movement), &Needs::default()).unwrap();
                let measured = advice.measured().unwrap();
                assert!(measured.queries > 0, "{measured:?}");
                assert!(advice.reasons[0].starts_with(&advice.spec.to_string()), "{:?}", advice.reasons);
                assert!(advice.candidates.len() >= 3, "{:?}", advice.candidates);
                let (name, index_bytes) = (advice.spec.about().name, measured.index_bytes);
                let planner = advice.into_planner();
                assert_eq!((planner.name(), planner.index_bytes() as u64), (name, index_bytes));
                assert_eq!((planner.guarantee(), planner.grid().movement()), (Guarantee::GridOptimal, movement));
            }
        }
    }

    #[test]
    fn what_takes_more_memory_than_there_is_is_left_out() {
        let grid = generate::rooms(60, 60, 8, 1).unwrap();
        let all = advise(&grid, &Needs::default()).unwrap();
        let memory = |advice: &Advice| advice.measured().unwrap().memory_bytes();
        // However fast each of them is, its index alone exceeds this limit.
        let most = index_bytes(&all, "hub-labels") - 1;
        let advice = advise(&grid, &Needs { memory_bytes: Some(most), ..Needs::default() }).unwrap();
        assert!(memory(&advice) <= most);
        let reason = left_out(&advice, "hub-labels").unwrap();
        assert!(reason.starts_with("its index takes ") && reason.contains(" of memory and each thread "));
        // If nothing fits, the candidate that takes the least memory is advised.
        let advice = advise(&grid, &Needs { memory_bytes: Some(0), ..Needs::default() }).unwrap();
        assert!(
            advice.reasons.iter().any(|reason| reason.contains("more than the limit of 0 B")),
            "{:?}",
            advice.reasons
        );
        for candidate in &advice.candidates {
            if let Outcome::LeftOut(LeftOut::OverMemory { index_bytes, scratch_bytes, .. }) = candidate.outcome {
                assert!(memory(&advice) <= index_bytes + scratch_bytes, "{}", candidate.spec);
            }
        }
    }

    #[test]
    fn tables_that_grow_while_queries_are_answered_count() {
        let grid = generate::random(200, 200, 25, 1).unwrap();
        let advice = |memory_bytes| advise(&grid, &Needs { memory_bytes, ..Needs::default() }).unwrap();
        let grown = index_bytes(&advice(None), "block-astar");
        let empty = crate::Finder::new("block-astar", &grid).unwrap().index_bytes() as u64;
        assert!(empty < grown, "{empty} {grown}");
        // Its memory grows with the first query.
        let reason = left_out(&advice(Some(empty + 1)), "block-astar").unwrap();
        assert!(reason.starts_with("its index takes "), "{reason}");
    }

    #[test]
    fn on_maps_that_change_the_planner_follows() {
        let grid = generate::rooms(60, 60, 8, 1).unwrap();
        for any_angle in [false, true] {
            let advice =
                advise(&grid, &Needs { changes: Some(Rate::default()), any_angle, ..Needs::default() }).unwrap();
            assert!(advice.measured().unwrap().edit.is_some());
            let labels = if any_angle { "taut-labels" } else { "hub-labels" };
            assert_eq!(left_out(&advice, labels), None, "it goes stale, and answers");
            // The trial used a copy.
            let mut planner = advice.into_planner();
            assert!(*planner.grid() == grid && !planner.is_stale());
            planner.apply(Edits::new().block(Cell::new(3, 3))).unwrap();
        }
    }

    #[test]
    fn an_index_that_takes_long_is_not_tried() {
        let grid = Grid::open(60, 60).unwrap();
        let advice = advise(&grid, &Needs::default()).unwrap();
        let reason = left_out(&advice, "cpd").unwrap();
        assert!(reason.contains("takes long to build for 3600 free cells (at most 3162 are done at once)"), "{reason}");
    }

    #[test]
    fn any_angle_paths_are_found_wherever_squeezing_leads() {
        let apart: Grid = "...@..\n...@..\n@@@...".parse().unwrap();
        let needs = Needs { any_angle: true, ..Needs::default() };
        let advice = advise(&apart, &needs).unwrap();
        assert_eq!(advice.spec.guarantee(), Guarantee::AnyAngleOptimal);
        assert!(Engine::of(advice.into_planner()).find((0, 0), (5, 0)).unwrap().is_some());
        let advice = advise(&apart, &Needs { squeeze: Squeeze::Forbidden, ..needs }).unwrap();
        assert_eq!(advice.candidates.len(), 3);
        let engine = Engine::of(advice.into_planner());
        assert_eq!(engine.squeeze(), Some(Squeeze::Forbidden));
        assert_eq!(engine.find((0, 0), (5, 0)).unwrap(), None);
    }

    #[test]
    fn on_maps_with_prices_those_are_tried_that_take_them() {
        let grid = generate::rooms(40, 40, 8, 1).unwrap();
        for convention in Convention::ALL {
            let grid = grid.with_prices(convention, |cell| if cell.x < 20 { 1 } else { 9 });
            for movement in Movement::ALL {
                let advice = advise(
                    &grid.with_movement(movement),
                    &Needs { changes: Some(Rate::default()), ..Needs::default() },
                )
                .unwrap();
                assert!(advice.candidates.len() > 1 && advice.candidates.iter().all(|one| one.spec.takes_terrain()));
                let last = advice.reasons.last().unwrap();
                assert_eq!(
                    *last,
                    format!("the map has prices, under `{convention}`: only planners that take them were tried")
                );
                assert_eq!(advice.into_planner().grid().convention(), Some(convention));
            }
            let error = advise(&grid, &Needs { any_angle: true, ..Needs::default() }).unwrap_err();
            assert!(matches!(&error, BuildError::Terrain { planner } if planner == "auto:paths=any-angle"), "{error}");
        }
    }

    #[test]
    fn any_angle_paths_need_the_usual_rule() {
        let grid = Grid::open(4, 4).unwrap().with_movement(Movement::Tile);
        let error = advise(&grid, &Needs { any_angle: true, ..Needs::default() }).unwrap_err().to_string();
        assert_eq!(error, "planner `auto:paths=any-angle` does not support movement `tile`; it supports octile");
    }

    #[test]
    fn maps_on_which_nothing_can_be_asked_get_advice_too() {
        for map in ["@@\n@@", ".", ".@\n@."] {
            for any_angle in [false, true] {
                let advice = advise(&map.parse::<Grid>().unwrap(), &Needs { any_angle, ..Needs::default() }).unwrap();
                assert!(advice.reasons[0].starts_with("nothing could be asked"), "{:?}", advice.reasons);
                assert!(any_angle || advice.measured().unwrap().index_bytes == 0);
            }
        }
    }

    #[test]
    fn needs_are_a_spec() {
        let (squeeze, ends) = (Squeeze::Forbidden, Endpoints::Centres);
        let all = Needs { memory_bytes: Some(7), changes: Some(Rate::default()), any_angle: true, squeeze, ends };
        assert_eq!(all.to_string(), "auto:memory=7,changes=yes,paths=any-angle,squeeze=forbidden,ends=centres");
        assert_eq!(Needs::default().to_string(), "auto");
        for needs in [all, Needs::default(), Needs { squeeze: Squeeze::Forbidden, ..Needs::default() }] {
            assert!(needs.to_string().parse::<PlannerSpec>().is_ok());
        }
    }
}
