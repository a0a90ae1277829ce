//! A run of measurements: parts that are measured once, kept, and not measured again if the run is interrupted.

use std::path::Path;

use anyhow::Result;
use indicatif::ProgressBar;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::journal::Journal;
use super::laps::Lap;
use super::noise::{self, Noise, Spread};
use crate::output;
use crate::race::Race;
use crate::report::text::{MOST_LISTED, count};

/// The run in progress.
pub(super) struct Session {
    bar: ProgressBar,
    journal: Journal,
    noise: Noise,
    /// Wrong answers of our planners.
    pub(super) wrong: usize,
}

impl Session {
    /// Begins a run of so many steps, or goes on with it.
    pub(super) fn open(journal: &Path, steps: u64) -> Result<Self> {
        let journal_file = Journal::open(journal)?;
        if journal_file.len() > 0 {
            let parts = count(journal_file.len(), "part", "parts");
            output::say(format_args!("going on with an unfinished run: {parts} of it in {}", journal.display()));
        }
        let bar = output::progress(steps, "measuring");
        Ok(Self { bar, journal: journal_file, noise: Noise::default(), wrong: 0 })
    }

    /// A part of the run, of so many steps of its progress: what was kept of it, or what `work` measures now. Its key tells
    /// it from all others of the run.
    pub(super) fn unit<T: Serialize + DeserializeOwned>(
        &mut self,
        key: &str,
        steps: u64,
        work: impl FnOnce(&ProgressBar) -> Result<T>,
    ) -> Result<T> {
        let end = self.bar.position() + steps;
        let value = match self.journal.get(key)? {
            Some((value, pace)) => {
                self.noise.add(pace);
                self.bar.set_position(end);
                self.bar.reset_eta();
                value
            }
            None => {
                let pace = noise::pace();
                let value = work(&self.bar)?;
                self.noise.add(pace);
                self.journal.add(key, pace, &value)?;
                self.bar.set_position(end);
                value
            }
        };
        Ok(value)
    }

    /// Tells what is being measured.
    pub(super) fn now(&self, what: &'static str) {
        self.bar.set_message(what);
    }

    /// Reports what is wrong in a race, and counts it.
    pub(super) fn count_wrong(&mut self, race: &Race) {
        self.bar.suspend(|| race.complain());
        self.wrong += race.wrong.len();
    }

    /// As [`count_wrong`](Session::count_wrong), of a lap.
    pub(super) fn count_lap(&mut self, lap: &Lap) {
        self.bar.suspend(|| {
            for wrong in lap.wrong.iter().take(MOST_LISTED) {
                output::say(format_args!("wrong answer of {wrong}"));
            }
        });
        self.wrong += lap.wrong.len();
    }

    /// How quiet the machine was so far.
    pub(super) fn noise(&self) -> Spread {
        self.noise.spread()
    }

    /// Ends the run, of which nothing need be kept.
    pub(super) fn finish(self) -> Result<()> {
        self.bar.finish_and_clear();
        self.journal.finish()
    }
}
