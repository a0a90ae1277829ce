//! What a report was measured with.

use std::time::Duration;

use octile_cli::harness::machine::Machine;
use octile_cli::harness::words::{self, count};
use serde::Serialize;

use crate::noise::Spread;
use crate::plan::Plan;

/// What any number of a report depends on besides the code.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Conditions {
    #[serde(flatten)]
    machine: Machine,
    maps: String,
    mode: &'static str,
    baseline: &'static str,
    repetitions: String,
    took_seconds: f64,
    noise: Spread,
}

impl Conditions {
    pub(super) fn new(plan: &Plan, noise: Spread, took: Duration) -> Self {
        Self {
            machine: Machine::here(),
            maps: plan.maps.described(),
            mode: if plan.full { "full" } else { "quick: a sample" },
            baseline: BASELINE,
            repetitions: repetitions(plan.rounds),
            took_seconds: took.as_secs_f64(),
            noise,
        }
    }

    /// As names and values, for people.
    pub(super) fn facts(&self) -> Vec<(String, String)> {
        let machine = &self.machine;
        let facts = [
            ("octile", format!("{}, commit {}", machine.octile, machine.commit)),
            ("compiler", machine.compiler.to_owned()),
            ("machine", format!("{}, {}", machine.machine, machine.system)),
            ("date", format!("{}, took {}", machine.date, words::duration(Duration::from_secs_f64(self.took_seconds)))),
            ("command", machine.command.clone()),
            ("maps", self.maps.clone()),
            ("mode", self.mode.to_owned()),
            ("baseline", self.baseline.to_owned()),
            ("repetitions", self.repetitions.clone()),
            ("noise", self.noise.sentence()),
        ];
        facts.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
    }
}

const BASELINE: &str = "astar, octile's own A*: exact integer costs, a packed four-ary heap, ties towards larger g; a faster \
                        baseline than any of the papers had";

fn repetitions(rounds: usize) -> String {
    format!(
        "each query is answered once untimed, to be judged, then timed in {}, planners in turn; its best time counts",
        count(rounds, "round", "rounds")
    )
}
