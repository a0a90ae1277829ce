//! `octile completions`: prints completions for a shell.

use std::any::TypeId;

use anyhow::Result;
use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::{Arg, Command};
use clap_complete::Shell;
use octile::catalog::COMMON_KEYS;
use octile::planner::Entry;
use octile::planner::{Key, Requirement};
use octile::{Catalog, PlannerSpec};

use crate::harness::Outcome;
use crate::harness::output;

/// Print completions for a shell
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  octile completions bash > ~/.local/share/bash-completion/completions/octile
  octile completions fish > ~/.config/fish/completions/octile.fish")]
pub(crate) struct Args {
    /// The shell
    shell: Shell,
}

pub(crate) fn run(args: &Args, catalog: &Catalog) -> Result<Outcome> {
    let mut script = Vec::new();
    let mut command = with_specs(super::command(catalog), &specs(catalog));
    clap_complete::generate(args.shell, &mut command, "octile", &mut script);
    output::print_bytes(&script)?;
    Ok(Outcome::Good)
}

/// The command with specs to choose from where it takes a planner.
fn with_specs(command: Command, specs: &[PossibleValue]) -> Command {
    let with_values = |arg: Arg| {
        let is_spec = arg.get_value_parser().type_id() == TypeId::of::<PlannerSpec>();
        if is_spec { arg.value_parser(PossibleValuesParser::new(specs.to_vec())) } else { arg }
    };
    command.mut_args(with_values).mut_subcommands(|command| with_specs(command, specs))
}

/// The planners of a catalog, each alone and with every word of its keys.
fn specs(catalog: &Catalog) -> Vec<PossibleValue> {
    let of_entry = |&entry: &Entry| {
        // A planner that needs a key has one here.
        let base = catalog.specs(&entry).first().copied().unwrap_or(entry.name());
        let keys = entry.keys().iter().chain(&COMMON_KEYS);
        let longer = keys.flat_map(move |key| key.takes.words().iter().map(move |word| with_word(base, key, word)));
        std::iter::once(PossibleValue::new(base).help(entry.about().summary)).chain(longer)
    };
    catalog.planners().iter().flat_map(of_entry).filter(|spec| catalog.parse(spec.get_name()).is_ok()).collect()
}

/// A spec with a word for one more key, and with what that needs.
fn with_word(base: &str, key: &Key, word: &str) -> PossibleValue {
    let needed = match key.needs {
        Some(Requirement::Value { key, value, .. }) => format!("{key}={value},"),
        _ => String::new(),
    };
    let separator = if base.contains(':') { ',' } else { ':' };
    // The process ends once it has printed them.
    let spec: &str = format!("{base}{separator}{needed}{}={word}", key.name).leak();
    PossibleValue::new(spec).help(key.help)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn planners_are_completed_with_their_keys() {
        let specs = specs(&Catalog::standard());
        let has = |spec: &str| specs.iter().any(|known| known.get_name() == spec);
        for spec in
            ["jps", "weighted-astar:weight=1,prune=gates", "rea-star:fronts=cells,swap=on", "theta-star:ends=centres"]
        {
            assert!(has(spec), "{spec}");
        }
        assert!(!has("weighted-astar") && !has("jps:ends=centres"), "they are refused");
    }
}
