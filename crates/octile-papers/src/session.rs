//! A run of measurements: parts that are measured once, kept, and not measured again if the run is interrupted.

use std::collections::HashSet;
use std::path::Path;

use anyhow::Result;
use indicatif::ProgressBar;
use octile_cli::harness::output;
use octile_cli::harness::words::{MOST_LISTED, count};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::journal::Journal;
use crate::laps::Lap;
use crate::noise::{self, Noise, Spread};

/// The run in progress.
pub(super) struct Session {
    bar: ProgressBar,
    journal: Journal,
    noise: Noise,
    /// Wrong answers of our planners, in words.
    wrong: HashSet<String>,
    /// Answers of our planners that were judged.
    checked: usize,
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
        Ok(Self { bar, journal: journal_file, noise: Noise::default(), wrong: HashSet::new(), checked: 0 })
    }

    /// A part of the run, of so many steps of its progress: what was kept of it, or what `work` measures now. Its key
    /// tells it from all others of the run.
    pub(super) fn unit<T: Serialize + DeserializeOwned>(
        &mut self,
        key: &str,
        steps: u64,
        work: impl FnOnce(&ProgressBar) -> Result<T>,
    ) -> Result<T> {
        let end = self.bar.position() + steps;
        let (value, pace) = if let Some(kept) = self.journal.get(key)? {
            self.bar.reset_eta();
            kept
        } else {
            let pace = noise::pace();
            let value = work(&self.bar)?;
            self.journal.add(key, pace, &value)?;
            (value, pace)
        };
        self.noise.add(pace);
        self.bar.set_position(end);
        Ok(value)
    }

    /// Tells what is being measured.
    pub(super) fn now(&self, what: &'static str) {
        self.bar.set_message(what);
    }

    /// Reports what is wrong in a lap, and counts it.
    pub(super) fn count_lap(&mut self, lap: &Lap) {
        self.count_checked(lap.legs.iter().filter(|leg| !leg.is_peer).map(|leg| leg.expanded.len()).sum());
        self.complain(&lap.wrong);
    }

    /// Reports wrong answers, told in words, and counts them; once only, though several studies may have seen them.
    pub(super) fn complain(&mut self, wrong: &[String]) {
        let new: Vec<&String> = wrong.iter().filter(|&wrong| self.wrong.insert(wrong.clone())).collect();
        self.bar.suspend(|| {
            new.iter().take(MOST_LISTED).for_each(|wrong| output::say(format_args!("wrong answer of {wrong}")));
            if new.len() > MOST_LISTED {
                output::say(format_args!("... and {} more wrong answers", new.len() - MOST_LISTED));
            }
        });
    }

    /// Counts answers that were judged.
    pub(super) fn count_checked(&mut self, answers: usize) {
        self.checked += answers;
    }

    /// How many answers of our planners were judged so far.
    pub(super) fn checked(&self) -> usize {
        self.checked
    }

    /// How many answers of our planners were wrong so far.
    pub(super) fn wrong(&self) -> usize {
        self.wrong.len()
    }

    /// How quiet the machine was so far.
    pub(super) fn noise(&self) -> Spread {
        self.noise.spread()
    }

    /// Endpoints the run, of which nothing need be kept.
    pub(super) fn finish(self) -> Result<()> {
        self.bar.finish_and_clear();
        self.journal.finish()
    }
}
