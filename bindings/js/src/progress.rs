//! Long work: who is told how far it is, and may end it.

use std::cell::RefCell;
use std::sync::atomic::{AtomicBool, Ordering};

use js_sys::Function;
use octile::planner::Indexes;
use octile::planner::{Budget, Progress};
use octile::{Build, Grid, PlannerSpec};
use wasm_bindgen::prelude::*;

use crate::errors::{self, Raise, Result};
use crate::index::artifacts;
use crate::options::Options;

/// What a build takes.
pub(crate) const BUILD_OPTIONS: [&str; 3] = ["index", "budget", "onProgress"];

thread_local! {
    /// Who is told. A function of JavaScript belongs to its thread, and what builds tell may come from any: so it is
    /// kept here.
    static TOLD: RefCell<Option<Function>> = const { RefCell::new(None) };
}

/// Set when a build is to end.
static CANCEL: AtomicBool = AtomicBool::new(false);

/// What is asked of a build.
pub(crate) struct BuildTerms {
    indexes: Indexes,
    budget: Budget,
    told: Option<Function>,
}

impl BuildTerms {
    pub(crate) fn new(options: &JsValue) -> Result<Self> {
        let options = Options::new(options, &BUILD_OPTIONS)?;
        let budget = options.text("budget")?.map_or(Ok(Budget::default()), |name| Budget::named(&name));
        let budget = budget.map_err(|error| errors::argument(format!("budget: {error}")))?;
        let mut indexes = Indexes::default();
        for artifact in options.get("index").map(|index| artifacts(&index)).transpose()?.unwrap_or_default() {
            indexes.push(artifact);
        }
        Ok(Self { indexes, budget, told: options.function("onProgress")? })
    }

    /// Refuses index files that a planner has no use for.
    pub(crate) fn check(&self, spec: &PlannerSpec) -> Result<()> {
        spec.check_use(&self.indexes).raised()
    }

    /// Builds something, and tells how far it is.
    pub(crate) fn build<T, E>(
        self,
        grid: &Grid,
        build: impl FnOnce(&Build<'_>) -> std::result::Result<T, E>,
    ) -> Result<T>
    where
        std::result::Result<T, E>: Raise<T>,
    {
        CANCEL.store(false, Ordering::Relaxed);
        let before = TOLD.replace(self.told);
        let terms = Build::new(grid).with(self.indexes).within(self.budget).watched(&tell).cancelled_by(&CANCEL);
        let built = build(&terms);
        TOLD.replace(before);
        built.raised()
    }
}

/// Tells JavaScript how far a build is; if it answers `false`, or throws, the build ends.
fn tell(progress: Progress) {
    let Some(told) = TOLD.with_borrow(Clone::clone) else { return };
    let numbers = [progress.stage.into(), (progress.done as f64).into(), (progress.all as f64).into()];
    let answer = told.call3(&JsValue::NULL, &numbers[0], &numbers[1], &numbers[2]);
    if answer.is_err() || answer.is_ok_and(|answer| answer == JsValue::FALSE) {
        CANCEL.store(true, Ordering::Relaxed);
    }
}
