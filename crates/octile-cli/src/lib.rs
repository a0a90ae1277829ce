//! The `octile` command: solves, checks, compares, draws and generates grid pathfinding problems, and builds indexes
//! for them.
//!
//! Results go to standard output, everything else to standard error. Exit code 0 means found or all right; 1 no path, a
//! wrong answer, or a skipped file of a folder; 2 an error.
//!
//! The whole command is [`main_with`], which takes the planners from a [catalog](Catalog): a program that adds its own
//! planner gets the whole command for it, with races against the others, pictures and checks.

mod cmd;
pub mod harness;
mod report;

use std::process::ExitCode;

use octile::Catalog;

/// Runs the command with the arguments of this process and the planners of a catalog, and returns the exit code.
///
/// ```no_run
/// use octile::planner::Facts;
/// use octile::{Build, BuildError, Catalog, Config, Jps, Movement, Planner};
/// use octile::planner::About;
///
/// octile::config! {
///     /// Your own planner; this one delegates to another.
///     pub struct Mine { /// A key of its spec.
///         times: u32 ["times": "how often it thinks; default 0"] }
/// }
/// # static ABOUT: About = About { name: "mine", summary: "", paper: "", index: octile::planner::IndexEffort::None, variants: &[] };
/// # impl Config for Mine {
/// #     fn about(&self) -> &'static About { &ABOUT }
/// #     fn facts(&self) -> Facts { Facts::optimal("mine", &[Movement::Octile]) }
/// #     fn build(&self, build: &Build<'_>) -> Result<Box<dyn Planner>, BuildError> { Jps::default().planner(build) }
/// # }
///
/// fn main() -> std::process::ExitCode {
///     octile_cli::main_with(Catalog::standard().with(Mine::ENTRY)) // compare arena.map --planner astar --planner mine:times=2
/// }
/// ```
#[must_use]
#[expect(clippy::needless_pass_by_value, reason = "a program has no other use for it")]
pub fn main_with(catalog: Catalog) -> ExitCode {
    harness::main(&catalog, |cli: cmd::Cli| cli.command.run(&catalog))
}
