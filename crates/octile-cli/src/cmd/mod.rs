//! The subcommands, one file each.

mod advise;
pub(crate) mod build;
mod compare;
mod completions;
mod draw;
mod generate;
mod info;
mod man;
pub(crate) mod merge;
mod paper;
mod planners;
mod run;
mod solve;

use anyhow::Result;
use clap::{Parser, Subcommand};

use crate::Outcome;

/// Pathfinding on grid maps: solve, check, compare, draw, generate and build indexes.
///
/// Results go to standard output, everything else to standard error.
#[derive(Parser, Debug)]
#[command(name = "octile", version, arg_required_else_help = true, after_help = AFTER_HELP)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

const AFTER_HELP: &str = "\
Start here:
  octile compare                                    race the planners on built-in maps
  octile gen rooms -o rooms.map                     make a map
  octile advise rooms.map                           which planner to use on it
  octile draw rooms.map --from 2,2 --to 500,500 -o search.png
  octile solve rooms.map --from 2,2 --to 500,500    find a path on it

Maps: MovingAI (.map), characters (.txt), images (.png, .pgm), ROS map_server (.yaml).
Exit code: 0 found or all right, 1 no path or a wrong answer, 2 error.";

/// What the command can do.
#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    Solve(solve::Args),
    Run(run::Args),
    Compare(compare::Args),
    Advise(advise::Args),
    Paper(paper::Args),
    #[command(name = "gen")]
    Generate(generate::Args),
    Draw(draw::Args),
    Build(build::Args),
    Merge(merge::Args),
    Info(info::Args),
    Planners(planners::Args),
    Completions(completions::Args),
    Man(man::Args),
}

impl Command {
    pub(crate) fn run(&self) -> Result<Outcome> {
        match self {
            Self::Solve(args) => solve::run(args),
            Self::Run(args) => run::run(args),
            Self::Compare(args) => compare::run(args),
            Self::Advise(args) => advise::run(args),
            Self::Paper(args) => paper::run(args),
            Self::Generate(args) => generate::run(args),
            Self::Draw(args) => draw::run(args),
            Self::Build(args) => build::run(args),
            Self::Merge(args) => merge::run(args),
            Self::Info(args) => info::run(args),
            Self::Planners(args) => planners::run(args),
            Self::Completions(args) => completions::run(args),
            Self::Man(args) => man::run(args),
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    #[test]
    fn the_arguments_are_well_defined() {
        super::Cli::command().debug_assert();
    }
}
