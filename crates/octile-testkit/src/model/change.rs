//! Changes the map and renews planners, on the library and on the twin.

use std::rc::Rc;
use std::time::Duration;

use octile::engine::{RenewError, Upkeep};
use octile::planner::{EditError, OnEdit};
use octile::{Edits, Engine, Finder, Path, PathQuery};

use super::play::{Branch, Player, THREADS, message};
use super::program::{Change, Op, Place, Who};
use super::twin::{Map, World};
use super::{Failure, ensure};
use crate::judge;

impl Player<'_> {
    /// The edits for the library, and the twin's map after them; `None` if the twin refuses them.
    pub(super) fn edits(&self, map: &Map, changes: &[Change]) -> (Edits, Option<Map>) {
        let mut edits = Edits::new();
        for change in changes {
            change.add_to(&mut edits);
        }
        let mut after = map.clone();
        let done = after.edit(changes);
        ((self.rules.carry_edits)(&edits), done.then_some(after))
    }

    /// Checks the result of an edit against the twin: the world after it.
    pub(super) fn edited(
        &mut self,
        world: &Rc<World>,
        after: Option<Map>,
        applied: &Result<(), EditError>,
        on_edit: OnEdit,
    ) -> Result<Rc<World>, Failure> {
        let is_refused = matches!(applied, Err(EditError::Refused { .. })) && on_edit == OnEdit::Refuses;
        let text = || format!("{applied:?}, but the twin takes it: {}", after.is_some());
        ensure(is_refused || applied.is_ok() == after.is_some(), "edit", text)?;
        let Some(after) = after.filter(|_| !is_refused) else {
            self.counts.add("edit-refused");
            return Ok(Rc::clone(world));
        };
        if after == world.map {
            self.counts.add("edit-without-effect");
            return Ok(Rc::clone(world));
        }
        Ok(World::new(after))
    }

    pub(super) fn edit(&mut self, changes: &[Change]) -> Result<(), Failure> {
        let (edits, after) = self.edits(&self.world.map, changes);
        let applied = self.engine.apply(&edits);
        let is_applied = applied.is_ok();
        self.world = self.edited(&Rc::clone(&self.world), after, &applied, self.engine.on_edit())?;
        ensure(self.engine.grid() == self.world.grid, "map", || format!("the map is {:?}", self.engine.grid()))?;
        if let Some(field) = self.field.as_mut().filter(|_| is_applied) {
            field.apply(&edits).map_err(|error| Failure::new("edit", error.to_string()))?;
        }
        self.check_field()?;
        for held in &self.held {
            ensure(*held.planner.grid() == held.world.grid, "map", || "a snapshot has changed".into())?;
        }
        Ok(())
    }

    pub(super) fn edit_branch(&mut self, nth: usize, changes: &[Change]) -> Result<(), Failure> {
        self.branch_until(nth);
        let world = Rc::clone(&self.branches[nth].world);
        let (edits, after) = self.edits(&world.map, changes);
        let finder = &mut self.branches[nth].finder;
        let (applied, on_edit) = (finder.apply(&edits), finder.on_edit());
        self.branches[nth].world = self.edited(&world, after, &applied, on_edit)?;
        Ok(())
    }

    pub(super) fn meet_stranger(&mut self, spec: &str, flipped: &[Place]) {
        let mut map = self.world.map.clone();
        for index in flipped.iter().filter_map(|&place| map.index(place)).collect::<Vec<_>>() {
            map.cells[index].0 ^= true;
        }
        let world = World::new(map);
        // The spec may not support the movement rule or prices.
        if let Ok(finder) = Finder::new(spec, &world.grid) {
            self.counts.add("stranger");
            self.branches.insert(0, Branch { finder, world });
        }
    }

    /// Asks on another thread while the map changes: every answer is right for the map before or after.
    pub(super) fn race(&mut self, changes: &[Change], trips: &[PathQuery]) -> Result<(), Failure> {
        if !THREADS {
            return self.edit(changes);
        }
        let (engine, before) = (self.engine.clone(), Rc::clone(&self.world));
        let (found, edited) = std::thread::scope(|scope| {
            let asking =
                scope.spawn(|| trips.iter().map(|trip| engine.find(trip.start, trip.goal)).collect::<Vec<_>>());
            let edited = self.edit(changes);
            (asking.join(), edited)
        });
        edited?;
        let found = found.map_err(|panic| Failure::new("panic", message(&*panic)))?;
        let (after, planner) = (Rc::clone(&self.world), self.engine.snapshot());
        for (trip, found) in trips.iter().zip(found) {
            let found = found.map_err(|error| error.to_string());
            let fits = |world: &World| match &found {
                Ok(path) => {
                    let is_legal = |path: &Path| path.check(&world.grid, trip.start, trip.goal).is_ok();
                    let cost = |truth| judge::judge_cost(&*planner, *trip, path.as_ref().map(Path::cost), truth);
                    trip.check(&world.grid).is_ok()
                        && path.as_ref().is_none_or(is_legal)
                        && cost(world.truth(trip.start)).is_ok()
                }
                Err(_) => trip.check(&world.grid).is_err(),
            };
            ensure(fits(&before) || fits(&after), "race", || format!("{trip:?}: {found:?}"))?;
            self.counts.add("answer");
        }
        Ok(())
    }

    pub(super) fn renew(&mut self, op: &Op) -> Result<(), Failure> {
        match op {
            Op::Renew => self.renew_engine(&self.engine.clone())?,
            Op::RenewAgent(nth) => {
                let (engine, _) = self.engine_of(Who::Agent(*nth))?;
                self.renew_engine(&engine)?;
            }
            Op::BeginRenewal if THREADS => _ = self.engine.renew(),
            Op::AwaitRenewal => _ = self.engine.renewal().map(|renewal| renewal.wait()),
            Op::CancelRenewal => {
                if let Some(renewal) = self.engine.renewal() {
                    renewal.cancel();
                    let _ = renewal.wait();
                }
            }
            Op::BeginSlices => self.sliced = Some(self.engine.renew_by_slices()),
            Op::RunSlice => _ = self.sliced.as_mut().map(|sliced| sliced.run(Duration::ZERO)),
            Op::FinishSlices => {
                let end = self.sliced.take().and_then(|mut sliced| sliced.run(Duration::MAX));
                if let Some(Ok(_)) = end {
                    self.counts.add("renewed-in-slices");
                }
            }
            Op::DropSlices => self.sliced = None,
            Op::KeepFresh(is_on) if THREADS => {
                self.engine.keep_fresh(is_on.then(|| Upkeep::after(Duration::ZERO)));
            }
            _ => {}
        }
        ensure(self.engine.grid() == self.world.grid, "map", || "the renewed planner has another map".into())
    }

    fn renew_engine(&mut self, engine: &Engine) -> Result<(), Failure> {
        let renewed = if THREADS {
            engine.renew().wait()
        } else {
            engine.renew_by_slices().run(Duration::MAX).unwrap_or_else(|| unreachable!("it had all the time"))
        };
        self.counts.add(if renewed.is_ok() { "renewed" } else { "not-renewed" });
        let is_right = match &renewed {
            Ok(_) => !engine.is_stale(),
            Err(error) => matches!(error, RenewError::NoSpec),
        };
        ensure(is_right, "renew", || format!("{renewed:?}, stale: {}", engine.is_stale()))
    }
}
