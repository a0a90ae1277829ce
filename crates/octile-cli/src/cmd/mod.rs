//! The subcommands, one file each.

mod advise;
pub(crate) mod build;
pub mod compare;
mod completions;
mod draw;
mod field;
mod generate;
mod info;
mod man;
mod matrix;
pub(crate) mod merge;
mod planners;
mod play;
mod run;
mod solve;

use anyhow::Result;
use clap::{CommandFactory, Parser, Subcommand};
use octile::Catalog;

use crate::harness::{Outcome, with_catalog};

/// Pathfinding on grid maps: solve, check, compare, draw, generate and build indexes.
///
/// Results go to standard output, everything else to standard error.
#[derive(Parser, Debug)]
#[command(name = "octile", version, arg_required_else_help = true, after_help = AFTER_HELP)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// The definition of the command, with the planners and indexes of a catalog.
fn command(catalog: &Catalog) -> clap::Command {
    with_catalog(Cli::command(), catalog)
}

const AFTER_HELP: &str = "\
Start here:
  octile compare                                    race the planners on built-in maps
  octile gen rooms -o rooms.map                     make a map
  octile advise rooms.map                           which planner to use on it
  octile draw rooms.map --from 2,2 --to 500,500 -o search.png
  octile solve rooms.map --from 2,2 --to 500,500    find a path on it

Maps: MovingAI (.map), characters (.txt), images (.png, .pgm), ROS map_server (.yaml); - is standard input.
Exit code: 0 found or all right; 1 no path, a wrong answer, or a file of a folder skipped; 2 error.";

/// The subcommands.
#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    Solve(solve::Args),
    Run(run::Args),
    Compare(compare::Args),
    Advise(advise::Args),
    Matrix(matrix::Args),
    #[command(name = "gen")]
    Generate(generate::Args),
    Draw(draw::Args),
    Field(field::Args),
    Build(build::Args),
    Merge(merge::Args),
    Info(info::Args),
    Planners(planners::Args),
    Play(play::Args),
    Completions(completions::Args),
    Man(man::Args),
}

impl Command {
    pub(crate) fn run(&self, catalog: &Catalog) -> Result<Outcome> {
        match self {
            Self::Solve(args) => solve::run(args, catalog),
            Self::Run(args) => run::run(args, catalog),
            Self::Compare(args) => compare::run(args, catalog),
            Self::Advise(args) => advise::run(args, catalog),
            Self::Matrix(args) => matrix::run(args, catalog),
            Self::Generate(args) => generate::run(args),
            Self::Draw(args) => draw::run(args, catalog),
            Self::Field(args) => field::run(args),
            Self::Build(args) => build::run(args, catalog),
            Self::Merge(args) => merge::run(args, catalog),
            Self::Info(args) => info::run(args, catalog),
            Self::Planners(args) => planners::run(args, catalog),
            Self::Play(args) => play::run(args),
            Self::Completions(args) => completions::run(args, catalog),
            Self::Man(args) => man::run(args, catalog),
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::FromArgMatches;
    use octile::Jps;

    use super::*;

    #[test]
    fn the_arguments_are_well_defined() {
        Cli::command().debug_assert();
        command(&Catalog::standard()).debug_assert();
    }

    #[test]
    fn planners_and_kinds_are_those_of_the_catalog() {
        let few = Catalog::empty().with(Jps::ENTRY);
        for (args, is_known) in [
            ("solve a.map --from 0,0 --to 1,1 --planner jps", true),
            ("solve a.map --from 0,0 --to 1,1 --planner astar", false),
            ("run a.map --planner astar", false),
            ("draw a.map --planner astar", false),
            ("compare --planner jps --planner astar", false),
            ("compare --planner jps --planner jps:smooth=greedy", true),
            ("build gates a.map -o a.octx", false),
        ] {
            let words = || std::iter::once("octile").chain(args.split(' '));
            assert_eq!(command(&few).try_get_matches_from(words()).is_ok(), is_known, "{args}");
            let matches = command(&Catalog::standard()).try_get_matches_from(words()).unwrap();
            assert!(Cli::from_arg_matches(&matches).is_ok(), "{args}");
        }
    }
}
