//! Rebuilding in slices, for programs with one thread.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use web_time::Instant;

use super::{Job, RenewError, Renewed, Task};
use crate::engine::Engine;
use crate::planner::{Budget, BuildSteps, Planner, Progress};

/// A rebuild that runs in slices, on the thread that calls [`run`](SlicedRenewal::run); see
/// [`Engine::renew_by_slices`]. Dropping it cancels the build.
#[must_use = "nothing happens until it is run"]
pub struct SlicedRenewal {
    /// The work, or why there is none.
    job: Result<Job, RenewError>,
    /// The build, once it has begun.
    steps: Option<Box<dyn BuildSteps>>,
    starts: u32,
    /// The total time of all slices.
    spent: Duration,
    end: Option<Result<Renewed, RenewError>>,
}

impl SlicedRenewal {
    /// Continues for about `time`, and replaces the planner when the build is done. Returns `None` while the build is
    /// in progress. Once it has ended, every call returns the same result.
    ///
    /// A slice can exceed `time` by its last step: a fraction of a millisecond for `hub-labels`, except for a few steps
    /// of some milliseconds on large maps. Other planners are built in one slice: most of them take milliseconds
    /// anyway, and those that take seconds need a thread ([`Engine::renew`]).
    ///
    /// ```
    /// use std::time::Duration;
    /// use octile::{Edits, Engine, Grid};
    /// let engine = Engine::new("cpd", &Grid::open(9, 9)?)?;
    /// let mut renewal = engine.renew_by_slices();
    /// assert!(renewal.run(Duration::ZERO).is_none(), "it has only begun");
    /// engine.apply(Edits::new().block((4, 4)))?;
    /// let renewed = renewal.run(Duration::MAX).expect("all that is left")?;
    /// assert_eq!(renewed.edits, 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Why there is no new planner.
    pub fn run(&mut self, time: Duration) -> Option<Result<Renewed, RenewError>> {
        if self.end.is_none() {
            let clock = Instant::now();
            let end = loop {
                if let Some(end) = self.step(clock).transpose() {
                    break Some(end);
                }
                if clock.elapsed() >= time {
                    break None;
                }
            };
            self.spent += clock.elapsed();
            if let Some(end) = end {
                self.finish(end);
            }
        }
        self.end.clone()
    }

    /// The progress of the build, if the planner reports it.
    ///
    /// ```
    /// use std::time::Duration;
    /// use octile::Engine;
    /// use octile::formats::generate;
    /// let engine = Engine::new("hub-labels", &generate::random(60, 60, 20, 1)?)?;
    /// let mut renewal = engine.renew_by_slices();
    /// while renewal.progress().is_none_or(|progress| progress.stage != "cells") {
    ///     assert!(renewal.run(Duration::ZERO).is_none());
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn progress(&self) -> Option<Progress> {
        self.steps.as_ref().and_then(|steps| steps.progress())
    }

    /// Does one step, in a slice that began at `clock`.
    fn step(&mut self, clock: Instant) -> Result<Option<Renewed>, RenewError> {
        let job = self.job.as_ref().map_err(RenewError::clone)?;
        // Another caller may have ended it.
        job.layer()?;
        let Some(planner) = self.build()? else { return Ok(None) };
        let job = self.job.as_ref().map_err(RenewError::clone)?;
        match job.catch_up_and_swap(planner) {
            Ok(edits) => Ok(Some(Renewed { took: self.spent + clock.elapsed(), edits })),
            Err(fault) => {
                fault.check(self.starts)?;
                Ok(None)
            }
        }
    }

    /// Does one step of the build and returns the planner after the last one. The first step takes the current map.
    fn build(&mut self) -> Result<Option<Box<dyn Planner>>, RenewError> {
        let job = self.job.as_ref().map_err(RenewError::clone)?;
        let Some(steps) = &mut self.steps else {
            let present = job.map()?;
            self.starts += 1;
            self.steps = Some(job.guarded(|| job.source.begin(&present))?.map_err(RenewError::of)?);
            return Ok(None);
        };
        let planner = job.guarded(|| steps.step())?.map_err(RenewError::of)?;
        if planner.is_some() {
            self.steps = None;
        }
        Ok(planner)
    }

    fn finish(&mut self, mut end: Result<Renewed, RenewError>) {
        self.steps = None;
        if let Ok(job) = &self.job {
            // Another caller may have ended it already.
            end = job.task.end().clone().unwrap_or(end);
            if let Some(layer) = job.layer.upgrade() {
                layer.end_task(&job.task, &end);
            }
            job.task.finish(end.clone());
        }
        self.end = Some(end);
    }
}

impl Drop for SlicedRenewal {
    fn drop(&mut self) {
        if self.end.is_none() {
            self.finish(Err(RenewError::Cancelled));
        }
    }
}

impl fmt::Debug for SlicedRenewal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SlicedRenewal")
            .field("progress", &self.progress())
            .field("end", &self.end)
            .finish_non_exhaustive()
    }
}

impl Engine {
    /// As [`renew`](Engine::renew) where there is one thread, or none to spare: the build advances only when the
    /// program calls [`SlicedRenewal::run`], for instance once per frame of a game. Queries and edits may come in
    /// between.
    ///
    /// ```
    /// use std::time::Duration;
    /// use octile::{Engine, Grid};
    /// use octile::formats::generate;
    /// let engine = Engine::new("hub-labels", &generate::random(60, 60, 20, 1)?)?;
    /// let mut renewal = engine.renew_by_slices();
    /// let renewed = loop {
    ///     if let Some(end) = renewal.run(Duration::from_millis(1)) {
    ///         break end?;
    ///     }
    ///     assert!(engine.find((0, 0), (0, 0))?.is_some()); // the rest of the frame
    /// };
    /// println!("{:?}", renewed.took);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn renew_by_slices(&self) -> SlicedRenewal {
        self.sliced(None)
    }

    /// As [`renew_by_slices`](Engine::renew_by_slices), with another budget than that of the engine's first build.
    ///
    /// ```
    /// use std::time::Duration;
    /// use octile::planner::Budget;
    /// use octile::{BuildError, Engine, Grid};
    /// use octile::engine::RenewError;
    /// let engine = Engine::new("jump-graph", &Grid::open(300, 300)?)?;
    /// let mut renewal = engine.renew_by_slices_within(Budget::AT_ONCE.bytes(1000));
    /// let end = renewal.run(Duration::from_secs(60)).expect("it is refused at once");
    /// assert!(matches!(end, Err(RenewError::Build(BuildError::OverBudget { .. }))));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn renew_by_slices_within(&self, budget: Budget) -> SlicedRenewal {
        self.sliced(Some(budget))
    }

    fn sliced(&self, budget: Option<Budget>) -> SlicedRenewal {
        let source = self.layer.source.clone().ok_or(RenewError::NoSpec).map(|source| source.within(budget));
        let job = source.map(|source| {
            let task = self.layer.writer().renewal.replace_task(Task { is_sliced: true, ..Task::default() });
            Job { layer: Arc::downgrade(&self.layer), task, source }
        });
        SlicedRenewal { job, steps: None, starts: 0, spent: Duration::ZERO, end: None }
    }
}
